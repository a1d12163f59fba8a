/* SPDX-License-Identifier: MIT */
#ifndef TEST_POINTER_H
#define TEST_POINTER_H

#include "lab/oracle.h"

/*
 * What the session's own pointer does, tried on every toolkit. A cell is one deed on one target behind one cover
 * on one desk; all of them are declared in the tables of this folder, and what is expected of each as well.
 */

/* What is done. */
#define TURNS 3 /* of a wheel */
enum deed {
	DEED_LEFT,
	DEED_DOUBLE,
	DEED_RIGHT,
	DEED_MIDDLE,
	DEED_DRAG,
	DEED_WHEEL_DOWN,
	DEED_WHEEL_RIGHT,
	DEED_MODIFIER,
	DEED_HOVER,
	DEEDS
};
extern const char *const deed_names[DEEDS];

/* What is in front of it. */
enum cover {
	COVER_NONE,
	COVER_OTHER,     /* the user's own window, all over it */
	COVER_SIBLING,   /* another window of the same process */
	COVERS
};
extern const char *const cover_names[COVERS];

/* An application, and what of it is used for what. */
struct target {
	const char *name;            /* of its harness */
	const char *option;
	const char *needs;           /* program, or NULL */
	const char *press, *twice, *slide, *wheel; /* controls: clicked, clicked twice or right, dragged, scrolled */
	/* Labels of its state; NULL: it has none and events alone count. */
	const char *counts;          /* one more with each click on `press` */
	const char *says;            /* "double_click" or "right_click" after one on `twice` */
	const char *slid, *scrolled;
	const char *modifier;        /* held for DEED_MODIFIER */
	int least, most;             /* of the events that TURNS of the wheel come as; 0: one each */
	bool holds;                  /* it would take the user's pointer at a press, so that is held meanwhile */
	/* The refusal of a right click without allow_grab, and why; NULL: it lands. */
	const char *refusal, *because;
};
extern const struct target targets[];  /* ends with a NULL name */
const struct target *target_named(const char *name);

/* A target on a desk with everything around it. */
struct scene {
	struct lab_desk *desk;
	const struct target *target;
	struct lab_harness *harness;
	struct lab_driver *driver;
	struct lab_sentinel *sentinel;
	xcb_window_t sibling;
	char *shapes;                /* of all windows, before the driver came */
	struct lab_rect press, twice, slide, wheel; /* in the pixels of its window */
	xcb_connection_t *eye;       /* on devices, where LAB_DEVICE says which it must be; or NULL */
	guint mark;                  /* what came to the application before this line has been judged */
};

/* Starts it all; `calibrate`: the sentinel has to show first that it sees. */
void scene_open(struct scene *scene, struct lab_desk *desk, const struct target *target, bool calibrate);
/* Puts that, and nothing else, in front of the target, and takes a picture of it. */
void scene_cover(struct scene *scene, enum cover cover);
/* Nothing is left of the driver once it ended. */
void scene_close(struct scene *scene);
void window_place(struct lab_desk *desk, xcb_window_t window, struct lab_rect at);

/* Does it and judges it: NULL, or what is wrong. `*word` is what the driver said of it. */
char *deed_try(struct scene *scene, enum deed deed, const char **word);

/* The agents' presses since the last look, of devices of the kernel and of others (source.c). */
struct sources {
	int kernel, other;
};
xcb_connection_t *source_watch(struct lab_desk *desk);
struct sources source_count(xcb_connection_t *eye);

/* Tests of vision.c. */
void vision_plain(struct lab_desk *desk);
void vision_decorated(struct lab_desk *desk);
void vision_dense(struct lab_desk *desk);
void vision_refused(struct lab_desk *desk);

/* Tests of gestures.c. */
void gestures_held(struct lab_desk *desk);
void gestures_elements(struct lab_desk *desk);
void gestures_menu(struct lab_desk *desk);
void gestures_hung(struct lab_desk *desk);
void gestures_kernel(struct lab_desk *desk);
void gestures_minimised(struct lab_desk *desk);

#endif
