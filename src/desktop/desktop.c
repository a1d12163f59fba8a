/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <getopt.h>
#include <glib.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "desktop/buses.h"
#include "desktop/desk.h"
#include "desktop/desktop.h"
#include "desktop/rundir.h"
#include "desktop/server.h"
#include "desktop/wm.h"

#define SIZE_MIN 64
#define SIZE_MAX_PX 16384

enum outcome { RUN, HELP, BAD };

G_DEFINE_QUARK(cua-desktop-error, desk_error)

void desk_say(const struct desk *desk, const char *format, ...)
{
	va_list args;

	if (!desk->options.verbose) {
		return;
	}
	va_start(args, format);
	g_autofree char *text = g_strdup_vprintf(format, args);
	va_end(args);
	fprintf(stderr, "cua-driver desktop: %4d ms: %s\n",
	        (int)((g_get_monotonic_time() - desk->begun) / 1000), text);
}

void desk_complain(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_autofree char *text = g_strdup_vprintf(format, args);
	va_end(args);
	fprintf(stderr, "cua-driver desktop: %s\n", text);
}

static void print_help(void)
{
	g_autofree char *servers = server_names();
	g_autofree char *managers = wm_names();

	printf("Usage: cua-driver desktop [OPTION]... -- COMMAND [ARGUMENT]...\n"
	       "\n"
	       "Starts a private desktop without a screen (X server, window manager, session bus,\n"
	       "accessibility bus), runs COMMAND in it and takes all of it down when COMMAND ends.\n"
	       "COMMAND has the caller's standard input, output and error, so this is a desktop\n"
	       "with a driver in it:\n"
	       "\n"
	       "  cua-driver desktop -- cua-driver mcp\n"
	       "\n"
	       "Options:\n"
	       "  --size WxH         size of the screen in pixels (default 1280x800)\n"
	       "  --server NAME      the X server: %s (default xvfb); xvnc can be looked at\n"
	       "                     through a Unix socket, --verbose says which\n"
	       "  --wm NAME          the window manager, or none (default: the first installed of\n"
	       "                     %s);\n"
	       "                     any other command is started as it is\n"
	       "  --timeout SECONDS  end COMMAND after that time (exit code 124)\n"
	       "  --verbose          say on standard error what starts, where, and when\n"
	       "  --help             this text\n"
	       "\n"
	       "Everything started in the desktop ends with it, also what went into the\n"
	       "background, also when this command is killed. Runtime directory, settings and buses\n"
	       "are the desktop's own; the home directory is the caller's.\n"
	       "\n"
	       "Exit code: that of COMMAND; 128+N when signal N ended it; 126 or 127 when it cannot\n"
	       "be run; 64 bad usage; 69 a program is missing; 70 the desktop did not start or its\n"
	       "X server died.\n",
	       servers, managers);
}

/* All of `text` as a number within the limits, followed by `end`. */
static bool parse_number(const char *text, char end, double low, double high, double *number,
                         const char **rest)
{
	char *stop;

	if (!g_ascii_isdigit(text[0])) {
		return false;
	}
	*number = g_ascii_strtod(text, &stop);
	if (*stop != end || !(*number >= low && *number <= high)) {
		return false;
	}
	*rest = stop;
	return true;
}

static bool parse_size(struct desk_options *options, const char *text)
{
	double width, height;
	const char *rest;

	/* digits only: "0x10" is a number to strtod */
	if (strspn(text, "0123456789x") != strlen(text) || text[0] == '0' ||
	    !parse_number(text, 'x', SIZE_MIN, SIZE_MAX_PX, &width, &rest) ||
	    !parse_number(rest + 1, '\0', SIZE_MIN, SIZE_MAX_PX, &height, &rest)) {
		desk_complain("--size takes WIDTHxHEIGHT, each %d to %d, not '%s'", SIZE_MIN,
		              SIZE_MAX_PX, text);
		return false;
	}
	options->width = (int)width;
	options->height = (int)height;
	return true;
}

static bool parse_timeout(struct desk_options *options, const char *text)
{
	double seconds;
	const char *rest;

	if (!parse_number(text, '\0', 0.001, 1e9, &seconds, &rest)) {
		desk_complain("--timeout takes seconds, more than 0, not '%s'", text);
		return false;
	}
	options->timeout = (int64_t)(seconds * G_USEC_PER_SEC);
	return true;
}

static bool parse_server(struct desk_options *options, const char *text)
{
	g_autofree char *names = server_names();

	options->server = server_find(text);
	if (options->server == NULL) {
		desk_complain("--server is one of %s, not '%s'", names, text);
	}
	return options->server != NULL;
}

static enum outcome parse(struct desk_options *options, int argc, char **argv)
{
	static const struct option known[] = {
		{ "size", required_argument, NULL, 's' },
		{ "server", required_argument, NULL, 'x' },
		{ "wm", required_argument, NULL, 'w' },
		{ "timeout", required_argument, NULL, 't' },
		{ "verbose", no_argument, NULL, 'v' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	bool good = true;
	int option;

	optind = 0; /* 0, not 1: getopt may have been used on another vector before */
	opterr = 0;
	while (good && (option = getopt_long(argc, argv, "+:vh", known, NULL)) != -1) {
		switch (option) {
		case 's':
			good = parse_size(options, optarg);
			break;
		case 'x':
			good = parse_server(options, optarg);
			break;
		case 'w':
			options->wm = optarg;
			break;
		case 't':
			good = parse_timeout(options, optarg);
			break;
		case 'v':
			options->verbose = true;
			break;
		case 'h':
			return HELP;
		case ':':
			desk_complain("%s needs a value", argv[optind - 1]);
			good = false;
			break;
		default:
			desk_complain("unknown option '%s'; try --help", argv[optind - 1]);
			good = false;
			break;
		}
	}
	options->command = argv + optind;
	if (good && options->command[0] == NULL) {
		desk_complain("what is to run in it? cua-driver desktop [OPTION]... -- COMMAND...");
		good = false;
	}
	return good ? RUN : BAD;
}

static bool choose(struct desk *desk, GError **error)
{
	const struct server_impl *server = desk->options.server;
	g_autofree char *program = g_find_program_in_path(server->program);

	if (program == NULL) {
		g_set_error(error, DESK_ERROR, EXIT_UNAVAILABLE,
		            "%s is not installed: apt-get install %s", server->program,
		            server->package);
		return false;
	}
	return buses_choose(desk, error) && wm_choose(desk, error);
}

int desktop_main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	struct desk desk = {
		.options = { .width = 1280, .height = 800, .server = server_find(NULL) },
		.begun = g_get_monotonic_time(),
		.begun_wall = g_get_real_time(),
	};
	int code;

	switch (parse(&desk.options, argc, argv)) {
	case HELP:
		print_help();
		return 0;
	case BAD:
		return EXIT_BAD_USAGE;
	case RUN:
		break;
	}
	if (choose(&desk, &error)) {
		desk.directory = rundir_choose();
		code = front_run(&desk);
		tree_finish(&desk.tree);
	} else {
		desk_complain("%s", error->message);
		code = error->code;
	}
	g_free(desk.directory);
	g_free(desk.wm_program);
	g_free(desk.launcher_program);
	return code;
}
