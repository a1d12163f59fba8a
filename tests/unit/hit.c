/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib.h>

#include "core/hit.h"

static const struct screen_rect window = { 0, 0, 400, 300 };

static struct element *add(struct tree *tree, int parent, const char *role, const char *name,
	const char *action, struct screen_rect frame)
{
	struct element *element = element_new();
	element->provider = g_strdup(":1.1");
	element->object = g_strdup_printf("/%u", tree->elements->len);
	element->role = g_strdup(role);
	element->name = g_strdup(name);
	element->actions = g_new0(char *, 2);
	element->actions[0] = g_strdup(action);
	element->states = STATE_ENABLED;
	element->has_frame = true;
	element->frame = frame;
	element->parent = parent;
	element->depth = parent >= 0 ? ((struct element *)tree->elements->pdata[parent])->depth + 1 : 0;
	g_ptr_array_add(tree->elements, element);
	return element;
}

static const char *hit(struct tree *tree, int x, int y)
{
	const struct element *element = hit_test(tree, window, (struct screen_px){ x, y });
	return element != NULL ? element->name : NULL;
}

/* A window with a button, its label and picture inside, and a word beside it. */
static struct tree *make(void)
{
	struct tree *tree = tree_new();
	add(tree, -1, "frame", "frame", "window.close", window);
	add(tree, 0, "panel", "panel", NULL, window);
	add(tree, 1, "push button", "button", "click", (struct screen_rect){ 10, 10, 100, 40 });
	add(tree, 2, "label", "its label", "menu.popup", (struct screen_rect){ 30, 20, 60, 20 });
	add(tree, 2, "image", "its picture", NULL, (struct screen_rect){ 12, 20, 10, 10 });
	add(tree, 1, "label", "word", NULL, (struct screen_rect){ 200, 10, 60, 20 });
	return tree;
}

static void actuators_win_over_what_they_show(void)
{
	struct tree *tree = make();
	tree_number(tree);
	g_assert_cmpstr(hit(tree, 50, 30), ==, "button");
	g_assert_cmpstr(hit(tree, 15, 25), ==, "button");
	g_assert_cmpstr(hit(tree, 105, 45), ==, "button");
	tree_free(tree);
}

static void passive_ones_count_where_nothing_else_is(void)
{
	struct tree *tree = make();
	tree_number(tree);
	g_assert_cmpstr(hit(tree, 210, 15), ==, "word");
	/* Neither the window nor what only holds others together is meant by a click. */
	g_assert_null(hit(tree, 300, 200));
	tree_free(tree);
}

static void the_smallest_actuator_wins(void)
{
	struct tree *tree = make();
	struct element *row = add(tree, 1, "list item", "row", NULL,
		(struct screen_rect){ 0, 100, 400, 30 });
	row->selectable = true;
	add(tree, 6, "link", "link in it", "jump", (struct screen_rect){ 50, 105, 80, 20 });
	add(tree, 6, "label", "text in it", NULL, (struct screen_rect){ 200, 105, 80, 20 });
	add(tree, 6, "panel", "part of it", "listitem.expand", (struct screen_rect){ 300, 105, 80, 20 });
	tree_number(tree);
	g_assert_cmpstr(hit(tree, 60, 110), ==, "link in it");
	g_assert_cmpstr(hit(tree, 210, 110), ==, "row");
	g_assert_cmpstr(hit(tree, 310, 110), ==, "row");
	g_assert_cmpstr(hit(tree, 10, 101), ==, "row");
	tree_free(tree);
}

static void what_cannot_be_seen_is_not_hit(void)
{
	struct tree *tree = make();
	struct element *hidden = add(tree, 1, "push button", "hidden", "click",
		(struct screen_rect){ 10, 10, 20, 20 });
	hidden->states |= STATE_OFFSCREEN;
	struct element *nowhere = add(tree, 1, "push button", "nowhere", "click",
		(struct screen_rect){ 0, 0, 0, 0 });
	nowhere->has_frame = false;
	/* Scrolled out of its view, over the button. */
	add(tree, 1, "scroll pane", "view", NULL, (struct screen_rect){ 10, 60, 100, 40 });
	add(tree, 8, "push button", "scrolled out", "click", (struct screen_rect){ 20, 15, 20, 20 });
	tree_number(tree);
	g_assert_cmpstr(hit(tree, 15, 15), ==, "button");
	g_assert_cmpstr(hit(tree, 25, 20), ==, "button");
	tree_free(tree);
}

