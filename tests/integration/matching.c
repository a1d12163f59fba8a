/* SPDX-License-Identifier: MIT */
/*
 * The tree is that of the window that was named. Windows that look alike each have a button; the driver
 * presses the one it found in its answer about a window, and the application says whose it was.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab/oracle.h"

#define MOST 4
/* Generous: the machine may be busy. Nothing depends on how long it really takes. */
#define PATIENCE 20000

struct twins {
	struct lab_desk *desk;
	int out;
	GString *partial;
	int first, count;           /* those that are looked at */
	xcb_window_t windows[MOST];
};

static char *next_line(struct twins *twins, gint64 deadline)
{
	char buffer[512];
	char *end;

	while (!(end = strchr(twins->partial->str, '\n'))) {
		if (!lab_readable(twins->out, deadline)) {
			return NULL;
		}
		ssize_t got = read(twins->out, buffer, sizeof buffer);
		if (got <= 0) {
			lab_fail("the windows are gone");
		}
		g_string_append_len(twins->partial, buffer, got);
	}
	char *line = g_strndup(twins->partial->str, (gsize)(end - twins->partial->str));
	g_string_erase(twins->partial, 0, end - twins->partial->str + 1);
	return line;
}

static bool is_taken_in(struct lab_desk *desk, void *data)
{
	xcb_window_t window = *(xcb_window_t *)data;
	g_autoptr(GArray) stacking = lab_x_stacking(desk);

	for (guint i = 0; i < stacking->len; i++) {
		if (g_array_index(stacking, uint32_t, i) == window) {
			return lab_x_viewable(desk, window);
		}
	}
	return false;
}

static char *program(const char *toolkit)
{
	const char *build = g_getenv("CUA_BUILDDIR");

	return g_strdup_printf("%s/tests/harness/twins-%s", build ? build : ".", toolkit);
}

/* `wrapper` (or NULL) and the program with the windows; `env` NULL: the desk's. */
static struct twins *twins_start(struct lab_desk *desk, const char *toolkit, char **env,
	const char *const *wrapper, const char *const *specs)
{
	struct twins *twins = g_new0(struct twins, 1);
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	int pipes[2];

	for (int i = 0; wrapper && wrapper[i]; i++) {
		g_ptr_array_add(argv, (gpointer)wrapper[i]);
	}
	g_ptr_array_add(argv, program(toolkit));
	for (; specs[twins->count]; twins->count++) {
		g_ptr_array_add(argv, (gpointer)specs[twins->count]);
	}
	g_ptr_array_add(argv, NULL);
	lab_assert(pipe(pipes) == 0);
	lab_spawn(&(struct lab_spawn){ .argv = (const char *const *)argv->pdata,
		.env = env ? env : desk->env, .out = pipes[1] });
	close(pipes[1]);
	twins->desk = desk;
	twins->out = pipes[0];
	twins->partial = g_string_new(NULL);
	for (int i = 0; i < twins->count; i++) {
		int number;
		unsigned id;
		char *line = next_line(twins, lab_deadline(PATIENCE));

		if (!line || sscanf(line, "window %d 0x%x", &number, &id) != 2) {
			lab_fail("not a window: %s", line ? line : "nothing");
		}
		twins->windows[number] = id;
		lab_x_until(desk, is_taken_in, &twins->windows[number], PATIENCE, "a window");
	}
	return twins;
}

/* Whose button was pressed last, waiting for it. */
static int pressed(struct twins *twins)
{
	int number;
	char *line = next_line(twins, lab_deadline(PATIENCE));

	if (!line || sscanf(line, "pressed %d", &number) != 1) {
		lab_fail("no press: %s", line ? line : "nothing");
	}
	return number;
}

static json_t *state_of(struct twins *twins, struct lab_driver *driver, int number)
{
	return lab_call_ok(driver, "get_window_state", "{\"window_id\":%u,\"include_screenshot\":false}",
		twins->windows[number]).structured;
}

