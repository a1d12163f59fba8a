/* SPDX-License-Identifier: MIT */
/* The sentinel user at work, and the thieves that show that it sees. */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <xcb/xinput.h>
#include <xcb/xtest.h>

#include "internal.h"
#include "oracle.h"

struct lab_sentinel {
	struct lab_harness *harness;
	guint begun;             /* mark */
};

struct lab_sentinel *lab_sentinel_open(struct lab_desk *desk, const char *geometry)
{
	struct lab_sentinel *sentinel = g_new0(struct lab_sentinel, 1);

	sentinel->harness = lab_harness_start(desk, "sentinel",
		geometry ? LAB_ARGV("--geometry", geometry) : NULL);
	return sentinel;
}

xcb_window_t lab_sentinel_window(const struct lab_sentinel *sentinel)
{
	return sentinel->harness->window;
}

struct lab_harness *lab_sentinel_journal(struct lab_sentinel *sentinel)
{
	return sentinel->harness;
}

static void command(struct lab_sentinel *sentinel, const char *word)
{
	g_autofree char *line = g_strconcat(word, "\n", NULL);

	if (write(sentinel->harness->in, line, strlen(line)) < 0) {
		lab_fail("the sentinel does not listen: %s", g_strerror(errno));
	}
}

static void round_trip(xcb_connection_t *x)
{
	g_free(xcb_get_input_focus_reply(x, xcb_get_input_focus(x), NULL));
}

/* The server's clock, as a property change tells it. */
static uint32_t server_time(struct lab_desk *desk)
{
	xcb_connection_t *x = xcb_connect(desk->display, NULL);
	xcb_window_t window = xcb_generate_id(x);
	uint32_t mask = XCB_EVENT_MASK_PROPERTY_CHANGE, time = XCB_CURRENT_TIME;

	xcb_create_window(x, 0, window, desk->root, 0, 0, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY,
		XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK, &mask);
	xcb_change_property(x, XCB_PROP_MODE_APPEND, window, XCB_ATOM_WM_NAME, XCB_ATOM_STRING, 8, 0, "");
	round_trip(x);
	for (xcb_generic_event_t *event; (event = xcb_poll_for_event(x)); g_free(event)) {
		if ((event->response_type & 0x7f) == XCB_PROPERTY_NOTIFY) {
			time = ((xcb_property_notify_event_t *)event)->time;
		}
	}
	xcb_disconnect(x);
	return time;
}

static bool is_in_front(struct lab_harness *harness)
{
	struct lab_desk *desk = harness->desk;
	g_autofree xcb_get_input_focus_reply_t *focus = xcb_get_input_focus_reply(desk->x,
		xcb_get_input_focus(desk->x), NULL);
	g_autoptr(GArray) stacking = lab_x_stacking(desk);

	return focus && focus->focus == harness->window && stacking->len > 0 &&
		g_array_index(stacking, uint32_t, stacking->len - 1) == harness->window &&
		(!lab_desk_has_wm(desk) ||
		lab_x_number(desk, desk->root, "_NET_ACTIVE_WINDOW", 0) == harness->window);
}

/*
 * After a theft asking once is not always enough: on a busy machine xfwm4 lets some requests go by.
 * The time is the server's own, because XSetInputFocus ignores one from before the theft.
 */
static void come_back(struct lab_harness *harness)
{
	struct lab_desk *desk = harness->desk;
	gint64 deadline = lab_deadline(5000);

	while (lab_desk_has_wm(desk) && !is_in_front(harness) && lab_left(deadline) > 0) {
		gint64 patience = lab_deadline(500);

		lab_x_request(desk, harness->window, "_NET_ACTIVE_WINDOW", 2, server_time(desk), 0);
		while (!is_in_front(harness) && lab_left(patience) > 0) {
			lab_x_wait_event(desk, patience);
		}
	}
	lab_user_works_in(desk, harness->window);
}

void lab_sentinel_start(struct lab_sentinel *sentinel)
{
	come_back(sentinel->harness);
	lab_sentinel_begin(sentinel);
}

void lab_sentinel_begin(struct lab_sentinel *sentinel)
{
	struct lab_harness *harness = sentinel->harness;

	sentinel->begun = lab_journal_mark(harness);
	command(sentinel, "start");
	if (!lab_journal_find(harness, sentinel->begun, 5000, "kind", "state", "label", "typing",
		"value", "true", NULL)) {
		lab_fail("the sentinel did not start");
	}
	lab_sentinel_types(sentinel, 2);
}

