/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "apps/process.h"
#include "apps/running.h"
#include "tools/tools.h"

static const struct param params[] = {
	{ "running_only", .type = PARAM_BOOL, .preset = "false",
	  .about = "Leave out what is installed and does not run." },
	{ NULL }
};

static void answer_or_null(struct answer *answer, const char *name, const char *value)
{
	if (value != NULL) {
		answer_string(answer, name, value);
	} else {
		answer_null(answer, name);
	}
}

/* `instance` NULL: it does not run. */
static void answer_app(struct answer *answer, const struct entry *entry, const struct instance *instance)
{
	g_autofree char *program = instance != NULL ? process_program(instance->pid) : NULL;
	const char *path = entry != NULL && entry->program_path != NULL ? entry->program_path : program;
	const char *name = instance != NULL ? instance->name : entry->name;
	answer_open_object(answer, NULL);
	answer_string(answer, "name", name);
	answer_or_null(answer, "desktop_id", entry != NULL ? entry->id : NULL);
	if (instance != NULL) {
		answer_int(answer, "pid", instance->pid);
		process_told(instance->pid);
	} else {
		answer_null(answer, "pid");
	}
	answer_bool(answer, "running", instance != NULL);
	answer_bool(answer, "active", instance != NULL && instance->active);
	answer_or_null(answer, "launch_path", path);
	answer_close_object(answer);

	answer_text(answer, "\"%s\"", name);
	if (entry != NULL) {
		answer_text(answer, " (\"%s\")", entry->id);
	}
	if (instance != NULL) {
		answer_text(answer, ", running as pid %d%s%s", (int)instance->pid,
			instance->windows == 0 ? " without a window" : "", instance->active ? ", active" : "");
	}
	answer_text(answer, "\n");
}

static bool runs(const GPtrArray *running, const struct entry *entry)
{
	for (guint i = 0; i < running->len; i++) {
		if (((const struct instance *)running->pdata[i])->entry == entry) {
			return true;
		}
	}
	return false;
}

static void run(struct call *call)
{
	g_autoptr(GError) error = NULL;
	struct answer *answer = call->answer;
	g_autoptr(GPtrArray) windows = call->platform->impl->windows(call->platform, call->deadline, &error);
	if (windows == NULL) {
		answer_fail_error(answer, error);
		return;
	}
	g_autoptr(GPtrArray) entries = entry_list(&error);
	if (entries == NULL) {
		answer_fail_error(answer, error);
		return;
	}
	g_autoptr(GPtrArray) running = running_list(entries, windows);
	answer_open_array(answer, "apps");
	for (guint i = 0; i < running->len; i++) {
		const struct instance *instance = running->pdata[i];
		answer_app(answer, instance->entry, instance);
	}
	bool all = !args_bool(call->args, "running_only");
	for (guint i = 0; all && i < entries->len; i++) {
		const struct entry *entry = entries->pdata[i];
		if (entry->shown && !runs(running, entry)) {
			answer_app(answer, entry, NULL);
		}
	}
	answer_close_array(answer);
}

const struct tool tool_list_apps = {
	.name = "list_apps", .title = "List applications", .effect = TOOL_READS, .target = TARGET_DRIVER,
	.params = params, .run = run,
	.about = "The applications that run on this display, then those that are installed: name, desktop_id and "
		 "launch_path as launch_app takes them, and the pid. To work with one you need not look here first: "
		 "launch_app finds it by its name, and returns it as it is if it runs. For windows use list_windows.",
};
