/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "mcp/server.h"

#include <jansson.h>
#include <string.h>

#include "core/headless.h"
#include "mcp/framing.h"

/* A server on a furnished headless platform, and the lines it wrote. */
struct fixture {
	struct platform *platform;
	struct runtime *runtime;
	struct server *server;
	GString *written;
};

static void on_write(GString *lines, void *data)
{
	struct fixture *fixture = data;
	g_string_append_len(fixture->written, lines->str, (gssize)lines->len);
	g_string_free(lines, TRUE);
}

static void on_idle(void *data)
{
	(void)data;
}

static struct element *new_element(const char *object, const char *role, const char *name, int place,
	unsigned states)
{
	struct element *element = element_new();
	element->provider = g_strdup("memory");
	element->object = g_strdup(object);
	element->role = g_strdup(role);
	element->name = g_strdup(name);
	element->actions = g_strsplit(place > 0 ? "press" : "", "|", -1);
	element->states = states;
	element->place = place;
	element->parent = place > 0 ? 0 : -1;
	element->depth = place > 0;
	element->has_frame = true;
	element->frame = (struct screen_rect){ 100, 100 + place * 30, 80, 20 };
	return element;
}

static void add_window(struct platform *platform, guint64 id, pid_t pid)
{
	struct window *window = window_new();
	window->id = id;
	window->pid = pid;
	window->on_screen = window->on_current_space = true;
	window->bounds = (struct screen_rect){ 100, 100, 200, 150 };
	headless_add_window(platform, window);
}

static void set_up(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	fixture->platform = headless_new();
	add_window(fixture->platform, 7, 42);
	add_window(fixture->platform, 8, 43);
	add_window(fixture->platform, 9, 43);
	headless_add_element(fixture->platform, new_element("root", "frame", "Sample", 0, STATE_ENABLED));
	headless_add_element(fixture->platform, new_element("box", "check box", "Agree", 1, STATE_ENABLED));
	headless_add_element(fixture->platform, new_element("ok", "push button", "OK", 2, STATE_ENABLED));
	headless_add_element(fixture->platform, new_element("grey", "push button", "Grey", 3, 0));
	fixture->runtime = runtime_new(fixture->platform);
	fixture->written = g_string_new(NULL);
	fixture->server = server_new(fixture->runtime, &(struct server_client){ 0 },
		&(struct server_out){ on_write, on_idle, fixture });
}

static void tear_down(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	server_free(fixture->server);
	runtime_free(fixture->runtime);
	fixture->platform->impl->destroy(fixture->platform);
	g_string_free(fixture->written, TRUE);
}

/* Feeds the text and waits until nothing runs; returns what was written meanwhile (owned). */
static char *exchange(struct fixture *fixture, const char *text)
{
	g_string_truncate(fixture->written, 0);
	server_feed(fixture->server, text, strlen(text));
	while (server_running(fixture->server) > 0) {
		g_main_context_iteration(NULL, TRUE);
	}
	return g_strdup(fixture->written->str);
}

static json_t *call(struct fixture *fixture, const char *tool, const char *arguments)
{
	g_autofree char *line = g_strdup_printf("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
		"\"params\":{\"name\":\"%s\",\"arguments\":%s}}\n", tool, arguments);
	g_autofree char *answer = exchange(fixture, line);
	json_t *json = json_loads(answer, 0, NULL);
	g_assert_nonnull(json);
	json_t *content = json_incref(json_object_get(json_object_get(json, "result"), "structuredContent"));
	g_assert_nonnull(content);
	json_decref(json);
	return content;
}

static void assert_field(json_t *content, const char *field, const char *value)
{
	g_assert_cmpstr(json_string_value(json_object_get(content, field)), ==, value);
	json_decref(content);
}

