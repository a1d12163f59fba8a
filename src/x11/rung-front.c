/* SPDX-License-Identifier: MIT */
/*
 * The foreground, only when it is asked for: the window is activated, the user's own pointer and keyboard act, and
 * the user gets everything back. For what takes input only from them: games, canvases that ask where the real
 * pointer is, applications that look at the focus. Without a window, in desktop scope, they act on the screen.
 */
#include "config.h"

#include "core/finding.h"
#include "core/keys.h"
#include "x11/arrange.h"
#include "x11/desk.h"
#include "x11/foreground.h"
#include "x11/hand.h"
#include "x11/keyboard.h"
#include "x11/one-focus.h"
#include "x11/receipt.h"
#include "x11/rung.h"
#include "x11/standing.h"

/* For an application to take a click before the keys that follow it. */
#define CLICK_MS 2000

static enum verdict refuse(struct refusal *why, enum error_code code, const char *reason)
{
	*why = (struct refusal){ code, g_strdup(reason) };
	return VERDICT_NO;
}

/* What holds for every one of them. */
static enum verdict can_front(const struct action *action, struct refusal *why)
{
	if (action->window != NULL && action->window->minimized) {
		return refuse(why, ERROR_WINDOW_MINIMIZED,
			"The window is minimised; bring_to_front restores it, and an element's own action needs no restoring");
	}
	if (action->window != NULL && !action->window->on_current_space) {
		return refuse(why, ERROR_FOREGROUND_UNAVAILABLE,
			"The window is on another workspace, where the user would have to be taken to");
	}
	if (action->now != NULL && (action->now->states & STATE_ENABLED) == 0) {
		return refuse(why, ERROR_ELEMENT_DISABLED, "The element is disabled");
	}
	return VERDICT_YES;
}

static enum verdict can_point(const struct action *action, struct refusal *why)
{
	if (action->kind == ACTION_BUTTON_DOWN || action->kind == ACTION_BUTTON_UP) {
		return refuse(why, ERROR_FOREGROUND_UNAVAILABLE,
			"The user's own mouse button is not held beyond one call; use drag");
	}
	if ((action->kind != ACTION_CLICK && action->kind != ACTION_SCROLL && action->kind != ACTION_DRAG
		&& action->kind != ACTION_HOVER) || action->verb != NULL) {
		return refuse(why, ERROR_FOREGROUND_UNAVAILABLE, "A pointer cannot do that");
	}
	return can_front(action, why);
}

static enum delivered point(struct foreground *foreground, struct gesture_fg *gesture, GError **error)
{
	struct action *action = foreground->action;
	switch (action->kind) {
	case ACTION_HOVER:
		action->performed = "moved the user's pointer to";
		return hand_move(foreground, gesture->point, error);
	case ACTION_SCROLL:
		action->performed = "turned the wheel at";
		gesture->count = rung_notches(action);
		return hand_press(foreground, gesture, error);
	case ACTION_DRAG:
		action->performed = "dragged in";
		action->finding.unit = "steps";
		action->finding.asked = action->steps;
		gesture->drags = true;
		return hand_press(foreground, gesture, error);
	default:
		action->performed = action->count > 1 ? "clicked repeatedly at" : "clicked at";
		gesture->count = action->count;
		return hand_press(foreground, gesture, error);
	}
}

static enum delivered deliver_point(struct action *action, GError **error)
{
	struct foreground foreground;
	struct gesture_fg gesture = {
		.point = action->point, .button = rung_button(action), .count = 1, .to = action->to,
		.steps = action->steps, .ms = action->duration_ms, .done = &action->finding.done,
	};
	if (!rung_modifiers(action, &gesture.modifiers, error)
		|| (action->addressing == ADDRESS_ELEMENT && !action->pointed
			&& !rung_locate(action, &gesture.point, error))
		|| !foreground_begin(&foreground, action, error)) {
		return DELIVERED_NONE;
	}
	enum delivered delivered = point(&foreground, &gesture, error);
	foreground_end(&foreground);
	return delivered;
}

static enum verdict can_press(const struct action *action, struct refusal *why)
{
	return action->kind == ACTION_PRESS_KEY ? can_front(action, why)
		: refuse(why, ERROR_FOREGROUND_UNAVAILABLE, "That is no key");
}

static enum verdict can_type(const struct action *action, struct refusal *why)
{
	return action->kind == ACTION_TYPE_TEXT ? can_front(action, why)
		: refuse(why, ERROR_FOREGROUND_UNAVAILABLE, "A keyboard cannot do that");
}

/* Where keys go is clicked first, and the application has to have taken that. */
static enum delivered click(struct foreground *foreground, struct screen_px at, GError **error)
{
	const struct gesture_fg gesture = { .point = at, .button = 1, .count = 1 };
	enum delivered clicked = hand_press(foreground, &gesture, error);
	if (clicked == DELIVERED_FULL && foreground->window == XCB_WINDOW_NONE) {
		return foreground_follow(foreground, error) ? DELIVERED_FULL : DELIVERED_PARTIAL;
	}
	if (clicked == DELIVERED_FULL) {
		receipt_wait(foreground->server, foreground->window, 0, CLICK_MS);
	}
	return clicked;
}

/* Where the user's keys go; 0: nowhere. */
static xcb_window_t user_window(struct x11_server *server)
{
	xcb_window_t active = x11_active_window(server);
	return active != XCB_WINDOW_NONE && standing_is_at(server, active) ? active
		: x11_focus_collect(server, x11_focus_ask(server));
}

