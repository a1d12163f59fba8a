/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/unchanged.h"

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
G_STATIC_ASSERT(QUESTIONS == X11_UNCHANGED_QUESTIONS);

enum {
	LONGEST_TITLE = 1024, /* in words, as in a list of windows */
	ICONIC = 3,           /* WM_STATE */
};

static bool same_place(const struct window *known, void *const *replies)
{
	const xcb_get_geometry_reply_t *size = replies[ASK_GEOMETRY];
	const xcb_translate_coordinates_reply_t *origin = replies[ASK_ORIGIN];
	return size != NULL && origin != NULL && origin->dst_x == known->bounds.x
		&& origin->dst_y == known->bounds.y && size->width == known->bounds.width
		&& size->height == known->bounds.height;
}

/* A window that is neither shown nor kept as an icon has been withdrawn. */
static bool same_visibility(const struct window *known, void *const *replies)
{
	const xcb_get_window_attributes_reply_t *attributes = replies[ASK_ATTRIBUTES];
	bool iconic = x11_property_word(replies[ASK_STATE], 0) == ICONIC;
	return attributes != NULL && (known->minimized ? iconic
		: attributes->map_state == XCB_MAP_STATE_VIEWABLE && !iconic);
}

static bool same_owner(const struct window *known, void *const *replies)
{
	const xcb_res_query_client_ids_reply_t *reply = replies[ASK_OWNER];
	if (reply == NULL) {
		return false;
	}
	xcb_res_client_id_value_iterator_t it = xcb_res_query_client_ids_ids_iterator(reply);
	return it.rem > 0 && xcb_res_client_id_value_value_length(it.data) > 0
		&& (pid_t)*xcb_res_client_id_value_value(it.data) == known->pid;
}

static bool same_title(struct x11_server *server, const struct window *known, void *const *replies)
{
	g_autofree char *text = x11_property_text(server, replies[ASK_NET_NAME]);
	g_autofree char *plain = text == NULL ? x11_property_text(server, replies[ASK_NAME]) : NULL;
	return strcmp(text != NULL ? text : plain != NULL ? plain : "", known->title) == 0;
}

void x11_unchanged_ask(struct x11_server *server, const struct window *known,
	struct x11_unchanged *asked)
{
	xcb_window_t window = (xcb_window_t)known->id;
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

bool x11_unchanged_collect(struct x11_server *server, const struct window *known,
	const struct x11_unchanged *asked)
{
	void *replies[QUESTIONS];
	for (int i = 0; i < QUESTIONS; i++) {
		replies[i] = x11_reply(server, asked->sequences[i]);
	}
	bool same = same_place(known, replies) && same_visibility(known, replies)
		&& same_owner(known, replies) && same_title(server, known, replies);
	for (int i = 0; i < QUESTIONS; i++) {
		free(replies[i]);
	}
	return same && !x11_failed(server);
}
