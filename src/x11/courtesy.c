/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/courtesy.h"

#include <stdlib.h>
#include <string.h>

#include "x11/standing.h"

/* The first key of each wanted modifier; false if one has none. */
static bool find_keys(struct held *held, struct x11_server *server, unsigned modifiers)
{
	/* Of the server's table: Control, Shift, Mod1, Mod4. */
	static const int rows[MODIFIERS] = { 2, 0, 3, 6 };
	xcb_get_modifier_mapping_reply_t *table = x11_reply(server,
		xcb_get_modifier_mapping(server->c).sequence);
	bool found = table != NULL;
	for (int i = 0; i < MODIFIERS && found; i++) {
		const xcb_keycode_t *codes = xcb_get_modifier_mapping_keycodes(table)
			+ rows[i] * table->keycodes_per_modifier;
		for (int k = 0; k < table->keycodes_per_modifier && (modifiers & 1u << i) != 0
			&& held->keys[i] == 0; k++) {
			held->keys[i] = codes[k];
		}
		found = (modifiers & 1u << i) == 0 || held->keys[i] != 0;
	}
	free(table);
	return found;
}

bool held_note(struct held *held, struct device *device, struct x11_server *server, unsigned modifiers,
	GError **error)
{
	*held = (struct held){ 0 };
	bool found = modifiers == 0 || find_keys(held, server, modifiers);
	for (int i = 0; i < MODIFIERS && found; i++) {
		if (held->keys[i] != 0) {
			held->records[i] = device_note(device, UNDO_KEY, held->keys[i]);
			found = held->records[i] != NULL;
		}
	}
	if (!found) {
		/* None of them is pressed. */
		held_drop(held);
		memset(held->keys, 0, sizeof held->keys);
	}
	if (!found && !x11_failed(server)) {
		g_set_error(error, CUA_ERROR, ERROR_BACKGROUND_UNAVAILABLE,
			"The keyboard of this display has no key for one of the modifiers");
	}
	return found;
}

void held_drop(struct held *held)
{
	for (int i = 0; i < MODIFIERS; i++) {
		undo_drop(g_steal_pointer(&held->records[i]));
	}
}

bool focus_tell(struct x11_server *server, xcb_window_t window, bool in)
{
	if (standing_is_at(server, window)) {
		return false;
	}
	const xcb_focus_in_event_t event = {
		.response_type = in ? XCB_FOCUS_IN : XCB_FOCUS_OUT, .detail = XCB_NOTIFY_DETAIL_NONLINEAR,
		.event = window, .mode = XCB_NOTIFY_MODE_NORMAL,
	};
	xcb_send_event(server->c, false, window, XCB_EVENT_MASK_NO_EVENT, (const char *)&event);
	return true;
}
