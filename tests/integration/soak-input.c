/* SPDX-License-Identifier: MIT */
/*
 * Random gestures and keys of four sessions in two drivers at the same time, below a user who works, while the drivers
 * are killed at random moments. What was answered arrived once, in order and where it was meant; what was in flight when
 * its driver died arrived as far as it came, and never twice. The user's work is not touched, and afterwards devices,
 * shapes, key map, pressed keys and grabs are as before.
 * $LAB_SOAK: how many (80; tests/soak/input: 10000), $LAB_SEED: of the dice.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "lab/oracle.h"

enum { DRIVERS = 2, PLAYERS = 4, EVENTS = 64, PENDING = 16 };

/* On a machine that does many other things. */
#define SOON 30000

enum deed { CLICK, MIDDLE, RIGHT, DOUBLE, SHIFT, HOVER, SCROLL, DRAG, TEXT, KEY, HOTKEY, DEEDS };

static const char *const deed_names[DEEDS] = {
	"click", "middle click", "right click", "double click", "click with shift", "hover", "scroll", "drag",
	"text", "key", "shortcut",
};

/* One thing that an application hears. */
struct event {
	char type[16], detail[24];
	int x, y;                /* on the screen; -1: a key has no place */
};

struct act {
	enum deed deed;
	int x, y;                /* on the screen */
	struct event events[EVENTS];
	int count;
	bool lost;               /* its driver died: only the beginning of it need have come */
};

/* One session with its window. */
struct player {
	const char *harness_name;
	char session[8];
	int seat;                /* of its driver */
	struct lab_harness *harness;
	struct lab_rect bounds, area; /* of its window; what of it may be pressed, on the screen */
	guint mark;              /* of its journal: what came before it has been judged */
	struct act acts[PENDING]; /* not judged yet, in order */
	int pending;
	int owed;                /* buttons that a dead driver pressed and its guardian has to let go */
	int id;                  /* of the running call */
	bool asked;
};

struct soak {
	struct lab_desk *desk;
	struct lab_driver *drivers[DRIVERS];
	struct player players[PLAYERS];
	int done, lost, kills;
	int partly;              /* of those lost: something of them came */
};

static guint32 dice;

static int roll(int sides)
{
	dice = dice * 1664525u + 1013904223u;
	return (int)((dice >> 8) % (guint32)sides);
}

/* --- What is done, and what has to come of it ------------------------------------------------------ */

static void expect(struct act *act, const char *type, const char *detail, int x, int y)
{
	struct event *event = &act->events[act->count++];

	lab_assert(act->count < EVENTS);
	*event = (struct event){ .x = x, .y = y };
	g_strlcpy(event->type, type, sizeof event->type);
	g_strlcpy(event->detail, detail, sizeof event->detail);
}

static void expect_click(struct act *act, const char *button, int x, int y, int to_x, int to_y)
{
	expect(act, "button_press", button, x, y);
	expect(act, "button_release", button, to_x, to_y);
}

/* Symbols by their characters and by the names that journals have for them. */
static const struct {
	const char *text, *name;
} symbols[] = {
	{ "a", "a" }, { "k", "k" }, { "z", "z" }, { "Q", "Q" }, { "M", "M" }, { "3", "3" }, { "9", "9" },
	{ "-", "minus" }, { "%", "percent" }, { "_", "underscore" },
	/* No key of a US keyboard has these; a bare X window does not follow the key map. */
	{ "é", "eacute" }, { "ß", "ssharp" }, { "Ж", "Cyrillic_ZHE" }, { "€", "EuroSign" }, { "ñ", "ntilde" },
};
enum { PLAIN = 10 };

static char *make_text(const struct player *player, struct act *act)
{
	bool plain = g_str_equal(player->harness_name, "canvas");
	GString *text = g_string_new("\"text\":\"");

	for (int i = 1 + roll(24); i > 0; i--) {
		int at = roll(plain ? PLAIN : (int)G_N_ELEMENTS(symbols));

		g_string_append(text, symbols[at].text);
		expect(act, "key_press", symbols[at].name, -1, -1);
	}
	return g_string_free(g_string_append_c(text, '"'), FALSE);
}

static char *make_key(struct act *act, bool shortcut)
{
	static const struct {
		const char *name, *journal;
	} keys[] = { { "Left", "Left" }, { "End", "End" }, { "b", "b" }, { "Delete", "Delete" }, { "F9", "F9" } };
	int at = roll((int)G_N_ELEMENTS(keys));

	expect(act, "key_press", keys[at].journal, -1, -1);
	return shortcut ? g_strdup_printf("\"keys\":[\"ctrl\",\"%s\"]", keys[at].name)
		: g_strdup_printf("\"key\":\"%s\"", keys[at].name);
}

