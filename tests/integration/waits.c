/* SPDX-License-Identifier: MIT */
/* wait_for, verify_state and then: on real applications, without standing in anybody's way. */
#include <signal.h>
#include <string.h>

#include "lab/lab.h"

#define PATIENCE 30000
#define LONG_MS 120000
#define WAITERS 20

/* A wait_for that reports; returns its id when it has looked once. */
static int begin_wait(struct lab_driver *driver, const char *arguments)
{
	static int token;
	int id = lab_send(driver, "tools/call", "{\"name\":\"wait_for\",\"arguments\":%s,"
		"\"_meta\":{\"progressToken\":%d}}", arguments, ++token);
	for (;;) {
		struct lab_message told = lab_poll_notification(driver, "notifications/progress", PATIENCE);
		if (told.json == NULL) {
			lab_fail("wait_for says nothing");
		}
		/* Before its first look it only says that it works. */
		if (lab_int(told.json, "params/progressToken") == token
			&& strstr(lab_str(told.json, "params/message"), "conditions hold") != NULL) {
			return id;
		}
	}
}

static json_t *structured(struct lab_message message)
{
	json_t *content = lab_get(message.json, "result/structuredContent");
	lab_assert(content != NULL);
	return content;
}

static json_t *end_wait(struct lab_driver *driver, int id, bool met)
{
	json_t *answer = structured(lab_wait_id(driver, id, PATIENCE));
	if (lab_bool(answer, "met") != met) {
		lab_fail("met is not %s: %s", met ? "true" : "false", json_dumps(answer, JSON_COMPACT));
	}
	return answer;
}

static char *wait_arguments(const char *more, const char *conditions)
{
	return g_strdup_printf("{%s\"timeout_ms\":%d,\"conditions\":[%s]}", more, LONG_MS, conditions);
}

static void windows(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);
	xcb_window_t there = lab_window_open(desk, &(struct lab_window){ .title = "there before" });
	int any = begin_wait(driver, wait_arguments("", "{\"kind\":\"window_opens\"}"));
	int titled = begin_wait(driver, wait_arguments("", "{\"kind\":\"window_opens\",\"title\":\"LATE\"}"));
	int renamed = begin_wait(driver, wait_arguments("",
		"{\"kind\":\"window_opens\",\"title\":\"another name\",\"match\":\"exact\"}"));

	xcb_window_t late = lab_window_open(desk, &(struct lab_window){ .title = "a late one", .x = 250 });
	lab_assert_int(lab_int(end_wait(driver, any, true), "conditions/0/window_id"), late);
	lab_assert_int(lab_int(end_wait(driver, titled, true), "conditions/0/window_id"), late);

	lab_x_set(desk, there, "_NET_WM_NAME", "UTF8_STRING", "another name", 8, 12);
	xcb_flush(desk->x);
	lab_assert_int(lab_int(end_wait(driver, renamed, true), "conditions/0/window_id"), there);

	g_autofree char *of_late = g_strdup_printf("\"window_id\":%u,", late);
	int closes = begin_wait(driver, wait_arguments(of_late, "{\"kind\":\"window_closes\"}"));
	int hopeless = begin_wait(driver, wait_arguments(of_late,
		"{\"kind\":\"window_title\",\"title\":\"never\"}"));
	lab_window_close(desk, late);
	end_wait(driver, closes, true);
	lab_assert_str(lab_str(end_wait(driver, hopeless, false), "ended"), "hopeless");

	/* One look, by title and by number. */
	struct lab_answer answer = lab_call_ok(driver, "verify_state", "{\"conditions\":["
		"{\"kind\":\"window_opens\",\"title\":\"another name\"},"
		"{\"kind\":\"window_closes\",\"window_id\":%u}]}", late);
	lab_assert(lab_bool(answer.structured, "met"));
	answer = lab_call_ok(driver, "wait_for", "{\"timeout_ms\":50,\"conditions\":["
		"{\"kind\":\"window_closes\",\"title\":\"another name\"}]}");
	lab_assert(!lab_bool(answer.structured, "met"));
	lab_assert_str(lab_str(answer.structured, "ended"), "timeout");
	lab_driver_stop(driver);
}

