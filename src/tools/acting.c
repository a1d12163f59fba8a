/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tools/acting.h"

#include "core/desktop.h"
#include "core/effect.h"
#include "core/hit.h"
#include "core/lens.h"
#include "core/token.h"
#include "tools/aimed.h"
#include "tools/then.h"

/* An application that does not tell what is at a point now in this time does not stand in the way of a click there. */
#define STILL_THERE_MS 1500

/* The latest snapshot of the window, which indices and pixels are of; NULL with a failed answer. */
static struct snapshot *latest(struct call *call)
{
	struct snapshot *snapshot = session_latest(call->session, call->window->pid,
		call->window->id);
	if (snapshot == NULL) {
		answer_fail(call->answer, ERROR_NO_CACHED_STATE,
			"No cached state for pid %d window_id %" G_GUINT64_FORMAT, (int)call->window->pid,
			call->window->id);
	}
	return snapshot;
}

static bool aim_at_element(struct call *call, struct aim *aim)
{
	int index = (int)args_int(call->args, "element_index");
	if (args_given(call->args, "element_token")) {
		aim->snapshot = token_resolve(call->session, args_string(call->args, "element_token"),
			&index, call->answer);
	} else {
		aim->snapshot = latest(call);
	}
	if (aim->snapshot == NULL) {
		return false;
	}
	aim->addressing = ADDRESS_ELEMENT;
	aim->element = tree_at(aim->snapshot->tree, index);
	if (aim->element == NULL) {
		answer_fail(call->answer, ERROR_INVALID_ELEMENT_INDEX,
			"Invalid element_index %d: the snapshot has %d elements", index,
			aim->snapshot->tree->indexed);
	} else if (aim->snapshot->window->id != call->window->id) {
		answer_fail(call->answer, ERROR_INVALID_ARGUMENTS,
			"The element_token is of another window than window_id");
		answer_suggest(call->answer, "Leave window_id out: the token tells the window; or call get_window_state for the window that is meant.");
	} else {
		aim->point = screen_rect_center(aim->element->frame);
		aim->point.x += call->window->bounds.x - aim->snapshot->frame.window.x;
		aim->point.y += call->window->bounds.y - aim->snapshot->frame.window.y;
		return true;
	}
	return false;
}

/* The window may have moved since its picture was taken: the same place in it is meant. */
bool acting_point(struct call *call, struct shot_px shot, struct screen_px *point,
	struct window_px *place)
{
	enum lens lens = args_bool(call->args, "from_zoom") ? LENS_ZOOM : LENS_PICTURE;
	if (call->window == NULL) {
		return lens_resolve_screen(call, shot, point);
	}
	if (!lens_resolve(call, lens, shot, place)) {
		return false;
	}
	struct frame now = { .window = call->window->bounds };
	*point = frame_window_to_screen(&now, *place);
	return true;
}

/* Whether something is there that the snapshot did not have: it may be over what it had. */
static bool has_come(const struct tree *now, struct screen_px point, const struct tree *then)
{
	for (guint i = 0; i < now->elements->len; i++) {
		const struct element *element = now->elements->pdata[i];
		if (element->has_frame && (element->states & STATE_OFFSCREEN) == 0 && screen_rect_contains(element->frame, point)
			&& tree_find(then, element->provider, element->object) == NULL) {
			return true;
		}
	}
	return false;
}

/* Whether a click there still means what the snapshot has there: a picture that came later may show something else. */
static bool is_still_there(struct call *call, const struct aim *aim)
{
	const struct tree_limits limits = { .max_elements = 5000 };
	struct tree *tree = call->platform->impl->tree(call->platform, call->window, &limits,
		deadline_within(call->deadline, STILL_THERE_MS), NULL);
	const struct element *now = tree != NULL ? hit_test(tree, call->window->bounds, aim->point) : NULL;
	bool there = now != NULL && g_str_equal(now->object, aim->element->object) && g_str_equal(now->provider, aim->element->provider)
		&& !has_come(tree, aim->point, aim->snapshot->tree);
	tree_free(tree);
	return there;
}

