/* SPDX-License-Identifier: MIT */
/* Which keys an action is. */
#include "config.h"

#include <xkbcommon/xkbcommon.h>

#include "core/keys.h"
#include "x11/rung.h"

/* The key that writes a character. */
static xkb_keysym_t symbol_of(gunichar character)
{
	return character == '\n' ? XKB_KEY_Return : character == '\t' ? XKB_KEY_Tab
		: xkb_utf32_to_keysym(character);
}

GArray *rung_chords(const struct action *action, GError **error)
{
	g_autoptr(GArray) chords = g_array_new(FALSE, FALSE, sizeof(struct chord));
	const struct chord select_all = { .modifiers = MODIFIER_CTRL, .key = XKB_KEY_a };
	struct chord chord = { 0 };
	const char *bad;
	if (action->kind == ACTION_PRESS_KEY) {
		chord_parse(action->keys, &chord, &bad);
		g_array_append_val(chords, chord);
		return g_steal_pointer(&chords);
	}
	if (action->kind == ACTION_SET_VALUE && action->finding.key != 0) {
		chord.key = action->finding.key;
		for (int i = 0; i < (action->finding.at_once ? action->finding.presses : 1); i++) {
			g_array_append_val(chords, chord);
		}
		return g_steal_pointer(&chords);
	}
	if (action->kind == ACTION_SET_VALUE && !action->finding.digits) {
		g_array_append_val(chords, select_all);
		/* What is selected goes with the first key of the text; without one a key has to take it away. */
		if (action->text[0] == '\0') {
			chord.key = XKB_KEY_Delete;
			g_array_append_val(chords, chord);
		}
	}
	for (const char *at = action->text; *at != '\0'; at = g_utf8_next_char(at)) {
		gunichar character = g_utf8_get_char(at);
		if (character == '\r') {
			/* Lines end by one key. */
			if (at[1] == '\n') {
				continue;
			}
			character = '\n';
		}
		chord.key = symbol_of(character);
		if (chord.key == XKB_KEY_NoSymbol) {
			g_set_error(error, CUA_ERROR, ERROR_INVALID_ARGUMENTS, "No key writes U+%04X",
				(unsigned)character);
			return NULL;
		}
		g_array_append_val(chords, chord);
	}
	return g_steal_pointer(&chords);
}
