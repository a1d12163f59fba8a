/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/scope.h"

#include "core/settings.h"

const struct param target_fields[] = {
	{ "kind", .type = PARAM_ENUM, .values = "window|desktop", .required = true,
	  .about = "desktop stands for capture_scope desktop." },
	{ "pid", .type = PARAM_INT, .min = 1, .max = G_MAXINT32, .about = "Of kind window." },
	{ "window_id", .type = PARAM_INT, .min = 1, .max = G_GINT64_CONSTANT(9007199254740991),
	  .about = "Of kind window." },
	{ NULL }
};

/* How a call without a window says what it is about. */
enum means {
	MEANS_NOTHING = 1 << 0,
	MEANS_ELEMENT = 1 << 1,   /* an index */
	MEANS_TOKEN = 1 << 2,     /* which names a snapshot, and with it a window */
	MEANS_PIXEL = 1 << 3,
	MEANS_FOCUS = 1 << 4,     /* keys, or a wheel, without a place */
};

enum asked {
	ASKED_NEITHER = 1 << 0,
	ASKED_BACKGROUND = 1 << 1,
	ASKED_FOREGROUND = 1 << 2,
	ASKED_ANY = ASKED_NEITHER | ASKED_BACKGROUND | ASKED_FOREGROUND,
};

/*
 * Calls that name no window. The first row that fits counts. Window actions need no row: with a window every way
 * to address and every delivery is allowed.
 */
static const struct rule {
	bool desktop;
	unsigned means, asked;
	enum scope_of then;
	enum error_code code;
} rules[] = {
	{ true, MEANS_ELEMENT | MEANS_TOKEN, ASKED_ANY, SCOPE_REFUSED, ERROR_DESKTOP_SCOPE_NO_ELEMENTS },
	{ true, MEANS_PIXEL | MEANS_FOCUS, ASKED_BACKGROUND, SCOPE_REFUSED, ERROR_DESKTOP_SCOPE_FOREGROUND_ONLY },
	{ true, MEANS_PIXEL | MEANS_FOCUS, ASKED_ANY, SCOPE_SCREEN_ACTION, 0 },
	{ false, MEANS_PIXEL | MEANS_FOCUS, ASKED_ANY, SCOPE_REFUSED, ERROR_DESKTOP_SCOPE_DISABLED },
	/* The rest is told by target_find(): a token's window, or which argument is missing. */
	{ true, MEANS_NOTHING, ASKED_ANY, SCOPE_WINDOW_ACTION, 0 },
	{ false, MEANS_NOTHING | MEANS_ELEMENT | MEANS_TOKEN, ASKED_ANY, SCOPE_WINDOW_ACTION, 0 },
};

static const struct args *target_of(const struct args *args)
{
	return args_knows(args, "target") ? args_object(args, "target") : NULL;
}

pid_t scope_pid(const struct args *args)
{
	const struct args *target = target_of(args);
	return (pid_t)args_int(target != NULL && args_has(target, "pid") ? target : args, "pid");
}

guint64 scope_window(const struct args *args)
{
	const struct args *target = target_of(args);
	return (guint64)args_int(target != NULL && args_has(target, "window_id") ? target : args, "window_id");
}

/* Whether the two ways to say the same contradict each other; the answer has failed then. */
static bool contradicts(struct call *call)
{
	const struct args *args = call->args, *target = target_of(args);
	const char *problem = NULL;
	if (args_given(args, "capture_scope") && args_given(args, "scope")
		&& !g_str_equal(args_string(args, "capture_scope"), args_string(args, "scope"))) {
		problem = "capture_scope and scope are the same argument and say different things";
	} else if (target != NULL && (args_has(args, "pid") || args_has(args, "window_id"))) {
		problem = "Pass pid and window_id in target or beside it, not both";
	} else if (target != NULL && g_str_equal(args_string(target, "kind"), "desktop")
		&& (args_has(target, "pid") || args_has(target, "window_id"))) {
		problem = "A target of kind desktop has no pid and no window_id";
	} else if (target != NULL && g_str_equal(args_string(target, "kind"), "window")
		&& !args_has(target, "pid") && !args_has(target, "window_id")) {
		problem = "A target of kind window needs its pid or window_id";
	}
	if (problem != NULL) {
		answer_fail(call->answer, ERROR_INVALID_ARGUMENTS, "%s", problem);
	}
	return problem != NULL;
}

