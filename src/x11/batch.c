/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/batch.h"

#include <xkbcommon/xkbcommon.h>

#include "x11/quirks.h"
#include "x11/user-keys.h"

/* Symbols that no window manager binds by themselves. */
static bool writes(const struct chord *chord)
{
	return (chord->modifiers & ~(unsigned)MODIFIER_SHIFT) == 0
		&& (xkb_keysym_to_utf32(chord->key) >= ' ' || chord->key == XKB_KEY_Return
			|| chord->key == XKB_KEY_Tab || chord->key == XKB_KEY_BackSpace);
}

/* The symbol of a chord, and what is held besides. */
static xcb_keysym_t symbol_of(const struct chord *chord, unsigned *modifiers)
{
	xcb_keysym_t capital = xkb_keysym_to_upper(chord->key);
	*modifiers = chord->modifiers;
	if (*modifiers != MODIFIER_SHIFT || capital == chord->key) {
		return chord->key;
	}
	/* A capital is a symbol like others: whoever does not see our Shift gets it, too. */
	*modifiers = 0;
	return capital;
}

/* What a batch goes by. */
struct plan {
	const struct typing *typing;
	struct keymap map;
	struct user_keys keys;
	bool heeds_user;     /* what the user holds matters */
	bool aside;          /* the application reads the map aside from the keys */
	bool unproven;       /* the application does not say what it has read */
};

static unsigned rules_for(const struct plan *plan, const struct chord *chord, bool *allowed)
{
	unsigned modifiers, rules = STROKE_SHIFT | STROKE_PLAIN;
	bool spare = false;
	*allowed = true;
	if (plan->heeds_user) {
		*allowed = user_keys_allow(&plan->keys, chord, plan->typing->text, &spare);
		rules = spare ? 0 : STROKE_PLAIN | (plan->typing->front ? (unsigned)STROKE_SHIFT : 0);
	}
	symbol_of(chord, &modifiers);
	/* With Ctrl and its like Shift would become part of the shortcut; to an input method it is a key of its own. */
	return modifiers != 0 || plan->typing->handed ? rules & ~(unsigned)STROKE_SHIFT : rules;
}

/* The different symbols that want spare keys from here on, in order. */
static int look_ahead(const struct plan *plan, const struct chord *chords, int count, xcb_keysym_t *symbols)
{
	int found = 0;
	for (int i = 0; i < count && found < SPARE_KEYS; i++) {
		unsigned modifiers;
		bool allowed;
		struct stroke stroke;
		xcb_keysym_t symbol = symbol_of(&chords[i], &modifiers);
		int k = 0;
		while (k < found && symbols[k] != symbol) {
			k++;
		}
		if (k == found && !keymap_find(&plan->map, symbol, rules_for(plan, &chords[i], &allowed), &stroke)) {
			symbols[found++] = symbol;
		}
	}
	return found;
}

/* How the first of the chords is made. */
static enum batch_end make_press(const struct plan *plan, const struct chord *chords, int count,
	struct press *press)
{
	static const enum batch_end ends[] = {
		[SPARES_READY] = BATCH_SENT, [SPARES_WAIT] = BATCH_WAIT, [SPARES_TAKEN] = BATCH_TAKEN,
		[SPARES_NONE] = BATCH_FAILED,
	};
	struct spares_user user = device_spares(plan->typing->device, plan->typing->server);
	unsigned modifiers;
	bool allowed;
	xcb_keysym_t symbol = symbol_of(chords, &modifiers), wanted[SPARE_KEYS];
	unsigned rules = rules_for(plan, chords, &allowed);
	enum batch_end end = allowed ? BATCH_SENT : BATCH_USER;
	press->stroke.shift = false;
	if (allowed && !spares_has(user.spares, symbol)
		&& !keymap_find(&plan->map, symbol, rules, &press->stroke)) {
		int ahead = look_ahead(plan, chords, count, wanted);
		end = ends[spares_assign(&user, &plan->map, wanted, ahead, plan->unproven)];
		if (end == BATCH_FAILED && spares_pending(user.spares)) {
			end = BATCH_UNREAD;
		}
	}
	if (end == BATCH_SENT && user.spares->fresh && plan->aside && spares_has(user.spares, symbol)) {
		end = BATCH_FRESH;
	} else if (end == BATCH_SENT) {
		spares_find(user.spares, symbol, &press->stroke);
	}
	press->modifiers = modifiers | (press->stroke.shift ? (unsigned)MODIFIER_SHIFT : 0);
	/* In the foreground shortcuts of the window manager are what they are to the user. */
	press->shielded = !plan->typing->front && !writes(chords);
	return end;
}

enum batch_end batch_plan(const struct typing *typing, const struct chord *chords, int count, bool unproven,
	struct press *presses, int *ready, GError **error)
{
	struct plan plan = {
		.typing = typing, .aside = quirks_has(typing->toolkit, QUIRK_MAP_ASIDE), .unproven = unproven,
	};
	struct spares_user user = device_spares(typing->device, typing->server);
	enum batch_end end = BATCH_SENT;
	*ready = 0;
	if (typing->front || quirks_has(typing->toolkit, QUIRK_CORE_MODIFIERS)) {
		plan.heeds_user = true;
		plan.keys = user_keys_read(typing->server);
	}
	if (!keymap_read(&plan.map, typing->server, user.pointer)) {
		if (!x11_failed(typing->server)) {
			g_set_error(error, CUA_ERROR, ERROR_NO_INPUT_DEVICE,
				"The X server does not tell what the keys of its keyboard mean (XKB)");
		}
		keymap_clear(&plan.map);
		return BATCH_FAILED;
	}
	spares_check(user.spares, &plan.map);
	if (typing->handed && !spares_hold(&user)) {
		/* Without them nobody could say that a key was read. */
		keymap_clear(&plan.map);
		return BATCH_TAKEN;
	}
	int most = MIN(count, typing->delay_ms > 0 || typing->handed ? 1 : BATCH);
	while (*ready < most && end == BATCH_SENT) {
		end = make_press(&plan, chords + *ready, count - *ready, &presses[*ready]);
		*ready += end == BATCH_SENT ? 1 : 0;
	}
	keymap_clear(&plan.map);
	if (*ready == 0 && end == BATCH_FAILED && !x11_failed(typing->server)) {
		g_set_error(error, CUA_ERROR, typing->front ? ERROR_FOREGROUND_UNAVAILABLE
			: ERROR_BACKGROUND_UNAVAILABLE,
			"The keyboard of this display has no key for it, and none to spare");
	}
	return *ready > 0 ? BATCH_SENT : end;
}
