/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_ATSPI_H
#define ATSPI_ATSPI_H

#include "core/platform.h"

/*
 * The accessibility bus of a Linux desktop, under X11 and Wayland alike. All functions may be called
 * from several threads at once; each call uses a connection of its own from a small pool.
 */
struct atspi;

/*
 * Connects when first used. `root_address` reads the bus address the display server may carry (the
 * root window's AT_SPI_BUS), asked when the session bus has none; NULL if there is no such place. It
 * returns an owned string or NULL. `windows` lists the windows of the display as they are now, where a
 * window can be told from others only by looking at all of them. What applications whose trees were
 * read say is noted in `past`.
 */
struct atspi *atspi_new(char *(*root_address)(void *data, struct deadline deadline),
	GPtrArray *(*windows)(void *data, struct deadline deadline, GError **error), void *data,
	struct past *past);
void atspi_destroy(struct atspi *atspi);

/* Stops listening to events until the next tree is read, and gives back what is only kept to be fast. */
void atspi_rest(struct atspi *atspi);

/*
 * Makes sure that the registry runs: an application that starts before it (Qt) never appears. Whether it
 * does is not told; the trees tell.
 */
void atspi_wake(struct atspi *atspi, struct deadline deadline);

/* The slots of struct platform_impl of the same names; see core/platform.h. */
struct tree *atspi_tree(struct atspi *atspi, const struct window *window,
	const struct tree_limits *limits, struct deadline deadline, GError **error);
struct tree *atspi_overview(struct atspi *atspi, pid_t pid, const struct tree_limits *limits,
	struct deadline deadline, GError **error);
struct element *atspi_reread(struct atspi *atspi, const struct element *element,
	struct deadline deadline, GError **error);
/* Waits until more has happened than `count`, for a moment, and hears itself what applications say; see ear_listen(). */
bool atspi_hear(struct atspi *atspi, guint64 count, struct deadline deadline);

void *atspi_look_begin(struct atspi *atspi, const struct surroundings *around, struct look *look, bool at_once,
	struct deadline deadline, GError **error);
struct element *atspi_look_end(struct atspi *atspi, void *looking, struct deadline deadline, GError **error);
void atspi_look_drop(struct atspi *atspi, void *looking);

/* How things stood when an application came to an action. */
struct mark {
	guint64 moment;      /* see struct element */
	bool stirred;        /* the element was not any more as it had been read */
	bool menu; /* set by the caller: it opens a menu, and may answer only when that is closed */
};

/*
 * Performs one of the element's actions by its name. `now` was read just before: the numbers of its
 * actions are those of this moment. A window of `pid` that opens meanwhile is answer enough. `mark` is set
 * unless it is NULL or there is a private socket. See rung_impl.deliver for what is returned.
 */
enum delivered atspi_perform(struct atspi *atspi, const struct element *now, const char *verb,
	pid_t pid, struct mark *mark, struct deadline deadline, GError **error);

/* Which item is selected: the element's own, or one beside it, as the arrow keys choose them. */
enum step {
	STEP_NONE,
	STEP_NEXT,
	STEP_PREVIOUS,
	STEP_FIRST,
	STEP_LAST,
	STEP_PAGE_NEXT,      /* of values only */
	STEP_PAGE_PREVIOUS,
	STEP_TURN,           /* of rows only, and none: the row is selected or not any more, others stay as they are */
	STEP_RANGE,          /* and all from the one that is selected to the row */
};

/*
 * Selects the element, or the row or item it is a part of, in its container, and nothing else there;
 * with a step the one beside it, or, of a container, beside what is selected in it. With `rows` a cell
 * of a table means its row, as in lists with columns; without, as in spreadsheets, itself. See
 * rung_impl.deliver for what is returned.
 */
enum delivered atspi_pick(struct atspi *atspi, const struct element *now, bool rows, enum step step,
	struct deadline deadline, GError **error);

/*
 * Scrolls what the element is in so that it can be seen, as far as accessibility can; waits until it has come to rest.
 * False if nothing was moved.
 */
bool atspi_reveal(struct atspi *atspi, const struct window *window, const struct element *now,
	struct deadline deadline);

/*
 * By how much the middle of the element is beside the middle of what it is in, in the toolkit's units; 0 along what all of it is
 * inside of. False if they do not tell where they are.
 */
bool atspi_beside(struct atspi *atspi, const struct window *window, const struct element *now, struct screen_px *off,
	struct deadline deadline);

#endif