bool acting_is_title(
	const struct snapshot *snapshot, const struct window *window, struct screen_px then)
{
	struct window before = *window;
	before.bounds = snapshot->frame.window;
	return window_is_bare(window)
		&& hit_is_title(snapshot->tree, window_painted(&before), then);
}

static bool aim_at_point(struct call *call, unsigned takes, struct aim *aim)
{
	if (!args_given(call->args, "x") || !args_given(call->args, "y")) {
		answer_fail(call->answer, ERROR_INVALID_ARGUMENTS, "A point needs both x and y");
		return false;
	}
	struct shot_px shot = { (int)args_int(call->args, "x"), (int)args_int(call->args, "y") };
	struct window_px place;
	aim->pointed = true;
	if (!acting_point(call, shot, &aim->point, &place)) {
		return false;
	}
	if (call->window == NULL) {
		aim->addressing = ADDRESS_SCREEN;
		return true;
	}
	/* The tree is of the time of the snapshot; a picture alone has none. */
	aim->snapshot = session_latest(call->session, call->window->pid, call->window->id);
	struct screen_px then = aim->snapshot != NULL ? frame_window_to_screen(&aim->snapshot->frame, place) : aim->point;
	if (aim->snapshot != NULL && (takes & ADDRESS_ELEMENT) != 0) {
		aim->element = hit_test(aim->snapshot->tree, aim->snapshot->frame.window, then);
	}
	if (aim->element != NULL && session_doubts(call->session, aim->element)) {
		aim->element = NULL;
	}
	bool later = lens_is_alone(call) || args_bool(call->args, "from_zoom");
	if (aim->element != NULL && later && !is_still_there(call, aim)) {
		aim->element = NULL;
	}
	aim->on_title = aim->snapshot != NULL && acting_is_title(aim->snapshot, call->window, then);
	aim->in_page = aim->snapshot != NULL && hit_is_page(aim->snapshot->tree, then, aim->element);
	if (aim->in_page) {
		/* What the page is in is not meant by who points at the page. */
		aim->element = NULL;
	}
	aim->addressing = aim->element != NULL ? ADDRESS_ELEMENT : ADDRESS_POINT;
	return true;
}

bool acting_aim(struct call *call, unsigned takes, struct aim *aim)
{
	*aim = (struct aim){ 0 };
	bool point = args_given(call->args, "x") || args_given(call->args, "y");
	int ways = args_given(call->args, "element_index") + args_given(call->args, "element_token") + point;
	bool aimed = false;
	if (ways > 1 || (ways == 0 && (takes & ADDRESS_FOCUS) == 0)) {
		answer_fail(call->answer, ERROR_INVALID_ARGUMENTS, "Which element? Pass element_index or "
			"element_token%s, one of them", args_knows(call->args, "x") ? " or x and y" : "");
	} else if (point) {
		aimed = aim_at_point(call, takes, aim);
	} else if (ways == 1) {
		aimed = aim_at_element(call, aim);
	} else {
		aim->addressing = call->window != NULL ? ADDRESS_FOCUS : ADDRESS_SCREEN;
		aimed = true;
	}
	if (!aimed) {
		aim_clear(aim);
	}
	return aimed;
}

/* One that has the focus: what is in the page says of itself that it has it, too, and does not. */
static bool is_field_of_browser(const struct element *element)
{
	return element != NULL && !element->in_web_content && (element->states & STATE_EDITABLE) != 0;
}

