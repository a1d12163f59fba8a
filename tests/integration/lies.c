/* SPDX-License-Identifier: MIT */
/*
 * Applications that lie: they echo what they do not apply, apply it late or otherwise, go away, hang,
 * while clocks tick and logs grow, and while a user types in another window, of another process or of
 * the same one. Whether an action had an effect before the driver answered is read from the journal alone.
 * The driver may doubt what happened. It must never confirm what did not.
 *
 * What counts as having happened: the application's own state changed, or it did something else that can
 * be seen in answer (disabled or removed the control, opened a dialog). A control that has a state of its
 * own, as a check box, shows the new state also where the application then ignores it; that is what
 * accessibility is asked for there, so the journal's word that the control was operated is enough.
 *
 * $LIES_SEEDS (1), $LIES_TRIALS (100 in all, for each seed) and $LIES_UNSURE (50: percent that may be
 * doubted where nothing stands in the way) make it longer and stricter, $LIES_FIRST (1) another one: tests/lies/full.
 */
#include <stdlib.h>
#include <string.h>
#include <xcb/xtest.h>

#include "lab/oracle.h"

#define SETTLE_MS 400
/* A toolkit tells accessibility before its application, so the journal may be this much later. */
#define LATER_US (5 * G_TIME_SPAN_SECOND)
/* How long a late fault may still come, and until an earlier action explains nothing any more. */
#define LATE_US (1600 * G_TIME_SPAN_MILLISECOND)
#define QUIET_MS 2200

struct control {
	const char *id;
	const char *labels[3];
	const char *tool;
	bool shows;              /* has a state of its own */
};

static const struct control controls[] = {
	{ "btn-counter", { "counter" }, "click", false },
	{ "btn-target", { "clicks", "last_action" }, "click", false },
	{ "chk-agree", { "agreed" }, "click", true },
	{ "sld-value", { "slider_value" }, "set_value", true },
	{ "txt-input", { "mirror" }, "set_value", true },
};

enum { CONTROLS = G_N_ELEMENTS(controls) };

enum truth {
	TRUTH_APPLIED, TRUTH_ECHO, TRUTH_LATE, TRUTH_OTHER, TRUTH_REACTED, TRUTH_HANG, TRUTH_CRASH,
	TRUTH_NOTHING, TRUTHS
};
static const char *const truth_names[TRUTHS] = {
	"applied", "echo", "late", "other value", "disabled, removed, dialog", "hang", "crash", "nothing",
};
enum verdict { CONFIRMED, UNVERIFIABLE, SUSPECTED_NOOP, REFUSED, VERDICTS };
static const char *const verdict_names[VERDICTS] = {
	"confirmed", "unverifiable", "suspected_noop", "refused",
};

/* One run of an application, until it is spoilt. */
struct life {
	struct lab_harness *harness;
	json_t *state;           /* the last snapshot */
	bool same_process;       /* the user works in another window of it */
	bool dead[CONTROLS];
	gint64 late[CONTROLS];   /* until then a change of the control may be an earlier one's */
	guint late_mark[CONTROLS]; /* where the journal said that it will come late */
	gint64 listening;        /* since when */
	gint64 acted;
};

struct run {
	struct lab_desk *desk;
	struct lab_driver *driver;
	struct lab_sentinel *user;
	const char *name;
	GRand *dice;
	guint32 seed;
	int lives;
	int matrix[TRUTHS][VERDICTS];
	int plain, unsure;       /* nothing stood in the way; of these, doubted */
	int false_confirmed;
};

/* A new snapshot; false if the application is not there to be looked at. */
static bool look(struct run *run, struct life *life)
{
	struct lab_answer answer = lab_call(run->driver, "get_window_state",
		"{\"pid\":%d,\"window_id\":%u,\"include_screenshot\":false}", life->harness->pid,
		life->harness->window);

	if (!answer.is_error) {
		life->state = answer.structured;
	}
	return !answer.is_error;
}

