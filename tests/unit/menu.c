/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib.h>

#include "core/menu.h"

static int add(struct tree *tree, int parent, const char *role, const char *name, const char *binding)
{
	struct element *element = element_new();
	element->provider = g_strdup(":1.1");
	element->object = g_strdup_printf("/%u", tree->elements->len);
	element->role = g_strdup(role);
	element->name = g_strdup(name);
	element->actions = g_new0(char *, 1);
	element->binding = g_strdup(binding);
	element->states = STATE_ENABLED;
	element->parent = parent;
	g_ptr_array_add(tree->elements, element);
	return (int)tree->elements->len - 1;
}

/* GTK3 puts entries right below a menu, Qt has a nameless popup menu between. */
static struct tree *make(bool qt)
{
	struct tree *tree = tree_new();
	int frame = add(tree, -1, "frame", "window", NULL);
	int bar = add(tree, frame, "menu bar", "", NULL);
	int file = add(tree, bar, qt ? "menu item" : "menu", "_File", "<Alt>f;<Alt>f;");
	int below = qt ? add(tree, file, "popup menu", "", NULL) : file;
	add(tree, below, "menu item", "Open…", ";;<Primary>o");
	int more = add(tree, below, qt ? "menu item" : "menu", "More", NULL);
	int deeper = qt ? add(tree, more, "popup menu", "", NULL) : more;
	add(tree, deeper, "menu item", "Deep", NULL);
	add(tree, below, "menu item", "Salt & pepper", NULL);
	int combo = add(tree, frame, "combo box", "Choice", NULL);
	int list = add(tree, combo, "menu", "", NULL);
	add(tree, list, "menu item", "Red", NULL);
	return tree;
}

static void paths(gconstpointer data)
{
	static const struct {
		const char *path[4];
		const char *item;  /* NULL: not found */
		int steps;
		guint items;
	} cases[] = {
		{ { "File", "Open…" }, "Open…", 2, 3 },
		{ { "file", "open..." }, "Open…", 2, 3 },
		{ { "_File", "Open" }, "Open…", 2, 3 },
		{ { "File", "More", "Deep" }, "Deep", 3, 1 },
		{ { "File", "Salt & pepper" }, "Salt & pepper", 2, 3 },
		{ { "File", "More" }, "More", 2, 3 },
		{ { "File", "Deep" }, NULL, 1, 3 },
		{ { "Edit", "Open" }, NULL, 0, 1 },
		{ { "File", "Open", "Deep" }, NULL, 2, 0 },
		/* What drops from a combo box is no menu of the window. */
		{ { "Red" }, NULL, 0, 1 },
	};
	struct tree *tree = make(GPOINTER_TO_INT(data));
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct menu_walk walk;
		menu_walk(tree, cases[i].path, &walk);
		g_test_message("%s", cases[i].path[0]);
		g_assert_cmpstr(walk.item != NULL ? walk.item->name : NULL, ==, cases[i].item);
		g_assert_cmpint(walk.steps, ==, cases[i].steps);
		g_assert_cmpuint(walk.items->len, ==, cases[i].items);
		menu_walk_clear(&walk);
	}
	tree_free(tree);
}

static void bindings(void)
{
	struct tree *tree = make(false);
	struct chord open = { MODIFIER_CTRL, 'o' }, other = { MODIFIER_CTRL, 'p' };
	g_assert_cmpstr(menu_bound(tree, &open)->name, ==, "Open…");
	g_assert_null(menu_bound(tree, &other));
	tree_free(tree);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_data_func("/menu/gtk", GINT_TO_POINTER(false), paths);
	g_test_add_data_func("/menu/qt", GINT_TO_POINTER(true), paths);
	g_test_add_func("/menu/bound", bindings);
	return g_test_run();
}
