/* SPDX-License-Identifier: MIT */
/* A desk: `cua-driver desktop` around an anchor that ends when we let go of it. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>
#include <xcb/res.h>

#include "internal.h"

/* Prints its environment, an empty entry as the end mark, and waits for the end of its stdin. */
#define ANCHOR "env -0; printf '\\0'; exec cat >/dev/null"

static char **read_environment(int fd, pid_t pid)
{
	g_autoptr(GString) text = g_string_new(NULL);
	gint64 deadline = lab_deadline(20000);
	GPtrArray *env = g_ptr_array_new();
	char buffer[4096];

	while (text->len < 2 || memcmp(text->str + text->len - 2, "\0\0", 2) != 0) {
		ssize_t got = lab_readable(fd, deadline) ? read(fd, buffer, sizeof buffer) : -1;

		if (got <= 0) {
			int code = lab_reap(pid, 0);
			lab_fail("the desk did not come up (%s; exit code %d)",
				got == 0 ? "it ended" : "20 s", code);
		}
		g_string_append_len(text, buffer, got);
	}
	for (const char *entry = text->str; *entry; entry += strlen(entry) + 1) {
		g_ptr_array_add(env, g_strdup(entry));
	}
	g_ptr_array_add(env, NULL);
	return (char **)g_ptr_array_free(env, FALSE);
}

static void connect_x(struct lab_desk *desk)
{
	uint32_t mask = XCB_EVENT_MASK_PROPERTY_CHANGE | XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY;
	const char *authority = g_environ_getenv(desk->env, "XAUTHORITY");

	if (authority) {
		g_setenv("XAUTHORITY", authority, TRUE);
	}
	desk->x = xcb_connect(desk->display, NULL);
	if (xcb_connection_has_error(desk->x)) {
		lab_fail("no X server answers on %s", desk->display);
	}
	desk->screen = xcb_setup_roots_iterator(xcb_get_setup(desk->x)).data;
	desk->root = desk->screen->root;
	xcb_change_window_attributes(desk->x, desk->root, XCB_CW_EVENT_MASK, &mask);
	/* XRes 1.2 has to be negotiated before it tells pids. */
	g_free(xcb_res_query_version_reply(desk->x, xcb_res_query_version(desk->x, 1, 2), NULL));
}

/*
 * "openbox-sloppy": the focus follows the pointer. Openbox reads it from a folder of configurations, which is all
 * that programs on such a desk find there.
 */
static char *sloppy_folder(void)
{
	g_autofree char *text = NULL;
	g_autoptr(GError) error = NULL;
	char *folder = g_dir_make_tmp("cua-sloppy-XXXXXX", &error);
	g_autofree char *inner = g_build_filename(folder, "openbox", NULL);
	g_autofree char *file = g_build_filename(inner, "rc.xml", NULL);

	if (!g_file_get_contents("/etc/xdg/openbox/rc.xml", &text, NULL, &error)) {
		lab_fail("%s", error->message);
	}
	/* At once: no visit is too short to be noticed. */
	g_autoptr(GString) sloppy = g_string_new(text);
	if (g_string_replace(sloppy, "<followMouse>no<", "<followMouse>yes<", 0) != 1 ||
		g_string_replace(sloppy, "<focusDelay>200<", "<focusDelay>0<", 0) != 1 ||
		g_mkdir(inner, 0700) < 0 || !g_file_set_contents(file, sloppy->str, -1, NULL)) {
		lab_fail("openbox cannot be configured to follow the pointer");
	}
	return folder;
}

static void remove_folder(void *data, bool failed)
{
	g_autofree char *inner = g_build_filename(data, "openbox", NULL);
	g_autofree char *file = g_build_filename(inner, "rc.xml", NULL);

	(void)failed;
	g_remove(file);
	g_rmdir(inner);
	g_rmdir(data);
}

/* The window manager's own name, of one that may have a variant. */
static char *prepare_wm(const char *wm)
{
	if (g_str_has_suffix(wm, "-sloppy")) {
		char *folder = sloppy_folder();

		g_setenv("XDG_CONFIG_HOME", folder, TRUE);
		lab_at_end(remove_folder, folder);
	}
	return g_strndup(wm, strcspn(wm, "-"));
}

struct lab_desk *lab_desk_start(const char *server, const char *wm)
{
	return lab_desk_start_sized(server, wm, "1280x800");
}

struct lab_desk *lab_desk_start_sized(const char *server, const char *wm, const char *size)
{
	struct lab_desk *desk = g_new0(struct lab_desk, 1);
	int in[2], out[2];

	desk->name = g_strdup_printf("%s/%s", server, wm);
	desk->server = g_strdup(server);
	desk->wm = g_strdup(wm);
	if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0) {
		lab_fail("pipe: %s", g_strerror(errno));
	}
	desk->pid = lab_spawn(&(struct lab_spawn){
		.argv = LAB_ARGV(lab_driver_path(), "desktop", "--server", server, "--wm", prepare_wm(wm), "--size", size,
			"--", "sh", "-c", ANCHOR),
		.in = in[0], .out = out[1],
		/* It ends with its anchor, and cleans up; killed it could not show that it does. */
		.outlives = true,
	});
	close(in[0]);
	close(out[1]);
	desk->anchor = in[1];
	desk->env = read_environment(out[0], desk->pid);
	close(out[0]);
	desk->display = g_strdup(g_environ_getenv(desk->env, "DISPLAY"));
	if (!desk->display) {
		lab_fail("the desk has no DISPLAY");
	}
	connect_x(desk);
	return desk;
}

void lab_desk_stop(struct lab_desk *desk)
{
	xcb_disconnect(desk->x);
	close(desk->anchor);
	lab_assert_int(lab_reap(desk->pid, 10000), 0);
}

bool lab_desk_has_wm(const struct lab_desk *desk)
{
	return !g_str_equal(desk->wm, "none");
}