static void press(struct lab_desk *desk, const struct lab_app *app, const char *label)
{
	struct lab_node key = lab_atspi_find(desk, app->pid, "toggle button", label);
	lab_assert(key.path);
	lab_atspi_press(desk, &key);
}

static void elements(struct lab_desk *desk)
{
	struct lab_app app = lab_galculator(desk, false);
	struct lab_driver *driver = lab_driver_start(desk);
	g_autofree char *of_app = g_strdup_printf("\"pid\":%d,\"window_id\":%u,", app.pid, app.window);
	int ids[WAITERS], twenty;

	for (int i = 0; i < WAITERS; i++) {
		ids[i] = lab_send_call(driver, "wait_for", "%s", wait_arguments(of_app, i % 2
			? "{\"kind\":\"element_has_value\",\"role\":\"text\",\"value\":56}"
			: "{\"kind\":\"text_present\",\"text\":\"56\"}"));
	}
	int cancelled = begin_wait(driver, wait_arguments(of_app,
		"{\"kind\":\"text_present\",\"text\":\"56\"}"));
	lab_notify(driver, "notifications/cancelled", "{\"requestId\":%d}", cancelled);

	/* They stand in nobody's way, and what is not so is not said to be. */
	struct lab_answer answer = lab_call_ok(driver, "verify_state", "{%s\"conditions\":["
		"{\"kind\":\"element_appears\",\"label\":\"7\"},"
		"{\"kind\":\"text_present\",\"text\":\"56\"}]}", of_app);
	lab_assert(!lab_bool(answer.structured, "met"));
	lab_assert(lab_bool(answer.structured, "conditions/0/holds"));
	lab_assert(!lab_bool(answer.structured, "conditions/1/holds"));
	for (int i = 0; i < WAITERS; i++) {
		lab_assert(!lab_has_answer(driver, ids[i], 0));
	}
	press(desk, &app, "7");
	press(desk, &app, "*");
	press(desk, &app, "8");
	press(desk, &app, "=");
	for (twenty = 0; twenty < WAITERS; twenty++) {
		end_wait(driver, ids[twenty], true);
	}
	lab_galculator_shows(desk, &app, "56");
	lab_assert(!lab_has_answer(driver, cancelled, 0));

	/* It comes to rest, and a look afterwards is in the same answer. */
	int idle = lab_send_call(driver, "wait_for", "{%s\"observe\":\"state\",\"conditions\":["
		"{\"kind\":\"idle\",\"quiet_ms\":200},{\"kind\":\"element_has_state\",\"label\":\"7\","
		"\"state\":\"enabled\"}],\"timeout_ms\":%d}", of_app, LONG_MS);
	lab_assert(json_array_size(lab_array(end_wait(driver, idle, true), "observed/elements")) > 10);

	int gone = begin_wait(driver, wait_arguments(of_app,
		"{\"kind\":\"element_disappears\",\"label\":\"7\"}"));
	int never = begin_wait(driver, wait_arguments(of_app,
		"{\"kind\":\"element_appears\",\"label\":\"no such key\"}"));
	lab_app_kill(&app);
	end_wait(driver, gone, true);
	lab_assert_str(lab_str(end_wait(driver, never, false), "ended"), "hopeless");
	lab_driver_stop(driver);
}

/* The element of a list whose label or value is that. */
static json_t *changed_value(const json_t *observed, const char *value)
{
	size_t i;
	json_t *item;
	json_array_foreach(lab_array(observed, "changed"), i, item) {
		if (g_strcmp0(json_string_value(json_object_get(item, "value")), value) == 0) {
			return item;
		}
	}
	return NULL;
}

