/* SPDX-License-Identifier: MIT */
/* list_windows and the screen, against what we read from the X server ourselves. */
#define _GNU_SOURCE 1
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lab/lab.h"

/* The window's entry; fails the test if it is not listed. */
static json_t *entry(struct lab_driver *driver, xcb_window_t window)
{
	struct lab_answer answer = lab_call_ok(driver, "list_windows", "{}");
	json_t *found = lab_pick_int(lab_array(answer.structured, "windows"), "window_id", window);

	if (!found) {
		lab_fail("window 0x%x is not in the list: %s", window, lab_json(answer.structured));
	}
	return found;
}

static bool is_listed(struct lab_driver *driver, xcb_window_t window, const char *arguments)
{
	struct lab_answer answer = lab_call_ok(driver, "list_windows", "%s", arguments);

	return lab_pick_int(lab_array(answer.structured, "windows"), "window_id", window);
}

static void assert_bounds(struct lab_desk *desk, const json_t *listed, xcb_window_t window)
{
	struct lab_rect truth = lab_x_bounds(desk, window);

	lab_assert_int(lab_int(listed, "bounds/x"), truth.x);
	lab_assert_int(lab_int(listed, "bounds/y"), truth.y);
	lab_assert_int(lab_int(listed, "bounds/width"), truth.width);
	lab_assert_int(lab_int(listed, "bounds/height"), truth.height);
}

static void titles(struct lab_desk *desk)
{
	static const char *const names[] = { "日本語", "é ü ß", "😀 crab 🦀", "a \"quoted\" \\ one", "" };
	struct lab_driver *driver = lab_driver_start(desk);

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		xcb_window_t window = lab_window_open(desk, &(struct lab_window){
			.title = names[i], .x = 30, .y = 30 });
		json_t *listed = entry(driver, window);

		lab_assert_str(lab_str(listed, "title"), names[i]);
		assert_bounds(desk, listed, window);
		lab_window_close(desk, window);
	}
	/* An old client has only WM_NAME, in Latin-1; another one none at all. */
	xcb_window_t old = lab_window_open(desk, &(struct lab_window){ .legacy_title = "caf\xe9" });
	lab_assert_str(lab_str(entry(driver, old), "title"), "café");
	xcb_window_t untitled = lab_window_open(desk, &(struct lab_window){ .pid = 0 });
	lab_assert_str(lab_str(entry(driver, untitled), "title"), "");
	/* Bytes that are no UTF-8 must not break the answer, which is. */
	xcb_window_t broken = lab_window_open(desk, &(struct lab_window){ .title = "ok\xff\xfe" });
	lab_assert_contains(lab_str(entry(driver, broken), "title"), "ok");
}

static void owners(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_app xterm = lab_xterm(desk, "owner");
	xcb_window_t silent = lab_window_open(desk, &(struct lab_window){ .title = "silent" });
	xcb_window_t liar = lab_window_open(desk, &(struct lab_window){ .title = "liar", .pid = 1 });

	lab_assert_int(lab_int(entry(driver, xterm.window), "pid"), xterm.pid);
	lab_assert_contains(lab_str(entry(driver, xterm.window), "app_name"), "erm");
	xcb_delete_property(desk->x, xterm.window, lab_atom(desk, "_NET_WM_PID"));
	lab_x_number(desk, xterm.window, "_NET_WM_PID", 0); /* a round trip: it is gone now */
	lab_assert_int(lab_int(entry(driver, xterm.window), "pid"), xterm.pid);
	lab_assert_int(lab_int(entry(driver, silent), "pid"), getpid());
	lab_assert_int(lab_int(entry(driver, liar), "pid"), getpid());
}

