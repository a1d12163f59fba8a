/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/choice.h"

#include <stdlib.h>
#include <xcb/xinput.h>

static void add(uint8_t *set, unsigned code)
{
	set[code / 8] |= (uint8_t)(1 << code % 8);
}

static bool has(const uint8_t *set, unsigned code)
{
	return code < 256 && (set[code / 8] >> code % 8 & 1) != 0;
}

static bool is_command(xcb_keysym_t symbol)
{
	enum { F1 = 0xffbe, F35 = 0xffe0, PRINT = 0xff61, MENU = 0xff67, XF86 = 0x1008ff00 };
	return (symbol >= F1 && symbol <= F35) || symbol == PRINT || symbol == MENU
		|| (symbol >= XF86 && symbol < XF86 + 0x10000);
}

static bool is_accept(xcb_keysym_t symbol)
{
	enum { RETURN = 0xff0d, KP_ENTER = 0xff8d, ISO_ENTER = 0xfe34, ESCAPE = 0xff1b };
	return symbol == RETURN || symbol == KP_ENTER || symbol == ISO_ENTER || symbol == ESCAPE;
}

static void learn_symbols(struct x11_choice *choice, struct x11_server *server)
{
	const xcb_setup_t *setup = xcb_get_setup(server->c);
	unsigned count = setup->max_keycode - setup->min_keycode + 1u;
	xcb_get_keyboard_mapping_reply_t *reply = x11_reply(server,
		xcb_get_keyboard_mapping(server->c, setup->min_keycode, (uint8_t)count).sequence);
	const xcb_keysym_t *symbols = reply != NULL ? xcb_get_keyboard_mapping_keysyms(reply)
						    : NULL;
	for (unsigned i = 0; reply != NULL && i < count; i++) {
		xcb_keysym_t symbol = symbols[i * reply->keysyms_per_keycode];
		if (is_command(symbol)) {
			add(choice->commands, setup->min_keycode + i);
		} else if (is_accept(symbol)) {
			add(choice->accepts, setup->min_keycode + i);
		}
	}
	free(reply);
}

void x11_choice_learn(struct x11_choice *choice, struct x11_server *server)
{
	enum { CONTROL = 2, ALT = 3, SUPER = 6 };
	xcb_get_modifier_mapping_reply_t *reply = x11_reply(server,
		xcb_get_modifier_mapping(server->c).sequence);
	if (reply == NULL) {
		return;
	}
	const xcb_keycode_t *codes = xcb_get_modifier_mapping_keycodes(reply);
	int each = reply->keycodes_per_modifier;
	for (int i = 0; i < 8 * each; i++) {
		if (codes[i] == 0) {
			continue; /* an empty place of the table */
		}
		if (i / each == ALT || i / each == SUPER) {
			add(choice->selects, codes[i]);
		} else if (i / each == CONTROL) {
			add(choice->commands, codes[i]);
		}
	}
	free(reply);
	learn_symbols(choice, server);
}

void x11_choice_note(struct x11_choice *choice, unsigned type, unsigned code)
{
	gint64 now = g_get_monotonic_time();
	if (type == XCB_INPUT_RAW_MOTION) {
		choice->moved = now;
	} else if (type == XCB_INPUT_RAW_BUTTON_PRESS) {
		choice->selected = now;
	} else {
		choice->typed = now;
		choice->selected = has(choice->selects, code) ? now : choice->selected;
		choice->commanded = has(choice->commands, code) ? now : choice->commanded;
		choice->accepted = has(choice->accepts, code) ? now : choice->accepted;
	}
}

bool x11_choice_works(gint64 at)
{
	return at != 0 && g_get_monotonic_time() - at < CHOICE_US;
}