static void then(struct lab_desk *desk)
{
	struct lab_app app = lab_galculator(desk, false);
	struct lab_driver *driver = lab_driver_start(desk);
	json_t *state = lab_call_ok(driver, "get_window_state",
		"{\"window_id\":%u,\"include_screenshot\":false}", app.window).structured;
	long long six = lab_int(lab_element(state, NULL, "6"), "element_index");
	long long five = lab_int(lab_element(state, NULL, "5"), "element_index");

	struct lab_answer answer = lab_call_ok(driver, "click", "{\"window_id\":%u,\"element_index\":%lld,"
		"\"then\":{\"wait\":{\"conditions\":[{\"kind\":\"element_has_value\",\"role\":\"text\",\"value\":6}],"
		"\"timeout_ms\":60000},\"observe\":\"diff\"}}", app.window, six);
	lab_galculator_shows(desk, &app, "6");
	json_t *observed = lab_get(answer.structured, "observed");
	lab_assert_str(lab_str(answer.structured, "path"), "x11_atspi");
	lab_assert(lab_bool(answer.structured, "waited/met"));
	lab_assert(changed_value(observed, "6") != NULL);
	lab_assert(strcmp(lab_str(observed, "snapshot_id"), lab_str(state, "snapshot_id")) != 0);
	lab_assert(!lab_bool(observed, "window_closed"));

	/* The new snapshot's indices are there to be used. Another key: one that is still down takes no press. */
	answer = lab_call_ok(driver, "click", "{\"window_id\":%u,\"element_index\":%lld,"
		"\"then\":{\"observe\":\"state\"}}", app.window, five);
	lab_galculator_shows(desk, &app, "65");
	lab_assert(json_array_size(lab_array(answer.structured, "observed/elements")) > 10);

	/* What was refused has nothing to be looked at. */
	answer = lab_call_refused(driver, "action_unsupported", "click",
		"{\"window_id\":%u,\"element_index\":%lld,\"action\":\"levitate\",\"then\":{}}", app.window, six);
	lab_assert(json_object_get(answer.structured, "observed") == NULL);
	lab_galculator_shows(desk, &app, "65");
	lab_driver_stop(driver);
}

static void ends(struct lab_desk *desk)
{
	struct lab_app app = lab_galculator(desk, false);
	g_autofree char *of_app = g_strdup_printf("\"window_id\":%u,", app.window);
	struct lab_driver *driver = lab_driver_start(desk);
	char *never = wait_arguments(of_app, "{\"kind\":\"text_present\",\"text\":\"never\"}");
	for (int i = 1; i < WAITERS; i++) {
		lab_send_call(driver, "wait_for", "%s", never);
	}
	begin_wait(driver, never);
	kill(lab_driver_pid(driver), SIGTERM);
	lab_assert(lab_gone(lab_driver_pid(driver), PATIENCE));
	lab_driver_forget(driver);

	/* What was asked before the end of the stream is still answered. */
	driver = lab_driver_start(desk);
	int id = lab_send_call(driver, "wait_for", "{%s\"timeout_ms\":300,\"conditions\":["
		"{\"kind\":\"text_present\",\"text\":\"never\"}]}", of_app);
	lab_driver_eof(driver);
	end_wait(driver, id, false);
	lab_driver_stop(driver);
}

static const struct lab_test tests[] = {
	{ .name = "windows", .run = windows, .servers = LAB_XVFB, .wms = "openbox none", .timeout = 180,
	  .about = "Windows that open late, get another title and close are waited for." },
	{ .name = "elements", .run = elements, .servers = LAB_XVFB, .wms = "openbox", .timeout = 240,
	  .needs = "galculator",
	  .about = "Twenty wait for a number, one is cancelled, others go on; then the window is closed." },
	{ .name = "then", .run = then, .servers = LAB_XVFB, .wms = "openbox", .timeout = 180,
	  .needs = "galculator", .about = "A click returns what it changed." },
	{ .name = "ends", .run = ends, .servers = LAB_XVFB, .wms = "openbox", .timeout = 180,
	  .needs = "galculator", .about = "The driver ends though twenty calls wait." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
