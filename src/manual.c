/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "manual.h"

#include <jansson.h>
#include <string.h>

#include "commands.h"
#include "core/error.h"
#include "core/settings.h"

/* The first sentence of a text. */
static int first_sentence(const char *text)
{
	const char *end = strstr(text, ". ");
	return end != NULL ? (int)(end - text) + 1 : (int)strlen(text);
}

void manual_list_tools(FILE *out)
{
	for (int i = 0; tools[i] != NULL; i++) {
		fprintf(out, "%-24s %.*s\n", tools[i]->name, first_sentence(tools[i]->about),
			tools[i]->about);
	}
}

/* With what is in it, further to the right. */
static void print_indented(const struct param *param, int indent, FILE *out)
{
	g_autofree char *accepts = param_accepts(param);
	fprintf(out, "%*s%s%s: %s\n%*s%s\n", indent, "", param->name,
		param->required ? " (required)" : "", accepts, indent + 4, "", param->about);
	for (const struct param *field = param->fields; field != NULL && field->name != NULL; field++) {
		print_indented(field, indent + 4, out);
	}
}

static bool print_param(const struct param *param, void *data)
{
	print_indented(param, 2, data);
	return true;
}

void manual_describe_tool(const struct tool *tool, FILE *out)
{
	GString *schema = g_string_new(NULL);
	fprintf(out, "%s - %s\n\n%s\n\nArguments:\n", tool->name, tool->title, tool->about);
	tool_each_param(tool, print_param, out);

	tool_describe(tool, schema, true);
	json_t *json = json_loads(schema->str, 0, NULL);
	char *pretty = json_dumps(json, JSON_INDENT(2));
	fprintf(out, "\nAs an MCP client sees it:\n%s\n", pretty);
	free(pretty);
	json_decref(json);
	g_string_free(schema, TRUE);
}

/* A text in the man language: no line may begin with a control character, no escape may start. */
static void roff(FILE *out, const char *text)
{
	if (text[0] == '.' || text[0] == '\'') {
		fputs("\\&", out);
	}
	for (; *text != '\0'; text++) {
		switch (*text) {
		case '\\':
			fputs("\\e", out);
			break;
		case '-':
			fputs("\\-", out);
			break;
		default:
			fputc(*text, out);
		}
	}
}

static void page_head(FILE *out, const char *title, const char *name, const char *about)
{
	fprintf(out, ".\\\" Generated from the program's own tables; do not edit.\n"
		".TH %s 7 \"\" \"cua-driver %s\" \"Cua Driver\"\n.SH NAME\n%s \\- %s\n.SH DESCRIPTION\n",
		title, PACKAGE_VERSION, name, about);
}

static void page_foot(FILE *out, const char *others)
{
	fprintf(out, ".SH SEE ALSO\n%s\n", others);
}

static bool page_param(const struct param *param, void *data)
{
	FILE *out = data;
	g_autofree char *accepts = param_accepts(param);
	fprintf(out, ".TP\n.BR ");
	roff(out, param->name);
	fprintf(out, " \" \\- ");
	for (const char *c = accepts; *c != '\0'; c++) {
		/* A quote ends the argument of a macro unless doubled. */
		fputs(*c == '"' ? "\"\"" : (char[]){ *c, 0 }, out);
	}
	fprintf(out, "%s\"\n", param->required ? ", required" : "");
	roff(out, param->about);
	fputc('\n', out);
	return true;
}

/* Adds each object's fields once, in the order they are met, those inside of others after them. */
static bool note_objects(const struct param *param, void *data)
{
	GPtrArray *objects = data;
	for (guint i = 0; param->fields != NULL && i < objects->len; i++) {
		if (((const struct param *)objects->pdata[i])->fields == param->fields) {
			return true;
		}
	}
	if (param->fields != NULL) {
		g_ptr_array_add(objects, (void *)param);
		for (const struct param *field = param->fields; field->name != NULL; field++) {
			note_objects(field, objects);
		}
	}
	return true;
}

