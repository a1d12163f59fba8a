/* SPDX-License-Identifier: MIT */
/* How a window is shown: what is visible where, what a model reads, what changed, what is kept. */
#include "config.h"

#include <string.h>

#include "core/condition.h"
#include "core/diff.h"
#include "core/label.h"
#include "core/markdown.h"
#include "core/session.h"
#include "core/sight.h"

/* One element of a small tree; `depth` gives its parent: the last one above it. */
struct row {
	int depth;
	const char *role, *name, *value;
	unsigned states;
	struct screen_rect frame;
	bool selectable;
};

#define ON STATE_ENABLED
#define OFF (STATE_ENABLED | STATE_OFFSCREEN)

static struct tree *grow(const struct row *rows, gsize count)
{
	struct tree *tree = tree_new();
	int parents[16];
	for (gsize i = 0; i < count; i++) {
		struct element *element = element_new();
		element->provider = g_strdup("memory");
		element->object = g_strdup_printf("/%zu", i);
		element->role = g_strdup(rows[i].role);
		element->name = g_strdup(rows[i].name);
		element->value = g_strdup(rows[i].value);
		element->actions = g_new0(char *, 1);
		element->states = rows[i].states;
		element->selectable = rows[i].selectable;
		element->frame = rows[i].frame;
		element->has_frame = !screen_rect_empty(rows[i].frame);
		element->depth = rows[i].depth;
		element->parent = rows[i].depth > 0 ? parents[rows[i].depth - 1] : -1;
		parents[rows[i].depth] = (int)i;
		g_ptr_array_add(tree->elements, element);
	}
	tree_number(tree);
	return tree;
}

static void nothing_but_what_a_model_needs(void)
{
	static const struct row rows[] = {
		{ .depth = 0, .role = "frame", .name = "Files" },
		{ .depth = 1, .role = "filler", .name = "" },
		{ .depth = 2, .role = "filler", .name = "AdwGizmo" },
		{ .depth = 3, .role = "push button", .name = "GtkButton", .states = ON },
		{ .depth = 4, .role = "label", .name = "π" },
		{ .depth = 3, .role = "push button", .name = "Save", .states = ON },
		{ .depth = 4, .role = "label", .name = "Save" },
		{ .depth = 2, .role = "label", .name = " " },
		{ .depth = 2, .role = "table row", .name = "" },
		{ .depth = 3, .role = "table cell", .name = "a.txt" },
		{ .depth = 4, .role = "static", .name = "a.txt" },
		{ .depth = 3, .role = "table cell", .name = "Delete" },
		{ .depth = 4, .role = "push button", .name = "Delete", .states = 0 },
		{ .depth = 1, .role = "push button", .name = "", .states = OFF },
		{ .depth = 1, .role = "push button", .name = "", .states = OFF },
		{ .depth = 1, .role = "push button", .name = "", .states = OFF },
		{ .depth = 1, .role = "text", .name = "Note", .value = "one\n\"two\"\xe2\x80\xae",
		  .states = ON | STATE_EDITABLE },
		{ .depth = 1, .role = "combo box", .name = "", .value = "\xef\xbf\xbc", .states = ON },
		{ .depth = 2, .role = "menu item", .name = "red", .states = ON | STATE_SELECTED,
		  .selectable = true },
	};
	struct tree *tree = grow(rows, G_N_ELEMENTS(rows));
	g_autofree char *text = markdown_tree(tree, NULL);
	g_assert_cmpstr(text, ==,
		"- frame \"Files\"\n"
		"  - [0] push button \"π\"\n"
		"  - [1] push button \"Save\"\n"
		"  - table row \"a.txt\"\n"
		"    - [2] push button \"Delete\" (disabled)\n"
		"  - [3]..[5] push button (offscreen)\n"
		"  - [6] text \"Note\" = \"one\\n\\\"two\\\"\\u202e\"\n"
		"  - [7] combo box = \"red\"\n"
		"    - [8] menu item \"red\" (selected)\n");
	tree_free(tree);
}

