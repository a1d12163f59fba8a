/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/surroundings.h"

#include <string.h>

#include "core/quote.h"

/* Containers looked at above the element, and above its row: what is farther away moves as a whole. */
#define CONTAINERS 3
#define CONTAINERS_TO_ROW 8
/* Texts that tell a row. */
#define SIGNS 12
/* Elements of one thing among others that look alike. */
#define LARGEST_ITEM 40

static bool is_row(const struct element *element)
{
	static const char *const roles[] = {
		"list item", "tree item", "table row", "table cell", "article", NULL,
	};
	return g_strv_contains(roles, element->role);
}

/* What people read and nobody operates. */
static bool is_caption(const struct element *element)
{
	static const char *const roles[] = { "label", "static", "caption", "heading", "paragraph", "text", NULL };
	return g_strv_contains(roles, element->role) && (element->states & STATE_EDITABLE) == 0;
}

/* Whose rows are no objects: the cells of all rows are its children. */
static bool is_flat_table(const struct element *element)
{
	static const char *const roles[] = { "table", "tree table", "tree", NULL };
	return g_strv_contains(roles, element->role);
}

static const struct element *parent_of(const struct element *element)
{
	return element->parent >= 0 ? element->tree->elements->pdata[element->parent] : NULL;
}

/* NULL if the position is none. */
static struct element *element_at(const struct tree *tree, int position)
{
	return position >= 0 ? tree->elements->pdata[position] : NULL;
}

static struct element *first_sibling(const struct element *element)
{
	const GPtrArray *elements = element->tree->elements;
	struct element *first = elements->pdata[element->position];
	while (first->previous >= 0) {
		first = elements->pdata[first->previous];
	}
	return first;
}

static void free_seat(gpointer data)
{
	g_free(((struct seat *)data)->neighbours);
}

static void add_seat(GArray *seats, const struct element *container, const struct element *child)
{
	const struct tree *tree = child->tree;
	struct neighbours *neighbours = g_new0(struct neighbours, 1);
	struct seat seat = { container, child, neighbours };
	struct element *before[NEIGHBOURS];
	guint count = 0;
	for (struct element *at = element_at(tree, child->previous); at != NULL && count < NEIGHBOURS;
		at = element_at(tree, at->previous)) {
		before[count++] = at;
	}
	while (count > 0) {
		neighbours->pdata[neighbours->len++] = before[--count];
	}
	for (struct element *at = element_at(tree, child->next); at != NULL && count < NEIGHBOURS;
		at = element_at(tree, at->next)) {
		neighbours->pdata[neighbours->len++] = at;
		count++;
	}
	g_array_append_val(seats, seat);
}

static void add_sign(struct surroundings *surroundings, struct element *element)
{
	if (element != surroundings->element && element->name[0] != '\0'
		&& surroundings->signs->len < SIGNS
		&& !g_ptr_array_find(surroundings->signs, element, NULL)) {
		g_ptr_array_add(surroundings->signs, element);
	}
}

static guint end_of(const struct element *element)
{
	const GPtrArray *elements = element->tree->elements;
	guint end = (guint)element->position + 1;
	while (end < elements->len && ((struct element *)elements->pdata[end])->depth > element->depth) {
		end++;
	}
	return end;
}

/* Of one tree. */
static bool is_twin(const struct element *element, int position)
{
	const struct tree *tree = element->tree;
	const struct element *other = tree->elements->pdata[position];
	return tree->prints[position] == tree->prints[element->position]
		&& strcmp(element->role, other->role) == 0 && strcmp(element->name, other->name) == 0;
}

/* How far up two elements have the same ancestor; -1 if they have none. */
static int common_depth(const struct element *a, const struct element *b)
{
	while (a != NULL && b != NULL && a != b) {
		bool left = a->depth >= b->depth;
		a = left ? parent_of(a) : a;
		b = left ? b : parent_of(b);
	}
	return a != NULL && a == b ? a->depth : -1;
}

/* Whether both are at the same place of things of one kind: "Save" in a title bar and in a menu are not. */
static bool is_counterpart(const struct element *a, const struct element *b, int common)
{
	bool alike = a->depth == b->depth;
	for (; alike && a->depth > common; a = parent_of(a), b = parent_of(b)) {
		alike = strcmp(a->role, b->role) == 0;
	}
	return alike;
}

/*
 * What an element that others look like is a part of, and they are not: rows need not be called rows.
 * NULL if nothing looks like it, or the part is too large to be one thing.
 */
