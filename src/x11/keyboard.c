/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/keyboard.h"

#include <stdlib.h>
#include <xcb/xinput.h>
#include <xkbcommon/xkbcommon.h>

#include "x11/courtesy.h"
#include "x11/quirks.h"
#include "x11/receipt.h"
#include "x11/shield.h"

enum {
	BATCH = 16,          /* keys in one grab of the server, which stops everybody */
	USER_MS = 3000,      /* for the user to let a modifier go */
	RECEIPT_MS = 5000,   /* for the application to read what was pressed */
	LAST_RECEIPT_MS = 1000,
	RECEIPT_TRIES = 5,   /* then it is taken to be hung */
};

/* One key of a batch, ready to be pressed. */
struct press {
	struct stroke stroke;
	unsigned modifiers;
	bool shielded;       /* a window manager may have bound it */
};

enum batch_end {
	BATCH_SENT,          /* all that fits */
	BATCH_USER,          /* nothing: the user holds a modifier */
	BATCH_WAIT,          /* nothing: the application has to read first */
	BATCH_TAKEN,         /* nothing: another driver has the spare keys */
	BATCH_FAILED,        /* nothing, and the error is set */
};

static struct keymap_user user_of(struct device *device, struct x11_server *server)
{
	return (struct keymap_user){
		.server = server, .log = device->log, .master = device->master.name,
		.pointer = device->master.pointer, .window = device->window, .spares = &device->spares,
	};
}

/* Symbols that no window manager binds by themselves. */
static bool writes(const struct chord *chord)
{
	return (chord->modifiers & ~(unsigned)MODIFIER_SHIFT) == 0
		&& (xkb_keysym_to_utf32(chord->key) >= ' ' || chord->key == XKB_KEY_Return
			|| chord->key == XKB_KEY_Tab || chord->key == XKB_KEY_BackSpace);
}

/* The user's modifiers and group, as some toolkits see them at every key. */
static bool user_allows(const struct typing *typing, const struct chord *chords, int count, unsigned *rules)
{
	xcb_input_xi_query_pointer_reply_t *reply = x11_reply(typing->server,
		xcb_input_xi_query_pointer(typing->server->c, typing->server->root, DEVICE_CORE_POINTER).sequence);
	if (reply == NULL) {
		return true;
	}
	/* What is in effect of them the server does not fill in. */
	uint32_t held = (reply->mods.base | reply->mods.latched | reply->mods.locked) & 0xff
		& ~(uint32_t)XCB_MOD_MASK_2;
	if (reply->group.base + reply->group.latched + reply->group.locked != 0) {
		/* Their plain keys mean something else to them now; a spare key means one thing only. */
		*rules &= ~(unsigned)STROKE_PLAIN;
	}
	free(reply);
	bool allowed = (held & ~(uint32_t)XCB_MOD_MASK_LOCK) == 0;
	for (int i = 0; i < count && held != 0 && allowed; i++) {
		/* Caps Lock changes what has capitals and nothing else. */
		allowed = xkb_keysym_to_upper(chords[i].key) == chords[i].key;
	}
	return allowed;
}

/* All modifiers that a batch holds at some time are noted before the first of them. */
static bool note_modifiers(const struct typing *typing, const struct press *presses, int count,
	struct held *held, GError **error)
{
	unsigned needed = 0;
	for (int i = 0; i < count; i++) {
		needed |= presses[i].modifiers;
	}
	return held_note(held, typing->device, typing->server, needed, error);
}

static void press_key(struct reach *reach, xcb_window_t shield, xcb_keycode_t code)
{
	if (shield != XCB_WINDOW_NONE) {
		shield_press(reach, shield, code);
	} else {
		device_key(reach->server, code, true);
	}
}

static void press_all(struct reach *reach, const struct press *presses, int count, const struct held *held)
{
	xcb_window_t window = XCB_WINDOW_NONE;
	for (int i = 0; i < count && window == XCB_WINDOW_NONE; i++) {
		window = presses[i].shielded ? shield_window(reach) : XCB_WINDOW_NONE;
	}
	for (int i = 0; i < count; i++) {
		const struct press *press = &presses[i];
		xcb_window_t shield = press->shielded ? window : XCB_WINDOW_NONE;
		for (int k = 0; k < MODIFIERS; k++) {
			if ((press->modifiers & 1u << k) != 0) {
				press_key(reach, shield, held->keys[k]);
			}
		}
		press_key(reach, shield, press->stroke.code);
		device_key(reach->server, press->stroke.code, false);
		for (int k = MODIFIERS; k-- > 0;) {
			if ((press->modifiers & 1u << k) != 0) {
				device_key(reach->server, held->keys[k], false);
			}
		}
	}
}

