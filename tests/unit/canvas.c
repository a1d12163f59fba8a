/* SPDX-License-Identifier: MIT */
/* LibreOffice's windows: a canvas that does not know where it is, widgets of GTK on it, and a menu bar that nobody sees. */
#include "config.h"

#include "atspi/kind.h"
#include "atspi/place.h"
#include "atspi/twin.h"

/* As it told them in Writer before the first input, below a title of 19 and a menu bar of 25 pixels. */
static const struct {
	const char *role;
	int parent, depth;
	struct screen_rect told;
	int y;                    /* where it really is */
} parts[] = {
	{ "frame", -1, 0, { 0, 0, 1280, 800 }, 0 },
	{ "panel", 0, 1, { 0, 19, 1280, 781 }, 19 },
	{ "menu bar", 1, 2, { 0, 19, 1256, 25 }, 19 },
	{ "menu", 2, 3, { 0, 19, 39, 25 }, 19 },
	{ "panel", 1, 2, { 0, 44, 1280, 756 }, 44 },
	{ "root pane", 4, 3, { 0, 19, 1280, 756 }, 44 },
	{ "menu bar", 5, 4, { 0, 19, 1280, 0 }, -1 },
	{ "menu", 6, 5, { 0, 19, 35, 19 }, -1 },
	{ "tool bar", 5, 4, { 0, 58, 1280, 39 }, 83 },
	{ "panel", 8, 5, { 482, 60, 101, 34 }, 85 },
	{ "text", 9, 6, { 482, 85, 65, 34 }, 85 },              /* GTK's, as what follows */
	{ "toggle button", 9, 6, { 547, 85, 36, 34 }, 85 },
	{ "push button", 8, 5, { 591, 60, 33, 35 }, 85 },
	{ "panel", 5, 4, { 0, 730, 138, 23 }, 755 },
	{ "filler", 13, 5, { 0, 755, 138, 24 }, 755 },          /* a pixel too high for its place */
	{ "push button", 14, 6, { 6, 755, 24, 24 }, 755 },
	{ "document spreadsheet", 5, 4, { 41, 157, 1166, 559 }, 182 },
	{ "table", 16, 5, { 41, 157, 1166, 559 }, 182 },
	{ "table cell", 17, 6, { 41, 157, 82, 17 }, 182 },
	{ "table cell", 17, 6, { 41, 703, 82, 17 }, 728 },      /* cut off below */
};

static struct tree *new_tree(void)
{
	struct tree *tree = tree_new();
	for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) {
		struct element *element = element_new();
		element->provider = g_strdup("app");
		element->object = g_strdup_printf("%zu", i);
		element->role = g_strdup(parts[i].role);
		element->name = g_strdup("x");
		element->actions = g_new0(char *, 1);
		element->parent = parts[i].parent;
		element->depth = parts[i].depth;
		element->has_frame = element->selectable = true;
		element->frame = parts[i].told;
		g_ptr_array_add(tree->elements, element);
	}
	tree_number(tree);
	return tree;
}

static void places(void)
{
	struct window window = { .toolkit = (char *)"vcl", .bounds = { 0, 19, 1280, 781 } };
	struct tree *tree = new_tree();
	place_in_pixels(tree, &window);
	for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) {
		const struct element *element = tree->elements->pdata[i];
		g_test_message("%zu: %s", i, element->role);
		if (parts[i].y >= 0) {
			g_assert_cmpint(element->frame.x, ==, parts[i].told.x);
			g_assert_cmpint(element->frame.y, ==, parts[i].y);
		}
	}
	tree_free(tree);
}

/* The bar without height goes with what is in it, and nothing else. */
static void twin(void)
{
	struct tree *tree = new_tree();
	int indexed = tree->indexed;
	twin_drop(tree);
	g_assert_cmpuint(tree->elements->len, ==, G_N_ELEMENTS(parts) - 2);
	for (guint i = 0; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		gsize was = i < 6 ? i : i + 2;
		const struct element *parent = element->parent >= 0 ? tree->elements->pdata[element->parent] : NULL;
		g_autofree char *number = g_strdup_printf("%d", parts[was].parent);
		g_assert_cmpstr(element->role, ==, parts[was].role);
		g_assert_cmpint(element->position, ==, (int)i);
		g_assert_cmpstr(parent != NULL ? parent->object : "-1", ==, number);
	}
	g_assert_cmpint(tree->indexed, <, indexed);
	g_assert_nonnull(tree_at(tree, tree->indexed - 1));
	twin_drop(tree);
	g_assert_cmpuint(tree->elements->len, ==, G_N_ELEMENTS(parts) - 2);
	tree_free(tree);
}

/* Who dies of being asked for all objects at once is not asked. */
static void lists(void)
{
	g_assert_false(kind_has_cache(&(struct window){ .toolkit = (char *)"vcl" }));
	g_assert_true(kind_has_cache(&(struct window){ .toolkit = (char *)"gtk3" }));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/canvas/places", places);
	g_test_add_func("/canvas/twin", twin);
	g_test_add_func("/canvas/lists", lists);
	return g_test_run();
}
