/* SPDX-License-Identifier: MIT */
/*
 * The user's window lies over the agent's and never stays as it is: it moves, resizes, goes behind and in
 * front, changes its shape, closes and opens, while the agent works below it. Every press arrives once, where it
 * was meant, and nothing of the agent's reaches the user's window: it does not even hear that a pointer came.
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

static void take_all(struct ghost *ghost)
{
	xcb_generic_event_t *event;

	/* A turn of the server, so that changes come one by one, as from a person's window manager. */
	free(xcb_get_input_focus_reply(ghost->x, xcb_get_input_focus(ghost->x), NULL));
	while ((event = xcb_poll_for_event(ghost->x))) {
		take(ghost, event);
		free(event);
	}
}

static gpointer ghost_main(gpointer data)
{
	struct ghost *ghost = data;

	while (!g_atomic_int_get(&ghost->stop)) {
		haunt(ghost);
		take_all(ghost);
		g_usleep(roll(ghost, 3000));
	}
	return NULL;
}

/* How many presses of the journal since a mark were there. */
static int presses_at(struct lab_harness *canvas, guint mark, int button, int x, int y)
{
	g_autofree char *start = g_strdup_printf("press of %d at %d,%d in the window", button, x, y);
	int count = 0;

	lab_journal_count(canvas, mark, "kind", "note", NULL);
	for (guint i = mark; i < canvas->lines->len; i++) {
		const char *text = json_string_value(json_object_get(canvas->lines->pdata[i], "text"));
		count += text && g_str_has_prefix(text, start);
	}
	return count;
}

/* What is done in turn, what the target then hears, and the button of it; 0: none. */
static const struct {
	const char *tool, *more, *heard;
	int button;
} gestures[] = {
	{ "click", "", "button_release", 1 },
	{ "right_click", "", "button_release", 3 },
	{ "move_cursor", "", "motion", 0 },
	{ "scroll", ",\"direction\":\"down\",\"amount\":1", "scroll", 0 },
	{ "click", ",\"button\":\"middle\"", "button_release", 2 },
};

static struct ghost ghost_new(struct lab_desk *desk, struct lab_rect over)
{
	struct ghost ghost = { .x = xcb_connect(desk->display, NULL), .root = desk->root, .random = 20261116, .over = over };

	lab_assert(!xcb_connection_has_error(ghost.x));
	free(xcb_input_xi_query_version_reply(ghost.x, xcb_input_xi_query_version(ghost.x, 2, 2), NULL));
	open_window(&ghost);
	take_all(&ghost);
	return ghost;
}

static void check_ghost(const struct ghost *ghost)
{
	lab_note("%d changes; at the user's window: %d presses, %d motions, %d keys, %d crossings", ghost->changes,
		ghost->presses, ghost->moves, ghost->keys, ghost->crossings);
	lab_assert_int(ghost->presses, 0);
	lab_assert_int(ghost->keys, 0);
	lab_assert_int(ghost->moves, 0);
	lab_assert_int(ghost->crossings, 0);
}

/* So many gestures below the ghost; each arrives once, or is refused. Says how many arrived. */
static int work(struct lab_driver *driver, struct lab_harness *canvas, int count)
{
	struct ghost dice = { .random = 7 };
	int done = 0;

	lab_call_ok(driver, "screenshot", "{\"window_id\":%u,\"max_image_dimension\":0}", canvas->window);
	for (int i = 0; i < count; i++) {
		int kind = i % (int)G_N_ELEMENTS(gestures), button = gestures[kind].button;
		int x = 10 + (int)roll(&dice, 600), y = 10 + (int)roll(&dice, 440);
		guint mark = lab_journal_mark(canvas);
		struct lab_answer answer = lab_call(driver, gestures[kind].tool,
			"{\"window_id\":%u,\"x\":%d,\"y\":%d%s}", canvas->window, x, y, gestures[kind].more);
		if (answer.is_error) {
			/* It may say that it could not; then it did not. */
			lab_assert_str(lab_str(answer.structured, "delivery"), "none");
			continue;
		}
		if (!lab_journal_find(canvas, mark, 10000, "kind", "event", "type", gestures[kind].heard, NULL)) {
			lab_fail("%s %d at %d,%d did not arrive", gestures[kind].tool, i, x, y);
		}
		/* The user's pointer is at one place: there it is clicked beside it. */
		lab_assert_int(presses_at(canvas, mark, button, x, y) + presses_at(canvas, mark, button, x, y + 1) +
			presses_at(canvas, mark, button, x, y - 1), button != 0);
		done++;
		if (i % 12 == 11) {
			/* So long that a pointer which no menu took is put away, of which nobody tells. */
			g_usleep(600 * 1000);
		}
	}
	lab_note("%d of %d gestures arrived", done, count);
	return done;
}

static void restless(struct lab_desk *desk)
{
	struct lab_harness *canvas = lab_harness_start(desk, "canvas", NULL);
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_rect at = lab_x_bounds(desk, canvas->window);
	struct ghost ghost = ghost_new(desk, (struct lab_rect){ at.x - 40, at.y - 40, at.width + 80, at.height + 80 });
	GThread *thread = g_thread_new("ghost", ghost_main, &ghost);

	lab_assert(work(driver, canvas, 120) > 100);
	/* Its pointer goes while the window is as restless as before. */
	lab_driver_stop(driver);
	g_atomic_int_set(&ghost.stop, 1);
	g_thread_join(thread);
	check_ghost(&ghost);
}

/* There is no place left where our pointer could be without being over a window of the user's; one alone would lock. */
static void everywhere(struct lab_desk *desk)
{
	struct lab_harness *canvas = lab_harness_start(desk, "canvas", NULL);
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_rect screen = lab_x_bounds(desk, desk->root);
	struct ghost ghosts[] = { ghost_new(desk, (struct lab_rect){ 0, 0, screen.width - 9, screen.height }),
		ghost_new(desk, (struct lab_rect){ screen.width - 9, 0, 9, screen.height }) };

	lab_assert_int(work(driver, canvas, 25), 25);
	lab_driver_stop(driver);
	for (gsize i = 0; i < G_N_ELEMENTS(ghosts); i++) {
		take_all(&ghosts[i]);
		check_ghost(&ghosts[i]);
	}
}

static const struct lab_test tests[] = {
	{ .name = "restless", .run = restless, .servers = LAB_XVFB, .wms = "openbox", .timeout = 180,
	  .about = "A window that covers the target and changes all the time gets nothing of the agent's." },
	{ .name = "everywhere", .run = everywhere, .servers = LAB_XVFB, .wms = "openbox",
	  .about = "Nor do windows that cover the whole screen." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
