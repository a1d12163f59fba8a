/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_TALK_H
#define ATSPI_TALK_H

#include "atspi/link.h"
#include "core/element.h"

/*
 * A conversation with one accessible object, question by question: for what is done to it, where each
 * step depends on the one before. Trees are read by reader.h.
 */
struct talk {
	struct link *link;
	const char *name, *path;  /* whom; borrowed, may be changed between questions */
	bool plugged;             /* see struct element */
	struct deadline deadline;
	struct message *reply;    /* the last answer; NULL if the object answered with an error */
	char *problem;            /* the words of that error */
	GError *error;            /* set once the application or the bus is silent: no more is sent */
};

/* Begins to talk to the element; talk_end() leaves the link to its owner. */
struct talk talk_to(struct link *link, const struct element *element, struct deadline deadline);
void talk_end(struct talk *talk);

/*
 * Asks and waits. `types` and what follows are those of link_send(). The answer, borrowed until the
 * next question; NULL if there is none.
 */
#define talk_ask(talk, interface, method, ...) \
	(talk_begin(talk) && link_send((talk)->link, (talk)->name, (talk)->path, interface, method, \
		talk_take, talk, __VA_ARGS__) ? talk_wait(talk) : NULL)
bool talk_begin(struct talk *talk);
void talk_take(struct message *reply, void *talk);
struct message *talk_wait(struct talk *talk);

/* A property that is a number, or `otherwise`. */
int talk_int(struct talk *talk, const char *interface, const char *property, int otherwise);
double talk_double(struct talk *talk, const char *interface, const char *property, double otherwise);

/* The object's name or another property that is a string; owned, valid UTF-8; NULL if it has none. */
char *talk_string(struct talk *talk, const char *interface, const char *property);

/* Whether the last answer was a yes. */
bool talk_agreed(const struct talk *talk);

/* Bits of enum interface (node.h) and of AT-SPI states (1 << enum atspi_state). */
unsigned talk_interfaces(struct talk *talk);
uint64_t talk_states(struct talk *talk);
uint32_t talk_role(struct talk *talk);

#define TEXT_INTERFACE "org.a11y.atspi.Text"
#define EDITABLE_INTERFACE "org.a11y.atspi.EditableText"
#define VALUE_INTERFACE "org.a11y.atspi.Value"
#define SELECTION_INTERFACE "org.a11y.atspi.Selection"
#define COMPONENT_INTERFACE "org.a11y.atspi.Component"

#endif
