/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "commands.h"

#include <stdio.h>

#include "cli.h"
#include "core/quote.h"
#include "core/tool.h"
#include "daemon/call.h"
#include "daemon/client.h"
#include "daemon/defaults.h"
#include "daemon/panic.h"
#include "daemon/serve.h"
#ifdef HAVE_X11
#include "desktop/desktop.h"
#endif
#include "doctor/doctor.h"
#include "hosts.h"
#include "manual.h"
#include "mcp/stdio.h"
#ifdef HAVE_X11
#include "x11/guardian.h"
#endif

static int list_tools_main(int argc, char **argv)
{
	if (argc > 1) {
		quote_print(stderr, "cua-driver list-tools: unexpected argument '%s'\n", argv[1]);
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
		quote_print(stderr, "cua-driver describe: there is no tool '%s'%s%s%s\n", argv[1],
			nearest != NULL ? "; did you mean '" : "; see cua-driver list-tools",
			nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
		return EXIT_BAD_USAGE;
	}
	manual_describe_tool(tool, stdout);
	return 0;
}

const struct command commands[] = {
	{ "mcp", "[--socket PATH]", "serve MCP on standard input and output", mcp_main },
	{ "call", "[OPTION]... TOOL [JSON]", "call a tool once; so does cua-driver TOOL [JSON]", call_main, true },
	{ "serve", "[--socket PATH]", "run as a daemon that calls and clients share", serve_main },
	{ "status", "[--socket PATH]", "show the running daemon", status_main },
	{ "stop", "[--socket PATH]", "stop the running daemon", stop_main },
	{ "panic", "[--resume]", "stop all input of all drivers at once, or let them act again", panic_main,
	  true },
	{ "config", "[show|get|set|reset]", "show or change the settings of all sessions", config_main, true },
	{ "doctor", "[--json] [--repair]", "show what works here, and what fixes the rest", doctor_main, true },
	{ "mcp-config", "--client NAME [--desktop]", "print what makes an MCP host start the driver",
	  mcp_config_main, true },
	{ "list-tools", "", "list the tools with one line each", list_tools_main },
	{ "describe", "TOOL", "show a tool's arguments and schema", describe_main },
#ifdef HAVE_X11
	{ "guardian", "DISPLAY", "undo what a driver left when it died; the driver starts it by itself", guardian_main },
	{ "desktop", "[OPTION]... -- COMMAND...", "run a command on a private, headless desktop", desktop_main, true },
#endif
	{ NULL }
};
