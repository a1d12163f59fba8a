/* SPDX-License-Identifier: MIT */
/*
 * The driver is killed at every record of its undo log. Afterwards the display is as it was: devices,
 * input shapes, key map, grabs, pressed buttons and keys; and the user can type and click.
 */
#include <fcntl.h>
#include <linux/uinput.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xcb/xtest.h>

#include "lab/oracle.h"

/* More steps than any of the gestures takes. */
#define MOST_STEPS 64

/* What is done to the covered window; each kind writes other records. */
static const struct {
	const char *name, *tool, *arguments;
} gestures[] = {
	{ "click", "click", "\"x\":100,\"y\":100" },
	{ "click with ctrl", "click", "\"x\":100,\"y\":100,\"modifier\":[\"ctrl\",\"shift\"]" },
	{ "drag", "drag", "\"from_x\":60,\"from_y\":60,\"to_x\":120,\"to_y\":90,\"steps\":3,\"duration_ms\":30" },
	{ "press", "mouse_button_down", "\"x\":100,\"y\":100" },
	{ "text", "type_text", "\"text\":\"日A\"" },
};

/* One driver that dies at that step, or does not get so far; true if it died. */
static bool run_to(struct lab_desk *desk, struct lab_harness *canvas, int gesture, int step)
{
	char number[16];

	g_snprintf(number, sizeof number, "%d", step);
	char **env = g_environ_setenv(g_strdupv(desk->env), "CUA_DRIVER_TEST_DIE_AT", number, TRUE);
	struct lab_desk mortal = *desk;
	mortal.env = env;
	struct lab_driver *driver = lab_driver_start(&mortal);
	lab_call_ok(driver, "screenshot", "{\"window_id\":%u}", canvas->window);
	/* tests/vm/uinput does the same with the kernel's pointer. */
	bool kernel = g_getenv("LAB_DEVICE") && !g_str_equal(gestures[gesture].tool, "type_text");
	int id = lab_send_call(driver, gestures[gesture].tool, "{\"window_id\":%u,%s%s}", canvas->window,
		gestures[gesture].arguments, kernel ? ",\"device\":\"uinput\"" : "");
	pid_t pid = lab_driver_pid(driver);
	bool answered = lab_has_answer(driver, id, 20000);
	if (answered) {
		struct lab_answer answer = lab_answer_of(driver, lab_wait_id(driver, id, 1000));
		if (answer.is_error) {
			lab_fail("%s: %s", gestures[gesture].name, lab_json(answer.structured));
		}
		/* It may still die when it gives its devices back. */
		lab_driver_eof(driver);
	}
	int code = lab_reap(pid, 20000);
	if (code != 0 && code != 128 + SIGKILL) {
		lab_fail("%s: the driver ended with %d at step %d", gestures[gesture].name, code, step);
	}
	lab_driver_forget(driver);
	return code == 128 + SIGKILL;
}

/* The user clicks: in a window of the lab's own, with the user's own pointer, which then goes back. */
static void user_clicks(struct lab_desk *desk, const char *what)
{
	xcb_connection_t *x = xcb_connect(desk->display, NULL);
	const uint32_t values[] = { 1, XCB_EVENT_MASK_BUTTON_PRESS | XCB_EVENT_MASK_BUTTON_RELEASE };
	xcb_window_t window = xcb_generate_id(x);
	bool pressed = false, released = false;
	gint64 deadline = lab_deadline(10000);

	g_autofree xcb_query_pointer_reply_t *was = xcb_query_pointer_reply(x, xcb_query_pointer(x, desk->root), NULL);
	lab_assert(was);
	xcb_create_window(x, XCB_COPY_FROM_PARENT, window, desk->root, 0, 0, 20, 20, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT,
		XCB_COPY_FROM_PARENT, XCB_CW_OVERRIDE_REDIRECT | XCB_CW_EVENT_MASK, values);
	xcb_map_window(x, window);
	xcb_test_fake_input(x, XCB_MOTION_NOTIFY, 0, 0, desk->root, 10, 10, 0);
	xcb_test_fake_input(x, XCB_BUTTON_PRESS, 1, 0, desk->root, 0, 0, 0);
	xcb_test_fake_input(x, XCB_BUTTON_RELEASE, 1, 0, desk->root, 0, 0, 0);
	xcb_flush(x);
	while (!released && (lab_readable(xcb_get_file_descriptor(x), deadline) || lab_left(deadline) > 0)) {
		for (xcb_generic_event_t *event; (event = xcb_poll_for_event(x)); free(event)) {
			pressed = pressed || (event->response_type & 0x7f) == XCB_BUTTON_PRESS;
			released = released || (pressed && (event->response_type & 0x7f) == XCB_BUTTON_RELEASE);
		}
	}
	xcb_test_fake_input(x, XCB_MOTION_NOTIFY, 0, 0, desk->root, was->root_x, was->root_y, 0);
	free(xcb_get_input_focus_reply(x, xcb_get_input_focus(x), NULL));
	xcb_disconnect(x);
	if (!released) {
		lab_fail("%s: the user's click did not arrive", what);
	}
}

