/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tools/conditions.h"

#include <string.h>

#include "core/token.h"

const struct param condition_fields[] = {
	{ "kind", .type = PARAM_ENUM, .required = true,
	  .values = "element_appears|element_disappears|element_has_value|element_has_state|"
		    "element_has_label|window_opens|window_closes|window_title|text_present|idle",
	  .about = "What has to be so. The element and text kinds are about the window of the call; text_present "
		   "looks at every label, value and description in it; idle: the application has said nothing for "
		   "quiet_ms." },
	{ "not", .type = PARAM_BOOL, .preset = "false",
	  .about = "true turns it round: it holds when what it says is not so." },
	{ "role", .type = PARAM_STRING, .about = "Elements of this role, as in get_window_state." },
	{ "label", .type = PARAM_STRING,
	  .about = "Elements of this label; with element_has_label, the label it shall have." },
	{ "element_index", .type = PARAM_INT, .min = 0, .max = G_MAXINT32,
	  .about = "The one element of that index in the latest get_window_state of the window." },
	{ "element_token", .type = PARAM_STRING, .about = "The one element of that token." },
	{ "value", .type = PARAM_SCALAR,
	  .about = "element_has_value: the text or number. Numbers are compared as numbers." },
	{ "state", .type = PARAM_ENUM,
	  .values = "enabled|focused|focusable|checked|pressed|selected|expandable|expanded|editable|"
		    "read_only|indeterminate|modal|busy|offscreen",
	  .about = "element_has_state: which." },
	{ "text", .type = PARAM_STRING, .about = "text_present: the text, in upper or lower case." },
	{ "title", .type = PARAM_STRING, .about = "The window kinds: windows of this title." },
	{ "app_name", .type = PARAM_STRING, .about = "The window kinds: windows of this application." },
	{ "window_id", .type = PARAM_INT, .min = 1, .max = G_GINT64_CONSTANT(9007199254740991),
	  .about = "window_closes and window_title: this window instead of the call's." },
	{ "pid", .type = PARAM_INT, .min = 1, .max = G_MAXINT32,
	  .about = "The window kinds: windows of this process." },
	{ "new", .type = PARAM_BOOL,
	  .about = "window_opens: true counts only a window that was not there when the call began (so does "
		   "leaving title and app_name out), false any that is there." },
	{ "match", .type = PARAM_ENUM, .values = "exact|contains",
	  .about = "How label, value and title are compared: exact (what holds for label and value) or "
		   "contains, in upper or lower case (what holds for title)." },
	{ "quiet_ms", .type = PARAM_INT, .min = 10, .max = 60000, .preset = "500",
	  .about = "idle: for how long." },
	{ NULL }
};

static enum condition_kind kind_of(const struct args *fields)
{
	const char *word = args_string(fields, "kind");
	int kind = 0;
	while (strcmp(condition_kinds[kind], word) != 0) {
		kind++;
	}
	return (enum condition_kind)kind;
}

static bool is_about_elements(enum condition_kind kind)
{
	return condition_reads_tree(&(struct condition){ .kind = kind });
}

static void refuse(struct answer *answer, enum condition_kind kind, const char *what)
{
	answer_fail(answer, ERROR_INVALID_ARGUMENTS, "%s needs %s", condition_kinds[kind], what);
	answer_string(answer, "argument", "conditions");
}

/* The element of an index or token, as it was in its snapshot; false with a failed answer. */
static bool take_element(struct condition *condition, const struct args *fields,
	const struct window *window, struct session *session, struct answer *answer)
{
	int index = (int)args_int(fields, "element_index");
	struct snapshot *snapshot;
	if (args_has(fields, "element_token")) {
		snapshot = token_resolve(session, args_string(fields, "element_token"), &index, answer);
	} else if (args_has(fields, "element_index")) {
		snapshot = session_latest(session, window->pid, window->id);
		if (snapshot == NULL) {
			answer_fail(answer, ERROR_NO_CACHED_STATE,
				"No cached state for window_id %" G_GUINT64_FORMAT, window->id);
		}
	} else {
		return true;
	}
	const struct element *element = snapshot != NULL ? tree_at(snapshot->tree, index) : NULL;
	if (snapshot != NULL && element == NULL) {
		answer_fail(answer, ERROR_INVALID_ELEMENT_INDEX,
			"Invalid element_index %d: the snapshot has %d elements", index,
			snapshot->tree->indexed);
	} else if (snapshot != NULL && snapshot->window->id != window->id) {
		answer_fail(answer, ERROR_INVALID_ARGUMENTS,
			"The element_token is of another window than the call's");
	} else if (element != NULL) {
		condition->element = element_copy(element);
	}
	snapshot_unref(snapshot);
	return condition->element != NULL;
}

