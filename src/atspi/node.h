/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_NODE_H
#define ATSPI_NODE_H

#include "atspi/message.h"
#include "core/element.h"

struct reader;

/* What an object can do besides being there. */
enum interface {
	INTERFACE_ACTION = 1 << 0,
	INTERFACE_COMPONENT = 1 << 1,
	INTERFACE_TEXT = 1 << 2,
	INTERFACE_EDITABLE_TEXT = 1 << 3,
	INTERFACE_VALUE = 1 << 4,
	INTERFACE_SELECTION = 1 << 5,
	INTERFACE_TABLE = 1 << 6,
	INTERFACE_IMAGE = 1 << 7,
};

/* An object while it is read: its element, and what decides on what else to ask. */
struct node {
	struct reader *reader;
	struct node *parent;
	struct element *element;  /* NULL once moved into the tree */
	GPtrArray *children;      /* struct node, in order; NULL entries could not be named */
	uint32_t role;
	uint64_t states;          /* AT-SPI state bits */
	unsigned interfaces;      /* enum interface bits */
	int child_count;
	int basics;               /* answers to the first requests still to come */
	int depth;
	bool cached;              /* its basics came from the application's cache */
	bool gone;                /* the application does not know it (any more) */
};

/* AT-SPI state numbers that are looked at. */
enum atspi_state {
	ATSPI_ACTIVE = 1,
	ATSPI_BUSY = 3,
	ATSPI_CHECKED = 4,
	ATSPI_DEFUNCT = 6,
	ATSPI_EDITABLE = 7,
	ATSPI_ENABLED = 8,
	ATSPI_EXPANDABLE = 9,
	ATSPI_EXPANDED = 10,
	ATSPI_FOCUSABLE = 11,
	ATSPI_FOCUSED = 12,
	ATSPI_HORIZONTAL = 14,
	ATSPI_MODAL = 16,
	ATSPI_MULTI_LINE = 17,
	ATSPI_MULTISELECTABLE = 18,
	ATSPI_PRESSED = 20,
	ATSPI_SELECTABLE = 22,
	ATSPI_SELECTED = 23,
	ATSPI_SENSITIVE = 24,
	ATSPI_SHOWING = 25,
	ATSPI_SINGLE_LINE = 26,
	ATSPI_VERTICAL = 29,
	ATSPI_VISIBLE = 30,
	ATSPI_INDETERMINATE = 32,
	ATSPI_READ_ONLY = 43,
};

static inline bool node_is(const struct node *node, enum atspi_state state)
{
	return (node->states >> state & 1) != 0;
}

struct node *node_new(struct reader *reader, struct node *parent, const char *name, const char *path,
	int place);
void node_free(struct node *node);

/* Reads a list of interface names, enum interface bits; leaves the message inside the list. */
unsigned node_read_interfaces(struct message *message);
/* Reads the two words of a state set. */
uint64_t node_read_states(struct message *message);

/* What the answers below set, from values known otherwise. */
void node_set_role(struct node *node, uint32_t role);
void node_set_name(struct node *node, const char *name);
void node_set_description(struct node *node, const char *description);
void node_set_states(struct node *node, uint64_t states);
/* Chromium says of what cannot be changed that it is not enabled, but that still takes the focus and clicks. */
void node_enable_read_only(struct node *node);
void node_set_interfaces(struct node *node, unsigned interfaces);

/* Marks a name of an action that may be a translation, until the untranslated one is known. */
#define NODE_TRANSLATED "\001"

/* Each takes the answer to one request; an error answer leaves the field as it was. */
void node_take_role(struct message *reply, struct node *node);
void node_take_name(struct message *reply, struct node *node);
void node_take_description(struct message *reply, struct node *node);
void node_take_states(struct message *reply, struct node *node);
void node_take_interfaces(struct message *reply, struct node *node);
void node_take_child_count(struct message *reply, struct node *node);
void node_take_place(struct message *reply, struct node *node);
void node_take_extents(struct message *reply, struct node *node);
/* The same counted from what it is in. */
void node_take_inside(struct message *reply, struct node *node);
void node_take_actions(struct message *reply, struct node *node);
/* The only actions, in order, where the toolkit leaves no doubt; NULL-terminated. */
void node_set_actions(struct node *node, const char *const *names);
/* The name of the first action that has none yet: an application answers in the order it is asked. */
void node_take_action_name(struct message *reply, struct node *node);
void node_take_binding(struct message *reply, struct node *node);
void node_take_value(struct message *reply, struct node *node);
void node_take_text(struct message *reply, struct node *node);
/* The same without the places of other objects in it; nothing if no more is left than blanks. */
/* An answer of GetAttributes: what a number shows that has no text. */
void node_take_shown_value(struct message *reply, struct node *node);
void node_take_prose(struct message *reply, struct node *node);
/* A number read as a property; 0 if it cannot be told. */
int node_read_number(struct message *reply);

#endif
