/* SPDX-License-Identifier: MIT */
/* Programs with two windows whose titles tell what they hold. */
#include <string.h>

#include "documents.h"

#define SHOWN 60000

const char *const side_names[] = { "left", "right" };

/* What is shown as its title, whichever way it was set. */
char *scene_title(struct lab_desk *desk, xcb_window_t window)
{
	char *title = lab_x_title(desk, window);

	if (title == NULL) {
		g_autofree xcb_get_property_reply_t *reply = xcb_get_property_reply(desk->x,
			xcb_get_property(
				desk->x, false, window, XCB_ATOM_WM_NAME, XCB_ATOM_STRING, 0, 1000),
			NULL);

		title = reply ? g_strndup(xcb_get_property_value(reply),
				(gsize)xcb_get_property_value_length(reply))
			      : NULL;
	}
	return title;
}

/* "left:TEXT", behind which browsers put their name. */
static char *holds_by_title(struct scene *scene, enum side side)
{
	g_autofree char *title = scene_title(scene->desk, scene->windows[side]);
	char *text = title ? strchr(title, ':') : NULL;
	char *end = text ? strstr(text, " - ") : NULL;

	if (end == NULL && text) {
		end = strstr(text, " — ");
	}
	return text == NULL ? g_strdup("(no title)")
			    : g_strndup(text + 1, end ? (gsize)(end - text - 1) : strlen(text + 1));
}

struct wanted {
	const char *title;
	xcb_window_t window;
};

static bool is_titled(struct lab_desk *desk, void *data)
{
	struct wanted *wanted = data;
	g_autoptr(GArray) windows = lab_x_stacking(desk);

	for (guint i = 0; i < windows->len; i++) {
		xcb_window_t window = g_array_index(windows, uint32_t, i);
		g_autofree char *title = scene_title(desk, window);

		if (title && g_str_has_prefix(title, wanted->title)
			&& lab_x_viewable(desk, window)) {
			wanted->window = window;
			return true;
		}
	}
	return false;
}

xcb_window_t scene_await(struct lab_desk *desk, const char *title)
{
	struct wanted wanted = { title, XCB_NONE };

	lab_x_until(desk, is_titled, &wanted, SHOWN, title);
	return wanted.window;
}

/* Both windows are there: the person has been in each of them, and is elsewhere now. */
void scene_settle(struct scene *scene)
{
	scene->elsewhere = lab_xterm(scene->desk, "elsewhere").window;
	scene->driver = lab_driver_start(scene->desk);
	for (enum side side = LEFT; side <= RIGHT; side++) {
		lab_user_works_in(scene->desk, scene->windows[side]);
	}
	lab_user_works_in(scene->desk, scene->elsewhere);
}

struct scene scene_open(struct lab_desk *desk, const char *const *argv)
{
	struct scene scene = {
		.desk = desk, .holds = holds_by_title, .ends = { "", "" }, .x = 370, .y = 60
	};

	lab_app_start(desk, argv);
	scene.windows[LEFT] = scene_await(desk, "left:");
	scene.windows[RIGHT] = scene_await(desk, "right:");
	scene_settle(&scene);
	return scene;
}

/* A page whose title tells what its field holds. */
static char *page(struct lab_desk *desk, enum side side)
{
	g_autofree char *name = g_strconcat(side_names[side], ".html", NULL);
	g_autofree char *html = g_strdup_printf(
		"<!doctype html><meta charset=utf-8><title>%s:</title>"
		"<textarea id=field autofocus "
		"style='position:fixed;inset:0;width:100%%;height:100%%'></textarea>"
		"<script>field.oninput = () => { document.title = '%s:' + field.value; }</script>",
		side_names[side], side_names[side]);
	g_autofree char *file = lab_file(desk, name, html);

	return g_strdup_printf("file://%s", file);
}

/* Two windows of one profile: the second command line is handed to the process that runs. */
struct scene scene_browse(struct lab_desk *desk, const char *const *argv)
{
	struct scene scene = {
		.desk = desk, .holds = holds_by_title, .ends = { "", "" }, .x = 200, .y = 400
	};

	for (enum side side = LEFT; side <= RIGHT; side++) {
		g_autofree char *title = g_strconcat(side_names[side], ":", NULL),
				*url = page(desk, side);
		g_autoptr(GPtrArray) words = g_ptr_array_new();

		for (int i = 0; argv[i]; i++) {
			g_ptr_array_add(words, (gpointer)argv[i]);
		}
		g_ptr_array_add(words, (gpointer) "--new-window");
		g_ptr_array_add(words, url);
		g_ptr_array_add(words, NULL);
		scene.windows[side] =
			lab_app_start_titled(desk, (const char *const *)words->pdata, title).window;
	}
	lab_assert_int(lab_x_pid(desk, scene.windows[LEFT]), lab_x_pid(desk, scene.windows[RIGHT]));
	scene_settle(&scene);
	return scene;
}

struct scene scene_chromium(struct lab_desk *desk)
{
	g_autofree char *home = lab_file(desk, "chromium", NULL),
			*data = g_strconcat("--user-data-dir=", home, NULL);

	return scene_browse(desk,
		LAB_ARGV("chromium", "--no-sandbox", "--test-type", "--no-first-run",
			"--password-store=basic", "--disable-gpu", "--disable-breakpad",
			"--disable-component-update", "--disable-background-networking",
			"--disable-sync", "--lang=en-US", data));
}
