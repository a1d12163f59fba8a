/* SPDX-License-Identifier: MIT */
/*
 * Bringing an item into view by the wheel: views of Qt have bars of which accessibility does not know, but tell where their
 * items are, also of those that are scrolled out.
 */
#include "config.h"

#include <stdlib.h>

#include "x11/devices.h"
#include "x11/pointer.h"
#include "x11/quirks.h"
#include "x11/rung.h"

/* The first turn tells how far one goes, the others go there; the way across takes as many. */
#define MOST_TURNS 10
#define MOST_NOTCHES 50
/* So near to its edge is the bar of a view; the wheel above it turns nothing that is in the view. */
#define BAR_PX 6
/* How long a view may take to begin to move, and how often it is looked at. */
#define START_MS 400
#define LOOK_MS 30
/* For a pointer of the session to stay where it is. */
#define REST_MS 100

enum wheel_button {
	WHEEL_UP = 4,
	WHEEL_DOWN = 5,
	WHEEL_LEFT = 6,
	WHEEL_RIGHT = 7,
};

struct wheel {
	const struct action *action;
	struct gesture gesture;
	struct screen_rect view;
	struct screen_px off;  /* by so much the item is beside its middle */
};

static bool measure(struct wheel *wheel)
{
	const struct action *action = wheel->action;
	return atspi_beside(x11_platform_atspi(action->platform), action->window, action->now, &wheel->off, action->deadline);
}

static bool is_same(struct screen_px a, struct screen_px b)
{
	return a.x == b.x && a.y == b.y;
}

/* Until it has moved and come to rest; false if it did not move, or does not tell. */
static bool wait_until_moved(struct wheel *wheel)
{
	struct deadline until = deadline_within(wheel->action->deadline, START_MS);
	struct screen_px before = wheel->off, last;
	do {
		last = wheel->off;
		/* Nobody tells; nothing comes at no descriptor. */
		deadline_poll(deadline_within(wheel->action->deadline, LOOK_MS), -1, 0, "a layout", NULL);
		if (!measure(wheel)) {
			return false;
		}
	} while ((is_same(wheel->off, before) || !is_same(wheel->off, last)) && deadline_left(until) > 0);
	return !is_same(wheel->off, before);
}

/* Turns it so often as it takes, down and up first. `*reach`: how far one notch goes that way; 0: not known yet. */
static bool turn(struct wheel *wheel, double *reach, GError **error)
{
	struct screen_rect view = wheel->view;
	bool sideways = wheel->off.y == 0;
	int off = sideways ? wheel->off.x : wheel->off.y;
	int notches = *reach > 0 ? CLAMP((int)(abs(off) / *reach), 1, MOST_NOTCHES) : 1;
	wheel->gesture.button = sideways ? (off > 0 ? WHEEL_RIGHT : WHEEL_LEFT) : (off > 0 ? WHEEL_DOWN : WHEEL_UP);
	wheel->gesture.point = screen_rect_center(view);
	if (sideways) {
		wheel->gesture.point.y = MAX(view.y, view.y + view.height - BAR_PX);
	} else {
		wheel->gesture.point.x = MAX(view.x, view.x + view.width - BAR_PX);
	}
	if (pointer_click(&wheel->gesture, notches, error) != DELIVERED_FULL || !wait_until_moved(wheel)) {
		return false;
	}
	*reach = abs(off - (sideways ? wheel->off.x : wheel->off.y)) / (double)notches;
	return true;
}

static bool turn_there(struct wheel *wheel, GError **error)
{
	double reach[2] = { 0, 0 };
	bool moved = false;
	for (int i = 0; i < MOST_TURNS && (wheel->off.x != 0 || wheel->off.y != 0); i++) {
		if (!turn(wheel, &reach[wheel->off.y == 0], error)) {
			break;
		}
		moved = true;
	}
	return moved;
}

bool wheel_reveal(struct action *action)
{
	struct devices *devices = x11_platform_devices(action->platform);
	struct wheel wheel = { .action = action, .view = action->view, .gesture = {
		.window = (xcb_window_t)action->window->id, .toolkit = action->window->toolkit, .action = action,
		.deadline = action->deadline,
	} };
	if (!quirks_has(action->window->toolkit, QUIRK_VIEW_BY_WHEEL) || action->now == NULL || !element_is_item(action->now)
		|| action->finding.part != NULL || screen_rect_empty(wheel.view) || !measure(&wheel)) {
		return false;
	}
	wheel.gesture.device = devices_lend(devices, action->session, NULL);
	if (wheel.gesture.device == NULL) {
		return false;
	}
	bool moved = false;
	wheel.gesture.server = device_begin(wheel.gesture.device, action->deadline, NULL);
	if (wheel.gesture.server != NULL) {
		wheel.gesture.device->freeze = (struct freeze){ 0 };
		moved = pointer_free(&wheel.gesture, action->window->pid, NULL) && turn_there(&wheel, NULL);
		device_end(wheel.gesture.device, wheel.gesture.server, NULL);
		devices_used(devices, wheel.gesture.device, REST_MS);
	}
	device_unref(wheel.gesture.device);
	if (moved) {
		action->scrolled_at = g_get_monotonic_time();
	}
	return moved;
}
