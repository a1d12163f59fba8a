/* SPDX-License-Identifier: MIT */
#ifndef HARNESS_SENTINEL_H
#define HARNESS_SENTINEL_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <xcb/xcb.h>
#include <xcb/xinput.h>

/*
 * The sentinel's own: sentinel.c runs it and takes commands, sentinel-input.c types, points and
 * takes input, sentinel-place.c knows who is above whom.
 */

enum activity {
	IDLE,
	TYPING,
	PAUSED, /* watches, types nothing */
};

/* What was seen since the start; all but the first two are nobody's doing if nobody disturbs. */
struct counts {
	int typed, received, missing, foreign, focus_lost, place_lost, pointer_moved, grabs;
	int covered; /* menus and tooltips above; not held against anybody */
};

struct place {
	int16_t x, y;
};

struct sentinel {
	xcb_connection_t *x;
	xcb_screen_t *screen;
	xcb_window_t root, window;
	uint16_t pointer, keyboard; /* the core devices */
	uint8_t xi_opcode;
	enum activity activity;
	bool has_wm;
	bool is_focused, is_active; /* as of the last event */
	struct counts counts;
	int period_ms;
	uint32_t random;            /* the seed, then the state */
};
extern struct sentinel me;

xcb_atom_t sentinel_atom(const char *name);
/* A line of the journal that the applications have no word for: what follows the time. */
void sentinel_put(const char *format, ...) G_GNUC_PRINTF(1, 2);

/* --- sentinel-input.c --- */

/* Before anything else; exits if the keyboard has too few letters. */
void input_init(void);
/* Forgets what was expected, puts the pointer into the window, reads the modifiers that are locked. */
void input_begin(void);
/* Presses the next key and moves the pointer, or lets go of the key. */
void input_step(void);
void input_release(void);
/* What has not come back by now never will. */
void input_end(void);
void input_map_changed(void);
void input_event(const xcb_ge_generic_event_t *event);

/* --- sentinel-place.c --- */

void place_init(void);
/* Reads everything anew; what is above now counts. */
void place_begin(void);
/* Whether somebody is above; `final`: without the time that new windows have to be put into place. */
void place_look(bool final);
/* Of the root window or ours. */
void place_event(const xcb_generic_event_t *event);
void place_property(const xcb_property_notify_event_t *event);

#endif
