/* SPDX-License-Identifier: MIT */
/*
 * The tree changes between a snapshot and an action, and is done changing before the action is sent. What
 * must come of each change is written down below before anything runs: the same control, or stale_element
 * with candidates and nothing done. What was done is judged by the application's journal alone.
 */
#include <stdlib.h>
#include <string.h>

#include "lab/oracle.h"

#define SOON 20000 /* ms for what the application does at once */
#define ROWS 6

static const char *const names[ROWS] = { "alpha", "beta", "gamma", "delta", "epsilon", "zeta" };

enum expected {
	SAME,        /* it happens, to the control that was meant */
	STALE,       /* stale_element */
};

/* Which row is meant. */
enum which {
	ANY,
	NOT_FIRST,
	FIRST_TWO,   /* of those that change places */
};

/* "%d" in a change is the row that is meant, "%o" another one. */
struct trial {
	const char *where;       /* list, table, card, twin */
	const char *change;
	enum which which;
	enum expected expected;
};

/* Rows of widgets, or of cells: what holds in every toolkit. */
#define ROW_TRIALS(where) \
	{ where, "nothing", ANY, SAME }, \
	{ where, "insert", ANY, SAME }, \
	{ where, "append", ANY, SAME }, \
	{ where, "remove 0", NOT_FIRST, SAME }, \
	{ where, "remove %d", ANY, STALE }, \
	{ where, "reverse", ANY, STALE }, \
	{ where, "rename %d", ANY, STALE }, \
	{ where, "rename %o", ANY, SAME }, \
	{ where, "rebind", ANY, STALE }, \
	{ where, "rebuild", ANY, STALE }

static const struct trial gtk3_trials[] = {
	ROW_TRIALS("list"),
	{ "list", "exchange", FIRST_TWO, STALE },
	ROW_TRIALS("table"),
	ROW_TRIALS("card"),
	{ "card", "exchange", FIRST_TWO, STALE },
	{ "twin", "nothing", ANY, SAME },
	{ "twin", "swap", ANY, STALE },
	{ "twin", "twin", ANY, STALE },
	{ NULL, NULL, ANY, SAME }
};

static const struct trial gtk4_trials[] = {
	ROW_TRIALS("list"),
	ROW_TRIALS("card"),
	{ "card", "exchange", FIRST_TWO, STALE },
	{ "twin", "nothing", ANY, SAME },
	{ "twin", "swap", ANY, STALE },
	{ "twin", "twin", ANY, STALE },
	{ NULL, NULL, ANY, SAME }
};

static const struct trial qt5_trials[] = {
	ROW_TRIALS("table"),
	ROW_TRIALS("card"),
	{ "card", "exchange", FIRST_TWO, STALE },
	{ "twin", "nothing", ANY, SAME },
	{ "twin", "swap", ANY, STALE },
	/* Qt's new one comes last: the others are where they were. */
	{ "twin", "twin", ANY, SAME },
	{ NULL, NULL, ANY, SAME }
};

static int setting(const char *name, int otherwise)
{
	const char *text = g_getenv(name);

	return text ? (int)strtoul(text, NULL, 10) : otherwise;
}

/* Tells the application and waits until it is done. */
static void tell(struct lab_harness *harness, const char *command)
{
	guint mark = lab_journal_mark(harness);
	g_autofree char *done = g_strconcat("done ", command, NULL);

	lab_harness_tell(harness, command);
	if (!lab_journal_find(harness, mark, SOON, "kind", "note", "text", done, NULL)) {
		lab_journal_note(harness, 10);
		lab_fail("%s is not done with \"%s\"", harness->name, command);
	}
}

static json_t *snapshot(struct lab_driver *driver, const struct lab_harness *harness)
{
	return lab_call_ok(driver, "get_window_state",
		"{\"pid\":%d,\"window_id\":%u,\"include_screenshot\":false}", harness->pid,
		harness->window).structured;
}

