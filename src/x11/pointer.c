/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/pointer.h"

#include <stdlib.h>
#include <xcb/xinput.h>

#include "x11/courtesy.h"
#include "x11/escape.h"
#include "x11/freeze.h"
#include "x11/kernel.h"
#include "x11/one-focus.h"
#include "x11/ping.h"
#include "x11/quirks.h"
#include "x11/real.h"
#include "x11/tops.h"

/* How long a menu may take to close, and how often that is looked at. */
#define MENU_MS 1000
#define ASK_US (5 * G_TIME_SPAN_MILLISECOND)
/* Between the presses of a double click: in Chromium two of the same millisecond are one. */
#define AGAIN_MS 5
/* Two clicks within this time may be taken for one double click. */
#define DOUBLE_CLICK_US (500 * G_TIME_SPAN_MILLISECOND)
/* How long one may take to ask where the pointer is whose press shows a menu. */
#define PLACING_MS 200
/* How long an application may take to hear that it has the focus. */
#define FOCUS_MS 500
/* How long one may take to come to a press that may hand its window over, and how soon it paints
 * what has moved. */
#define HANDED_MS 1500
#define PAINT_MS 25

/*
 * Our keyboard is grabbed meanwhile: its modifiers count for what our pointer does, and nobody gets the keys,
 * whatever a window manager bound to them.
 */
bool pointer_hold(const struct gesture *gesture, struct held *held, GError **error)
{
	if (!held_note(held, gesture->device, gesture->server, gesture->modifiers, error)) {
		return false;
	}
	if (gesture->modifiers != 0) {
		const uint32_t nothing = 0;
		free(x11_reply(gesture->server, xcb_input_xi_grab_device(gesture->server->c, gesture->server->root,
			XCB_CURRENT_TIME, XCB_CURSOR_NONE, gesture->device->master.keyboard,
			XCB_INPUT_GRAB_MODE_22_ASYNC, XCB_INPUT_GRAB_MODE_22_ASYNC, false, 1, &nothing).sequence));
	}
	for (int i = 0; i < MODIFIERS; i++) {
		if (held->keys[i] != 0) {
			device_key(gesture->server, held->keys[i], true);
		}
	}
	return true;
}

/* Sends that they are let go; the records go when the server has taken it. */
void pointer_let_go(const struct gesture *gesture, const struct held *held)
{
	for (int i = MODIFIERS; i-- > 0;) {
		if (held->keys[i] != 0) {
			device_key(gesture->server, held->keys[i], false);
		}
	}
	if (gesture->modifiers != 0) {
		xcb_input_xi_ungrab_device(gesture->server->c, XCB_CURRENT_TIME, gesture->device->master.keyboard);
	}
}

/*
 * Asks the application something. Qt reads all that has come from the X server before it does any of it, and where processors are
 * scarce answers two pings in one go; a question by accessibility it answers when it has done that. False if it cannot be asked.
 */
static bool ask(const struct gesture *gesture)
{
	const struct action *action = gesture->action;
	const struct tree *tree = action != NULL ? action->tree : NULL;
	const struct element *element = action != NULL && action->now != NULL ? action->now
		: tree != NULL && tree->elements->len > 0 ? tree->elements->pdata[0] : NULL;
	struct element *now = element != NULL ? action->platform->impl->reread(action->platform, element,
		deadline_within(gesture->deadline, FOCUS_MS), NULL) : NULL;
	bool answered = now != NULL;
	element_free(now);
	return answered;
}

/*
 * Some toolkits activate their window at a press while they think it has no focus: they are told it has. They
 * must have taken that in before the press comes, so this is waited for, and cannot be inside a reach.
 */
static void tell_focus(const struct gesture *gesture, bool in)
{
	if (!quirks_has(gesture->toolkit, QUIRK_FOCUS_FOR_PRESS)) {
		return;
	}
	/* The first answer says that it came. */
	if (focus_tell(gesture->server, gesture->window, in) && in && ping_wait(gesture->server, gesture->window, FOCUS_MS)
		&& !ask(gesture)) {
		/* The second mostly that it has come to it. */
		ping_wait(gesture->server, gesture->window, FOCUS_MS);
	}
}