static void minimised(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);
	xcb_window_t window = lab_window_open(desk, &(struct lab_window){ .title = "going down" });

	lab_assert(!lab_bool(entry(driver, window), "is_minimized"));
	lab_assert(lab_bool(entry(driver, window), "is_on_screen"));
	lab_assert(is_listed(driver, window, "{\"on_screen_only\":true}"));
	lab_x_request(desk, window, "WM_CHANGE_STATE", 3, 0, 0);
	lab_x_until(desk, lab_x_is_iconic, &window, 5000, "minimising");
	lab_x_quiet(desk, 100);
	lab_assert(lab_bool(entry(driver, window), "is_minimized"));
	lab_assert(!lab_bool(entry(driver, window), "is_on_screen"));
	lab_assert(!is_listed(driver, window, "{\"on_screen_only\":true}"));
	lab_assert(is_listed(driver, window, "{\"on_screen_only\":false}"));
}

static bool has_two_desktops(struct lab_desk *desk, void *data)
{
	(void)data;
	return lab_x_number(desk, desk->root, "_NET_NUMBER_OF_DESKTOPS", 1) >= 2;
}

static bool is_on_second(struct lab_desk *desk, void *data)
{
	return lab_x_number(desk, *(xcb_window_t *)data, "_NET_WM_DESKTOP", 99) == 1;
}

static void workspaces(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);
	xcb_window_t here = lab_window_open(desk, &(struct lab_window){ .title = "here" });
	xcb_window_t there = lab_window_open(desk, &(struct lab_window){ .title = "there" });

	lab_x_request(desk, desk->root, "_NET_NUMBER_OF_DESKTOPS", 2, 0, 0);
	lab_x_until(desk, has_two_desktops, NULL, 5000, "a second workspace");
	lab_x_request(desk, there, "_NET_WM_DESKTOP", 1, 2, 0);
	lab_x_until(desk, is_on_second, &there, 5000, "moving to the second workspace");
	lab_x_quiet(desk, 100);
	lab_assert_int(lab_int(entry(driver, here), "workspace"), 0);
	lab_assert(lab_bool(entry(driver, here), "on_current_space"));
	lab_assert_int(lab_int(entry(driver, there), "workspace"), 1);
	lab_assert(!lab_bool(entry(driver, there), "on_current_space"));
	lab_assert(!lab_bool(entry(driver, there), "is_on_screen"));
	lab_assert(!is_listed(driver, there, "{\"on_screen_only\":true}"));
}

static void active(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);
	xcb_window_t windows[3];

	for (int i = 0; i < 3; i++) {
		windows[i] = lab_window_open(desk, &(struct lab_window){ .title = "one of three",
			.x = 40 * i });
	}
	for (int i = 0; i < 3; i++) {
		lab_user_works_in(desk, windows[i]);
		for (int j = 0; j < 3; j++) {
			lab_assert(lab_bool(entry(driver, windows[j]), "is_active") == (i == j));
		}
	}
}

/* z_index of our windows must grow in the order of the server's stacking. */
static void assert_order(struct lab_desk *desk, struct lab_driver *driver,
	const xcb_window_t *windows, int count)
{
	GArray *truth = lab_x_stacking(desk);
	json_int_t last = -1;
	int seen = 0;

	for (guint i = 0; i < truth->len; i++) {
		for (int j = 0; j < count; j++) {
			if (windows[j] == g_array_index(truth, uint32_t, i)) {
				json_int_t z = lab_int(entry(driver, windows[j]), "z_index");

				if (z <= last) {
					lab_fail("window %d has z_index %lld, not above %lld", j, (long long)z,
						(long long)last);
				}
				last = z;
				seen++;
			}
		}
	}
	lab_assert_int(seen, count);
}

static void stacking(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);
	xcb_window_t windows[4];

	for (int i = 0; i < 4; i++) {
		windows[i] = lab_window_open(desk, &(struct lab_window){ .title = "layer", .x = 20 * i });
	}
	lab_x_quiet(desk, 100);
	assert_order(desk, driver, windows, 4);
	lab_user_works_in(desk, windows[1]);
	assert_order(desk, driver, windows, 4);
	lab_user_works_in(desk, windows[0]);
	assert_order(desk, driver, windows, 4);
}

