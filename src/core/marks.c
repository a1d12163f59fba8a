/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/marks.h"

#include <stdio.h>
#include <string.h>

#include "core/sight.h"

#define GLYPH_WIDTH 6
#define GLYPH_HEIGHT 9
#define INK 0x000000
#define PAPER 0xffe100
#define EDGE 0x000000

/* 0 to 9, a byte a row, the leftmost of six pixels in bit 5. */
static const uint8_t glyphs[10][GLYPH_HEIGHT] = {
	{ 0x1e, 0x3f, 0x33, 0x33, 0x33, 0x33, 0x33, 0x3f, 0x1e },
	{ 0x0c, 0x1c, 0x3c, 0x0c, 0x0c, 0x0c, 0x0c, 0x3f, 0x3f },
	{ 0x1e, 0x3f, 0x33, 0x03, 0x06, 0x0c, 0x18, 0x3f, 0x3f },
	{ 0x3e, 0x3f, 0x03, 0x03, 0x1e, 0x03, 0x03, 0x3f, 0x3e },
	{ 0x06, 0x0e, 0x1e, 0x36, 0x36, 0x3f, 0x3f, 0x06, 0x06 },
	{ 0x3f, 0x3f, 0x30, 0x3e, 0x3f, 0x03, 0x03, 0x3f, 0x3e },
	{ 0x0e, 0x1e, 0x38, 0x30, 0x3e, 0x3f, 0x33, 0x3f, 0x1e },
	{ 0x3f, 0x3f, 0x03, 0x06, 0x06, 0x0c, 0x0c, 0x18, 0x18 },
	{ 0x1e, 0x3f, 0x33, 0x33, 0x1e, 0x33, 0x33, 0x3f, 0x1e },
	{ 0x1e, 0x3f, 0x33, 0x3f, 0x1f, 0x03, 0x07, 0x1e, 0x1c },
};

/* A rectangle of the picture. */
struct box {
	int x, y, width, height;
};

static bool overlap(const struct box *a, const struct box *b)
{
	/* A pixel between them, so that they are not read as one. */
	return a->x <= b->x + b->width && b->x <= a->x + a->width
		&& a->y <= b->y + b->height && b->y <= a->y + a->height;
}

static bool is_free(const struct picture *picture, const GArray *taken, const struct box *box)
{
	if (box->x < 0 || box->y < 0 || box->x + box->width > picture->width
		|| box->y + box->height > picture->height) {
		return false;
	}
	for (guint i = 0; i < taken->len; i++) {
		if (overlap(box, &g_array_index(taken, struct box, i))) {
			return false;
		}
	}
	return true;
}

/* Finds a place for a mark of that size: in a corner of the element, or, if it is small, beside it first. */
static bool find_place(const struct picture *picture, const GArray *taken, const struct box *element,
	struct box *mark)
{
	int left = element->x, right = element->x + element->width - mark->width;
	int top = element->y, bottom = element->y + element->height - mark->height;
	int middle = element->y + (element->height - mark->height) / 2;
	const struct box inside[] = {
		{ left, top, 0, 0 }, { right, top, 0, 0 }, { left, bottom, 0, 0 }, { right, bottom, 0, 0 },
		{ left, middle, 0, 0 }, { right, middle, 0, 0 },
	};
	const struct box beside[] = {
		{ left - mark->width - 1, middle, 0, 0 }, { left, top - mark->height - 1, 0, 0 },
		{ right + mark->width + 1, middle, 0, 0 }, { left, bottom + mark->height + 1, 0, 0 },
	};
	/* What a number would cover to more than a third cannot be seen any more. */
	bool small = element->width < 2 * mark->width || element->height < mark->height
		|| element->width * element->height < 3 * mark->width * mark->height;
	for (gsize i = 0; i < G_N_ELEMENTS(inside) + G_N_ELEMENTS(beside); i++) {
		gsize first = small ? G_N_ELEMENTS(beside) : G_N_ELEMENTS(inside);
		bool in = small ? i >= first : i < first;
		const struct box *at = in ? &inside[small ? i - first : i] : &beside[small ? i : i - first];
		mark->x = at->x;
		mark->y = at->y;
		if (is_free(picture, taken, mark)) {
			return true;
		}
	}
	/* Somewhere in it, along its upper part first. */
	for (mark->y = top; mark->y <= bottom; mark->y += mark->height + 1) {
		for (mark->x = left; mark->x <= right; mark->x += mark->width + 1) {
			if (is_free(picture, taken, mark)) {
				return true;
			}
		}
	}
	return false;
}

