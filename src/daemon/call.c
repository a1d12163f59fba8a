/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "daemon/call.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "core/quote.h"
#include "core/tool.h"
#include "daemon/address.h"
#include "daemon/client.h"
#include "daemon/owner.h"
#include "discovery/discovery.h"
#include "manual.h"
#include "mcp/server.h"
#include "platform.h"

/* The longest any call may take by itself, and then some. */
#define CALL_MS (15 * 60 * 1000)
/* Arguments piped in are there at once; a pipe that somebody merely left open is not waited for. */
#define STDIN_MS 1000

struct request {
	const char *tool;
	const char *json;        /* NULL: none on the command line; "-": on stdin */
	const char *socket;
	const char *image;       /* file for the picture */
	bool text, raw;
};

/* --- The command line ------------------------------------------------------------------------- */

static const char usage[] =
	"Usage: cua-driver call [OPTION]... TOOL [JSON]\n\n"
	"Calls a tool once and prints its structured answer. JSON holds the arguments, as an\n"
	"object; '-', or a pipe on standard input, gives them there. cua-driver TOOL --help tells\n"
	"what a tool takes.\n\n"
	"  --text             print what a model reads instead of the structured answer\n"
	"  --raw              print the whole result, pictures included\n"
	"  --image-out FILE   write the picture of the answer to FILE\n"
	"  --socket PATH      use the daemon listening there\n\n"
	"A daemon (cua-driver serve) keeps element indices from one call to the next. Without one\n"
	"the tool runs in this process.\n\n"
	"Exit status: 0 done, 1 the tool answered with an error, 2 the arguments are no JSON object,\n"
	"64 usage, 69 no daemon where one was named or no display, 77 root on another user's\n"
	"desktop.\n";

static int G_GNUC_PRINTF(1, 2) bad_usage(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	g_autofree char *problem = quote_vformat(format, args);
	va_end(args);
	quote_print(stderr, "cua-driver call: %s\nTry 'cua-driver call --help'.\n", problem);
	return EXIT_BAD_USAGE;
}

/* Of the tool, if that is known by now. */
static void print_help(const char *name)
{
	const struct tool *tool = name != NULL ? tool_find(name) : NULL;
	if (tool != NULL) {
		printf("Usage: cua-driver %s [JSON], or cua-driver call [OPTION]... %s [JSON]\n\n", name,
			name);
		manual_describe_tool(tool, stdout);
	} else {
		fputs(usage, stdout);
	}
}

/* 0, or the exit code after a complaint; -1: help was printed. */
static int parse(int argc, char **argv, struct request *request)
{
	int first = strcmp(argv[0], "call") == 0 ? 1 : 0;
	for (int i = first; i < argc; i++) {
		const char **value = strcmp(argv[i], "--socket") == 0 ? &request->socket
			: strcmp(argv[i], "--image-out") == 0 ? &request->image : NULL;
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
			print_help(request->tool);
			return -1;
		} else if (value != NULL && i + 1 < argc) {
			*value = argv[++i];
		} else if (value != NULL) {
			return bad_usage("%s needs a value", argv[i]);
		} else if (strcmp(argv[i], "--text") == 0) {
			request->text = true;
		} else if (strcmp(argv[i], "--raw") == 0) {
			request->raw = true;
		} else if (argv[i][0] == '-' && argv[i][1] != '\0') {
			return bad_usage("there is no option '%s'", argv[i]);
		} else if (request->tool == NULL) {
			request->tool = argv[i];
		} else if (request->json == NULL) {
			request->json = argv[i];
		} else {
			return bad_usage("unexpected argument '%s': the arguments of a tool are one JSON object",
				argv[i]);
		}
	}
	if (request->tool == NULL) {
		return bad_usage("which tool?");
	}
	if (tool_find(request->tool) == NULL) {
		const char *nearest = tool_nearest(request->tool);
		return bad_usage("there is no tool '%s'%s%s%s", request->tool,
			nearest != NULL ? "; did you mean '" : "; see cua-driver list-tools",
			nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
	}
	return 0;
}

/* Whether somebody has put arguments on standard input. */
static bool is_piped(void)
{
	struct stat info;
	if (fstat(STDIN_FILENO, &info) < 0) {
		return false;
	}
	struct pollfd wanted = { .fd = STDIN_FILENO, .events = POLLIN };
	return S_ISREG(info.st_mode) || ((S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode))
		&& poll(&wanted, 1, STDIN_MS) > 0);
}

static char *read_stdin(void)
{
	GString *text = g_string_new(NULL);
	char buffer[65536];
	ssize_t got;
	while ((got = read(STDIN_FILENO, buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR)) {
		g_string_append_len(text, buffer, MAX(got, 0));
	}
	return g_string_free(text, FALSE);
}

/* NULL after a complaint. */
static json_t *arguments(const struct request *request)
{
	g_autofree char *text = NULL;
	if (request->json != NULL && strcmp(request->json, "-") != 0) {
		text = g_strdup(request->json);
	} else if (request->json != NULL || is_piped()) {
		text = g_strstrip(read_stdin());
	}
	if (text == NULL || *text == '\0') {
		return json_object();
	}
	json_error_t why;
	json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &why);
	if (json == NULL) {
		quote_print(stderr, "cua-driver call: the arguments are no JSON: %s at column %d\n",
			why.text, why.column);
	} else if (!json_is_object(json)) {
		fprintf(stderr, "cua-driver call: the arguments must be a JSON object, such as "
			"'{\"window_id\": 12}'\n");
		json_decref(json);
		json = NULL;
	}
	return json;
}

