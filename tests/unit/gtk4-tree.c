/* SPDX-License-Identifier: MIT */
/*
 * Trees of real applications, recorded with the truth beside them (tests/coords/record.c): where
 * the elements are by the rules for GTK4's versions. What is said to be sure must be in the widget.
 */
#include "config.h"

#include "gtk4-coords/boxes.h"

#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "atspi/role.h"

struct truth {
	double x, y, width, height;
	bool here;
	char *widget;
};

struct recorded {
	enum gtk4_era era;
	int width, height, shadow[4];
	bool has_shadow;
	GArray *nodes;   /* struct gtk4_node */
	GArray *truths;  /* struct truth */
};

static void unload(struct recorded *tree)
{
	for (guint i = 0; i < tree->truths->len; i++) {
		g_free(g_array_index(tree->truths, struct truth, i).widget);
	}
	g_array_unref(tree->truths);
	g_array_unref(tree->nodes);
	g_free(tree);
}

static struct recorded *load(const char *file)
{
	struct recorded *tree = g_new0(struct recorded, 1);
	g_autofree char *text = NULL;
	int path[64] = { 0 };
	g_assert_true(g_file_get_contents(file, &text, NULL, NULL));
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	tree->nodes = g_array_new(FALSE, TRUE, sizeof(struct gtk4_node));
	tree->truths = g_array_new(FALSE, TRUE, sizeof(struct truth));
	bool head = true;
	for (char **line = lines; *line != NULL; line++) {
		char version[40], widget[200];
		struct gtk4_node node = { 0 };
		struct truth truth = { 0 };
		struct screen_rect *w = &node.window, *p = &node.inside;
		int depth, shown, here;
		unsigned role;
		if (**line == '#' || **line == '\0') {
			continue;
		}
		if (head) {
			int got = sscanf(*line, "%39s %d %d %d %d %d %d", version, &tree->width,
				&tree->height, &tree->shadow[0], &tree->shadow[1], &tree->shadow[2],
				&tree->shadow[3]);
			g_assert_cmpint(got, >=, 3);
			tree->has_shadow = got == 7;
			tree->era = gtk4_era_of(version);
			head = false;
			continue;
		}
		int got = sscanf(*line, "%d %u %d %d %d %d %d %d %d %d %d %lf %lf %lf %lf %d %199s",
			&depth, &role, &shown, &w->x, &w->y, &w->width, &w->height, &p->x, &p->y,
			&p->width, &p->height, &truth.x, &truth.y, &truth.width, &truth.height,
			&here, widget);
		g_assert_cmpint(got, ==, 17);
		g_assert_cmpint(depth, <, 64);
		path[depth] = (int)tree->nodes->len;
		node.role = role_name(role);
		node.parent = depth > 0 ? path[depth - 1] : -1;
		node.shown = shown != 0;
		node.has_window = node.has_parent = true;
		truth.here = here != 0 && truth.width > 0;
		truth.widget = g_strdup(widget);
		g_array_append_val(tree->nodes, node);
		g_array_append_val(tree->truths, truth);
	}
	return tree;
}

/* How many nodes there are; of these, by how much they are off, and for how many that is said not
 * to matter. */
struct score {
	int all, exact, near, sure, wrong;
};

/* How many pixels a unit is: the X window is told in pixels. */
static int scale_of_tree(const struct recorded *tree, const struct gtk4_node *root)
{
	int shadow = tree->has_shadow ? tree->shadow[0] + tree->shadow[1] : 0;
	return MAX((tree->width - shadow) / MAX(root->window.width, 1), 1);
}

