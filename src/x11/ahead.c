/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/ahead.h"

#include <xcb/res.h>

#include "x11/property.h"

/* Further ones are asked when they are needed: the socket of a stopped server must not fill. */
enum { MOST_QUESTIONS = 1024 };

struct question {
	guint64 key;         /* window and what is asked about it */
	uint32_t words;      /* of a property */
	unsigned sequence;   /* 0: not asked in this list */
	int next;            /* the next one with the same key; -1: none */
};

struct x11_ahead {
	GArray *last;        /* struct question: of the list before, asked again */
	GArray *now;         /* struct question: what this list wanted to know */
	GHashTable *waiting; /* key in `last` → index of the first that nobody has taken, plus one */
};

static guint64 key_of(enum x11_ahead_what what, xcb_window_t window, xcb_atom_t property)
{
	/* Atoms have 29 bits. */
	return (guint64)window << 32 | (guint64)what << 29 | property;
}

static unsigned send(struct x11_server *server, guint64 key, uint32_t words)
{
	xcb_connection_t *c = server->c;
	xcb_window_t window = (xcb_window_t)(key >> 32);
	const xcb_res_client_id_spec_t owner = { window, XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID };
	switch ((enum x11_ahead_what)(key >> 29 & 7)) {
	case AHEAD_ATTRIBUTES:
		return xcb_get_window_attributes(c, window).sequence;
	case AHEAD_GEOMETRY:
		return xcb_get_geometry(c, window).sequence;
	case AHEAD_ORIGIN:
		return xcb_translate_coordinates(c, window, server->root, 0, 0).sequence;
	case AHEAD_TREE:
		return xcb_query_tree(c, window).sequence;
	case AHEAD_PROPERTIES:
		return xcb_list_properties(c, window).sequence;
	case AHEAD_PROPERTY:
		return x11_property_ask(server, window, (xcb_atom_t)(key & 0x1fffffff), words);
	case AHEAD_OWNER:
		return xcb_res_query_client_ids(c, 1, &owner).sequence;
	}
	return 0;
}

static struct x11_ahead *ahead_new(void)
{
	struct x11_ahead *ahead = g_new0(struct x11_ahead, 1);
	ahead->last = g_array_new(FALSE, FALSE, sizeof(struct question));
	ahead->now = g_array_new(FALSE, FALSE, sizeof(struct question));
	ahead->waiting = g_hash_table_new(g_int64_hash, g_int64_equal);
	return ahead;
}

void x11_ahead_free(struct x11_ahead *ahead)
{
	if (ahead == NULL) {
		return;
	}
	g_hash_table_unref(ahead->waiting);
	g_array_unref(ahead->last);
	g_array_unref(ahead->now);
	g_free(ahead);
}

void x11_ahead_begin(struct x11_server *server)
{
	struct x11_ahead *ahead = server->ahead != NULL ? server->ahead : ahead_new();
	GArray *wanted = ahead->now;
	server->ahead = ahead;
	ahead->now = ahead->last;
	ahead->last = wanted;
	g_array_set_size(ahead->now, 0);
	for (guint i = 0; i < wanted->len; i++) {
		struct question *question = &g_array_index(wanted, struct question, i);
		question->sequence = send(server, question->key, question->words);
		if (i == 0) {
			server->oldest = question->sequence;
		}
	}
	/* From the end: of equal ones the first is taken first. */
	for (guint i = wanted->len; i-- > 0;) {
		struct question *question = &g_array_index(wanted, struct question, i);
		question->next = GPOINTER_TO_INT(g_hash_table_lookup(ahead->waiting, &question->key)) - 1;
		g_hash_table_replace(ahead->waiting, &question->key, GINT_TO_POINTER((int)i + 1));
	}
}

void x11_ahead_end(struct x11_server *server)
{
	struct x11_ahead *ahead = server->ahead;
	g_hash_table_remove_all(ahead->waiting);
	for (guint i = 0; i < ahead->last->len; i++) {
		unsigned sequence = g_array_index(ahead->last, struct question, i).sequence;
		if (sequence != 0) {
			xcb_discard_reply(server->c, sequence);
		}
	}
	server->oldest = 0;
}

/* Takes one that was asked ahead; 0 if it was not. */
static unsigned take(struct x11_ahead *ahead, guint64 key, uint32_t words)
{
	int index = GPOINTER_TO_INT(g_hash_table_lookup(ahead->waiting, &key)) - 1;
	if (index < 0) {
		return 0;
	}
	struct question *question = &g_array_index(ahead->last, struct question, index);
	if (question->words != words) {
		return 0;
	}
	if (question->next >= 0) {
		struct question *next = &g_array_index(ahead->last, struct question, question->next);
		g_hash_table_replace(ahead->waiting, &next->key, GINT_TO_POINTER(question->next + 1));
	} else {
		g_hash_table_remove(ahead->waiting, &key);
	}
	unsigned sequence = question->sequence;
	question->sequence = 0;
	return sequence;
}

static unsigned ask(struct x11_server *server, guint64 key, uint32_t words)
{
	struct x11_ahead *ahead = server->ahead;
	const struct question question = { key, words, 0, -1 };
	if (ahead->now->len < MOST_QUESTIONS) {
		g_array_append_val(ahead->now, question);
	}
	unsigned sequence = take(ahead, key, words);
	return sequence != 0 ? sequence : send(server, key, words);
}

unsigned x11_ahead_ask(struct x11_server *server, enum x11_ahead_what what, xcb_window_t window)
{
	return ask(server, key_of(what, window, 0), 0);
}

unsigned x11_ahead_ask_property(struct x11_server *server, xcb_window_t window, xcb_atom_t property,
	uint32_t words)
{
	return ask(server, key_of(AHEAD_PROPERTY, window, property), words);
}
