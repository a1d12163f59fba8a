/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/facts.h"

#include <stdlib.h>
#include <string.h>
#include <xcb/res.h>

#include "x11/property.h"

/* The order in which it is asked. */
enum question {
	ASK_ATTRIBUTES,
	ASK_GEOMETRY,
	ASK_ORIGIN,
	ASK_OWNER,
	ASK_STATE,
	ASK_NET_NAME,
	ASK_NAME,
	QUESTIONS
};
G_STATIC_ASSERT(QUESTIONS == X11_FACTS_QUESTIONS);

enum {
	LONGEST_TITLE = 1024, /* in words, as in a list of windows */
	ICONIC = 3,           /* WM_STATE */
};

static pid_t owner(const xcb_res_query_client_ids_reply_t *reply)
{
	if (reply == NULL) {
		return 0;
	}
	xcb_res_client_id_value_iterator_t it = xcb_res_query_client_ids_ids_iterator(reply);
	return it.rem > 0 && xcb_res_client_id_value_value_length(it.data) > 0
		? (pid_t)*xcb_res_client_id_value_value(it.data) : 0;
}

static char *title(struct x11_server *server, void *const *replies)
{
	char *text = x11_property_text(server, replies[ASK_NET_NAME]);
	text = text != NULL ? text : x11_property_text(server, replies[ASK_NAME]);
	return text != NULL ? text : g_strdup("");
}

void x11_facts_ask(struct x11_server *server, xcb_window_t window, struct x11_facts_asked *asked)
{
	const xcb_res_client_id_spec_t spec = { window & ~server->id_mask,
		XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID };
	unsigned *sequences = asked->sequences;
	sequences[ASK_ATTRIBUTES] = xcb_get_window_attributes(server->c, window).sequence;
	sequences[ASK_GEOMETRY] = xcb_get_geometry(server->c, window).sequence;
	sequences[ASK_ORIGIN] = xcb_translate_coordinates(server->c, window, server->root, 0, 0).sequence;
	sequences[ASK_OWNER] = server->has_res ? xcb_res_query_client_ids(server->c, 1, &spec).sequence : 0;
	sequences[ASK_STATE] = x11_property_ask(server, window, server->atoms[ATOM_WM_STATE], 2);
	sequences[ASK_NET_NAME] = x11_property_ask(server, window, server->atoms[ATOM__NET_WM_NAME],
		LONGEST_TITLE);
	sequences[ASK_NAME] = x11_property_ask(server, window, XCB_ATOM_WM_NAME, LONGEST_TITLE);
}

void x11_facts_collect(struct x11_server *server, const struct x11_facts_asked *asked, struct x11_facts *facts)
{
	void *replies[QUESTIONS];
	for (int i = 0; i < QUESTIONS; i++) {
		replies[i] = x11_reply(server, asked->sequences[i]);
	}
	const xcb_get_window_attributes_reply_t *attributes = replies[ASK_ATTRIBUTES];
	const xcb_get_geometry_reply_t *size = replies[ASK_GEOMETRY];
	const xcb_translate_coordinates_reply_t *origin = replies[ASK_ORIGIN];
	*facts = (struct x11_facts){ 0 };
	if (attributes != NULL && size != NULL && origin != NULL && !x11_failed(server)) {
		*facts = (struct x11_facts){
			.complete = true,
			.bounds = { origin->dst_x, origin->dst_y, size->width, size->height },
			.viewable = attributes->map_state == XCB_MAP_STATE_VIEWABLE,
			.iconic = x11_property_word(replies[ASK_STATE], 0) == ICONIC,
			.pid = owner(replies[ASK_OWNER]),
			.title = title(server, replies),
		};
	}
	for (int i = 0; i < QUESTIONS; i++) {
		free(replies[i]);
	}
}

void x11_facts_clear(struct x11_facts *facts)
{
	g_free(facts->title);
	*facts = (struct x11_facts){ 0 };
}

bool x11_facts_fit(const struct x11_facts *facts, const struct window *known)
{
	const struct screen_rect *now = &facts->bounds, *then = &known->bounds;
	return facts->complete && now->x == then->x && now->y == then->y && now->width == then->width
		&& now->height == then->height
		/* A window that is neither shown nor kept as an icon has been withdrawn. */
		&& (known->minimized ? facts->iconic : facts->viewable && !facts->iconic)
		&& facts->pid != 0 && facts->pid == known->pid && strcmp(facts->title, known->title) == 0;
}