/* Whether the application would take the user's pointer at a press; a wheel is none. */
static bool freezes(const struct gesture *gesture)
{
	return gesture->button < 4 && quirks_has(gesture->toolkit, QUIRK_PRESS_GRABS_USER);
}

/* Listens whether the window is handed over, and keeps the user's pointer and keyboard meanwhile.
 */
static bool watch_user(const struct gesture *gesture)
{
	moveresize_begin(gesture->handed, gesture->server, gesture->window);
	return freeze_begin(gesture->device, gesture->server, true);
}

/* Before a press: the same, or keeps the user's pointer alone. */
static bool keep_user(const struct gesture *gesture)
{
	return gesture->handed != NULL ? watch_user(gesture)
				       : freezes(gesture)
			&& freeze_begin(gesture->device, gesture->server, gesture->drops);
}

/* Whether the application has handed its window over so far. The server is not grabbed. */
bool pointer_is_handed(const struct gesture *gesture, int least_ms)
{
	if (gesture->handed == NULL) {
		return false;
	}
	freeze_keep(gesture->device);
	bool handed = moveresize_wait(gesture->handed, least_ms, HANDED_MS);
	if (!handed && quirks_has(gesture->toolkit, QUIRK_FOCUS_FOR_PRESS)) {
		/* Qt answers before it has done what it has read. */
		handed = moveresize_wait(gesture->handed, ask(gesture) ? 0 : PAINT_MS, HANDED_MS);
	}
	return handed;
}

/* Lets the user go on. */
void pointer_free_user(const struct gesture *gesture, bool frozen)
{
	if (gesture->handed != NULL) {
		moveresize_end(gesture->handed);
	}
	if (frozen) {
		freeze_end(gesture->device, gesture->server, gesture->window);
	}
}

/* Whether a press costs the user nothing that is known. A wheel is none. */
static bool may_press(const struct gesture *gesture, GError **error)
{
	return gesture->button > 3
		|| (one_focus_allows(
			    gesture->server, gesture->window, gesture->toolkit, true, error)
			&& ((!freezes(gesture) && gesture->handed == NULL)
				|| freeze_may(gesture->server, gesture->window, error)));
}

/* What is not in the undo log must not be done. */
static bool has_room(const struct undo_record *record, GError **error)
{
	if (record == NULL) {
		g_set_error(error, CUA_ERROR, ERROR_BACKGROUND_UNAVAILABLE,
			"Too much is held or changed already to be undone if the driver died");
	}
	return record != NULL;
}

static bool begin(const struct gesture *gesture, struct reach *reach, GError **error)
{
	return (gesture->real ? real_begin : reach_begin)(reach, gesture->device, gesture->server, gesture->window,
		gesture->point, error);
}

/* Clicks so often, or turns a wheel; `*done` counts. False with an error if it could not go on. */
static bool click(const struct gesture *gesture, struct reach *reach, int count, int *done, GError **error)
{
	bool wheel = gesture->button > 3;
	if (gesture->real && wheel) {
		*done = real_turn(reach, gesture->button, count, error) ? count : 0;
		return *done == count;
	}
	for (*done = 0; *done < count; ++*done) {
		unsigned after = *done > 0 && !wheel ? AGAIN_MS : 0;
		if (!gesture->real) {
			reach_press(reach, gesture->button, after);
			reach_release(reach, gesture->button);
		} else if (!real_press(reach, gesture->button, true, after, error)) {
			return false;
		}
	}
	return true;
}

/* Moves it while a button is down. */
bool pointer_move(const struct gesture *gesture, struct screen_px point, GError **error)
{
	if (gesture->real) {
		return kernel_move(gesture->device, gesture->server, point, error);
	}
	device_move(gesture->server, point);
	return true;
}

/* Whether the server took all of it. */
static enum delivered delivered(const struct gesture *gesture, bool sent, GError **error)
{
	if (!x11_failed(gesture->server)) {
		return DELIVERED_FULL;
	}
	/* What was put into the socket may have arrived. */
	if (error != NULL && *error == NULL) {
		error_set(error, ERROR_DELIVERY_FAILED,
			"The X server did not confirm the input: %s",
			gesture->server->failure->message);
	}
	return sent ? DELIVERED_UNKNOWN : DELIVERED_NONE;
}