/* A key of the user's in whatever window the user is in. */
static void type_key(struct lab_desk *desk)
{
	enum { KEYCODE_A = 38 };

	xcb_test_fake_input(desk->x, XCB_KEY_PRESS, KEYCODE_A, XCB_CURRENT_TIME, desk->root, 0, 0, 0);
	xcb_test_fake_input(desk->x, XCB_KEY_RELEASE, KEYCODE_A, XCB_CURRENT_TIME, desk->root, 0, 0, 0);
	xcb_flush(desk->x);
}

static xcb_window_t newest_of(struct run *run, pid_t pid, xcb_window_t not)
{
	g_autoptr(GArray) clients = lab_x_list(run->desk, run->desk->root, "_NET_CLIENT_LIST");

	for (guint i = clients->len; i-- > 0;) {
		xcb_window_t window = g_array_index(clients, uint32_t, i);

		if (window != not && lab_x_pid(run->desk, window) == pid) {
			return window;
		}
	}
	return XCB_WINDOW_NONE;
}

/* The user goes to a second window of the application; false if a fault is in the way. */
static bool move_in(struct run *run, struct life *life)
{
	struct lab_seen button = lab_harness_see(life->harness, NULL, lab_control_label("btn-second"), 10000);
	gint64 deadline = lab_deadline(5000);
	xcb_window_t second = XCB_WINDOW_NONE;

	lab_atspi_press(run->desk, &button.node);
	while (!second && lab_left(deadline) > 0 && lab_harness_lives(life->harness)) {
		second = newest_of(run, life->harness->pid, life->harness->window);
		if (!second) {
			lab_x_quiet(run->desk, 20);
		}
	}
	if (!second || lab_journal_find(life->harness, 0, 0, "kind", "fault", NULL)) {
		return false;
	}
	lab_user_works_in(run->desk, second);
	return true;
}

static struct life start_life(struct run *run)
{
	struct life life = { .same_process = run->lives % 3 == 2 && !g_str_equal(run->name, "web") };

	for (;;) {
		g_autofree char *seed = g_strdup_printf("%u", run->seed * 1000 + (guint32)run->lives++);
		const char *const options[] = { "--decoys", "--faults", seed, NULL };

		life.harness = lab_harness_start(run->desk, run->name, options);
		if (!life.same_process || move_in(run, &life)) {
			break;
		}
		if (lab_harness_lives(life.harness)) {
			lab_harness_stop(life.harness);
		}
	}
	if (!life.same_process) {
		lab_sentinel_start(run->user);
	}
	gint64 deadline = lab_deadline(20000);
	while (!look(run, &life)) {
		if (lab_left(deadline) == 0) {
			lab_fail("%s cannot be looked at", run->name);
		}
		lab_x_quiet(run->desk, 100);
	}
	life.listening = g_get_monotonic_time();
	return life;
}

static void end_life(struct run *run, struct life *life)
{
	if (!life->same_process) {
		lab_sentinel_stop(run->user);
	}
	if (lab_harness_lives(life->harness)) {
		lab_harness_stop(life->harness);
	}
}

static json_t *find(const json_t *state, const struct control *control)
{
	const char *label = lab_control_label(control->id);
	size_t i;
	json_t *element;

	json_array_foreach(lab_array(state, "elements"), i, element) {
		if (g_strcmp0(json_string_value(json_object_get(element, "label")), label) == 0
			&& !g_str_equal(lab_str(element, "role"), "label")) {
			return element;
		}
	}
	return NULL;
}

/* A control that can be tried now; -1 if the application is spent. */
static int choose(struct run *run, const struct life *life)
{
	int candidates[CONTROLS], count = 0, alive = 0;

	for (int i = 0; i < CONTROLS; i++) {
		if (!life->dead[i]) {
			alive++;
			if (life->late[i] < g_get_monotonic_time()) {
				candidates[count++] = i;
			}
		}
	}
	return alive < 2 || count == 0 ? -1 : candidates[g_rand_int_range(run->dice, 0, count)];
}