static void of_equal_ones_the_last_is_on_top(void)
{
	struct tree *tree = make();
	add(tree, 1, "push button", "above", "click", (struct screen_rect){ 10, 10, 100, 40 });
	tree_number(tree);
	g_assert_cmpstr(hit(tree, 50, 30), ==, "above");
	tree_free(tree);
}

/* Where a page is and nothing of it is known, what the page is in is not meant. */
static void points_of_pages(void)
{
	const struct screen_px in = { 50, 150 }, beside = { 50, 220 };
	struct tree *tree = make();
	struct element *tabs = add(tree, 1, "page tab list", "tabs", "click", (struct screen_rect){ 0, 100, 400, 100 });
	struct element *page = add(tree, 6, "document web", "page", NULL, (struct screen_rect){ 0, 100, 400, 900 });
	struct element *link = add(tree, 7, "link", "link", "jump", (struct screen_rect){ 200, 150, 40, 20 });
	tree_number(tree);
	g_assert_cmpstr(hit(tree, in.x, in.y), ==, "tabs");
	g_assert_true(hit_is_page(tree, in, tabs));
	g_assert_true(hit_is_page(tree, in, NULL));
	g_assert_false(hit_is_page(tree, (struct screen_px){ 210, 155 }, link));
	g_assert_false(hit_is_page(tree, (struct screen_px){ 50, 30 }, NULL));
	/* Scrolled to its end WebKitGTK does not say where it is. */
	page->has_frame = false;
	page->states |= STATE_OFFSCREEN;
	g_assert_true(hit_is_page(tree, in, tabs));
	g_assert_false(hit_is_page(tree, beside, NULL));
	/* Nothing of it is seen: it is one of another tab. */
	link->states |= STATE_OFFSCREEN;
	g_assert_false(hit_is_page(tree, in, tabs));
	page->has_frame = true;
	g_assert_false(hit_is_page(tree, in, NULL));
	tree_free(tree);
}

/* Where a window draws its own title bar, told by the button in its corner, and what is empty of
 * it. */
static void title_bars(void)
{
	const struct screen_px empty = { 150, 20 }, below = { 150, 60 };
	struct tree *tree = tree_new();
	add(tree, -1, "frame", "frame", "window.close", window);
	add(tree, 0, "push button", "Open", "click", (struct screen_rect){ 8, 8, 60, 30 });
	add(tree, 0, "label", "Title", NULL, (struct screen_rect){ 200, 12, 60, 20 });
	add(tree, 0, "text", "Text", "activate", (struct screen_rect){ 0, 46, 400, 254 });
	tree_number(tree);
	g_assert_false(hit_is_title(tree, window, empty));
	tree_free(tree);

	tree = tree_new();
	add(tree, -1, "frame", "frame", "window.close", window);
	add(tree, 0, "push button", "Open", "click", (struct screen_rect){ 108, 8, 60, 30 });
	add(tree, 0, "label", "Title", NULL, (struct screen_rect){ 200, 12, 60, 20 });
	add(tree, 0, "text", "Text", "activate", (struct screen_rect){ 0, 46, 400, 254 });
	struct element *close = add(
		tree, 0, "push button", "Close", "click", (struct screen_rect){ 366, 11, 24, 24 });
	tree_number(tree);
	g_assert_true(hit_is_title(tree, window, (struct screen_px){ 30, 20 }));
	g_assert_true(hit_is_title(tree, window, (struct screen_px){ 220, 20 }));
	/* What is there to be pressed is no handle, nor is what is lower than the button allows. */
	g_assert_false(hit_is_title(tree, window, (struct screen_px){ 120, 20 }));
	g_assert_false(hit_is_title(tree, window, below));
	g_assert_true(hit_takes_drag(tree, window, below));
	g_assert_false(hit_takes_drag(tree, window, (struct screen_px){ 30, 20 }));
	close->states |= STATE_OFFSCREEN;
	g_assert_false(hit_is_title(tree, window, (struct screen_px){ 30, 20 }));
	tree_free(tree);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/hit/actuator", actuators_win_over_what_they_show);
	g_test_add_func("/hit/passive", passive_ones_count_where_nothing_else_is);
	g_test_add_func("/hit/smallest", the_smallest_actuator_wins);
	g_test_add_func("/hit/unseen", what_cannot_be_seen_is_not_hit);
	g_test_add_func("/hit/above", of_equal_ones_the_last_is_on_top);
	g_test_add_func("/hit/pages", points_of_pages);
	g_test_add_func("/hit/titles", title_bars);
	return g_test_run();
}