/* Waits as long as a hand takes for a step; false if the call was given up. */
bool pointer_pause(const struct gesture *gesture, gint64 until)
{
	return device_pause(gesture->device, (struct deadline){ until, gesture->deadline.cancel });
}

bool pointer_free(const struct gesture *gesture, pid_t pid, GError **error)
{
	struct device *device = gesture->device;
	struct deadline until = deadline_within(gesture->deadline, MENU_MS);
	bool elsewhere = device->pid != 0 && device->pid != pid;
	bool held = device->buttons[0] != NULL || device->buttons[1] != NULL || device->buttons[2] != NULL;
	bool free_again = held || !elsewhere || device_park(device, gesture->server);
	if (!free_again) {
		escape_press(gesture->server, &device->master, device->record->window);
	}
	while (!free_again && deadline_left(until) > 0 && !x11_failed(gesture->server)) {
		/* No event tells that somebody else's grab is over. */
		pointer_pause(gesture, g_get_monotonic_time() + ASK_US);
		free_again = device_park(device, gesture->server);
	}
	if (!free_again) {
		g_set_error(error, CUA_ERROR, ERROR_BACKGROUND_UNAVAILABLE,
			"A menu of another application that this session opened is still open and has its pointer");
	}
	device->pid = pid;
	/* Whoever takes the pair away asks there whether all that came of it is done. */
	device->record->window = gesture->window;
	return free_again;
}

enum delivered pointer_click(const struct gesture *gesture, int count, GError **error)
{
	struct reach reach;
	struct held held = { 0 };
	if (!may_press(gesture, error)) {
		return DELIVERED_NONE;
	}
	tell_focus(gesture, true);
	if (!begin(gesture, &reach, error)) {
		tell_focus(gesture, false);
		return x11_failed(gesture->server) ? delivered(gesture, false, error) : DELIVERED_NONE;
	}
	/* A wheel, a middle button and a second click open no menus. */
	reach.opens = count == 1 && (gesture->button == 1 || gesture->button == 3);
	reach.lingers = reach.opens && gesture->button == 3 && quirks_has(gesture->toolkit, QUIRK_MENU_AT_POINTER);
	struct undo_record *record = device_note(gesture->device, UNDO_BUTTON, gesture->button);
	bool ready = has_room(record, error) && pointer_hold(gesture, &held, error);
	bool frozen = ready && keep_user(gesture);
	int done = 0;
	bool whole = ready && click(gesture, &reach, count, &done, error);
	tell_focus(gesture, false);
	pointer_let_go(gesture, &held);
	reach_end(&reach);
	if (ready) {
		pointer_is_handed(gesture, 0);
		pointer_free_user(gesture, frozen);
	}
	if (reach.lingers && !reach.borrowed) {
		/* It has come to the press when it answers. */
		ping_wait(gesture->server, gesture->window, PLACING_MS);
		reach_retire(gesture->device, gesture->server);
	}
	gesture->device->clicked = g_get_monotonic_time();
	enum delivered result = whole ? delivered(gesture, true, error) : done > 0 ? DELIVERED_PARTIAL : DELIVERED_NONE;
	if (result != DELIVERED_UNKNOWN && !x11_failed(gesture->server)) {
		undo_drop(record);
		held_drop(&held);
	}
	return result;
}

enum delivered pointer_click_apart(const struct gesture *gesture, int count, GError **error)
{
	struct deadline pause = { gesture->device->clicked + DOUBLE_CLICK_US, gesture->deadline.cancel };
	if (!device_pause(gesture->device, pause) && device_is_wanted(gesture->device, error)) {
		return DELIVERED_NONE;
	}
	return pointer_click(gesture, count, error);
}

