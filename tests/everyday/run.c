/* SPDX-License-Identifier: MIT */
/*
 * Random actions on everyday programs beside a person who types a key each 25 ms: after each it is
 * counted what the person and the documents have lost, by the sentinel's journal, the documents
 * themselves and the window manager. $EVERYDAY_ACTIONS (100) a window manager, $EVERYDAY_SEED,
 * $EVERYDAY_ROWS: a folder for the result of each.
 */
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "everyday.h"

/* For the person's window to be active again, and for a text to be there. */
#define BACK_MS 2500
#define ARRIVED_MS 4000

struct tally {
	int actions, lost, misdelivered, left, wrong, missing, noticed, refused;
	int typed;
	GHashTable *codes; /* of refusals: how many */
};

/* What all documents hold. */
enum { DOCUMENTS = 4 };
struct contents {
	char *text[DOCUMENTS];
};

static struct scene *scene_of(struct room *room, int document)
{
	return document < 2 ? &room->office : &room->browser;
}

static struct contents read_all(struct room *room)
{
	struct contents all;

	for (int i = 0; i < DOCUMENTS; i++) {
		struct scene *scene = scene_of(room, i);

		all.text[i] = scene->holds(scene, (enum side)(i % 2));
	}
	return all;
}

static void free_all(struct contents *all)
{
	for (int i = 0; i < DOCUMENTS; i++) {
		g_free(all->text[i]);
	}
}

static bool person_is_active(struct room *room)
{
	return lab_x_number(room->desk, room->desk->root, "_NET_ACTIVE_WINDOW", 0)
		== lab_sentinel_window(room->sentinel);
}

static void defect(struct tally *tally, int *count, struct room *room,
	const struct attempt *attempt, const char *what, const char *detail)
{
	(void)tally;
	++*count;
	lab_note("%s: action %d, %s: %s: %s; the driver said %.600s", room->desk->name,
		room->number, attempt->name, what, detail,
		attempt->answer.structured ? lab_json(attempt->answer.structured) : "nothing");
}

/* What a document should not have, and what it should. */
static void compare(struct room *room, struct tally *tally, const struct attempt *attempt,
	const struct contents *before)
{
	gint64 deadline = lab_deadline(ARRIVED_MS);
	bool arrived = attempt->text == NULL;
	struct contents after = { { NULL } };
	int own = attempt->scene == NULL
		? -1
		: (attempt->scene == &room->office ? 0 : 2) + (int)attempt->side;

	do {
		free_all(&after);
		after = read_all(room);
		arrived = arrived || strstr(after.text[own], attempt->text) != NULL;
	} while (!arrived && lab_left(deadline) > 0 && poll(NULL, 0, 50) == 0);
	if (!arrived) {
		g_autofree char *detail = g_strdup_printf("\"%s\" is not in it", attempt->text);
		defect(tally, &tally->missing, room, attempt, "delivered and not there", detail);
	}
	for (int i = 0; i < DOCUMENTS; i++) {
		if (i != own && !g_str_equal(before->text[i], after.text[i])) {
			g_autofree char *detail = g_strdup_printf(
				"document %d held \"%s\" and holds \"%s\"", i, before->text[i],
				after.text[i]);
			bool agents = attempt->text != NULL
				&& strstr(after.text[i], attempt->text) != NULL;

			defect(tally, agents ? &tally->wrong : &tally->misdelivered, room, attempt,
				agents ? "in the wrong document"
				       : "keys in a document that nobody wrote to",
				detail);
		} else if (i == own && i != 0 && arrived) {
			/* A cell is written anew; everything else only grows by the text. */
			gsize grown = strlen(after.text[i]) - strlen(before->text[i]);

			if (grown != strlen(attempt->text)) {
				g_autofree char *detail = g_strdup_printf(
					"\"%s\" became \"%s\"", before->text[i], after.text[i]);
				defect(tally, &tally->misdelivered, room, attempt,
					"more than the text came", detail);
			}
		}
	}
	free_all(&after);
}

/* Whether its last call was an action. */
static bool did_something(const struct attempt *attempt)
{
	return json_object_get(attempt->answer.structured, "path")
		|| json_object_get(attempt->answer.structured, "launch_state");
}

static void count_refusal(struct tally *tally, const struct attempt *attempt)
{
	const char *code = attempt->answer.is_error && attempt->answer.code ? attempt->answer.code
									    : "nothing to act on";
	g_autofree char *key = g_strdup_printf("%s: %s", attempt->name, code);
	int count = GPOINTER_TO_INT(g_hash_table_lookup(tally->codes, key));

	tally->refused++;
	g_hash_table_replace(tally->codes, g_steal_pointer(&key), GINT_TO_POINTER(count + 1));
}

