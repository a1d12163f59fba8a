/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/spares.h"

#include <stdlib.h>

static void forget(struct spare_keys *spares, int i)
{
	undo_drop(spares->keys[i].record);
	undo_drop(spares->keys[i].older);
	spares->keys[i] = spares->keys[--spares->count];
}

void spares_check(struct spare_keys *spares, const struct keymap *map)
{
	for (int i = spares->count; i-- > 0;) {
		/* The user has another layout now. */
		if (!keymap_has_only(map, spares->keys[i].code, spares->keys[i].symbol)) {
			forget(spares, i);
		}
	}
}

bool spares_has(const struct spare_keys *spares, xcb_keysym_t symbol)
{
	for (int i = 0; i < spares->count; i++) {
		if (spares->keys[i].symbol == symbol) {
			return true;
		}
	}
	return false;
}

bool spares_find(struct spare_keys *spares, xcb_keysym_t symbol, struct stroke *stroke)
{
	for (int i = 0; i < spares->count; i++) {
		if (spares->keys[i].symbol == symbol) {
			spares->keys[i].pressed = true;
			*stroke = (struct stroke){ spares->keys[i].code, false };
			return true;
		}
	}
	return false;
}

static xcb_window_t owner_of(struct x11_server *server, enum x11_atom place)
{
	xcb_get_selection_owner_reply_t *reply = x11_reply(server,
		xcb_get_selection_owner(server->c, server->atoms[place]).sequence);
	/* Of a server that does not answer everything is taken. */
	xcb_window_t owner = reply != NULL ? reply->owner : server->root;
	free(reply);
	return owner;
}

static void own(struct x11_server *server, enum x11_atom place, xcb_window_t window)
{
	xcb_set_selection_owner(server->c, window, server->atoms[place], XCB_CURRENT_TIME);
}

bool spares_hold(const struct spares_user *user)
{
	if (!user->spares->held) {
		xcb_window_t owner = owner_of(user->server, ATOM__CUA_DRIVER_KEYMAP);
		user->spares->held = owner == XCB_WINDOW_NONE || owner == user->window;
		if (user->spares->held) {
			own(user->server, ATOM__CUA_DRIVER_KEYMAP, user->window);
		}
	}
	return user->spares->held;
}

/* Keys that have no symbol become ours, without one. */
static void collect(struct spare_keys *spares, const struct keymap *map)
{
	bool ours[KEYMAP_CODES] = { false };
	for (int i = 0; i < spares->count; i++) {
		ours[spares->keys[i].code] = true;
	}
	for (int code = KEYMAP_CODES; code-- > 0 && spares->count < SPARE_KEYS;) {
		if (!ours[code] && keymap_is_unused(map, code)) {
			spares->keys[spares->count++] = (struct spare_key){ .code = (xcb_keycode_t)code };
		}
	}
}

static bool give(const struct spares_user *user, struct spare_key *key, xcb_keysym_t symbol)
{
	struct undo_record record = { .kind = UNDO_MAPPING, .code = key->code, .symbol = symbol };
	g_strlcpy(record.master, user->master, sizeof record.master);
	struct undo_record *written = undo_write(user->log, &record);
	if (written == NULL) {
		return false;
	}
	*key = (struct spare_key){ key->code, symbol, written, key->record, false };
	return true;
}

/* Those that got no symbol are nobody's. */
static void release_idle(struct spare_keys *spares)
{
	for (int i = spares->count; i-- > 0;) {
		if (spares->keys[i].symbol == XCB_NO_SYMBOL) {
			forget(spares, i);
		}
	}
}

static int index_of(const xcb_keysym_t *symbols, int count, xcb_keysym_t symbol)
{
	for (int i = 0; i < count; i++) {
		if (symbols[i] == symbol) {
			return i;
		}
	}
	return -1;
}

/* Gives keys to the symbols that have none; says how many got one or had it, in their order. */
static int distribute(const struct spares_user *user, const struct keymap *map, const xcb_keysym_t *symbols,
	int count, bool only_count)
{
	struct spare_keys *spares = user->spares;
	struct key_change changes[SPARE_KEYS];
	bool has_key[SPARE_KEYS] = { false };
	int changed = 0, next = 0, served = 0;
	for (int i = 0; i < spares->count; i++) {
		int wanted = index_of(symbols, count, spares->keys[i].symbol);
		if (wanted >= 0) {
			has_key[wanted] = true;
		}
	}
	for (served = 0; served < count; served++) {
		while (!has_key[served] && next < spares->count && (spares->keys[next].pressed
			|| spares->keys[next].older != NULL
			|| index_of(symbols, count, spares->keys[next].symbol) >= 0)) {
			next++;
		}
		if (!has_key[served] && (next == spares->count
			|| (!only_count && !give(user, &spares->keys[next], symbols[served])))) {
			break;
		}
		if (!has_key[served]) {
			changes[changed++] = (struct key_change){ spares->keys[next++].code, symbols[served] };
		}
	}
	if (!only_count) {
		keymap_write(map, user->server, user->pointer, changes, changed);
		spares->fresh = spares->fresh || changed > 0;
	}
	return served;
}

