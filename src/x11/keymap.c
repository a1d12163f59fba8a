/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/keymap.h"

#include <stdlib.h>
#include <string.h>
#include <xcb/xinput.h>

/* Requests about the map are about the keyboard beside the pointer of the connection. */
static void speak_for(struct x11_server *server, uint16_t pointer)
{
	xcb_input_xi_set_client_pointer(server->c, XCB_WINDOW_NONE, pointer);
}

static bool read_map(struct keymap *map, struct x11_server *server, unsigned sequence)
{
	const xcb_setup_t *setup = xcb_get_setup(server->c);
	*map = (struct keymap){ .reply = x11_reply(server, sequence) };
	if (map->reply == NULL) {
		return false;
	}
	map->symbols = xcb_get_keyboard_mapping_keysyms(map->reply);
	map->first = setup->min_keycode;
	map->width = map->reply->keysyms_per_keycode;
	map->count = map->width > 0
		? xcb_get_keyboard_mapping_keysyms_length(map->reply) / map->width : 0;
	return map->count > 0;
}

static unsigned ask_map(struct x11_server *server)
{
	const xcb_setup_t *setup = xcb_get_setup(server->c);
	return xcb_get_keyboard_mapping(server->c, setup->min_keycode,
		(uint8_t)(setup->max_keycode - setup->min_keycode + 1)).sequence;
}

static xcb_keysym_t symbol_at(const struct keymap *map, int code, int level)
{
	return level < map->width ? map->symbols[(code - map->first) * map->width + level] : XCB_NO_SYMBOL;
}

/* Whether the key has that symbol on every level that it has, and one. */
static bool has_only(const struct keymap *map, int code, xcb_keysym_t symbol)
{
	for (int level = 0; level < map->width; level++) {
		xcb_keysym_t is = symbol_at(map, code, level);
		if (is != symbol && (is != XCB_NO_SYMBOL || level == 0)) {
			return false;
		}
	}
	return true;
}

static bool is_unused(const struct keymap *map, int code)
{
	return has_only(map, code, XCB_NO_SYMBOL);
}

static void write_symbol(struct x11_server *server, xcb_keycode_t code, xcb_keysym_t symbol)
{
	/* Both levels of both groups: whatever is held or locked, it is the same. */
	const xcb_keysym_t symbols[] = { symbol, symbol, symbol, symbol };
	xcb_change_keyboard_mapping(server->c, 1, code, G_N_ELEMENTS(symbols), symbols);
}

static void forget(struct spare_keys *spares, int i)
{
	undo_drop(spares->keys[i].record);
	undo_drop(spares->keys[i].older);
	spares->keys[i] = spares->keys[--spares->count];
}

bool keymap_read(struct keymap *map, const struct keymap_user *user)
{
	struct spare_keys *spares = user->spares;
	speak_for(user->server, DEVICE_CORE_POINTER);
	unsigned sequence = ask_map(user->server);
	speak_for(user->server, user->pointer);
	if (!read_map(map, user->server, sequence)) {
		return false;
	}
	for (int i = spares->count; i-- > 0;) {
		/* The user has another layout now. */
		if (!has_only(map, spares->keys[i].code, spares->keys[i].symbol)) {
			forget(spares, i);
		}
	}
	return true;
}

void keymap_clear(struct keymap *map)
{
	free(map->reply);
	*map = (struct keymap){ 0 };
}

/* True if the spare keys are ours. */
static bool hold(const struct keymap_user *user)
{
	struct x11_server *server = user->server;
	xcb_atom_t place = server->atoms[ATOM__CUA_DRIVER_KEYMAP];
	if (!user->spares->held) {
		xcb_get_selection_owner_reply_t *reply = x11_reply(server,
			xcb_get_selection_owner(server->c, place).sequence);
		user->spares->held = reply != NULL
			&& (reply->owner == XCB_WINDOW_NONE || reply->owner == user->window);
		free(reply);
		if (user->spares->held) {
			xcb_set_selection_owner(server->c, user->window, place, XCB_CURRENT_TIME);
		}
	}
	return user->spares->held;
}

static bool is_ours(const struct spare_keys *spares, int code)
{
	for (int i = 0; i < spares->count; i++) {
		if (spares->keys[i].code == code) {
			return true;
		}
	}
	return false;
}

/* A key that has no symbol, or one whose symbol is not needed any more; NULL if there is none now. */
static struct spare_key *choose(const struct keymap *map, struct spare_keys *spares)
{
	for (int code = map->first + map->count; code-- > map->first && spares->count < SPARE_KEYS;) {
		if (is_unused(map, code) && !is_ours(spares, code)) {
			spares->keys[spares->count] = (struct spare_key){ .code = (xcb_keycode_t)code };
			return &spares->keys[spares->count++];
		}
	}
	for (int i = 0; i < spares->count; i++) {
		struct spare_key *key = &spares->keys[(spares->turn + i) % spares->count];
		if (!key->pressed && key->older == NULL) {
			spares->turn = (spares->turn + i + 1) % spares->count;
			return key;
		}
	}
	return NULL;
}

