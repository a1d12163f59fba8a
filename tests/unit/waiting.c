/* SPDX-License-Identifier: MIT */
/* wait_for on a platform in memory: woken by what changes, out of everybody's way. */
#include "config.h"

#include <jansson.h>
#include <string.h>

#include "core/headless.h"
#include "core/past.h"
#include "mcp/server.h"

struct fixture {
	struct platform *platform;
	struct runtime *runtime;
	struct server *server;
	GPtrArray *lines; /* json_t: what it wrote */
};

static void on_write(GString *text, void *data)
{
	struct fixture *fixture = data;
	g_auto(GStrv) lines = g_strsplit(text->str, "\n", -1);
	for (char **line = lines; *line != NULL; line++) {
		if (**line != '\0') {
			g_ptr_array_add(fixture->lines, json_loads(*line, 0, NULL));
		}
	}
	g_string_free(text, TRUE);
}

static void on_idle(void *data)
{
	(void)data;
}

static struct element *new_element(const char *object, const char *role, const char *name)
{
	struct element *element = element_new();
	element->provider = g_strdup("memory");
	element->object = g_strdup(object);
	element->role = g_strdup(role);
	element->name = g_strdup(name);
	element->actions = g_strsplit(strcmp(role, "frame") == 0 ? "" : "press", "|", -1);
	element->states = STATE_ENABLED;
	return element;
}

static struct window *new_window(guint64 id, pid_t pid, const char *title)
{
	struct window *window = window_new();
	window->id = id;
	window->pid = pid;
	g_free(window->title);
	window->title = g_strdup(title);
	window->on_screen = window->on_current_space = true;
	window->bounds = (struct screen_rect){ 0, 0, 200, 150 };
	return window;
}

static void set_up(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	fixture->platform = headless_new();
	headless_add_window(fixture->platform, new_window(7, 42, "Sample"));
	headless_add_window(fixture->platform, new_window(8, 43, "Other"));
	headless_add_element(fixture->platform, new_element("root", "frame", "Sample"));
	headless_add_element(fixture->platform, new_element("box", "check box", "Agree"));
	fixture->lines = g_ptr_array_new_with_free_func((GDestroyNotify)json_decref);
	fixture->runtime = runtime_new(fixture->platform);
	fixture->server = server_new(fixture->runtime, &(struct server_client){ 0 },
		&(struct server_out){ on_write, on_idle, fixture });
}

static void tear_down(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	server_free(fixture->server);
	runtime_free(fixture->runtime);
	g_assert_cmpuint(past_followers(fixture->platform->past), ==, 0);
	fixture->platform->impl->destroy(fixture->platform);
	g_ptr_array_unref(fixture->lines);
}

static void send_call(struct fixture *fixture, int id, const char *tool, const char *arguments)
{
	g_autofree char *line = g_strdup_printf("{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\","
		"\"params\":{\"name\":\"%s\",\"arguments\":%s,\"_meta\":{\"progressToken\":%d}}}\n", id, tool,
		arguments, id);
	server_feed(fixture->server, line, strlen(line));
}

/* The structured answer to that request, borrowed; NULL if it has not come. */
static json_t *answer_of(struct fixture *fixture, int id)
{
	for (guint i = 0; i < fixture->lines->len; i++) {
		json_t *line = fixture->lines->pdata[i], *result = json_object_get(line, "result");
		if (result != NULL && json_integer_value(json_object_get(line, "id")) == id) {
			return json_object_get(result, "structuredContent");
		}
	}
	return NULL;
}

static json_t *wait_answer(struct fixture *fixture, int id)
{
	json_t *answer;
	while ((answer = answer_of(fixture, id)) == NULL) {
		g_main_context_iteration(NULL, TRUE);
	}
	return answer;
}

static void wait_listeners(struct fixture *fixture, guint count)
{
	while (past_followers(fixture->platform->past) != count) {
		g_main_context_iteration(NULL, FALSE);
		g_thread_yield();
	}
}

/* Waits until the call has said that it looked; what it said, borrowed. */
static json_t *wait_looked(struct fixture *fixture, int id)
{
	for (guint seen = 0;; seen++) {
		while (seen >= fixture->lines->len) {
			g_main_context_iteration(NULL, TRUE);
		}
		json_t *params = json_object_get(fixture->lines->pdata[seen], "params");
		const char *message = json_string_value(json_object_get(params, "message"));
		if (message != NULL && g_str_has_suffix(message, "conditions hold")
			&& json_integer_value(json_object_get(params, "progressToken")) == id) {
			return params;
		}
	}
}

