/* SPDX-License-Identifier: MIT */
/* An application that does not answer delays only those who talk to it. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "lab/lab.h"

#define STATE(app) "{\"pid\":%d,\"window_id\":%u}", (app).pid, (app).window
/* No snapshot waits longer than 10 s; the rest is this machine's. */
#define DEADLINE_MS 11000

/* A call with a progress token, as JSON. */
static int send_with_token(struct lab_driver *driver, const struct lab_app *app, const char *token)
{
	return lab_send(driver, "tools/call", "{\"name\":\"get_window_state\",\"arguments\":"
		"{\"pid\":%d,\"window_id\":%u},\"_meta\":{\"progressToken\":%s}}", app->pid, app->window,
		token);
}

/*
 * Lets it go on, and waits until the driver can look at it again: one that was silent is given less time
 * for a first answer, so a call that comes too early may still be refused.
 */
static json_t *revive(struct lab_driver *driver, const struct lab_app *app)
{
	gint64 deadline = lab_deadline(30000);
	struct lab_answer answer;

	kill(app->pid, SIGCONT);
	do {
		answer = lab_call(driver, "get_window_state", STATE(*app));
		if (!answer.is_error) {
			return answer.structured;
		}
		lab_assert_str(answer.code, "app_unresponsive");
	} while (lab_left(deadline) > 0);
	lab_fail("the application is still said to be unresponsive");
}

static void in_time(struct lab_desk *desk)
{
	struct lab_app app = lab_galculator(desk, false);
	struct lab_driver *driver = lab_driver_start(desk);
	json_t *state = lab_call_ok(driver, "get_window_state", STATE(app)).structured;
	json_int_t seven = lab_int(lab_element(state, NULL, "7"), "element_index");

	lab_app_stop(desk, &app);
	struct lab_answer answer = lab_call_refused(driver, "app_unresponsive", "get_window_state",
		STATE(app));
	lab_note("answered after %.0f ms", answer.ms);
	lab_assert(answer.ms < DEADLINE_MS);
	answer = lab_call_refused(driver, "app_unresponsive", "click",
		"{\"window_id\":%u,\"element_index\":%lld}", app.window, (long long)seven);
	lab_assert(answer.ms < DEADLINE_MS);
	lab_assert_str(lab_str(answer.structured, "delivery"), "none");
	answer = lab_call(driver, "get_accessibility_tree", "{\"pid\":%d}", app.pid);
	lab_assert(answer.ms < DEADLINE_MS);
	lab_assert_str(answer.code, "app_unresponsive");
	/* The overview of the desktop is not lost because one application is. */
	lab_assert(lab_call_ok(driver, "get_accessibility_tree", "{}").ms < DEADLINE_MS);
	lab_call_ok(driver, "list_windows", "{}");

	lab_element(revive(driver, &app), NULL, "7");
	/* What was refused has not happened later. */
	lab_galculator_shows(desk, &app, "0");
}

static void forty_calls_hundred_pings(struct lab_desk *desk)
{
	struct lab_app stopped = lab_galculator(desk, false), other = lab_galculator(desk, false);
	struct lab_driver *driver = lab_driver_start(desk);
	unsigned last_ping = 0, first_call = G_MAXUINT;
	int calls[40], pings[100];

	lab_app_stop(desk, &stopped);
	gint64 sent = g_get_monotonic_time();
	for (size_t i = 0; i < 40; i++) {
		calls[i] = lab_send_call(driver, "get_window_state", STATE(stopped));
	}
	for (size_t i = 0; i < 100; i++) {
		pings[i] = lab_send(driver, "ping", NULL);
	}
	struct lab_answer answer = lab_call_ok(driver, "get_window_state", STATE(other));
	lab_element(answer.structured, NULL, "7");
	lab_note("another application answered after %.0f ms", answer.ms);
	for (size_t i = 0; i < 100; i++) {
		struct lab_message message = lab_wait_id(driver, pings[i], 5000);

		last_ping = MAX(last_ping, message.order);
	}
	for (size_t i = 0; i < 40; i++) {
		struct lab_message message = lab_wait_id(driver, calls[i], 20000);

		answer = lab_answer_of(driver, message);
		lab_assert_str(answer.code, "app_unresponsive");
		first_call = MIN(first_call, message.order);
		/* Those that had to queue do not wait longer for it. */
		lab_assert((message.at - sent) / 1000 < DEADLINE_MS + 1000);
	}
	if (last_ping > first_call) {
		lab_fail("message %u is a call, but %u still a ping", first_call, last_ping);
	}
	revive(driver, &stopped);
}

