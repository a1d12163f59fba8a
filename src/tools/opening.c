/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tools/opening.h"

#include <string.h>

#include "core/disturbance.h"
#include "core/effect.h"
#include "core/menu.h"
#include "core/past.h"
#include "tools/acting.h"

/* How long a menu is given to show its entries, and, once it shows some, the one that is looked for. */
#define UNROLL_MS 5000
#define COMPLETE_MS 1500
/* One that closes by itself does it within this time. */
#define CLOSE_MS 1000
/* Opening is judged by what the tree shows afterwards, not by what was heard of it. */
#define OPEN_SETTLE_MS 50
/* A last look at the user's side. */
#define LOOK_MS 1000
/* How often what does not close is told to: a menu level by level, a button that might open it again less often. */
#define MENU_CLOSINGS 4
#define BUTTON_CLOSINGS 2

static const struct element *parent_of(const struct tree *tree, const struct element *element)
{
	return element->parent >= 0 ? tree->elements->pdata[element->parent] : NULL;
}

static bool is_button(const struct element *element)
{
	return strcmp(element->role, "push button") == 0 || strcmp(element->role, "toggle button") == 0;
}

/*
 * GTK4's menu button is a button around one with an action; the menu becomes its child, too. The outer one
 * of such an inner one, or NULL.
 */
static const struct element *outer_of(const struct call *call, const struct tree *tree,
	const struct element *element)
{
	const struct element *outer = parent_of(tree, element);
	return strcmp(call->window->toolkit, "gtk4") == 0 && is_button(element) && outer != NULL
		&& is_button(outer) && element->actions[0] != NULL ? outer : NULL;
}

/* Filled when it opens, as that of a file manager. */
static bool is_menu(const struct call *call, const struct element *element)
{
	return strcmp(call->window->toolkit, "gtk3") == 0 && strcmp(element->role, "menu") == 0;
}

bool opening_is(const struct call *call, const struct tree *tree, const struct element *element)
{
	return outer_of(call, tree, element) != NULL || is_menu(call, element);
}

const struct element *opening_find(const struct call *call, const struct tree *tree, const char *label)
{
	const struct element *found = NULL;
	for (guint i = 0; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		const struct element *outer = outer_of(call, tree, element);
		if (outer != NULL && (menu_label_matches(element->name, label)
			|| menu_label_matches(outer->name, label))) {
			/* Of two with one label none is meant more than the other. */
			if (found != NULL) {
				return NULL;
			}
			found = element;
		}
	}
	return found;
}

/* The menu while it is open, and what has to be known to close it. */
struct opening {
	struct call *call;
	const struct element *opener;
	const struct element *outer; /* its entries become children of this one */
	bool menu;                  /* the opener is one */
	const struct probe *user;   /* before it was opened */
	struct tree *tree;          /* the latest; NULL if there is none */
};

/* Presses what opens the menu, or one of its entries that is not the end of the path. */
static bool press(struct opening *opening, const struct element *element)
{
	struct call *call = opening->call;
	struct aim aim = { .element = element, .addressing = ADDRESS_ELEMENT };
	struct action action = acting_action(call, ACTION_CLICK, &aim);
	action.delivery = DELIVERY_BACKGROUND;
	action.allow_grab = args_bool(call->args, "allow_grab");
	action.patient = false;
	action.since = opening->user;
	effect_act(&action, OPEN_SETTLE_MS, call->answer);
	if (answer_failed(call->answer)) {
		return false;
	}
	answer_reset(call->answer);
	return true;
}

static const struct element *find_object(const struct tree *tree, const struct element *wanted)
{
	for (guint i = 0; tree != NULL && i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		if (strcmp(element->object, wanted->object) == 0
			&& strcmp(element->provider, wanted->provider) == 0) {
			return element;
		}
	}
	return NULL;
}

/* Looks again and again until the menu has that entry; NULL if it does not get it in time. */
static const struct element *wait_for(struct opening *opening, const char *label, GPtrArray *labels)
{
	static const struct tree_limits limits = { .max_elements = 5000 };
	struct call *call = opening->call;
	struct deadline until = deadline_within(call->deadline, UNROLL_MS);
	gint64 shows = 0;
	for (;;) {
		guint64 heard = past_count(call->platform->past);
		g_clear_pointer(&opening->tree, tree_free);
		opening->tree = call->platform->impl->tree(call->platform, call->window, &limits, call->deadline,
			NULL);
		const struct element *outer = find_object(opening->tree, opening->outer);
		const struct element *entry = outer != NULL
			? menu_entry_in(opening->tree, outer, label, labels) : NULL;
		if (labels->len > 0 && shows == 0) {
			shows = g_get_monotonic_time();
			until = deadline_within(until, COMPLETE_MS);
		}
		if (entry != NULL || !past_wait(call->platform->past, heard, until)) {
			return entry;
		}
	}
}

static bool is_open(const struct opening *opening)
{
	struct platform *platform = opening->call->platform;
	struct element *now = platform->impl->reread(platform, opening->opener, opening->call->deadline, NULL);
	unsigned states = opening->menu ? STATE_SELECTED : STATE_PRESSED | STATE_CHECKED | STATE_EXPANDED;
	bool open = now != NULL && (now->states & states) != 0;
	element_free(now);
	return open;
}