static void killed(struct lab_desk *desk)
{
	struct lab_harness *canvas = lab_harness_start(desk, "canvas", NULL);
	struct lab_sentinel *sentinel = lab_sentinel_open(desk, "1200x780+0+0");

	char *before = lab_traces_read(desk);
	for (gsize i = 0; i < G_N_ELEMENTS(gestures); i++) {
		int step = 1;
		while (run_to(desk, canvas, (int)i, step)) {
			char what[96];
			g_snprintf(what, sizeof what, "%s, killed at step %d: the display is as before",
				gestures[i].name, step);
			lab_traces_until(desk, before, what);
			user_clicks(desk, what);
			lab_assert(++step < MOST_STEPS);
		}
		lab_traces_until(desk, before, "nobody killed it: the display is as before");
		lab_note("%s: %d steps", gestures[i].name, step - 1);
		/* The pair, the hole, the button: written, and dropped but for the pair. */
		lab_assert(step > 4);
		/* The user can type, and has everything that belongs to the user. */
		lab_sentinel_start(sentinel);
		lab_sentinel_types(sentinel, 10);
		struct lab_verdict verdict = lab_sentinel_stop(sentinel);
		if (!verdict.held) {
			lab_fail("after %s: %s", gestures[i].name, verdict.text);
		}
	}
}

