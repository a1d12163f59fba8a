/* SPDX-License-Identifier: MIT */
/*
 * The session's own pointer: what no accessibility reaches, canvases, terminals, games, and what has no verb
 * for a double or a right click.
 */
#include "config.h"

#include <string.h>

#include "core/finding.h"
#include "core/keys.h"
#include "x11/devices.h"
#include "x11/handle.h"
#include "x11/kernel.h"
#include "x11/pointer.h"
#include "x11/popup.h"
#include "x11/quirks.h"
#include "x11/rung.h"
#include "x11/window-drag.h"

/* A page is this many notches of a wheel. */
#define PAGE_NOTCHES 6
/* How long the pointer stays everybody's: a menu that a click opens takes its grab in this time, a tooltip comes. */
#define MENU_MS 400
#define HOVER_MS 2000
/* The middle of the mark beside a branch: half of the 20 pixels by which Qt indents a level. */
#define BESIDE 10

static bool is_gesture(const struct action *action)
{
	enum action_kind kind = action->kind;
	return (kind == ACTION_SET_VALUE && action->finding.button != 0) || kind == ACTION_CLICK || kind == ACTION_SCROLL || kind == ACTION_DRAG || kind == ACTION_HOVER
		|| kind == ACTION_BUTTON_DOWN || kind == ACTION_BUTTON_UP;
}

static enum verdict refuse(struct refusal *why, enum error_code code, const char *reason)
{
	*why = (struct refusal){ code, g_strdup(reason) };
	return VERDICT_NO;
}

/* What the rungs before said of the element holds for a pointer, too. */
static bool is_final(const struct action *action)
{
	return action->has_refused && (action->refused == ERROR_ELEMENT_DISABLED
		|| action->refused == ERROR_ACTION_UNSUPPORTED || action->refused == ERROR_POPUP_GRABS_USER);
}

static bool opens_menu(const struct action *action)
{
	const struct element *element = action->addressing == ADDRESS_ELEMENT ? action->now : NULL;
	/* An item that does nothing by itself, as in a bar of GTK 4, shows a menu. */
	bool idle = element != NULL && strcmp(element->role, "menu item") == 0
		&& element->actions[0] == NULL;
	return action->kind == ACTION_CLICK && (action->button == BUTTON_RIGHT
		|| (element != NULL && (idle || strcmp(element->role, "combo box") == 0
			|| strcmp(element->role, "menu") == 0)));
}

/* Whether one may come of the press: what it is made on is not known, or shows one over its window
 * now and then. */
static bool may_open_menu(const struct action *action)
{
	static const char *const roles[] = { "menu item", "push button", "toggle button", NULL };
	const struct element *element = action->addressing == ADDRESS_ELEMENT ? action->now : NULL;
	/* Without a tree any press may; the user's pointer does not stand still for each of them.
	 */
	bool blind = element == NULL && (action->tree == NULL || action->tree->elements->len == 0)
		&& quirks_has(action->window->toolkit, QUIRK_POPUP_GRABS_POINTERS);
	return opens_menu(action)
		|| (action->kind == ACTION_CLICK && action->button == BUTTON_LEFT && !blind
			&& (element == NULL || g_strv_contains(roles, element->role)));
}

/* Whether a branch of a tree is to be opened or closed that has no action for it, but a mark beside it. */
static bool is_branch(const struct action *action)
{
	static const char *const verbs[] = { "expand", "collapse", NULL };
	return action->kind == ACTION_CLICK && action->addressing == ADDRESS_ELEMENT && action->now != NULL
		&& action->verb != NULL && g_strv_contains(verbs, action->verb)
		&& (action->now->states & STATE_EXPANDABLE) != 0
		&& quirks_has(action->window->toolkit, QUIRK_BRANCH_BESIDE);
}

