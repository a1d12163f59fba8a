/* SPDX-License-Identifier: MIT */
/*
 * The user's window lies over the agent's and never stays as it is: it moves, resizes, goes behind and in
 * front, changes its shape, closes and opens, while the agent clicks below it. Every click arrives once, where
 * it was meant, and nothing of the agent's reaches the user's window.
 */
#include <stdlib.h>
#include <string.h>
#include <xcb/shape.h>
#include <xcb/xinput.h>

#include "lab/oracle.h"

/* The masters that everybody has; all others are agents'. */
enum { CORE_POINTER = 2, CORE_KEYBOARD = 3 };

/* The restless window. Its thread is the only one on this connection. */
struct ghost {
	xcb_connection_t *x;
	xcb_window_t root, window;
	struct lab_rect over;    /* what it covers when it rests */
	guint32 random;
	gint stop;
	int changes, presses, moves, keys, crossings;
};

static guint32 roll(struct ghost *ghost, guint32 sides)
{
	ghost->random = ghost->random * 1664525u + 1013904223u;
	return (ghost->random >> 8) % sides;
}

static void open_window(struct ghost *ghost)
{
	const uint32_t values[] = { 0x336699, 1, XCB_EVENT_MASK_BUTTON_PRESS | XCB_EVENT_MASK_KEY_PRESS };
	struct {
		xcb_input_event_mask_t head;
		uint32_t mask;
	} wanted = { { XCB_INPUT_DEVICE_ALL_MASTER, 1 }, XCB_INPUT_XI_EVENT_MASK_BUTTON_PRESS |
		XCB_INPUT_XI_EVENT_MASK_BUTTON_RELEASE | XCB_INPUT_XI_EVENT_MASK_MOTION |
		XCB_INPUT_XI_EVENT_MASK_KEY_PRESS | XCB_INPUT_XI_EVENT_MASK_ENTER |
		XCB_INPUT_XI_EVENT_MASK_LEAVE };

	ghost->window = xcb_generate_id(ghost->x);
	xcb_create_window(ghost->x, XCB_COPY_FROM_PARENT, ghost->window, ghost->root, (int16_t)ghost->over.x,
		(int16_t)ghost->over.y, (uint16_t)ghost->over.width, (uint16_t)ghost->over.height, 0,
		XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT, XCB_CW_BACK_PIXEL |
		XCB_CW_OVERRIDE_REDIRECT | XCB_CW_EVENT_MASK, values);
	xcb_input_xi_select_events(ghost->x, ghost->window, 1, &wanted.head);
	xcb_map_window(ghost->x, ghost->window);
}

static void haunt(struct ghost *ghost)
{
	const uint32_t place[] = { (uint32_t)(ghost->over.x + (int)roll(ghost, 41) - 20),
		(uint32_t)(ghost->over.y + (int)roll(ghost, 41) - 20) };
	const uint32_t size[] = { (uint32_t)ghost->over.width - roll(ghost, 300),
		(uint32_t)ghost->over.height - roll(ghost, 200) };
	const uint32_t order = roll(ghost, 2) ? XCB_STACK_MODE_ABOVE : XCB_STACK_MODE_BELOW;
	const xcb_rectangle_t shape = { (int16_t)roll(ghost, 60), (int16_t)roll(ghost, 60),
		(uint16_t)(200 + roll(ghost, 400)), (uint16_t)(200 + roll(ghost, 300)) };

	switch (roll(ghost, 6)) {
	case 0:
		xcb_configure_window(ghost->x, ghost->window, XCB_CONFIG_WINDOW_X | XCB_CONFIG_WINDOW_Y, place);
		break;
	case 1:
		xcb_configure_window(ghost->x, ghost->window, XCB_CONFIG_WINDOW_WIDTH |
			XCB_CONFIG_WINDOW_HEIGHT, size);
		break;
	case 2:
		xcb_configure_window(ghost->x, ghost->window, XCB_CONFIG_WINDOW_STACK_MODE, &order);
		break;
	case 3:
		xcb_shape_rectangles(ghost->x, XCB_SHAPE_SO_SET, roll(ghost, 2) ? XCB_SHAPE_SK_INPUT :
			XCB_SHAPE_SK_BOUNDING, XCB_CLIP_ORDERING_UNSORTED, ghost->window, 0, 0, 1, &shape);
		break;
	case 4:
		xcb_shape_mask(ghost->x, XCB_SHAPE_SO_SET, XCB_SHAPE_SK_INPUT, ghost->window, 0, 0, XCB_NONE);
		xcb_shape_mask(ghost->x, XCB_SHAPE_SO_SET, XCB_SHAPE_SK_BOUNDING, ghost->window, 0, 0, XCB_NONE);
		break;
	default:
		xcb_destroy_window(ghost->x, ghost->window);
		open_window(ghost);
		break;
	}
	ghost->changes++;
}

