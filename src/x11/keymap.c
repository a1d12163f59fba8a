/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/keymap.h"

#include <stdlib.h>
#include <string.h>
#include <xcb/xinput.h>
#include <xkbcommon/xkbcommon.h>

enum {
	/* The type that every map has under this number: Shift and Caps Lock choose the second of two levels. */
	TYPE_ALPHABETIC = 2,
	LEVELS = 2,
	/*
	 * The lowest keycode there can be has no name in any map, and Qt 5 and xkbcommon's other users have been
	 * seen to drop it.
	 */
	FIRST_CODE = 9,
};

/* A key whose symbol is the same on both levels. Nothing held changes it, and applications need not know our state. */
struct one_symbol {
	xcb_xkb_key_sym_map_t head;
	xcb_keysym_t symbols[LEVELS];
};

/* Requests about the map are about the keyboard beside the pointer of the connection, and those attached to it. */
static void speak_for(struct x11_server *server, uint16_t pointer)
{
	xcb_input_xi_set_client_pointer(server->c, XCB_WINDOW_NONE, pointer);
}

static bool take_map(struct keymap *map, struct x11_server *server, unsigned sequence)
{
	xcb_xkb_get_map_map_t parts;
	*map = (struct keymap){ .reply = x11_reply(server, sequence) };
	xcb_xkb_get_map_reply_t *reply = map->reply;
	if (reply == NULL || (reply->present & XCB_XKB_MAP_PART_KEY_SYMS) == 0) {
		return false;
	}
	xcb_xkb_get_map_map_unpack(xcb_xkb_get_map_map(reply), reply->nTypes, reply->nKeySyms, reply->nKeyActions,
		reply->totalActions, reply->totalKeyBehaviors, reply->virtualMods, reply->totalKeyExplicit,
		reply->totalModMapKeys, reply->totalVModMapKeys, reply->present, &parts);
	xcb_xkb_key_sym_map_iterator_t at = xcb_xkb_get_map_map_syms_rtrn_iterator(reply, &parts);
	for (int code = reply->firstKeySym; at.rem > 0 && code < KEYMAP_CODES; code++) {
		map->keys[code] = at.data;
		xcb_xkb_key_sym_map_next(&at);
	}
	return true;
}

static unsigned ask_map(struct x11_server *server)
{
	return xcb_xkb_get_map(server->c, XCB_XKB_ID_USE_CORE_KBD, XCB_XKB_MAP_PART_KEY_SYMS, 0, 0, 0, 0, 0, 0, 0,
		0, 0, 0, 0, 0, 0, 0, 0, 0).sequence;
}

bool keymap_read(struct keymap *map, struct x11_server *server, uint16_t pointer)
{
	*map = (struct keymap){ 0 };
	if (!server->has_xkb) {
		return false;
	}
	speak_for(server, DEVICE_CORE_POINTER);
	unsigned sequence = ask_map(server);
	speak_for(server, pointer);
	return take_map(map, server, sequence);
}

void keymap_clear(struct keymap *map)
{
	free(map->reply);
	*map = (struct keymap){ 0 };
}

bool keymap_has_only(const struct keymap *map, int code, xcb_keysym_t symbol)
{
	const xcb_xkb_key_sym_map_t *key = map->keys[code];
	const xcb_keysym_t *symbols = key != NULL ? xcb_xkb_key_sym_map_syms(key) : NULL;
	if (key == NULL || (symbol != XCB_NO_SYMBOL && key->nSyms == 0)) {
		return false;
	}
	for (int i = 0; i < key->nSyms; i++) {
		if (symbols[i] != symbol) {
			return false;
		}
	}
	return true;
}

bool keymap_is_unused(const struct keymap *map, int code)
{
	return code >= FIRST_CODE && keymap_has_only(map, code, XCB_NO_SYMBOL);
}

