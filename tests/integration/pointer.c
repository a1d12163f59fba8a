/* SPDX-License-Identifier: MIT */
/*
 * The session's own pointer: every deed on every target behind every cover, under every window manager, while a
 * user types and moves all the time. Whether it landed is the application's word, whether anybody noticed the
 * sentinel's. Here is a fixed part of that product; with $LAB_FULL all of it (tests/pointer/full). With
 * $LAB_POINTER (a folder) each desk leaves its cells there. And the pixel that is clicked is the pixel of the
 * picture (tests/pointer/vision.c).
 */
#include <stdio.h>
#include <string.h>

#include "pointer/pointer.h"

/* Where a desk leaves its cells; NULL if nobody wants them. */
static FILE *open_rows(const struct scene *scene)
{
	const char *folder = g_getenv("LAB_POINTER");
	g_autofree char *name = g_strdup_printf("%s-%s-%s", scene->desk->server, scene->desk->wm,
		scene->target->name);
	g_autofree char *path = folder ? g_build_filename(folder, name, NULL) : NULL;
	FILE *rows = path ? fopen(path, "w") : NULL;

	if (path && !rows) {
		lab_fail("%s cannot be written", path);
	}
	return rows;
}

/* One cell; whether it is as declared. */
static bool try(struct scene *scene, enum deed deed, enum cover cover, FILE *rows)
{
	const char *word;
	char *wrong = deed_try(scene, deed, &word);

	if (wrong) {
		lab_note("NOT %s, %s: %s", deed_names[deed], cover_names[cover], wrong);
	}
	if (rows) {
		fprintf(rows, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", scene->desk->server, scene->desk->wm,
			scene->target->name, deed_names[deed], cover_names[cover], word,
			wrong ? wrong : scene->target->because && deed == DEED_RIGHT ? scene->target->because : "");
		fflush(rows);
	}
	return !wrong;
}

/* All deeds behind each of the covers that have a bit in `all`, and `some` (a bit each) behind the others. */
static void run(struct lab_desk *desk, const char *name, unsigned all, unsigned some)
{
	struct scene scene;
	int cells = 0, good = 0;

	scene_open(&scene, desk, target_named(name), g_getenv("LAB_FULL") != NULL);
	FILE *rows = open_rows(&scene);
	for (int cover = 0; cover < COVERS; cover++) {
		unsigned deeds = all & 1u << cover ? ~0u : some;

		if (deeds == 0) {
			continue;
		}
		scene_cover(&scene, (enum cover)cover);
		for (int deed = 0; deed < DEEDS; deed++) {
			if (deeds & 1u << deed) {
				cells++;
				good += try(&scene, (enum deed)deed, (enum cover)cover, rows);
			}
		}
	}
	if (rows) {
		fclose(rows);
	}
	lab_note("%s: %d of %d cells", name, good, cells);
	lab_assert_int(good, cells);
	scene_close(&scene);
}

#define EVERY ((1u << COVERS) - 1)
#define COVERED (1u << COVER_OTHER)
#define LEFT (1u << DEED_LEFT)

/* A test for each target: in the part for ./check behind the user's window, and a click behind the others. */
#define TARGET(name) \
	static void part_##name(struct lab_desk *desk) { run(desk, #name, COVERED, LEFT); } \
	static void full_##name(struct lab_desk *desk) { run(desk, #name, EVERY, 0); }

TARGET(gtk3)
TARGET(gtk4)
TARGET(qt5)
TARGET(web)
TARGET(terminal)
TARGET(xaw)
TARGET(canvas)

#define MANAGERS "openbox openbox-sloppy xfwm4 metacity mutter kwin_x11"
#define SIZE .size = "1600x1000"
#define PART(target, manager, why) { .name = #target, .run = part_##target, .servers = LAB_XVFB, \
	.wms = manager, SIZE, .timeout = 180, .about = why }