static void take(struct ghost *ghost, const xcb_generic_event_t *event)
{
	const xcb_ge_generic_event_t *generic = (const void *)event;
	/* All of these begin alike. */
	const xcb_input_button_press_event_t *input = (const void *)event;

	if ((event->response_type & 0x7f) != XCB_GE_GENERIC || input->deviceid == CORE_POINTER ||
		input->deviceid == CORE_KEYBOARD) {
		return;
	}
	ghost->presses += generic->event_type == XCB_INPUT_BUTTON_PRESS ||
		generic->event_type == XCB_INPUT_BUTTON_RELEASE;
	ghost->moves += generic->event_type == XCB_INPUT_MOTION;
	ghost->keys += generic->event_type == XCB_INPUT_KEY_PRESS;
	ghost->crossings += generic->event_type == XCB_INPUT_ENTER || generic->event_type == XCB_INPUT_LEAVE;
}

static gpointer ghost_main(gpointer data)
{
	struct ghost *ghost = data;

	while (!g_atomic_int_get(&ghost->stop)) {
		xcb_generic_event_t *event;
		haunt(ghost);
		/* A turn of the server, so that changes come one by one, as from a person's window manager. */
		free(xcb_get_input_focus_reply(ghost->x, xcb_get_input_focus(ghost->x), NULL));
		while ((event = xcb_poll_for_event(ghost->x))) {
			take(ghost, event);
			free(event);
		}
		g_usleep(roll(ghost, 3000));
	}
	return NULL;
}

/* How many presses of the journal since a mark were there. */
static int presses_at(struct lab_harness *canvas, guint mark, int x, int y)
{
	g_autofree char *start = g_strdup_printf("press of 1 at %d,%d in the window", x, y);
	int count = 0;

	lab_journal_count(canvas, mark, "kind", "note", NULL);
	for (guint i = mark; i < canvas->lines->len; i++) {
		const char *text = json_string_value(json_object_get(canvas->lines->pdata[i], "text"));
		count += text && g_str_has_prefix(text, start);
	}
	return count;
}

static void restless(struct lab_desk *desk)
{
	struct lab_harness *canvas = lab_harness_start(desk, "canvas", NULL);
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_rect at = lab_x_bounds(desk, canvas->window);
	struct ghost ghost = { .x = xcb_connect(desk->display, NULL), .root = desk->root, .random = 20261116,
		.over = { at.x - 40, at.y - 40, at.width + 80, at.height + 80 } };

	lab_assert(!xcb_connection_has_error(ghost.x));
	free(xcb_input_xi_query_version_reply(ghost.x, xcb_input_xi_query_version(ghost.x, 2, 2), NULL));
	open_window(&ghost);
	xcb_flush(ghost.x);
	lab_call_ok(driver, "screenshot", "{\"window_id\":%u,\"max_image_dimension\":0}", canvas->window);
	GThread *thread = g_thread_new("ghost", ghost_main, &ghost);
	int clicks = 0, refused = 0;
	struct ghost dice = { .random = 7 };
	for (int i = 0; i < 120; i++) {
		int x = 10 + (int)roll(&dice, 600), y = 10 + (int)roll(&dice, 440);
		guint mark = lab_journal_mark(canvas);
		struct lab_answer answer = lab_call(driver, "click", "{\"window_id\":%u,\"x\":%d,\"y\":%d}",
			canvas->window, x, y);
		if (answer.is_error) {
			/* It may say that it could not; then it did not. */
			lab_assert_str(lab_str(answer.structured, "delivery"), "none");
			refused++;
			continue;
		}
		if (!lab_journal_find(canvas, mark, 10000, "kind", "event", "type", "button_release", NULL)) {
			lab_fail("click %d at %d,%d did not arrive", i, x, y);
		}
		/* The user's pointer is at one place: there it is clicked beside it. */
		lab_assert_int(presses_at(canvas, mark, x, y) + presses_at(canvas, mark, x, y + 1) +
			presses_at(canvas, mark, x, y - 1), 1);
		clicks++;
	}
	g_atomic_int_set(&ghost.stop, 1);
	g_thread_join(thread);
	lab_note("%d clicks, %d refused, %d changes; at the user's window: %d presses, %d motions, %d keys, "
		"%d crossings", clicks, refused, ghost.changes, ghost.presses, ghost.moves, ghost.keys,
		ghost.crossings);
	lab_assert(clicks > 100);
	lab_assert_int(ghost.presses, 0);
	lab_assert_int(ghost.keys, 0);
	lab_assert_int(ghost.moves, 0);
	/*
	 * Not the crossings: for the time in which a click may open a menu nobody holds our pointer, or no menu could take
	 * it, and a window that is moved to where it rests hears that it is there.
	 */
	lab_driver_stop(driver);
}

static const struct lab_test tests[] = {
	{ .name = "restless", .run = restless, .servers = LAB_XVFB, .wms = "openbox", .timeout = 180,
	  .about = "A window that covers the target and changes all the time gets nothing of the agent's." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