static bool wait_until_closed(const struct opening *opening, int ms)
{
	struct past *past = opening->call->platform->past;
	struct deadline until = deadline_within(opening->call->deadline, ms);
	for (;;) {
		guint64 heard = past_count(past);
		if (!is_open(opening)) {
			return true;
		}
		if (!past_wait(past, heard, until)) {
			return false;
		}
	}
}

/* Pressed again a menu stays open; a key closes one level of it. */
static void press_escape(struct opening *opening)
{
	static const char *const escape[] = { "escape", NULL };
	struct call *call = opening->call;
	struct aim aim = { .addressing = ADDRESS_FOCUS };
	struct action action = acting_action(call, ACTION_PRESS_KEY, &aim);
	action.delivery = DELIVERY_BACKGROUND;
	action.allow_grab = true;
	action.patient = false;
	action.keys = escape;
	action.since = opening->user;
	effect_act(&action, OPEN_SETTLE_MS, call->answer);
}

/*
 * It closes by itself once an entry was performed, mostly, and not at once: pressed too early the button
 * would open it again. What is left open would keep the user's keyboard.
 */
static bool close_menu(struct opening *opening, bool chosen)
{
	struct call *call = opening->call;
	struct answer *kept = call->answer;
	bool closed = wait_until_closed(opening, chosen ? CLOSE_MS : 0);
	int most = opening->menu ? MENU_CLOSINGS : BUTTON_CLOSINGS;
	for (int tries = 0; !closed && tries < most; tries++) {
		call->answer = answer_new();
		if (opening->menu) {
			press_escape(opening);
		} else {
			press(opening, opening->opener);
		}
		answer_free(call->answer);
		call->answer = kept;
		closed = wait_until_closed(opening, CLOSE_MS);
	}
	return closed;
}

static void refuse(struct opening *opening, const char *label, const GPtrArray *labels)
{
	struct answer *answer = opening->call->answer;
	answer_fail(answer, ERROR_ITEM_NOT_FOUND, "There is no \"%s\" in the menu that \"%s\" opens", label,
		opening->opener->name);
	answer_open_array(answer, "items");
	for (guint i = 0; i < labels->len; i++) {
		answer_string(answer, NULL, labels->pdata[i]);
	}
	answer_close_array(answer);
}

static void perform(struct opening *opening, const char *const *path)
{
	struct call *call = opening->call;
	g_autoptr(GPtrArray) labels = g_ptr_array_new_with_free_func(g_free);
	for (; *path != NULL; path++) {
		const struct element *entry = wait_for(opening, *path, labels);
		if (entry == NULL) {
			refuse(opening, *path, labels);
			return;
		}
		if (path[1] != NULL) {
			if (!press(opening, entry)) {
				return;
			}
			continue;
		}
		struct aim aim = { .element = entry, .addressing = ADDRESS_ELEMENT };
		struct action action = acting_action(call, ACTION_INVOKE_MENU, &aim);
		action.allow_grab = true;
		action.since = opening->user;
		acting_run(call, &action);
	}
}

/* What the opening itself did; a failure says nothing of the user yet. */
static void answer_menu(const struct opening *opening, bool opened, bool closed)
{
	struct call *call = opening->call;
	struct platform *platform = call->platform;
	const struct platform_impl *impl = platform->impl;
	answer_bool(call->answer, "opened", opened);
	if (!closed) {
		answer_bool(call->answer, "left_open", true);
	}
	if (answer_failed(call->answer)) {
		struct probe after = { 0 };
		bool looked = impl->probe_end(platform, impl->probe_begin(platform, call->window, PROBE_AFTER,
			true), deadline_in(LOOK_MS, NULL), &after, NULL);
		disturbance_answer(call->answer, opening->user, looked ? &after : NULL);
		probe_clear(&after);
		return;
	}
	answer_text_raw(call->answer, closed ? "The menu was opened for it, and is closed again.\n"
		: "The menu was opened for it, and does not close: press Escape or click its button.\n");
}

void opening_invoke(struct call *call, const struct tree *tree, const struct element *opener,
	const char *const *path)
{
	struct platform *platform = call->platform;
	const struct platform_impl *impl = platform->impl;
	struct probe user = { 0 };
	struct opening opening = { call, opener, outer_of(call, tree, opener), is_menu(call, opener), &user, NULL };
	opening.outer = opening.outer != NULL ? opening.outer : opener;
	g_autoptr(GError) error = NULL;
	if (!impl->probe_end(platform, impl->probe_begin(platform, call->window, PROBE_BEFORE, true),
		call->deadline, &user, &error)) {
		answer_fail_error(call->answer, error);
		return;
	}
	bool opened = press(&opening, opener), closed = true;
	if (opened) {
		perform(&opening, path);
		closed = close_menu(&opening, !answer_failed(call->answer));
	}
	answer_menu(&opening, opened, closed);
	tree_free(opening.tree);
	probe_clear(&user);
}
