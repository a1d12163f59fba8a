/* SPDX-License-Identifier: MIT */
#ifndef DOCUMENTS_H
#define DOCUMENTS_H

#include "lab/oracle.h"

/* Two windows of one process, and what each of them holds, without the driver. As everywhere in the
 * laboratory: what is returned lives until the test ends. */

enum side { LEFT, RIGHT };
extern const char *const side_names[];

/* What LibreOffice may have open. */
enum document { SHEET, WRITING };

struct scene {
	struct lab_desk *desk;
	struct lab_driver *driver;
	xcb_window_t windows[2], elsewhere;
	/* What the field of a window holds; owned. */
	char *(*holds)(struct scene *scene, enum side side);
	const char *ends[2]; /* what is added to a text so that it is taken */
	struct lab_node nodes[2]; /* the sheet or text in accessibility, read by ourselves */
	int x, y; /* in the field, in pixels of its picture */
	const char *person; /* where they are */
	bool takes; /* a click takes the focus; it is given back, and said */
	bool refuses; /* nothing that the driver knows gets keys into it: declared, so that it is
			 noticed when that changes */
};

/* A window's title, whichever way it was set; NULL if it has none. */
char *scene_title(struct lab_desk *desk, xcb_window_t window);
/* Waits for a window whose title begins so. */
xcb_window_t scene_await(struct lab_desk *desk, const char *title);

/* Both windows of the scene are there: the rest of what is below. */
void scene_settle(struct scene *scene);

/*
 * Each opens both windows, lets the person be in each of them for a moment and then elsewhere, and
 * starts a driver: a program whose windows have what they hold in their titles; a browser, which is
 * handed the second page while it runs; LibreOffice.
 */
struct scene scene_open(struct lab_desk *desk, const char *const *argv);
struct scene scene_browse(struct lab_desk *desk, const char *const *argv);
struct scene scene_chromium(struct lab_desk *desk);
struct scene scene_office(struct lab_desk *desk, enum document left, enum document right);

#endif