static void targets_are_found_or_refused(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	assert_field(call(fixture, "get_window_state", "{}"), "code", "invalid_arguments");
	assert_field(call(fixture, "get_window_state", "{\"window_id\":5}"), "code", "window_not_found");
	assert_field(call(fixture, "get_window_state", "{\"pid\":1}"), "code", "window_not_found");
	assert_field(call(fixture, "get_window_state", "{\"pid\":1,\"window_id\":7}"), "code",
		"window_owner_mismatch");
	json_t *content = call(fixture, "get_window_state", "{\"pid\":43}");
	g_assert_cmpuint(json_array_size(json_object_get(content, "candidates")), ==, 2);
	assert_field(content, "code", "ambiguous_window_target");
	assert_field(call(fixture, "get_window_state", "{\"pid\":42}"), "tree", "full");
}

static void indices_belong_to_a_snapshot(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	assert_field(call(fixture, "click", "{\"window_id\":7,\"element_index\":0}"), "code",
		"no_cached_state");
	json_t *state = call(fixture, "get_window_state", "{\"window_id\":7}");
	g_autofree char *token = g_strdup(json_string_value(json_object_get(json_array_get(
		json_object_get(state, "elements"), 0), "element_token")));
	g_assert_cmpint(json_integer_value(json_object_get(state, "element_count")), ==, 3);
	json_decref(state);
	assert_field(call(fixture, "click", "{\"window_id\":8,\"element_index\":0}"), "code",
		"no_cached_state");
	assert_field(call(fixture, "click", "{\"window_id\":7,\"element_index\":3}"), "code",
		"invalid_element_index");
	assert_field(call(fixture, "click", "{\"window_id\":7,\"element_index\":0,\"session\":\"other\"}"),
		"code", "no_cached_state");
	assert_field(call(fixture, "click", "{\"element_token\":\"nonsense\"}"), "code",
		"invalid_arguments");
	assert_field(call(fixture, "click", "{\"element_token\":\"sffff:0\"}"), "code", "stale_element");
	g_autofree char *by_token = g_strdup_printf("{\"element_token\":\"%s\"}", token);
	assert_field(call(fixture, "click", by_token), "effect", "confirmed");
	g_assert_cmpint(headless_acted(fixture->platform), ==, 1);
}

static void effects_are_what_was_seen(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	json_decref(call(fixture, "get_window_state", "{\"window_id\":7,\"include_screenshot\":false}"));
	json_t *content = call(fixture, "click", "{\"window_id\":7,\"element_index\":0}");
	json_t *evidence = json_array_get(json_object_get(content, "evidence"), 0);
	g_assert_cmpstr(json_string_value(json_object_get(evidence, "detail")), ==, "checked");
	g_assert_true(json_is_true(json_object_get(content, "verified")));
	assert_field(content, "effect", "confirmed");

	content = call(fixture, "click", "{\"window_id\":7,\"element_index\":1}");
	g_assert_true(json_is_false(json_object_get(content, "verified")));
	assert_field(content, "effect", "suspected_noop");
	g_assert_cmpint(headless_acted(fixture->platform), ==, 2);
}

static void refusals_do_nothing(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	json_decref(call(fixture, "get_window_state", "{\"window_id\":7}"));
	assert_field(call(fixture, "click", "{\"window_id\":7,\"element_index\":2}"), "code",
		"element_disabled");
	assert_field(call(fixture, "click", "{\"window_id\":7,\"element_index\":1,\"action\":\"fly\"}"),
		"code", "action_unsupported");
	assert_field(call(fixture, "click",
		"{\"window_id\":7,\"element_index\":1,\"delivery_mode\":\"foreground\"}"), "code",
		"foreground_unavailable");
	/* The same object path with another name or place is another element. */
	struct element *ok = headless_element(fixture->platform, "ok");
	g_free(ok->name);
	ok->name = g_strdup("OKs");
	json_t *content = call(fixture, "click", "{\"window_id\":7,\"element_index\":1}");
	json_t *candidate = json_array_get(json_object_get(content, "candidates"), 0);
	g_assert_cmpstr(json_string_value(json_object_get(candidate, "label")), ==, "OKs");
	assert_field(content, "code", "stale_element");
	headless_element(fixture->platform, "box")->place = 5;
	assert_field(call(fixture, "click", "{\"window_id\":7,\"element_index\":0}"), "code",
		"stale_element");
	/* And an object that is gone is nothing at all. */
	struct element *box = headless_element(fixture->platform, "box");
	g_free(box->object);
	box->object = g_strdup("another");
	assert_field(call(fixture, "click", "{\"window_id\":7,\"element_index\":0}"), "code",
		"stale_element");
	g_assert_cmpint(headless_acted(fixture->platform), ==, 0);
}

