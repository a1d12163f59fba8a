/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>
#include <poll.h>
#include <string.h>

#include "everyday.h"

#define CLOSED 3000

static void remove_home(void *data, bool failed)
{
	(void)failed;
	lab_run(NULL, LAB_ARGV("rm", "-rf", data), NULL, 10000);
	g_free(data);
}

/* Settings of a person who has answered all first questions. */
static void furnish(const char *home)
{
	static const char settings[] = "/etc/xdg/xfce4/panel/default.xml";
	g_autofree char *folder = g_build_filename(
		home, ".config", "xfce4", "xfconf", "xfce-perchannel-xml", NULL);
	g_autofree char *panel = g_build_filename(folder, "xfce4-panel.xml", NULL), *text = NULL;

	g_mkdir_with_parents(folder, 0700);
	if (!g_file_get_contents(settings, &text, NULL, NULL)) {
		lab_missing("%s of xfce4-panel", settings);
	}
	g_file_set_contents(panel, text, -1, NULL);
}

static char *fill_folder(const char *home)
{
	char *folder = g_build_filename(home, "things", NULL);

	g_mkdir_with_parents(folder, 0700);
	for (int i = 0; i < 8; i++) {
		g_autofree char *name = g_strdup_printf("note%d.txt", i),
				*path = g_build_filename(folder, name, NULL);
		g_file_set_contents(path, "a note\n", -1, NULL);
	}
	return folder;
}

static xcb_window_t start(struct lab_desk *desk, const char *const *argv, const char *title)
{
	return lab_app_start_titled(desk, argv, title).window;
}

GArray *room_windows(struct room *room)
{
	return lab_x_stacking(room->desk);
}

static bool has(const GArray *windows, xcb_window_t window)
{
	for (guint i = 0; i < windows->len; i++) {
		if (g_array_index(windows, xcb_window_t, i) == window) {
			return true;
		}
	}
	return false;
}

void room_tidy(struct room *room)
{
	gint64 deadline = lab_deadline(CLOSED);
	bool more = true;

	while (more && lab_left(deadline) > 0) {
		g_autoptr(GArray) now = room_windows(room);

		more = false;
		/* A dialog before the window that waits for it. */
		for (guint i = now->len; i-- > 0 && !more;) {
			xcb_window_t window = g_array_index(now, xcb_window_t, i);

			more = !has(room->windows, window);
			if (more) {
				lab_x_request(room->desk, window, "_NET_CLOSE_WINDOW",
					XCB_CURRENT_TIME, 2, 0);
				poll(NULL, 0, 150);
			}
		}
	}
	g_array_unref(room->windows);
	room->windows = room_windows(room);
}

/* Makes the person's window the active one; below a panel it is not the highest. */
void room_return(struct room *room)
{
	xcb_window_t window = lab_sentinel_window(room->sentinel);
	gint64 deadline = lab_deadline(CLOSED);

	while (lab_x_number(room->desk, room->desk->root, "_NET_ACTIVE_WINDOW", 0) != window
		&& lab_left(deadline) > 0) {
		lab_x_request(room->desk, window, "_NET_ACTIVE_WINDOW", 2, XCB_CURRENT_TIME, 0);
		poll(NULL, 0, 200);
	}
}

struct room room_open(struct lab_desk *desk, unsigned seed)
{
	struct room room = { .desk = desk, .random = g_rand_new_with_seed(seed) };
	char *home = g_dir_make_tmp("lab-home-XXXXXX", NULL);
	g_autofree char *picture = g_build_filename(home, "picture.png", NULL), *note = NULL;

	lab_at_end(remove_home, home);
	desk->env = g_environ_setenv(desk->env, "HOME", home, TRUE);
	desk->env = g_environ_unsetenv(desk->env, "XDG_CONFIG_HOME");
	/* What the session bus starts keeps its settings there, too. */
	g_autofree char *variable = g_strconcat("HOME=", home, NULL);
	lab_run(desk->env, LAB_ARGV("dbus-update-activation-environment", variable), NULL, 10000);
	furnish(home);
	room.folder = fill_folder(home);
	note = g_build_filename(room.folder, "note0.txt", NULL);
	lab_run(desk->env, LAB_ARGV("convert", "-size", "300x200", "xc:white", picture), NULL,
		20000);
	room.files = start(desk, LAB_ARGV("thunar", room.folder), "things");
	room.editor = start(desk, LAB_ARGV("mousepad", note), "note0.txt");
	room.image = start(desk,
		LAB_ARGV("env", "GTK_MODULES=gail:atk-bridge", "gimp", "--no-splash", picture),
		"picture");
	room.browser = scene_chromium(desk);
	lab_driver_stop(room.browser.driver);
	room.office = scene_office(desk, SHEET, WRITING);
	room.driver = room.browser.driver = room.office.driver;
	room.sentinel = lab_sentinel_open(desk, "500x300+700+450");
	lab_sentinel_calibrate(room.sentinel, LAB_FIVE);
	/* It stays above all windows, and the sentinel is calibrated as the highest. */
	room.panel = start(desk, LAB_ARGV("xfce4-panel", "--disable-wm-check"), "xfce4-panel");
	lab_x_quiet(desk, 1000);
	room.windows = room_windows(&room);
	room_return(&room);
	return room;
}