/* Sends the action and answers it. */
static struct lab_answer act(struct run *run, const struct life *life, const struct control *control,
	json_int_t index)
{
	g_autofree char *value = g_strdup("");

	if (g_str_equal(control->id, "sld-value")) {
		g_free(value);
		value = g_strdup_printf(",\"value\":%d", g_rand_int_range(run->dice, 0, 101));
	} else if (g_str_equal(control->id, "txt-input")) {
		g_free(value);
		value = g_strdup_printf(",\"value\":\"word %d\"", g_rand_int_range(run->dice, 0, 100000));
	}
	return lab_call(run->driver, control->tool,
		"{\"pid\":%d,\"window_id\":%u,\"element_index\":%lld,\"settle_ms\":%d%s}",
		life->harness->pid, life->harness->window, (long long)index, SETTLE_MS, value);
}

static bool is_of(const json_t *line, const struct control *control)
{
	const char *kind = json_string_value(json_object_get(line, "kind"));

	if (g_strcmp0(kind, "fault") == 0) {
		return g_strcmp0(json_string_value(json_object_get(line, "control")), control->id) == 0;
	}
	for (int i = 0; control->labels[i] && g_strcmp0(kind, "state") == 0; i++) {
		if (g_strcmp0(json_string_value(json_object_get(line, "label")), control->labels[i]) == 0) {
			return true;
		}
	}
	return false;
}

static bool is_late(const char *fault)
{
	return g_str_has_prefix(fault, "late");
}

static bool is_reaction(const char *fault)
{
	static const char *const reactions[] = { "disable", "vanish", "twin", "modal", NULL };

	return g_strv_contains(reactions, fault);
}

static enum truth truth_of(const char *fault)
{
	return is_reaction(fault) ? TRUTH_REACTED : is_late(fault) ? TRUTH_LATE
		: g_str_equal(fault, "other") ? TRUTH_OTHER : g_str_equal(fault, "hang") ? TRUTH_HANG
		: g_str_equal(fault, "crash") ? TRUTH_CRASH : TRUTH_ECHO;
}

/* What the journal says about one trial. */
struct word {
	enum truth truth;
	bool seen;               /* there was something to see before the answer */
	bool spoilt;             /* the application is of no more use */
};

static struct word judge(struct life *life, int number, guint mark, gint64 answered, bool wait)
{
	const struct control *control = &controls[number];
	struct lab_harness *harness = life->harness;
	struct word word = { .truth = TRUTH_NOTHING };
	/* A confirmation must have its line; a doubt is looked at as it is. */
	gint64 deadline = lab_deadline(wait ? 10000 : 0);

	do {
		lab_journal_find(harness, mark, word.truth == TRUTH_NOTHING ? 50 : 0, "kind", "never", NULL);
		for (guint i = mark; i < harness->lines->len; i++) {
			const json_t *line = g_ptr_array_index(harness->lines, i);
			gint64 at = lab_int(line, "t");

			if (!is_of(line, control)) {
				continue;
			}
			if (g_str_equal(lab_str(line, "kind"), "state")) {
				word.truth = word.truth == TRUTH_NOTHING ? TRUTH_APPLIED : word.truth;
				word.seen |= at <= answered || (control->shows && at <= answered + LATER_US);
				continue;
			}
			const char *fault = lab_str(line, "fault");
			word.truth = truth_of(fault);
			word.seen |= (is_reaction(fault) && at <= answered)
				|| (control->shows && word.truth != TRUTH_CRASH && at <= answered + LATER_US);
			word.spoilt |= word.truth == TRUTH_HANG || word.truth == TRUTH_CRASH
				|| g_str_equal(fault, "modal");
			life->dead[number] |= g_str_equal(fault, "disable") || g_str_equal(fault, "vanish");
			if (is_late(fault)) {
				life->late[number] = at + LATE_US;
				life->late_mark[number] = i;
			}
		}
	} while (word.truth == TRUTH_NOTHING && lab_left(deadline) > 0);
	return word;
}

