/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "gtk4-coords/inset.h"

#include <glib.h>
#include <string.h>

/* Left and right, or top and bottom: the widest padding of a box of libadwaita's is 32 on a side.
 */
#define WIDEST 64

#define ROW_DOUBT 3

/* One of the two directions, of a box: what is free before and behind what is in it. Lengths in
 * units. */
struct slack {
	bool any;                /* there is something in it */
	int before, behind;      /* behind includes both insets */
	int length;              /* of the box */
};

static int start_of(const struct screen_rect *rect, bool vertical)
{
	return vertical ? rect->y : rect->x;
}

static int length_of(const struct screen_rect *rect, bool vertical)
{
	return vertical ? rect->height : rect->width;
}

static struct slack slack_of(const struct gtk4_family *family, int node, bool vertical)
{
	const struct gtk4_node *box = &family->nodes[node];
	struct slack slack = { .length = length_of(&box->window, vertical) };
	int low = G_MAXINT, high = G_MININT;
	for (int i = family->first[node]; i >= 0; i = family->next[i]) {
		const struct gtk4_node *child = &family->nodes[i];
		if (child->shown && gtk4_node_is_sane(child)) {
			int start = start_of(&child->window, vertical)
				- start_of(&box->window, vertical);
			low = MIN(low, start);
			high = MAX(high, start + length_of(&child->window, vertical));
			slack.any = true;
		}
	}
	slack.before = slack.any ? low : 0;
	slack.behind = slack.any ? slack.length - high : 0;
	return slack;
}

static bool is_one_of(const char *role, const char *const *roles)
{
	return g_strv_contains(roles, role);
}

/* What is left over on both sides of what fills the box or is in its middle. */
static int half(struct slack slack)
{
	int before = slack.before, behind = slack.behind;
	if (behind <= 0 || before < 0 || (before == behind && before > 0)) {
		return 0;
	}
	return before == 0 || before > behind ? behind / 2 : (behind - before) / 2;
}

static int middle(struct slack slack)
{
	return MAX(0, slack.behind - slack.before) / 2;
}

/* The smallest slack among siblings of the role: one of them is filled. */
static int least(const struct gtk4_family *family, int node, bool vertical, int otherwise)
{
	int best = otherwise;
	for (int i = family->first[family->nodes[node].parent]; i >= 0; i = family->next[i]) {
		const struct gtk4_node *sibling = &family->nodes[i];
		if (strcmp(sibling->role, family->nodes[node].role) == 0 && sibling->shown
			&& gtk4_node_is_sane(sibling)) {
			struct slack slack = slack_of(family, i, vertical);
			if (slack.any && slack.before == 0 && slack.behind >= 0) {
				best = MIN(best, slack.behind);
			}
		}
	}
	return best;
}

static struct gtk4_inset row(
	const struct gtk4_family *family, int node, struct slack across, struct slack down)
{
	if (family->nodes[node].parent < 0) {
		/* An application may call its window a row. */
		return (struct gtk4_inset){ 0 };
	}
	const char *role = family->nodes[node].role;
	int parent = family->nodes[node].parent;
	struct slack list = slack_of(family, parent, false);
	if (strcmp(role, "list item") == 0 && strcmp(family->nodes[parent].role, "list") == 0
		&& list.any && list.before == 6 && list.behind == 6 && across.behind >= 16) {
		return (struct gtk4_inset){ .x = 8 };
	}
	int before = across.before, behind = across.behind;
	across.behind = least(family, node, false, across.behind);
	down.behind = least(family, node, true, down.behind);
	int x = before > 0 && ABS(before - behind) <= 4 ? 0 : half(across), y = half(down);
	if (strcmp(role, "table cell") == 0 && x > 16) {
		x = 3;
	}
	/* By what is in the fullest row of the list, which need not be full. */
	return (struct gtk4_inset){ x <= 16 ? x : 0, y <= 12 ? y : 0, x > 0 ? ROW_DOUBT : 0,
		y > 0 ? ROW_DOUBT : 0 };
}

static int rest(struct slack slack)
{
	return slack.before == 0 || slack.before > slack.behind ? slack.behind
								: slack.behind - slack.before;
}

/* Boxes of the toolkit's style that the two slacks tell. */
static const struct {
	int across, down, x, y;
} pairs[] = {
	{ 48, 36, 24, 12 },
	{ 48, 0, 24, 0 },
	{ 0, 41, 0, 32 },
	{ 48, 41, 24, 32 },
	{ 12, 1, 6, 0 },
	{ 24, 4, 12, 2 },
};

/* Whether the styles of GTK and libadwaita have a box with that much on one of two equal sides, and
 * nothing on the others. */
static bool is_usual(int side)
{
	static const int sides[] = { 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 18, 20, 24, 30, 32 };
	for (gsize i = 0; i < G_N_ELEMENTS(sides); i++) {
		if (sides[i] == side) {
			return true;
		}
	}
	return false;
}

/*
 * By how much an inset of which only the slack is known may be otherwise. What is in the middle, or
 * sticks out, leaves none; nothing has more than WIDEST on both sides together, and what begins at
 * the edge has a usual padding behind it or is followed by free space.
 */
static int doubt_of(struct slack slack, int inset)
{
	if (slack.behind <= 0 || slack.before < 0 || slack.behind > WIDEST
		|| ABS(slack.before - slack.behind) <= 1) {
		return inset;
	}
	int most = (slack.behind + 1) / 2;
	if (slack.before == 0 && inset == 0 && (slack.behind % 2 != 0 || !is_usual(most))) {
		return 0;
	}
	return MAX(most - inset, inset);
}