/* Whether everything is there that the kind cannot do without. */
static bool is_whole(const struct condition *condition, const struct args *fields, bool waits,
	struct answer *answer)
{
	bool some = condition->element != NULL || condition->role != NULL || condition->label != NULL;
	bool window = condition->window_id != 0 || condition->title != NULL
		|| condition->app_name != NULL || condition->pid != 0;
	const char *missing = NULL;
	switch (condition->kind) {
	case CONDITION_ELEMENT_APPEARS:
	case CONDITION_ELEMENT_DISAPPEARS:
		missing = some ? NULL : "role, label, element_index or element_token";
		break;
	case CONDITION_ELEMENT_HAS_VALUE:
		missing = !some ? "role, label, element_index or element_token"
			: args_has(fields, "value") ? NULL : "value";
		break;
	case CONDITION_ELEMENT_HAS_STATE:
		missing = !some ? "role, label, element_index or element_token"
			: condition->state != 0 ? NULL : "state";
		break;
	case CONDITION_ELEMENT_HAS_LABEL:
		missing = condition->label == NULL ? "label"
			: condition->element != NULL || condition->role != NULL ? NULL
			: "role, element_index or element_token";
		break;
	case CONDITION_WINDOW_OPENS:
		/* One moment alone has no new windows. */
		missing = condition->fresh || window ? NULL : "title, app_name or pid";
		break;
	case CONDITION_WINDOW_CLOSES:
		missing = window ? NULL : "window_id, title, app_name or pid";
		break;
	case CONDITION_WINDOW_TITLE:
		missing = condition->title == NULL ? "title" : condition->window_id != 0 ? NULL : "window_id";
		break;
	case CONDITION_TEXT_PRESENT:
		missing = condition->text != NULL && condition->text[0] != '\0' ? NULL : "text";
		break;
	case CONDITION_IDLE:
		missing = waits ? NULL : "time: use wait_for";
		break;
	}
	if (missing != NULL) {
		refuse(answer, condition->kind, missing);
	}
	return missing == NULL;
}

static unsigned state_of(const char *name)
{
	for (int i = 0; name != NULL && i < ELEMENT_STATE_COUNT; i++) {
		if (strcmp(element_state_name(1u << i), name) == 0) {
			return 1u << i;
		}
	}
	return 0;
}

static struct condition *read_one(const struct args *fields, const struct window *window,
	struct session *session, bool waits, struct answer *answer)
{
	struct condition *condition = g_new0(struct condition, 1);
	const char *match = args_string(fields, "match");
	enum condition_kind kind = kind_of(fields);
	bool of_windows = kind >= CONDITION_WINDOW_OPENS && kind <= CONDITION_WINDOW_TITLE;
	*condition = (struct condition){
		.kind = kind,
		.negated = args_bool(fields, "not"),
		.exact = match != NULL ? strcmp(match, "exact") == 0 : !of_windows,
		.role = args_string(fields, "role"),
		.label = args_string(fields, "label"),
		.value = args_string(fields, "value"),
		.state = state_of(args_string(fields, "state")),
		.window_id = (guint64)args_int(fields, "window_id"),
		.pid = (pid_t)args_int(fields, "pid"),
		.title = args_string(fields, "title"),
		.app_name = args_string(fields, "app_name"),
		.text = args_string(fields, "text"),
		.quiet_ms = (int)args_int(fields, "quiet_ms"),
	};
	bool described = condition->title != NULL || condition->app_name != NULL;
	condition->fresh = waits && kind == CONDITION_WINDOW_OPENS
		&& (args_has(fields, "new") ? args_bool(fields, "new") : !described);
	/* The call's own window, unless the condition says which by itself. */
	bool named = kind == CONDITION_WINDOW_TITLE || (kind == CONDITION_WINDOW_CLOSES && !described
		&& condition->pid == 0);
	if (named && condition->window_id == 0 && window != NULL) {
		condition->window_id = window->id;
	}
	bool taken = !is_about_elements(kind)
		|| take_element(condition, fields, window, session, answer);
	if (!taken || !is_whole(condition, fields, waits, answer)) {
		g_clear_pointer(&condition, condition_free);
	}
	return condition;
}


GPtrArray *conditions_read(const struct args *args, struct call *call, bool waits)
{
	const GPtrArray *given = args_objects(args, "conditions");
	g_autoptr(GPtrArray) conditions = g_ptr_array_new_with_free_func((GDestroyNotify)condition_free);
	for (guint i = 0; i < given->len; i++) {
		struct condition *condition = read_one(given->pdata[i], call->window, call->session, waits,
			call->answer);
		if (condition == NULL) {
			return NULL;
		}
		g_ptr_array_add(conditions, condition);
	}
	if (conditions->len == 0) {
		answer_fail(call->answer, ERROR_INVALID_ARGUMENTS, "conditions is empty: nothing to wait for");
		answer_string(call->answer, "argument", "conditions");
		return NULL;
	}
	return g_steal_pointer(&conditions);
}

bool conditions_do_without(const struct args *args)
{
	const GPtrArray *given = args_objects(args, "conditions");
	for (guint i = 0; i < given->len; i++) {
		enum condition_kind kind = kind_of(given->pdata[i]);
		if (is_about_elements(kind) || kind == CONDITION_IDLE) {
			return false;
		}
	}
	return true;
}
