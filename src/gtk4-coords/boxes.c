/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "gtk4-coords/boxes.h"

#include <glib.h>
#include <string.h>

#include "gtk4-coords/inset.h"

/* Nothing on a screen is larger, or farther away. */
#define LARGEST 16384
#define FARTHEST 32768

bool gtk4_node_is_sane(const struct gtk4_node *node)
{
	const struct screen_rect *told = &node->window;
	return node->has_window && told->width >= 0 && told->width <= LARGEST && told->height >= 0
		&& told->height <= LARGEST && (told->width > 0 || told->height > 0)
		&& ABS(told->x) < FARTHEST && ABS(told->y) < FARTHEST;
}

/* Who is below whom. */
struct links {
	int *first, *next, *depth;
};

static struct links links_new(const struct gtk4_node *nodes, int count)
{
	struct links links = { g_new(int, count), g_new(int, count), g_new0(int, count) };
	g_autofree int *last = g_new(int, count);
	for (int i = 0; i < count; i++) {
		int parent = nodes[i].parent;
		links.first[i] = links.next[i] = last[i] = -1;
		if (parent < 0) {
			continue;
		}
		links.depth[i] = links.depth[parent] + 1;
		*(last[parent] < 0 ? &links.first[parent] : &links.next[last[parent]]) = i;
		last[parent] = i;
	}
	return links;
}

static void links_clear(struct links *links)
{
	g_free(links->first);
	g_free(links->next);
	g_free(links->depth);
}

/*
 * From the corner of the parent's content to that of the child's box. A page of a stack has the
 * place of what it shows, and that is counted from the stack, too: it would count twice.
 */
static struct screen_px step(const struct gtk4_node *parent, const struct gtk4_node *child)
{
	bool page = strcmp(parent->role, "panel") == 0 && parent->has_parent && child->has_parent
		&& memcmp(&parent->inside, &child->inside, sizeof parent->inside) == 0
		&& child->window.x - parent->window.x == child->inside.x
		&& child->window.y - parent->window.y == child->inside.y;
	return page ? (struct screen_px){ 0, 0 }
		    : (struct screen_px){ child->window.x - parent->window.x,
			      child->window.y - parent->window.y };
}

static void add_up(const struct gtk4_family *family, struct gtk4_box *boxes)
{
	const struct gtk4_node *root = &family->nodes[0];
	boxes[0] = (struct gtk4_box){ .known = gtk4_node_is_sane(root),
		.rect = { 0, 0, root->window.width, root->window.height } };
	for (int i = 1; i < family->count; i++) {
		const struct gtk4_node *node = &family->nodes[i],
				       *parent = &family->nodes[node->parent];
		const struct gtk4_box *above = &boxes[node->parent];
		if (!above->known || !gtk4_node_is_sane(node)) {
			continue;
		}
		/* The window's own box is told from its content. */
		struct gtk4_inset inset = node->parent == 0
			? (struct gtk4_inset){ .x = MAX(-root->window.x, 0),
				  .y = MAX(-root->window.y, 0) }
			: gtk4_inset_of(family, node->parent);
		struct screen_px by = step(parent, node);
		boxes[i] = (struct gtk4_box){ .known = true,
			.rect = { above->rect.x + inset.x + by.x, above->rect.y + inset.y + by.y,
				node->window.width, node->window.height },
			.doubt_x = above->doubt_x + inset.doubt_x,
			.doubt_y = above->doubt_y + inset.doubt_y };
	}
}

/* Exact places, but of the content: its middle is a point of the box as well. */
static void take(const struct gtk4_node *nodes, int count, struct gtk4_box *boxes)
{
	for (int i = 0; i < count; i++) {
		boxes[i] = (struct gtk4_box){ .known = gtk4_node_is_sane(&nodes[i]),
			.rect = nodes[i].window };
	}
}

void gtk4_boxes(enum gtk4_era era, const struct gtk4_node *nodes, int count, struct gtk4_box *boxes)
{
	memset(boxes, 0, sizeof *boxes * (gsize)count);
	if (count == 0 || era == GTK4_ERA_UNKNOWN) {
		return;
	}
	if (era == GTK4_ERA_CONTENT) {
		take(nodes, count, boxes);
		return;
	}
	struct links links = links_new(nodes, count);
	const struct gtk4_family family = { nodes, count, links.first, links.next, links.depth };
	if (era == GTK4_ERA_SUM) {
		add_up(&family, boxes);
	} else {
		take(nodes, count, boxes);
		/* The window's own size has its border, and everything counts from within. */
		struct gtk4_inset window = gtk4_inset_of(&family, 0);
		for (int i = 1; i < count; i++) {
			struct gtk4_inset inset = gtk4_inset_of(&family, i);
			boxes[i].rect.x += window.x - inset.x;
			boxes[i].rect.y += window.y - inset.y;
			boxes[i].doubt_x = inset.doubt_x;
			boxes[i].doubt_y = inset.doubt_y;
		}
	}
	links_clear(&links);
}

bool gtk4_box_is_sure(const struct gtk4_box *box)
{
	return box->known && 2 * box->doubt_x < box->rect.width
		&& 2 * box->doubt_y < box->rect.height;
}