static bool met(json_t *answer)
{
	g_assert_true(json_is_boolean(json_object_get(answer, "met")));
	return json_is_true(json_object_get(answer, "met"));
}

static void assert_field(json_t *answer, const char *field, const char *value)
{
	g_assert_cmpstr(json_string_value(json_object_get(answer, field)), ==, value);
}

#define AGREED "{\"window_id\":7,\"timeout_ms\":600000,\"conditions\":[{\"kind\":\"element_has_state\"," \
	"\"label\":\"Agree\",\"state\":\"checked\"}]}"

static void agree(struct fixture *fixture)
{
	headless_begin(fixture->platform);
	headless_element(fixture->platform, "box")->states |= STATE_CHECKED;
	headless_end(fixture->platform);
}

static void one_look(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	send_call(fixture, 1, "verify_state", "{\"window_id\":7,\"conditions\":["
		"{\"kind\":\"element_appears\",\"label\":\"Agree\"},"
		"{\"kind\":\"window_opens\",\"title\":\"other\"}]}");
	g_assert_true(met(wait_answer(fixture, 1)));
	send_call(fixture, 2, "verify_state", "{\"window_id\":7,\"conditions\":["
		"{\"kind\":\"element_appears\",\"label\":\"Agree\"},"
		"{\"kind\":\"window_closes\",\"title\":\"other\"}]}");
	json_t *answer = wait_answer(fixture, 2), *conditions = json_object_get(answer, "conditions");
	g_assert_false(met(answer));
	assert_field(answer, "ended", "looked");
	g_assert_true(json_is_true(json_object_get(json_array_get(conditions, 0), "holds")));
	g_assert_true(json_is_false(json_object_get(json_array_get(conditions, 1), "holds")));
	g_assert_cmpint(json_integer_value(json_object_get(json_array_get(conditions, 1), "window_id")), ==,
		8);
}

static void a_change_wakes(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	send_call(fixture, 1, "wait_for", AGREED);
	wait_listeners(fixture, 1);
	agree(fixture);
	json_t *answer = wait_answer(fixture, 1);
	g_assert_true(met(answer));
	assert_field(answer, "ended", "met");
	g_assert_cmpuint(past_followers(fixture->platform->past), ==, 0);
}

static void a_timeout_is_an_answer(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	send_call(fixture, 1, "wait_for", "{\"window_id\":7,\"timeout_ms\":30,\"conditions\":["
		"{\"kind\":\"text_present\",\"text\":\"never\"}]}");
	json_t *answer = wait_answer(fixture, 1);
	g_assert_false(met(answer));
	assert_field(answer, "ended", "timeout");
	g_assert_null(json_object_get(answer, "code"));
}

static void others_go_on_meanwhile(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	/* More than there are workers. */
	for (int id = 100; id < 200; id++) {
		send_call(fixture, id, "wait_for", AGREED);
	}
	wait_listeners(fixture, 100);
	send_call(fixture, 1, "get_window_state", "{\"window_id\":7,\"include_screenshot\":false}");
	assert_field(wait_answer(fixture, 1), "tree", "full");
	g_assert_cmpuint(server_running(fixture->server), ==, 100);
	agree(fixture);
	for (int id = 100; id < 200; id++) {
		g_assert_true(met(wait_answer(fixture, id)));
	}
}

