/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/hand.h"

#include <stdlib.h>
#include <xcb/xinput.h>

#include "x11/courtesy.h"

/* For the window manager to let go of a press, and how often that is looked at. */
#define RELEASE_MS 1000
#define LOOK_MS 2
/* Between the presses of a double click: in Chromium two of the same millisecond are one. */
#define AGAIN_MS 5

/* The child of the root under the user's pointer, if that is where we put it; else 0. */
static xcb_window_t under(struct foreground *foreground, struct screen_px point)
{
	xcb_input_xi_query_pointer_reply_t *at = x11_reply(foreground->server, xcb_input_xi_query_pointer(
		foreground->server->c, foreground->server->root, DEVICE_CORE_POINTER).sequence);
	xcb_window_t top = at != NULL && at->root_x >> 16 == point.x && at->root_y >> 16 == point.y ? at->child
		: XCB_WINDOW_NONE;
	free(at);
	return top;
}

static void go(struct foreground *foreground, struct screen_px point)
{
	struct undo_standing *standing = &foreground->device->log->standing;
	/* Before it is sent: whoever puts it back knows it by this. */
	standing->hand_x = (gint16)point.x;
	standing->hand_y = (gint16)point.y;
	standing->moved = true;
	foreground->action->disturbed |= DISTURBED_POINTER;
	device_move(foreground->server, point);
}

enum delivered hand_move(struct foreground *foreground, struct screen_px point, GError **error)
{
	/* Toolkits believe a pointer that moves. */
	go(foreground, (struct screen_px){ point.x > 0 ? point.x - 1 : 1, point.y });
	go(foreground, point);
	xcb_window_t top = under(foreground, point);
	if (foreground->window == XCB_WINDOW_NONE) {
		foreground->top = top;
		return DELIVERED_FULL;
	}
	if (top == foreground->top
		/* Menus and the like of the same application. */
		|| (top != XCB_WINDOW_NONE && ((top ^ foreground->window) & ~foreground->server->id_mask) == 0)) {
		return DELIVERED_FULL;
	}
	g_set_error(error, CUA_ERROR, ERROR_FOREGROUND_UNAVAILABLE, top == XCB_WINDOW_NONE
		? "The window is not on the screen at that place, or the user moved the pointer away; nothing was pressed"
		: "Another window stays above this one at that place; nothing was pressed");
	return DELIVERED_NONE;
}

/* Modifiers that are held, and the button. */
struct grip {
	struct held held;
	struct undo_record *button;
};

static bool hold(struct foreground *foreground, const struct gesture_fg *gesture, struct grip *grip,
	GError **error)
{
	*grip = (struct grip){ .button = NULL };
	if (!held_note(&grip->held, foreground->device, foreground->server, gesture->modifiers, error)) {
		return false;
	}
	const struct undo_record record = { .kind = UNDO_BUTTON, .code = gesture->button };
	grip->button = undo_write(foreground->device->log, &record);
	if (grip->button == NULL) {
		held_drop(&grip->held);
		g_set_error(error, CUA_ERROR, ERROR_FOREGROUND_UNAVAILABLE,
			"What is pressed could not be noted, so it could not be let go");
		return false;
	}
	for (int i = 0; i < MODIFIERS; i++) {
		if (grip->held.keys[i] != 0) {
			device_key(foreground->server, grip->held.keys[i], true);
		}
	}
	return true;
}

/*
 * A window manager may look at a press before the application gets it; meanwhile the release waits in the server. What
 * follows would overtake both: keys, and the pointer that goes back.
 */
static void until_released(struct foreground *foreground)
{
	enum { BUTTONS = 0x1f00 };
	struct deadline until = deadline_within(foreground->server->deadline, RELEASE_MS);
	bool down = true;
	while (down && deadline_left(until) > 0) {
		xcb_query_pointer_reply_t *reply = x11_reply(foreground->server,
			xcb_query_pointer(foreground->server->c, foreground->server->root).sequence);
		down = reply != NULL && (reply->mask & BUTTONS) != 0;
		free(reply);
		if (down) {
			/* No event tells it without a grab. */
			deadline_poll_all(deadline_within(until, LOOK_MS), NULL, 0, "the window manager", NULL);
		}
	}
}

/* Lets the modifiers go; true if the server took everything. */
static bool let_go(struct foreground *foreground, const struct gesture_fg *gesture, struct grip *grip)
{
	for (int i = MODIFIERS; i-- > 0;) {
		if (grip->held.keys[i] != 0) {
			device_key(foreground->server, grip->held.keys[i], false);
		}
	}
	until_released(foreground);
	if (x11_failed(foreground->server)) {
		return false;
	}
	held_drop(&grip->held);
	undo_drop(grip->button);
	if (gesture->modifiers != 0) {
		device_pressed(foreground->device);
	}
	return true;
}

/* Moves on with the button down; false if the call was given up. */
static bool travel(struct foreground *foreground, const struct gesture_fg *gesture)
{
	gint64 started = g_get_monotonic_time();
	for (*gesture->done = 0; *gesture->done < gesture->steps; ++*gesture->done) {
		int part = *gesture->done + 1;
		struct deadline pause = { started + (gint64)gesture->ms * 1000 * part / gesture->steps,
			foreground->action->deadline.cancel };
		g_autoptr(GError) over = NULL;
		xcb_flush(foreground->server->c);
		deadline_poll_all(pause, NULL, 0, "a step", &over);
		if (over != NULL && over->code == ERROR_CANCELLED) {
			return false;
		}
		go(foreground, (struct screen_px){
			gesture->point.x + (gesture->to.x - gesture->point.x) * part / gesture->steps,
			gesture->point.y + (gesture->to.y - gesture->point.y) * part / gesture->steps });
	}
	return true;
}

enum delivered hand_press(struct foreground *foreground, const struct gesture_fg *gesture, GError **error)
{
	struct x11_server *server = foreground->server;
	struct grip grip;
	enum delivered moved = hand_move(foreground, gesture->point, error);
	if (moved != DELIVERED_FULL || !hold(foreground, gesture, &grip, error)) {
		return DELIVERED_NONE;
	}
	bool whole = true;
	for (int i = 0; i < gesture->count; i++) {
		device_press_after(server, gesture->button, i > 0 && gesture->button < 4 ? AGAIN_MS : 0);
		whole = !gesture->drags || travel(foreground, gesture);
		device_button(server, gesture->button, false);
	}
	if (!let_go(foreground, gesture, &grip)) {
		error_set(error, ERROR_DELIVERY_FAILED,
			"The X server did not confirm the input: %s", server->failure->message);
		return DELIVERED_UNKNOWN;
	}
	if (!whole) {
		g_set_error(error, CUA_ERROR, ERROR_CANCELLED, "The drag was given up after %d of %d steps",
			*gesture->done, gesture->steps);
		return DELIVERED_PARTIAL;
	}
	return DELIVERED_FULL;
}