static bool is_desktop(struct call *call)
{
	const struct args *args = call->args, *target = target_of(args);
	g_autofree char *set = NULL;
	const char *scope = target != NULL ? args_string(target, "kind")
		: args_has(args, "capture_scope") ? args_string(args, "capture_scope")
		: args_has(args, "scope") ? args_string(args, "scope")
		: (set = settings_get(call->settings, call->session, "capture_scope"));
	return g_strcmp0(scope, "desktop") == 0;
}

static enum means means_of(const struct args *args)
{
	static const char *const elements[] = { "element_index", "from_element_index", "to_element_index" };
	static const char *const pixels[] = { "x", "y", "from_x", "from_y", "to_x", "to_y" };
	/* Tools that mean something without a place: they go where the focus or the pointer is. */
	static const char *const placeless[] = { "text", "key", "keys", "direction" };
	for (gsize i = 0; i < G_N_ELEMENTS(elements); i++) {
		if (args_given(args, elements[i])) {
			return MEANS_ELEMENT;
		}
	}
	if (args_given(args, "element_token")) {
		return MEANS_TOKEN;
	}
	for (gsize i = 0; i < G_N_ELEMENTS(pixels); i++) {
		if (args_given(args, pixels[i])) {
			return MEANS_PIXEL;
		}
	}
	for (gsize i = 0; i < G_N_ELEMENTS(placeless); i++) {
		if (args_knows(args, placeless[i])) {
			return MEANS_FOCUS;
		}
	}
	return MEANS_NOTHING;
}

static enum asked asked_of(const struct args *args)
{
	return !args_has(args, "delivery_mode") ? ASKED_NEITHER
		: g_str_equal(args_string(args, "delivery_mode"), "background") ? ASKED_BACKGROUND : ASKED_FOREGROUND;
}

/* What only a window has; the answer has failed then. */
static bool needs_window(struct call *call)
{
	static const char *const names[] = { "then", "to_window_id", "action", "debug_image_out" };
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		if (args_given(call->args, names[i])) {
			answer_fail(call->answer, ERROR_INVALID_ARGUMENTS,
				"%s is about a window, and this call has none: pass window_id", names[i]);
			answer_string(call->answer, "argument", names[i]);
			return true;
		}
	}
	if (args_knows(call->args, "from_zoom") && args_bool(call->args, "from_zoom")) {
		answer_fail(call->answer, ERROR_INVALID_ARGUMENTS, "The screen has no zoom: it is not scaled down");
		return true;
	}
	return false;
}

static void refuse(struct call *call, enum error_code code)
{
	switch (code) {
	case ERROR_DESKTOP_SCOPE_NO_ELEMENTS:
		answer_fail(call->answer, code, "In desktop scope there are no elements: a call without window_id "
			"speaks of the screen");
		break;
	case ERROR_DESKTOP_SCOPE_FOREGROUND_ONLY:
		answer_fail(call->answer, code, "An action on the screen cannot be in the background");
		break;
	default:
		answer_fail(call->answer, code, "Which window? Without one x, y and keys mean the screen, and that "
			"only in desktop scope (set_config capture_scope=desktop)");
		break;
	}
}

enum scope_of scope_judge(struct call *call)
{
	const struct args *args = call->args;
	if (!args_knows(args, "capture_scope") || !args_knows(args, "delivery_mode")) {
		return SCOPE_WINDOW_ACTION;
	}
	if (contradicts(call)) {
		return SCOPE_REFUSED;
	}
	if (scope_pid(args) != 0 || scope_window(args) != 0) {
		return SCOPE_WINDOW_ACTION;
	}
	bool desktop = is_desktop(call);
	enum means means = means_of(args);
	enum asked asked = asked_of(args);
	for (gsize i = 0; i < G_N_ELEMENTS(rules); i++) {
		const struct rule *rule = &rules[i];
		if (rule->desktop != desktop || (rule->means & means) == 0 || (rule->asked & asked) == 0) {
			continue;
		}
		if (rule->then == SCOPE_REFUSED) {
			refuse(call, rule->code);
		} else if (rule->then == SCOPE_SCREEN_ACTION && needs_window(call)) {
			return SCOPE_REFUSED;
		}
		return rule->then;
	}
	return SCOPE_WINDOW_ACTION;
}
