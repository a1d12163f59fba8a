/* SPDX-License-Identifier: MIT */
/* What the sentinel types and where it points, and whether that, and nothing else, comes back. */
#include <stdlib.h>
#include <xcb/xtest.h>

#include "journal.h"
#include "sentinel.h"

#define KEY_REPEAT (1 << 16) /* in the flags of a key event of XInput 2 */
#define MODIFIERS (XCB_MOD_MASK_SHIFT | XCB_MOD_MASK_LOCK | XCB_MOD_MASK_CONTROL | \
	XCB_MOD_MASK_1 | XCB_MOD_MASK_3 | XCB_MOD_MASK_4 | XCB_MOD_MASK_5)

/* One thing we asked the server to do and have not seen come back yet. */
struct stroke {
	xcb_keycode_t code;
	bool press;
	bool is_shift;
	char character;
};

static struct {
	bool is_down;
	struct stroke down;      /* the last that was pressed */
	xcb_keycode_t before;    /* the one before it */
	xcb_keycode_t shift_code, first_code;
	uint8_t syms_per_code;
	GArray *syms;            /* keysyms of the map as it is now */
	GArray *all;             /* struct stroke: what can be typed */
	GArray *expected;        /* struct stroke, oldest first */
	uint32_t base_mods;
	xcb_atom_t user_time;
} keys;

static struct {
	GArray *path;            /* struct place: what we asked for and have not seen */
	struct place put;        /* the last we asked for */
	struct place at;         /* the last we have seen of those */
	int step;
} pointer;

void input_map_changed(void)
{
	const xcb_setup_t *setup = xcb_get_setup(me.x);
	g_autofree xcb_get_keyboard_mapping_reply_t *reply = xcb_get_keyboard_mapping_reply(me.x,
		xcb_get_keyboard_mapping(me.x, setup->min_keycode,
			setup->max_keycode - setup->min_keycode + 1), NULL);

	keys.first_code = setup->min_keycode;
	g_array_set_size(keys.syms, 0);
	if (reply) {
		keys.syms_per_code = reply->keysyms_per_keycode;
		g_array_append_vals(keys.syms, xcb_get_keyboard_mapping_keysyms(reply),
			xcb_get_keyboard_mapping_keysyms_length(reply));
	}
}

static xcb_keysym_t sym_at(xcb_keycode_t code, int level)
{
	guint at = (guint)(code - keys.first_code) * keys.syms_per_code + level;

	return level < keys.syms_per_code && at < keys.syms->len ?
		g_array_index(keys.syms, xcb_keysym_t, at) : 0;
}

/* The character a key makes with these modifiers; 0 if none. */
static char character_of(xcb_keycode_t code, uint32_t mods)
{
	xcb_keysym_t sym = sym_at(code, 0);
	bool is_letter = sym < 0x80 && g_ascii_isalpha((char)sym);
	bool shifted = (mods & XCB_MOD_MASK_SHIFT) != 0;

	if (is_letter && (mods & XCB_MOD_MASK_LOCK)) {
		shifted = !shifted;
	}
	if (shifted) {
		sym = sym_at(code, 1);
	}
	return sym >= 0x20 && sym < 0x7f ? (char)sym : '\0';
}

static void choose_keys(void)
{
	for (int code = keys.first_code; code < 256; code++) {
		if (sym_at((xcb_keycode_t)code, 0) == 0xffe1 && keys.shift_code == 0) { /* Shift_L */
			keys.shift_code = (xcb_keycode_t)code;
		}
		for (int level = 0; level < 2; level++) {
			xcb_keysym_t sym = sym_at((xcb_keycode_t)code, level);
			struct stroke key = { .code = (xcb_keycode_t)code, .character = (char)sym };

			if (sym < 0x80 && g_ascii_isalnum((char)sym)) {
				g_array_append_val(keys.all, key);
			}
		}
	}
	if (keys.all->len < 60 || keys.shift_code == 0) {
		journal_note("the keyboard has %u letters and digits", keys.all->len);
		exit(1);
	}
}

static void fake(uint8_t type, uint8_t detail, int x, int y)
{
	xcb_test_fake_input(me.x, type, detail, XCB_CURRENT_TIME, me.root, x, y, 0);
}