/* Lets it go there. */
enum delivered pointer_release(const struct gesture *gesture, GError **error)
{
	struct undo_record **held = &gesture->device->buttons[gesture->button - 1];
	if (*held == NULL) {
		g_set_error(error, CUA_ERROR, ERROR_INVALID_ARGUMENTS, "That button is not held");
		return DELIVERED_NONE;
	}
	/* Who got the press gets all that follows, whatever is under the pointer; and who holds a
	 * button lets it go. */
	struct gesture same = *gesture;
	same.real = (gesture->device->kernel_holds & 1u << gesture->button) != 0;
	if (!pointer_move(&same, gesture->point, error)
		|| (same.real
			&& !kernel_button(
				gesture->device, gesture->server, gesture->button, false, error))) {
		/* The kernel's pointer is gone then, and with it the press. */
		gesture->device->kernel_holds = 0;
		undo_drop(g_steal_pointer(held));
		return DELIVERED_UNKNOWN;
	}
	if (!same.real) {
		device_button(gesture->server, gesture->button, false);
	}
	gesture->device->kernel_holds &= ~(1u << gesture->button);
	tell_focus(gesture, false);
	free(x11_reply(gesture->server, xcb_get_input_focus(gesture->server->c).sequence));
	enum delivered result = delivered(gesture, true, error);
	if (result == DELIVERED_FULL) {
		undo_drop(g_steal_pointer(held));
	}
	return result;
}

/* With a button held it drags, also while it is looked for a way there that is none. */
static enum delivered hover(const struct gesture *gesture, GError **error)
{
	struct reach reach;
	if (!begin(gesture, &reach, error)) {
		return x11_failed(gesture->server) ? delivered(gesture, false, error) : DELIVERED_NONE;
	}
	reach.hovers = true;
	reach_end(&reach);
	return delivered(gesture, true, error);
}

enum delivered pointer_hover(const struct gesture *gesture, GError **error)
{
	if (gesture->handed == NULL || gesture->device->buttons[0] == NULL) {
		return hover(gesture, error);
	}
	bool frozen = watch_user(gesture);
	enum delivered result = hover(gesture, error);
	if (pointer_is_handed(gesture, PAINT_MS)) {
		if (error != NULL) {
			g_clear_error(error);
		}
		result = pointer_release(gesture, error);
	}
	pointer_free_user(gesture, frozen);
	return result;
}

/* Presses it; where that succeeded the user is kept still if `*frozen`, or listened to if the
 * window may be handed over. */
enum delivered pointer_press(const struct gesture *gesture, bool *frozen, GError **error)
{
	struct reach reach;
	struct undo_record **held = &gesture->device->buttons[gesture->button - 1];
	if (*held != NULL) {
		g_set_error(error, CUA_ERROR, ERROR_INVALID_ARGUMENTS, "That button is held already");
		return DELIVERED_NONE;
	}
	if (!may_press(gesture, error)) {
		return DELIVERED_NONE;
	}
	tell_focus(gesture, true);
	if (!begin(gesture, &reach, error)) {
		tell_focus(gesture, false);
		return x11_failed(gesture->server) ? delivered(gesture, false, error) : DELIVERED_NONE;
	}
	reach.stays = true;
	*held = device_note(gesture->device, UNDO_BUTTON, gesture->button);
	bool room = has_room(*held, error);
	*frozen = room && keep_user(gesture);
	bool pressed = room && (!gesture->real || real_press(&reach, gesture->button, false, 0, error));
	if (pressed && !gesture->real) {
		reach_press(&reach, gesture->button, 0);
	}
	reach.stays = pressed;
	reach_end(&reach);
	if (!pressed) {
		if (room) {
			pointer_free_user(gesture, *frozen);
		}
		undo_drop(g_steal_pointer(held));
		return DELIVERED_NONE;
	}
	enum delivered result = delivered(gesture, true, error);
	if (result != DELIVERED_FULL) {
		pointer_free_user(gesture, *frozen);
	}
	return result;
}

enum delivered pointer_down(const struct gesture *gesture, GError **error)
{
	bool frozen = false;
	enum delivered result = pointer_press(gesture, &frozen, error);
	if (result != DELIVERED_FULL) {
		return result;
	}
	if (pointer_is_handed(gesture, 0)) {
		result = pointer_release(gesture, error);
	}
	pointer_free_user(gesture, frozen);
	return result;
}

enum delivered pointer_up(const struct gesture *gesture, GError **error)
{
	if (gesture->handed == NULL || gesture->device->buttons[gesture->button - 1] == NULL) {
		return pointer_release(gesture, error);
	}
	/* The way to here may be what drags the window. */
	bool frozen = watch_user(gesture);
	if (pointer_move(gesture, gesture->point, NULL)) {
		pointer_is_handed(gesture, PAINT_MS);
	}
	enum delivered result = pointer_release(gesture, error);
	pointer_is_handed(gesture, 0);
	pointer_free_user(gesture, frozen);
	return result;
}
