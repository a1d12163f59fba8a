/* SPDX-License-Identifier: MIT */
#ifndef MENUS_MENUS_H
#define MENUS_MENUS_H

#include "lab/oracle.h"

/*
 * What a person opens over a window, in every toolkit: {context menu, menu bar, menu button, combo
 * box, popover, submenu} × {open, choose, dismiss}, in the background, beside a user who types and
 * moves the pointer. Each cell says here what has to come of it; the application's journal, its
 * title or its own window say what did.
 */
enum deed { OPEN, CHOOSE, DISMISS, DEEDS };

/* How an item is chosen. */
enum way {
	BY_ELEMENT, /* click on what the tree of its menu has */
	BY_KEYS, /* Down as often as `downs` says, and Return, in the window */
	BY_POINT, /* click on a pixel of the picture of its menu: of `downs` lines that one is in */
	BY_PATH, /* invoke_menu, without opening anything */
	BY_VALUE, /* set_value of the opener */
};

/* Cells that need no code. */
#define DONE NULL
#define NONE "n/a"
/* Done, and the answer says what it took from the user. */
#define DISTURBED "disturbed"
/* The same, or done without taking anything: it depends on the window manager. */
#define EITHER "done or disturbed"

struct row {
	const char *kind;
	const char *role, *opener;      /* role NULL: any */
	bool right;                     /* the right button */
	bool point;                     /* the opener is clicked by its pixel */
	const char *first; /* the menu that it is in, which is opened before; NULL: none */
	enum way way;
	int downs;
	const char *item;               /* or, BY_PATH, JSON */
	const char *label, *value; /* of the journal, or the value alone: how the title begins */
	const char *cells[DEEDS]; /* DONE, DISTURBED, a code of a refusal, or NONE: the toolkit has
				     no such thing */
	bool inside;                    /* it is drawn in the application's window */
	bool stays;                     /* what is chosen does not close it */
	bool costs; /* what it takes from the user is seen too late; docs/limits.md */
};

struct subject {
	const char *name, *needs;
	const struct row *rows;         /* ends with a NULL kind */
	/* Starts it; `harness` stays NULL where there is no journal. */
	struct lab_app (*start)(struct lab_desk *desk, struct lab_harness **harness);
};

extern const struct subject menus_subjects[];

#endif
