/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/disturbance.h"
#include "core/past.h"
#include "tools/tools.h"

/* A window manager that did something and nothing more for this part of settle_ms is done. */
#define QUIET_PART 5
/* Nothing said that it happened: look all the same. */
#define LOOK_MS 100
#define PROBE_MS 1000

static const struct param params[] = {
	PARAMS_WINDOW,
	{ "x", .type = PARAM_INT, .min = -32768, .max = 32767,
	  .about = "With y: where the window's content begins on the screen, as bounds of list_windows tells it, "
		   "without the frame that the window manager draws." },
	{ "y", .type = PARAM_INT, .min = -32768, .max = 32767, .about = "See x." },
	{ "width", .type = PARAM_INT, .min = 1, .max = 32767,
	  .about = "With height: how large the content is to be." },
	{ "height", .type = PARAM_INT, .min = 1, .max = 32767, .about = "See width." },
	{ "settle_ms", .type = PARAM_INT, .min = 0, .max = 10000, .preset = "2000",
	  .about = "How long the window manager may take. The call returns as soon as it is done." },
	{ NULL }
};

/* One change under way. */
struct change {
	struct call *call;
	struct placement placement;
	struct screen_rect before;
	int quiet_ms;
	struct window *now;      /* owned; NULL: it is gone */
};

static bool same(struct screen_rect a, struct screen_rect b)
{
	return a.x == b.x && a.y == b.y && a.width == b.width && a.height == b.height;
}

static bool is_as_asked(const struct change *change)
{
	const struct screen_rect *wanted = &change->placement.wanted;
	if (change->now == NULL || change->now->maximized || change->now->fullscreen) {
		return false;
	}
	const struct screen_rect *now = &change->now->bounds;
	return (!change->placement.moves || (now->x == wanted->x && now->y == wanted->y))
		&& (!change->placement.resizes || (now->width == wanted->width && now->height == wanted->height));
}

static bool look(struct change *change, GError **error)
{
	struct call *call = change->call;
	g_autoptr(GPtrArray) windows = call->platform->impl->windows(call->platform, call->deadline, error);
	const struct window *window = windows != NULL ? window_list_find(windows, call->window->id) : NULL;
	g_clear_pointer(&change->now, window_free);
	change->now = window != NULL ? window_copy(window) : NULL;
	return windows != NULL;
}

/* Looks until it is as asked, or has come to rest otherwise. */
static bool watch(struct change *change, struct deadline until, GError **error)
{
	struct past *past = change->call->platform->past;
	guint64 count = past_count(past);
	struct deadline quiet = until;
	struct screen_rect last = change->before;
	while (look(change, error)) {
		if (change->now == NULL || is_as_asked(change) || deadline_left(until) == 0
			|| deadline_left(quiet) == 0) {
			return true;
		}
		if (!same(change->now->bounds, last)) {
			last = change->now->bounds;
			quiet = deadline_within(until, change->quiet_ms);
		}
		past_wait(past, count, deadline_within(quiet, LOOK_MS));
		count = past_count(past);
	}
	return false;
}

/* A window manager that places the frame instead of the content is asked once more, for what makes it right. */
static bool correct(struct change *change, struct deadline until, GError **error)
{
	struct placement again = change->placement;
	const struct screen_rect *wanted = &change->placement.wanted;
	const struct screen_rect *now = &change->now->bounds;
	again.wanted.x += wanted->x - now->x;
	again.wanted.y += wanted->y - now->y;
	again.resizes = false;
	struct call *call = change->call;
	change->before = *now;
	return call->platform->impl->place(call->platform, change->now, &again, call->deadline, error)
		&& watch(change, deadline_within(until, change->quiet_ms), error);
}

static bool place(struct change *change, GError **error)
{
	struct call *call = change->call;
	int settle_ms = (int)args_int(call->args, "settle_ms");
	struct deadline until = deadline_in(settle_ms, call->deadline.cancel);
	change->quiet_ms = settle_ms / QUIET_PART;
	if (!call->platform->impl->place(call->platform, call->window, &change->placement, call->deadline, error)
		|| !watch(change, until, error)) {
		return false;
	}
	if (change->now == NULL || is_as_asked(change) || !change->placement.moves
		|| same(change->now->bounds, change->before)) {
		return true;
	}
	bool elsewhere = change->now->bounds.x != change->placement.wanted.x
		|| change->now->bounds.y != change->placement.wanted.y;
	return !elsewhere || correct(change, until, error);
}

/* Why the size is not what was asked for, as far as the window itself says. */
static void explain(struct answer *answer, const struct change *change)
{
	const struct size_rules *rules = &change->placement.rules;
	const struct screen_rect *wanted = &change->placement.wanted;
	const struct screen_rect *now = &change->now->bounds;
	if (wanted->width == now->width && wanted->height == now->height) {
		answer_text(answer, "The window manager keeps it at that place.\n");
		return;
	}
	if (rules->min_width > wanted->width || rules->min_height > wanted->height) {
		answer_text(answer, "The window is never smaller than %d×%d.\n", rules->min_width, rules->min_height);
	}
	if ((rules->max_width > 0 && rules->max_width < wanted->width)
		|| (rules->max_height > 0 && rules->max_height < wanted->height)) {
		answer_text(answer, "The window is never larger than %d×%d.\n", rules->max_width, rules->max_height);
	}
	if (rules->step_width > 1 || rules->step_height > 1) {
		answer_text(answer, "The window grows in steps of %d×%d.\n", rules->step_width, rules->step_height);
	}
}

