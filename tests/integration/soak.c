/* SPDX-License-Identifier: MIT */
/*
 * Random gestures of four sessions in two drivers at the same time, each in a window of its own below a user
 * who works. Every one arrives once and where it was meant; the user's work is not touched; nothing is left behind.
 * $LAB_SOAK: how many (200; tests/soak/pointer: 5000), $LAB_SEED: of the dice.
 */
#include <stdlib.h>
#include <string.h>

#include "lab/oracle.h"

enum { DRIVERS = 2, PLAYERS = 4 };

enum gesture { CLICK, MIDDLE, RIGHT, DOUBLE, SHIFT, HOVER, SCROLL, DRAG, GESTURES };

/* What of the journal a gesture must leave, and how often. */
static const struct {
	const char *name, *tool, *type, *detail;
	int count;               /* 0: as many as were asked for */
} gestures[GESTURES] = {
	[CLICK] = { "click", "click", "button_press", "1", 1 },
	[MIDDLE] = { "middle click", "click", "button_press", "2", 1 },
	[RIGHT] = { "right click", "right_click", "button_press", "3", 1 },
	[DOUBLE] = { "double click", "double_click", "button_press", "1", 2 },
	[SHIFT] = { "click with shift", "click", "button_press", "1", 1 },
	[HOVER] = { "hover", "move_cursor", "motion", "", 1 },
	[SCROLL] = { "scroll", "scroll", "scroll", "down", 0 },
	[DRAG] = { "drag", "drag", "button_release", "1", 1 },
};

/* One session with its window. */
struct player {
	char session[8];
	struct lab_driver *driver;
	struct lab_harness *canvas;
	struct lab_rect at;
	guint mark;              /* of its journal, before the gesture */
	int id;                  /* of the running call */
	enum gesture gesture;
	int x, y, to_x, to_y, amount;
	int presses;             /* its window must have heard of by now */
};

static guint32 dice;

static int roll(int sides)
{
	dice = dice * 1664525u + 1013904223u;
	return (int)((dice >> 8) % (guint32)sides);
}

static char *arguments(const struct player *player)
{
	char *point = g_strdup_printf("\"x\":%d,\"y\":%d", player->x, player->y);

	switch (player->gesture) {
	case MIDDLE:
		return g_strconcat(point, ",\"button\":\"middle\"", NULL);
	case SHIFT:
		return g_strconcat(point, ",\"modifier\":[\"shift\"]", NULL);
	case SCROLL:
		return g_strdup_printf("%s,\"direction\":\"down\",\"amount\":%d", point, player->amount);
	case DRAG:
		return g_strdup_printf("\"from_x\":%d,\"from_y\":%d,\"to_x\":%d,\"to_y\":%d,\"steps\":4,"
			"\"duration_ms\":8", player->x, player->y, player->to_x, player->to_y);
	default:
		return point;
	}
}

static void begin(struct player *player)
{
	player->gesture = roll(GESTURES);
	player->x = 10 + roll(600);
	player->y = 10 + roll(440);
	player->to_x = 10 + roll(600);
	player->to_y = 10 + roll(440);
	player->amount = 1 + roll(5);
	player->mark = lab_journal_mark(player->canvas);
	g_autofree char *rest = arguments(player);
	player->id = lab_send_call(player->driver, gestures[player->gesture].tool,
		"{\"session\":\"%s\",\"window_id\":%u,%s}", player->session, player->canvas->window, rest);
}

/* How many lines of the journal since the gesture began are what it must leave, there. */
static int count(struct player *player, int x, int y)
{
	int found = 0;

	lab_journal_count(player->canvas, player->mark, "kind", "event", NULL);
	for (guint i = player->mark; i < player->canvas->lines->len; i++) {
		const json_t *line = player->canvas->lines->pdata[i];
		const char *type = json_string_value(json_object_get(line, "type"));
		const char *detail = json_string_value(json_object_get(line, "detail"));
		if (g_strcmp0(type, gestures[player->gesture].type) != 0 ||
			g_strcmp0(detail, gestures[player->gesture].detail) != 0) {
			continue;
		}
		/* A pixel beside it where the user's pointer is. */
		found += json_integer_value(json_object_get(line, "x")) == player->at.x + x &&
			llabs(json_integer_value(json_object_get(line, "y")) - (player->at.y + y)) <= 1;
	}
	return found;
}

