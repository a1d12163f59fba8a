/* SPDX-License-Identifier: MIT */
/*
 * The session's own keyboard: text, keys and shortcuts into every toolkit, in view and covered, while a user types
 * in front all the time. What arrived is the application's word, whether anybody noticed the sentinel's. Here is a
 * fixed part of that product; with $LAB_FULL all of it (tests/keys/full). With $LAB_KEYS (a folder) each desk leaves
 * its cells there.
 */
#include <stdio.h>
#include <string.h>

#include "keys/keys.h"

/* Where a desk leaves its cells; NULL if nobody wants them. */
static FILE *open_rows(const struct scene *scene)
{
	const char *folder = g_getenv("LAB_KEYS");
	g_autofree char *name = g_strdup_printf("%s-%s-%s", scene->desk->server, scene->desk->wm,
		scene->target->name);
	g_autofree char *path = folder ? g_build_filename(folder, name, NULL) : NULL;
	FILE *rows = path ? fopen(path, "w") : NULL;

	if (path && !rows) {
		lab_fail("%s cannot be written", path);
	}
	return rows;
}

static bool note(const struct scene *scene, enum deed deed, enum cover cover, char *wrong, FILE *rows)
{
	if (wrong) {
		lab_note("NOT %s, %s: %s", deed_names[deed], cover_names[cover], wrong);
		g_strdelimit(wrong, "\t\n", ' ');
	}
	if (rows) {
		fprintf(rows, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", scene->desk->server, scene->desk->wm,
			scene->target->name, deed_names[deed], cover_names[cover], wrong ? "failed" : "landed",
			wrong ? wrong : "");
		fflush(rows);
	}
	return !wrong;
}

/* All deeds; how many are as declared. With `rows` the user says of each whether it was noticed, otherwise of all. */
static int try_all(struct scene *scene, enum cover cover, FILE *rows)
{
	int good = 0;

	scene_cover(scene, cover);
	for (int deed = 0; deed < DEEDS; deed++) {
		if (rows || deed == 0) {
			scene_watch(scene);
		}
		g_autofree char *wrong = deed_try(scene, (enum deed)deed);
		g_autofree char *noticed = rows || deed == DEEDS - 1 ? scene_noticed(scene) : NULL;
		good += note(scene, (enum deed)deed, cover, noticed ? noticed : wrong, rows);
	}
	return good;
}

/* Behind each of the covers that have a bit. */
static void run(struct lab_desk *desk, const char *name, unsigned covers)
{
	struct scene scene;
	int cells = 0, good = 0;

	scene_open(&scene, desk, target_named(name), true);
	FILE *rows = open_rows(&scene);
	scene_focus(&scene);
	for (int cover = 0; cover < COVERS; cover++) {
		if (covers & 1u << cover) {
			cells += DEEDS;
			good += try_all(&scene, (enum cover)cover, rows);
		}
	}
	if (rows) {
		fclose(rows);
	}
	lab_note("%s: %d of %d cells", name, good, cells);
	lab_assert_int(good, cells);
	scene_close(&scene);
}

#define TARGET(name) \
	static void covered_##name(struct lab_desk *desk) { run(desk, #name, 1u << COVER_USER); } \
	static void full_##name(struct lab_desk *desk) { run(desk, #name, ~0u); }

TARGET(gtk3)
TARGET(gtk4)
TARGET(qt5)
TARGET(web)
TARGET(terminal)
TARGET(xaw)
TARGET(canvas)

static void seen_gtk3(struct lab_desk *desk)
{
	run(desk, "gtk3", 1u << COVER_NONE);
}

#define PART(which, target, manager, why) { .name = #which "_" #target, .run = which##_##target, \
	.servers = LAB_XVFB, .wms = manager, .timeout = 180, .about = why }
#define MANAGERS "openbox xfwm4 metacity mutter kwin_x11"
#define FULL(target) { .name = #target, .run = full_##target, .servers = LAB_BOTH, .wms = MANAGERS, .timeout = 300, \
	.about = "Text, a key and a shortcut, in view and covered: landed, and the user did not notice." }

static const struct lab_test part[] = {
	PART(covered, gtk3, "xfwm4", "Text, keys and shortcuts in a GTK3 window that the user's covers."),
	PART(covered, gtk4, "openbox", "The same in GTK4."),
	PART(covered, qt5, "kwin_x11", "The same in Qt 5."),
	PART(covered, web, "openbox", "The same in Chromium."),
	PART(covered, terminal, "metacity", "The same in xterm."),
	PART(covered, xaw, "openbox", "The same in Xaw, with the letters it knows."),
	PART(covered, canvas, "xfwm4", "The same in a bare X window, which says nothing of what it has read."),
	PART(seen, gtk3, "mutter", "The same in view."),
	{ 0 }
};

static const struct lab_test full[] = {
	FULL(gtk3), FULL(gtk4), FULL(qt5), FULL(web), FULL(terminal), FULL(xaw), FULL(canvas),
	{ 0 }
};

/* Every cell that is declared for a server, a line each, as the desks leave them. */
static int list_cells(const char *server)
{
	g_auto(GStrv) managers = g_strsplit(MANAGERS, " ", -1);

	for (char **manager = managers; *manager; manager++) {
		for (const struct target *target = targets; target->name; target++) {
			for (int cell = 0; cell < COVERS * DEEDS; cell++) {
				printf("%s\t%s\t%s\t%s\t%s\n", server, *manager, target->name,
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