/* Presses what the driver says is in the window; it must be in that window. */
static void press(struct twins *twins, struct lab_driver *driver, const json_t *state, int number)
{
	const char *token = lab_str(lab_element(state, NULL, "Press"), "element_token");

	lab_call_ok(driver, "click", "{\"element_token\":\"%s\"}", token);
	lab_assert_int(pressed(twins), number);
}

/*
 * Applications learn of their place and focus in their own time: until then there may be no tree, but never
 * a wrong one.
 */
static void assert_told_apart(struct twins *twins, struct lab_driver *driver)
{
	for (int i = twins->first; i < twins->count; i++) {
		gint64 deadline = lab_deadline(PATIENCE);
		json_t *state = state_of(twins, driver, i);

		while (!g_str_equal(lab_str(state, "tree"), "full")) {
			if (lab_left(deadline) == 0) {
				lab_fail("window %d: %s", i, lab_str(state, "degraded_reason"));
			}
			poll(NULL, 0, 20);
			state = state_of(twins, driver, i);
		}
		press(twins, driver, state, i);
	}
}

static void assert_not_told_apart(struct twins *twins, struct lab_driver *driver)
{
	for (int i = twins->first; i < twins->count; i++) {
		gint64 deadline = lab_deadline(PATIENCE);
		json_t *state = state_of(twins, driver, i);

		while (!g_str_equal(lab_str(state, "tree"), "none") ||
			!strstr(lab_str(state, "degraded_reason"), "nothing tells them apart")) {
			if (lab_left(deadline) == 0) {
				lab_fail("window %d is not said to have a twin: %s", i, lab_json(state));
			}
			if (g_str_equal(lab_str(state, "tree"), "full")) {
				press(twins, driver, state, i);
			}
			poll(NULL, 0, 20);
			state = state_of(twins, driver, i);
		}
		lab_assert(lab_bool(state, "degraded"));
		lab_assert_int(json_array_size(lab_array(state, "elements")), 0);
	}
}

struct move {
	xcb_window_t window;
	struct lab_rect to;
};

static bool has_moved(struct lab_desk *desk, void *data)
{
	struct move *move = data;
	struct lab_rect now = lab_x_bounds(desk, move->window);

	return now.x == move->to.x && now.y == move->to.y;
}

/* Puts the window's own area there. Window managers place frames, so by trial. */
static void move_to(struct lab_desk *desk, xcb_window_t window, int x, int y)
{
	struct move move = { window, { x, y, 0, 0 } };
	gint64 deadline = lab_deadline(PATIENCE);
	int ask_x = x, ask_y = y;

	while (!has_moved(desk, &move)) {
		if (lab_left(deadline) == 0) {
			lab_fail("the window cannot be moved");
		}
		struct lab_rect before = lab_x_bounds(desk, window);
		/* _NET_MOVERESIZE_WINDOW with static gravity (10): the place is that of the client. */
		xcb_client_message_event_t event = { .response_type = XCB_CLIENT_MESSAGE, .format = 32,
			.window = window, .type = lab_atom(desk, "_NET_MOVERESIZE_WINDOW") };
		event.data.data32[0] = 10 | 1 << 8 | 1 << 9 | 2 << 12;
		event.data.data32[1] = (uint32_t)ask_x;
		event.data.data32[2] = (uint32_t)ask_y;
		xcb_send_event(desk->x, 0, desk->root, XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY |
			XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT, (const char *)&event);
		lab_x_quiet(desk, 100);
		struct lab_rect after = lab_x_bounds(desk, window);
		if (after.x != before.x || after.y != before.y) {
			ask_x += x - after.x;
			ask_y += y - after.y;
		}
	}
}

static void seat_user(struct lab_desk *desk)
{
	struct lab_app user = lab_xterm(desk, "the user's");

	lab_user_works_in(desk, user.window);
}