static void cancelled_is_silent(struct fixture *fixture, gconstpointer data)
{
	static const char cancel[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
		"\"params\":{\"requestId\":1}}\n";
	(void)data;
	send_call(fixture, 1, "wait_for", AGREED);
	wait_listeners(fixture, 1);
	server_feed(fixture->server, cancel, strlen(cancel));
	wait_listeners(fixture, 0);
	agree(fixture);
	send_call(fixture, 3, "wait_for", AGREED);
	g_assert_true(met(wait_answer(fixture, 3)));
	g_assert_null(answer_of(fixture, 1));
}

static void ending_ends_waiters(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	for (int id = 1; id <= 20; id++) {
		send_call(fixture, id, "wait_for", AGREED);
	}
	/* Some parked, some not yet: tear_down() asserts that nobody listens any more. */
	wait_listeners(fixture, 20);
	send_call(fixture, 21, "wait_for", AGREED);
}

static void windows_are_new_or_not(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	send_call(fixture, 1, "wait_for", "{\"timeout_ms\":600000,\"conditions\":["
		"{\"kind\":\"window_opens\"},{\"kind\":\"window_closes\",\"window_id\":8}]}");
	send_call(fixture, 2, "wait_for", "{\"window_id\":7,\"timeout_ms\":600000,\"conditions\":["
		"{\"kind\":\"window_title\",\"title\":\"Renamed\"}]}");
	assert_field(wait_looked(fixture, 1), "message", "0 of 2 conditions hold");
	wait_looked(fixture, 2);
	headless_begin(fixture->platform);
	headless_add_window(fixture->platform, new_window(20, 44, "New"));
	headless_remove_window(fixture->platform, 8);
	headless_end(fixture->platform);
	json_t *answer = wait_answer(fixture, 1);
	g_assert_true(met(answer));
	g_assert_cmpint(json_integer_value(json_object_get(json_array_get(json_object_get(answer,
		"conditions"), 0), "pid")), ==, 44);
	headless_begin(fixture->platform);
	headless_remove_window(fixture->platform, 7);
	headless_end(fixture->platform);
	answer = wait_answer(fixture, 2);
	g_assert_false(met(answer));
	assert_field(answer, "ended", "hopeless");
}

static void refused(struct fixture *fixture, gconstpointer data)
{
	static const char *const bad[] = {
		"{\"conditions\":[{\"kind\":\"element_appears\",\"label\":\"Agree\"}]}",
		"{\"window_id\":7,\"conditions\":[]}",
		"{\"window_id\":7,\"conditions\":[{\"kind\":\"element_appears\"}]}",
		"{\"window_id\":7,\"conditions\":[{\"kind\":\"element_has_value\",\"label\":\"Agree\"}]}",
		"{\"window_id\":7,\"conditions\":[{\"kind\":\"element_has_state\",\"label\":\"Agree\"}]}",
		"{\"window_id\":7,\"conditions\":[{\"kind\":\"element_has_label\",\"label\":\"Agree\"}]}",
		"{\"window_id\":7,\"conditions\":[{\"kind\":\"text_present\",\"text\":\"\"}]}",
		"{\"conditions\":[{\"kind\":\"window_closes\"}]}",
		"{\"conditions\":[{\"kind\":\"window_title\",\"title\":\"x\"}]}",
		"{\"window_id\":7,\"conditions\":[{\"kind\":\"levitates\"}]}",
		"{\"window_id\":7,\"conditions\":[{\"kind\":\"idle\"}],\"timeout_ms\":0}",
	};
	(void)data;
	for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
		send_call(fixture, (int)i, "wait_for", bad[i]);
		assert_field(wait_answer(fixture, (int)i), "code", "invalid_arguments");
	}
	send_call(fixture, 50, "wait_for", "{\"window_id\":7,\"conditions\":[{\"kind\":"
		"\"element_appears\",\"element_index\":0}]}");
	assert_field(wait_answer(fixture, 50), "code", "no_cached_state");
	send_call(fixture, 51, "wait_for", "{\"window_id\":5,\"conditions\":[{\"kind\":\"idle\"}]}");
	assert_field(wait_answer(fixture, 51), "code", "window_not_found");
}

static void settling_needs_a_while(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	agree(fixture);
	send_call(fixture, 1, "wait_for", "{\"window_id\":7,\"timeout_ms\":600000,\"settle_ms\":60,"
		"\"conditions\":[{\"kind\":\"element_has_state\",\"label\":\"Agree\",\"state\":\"checked\"}]}");
	json_t *answer = wait_answer(fixture, 1);
	g_assert_true(met(answer));
	/* It looked again after it had been so for long enough. */
	g_assert_cmpint(json_integer_value(json_object_get(answer, "looks")), >=, 2);
	g_assert_cmpint(json_integer_value(json_object_get(answer, "waited_ms")), >=, 60);
	send_call(fixture, 2, "wait_for", "{\"window_id\":7,\"timeout_ms\":600000,\"conditions\":["
		"{\"kind\":\"idle\",\"quiet_ms\":50}]}");
	g_assert_true(met(wait_answer(fixture, 2)));
}

static void progress_is_told(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	send_call(fixture, 1, "wait_for", AGREED);
	json_t *params = wait_looked(fixture, 1);
	g_assert_cmpfloat(json_number_value(json_object_get(params, "total")), ==, 600);
	assert_field(params, "message", "0 of 1 conditions hold");
	agree(fixture);
	g_assert_true(met(wait_answer(fixture, 1)));
}

