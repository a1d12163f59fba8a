/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/user-keys.h"

#include <stdlib.h>
#include <xcb/xinput.h>
#include <xkbcommon/xkbcommon.h>

struct user_keys user_keys_read(struct x11_server *server)
{
	xcb_input_xi_query_pointer_reply_t *reply = x11_reply(server,
		xcb_input_xi_query_pointer(server->c, server->root, DEVICE_CORE_POINTER).sequence);
	if (reply == NULL) {
		return (struct user_keys){ 0 };
	}
	/* What is in effect of them the server does not fill in. */
	uint32_t held = reply->mods.base | reply->mods.latched | reply->mods.locked;
	const struct user_keys keys = {
		.shift = (held & (XCB_MOD_MASK_SHIFT | XCB_MOD_MASK_5)) != 0,
		.caps = (held & XCB_MOD_MASK_LOCK) != 0,
		.control = (held & XCB_MOD_MASK_CONTROL) != 0,
		.other = (held & (XCB_MOD_MASK_1 | XCB_MOD_MASK_3 | XCB_MOD_MASK_4)) != 0,
		.group = reply->group.base + reply->group.latched + reply->group.locked != 0,
	};
	free(reply);
	return keys;
}

bool user_keys_allow(const struct user_keys *keys, const struct chord *chord, bool text, bool *spare)
{
	bool writes = text && xkb_keysym_to_utf32(chord->key) >= ' ' && chord->key != XKB_KEY_Delete;
	*spare = keys->shift || keys->caps || keys->group;
	/* Ctrl makes other characters of letters; Shift makes another key of Return, and a shortcut of a digit. */
	return !keys->control && (writes || (!keys->shift && !keys->other));
}

bool user_keys_wait(struct x11_server *server, const struct chord *chord, bool text, struct deadline deadline)
{
	struct {
		xcb_input_event_mask_t head;
		uint32_t mask;
	} wanted = { { DEVICE_CORE_KEYBOARD, 1 },
		XCB_INPUT_XI_EVENT_MASK_RAW_KEY_PRESS | XCB_INPUT_XI_EVENT_MASK_RAW_KEY_RELEASE };
	bool spare;
	xcb_input_xi_select_events(server->c, server->root, 1, &wanted.head);
	/* It may have happened just before. */
	struct user_keys keys = user_keys_read(server);
	bool free_now = user_keys_allow(&keys, chord, text, &spare);
	xcb_generic_event_t *event = NULL;
	while (!free_now && (event = xcb_poll_for_event(server->c)) == NULL
		&& xcb_connection_has_error(server->c) == 0
		&& deadline_poll(deadline, xcb_get_file_descriptor(server->c), POLLIN, "the user", NULL)) {
	}
	bool moved = free_now || event != NULL;
	free(event);
	wanted.mask = 0;
	xcb_input_xi_select_events(server->c, server->root, 1, &wanted.head);
	return moved;
}