/* The same words in the list of elements, in conditions and in what changed: an agent may read either. */
static void what_is_called_by_its_texts(void)
{
	static const struct row rows[] = {
		{ .depth = 0, .role = "frame", .name = "Clocks" },
		{ .depth = 1, .role = "list item", .name = "", .states = ON | STATE_FOCUSABLE },
		{ .depth = 2, .role = "filler", .name = "GtkBox" },
		{ .depth = 3, .role = "label", .name = "Berlin" },
		{ .depth = 3, .role = "label", .name = "12:00" },
		{ .depth = 3, .role = "push button", .name = "", .states = ON },
		{ .depth = 4, .role = "label", .name = "Remove" },
		{ .depth = 1, .role = "push button", .name = "GtkButton", .states = ON },
		{ .depth = 1, .role = "combo box", .name = "City", .states = ON },
		{ .depth = 2, .role = "label", .name = "Berlin" },
	};
	static const char *const labels[] = { "Berlin | 12:00", "Remove", "", "City" };
	struct tree *tree = grow(rows, G_N_ELEMENTS(rows));
	for (int i = 0; i < (int)G_N_ELEMENTS(labels); i++) {
		struct element *copy = element_copy(tree_at(tree, i));
		g_assert_cmpstr(label_of(copy), ==, labels[i]);
		element_free(copy);
	}
	const struct scene scene = { .tree = tree };
	const struct condition condition = { .kind = CONDITION_ELEMENT_APPEARS, .label = "Berlin | 12:00", .exact = true };
	struct sighting sighting = condition_check(&condition, &scene);
	g_assert_cmpint(sighting.holds, ==, HOLDS_YES);
	sighting_clear(&sighting);
	tree_free(tree);
}

static void what_is_clipped_is_not_visible(void)
{
	static const struct row rows[] = {
		{ .depth = 0, .role = "frame", .name = "w", .frame = { 100, 100, 200, 200 } },
		{ .depth = 1, .role = "push button", .name = "whole", .frame = { 110, 110, 20, 20 } },
		{ .depth = 1, .role = "push button", .name = "outside", .frame = { 400, 110, 20, 20 } },
		{ .depth = 1, .role = "scroll pane", .name = "", .frame = { 100, 200, 100, 50 } },
		{ .depth = 2, .role = "push button", .name = "half", .frame = { 110, 240, 20, 40 } },
		{ .depth = 2, .role = "push button", .name = "below", .frame = { 110, 260, 20, 20 } },
		{ .depth = 2, .role = "filler", .name = "no frame" },
		{ .depth = 3, .role = "push button", .name = "deep", .frame = { 110, 255, 20, 20 } },
		{ .depth = 1, .role = "page tab", .name = "tab", .frame = { 100, 100, 40, 10 } },
		{ .depth = 2, .role = "text", .name = "page", .frame = { 100, 120, 100, 60 },
		  .states = STATE_EDITABLE },
		{ .depth = 2, .role = "push button", .name = "off", .states = OFF,
		  .frame = { 100, 120, 10, 10 } },
		/* Its middle is the item that is in it. */
		{ .depth = 1, .role = "tree item", .name = "branch", .states = ON | STATE_FOCUSABLE, .frame = { 110, 110, 40, 60 } },
		{ .depth = 2, .role = "tree item", .name = "leaf", .states = ON | STATE_FOCUSABLE, .frame = { 115, 130, 35, 40 } },
	};
	static const struct {
		const char *name;
		bool visible;
		int x, y, parent, depth;
	} should[] = {
		{ "whole", true, 120, 120, -1, 0 }, { "outside", false, 0, 0, -1, 0 },
		{ "half", true, 120, 245, -1, 0 }, { "below", false, 0, 0, -1, 0 },
		{ "deep", false, 0, 0, -1, 0 }, { "tab", true, 120, 105, -1, 0 },
		{ "page", true, 150, 150, 5, 1 }, { "off", false, 0, 0, 5, 1 },
		{ "branch", true, 130, 120, -1, 0 }, { "leaf", true, 132, 150, 8, 1 },
	};
	struct tree *tree = grow(rows, G_N_ELEMENTS(rows));
	g_autofree struct sight *sights = sight_of(tree, (struct screen_rect){ 100, 100, 200, 200 });
	for (gsize i = 0; i < G_N_ELEMENTS(should); i++) {
		const struct element *element = tree_at(tree, (int)i);
		const struct sight *sight = &sights[element->position];
		g_test_message("%s", should[i].name);
		g_assert_cmpstr(element->name, ==, should[i].name);
		g_assert_true(sight->visible == should[i].visible);
		g_assert_cmpint(sight->at.x, ==, should[i].x);
		g_assert_cmpint(sight->at.y, ==, should[i].y);
		g_assert_cmpint(sight->parent, ==, should[i].parent);
		g_assert_cmpint(sight->depth, ==, should[i].depth);
	}
	tree_free(tree);
}

static struct snapshot *snap(const struct row *rows, gsize count, guint64 id, struct screen_rect at)
{
	struct window *window = window_new();
	window->id = id;
	window->pid = 7;
	struct snapshot *snapshot = snapshot_new(window, grow(rows, count), (struct frame){ .window = at });
	window_free(window);
	return snapshot;
}

