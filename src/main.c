/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "core/nearest.h"
#include "core/tool.h"
#include "daemon/call.h"
#include "daemon/client.h"
#include "daemon/defaults.h"
#include "daemon/serve.h"
#ifdef HAVE_X11
#include "desktop/desktop.h"
#endif
#include "manual.h"
#include "mcp/stdio.h"
#include "platform.h"

/* A word after `cua-driver`; argv[0] is the word itself. */
struct command {
	const char *name;
	const char *arguments;
	const char *about;
	int (*run)(int argc, char **argv);
	bool helps;              /* it has options, and so a help of its own */
};

static int list_tools_main(int argc, char **argv)
{
	if (argc > 1) {
		fprintf(stderr, "cua-driver list-tools: unexpected argument '%s'\n", argv[1]);
		return EXIT_BAD_USAGE;
	}
	manual_list_tools(stdout);
	return 0;
}

static int describe_main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "Usage: cua-driver describe TOOL\n");
		return EXIT_BAD_USAGE;
	}
	const struct tool *tool = tool_find(argv[1]);
	if (tool == NULL) {
		const char *nearest = tool_nearest(argv[1]);
		fprintf(stderr, "cua-driver describe: there is no tool '%s'%s%s%s\n", argv[1],
			nearest != NULL ? "; did you mean '" : "; see cua-driver list-tools",
			nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
		return EXIT_BAD_USAGE;
	}
	manual_describe_tool(tool, stdout);
	return 0;
}

static const struct command commands[] = {
	{ "mcp", "[--socket PATH]", "serve MCP on standard input and output", mcp_main },
	{ "call", "[OPTION]... TOOL [JSON]", "call a tool once; so does cua-driver TOOL [JSON]", call_main, true },
	{ "serve", "[--socket PATH]", "run as a daemon that calls and clients share", serve_main },
	{ "status", "[--socket PATH]", "show the running daemon", status_main },
	{ "stop", "[--socket PATH]", "stop the running daemon", stop_main },
	{ "config", "[show|get|set|reset]", "show or change the settings of all sessions", config_main, true },
	{ "list-tools", "", "list the tools with one line each", list_tools_main },
	{ "describe", "TOOL", "show a tool's arguments and schema", describe_main },
#ifdef HAVE_X11
	{ "desktop", "[OPTION]... -- COMMAND...", "run a command on a private, headless desktop", desktop_main, true },
#endif
};

static void print_help(FILE *out)
{
	fprintf(out, "Usage: cua-driver COMMAND [ARGUMENT]...\n\n"
		"Lets an AI agent see and operate desktop applications in the background.\n\n"
		"Commands:\n");
	for (gsize i = 0; i < G_N_ELEMENTS(commands); i++) {
		g_autofree char *call = g_strdup_printf("%s %s", commands[i].name, commands[i].arguments);
		fprintf(out, "  %-36s %s\n", g_strchomp(call), commands[i].about);
	}
	fprintf(out, "\nOptions:\n"
		"  --help                               show this, or a command's own help\n"
		"  --version                            show the version and what is built in\n\n"
		"An MCP client starts `cua-driver mcp`. Without a display, let it start\n"
		"`cua-driver desktop -- cua-driver mcp`. See cua-driver(1), cua-driver-tools(7),\n"
		"cua-driver-errors(7).\n");
}

static int unknown_command(const char *name)
{
	const char *nearest = NULL;
	int best = G_MAXINT;
	for (gsize i = 0; i < G_N_ELEMENTS(commands); i++) {
		int distance = nearest_better(name, commands[i].name, best);
		if (distance >= 0) {
			best = distance;
			nearest = commands[i].name;
		}
	}
	fprintf(stderr, "cua-driver: there is no command '%s'", name);
	if (nearest != NULL) {
		fprintf(stderr, "; did you mean '%s'?", nearest);
	}
	fprintf(stderr, "\nTry 'cua-driver --help'.\n");
	return EXIT_BAD_USAGE;
}

static bool wants_help(const char *argument)
{
	return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0
		|| strcmp(argument, "help") == 0;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		print_help(stderr);
		return EXIT_BAD_USAGE;
	}
	if (wants_help(argv[1])) {
		print_help(stdout);
		return 0;
	}
	if (strcmp(argv[1], "--version") == 0) {
		printf("%s %s (%s)\n", PACKAGE_NAME, PACKAGE_VERSION, platform_features());
		return 0;
	}
	for (gsize i = 0; i < G_N_ELEMENTS(commands); i++) {
		const struct command *command = &commands[i];
		if (strcmp(command->name, argv[1]) != 0) {
			continue;
		}
		if (argc == 3 && wants_help(argv[2]) && !command->helps) {
			printf("Usage: cua-driver %s %s\n\n%c%s.\n", command->name, command->arguments,
				g_ascii_toupper(command->about[0]), command->about + 1);
			return 0;
		}
		return command->run(argc - 1, argv + 1);
	}
	if (tool_find(argv[1]) != NULL) {
		return call_main(argc - 1, argv + 1);
	}
	return unknown_command(argv[1]);
}