static void answer_rules(struct answer *answer, const struct size_rules *rules)
{
	const struct {
		const char *name;
		int value;
	} fields[] = {
		{ "min_width", rules->min_width }, { "min_height", rules->min_height },
		{ "max_width", rules->max_width }, { "max_height", rules->max_height },
		{ "step_width", rules->step_width }, { "step_height", rules->step_height },
	};
	answer_open_object(answer, "size_rules");
	for (gsize i = 0; i < G_N_ELEMENTS(fields); i++) {
		if (fields[i].value > 0) {
			answer_int(answer, fields[i].name, fields[i].value);
		}
	}
	answer_close_object(answer);
}

static struct screen_rect with_frame(const struct window *window)
{
	struct screen_rect rect = window->bounds;
	if (window->decoration.known) {
		rect.x -= window->decoration.left;
		rect.y -= window->decoration.top;
		rect.width += window->decoration.left + window->decoration.right;
		rect.height += window->decoration.top + window->decoration.bottom;
	}
	return rect;
}

static void answer_change(const struct change *change, struct screen_rect first)
{
	struct answer *answer = change->call->answer;
	const struct window *before = change->call->window;
	const struct screen_rect *wanted = &change->placement.wanted;
	if (change->now == NULL) {
		answer_fail(answer, ERROR_WINDOW_NOT_FOUND, "The window closed meanwhile");
		return;
	}
	const struct screen_rect *now = &change->now->bounds;
	bool as_asked = is_as_asked(change);
	if (!as_asked && same(*now, first)) {
		answer_fail(answer, ERROR_WINDOW_MANAGER_REFUSED, "The window is where it was, %d×%d at %d,%d%s",
			now->width, now->height, now->x, now->y, change->now->maximized ? ", and still maximised" : "");
	} else {
		answer_text(answer, "Window %" G_GUINT64_FORMAT " is %d×%d at %d,%d now%s.%s\n", before->id, now->width,
			now->height, now->x, now->y, as_asked ? ", as asked" : "",
			before->maximized || before->fullscreen ? " It is not maximised any more." : "");
		if (!as_asked) {
			answer_text(answer, "Asked for was %d×%d at %d,%d.\n", wanted->width, wanted->height, wanted->x,
				wanted->y);
			explain(answer, change);
		}
	}
	answer_int(answer, "window_id", (gint64)before->id);
	answer_bool(answer, "as_asked", as_asked);
	answer_rect(answer, "asked", *wanted);
	answer_rect(answer, "bounds", *now);
	answer_rect(answer, "frame", with_frame(change->now));
	answer_rect(answer, "before", first);
	answer_bool(answer, "was_maximized", before->maximized || before->fullscreen);
	answer_rules(answer, &change->placement.rules);
}

static bool read_wanted(struct call *call, struct placement *placement)
{
	const struct args *args = call->args;
	placement->wanted = call->window->bounds;
	placement->moves = args_has(args, "x") || args_has(args, "y");
	placement->resizes = args_has(args, "width") || args_has(args, "height");
	if (!placement->moves && !placement->resizes) {
		answer_fail(call->answer, ERROR_INVALID_ARGUMENTS, "Where to? Pass x and y, or width and height, or all");
		return false;
	}
	if (call->window->minimized) {
		answer_fail(call->answer, ERROR_WINDOW_MINIMIZED,
			"The window is minimised; it has no place before it is restored");
		answer_suggest(call->answer, "bring_to_front restores it, which the user will notice.");
		return false;
	}
	const struct {
		const char *name;
		int *value;
	} fields[] = {
		{ "x", &placement->wanted.x }, { "y", &placement->wanted.y },
		{ "width", &placement->wanted.width }, { "height", &placement->wanted.height },
	};
	for (gsize i = 0; i < G_N_ELEMENTS(fields); i++) {
		if (args_has(args, fields[i].name)) {
			*fields[i].value = (int)args_int(args, fields[i].name);
		}
	}
	/*
	 * Some window managers move what only gets a size, or change the size of what is only moved: both are
	 * always told. One that was maximised gets back the other that it had.
	 */
	if (!call->window->maximized && !call->window->fullscreen) {
		placement->moves = placement->resizes = true;
	}
	return true;
}

static void run(struct call *call)
{
	g_autoptr(GError) error = NULL;
	struct platform *platform = call->platform;
	const struct platform_impl *impl = platform->impl;
	struct change change = { .call = call, .before = call->window->bounds };
	struct probe user = { 0 }, after = { 0 };
	if (!read_wanted(call, &change.placement)) {
		return;
	}
	if (!impl->probe_end(platform, impl->probe_begin(platform, call->window, PROBE_BEFORE, false),
		deadline_within(call->deadline, PROBE_MS), &user, &error)) {
		answer_fail_error(call->answer, error);
		return;
	}
	impl->look_out(platform, true);
	bool done = place(&change, &error);
	impl->look_out(platform, false);
	bool looked = impl->probe_end(platform, impl->probe_begin(platform, call->window, PROBE_AFTER, false),
		deadline_in(PROBE_MS, NULL), &after, NULL);
	if (done) {
		answer_change(&change, call->window->bounds);
		disturbance_answer(call->answer, &user, looked ? &after : NULL);
		disturbance_answer_late(call->answer, &user);
	} else {
		answer_fail_error(call->answer, error);
	}
	window_free(change.now);
	probe_clear(&user);
	probe_clear(&after);
}

const struct tool tool_set_window_frame = {
	.name = "set_window_frame", .title = "Move and resize a window", .effect = TOOL_ACTS,
	.target = TARGET_WINDOW, .params = params, .run = run,
	.about = "Move a window, change its size, or both, without raising or activating it. x, y, width and height are "
		 "those of its bounds in list_windows. Answers what it became (bounds, and frame with the window "
		 "manager's borders), since window managers and windows have rules of their own: as_asked tells, "
		 "size_rules why. A maximised window is no longer maximised; a minimised one is refused.",
};
