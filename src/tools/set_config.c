/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tools/answers.h"
#include "tools/tools.h"

static const struct param params[] = {
	{ "key", .type = PARAM_STRING, .about = "The setting; with value. Or pass the setting itself as an "
		"argument." },
	{ "value", .type = PARAM_SCALAR, .about = "Its new value." },
	PARAMS_SETTINGS,
	{ NULL }
};

static char *known_settings(void)
{
	GString *names = g_string_new(NULL);
	for (const struct param *setting = settings_table; setting->name != NULL; setting++) {
		g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "", setting->name);
	}
	return g_string_free(names, FALSE);
}

/* What is asked for: names and texts, checked; empty with a failed answer. */
static bool collect(struct call *call, GPtrArray *names, GPtrArray *texts)
{
	const struct args *args = call->args;
	for (const struct param *setting = settings_table; setting->name != NULL; setting++) {
		if (args_has(args, setting->name)) {
			g_ptr_array_add(names, (char *)setting->name);
			g_ptr_array_add(texts, setting->type == PARAM_INT
				? g_strdup_printf("%" G_GINT64_FORMAT, args_int(args, setting->name))
				: g_strdup(setting->type == PARAM_BOOL
					? args_bool(args, setting->name) ? "true" : "false"
					: args_string(args, setting->name)));
		}
	}
	if (args_has(args, "key") != args_has(args, "value")) {
		answer_fail(call->answer, ERROR_INVALID_ARGUMENTS, "key and value come together");
		return false;
	}
	if (args_has(args, "key")) {
		const char *key = args_string(args, "key");
		const struct param *setting = settings_find(key);
		if (setting == NULL) {
			const char *nearest = settings_nearest(key);
			g_autofree char *known = known_settings();
			answer_fail(call->answer, ERROR_INVALID_ARGUMENTS,
				"There is no setting \"%.60s\"%s%s; there are %s", key,
				nearest != NULL ? ", did you mean " : "", nearest != NULL ? nearest : "",
				known);
			return false;
		}
		g_autoptr(GError) error = NULL;
		if (!settings_check(setting, args_string(args, "value"), &error)) {
			answer_fail_error(call->answer, error);
			return false;
		}
		g_ptr_array_add(names, (char *)setting->name);
		g_ptr_array_add(texts, g_strdup(args_string(args, "value")));
	}
	if (names->len == 0) {
		answer_fail(call->answer, ERROR_INVALID_ARGUMENTS, "Which setting? Pass key and value, or a "
			"setting such as capture_scope");
		return false;
	}
	return true;
}

static void run(struct call *call)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
	/* One-shot calls have no session that would outlive them: they set the default of all. */
	bool global = call->session_name[0] == '\0';
	if (!collect(call, names, texts)) {
		return;
	}
	for (guint i = 0; i < names->len; i++) {
		g_autoptr(GError) error = NULL;
		const char *name = names->pdata[i], *text = texts->pdata[i];
		if (!global) {
			session_set_override(call->session, name, text);
		} else if (!settings_write(call->settings, settings_find(name), text, &error)) {
			answer_fail_error(call->answer, error);
			return;
		}
	}
	answer_string(call->answer, "scope", global ? "global" : "session");
	answer_open_object(call->answer, "config");
	for (guint i = 0; i < names->len; i++) {
		answer_setting(call->answer, settings_find(names->pdata[i]), texts->pdata[i]);
		answer_text(call->answer, "%s is %s %s\n", (char *)names->pdata[i], (char *)texts->pdata[i],
			global ? "for all sessions, saved." : "in this session.");
	}
	answer_close_object(call->answer);
}

const struct tool tool_set_config = {
	.name = "set_config", .title = "Change a setting", .effect = TOOL_READS, .target = TARGET_DRIVER,
	.params = params, .run = run,
	.about = "Change a setting of this session, in memory. A one-shot call from the command line "
		 "changes the default of all sessions, on disk.",
};