void lab_sentinel_types(struct lab_sentinel *sentinel, int characters)
{
	guint mark = lab_journal_mark(sentinel->harness);

	for (int i = 0; i < characters; i++) {
		json_t *line = lab_journal_find(sentinel->harness, mark, 5000, "kind", "typed", NULL);

		if (!line) {
			lab_fail("the sentinel stopped typing");
		}
		for (; g_ptr_array_index(sentinel->harness->lines, mark) != line; mark++) {
		}
		mark++;
	}
}

struct lab_verdict lab_sentinel_stop(struct lab_sentinel *sentinel)
{
	command(sentinel, "stop");
	json_t *line = lab_journal_find(sentinel->harness, sentinel->begun, 5000, "kind", "verdict",
		NULL);
	if (!line) {
		lab_fail("the sentinel gave no verdict");
	}
	return (struct lab_verdict){
		.held = lab_bool(line, "held"),
		.typed = (int)lab_int(line, "typed"),
		.received = (int)lab_int(line, "received"),
		.missing = (int)lab_int(line, "missing"),
		.foreign = (int)lab_int(line, "foreign"),
		.focus_lost = (int)lab_int(line, "focus_lost"),
		.place_lost = (int)lab_int(line, "place_lost"),
		.pointer_moved = (int)lab_int(line, "pointer_moved"),
		.grabs = (int)lab_int(line, "grabs"),
		.covered = (int)lab_int(line, "covered"),
		.text = lab_json(line),
	};
}

/* --- Violations --------------------------------------------------------------------------------- */

static xcb_keycode_t code_of(xcb_connection_t *x, xcb_keysym_t wanted)
{
	const xcb_setup_t *setup = xcb_get_setup(x);
	g_autofree xcb_get_keyboard_mapping_reply_t *map = xcb_get_keyboard_mapping_reply(x,
		xcb_get_keyboard_mapping(x, setup->min_keycode,
			setup->max_keycode - setup->min_keycode + 1), NULL);

	for (int i = 0; map && i < xcb_get_keyboard_mapping_keysyms_length(map); i++) {
		if (xcb_get_keyboard_mapping_keysyms(map)[i] == wanted) {
			return (xcb_keycode_t)(setup->min_keycode + i / map->keysyms_per_keycode);
		}
	}
	lab_fail("no key makes 0x%x", wanted);
}

static void tap(xcb_connection_t *x, xcb_window_t root, xcb_keysym_t sym)
{
	xcb_keycode_t code = code_of(x, sym);

	xcb_test_fake_input(x, XCB_KEY_PRESS, code, XCB_CURRENT_TIME, root, 0, 0, 0);
	xcb_test_fake_input(x, XCB_KEY_RELEASE, code, XCB_CURRENT_TIME, root, 0, 0, 0);
	round_trip(x);
}

static void steal_focus(struct lab_desk *desk, xcb_connection_t *thief, xcb_window_t other,
	struct lab_sentinel *sentinel)
{
	(void)desk;
	(void)sentinel;
	xcb_set_input_focus(thief, XCB_INPUT_FOCUS_PARENT, other, XCB_CURRENT_TIME);
	round_trip(thief);
}

static void leak_key(struct lab_desk *desk, xcb_connection_t *thief, xcb_window_t other,
	struct lab_sentinel *sentinel)
{
	(void)other;
	(void)sentinel;
	/* A letter like those it types itself, not one that would stand out. */
	tap(thief, desk->root, 'e');
}

static void warp_pointer(struct lab_desk *desk, xcb_connection_t *thief, xcb_window_t other,
	struct lab_sentinel *sentinel)
{
	g_autofree xcb_query_pointer_reply_t *at = xcb_query_pointer_reply(thief,
		xcb_query_pointer(thief, desk->root), NULL);

	(void)other;
	(void)sentinel;
	lab_assert(at);
	/* And back at once, as somebody would who hopes that nobody looks. */
	xcb_warp_pointer(thief, XCB_NONE, desk->root, 0, 0, 0, 0, 700, 500);
	xcb_warp_pointer(thief, XCB_NONE, desk->root, 0, 0, 0, 0, at->root_x, at->root_y);
	round_trip(thief);
}

static void grab_keyboard(struct lab_desk *desk, xcb_connection_t *thief, xcb_window_t other,
	struct lab_sentinel *sentinel)
{
	g_autofree xcb_grab_keyboard_reply_t *reply = xcb_grab_keyboard_reply(thief,
		xcb_grab_keyboard(thief, 0, desk->root, XCB_CURRENT_TIME, XCB_GRAB_MODE_ASYNC,
			XCB_GRAB_MODE_ASYNC), NULL);

