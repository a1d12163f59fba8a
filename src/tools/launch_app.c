/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>
#include <sys/wait.h>

#include "apps/launch.h"
#include "apps/process.h"
#include "core/disturbance.h"
#include "core/quote.h"
#include "tools/answers.h"
#include "tools/tools.h"

static const struct param params[] = {
	{ "name", .type = PARAM_STRING,
	  .about = "The application as people or its files call it: \"Calculator\", \"galculator\", "
		   "\"org.gnome.Calculator\". Case does not matter. Also a program without a desktop entry." },
	{ "desktop_id", .type = PARAM_STRING,
	  .about = "Instead of name: the id of its desktop entry, from list_apps; \".desktop\" may be left out." },
	{ "bundle_id", .type = PARAM_STRING, .about = "Another word for desktop_id." },
	{ "launch_path", .type = PARAM_STRING, .path = PATH_PROGRAM,
	  .about = "Instead of name: the path of a program or of a desktop file. A leading ~ is the home folder." },
	{ "urls", .type = PARAM_STRINGS, .path = PATH_FILE,
	  .about = "Files and URLs to open with it; a leading ~ is the home folder. Without an application they go "
		   "to the default one for the first of them." },
	{ "arguments", .type = PARAM_STRINGS, .about = "More arguments of the program." },
	{ "creates_new_application_instance", .type = PARAM_BOOL, .preset = "false",
	  .about = "Start it also if it runs." },
	{ "wait_ms", .type = PARAM_INT, .min = 0, .max = 60000, .preset = "10000",
	  .about = "How long to wait for its first window. The call returns as soon as it is there." },
	{ NULL }
};

static char *expand(const char *path)
{
	if (path[0] == '~' && (path[1] == '/' || path[1] == '\0')) {
		return g_build_filename(g_get_home_dir(), path + 1, NULL);
	}
	return g_strdup(path);
}

/* As URIs; NULL with a failed answer if one is neither that nor a file. */
static char **read_urls(struct call *call)
{
	const char *const *urls = args_strings(call->args, "urls");
	GStrvBuilder *list = g_strv_builder_new();
	bool good = true;
	for (int i = 0; urls != NULL && urls[i] != NULL && good; i++) {
		g_autofree char *path = expand(urls[i]);
		g_autofree char *scheme = g_uri_parse_scheme(urls[i]);
		if (scheme != NULL && path[0] != '/') {
			g_strv_builder_add(list, urls[i]);
		} else if (path[0] == '/') {
			g_autofree char *absolute = g_canonicalize_filename(path, NULL);
			g_autofree char *uri = g_filename_to_uri(absolute, NULL, NULL);
			g_strv_builder_add(list, uri);
		} else {
			answer_fail(call->answer, ERROR_INVALID_ARGUMENTS,
				"urls[%d] \"%s\" is neither a URL with its scheme nor the path of a file", i, urls[i]);
			good = false;
		}
	}
	char **uris = g_strv_builder_end(list);
	g_strv_builder_unref(list);
	if (!good) {
		g_clear_pointer(&uris, g_strfreev);
	}
	return uris;
}

/* What the call is about; `entry` may be the list's or `loose`. */
struct subject {
	const struct entry *entry;
	struct entry *loose;     /* owned */
	char *program;           /* owned */
};

static void subject_clear(struct subject *subject)
{
	entry_free(subject->loose);
	g_free(subject->program);
}

static bool find_path(struct call *call, const GPtrArray *entries, const char *given, struct subject *subject)
{
	g_autofree char *path = expand(given);
	if (g_str_has_suffix(path, ".desktop")) {
		for (guint i = 0; i < entries->len && subject->entry == NULL; i++) {
			const struct entry *entry = entries->pdata[i];
			subject->entry = g_strcmp0(entry->file, path) == 0 ? entry : NULL;
		}
		if (subject->entry == NULL) {
			subject->entry = subject->loose = entry_of_file(path);
		}
	} else {
		subject->program = g_find_program_in_path(path);
		if (subject->program != NULL && !g_path_is_absolute(subject->program)) {
			char *absolute = g_canonicalize_filename(subject->program, NULL);
			g_free(subject->program);
			subject->program = absolute;
		}
	}
	if (subject->entry == NULL && subject->program == NULL) {
		answer_fail(call->answer, ERROR_APP_NOT_FOUND, "launch_path \"%s\" is neither a program nor a desktop "
			"file of an application that can be started", path);
	}
	return !answer_failed(call->answer);
}

