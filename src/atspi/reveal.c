/* SPDX-License-Identifier: MIT */
/* Bringing what is scrolled out into view: by its own ScrollTo, or by the bars of the panes it is in. */
#include "config.h"

#include "atspi/atspi.h"

#include <math.h>
#include <string.h>

#include "atspi/kind.h"
#include "atspi/node.h"
#include "atspi/pool.h"
#include "atspi/reader.h"
#include "atspi/write.h"

/* So far up are panes looked for; what is read of each: its bars are below it, or in boxes of their own. */
#define HIGHEST 24
#define DEEPEST_BAR 2
#define MOST_NODES 60
/* ScrollTo's word for wherever is nearest. */
#define ANYWHERE 6
/* Steps of less are rows, not pixels. */
#define SMALLEST_PX 4
/* How long what scrolls may take to lay itself out, and how often it is looked at. */
#define STILL_MS 1500
#define LOOK_MS 30

struct reveal {
	struct talk talk;
	const struct element *now;
	uint32_t coords;
	bool moved;
};

/* Where an object is, in the toolkit's own units, which are also those of its bars. */
static bool extents_of(struct reveal *reveal, const char *path, struct screen_rect *rect)
{
	struct talk *talk = &reveal->talk;
	talk->path = path;
	struct message *reply = talk_ask(talk, COMPONENT_INTERFACE, "GetExtents", "u", reveal->coords);
	return reply != NULL && message_read(reply, "(iiii)", &rect->x, &rect->y, &rect->width,
		&rect->height) > 0 && !screen_rect_empty(*rect) && screen_rect_plausible(*rect);
}

static char *parent_of(struct reveal *reveal, const char *child)
{
	struct talk *talk = &reveal->talk;
	const char *name, *path;
	talk->path = child;
	struct message *reply = talk_ask(talk, "org.freedesktop.DBus.Properties", "Get", "ss", ACCESSIBLE, "Parent");
	return reply != NULL && message_read(reply, "v", "(so)", &name, &path) > 0
		&& strcmp(name, talk->name) == 0 && !g_str_has_suffix(path, "/null")
		&& !g_str_has_suffix(path, "/root") ? g_strdup(path) : NULL;
}

/* By so much the middle of the one is after the middle of the other; 0 where all of it is inside. */
static int distance(int at, int length, int pane, int pane_length)
{
	return at >= pane && at + length <= pane + pane_length ? 0 : at + length / 2 - (pane + pane_length / 2);
}

/* How much of its table is above the middle of the element; GTK 3 tells no place of a row that is scrolled out. */
static bool share_of(struct reveal *reveal, double *share)
{
	struct talk *talk = &reveal->talk;
	int32_t place = -1, row = -1;
	talk->path = reveal->now->object;
	/* TableCell's Position is an error for the first cell of all. */
	struct message *reply = talk_ask(talk, ACCESSIBLE, "GetIndexInParent", NULL);
	if (reply == NULL || message_read(reply, "i", &place) <= 0) {
		return false;
	}
	g_autofree char *table = parent_of(reveal, reveal->now->object);
	talk->path = table;
	reply = table != NULL ? talk_ask(talk, "org.a11y.atspi.Table", "GetRowAtIndex", "i", place) : NULL;
	if (reply == NULL || message_read(reply, "i", &row) <= 0) {
		return false;
	}
	int rows = talk_int(talk, "org.a11y.atspi.Table", "NRows", 0);
	*share = (row + 0.5) / MAX(rows, 1);
	return row >= 0 && row < rows;
}

/* Moves the bar so that the element comes to the middle of the pane. */
static void turn(struct reveal *reveal, const struct element *bar, const struct element *inner, struct screen_rect pane)
{
	struct talk *talk = &reveal->talk;
	struct screen_rect here, own;
	double share = 0;
	bool placed = extents_of(reveal, reveal->now->object, &own);
	if ((!placed && !share_of(reveal, &share)) || !extents_of(reveal, bar->object, &here)) {
		return;
	}
	bool sideways = here.width > here.height;
	int length = sideways ? here.width : here.height;
	int off = !placed ? 0 : sideways ? distance(own.x, own.width, pane.x, pane.width)
		: distance(own.y, own.height, pane.y, pane.height);
	double value = talk_double(talk, VALUE_INTERFACE, "CurrentValue", NAN);
	/* GTK4 puts the value into what is inside its bar. */
	if (inner != NULL && (isnan(value) || talk_double(talk, VALUE_INTERFACE, "MaximumValue", 0) <= 0)) {
		talk->path = inner->object;
		value = talk_double(talk, VALUE_INTERFACE, "CurrentValue", NAN);
	}
	double low = talk_double(talk, VALUE_INTERFACE, "MinimumValue", 0);
	double high = talk_double(talk, VALUE_INTERFACE, "MaximumValue", 0);
	double step = talk_double(talk, VALUE_INTERFACE, "MinimumIncrement", 0);
	double scale = placed && step > 0 && step < SMALLEST_PX ? step / (sideways ? own.width : own.height) : 1;
	double target = placed ? value + off * scale : sideways ? value : low + share * (high - low + length) - length / 2.0;
	target = CLAMP(target, low, high);
	if (!isnan(value) && high > low && target != value) {
		reveal->moved |= range_put(talk, target);
	}
}

