/* SPDX-License-Identifier: MIT */
/* The rules of proof: which accessible top-level is which window. */
#include "config.h"

#include <glib.h>

#include "atspi/match.h"
#include "atspi/node.h"
#include "atspi/popup.h"

#define SHOWN (UINT64_C(1) << ATSPI_VISIBLE | UINT64_C(1) << ATSPI_SHOWING)
#define ACTIVE (SHOWN | UINT64_C(1) << ATSPI_ACTIVE)

struct scene {
	GPtrArray *windows, *candidates;
};

static struct scene scene_new(void)
{
	return (struct scene){
		window_list_new(),
		g_ptr_array_new_with_free_func((GDestroyNotify)candidate_free),
	};
}

static void scene_clear(struct scene *scene)
{
	g_ptr_array_unref(scene->windows);
	g_ptr_array_unref(scene->candidates);
}

static struct window *add_window(struct scene *scene, const char *toolkit, const char *title,
	struct screen_rect bounds)
{
	struct window *window = window_new();
	window->id = scene->windows->len + 1;
	window->pid = 7;
	window->toolkit = toolkit;
	window->on_screen = true;
	window->bounds = bounds;
	g_free(window->title);
	window->title = g_strdup(title);
	g_ptr_array_add(scene->windows, window);
	window_list_count_namesakes(scene->windows);
	return window;
}

static struct candidate *add_candidate(struct scene *scene, const char *name, struct screen_rect told,
	uint64_t states)
{
	struct candidate *candidate = candidate_new(":1.7", "/");
	g_free(candidate->name);
	candidate->name = g_strdup(name);
	candidate->has_place = told.width != 0;
	candidate->told = told;
	candidate->states = states;
	g_ptr_array_add(scene->candidates, candidate);
	return candidate;
}

static const struct candidate *prove(const struct scene *scene, const struct window *window,
	enum proof proof)
{
	g_autofree char *why = NULL;
	const struct candidate *found = match_prove(window, scene->windows, scene->candidates, proof, &why);
	g_assert_true((found == NULL) == (why != NULL) || proof == PROOF_STRANGER);
	return found;
}

static void titles(void)
{
	struct scene scene = scene_new();
	struct window *one = add_window(&scene, "gtk3", "One", (struct screen_rect){ 0, 0, 300, 200 });
	struct window *two = add_window(&scene, "gtk3", "Two", (struct screen_rect){ 0, 0, 300, 200 });
	struct candidate *b = add_candidate(&scene, "Two", (struct screen_rect){ 0 }, 0);
	struct candidate *a = add_candidate(&scene, "One", (struct screen_rect){ 0 }, 0);
	g_assert_true(match_title(one, scene.candidates) == a);
	g_assert_true(match_title(two, scene.candidates) == b);
	/* A second one of that name on either side, and the title proves nothing any more. */
	add_candidate(&scene, "One", (struct screen_rect){ 0 }, 0);
	g_assert_null(match_title(one, scene.candidates));
	add_window(&scene, "gtk3", "Two", (struct screen_rect){ 9, 9, 300, 200 });
	g_assert_null(match_title(two, scene.candidates));
	scene_clear(&scene);
}

static void qt_adds_the_name_of_the_application(void)
{
	struct scene scene = scene_new();
	struct window *window = add_window(&scene, "qt5", "Notes \xe2\x80\x94 Editor",
		(struct screen_rect){ 0, 0, 300, 200 });
	struct candidate *candidate = add_candidate(&scene, "Notes", (struct screen_rect){ 0 }, 0);
	g_assert_true(match_title(window, scene.candidates) == candidate);
	window->toolkit = "gtk3";
	g_assert_null(match_title(window, scene.candidates));
	scene_clear(&scene);
}