/* Whether an element of the snapshot is the thing to press in a row of that kind. */
static bool is_pressable(const json_t *element, const char *where)
{
	const char *label = lab_str(element, "label"), *role = lab_str(element, "role");

	if (g_str_equal(where, "list")) {
		return g_str_equal(label, "Open");
	}
	if (g_str_equal(where, "card")) {
		return g_str_equal(label, "Keep");
	}
	if (g_str_equal(where, "table")) {
		return g_str_equal(role, "table cell") && !*label;
	}
	/* GTK 4.8 names what has no name after its class. */
	return g_str_equal(role, "push button") && (!*label || g_str_equal(label, "GtkButton"));
}

/* The element of that row: they are shown in the order in which they were made. */
static json_t *find(const json_t *state, const char *where, int row)
{
	size_t i;
	json_t *element;

	json_array_foreach(lab_array(state, "elements"), i, element) {
		if (is_pressable(element, where) && row-- == 0) {
			return element;
		}
	}
	lab_fail("no such %s: %s", where, lab_str(state, "tree_markdown"));
}

static int choose(GRand *random, const struct trial *trial)
{
	int count = g_str_equal(trial->where, "twin") ? 4 : ROWS;

	switch (trial->which) {
	case NOT_FIRST:
		return g_rand_int_range(random, 1, count);
	case FIRST_TWO:
		return g_rand_int_range(random, 0, 2);
	default:
		return g_rand_int_range(random, 0, count);
	}
}

static char *change_of(const struct trial *trial, int row)
{
	g_auto(GStrv) parts = g_strsplit(trial->change, "%", 2);

	return parts[1] == NULL ? g_strdup(trial->change)
		: g_strdup_printf("%s%d", parts[0], parts[1][0] == 'd' ? row : (row + 1) % ROWS);
}

/* How the journal calls the control; GTK4's buttons without a name are counted from the last. */
static char *journalled(const struct lab_harness *harness, const char *where, int row)
{
	bool backwards = g_str_has_suffix(harness->name, "gtk4");

	return g_str_equal(where, "twin")
		? g_strdup_printf("pressed twin %d", backwards ? 3 - row : row)
		: g_strdup_printf("pressed %s %s", where, names[row]);
}

static int count_presses(struct lab_harness *harness, guint mark, const char *other_than)
{
	int count = 0;

	lab_journal_count(harness, mark, "kind", "note", NULL);
	for (guint i = mark; i < harness->lines->len; i++) {
		const char *text = json_string_value(json_object_get(harness->lines->pdata[i], "text"));

		count += text && g_str_has_prefix(text, "pressed ")
			&& !(other_than && g_str_equal(text, other_than));
	}
	return count;
}

static void judge(struct lab_harness *harness, const struct trial *trial, const char *change, int row,
	const struct lab_answer *answer, guint mark)
{
	g_autofree char *meant = journalled(harness, trial->where, row);
	const char *said = answer->is_error ? answer->code : "done";

	if (!answer->is_error) {
		lab_journal_find(harness, mark, SOON, "kind", "note", "text", meant, NULL);
	}
	tell(harness, "nothing");
	int wrong = count_presses(harness, mark, meant), all = count_presses(harness, mark, NULL);
	if (wrong > 0 || all != (answer->is_error ? 0 : 1)) {
		lab_journal_note(harness, 10);
		lab_fail("%s, %s %d after \"%s\": %d wrong, %d in all; the driver says %s", harness->name,
			trial->where, row, change, wrong, all, said);
	}
	if (!g_str_equal(said, trial->expected == SAME ? "done" : "stale_element")) {
		lab_fail("%s, %s %d after \"%s\": %s, expected %s: %s", harness->name, trial->where, row,
			change, said, trial->expected == SAME ? "the same control" : "stale_element",
			answer->text);
	}
	if (answer->is_error && json_array_size(lab_array(answer->structured, "candidates")) == 0) {
		lab_fail("%s, %s %d after \"%s\": no candidates", harness->name, trial->where, row, change);
	}
}