static gsize count_of(json_t *object, const char *field)
{
	g_assert_true(json_is_array(json_object_get(object, field)));
	return json_array_size(json_object_get(object, field));
}

static void then_returns_the_change(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	send_call(fixture, 1, "get_window_state", "{\"window_id\":7,\"include_screenshot\":false}");
	wait_answer(fixture, 1);
	send_call(fixture, 2, "click", "{\"window_id\":7,\"element_index\":0,\"then\":{}}");
	json_t *answer = wait_answer(fixture, 2), *observed = json_object_get(answer, "observed");
	assert_field(answer, "effect", "confirmed");
	g_assert_cmpuint(count_of(observed, "changed"), ==, 1);
	g_assert_cmpuint(count_of(observed, "added"), ==, 0);
	g_assert_cmpuint(count_of(observed, "windows_opened"), ==, 0);
	g_assert_null(json_object_get(answer, "waited"));

	/* Its indices are those of the new snapshot. */
	headless_begin(fixture->platform);
	headless_add_element(fixture->platform, new_element("late", "check box", "Late"));
	headless_end(fixture->platform);
	send_call(fixture, 3, "click", "{\"window_id\":7,\"element_index\":0,\"then\":{\"observe\":\"diff\","
		"\"wait\":{\"conditions\":[{\"kind\":\"element_has_state\",\"label\":\"Agree\",\"state\":"
		"\"checked\",\"not\":true}]}}}");
	answer = wait_answer(fixture, 3);
	observed = json_object_get(answer, "observed");
	g_assert_true(met(json_object_get(answer, "waited")));
	g_assert_cmpuint(count_of(observed, "added"), ==, 1);
	send_call(fixture, 4, "click", "{\"window_id\":7,\"element_index\":1,\"then\":{\"observe\":\"state\"}}");
	answer = wait_answer(fixture, 4);
	assert_field(answer, "effect", "confirmed");
	g_assert_cmpuint(count_of(json_object_get(answer, "observed"), "elements"), ==, 2);
	g_assert_cmpint(headless_acted(fixture->platform), ==, 3);
}

static void then_waits_in_vain(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	send_call(fixture, 1, "get_window_state", "{\"window_id\":7,\"include_screenshot\":false}");
	wait_answer(fixture, 1);
	/* The action's own answer stands, whatever is waited for. */
	send_call(fixture, 2, "click", "{\"window_id\":7,\"element_index\":0,\"then\":{\"observe\":\"none\","
		"\"wait\":{\"timeout_ms\":20,\"conditions\":[{\"kind\":\"text_present\",\"text\":\"never\"}]}}}");
	json_t *answer = wait_answer(fixture, 2);
	assert_field(answer, "effect", "confirmed");
	g_assert_false(met(json_object_get(answer, "waited")));
	g_assert_null(json_object_get(answer, "observed"));
	/* What cannot be waited for is refused before anything is done. */
	send_call(fixture, 3, "click", "{\"window_id\":7,\"element_index\":0,\"then\":{\"wait\":{"
		"\"conditions\":[{\"kind\":\"element_appears\"}]}}}");
	assert_field(wait_answer(fixture, 3), "code", "invalid_arguments");
	/* And a failed action is not looked at. */
	headless_begin(fixture->platform);
	headless_element(fixture->platform, "box")->states = 0;
	headless_end(fixture->platform);
	send_call(fixture, 4, "click", "{\"window_id\":7,\"element_index\":0,\"then\":{}}");
	answer = wait_answer(fixture, 4);
	assert_field(answer, "code", "element_disabled");
	g_assert_null(json_object_get(answer, "observed"));
	g_assert_cmpint(headless_acted(fixture->platform), ==, 1);
}

#define ADD(path, test) g_test_add(path, struct fixture, NULL, set_up, test, tear_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	ADD("/waiting/once", one_look);
	ADD("/waiting/change", a_change_wakes);
	ADD("/waiting/timeout", a_timeout_is_an_answer);
	ADD("/waiting/others", others_go_on_meanwhile);
	ADD("/waiting/cancel", cancelled_is_silent);
	ADD("/waiting/end", ending_ends_waiters);
	ADD("/waiting/windows", windows_are_new_or_not);
	ADD("/waiting/refused", refused);
	ADD("/waiting/settle", settling_needs_a_while);
	ADD("/waiting/progress", progress_is_told);
	ADD("/then/change", then_returns_the_change);
	ADD("/then/vain", then_waits_in_vain);
	return g_test_run();
}