	(void)other;
	lab_assert(reply && reply->status == XCB_GRAB_STATUS_SUCCESS);
	lab_sentinel_types(sentinel, 4);
	xcb_ungrab_keyboard(thief, XCB_CURRENT_TIME);
	round_trip(thief);
}

static bool is_highest(struct lab_desk *desk, void *data)
{
	g_autoptr(GArray) stacking = lab_x_stacking(desk);

	return stacking->len > 0 &&
		g_array_index(stacking, uint32_t, stacking->len - 1) == *(xcb_window_t *)data;
}

static bool comes_to_top(struct lab_desk *desk, xcb_window_t window, int ms)
{
	gint64 deadline = lab_deadline(ms);

	while (!is_highest(desk, &window)) {
		if (!lab_x_wait_event(desk, deadline) && lab_left(deadline) == 0) {
			return false;
		}
	}
	return true;
}

/* Window managers differ in whom they let raise what; the server lets anybody raise a frame. */
static void raise_other(struct lab_desk *desk, xcb_connection_t *thief, xcb_window_t other,
	struct lab_sentinel *sentinel)
{
	uint32_t above = XCB_STACK_MODE_ABOVE;

	(void)sentinel;
	xcb_configure_window(thief, other, XCB_CONFIG_WINDOW_STACK_MODE, &above);
	round_trip(thief);
	if (comes_to_top(desk, other, 200)) {
		return;
	}
	lab_x_request(desk, other, "_NET_RESTACK_WINDOW", 2, XCB_NONE, XCB_STACK_MODE_ABOVE);
	if (comes_to_top(desk, other, 200)) {
		return;
	}
	for (xcb_window_t frame = other; frame != desk->root && frame != XCB_NONE;) {
		g_autofree xcb_query_tree_reply_t *tree = xcb_query_tree_reply(thief,
			xcb_query_tree(thief, frame), NULL);

		xcb_configure_window(thief, frame, XCB_CONFIG_WINDOW_STACK_MODE, &above);
		frame = tree ? tree->parent : XCB_NONE;
	}
	round_trip(thief);
	if (!comes_to_top(desk, other, 2000)) {
		lab_fail("%s lets nobody raise a window", desk->name);
	}
}

static void activate(struct lab_desk *desk, xcb_connection_t *thief, xcb_window_t other,
	struct lab_sentinel *sentinel)
{
	(void)thief;
	(void)sentinel;
	if (!lab_desk_has_wm(desk)) {
		steal_focus(desk, thief, other, sentinel);
		return;
	}
	lab_x_request(desk, other, "_NET_ACTIVE_WINDOW", 2, XCB_CURRENT_TIME, 0);
	lab_assert(comes_to_top(desk, other, 2000));
}

static void grab_pointer(struct lab_desk *desk, xcb_connection_t *thief, xcb_window_t other,
	struct lab_sentinel *sentinel)
{
	g_autofree xcb_grab_pointer_reply_t *reply = xcb_grab_pointer_reply(thief,
		xcb_grab_pointer(thief, 0, desk->root, 0, XCB_GRAB_MODE_ASYNC, XCB_GRAB_MODE_ASYNC,
			XCB_NONE, XCB_NONE, XCB_CURRENT_TIME), NULL);

	(void)other;
	(void)sentinel;
	lab_assert(reply && reply->status == XCB_GRAB_STATUS_SUCCESS);
	xcb_ungrab_pointer(thief, XCB_CURRENT_TIME);
	round_trip(thief);
}

static void send_key(struct lab_desk *desk, xcb_connection_t *thief, xcb_window_t other,
	struct lab_sentinel *sentinel)
{
	xcb_key_press_event_t event = {
		.response_type = XCB_KEY_PRESS, .detail = code_of(thief, 'e'), .root = desk->root,
		.event = lab_sentinel_window(sentinel), .same_screen = 1,
	};

	(void)other;
	xcb_send_event(thief, 0, event.event, XCB_EVENT_MASK_KEY_PRESS, (const char *)&event);
	round_trip(thief);
}

static uint16_t master_pointer(xcb_connection_t *x, const char *name)
{
	g_autofree xcb_input_xi_query_device_reply_t *reply = xcb_input_xi_query_device_reply(x,
		xcb_input_xi_query_device(x, XCB_INPUT_DEVICE_ALL_MASTER), NULL);
	xcb_input_xi_device_info_iterator_t device = xcb_input_xi_query_device_infos_iterator(reply);

	for (; device.rem > 0; xcb_input_xi_device_info_next(&device)) {
		if (strncmp(xcb_input_xi_device_info_name(device.data), name, strlen(name)) == 0 &&
			device.data->type == XCB_INPUT_DEVICE_TYPE_MASTER_POINTER) {
			return device.data->deviceid;
		}
	}
	lab_fail("there is no master pointer \"%s\"", name);
}

