/* SPDX-License-Identifier: MIT */
/*
 * Trees of real applications, recorded with the truth beside them (tests/coords/record.c): where the elements are by the rules
 * for GTK4's versions. What is said to be sure must be in the widget.
 */
#include "config.h"

#include "gtk4-coords/boxes.h"

#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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
			int got = sscanf(*line, "%39s %d %d %d %d %d %d", version, &tree->width, &tree->height, &tree->shadow[0],
				&tree->shadow[1], &tree->shadow[2], &tree->shadow[3]);
			g_assert_cmpint(got, >=, 3);
			tree->has_shadow = got == 7;
			tree->era = gtk4_era_of(version);
			head = false;
			continue;
		}
		int got = sscanf(*line, "%d %u %d %d %d %d %d %d %d %d %d %lf %lf %lf %lf %d %199s", &depth, &role, &shown, &w->x, &w->y,
			&w->width, &w->height, &p->x, &p->y, &p->width, &p->height, &truth.x, &truth.y, &truth.width, &truth.height,
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

static void look(const char *file, bool verbose)
{
	struct recorded *tree = load(file);
	int count = (int)tree->nodes->len, all = 0, exact = 0, near = 0, inside = 0, sure = 0, wrong = 0;
	struct gtk4_node *nodes = (struct gtk4_node *)(void *)tree->nodes->data;
	g_autofree struct gtk4_box *boxes = g_new0(struct gtk4_box, count);
	gtk4_boxes(tree->era, nodes, count, boxes);
	int left = tree->has_shadow ? tree->shadow[0] : 0, top = tree->has_shadow ? tree->shadow[2] : 0;
	for (int i = 0; i < count; i++) {
		struct truth *truth = &g_array_index(tree->truths, struct truth, i);
		if (!truth->here || !boxes[i].known || truth->height <= 0) {
			continue;
		}
		double dx = boxes[i].rect.x + left - truth->x, dy = boxes[i].rect.y + top - truth->y;
		double off = MAX(fabs(dx), fabs(dy));
		double cx = boxes[i].rect.x + left + boxes[i].rect.width / 2, cy = boxes[i].rect.y + top + boxes[i].rect.height / 2;
		bool in = cx >= truth->x && cx < truth->x + truth->width && cy >= truth->y && cy < truth->y + truth->height;
		bool is_sure = gtk4_box_is_sure(&boxes[i]);
		all++;
		exact += off <= 1;
		near += off <= 4;
		inside += in;
		sure += is_sure;
		wrong += is_sure && !in;
		int p = nodes[i].parent;
		double pdx = p >= 0 ? boxes[p].rect.x + left - g_array_index(tree->truths, struct truth, p).x : 0;
		double pdy = p >= 0 ? boxes[p].rect.y + top - g_array_index(tree->truths, struct truth, p).y : 0;
		bool parent_here = p >= 0 && g_array_index(tree->truths, struct truth, p).here;
		if (verbose && ((parent_here && (fabs(dx - pdx) > 1 || fabs(dy - pdy) > 1)))) {
			printf("# %4d %s(%s %dx%d) in %s(%s %dx%d): off %g,%g more than its parent (%g,%g) %s\n", i, truth->widget,
				nodes[i].role, boxes[i].rect.width, boxes[i].rect.height,
				g_array_index(tree->truths, struct truth, p).widget, nodes[p].role, boxes[p].rect.width, boxes[p].rect.height,
				dx - pdx, dy - pdy, dx, dy, in ? "" : "OUT");
		}
	}
	printf("# %-60s %4d: <=1 %5.1f%% <=4 %5.1f%% inside %5.1f%% sure %5.1f%% wrong %d\n", file, all, 100.0 * exact / MAX(all, 1),
		100.0 * near / MAX(all, 1), 100.0 * inside / MAX(all, 1), 100.0 * sure / MAX(all, 1), wrong);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		look(argv[i], g_getenv("VERBOSE") != NULL);
	}
	return 0;
}
