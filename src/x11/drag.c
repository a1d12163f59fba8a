/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/pointer.h"

#include <stdlib.h>
#include <xcb/xinput.h>

#include "x11/client-pointer.h"
#include "x11/desk.h"
#include "x11/drop.h"
#include "x11/escape.h"
#include "x11/freeze.h"
#include "x11/kernel.h"
#include "x11/ping.h"
#include "x11/quirks.h"
#include "x11/tops.h"

/* A drag is none before it has come so far, by toolkits' settings 8 pixels; and in how many moves,
 * how far apart, it gets there. */
#define THRESHOLD 24
#define THRESHOLD_STEPS 4
#define THRESHOLD_STEP_MS 8
/* How long what is dragged stays over where it is to be dropped: so many rounds of this. */
#define DWELL_ROUNDS 5
#define DWELL_MS 30
#define BUSY_MS 100
/* How long it may take until the user has the focus again. */
#define FOCUS_MS 300
/* How soon after it has begun one that takes every pointer to drag something says what it drags,
 * and how often that is looked at. */
#define SOURCE_MS 600
#define SOURCE_LOOKS 40
#define SOURCE_LOOK_US (2 * G_TIME_SPAN_MILLISECOND)
/* The way takes no longer while the user's pointer stands still. */
#define HURRIED_MS 100
/* How soon one paints what has moved. */
#define PAINT_MS 25

/* Whether the application wanted to have its window dragged, and that was prevented. */
static bool is_refused(const struct gesture *gesture)
{
	return gesture->handed != NULL && gesture->handed->asked != MOVERESIZE_NONE;
}

/* The same, also of what it has asked for since then: it is slow, or knows only now. Then the
 * window manager has the user. */
static bool is_refused_late(const struct gesture *gesture)
{
	return gesture->handed != NULL && moveresize_wait(gesture->handed, 0, 0);
}

static struct screen_px between(struct screen_px from, struct screen_px to, int part, int of)
{
	return (struct screen_px){ from.x + (to.x - from.x) * part / of,
		from.y + (to.y - from.y) * part / of };
}

/* How far it is, as far as that matters to thresholds. */
static int distance(struct screen_px from, struct screen_px to)
{
	return MAX(abs(to.x - from.x), abs(to.y - from.y));
}

/* Moves on by a part of the way that makes it a drag. */
static void creep(const struct gesture *gesture, struct screen_px to, int *crossed)
{
	int whole = distance(gesture->point, to);
	for (int i = 1; i <= THRESHOLD_STEPS && *crossed < whole; i++) {
		*crossed = MIN(whole, THRESHOLD * i / THRESHOLD_STEPS);
		pointer_move(gesture, between(gesture->point, to, *crossed, whole), NULL);
		pointer_pause(gesture,
			g_get_monotonic_time() + THRESHOLD_STEP_MS * G_TIME_SPAN_MILLISECOND);
	}
}

/*
 * Moves on until the application knows whether this drags its window, and waits for that. Returns
 * by how many pixels; false if it has handed it over.
 */
static bool cross_threshold(const struct gesture *gesture, struct screen_px to, int *crossed)
{
	int whole = distance(gesture->point, to);
	*crossed = 0;
	bool handed = pointer_is_handed(gesture, 0);
	if (quirks_has(gesture->toolkit, QUIRK_HANDED_BY_PRESS)) {
		return !handed;
	}
	for (int i = 1; i <= THRESHOLD_STEPS && !handed && *crossed < whole; i++) {
		*crossed = MIN(whole, THRESHOLD * i / THRESHOLD_STEPS);
		if (!pointer_move(gesture, between(gesture->point, to, *crossed, whole), NULL)) {
			break;
		}
		handed = pointer_is_handed(
			gesture, i < THRESHOLD_STEPS ? THRESHOLD_STEP_MS : PAINT_MS);
	}
	return !handed;
}

/*
 * Whether a toolkit that takes every pointer to drag something is about to: then the user's has to
 * stand still until that is over, and it is over soon. What else a drag is for goes on at leisure.
 */
static bool is_hurried(const struct gesture *gesture, const struct journey *journey,
	struct screen_px to, int *crossed)
{
	struct deadline until = deadline_within(gesture->deadline, SOURCE_MS);
	xcb_window_t source = drop_source(gesture);
	if (!quirks_has(gesture->toolkit, QUIRK_DRAG_GRABS_USER)) {
		return false;
	}
	freeze_keep(gesture->device);
	creep(gesture, to, crossed);
	/* So often, and as long as that takes one that is busy. */
	for (int i = 0; i < SOURCE_LOOKS && (source == XCB_WINDOW_NONE || source == journey->source)
		&& deadline_left(until) > 0;
		i++) {
		ping_wait(gesture->server, gesture->window, deadline_left(until));
		pointer_pause(gesture, g_get_monotonic_time() + SOURCE_LOOK_US);
		source = drop_source(gesture);
	}
	return source != XCB_WINDOW_NONE && source != journey->source;
}

/*
 * Who drags something out of its window asks the one under the pointer whether it takes it, and
 * drops nothing before that has answered; a hand that lets go waits as long by itself. Nobody tells
 * us of their talk, so both get the time for a few rounds of it.
 */