static enum verdict verdict_of(const struct lab_answer *answer)
{
	if (answer->is_error) {
		return REFUSED;
	}
	const char *effect = lab_str(answer->structured, "effect");
	lab_assert(lab_bool(answer->structured, "verified") == g_str_equal(effect, "confirmed"));
	for (int i = 0; i < REFUSED; i++) {
		if (g_str_equal(effect, verdict_names[i])) {
			return (enum verdict)i;
		}
	}
	lab_fail("no such effect: %s", effect);
}

/* True if it was a trial: something was sent. */
static bool try(struct run *run, struct life *life, int number, bool *spoilt)
{
	const struct control *control = &controls[number];
	json_t *element = find(life->state, control);
	gint64 began = g_get_monotonic_time();

	if (!element) {
		life->dead[number] = true;
		return false;
	}
	if (life->same_process) {
		type_key(run->desk);
	}
	guint mark = lab_journal_mark(life->harness);
	struct lab_answer answer = act(run, life, control, lab_int(element, "element_index"));
	gint64 answered = g_get_monotonic_time();
	enum verdict verdict = verdict_of(&answer);
	if (verdict == REFUSED && g_strcmp0(lab_str(answer.structured, "delivery"), "none") == 0) {
		/* Stale, disabled, or this toolkit has no way to do it. */
		bool stale = g_strcmp0(answer.code, "stale_element") == 0;
		life->dead[number] |= !stale;
		*spoilt = !lab_harness_lives(life->harness) || g_strcmp0(answer.code, "app_unresponsive") == 0;
		*spoilt |= stale && !look(run, life);
		return false;
	}
	struct word word = judge(life, number, mark, answered, verdict == CONFIRMED);
	bool native = !g_str_equal(run->name, "web");
	if (verdict == CONFIRMED && (!word.seen || !native)) {
		run->false_confirmed++;
		lab_journal_note(life->harness, 20);
		lab_note("FALSE: %s %s, truth %s: %s", run->name, control->id, truth_names[word.truth],
			lab_json(answer.structured));
	}
	/* A dialog that came later than anybody looked for it stands in the way of all that follows. */
	bool blocked = lab_journal_count(life->harness, 0, "kind", "fault", "fault", "modal", NULL) > 0;
	bool plain = native && !life->same_process && !blocked && word.truth == TRUTH_APPLIED && word.seen
		&& began - life->acted > QUIET_MS * G_TIME_SPAN_MILLISECOND
		&& began - life->listening > QUIET_MS * G_TIME_SPAN_MILLISECOND;
	run->plain += plain;
	if (plain && verdict != CONFIRMED) {
		run->unsure++;
		lab_note("unsure: %s %s: %s", run->name, control->id, lab_json(answer.structured));
	}
	run->matrix[word.truth][verdict]++;
	life->acted = answered;
	*spoilt = word.spoilt || !lab_harness_lives(life->harness);
	*spoilt = *spoilt || (word.truth == TRUTH_REACTED && !look(run, life));
	return true;
}

/*
 * The driver holds an earlier action responsible for two seconds. On a starved machine a late change may
 * come later still: then it is waited for, because nobody could know whose it is.
 */
static void await_late(struct life *life)
{
	for (int i = 0; i < CONTROLS; i++) {
		gint64 due = life->late[i];

		if (due == 0 || due - LATE_US + G_TIME_SPAN_SECOND * 3 / 2 > g_get_monotonic_time()) {
			continue;
		}
		for (const char *const *label = controls[i].labels; *label; label++) {
			lab_journal_find(life->harness, life->late_mark[i], 3000, "kind", "state", "label", *label,
				NULL);
		}
		life->late[i] = 0;
	}
}

static void pause_a_while(struct run *run)
{
	static const int pauses[] = { 0, 120, 700, QUIET_MS + 100, QUIET_MS + 100 };
	int ms = pauses[g_rand_int_range(run->dice, 0, G_N_ELEMENTS(pauses))];

	if (ms > 0) {
		g_usleep((gulong)ms * 1000);
	}
}