static bool find_name(struct call *call, const GPtrArray *entries, const char *name, bool id,
	struct subject *subject)
{
	subject->entry = id ? entry_of_id(entries, name) : entry_of_name(entries, name);
	if (subject->entry == NULL && !id && strchr(name, '/') == NULL) {
		subject->program = g_find_program_in_path(name);
	}
	if (subject->entry != NULL || subject->program != NULL) {
		return true;
	}
	g_auto(GStrv) nearest = entry_nearest(entries, name, 5);
	g_autoptr(GString) names = g_string_new(NULL);
	for (char **one = nearest; *one != NULL; one++) {
		quote_printf(names, "%s\"%s\"", one == nearest ? "; there is " : ", ", *one);
	}
	answer_fail(call->answer, ERROR_APP_NOT_FOUND, "No application %s \"%s\" is installed%s",
		id ? "with the id" : "called", name, names->str);
	answer_suggest(call->answer, nearest[0] != NULL ? "Pass one of the names in nearest, or call list_apps."
		: "Call list_apps for what is installed.");
	answer_strings(call->answer, "nearest", (const char *const *)nearest);
	return false;
}

static bool find_handler(struct call *call, const GPtrArray *entries, const char *uri, struct subject *subject)
{
	subject->entry = entry_default_for(entries, uri);
	if (subject->entry == NULL) {
		answer_fail(call->answer, ERROR_APP_NOT_FOUND,
			"No application is registered to open \"%s\"", uri);
		answer_suggest(call->answer, "Name the application that should open it, or use another URL.");
	}
	return subject->entry != NULL;
}

static bool find_subject(struct call *call, const GPtrArray *entries, char **uris, struct subject *subject)
{
	const struct args *args = call->args;
	const char *id = args_has(args, "desktop_id") ? args_string(args, "desktop_id")
		: args_string(args, "bundle_id");
	if (id != NULL) {
		return find_name(call, entries, id, true, subject);
	}
	if (args_has(args, "launch_path")) {
		return find_path(call, entries, args_string(args, "launch_path"), subject);
	}
	if (args_has(args, "name")) {
		return find_name(call, entries, args_string(args, "name"), false, subject);
	}
	if (uris[0] != NULL) {
		return find_handler(call, entries, uris[0], subject);
	}
	answer_fail(call->answer, ERROR_INVALID_ARGUMENTS,
		"Which application? Pass name, desktop_id or launch_path, or urls for the default one");
	return false;
}