/* Some toolkits take keys only while they think their window has the focus. */
static void tell_focus(const struct typing *typing, bool in)
{
	if (quirks_has(typing->toolkit, QUIRK_FOCUS_FOR_KEYS)) {
		focus_tell(typing->server, typing->window, in);
	}
}

/* How the chord is made; with what is held besides. */
static enum stroke_way make_press(const struct typing *typing, const struct keymap *map,
	const struct chord *chord, unsigned rules, struct press *press)
{
	struct keymap_user user = user_of(typing->device, typing->server);
	xcb_keysym_t symbol = chord->key;
	unsigned modifiers = chord->modifiers;
	if (modifiers == MODIFIER_SHIFT && xkb_keysym_to_upper(symbol) != symbol) {
		/* A capital is a symbol like others: whoever does not see our Shift gets it, too. */
		symbol = xkb_keysym_to_upper(symbol);
		modifiers = 0;
	}
	/* With Ctrl and its like Shift would become part of the shortcut. */
	unsigned allowed = modifiers != 0 ? rules & ~(unsigned)STROKE_SHIFT : rules;
	enum stroke_way way = keymap_stroke(map, &user, symbol, allowed, &press->stroke);
	press->modifiers = modifiers | (press->stroke.shift ? (unsigned)MODIFIER_SHIFT : 0);
	press->shielded = !writes(chord);
	return way;
}

/* Fills what can be pressed now; says why it is nothing. */
static enum batch_end prepare(const struct typing *typing, const struct chord *chords, int count,
	struct press *presses, int *ready, GError **error)
{
	unsigned rules = STROKE_SHIFT | STROKE_PLAIN;
	struct keymap_user user = user_of(typing->device, typing->server);
	struct keymap map;
	enum stroke_way way = STROKE_READY;
	*ready = 0;
	if (quirks_has(typing->toolkit, QUIRK_CORE_MODIFIERS)) {
		rules &= ~(unsigned)STROKE_SHIFT;
		if (!user_allows(typing, chords, count, &rules)) {
			return BATCH_USER;
		}
	}
	if (!keymap_read(&map, &user)) {
		return BATCH_FAILED;
	}
	while (*ready < count && way == STROKE_READY) {
		way = make_press(typing, &map, &chords[*ready], rules, &presses[*ready]);
		*ready += way == STROKE_READY ? 1 : 0;
	}
	keymap_clear(&map);
	if (*ready > 0) {
		return BATCH_SENT;
	}
	if (way == STROKE_NONE && !x11_failed(typing->server)) {
		g_set_error(error, CUA_ERROR, ERROR_BACKGROUND_UNAVAILABLE,
			"The keyboard of this display has no key for it, and none to spare");
	}
	return way == STROKE_WAIT ? BATCH_WAIT : way == STROKE_TAKEN ? BATCH_TAKEN : BATCH_FAILED;
}

static enum batch_end send_batch(const struct typing *typing, const struct chord *chords, int count,
	bool first, int *sent, GError **error)
{
	struct press presses[BATCH];
	struct reach reach;
	struct held held = { 0 };
	*sent = 0;
	if (!reach_begin(&reach, typing->device, typing->server, typing->window, typing->point, error)) {
		return BATCH_FAILED;
	}
	enum batch_end end = prepare(typing, chords, MIN(count, typing->delay_ms > 0 ? 1 : BATCH), presses, sent,
		error);
	if (end == BATCH_SENT && !note_modifiers(typing, presses, *sent, &held, error)) {
		end = BATCH_FAILED;
		*sent = 0;
	}
	if (end == BATCH_SENT) {
		if (first) {
			tell_focus(typing, true);
		}
		press_all(&reach, presses, *sent, &held);
	}
	reach_end(&reach);
	if (!x11_failed(typing->server)) {
		held_drop(&held);
		keymap_settle(&typing->device->spares);
	}
	return end;
}

