/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/hit.h"
#include "tools/acting.h"
#include "tools/tools.h"

static const struct param params[] = {
	PARAMS_WINDOW,
	{ "from_x", .type = PARAM_INT, .min = 0, .max = 65535,
	  .about = "Where the button goes down: a pixel of the last screenshot of this window." },
	{ "from_y", .type = PARAM_INT, .min = 0, .max = 65535, .about = "See from_x." },
	{ "from_element_index", .type = PARAM_INT, .min = 0, .max = G_MAXINT,
	  .about = "Instead of from_x and from_y: the middle of that element." },
	{ "to_x", .type = PARAM_INT, .min = 0, .max = 65535,
	  .about = "Where it comes up: a pixel of the last screenshot of this window, or of to_window_id." },
	{ "to_y", .type = PARAM_INT, .min = 0, .max = 65535, .about = "See to_x." },
	{ "to_element_index", .type = PARAM_INT, .min = 0, .max = G_MAXINT,
	  .about = "Instead of to_x and to_y: the middle of that element." },
	{ "to_window_id", .type = PARAM_INT, .min = 1, .max = G_MAXUINT32,
	  .about = "Another window that the end is in." },
	PARAM_BUTTON,
	{ "modifier", .type = PARAM_STRINGS, .about = "Keys held meanwhile: ctrl, shift, alt, super." },
	{ "duration_ms", .type = PARAM_INT, .min = 0, .max = 10000, .preset = "500",
	  .about = "How long the way takes." },
	{ "steps", .type = PARAM_INT, .min = 1, .max = 200, .preset = "20", .about = "In how many moves." },
	{ "from_zoom", .type = PARAM_BOOL, .preset = "false",
	  .about = "All four are pixels of the last zoom into the window." },
	PARAMS_DEVICE,
	PARAMS_SCOPE,
	PARAMS_DELIVERY,
	{ NULL }
};

static bool find_middle(struct call *call, int index, struct screen_px *point)
{
	struct snapshot *snapshot = session_latest(call->session, call->window->pid, call->window->id);
	const struct element *element = snapshot != NULL ? tree_at(snapshot->tree, index) : NULL;
	if (snapshot == NULL) {
		answer_fail(call->answer, ERROR_NO_CACHED_STATE, "No cached state of that window");
	} else if (element == NULL) {
		answer_fail(call->answer, ERROR_INVALID_ELEMENT_INDEX,
			"Invalid element index %d: the snapshot has %d elements", index, snapshot->tree->indexed);
	} else if (!element->has_frame || element_is_vague(element)) {
		answer_fail(call->answer, ERROR_POINT_OUTSIDE_WINDOW, "The element is not to be seen in its window");
		element = NULL;
	} else {
		*point = screen_rect_center(element->frame);
		point->x += call->window->bounds.x - snapshot->frame.window.x;
		point->y += call->window->bounds.y - snapshot->frame.window.y;
	}
	snapshot_unref(snapshot);
	return element != NULL;
}

/* One end of the way, of arguments that begin with `end`; false with a failed answer. */
static bool find_end(struct call *call, const char *end, struct screen_px *point)
{
	g_autofree char *x = g_strconcat(end, "_x", NULL);
	g_autofree char *y = g_strconcat(end, "_y", NULL);
	g_autofree char *index = g_strconcat(end, "_element_index", NULL);
	bool pixel = args_has(call->args, x) && args_has(call->args, y);
	bool element = args_has(call->args, index);
	struct window_px place;
	if (call->window == NULL ? !pixel : pixel == element || args_has(call->args, x) != args_has(call->args, y)) {
		answer_fail(call->answer, ERROR_INVALID_ARGUMENTS, "Pass %s and %s, or %s", x, y, index);
		return false;
	}
	return element ? find_middle(call, (int)args_int(call->args, index), point)
		: acting_point(call, (struct shot_px){ (int)args_int(call->args, x),
			(int)args_int(call->args, y) }, point, &place);
}

/* The same in the window that to_window_id means. */
static bool find_end_elsewhere(struct call *call, struct screen_px *point)
{
	g_autoptr(GError) error = NULL;
	GPtrArray *windows = call->platform->impl->windows(call->platform, call->deadline, &error);
	if (windows == NULL) {
		answer_fail_error(call->answer, error);
		return false;
	}
	struct call other = *call;
	other.window = window_list_find(windows, (guint64)args_int(call->args, "to_window_id"));
	bool found = other.window != NULL && find_end(&other, "to", point);
	if (other.window == NULL) {
		answer_fail(call->answer, ERROR_WINDOW_NOT_FOUND, "There is no window of that to_window_id");
	}
	g_ptr_array_unref(windows);
	return found;
}

/* Where the point was when the snapshot was taken, whose tree is where the window was then. */
static struct screen_px before(
	const struct snapshot *snapshot, const struct window *window, struct screen_px from)
{
	struct screen_rect then = snapshot->frame.window;
	return (struct screen_px){ from.x - window->bounds.x + then.x,
		from.y - window->bounds.y + then.y };
}

static void run(struct call *call)
{
	bool screen = call->window == NULL;
	struct aim aim = { .addressing = screen ? ADDRESS_SCREEN : ADDRESS_POINT, .pointed = screen };
	struct screen_px to;
	bool takes_drag = false;
	if (!find_end(call, "from", &aim.point)) {
		return;
	}
	if (args_has(call->args, "to_window_id") ? !find_end_elsewhere(call, &to)
		: !find_end(call, "to", &to)) {
		return;
	}
	aim.snapshot = screen ? NULL : session_latest(call->session, call->window->pid, call->window->id);
	if (aim.snapshot != NULL) {
		struct screen_px then = before(aim.snapshot, call->window, aim.point);
		aim.in_page = hit_is_page(aim.snapshot->tree, then, NULL);
		takes_drag = hit_takes_drag(aim.snapshot->tree, aim.snapshot->frame.window, then);
		aim.on_title = !aim.in_page && acting_is_title(aim.snapshot, call->window, then);
	}
	struct action action = acting_action(call, ACTION_DRAG, &aim);
	action.button = acting_button(call);
	action.modifiers = args_strings(call->args, "modifier");
	action.to = to;
	action.to_window = args_has(call->args, "to_window_id")
		? (guint64)args_int(call->args, "to_window_id") : screen ? 0 : call->window->id;
	action.steps = (int)args_int(call->args, "steps");
	action.duration_ms = (int)args_int(call->args, "duration_ms");
	action.takes_drag = takes_drag;
	acting_run(call, &action);
	aim_clear(&aim);
}

const struct tool tool_drag = {
	.name = "drag",
	.title = "Drag",
	.effect = TOOL_ACTS,
	.target = TARGET_WINDOW,
	.params = params,
	.run = run,
	.about = "Press a mouse button at one point of a window, move, and release it at another, "
		 "with a pointer of the "
		 "session's own: the user's stays where it is, and covering windows do not notice. "
		 "On a title bar or border that the "
		 "application draws itself it moves or resizes the window, by request and without "
		 "a press where that is known before.",
};
