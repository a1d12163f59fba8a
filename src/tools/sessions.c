/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/panic.h"
#include "tools/answers.h"
#include "tools/tools.h"

/* What callers call it: a connection's own session has no label. */
static void answer_name(struct answer *answer, const char *name)
{
	if (sessions_is_label(name)) {
		answer_string(answer, "session", name);
	} else {
		answer_null(answer, "session");
	}
	answer_string(answer, "kind", sessions_is_label(name) ? "labelled"
		: name[0] == '\0' ? "anonymous" : "connection");
}

static const char *spoken(const char *name)
{
	return sessions_is_label(name) ? name
		: name[0] == '\0' ? "the session of one-shot calls" : "this connection's own session";
}

static void run_start(struct call *call)
{
	/* The call itself has made it, unless it was there: one without snapshots is as good as new. */
	answer_name(call->answer, call->session_name);
	answer_text(call->answer, "Session %s is ready. Pass session in every call that belongs to it, and "
		"end_session when done.\n", spoken(call->session_name));
}

const struct tool tool_start_session = {
	.name = "start_session", .title = "Start a session", .effect = TOOL_READS, .target = TARGET_DRIVER,
	.run = run_start,
	.about = "Declare the session named by the argument session: its snapshots, settings and cursor are "
		 "its own, and it outlives the connection. A label that was ended starts fresh; one that "
		 "is alive stays as it is.",
};

static void run_end(struct call *call)
{
	sessions_end(call->sessions, call->session_name);
	answer_name(call->answer, call->session_name);
	answer_bool(call->answer, "ended", true);
	answer_text(call->answer, "Ended %s: its snapshots and settings are gone.\n",
		spoken(call->session_name));
}

const struct tool tool_end_session = {
	.name = "end_session", .title = "End a session", .effect = TOOL_READS, .target = TARGET_DRIVER,
	.run = run_end,
	.about = "End the session named by the argument session, or the connection's own: everything it "
		 "holds is given back. Its label can be used again and starts fresh.",
};

static void answer_info(struct answer *answer, const struct session_info *info)
{
	answer_name(answer, info->name);
	answer_int(answer, "age_ms", info->age_ms);
	answer_int(answer, "idle_ms", info->idle_ms);
	answer_int(answer, "snapshots", info->snapshots);
	answer_text(answer, "%s: %u snapshots, idle for %" G_GINT64_FORMAT " s\n", spoken(info->name),
		info->snapshots, info->idle_ms / 1000);
}

/* What no answer could tell any more. */
static void answer_late(struct call *call)
{
	g_autoptr(GArray) list = aftermath_list(session_aftermath(call->session), call->platform->past);
	answer_open_array(call->answer, "disturbed_late");
	for (guint i = 0; i < list->len; i++) {
		const struct late *late = &g_array_index(list, struct late, i);
		answer_open_object(call->answer, NULL);
		answer_string(call->answer, "taken", late->what);
		if (late->pid != 0) {
			answer_int(call->answer, "pid", late->pid);
		}
		answer_int(call->answer, "after_ms", late->after / 1000);
		answer_int(call->answer, "ago_ms", late->ago / 1000);
		answer_close_object(call->answer);
	}
	answer_close_array(call->answer);
	if (list->len > 0) {
		answer_text(call->answer, "%u times an application took focus or keyboard from the user after an "
			"action had been answered, and was made to give it back.\n", list->len);
	}
}

static void run_get(struct call *call)
{
	g_autoptr(GArray) list = sessions_list(call->sessions);
	for (guint i = 0; i < list->len; i++) {
		const struct session_info *info = &g_array_index(list, struct session_info, i);
		if (g_str_equal(info->name, call->session_name)) {
			answer_info(call->answer, info);
		}
	}
	answer_bool(call->answer, "panic", panic_engaged());
	if (panic_engaged()) {
		answer_text(call->answer, "The user has stopped all input (cua-driver panic); actions are refused.\n");
	}
	answer_late(call);
	if (call->platform->impl->desktops != NULL) {
		call->platform->impl->desktops(call->answer);
	}
	answer_open_object(call->answer, "overrides");
	for (const struct param *setting = settings_table; setting->name != NULL; setting++) {
		g_autofree char *text = session_override(call->session, setting->name);
		if (text != NULL) {
			answer_setting(call->answer, setting, text);
		}
	}
	answer_close_object(call->answer);
}

const struct tool tool_get_session = {
	.name = "get_session",
	.title = "Show a session",
	.effect = TOOL_READS,
	.target = TARGET_DRIVER,
	.run = run_get,
	.about = "What the session named by the argument session, or the connection's own, holds: "
		 "age, "
		 "snapshots, settings of its own; what applications took from the user after an "
		 "action had been "
		 "answered, and gave back (disturbed_late); whether the user has stopped all input "
		 "(panic); and which desktop this "
		 "is (desktop), of several (other_desktops).",
};

static void run_list(struct call *call)
{
	g_autoptr(GArray) list = sessions_list(call->sessions);
	answer_open_array(call->answer, "sessions");
	for (guint i = 0; i < list->len; i++) {
		answer_open_object(call->answer, NULL);
		answer_info(call->answer, &g_array_index(list, struct session_info, i));
		answer_close_object(call->answer);
	}
	answer_close_array(call->answer);
}

const struct tool tool_list_sessions = {
	.name = "list_sessions", .title = "List sessions", .effect = TOOL_READS, .target = TARGET_DRIVER,
	.run = run_list,
	.about = "All sessions of this driver, oldest first.",
};