static enum verdict can(const struct action *action, struct refusal *why)
{
	if (!is_gesture(action) || (action->verb != NULL && !is_branch(action)) || is_final(action)) {
		return refuse(why, ERROR_BACKGROUND_UNAVAILABLE, "A pointer cannot do that");
	}
	if (!action->allow_grab && opens_menu(action)
		&& quirks_has(action->window->toolkit, QUIRK_MENU_TAKES_FOCUS)) {
		return refuse(why, ERROR_POPUP_GRABS_USER,
			"A menu of this toolkit takes the user's focus and keyboard, so it was not "
			"opened");
	}
	if (action->on_title && action->kind == ACTION_CLICK && action->button == BUTTON_RIGHT) {
		return refuse(why, ERROR_POPUP_GRABS_USER,
			"That is a title bar, whose menu the window manager shows by the user's "
			"own pointer and keyboard, so it was not opened");
	}
	if (action->on_title && action->kind == ACTION_CLICK
		&& quirks_has(action->window->toolkit, QUIRK_TITLE_RAISES)) {
		return refuse(why, ERROR_WINDOW_DRAG_REFUSED,
			"That is a title bar: a press there puts the window in front of the "
			"user's, and may take the user's keyboard, so it was not pressed");
	}
	if (action->on_title && action->kind == ACTION_BUTTON_DOWN) {
		return refuse(why, ERROR_WINDOW_DRAG_REFUSED,
			"That is a title bar: by a button that is held there the window manager "
			"moves the window with the user's own pointer and keyboard, so it was not "
			"pressed");
	}
	if (action->window->minimized) {
		return refuse(why, ERROR_WINDOW_MINIMIZED, "The window is minimised, where no pointer reaches it");
	}
	if (action->blocker != NULL) {
		/* Qt's would activate it, and so take the focus from the user. */
		return refuse(why, ERROR_BACKGROUND_UNAVAILABLE, "The window waits for a dialog and takes no clicks until that is answered");
	}
	return VERDICT_YES;
}

unsigned rung_button(const struct action *action)
{
	static const unsigned wheels[] = {
		[DIRECTION_UP] = 4, [DIRECTION_DOWN] = 5, [DIRECTION_LEFT] = 6, [DIRECTION_RIGHT] = 7,
	};
	if (action->kind == ACTION_SET_VALUE) {
		return action->finding.button;
	}
	return action->kind == ACTION_SCROLL ? wheels[action->direction] : (unsigned)action->button + 1;
}

int rung_notches(const struct action *action)
{
	return action->amount * (action->by_page ? PAGE_NOTCHES : 1);
}

bool rung_modifiers(const struct action *action, unsigned *modifiers, GError **error)
{
	*modifiers = 0;
	for (int i = 0; action->modifiers != NULL && action->modifiers[i] != NULL; i++) {
		unsigned modifier = modifier_named(action->modifiers[i]);
		if (modifier == 0) {
			error_set(error, ERROR_INVALID_ARGUMENTS,
				"\"%s\" is no modifier: ctrl, shift, alt and super are",
				action->modifiers[i]);
			return false;
		}
		*modifiers |= modifier;
	}
	return true;
}

/* Whether it may be wider than what of it can be clicked. */
static bool has_mark(const struct action *action)
{
	static const char *const roles[] = { "check box", "radio button", NULL };
	return g_strv_contains(roles, action->element->role) && action->finding.part == NULL
		&& quirks_has(action->window->toolkit, QUIRK_MARK_FIRST);
}

static bool find_point(struct action *action, struct screen_px *point, GError **error)
{
	struct screen_rect shown;
	/* Who names a point means it, whatever was found there. */
	if (action->addressing != ADDRESS_ELEMENT || (action->pointed && !is_branch(action))) {
		return true;
	}
	g_autoptr(GError) unseen = NULL;
	if (!rung_see(action, &shown, &unseen)) {
		bool scrolled = unseen->code == ERROR_BACKGROUND_UNAVAILABLE && !action->put_away
			&& !action->vague && wheel_reveal(action);
		if (!scrolled) {
			g_propagate_error(error, g_steal_pointer(&unseen));
		}
		if (!scrolled || !rung_see(action, &shown, error)) {
			return false;
		}
	}
	*point = screen_rect_center(shown);
	if (is_branch(action)) {
		point->x = shown.x - BESIDE;
	} else if (has_mark(action)) {
		point->x = MIN(point->x, shown.x + BESIDE);
	}
	return true;
}

