/* SPDX-License-Identifier: MIT */
/* The driver's word beside the application's. */
#include <math.h>
#include <string.h>

#include "coords.h"

/* How often an application that moves its widgets meanwhile is looked at. */
#define TRIES 8
/* Less of an element than this, on a side, nobody aims at. */
#define LEAST_PX 2

/* A place on the screen of what a box shows in its window. */
static bool place_of(struct lab_desk *desk, const struct coords_box *box, double *x, double *y,
	double *right, double *bottom)
{
	struct lab_rect window = lab_x_bounds(desk, box->window);

	*x = fmax(box->seen.x, 0) + window.x;
	*y = fmax(box->seen.y, 0) + window.y;
	*right = fmin(box->seen.x + box->seen.width, window.width) + window.x;
	*bottom = fmin(box->seen.y + box->seen.height, window.height) + window.y;
	return box->mapped && box->window && lab_x_viewable(desk, box->window)
		&& *right - *x >= LEAST_PX && *bottom - *y >= LEAST_PX;
}

static bool same_box(const struct coords_box *a, const struct coords_box *b)
{
	return b && a->window == b->window && a->mapped == b->mapped
		&& memcmp(&a->x, &b->x, 4 * sizeof a->x) == 0
		&& memcmp(&a->seen, &b->seen, sizeof a->seen) == 0;
}

static bool same_boxes(GHashTable *a, GHashTable *b)
{
	GHashTableIter iter;
	gpointer path, box;

	g_hash_table_iter_init(&iter, a);
	while (g_hash_table_iter_next(&iter, &path, &box)) {
		if (!same_box(box, g_hash_table_lookup(b, path))) {
			return false;
		}
	}
	return g_hash_table_size(a) == g_hash_table_size(b);
}

static void judge_one(struct lab_desk *desk, struct lab_rect window, const json_t *element,
	const struct coords_box *box, struct coords_count *count)
{
	double x = 0, y = 0, right = 0, bottom = 0;
	bool shown = place_of(desk, box, &x, &y, &right, &bottom);
	const char *role = lab_str(element, "role"),
		   *label = json_string_value(json_object_get(element, "label"));
	const json_t *at = json_object_get(element, "at");

	if (json_is_object(at)) {
		double px = window.x + (double)lab_int(at, "x") + 0.5,
		       py = window.y + (double)lab_int(at, "y") + 0.5;

		if (shown && px >= x && px < right && py >= y && py < bottom) {
			count->right++;
			return;
		}
		count->wrong++;
		lab_note("WRONG %s \"%s\" (%s): at %g,%g, it is at %g,%g to %g,%g%s", role,
			label ? label : "", box->style, px - window.x, py - window.y, x - window.x,
			y - window.y, right - window.x, bottom - window.y,
			shown ? "" : ", and not shown");
	} else if (shown && box->reached && x < window.x + window.width
		&& y < window.y + window.height && right > window.x && bottom > window.y) {
		count->withheld++;
		lab_note("withheld %s \"%s\" (%s): it is at %g,%g to %g,%g%s", role,
			label ? label : "", box->style, x - window.x, y - window.y,
			right - window.x, bottom - window.y,
			json_is_true(json_object_get(element, "place_unknown"))
				? ""
				: ", and not said to be unknown");
	}
}

/* Looks at one of the application's windows; what is in another one is not in its picture. */
static void judge_window(struct lab_desk *desk, struct lab_driver *driver,
	const struct coords_app *app, xcb_window_t id, struct coords_count *count)
{
	for (int i = 0; i < TRIES; i++) {
		GHashTable *before = coords_boxes(app);
		struct lab_answer answer = lab_call_ok(driver, "get_window_state",
			"{\"window_id\":%u,\"max_image_dimension\":0}", id);
		GHashTable *after = coords_boxes(app);
		struct lab_rect window = lab_x_bounds(desk, id);
		json_t *element;
		size_t number;

		if (!same_boxes(before, after) && i < TRIES - 1) {
			continue;
		}
		json_array_foreach(lab_array(answer.structured, "elements"), number, element) {
			const struct coords_box *box = g_hash_table_lookup(
				before, lab_str(element, "object"));

			if (box
				&& same_box(
					box, g_hash_table_lookup(after, lab_str(element, "object")))
				&& (box->window == id
					|| json_is_object(json_object_get(element, "at")))) {
				judge_one(desk, window, element, box, count);
			}
		}
		break;
	}
}

struct coords_count coords_judge(
	struct lab_desk *desk, struct lab_driver *driver, const struct coords_app *app)
{
	struct coords_count count = { 0 };
	g_autoptr(GHashTable) windows = g_hash_table_new(NULL, NULL);
	GHashTableIter iter;
	gpointer box, id;

	/* Its first window, and those of open popovers. */
	g_hash_table_iter_init(&iter, coords_boxes(app));
	while (g_hash_table_iter_next(&iter, NULL, &box)) {
		const struct coords_box *one = box;

		if (one->mapped && one->window && lab_x_viewable(desk, one->window)) {
			g_hash_table_add(windows, GUINT_TO_POINTER(one->window));
		}
	}
	g_hash_table_iter_init(&iter, windows);
	while (g_hash_table_iter_next(&iter, &id, NULL)) {
		judge_window(desk, driver, app, GPOINTER_TO_UINT(id), &count);
	}
	return count;
}