static const struct element *item_of(const struct element *element)
{
	const GPtrArray *elements = element->tree->elements;
	int common = -1;
	/* In reading order the nearest twin on either side shares the most. */
	for (int step = -1; step <= 1; step += 2) {
		for (int i = element->position + step; i >= 0 && i < (int)elements->len; i += step) {
			if (!is_twin(element, i)) {
				continue;
			}
			const struct element *other = elements->pdata[i];
			int shared = common_depth(element, other);
			if (shared >= 0 && is_counterpart(element, other, shared)) {
				common = MAX(common, shared);
				break;
			}
		}
	}
	const struct element *item = common >= 0 ? element : NULL;
	while (item != NULL && item->depth > common + 1) {
		item = parent_of(item);
	}
	return item != NULL && element->depth - item->depth <= CONTAINERS_TO_ROW
		&& end_of(item) - (guint)item->position <= LARGEST_ITEM ? item : NULL;
}

/* The row or item an element is in or is; NULL if it is in none. `alone`: nothing looks like it. */
static const struct element *row_of(const struct element *element, bool alone)
{
	const struct element *row = element;
	while (row != NULL && !is_row(row)) {
		row = parent_of(row);
	}
	return row != NULL && element->depth - row->depth <= CONTAINERS_TO_ROW ? row : alone ? NULL : item_of(element);
}

/* Whether nothing else in its window could be taken for it. */
static bool is_alone(const struct element *element)
{
	bool alone = element->name[0] != '\0';
	for (int i = 0; i < (int)element->tree->elements->len && alone; i++) {
		alone = i == element->position || !is_twin(element, i);
	}
	return alone;
}

/* Everything named in the row. */
static void add_row(struct surroundings *surroundings, const struct element *row)
{
	const GPtrArray *elements = row->tree->elements;
	guint end = end_of(row);
	for (guint i = (guint)row->position; i < end; i++) {
		add_sign(surroundings, elements->pdata[i]);
	}
}

/* The cells beside it: at the same height, or, where that is not known, its neighbours. */
static void add_mates(struct surroundings *surroundings, const struct element *cell,
	const struct seat *seat)
{
	if (!cell->has_frame) {
		for (guint i = 0; i < seat->neighbours->len; i++) {
			add_sign(surroundings, seat->neighbours->pdata[i]);
		}
		return;
	}
	for (struct element *other = first_sibling(seat->child); other != NULL;
		other = element_at(cell->tree, other->next)) {
		if (other->has_frame && other->frame.y == cell->frame.y
			&& other->frame.height == cell->frame.height) {
			add_sign(surroundings, other);
		}
	}
}

static void add_signs(struct surroundings *surroundings, const struct element *row)
{
	if (row != NULL && (row != surroundings->element || is_row(row))) {
		const struct element *above = parent_of(row);
		guint level = (guint)(surroundings->element->depth - row->depth);
		/* A cell in a row that is an object: the row says more. */
		if (above != NULL && strcmp(row->role, "table cell") == 0
			&& strcmp(above->role, "table row") == 0) {
			row = above;
			above = parent_of(row);
		}
		add_row(surroundings, row);
		if (above != NULL && is_flat_table(above) && level < surroundings->seats->len) {
			add_mates(surroundings, row, &g_array_index(surroundings->seats, struct seat, level));
		}
		surroundings->labelled = surroundings->signs->len > 0;
		return;
	}
	/* What a person reads before a field without a name; what comes after it may be what became of it. */
	if (surroundings->element->name[0] == '\0' && surroundings->seats->len > 0) {
		const struct seat *seat = &g_array_index(surroundings->seats, struct seat, 0);
		for (guint i = 0; i < seat->neighbours->len; i++) {
			struct element *neighbour = seat->neighbours->pdata[i];
			if (neighbour->place == surroundings->element->place - 1 && is_caption(neighbour)) {
				add_sign(surroundings, neighbour);
			}
		}
	}
}

/* Whether it can be told from its siblings by what it is called. */
static bool is_distinct(const struct element *element)
{
	bool distinct = element->name[0] != '\0';
	for (const struct element *other = first_sibling(element); other != NULL && distinct;
		other = element_at(element->tree, other->next)) {
		distinct = other == element || !is_twin(element, other->position);
	}
	return distinct;
}