/* Whether the bar belongs to the pane whose tree this is, and not to another one in it. */
static bool is_of_pane(const struct tree *tree, const struct element *bar, const char *child)
{
	const struct element *parent = tree->elements->pdata[bar->parent];
	if (bar->parent == 0) {
		return true;
	}
	/* Qt has boxes around its bars. */
	return parent->parent == 0 && strcmp(parent->object, child) != 0
		&& (strcmp(parent->role, "filler") == 0 || strcmp(parent->role, "panel") == 0);
}

/* Moves the bars of the object at `path`, in which the element is below `child`. */
static void turn_bars(struct reveal *reveal, const char *path, const char *child)
{
	struct talk *talk = &reveal->talk;
	const struct reading reading = {
		.limits = { .max_elements = MOST_NODES, .max_depth = DEEPEST_BAR },
		.light = true, .children = true, .shallow = true,
	};
	struct screen_rect pane;
	struct tree *tree = reader_read(talk->link, talk->name, path, &reading, talk->deadline, &talk->error);
	for (guint i = 1; tree != NULL && i < tree->elements->len; i++) {
		const struct element *bar = tree->elements->pdata[i];
		const struct element *next = i + 1 < tree->elements->len ? tree->elements->pdata[i + 1] : NULL;
		if (strcmp(bar->role, "scroll bar") == 0 && is_of_pane(tree, bar, child)
			&& extents_of(reveal, path, &pane)) {
			turn(reveal, bar, next != NULL && next->parent == (int)i ? next : NULL, pane);
		}
	}
	tree_free(tree);
}

static void climb(struct reveal *reveal)
{
	g_autofree char *child = g_strdup(reveal->now->object);
	for (int i = 0; i < HIGHEST && child != NULL && reveal->talk.error == NULL; i++) {
		char *path = parent_of(reveal, child);
		if (path != NULL) {
			turn_bars(reveal, path, child);
		}
		g_free(child);
		child = path;
	}
}

/* What scrolls lays itself out when it draws the next time, and may glide there. */
static void wait_until_still(struct reveal *reveal)
{
	struct deadline until = deadline_within(reveal->talk.deadline, STILL_MS);
	struct screen_rect last = { 0 }, rect = { 0 };
	bool still = false;
	while (!still && deadline_left(until) > 0) {
		/* Nobody tells when it is; nothing comes at no descriptor. */
		deadline_poll(deadline_within(until, LOOK_MS), -1, 0, "a layout", NULL);
		still = extents_of(reveal, reveal->now->object, &rect) && memcmp(&rect, &last, sizeof rect) == 0;
		last = rect;
	}
}

/* False if there is no connection. */
static bool begin(struct reveal *reveal, struct atspi *atspi, const struct window *window, const struct element *now,
	struct deadline deadline)
{
	struct link *link = pool_borrow(atspi, deadline, NULL);
	if (link != NULL) {
		*reveal = (struct reveal){
			.talk = talk_to(link, now, deadline), .now = now,
			.coords = kind_is_gtk4(window) ? COORDS_WINDOW : COORDS_SCREEN,
		};
	}
	return link != NULL;
}

static void finish(struct reveal *reveal, struct atspi *atspi)
{
	struct link *link = reveal->talk.link;
	talk_end(&reveal->talk);
	pool_return(atspi, link);
}

bool atspi_reveal(struct atspi *atspi, const struct window *window, const struct element *now,
	struct deadline deadline)
{
	struct reveal reveal;
	if (!begin(&reveal, atspi, window, now, deadline)) {
		return false;
	}
	talk_ask(&reveal.talk, COMPONENT_INTERFACE, "ScrollTo", "u", ANYWHERE);
	bool moved = talk_agreed(&reveal.talk);
	if (moved) {
		wait_until_still(&reveal);
	} else {
		/* Where it went by a guess, it is looked at once more. */
		climb(&reveal);
		moved = reveal.moved;
		reveal.moved = false;
		if (moved) {
			wait_until_still(&reveal);
			climb(&reveal);
		}
		if (reveal.moved) {
			wait_until_still(&reveal);
		}
	}
	finish(&reveal, atspi);
	return moved;
}

bool atspi_beside(struct atspi *atspi, const struct window *window, const struct element *now, struct screen_px *off,
	struct deadline deadline)
{
	struct reveal reveal;
	if (!begin(&reveal, atspi, window, now, deadline)) {
		return false;
	}
	struct screen_rect own, pane;
	g_autofree char *parent = parent_of(&reveal, now->object);
	bool told = parent != NULL && extents_of(&reveal, now->object, &own) && extents_of(&reveal, parent, &pane);
	if (told) {
		off->x = distance(own.x, own.width, pane.x, pane.width);
		off->y = distance(own.y, own.height, pane.y, pane.height);
	}
	finish(&reveal, atspi);
	return told;
}