static gsize count_of(json_t *content, const char *field)
{
	gsize count = json_array_size(json_object_get(content, field));
	json_decref(content);
	return count;
}

static void a_query_narrows_and_keeps_indices(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	json_t *state = call(fixture, "get_window_state", "{\"window_id\":7,\"query\":\"GREY\"}");
	json_t *elements = json_object_get(state, "elements");
	g_assert_cmpuint(json_array_size(elements), ==, 1);
	g_assert_cmpint(json_integer_value(json_object_get(json_array_get(elements, 0), "element_index")),
		==, 2);
	const char *markdown = json_string_value(json_object_get(state, "tree_markdown"));
	g_assert_nonnull(strstr(markdown, "frame \"Sample\""));
	g_assert_nonnull(strstr(markdown, "[2] push button \"Grey\""));
	g_assert_null(strstr(markdown, "Agree"));
	json_decref(state);
	g_assert_cmpuint(count_of(call(fixture, "get_window_state",
		"{\"window_id\":7,\"query\":\"nowhere\"}"), "elements"), ==, 0);
}

static void since_tells_what_changed(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	json_t *state = call(fixture, "get_window_state", "{\"window_id\":7}");
	g_autofree char *arguments = g_strdup_printf("{\"window_id\":7,\"since\":\"%s\"}",
		json_string_value(json_object_get(state, "snapshot_id")));
	json_decref(state);
	state = call(fixture, "get_window_state", arguments);
	g_assert_null(json_object_get(state, "elements"));
	g_assert_cmpuint(count_of(state, "changed"), ==, 0);

	headless_element(fixture->platform, "box")->states |= STATE_CHECKED;
	struct element *ok = headless_element(fixture->platform, "ok");
	g_free(ok->name);
	ok->name = g_strdup("Yes");
	state = call(fixture, "get_window_state", arguments);
	g_assert_cmpuint(json_array_size(json_object_get(state, "added")), ==, 0);
	g_assert_cmpuint(json_array_size(json_object_get(state, "removed")), ==, 0);
	/* The same object with another name has changed, and says what it was called. */
	json_t *before = json_object_get(json_array_get(json_object_get(state, "changed"), 1), "before");
	g_assert_cmpstr(json_string_value(json_object_get(before, "label")), ==, "OK");
	g_assert_cmpuint(count_of(state, "changed"), ==, 2);
	assert_field(call(fixture, "get_window_state", "{\"window_id\":7,\"since\":\"s0\"}"), "code",
		"invalid_arguments");
	assert_field(call(fixture, "get_window_state", "{\"window_id\":8,\"since\":\"s1\"}"), "code",
		"invalid_arguments");
}

static void points_lie_in_the_picture(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	json_t *state = call(fixture, "get_window_state", "{\"window_id\":7,\"max_image_dimension\":100}");
	g_assert_cmpint(json_integer_value(json_object_get(state, "screenshot_width")), ==, 100);
	json_t *at = json_object_get(json_array_get(json_object_get(state, "elements"), 0), "at");
	/* The box is at 100,130 of a window at 100,100, 80×20; halved. */
	g_assert_cmpint(json_integer_value(json_object_get(at, "x")), ==, 20);
	g_assert_cmpint(json_integer_value(json_object_get(at, "y")), ==, 20);
	json_decref(state);
}