static void page_objects(FILE *out)
{
	g_autoptr(GPtrArray) objects = g_ptr_array_new();
	for (int i = 0; tools[i] != NULL; i++) {
		tool_each_param(tools[i], note_objects, objects);
	}
	if (objects->len > 0) {
		fprintf(out, ".SH OBJECTS\nArguments that are objects, or lists of them, have these members.\n");
	}
	for (guint i = 0; i < objects->len; i++) {
		const struct param *object = objects->pdata[i];
		fprintf(out, ".SS ");
		roff(out, object->name);
		fputc('\n', out);
		for (const struct param *field = object->fields; field->name != NULL; field++) {
			page_param(field, out);
		}
	}
}

void manual_tools_page(FILE *out)
{
	page_head(out, "CUA\\-DRIVER\\-TOOLS", "cua\\-driver\\-tools", "the tools of cua\\-driver");
	fprintf(out, "An MCP client calls these by\n.BR tools/call .\nErrors are answered as results with "
		"isError true and a code of\n.BR cua\\-driver\\-errors (7).\n");
	for (int i = 0; tools[i] != NULL; i++) {
		fprintf(out, ".SS ");
		roff(out, tools[i]->name);
		fputc('\n', out);
		roff(out, tools[i]->about);
		fputc('\n', out);
		tool_each_param(tools[i], page_param, out);
	}
	page_objects(out);
	page_foot(out, ".BR cua\\-driver (1),\n.BR cua\\-driver\\-errors (7)");
}

void manual_errors_page(FILE *out)
{
	page_head(out, "CUA\\-DRIVER\\-ERRORS", "cua\\-driver\\-errors",
		"the error codes of cua\\-driver");
	fprintf(out, "A tool that fails answers\n.B isError: true\nand structured content with\n.BR code ,\n"
		".BR message ,\n.B delivery\n(none, partial, full, unknown: what of the action may have "
		"reached the application),\n.B retry\n(safe or unsafe) and, where there is one, a\n"
		".BR suggestion .\nA code never changes its meaning.\n");
	for (int i = 0; i < ERROR_CODE_COUNT; i++) {
		const struct error_info *info = error_info((enum error_code)i);
		fprintf(out, ".TP\n.B %s\n", info->wire);
		roff(out, info->meaning);
		fprintf(out, "\nDelivery %s, retry %s.\n", delivered_name(info->delivered), info->retry);
		if (info->suggestion != NULL) {
			roff(out, info->suggestion);
			fputc('\n', out);
		}
	}
	page_foot(out, ".BR cua\\-driver (1),\n.BR cua\\-driver\\-tools (7)");
}

void manual_completion(FILE *out)
{
	fprintf(out, "# bash completion for cua-driver, generated from the program's own tables\n"
		"_cua_driver()\n{\n\tlocal cur=${COMP_WORDS[COMP_CWORD]} words=\n\tlocal tools='");
	for (int i = 0; tools[i] != NULL; i++) {
		fprintf(out, "%s%s", i > 0 ? " " : "", tools[i]->name);
	}
	fprintf(out, "'\n\tlocal settings='");
	for (const struct param *setting = settings_table; setting->name != NULL; setting++) {
		fprintf(out, "%s%s", setting == settings_table ? "" : " ", setting->name);
	}
	fprintf(out, "'\n\tif [ \"$COMP_CWORD\" = 1 ]; then\n\t\twords=\"--help --version");
	for (int i = 0; commands[i].name != NULL; i++) {
		fprintf(out, " %s", commands[i].name);
	}
	fprintf(out, " $tools\"\n\telse\n\t\tcase ${COMP_WORDS[1]} in\n"
		"\t\tcall | describe) words=\"$tools\" ;;\n"
		"\t\tconfig) [ \"$COMP_CWORD\" = 2 ] && words='show get set reset' || words=\"$settings\" ;;\n"
		"\t\tmcp-config) words='--client --desktop claude codex cursor vscode gemini opencode' ;;\n"
		"\t\tdoctor) words='--json --repair' ;;\n"
		"\t\tpanic) words='--resume' ;;\n"
		"\t\tmcp | serve | status | stop) words='--socket' ;;\n"
		"\t\tesac\n\tfi\n"
		"\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n}\n"
		"complete -o default -F _cua_driver cua-driver\n");
}