/* Rolls what is done next, notes what has to come of it, and returns the arguments of the call. */
static char *make_act(struct player *player, struct act *act)
{
	int x = player->area.x + roll(player->area.width), y = player->area.y + roll(player->area.height);
	int to_x = player->area.x + roll(player->area.width), to_y = player->area.y + roll(player->area.height);
	int amount = 1 + roll(5), left = x - player->bounds.x, top = y - player->bounds.y;

	*act = (struct act){ .deed = (enum deed)roll(DEEDS), .x = x, .y = y };
	switch (act->deed) {
	case TEXT:
		return make_text(player, act);
	case KEY:
	case HOTKEY:
		return make_key(act, act->deed == HOTKEY);
	case DRAG:
		expect_click(act, "1", x, y, to_x, to_y);
		return g_strdup_printf("\"from_x\":%d,\"from_y\":%d,\"to_x\":%d,\"to_y\":%d,\"steps\":4,\"duration_ms\":8",
			left, top, to_x - player->bounds.x, to_y - player->bounds.y);
	case SCROLL:
		for (int i = 0; i < amount; i++) {
			expect(act, "scroll", "down", x, y);
		}
		return g_strdup_printf("\"x\":%d,\"y\":%d,\"direction\":\"down\",\"amount\":%d", left, top, amount);
	case DOUBLE:
		expect_click(act, "1", x, y, x, y);
		break;
	case HOVER:
		return g_strdup_printf("\"x\":%d,\"y\":%d", left, top);
	default:
		break;
	}
	expect_click(act, act->deed == MIDDLE ? "2" : act->deed == RIGHT ? "3" : "1", x, y, x, y);
	return g_strdup_printf("\"x\":%d,\"y\":%d%s", left, top, act->deed == MIDDLE ? ",\"button\":\"middle\""
		: act->deed == SHIFT ? ",\"modifier\":[\"shift\"]" : "");
}

static void begin(struct soak *soak, struct player *player)
{
	static const char *const tools[DEEDS] = {
		"click", "click", "right_click", "double_click", "click", "move_cursor", "scroll", "drag", "type_text",
		"press_key", "hotkey",
	};
	lab_assert(player->pending < PENDING);
	struct act *act = &player->acts[player->pending++];
	g_autofree char *rest = make_act(player, act);

	player->id = lab_send_call(soak->drivers[player->seat], tools[act->deed],
		"{\"session\":\"%s\",\"window_id\":%u,%s}", player->session, player->harness->window, rest);
	player->asked = true;
}

/* --- What came ------------------------------------------------------------------------------------- */

static bool is_modifier(const char *detail)
{
	return g_str_has_prefix(detail, "Shift_") || g_str_has_prefix(detail, "Control_") ||
		g_str_has_prefix(detail, "Alt_") || g_str_has_prefix(detail, "ISO_");
}

/* What the journal tells since the mark, but for motions and what comes with them. */
static GArray *heard(struct player *player)
{
	GArray *events = g_array_new(FALSE, FALSE, sizeof(struct event));

	lab_journal_mark(player->harness);
	for (guint i = player->mark; i < player->harness->lines->len; i++) {
		const json_t *line = player->harness->lines->pdata[i];
		const char *type = json_string_value(json_object_get(line, "type"));
		const char *detail = json_string_value(json_object_get(line, "detail"));
		struct event event = { 0 };

		if (!type || !detail || is_modifier(detail) || (!g_str_equal(type, "button_press") &&
			!g_str_equal(type, "button_release") && !g_str_equal(type, "scroll") &&
			!g_str_equal(type, "key_press"))) {
			continue;
		}
		g_strlcpy(event.type, type, sizeof event.type);
		g_strlcpy(event.detail, detail, sizeof event.detail);
		event.x = (int)json_integer_value(json_object_get(line, "x"));
		event.y = (int)json_integer_value(json_object_get(line, "y"));
		g_array_append_val(events, event);
	}
	return events;
}

static bool is_same(const struct event *wanted, const struct event *event)
{
	/* A pixel beside it where the user's pointer is. */
	return g_str_equal(wanted->type, event->type) && g_str_equal(wanted->detail, event->detail) &&
		(wanted->x < 0 || (wanted->x == event->x && abs(wanted->y - event->y) <= 1));
}

/* Where a reading of the journal is: the next act, the next event of it, the next line, buttons to be let go. */
struct reading {
	int act, event;
	guint line;
	int owed, partly;
};

