/* SPDX-License-Identifier: MIT */
/*
 * The session's own keyboard: text into what accessibility cannot write to, pages, terminals, canvases, and keys
 * that no action of an element stands for.
 */
#include "config.h"

#include <string.h>
#include <xkbcommon/xkbcommon-keysyms.h>

#include "atspi/atspi.h"
#include "atspi/caret.h"
#include "core/keys.h"
#include "core/past.h"
#include "core/quote.h"
#include "x11/courtesy.h"
#include "x11/devices.h"
#include "x11/key-focus.h"
#include "x11/keyboard.h"
#include "x11/one-focus.h"
#include "x11/pointer.h"
#include "x11/popup.h"
#include "x11/quirks.h"
#include "x11/receipt.h"
#include "x11/rung.h"

/* For the target to show what a key did, and to be read. */
#define FOLLOW_MS 300
#define LOOK_MS 500

/* What the rungs before said of the element holds for keys, too. */
static bool is_final(const struct action *action)
{
	static const enum error_code codes[] = {
		ERROR_ELEMENT_DISABLED, ERROR_ELEMENT_READ_ONLY, ERROR_STALE_ELEMENT, ERROR_APP_UNRESPONSIVE,
		ERROR_CANCELLED, ERROR_DEADLINE_EXCEEDED,
	};
	for (gsize i = 0; i < G_N_ELEMENTS(codes) && action->has_refused; i++) {
		if (action->refused == codes[i]) {
			return true;
		}
	}
	return false;
}

/* It writes the text, or does what rung_ax found that a key does. */
static bool is_typing(const struct action *action)
{
	return action->kind == ACTION_TYPE_TEXT || action->kind == ACTION_PRESS_KEY
		|| (action->kind == ACTION_SET_VALUE && (action->finding.key != 0 || action->finding.retype));
}

static enum verdict refuse(struct refusal *why, enum error_code code, char *reason)
{
	*why = (struct refusal){ code, reason };
	return VERDICT_NO;
}

/* The cell of a sheet; NULL if it is none. */
static const struct element *cell_of(const struct action *action)
{
	const struct element *document = element_document(action->element);
	return action->now != NULL && document != NULL && strcmp(document->role, "document spreadsheet") == 0
		&& strcmp(action->now->role, "table cell") == 0 ? action->now : NULL;
}

static enum verdict can(const struct action *action, struct refusal *why)
{
	if (!is_typing(action) || is_final(action)) {
		return refuse(why, ERROR_BACKGROUND_UNAVAILABLE, g_strdup("A keyboard cannot do that"));
	}
	if (action->window->minimized) {
		return refuse(why, ERROR_WINDOW_MINIMIZED,
			g_strdup("The window is minimised, where no key reaches it"));
	}
	if (action->blocker != NULL) {
		return refuse(why, ERROR_BACKGROUND_UNAVAILABLE,
			quote_format("The window waits for its dialog \"%.80s\" (window_id "
				     "%" G_GUINT64_FORMAT
				     "), which would get the keys: answer that first",
				action->blocker->title, action->blocker->id));
	}
	if (action->now != NULL && (action->now->states & STATE_ENABLED) == 0) {
		return refuse(why, ERROR_ELEMENT_DISABLED, quote_format("The %s \"%s\" is disabled",
			action->now->role, action->now->name));
	}
	if (action->kind == ACTION_TYPE_TEXT && cell_of(action) != NULL && (action->now->states & STATE_EDITABLE) == 0) {
		return refuse(why, ERROR_ELEMENT_READ_ONLY,
			quote_format("The %s \"%s\" is protected", action->now->role,
				action->now->name));
	}
	if (!key_focus_may_take(action) && key_focus_is_impossible(action)) {
		return refuse(why, ERROR_BACKGROUND_UNAVAILABLE,
			quote_format("No action of the %s \"%s\" and no "
				     "key binding of the window does what that key does, and the "
				     "click that gives it the focus "
				     "would operate it",
				action->now->role, action->now->name));
	}
	return VERDICT_YES;
}

/* A place of the window where its pointer was, or the middle of what is on the screen. */
static struct screen_px harmless(const struct action *action, const struct device *device)
{
	struct screen_rect bounds = action->window->bounds;
	struct screen_px last = { bounds.x + device->place.x, bounds.y + device->place.y };
	if (device->typed == (xcb_window_t)action->window->id && screen_rect_contains(bounds, last)) {
		return last;
	}
	return screen_rect_center(bounds);
}

/* Where the pointer is while keys are pressed; `clicks`: it presses there before. */
static bool find_point(struct action *action, const struct device *device, bool focused, bool clicks, struct screen_px *point,
	GError **error)
{
	if (action->pointed) {
		*point = action->point;
		return true;
	}
	if (focused && screen_rect_contains(action->window->bounds, action->point)) {
		*point = action->point;
		return true;
	}
	if (action->element != NULL && !focused) {
		g_autoptr(GError) ignored = NULL;
		/* What has the focus need not be scrolled to. */
		struct action still = *action;
		still.now = NULL;
		if (rung_locate(clicks ? action : &still, point, clicks ? error : &ignored)) {
			return true;
		}
		if (clicks) {
			return false;
		}
	}
	*point = harmless(action, device);
	return true;
}