static void titles(struct lab_desk *desk)
{
	struct twins *twins = twins_start(desk, "gtk3", NULL, NULL,
		LAB_ARGV("300x200:First", "300x200:Second", "300x200:Third"));
	struct twins *others = twins_start(desk, "gtk4", NULL, NULL,
		LAB_ARGV("300x200:First", "300x200:Second", "300x200:Third"));
	struct lab_driver *driver = lab_driver_start(desk);

	assert_told_apart(twins, driver);
	assert_told_apart(others, driver);
}

static void places(struct lab_desk *desk)
{
	struct twins *twins = twins_start(desk, "gtk3", NULL, NULL,
		LAB_ARGV("300x200:Twin", "300x200:Twin", "300x200:Twin"));
	struct lab_driver *driver = lab_driver_start(desk);

	seat_user(desk);
	move_to(desk, twins->windows[0], 60, 60);
	move_to(desk, twins->windows[1], 400, 80);
	move_to(desk, twins->windows[2], 420, 80);
	assert_told_apart(twins, driver);
	/* Exactly one above the other, nobody can tell the two. */
	move_to(desk, twins->windows[2], 400, 80);
	twins->first = 1;
	assert_not_told_apart(twins, driver);
}

/* GTK4 tells no places. */
static void sizes(struct lab_desk *desk)
{
	struct twins *twins = twins_start(desk, "gtk4", NULL, NULL,
		LAB_ARGV("300x200:Twin", "340x200:Twin", "300x260:Twin"));
	struct lab_driver *driver = lab_driver_start(desk);

	assert_told_apart(twins, driver);
}

static void active(struct lab_desk *desk)
{
	struct twins *twins = twins_start(desk, "gtk4", NULL, NULL,
		LAB_ARGV("300x200:Twin", "300x200:Twin"));
	struct lab_driver *driver = lab_driver_start(desk);

	seat_user(desk);
	assert_not_told_apart(twins, driver);
	for (int i = 0; i < 4; i++) {
		lab_user_works_in(desk, twins->windows[i % 2]);
		assert_told_apart(twins, driver);
	}
}

static void untitled(struct lab_desk *desk)
{
	struct twins *twins = twins_start(desk, "gtk3", NULL, NULL, LAB_ARGV("300x200:", "260x160:"));
	struct lab_driver *driver = lab_driver_start(desk);

	move_to(desk, twins->windows[0], 60, 60);
	move_to(desk, twins->windows[1], 500, 80);
	assert_told_apart(twins, driver);
}

/* A process namespace of its own, and a shell in between. */
static void wrapped(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_run can = lab_run(desk->env, LAB_ARGV("unshare", "--pid", "--fork", "true"), NULL, 10000);

	assert_told_apart(twins_start(desk, "gtk3", NULL, LAB_ARGV("sh", "-c", "\"$@\"; :", "sh"),
		LAB_ARGV("300x200:Child of a shell")), driver);
	if (can.code != 0) {
		lab_skip("no process namespaces here: %s", can.err);
	}
	assert_told_apart(twins_start(desk, "gtk3", NULL, LAB_ARGV("unshare", "--pid", "--fork", "--kill-child"),
		LAB_ARGV("300x200:In a namespace")), driver);
}

static bool exists(const char *path, gint64 deadline)
{
	while (!g_file_test(path, G_FILE_TEST_EXISTS)) {
		if (lab_left(deadline) == 0) {
			return false;
		}
		poll(NULL, 0, 10);
	}
	return true;
}