/*
 * What a press opens takes our pointer and keyboard for the user's, where the toolkit asks for
 * those of its connection. Where that cannot be, because the user is there, menus are not opened;
 * of another press nobody knows whether it opens one.
 */
static enum delivered click_once(
	const struct action *action, const struct gesture *gesture, GError **error)
{
	struct popup popup;
	g_autoptr(GError) why = NULL;
	enum popup_hope hope = action->button == BUTTON_RIGHT ? POPUP_LIKELY
		: opens_menu(action)                          ? POPUP_SURELY
							      : POPUP_MAYBE;
	bool concerns = may_open_menu(action)
		&& quirks_has(gesture->toolkit, QUIRK_MENU_GRABS_USER);
	bool begun = concerns
		&& popup_begin(&popup, gesture->device, gesture->server, action, false, &why);
	if (concerns && !begun && opens_menu(action) && !action->allow_grab) {
		if (why != NULL) {
			g_propagate_error(error, g_steal_pointer(&why));
		}
		return DELIVERED_NONE;
	}
	enum delivered delivered = pointer_click(gesture, 1, error);
	if (begun && !popup_end(&popup, hope, delivered == DELIVERED_FULL ? error : NULL)
		&& delivered == DELIVERED_FULL) {
		delivered = DELIVERED_UNKNOWN;
	}
	return delivered;
}

static enum delivered perform(struct action *action, const struct gesture *gesture, GError **error)
{
	struct finding *finding = &action->finding;
	switch (action->kind) {
	case ACTION_CLICK:
		action->performed = action->count > 1 ? "clicked repeatedly at" : "clicked at";
		return action->count > 1 ? pointer_click_apart(gesture, action->count, error)
					 : click_once(action, gesture, error);
	case ACTION_SCROLL:
		action->performed = "turned the wheel at";
		return pointer_click(gesture, rung_notches(action), error);
	case ACTION_SET_VALUE:
		action->performed = finding->button > 3 ? "turned the wheel at" : "clicked at";
		return pointer_click(gesture, finding->presses, error);
	case ACTION_HOVER:
		action->performed = "moved the pointer to";
		return pointer_hover(gesture, error);
	case ACTION_BUTTON_DOWN:
		action->performed = "pressed the button at";
		return pointer_down(gesture, error);
	case ACTION_BUTTON_UP:
		action->performed = "released the button at";
		return pointer_up(gesture, error);
	default:
		action->performed = "dragged in";
		finding->unit = "steps";
		finding->asked = action->steps;
		return pointer_drag(gesture, action->to, action->steps, action->duration_ms, &finding->done, error);
	}
}

/* Whether there can be a pointer of the kernel; looked at before the session gets a pair of its own. */
static bool may_be_real(const struct action *action, GError **error)
{
	struct x11_server *server = x11_begin(x11_platform_x11(action->platform), action->deadline, error);
	if (server == NULL) {
		return false;
	}
	g_autoptr(GError) reason = NULL;
	bool may = kernel_may(server, &reason);
	bool looked = x11_end(server, error);
	if (looked && !may) {
		g_propagate_error(error, g_steal_pointer(&reason));
	}
	return looked && may;
}

/* Who asked for it gets it or an error; a toolkit that is better off with one gets it where there is one. */
static bool get_real(const struct action *action, struct gesture *gesture, GError **error)
{
	g_autoptr(GError) reason = NULL;
	gesture->real = (action->real_device || quirks_has(gesture->toolkit, QUIRK_REAL_DEVICE))
		&& kernel_attach(gesture->device, gesture->server, &reason);
	if (!action->real_device || gesture->real) {
		return true;
	}
	if (reason != NULL) {
		g_propagate_error(error, g_steal_pointer(&reason));
	}
	return false;
}

