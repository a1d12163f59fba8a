/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/candidates.h"

#include <string.h>

#include "core/label.h"
#include "core/nearest.h"

#define SHOWN 5

struct candidate {
	const struct element *element;
	int distance;
};

/* How unlike two elements are; another role counts more than another place. */
static int distance(const struct element *lost, const struct element *element)
{
	return nearest_distance(label_of(lost), label_of(element)) * 2
		+ (strcmp(lost->role, element->role) != 0 ? 10 : 0) + (lost->place != element->place);
}

static gint by_distance(gconstpointer a, gconstpointer b)
{
	return ((const struct candidate *)a)->distance - ((const struct candidate *)b)->distance;
}

void candidates_answer(struct answer *answer, struct platform *platform, const struct window *window,
	const struct element *lost, struct deadline deadline)
{
	const struct tree_limits limits = { .max_elements = 5000 };
	struct tree *tree = platform->impl->tree(platform, window, &limits, deadline, NULL);
	if (tree == NULL) {
		return;
	}
	g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(struct candidate));
	for (guint i = 0; i < tree->elements->len; i++) {
		struct candidate candidate = { .element = tree->elements->pdata[i] };
		candidate.distance = distance(lost, candidate.element);
		if (candidate.element->index >= 0 && candidate.distance < 10) {
			g_array_append_val(found, candidate);
		}
	}
	g_array_sort(found, by_distance);
	answer_open_array(answer, "candidates");
	for (guint i = 0; i < MIN(found->len, SHOWN); i++) {
		const struct element *element = g_array_index(found, struct candidate, i).element;
		answer_open_object(answer, NULL);
		answer_string(answer, "role", element->role);
		answer_string(answer, "label", label_of(element));
		if (element->has_frame) {
			answer_rect(answer, "frame", element->frame);
		}
		answer_close_object(answer);
	}
	answer_close_array(answer);
	tree_free(tree);
}