enum spares_end spares_assign(const struct spares_user *user, const struct keymap *map,
	const xcb_keysym_t *symbols, int count, bool unproven)
{
	struct spare_keys *spares = user->spares;
	if (!spares_hold(user)) {
		return SPARES_TAKEN;
	}
	collect(spares, map);
	/* What comes after as many symbols as there are keys has to wait in any case. */
	count = MIN(count, spares->count);
	enum spares_end end = SPARES_NONE;
	if (count > 0 && !unproven && spares_pending(spares)
		&& distribute(user, map, symbols, count, true) < count) {
		end = SPARES_WAIT;
	} else if (distribute(user, map, symbols, count, false) > 0) {
		end = SPARES_READY;
	}
	release_idle(spares);
	return end;
}

void spares_settle(struct spare_keys *spares)
{
	for (int i = 0; i < spares->count; i++) {
		undo_drop(g_steal_pointer(&spares->keys[i].older));
	}
}

void spares_consumed(struct spare_keys *spares)
{
	for (int i = 0; i < spares->count; i++) {
		spares->keys[i].pressed = false;
	}
}

bool spares_pending(const struct spare_keys *spares)
{
	for (int i = 0; i < spares->count; i++) {
		if (spares->keys[i].pressed) {
			return true;
		}
	}
	return false;
}

void spares_restore(const struct spares_user *user)
{
	struct spare_keys *spares = user->spares;
	struct key_change changes[SPARE_KEYS];
	struct keymap map;
	if (keymap_read(&map, user->server, user->pointer)) {
		spares_check(spares, &map);
		for (int i = 0; i < spares->count; i++) {
			changes[i] = (struct key_change){ spares->keys[i].code, XCB_NO_SYMBOL };
		}
		keymap_write(&map, user->server, user->pointer, changes, spares->count);
	}
	if (spares->held) {
		own(user->server, ATOM__CUA_DRIVER_KEYMAP, XCB_WINDOW_NONE);
	}
	keymap_clear(&map);
}

void spares_forget(struct spare_keys *spares)
{
	while (spares->count > 0) {
		forget(spares, 0);
	}
	spares->held = spares->fresh = false;
	spares->tries = 0;
}

bool spares_wait(const struct spares_user *user, struct deadline deadline)
{
	struct x11_server *server = user->server;
	xcb_atom_t place = server->atoms[ATOM__CUA_DRIVER_KEYMAP];
	const uint32_t all = XCB_XFIXES_SELECTION_EVENT_MASK_SET_SELECTION_OWNER
		| XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_WINDOW_DESTROY
		| XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_CLIENT_CLOSE;
	xcb_xfixes_select_selection_input(server->c, user->window, place, all);
	own(server, ATOM__CUA_DRIVER_KEYMAP_NEXT, user->window);
	/* It may have gone before we listened. */
	bool gone = owner_of(server, ATOM__CUA_DRIVER_KEYMAP) == XCB_WINDOW_NONE;
	xcb_generic_event_t *event = NULL;
	while (!gone && (event = xcb_poll_for_event(server->c)) == NULL
		&& xcb_connection_has_error(server->c) == 0
		&& deadline_poll(deadline, xcb_get_file_descriptor(server->c), POLLIN, "spare keys", NULL)) {
	}
	gone = gone || event != NULL;
	free(event);
	xcb_xfixes_select_selection_input(server->c, user->window, place, 0);
	if (owner_of(server, ATOM__CUA_DRIVER_KEYMAP_NEXT) == user->window) {
		own(server, ATOM__CUA_DRIVER_KEYMAP_NEXT, XCB_WINDOW_NONE);
	}
	return gone;
}

bool spares_wanted(const struct spares_user *user)
{
	return owner_of(user->server, ATOM__CUA_DRIVER_KEYMAP_NEXT) != XCB_WINDOW_NONE;
}