/* --- In this process -------------------------------------------------------------------------- */

struct here {
	GMainLoop *loop;
	json_t *answer;
};

static void on_write(GString *lines, void *data)
{
	struct here *here = data;
	json_t *message = json_loadb(lines->str, lines->len, JSON_DISABLE_EOF_CHECK, NULL);
	g_string_free(lines, TRUE);
	if (json_object_get(message, "id") != NULL && here->answer == NULL) {
		here->answer = message;
		g_main_loop_quit(here->loop);
	} else {
		json_decref(message);
	}
}

static void on_idle(void *data)
{
	(void)data;
}

static json_t *call_here(const struct request *request, json_t *args)
{
	struct here here = { .loop = g_main_loop_new(NULL, FALSE) };
	struct platform *platform = platform_open();
	struct runtime *runtime = runtime_new(platform);
	g_autofree char *folder = g_get_current_dir();
	struct server *server = server_new(runtime,
		&(struct server_client){ .anonymous = true, .folder = folder },
		&(struct server_out){ on_write, on_idle, &here });
	json_t *message = json_pack("{s:s, s:i, s:s, s:{s:s, s:O}}", "jsonrpc", "2.0", "id", 1,
		"method", "tools/call", "params", "name", request->tool, "arguments", args);
	char *text = json_dumps(message, JSON_COMPACT);
	g_autofree char *line = g_strconcat(text, "\n", NULL);
	free(text);
	json_decref(message);
	server_feed(server, line, strlen(line));
	if (here.answer == NULL) {
		g_main_loop_run(here.loop);
	}
	server_free(server);
	runtime_free(runtime);
	platform->impl->destroy(platform);
	g_main_loop_unref(here.loop);
	return here.answer;
}

/* --- The answer ------------------------------------------------------------------------------- */

static const json_t *block(const json_t *result, const char *type)
{
	size_t i;
	json_t *item;
	json_array_foreach(json_object_get(result, "content"), i, item) {
		if (g_strcmp0(json_string_value(json_object_get(item, "type")), type) == 0) {
			return item;
		}
	}
	return NULL;
}

static bool write_image(const char *path, const json_t *image)
{
	const char *text = json_string_value(json_object_get(image, "data"));
	gsize length = 0;
	g_autofree guchar *bytes = text != NULL ? g_base64_decode(text, &length) : NULL;
	g_autoptr(GError) error = NULL;
	if (bytes == NULL) {
		fprintf(stderr, "cua-driver call: the answer has no picture\n");
		return false;
	}
	if (!g_file_set_contents(path, (const char *)bytes, (gssize)length, &error)) {
		quote_print(stderr, "cua-driver call: %s\n", error->message);
		return false;
	}
	return true;
}

static void print_json(const json_t *json)
{
	char *text = json_dumps(json, JSON_INDENT(2));
	g_autofree char *shown = quote_json(text != NULL ? text : "null");
	puts(shown);
	free(text);
}

static int print_answer(const struct request *request, const json_t *answer)
{
	const json_t *failure = json_object_get(answer, "error");
	if (failure != NULL) {
		quote_print(stderr, "cua-driver call: %s\n",
			json_string_value(json_object_get(failure, "message")));
		return EXIT_BAD_USAGE;
	}
	const json_t *result = json_object_get(answer, "result");
	const json_t *structured = json_object_get(result, "structuredContent");
	const json_t *image = block(result, "image");
	bool failed = json_is_true(json_object_get(result, "isError"));
	if (request->raw) {
		print_json(result);
	} else if (request->text || structured == NULL) {
		const json_t *text = block(result, "text");
		fputs(json_string_value(json_object_get(text, "text")), stdout);
	} else {
		print_json(structured);
		if (image != NULL && request->image == NULL) {
			fprintf(stderr, "cua-driver call: the picture is left out; --image-out FILE saves it\n");
		}
	}
	if (request->image != NULL && !failed && !write_image(request->image, image)) {
		return EXIT_TOOL_ERROR;
	}
	const char *code = json_string_value(json_object_get(structured, "code"));
	return !failed ? 0
		: g_strcmp0(code, "no_display") == 0 || g_strcmp0(code, "ambiguous_session") == 0
		? EXIT_UNAVAILABLE
		: EXIT_TOOL_ERROR;
}

int call_main(int argc, char **argv)
{
	struct request request = { 0 };
	int code = parse(argc, argv, &request);
	if (code != 0) {
		return MAX(code, 0);
	}
	json_t *args = arguments(&request);
	if (args == NULL) {
		return EXIT_BAD_JSON;
	}
	discovery_apply();
	g_autofree char *path = request.socket != NULL ? g_strdup(request.socket) : address_find();
	if (request.socket == NULL && owner_refuses(request.tool)) {
		json_decref(args);
		return EXIT_REFUSED;
	}
	g_autoptr(GError) error = NULL;
	json_t *answer = NULL;
	struct client *client = client_open(path, true, &error);
	if (client != NULL) {
		answer = client_request(client, "tools/call", json_pack("{s:s, s:O}", "name", request.tool,
			"arguments", args), CALL_MS, &error);
		client_free(client);
	} else if (request.socket == NULL
		&& (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND)
		/* The socket of a daemon that was killed. */
		|| g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED))) {
		answer = call_here(&request, args);
	}
	json_decref(args);
	if (answer == NULL) {
		quote_print(stderr, "cua-driver call: %s\n", error->message);
		return EXIT_UNAVAILABLE;
	}
	code = print_answer(&request, answer);
	json_decref(answer);
	return code;
}