static struct gtk4_inset with_doubt(int x, int y, struct slack across, struct slack down)
{
	/* The same on all sides is no accident. */
	if (x > 0 && ABS(x - y) <= 1) {
		return (struct gtk4_inset){ x, y, 1, 1 };
	}
	return (struct gtk4_inset){ x, y, doubt_of(across, x), doubt_of(down, y) };
}

static struct gtk4_inset box(
	const struct gtk4_family *family, int node, struct slack across, struct slack down)
{
	const struct gtk4_node *self = &family->nodes[node];
	int x = rest(across), y = rest(down);
	if (self->parent >= 0 && strcmp(family->nodes[self->parent].role, "scroll pane") == 0) {
		/* What is scrolled is in a viewport, which has none. */
		return (struct gtk4_inset){ 0 };
	}
	bool panel = strcmp(self->role, "panel") == 0, group = strcmp(self->role, "grouping") == 0;
	if (group && x == 28 && y == 0) {
		return (struct gtk4_inset){ .x = 14 };
	}
	if (panel && x == 14 && self->window.height <= 60
		&& (y == 0 || y == 6 || y == 12 || y == 13)) {
		return (struct gtk4_inset){ .x = 7, .y = y == 0 ? 0 : y == 6 ? 3 : 6 };
	}
	for (gsize i = 0; i < G_N_ELEMENTS(pairs) && across.before >= 0 && down.before >= 0; i++) {
		if (pairs[i].across == x && pairs[i].down == y
			&& (x != 48 || self->window.width >= 250)) {
			return (struct gtk4_inset){ .x = pairs[i].x, .y = pairs[i].y };
		}
	}
	if (panel && self->window.height == 46 && x <= 0 && y == 6 && family->depth[node] <= 12
		&& self->window.width >= 150) {
		return (struct gtk4_inset){ .y = 3 };
	}
	if (panel || group) {
		if (across.before < 0 || down.before < 0) {
			return with_doubt(0, 0, across, down);
		}
		if (x > 0 && x <= 32 && y > 0 && y <= 32
			&& (ABS(x - y) <= 8 || (x <= 24 && y <= 6))) {
			return with_doubt(x / 2, y / 2, across, down);
		}
		if (group && x >= 0 && x <= 2 && y >= 0 && y <= 2) {
			return with_doubt(x / 2, y / 2, across, down);
		}
		return with_doubt(x == 48 && self->window.width >= 250 ? 24
				: x == 2                               ? 1
								       : 0,
			y == 2 ? 1 : 0, across, down);
	}
	int hx = half(across), hy = half(down);
	return with_doubt(hx <= 24 ? hx : 0, hy <= 24 ? hy : 0, across, down);
}

struct gtk4_inset gtk4_inset_of(const struct gtk4_family *family, int node)
{
	static const char *const centred[] = { "push button", "toggle button", "link", "check box",
		"radio button", "page tab", "menu item", "check menu item", "radio menu item",
		"combo box", NULL };
	static const char *const fields[] = { "text", "entry", "spin button", "password text",
		NULL };
	static const char *const rows[] = { "list item", "table row", "table cell", NULL };
	const char *role = family->nodes[node].role;
	struct slack across = slack_of(family, node, false), down = slack_of(family, node, true);
	if (!across.any) {
		return (struct gtk4_inset){ 0 };
	}
	if (is_one_of(role, centred)) {
		int x = middle(across), y = middle(down);
		bool mark = strcmp(role, "check box") == 0 || strcmp(role, "radio button") == 0;
		x = MIN(x, mark ? 4 : 40), y = MIN(y, mark ? 4 : 20);
		/* What can be expanded is a button, too, with its indent on one side and no
		 * padding. */
		bool bare = down.before == 0 && down.behind == 0;
		return (struct gtk4_inset){ .x = x, .y = y, .doubt_x = bare ? x : 0 };
	}
	if (is_one_of(role, fields)) {
		return (struct gtk4_inset){ .x = across.behind > 0 ? MIN(9, across.behind / 2) : 0,
			.y = down.behind >= 2 ? 1 : 0 };
	}
	if (strcmp(role, "slider") == 0) {
		return (struct gtk4_inset){ .x = across.behind >= 24 ? 12 : 0,
			.y = down.behind >= 24 ? 12 : 0 };
	}
	if (is_one_of(role, rows)) {
		return row(family, node, across, down);
	}
	if (strcmp(role, "list") == 0) {
		if (across.behind == across.before && across.before > 0 && across.before <= 8) {
			return (struct gtk4_inset){ .y = across.before };
		}
		return (struct gtk4_inset){ .x = across.before == 0 && across.behind > 0
					&& across.behind <= 32
				? across.behind / 2
				: 0 };
	}
	if (strcmp(role, "table") == 0) {
		int free = across.before >= 0 && across.behind > across.before
			? across.behind - across.before
			: across.behind;
		int inset = across.before >= 0 && free > 0 && free <= 48 ? free / 2 : 0;
		return (struct gtk4_inset){ .x = inset, .y = inset };
	}
	if (strcmp(role, "page tab list") == 0) {
		bool flat = down.length < across.length;
		return (struct gtk4_inset){ .x = flat && across.behind >= 8 ? 4 : 0,
			.y = !flat && down.behind >= 8 ? 4 : 0 };
	}
	if ((strcmp(role, "menu") == 0 || strcmp(role, "list box") == 0) && rest(across) <= 2) {
		int x = rest(across) / 2;
		/* A popover's arrow is 6 high. */
		return (struct gtk4_inset){ .x = x,
			.y = rest(down) <= rest(across) + 1 || strcmp(role, "menu") == 0 ? x
											 : x + 6 };
	}
	return box(family, node, across, down);
}
