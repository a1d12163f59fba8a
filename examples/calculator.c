/* SPDX-License-Identifier: MIT */
/*
 * A small MCP client: computes 7 × 8 in galculator while a terminal in front of it stays the window
 * the user works in. Usage: calculator DRIVER [PICTURE.png]
 */
#include <gio/gio.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct client {
	GSubprocess *driver;
	GDataInputStream *answers;
	GOutputStream *requests;
	int last_id;
};

G_GNUC_PRINTF(1, 2) G_GNUC_NORETURN static void die(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fputs("calculator: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	exit(1);
}

/* Sends a request and returns the result of its answer; the caller owns it. */
static json_t *request(struct client *client, const char *method, json_t *params)
{
	g_autoptr(GError) error = NULL;
	json_t *message = json_pack("{s:s, s:i, s:s, s:o}", "jsonrpc", "2.0", "id", ++client->last_id,
		"method", method, "params", params);
	char *line = json_dumps(message, JSON_COMPACT);
	json_decref(message);
	if (!g_output_stream_write_all(client->requests, line, strlen(line), NULL, NULL, &error)
		|| !g_output_stream_write_all(client->requests, "\n", 1, NULL, NULL, &error)) {
		die("the driver does not listen: %s", error->message);
	}
	free(line);
	for (;;) {
		g_autofree char *answer = g_data_input_stream_read_line(client->answers, NULL, NULL, &error);
		if (answer == NULL) {
			die("the driver ended: %s", error != NULL ? error->message : "no more answers");
		}
		json_t *json = json_loads(answer, 0, NULL);
		json_t *result = json_object_get(json, "result");
		if (json_integer_value(json_object_get(json, "id")) == client->last_id) {
			if (result == NULL) {
				die("%s: %s", method, answer);
			}
			json_incref(result);
			json_decref(json);
			return result;
		}
		json_decref(json); /* a notification */
	}
}

/* Calls a tool and returns its structured content; the caller owns it. */
static json_t *call(struct client *client, const char *tool, json_t *arguments)
{
	json_t *result = request(client, "tools/call", json_pack("{s:s, s:o}", "name", tool, "arguments",
		arguments));
	json_t *content = json_incref(json_object_get(result, "structuredContent"));
	if (json_is_true(json_object_get(result, "isError"))) {
		die("%s failed: %s", tool, json_string_value(json_object_get(content, "message")));
	}
	json_decref(result);
	return content;
}

static struct client connect_to(const char *path)
{
	g_autoptr(GError) error = NULL;
	struct client client = { 0 };
	client.driver = g_subprocess_new(G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE,
		&error, path, "mcp", NULL);
	if (client.driver == NULL) {
		die("%s", error->message);
	}
	client.requests = g_subprocess_get_stdin_pipe(client.driver);
	client.answers = g_data_input_stream_new(g_subprocess_get_stdout_pipe(client.driver));
	json_decref(request(&client, "initialize", json_pack("{s:s, s:{}, s:{s:s, s:s}}",
		"protocolVersion", "2025-11-25", "capabilities", "clientInfo", "name", "calculator",
		"version", "1")));
	return client;
}

/* Starts a program and waits until it has a window that is active; returns the window. */
static json_t *start(struct client *client, const char *const *command, GSubprocess **process)
{
	g_autoptr(GError) error = NULL;
	*process = g_subprocess_newv(command, G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error);
	if (*process == NULL) {
		die("%s", error->message);
	}
	int pid = atoi(g_subprocess_get_identifier(*process));
	for (int tries = 0; tries < 100; tries++) {
		json_t *found = call(client, "list_windows", json_pack("{s:i}", "pid", pid));
		json_t *window = json_array_get(json_object_get(found, "windows"), 0);
		if (json_is_true(json_object_get(window, "is_active"))) {
			json_incref(window);
			json_decref(found);
			return window;
		}
		json_decref(found);
		g_usleep(100000);
	}
	die("%s did not open a window", command[0]);
}

/* The element that has `value` under `key`; borrowed. */
static json_t *find(json_t *state, const char *key, const char *value)
{
	size_t index;
	json_t *element;
	json_array_foreach(json_object_get(state, "elements"), index, element) {
		if (g_strcmp0(json_string_value(json_object_get(element, key)), value) == 0) {
			return element;
		}
	}
	die("the window has no element whose %s is '%s'", key, value);
}

static json_t *state_of(struct client *client, json_t *window, const char *picture)
{
	return call(client, "get_window_state", json_pack("{s:O, s:O, s:s}",
		"pid", json_object_get(window, "pid"), "window_id", json_object_get(window, "window_id"),
		"screenshot_out_file", picture));
}

static void press(struct client *client, json_t *window, json_t *state, const char *label)
{
	json_t *element = find(state, "label", label);
	json_t *answer = call(client, "click", json_pack("{s:O, s:O, s:O}",
		"pid", json_object_get(window, "pid"), "window_id", json_object_get(window, "window_id"),
		"element_index", json_object_get(element, "element_index")));
	char *disturbed = json_dumps(json_object_get(answer, "disturbed"), JSON_COMPACT);
	printf("  press [%2d] %-2s  path %s, effect %s, disturbed %s\n",
		(int)json_integer_value(json_object_get(element, "element_index")), label,
		json_string_value(json_object_get(answer, "path")),
		json_string_value(json_object_get(answer, "effect")), disturbed);
	free(disturbed);
	json_decref(answer);
}

static void print_active(struct client *client)
{
	size_t index;
	json_t *window, *all = call(client, "list_windows", json_object());
	json_t *pointer = call(client, "get_cursor_position", json_object());
	json_array_foreach(json_object_get(all, "windows"), index, window) {
		if (json_is_true(json_object_get(window, "is_active"))) {
			printf("The user works in \"%s\", pointer at %d,%d.\n",
				json_string_value(json_object_get(window, "title")),
				(int)json_integer_value(json_object_get(pointer, "x")),
				(int)json_integer_value(json_object_get(pointer, "y")));
		}
	}
	json_decref(all);
	json_decref(pointer);
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		die("usage: calculator DRIVER [PICTURE.png]");
	}
	const char *picture = argc > 2 ? argv[2] : "calculator.png";
	static const char *const buttons[] = { "7", "*", "8", "=" };
	GSubprocess *calculator, *terminal;
	struct client client = connect_to(argv[1]);

	json_t *window = start(&client, (const char *[]){ "galculator", NULL }, &calculator);
	json_t *bounds = json_object_get(window, "bounds");
	g_autofree char *place = g_strdup_printf("60x16+%d+%d",
		(int)json_integer_value(json_object_get(bounds, "x")) + 40,
		(int)json_integer_value(json_object_get(bounds, "y")) + 60);
	json_t *front = start(&client, (const char *[]){ "xterm", "-fa", "DejaVu Sans Mono", "-fs", "9",
		"-T", "the user's terminal", "-geometry", place, NULL }, &terminal);
	print_active(&client);

	json_t *before = state_of(&client, window, picture);
	printf("\nThe window behind it, as an agent sees it:\n%s\n",
		json_string_value(json_object_get(before, "tree_markdown")));
	for (gsize i = 0; i < G_N_ELEMENTS(buttons); i++) {
		press(&client, window, before, buttons[i]);
	}
	/* What was pressed may take a moment to be shown; the driver is told by the application. */
	json_t *waited = call(&client, "wait_for", json_pack("{s:O, s:[{s:s, s:s}]}",
		"window_id", json_object_get(window, "window_id"),
		"conditions", "kind", "text_present", "text", "56"));
	bool met = json_is_true(json_object_get(waited, "met"));
	printf("\nThe calculator %s 56.\n", met ? "shows" : "does not show");
	json_t *after = state_of(&client, window, picture);
	printf("Screenshot of it, taken while covered: %s\n",
		json_string_value(json_object_get(after, "screenshot_file_path")));
	print_active(&client);

	g_output_stream_close(client.requests, NULL, NULL);
	g_subprocess_wait(client.driver, NULL, NULL);
	g_subprocess_force_exit(calculator);
	g_subprocess_force_exit(terminal);
	json_decref(window);
	json_decref(front);
	json_decref(before);
	json_decref(waited);
	json_decref(after);
	return met ? 0 : 1;
}