static enum stroke_way assign(const struct keymap *map, const struct keymap_user *user,
	xcb_keysym_t symbol, struct stroke *stroke)
{
	if (!hold(user)) {
		return STROKE_TAKEN;
	}
	struct spare_key *key = choose(map, user->spares);
	if (key == NULL) {
		return user->spares->count > 0 ? STROKE_WAIT : STROKE_NONE;
	}
	struct undo_record record = { .kind = UNDO_MAPPING, .code = key->code, .symbol = symbol };
	g_strlcpy(record.master, user->master, sizeof record.master);
	struct undo_record *written = undo_write(user->log, &record);
	if (written == NULL) {
		if (key->record == NULL) {
			user->spares->count--;
		}
		return STROKE_NONE;
	}
	*key = (struct spare_key){ key->code, symbol, written, key->record, true };
	speak_for(user->server, DEVICE_CORE_POINTER);
	write_symbol(user->server, key->code, symbol);
	speak_for(user->server, user->pointer);
	*stroke = (struct stroke){ key->code, false };
	return STROKE_READY;
}

enum stroke_way keymap_stroke(const struct keymap *map, const struct keymap_user *user, xcb_keysym_t symbol,
	unsigned rules, struct stroke *stroke)
{
	struct spare_keys *spares = user->spares;
	for (int i = 0; i < spares->count; i++) {
		if (spares->keys[i].symbol == symbol) {
			spares->keys[i].pressed = true;
			*stroke = (struct stroke){ spares->keys[i].code, false };
			return STROKE_READY;
		}
	}
	for (int level = 0; level < ((rules & STROKE_SHIFT) != 0 ? 2 : 1) && (rules & STROKE_PLAIN) != 0; level++) {
		for (int code = map->first; code < map->first + map->count; code++) {
			/* Spare keys may have got another symbol since the map was read. */
			if (symbol_at(map, code, level) == symbol && !is_ours(spares, code)) {
				*stroke = (struct stroke){ (xcb_keycode_t)code, level == 1 };
				return STROKE_READY;
			}
		}
	}
	return assign(map, user, symbol, stroke);
}

void keymap_settle(struct spare_keys *spares)
{
	for (int i = 0; i < spares->count; i++) {
		undo_drop(g_steal_pointer(&spares->keys[i].older));
	}
}

void keymap_consumed(struct spare_keys *spares)
{
	for (int i = 0; i < spares->count; i++) {
		spares->keys[i].pressed = false;
	}
}

bool keymap_pending(const struct spare_keys *spares)
{
	for (int i = 0; i < spares->count; i++) {
		if (spares->keys[i].pressed) {
			return true;
		}
	}
	return false;
}

void keymap_restore(const struct keymap_user *user)
{
	struct x11_server *server = user->server;
	struct keymap map = { 0 };
	if (keymap_read(&map, user)) {
		speak_for(server, DEVICE_CORE_POINTER);
		for (int i = 0; i < user->spares->count; i++) {
			write_symbol(server, user->spares->keys[i].code, XCB_NO_SYMBOL);
		}
		speak_for(server, user->pointer);
	}
	if (user->spares->held) {
		xcb_set_selection_owner(server->c, XCB_WINDOW_NONE, server->atoms[ATOM__CUA_DRIVER_KEYMAP],
			XCB_CURRENT_TIME);
	}
	keymap_clear(&map);
}

void keymap_forget(struct spare_keys *spares)
{
	while (spares->count > 0) {
		forget(spares, 0);
	}
	spares->held = false;
	spares->tries = 0;
}

void keymap_mend(struct x11_server *server, const struct undo_record *record)
{
	struct keymap map;
	speak_for(server, DEVICE_CORE_POINTER);
	if (read_map(&map, server, ask_map(server)) && (int)record->code >= map.first
		&& (int)record->code < map.first + map.count && has_only(&map, (int)record->code, record->symbol)) {
		write_symbol(server, (xcb_keycode_t)record->code, XCB_NO_SYMBOL);
	}
	keymap_clear(&map);
}

bool keymap_wait(const struct keymap_user *user, struct deadline deadline)
{
	struct x11_server *server = user->server;
	xcb_atom_t place = server->atoms[ATOM__CUA_DRIVER_KEYMAP];
	const uint32_t all = XCB_XFIXES_SELECTION_EVENT_MASK_SET_SELECTION_OWNER
		| XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_WINDOW_DESTROY
		| XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_CLIENT_CLOSE;
	xcb_xfixes_select_selection_input(server->c, user->window, place, all);
	/* It may have gone before we listened. */
	xcb_get_selection_owner_reply_t *reply = x11_reply(server,
		xcb_get_selection_owner(server->c, place).sequence);
	bool gone = reply != NULL && reply->owner == XCB_WINDOW_NONE;
	free(reply);
	xcb_generic_event_t *event = NULL;
	while (!gone && (event = xcb_poll_for_event(server->c)) == NULL
		&& xcb_connection_has_error(server->c) == 0
		&& deadline_poll(deadline, xcb_get_file_descriptor(server->c), POLLIN, "spare keys", NULL)) {
	}
	gone = gone || event != NULL;
	free(event);
	xcb_xfixes_select_selection_input(server->c, user->window, place, 0);
	return gone;
}