static void cancel(struct lab_desk *desk)
{
	struct lab_app app = lab_galculator(desk, false);
	struct lab_driver *driver = lab_driver_start(desk);

	lab_app_stop(desk, &app);
	int id = send_with_token(driver, &app, "0");
	int queued = lab_send_call(driver, "get_window_state", STATE(app));
	lab_assert(lab_poll_notification(driver, "notifications/progress", 2000).json);
	lab_notify(driver, "notifications/cancelled", "{\"requestId\":%d,\"reason\":\"test\"}", id);
	lab_notify(driver, "notifications/cancelled", "{\"requestId\":%d}", queued);
	lab_assert(lab_request(driver, "ping", NULL).result);
	/* What was on its way before the ping's answer is fair; after that there is silence. */
	while (lab_poll_notification(driver, "notifications/progress", 0).json) {
	}
	lab_assert(!lab_has_answer(driver, id, 3000));
	lab_assert(!lab_has_answer(driver, queued, 0));
	lab_assert(!lab_poll_notification(driver, "notifications/progress", 0).json);
	/* The place in the queue is free again. */
	revive(driver, &app);
	lab_assert(!lab_has_answer(driver, id, 0));
}

static void progress(struct lab_desk *desk)
{
	static const char *const tokens[] = { "0", "\"a token\"", "7" };
	struct lab_app app = lab_galculator(desk, false);
	struct lab_driver *driver = lab_driver_start(desk);

	for (size_t i = 0; i < G_N_ELEMENTS(tokens); i++) {
		/* One that was silent before is not waited for so long. */
		revive(driver, &app);
		lab_app_stop(desk, &app);
		json_t *token = json_loads(tokens[i], JSON_DECODE_ANY, NULL);
		gint64 last = g_get_monotonic_time();
		double value = -1;
		int count = 0;
		int id = send_with_token(driver, &app, tokens[i]);

		while (!lab_has_answer(driver, id, 0)) {
			struct lab_message message = lab_poll_notification(driver, "notifications/progress",
				100);
			if (!message.json) {
				continue;
			}
			lab_assert(json_equal(lab_get(message.json, "params/progressToken"), token));
			double now = json_number_value(lab_get(message.json, "params/progress"));
			if (now <= value) {
				lab_fail("progress went from %g to %g", value, now);
			}
			/* Promised every 500 ms; twice that, because this machine is not idle. */
			lab_assert(message.at - last < 1000 * 1000);
			value = now;
			last = message.at;
			count++;
		}
		lab_wait_id(driver, id, 0);
		lab_note("%d heartbeats", count);
		lab_assert(count >= 2);
		lab_assert(!lab_poll_notification(driver, "notifications/progress", 700).json);
	}
	/* Nobody who did not ask is told. */
	lab_call_refused(driver, "app_unresponsive", "get_window_state", STATE(app));
	lab_assert(!lab_poll_notification(driver, "notifications/progress", 0).json);
}

/* Whether an overview has an application of that name. */
static bool overview_has(const json_t *overview, const char *name)
{
	g_autofree char *text = json_dumps(overview, JSON_COMPACT);

	return strstr(text, name) != NULL;
}