/* An environment in which the accessibility bus is behind a proxy, as in a Flatpak. */
static char **behind_proxy(struct lab_desk *desk, const char *name)
{
	char *socket = g_build_filename(g_environ_getenv(desk->env, "XDG_RUNTIME_DIR"), name, NULL);
	struct lab_run asked = lab_run(desk->env, LAB_ARGV("gdbus", "call", "--session", "--dest",
		"org.a11y.Bus", "--object-path", "/org/a11y/bus", "--method", "org.a11y.Bus.GetAddress"), NULL,
		10000);
	g_auto(GStrv) parts = g_strsplit(asked.out, "'", 3);

	lab_assert(parts[0] && parts[1]);
	lab_spawn(&(struct lab_spawn){ .env = desk->env, .argv = LAB_ARGV("xdg-dbus-proxy", parts[1],
		socket, "--filter", "--sloppy-names",
		"--call=org.a11y.atspi.Registry=org.a11y.atspi.Socket.Embed@/org/a11y/atspi/accessible/root",
		"--call=org.a11y.atspi.Registry=org.a11y.atspi.Socket.Unembed@/org/a11y/atspi/accessible/root",
		"--call=org.a11y.atspi.Registry=org.a11y.atspi.Registry.GetRegisteredEvents"
			"@/org/a11y/atspi/registry",
		"--call=org.a11y.atspi.Registry=org.a11y.atspi.DeviceEventController.*"
			"@/org/a11y/atspi/registry/deviceeventcontroller",
		"--broadcast=org.a11y.atspi.Registry=org.a11y.atspi.EventListenerRegistered"
			"@/org/a11y/atspi/registry",
		"--broadcast=org.a11y.atspi.Registry=org.a11y.atspi.EventListenerDeregistered"
			"@/org/a11y/atspi/registry") });
	if (!exists(socket, lab_deadline(PATIENCE))) {
		lab_fail("the proxy does not listen at %s", socket);
	}
	return g_environ_setenv(g_strdupv(desk->env), "AT_SPI_BUS_ADDRESS",
		g_strconcat("unix:path=", socket, NULL), TRUE);
}

static void proxied(struct lab_desk *desk)
{
	char **env = behind_proxy(desk, "one"), **other = behind_proxy(desk, "other");
	struct twins *twins = twins_start(desk, "gtk3", env, NULL,
		LAB_ARGV("300x200:Alike", "300x240:In the sandbox"));
	struct twins *more = twins_start(desk, "gtk3", other, NULL, LAB_ARGV("300x200:Alike"));
	struct lab_driver *driver = lab_driver_start(desk);

	/* Nothing but their place tells the two that are alike. */
	move_to(desk, twins->windows[0], 60, 60);
	move_to(desk, more->windows[0], 500, 80);
	assert_told_apart(twins, driver);
	assert_told_apart(more, driver);
	move_to(desk, more->windows[0], 60, 60);
	assert_not_told_apart(more, driver);
	twins->count = 1;
	assert_not_told_apart(twins, driver);
}

static const struct lab_test tests[] = {
	{ .name = "titles", .run = titles, .servers = LAB_XVFB, .wms = "openbox",
	  .about = "Windows of one process are told by their titles." },
	{ .name = "places", .run = places, .servers = LAB_XVFB, .wms = "openbox kwin_x11",
	  .needs = "xterm", .timeout = 120,
	  .about = "Twins are told by their places, and not at all when nothing tells them." },
	{ .name = "sizes", .run = sizes, .servers = LAB_XVFB, .wms = "openbox mutter",
	  .about = "GTK4's namesakes are told by their sizes." },
	{ .name = "active", .run = active, .servers = LAB_XVFB, .wms = "openbox mutter",
	  .needs = "xterm", .timeout = 120,
	  .about = "GTK4's twins are told when the user works in one of them, and otherwise not." },
	{ .name = "untitled", .run = untitled, .servers = LAB_XVFB, .wms = "openbox",
	  .about = "Windows without a title are told by their places." },
	{ .name = "wrapped", .run = wrapped, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "unshare", .about = "A shell or a process namespace in between does not matter." },
	{ .name = "proxied", .run = proxied, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "xdg-dbus-proxy gdbus", .timeout = 120,
	  .about = "An application whose bus name is a proxy's is found by title and place, or not at all." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