static void fill(struct picture *picture, struct box box, uint32_t colour)
{
	for (int y = box.y; y < box.y + box.height; y++) {
		for (int x = box.x; x < box.x + box.width; x++) {
			picture->pixels[(gsize)y * (gsize)picture->width + (gsize)x] = colour;
		}
	}
}

static void draw(struct picture *picture, const struct box *mark, const char *digits)
{
	fill(picture, *mark, EDGE);
	fill(picture, (struct box){ mark->x + 1, mark->y + 1, mark->width - 2, mark->height - 2 }, PAPER);
	for (int i = 0; digits[i] != '\0'; i++) {
		int left = mark->x + 2 + i * (GLYPH_WIDTH + 1), top = mark->y + 2;
		for (int y = 0; y < GLYPH_HEIGHT; y++) {
			for (int x = 0; x < GLYPH_WIDTH; x++) {
				if (glyphs[digits[i] - '0'][y] >> (GLYPH_WIDTH - 1 - x) & 1) {
					fill(picture, (struct box){ left + x, top + y, 1, 1 }, INK);
				}
			}
		}
	}
}

struct wanted {
	int index;
	struct box element;
};

/* The small ones first: they have the fewest places for their number. */
static int by_size(const void *a, const void *b)
{
	const struct wanted *one = a, *other = b;
	gint64 first = (gint64)one->element.width * one->element.height;
	gint64 second = (gint64)other->element.width * other->element.height;
	return first != second ? (first < second ? -1 : 1) : one->index - other->index;
}

static GArray *collect(const struct frame *frame, const struct tree *tree)
{
	g_autofree struct sight *sights = sight_of(tree, frame->window);
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct wanted));
	for (guint i = 0; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		if (element->index < 0 || !sights[i].visible) {
			continue;
		}
		struct screen_rect seen = screen_rect_intersect(element->frame, sights[i].seen);
		struct shot_px first = frame_screen_to_shot(frame, (struct screen_px){ seen.x, seen.y });
		struct shot_px last = frame_screen_to_shot(frame,
			(struct screen_px){ seen.x + seen.width - 1, seen.y + seen.height - 1 });
		struct wanted wanted = { element->index,
			{ first.x, first.y, last.x - first.x + 1, last.y - first.y + 1 } };
		g_array_append_val(all, wanted);
	}
	g_array_sort(all, by_size);
	return all;
}

struct marks marks_draw(struct picture *picture, const struct frame *frame, const struct tree *tree)
{
	struct marks marks = { 0 };
	g_autoptr(GArray) all = collect(frame, tree);
	g_autoptr(GArray) taken = g_array_new(FALSE, FALSE, sizeof(struct box));
	for (guint i = 0; i < all->len; i++) {
		const struct wanted *wanted = &g_array_index(all, struct wanted, i);
		char digits[16];
		int count = snprintf(digits, sizeof digits, "%d", wanted->index);
		struct box mark = { 0, 0, MARK_WIDTH(count), MARK_HEIGHT };
		if (!find_place(picture, taken, &wanted->element, &mark)) {
			marks.left_out++;
			continue;
		}
		draw(picture, &mark, digits);
		g_array_append_val(taken, mark);
		marks.drawn++;
	}
	return marks;
}