static void print(const struct run *run, int trials)
{
	lab_note("%s, seed %u, %d trials%40s", run->name, run->seed, trials, "");
	lab_note("%-28s %10s %13s %15s %8s", "truth by the journal", verdict_names[0], verdict_names[1],
		verdict_names[2], verdict_names[3]);
	for (int i = 0; i < TRUTHS; i++) {
		lab_note("%-28s %10d %13d %15d %8d", truth_names[i], run->matrix[i][0], run->matrix[i][1],
			run->matrix[i][2], run->matrix[i][3]);
	}
	lab_note("false confirmed: %d; nothing in the way: %d, of these doubted: %d", run->false_confirmed,
		run->plain, run->unsure);
}

static int number_of(const char *name, int otherwise)
{
	const char *text = g_getenv(name);

	return text ? atoi(text) : otherwise;
}

static void lie(struct lab_desk *desk, const char *name, int percent)
{
	int seeds = number_of("LIES_SEEDS", 1), trials = number_of("LIES_TRIALS", 100) * percent / 100;
	int plain = 0, unsure = 0, first = number_of("LIES_FIRST", 1);
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_sentinel *user = lab_sentinel_open(desk, NULL);

	for (int i = 0; i < seeds; i++) {
		guint32 seed = (guint32)(first + i) * 7919;
		struct run run = { .desk = desk, .driver = driver, .user = user, .name = name,
			.seed = seed, .dice = g_rand_new_with_seed(seed) };
		struct life life = start_life(&run);

		for (int done = 0, since = 0; done < trials; since++) {
			bool spoilt = false;
			await_late(&life);
			int number = choose(&run, &life);

			if (number >= 0) {
				done += try(&run, &life, number, &spoilt);
			}
			if (spoilt || number < 0 || since > 40) {
				end_life(&run, &life);
				life = start_life(&run);
				since = 0;
			}
			pause_a_while(&run);
		}
		end_life(&run, &life);
		print(&run, trials);
		plain += run.plain;
		unsure += run.unsure;
		if (run.false_confirmed > 0) {
			lab_fail("%d false confirmations with seed %u", run.false_confirmed, run.seed);
		}
	}
	/* A few are too few to tell. */
	if (plain >= 8 && unsure * 100 > plain * number_of("LIES_UNSURE", 50)) {
		lab_fail("%d of %d effects that can be seen were doubted", unsure, plain);
	}
}

static void lie_gtk3(struct lab_desk *desk)
{
	lie(desk, "gtk3", 30);
}

static void lie_gtk4(struct lab_desk *desk)
{
	lie(desk, "gtk4", 25);
}

static void lie_qt5(struct lab_desk *desk)
{
	lie(desk, "qt5", 30);
}

static void lie_web(struct lab_desk *desk)
{
	lie(desk, "web", 15);
}

static struct lab_test tests[] = {
	{ .name = "gtk3", .run = lie_gtk3, .servers = LAB_XVFB, .wms = "openbox", .timeout = 200,
	  .about = "GTK 3 with faults and decoys: nothing is confirmed that did not happen." },
	{ .name = "gtk4", .run = lie_gtk4, .servers = LAB_XVFB, .wms = "openbox", .timeout = 200,
	  .about = "GTK 4." },
	{ .name = "qt5", .run = lie_qt5, .servers = LAB_XVFB, .wms = "openbox", .timeout = 200,
	  .about = "Qt 5." },
	{ .name = "web", .run = lie_web, .servers = LAB_XVFB, .wms = "openbox", .needs = "chromium",
	  .timeout = 200, .about = "A page in Chromium: nothing is confirmed at all." },
	{ 0 }
};

int main(int argc, char **argv)
{
	for (struct lab_test *test = tests; test->name; test++) {
		int seeds = number_of("LIES_SEEDS", 1);

		test->timeout *= seeds == 1 ? 3 : seeds;
	}
	return lab_main(argc, argv, tests);
}