/* A key that a driver gave its symbol to, this one or another, which may take it away at any time. */
static bool is_borrowed(const xcb_xkb_key_sym_map_t *key)
{
	const xcb_keysym_t *symbols = xcb_xkb_key_sym_map_syms(key);
	return (key->groupInfo & 0x0f) == 1 && key->width == LEVELS && key->kt_index[0] == TYPE_ALPHABETIC
		&& symbols[0] == symbols[1];
}

bool keymap_find(const struct keymap *map, xcb_keysym_t symbol, unsigned rules, struct stroke *stroke)
{
	/* On the keypad Num Lock chooses the level, and Shift the other one. */
	bool keypad = symbol >= XKB_KEY_KP_Space && symbol <= XKB_KEY_KP_9;
	int levels = (rules & STROKE_PLAIN) == 0 ? 0 : (rules & STROKE_SHIFT) == 0 || keypad ? 1 : LEVELS;
	for (int level = 0; level < levels; level++) {
		for (int code = 0; code < KEYMAP_CODES; code++) {
			const xcb_xkb_key_sym_map_t *key = map->keys[code];
			if (key != NULL && (key->groupInfo & 0x0f) > 0 && level < key->width
				&& xcb_xkb_key_sym_map_syms(key)[level] == symbol && !is_borrowed(key)) {
				*stroke = (struct stroke){ (xcb_keycode_t)code, level == 1 };
				return true;
			}
		}
	}
	return false;
}

static const struct key_change *change_of(const struct key_change *changes, int count, int code)
{
	for (int i = 0; i < count; i++) {
		if (changes[i].code == code) {
			return &changes[i];
		}
	}
	return NULL;
}

/* The key as it shall be: what is not changed is sent back as it was read. */
static unsigned append_key(GByteArray *keys, const xcb_xkb_key_sym_map_t *is, const struct key_change *change)
{
	if (change == NULL) {
		g_byte_array_append(keys, (const guint8 *)is, (guint)xcb_xkb_key_sym_map_sizeof(is));
		return is->nSyms;
	}
	const struct one_symbol key = {
		{ { TYPE_ALPHABETIC, TYPE_ALPHABETIC, TYPE_ALPHABETIC, TYPE_ALPHABETIC }, 1, LEVELS, LEVELS },
		{ change->symbol, change->symbol },
	};
	const xcb_xkb_key_sym_map_t none = { 0 };
	if (change->symbol == XCB_NO_SYMBOL) {
		g_byte_array_append(keys, (const guint8 *)&none, sizeof none);
		return 0;
	}
	g_byte_array_append(keys, (const guint8 *)&key, sizeof key);
	return LEVELS;
}

void keymap_write(const struct keymap *map, struct x11_server *server, uint16_t pointer,
	const struct key_change *changes, int count)
{
	g_autoptr(GByteArray) keys = g_byte_array_new();
	int first = KEYMAP_CODES, last = -1;
	unsigned symbols = 0;
	for (int i = 0; i < count; i++) {
		first = MIN(first, changes[i].code);
		last = MAX(last, changes[i].code);
	}
	if (last < 0) {
		return;
	}
	for (int code = first; code <= last; code++) {
		symbols += append_key(keys, map->keys[code], change_of(changes, count, code));
	}
	speak_for(server, DEVICE_CORE_POINTER);
	xcb_xkb_set_map(server->c, XCB_XKB_ID_USE_CORE_KBD, XCB_XKB_MAP_PART_KEY_SYMS, 0, map->reply->minKeyCode,
		map->reply->maxKeyCode, 0, 0, (xcb_keycode_t)first, (uint8_t)(last - first + 1), (uint16_t)symbols,
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, keys->data);
	speak_for(server, pointer);
}

void keymap_mend(struct x11_server *server, const struct undo_record *record)
{
	struct keymap map;
	const struct key_change change = { (xcb_keycode_t)record->code, XCB_NO_SYMBOL };
	if (keymap_read(&map, server, DEVICE_CORE_POINTER) && record->code < KEYMAP_CODES
		&& keymap_has_only(&map, (int)record->code, record->symbol)) {
		keymap_write(&map, server, DEVICE_CORE_POINTER, &change, 1);
	}
	keymap_clear(&map);
}
