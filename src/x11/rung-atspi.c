/* SPDX-License-Identifier: MIT */
/*
 * The element's own action, chosen by name, or its selection in what it is in: no pointer, no keyboard,
 * no focus, works on covered windows.
 */
#include "config.h"

#include <string.h>

#include "atspi/press.h"
#include "atspi/verb.h"
#include "x11/devices.h"
#include "x11/popup.h"
#include "x11/quirks.h"
#include "x11/rung.h"

/* How long our pointer stays everybody's: until a menu that opened has it for certain. */
#define MENU_MS 400

/* How the action is done; WAY_NONE with `why` if it is not done here. */
static enum way choose(const struct action *action, const char **verb, enum step *step,
	struct refusal *why)
{
	*verb = NULL;
	*step = STEP_NONE;
	if (action->kind == ACTION_CLICK || action->kind == ACTION_INVOKE_MENU) {
		*step = action->kind == ACTION_CLICK ? verb_step(action) : STEP_NONE;
		return verb_choose(action, verb, why);
	}
	if (action->kind == ACTION_PRESS_KEY) {
		enum press press = press_choose(action, verb, step, why);
		return press == PRESS_PERFORM ? WAY_PERFORM : press == PRESS_PICK ? WAY_PICK : WAY_NONE;
	}
	return WAY_NONE;
}

static enum verdict can(const struct action *action, struct refusal *why)
{
	const char *verb;
	enum step step;
	return choose(action, &verb, &step, why) != WAY_NONE ? VERDICT_YES : VERDICT_NO;
}

/* Rows are what people click in lists with columns; a spreadsheet has cells. */
static enum delivered pick(const struct action *action, enum step step, GError **error)
{
	return atspi_pick(x11_platform_atspi(action->platform), action->now, element_document(action->element) == NULL, step,
		action->deadline, error);
}

/* Its own action gives it the focus inside of its page; the keys may still go to the address bar. */
static bool is_page_field(const struct action *action)
{
	return action->kind == ACTION_CLICK && action->now->in_web_content && (action->now->states & STATE_EDITABLE) != 0;
}

static enum delivered perform(
	struct action *action, const char *verb, struct mark *mark, GError **error)
{
	return atspi_perform(x11_platform_atspi(action->platform), action->now, verb,
		action->window->pid, mark, action->deadline, error);
}

/* With a pair of ours for what the menu grabs; where that cannot be it is not opened, unless the
 * caller lets it take the user's. */
static enum delivered open_menu(
	struct action *action, const char *verb, struct mark *mark, GError **error)
{
	struct devices *devices = x11_platform_devices(action->platform);
	struct popup popup;
	g_autoptr(GError) why = NULL;
	struct device *device = NULL;
	if (action->kind == ACTION_INVOKE_MENU) {
		why = g_error_new(
			CUA_ERROR, ERROR_POPUP_GRABS_USER, "It is a menu, and no item of one");
	} else if (!quirks_has(action->window->toolkit, QUIRK_MENU_TAKES_FOCUS)) {
		device = devices_lend(devices, action->session, &why);
	} else {
		why = g_error_new(CUA_ERROR, ERROR_POPUP_GRABS_USER,
			"A menu of this toolkit takes the user's focus, too");
	}
	struct x11_server *server = device != NULL ? device_begin(device, action->deadline, &why)
						   : NULL;
	bool begun = server != NULL && popup_begin(&popup, device, server, action, true, &why);
	enum delivered delivered = DELIVERED_NONE;
	mark->menu = true;
	if (begun || action->allow_grab) {
		delivered = perform(action, verb, mark, error);
	} else {
		error_set(error, ERROR_POPUP_GRABS_USER,
			"Opening the %s \"%s\" would take the keyboard from the user, "
			"so it was not opened: %s",
			action->now->role, action->now->name, why != NULL ? why->message : "");
	}
	/* A page may keep a right click for itself. */
	enum popup_hope hope = action->kind == ACTION_CLICK && action->button == BUTTON_RIGHT
		? POPUP_LIKELY
		: POPUP_SURELY;
	if (begun && !popup_end(&popup, hope, delivered == DELIVERED_FULL ? error : NULL)
		&& delivered == DELIVERED_FULL) {
		delivered = DELIVERED_UNKNOWN;
	}
	if (server != NULL) {
		action->finding.held_ms = device->freeze.ms;
		action->finding.held_moved = device->freeze.moved;
		device_end(device, server, NULL);
		devices_used(devices, device, MENU_MS);
	}
	device_unref(device);
	return delivered;
}

/* In an application in which a menu is open that has the pair of the session. */
static enum delivered perform_in_menu(
	struct action *action, const char *verb, struct mark *mark, GError **error)
{
	struct device *device = devices_find(
		x11_platform_devices(action->platform), action->session);
	struct x11_server *server = device != NULL && device->menu != XCB_WINDOW_NONE
		? device_begin(device, action->deadline, NULL) : NULL;
	struct popup popup;
	if (server != NULL) {
		popup_resume(&popup, device, server, action);
	}
	enum delivered delivered = perform(action, verb, mark, error);
	if (server != NULL) {
		popup_leave(&popup);
		device_end(device, server, NULL);
	}
	device_unref(device);
	return delivered;
}

static enum delivered deliver(struct action *action, GError **error)
{
	struct refusal why = { 0 };
	const char *verb;
	enum step step;
	enum delivered delivered;
	struct mark mark = { 0 };
	switch (choose(action, &verb, &step, &why)) {
	case WAY_PERFORM:
		if (verb_opens_selected(action, verb)) {
			delivered = pick(action, STEP_NONE, error);
			if (delivered != DELIVERED_FULL) {
				return delivered;
			}
			action->finding.picked = true;
		}
		action->performed = verb;
		action->lag_ms = verb_lag_ms(action->window, verb);
		delivered = (verb_opens_menu(action, verb) ? open_menu : perform_in_menu)(
			action, verb, &mark, error);
		action->moment = mark.moment;
		action->stirred = mark.stirred;
		if (delivered == DELIVERED_FULL && is_page_field(action)) {
			rung_give_focus(action);
		}
		return delivered;
	case WAY_PICK:
		action->performed = step == STEP_NONE ? "select" : step == STEP_TURN ? "turned over the selection of" : step == STEP_RANGE
			? "selected all up to" : "move the selection from";
		/* Who holds a key while clicking asks for the selection, and no more. */
		action->finding.unheard = verb_pick_is_unheard(action) && step != STEP_TURN && step != STEP_RANGE;
		return pick(action, step, error);
	case WAY_NONE:
		break;
	}
	g_set_error_literal(error, CUA_ERROR, (int)why.code, why.reason);
	refusal_clear(&why);
	return DELIVERED_NONE;
}

const struct rung_impl rung_atspi = {
	.path = "x11_atspi",
	.delivery = DELIVERY_BACKGROUND,
	.takes = ADDRESS_ELEMENT,
	.through_accessibility = true,
	.can = can,
	.deliver = deliver,
};
