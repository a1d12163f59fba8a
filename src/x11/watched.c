/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/watched.h"

#include <stdlib.h>
#include <xcb/xinput.h>

#define ANY_KEY 0
#define ANY_MODIFIER (1u << 31)
/* No window manager was seen to have more keys of a window than this. */
#define MOST_REFUSED 64

struct watched {
	GHashTable *windows;
};

struct watched *watched_new(void)
{
	struct watched *watched = g_new0(struct watched, 1);
	watched->windows = g_hash_table_new(NULL, NULL);
	return watched;
}

void watched_free(struct watched *watched)
{
	g_hash_table_unref(watched->windows);
	g_free(watched);
}

static unsigned ask(struct x11_server *server, xcb_window_t window, unsigned key, const uint32_t *modifiers,
	unsigned count)
{
	const uint32_t mask = XCB_INPUT_XI_EVENT_MASK_KEY_PRESS;
	return xcb_input_xi_passive_grab_device(server->c, XCB_CURRENT_TIME, window, XCB_CURSOR_NONE, key,
		DEVICE_CORE_KEYBOARD, (uint16_t)count, 1, XCB_INPUT_GRAB_TYPE_KEYCODE, XCB_INPUT_GRAB_MODE_22_SYNC,
		XCB_INPUT_GRAB_MODE_22_ASYNC, false, &mask, modifiers).sequence;
}

/* True if all was given. */
static bool collect(struct x11_server *server, unsigned asked)
{
	xcb_input_xi_passive_grab_device_reply_t *reply = x11_reply(server, asked);
	bool given = reply != NULL && reply->num_modifiers == 0;
	free(reply);
	return given;
}

static void ungrab(struct x11_server *server, xcb_window_t window)
{
	static const uint32_t any = ANY_MODIFIER;
	xcb_input_xi_passive_ungrab_device(server->c, window, ANY_KEY, DEVICE_CORE_KEYBOARD, 1,
		XCB_INPUT_GRAB_TYPE_KEYCODE, &any);
}

/*
 * Mutter and Metacity have keys of their own on some windows, so all at once is refused. Key by key, those get at least
 * what makes text: no modifier, Shift, Caps Lock and Num Lock.
 */
static bool add_singly(struct x11_server *server, xcb_window_t window)
{
	static const uint32_t any = ANY_MODIFIER;
	const xcb_setup_t *setup = xcb_get_setup(server->c);
	unsigned asked[256], refused = 0;
	uint32_t plain[8];
	for (unsigned i = 0; i < G_N_ELEMENTS(plain); i++) {
		plain[i] = (i & 1 ? XCB_MOD_MASK_SHIFT : 0) | (i & 2 ? XCB_MOD_MASK_LOCK : 0)
			| (i & 4 ? XCB_MOD_MASK_2 : 0);
	}
	for (unsigned key = setup->min_keycode; key <= setup->max_keycode; key++) {
		asked[key] = ask(server, window, key, &any, 1);
	}
	for (unsigned key = setup->min_keycode; key <= setup->max_keycode; key++) {
		if (!collect(server, asked[key])) {
			collect(server, ask(server, window, key, plain, G_N_ELEMENTS(plain)));
			refused++;
		}
	}
	if (refused > MOST_REFUSED) {
		/* Another driver has them, or had them when this began. */
		ungrab(server, window);
	}
	return refused <= MOST_REFUSED;
}

void watched_add(struct watched *watched, struct x11_server *server, xcb_window_t window)
{
	static const uint32_t any = ANY_MODIFIER;
	if (g_hash_table_contains(watched->windows, GUINT_TO_POINTER(window))) {
		return;
	}
	if (collect(server, ask(server, window, ANY_KEY, &any, 1)) || add_singly(server, window)) {
		g_hash_table_add(watched->windows, GUINT_TO_POINTER(window));
	}
}

void watched_clear(struct watched *watched, struct x11_server *server)
{
	GHashTableIter iter;
	gpointer window;
	g_hash_table_iter_init(&iter, watched->windows);
	while (g_hash_table_iter_next(&iter, &window, NULL)) {
		ungrab(server, GPOINTER_TO_UINT(window));
	}
	/* Others may watch them now. */
	xcb_change_property(server->c, XCB_PROP_MODE_REPLACE, server->root, server->atoms[ATOM__CUA_DRIVER_WATCH],
		XCB_ATOM_CARDINAL, 32, 0, NULL);
	g_hash_table_remove_all(watched->windows);
}