static void strike(struct stroke stroke)
{
	g_array_append_val(keys.expected, stroke);
	fake(stroke.press ? XCB_KEY_PRESS : XCB_KEY_RELEASE, stroke.code, 0, 0);
}

static bool wants_shift(const struct stroke *key)
{
	return sym_at(key->code, 0) != (xcb_keysym_t)key->character;
}

static void press_next(void)
{
	/* xorshift32: the text is known to whoever knows the seed. */
	me.random ^= me.random << 13;
	me.random ^= me.random >> 17;
	me.random ^= me.random << 5;
	keys.before = keys.down.code;
	keys.down = g_array_index(keys.all, struct stroke, me.random % keys.all->len);
	keys.down.press = true;
	if (wants_shift(&keys.down)) {
		strike((struct stroke){ .code = keys.shift_code, .press = true, .is_shift = true });
	}
	strike(keys.down);
	keys.is_down = true;
	me.counts.typed++;
	sentinel_put("\"kind\":\"typed\",\"detail\":\"%c\"", keys.down.character);
}

void input_release(void)
{
	struct stroke up = keys.down;

	if (!keys.is_down) {
		return;
	}
	up.press = false;
	strike(up);
	if (wants_shift(&keys.down)) {
		strike((struct stroke){ .code = keys.shift_code, .is_shift = true });
	}
	keys.is_down = false;
}

/* Strokes before `count` did not come back: a lost press or release is one lost character. */
static void give_up(guint count)
{
	for (guint i = 0; i < count; i++) {
		struct stroke *lost = &g_array_index(keys.expected, struct stroke, i);

		journal_event(lost->press ? "key_missing" : "release_missing", "", -1, -1,
			lost->is_shift ? "Shift" : (char[]){ lost->character, '\0' }, 0);
		me.counts.missing += lost->press || lost->is_shift;
	}
	g_array_remove_range(keys.expected, 0, count);
}

static bool is_repeat(const xcb_input_key_press_event_t *event, bool press)
{
	/*
	 * The server repeats a key that is held long, which happens when the machine is slow: then we may have
	 * asked for its release, and for the next key, before the server came to it.
	 */
	return press && (event->flags & KEY_REPEAT) && event->deviceid == me.keyboard &&
		(event->detail == keys.down.code || event->detail == keys.before);
}

static void take_key(const xcb_input_key_press_event_t *event, bool press)
{
	uint32_t mods = event->mods.effective & MODIFIERS;
	char text[] = { character_of((xcb_keycode_t)event->detail, mods), '\0' };
	guint at = 0;

	if (is_repeat(event, press)) {
		journal_event("key_repeat", "", -1, -1, text, 0);
		return;
	}
	g_autofree char *detail = *text ? g_strdup(text) : g_strdup_printf("keycode %u", event->detail);
	journal_event(press ? "key_press" : "key_release", "", event->root_x >> 16, event->root_y >> 16,
		detail, 0);
	for (; event->deviceid == me.keyboard && at < keys.expected->len; at++) {
		struct stroke *stroke = &g_array_index(keys.expected, struct stroke, at);

		if (stroke->code == event->detail && stroke->press == press) {
			break;
		}
	}
	if (event->deviceid != me.keyboard || at >= keys.expected->len) {
		journal_note("foreign: key %s of device %u (%s)", detail, event->deviceid,
			press ? "press" : "release");
		me.counts.foreign++;
		return;
	}
	struct stroke stroke = g_array_index(keys.expected, struct stroke, at);
	give_up(at);
	g_array_remove_index(keys.expected, 0);
	if (!press || stroke.is_shift) {
		return;
	}
	/* As toolkits do: window managers ask it before they give the focus to a new window. */
	xcb_change_property(me.x, XCB_PROP_MODE_REPLACE, me.window, keys.user_time,
		XCB_ATOM_CARDINAL, 32, 1, &event->time);
	/* Somebody else's Control, or another map, makes something else of it. */
	uint32_t own = keys.base_mods | (wants_shift(&stroke) ? XCB_MOD_MASK_SHIFT : 0);
	if (text[0] != stroke.character || mods != own) {
		journal_note("foreign: %c arrived as %s with modifiers 0x%x", stroke.character, detail,
			mods);
		me.counts.foreign++;
		me.counts.missing++;
		return;
	}
	me.counts.received++;
}

