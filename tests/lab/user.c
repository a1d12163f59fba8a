/* SPDX-License-Identifier: MIT */
/* What belongs to the user, read from the server and never from the driver. */
#include <string.h>

#include <xcb/xtest.h>

#include "internal.h"

/*
 * A grab of somebody else cannot be asked for, only bumped into. Ours ends in the same breath; the
 * focus window sees a FocusOut and FocusIn of mode NotifyGrab, which toolkits ignore.
 */
static bool is_keyboard_grabbed(struct lab_desk *desk)
{
	g_autofree xcb_grab_keyboard_reply_t *reply = xcb_grab_keyboard_reply(desk->x,
		xcb_grab_keyboard(desk->x, 1, desk->root, XCB_CURRENT_TIME, XCB_GRAB_MODE_ASYNC,
			XCB_GRAB_MODE_ASYNC), NULL);

	xcb_ungrab_keyboard(desk->x, XCB_CURRENT_TIME);
	xcb_flush(desk->x);
	return !reply || reply->status != XCB_GRAB_STATUS_SUCCESS;
}

static bool is_pointer_grabbed(struct lab_desk *desk)
{
	g_autofree xcb_grab_pointer_reply_t *reply = xcb_grab_pointer_reply(desk->x,
		xcb_grab_pointer(desk->x, 1, desk->root, 0, XCB_GRAB_MODE_ASYNC, XCB_GRAB_MODE_ASYNC,
			XCB_NONE, XCB_NONE, XCB_CURRENT_TIME), NULL);

	xcb_ungrab_pointer(desk->x, XCB_CURRENT_TIME);
	xcb_flush(desk->x);
	return !reply || reply->status != XCB_GRAB_STATUS_SUCCESS;
}

struct lab_user lab_user_read(struct lab_desk *desk)
{
	struct lab_user user = { .active = lab_x_number(desk, desk->root, "_NET_ACTIVE_WINDOW", 0) };
	g_autofree xcb_get_input_focus_reply_t *focus = xcb_get_input_focus_reply(desk->x,
		xcb_get_input_focus(desk->x), NULL);
	g_autofree xcb_query_pointer_reply_t *pointer = xcb_query_pointer_reply(desk->x,
		xcb_query_pointer(desk->x, desk->root), NULL);

	if (!focus || !pointer) {
		lab_fail("the X server of %s does not answer", desk->name);
	}
	user.focus = focus->focus;
	user.x = pointer->root_x;
	user.y = pointer->root_y;
	user.stacking = lab_x_stacking(desk);
	user.keyboard_grabbed = is_keyboard_grabbed(desk);
	user.pointer_grabbed = is_pointer_grabbed(desk);
	return user;
}

static char *stacking_text(const GArray *windows)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < windows->len; i++) {
		g_string_append_printf(text, " 0x%x", g_array_index(windows, uint32_t, i));
	}
	return g_string_free(text, FALSE);
}

char *lab_user_difference(const struct lab_user *before, const struct lab_user *after)
{
	g_autofree char *old = stacking_text(before->stacking);
	g_autofree char *new = stacking_text(after->stacking);
	GString *text = g_string_new(NULL);

	if (before->active != after->active) {
		g_string_append_printf(text, "active window 0x%x → 0x%x; ", before->active,
			after->active);
	}
	if (before->focus != after->focus) {
		g_string_append_printf(text, "focus 0x%x → 0x%x; ", before->focus, after->focus);
	}
	if (before->x != after->x || before->y != after->y) {
		g_string_append_printf(text, "pointer %d,%d → %d,%d; ", before->x, before->y, after->x,
			after->y);
	}
	if (!g_str_equal(old, new)) {
		g_string_append_printf(text, "stacking%s →%s; ", old, new);
	}
	if (before->keyboard_grabbed != after->keyboard_grabbed) {
		g_string_append_printf(text, "keyboard grab %d → %d; ", before->keyboard_grabbed,
			after->keyboard_grabbed);
	}
	if (before->pointer_grabbed != after->pointer_grabbed) {
		g_string_append_printf(text, "pointer grab %d → %d; ", before->pointer_grabbed,
			after->pointer_grabbed);
	}
	if (text->len == 0) {
		g_string_free(text, TRUE);
		return NULL;
	}
	return g_string_free(text, FALSE);
}

void lab_user_same_at(const char *file, int line, const struct lab_user *before,
	const struct lab_user *after)
{
	char *difference = lab_user_difference(before, after);

	if (difference) {
		lab_fail_at(file, line, "the user was disturbed: %s", difference);
	}
}

/* Toolkits focus a child of their window, window managers sometimes the frame's own child. */
static bool is_inside(struct lab_desk *desk, xcb_window_t window, xcb_window_t top)
{
	while (window > XCB_INPUT_FOCUS_POINTER_ROOT && window != desk->root) {
		if (window == top) {
			return true;
		}
		g_autofree xcb_query_tree_reply_t *tree = xcb_query_tree_reply(desk->x,
			xcb_query_tree(desk->x, window), NULL);
		window = tree ? tree->parent : XCB_NONE;
	}
	return false;
}

static bool is_users(struct lab_desk *desk, void *data)
{
	xcb_window_t window = *(xcb_window_t *)data;
	g_autofree xcb_get_input_focus_reply_t *focus = xcb_get_input_focus_reply(desk->x,
		xcb_get_input_focus(desk->x), NULL);
	g_autoptr(GArray) stacking = lab_x_stacking(desk);

	if (!focus || !is_inside(desk, focus->focus, window)) {
		return false;
	}
	if (stacking->len == 0 ||
		g_array_index(stacking, uint32_t, stacking->len - 1) != window) {
		return false;
	}
	return !lab_desk_has_wm(desk) ||
		lab_x_number(desk, desk->root, "_NET_ACTIVE_WINDOW", 0) == window;
}

void lab_user_works_in(struct lab_desk *desk, xcb_window_t window)
{
	uint32_t above = XCB_STACK_MODE_ABOVE;

	if (lab_desk_has_wm(desk)) {
		lab_x_request(desk, window, "_NET_ACTIVE_WINDOW", 2, XCB_CURRENT_TIME, 0);
	} else {
		xcb_configure_window(desk->x, window, XCB_CONFIG_WINDOW_STACK_MODE, &above);
		xcb_set_input_focus(desk->x, XCB_INPUT_FOCUS_POINTER_ROOT, window, XCB_CURRENT_TIME);
		xcb_flush(desk->x);
	}
	lab_x_until(desk, is_users, &window, 5000, "working in a window");
	/* The window manager may still be painting frames and restacking its own helpers. */
	lab_x_quiet(desk, 100);
}

void lab_user_presses_alt(struct lab_desk *desk)
{
	enum { KEYCODE_ALT = 64 };

	xcb_test_fake_input(desk->x, XCB_KEY_PRESS, KEYCODE_ALT, XCB_CURRENT_TIME, desk->root, 0, 0, 0);
	xcb_test_fake_input(desk->x, XCB_KEY_RELEASE, KEYCODE_ALT, XCB_CURRENT_TIME, desk->root, 0, 0, 0);
	free(xcb_get_input_focus_reply(desk->x, xcb_get_input_focus(desk->x), NULL));
}