/* Waits until a key of the user's keyboard goes up or down; false if none does. */
static bool wait_for_user(const struct typing *typing, const struct chord *chords, int count,
	struct deadline deadline)
{
	struct x11_server *server = typing->server;
	struct {
		xcb_input_event_mask_t head;
		uint32_t mask;
	} wanted = { { DEVICE_CORE_KEYBOARD, 1 },
		XCB_INPUT_XI_EVENT_MASK_RAW_KEY_PRESS | XCB_INPUT_XI_EVENT_MASK_RAW_KEY_RELEASE };
	xcb_input_xi_select_events(server->c, server->root, 1, &wanted.head);
	/* It may have happened just before. */
	unsigned rules = 0;
	bool free_now = user_allows(typing, chords, count, &rules);
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

/* What a batch waits for; false with an error if it does not come. */
static bool wait_for(const struct typing *typing, enum batch_end end, const struct chord *chords, int count,
	struct deadline patience, GError **error)
{
	struct keymap_user user = user_of(typing->device, typing->server);
	switch (end) {
	case BATCH_USER:
		if (deadline_left(patience) > 0 && wait_for_user(typing, chords, count, patience)) {
			return true;
		}
		g_set_error(error, CUA_ERROR, ERROR_USER_ACTIVE,
			"The user holds a modifier key or Caps Lock, which this application takes for the agent's, too");
		return false;
	case BATCH_WAIT:
		if (receipt_wait(typing->server, typing->window, RECEIPT_MS)) {
			keymap_consumed(&typing->device->spares);
			return true;
		}
		g_set_error(error, CUA_ERROR, ERROR_APP_UNRESPONSIVE,
			"The application did not say that it has read the keys pressed so far, so their symbols cannot be "
			"used for others yet");
		return false;
	case BATCH_TAKEN:
		if (keymap_wait(&user, typing->deadline)) {
			return true;
		}
		g_set_error(error, CUA_ERROR, ERROR_NO_INPUT_DEVICE,
			"Another driver uses the spare keys of this display");
		return false;
	case BATCH_SENT:
	case BATCH_FAILED:
		break;
	}
	return false;
}

static bool pause_for(const struct typing *typing)
{
	g_autoptr(GError) over = NULL;
	if (typing->delay_ms > 0) {
		deadline_poll_all(deadline_within(typing->deadline, typing->delay_ms), NULL, 0, "the next key", &over);
	}
	return deadline_left(typing->deadline) > 0 && (over == NULL || over->code != ERROR_CANCELLED);
}

static enum delivered finish(const struct typing *typing, int done, int count, GError **error)
{
	struct x11_server *server = typing->server;
	struct device *device = typing->device;
	if (done > 0) {
		tell_focus(typing, false);
		device->typed = typing->window;
		if (keymap_pending(&device->spares)
			&& receipt_wait(server, typing->window, LAST_RECEIPT_MS)) {
			keymap_consumed(&device->spares);
		}
		free(x11_reply(server, xcb_get_input_focus(server->c).sequence));
	}
	if (x11_failed(server)) {
		g_clear_error(error);
		g_set_error(error, CUA_ERROR, ERROR_DELIVERY_FAILED, "The X server did not confirm the keys: %s",
			server->failure->message);
		/* What was put into the socket may have arrived. */
		return DELIVERED_UNKNOWN;
	}
	return done == count ? DELIVERED_FULL : done > 0 ? DELIVERED_PARTIAL : DELIVERED_NONE;
}

enum delivered keyboard_press(const struct typing *typing, const struct chord *chords, int count, int *done,
	GError **error)
{
	struct deadline patience = deadline_within(typing->deadline, USER_MS);
	bool goes_on = true;
	*done = 0;
	while (*done < count && goes_on) {
		int sent;
		enum batch_end end = send_batch(typing, chords + *done, count - *done, *done == 0, &sent, error);
		*done += sent;
		if (x11_failed(typing->server)) {
			goes_on = false;
		} else if (end != BATCH_SENT) {
			goes_on = wait_for(typing, end, chords + *done, MIN(count - *done, BATCH), patience, error);
		} else {
			patience = deadline_within(typing->deadline, USER_MS);
			goes_on = *done == count || pause_for(typing);
			if (!goes_on) {
				g_set_error(error, CUA_ERROR, ERROR_DEADLINE_EXCEEDED,
					"The time of the call was over after %d of %d keys", *done, count);
			}
		}
	}
	return finish(typing, *done, count, error);
}

bool keyboard_rest(struct device *device, struct x11_server *server)
{
	struct spare_keys *spares = &device->spares;
	if (!spares->held && spares->count == 0) {
		return true;
	}
	if (keymap_pending(spares) && ++spares->tries < RECEIPT_TRIES
		&& !receipt_wait(server, device->typed, LAST_RECEIPT_MS)) {
		return false;
	}
	struct keymap_user user = user_of(device, server);
	device_grab_server(device, server);
	keymap_restore(&user);
	device_ungrab_server(device, server);
	if (!x11_failed(server)) {
		keymap_forget(spares);
	}
	return true;
}
