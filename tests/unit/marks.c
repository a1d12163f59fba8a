/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/marks.h"

#include <string.h>

#define BACKGROUND 0x808080

static struct element *element_at(struct screen_rect frame)
{
	struct element *element = g_new0(struct element, 1);
	element->role = g_strdup("push button");
	element->name = g_strdup("");
	element->states = STATE_ENABLED;
	element->has_frame = true;
	element->frame = frame;
	element->parent = 0;
	element->depth = 1;
	return element;
}

/* A window of 800×600 at 100,50 with these elements in it, numbered from 0. */
static struct tree *tree_of(const struct screen_rect *frames, int count)
{
	struct tree *tree = tree_new();
	struct element *window = element_at((struct screen_rect){ 100, 50, 800, 600 });
	window->parent = -1;
	window->depth = 0;
	window->index = -1;
	g_ptr_array_add(tree->elements, window);
	for (int i = 0; i < count; i++) {
		struct element *element = element_at(frames[i]);
		element->index = i;
		g_ptr_array_add(tree->elements, element);
	}
	return tree;
}

static struct picture *blank(int width, int height)
{
	struct picture *picture = picture_new(width, height);
	for (int i = 0; i < width * height; i++) {
		picture->pixels[i] = BACKGROUND;
	}
	return picture;
}

struct patch {
	int left, top, right, bottom, size;
};

static void spread(const struct picture *picture, bool *seen, int x, int y, struct patch *patch)
{
	GArray *todo = g_array_new(FALSE, FALSE, sizeof(int));
	int start = y * picture->width + x;
	g_array_append_val(todo, start);
	while (todo->len > 0) {
		int at = g_array_index(todo, int, todo->len - 1), px = at % picture->width;
		int py = at / picture->width;
		g_array_set_size(todo, todo->len - 1);
		if (seen[at] || (picture->pixels[at] & 0xffffff) == BACKGROUND) {
			continue;
		}
		seen[at] = true;
		patch->size++;
		patch->left = MIN(patch->left, px);
		patch->right = MAX(patch->right, px);
		patch->top = MIN(patch->top, py);
		patch->bottom = MAX(patch->bottom, py);
		const int next[] = { px > 0 ? at - 1 : at, px + 1 < picture->width ? at + 1 : at,
			py > 0 ? at - picture->width : at, py + 1 < picture->height ? at + picture->width : at };
		g_array_append_vals(todo, next, 4);
	}
	g_array_unref(todo);
}

/* Everything that is not background, patch by patch. */
static GArray *patches_of(const struct picture *picture)
{
	GArray *patches = g_array_new(FALSE, FALSE, sizeof(struct patch));
	g_autofree bool *seen = g_new0(bool, (gsize)picture->width * (gsize)picture->height);
	for (int i = 0; i < picture->width * picture->height; i++) {
		if (!seen[i] && (picture->pixels[i] & 0xffffff) != BACKGROUND) {
			struct patch patch = { G_MAXINT, G_MAXINT, -1, -1, 0 };
			spread(picture, seen, i % picture->width, i / picture->width, &patch);
			g_array_append_val(patches, patch);
		}
	}
	return patches;
}

/* Whatever the layout: every number is a whole rectangle of its own, and none is lost unsaid. */
static void never_overlap(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(g_test_rand_int());
	for (int round = 0; round < 200; round++) {
		struct screen_rect frames[150];
		int count = g_rand_int_range(rand, 1, G_N_ELEMENTS(frames));
		for (int i = 0; i < count; i++) {
			int width = g_rand_int_range(rand, 1, round % 2 ? 30 : 400);
			int height = g_rand_int_range(rand, 1, round % 2 ? 20 : 200);
			frames[i] = (struct screen_rect){ 100 + g_rand_int_range(rand, 0, 800 - width),
				50 + g_rand_int_range(rand, 0, 600 - height), width, height };
		}
		bool half = round % 3 == 0;
		struct frame frame = { { 100, 50, 800, 600 }, half ? 400 : 800, half ? 300 : 600 };
		struct tree *tree = tree_of(frames, count);
		struct picture *picture = blank(frame.shot_width, frame.shot_height);
		struct marks marks = marks_draw(picture, &frame, tree);
		g_autoptr(GArray) patches = patches_of(picture);
		g_assert_cmpint(marks.drawn + marks.left_out, ==, count);
		g_assert_cmpint((int)patches->len, ==, marks.drawn);
		for (guint i = 0; i < patches->len; i++) {
			const struct patch *patch = &g_array_index(patches, struct patch, i);
			int width = patch->right - patch->left + 1, height = patch->bottom - patch->top + 1;
			g_assert_cmpint(height, ==, MARK_HEIGHT);
			g_assert_true(width == MARK_WIDTH(1) || width == MARK_WIDTH(2) || width == MARK_WIDTH(3));
			g_assert_cmpint(patch->size, ==, width * height);
		}
		picture_free(picture);
		tree_free(tree);
	}
}