static void act(struct room *room, const struct task *task, struct tally *tally)
{
	struct attempt attempt = { .name = task->name };
	struct contents before = read_all(room);

	room_return(room);
	lab_sentinel_begin(room->sentinel);
	task->act(room, &attempt);
	lab_sentinel_types(room->sentinel, 6);
	/* What was taken is given back within a moment. */
	gint64 deadline = lab_deadline(BACK_MS);
	while (!person_is_active(room) && lab_left(deadline) > 0) {
		poll(NULL, 0, 20);
	}
	bool left = !person_is_active(room);
	struct lab_verdict verdict = lab_sentinel_stop(room->sentinel);
	tally->actions++;
	tally->typed += verdict.typed;
	tally->noticed += verdict.focus_lost + verdict.grabs + verdict.pointer_moved > 0 ? 1 : 0;
	/* What could not even be asked for counts as a refusal, too. */
	if (attempt.answer.is_error || !did_something(&attempt)) {
		count_refusal(tally, &attempt);
	}
	if (left) {
		g_autofree char *title = scene_title(room->desk,
			lab_x_number(room->desk, room->desk->root, "_NET_ACTIVE_WINDOW", 0));
		defect(tally, &tally->left, room, &attempt, "another window is active",
			title ? title : "none");
	}
	if (verdict.missing > 0) {
		defect(tally, &tally->lost, room, &attempt, "the person lost keys", verdict.text);
		tally->lost += MIN(verdict.missing, verdict.typed) - 1;
	}
	if (verdict.foreign > 0) {
		defect(tally, &tally->misdelivered, room, &attempt, "the person got keys",
			verdict.text);
	}
	compare(room, tally, &attempt, &before);
	free_all(&before);
	room_tidy(room);
}

static const struct task *choose(struct room *room)
{
	int all = 0;

	for (const struct task *task = tasks; task->name; task++) {
		all += task->weight;
	}
	int at = g_rand_int_range(room->random, 0, all);
	const struct task *task = tasks;
	while (at >= task->weight) {
		at -= task++->weight;
	}
	return task;
}

static int number_of(const char *variable, int otherwise)
{
	return getenv(variable) ? atoi(getenv(variable)) : otherwise;
}

static pid_t manager(struct lab_desk *desk)
{
	return lab_x_pid(desk, lab_x_number(desk, desk->root, "_NET_SUPPORTING_WM_CHECK", 0));
}

static void write_row(struct lab_desk *desk, const struct tally *tally, bool same)
{
	g_autoptr(GString) codes = g_string_new(NULL);
	g_autoptr(GList)
		keys = g_list_sort(g_hash_table_get_keys(tally->codes), (GCompareFunc)strcmp);

	for (GList *key = keys; key; key = key->next) {
		g_string_append_printf(codes, "%s%s %d", codes->len ? "; " : "", (char *)key->data,
			GPOINTER_TO_INT(g_hash_table_lookup(tally->codes, key->data)));
	}
	g_autofree char *row = g_strdup_printf("%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\n",
		desk->wm, tally->actions, tally->typed, tally->lost, tally->misdelivered,
		tally->left, tally->wrong, tally->missing, same ? 0 : 1, tally->noticed,
		tally->refused, codes->str);
	lab_note("%s", row);
	if (getenv("EVERYDAY_ROWS")) {
		g_autofree char *file = g_build_filename(getenv("EVERYDAY_ROWS"), desk->wm, NULL);
		g_file_set_contents(file, row, -1, NULL);
	}
}

static void everyday(struct lab_desk *desk)
{
	unsigned seed = (unsigned)number_of("EVERYDAY_SEED", 1) ^ g_str_hash(desk->wm);
	int actions = number_of("EVERYDAY_ACTIONS", 100);
	struct room room = room_open(desk, seed);
	struct tally tally = { .codes = g_hash_table_new_full(
				       g_str_hash, g_str_equal, g_free, NULL) };
	pid_t before = manager(desk);

	lab_note("seed %d, %d actions", number_of("EVERYDAY_SEED", 1), actions);
	for (room.number = 1; room.number <= actions; room.number++) {
		act(&room, choose(&room), &tally);
	}
	bool same = manager(desk) == before;
	write_row(desk, &tally, same);
	if (tally.lost + tally.misdelivered + tally.left + tally.wrong + tally.missing > 0
		|| !same) {
		lab_fail("the person or a document lost something");
	}
}

static const struct lab_test cases[] = {
	{ .name = "everyday",
		.run = everyday,
		.servers = LAB_XVFB,
		.wms = "xfwm4 openbox metacity mutter kwin_x11",
		.timeout = 14400,
		.needs = "soffice lowriter chromium thunar gimp xfce4-panel mousepad convert",
		.size = "1400x900",
		.about = "Random actions on everyday programs beside a person who types." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, cases);
}
