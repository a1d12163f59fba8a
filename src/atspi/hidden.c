/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/hidden.h"

#include <string.h>

#include "atspi/node.h"
#include "core/frame.h"

/* Points looked at in each: something small may lie over one of them. */
#define POINTS 3
#define MIDDLE 1
/* By so much a widget may be larger than what it is in. */
#define BORDER 4
/* Elements that are looked at; larger windows are rarely made of pages. */
#define MOST 400

/* An element whose place somebody else claims, and who is there. */
struct doubt {
	struct element *element;
	char *there[POINTS];    /* paths; NULL: nobody, or not known */
};

static void doubt_clear(gpointer data)
{
	struct doubt *doubt = data;
	for (int i = 0; i < POINTS; i++) {
		g_free(doubt->there[i]);
	}
}

static const struct element *parent_of(const struct tree *tree, const struct element *element)
{
	return element->parent >= 0 ? tree->elements->pdata[element->parent] : NULL;
}

static bool is_inside(const struct tree *tree, const struct element *element, const struct element *container)
{
	while (element != NULL && element != container) {
		element = parent_of(tree, element);
	}
	return element != NULL;
}

static bool are_related(const struct tree *tree, const struct element *a, const struct element *b)
{
	return is_inside(tree, a, b) || is_inside(tree, b, a);
}

/* Drawn in a window of its own, where a point of this window says nothing. */
static bool is_in_layer(const struct tree *tree, const struct element *element)
{
	static const char *const roles[] = { "popup menu", "window", "dialog", "tool tip", "menu", NULL };
	while (element != NULL && element->parent >= 0 && !g_strv_contains(roles, element->role)
		&& !element_is_popover(element)) {
		element = parent_of(tree, element);
	}
	return element != NULL && element->parent >= 0;
}

/* Itself and all that it is in: what is in something disabled does not say so, and no press finds
 * it. */
static bool is_enabled(const struct tree *tree, const struct element *element)
{
	while (element != NULL && element->parent >= 0 && (element->states & STATE_ENABLED) != 0) {
		element = parent_of(tree, element);
	}
	return element == NULL || element->parent < 0;
}

static bool is_shown(const struct element *element)
{
	return element->has_frame && (element->states & STATE_OFFSCREEN) == 0 && !screen_rect_empty(element->frame);
}

static bool is_contested(const struct tree *tree, const struct element *element)
{
	struct screen_px centre = screen_rect_center(element->frame);
	for (guint i = 1; i < tree->elements->len; i++) {
		const struct element *other = tree->elements->pdata[i];
		if (is_shown(other) && screen_rect_contains(other->frame, centre) && !are_related(tree, element, other)) {
			return true;
		}
	}
	return false;
}

/* Whether all of it is in what it is in, so that each of its points can be seen if it is shown at
 * all. */
static bool is_whole(const struct tree *tree, const struct element *element)
{
	for (const struct element *up = parent_of(tree, element); up != NULL;
		up = parent_of(tree, up)) {
		struct screen_rect shared = screen_rect_intersect(element->frame, up->frame);
		if (up->has_frame
			&& (shared.width < element->frame.width - BORDER
				|| shared.height < element->frame.height - BORDER)) {
			return false;
		}
	}
	return true;
}

/* A control that a press at its middle would reach, if it were shown. */
static bool is_pressable(const struct tree *tree, const struct element *element)
{
	static const char *const roles[] = { "push button", "toggle button", "check box",
		"radio button", "slider", NULL };
	return g_strv_contains(roles, element->role) && is_enabled(tree, element)
		&& is_whole(tree, element);
}

static void on_there(struct message *reply, void *data)
{
	char **there = data;
	const char *name, *path;
	if (!message_is_error(reply)
		&& message_read(reply, "(so)", &name, &path) > 0 && name[0] != '\0') {
		*there = g_strdup(path);
	}
}

/* The middle, and two on a line through it. */
static struct screen_px point_of(struct screen_rect frame, int number)
{
	return (struct screen_px){ frame.x + frame.width * (number + 1) / (POINTS + 1),
		frame.y + frame.height * (number + 1) / (POINTS + 1) };
}

static void ask(struct link *link, const struct element *window, struct doubt *doubt)
{
	for (int i = 0; i < POINTS; i++) {
		struct screen_px point = point_of(doubt->element->frame, i);
		link_send(link, window->provider, window->object, "org.a11y.atspi.Component", "GetAccessibleAtPoint",
			on_there, &doubt->there[i], "iiu", point.x, point.y, COORDS_WINDOW);
	}
}

