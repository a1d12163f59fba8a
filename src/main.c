/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <gio/gio.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "commands.h"
#include "core/nearest.h"
#include "core/quote.h"
#include "core/tool.h"
#include "daemon/call.h"
#include "discovery/discovery.h"
#include "platform.h"

static void print_help(FILE *out)
{
	fprintf(out, "Usage: cua-driver COMMAND [ARGUMENT]...\n\n"
		"Lets an AI agent see and operate desktop applications in the background.\n\n"
		"Commands:\n");
	for (gsize i = 0; commands[i].name != NULL; i++) {
		g_autofree char *call = g_strdup_printf("%s %s", commands[i].name, commands[i].arguments);
		fprintf(out, "  %-36s %s\n", g_strchomp(call), commands[i].about);
	}
	fprintf(out,
		"\nOptions:\n"
		"  --help                               show this, or a command's own help\n"
		"  --display NAME                       the desktop that is meant, such as :1, "
		"where the user has\n"
		"                                       several; as DISPLAY in the environment\n"
		"  --version                            show the version and what is built in\n\n"
		"An MCP client starts `cua-driver mcp`. Without a display, let it start\n"
		"`cua-driver desktop -- cua-driver mcp`. See cua-driver(1), cua-driver-tools(7),\n"
		"cua-driver-errors(7).\n");
}

static int unknown_command(const char *name)
{
	const char *nearest = NULL;
	int best = G_MAXINT;
	for (gsize i = 0; commands[i].name != NULL; i++) {
		int distance = nearest_better(name, commands[i].name, best);
		if (distance >= 0) {
			best = distance;
			nearest = commands[i].name;
		}
	}
	quote_print(stderr, "cua-driver: there is no command '%s'", name);
	if (nearest != NULL) {
		quote_print(stderr, "; did you mean '%s'?", nearest);
	}
	fprintf(stderr, "\nTry 'cua-driver --help'.\n");
	return EXIT_BAD_USAGE;
}

/*
 * Takes the option that names the desktop out of the arguments, wherever it stands before "--": it
 * means the same for all commands that talk to one. Returns how many arguments are left, or -1.
 */
static int take_display(int argc, char **argv)
{
	static const char option[] = "--display";
	int left = 1;
	const char *display = NULL;
	bool ours = argc > 1 && strcmp(argv[1], "desktop") != 0 && strcmp(argv[1], "guardian") != 0;
	for (int i = 1; i < argc; i++) {
		if (ours && strcmp(argv[i], "--") == 0) {
			ours = false;
		}
		if (ours && strcmp(argv[i], option) == 0) {
			display = i + 1 < argc ? argv[++i] : "";
		} else if (ours && g_str_has_prefix(argv[i], "--display=")) {
			display = argv[i] + sizeof option;
		} else {
			argv[left++] = argv[i];
		}
	}
	argv[left] = NULL;
	if (display != NULL && *display == '\0') {
		fprintf(stderr, "cua-driver: --display takes the name of a display, such as :1\n");
		return -1;
	}
	if (display != NULL) {
		discovery_choose(display);
	}
	return left;
}

static bool wants_help(const char *argument)
{
	return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0
		|| strcmp(argument, "help") == 0;
}

/*
 * Files are those of the file system. GIO would ask the session bus for others before it reads a
 * desktop entry, and wait 25 s where gvfs is installed and its service does not start. The word is
 * for this process only: what we start finds the environment as it was.
 */
static void read_local_files(void)
{
	static const char name[] = "GIO_USE_VFS";
	g_autofree char *before = g_strdup(g_getenv(name));
	g_setenv(name, "local", true);
	g_vfs_get_default();
	if (before != NULL) {
		g_setenv(name, before, true);
	} else {
		g_unsetenv(name);
	}
}

int main(int argc, char **argv)
{
	g_log_set_writer_func(quote_log, NULL, NULL);
	argc = take_display(argc, argv);
	if (argc < 0) {
		return EXIT_BAD_USAGE;
	}
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
	read_local_files();
	for (gsize i = 0; commands[i].name != NULL; i++) {
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
