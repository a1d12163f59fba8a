/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/one-focus.h"

#include <stdlib.h>
#include <string.h>
#include <xcb/xinput.h>

#include "atspi/focus.h"
#include "atspi/kind.h"
#include "core/past.h"
#include "x11/courtesy.h"
#include "x11/quirks.h"
#include "x11/receipt.h"
#include "x11/tops.h"

/* For an application to read the keys, before it hears that the focus is gone. */
#define RECEIPT_MS 1000
/* How long an application may take to become active, and to say so. */
#define ACTIVE_MS 4000
/* So long it says nothing then when it has come to rest, and so long that is waited for. */
#define SETTLE_MS 60
#define REST_MS 600
#define MOST_ELEMENTS 5000
/* For it to be listened to at all. */
#define HEARING_MS 500

/* Whether it is a child of the root that a user sees as a window, where no window manager lists
 * them. */
static bool is_shown(struct x11_server *server, xcb_window_t window)
{
	xcb_get_window_attributes_reply_t *reply = x11_reply(
		server, xcb_get_window_attributes(server->c, window).sequence);
	bool shown = reply != NULL && reply->map_state == XCB_MAP_STATE_VIEWABLE
		&& !reply->override_redirect;
	free(reply);
	return shown;
}

/* Whether the client that made this window has another top-level one: in that child of the root, or
 * (0) anywhere. */
static bool has_sibling(struct x11_server *server, xcb_window_t window, xcb_window_t frame)
{
	struct x11_desk desk = { 0 };
	x11_desk_read(server, X11_DESK_USER, &desk);
	const GArray *tops = desk.managed ? desk.clients : desk.children;
	bool found = false;
	for (guint i = 0; i < tops->len && !found; i++) {
		xcb_window_t top = g_array_index(tops, xcb_window_t, i);
		found = top != window && ((top ^ window) & ~server->id_mask) == 0
			&& (desk.managed || is_shown(server, top))
			&& (frame == XCB_WINDOW_NONE || x11_top_of(server, top) == frame);
	}
	x11_desk_clear(&desk);
	return found;
}

/* Whether the user's keyboard is in another window of the client that made this one. */
static bool user_is_beside(struct x11_server *server, xcb_window_t window)
{
	xcb_window_t focus = x11_focus_collect(server, x11_focus_ask(server));
	if (focus == XCB_WINDOW_NONE || focus == window
		|| ((focus ^ window) & ~server->id_mask) != 0) {
		return false;
	}
	/* Toolkits have it in a window of their own, inside or beside the one for the user. */
	xcb_window_t frame = x11_top_of(server, focus);
	return frame != XCB_WINDOW_NONE && frame != x11_top_of(server, window)
		&& has_sibling(server, window, frame);
}

bool one_focus_allows(struct x11_server *server, xcb_window_t window, const char *toolkit,
	bool press, GError **error)
{
	if (quirks_has(toolkit, press ? QUIRK_PRESS_APART : QUIRK_OWN_FOCUS)
		|| !user_is_beside(server, window)) {
		return true;
	}
	g_set_error(error, CUA_ERROR, ERROR_USER_ACTIVE,
		press ? "The user works in another window of this application, and a press here "
			"would take the user's keys to this one"
		      : "The user works in another window of this application, which would get "
			"these keys: it has one keyboard focus for "
			"all of its windows");
	return false;
}

/* The top-level of the window in the accessibility tree; owned, NULL if there is none. */
static struct tree *top_of(const struct action *action)
{
	const struct tree_limits limits = { .max_elements = 1 };
	struct platform *platform = action->platform;
	struct tree *tree = platform->impl->tree(
		platform, action->window, &limits, action->deadline, NULL);
	if (tree != NULL && tree->elements->len == 0) {
		g_clear_pointer(&tree, tree_free);
	}
	return tree;
}

/* Whether anything in the window says that it has the focus. */
static bool has_focus(const struct action *action, struct deadline deadline)
{
	const struct tree_limits limits = { .max_elements = MOST_ELEMENTS };
	struct platform *platform = action->platform;
	struct tree *tree = platform->impl->tree(platform, action->window, &limits, deadline, NULL);
	bool has = false;
	for (guint i = 0; tree != NULL && i < tree->elements->len && !has; i++) {
		has = (((const struct element *)tree->elements->pdata[i])->states & STATE_FOCUSED)
			!= 0;
	}
	tree_free(tree);
	return has;
}

/* What an application says. */
struct heard {
	const char *provider;
	bool anything;
};

static bool hear(const struct happening *happening, void *data)
{
	struct heard *heard = data;
	heard->anything = heard->anything
		|| (happening->kind == HAPPENED_ELEMENT
			&& strcmp(happening->provider, heard->provider) == 0);
	return true;
}

