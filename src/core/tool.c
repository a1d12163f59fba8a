/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/tool.h"

#include <string.h>

#include "core/emit.h"
#include "core/nearest.h"

const struct param param_session = {
	"session", .type = PARAM_STRING,
	.about = "Label of the session whose snapshots and settings are used; without it the "
		 "connection's own.",
};

const struct tool *tool_find(const char *name)
{
	for (int i = 0; tools[i] != NULL; i++) {
		if (strcmp(tools[i]->name, name) == 0) {
			return tools[i];
		}
	}
	return NULL;
}

const char *tool_nearest(const char *name)
{
	const char *nearest = NULL;
	int best = G_MAXINT;
	for (int i = 0; tools[i] != NULL; i++) {
		int distance = nearest_better(name, tools[i]->name, best);
		if (distance >= 0) {
			best = distance;
			nearest = tools[i]->name;
		}
	}
	return nearest;
}

void tool_each_param(const struct tool *tool, bool (*each)(const struct param *param, void *data),
	void *data)
{
	for (const struct param *param = tool->params; param != NULL && param->name != NULL; param++) {
		if (!each(param, data)) {
			return;
		}
	}
	each(&param_session, data);
}

char *param_accepts(const struct param *param)
{
	g_autofree char *what = NULL;
	switch (param->type) {
	case PARAM_BOOL:
		what = g_strdup("true or false");
		break;
	case PARAM_INT:
		if (param->max != 0) {
			what = g_strdup_printf("an integer from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
				param->min, param->max);
		} else {
			what = g_strdup_printf("an integer of at least %" G_GINT64_FORMAT, param->min);
		}
		break;
	case PARAM_STRING:
		what = g_strdup("a string");
		break;
	case PARAM_SCALAR:
		what = g_strdup("a string, a number, true or false");
		break;
	case PARAM_STRINGS:
		what = g_strdup("a list of strings");
		break;
	case PARAM_OBJECT:
	case PARAM_OBJECTS: {
		g_autoptr(GString) names = g_string_new(NULL);
		for (const struct param *field = param->fields; field->name != NULL; field++) {
			g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "", field->name);
		}
		what = g_strdup_printf("%s with %s", param->type == PARAM_OBJECT ? "an object"
			: "a list of objects", names->str);
		break;
	}
	case PARAM_ENUM: {
		g_auto(GStrv) words = g_strsplit(param->values, "|", -1);
		g_autofree char *list = g_strjoinv(", ", words);
		what = g_strdup_printf("one of %s", list);
		break;
	}
	}
	if (param->preset == NULL) {
		return g_steal_pointer(&what);
	}
	return g_strdup_printf("%s (%s by default)", what, param->preset);
}

static void describe_fields(const struct param *fields, const struct param *more, GString *out);

static void describe_type(const struct param *param, GString *out)
{
	switch (param->type) {
	case PARAM_BOOL:
		emit_string(out, "type", "boolean");
		break;
	case PARAM_INT:
		emit_string(out, "type", "integer");
		emit_int(out, "minimum", param->min);
		if (param->max != 0) {
			emit_int(out, "maximum", param->max);
		}
		break;
	case PARAM_STRING:
	case PARAM_SCALAR: /* hosts do not take a list of types; numbers are accepted without being announced */
		emit_string(out, "type", "string");
		break;
	case PARAM_ENUM: {
		g_auto(GStrv) words = g_strsplit(param->values, "|", -1);
		emit_string(out, "type", "string");
		emit_open(out, "enum", '[');
		for (char **word = words; *word != NULL; word++) {
			emit_string(out, NULL, *word);
		}
		emit_close(out, ']');
		break;
	}
	case PARAM_STRINGS:
		emit_string(out, "type", "array");
		emit_raw(out, "items", "{\"type\":\"string\"}", -1);
		break;
	case PARAM_OBJECT:
		describe_fields(param->fields, NULL, out);
		break;
	case PARAM_OBJECTS:
		emit_string(out, "type", "array");
		emit_open(out, "items", '{');
		if (param->brief) {
			emit_string(out, "type", "object");
			emit_close(out, '}');
			break;
		}
		describe_fields(param->fields, NULL, out);
		emit_close(out, '}');
		break;
	}
}

static void describe_param(const struct param *param, GString *out)
{
	emit_open(out, param->name, '{');
	describe_type(param, out);
	emit_string(out, "description", param->about);
	if (param->preset != NULL) {
		emit_raw(out, "default", param->preset, -1);
	}
	emit_close(out, '}');
}

/* The members of an object schema; `more` is one further argument, or NULL. */
static void describe_fields(const struct param *fields, const struct param *more, GString *out)
{
	emit_string(out, "type", "object");
	emit_open(out, "properties", '{');
	for (const struct param *param = fields; param != NULL && param->name != NULL; param++) {
		describe_param(param, out);
	}
	if (more != NULL) {
		describe_param(more, out);
	}
	emit_close(out, '}');
	emit_open(out, "required", '[');
	for (const struct param *param = fields; param != NULL && param->name != NULL; param++) {
		if (param->required) {
			emit_string(out, NULL, param->name);
		}
	}
	emit_close(out, ']');
	emit_bool(out, "additionalProperties", false);
}

void tool_describe(const struct tool *tool, GString *out, bool structured)
{
	bool reads = tool->effect == TOOL_READS;
	emit_open(out, NULL, '{');
	emit_string(out, "name", tool->name);
	emit_string(out, "title", tool->title);
	emit_string(out, "description", tool->about);

	emit_open(out, "inputSchema", '{');
	describe_fields(tool->params, &param_session, out);
	emit_close(out, '}');

	if (structured) {
		/* Clients check errors against it as well, so it must not require anything. */
		emit_raw(out, "outputSchema",
			"{\"type\":\"object\",\"properties\":{"
			"\"code\":{\"type\":\"string\",\"description\":\"Error code, when isError\"},"
			"\"message\":{\"type\":\"string\",\"description\":\"What went wrong, when isError\"}"
			"},\"additionalProperties\":true}", -1);
	}

	emit_open(out, "annotations", '{');
	emit_string(out, "title", tool->title);
	emit_bool(out, "readOnlyHint", reads);
	emit_bool(out, "destructiveHint", !reads);
	emit_bool(out, "idempotentHint", reads);
	emit_bool(out, "openWorldHint", !reads);
	emit_close(out, '}');
	emit_close(out, '}');
}