/* On a busy machine that takes a while, and who is woken before stays stopped. */
static void until_stopped(pid_t driver)
{
	gint64 deadline = lab_deadline(20000);
	siginfo_t info = { 0 };

	while (waitid(P_PID, (id_t)driver, &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 && info.si_pid != driver) {
		lab_assert(lab_left(deadline) > 0);
		g_usleep(5000);
	}
}

/* A driver that stops while it holds the server must not stop the user. */
static void stopped(struct lab_desk *desk)
{
	struct lab_harness *canvas = lab_harness_start(desk, "canvas", NULL);
	struct lab_sentinel *sentinel = lab_sentinel_open(desk, "1200x780+0+0");

	char *before = lab_traces_read(desk);
	/* Steps 2 and 3 are in a grab: the hole and the button. */
	for (int step = 2; step <= 3; step++) {
		char number[16];
		g_snprintf(number, sizeof number, "%d", step);
		struct lab_desk frozen = *desk;
		frozen.env = g_environ_setenv(g_strdupv(desk->env), "CUA_DRIVER_TEST_STOP_AT", number, TRUE);
		struct lab_driver *driver = lab_driver_start(&frozen);
		lab_call_ok(driver, "screenshot", "{\"window_id\":%u}", canvas->window);
		int id = lab_send_call(driver, "click", "{\"window_id\":%u,\"x\":100,\"y\":100}", canvas->window);
		until_stopped(lab_driver_pid(driver));
		/* The lab's own eye would wait for ever if the grab stayed; the user, too. */
		lab_sentinel_start(sentinel);
		lab_sentinel_types(sentinel, 5);
		struct lab_verdict verdict = lab_sentinel_stop(sentinel);
		if (!verdict.held) {
			lab_fail("stopped at step %d: %s", step, verdict.text);
		}
		kill(lab_driver_pid(driver), SIGCONT);
		struct lab_message message = lab_wait_id(driver, id, 20000);
		struct lab_answer answer = lab_answer_of(driver, message);
		lab_assert(answer.is_error);
		lab_driver_stop(driver);
		lab_traces_until(desk, before, "the display is as before");
	}
}

/* A device of the kernel by that name, as a driver would make it; it is there until the descriptor is closed. */
static int make_device(const char *name)
{
	struct uinput_setup setup = { .id = { .bustype = BUS_VIRTUAL } };
	struct uinput_abs_setup axis = { .absinfo = { .maximum = 65535 } };
	int fd = open("/dev/uinput", O_WRONLY | O_CLOEXEC);

	lab_assert(fd >= 0);
	g_strlcpy(setup.name, name, sizeof setup.name);
	lab_assert(ioctl(fd, UI_SET_EVBIT, EV_KEY) == 0 && ioctl(fd, UI_SET_KEYBIT, BTN_LEFT) == 0);
	lab_assert(ioctl(fd, UI_SET_EVBIT, EV_ABS) == 0);
	for (axis.code = ABS_X; axis.code <= ABS_Y; axis.code++) {
		lab_assert(ioctl(fd, UI_SET_ABSBIT, axis.code) == 0 && ioctl(fd, UI_ABS_SETUP, &axis) == 0);
	}
	lab_assert(ioctl(fd, UI_DEV_SETUP, &setup) == 0 && ioctl(fd, UI_DEV_CREATE) == 0);
	return fd;
}

struct stray {
	const char *name;
	bool attached;       /* wanted: in the user's pair, or nobody's */
};

static bool is_so(struct lab_desk *desk, void *data)
{
	const struct stray *stray = data;
	g_autofree char *part = g_strdup_printf(" %s, attached to %s\n", stray->name, stray->attached ? "2" : "0");
	g_autofree char *traces = lab_traces_read(desk);

	return strstr(traces, part) != NULL;
}

/* A kernel's pointer that outlives its driver, which only a copy of its descriptor could do, is not the user's. */
static void strays(struct lab_desk *desk)
{
	struct stray stray = { "cua-driver 3 999999 uinput", true };
	int other = make_device("some other mouse"), fd = make_device(stray.name);

	lab_x_until(desk, is_so, &stray, 20000, "the X server to take the device");
	struct lab_run sick = lab_run(desk->env, LAB_ARGV(lab_driver_path(), "doctor"), "", 60000);
	lab_assert_contains(sick.out, "1 pointer of dead drivers is left");
	struct lab_run repaired = lab_run(desk->env, LAB_ARGV(lab_driver_path(), "doctor", "--repair"), "", 60000);
	lab_note("%s", repaired.out);
	stray.attached = false;
	lab_assert(is_so(desk, &stray));
	lab_assert(is_so(desk, &(struct stray){ "some other mouse", true }));
	struct lab_run well = lab_run(desk->env, LAB_ARGV(lab_driver_path(), "doctor"), "", 60000);
	lab_assert(!strstr(well.out, "of dead drivers"));
	close(fd);
	close(other);
}

static const struct lab_test kernel_tests[] = {
	{ .name = "killed", .run = killed, .servers = LAB_XVFB, .wms = "openbox", .timeout = 900,
	  .about = "SIGKILL at every record of the undo log, with the kernel's pointer." },
	{ .name = "strays", .run = strays, .servers = LAB_XVFB, .wms = "openbox", .timeout = 180,
	  .about = "doctor --repair takes a kernel's pointer that no driver has from the user's pair, and no other." },
	{ 0 }
};

static const struct lab_test tests[] = {
	{ .name = "killed", .run = killed, .servers = LAB_XVFB, .wms = "openbox", .timeout = 400,
	  .about = "SIGKILL at every record of the undo log: the guardian puts everything back." },
	{ .name = "stopped", .run = stopped, .servers = LAB_XVFB, .wms = "openbox", .timeout = 120,
	  .about = "A driver that is stopped while it holds the X server loses it." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, g_getenv("LAB_DEVICE") ? kernel_tests : tests);
}
