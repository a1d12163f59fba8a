/* SPDX-License-Identifier: MIT */
#ifndef TEST_KEYS_H
#define TEST_KEYS_H

#include "lab/oracle.h"

/*
 * What the session's own keyboard does, tried on every toolkit. A cell is one deed on one target, in view or covered,
 * on one desk; all of them are declared here.
 */

/* On a machine that does many other things. */
#define LANDING 30000

enum deed {
	DEED_TYPE,       /* a text of many scripts, more new symbols than there are spare keys */
	DEED_KEY,        /* backspace */
	DEED_HOTKEY,     /* Ctrl+A, and what is typed after it */
	DEEDS
};
extern const char *const deed_names[DEEDS];

enum cover { COVER_NONE, COVER_USER, COVERS };
extern const char *const cover_names[COVERS];

/* A program, and what it can take. */
struct target {
	const char *name;            /* of its harness; "terminal" is an xterm, with or without that */
	bool blind;                  /* nothing of it is accessible, its controls are found by their colours */
	bool ascii;                  /* its fields are of a time before other scripts */
	bool events;                 /* it has no text, only key presses */
	bool says_focus;             /* it says which field has its focus, and then text needs no keys */
};
extern const struct target targets[];  /* ends with a NULL name */
const struct target *target_named(const char *name);

/* A target on a desk with everything around it. */
struct scene {
	struct lab_desk *desk;
	const struct target *target;
	struct lab_harness *harness;    /* NULL: a terminal */
	char *file;                     /* what a program in the terminal reads goes here */
	pid_t pid;
	xcb_window_t window;
	int x, y;                       /* of its text field, in the picture of its window */
	struct lab_driver *driver;
	struct lab_sentinel *sentinel;  /* NULL: no user is watched */
	char *keymap;                   /* of the user, before the driver came */
};

/* Starts the target and the driver; with `watched` a sentinel that showed that it sees. */
void scene_open(struct scene *scene, struct lab_desk *desk, const struct target *target, bool watched);
/* Puts the user's window over the target, or out of its way. */
void scene_cover(struct scene *scene, enum cover cover);
/* The user begins to work; and what was noticed since, NULL if nothing was. */
void scene_watch(struct scene *scene);
char *scene_noticed(struct scene *scene);
/* Gives the text field the focus of its window, and an "a" by a key. */
void scene_focus(struct scene *scene);
/* What the field holds, by the application; for a terminal and for events all that came. */
char *scene_content(struct scene *scene);
/* Waits until it is that; false if it is not in time. */
bool scene_has(struct scene *scene, const char *content);
/* Ends the driver: the key map is as it was. */
void scene_close(struct scene *scene);
/* The map of the user's keyboard, as text. */
char *keymap_of(struct lab_desk *desk);

/* What the deed makes of the content. */
char *deed_result(const struct scene *scene, enum deed deed, const char *before);
/* Does it and judges it: NULL, or what is wrong. */
char *deed_try(struct scene *scene, enum deed deed);

#endif