static void copy_digit(const struct picture *picture, int left, int top, int place, uint32_t *out)
{
	for (int y = 0; y < MARK_HEIGHT - 2; y++) {
		memcpy(out + y * 7, picture->pixels + (top + 1 + y) * picture->width + left + 2 + place * 7,
			7 * sizeof *out);
	}
}

/* Each number is in its own element, and each digit always looks the same and like no other. */
static void digits_are_told_apart(void)
{
	struct screen_rect frames[120];
	uint32_t looks[10][7 * (MARK_HEIGHT - 2)] = { 0 };
	bool known[10] = { false };
	for (int i = 0; i < (int)G_N_ELEMENTS(frames); i++) {
		frames[i] = (struct screen_rect){ 100 + i % 12 * 66, 50 + i / 12 * 60, 60, 50 };
	}
	struct frame frame = { { 100, 50, 800, 600 }, 800, 600 };
	struct tree *tree = tree_of(frames, G_N_ELEMENTS(frames));
	struct picture *picture = blank(800, 600);
	struct marks marks = marks_draw(picture, &frame, tree);
	g_assert_cmpint(marks.drawn, ==, (int)G_N_ELEMENTS(frames));
	for (int i = 0; i < (int)G_N_ELEMENTS(frames); i++) {
		g_autofree char *text = g_strdup_printf("%d", i);
		/* There is room in the upper left corner. */
		int left = frames[i].x - 100, top = frames[i].y - 50;
		g_assert_cmpuint(picture->pixels[top * 800 + left] & 0xffffff, !=, BACKGROUND);
		for (int k = 0; text[k] != '\0'; k++) {
			uint32_t look[7 * (MARK_HEIGHT - 2)];
			int digit = text[k] - '0';
			copy_digit(picture, left, top, k, look);
			if (!known[digit]) {
				memcpy(looks[digit], look, sizeof look);
				known[digit] = true;
			}
			g_assert_true(memcmp(looks[digit], look, sizeof look) == 0);
		}
	}
	for (int a = 0; a < 10; a++) {
		g_assert_true(known[a]);
		for (int b = 0; b < a; b++) {
			g_assert_true(memcmp(looks[a], looks[b], sizeof looks[a]) != 0);
		}
	}
	picture_free(picture);
	tree_free(tree);
}

/* A check box is not hidden by its number. */
static void small_ones_stay_visible(void)
{
	const struct screen_rect frames[] = { { 300, 300, 14, 14 } };
	struct frame frame = { { 100, 50, 800, 600 }, 800, 600 };
	struct tree *tree = tree_of(frames, 1);
	struct picture *picture = blank(800, 600);
	struct marks marks = marks_draw(picture, &frame, tree);
	g_autoptr(GArray) patches = patches_of(picture);
	const struct patch *patch = &g_array_index(patches, struct patch, 0);
	g_assert_cmpint(marks.drawn, ==, 1);
	g_assert_true(patch->right < 200 || patch->left >= 214 || patch->bottom < 250 || patch->top >= 264);
	g_assert_true(patch->right > 180 && patch->left < 234 && patch->bottom > 230 && patch->top < 284);
	picture_free(picture);
	tree_free(tree);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/marks/overlap", never_overlap);
	g_test_add_func("/marks/digits", digits_are_told_apart);
	g_test_add_func("/marks/small", small_ones_stay_visible);
	return g_test_run();
}
