/* SPDX-License-Identifier: MIT */
/*
 * Feeds bytes to the JSON-RPC layer as a client would, with a headless desktop behind it: whatever
 * comes in, every line that goes out is one JSON-RPC message. Run by tests/fuzz/run.
 */
#include "config.h"

#include <jansson.h>
#include <stdint.h>
#include <string.h>

#include "core/headless.h"
#include "mcp/server.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct runtime *runtime;

static void check_line(const char *line, gsize length)
{
	json_t *json = json_loadb(line, length, 0, NULL);
	g_assert(json_is_object(json));
	g_assert(g_strcmp0(json_string_value(json_object_get(json, "jsonrpc")), "2.0") == 0);
	g_assert((json_object_get(json, "result") != NULL) + (json_object_get(json, "error") != NULL)
		+ (json_object_get(json, "method") != NULL) == 1);
	json_decref(json);
}

static void on_write(GString *lines, void *unused)
{
	(void)unused;
	for (const char *at = lines->str, *end; *at != '\0'; at = end + 1) {
		end = strchr(at, '\n');
		g_assert(end != NULL);
		check_line(at, (gsize)(end - at));
	}
	g_string_free(lines, TRUE);
}

static void on_idle(void *unused)
{
	(void)unused;
}

static void furnish(void)
{
	struct platform *platform = headless_new();
	struct window *window = window_new();
	window->id = 7;
	window->pid = 42;
	window->bounds = (struct screen_rect){ 0, 0, 16, 16 };
	headless_add_window(platform, window);
	struct element *element = element_new();
	element->provider = g_strdup("m");
	element->object = g_strdup("o");
	element->role = g_strdup("check box");
	element->name = g_strdup("Agree");
	element->actions = g_strsplit("press", "|", -1);
	element->states = STATE_ENABLED;
	headless_add_element(platform, element);
	runtime = runtime_new(platform);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (runtime == NULL) {
		furnish();
	}
	struct server *server = server_new(runtime, &(struct server_client){ 0 },
		&(struct server_out){ on_write, on_idle, NULL });
	/* The first byte says where the stream is cut into two reads. */
	size_t cut = size > 1 ? 1 + data[0] % (size - 1) : size;
	if (size > 0) {
		server_feed(server, data + 1, cut - 1);
		server_feed(server, data + cut, size - cut);
	}
	server_end(server);
	while (server_running(server) > 0) {
		g_main_context_iteration(NULL, TRUE);
	}
	server_free(server);
	return 0;
}
