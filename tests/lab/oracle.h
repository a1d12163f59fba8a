/* SPDX-License-Identifier: MIT */
#ifndef LAB_ORACLE_H
#define LAB_ORACLE_H

#include "lab.h"

/*
 * The oracle: instrumented applications that say what really happened in them, and a sentinel user who
 * says whether anybody noticed. What the driver says is compared with them, never the other way round.
 * As everywhere in the laboratory: what is returned lives until the test ends, waits have deadlines.
 */

/* --- Instrumented programs and their journals (harness.c) -------------------------------------- */

struct lab_harness {
	struct lab_desk *desk;
	const char *name;        /* "gtk3", "gtk4", "qt5", "xaw", "canvas", "terminal", "web"; "sentinel" */
	pid_t pid;               /* the owner of its window, as the X server says */
	xcb_window_t window;     /* its main window */
	GPtrArray *lines;        /* json_t: the journal so far */

	/* private */
	pid_t child;
	int in, journal, err;
	GString *partial;
	GPtrArray *nodes;        /* its accessible objects at the last look (sight.c) */
};

/*
 * Starts $LAB_HARNESS (or $CUA_BUILDDIR/tests/harness)/NAME with `options` (or NULL), and waits until
 * it journalled that it is ready and its window has been taken in; one with accessibility then shows
 * its controls there, too.
 */
struct lab_harness *lab_harness_start(struct lab_desk *desk, const char *name,
	const char *const *options);
/* Whether it was started as a process that has not ended. */
bool lab_harness_lives(struct lab_harness *harness);
/* Writes a line to its stdin. */
void lab_harness_tell(struct lab_harness *harness, const char *line);
/* Kills it and waits until its window is gone. */
void lab_harness_stop(struct lab_harness *harness);

/* The control of scenarios.json with that id, or its member as a string; fails the test if none. */
json_t *lab_control(const char *id);
const char *lab_control_label(const char *id);
/* All of scenarios.json. */
json_t *lab_scenarios(void);

/* How many lines the journal has now: what happened before is before, what follows is after. */
guint lab_journal_mark(struct lab_harness *harness);
/*
 * The first line since a mark with these members (of the form "kind", "event", "type", "enter", …,
 * NULL), waiting for it; NULL if none came within `ms`.
 */
json_t *lab_journal_find(struct lab_harness *harness, guint mark, int ms, ...) G_GNUC_NULL_TERMINATED;
/* How many lines since a mark have these members, of those that have come. */
int lab_journal_count(struct lab_harness *harness, guint mark, ...) G_GNUC_NULL_TERMINATED;
/* The application's own state of a label by the journal, as of now. */
const char *lab_harness_value(struct lab_harness *harness, const char *label);
/* Waits until the state of the label is `value`; false if it is not within `ms`. */
bool lab_journal_has_state(struct lab_harness *harness, const char *label, const char *value, int ms);
/* The same, or the test fails, with the end of the journal as a diagnostic. */
#define lab_journal_wait_state(harness, label, value, ms) \
	lab_journal_wait_state_at(__FILE__, __LINE__, harness, label, value, ms)
void lab_journal_wait_state_at(const char *file, int line, struct lab_harness *harness,
	const char *label, const char *value, int ms);
/* The last lines as TAP diagnostics. */
void lab_journal_note(struct lab_harness *harness, guint lines);

/* --- What an application shows, seen without the driver (sight.c) ------------------------------- */

/* An accessible object that is showing, and where it is on the screen. */
struct lab_seen {
	struct lab_node node;
	struct lab_rect frame;
};
/* The first of that role and name (NULL: any) in the application; fails the test if none comes. */
struct lab_seen lab_harness_see(struct lab_harness *harness, const char *role, const char *name,
	int ms);
/* How many actions it has by itself. */
int lab_seen_actions(struct lab_harness *harness, const struct lab_seen *seen);
/* The first of them in the words for people, perhaps translated. */
char *lab_seen_action(struct lab_harness *harness, const struct lab_seen *seen);
/* Waits until a label on the screen reads LABEL=VALUE (NULL: the state of then), or fails the test. */
void lab_harness_shows(struct lab_harness *harness, const char *label, const char *value, int ms);
/* What of the screen has the colour of the control; needs --colours and nothing in front. */
struct lab_rect lab_harness_colour(struct lab_harness *harness, const char *id, int ms);
/* Its colour by scenarios.json, and that of a pixel of the screen: 0xrrggbb. */
uint32_t lab_control_colour(const char *id);
uint32_t lab_x_pixel(struct lab_desk *desk, int x, int y);
/*
 * Of a part of a window, in pixels of the screen: not the same if something there looks different. Read
 * from the window itself, because a compositor may show it later.
 */
unsigned lab_x_checksum(struct lab_desk *desk, xcb_window_t window, struct lab_rect at);

/* --- The sentinel (sentinel.c) ------------------------------------------------------------------ */

/* Both verdicts side by side. */
struct lab_verdict {
	bool landed;             /* by the journal of the application; the test says what that means */
	bool held;               /* by the sentinel: everything it typed arrived, nothing else did, … */
	int typed, received, missing, foreign, focus_lost, place_lost, pointer_moved, grabs;
	int covered;             /* menus and tooltips over its window; not held against anybody */
	char *text;              /* the sentinel's line */
};

struct lab_sentinel;

/*
 * Opens the sentinel's window and makes it the user's. `geometry` is WxH+X+Y or NULL. While it works
 * do not call lab_user_read() or lab_user_works_in(): they grab and activate, which is what it watches
 * for.
 */
struct lab_sentinel *lab_sentinel_open(struct lab_desk *desk, const char *geometry);
xcb_window_t lab_sentinel_window(const struct lab_sentinel *sentinel);
/* Makes its window the user's again, begins a measurement and waits until it types. */
void lab_sentinel_start(struct lab_sentinel *sentinel);
/* The same without making it the user's: it works in whatever place it has. */
void lab_sentinel_begin(struct lab_sentinel *sentinel);
/* Waits until it has typed that many characters more, whether they arrived or not. */
void lab_sentinel_types(struct lab_sentinel *sentinel, int characters);
/* Ends the measurement. */
struct lab_verdict lab_sentinel_stop(struct lab_sentinel *sentinel);
/* Its journal. */
struct lab_harness *lab_sentinel_journal(struct lab_sentinel *sentinel);

/* A deliberate violation, from a connection of its own, and what it must be caught as. */
struct lab_violation {
	const char *name;
	const char *caught_as;   /* member of the verdict that must not be 0 */
	/* `other` is a window behind the sentinel's. */
	void (*commit)(struct lab_desk *desk, xcb_connection_t *thief, xcb_window_t other,
		struct lab_sentinel *sentinel);
};
/* The five of the contract, then more; ends with a NULL name. */
extern const struct lab_violation lab_violations[];
#define LAB_FIVE 5

/*
 * A quiet measurement must be held and each of the first `count` violations must be caught as what it
 * is. Otherwise the sentinel is blind here, whatever follows is void, and the test fails.
 */
void lab_sentinel_calibrate(struct lab_sentinel *sentinel, int count);

#endif