static void twins_by_place(void)
{
	struct scene scene = scene_new();
	struct window *left = add_window(&scene, "gtk3", "Twin", (struct screen_rect){ 1, 20, 300, 200 });
	struct window *right = add_window(&scene, "gtk3", "Twin", (struct screen_rect){ 401, 20, 300, 200 });
	left->decoration = right->decoration = (struct gtk4_extents){ true, 1, 1, 20, 5 };
	/* GTK3 counts the frame around it. */
	struct candidate *b = add_candidate(&scene, "Twin", (struct screen_rect){ 400, 0, 302, 225 }, SHOWN);
	struct candidate *a = add_candidate(&scene, "Twin", (struct screen_rect){ 0, 0, 302, 225 }, SHOWN);
	g_assert_true(prove(&scene, left, PROOF_PLACE) == a);
	g_assert_true(prove(&scene, right, PROOF_PLACE) == b);
	/* At the same place nothing tells them apart, */
	right->bounds = left->bounds;
	b->told = a->told;
	g_assert_null(prove(&scene, left, PROOF_PLACE));
	g_assert_null(prove(&scene, right, PROOF_PLACE));
	/* unless the user works in one of them. */
	right->active = true;
	b->states = ACTIVE;
	g_assert_null(prove(&scene, left, PROOF_PLACE));
	g_assert_true(prove(&scene, left, PROOF_ACTIVE) == a);
	g_assert_true(prove(&scene, right, PROOF_ACTIVE) == b);
	/* A switch between the two looks is no proof. */
	struct window *then = window_copy(left);
	then->active = true;
	g_assert_null(prove(&scene, then, PROOF_ACTIVE));
	window_free(then);
	scene_clear(&scene);
}

/* GTK4 never tells a place: the size must do, or which is active. */
static void twins_of_gtk4(void)
{
	struct scene scene = scene_new();
	struct window *one = add_window(&scene, "gtk4", "Twin", (struct screen_rect){ 0, 0, 310, 210 });
	struct window *two = add_window(&scene, "gtk4", "Twin", (struct screen_rect){ 500, 0, 310, 210 });
	struct candidate *a = add_candidate(&scene, "Twin", (struct screen_rect){ 0, 0, 300, 200 }, SHOWN);
	struct candidate *b = add_candidate(&scene, "Twin", (struct screen_rect){ 0, 0, 300, 200 }, SHOWN);
	g_assert_null(prove(&scene, one, PROOF_PLACE));
	two->bounds.width += 50;
	b->told.width += 50;
	g_assert_true(prove(&scene, one, PROOF_PLACE) == a);
	g_assert_true(prove(&scene, two, PROOF_PLACE) == b);
	/* One that is not on the bus yet: the other's frame is not its own. */
	two->bounds = one->bounds;
	g_ptr_array_remove(scene.candidates, b);
	g_assert_null(prove(&scene, one, PROOF_PLACE));
	g_assert_null(prove(&scene, two, PROOF_PLACE));
	scene_clear(&scene);
}

static void other_titles(void)
{
	struct scene scene = scene_new();
	struct window *window = add_window(&scene, "gtk3", "Changed just now",
		(struct screen_rect){ 5, 5, 300, 200 });
	struct window *other = add_window(&scene, "gtk3", "Other", (struct screen_rect){ 5, 5, 300, 200 });
	struct candidate *a = add_candidate(&scene, "Before", (struct screen_rect){ 5, 5, 300, 200 }, SHOWN);
	struct candidate *b = add_candidate(&scene, "Other", (struct screen_rect){ 5, 5, 300, 200 }, SHOWN);
	g_assert_true(prove(&scene, window, PROOF_PLACE) == a);
	g_assert_true(prove(&scene, other, PROOF_PLACE) == b);
	a->told.x = 90;
	g_assert_null(prove(&scene, window, PROOF_PLACE));
	/* Hidden ones are not on the screen. */
	a->told.x = 5;
	a->states = UINT64_C(1) << ATSPI_ENABLED;
	g_assert_null(prove(&scene, window, PROOF_PLACE));
	scene_clear(&scene);
}

/* Of another process: the title alone is not enough, nor is the place. */
static void strict(void)
{
	struct scene scene = scene_new();
	struct window *window = add_window(&scene, "gtk3", "Same", (struct screen_rect){ 5, 5, 300, 200 });
	struct candidate *a = add_candidate(&scene, "Same", (struct screen_rect){ 5, 5, 300, 200 }, SHOWN);
	g_assert_true(prove(&scene, window, PROOF_STRANGER) == a);
	a->told.x = 50;
	g_assert_null(prove(&scene, window, PROOF_STRANGER));
	a->told.x = 5;
	a->name[0] = 'L';
	g_assert_null(prove(&scene, window, PROOF_STRANGER));
	a->name[0] = 'S';
	add_window(&scene, "gtk3", "Same", (struct screen_rect){ 5, 5, 300, 200 });
	g_assert_null(prove(&scene, window, PROOF_STRANGER));
	scene_clear(&scene);
}

/* --- Popups --------------------------------------------------------------------------------------- */