#define FULL(target, programs) { .name = #target, .run = full_##target, .servers = LAB_BOTH, \
	.wms = MANAGERS, SIZE, .timeout = 400, .needs = programs, \
	.about = "Every deed behind every cover: landed or refused as declared, and the user did not notice." }

static const struct lab_test part[] = {
	PART(gtk3, "xfwm4", "GTK3: every deed through the user's own window, a click through a sibling's."),
	PART(gtk4, "openbox", "The same in GTK4."),
	PART(qt5, "metacity", "The same in Qt 5."),
	PART(terminal, "mutter", "The same in xterm, told by a program inside."),
	PART(xaw, "openbox", "The same in Xaw."),
	PART(canvas, "kwin_x11", "The same in a bare X window."),
	PART(web, "openbox", "The same in Chromium."),
	{ .name = "held", .run = gestures_held, .servers = LAB_XVFB, .wms = "openbox", SIZE, .timeout = 120,
	  .about = "A button held over several calls, a drag into another window, a session that ends holding one." },
	{ .name = "elements", .run = gestures_elements, .servers = LAB_XVFB, .wms = "openbox", SIZE, .timeout = 120,
	  .about = "What accessibility has no verb for is done by the pointer, at the element." },
	{ .name = "menu", .run = gestures_menu, .servers = LAB_XVFB, .wms = "xfwm4", SIZE, .timeout = 120,
	  .about = "A context menu of GTK3, opened and operated by the pointer while the user types." },
	{ .name = "hung", .run = gestures_hung, .servers = LAB_XVFB, .wms = "openbox", SIZE, .timeout = 120,
	  .needs = "chromium", .about = "A browser that hangs gets no press, and the user keeps the pointer." },
	{ .name = "kernel", .run = gestures_kernel, .servers = LAB_XVFB, .wms = "openbox", SIZE, .timeout = 120,
	  .about = "A pointer of the kernel that cannot be had is refused, and nothing is sent." },
	{ .name = "minimised", .run = gestures_minimised, .servers = LAB_XVFB, .wms = "openbox", SIZE, .timeout = 120,
	  .about = "A minimised window is refused with what helps, and that helps." },
	{ .name = "pixels", .run = vision_plain, .servers = LAB_XVFB, .wms = "openbox", SIZE, .timeout = 120,
	  .about = "The pixel of the picture is the one that is clicked: plain, smaller, after the window moved." },
	{ .name = "decorated", .run = vision_decorated, .servers = LAB_XVFB, .wms = "mutter", SIZE,
	  .timeout = 120, .about = "The same in windows that draw their own title and shadow." },
	{ .name = "dense", .run = vision_dense, .servers = LAB_XVFB, .wms = "xfwm4", .size = "2560x1600",
	  .timeout = 120, .about = "The same where everything is drawn twice as large." },
	{ .name = "refused", .run = vision_refused, .servers = LAB_XVFB, .wms = "openbox", SIZE, .timeout = 120,
	  .about = "A point outside the window and a picture of another size are refused, and nothing comes." },
	{ 0 }
};

static const struct lab_test full[] = {
	FULL(gtk3, NULL), FULL(gtk4, NULL), FULL(qt5, NULL), FULL(web, "chromium"), FULL(terminal, "xterm"),
	FULL(xaw, NULL), FULL(canvas, NULL),
	{ 0 }
};

/* Every cell that is declared for a server, a line each, as the desks leave them. */
static int list_cells(const char *server)
{
	g_auto(GStrv) managers = g_strsplit(MANAGERS, " ", -1);

	for (char **manager = managers; *manager; manager++) {
		for (const struct lab_test *test = full; test->name; test++) {
			for (int cell = 0; cell < COVERS * DEEDS; cell++) {
				printf("%s\t%s\t%s\t%s\t%s\n", server, *manager, test->name,
					deed_names[cell % DEEDS], cover_names[cell / DEEDS]);
			}
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && g_str_equal(argv[1], "--cells")) {
		return list_cells(argv[2]);
	}
	return lab_main(argc, argv, g_getenv("LAB_FULL") ? full : part);
}