static void try_one(struct lab_driver *driver, struct lab_harness *harness, GRand *random,
	const struct trial *trial)
{
	int row = choose(random, trial);
	g_autofree char *change = change_of(trial, row);

	tell(harness, "reset");
	json_t *element = find(snapshot(driver, harness), trial->where, row);
	guint mark = lab_journal_mark(harness);
	tell(harness, change);
	/*
	 * A click on a cell selects its row, which Qt's journal tells; this activates it.
	 * GTK 3.24.38 calls that by its description, 3.24.49 by its name for people.
	 */
	const char *more = !g_str_equal(trial->where, "table")
			|| !g_str_has_suffix(harness->name, "gtk3")
		? ""
		: lab_array_has(lab_array(element, "actions"), "Activate")
		? ",\"action\":\"Activate\""
		: ",\"action\":\"Activates the cell\"";
	/* An index and a token are two ways to the same snapshot. */
	struct lab_answer answer = g_rand_boolean(random)
		? lab_call(driver, "click",
			"{\"pid\":%d,\"window_id\":%u,\"element_index\":%lld,\"settle_ms\":50%s}",
			harness->pid, harness->window, (long long)lab_int(element, "element_index"), more)
		: lab_call(driver, "click", "{\"element_token\":\"%s\",\"settle_ms\":50%s}",
			lab_str(element, "element_token"), more);
	judge(harness, trial, change, row, &answer, mark);
}

/* A window that another one replaced has no elements any more, whatever the other one shows. */
static void replaced_window(struct lab_driver *driver, struct lab_harness *harness, const char *where)
{
	tell(harness, "reset");
	json_t *element = find(snapshot(driver, harness), where, 2);
	guint mark = lab_journal_mark(harness);
	tell(harness, "window");
	struct lab_answer answer = lab_call(driver, "click", "{\"element_token\":\"%s\"}",
		lab_str(element, "element_token"));
	tell(harness, "nothing");
	lab_assert_int(count_presses(harness, mark, NULL), 0);
	if (g_strcmp0(answer.code, "stale_element") != 0 && g_strcmp0(answer.code, "window_not_found") != 0) {
		lab_fail("%s: in a replaced window: %s", harness->name, answer.text);
	}
}

static void run(struct lab_desk *desk, const char *name, const struct trial *trials, int count)
{
	struct lab_harness *harness = lab_harness_start(desk, name, NULL);
	struct lab_driver *driver = lab_driver_start(desk);
	guint32 seed = (guint32)setting("STALE_SEED", 1);
	g_autoptr(GRand) random = g_rand_new_with_seed(seed);
	const struct trial *trial = trials;

	count = setting("STALE_TRIALS", count);
	lab_note("%s: %d trials, seed %u", name, count, seed);
	for (int i = 0; i < count; i++, trial++) {
		if (trial->where == NULL) {
			trial = trials;
		}
		try_one(driver, harness, random, trial);
	}
	replaced_window(driver, harness, g_str_has_suffix(name, "qt5") ? "card" : "list");
	lab_driver_stop(driver);
}

static void gtk3(struct lab_desk *desk)
{
	run(desk, "rows-gtk3", gtk3_trials, (int)G_N_ELEMENTS(gtk3_trials) - 1);
}

static void gtk4(struct lab_desk *desk)
{
	run(desk, "rows-gtk4", gtk4_trials, (int)G_N_ELEMENTS(gtk4_trials) + 10);
}

static void qt5(struct lab_desk *desk)
{
	run(desk, "rows-qt5", qt5_trials, (int)G_N_ELEMENTS(qt5_trials) + 1);
}

static const struct lab_test tests[] = {
	{ .name = "gtk3", .run = gtk3, .servers = LAB_XVFB, .wms = "openbox", .timeout = 500,
	  .about = "List box, tree view, boxes and unnamed buttons of GTK3." },
	{ .name = "gtk4", .run = gtk4, .servers = LAB_XVFB, .wms = "openbox", .timeout = 500,
	  .about = "List view, boxes and unnamed buttons of GTK4." },
	{ .name = "qt5", .run = qt5, .servers = LAB_XVFB, .wms = "openbox", .timeout = 500,
	  .about = "Items of a table, boxes and unnamed buttons of Qt5." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