static void only_what_changed(void)
{
	static const struct row before[] = {
		{ .depth = 0, .role = "frame", .name = "w" },
		{ .depth = 1, .role = "push button", .name = "same", .frame = { 110, 110, 20, 20 } },
		{ .depth = 1, .role = "push button", .name = "Play", .frame = { 110, 130, 20, 20 } },
		{ .depth = 1, .role = "label", .name = "counter=1" },
		{ .depth = 1, .role = "text", .name = "t", .value = "old", .states = STATE_EDITABLE },
		{ .depth = 1, .role = "filler", .name = "" },
		{ .depth = 1, .role = "push button", .name = "gone" },
	};
	static const struct row after[] = {
		{ .depth = 0, .role = "frame", .name = "w" },
		{ .depth = 1, .role = "push button", .name = "same", .frame = { 210, 110, 20, 20 } },
		{ .depth = 1, .role = "push button", .name = "Pause", .frame = { 210, 130, 20, 20 } },
		{ .depth = 1, .role = "label", .name = "counter=2" },
		{ .depth = 1, .role = "text", .name = "t", .value = "new", .states = STATE_EDITABLE },
		{ .depth = 1, .role = "filler", .name = "", .states = STATE_BUSY },
		{ .depth = 1, .role = "label", .name = "instead" },
	};
	struct snapshot *earlier = snap(before, G_N_ELEMENTS(before), 1, (struct screen_rect){ 0, 0, 9, 9 });
	/* The window moved by 100 and everything with it. */
	struct snapshot *later = snap(after, G_N_ELEMENTS(after), 1, (struct screen_rect){ 100, 0, 9, 9 });
	struct diff diff;
	diff_make(&diff, earlier, later);
	g_assert_cmpuint(diff.added->len, ==, 1);
	g_assert_cmpstr(g_array_index(diff.added, struct difference, 0).now->name, ==, "instead");
	g_assert_cmpuint(diff.removed->len, ==, 1);
	g_assert_cmpstr(g_array_index(diff.removed, struct difference, 0).before->name, ==, "gone");
	g_assert_cmpuint(diff.changed->len, ==, 3);
	g_assert_cmpstr(g_array_index(diff.changed, struct difference, 0).now->name, ==, "Pause");
	g_assert_cmpstr(g_array_index(diff.changed, struct difference, 1).before->name, ==, "counter=1");
	g_assert_cmpstr(g_array_index(diff.changed, struct difference, 2).now->value, ==, "new");
	diff_clear(&diff);
	snapshot_unref(earlier);
	snapshot_unref(later);
}

static bool is_kept(struct session *session, const char *id)
{
	struct snapshot *snapshot = session_snapshot(session, id);
	snapshot_unref(snapshot);
	return snapshot != NULL;
}

/* Snapshots are bounded by their elements, and the latest of a window outlives its predecessors. */
static void snapshots_are_bounded(void)
{
	const gsize many = 4000;
	g_autofree struct row *rows = g_new0(struct row, many);
	g_autofree char *ids[6] = { NULL };
	struct session *session = session_new();
	for (gsize i = 0; i < many; i++) {
		rows[i] = (struct row){ .depth = i > 0, .role = "push button", .name = "b" };
	}
	for (guint64 i = 0; i < 6; i++) {
		/* Windows 1, 2, 2, 2, 2, 3: three of 4,000 elements fit. */
		struct snapshot *snapshot = snap(rows, many, i == 0 ? 1 : i == 5 ? 3 : 2,
			(struct screen_rect){ 0 });
		ids[i] = g_strdup(snapshot->id);
		session_keep(session, snapshot);
		snapshot_unref(snapshot);
	}
	g_assert_true(is_kept(session, ids[0]));
	g_assert_false(is_kept(session, ids[1]));
	g_assert_false(is_kept(session, ids[2]));
	g_assert_false(is_kept(session, ids[3]));
	g_assert_true(is_kept(session, ids[4]));
	g_assert_true(is_kept(session, ids[5]));
	for (int i = 0; i < 6; i++) {
		g_clear_pointer(&ids[i], g_free);
	}
	session_unref(session);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/view/markdown", nothing_but_what_a_model_needs);
	g_test_add_func("/view/labels", what_is_called_by_its_texts);
	g_test_add_func("/view/sight", what_is_clipped_is_not_visible);
	g_test_add_func("/view/diff", only_what_changed);
	g_test_add_func("/view/session", snapshots_are_bounded);
	return g_test_run();
}
