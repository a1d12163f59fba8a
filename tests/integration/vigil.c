/* SPDX-License-Identifier: MIT */
/*
 * A user who types in a browser while agents use pointers and keyboards of their own. Chromium hears only the keyboard
 * that came last, so that without care nothing of the user's would arrive.
 */
#include <signal.h>
#include <string.h>
#include <xcb/xinput.h>

#include "lab/oracle.h"

enum { LANDING = 20000, MOST = 4000 };

/* The user: letters, one after another, by the core keyboard. */
struct typist {
	struct lab_desk *desk;
	GThread *thread;
	gint stop, letters;
	GString *typed;          /* read it when the thread has ended */
};

static gpointer type_on(gpointer data)
{
	struct typist *typist = data;

	for (int i = 0; !g_atomic_int_get(&typist->stop) && i < MOST; i++) {
		const char letter[] = { (char)('a' + i % 26), '\0' };

		lab_run(typist->desk->env, LAB_ARGV("xdotool", "key", "--delay", "5", letter), NULL, LANDING);
		g_string_append(typist->typed, letter);
		g_atomic_int_inc(&typist->letters);
		g_usleep(15000);
	}
	return NULL;
}

static struct typist *typist_start(struct lab_desk *desk)
{
	struct typist *typist = g_new0(struct typist, 1);

	typist->desk = desk;
	typist->typed = g_string_new(NULL);
	typist->thread = g_thread_new("typist", type_on, typist);
	return typist;
}

/* Ends it; everything must have arrived, in order, and nothing else. */
static void typist_stop(struct typist *typist, struct lab_harness *web, const char *before)
{
	gint64 deadline = lab_deadline(LANDING);

	while (g_atomic_int_get(&typist->letters) < 25) {
		lab_assert(lab_left(deadline) > 0);
		lab_x_quiet(typist->desk, 20);
	}
	g_atomic_int_set(&typist->stop, 1);
	g_thread_join(typist->thread);
	g_autofree char *all = g_strconcat(before, typist->typed->str, NULL);

	lab_note("the user typed %zu letters", typist->typed->len);
	lab_journal_wait_state(web, "mirror", all, LANDING);
}

/* A browser that the user is in, with the caret in a field that is empty. */
static struct lab_harness *open_browser(struct lab_desk *desk)
{
	struct lab_harness *web = lab_harness_start(desk, "web", NULL);
	struct lab_rect at = lab_harness_see(web, NULL, lab_control_label("txt-input"), LANDING).frame;
	g_autofree char *x = g_strdup_printf("%d", at.x + at.width / 2);
	g_autofree char *y = g_strdup_printf("%d", at.y + at.height / 2);

	lab_user_works_in(desk, web->window);
	lab_assert_int(lab_run(desk->env, LAB_ARGV("xdotool", "mousemove", x, y, "click", "1"), NULL, LANDING).code, 0);
	lab_assert(lab_journal_find(web, 0, LANDING, "type", "focus_in", "control", "txt-input", NULL));
	return web;
}

/* How many pairs of pointer and keyboard agents have. */
static int count_pairs(struct lab_desk *desk)
{
	g_autofree xcb_input_xi_query_device_reply_t *reply = xcb_input_xi_query_device_reply(desk->x,
		xcb_input_xi_query_device(desk->x, XCB_INPUT_DEVICE_ALL_MASTER), NULL);

	return reply ? reply->num_infos / 2 - 1 : -1;
}

/* Clicks and keys into a window that shows all it gets. Returns how many were done; the others must say why. */
static int work(struct lab_driver *driver, xcb_window_t window, int rounds)
{
	int done = 0;

	for (int i = 0; i < rounds; i++) {
		struct lab_answer answer = i % 3 == 2
			? lab_call(driver, "type_text", "{\"window_id\":%u,\"text\":\"agent\",\"x\":90,\"y\":90}", window)
			: lab_call(driver, "click", "{\"window_id\":%u,\"x\":%d,\"y\":90}", window, 20 + i);
		if (answer.is_error) {
			lab_assert_str(lab_str(answer.structured, "code"), "user_active");
		} else {
			done++;
		}
	}
	return done;
}

static struct lab_harness *open_canvas(struct lab_desk *desk, struct lab_driver *driver)
{
	struct lab_harness *canvas = lab_harness_start(desk, "canvas", NULL);

	lab_call_ok(driver, "screenshot", "{\"window_id\":%u}", canvas->window);
	return canvas;
}