/* The application wanted to hand its window over, which was prevented: a drag is done otherwise, a
 * click asks for no more. */
static enum delivered answer_handed(struct action *action, enum moveresize asked, GError **error)
{
	switch (action->kind) {
	case ACTION_DRAG:
		return window_drag(action, asked, error);
	case ACTION_BUTTON_DOWN:
	case ACTION_BUTTON_UP:
	case ACTION_HOVER:
		/* The button is up again. */
		return window_drag(action, MOVERESIZE_NONE, error);
	default:
		return DELIVERED_FULL;
	}
}

static enum delivered deliver(struct action *action, GError **error)
{
	struct devices *devices = x11_platform_devices(action->platform);
	if (action->kind == ACTION_DRAG && action->on_title && action->button == BUTTON_LEFT) {
		/* Nothing has to be pressed to know what it is for. */
		return window_drag(action, MOVERESIZE_MOVE, error);
	}
	struct moveresize_watch handed = { .asked = MOVERESIZE_NONE };
	struct gesture gesture = {
		.window = (xcb_window_t)action->window->id, .point = action->point, .button = rung_button(action),
		.to_window = (xcb_window_t)action->to_window,
		.toolkit = action->window->toolkit, .action = action, .deadline = action->deadline,
	};
	if (!rung_modifiers(action, &gesture.modifiers, error)
		|| !find_point(action, &gesture.point, error)
		|| (action->real_device && !may_be_real(action, error))) {
		return DELIVERED_NONE;
	}
	if (action->kind == ACTION_SCROLL && action->scrolled_at != 0) {
		/* Who scrolls by what was not to be seen wants to see it: the wheel would take it away again. */
		action->performed = "scrolled into view";
		return DELIVERED_FULL;
	}
	gesture.handed = action->kind != ACTION_SCROLL && gesture.button < 4
			&& handle_may_be(action, gesture.point)
		? &handed
		: NULL;
	gesture.device = devices_lend(devices, action->session, error);
	if (gesture.device == NULL) {
		return DELIVERED_NONE;
	}
	struct popup popup;
	enum delivered delivered = DELIVERED_NONE;
	gesture.server = device_begin(gesture.device, action->deadline, error);
	if (gesture.server != NULL) {
		gesture.device->freeze = (struct freeze){ 0 };
		if (get_real(action, &gesture, error) && pointer_free(&gesture, action->window->pid, error)) {
			action->finding.device = gesture.real ? "uinput" : NULL;
			action->finding.hovered = action->kind != ACTION_HOVER;
			popup_resume(&popup, gesture.device, gesture.server, action);
			delivered = perform(action, &gesture, error);
			popup_leave(&popup);
		}
		action->finding.held_ms = gesture.device->freeze.ms;
		action->finding.held_moved = gesture.device->freeze.moved;
		GError *late = NULL;
		if (!device_end(gesture.device, gesture.server, &late) && error != NULL && *error == NULL
			&& delivered != DELIVERED_FULL) {
			g_propagate_error(error, g_steal_pointer(&late));
		}
		g_clear_error(&late);
		devices_used(devices, gesture.device, action->kind == ACTION_HOVER ? HOVER_MS : MENU_MS);
	}
	device_unref(gesture.device);
	return delivered != DELIVERED_FULL || handed.asked == MOVERESIZE_NONE
		? delivered
		: answer_handed(action, handed.asked, error);
}

/* What accessibility found out before it had to give up. */
static char *look(const struct action *action, struct deadline deadline)
{
	return action->kind == ACTION_DRAG ? window_drag_look(action, deadline)
					   : rung_ax.look(action, deadline);
}

const struct rung_impl rung_pixel = {
	.path = "x11_pixel",
	.delivery = DELIVERY_BACKGROUND,
	.takes = ADDRESS_ELEMENT | ADDRESS_POINT,
	.can = can,
	.deliver = deliver,
	.look = look,
};