static struct score look(const char *file)
{
	struct recorded *tree = load(file);
	int count = (int)tree->nodes->len;
	struct score score = { 0 };
	const struct gtk4_node *nodes = (const struct gtk4_node *)(void *)tree->nodes->data;
	g_autofree struct gtk4_box *boxes = g_new0(struct gtk4_box, count);
	double scale = scale_of_tree(tree, nodes);
	double left = tree->has_shadow ? tree->shadow[0] : 0,
	       top = tree->has_shadow ? tree->shadow[2] : 0;
	gtk4_boxes(tree->era, nodes, count, boxes);
	for (int i = 0; i < count; i++) {
		const struct truth *truth = &g_array_index(tree->truths, struct truth, i);
		const struct screen_rect *rect = &boxes[i].rect;
		if (!truth->here || truth->height <= 0 || !boxes[i].known
			|| screen_rect_empty(*rect)) {
			continue;
		}
		double dx = left + rect->x * scale - truth->x,
		       dy = top + rect->y * scale - truth->y;
		double off = MAX(fabs(dx), fabs(dy)) / scale;
		double x = left + (rect->x + rect->width / 2) * scale,
		       y = top + (rect->y + rect->height / 2) * scale;
		bool inside = x >= truth->x && x < truth->x + truth->width && y >= truth->y
			&& y < truth->y + truth->height;
		bool sure = gtk4_box_is_sure(&boxes[i]);
		score.all++;
		score.exact += off <= 1;
		score.near += off <= 4;
		score.sure += sure;
		score.wrong += sure && !inside;
		if (sure && !inside) {
			g_test_message("%s: %s (%s %dx%d) is %g,%g off", file, truth->widget,
				nodes[i].role, rect->width, rect->height, dx, dy);
		}
	}
	unload(tree);
	return score;
}

static void recorded_trees(void)
{
	const char *top = g_getenv("CUA_SRCDIR");
	g_autofree char *folder = g_build_filename(
		top != NULL ? top : ".", "tests/shared/gtk4", NULL);
	g_autoptr(GDir) files = g_dir_open(folder, 0, NULL);
	struct score all = { 0 };
	int count = 0;
	g_assert_nonnull(files);
	for (const char *name = g_dir_read_name(files); name != NULL;
		name = g_dir_read_name(files)) {
		g_autofree char *file = g_build_filename(folder, name, NULL);
		struct score score = look(file);
		g_assert_cmpint(score.all, >, 10);
		g_assert_cmpint(score.wrong, ==, 0);
		all.all += score.all;
		all.exact += score.exact;
		all.near += score.near;
		all.sure += score.sure;
		count++;
	}
	g_test_message("%d trees, %d nodes: %.1f %% within 1, %.1f %% within 4 units; %.1f %% may "
		       "be aimed at",
		count, all.all, 100.0 * all.exact / all.all, 100.0 * all.near / all.all,
		100.0 * all.sure / all.all);
	g_assert_cmpint(count, >=, 12);
	g_assert_cmpint(100 * all.exact, >=, 90 * all.all);
	g_assert_cmpint(100 * all.near, >=, 98 * all.all);
	g_assert_cmpint(100 * all.sure, >=, 97 * all.all);
}

static void versions(void)
{
	g_assert_cmpint(gtk4_era_of("4.8.3"), ==, GTK4_ERA_CONTENT);
	g_assert_cmpint(gtk4_era_of("4.13.6"), ==, GTK4_ERA_CONTENT);
	g_assert_cmpint(gtk4_era_of("4.13.7"), ==, GTK4_ERA_BORDER);
	g_assert_cmpint(gtk4_era_of("4.14.5"), ==, GTK4_ERA_BORDER);
	g_assert_cmpint(gtk4_era_of("4.14.6"), ==, GTK4_ERA_SUM);
	g_assert_cmpint(gtk4_era_of("4.15.0"), ==, GTK4_ERA_SUM);
	g_assert_cmpint(gtk4_era_of("4.18.6"), ==, GTK4_ERA_SUM);
	g_assert_cmpint(gtk4_era_of("4.20.2"), ==, GTK4_ERA_SUM);
	g_assert_cmpint(gtk4_era_of("5.0.0"), ==, GTK4_ERA_UNKNOWN);
	g_assert_cmpint(gtk4_era_of("3.24.49"), ==, GTK4_ERA_UNKNOWN);
	g_assert_cmpint(gtk4_era_of("new"), ==, GTK4_ERA_UNKNOWN);
	g_assert_cmpint(gtk4_era_of(NULL), ==, GTK4_ERA_UNKNOWN);
}

static struct gtk4_node node_at(const char *role, int parent, int x, int y, int width, int height)
{
	return (struct gtk4_node){ .role = role,
		.parent = parent,
		.shown = true,
		.has_window = true,
		.window = { x, y, width, height } };
}

