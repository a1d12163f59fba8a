/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "hosts.h"

#include <glib.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "core/emit.h"

/* How a host writes down the servers it starts. */
enum form {
	FORM_SERVERS,   /* {"mcpServers": {NAME: {"command", "args"}}} */
	FORM_VSCODE,    /* {"servers": {NAME: {"type": "stdio", "command", "args"}}} */
	FORM_OPENCODE,  /* {"mcp": {NAME: {"type": "local", "command": [...], "enabled"}}} */
	FORM_TOML,      /* [mcp_servers.NAME] command, args */
};

static const struct host {
	const char *name;
	const char *file;        /* where it goes */
	enum form form;
	const char *command;     /* a command of the host's own that does the same; NULL if it has none */
} hosts[] = {
	{ "claude", "~/.claude.json, or .mcp.json in a project", FORM_SERVERS,
	  "claude mcp add cua-driver --" },
	{ "codex", "~/.codex/config.toml", FORM_TOML, "codex mcp add cua-driver --" },
	{ "cursor", "~/.cursor/mcp.json, or .cursor/mcp.json in a project", FORM_SERVERS, NULL },
	{ "vscode", ".vscode/mcp.json in a project, or mcp.json of the user profile", FORM_VSCODE, NULL },
	{ "gemini", "~/.gemini/settings.json", FORM_SERVERS, "gemini mcp add cua-driver" },
	{ "opencode", "~/.config/opencode/opencode.json, or opencode.json in a project", FORM_OPENCODE,
	  NULL },
};

static void print_toml(const char *const *words)
{
	GString *args = g_string_new(NULL);
	g_autofree char *command = g_strescape(words[0], NULL);
	for (int i = 1; words[i] != NULL; i++) {
		g_autofree char *word = g_strescape(words[i], NULL);
		g_string_append_printf(args, "%s\"%s\"", i > 1 ? ", " : "", word);
	}
	printf("[mcp_servers.cua-driver]\ncommand = \"%s\"\nargs = [%s]\n", command, args->str);
	g_string_free(args, TRUE);
}

static void emit_words(GString *out, const char *name, const char *const *words)
{
	emit_open(out, name, '[');
	for (; *words != NULL; words++) {
		emit_string(out, NULL, *words);
	}
	emit_close(out, ']');
}

static void print_json(enum form form, const char *const *words)
{
	GString *out = g_string_new(NULL);
	emit_open(out, NULL, '{');
	emit_open(out, form == FORM_VSCODE ? "servers" : form == FORM_OPENCODE ? "mcp" : "mcpServers", '{');
	emit_open(out, "cua-driver", '{');
	if (form == FORM_OPENCODE) {
		emit_string(out, "type", "local");
		emit_words(out, "command", words);
		emit_bool(out, "enabled", true);
	} else {
		if (form == FORM_VSCODE) {
			emit_string(out, "type", "stdio");
		}
		emit_string(out, "command", words[0]);
		emit_words(out, "args", words + 1);
	}
	emit_close(out, '}');
	emit_close(out, '}');
	emit_close(out, '}');
	json_t *json = json_loads(out->str, 0, NULL);
	char *text = json_dumps(json, JSON_INDENT(2));
	puts(text);
	free(text);
	json_decref(json);
	g_string_free(out, TRUE);
}

static int usage(FILE *out)
{
	fprintf(out, "Usage: cua-driver mcp-config --client NAME [--desktop]\n\n"
		"Prints what makes an MCP host start this driver. --desktop gives the agent a private desktop\n"
		"instead of yours.\n\nHosts:");
	for (gsize i = 0; i < G_N_ELEMENTS(hosts); i++) {
		fprintf(out, " %s", hosts[i].name);
	}
	fputc('\n', out);
	return out == stdout ? 0 : EXIT_BAD_USAGE;
}

int mcp_config_main(int argc, char **argv)
{
	const char *name = NULL;
	bool desktop = false;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
			return usage(stdout);
		} else if (strcmp(argv[i], "--client") == 0 && i + 1 < argc) {
			name = argv[++i];
		} else if (strcmp(argv[i], "--desktop") == 0) {
			desktop = true;
		} else {
			return usage(stderr);
		}
	}
	const struct host *host = NULL;
	for (gsize i = 0; i < G_N_ELEMENTS(hosts) && name != NULL; i++) {
		host = strcmp(hosts[i].name, name) == 0 ? &hosts[i] : host;
	}
	if (host == NULL) {
		if (name != NULL) {
			fprintf(stderr, "cua-driver mcp-config: there is no host '%s'\n", name);
		}
		return usage(stderr);
	}
	g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
	const char *here[] = { self, "mcp", NULL };
	const char *apart[] = { self, "desktop", "--", self, "mcp", NULL };
	const char *const *words = desktop ? apart : here;
	fprintf(stderr, "# Put this into %s:\n", host->file);
	if (host->form == FORM_TOML) {
		print_toml(words);
	} else {
		print_json(host->form, words);
	}
	if (host->command != NULL) {
		g_autofree char *line = g_strjoinv(" ", (char **)words);
		fprintf(stderr, "# or run: %s %s\n", host->command, line);
	}
	return 0;
}