/*
 * A window is active before its toolkit has moved the focus, and that is before a program has
 * changed what it shows for that, in idle moments: Calc drops what is typed until then. Nobody
 * tells of the end of it; this waits until the application has said nothing for a while.
 */
static void let_settle(struct past *past, const char *provider, struct deadline deadline)
{
	guint64 from = past_count(past);
	struct deadline quiet = deadline_within(deadline, SETTLE_MS);
	while (past_wait(past, from, quiet)) {
		struct heard heard = { provider, false };
		past_look(past, &from, hear, &heard);
		quiet = heard.anything ? deadline_within(deadline, SETTLE_MS) : quiet;
	}
}

/* Waits until the window is active, has the focus of its application, and is at rest. */
static bool comes(const struct action *action, const struct element *top)
{
	struct past *past = action->platform->past;
	struct deadline deadline = deadline_within(action->deadline, ACTIVE_MS);
	/* Only documents are asked where keys go; in a dialog that was never entered nothing has
	 * it. */
	bool asks = strcmp(top->role, "frame") == 0;
	bool active = focus_is_active(x11_platform_atspi(action->platform), top, deadline);
	bool focused = active && (!asks || has_focus(action, action->deadline));
	while (active && !focused && deadline_left(deadline) > 0) {
		past_wait(past, past_count(past), deadline_within(deadline, SETTLE_MS));
		focused = has_focus(action, action->deadline);
	}
	if (focused) {
		let_settle(past, top->provider, deadline_within(action->deadline, REST_MS));
	}
	return focused;
}

/* Whether it has to become active; a menu or a tooltip never does. */
static bool needs_proof(const struct window *window)
{
	return quirks_has(window->toolkit, QUIRK_FOCUS_PROVEN) && kind_of(window) == KIND_TOP;
}

/* Whether it is known that its keys come into it, or there is no other window that they could come
 * into. */
static bool is_safe(const struct typing *typing)
{
	return quirks_has(typing->toolkit, QUIRK_OWN_FOCUS | QUIRK_FOCUS_FOR_KEYS)
		|| !has_sibling(typing->server, typing->window, XCB_WINDOW_NONE);
}

bool one_focus_take(
	const struct action *action, const struct typing *typing, bool *told, GError **error)
{
	*told = false;
	if (!one_focus_allows(typing->server, typing->window, typing->toolkit, false, error)) {
		return false;
	}
	if (is_safe(typing)) {
		return true;
	}
	struct tree *top = needs_proof(action->window) ? top_of(action) : NULL;
	bool sure = false;
	if (top != NULL) {
		const struct element *element = top->elements->pdata[0];
		past_await_hearing(action->platform->past, element->provider,
			deadline_within(action->deadline, HEARING_MS));
		/* One that was told before and never heard of its end would not take it as news. */
		focus_tell(typing->server, typing->window, false);
		*told = focus_tell(typing->server, typing->window, true);
		xcb_flush(typing->server->c);
		sure = comes(action, element);
		tree_free(top);
	}
	if (sure) {
		return true;
	}
	if (*told) {
		one_focus_leave(typing);
		*told = false;
	}
	g_set_error(error, CUA_ERROR, ERROR_BACKGROUND_UNAVAILABLE,
		"This application has several windows, and nothing shows that keys "
		"would reach this one; no key was sent");
	return false;
}

bool one_focus_release(struct x11_server *server, unsigned keyboard)
{
	const xcb_input_device_id_t id = (xcb_input_device_id_t)keyboard;
	xcb_input_xi_get_focus_reply_t *reply =
		x11_reply(server, xcb_input_xi_get_focus(server->c, id).sequence);
	bool answered = reply != NULL;
	if (answered && reply->focus != XCB_INPUT_FOCUS_POINTER_ROOT) {
		xcb_input_xi_set_focus(
			server->c, XCB_INPUT_FOCUS_POINTER_ROOT, XCB_CURRENT_TIME, id);
	}
	free(reply);
	return answered;
}

void one_focus_leave(const struct typing *typing)
{
	receipt_wait(typing->server, typing->window, 0, RECEIPT_MS);
	focus_tell(typing->server, typing->window, false);
	xcb_flush(typing->server->c);
}

bool one_focus_comes(const struct action *action, struct x11_server *server, GError **error)
{
	struct tree *top = action->window != NULL && needs_proof(action->window)
			&& has_sibling(server, (xcb_window_t)action->window->id, XCB_WINDOW_NONE)
		? top_of(action)
		: NULL;
	bool sure = top == NULL || comes(action, top->elements->pdata[0]);
	tree_free(top);
	if (sure) {
		return true;
	}
	g_set_error(error, CUA_ERROR, ERROR_FOREGROUND_UNAVAILABLE,
		"The window has the user's keyboard, and its application does not say "
		"that it gives it the keys; no key was sent");
	return false;
}