static void dwell(const struct gesture *gesture, struct screen_px to, const struct journey *journey)
{
	ping_wait(gesture->server, gesture->window, DWELL_MS);
	xcb_window_t source = drop_source(gesture);
	for (int i = 0; i < DWELL_ROUNDS && source != XCB_WINDOW_NONE && source != journey->source;
		i++) {
		/* Some ask only of a pointer that moves. */
		struct screen_px place = { to.x, to.y - (i + DWELL_ROUNDS) % 2 };
		pointer_move(gesture, place, NULL);
		ping_wait(gesture->server, gesture->window, BUSY_MS);
		ping_wait(gesture->server, gesture->to_window, BUSY_MS);
		pointer_pause(gesture, g_get_monotonic_time() + DWELL_MS * G_TIME_SPAN_MILLISECOND);
	}
}

/* Who something is dropped in may turn to it; what the user types waits until that has been undone
 * (x11/guard.c). */
static void wait_for_focus(const struct gesture *gesture, xcb_window_t focus)
{
	struct deadline until = deadline_within(gesture->deadline, FOCUS_MS);
	freeze_keep(gesture->device);
	ping_wait(gesture->server, gesture->window, BUSY_MS);
	pointer_pause(gesture, g_get_monotonic_time() + DWELL_MS * G_TIME_SPAN_MILLISECOND);
	while (x11_focus_collect(gesture->server, x11_focus_ask(gesture->server)) != focus
		&& deadline_left(until) > 0 && !x11_failed(gesture->server)) {
		pointer_pause(gesture, g_get_monotonic_time() + SOURCE_LOOK_US);
	}
}

enum delivered pointer_drag(const struct gesture *gesture, struct screen_px to, int steps, int ms,
	int *done, GError **error)
{
	struct held held;
	struct journey journey = { .source = drop_source(gesture),
		.tops = { x11_top_of(gesture->server, gesture->window),
			x11_top_of(gesture->server, gesture->to_window) } };
	*done = 0;
	if (!pointer_hold(gesture, &held, error)) {
		pointer_let_go(gesture, &held);
		held_drop(&held);
		return DELIVERED_NONE;
	}
	bool frozen = false, strayed = false;
	struct client_pointer client = { .record = NULL };
	struct gesture first = *gesture;
	first.drops = quirks_has(gesture->toolkit, QUIRK_DRAG_GRABS_USER);
	if (first.drops) {
		/* Who is in the way of that is there, and drags nothing else meanwhile. */
		client_pointer_begin(
			&client, gesture->device, gesture->server, gesture->window, NULL);
	}
	xcb_window_t focus = x11_focus_collect(gesture->server, x11_focus_ask(gesture->server));
	enum delivered result = pointer_press(&first, &frozen, error);
	const bool pressed = result == DELIVERED_FULL;
	bool goes_on = pressed;
	int crossed = 0, whole = distance(gesture->point, to);
	if (goes_on && gesture->handed != NULL) {
		goes_on = cross_threshold(gesture, to, &crossed);
	}
	bool hurried = goes_on && frozen && is_hurried(gesture, &journey, to, &crossed);
	ms = hurried ? MIN(ms, HURRIED_MS) : ms;
	if (goes_on && frozen && !hurried) {
		freeze_end(gesture->device, gesture->server, gesture->window);
		frozen = false;
	}
	gint64 started = g_get_monotonic_time();
	while (*done < steps && goes_on) {
		goes_on = pointer_pause(gesture, started + (gint64)ms * 1000 * (*done + 1) / steps);
		if (goes_on) {
			/* Not back to where it has come from. */
			goes_on = whole * (*done + 1) / steps < crossed
				|| pointer_move(gesture,
					between(gesture->point, to, *done + 1, steps), NULL);
			strayed = drop_strays(gesture, &journey);
			goes_on = goes_on && !strayed && !is_refused_late(gesture)
				&& !x11_failed(gesture->server)
				&& !device_is_wanted(gesture->device, NULL);
			*done += goes_on ? 1 : 0;
		}
	}
	if (strayed && gesture->modifiers == 0) {
		/* Nothing must be dropped here. */
		escape_press(gesture->server, &gesture->device->master, gesture->window);
	}
	if (goes_on) {
		dwell(gesture, to, &journey);
	}
	if (pressed) {
		struct gesture end = *gesture;
		end.point = is_refused(gesture)
			? between(gesture->point, to, crossed, MAX(whole, 1))
			: between(gesture->point, to, *done, steps);
		result = pointer_release(&end, error);
	}
	if (hurried) {
		wait_for_focus(gesture, focus);
	}
	if (pressed) {
		is_refused_late(gesture);
		pointer_free_user(gesture, frozen);
	}
	client_pointer_end(&client);
	pointer_let_go(gesture, &held);
	free(x11_reply(gesture->server, xcb_get_input_focus(gesture->server->c).sequence));
	if (!x11_failed(gesture->server)) {
		held_drop(&held);
	}
	if (result == DELIVERED_FULL && strayed) {
		g_set_error(error, CUA_ERROR, ERROR_BACKGROUND_UNAVAILABLE,
			"What was dragged came over another window, "
			"where it could have been dropped; the drag was given up after %d of %d "
			"steps",
			*done, steps);
		return DELIVERED_PARTIAL;
	}
	if (is_refused(gesture)) {
		return result;
	}
	if (result == DELIVERED_FULL && *done < steps && device_is_wanted(gesture->device, error)) {
		return DELIVERED_PARTIAL;
	}
	if (result == DELIVERED_FULL && *done < steps) {
		g_set_error(error, CUA_ERROR, ERROR_CANCELLED,
			"The drag was given up after %d of %d steps", *done, steps);
		return DELIVERED_PARTIAL;
	}
	return result;
}