bool acting_aim_at_focus(struct call *call, struct aim *aim)
{
	const struct tree_limits limits = { .max_elements = 5000 };
	g_autoptr(GError) error = NULL;
	struct tree *tree = call->platform->impl->tree(call->platform, call->window, &limits,
		call->deadline, &error);
	if (tree == NULL && error->code != ERROR_NO_ACCESSIBILITY && error->code != ERROR_APP_NOT_FOUND) {
		answer_fail_error(call->answer, error);
		aim_clear(aim);
		return false;
	}
	aim_clear(aim);
	aim->snapshot = tree != NULL ? snapshot_new(call->window, tree, (struct frame){ 0 }) : NULL;
	/* The innermost one: a pane may say it, too, of what is inside it. */
	for (guint i = 0; tree != NULL && i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		if ((element->states & STATE_FOCUSED) != 0 && !element->foreign
			&& !(element->in_web_content && is_field_of_browser(aim->element))) {
			aim->element = element;
		}
	}
	if (aim->element == NULL) {
		return true;
	}
	aim->addressing = ADDRESS_ELEMENT;
	aim->focused = true;
	aim->point = screen_rect_center(aim->element->frame);
	return true;
}

void acting_know_window(struct call *call, struct aim *aim)
{
	if (aim->snapshot == NULL && call->window != NULL) {
		aim->snapshot = session_latest(call->session, call->window->pid, call->window->id);
	}
}

void aim_clear(struct aim *aim)
{
	g_clear_pointer(&aim->snapshot, snapshot_unref);
	aim->element = NULL;
}

bool acting_is_foreground(const struct call *call)
{
	return g_str_equal(args_string(call->args, "delivery_mode"), "foreground");
}

static bool is_real(const struct call *call)
{
	return args_knows(call->args, "device") && g_str_equal(args_string(call->args, "device"), "uinput");
}

struct action acting_action(struct call *call, enum action_kind kind, const struct aim *aim)
{
	bool foreground = call->window == NULL || acting_is_foreground(call);
	return (struct action){
		.kind = kind,
		.delivery = foreground ? DELIVERY_FOREGROUND : DELIVERY_BACKGROUND,
		.addressing = aim->addressing,
		.platform = call->platform,
		.session = call->session,
		.window = call->window,
		.tree = aim->snapshot != NULL ? aim->snapshot->tree : NULL,
		.element = aim->element,
		.point = aim->point,
		.pointed = aim->pointed,
		.in_page = aim->in_page,
		.on_title = aim->on_title,
		.focused = aim->focused,
		.count = 1,
		.real_device = is_real(call),
		.patient = !args_given(call->args, "settle_ms"),
		.deadline = call->deadline,
	};
}

void acting_run(struct call *call, struct action *action)
{
	if (action->real_device && (action->delivery == DELIVERY_FOREGROUND || action->verb != NULL)) {
		answer_fail(call->answer, ERROR_INVALID_ARGUMENTS,
			"device: uinput is a pointer for the background; leave it out %s", action->verb != NULL ? "where action names what the element itself does"
			: "where the user's own pointer acts");
		return;
	}
	if (action->window == NULL) {
		desktop_act(action, call->answer);
		return;
	}
	if (then_begin(call)) {
		struct aftermath *aftermath = session_aftermath(call->session);
		pid_t pid = action->window->pid;
		aftermath_begin(aftermath, pid);
		action->ahead = g_steal_pointer(&call->ahead);
		effect_act(action, (int)args_int(call->args, "settle_ms"), call->answer);
		aftermath_end(aftermath, pid);
		then_finish(call);
	}
}

enum button acting_button(const struct call *call)
{
	const char *name = args_string(call->args, "button");
	return name[0] == 'r' ? BUTTON_RIGHT : name[0] == 'm' ? BUTTON_MIDDLE : BUTTON_LEFT;
}

void acting_click(struct call *call, const char *verb, enum button button, int count)
{
	struct aim aim;
	if (!aimed_check(call) || !acting_aim(call, ADDRESS_ELEMENT | ADDRESS_POINT, &aim)) {
		return;
	}
	struct aimed aimed;
	aimed_take(call, &aim, &aimed);
	struct action action = acting_action(call, ACTION_CLICK, &aim);
	action.verb = verb;
	action.button = button;
	action.count = count;
	action.modifiers = args_strings(call->args, "modifier");
	action.allow_grab = args_bool(call->args, "allow_grab");
	acting_run(call, &action);
	aimed_answer(call, &aimed);
	aim_clear(&aim);
}
