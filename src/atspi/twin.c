/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/twin.h"

#include <string.h>

static struct element *at(const struct tree *tree, guint position)
{
	return tree->elements->pdata[position];
}

/* Where the bar that nobody sees is; -1 if there is none, or no other. */
static int find(const struct tree *tree)
{
	int found = -1;
	bool shown = false;
	for (guint i = 1; i < tree->elements->len; i++) {
		const struct element *element = at(tree, i);
		if (strcmp(element->role, "menu bar") != 0) {
			continue;
		}
		if (strcmp(at(tree, (guint)element->parent)->role, "root pane") != 0) {
			shown = true;
		} else if (!element->has_frame || element->frame.height == 0) {
			found = (int)i;
		}
	}
	return shown ? found : -1;
}

void twin_drop(struct tree *tree)
{
	int begin = find(tree), end = begin + 1;
	if (begin < 0) {
		return;
	}
	while (end < (int)tree->elements->len && at(tree, (guint)end)->depth > at(tree, (guint)begin)->depth) {
		end++;
	}
	g_ptr_array_remove_range(tree->elements, (guint)begin, (guint)(end - begin));
	tree->indexed = 0;
	for (guint i = 0; i < tree->elements->len; i++) {
		struct element *element = at(tree, i);
		element->parent -= element->parent >= end ? end - begin : 0;
		element->index = -1;
	}
	tree_number(tree);
}