/* The row or item that it is, or is in; NULL: none. */
static const struct element *row_of(const struct tree *tree, const struct element *element)
{
	while (element != NULL && !element_is_item(element)) {
		element = parent_of(tree, element);
	}
	return element;
}

/*
 * Whether something is there in place of the element: it is neither in it nor contains it. Who
 * would hear a press himself is found before what he is in: what is in a folded revealer is not,
 * and says that it is shown.
 */
static bool is_replaced(
	const struct tree *tree, const struct element *element, const struct element *there)
{
	return !are_related(tree, there, element)
		|| (there != element && there->parent >= 0 && is_inside(tree, element, there)
			&& is_enabled(tree, element));
}

/*
 * Whether each point shows something else instead; of a row, whether another one is at its middle:
 * those that are scrolled out keep the place that they had, and between two rows there is the list
 * itself.
 */
static bool is_hidden(const struct tree *tree, GHashTable *objects, const struct doubt *doubt)
{
	const struct element *row = row_of(tree, doubt->element);
	const struct element *other = row != NULL && doubt->there[MIDDLE] != NULL
		? row_of(tree, g_hash_table_lookup(objects, doubt->there[MIDDLE])) : NULL;
	if (other != NULL) {
		return !are_related(tree, row, other);
	}
	for (int i = 0; i < POINTS; i++) {
		const struct element *there = doubt->there[i] != NULL
			? g_hash_table_lookup(objects, doubt->there[i]) : NULL;
		if (there == NULL || !is_replaced(tree, doubt->element, there)) {
			return false;
		}
	}
	return true;
}

/* Where what the element is in is at its place, the next one on the way to the element is not
 * there, with all that it contains. */
static void hide_fold(struct tree *tree, const struct element *element, const struct element *there)
{
	if (there == NULL || there == element || !is_inside(tree, element, there)) {
		return;
	}
	const struct element *fold = element;
	while (parent_of(tree, fold) != there) {
		fold = parent_of(tree, fold);
	}
	/* What drops down from it is in it, and elsewhere. */
	if (!fold->has_frame
		|| !screen_rect_contains(fold->frame, screen_rect_center(element->frame))) {
		return;
	}
	for (guint i = 1; i < tree->elements->len; i++) {
		struct element *other = tree->elements->pdata[i];
		other->states |= is_inside(tree, other, fold) ? STATE_OFFSCREEN : 0;
	}
}

void hidden_mark(struct link *link, struct tree *tree, struct deadline deadline)
{
	g_autoptr(GArray) doubts = g_array_new(FALSE, TRUE, sizeof(struct doubt));
	g_autoptr(GHashTable) objects = g_hash_table_new(g_str_hash, g_str_equal);
	g_array_set_clear_func(doubts, doubt_clear);
	for (guint i = 0; i < tree->elements->len; i++) {
		struct element *element = tree->elements->pdata[i];
		g_hash_table_insert(objects, element->object, element);
		bool operable = element->actions[0] != NULL || element->value != NULL || element->selectable
			|| element_is_item(element);
		if (i > 0 && operable && doubts->len < MOST && is_shown(element) && !is_in_layer(tree, element)
			&& (is_contested(tree, element) || is_pressable(tree, element))) {
			g_array_append_val(doubts, ((struct doubt){ .element = element }));
		}
	}
	for (guint i = 0; i < doubts->len; i++) {
		ask(link, tree->elements->pdata[0], &g_array_index(doubts, struct doubt, i));
	}
	if (doubts->len == 0 || !link_pump(link, deadline, NULL)) {
		return;
	}
	for (guint i = 0; i < doubts->len; i++) {
		const struct doubt *doubt = &g_array_index(doubts, struct doubt, i);
		if (is_hidden(tree, objects, doubt)) {
			doubt->element->states |= STATE_OFFSCREEN;
			hide_fold(tree, doubt->element,
				doubt->there[MIDDLE] != NULL
					? g_hash_table_lookup(objects, doubt->there[MIDDLE])
					: NULL);
		}
	}
	/* What is in such a row has its place from it. */
	for (guint i = 1; i < tree->elements->len; i++) {
		struct element *element = tree->elements->pdata[i];
		const struct element *parent = parent_of(tree, element);
		const struct element *row = row_of(tree, parent);
		element->states |= row != NULL ? row->states & STATE_OFFSCREEN : 0;
	}
}