static void breaker(struct lab_desk *desk)
{
	struct lab_app stopped = lab_galculator(desk, false), other = lab_galculator(desk, true);
	struct lab_driver *driver = lab_driver_start(desk);

	lab_app_stop(desk, &stopped);
	lab_call_refused(driver, "app_unresponsive", "get_window_state", STATE(stopped));
	/* From now on one question decides, and says so. */
	for (int i = 0; i < 3; i++) {
		struct lab_answer answer = lab_call_refused(driver, "app_unresponsive",
			"get_window_state", STATE(stopped));

		lab_assert_contains(lab_str(answer.structured, "message"), "silent before");
	}
	/* Others are not asked less for it, nor is the overview without them. */
	lab_element(lab_call_ok(driver, "get_window_state", STATE(other)).structured, NULL, "sin");
	struct lab_answer overview = lab_call_ok(driver, "get_accessibility_tree", "{}");
	lab_assert(overview_has(overview.structured, "galculator"));
	lab_assert(!lab_bool(overview.structured, "complete"));
	lab_assert_contains(lab_str(overview.structured, "truncated"), "did not answer");

	lab_element(revive(driver, &stopped), NULL, "7");
	overview = lab_call_ok(driver, "get_accessibility_tree", "{}");
	lab_assert(lab_bool(overview.structured, "complete"));
}

static void duplicate_id(struct lab_desk *desk)
{
	struct lab_app app = lab_galculator(desk, false);
	struct lab_driver *driver = lab_driver_start(desk);

	lab_app_stop(desk, &app);
	lab_send_line(driver, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":"
		"{\"name\":\"get_window_state\",\"arguments\":{\"window_id\":%u}}}", app.window);
	lab_send_line(driver, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":"
		"{\"name\":\"list_windows\"}}");
	struct lab_message message = lab_wait_any(driver, 5000);
	lab_assert_int(json_integer_value(lab_get(message.json, "error/code")), -32600);
	/* "5" is another id, and 5 is free again once it has been answered. */
	lab_send_line(driver, "{\"jsonrpc\":\"2.0\",\"id\":\"5\",\"method\":\"ping\"}");
	lab_assert_str(lab_str(lab_wait_any(driver, 5000).json, "id"), "5");
	kill(app.pid, SIGCONT);
	lab_assert(json_object_get(lab_wait_id(driver, 5, 12000).json, "result"));
	lab_send_line(driver, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}");
	lab_assert(json_object_get(lab_wait_id(driver, 5, 5000).json, "result"));
}

static void eof_while_waiting(struct lab_desk *desk)
{
	struct lab_app app = lab_galculator(desk, false);
	struct lab_driver *driver = lab_driver_start(desk);

	lab_app_stop(desk, &app);
	int id = lab_send_call(driver, "get_window_state", STATE(app));
	lab_driver_eof(driver);
	struct lab_answer answer = lab_answer_of(driver, lab_wait_id(driver, id, DEADLINE_MS));
	lab_assert_str(answer.code, "app_unresponsive");
	lab_driver_stop(driver);
}

static const struct lab_test tests[] = {
	{ .name = "in_time", .run = in_time, .servers = LAB_XVFB, .wms = "openbox", .timeout = 150,
	  .needs = "galculator",
	  .about = "A stopped application is said to be unresponsive in time, and works again later." },
	{ .name = "forty_calls_hundred_pings", .run = forty_calls_hundred_pings, .servers = LAB_BOTH,
	  .wms = "openbox", .timeout = 150, .needs = "galculator",
	  .about = "Pings and other applications are answered before forty calls that hang." },
	{ .name = "cancel", .run = cancel, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "galculator", .about = "A cancelled call is never answered." },
	{ .name = "progress", .run = progress, .servers = LAB_XVFB, .wms = "openbox", .timeout = 150,
	  .needs = "galculator",
	  .about = "Who asks for progress gets a heartbeat, strictly increasing, until the answer." },
	{ .name = "breaker", .run = breaker, .servers = LAB_XVFB, .wms = "openbox", .timeout = 120,
	  .needs = "galculator",
	  .about = "An application that was silent is asked one question first, and costs others nothing." },
	{ .name = "duplicate_id", .run = duplicate_id, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "galculator", .about = "An id that is still running cannot be used again." },
	{ .name = "eof_while_waiting", .run = eof_while_waiting, .servers = LAB_XVFB,
	  .wms = "openbox", .needs = "galculator",
	  .about = "EOF does not cut off a call that waits, and the driver still ends in time." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