static void query_pointer(struct place *place, uint32_t *mods)
{
	g_autofree xcb_input_xi_query_pointer_reply_t *reply = xcb_input_xi_query_pointer_reply(me.x,
		xcb_input_xi_query_pointer(me.x, me.root, me.pointer), NULL);

	if (reply) {
		*place = (struct place){ (int16_t)(reply->root_x >> 16), (int16_t)(reply->root_y >> 16) };
		if (mods) {
			*mods = reply->mods.effective & MODIFIERS;
		}
	}
}

static void pointer_seen_at(const char *what, int x, int y)
{
	if (x == pointer.put.x && y == pointer.put.y) {
		return;
	}
	journal_note("foreign: the pointer is at %d,%d and not at %d,%d (%s)", x, y, pointer.put.x,
		pointer.put.y, what);
	me.counts.pointer_moved++;
}

/* A motion or crossing: at a place we asked for, in order, or not our doing. */
static void pointer_came_to(const char *what, int x, int y)
{
	for (guint i = 0; i < pointer.path->len; i++) {
		struct place *place = &g_array_index(pointer.path, struct place, i);

		if (place->x == x && place->y == y) {
			pointer.at = *place;
			g_array_remove_range(pointer.path, 0, i + 1);
			return;
		}
	}
	/* A window that opens under the pointer makes it cross before our next motion arrives. */
	if (x != pointer.at.x || y != pointer.at.y) {
		pointer_seen_at(what, x, y);
	}
}

static struct place origin(void)
{
	g_autofree xcb_translate_coordinates_reply_t *reply = xcb_translate_coordinates_reply(me.x,
		xcb_translate_coordinates(me.x, me.window, me.root, 0, 0), NULL);

	return reply ? (struct place){ reply->dst_x, reply->dst_y } : (struct place){ 0 };
}

static void put_pointer(int x, int y)
{
	pointer.put = (struct place){ (int16_t)x, (int16_t)y };
	g_array_append_val(pointer.path, pointer.put);
	fake(XCB_MOTION_NOTIFY, 0, x, y);
}

/*
 * Whether it is where we put it last, or is still on its way there: the server may take some time for that, as
 * long as it takes it there.
 */
static bool is_on_its_way(struct place now)
{
	bool found = (now.x == pointer.put.x && now.y == pointer.put.y) ||
		(now.x == pointer.at.x && now.y == pointer.at.y);

	for (guint i = 0; i < pointer.path->len && !found; i++) {
		const struct place *place = &g_array_index(pointer.path, struct place, i);

		found = place->x == now.x && place->y == now.y;
	}
	return found;
}

/* Back and forth along a line that never leaves the window. */
static void move_pointer(void)
{
	struct place now = pointer.put, zero = origin();
	int at = pointer.step++ % 120, way = at < 60 ? at : 120 - at;

	query_pointer(&now, NULL);
	if (!is_on_its_way(now)) {
		pointer_seen_at("asked", now.x, now.y);
		g_array_set_size(pointer.path, 0);
	}
	put_pointer(zero.x + 20 + way, zero.y + 20 + way / 2);
}

static void take_focus(const xcb_input_enter_event_t *event, bool in)
{
	static const char *const modes[] = { "Normal", "Grab", "Ungrab", "WhileGrabbed", "PassiveGrab",
		"PassiveUngrab" };
	static const char *const details[] = { "Ancestor", "Virtual", "Inferior", "Nonlinear",
		"NonlinearVirtual", "Pointer", "PointerRoot", "None" };
	g_autofree char *detail = g_strdup_printf("%s/%s device %u",
		event->mode < G_N_ELEMENTS(modes) ? modes[event->mode] : "?",
		event->detail < G_N_ELEMENTS(details) ? details[event->detail] : "?", event->deviceid);

	journal_event(in ? "focus_in" : "focus_out", "", -1, -1, detail, 0);
	if (event->deviceid != me.keyboard || event->detail == XCB_INPUT_NOTIFY_DETAIL_INFERIOR) {
		return;
	}
	if (event->mode == XCB_INPUT_NOTIFY_MODE_GRAB ||
		event->mode == XCB_INPUT_NOTIFY_MODE_PASSIVE_GRAB) {
		me.counts.grabs += !in;
		return;
	}
	/* A focus that moves while somebody has the keyboard is a lost one all the same. */
	if (event->mode != XCB_INPUT_NOTIFY_MODE_NORMAL &&
		event->mode != XCB_INPUT_NOTIFY_MODE_WHILE_GRABBED) {
		return;
	}
	if (event->detail == XCB_INPUT_NOTIFY_DETAIL_POINTER) {
		return;
	}
	if (!in && me.is_focused) {
		me.counts.focus_lost++;
	}
	me.is_focused = in;
}