static void types_on(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_harness *canvas = open_canvas(desk, driver);
	struct lab_harness *web = open_browser(desk);
	guint mark = lab_journal_mark(canvas);
	struct typist *user = typist_start(desk);

	int done = work(driver, canvas->window, 24);
	typist_stop(user, web, "");
	lab_note("%d of 24 actions done", done);
	lab_assert(done >= 12);
	lab_assert(lab_journal_count(canvas, mark, "type", "button_press", NULL) >= done / 2);
	/* With nobody typing the agent keeps what it has, and the first key gets it out of the way. */
	lab_call_ok(driver, "click", "{\"window_id\":%u,\"x\":9,\"y\":9}", canvas->window);
	lab_assert_int(count_pairs(desk), 1);
	g_autofree char *so_far = g_strdup(lab_harness_value(web, "mirror"));
	user = typist_start(desk);
	gint64 deadline = lab_deadline(LANDING);
	while (count_pairs(desk) != 0) {
		lab_assert(lab_left(deadline) > 0);
		lab_x_quiet(desk, 20);
	}
	typist_stop(user, web, so_far);
	lab_driver_stop(driver);
}

static void two_drivers(struct lab_desk *desk)
{
	struct lab_driver *drivers[] = { lab_driver_start(desk), lab_driver_start(desk) };
	struct lab_harness *canvas = open_canvas(desk, drivers[0]);
	struct lab_harness *web = open_browser(desk);

	lab_call_ok(drivers[1], "screenshot", "{\"window_id\":%u}", canvas->window);
	for (int i = 0; i < 2; i++) {
		lab_call_ok(drivers[i], "click", "{\"window_id\":%u,\"x\":9,\"y\":9}", canvas->window);
	}
	lab_assert_int(count_pairs(desk), 2);
	struct typist *user = typist_start(desk);
	for (int i = 0; i < 6; i++) {
		work(drivers[i % 2], canvas->window, 2);
	}
	typist_stop(user, web, "");
	lab_driver_stop(drivers[0]);
	lab_driver_stop(drivers[1]);
}

/* A driver that is stopped must not stop the user. What is typed in the quarter of a second until that is seen may go. */
static void stands_still(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_harness *canvas = open_canvas(desk, driver);
	struct lab_harness *web = open_browser(desk);

	lab_call_ok(driver, "click", "{\"window_id\":%u,\"x\":9,\"y\":9}", canvas->window);
	lab_assert_int(count_pairs(desk), 1);
	kill(lab_driver_pid(driver), SIGSTOP);
	gint64 deadline = lab_deadline(LANDING);
	while (count_pairs(desk) != 0) {
		lab_assert(lab_left(deadline) > 0);
		lab_x_quiet(desk, 20);
	}
	struct typist *user = typist_start(desk);
	typist_stop(user, web, "");
	kill(lab_driver_pid(driver), SIGCONT);
	/* It has lost its connections, and makes new ones. */
	lab_call_ok(driver, "click", "{\"window_id\":%u,\"x\":30,\"y\":9}", canvas->window);
	lab_driver_stop(driver);
}

/* The agent types in the window that the user is in, too: that does not lose the focus for the user. */
static void same_window(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_harness *web = open_browser(desk);

	lab_call_ok(driver, "screenshot", "{\"window_id\":%u}", web->window);
	lab_call_ok(driver, "press_key", "{\"window_id\":%u,\"key\":\"x\"}", web->window);
	lab_journal_wait_state(web, "mirror", "x", LANDING);
	lab_assert_int(count_pairs(desk), 1);
	typist_stop(typist_start(desk), web, "x");
	lab_driver_stop(driver);
}

/* Keys in the foreground come by the user's own keyboard. */
static void in_front(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_harness *canvas = open_canvas(desk, driver);
	struct lab_harness *web = open_browser(desk);

	lab_call_ok(driver, "click", "{\"window_id\":%u,\"x\":9,\"y\":9}", canvas->window);
	lab_assert_int(count_pairs(desk), 1);
	lab_call_ok(driver, "type_text", "{\"window_id\":%u,\"text\":\"Hello\",\"delivery_mode\":\"foreground\"}",
		web->window);
	lab_journal_wait_state(web, "mirror", "Hello", LANDING);
	lab_driver_stop(driver);
}

static const struct lab_test tests[] = {
	{ .name = "types_on", .run = types_on, .servers = LAB_XVFB, .wms = "*", .timeout = 180,
	  .about = "What the user types in Chromium arrives whole while an agent clicks and types elsewhere." },
	{ .name = "two_drivers", .run = two_drivers, .servers = LAB_XVFB, .wms = "openbox", .timeout = 180,
	  .about = "The same beside two drivers, each with a pair of its own." },
	{ .name = "stands_still", .run = stands_still, .servers = LAB_XVFB, .wms = "openbox", .timeout = 180,
	  .about = "A driver that is stopped loses its pair, and the user's keyboard goes on." },
	{ .name = "same_window", .run = same_window, .servers = LAB_XVFB, .wms = "openbox", .timeout = 180,
	  .about = "The user goes on typing in a browser where an agent has typed as well." },
	{ .name = "in_front", .run = in_front, .servers = LAB_XVFB, .wms = "openbox", .timeout = 180,
	  .about = "Keys in the foreground reach Chromium though the session has a pair." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