static struct gesture click_of(const struct action *action, const struct typing *typing)
{
	return (struct gesture){
		.device = typing->device, .server = typing->server, .window = typing->window,
		.point = typing->point, .button = key_focus_takes_middle(action) ? 2 : 1, .toolkit = typing->toolkit,
		.action = action, .deadline = typing->deadline,
	};
}

/* A line that is typed into a cell of a sheet, and its Enter, is what the cell shows then. */
static void expect_in_cell(struct action *action)
{
	struct finding *finding = &action->finding;
	const struct element *cell = cell_of(action);
	const char *end = action->kind == ACTION_TYPE_TEXT ? strpbrk(action->text, "\n\r\t") : NULL;
	if (end == NULL || strcmp(end, "\n") != 0 || action->pointed || action->focused || cell == NULL
		|| cell->value == NULL) {
		return;
	}
	finding->kind = "text";
	finding->before = g_strdup(cell->value);
	finding->wanted = g_strndup(action->text, (gsize)(end - action->text));
	finding->length = finding->to = (int)g_utf8_strlen(finding->wanted, -1);
}

/* What the target shows when the key is read; it is given a moment to become something else than `before`. */
static char *look_after(const struct action *action, const struct typing *typing, const char *before)
{
	struct past *past = action->platform->past;
	struct deadline until = deadline_within(action->deadline, FOLLOW_MS);
	receipt_wait(typing->server, typing->window, 1, FOLLOW_MS);
	for (bool waited = true;;) {
		guint64 count = past_count(past);
		char *now = rung_ax.look(action, deadline_within(action->deadline, LOOK_MS));
		if (now == NULL || g_strcmp0(now, before) != 0 || !waited) {
			return now;
		}
		g_free(now);
		waited = past_wait(past, count, until);
	}
}

/* Gives it the focus again; false with an error if that cannot be done without doing more. */
static bool focus_again(const struct action *action, const struct gesture *gesture, GError **error)
{
	if (key_focus_is_there(action) || key_focus_by_verb(action)) {
		return true;
	}
	if (key_focus_click_harms(action)) {
		error_set(error, ERROR_DELIVERY_FAILED, "The %s \"%s\" has lost the focus",
			action->now->role, action->now->name);
		return false;
	}
	return pointer_click_apart(gesture, 1, error) == DELIVERED_FULL;
}

/* One at a time, until the target is as asked for. A key that it does not follow is not pressed again. */
static enum delivered press_until(const struct action *action, const struct typing *typing, const struct chord *chord,
	GError **error)
{
	const struct gesture gesture = click_of(action, typing);
	const struct finding *finding = &action->finding;
	g_autofree char *before = g_strdup(finding->before);
	struct chord now_pressed = *chord;
	for (int i = 0; i < finding->presses; i++) {
		int done = 0;
		if (i > 0 && !focus_again(action, &gesture, error)) {
			return DELIVERED_PARTIAL;
		}
		enum delivered delivered = keyboard_press(typing, &now_pressed, 1, &done, error);
		if (delivered != DELIVERED_FULL) {
			return i > 0 && delivered == DELIVERED_NONE ? DELIVERED_PARTIAL : delivered;
		}
		g_autofree char *now = look_after(action, typing, before);
		bool followed = now != NULL && g_strcmp0(now, before) != 0;
		if ((!followed && (finding->back == 0 || now_pressed.key == finding->back))
			|| g_strcmp0(now, finding->wanted) == 0) {
			break;
		}
		now_pressed.key = followed ? now_pressed.key : finding->back;
		g_free(before);
		before = g_steal_pointer(&now);
	}
	return DELIVERED_FULL;
}