static void take_crossing(const xcb_input_enter_event_t *event, bool in)
{
	int x = event->root_x >> 16, y = event->root_y >> 16;

	g_autofree char *detail = g_strdup_printf("mode %u device %u", event->mode, event->deviceid);
	journal_event(in ? "enter" : "leave", "", x, y, detail, 0);
	if (event->deviceid != me.pointer) {
		return;
	}
	if (event->mode == XCB_INPUT_NOTIFY_MODE_NORMAL) {
		pointer_came_to(in ? "enter" : "leave", x, y);
	} else if (!in && (event->mode == XCB_INPUT_NOTIFY_MODE_GRAB ||
		event->mode == XCB_INPUT_NOTIFY_MODE_PASSIVE_GRAB)) {
		journal_note("foreign: somebody grabbed the pointer");
		me.counts.grabs++;
	}
}

void input_event(const xcb_ge_generic_event_t *event)
{
	const xcb_input_key_press_event_t *device = (const void *)event;

	switch (event->event_type) {
	case XCB_INPUT_KEY_PRESS:
	case XCB_INPUT_KEY_RELEASE:
		take_key(device, event->event_type == XCB_INPUT_KEY_PRESS);
		break;
	case XCB_INPUT_BUTTON_PRESS:
		journal_note("foreign: button %u of device %u", device->detail, device->deviceid);
		me.counts.foreign++;
		break;
	case XCB_INPUT_MOTION:
		if (device->deviceid == me.pointer) {
			pointer_came_to("motion", device->root_x >> 16, device->root_y >> 16);
		} else {
			journal_note("motion of device %u", device->deviceid);
		}
		break;
	case XCB_INPUT_FOCUS_IN:
	case XCB_INPUT_FOCUS_OUT:
		take_focus((const void *)event, event->event_type == XCB_INPUT_FOCUS_IN);
		break;
	case XCB_INPUT_ENTER:
	case XCB_INPUT_LEAVE:
		take_crossing((const void *)event, event->event_type == XCB_INPUT_ENTER);
		break;
	default:
		break;
	}
}

void input_init(void)
{
	keys.syms = g_array_new(FALSE, FALSE, sizeof(xcb_keysym_t));
	keys.all = g_array_new(FALSE, FALSE, sizeof(struct stroke));
	keys.expected = g_array_new(FALSE, FALSE, sizeof(struct stroke));
	keys.user_time = sentinel_atom("_NET_WM_USER_TIME");
	pointer.path = g_array_new(FALSE, FALSE, sizeof(struct place));
	input_map_changed();
	choose_keys();
}

void input_begin(void)
{
	struct place zero = origin();

	g_array_set_size(keys.expected, 0);
	g_array_set_size(pointer.path, 0);
	input_map_changed();
	/* Where it came from is nobody's fault; from here on it is where we put it. */
	put_pointer(zero.x + 20, zero.y + 20);
	query_pointer(&pointer.put, &keys.base_mods);
	pointer.at = pointer.put;
}

void input_step(void)
{
	/* Each key is down for one half of its period and up for the other. */
	if (keys.is_down) {
		input_release();
	} else {
		move_pointer();
		press_next();
	}
}

void input_end(void)
{
	struct place now = pointer.put;

	query_pointer(&now, NULL);
	pointer_seen_at("at the end", now.x, now.y);
	give_up(keys.expected->len);
}