static void finish(struct player *player)
{
	struct lab_answer answer = lab_answer_of(player->driver, lab_wait_id(player->driver, player->id, 20000));
	enum gesture gesture = player->gesture;
	int wanted = gestures[gesture].count ? gestures[gesture].count : player->amount;
	int x = gesture == DRAG ? player->to_x : player->x, y = gesture == DRAG ? player->to_y : player->y;
	gint64 end = lab_deadline(10000);

	if (answer.is_error) {
		lab_fail("%s: %s", gestures[gesture].name, lab_json(answer.structured));
	}
	lab_assert_int(json_array_size(lab_array(answer.structured, "disturbed")), 0);
	while (count(player, x, y) < wanted && lab_left(end) > 0) {
		/* Waits for whatever it hears next. */
		lab_journal_find(player->canvas, player->canvas->lines->len, MIN(lab_left(end), 1000), "kind",
			"event", NULL);
	}
	int found = count(player, x, y);
	/* The pointer is brought to the point as often as it likes; what is pressed is pressed once. */
	if (gesture == HOVER ? found < 1 : found != wanted) {
		lab_journal_note(player->canvas, 12);
		lab_fail("%s at %d,%d of session %s: %d of %d", gestures[gesture].name, x, y, player->session, found,
			wanted);
	}
	player->presses += gesture == DOUBLE ? 2 : gesture == HOVER || gesture == SCROLL ? 0 : 1;
}

/* All presses that were ever heard in the window are those that were asked for. */
static void must_be_all(struct player *player)
{
	lab_assert_int(lab_journal_count(player->canvas, 0, "kind", "event", "type", "button_press", NULL),
		player->presses);
	lab_assert_int(lab_journal_count(player->canvas, 0, "kind", "event", "type", "button_release", NULL),
		player->presses);
}

static void pointers(struct lab_desk *desk)
{
	int actions = g_getenv("LAB_SOAK") ? atoi(g_getenv("LAB_SOAK")) : 200;
	struct lab_driver *drivers[DRIVERS];
	struct player players[PLAYERS] = { 0 };

	dice = g_getenv("LAB_SEED") ? (guint32)strtoul(g_getenv("LAB_SEED"), NULL, 10) : 20261116;
	lab_note("%d gestures, seed %u", actions, dice);
	for (int i = 0; i < PLAYERS; i++) {
		players[i].canvas = lab_harness_start(desk, "canvas",
			LAB_ARGV("--title-suffix", (const char *[]){ "A", "B", "C", "D" }[i]));
		players[i].at = lab_x_bounds(desk, players[i].canvas->window);
	}
	struct lab_sentinel *sentinel = lab_sentinel_open(desk, "1200x760+0+0");
	char *before = lab_traces_read(desk);
	for (int i = 0; i < DRIVERS; i++) {
		drivers[i] = lab_driver_start(desk);
	}
	for (int i = 0; i < PLAYERS; i++) {
		g_snprintf(players[i].session, sizeof players[i].session, "s%d", i);
		players[i].driver = drivers[i % DRIVERS];
		lab_call_ok(players[i].driver, "screenshot", "{\"session\":\"%s\",\"window_id\":%u}",
			players[i].session, players[i].canvas->window);
	}
	lab_sentinel_start(sentinel);
	for (int done = 0; done < actions; done += PLAYERS) {
		for (int i = 0; i < PLAYERS; i++) {
			begin(&players[i]);
		}
		for (int i = 0; i < PLAYERS; i++) {
			finish(&players[i]);
		}
	}
	lab_sentinel_types(sentinel, 4);
	struct lab_verdict verdict = lab_sentinel_stop(sentinel);
	if (!verdict.held) {
		lab_fail("the user noticed: %s", verdict.text);
	}
	for (int i = 0; i < PLAYERS; i++) {
		must_be_all(&players[i]);
	}
	for (int i = 0; i < DRIVERS; i++) {
		lab_driver_stop(drivers[i]);
	}
	lab_traces_until(desk, before, "nothing is left behind");
}

static const struct lab_test tests[] = {
	{ .name = "pointers", .run = pointers, .servers = LAB_XVFB, .wms = "openbox", .timeout = 1800,
	  .about = "Four sessions in two drivers at once, below a user who works." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