/*
 * A pointer and a keyboard of one's own, the pointer over the sentinel: a new keyboard's focus follows
 * its pointer, so the key ends up in the user's window without any focus changing.
 */
static void type_beside(struct lab_desk *desk, xcb_connection_t *thief, xcb_window_t other,
	struct lab_sentinel *sentinel)
{
	struct {
		xcb_input_add_master_t head;
		char name[8];
	} add = { { XCB_INPUT_HIERARCHY_CHANGE_TYPE_ADD_MASTER, 4, 5, 1, 1 }, "thief" };
	struct lab_rect at = lab_x_bounds(desk, lab_sentinel_window(sentinel));

	(void)other;
	g_free(xcb_input_xi_query_version_reply(thief, xcb_input_xi_query_version(thief, 2, 2), NULL));
	xcb_input_xi_change_hierarchy(thief, 1, (const xcb_input_hierarchy_change_t *)&add);
	uint16_t pointer = master_pointer(thief, "thief");
	uint16_t core = master_pointer(thief, "Virtual core");
	xcb_input_xi_set_client_pointer(thief, XCB_NONE, pointer);
	xcb_test_fake_input(thief, XCB_MOTION_NOTIFY, 0, XCB_CURRENT_TIME, desk->root,
		(int16_t)(at.x + at.width - 9), (int16_t)(at.y + at.height - 9), 0);
	tap(thief, desk->root, 'e');
	xcb_input_remove_master_t remove = {
		.type = XCB_INPUT_HIERARCHY_CHANGE_TYPE_REMOVE_MASTER, .len = 3, .deviceid = pointer,
		.return_mode = XCB_INPUT_CHANGE_MODE_ATTACH, .return_pointer = core,
		.return_keyboard = (uint16_t)(core + 1),
	};
	xcb_input_xi_change_hierarchy(thief, 1, (const xcb_input_hierarchy_change_t *)&remove);
	round_trip(thief);
}

const struct lab_violation lab_violations[] = {
	{ "focus steal", "focus_lost", steal_focus },
	{ "leaked key", "foreign", leak_key },
	{ "pointer warp", "pointer_moved", warp_pointer },
	{ "keyboard grab", "grabs", grab_keyboard },
	{ "raise", "place_lost", raise_other },
	{ "activation", "focus_lost", activate },
	{ "pointer grab", "grabs", grab_pointer },
	{ "sent key", "foreign", send_key },
	{ "key of another keyboard", "foreign", type_beside },
	{ 0 }
};

static void must_catch(struct lab_sentinel *sentinel, const struct lab_violation *violation,
	xcb_window_t other)
{
	struct lab_desk *desk = sentinel->harness->desk;
	xcb_connection_t *thief = xcb_connect(desk->display, NULL);

	lab_sentinel_start(sentinel);
	violation->commit(desk, thief, other, sentinel);
	lab_sentinel_types(sentinel, 2);
	struct lab_verdict verdict = lab_sentinel_stop(sentinel);
	json_t *line = json_loads(verdict.text, 0, NULL);
	if (verdict.held || lab_int(line, violation->caught_as) == 0) {
		lab_journal_note(sentinel->harness, 20);
		lab_fail("the sentinel does not see a %s as %s, the run is void: %s", violation->name,
			violation->caught_as, verdict.text);
	}
	xcb_disconnect(thief);
}

void lab_sentinel_calibrate(struct lab_sentinel *sentinel, int count)
{
	struct lab_desk *desk = sentinel->harness->desk;
	xcb_window_t other = lab_window_open(desk, &(struct lab_window){ .title = "Other", .x = 500,
		.y = 300 });

	lab_sentinel_start(sentinel);
	lab_sentinel_types(sentinel, 4);
	struct lab_verdict quiet = lab_sentinel_stop(sentinel);
	if (!quiet.held) {
		lab_journal_note(sentinel->harness, 20);
		lab_fail("the sentinel sees what nobody did, the run is void: %s", quiet.text);
	}
	for (int i = 0; i < count && lab_violations[i].name; i++) {
		must_catch(sentinel, &lab_violations[i], other);
	}
	lab_window_close(desk, other);
}