static void an_unfurnished_platform_says_so(void)
{
	struct fixture fixture = { .platform = headless_new(), .written = g_string_new(NULL) };
	fixture.runtime = runtime_new(fixture.platform);
	fixture.server = server_new(fixture.runtime, &(struct server_client){ 0 },
		&(struct server_out){ on_write, on_idle, &fixture });
	assert_field(call(&fixture, "list_windows", "{}"), "code", "no_display");
	assert_field(call(&fixture, "get_screen_size", "{}"), "code", "no_display");
	assert_field(call(&fixture, "get_window_state", "{\"window_id\":1}"), "code", "no_display");
	tear_down(&fixture, NULL);
}

/* What may have arrived must not be sent a second time, whatever the code usually means. */
static void maybe_delivered_is_unsafe_to_retry(void)
{
	struct answer *answer = answer_new();
	GString *out = g_string_new("{");
	answer_fail(answer, ERROR_APP_UNRESPONSIVE, "No answer");
	answer_render(answer, out, true);
	g_assert_nonnull(strstr(out->str, "\"retry\":\"safe\""));
	g_string_assign(out, "{");
	answer_delivered(answer, DELIVERED_UNKNOWN);
	answer_render(answer, out, true);
	g_assert_nonnull(strstr(out->str, "\"retry\":\"unsafe\""));
	g_string_free(out, TRUE);
	answer_free(answer);
}

static void take_line(const char *line, gsize length, void *data)
{
	GString *lines = data;
	g_string_append_printf(lines, "<%.*s>", line != NULL ? (int)length : 8, line ? line : "TOO LONG");
}

/* The cuts between reads fall anywhere; the lines must be the same. */
static void lines_are_cut_anywhere(void)
{
	static const char text[] = "one\n\r\ntwo\r\n\nthree";
	for (gsize cut = 0; cut <= strlen(text); cut++) {
		struct framing framing;
		GString *lines = g_string_new(NULL);
		framing_init(&framing);
		framing_feed(&framing, text, cut, take_line, lines);
		framing_feed(&framing, text + cut, strlen(text) - cut, take_line, lines);
		framing_end(&framing, take_line, lines);
		g_assert_cmpstr(lines->str, ==, "<one><><two><><three>");
		framing_finish(&framing);
		g_string_free(lines, TRUE);
	}
}

static void long_lines_are_dropped(void)
{
	struct framing framing;
	GString *lines = g_string_new(NULL);
	g_autofree char *piece = g_malloc(1 << 20);
	memset(piece, 'x', 1 << 20);
	framing_init(&framing);
	for (int i = 0; i < 17; i++) {
		framing_feed(&framing, piece, 1 << 20, take_line, lines);
	}
	framing_feed(&framing, "\nnext\n", 6, take_line, lines);
	g_assert_cmpstr(lines->str, ==, "<TOO LONG><next>");
	framing_finish(&framing);
	g_string_free(lines, TRUE);
}

#define ADD(path, test) g_test_add(path, struct fixture, NULL, set_up, test, tear_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	ADD("/server/targets", targets_are_found_or_refused);
	ADD("/server/indices", indices_belong_to_a_snapshot);
	ADD("/server/effects", effects_are_what_was_seen);
	ADD("/server/refusals", refusals_do_nothing);
	ADD("/server/query", a_query_narrows_and_keeps_indices);
	ADD("/server/since", since_tells_what_changed);
	ADD("/server/points", points_lie_in_the_picture);
	g_test_add_func("/server/no-display", an_unfurnished_platform_says_so);
	g_test_add_func("/answer/retry", maybe_delivered_is_unsafe_to_retry);
	g_test_add_func("/framing/cuts", lines_are_cut_anywhere);
	g_test_add_func("/framing/long", long_lines_are_dropped);
	return g_test_run();
}