static struct element *add(struct tree *tree, int parent, const char *role, const char *name,
	struct screen_rect frame)
{
	struct element *element = element_new();
	g_free(element->role);
	g_free(element->name);
	element->role = g_strdup(role);
	element->name = g_strdup(name);
	element->actions = element->actions != NULL ? element->actions : g_new0(char *, 1);
	element->has_frame = true;
	element->frame = frame;
	element->parent = parent;
	element->depth = parent < 0 ? 0
		: ((const struct element *)tree->elements->pdata[parent])->depth + 1;
	g_ptr_array_add(tree->elements, element);
	return element;
}

static void menus_of_gtk3(void)
{
	struct tree *tree = tree_new();
	struct window *popup = window_new();
	popup->toolkit = "gtk3";
	popup->type = "menu";
	popup->bounds = (struct screen_rect){ 1, 267, 120, 58 };
	add(tree, -1, "frame", "", (struct screen_rect){ 0, 215, 882, 685 });
	add(tree, 0, "menu bar", "", (struct screen_rect){ 1, 235, 880, 32 });
	add(tree, 1, "menu", "File", (struct screen_rect){ 1, 235, 39, 32 });
	add(tree, 2, "menu item", "New", (struct screen_rect){ 1, 271, 120, 25 });
	add(tree, 2, "menu item", "Open", (struct screen_rect){ 1, 296, 120, 25 });
	add(tree, 1, "menu", "Edit", (struct screen_rect){ 40, 235, 39, 32 });
	/* Of the window below, not of the menu. */
	add(tree, 0, "panel", "", popup->bounds);
	int root = popup_find(tree, popup);
	g_assert_cmpint(root, ==, 2);
	struct tree *part = popup_cut(tree, root, popup);
	g_assert_cmpuint(part->elements->len, ==, 3);
	const struct element *open = part->elements->pdata[2];
	g_assert_cmpstr(open->name, ==, "Open");
	g_assert_cmpint(open->parent, ==, 0);
	g_assert_cmpint(open->depth, ==, 1);
	g_assert_cmpint(open->frame.y, ==, 296);
	tree_free(part);
	window_free(popup);
}

/* Numbers of a popover under openbox and mutter alike. */
static void popovers_of_gtk4(void)
{
	struct tree *tree = tree_new();
	g_autoptr(GPtrArray) windows = window_list_new();
	g_autoptr(GHashTable) done = g_hash_table_new(NULL, NULL);
	struct window *popup = window_new();
	popup->pid = 7;
	popup->toolkit = "gtk4";
	popup->type = "menu";
	popup->bounds = (struct screen_rect){ 396, 50, 100, 108 };
	g_ptr_array_add(windows, popup);
	add(tree, -1, "frame", "", (struct screen_rect){ 0, 0, 880, 660 });
	add(tree, 0, "menu item", "File", (struct screen_rect){ 8, 4, 23, 24 });
	g_assert_false(popup_has_popover(tree));
	add(tree, 1, "menu", "GtkPopoverMenu", (struct screen_rect){ 8, 4, 100, 108 });
	struct element *item = add(tree, 2, "menu item", "New file", (struct screen_rect){ 29, 12, 58, 30 });
	g_assert_true(popup_has_popover(tree));
	g_assert_cmpint(popup_find(tree, popup), ==, 2);
	popup_place_popovers(tree, windows, 7, done);
	g_assert_cmpint(item->frame.x, ==, 417);
	g_assert_cmpint(item->frame.y, ==, 58);
	g_assert_cmpuint(g_hash_table_size(done), ==, 2);
	/* From 4.10 on nothing is called by its class. */
	struct element *menu = tree->elements->pdata[2];
	g_free(menu->name);
	menu->name = g_strdup("");
	g_assert_false(popup_has_popover(tree));
	g_strfreev(menu->actions);
	menu->actions = g_strsplit("default.activate", " ", -1);
	g_assert_cmpint(popup_find(tree, popup), ==, 2);
	/* Without a window of that size nobody knows where it is. */
	popup->bounds.width = 300;
	popup_place_popovers(tree, windows, 7, done);
	g_assert_false(item->has_frame);
	tree_free(tree);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/match/titles", titles);
	g_test_add_func("/match/qt", qt_adds_the_name_of_the_application);
	g_test_add_func("/match/twins", twins_by_place);
	g_test_add_func("/match/twins-gtk4", twins_of_gtk4);
	g_test_add_func("/match/other-titles", other_titles);
	g_test_add_func("/match/strict", strict);
	g_test_add_func("/popup/menus-gtk3", menus_of_gtk3);
	g_test_add_func("/popup/popovers-gtk4", popovers_of_gtk4);
	return g_test_run();
}