/* Whether the rest of what was heard is the rest of what was done: all of it and nothing else. */
static bool fits(const struct player *player, const GArray *events, struct reading at, struct reading *end)
{
	const struct event *event = at.line < events->len ? &g_array_index(events, struct event, at.line) : NULL;

	if (at.act == player->pending) {
		while (event && at.owed > 0 && g_str_equal(event->type, "button_release")) {
			at.owed--;
			at.line++;
			event = at.line < events->len ? &g_array_index(events, struct event, at.line) : NULL;
		}
		*end = at;
		return !event;
	}
	const struct act *act = &player->acts[at.act];
	struct reading next = at;
	if (at.event == act->count) {
		next.act++;
		next.event = 0;
		next.partly += act->lost && act->count > 0;
		return fits(player, events, next, end);
	}
	if (event && is_same(&act->events[at.event], event)) {
		next.event++;
		next.line++;
		if (fits(player, events, next, end)) {
			return true;
		}
	}
	if (event && at.owed > 0 && g_str_equal(event->type, "button_release")) {
		next = at;
		next.owed--;
		next.line++;
		if (fits(player, events, next, end)) {
			return true;
		}
	}
	if (act->lost) {
		next = at;
		next.act++;
		next.event = 0;
		next.partly += at.event > 0;
		next.owed += at.event > 0 && g_str_equal(act->events[at.event - 1].type, "button_press");
		return fits(player, events, next, end);
	}
	return false;
}

/* The last thing that was done was not a hover, or its pointer was seen there. */
static bool has_hovered(const struct player *player)
{
	const struct act *act = player->pending > 0 ? &player->acts[player->pending - 1] : NULL;

	if (!act || act->deed != HOVER || act->lost) {
		return true;
	}
	for (guint i = player->mark; i < player->harness->lines->len; i++) {
		const json_t *line = player->harness->lines->pdata[i];
		const char *type = json_string_value(json_object_get(line, "type"));

		if ((g_strcmp0(type, "motion") == 0 || g_strcmp0(type, "enter") == 0) &&
			llabs(json_integer_value(json_object_get(line, "x")) - act->x) <= 1 &&
			llabs(json_integer_value(json_object_get(line, "y")) - act->y) <= 1) {
			return true;
		}
	}
	return false;
}

/* Everything done so far has come as it should, soon; nothing of it is judged again. */
static void judge(struct soak *soak, struct player *player)
{
	gint64 deadline = lab_deadline(SOON);
	struct reading end;

	for (;;) {
		g_autoptr(GArray) events = heard(player);

		if (has_hovered(player) &&
			fits(player, events, (struct reading){ .owed = player->owed }, &end)) {
			break;
		}
		guint seen = player->harness->lines->len;
		if (lab_left(deadline) == 0 || !lab_harness_lives(player->harness)) {
			for (int i = 0; i < player->pending; i++) {
				const struct act *act = &player->acts[i];

				lab_note("%s%s", deed_names[act->deed], act->lost ? ", whose driver was killed" : "");
				for (int k = 0; k < act->count; k++) {
					lab_note("  wanted %s %s at %d,%d", act->events[k].type, act->events[k].detail,
						act->events[k].x, act->events[k].y);
				}
			}
			for (guint i = 0; i < events->len; i++) {
				const struct event *event = &g_array_index(events, struct event, i);

				lab_note("  heard %s %s at %d,%d", event->type, event->detail, event->x, event->y);
			}
			lab_fail("session %s in %s after %d actions and %d kills: what came is not what was done",
				player->session, player->harness_name, soak->done, soak->kills);
		}
		/* Waits for whatever it hears next. */
		lab_journal_find(player->harness, seen, MIN(lab_left(deadline), 1000), "kind", "event", NULL);
	}
	player->owed = end.owed;
	soak->partly += end.partly;
	player->pending = 0;
	player->mark = player->harness->lines->len;
}

static void finish(struct soak *soak, struct player *player)
{
	struct lab_driver *driver = soak->drivers[player->seat];
	const struct act *act = &player->acts[player->pending - 1];
	struct lab_answer answer = lab_answer_of(driver, lab_wait_id(driver, player->id, SOON));

	player->asked = false;
	if (answer.is_error) {
		lab_fail("%s: %s", deed_names[act->deed], lab_json(answer.structured));
	}
	if (!lab_undisturbed(&answer)) {
		lab_fail("the user was disturbed: %s", lab_json(answer.structured));
	}
	soak->done++;
	judge(soak, player);
}

/* --- The drivers ----------------------------------------------------------------------------------- */

static void start(struct soak *soak, int seat)
{
	soak->drivers[seat] = lab_driver_start(soak->desk);
	for (int i = 0; i < PLAYERS; i++) {
		struct player *player = &soak->players[i];

		if (player->seat == seat) {
			lab_call_ok(soak->drivers[seat], "screenshot",
				"{\"session\":\"%s\",\"window_id\":%u,\"max_image_dimension\":0}", player->session,
				player->harness->window);
		}
	}
}