void surroundings_make(struct surroundings *surroundings, const struct element *element)
{
	bool alone = is_alone(element);
	*surroundings = (struct surroundings){
		.element = element,
		.seats = g_array_sized_new(FALSE, FALSE, sizeof(struct seat), CONTAINERS + CONTAINERS_TO_ROW),
		.signs = g_ptr_array_new(),
		.distinct = alone || is_distinct(element),
	};
	g_array_set_clear_func(surroundings->seats, free_seat);
	/*
	 * As far as its row, if it is in one, and a little farther. Outside of rows, where one object never stands for several
	 * things in turn, who has a name that nobody else has is told by it: its own seat will do.
	 */
	const struct element *row = row_of(element, alone);
	bool passed = row == NULL;
	bool told = passed && alone;
	guint after = 0, most = told ? 0 : CONTAINERS;
	const struct element *child = element;
	/* Where an object is one widget for as long as it is there it need not even be at its place. */
	for (const struct element *up = parent_of(child); up != NULL && after <= most && !(told && element->lasting);
		up = parent_of(up)) {
		add_seat(surroundings->seats, up, child);
		passed |= child == row;
		after += passed;
		child = up;
	}
	add_signs(surroundings, row);
}

void surroundings_clear(struct surroundings *surroundings)
{
	g_array_unref(surroundings->seats);
	g_ptr_array_unref(surroundings->signs);
}

bool surroundings_need_neighbours(const struct surroundings *surroundings)
{
	return !surroundings->distinct && surroundings->seats->len > 0;
}

static int position_of(const char *object, char *const *around, gsize count)
{
	for (gsize i = 0; i < count; i++) {
		if (around[i] != NULL && strcmp(around[i], object) == 0) {
			return (int)i;
		}
	}
	return -1;
}

enum seat_now seat_compare(const struct seat *then, char *const *around, gsize count)
{
	int own = position_of(then->child->object, around, count);
	int last = -1, common = 0;
	if (own < 0) {
		return SEAT_LOST;
	}
	for (guint i = 0; i < then->neighbours->len; i++) {
		const struct element *neighbour = then->neighbours->pdata[i];
		int at = position_of(neighbour->object, around, count);
		if (at < 0) {
			continue;
		}
		if (at <= last || (neighbour->place < then->child->place) != (at < own)) {
			return SEAT_LOST;
		}
		last = at;
		common++;
	}
	/* Among strangers nothing says that it is not a stranger itself. */
	return common > 0 ? SEAT_SHIFTED : SEAT_LOST;
}

void look_init(struct look *look, const struct surroundings *surroundings)
{
	look->seats = g_new0(enum seat_now, surroundings->seats->len + 1);
	look->names = g_new0(char *, surroundings->signs->len + 1);
	look->order_kept = true;
}

void look_clear(struct look *look, const struct surroundings *surroundings)
{
	for (guint i = 0; i < surroundings->signs->len; i++) {
		g_free(look->names[i]);
	}
	g_free(look->names);
	g_free(look->seats);
}

static char *signs_differ(const struct surroundings *then, const struct look *look)
{
	for (guint i = 0; i < then->signs->len; i++) {
		const struct element *sign = then->signs->pdata[i];
		if (g_strcmp0(sign->name, look->names[i]) != 0) {
			return look->names[i] == NULL
				? quote_format("\"%.80s\" beside it is gone", sign->name)
				: quote_format("beside it was \"%.80s\" and is now \"%.80s\"",
					sign->name, look->names[i]);
		}
	}
	return NULL;
}

/* GTK3 and Qt call a combo box by what is chosen in it: where it was it is the same one. */
static bool is_called_as_it_stands(const struct surroundings *then, const struct look *look)
{
	bool kept = then->seats->len > 0;
	for (guint i = 0; i < then->seats->len; i++) {
		kept = kept && look->seats[i] == SEAT_KEPT;
	}
	return kept && strcmp(then->element->role, "combo box") == 0;
}

char *surroundings_differ(const struct surroundings *then, const struct element *now,
	const struct look *look)
{
	const struct element *element = then->element;
	if (element->provider_id != now->provider_id) {
		return g_strdup("the accessibility bus was restarted");
	}
	if (strcmp(element->role, now->role) != 0
		|| (strcmp(element->name, now->name) != 0 && !is_called_as_it_stands(then, look))) {
		return quote_format("it is now %s \"%.80s\"", now->role, now->name);
	}
	char *why = signs_differ(then, look);
	for (guint i = 0; i < then->seats->len && why == NULL; i++) {
		bool told = i == 0 ? then->distinct || (then->labelled && is_row(element))
			: element->name[0] != '\0' || then->labelled;
		if (look->seats[i] == SEAT_LOST) {
			why = g_strdup_printf("%s is now at another place", i == 0 ? "it" : "what it is in");
		} else if (look->seats[i] == SEAT_SHIFTED && !told) {
			why = g_strdup("it moved, and has no name to tell it from its neighbours");
		}
	}
	if (why == NULL && !look->order_kept && !(then->labelled && is_row(element)
		&& look->seats[0] == SEAT_SHIFTED)) {
		why = g_strdup("its neighbours changed, and it has no name to tell it from them");
	}
	return why;
}