static void kinds(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);
	xcb_window_t parent = lab_window_open(desk, &(struct lab_window){ .title = "parent",
		.type = "NORMAL" });
	xcb_window_t dialog = lab_window_open(desk, &(struct lab_window){ .title = "dialog",
		.type = "DIALOG", .transient_for = parent });
	xcb_window_t menu = lab_window_open(desk, &(struct lab_window){ .type = "POPUP_MENU",
		.override_redirect = true, .transient_for = parent, .x = 300, .y = 300 });
	xcb_window_t bare = lab_window_open(desk, &(struct lab_window){ .override_redirect = true,
		.x = 500, .y = 300 });
	/* EWMH: transient and without a type means dialog. */
	xcb_window_t implied = lab_window_open(desk, &(struct lab_window){ .title = "implied",
		.transient_for = parent });

	lab_assert_str(lab_str(entry(driver, parent), "type"), "normal");
	lab_assert(!json_is_integer(lab_get(entry(driver, parent), "transient_for")));
	lab_assert_str(lab_str(entry(driver, dialog), "type"), "dialog");
	lab_assert_int(lab_int(entry(driver, dialog), "transient_for"), parent);
	lab_assert_str(lab_str(entry(driver, menu), "type"), "menu");
	lab_assert(lab_bool(entry(driver, menu), "is_on_screen"));
	lab_assert_str(lab_str(entry(driver, bare), "type"), "popup");
	lab_assert_str(lab_str(entry(driver, implied), "type"), "dialog");
	/* A menu is in front of everything, and its place is known. */
	lab_assert(lab_int(entry(driver, menu), "z_index") >
		lab_int(entry(driver, parent), "z_index"));
	struct lab_rect truth = lab_x_bounds(desk, menu);
	lab_assert_int(lab_int(entry(driver, menu), "bounds/x"), truth.x);
}

static void filters(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_app xterm = lab_xterm(desk, "another process");
	xcb_window_t ours = lab_window_open(desk, &(struct lab_window){ .title = "ours" });
	struct lab_answer answer = lab_call_ok(driver, "list_windows", "{\"pid\":%d}", getpid());
	json_t *windows = lab_array(answer.structured, "windows"), *window;
	size_t i;

	lab_assert(lab_pick_int(windows, "window_id", ours));
	lab_assert(!lab_pick_int(windows, "window_id", xterm.window));
	json_array_foreach(windows, i, window) {
		lab_assert_int(lab_int(window, "pid"), getpid());
	}
	answer = lab_call_ok(driver, "list_windows", "{\"pid\":2000000000}");
	lab_assert_int(json_array_size(lab_array(answer.structured, "windows")), 0);
	/* The text alone is enough for a model. */
	answer = lab_call_ok(driver, "list_windows", "{}");
	g_autofree char *id = g_strdup_printf("%u", ours);
	lab_assert_contains(answer.text, "another process");
	lab_assert_contains(answer.text, id);
	/* Off to the side: mapped, but on no monitor. */
	if (!lab_desk_has_wm(desk)) {
		xcb_window_t away = lab_window_open(desk, &(struct lab_window){ .title = "away",
			.x = 5000, .y = 5000 });
		lab_assert(!lab_bool(entry(driver, away), "is_on_screen"));
	}
}

static void assert_count(struct lab_driver *driver, size_t count)
{
	struct lab_answer answer = lab_call_ok(driver, "list_windows", "{\"on_screen_only\":true}");

	if (json_array_size(lab_array(answer.structured, "windows")) != count) {
		lab_fail("there are not %zu windows: %s", count, lab_json(answer.structured));
	}
}

/* Frames and helper windows of window managers are no windows of applications. */
static void nothing_else(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);

	assert_count(driver, 0);
	xcb_window_t only = lab_window_open(desk, &(struct lab_window){ .title = "only one" });
	assert_count(driver, 1);
	lab_window_close(desk, only);
	lab_assert(!is_listed(driver, only, "{}"));
}