/* Kills one in the middle of what it does, whatever that is; another one takes its place at once. */
static void murder(struct soak *soak, int seat)
{
	struct lab_driver *driver = soak->drivers[seat];

	kill(lab_driver_pid(driver), SIGKILL);
	for (int i = 0; i < PLAYERS; i++) {
		struct player *player = &soak->players[i];

		if (player->seat != seat || !player->asked) {
			continue;
		}
		if (lab_has_answer(driver, player->id, SOON)) {
			/* What it has answered has been done. */
			finish(soak, player);
		} else {
			player->acts[player->pending - 1].lost = true;
			player->asked = false;
			soak->lost++;
		}
	}
	lab_driver_forget(driver);
	soak->kills++;
	start(soak, seat);
}

/* --- The test -------------------------------------------------------------------------------------- */

/* What of the window may be pressed: of a form a button that does nothing. Keys go to its text field. */
static void settle(struct soak *soak, struct player *player)
{
	struct lab_harness *harness = player->harness;
	bool form = g_str_equal(player->harness_name, "gtk3");

	player->bounds = lab_x_bounds(soak->desk, harness->window);
	player->area = (struct lab_rect){ player->bounds.x + 10, player->bounds.y + 10, 600, 440 };
	if (form) {
		struct lab_rect button = lab_harness_see(harness, NULL, lab_control_label("btn-target"), SOON).frame;

		player->area = (struct lab_rect){ button.x + 4, button.y + 4, button.width - 8, button.height - 8 };
	}
}

static void inputs(struct lab_desk *desk)
{
	static const char *const names[PLAYERS] = { "canvas", "gtk3", "gtk3", "canvas" };
	static const char *const titles[PLAYERS] = { "A", "B", "C", "D" };
	int actions = g_getenv("LAB_SOAK") ? atoi(g_getenv("LAB_SOAK")) : 80;
	int spell = actions > 1000 ? 20 : 5;
	struct soak soak = { .desk = desk };

	dice = g_getenv("LAB_SEED") ? (guint32)strtoul(g_getenv("LAB_SEED"), NULL, 10) : 20261116;
	lab_note("%d actions, seed %u", actions, dice);
	for (int i = 0; i < PLAYERS; i++) {
		struct player *player = &soak.players[i];

		player->harness_name = names[i];
		player->seat = i % DRIVERS;
		g_snprintf(player->session, sizeof player->session, "s%d", i);
		player->harness = lab_harness_start(desk, names[i], LAB_ARGV("--title-suffix", titles[i]));
		settle(&soak, player);
	}
	struct lab_sentinel *sentinel = lab_sentinel_open(desk, "1200x760+0+0");
	const struct lab_user user = lab_user_read(desk);
	char *before = lab_traces_read(desk);
	for (int i = 0; i < DRIVERS; i++) {
		start(&soak, i);
	}
	for (int i = 0; i < PLAYERS; i++) {
		soak.players[i].mark = lab_journal_mark(soak.players[i].harness);
	}
	lab_sentinel_start(sentinel);
	for (int round = 1; soak.done + soak.lost < actions; round++) {
		for (int i = 0; i < PLAYERS; i++) {
			begin(&soak, &soak.players[i]);
		}
		if (round % spell == 0) {
			g_usleep((gulong)roll(40000));
			murder(&soak, roll(DRIVERS));
		}
		for (int i = 0; i < PLAYERS; i++) {
			if (soak.players[i].asked) {
				finish(&soak, &soak.players[i]);
			}
		}
	}
	lab_sentinel_types(sentinel, 6);
	struct lab_verdict verdict = lab_sentinel_stop(sentinel);
	if (!verdict.held) {
		lab_fail("the user noticed: %s", verdict.text);
	}
	for (int i = 0; i < DRIVERS; i++) {
		lab_driver_stop(soak.drivers[i]);
	}
	lab_traces_until(desk, before, "nothing is left behind");
	const struct lab_user after = lab_user_read(desk);
	lab_assert_int(after.keyboard_grabbed, user.keyboard_grabbed);
	lab_assert_int(after.pointer_grabbed, user.pointer_grabbed);
	for (int i = 0; i < PLAYERS; i++) {
		judge(&soak, &soak.players[i]);
		lab_assert_int(soak.players[i].owed, 0);
		lab_assert(lab_harness_lives(soak.players[i].harness));
	}
	lab_note("%d actions done, %d in flight at %d kills, of which %d came at least in part; the user: %s", soak.done,
		soak.lost, soak.kills, soak.partly, verdict.text);
	lab_assert(soak.kills > 0);
}

static const struct lab_test tests[] = {
	{ .name = "inputs", .run = inputs, .servers = LAB_XVFB, .wms = "openbox", .timeout = 7200,
	  .about = "Gestures and keys of four sessions in two drivers that are killed again and again, below a user." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