static char *how_it_ended(int status)
{
	return WIFSIGNALED(status)
		? g_strdup_printf("was ended by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)))
		: g_strdup_printf("ended with exit code %d", WEXITSTATUS(status));
}

static void answer_fields(struct call *call, const struct subject *subject, const char *name,
	const struct launched *launched)
{
	struct answer *answer = call->answer;
	answer_string(answer, "launch_state", launch_state_name(launched->state));
	if (launched->pid != 0) {
		answer_int(answer, "pid", launched->pid);
		process_told(launched->pid);
	} else {
		answer_null(answer, "pid");
	}
	answer_string(answer, "name", name);
	if (subject->entry != NULL) {
		answer_string(answer, "desktop_id", subject->entry->id);
	}
	answer_bool(answer, "already_running", launched->ran);
	if (launched->tied != NULL) {
		answer_bool(answer, "ends_with_driver", true);
	}
	if (launched->state == LAUNCH_EXITED || launched->state == LAUNCH_FAILED) {
		answer_int(answer, WIFSIGNALED(launched->status) ? "signal" : "exit_code",
			WIFSIGNALED(launched->status) ? WTERMSIG(launched->status) : WEXITSTATUS(launched->status));
	}
}

static void describe(struct answer *answer, const char *name, const struct launched *launched)
{
	int pid = (int)launched->pid;
	switch (launched->state) {
	case LAUNCH_READY:
		answer_text(answer,
			launched->ran ? "\"%s\" runs already (pid %d) and was left as it is.\n"
				      : "Started \"%s\" (pid %d) in the background.\n",
			name, pid);
		break;
	case LAUNCH_NO_WINDOW_YET:
		answer_text(answer,
			"\"%s\" runs (pid %d) and has shown no window yet. Use wait_for with "
			"window_opens, or list_windows with this pid.\n",
			name, pid);
		break;
	case LAUNCH_BROKERED:
		answer_text(answer,
			pid != 0 ? "\"%s\" passed the request on to another process (pid %d).\n"
				 : "\"%s\" passed the request on to another process; list_windows "
				   "tells what came of it.\n",
			name, pid);
		break;
	case LAUNCH_EXITED:
		answer_text(answer, "\"%s\" ran to its end (exit code 0) and showed no window.\n",
			name);
		break;
	case LAUNCH_FAILED:
		break;
	}
	if (launched->tied != NULL) {
		answer_text(answer, "%s\n", launched->tied);
	}
	answer_windows(answer, launched->windows);
}

static void answer_launched(struct call *call, const struct subject *subject, const struct launched *launched)
{
	struct answer *answer = call->answer;
	g_autofree char *program = subject->program != NULL ? g_path_get_basename(subject->program) : NULL;
	const char *name = subject->entry != NULL ? subject->entry->name : program;
	if (launched->state == LAUNCH_FAILED) {
		g_autofree char *end = how_it_ended(launched->status);
		answer_fail(answer, ERROR_LAUNCH_FAILED, "\"%s\" was started and %s", name, end);
		answer_delivered(answer, DELIVERED_FULL);
	} else {
		describe(answer, name, launched);
	}
	answer_fields(call, subject, name, launched);
	if (!launched->ran) {
		disturbance_answer(answer, &launched->before, launched->looked ? &launched->after : NULL);
		disturbance_answer_late(answer, &launched->before);
	}
}

static void run(struct call *call)
{
	g_autoptr(GError) error = NULL;
	struct subject subject = { 0 };
	struct launched launched = { 0 };
	int wait_ms = (int)args_int(call->args, "wait_ms");
	const char *const *arguments = args_strings(call->args, "arguments");
	g_auto(GStrv) uris = read_urls(call);
	g_autoptr(GPtrArray) entries = uris != NULL ? entry_list(&error) : NULL;
	if (uris != NULL && entries == NULL) {
		answer_fail_error(call->answer, error);
	} else if (uris != NULL && find_subject(call, entries, uris, &subject)) {
		call_status(call, wait_ms / 1000.0, "waiting for its window");
		bool more = uris[0] != NULL || (arguments != NULL && arguments[0] != NULL);
		const struct launch launch = {
			.platform = call->platform, .entries = entries, .entry = subject.entry,
			.uris = (const char *const *)uris, .arguments = arguments, .program = subject.program,
			.another = more || args_bool(call->args, "creates_new_application_instance"),
			.wait_ms = wait_ms, .deadline = call->deadline,
		};
		if (launch_run(&launch, &launched, &error)) {
			answer_launched(call, &subject, &launched);
		} else {
			answer_fail_error(call->answer, error);
			answer_string(call->answer, "launch_state", "failed");
		}
		launched_clear(&launched);
	}
	subject_clear(&subject);
}

const struct tool tool_launch_app = {
	.name = "launch_app", .title = "Launch an application", .effect = TOOL_ACTS, .target = TARGET_DRIVER,
	.params = params, .run = run,
	.about = "Start an application in the background, or find the one that runs: its pid and its windows, ready for "
		 "get_window_state. It is not activated and takes no focus; one that runs is returned as it is, "
		 "unless urls or arguments are to be passed to it. launch_state: ready (it has a window), no_window_yet, "
		 "brokered (another process took the request over), exited (it ended well without a window); failed "
		 "comes as an error. It goes on when the driver ends, or ends_with_driver is true.",
};