/* What was asked for nothing, of a server that was stopped, is not taken for an answer later. */
static void stopped(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);
	struct ucred server;
	socklen_t size = sizeof server;
	xcb_window_t other = lab_window_open(desk, &(struct lab_window){ .title = "other" });

	lab_window_open(desk, &(struct lab_window){ .title = "stays" });
	assert_count(driver, 2);
	lab_assert(getsockopt(xcb_get_file_descriptor(desk->x), SOL_SOCKET, SO_PEERCRED, &server, &size) == 0);
	for (int i = 0; i < 3; i++) {
		kill(server.pid, SIGSTOP);
		int id = lab_send_call(driver, "list_windows", "{}");
		lab_call_ok(driver, "get_config", "{}");
		lab_notify(driver, "notifications/cancelled", "{\"requestId\":%d}", id);
		lab_call_ok(driver, "get_config", "{}");
		kill(server.pid, SIGCONT);
		if (i == 1) {
			lab_window_close(desk, other);
		}
		assert_count(driver, i == 0 ? 2 : 1);
	}
}

static void screen(struct lab_desk *desk)
{
	static const int places[][2] = { { 0, 0 }, { 5, 700 }, { 640, 400 }, { 1279, 799 } };
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_answer answer = lab_call_ok(driver, "get_screen_size", "{}");

	lab_assert_int(lab_int(answer.structured, "width"), desk->screen->width_in_pixels);
	lab_assert_int(lab_int(answer.structured, "height"), desk->screen->height_in_pixels);
	for (size_t i = 0; i < G_N_ELEMENTS(places); i++) {
		xcb_warp_pointer(desk->x, XCB_NONE, desk->root, 0, 0, 0, 0, places[i][0], places[i][1]);
		struct lab_user truth = lab_user_read(desk);

		lab_assert_int(truth.x, places[i][0]);
		answer = lab_call_ok(driver, "get_cursor_position", "{}");
		lab_assert_int(lab_int(answer.structured, "x"), truth.x);
		lab_assert_int(lab_int(answer.structured, "y"), truth.y);
	}
}

static const struct lab_test tests[] = {
	{ .name = "titles", .run = titles, .servers = LAB_BOTH, .wms = "* none",
	  .about = "Titles arrive as UTF-8 whatever property carries them, places are exact." },
	{ .name = "owners", .run = owners, .servers = LAB_XVFB, .wms = "* none", .needs = "xterm",
	  .about = "The pid is the X server's, also when the property is missing or a lie." },
	{ .name = "minimised", .run = minimised, .servers = LAB_XVFB, .wms = "*",
	  .about = "A minimised window says so and is not on the screen." },
	{ .name = "workspaces", .run = workspaces, .servers = LAB_XVFB,
	  .wms = "openbox xfwm4 metacity kwin_x11",
	  .about = "A window on another workspace says which." },
	{ .name = "active", .run = active, .servers = LAB_XVFB, .wms = "* none",
	  .about = "Exactly the window the user works in is active." },
	{ .name = "stacking", .run = stacking, .servers = LAB_XVFB, .wms = "* none",
	  .about = "z_index follows every restacking." },
	{ .name = "kinds", .run = kinds, .servers = LAB_XVFB, .wms = "* none",
	  .about = "Dialogs, menus and popups are listed as what they are, with their parents." },
	{ .name = "filters", .run = filters, .servers = LAB_XVFB, .wms = "openbox none",
	  .needs = "xterm", .about = "pid and on_screen_only leave out the others." },
	{ .name = "nothing_else", .run = nothing_else, .servers = LAB_BOTH, .wms = "* none",
	  .about = "What belongs to the window manager is not listed." },
	{ .name = "stopped", .run = stopped, .servers = LAB_XVFB, .wms = "openbox",
	  .about = "Lists that a stopped server kept from coming leave nothing behind." },
	{ .name = "screen", .run = screen, .servers = LAB_BOTH, .wms = "openbox none",
	  .about = "Size of the screen and place of the pointer are the server's." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