static enum delivered press(struct foreground *foreground, const GArray *chords, GError **error)
{
	struct action *action = foreground->action;
	struct typing typing = {
		.device = foreground->device, .server = foreground->server, .front = true,
		.window = foreground->window != XCB_WINDOW_NONE ? foreground->window : user_window(foreground->server),
		.toolkit = action->window != NULL ? action->window->toolkit : "", .delay_ms = action->delay_ms,
		.text = action->kind == ACTION_TYPE_TEXT,
		.deadline = action->deadline,
	};
	int done = 0;
	if (typing.window == XCB_WINDOW_NONE) {
		g_set_error(error, CUA_ERROR, ERROR_FOREGROUND_UNAVAILABLE,
			"No window has the user's keyboard, so none would get the keys");
		return DELIVERED_NONE;
	}
	if (!one_focus_comes(action, foreground->server, error)) {
		return DELIVERED_NONE;
	}
	enum delivered delivered = keyboard_press(&typing, (const struct chord *)(const void *)chords->data,
		(int)chords->len, &done, error);
	action->performed = action->kind == ACTION_TYPE_TEXT ? "typed into" : "pressed the key in";
	if (action->kind == ACTION_TYPE_TEXT) {
		action->finding.unit = "chars";
		action->finding.asked = (int)chords->len;
		action->finding.done = done;
	}
	return delivered;
}

static enum delivered deliver_keys(struct action *action, GError **error)
{
	struct foreground foreground;
	struct screen_px at = action->point;
	bool clicks = action->finding.clicked = rung_needs_click(action);
	g_autoptr(GArray) chords = rung_chords(action, error);
	if (chords == NULL || (clicks && !action->pointed && !rung_locate(action, &at, error))
		|| !foreground_begin(&foreground, action, error)) {
		return DELIVERED_NONE;
	}
	enum delivered clicked = clicks ? click(&foreground, at, error) : DELIVERED_FULL;
	enum delivered delivered = clicked == DELIVERED_FULL ? press(&foreground, chords, error) : clicked;
	foreground_end(&foreground);
	/* The click was. */
	return delivered == DELIVERED_NONE && clicks && clicked == DELIVERED_FULL ? DELIVERED_PARTIAL : delivered;
}

/* What has no place on the screen is done by accessibility, with the window in front. */
static enum verdict can_verb(const struct action *action, struct refusal *why)
{
	if ((action->kind != ACTION_CLICK || action->verb == NULL) && action->kind != ACTION_INVOKE_MENU) {
		return refuse(why, ERROR_FOREGROUND_UNAVAILABLE, "No action of an element is asked for");
	}
	return can_front(action, why) == VERDICT_NO ? VERDICT_NO : rung_atspi.can(action, why);
}

static enum verdict can_write(const struct action *action, struct refusal *why)
{
	if (action->kind != ACTION_SET_VALUE) {
		return refuse(why, ERROR_FOREGROUND_UNAVAILABLE, "No value is asked for");
	}
	return can_front(action, why) == VERDICT_NO ? VERDICT_NO : rung_ax.can(action, why);
}

static enum delivered deliver_by(const struct rung_impl *rung, struct action *action, GError **error)
{
	struct foreground foreground;
	if (!foreground_begin(&foreground, action, error)) {
		return DELIVERED_NONE;
	}
	enum delivered delivered = rung->deliver(action, error);
	foreground_end(&foreground);
	return delivered;
}

static enum delivered deliver_verb(struct action *action, GError **error)
{
	return deliver_by(&rung_atspi, action, error);
}

static enum delivered deliver_value(struct action *action, GError **error)
{
	/* No pointer sets values there: the verb of the element has to do. */
	action->last = true;
	return deliver_by(&rung_ax, action, error);
}

static char *look_at_value(const struct action *action, struct deadline deadline)
{
	return rung_ax.look(action, deadline);
}

const struct rung_impl rung_pixel_fg = {
	.path = "x11_pixel_fg",
	.delivery = DELIVERY_FOREGROUND,
	.takes = ADDRESS_ELEMENT | ADDRESS_POINT | ADDRESS_SCREEN,
	.can = can_point,
	.deliver = deliver_point,
};

const struct rung_impl rung_xtest_fg = {
	.path = "x11_xtest_fg",
	.delivery = DELIVERY_FOREGROUND,
	.takes = ADDRESS_ELEMENT | ADDRESS_POINT | ADDRESS_FOCUS | ADDRESS_SCREEN,
	.can = can_press,
	.deliver = deliver_keys,
};

const struct rung_impl rung_key_fg = {
	.path = "key_events_fg",
	.delivery = DELIVERY_FOREGROUND,
	.takes = ADDRESS_ELEMENT | ADDRESS_POINT | ADDRESS_FOCUS | ADDRESS_SCREEN,
	.can = can_type,
	.deliver = deliver_keys,
};

const struct rung_impl rung_atspi_fg = {
	.path = "x11_atspi",
	.delivery = DELIVERY_FOREGROUND,
	.takes = ADDRESS_ELEMENT,
	.through_accessibility = true,
	.can = can_verb,
	.deliver = deliver_verb,
};

const struct rung_impl rung_ax_fg = {
	.path = "ax",
	.delivery = DELIVERY_FOREGROUND,
	.takes = ADDRESS_ELEMENT,
	.through_accessibility = true,
	.can = can_write,
	.deliver = deliver_value,
	.look = look_at_value,
};