static void assert_box(const struct gtk4_box *box, int x, int y, int width, int height)
{
	g_assert_true(box->known);
	g_assert_cmpint(box->rect.x, ==, x);
	g_assert_cmpint(box->rect.y, ==, y);
	g_assert_cmpint(box->rect.width, ==, width);
	g_assert_cmpint(box->rect.height, ==, height);
}

/* A button at 100,50 of the content of a window with a border of 5, as each era tells it. */
static void eras(void)
{
	struct gtk4_box boxes[4];
	const struct gtk4_node content[] = { node_at("frame", -1, 0, 0, 300, 200),
		node_at("push button", 0, 110, 55, 60, 24), node_at("label", 1, 110, 55, 60, 24) };
	gtk4_boxes(GTK4_ERA_CONTENT, content, 3, boxes);
	assert_box(&boxes[1], 110, 55, 60, 24);
	const struct gtk4_node border[] = { node_at("frame", -1, 0, 0, 310, 210),
		node_at("panel", 0, 0, 0, 300, 200), node_at("push button", 1, 110, 55, 80, 34),
		node_at("label", 2, 110, 55, 60, 24) };
	gtk4_boxes(GTK4_ERA_BORDER, border, 4, boxes);
	assert_box(&boxes[2], 105, 55, 80, 34);
	assert_box(&boxes[3], 115, 60, 60, 24);
	const struct gtk4_node sum[] = { node_at("frame", -1, -5, -5, 310, 210),
		node_at("panel", 0, -5, -5, 300, 200), node_at("push button", 1, 95, 45, 80, 34),
		node_at("label", 2, 95, 45, 60, 24) };
	gtk4_boxes(GTK4_ERA_SUM, sum, 4, boxes);
	assert_box(&boxes[0], 0, 0, 310, 210);
	assert_box(&boxes[2], 105, 55, 80, 34);
	assert_box(&boxes[3], 115, 60, 60, 24);
	gtk4_boxes(GTK4_ERA_UNKNOWN, sum, 4, boxes);
	g_assert_false(boxes[1].known);
}

/* What begins at the edge and leaves as much free as a padding would take: the small is not aimed
 * at, the large is. */
static void doubts(void)
{
	struct gtk4_box boxes[5];
	const struct gtk4_node nodes[] = { node_at("frame", -1, 0, 0, 300, 200),
		node_at("panel", 0, 0, 0, 300, 40), node_at("push button", 1, 0, 0, 30, 40),
		node_at("entry", 1, 30, 0, 240, 40), node_at("panel", 0, 0, 100, 300, 40) };
	gtk4_boxes(GTK4_ERA_SUM, nodes, 5, boxes);
	g_assert_false(gtk4_box_is_sure(&boxes[2]));
	g_assert_true(gtk4_box_is_sure(&boxes[3]));
	g_assert_true(gtk4_box_is_sure(&boxes[4]));
}

/* Pages that were never shown answer with whatever was in memory; what is in them is nowhere. */
static void memory(void)
{
	struct gtk4_box boxes[3];
	const struct gtk4_node nodes[] = { node_at("frame", -1, 0, 0, 300, 200),
		node_at("panel", 0, 0, 0, -1495696304, 21871),
		node_at("push button", 1, 0, 0, 30, 40) };
	gtk4_boxes(GTK4_ERA_SUM, nodes, 3, boxes);
	g_assert_true(boxes[0].known);
	g_assert_false(boxes[1].known);
	g_assert_false(boxes[2].known);
}

int main(int argc, char **argv)
{
	/* Some files, for whoever looks for a better rule. */
	for (int i = 1; i < argc && g_str_has_suffix(argv[i], ".tree"); i++) {
		struct score score = look(argv[i]);
		printf("# %s: %d nodes, %d within 1, %d within 4, %d sure, %d wrong\n", argv[i],
			score.all, score.exact, score.near, score.sure, score.wrong);
	}
	if (argc > 1 && g_str_has_suffix(argv[1], ".tree")) {
		return 0;
	}
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/gtk4-tree/versions", versions);
	g_test_add_func("/gtk4-tree/eras", eras);
	g_test_add_func("/gtk4-tree/doubts", doubts);
	g_test_add_func("/gtk4-tree/memory", memory);
	g_test_add_func("/gtk4-tree/recorded", recorded_trees);
	return g_test_run();
}