static enum delivered press(struct action *action, struct typing *typing, bool focused, const GArray *chords,
	GError **error)
{
	struct finding *finding = &action->finding;
	int done = 0;
	enum delivered clicked = DELIVERED_NONE;
	expect_in_cell(action);
	/* Of what may be given the focus and did not get it nothing says where keys would go. */
	bool clicks = !focused && (key_focus_may_take(action) || rung_needs_click(action));
	bool given = clicks && key_focus_by_verb(action);
	clicks = clicks && !given;
	if (clicks && key_focus_click_harms(action)) {
		error_set(error, ERROR_BACKGROUND_UNAVAILABLE,
			"The %s \"%s\" does not take the focus, and a click would operate it",
			action->now->role, action->now->name);
		return DELIVERED_NONE;
	}
	if (!find_point(action, typing->device, focused, clicks, &typing->point, error)) {
		return DELIVERED_NONE;
	}
	const struct gesture gesture = click_of(action, typing);
	if (!pointer_free(&gesture, action->window->pid, error)) {
		return DELIVERED_NONE;
	}
	finding->hovered = finding->keyed = true;
	finding->clicked = clicks;
	if (finding->clicked) {
		struct atspi *atspi = x11_platform_atspi(action->platform);
		struct caret caret = { .offset = -1 };
		/* Who names a point means it; who names an element means the place in it where its caret is. */
		if (!action->pointed) {
			caret_read(atspi, action->now, action->deadline, &caret);
		}
		clicked = pointer_click_apart(&gesture, 1, error);
		if (clicked != DELIVERED_FULL) {
			return clicked;
		}
		/* What never has the focus hears keys as the page does; but text goes into a field, or nowhere. */
		bool needs_focus = action->kind == ACTION_TYPE_TEXT
			|| (action->now != NULL && (action->now->states & (STATE_FOCUSABLE | STATE_EDITABLE)) != 0);
		if (needs_focus && action->now != NULL && action->now->plugged && !key_focus_comes(action)) {
			error_set(error, ERROR_DELIVERY_FAILED,
				"The %s \"%s\" was clicked and did not take the focus; no key was "
				"sent",
				action->now->role, action->now->name);
			return DELIVERED_PARTIAL;
		}
		caret_restore(atspi, action->now, action->deadline, &caret);
	}
	const struct chord *keys = (const struct chord *)(const void *)chords->data;
	enum delivered delivered = finding->key != 0 && !finding->at_once ? press_until(action, typing, keys, error)
		: keyboard_press(typing, keys, (int)chords->len, &done, error);
	typing->device->place = (struct screen_px){ typing->point.x - action->window->bounds.x,
		typing->point.y - action->window->bounds.y };
	action->performed = action->kind == ACTION_PRESS_KEY ? "pressed the key in" : finding->key == XKB_KEY_space
		? "pressed the space bar in" : finding->key != 0
		? "moved through" : "typed into";
	if (action->kind == ACTION_TYPE_TEXT || finding->retype) {
		/* The first key selected what was there. */
		int before = finding->retype && !finding->digits ? 1 : 0;
		finding->unit = "chars";
		finding->asked = action->text[0] != '\0' ? (int)chords->len - before : 0;
		finding->done = CLAMP(done - before, 0, finding->asked);
	}
	/* The click was. */
	return delivered == DELIVERED_NONE && clicked == DELIVERED_FULL ? DELIVERED_PARTIAL : delivered;
}

static enum delivered perform(struct action *action, struct typing *typing, const GArray *chords, GError **error)
{
	bool told, made;
	if (!one_focus_take(action, typing, &made, error)) {
		return DELIVERED_NONE;
	}
	bool focused = key_focus_take(action, typing, &told);
	enum delivered delivered = press(action, typing, focused, chords, error);
	if (made) {
		one_focus_leave(typing);
	} else if (told) {
		focus_tell(typing->server, typing->window, false);
	}
	return delivered;
}

static enum delivered deliver(struct action *action, GError **error)
{
	struct devices *devices = x11_platform_devices(action->platform);
	struct typing typing = {
		.window = (xcb_window_t)action->window->id, .toolkit = action->window->toolkit,
		.delay_ms = action->delay_ms, .text = action->kind == ACTION_TYPE_TEXT || action->finding.retype,
		.deadline = action->deadline,
	};
	if (quirks_has(action->window->toolkit, QUIRK_KEYS_NEED_FOCUS)) {
		action->finding.instead = "foreground";
		error_set(error, ERROR_BACKGROUND_UNAVAILABLE,
			"This toolkit (%s) hears keys only while its window "
			"has the focus; delivery_mode: foreground takes it there and back",
			action->window->toolkit);
		return DELIVERED_NONE;
	}
	g_autoptr(GArray) chords = rung_chords(action, error);
	typing.device = chords != NULL ? devices_lend(devices, action->session, error) : NULL;
	if (typing.device == NULL) {
		return DELIVERED_NONE;
	}
	enum delivered delivered = DELIVERED_NONE;
	typing.server = device_begin(typing.device, action->deadline, error);
	if (typing.server != NULL) {
		struct popup popup;
		popup_resume(&popup, typing.device, typing.server, action);
		delivered = perform(action, &typing, chords, error);
		popup_leave(&popup);
		GError *late = NULL;
		if (!device_end(typing.device, typing.server, &late) && delivered != DELIVERED_FULL && *error == NULL) {
			g_propagate_error(error, g_steal_pointer(&late));
		}
		g_clear_error(&late);
		devices_used(devices, typing.device, KEYBOARD_REST_MS);
	}
	device_unref(typing.device);
	return delivered;
}

/* What accessibility found out before it had to give up. */
static char *look(const struct action *action, struct deadline deadline)
{
	return rung_ax.look(action, deadline);
}

const struct rung_impl rung_key = {
	.path = "key_events",
	.delivery = DELIVERY_BACKGROUND,
	.takes = ADDRESS_ELEMENT | ADDRESS_POINT | ADDRESS_FOCUS,
	.can = can,
	.deliver = deliver,
	.look = look,
};
