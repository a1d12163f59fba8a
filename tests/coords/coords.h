/* SPDX-License-Identifier: MIT */
#ifndef COORDS_H
#define COORDS_H

#include "lab/lab.h"

/*
 * Where the widgets of a GTK 4 application are by its own word (boxes.c, loaded into it), beside
 * where the driver says that they are.
 */

/* A widget as the application itself knows it; in pixels of its X window. */
struct coords_box {
	xcb_window_t window;
	double x, y, width, height;
	struct {
		double x, y, width, height;
	} seen;                  /* what is not clipped away; empty: nothing */
	bool mapped;
	bool reached;            /* a press in the middle of what is seen is its own */
	char *type, *style;      /* for people */
};

/* An application that tells on demand. */
struct coords_app {
	struct lab_app app;
	char *ask, *tell;        /* files */
};

/* Starts it; `env` are more settings, "NAME=VALUE", NULL-terminated, or NULL. */
struct coords_app coords_start(
	struct lab_desk *desk, const char *const *argv, const char *const *env);
/* Object path → struct coords_box, of now; lives until the test ends. */
GHashTable *coords_boxes(const struct coords_app *app);

/* How many of the elements that have an index, and are widgets to be seen in their window, are
 * where `at` says. */
struct coords_count {
	int right, wrong, withheld;
};
struct coords_count coords_judge(
	struct lab_desk *desk, struct lab_driver *driver, const struct coords_app *app);

/*
 * Writes what accessibility tells of the application's first window, and the truth beside it, for
 * tests/unit/gtk4-tree: see the head of such a file.
 */
void coords_record(struct lab_desk *desk, const struct coords_app *app, const char *file);

#endif
