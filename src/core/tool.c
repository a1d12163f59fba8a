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

static bool describe_param(const struct param *param, void *data)
{
	static const char *const types[] = {
		[PARAM_BOOL] = "boolean", [PARAM_INT] = "integer",
		[PARAM_STRING] = "string", [PARAM_ENUM] = "string",
	};
	GString *out = data;
	emit_open(out, param->name, '{');
	emit_string(out, "type", types[param->type]);
	emit_string(out, "description", param->about);
	if (param->type == PARAM_INT) {
		emit_int(out, "minimum", param->min);
		if (param->max != 0) {
			emit_int(out, "maximum", param->max);
		}
	}
	if (param->type == PARAM_ENUM) {
		g_auto(GStrv) words = g_strsplit(param->values, "|", -1);
		emit_open(out, "enum", '[');
		for (char **word = words; *word != NULL; word++) {
			emit_string(out, NULL, *word);
		}
		emit_close(out, ']');
	}
	if (param->preset != NULL) {
		emit_raw(out, "default", param->preset, -1);
	}
	emit_close(out, '}');
	return true;
}

static bool describe_required(const struct param *param, void *data)
{
	if (param->required) {
		emit_string(data, NULL, param->name);
	}
	return true;
}

void tool_describe(const struct tool *tool, GString *out, bool structured)
{
	bool reads = tool->effect == TOOL_READS;
	emit_open(out, NULL, '{');
	emit_string(out, "name", tool->name);
	emit_string(out, "title", tool->title);
	emit_string(out, "description", tool->about);

	emit_open(out, "inputSchema", '{');
	emit_string(out, "type", "object");
	emit_open(out, "properties", '{');
	tool_each_param(tool, describe_param, out);
	emit_close(out, '}');
	emit_open(out, "required", '[');
	tool_each_param(tool, describe_required, out);
	emit_close(out, ']');
	emit_bool(out, "additionalProperties", false);
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
