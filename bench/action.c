/* SPDX-License-Identifier: MIT */
/*
 * What a click costs: element click to answer over MCP's stdio, beside a bare DoAction with the arrival of the
 * event that shows its effect, xdotool, and the released peer, on real applications, in one run. See README.md.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bare.h"
#include "core/wakeup.h"
#include "lab/lab.h"
#include "lane.h"
#include "sample.h"

enum {
	MOST_MS = 60000,
	PRESSES = 2,           /* until the number in the calculator is started again */
};
#define RATIO_LIMIT 1.5

/* The gate is about the first two; the others are only printed, and take a part of the rounds. */
enum way_in { OURS, BARE, OURS_AWAKE, BARE_AWAKE, CHECKED, SERVED, OURS_THEN, XDOTOOL, PEER, WAYS };
static const char *const way_names[] = {
	"click by element, to its answer", "bare DoAction, to its event",
	"click, the driver just spoken to", "bare DoAction, the bus just spoken to",
	"bare re-check, then DoAction, to its event", "the same in another process, behind pipes",
	"click with then: {observe: diff}", "xdotool mousemove click, to the event",
	"peer (@trycua/cua-driver 0.28.2) click",
};

struct subject {
	const char *name;
	const char *press, *again;  /* labels: what is pressed, and what starts the number again; NULL: nothing */
	const char *role;
	int rounds;                 /* the shorter a click is, the more of them it takes to see those that nothing disturbed */
	bool single;                /* a second one is the first again */
};

static const struct subject subjects[] = {
	{ "galculator", "7", "=", "toggle button", 90 },
	{ "gnome-calculator", "7 7", "= =", "push button", 36, .single = true },
	{ "kcalc", "7", "=", "push button", 36 },
	{ "chromium", "pick 1", NULL, "check box", 36 },
};

struct bench {
	struct lab_desk *desk;
	struct bare *bare;
	struct lane *lanes[WAYS];
	const char *folder;
	xcb_window_t user;        /* whose window is active: what changes elsewhere is not the user's doing */
	bool quick;
	int profiles;             /* given out */
	int confirmed;            /* clicks of ours */
	int failed;
};

/*
 * Whose applications there are. The driver's is its own: a display that others write in moves by itself, and the driver
 * rightly takes nothing there for its own doing. So is that of the bare server: who listens to it makes the bus work.
 */
enum party { DRIVER, SERVER, OTHERS, PARTIES };

static enum party party_of(enum way_in way)
{
	return way == OURS || way == OURS_AWAKE || way == OURS_THEN ? DRIVER : way == SERVED ? SERVER : OTHERS;
}

/* What is pressed. */
struct target {
	struct lab_app app;
	struct bare_target press;
	struct lab_node again;
	struct bare_server *server; /* SERVER's alone */
	char *token, *again_token; /* in the snapshot of the lane that presses them; NULL: there is none */
	int x, y;                  /* on the screen */
};

/* Whether the way takes part in that round: who is only printed does in every second or sixth. */
static bool takes_part(enum way_in way, int round)
{
	return round < 0 || way == OURS || way == BARE || round % (way < CHECKED ? 2 : 6) == 0;
}

/*
 * Noise only adds time, so the gate is not about medians; but the very least is one lucky press, and of 60 it moved the ratio of the
 * same program from 1.3 to 1.7. A quarter of the presses has no such luck.
 */
static double quick_of(const struct sample *sample)
{
	return sample_at(sample, 0.25);
}

/* --- The others ------------------------------------------------------------------------------------ */

static bool press_xdotool(struct bench *bench, const struct target *target, double *ms)
{
	g_autofree char *x = g_strdup_printf("%d", target->x), *y = g_strdup_printf("%d", target->y);
	gint64 began = g_get_monotonic_time();
	struct lab_run run = lab_run(bench->desk->env, LAB_ARGV("xdotool", "mousemove", x, y, "click", "1"),
		NULL, MOST_MS);
	bool told = run.code == 0 && bare_wait(bench->bare);
	*ms = (double)(g_get_monotonic_time() - began) / 1000;
	return told;
}

static bool press_lane(struct bench *bench, enum way_in way, const struct target *target,
	const char *token, double *ms)
{
	const char *why = NULL;
	if (bench->lanes[way] == NULL || token == NULL) {
		return false;
	}
	g_autofree char *arguments = g_strdup_printf("{\"pid\":%d,\"window_id\":%u,\"element_token\":\"%s\"%s}",
		target->app.pid, target->app.window, token,
		way == OURS_THEN ? ",\"then\":{\"observe\":\"diff\"}" : "");
	json_t *answer = lane_call(bench->lanes[way], "click", arguments, ms, NULL, &why);
	if (answer == NULL) {
		printf("# %s: %s\n", way_names[way], why);
		return false;
	}
	bench->confirmed += way == OURS && token == target->token && json_is_true(json_object_get(answer, "verified"));
	json_decref(answer);
	return true;
}

static bool press(struct bench *bench, enum way_in way, const struct target *target, double *ms)
{
	if (way == OURS_AWAKE) {
		lane_talk(bench->lanes[way]);
	} else if (way == BARE_AWAKE) {
		bare_talk(bench->bare);
	}
	return way == BARE || way == BARE_AWAKE ? bare_press(bench->bare, &target->press.node, ms)
		: way == CHECKED ? bare_press_checked(bench->bare, &target->press, ms)
		: way == SERVED ? bare_server_press(target->server, false, ms)
		: way == XDOTOOL ? press_xdotool(bench, target, ms)
		: press_lane(bench, way, target, target->token, ms);
}

/* --- Applications ---------------------------------------------------------------------------------- */

static struct lab_app start_chromium(struct bench *bench)
{
	g_autofree char *path = g_build_filename(bench->folder, "page.html", NULL);
	g_autofree char *page = g_strconcat("file://", path, NULL);
	g_autofree char *profile = g_strdup_printf("--user-data-dir=%s/profile-%d", bench->folder,
		bench->profiles++);
	g_autoptr(GString) html = g_string_new("<!doctype html><meta charset=utf-8><title>Rows</title>");
	for (int i = 1; i <= 500; i++) {
		g_string_append_printf(html, "<div><input type=checkbox aria-label='pick %d'>"
			"<a href='#r%d'>item %d</a> <button>do %d</button></div>\n", i, i, i, i);
	}
	g_file_set_contents(path, html->str, (gssize)html->len, NULL);
	return lab_app_start(bench->desk, LAB_ARGV("chromium", "--no-sandbox", "--no-first-run", "--password-store=basic",
		"--disable-gpu", "--force-renderer-accessibility", "--disable-background-networking",
		"--window-size=1000,700", profile, page));
}

/* Whether it can be pressed: kcalc's display is called as its button when it shows that number. The peer spells roles its own way. */
static bool is_pressed(enum way_in way, json_t *element)
{
	const char *role = json_string_value(json_object_get(element, "role"));
	return way == PEER || (role != NULL && (strstr(role, "button") != NULL || strstr(role, "check box") != NULL));
}

/* The token of an element by its label in what get_window_state of that lane says; NULL if it has none. */
static char *find_token(struct bench *bench, enum way_in way, const char *wanted,
	struct target *target)
{
	double ms;
	size_t i;
	json_t *element;
	char *found = NULL;
	const char *why = NULL;
	g_autofree char *arguments = g_strdup_printf("{\"pid\":%d,\"window_id\":%u}", target->app.pid,
		target->app.window);
	json_t *state = bench->lanes[way] != NULL && wanted != NULL
		? lane_call(bench->lanes[way], "get_window_state", arguments, &ms, NULL, &why) : NULL;
	if (why != NULL) {
		printf("# %s: %s\n", way_names[way], why);
	}
	json_array_foreach(json_object_get(state, "elements"), i, element) {
		const char *label = json_string_value(json_object_get(element, "label"));
		json_t *frame = json_object_get(element, "frame");
		if (found == NULL && g_strcmp0(label, wanted) == 0 && is_pressed(way, element)) {
			found = g_strdup(json_string_value(json_object_get(element, "element_token")));
			if (way == OURS) {
				target->x = (int)(json_integer_value(json_object_get(frame, "x"))
					+ json_integer_value(json_object_get(frame, "w")) / 2);
				target->y = (int)(json_integer_value(json_object_get(frame, "y"))
					+ json_integer_value(json_object_get(frame, "h")) / 2);
			}
		}
	}
	json_decref(state);
	return found;
}

/* By its name alone: GTK4 spells roles its own way. */
static struct lab_node find_node(struct bench *bench, const struct lab_app *app, const char *name)
{
	struct lab_node node = { 0 };
	gint64 deadline = lab_deadline(MOST_MS);
	while (node.path == NULL && lab_left(deadline) > 0) {
		node = lab_atspi_find(bench->desk, app->pid, NULL, name);
		if (node.path == NULL) {
			lab_x_quiet(bench->desk, 500);
		}
	}
	return node;
}

/* What is pressed, as the lane that presses it calls it now. */
static void find_tokens(struct bench *bench, const struct subject *subject, enum party party,
	struct target *target)
{
	g_free(target->token);
	g_free(target->again_token);
	target->again_token = find_token(bench, OURS, subject->again, target);
	/* The driver knows for everybody where things are. */
	target->token = find_token(bench, OURS, subject->press, target);
	if (party == OTHERS) {
		g_free(target->token);
		target->token = find_token(bench, PEER, subject->press, target);
	}
}

static bool start_subject(struct bench *bench, const struct subject *subject, enum party party,
	struct target *target)
{
	*target = (struct target){ 0 };
	if (g_str_equal(subject->name, "chromium")) {
		target->app = start_chromium(bench);
	} else {
		target->app = lab_app_start(bench->desk, LAB_ARGV(subject->name));
	}
	lab_atspi_until_present(bench->desk, target->app.pid, MOST_MS);
	target->press.node = find_node(bench, &target->app, subject->press);
	if (subject->again != NULL) {
		target->again = find_node(bench, &target->app, subject->again);
	}
	if (target->press.node.path == NULL || (subject->again != NULL && target->again.path == NULL)) {
		printf("\n%s: not measured, it does not show its buttons\n", subject->name);
		return false;
	}
	lab_user_works_in(bench->desk, bench->user);
	if (party != DRIVER) {
		bare_find_seats(bench->bare, &target->press);
	}
	/* Who listens makes the bus work: each application is heard by who presses there alone. */
	if (party == OTHERS) {
		bare_listen(bench->bare, &target->press.node);
	}
	if (party == SERVER) {
		target->server = bare_serve(bench->desk, &target->press, &target->again);
	} else {
		find_tokens(bench, subject, party, target);
	}
	return true;
}

static void finish_subject(struct target *target)
{
	g_free(target->token);
	g_free(target->again_token);
	bare_server_stop(target->server);
	bare_target_clear(&target->press);
	if (target->app.pid > 0) {
		lab_app_kill(&target->app);
	}
	*target = (struct target){ 0 };
}

/* --- Measuring ------------------------------------------------------------------------------------- */

static void print_rows(struct bench *bench, const struct subject *subject, const struct sample *samples)
{
	const struct sample *bare = &samples[BARE];
	printf("\n%s: %s \"%s\", %d clicks of ours confirmed\n  %-44s %4s %8s %8s %8s %9s %9s %9s\n", subject->name, subject->role,
		subject->press, bench->confirmed, "", "runs", "least ms", "quarter", "median", "leasts", "quarters", "medians");
	for (int way = 0; way < WAYS; way++) {
		const struct sample *sample = &samples[way];
		if (sample_is_empty(sample) || sample_is_empty(bare)) {
			printf("  %-44s %4s %10s\n", way_names[way], "", "not measured");
			continue;
		}
		printf("  %-44s %4u %8.2f %8.2f %8.2f %8.2fx %8.2fx %8.2fx\n", way_names[way], sample->times->len,
			sample_least(sample), quick_of(sample), sample_median(sample), sample_least(sample) / sample_least(bare),
			quick_of(sample) / quick_of(bare), sample_median(sample) / sample_median(bare));
	}
	if (!sample_is_empty(bare) && !sample_is_empty(&samples[OURS])) {
		double ratio = quick_of(&samples[OURS]) / quick_of(bare);
		bench->failed += ratio > RATIO_LIMIT;
		printf("gate  %s: click to bare DoAction and event, quarter to quarter %.2f <= %.2f %s\n",
			subject->name, ratio, RATIO_LIMIT, ratio <= RATIO_LIMIT ? "passed" : "FAILED");
		if (!sample_is_empty(&samples[OURS_AWAKE]) && !sample_is_empty(&samples[BARE_AWAKE])) {
			const struct sample *awake = &samples[OURS_AWAKE], *bare_awake = &samples[BARE_AWAKE];
			printf("      %s: the same where both were just spoken to %.2f, leasts %.2f, medians %.2f\n", subject->name,
				quick_of(awake) / quick_of(bare_awake), sample_least(awake) / sample_least(bare_awake),
				sample_median(awake) / sample_median(bare_awake));
		}
		if (!sample_is_empty(&samples[SERVED])) {
			printf("      %s: click to what any server that looks first needs %.2f\n",
				subject->name, quick_of(&samples[OURS]) / quick_of(&samples[SERVED]));
		}
	}
}

/* Starts the number again. */
static void press_again(struct bench *bench, enum party party, struct target *target)
{
	double ms;
	if (party == DRIVER) {
		press_lane(bench, OURS, target, target->again_token, &ms);
	} else if (party == SERVER) {
		bare_server_press(target->server, true, &ms);
	} else {
		bare_press(bench->bare, &target->again, &ms);
	}
	bare_drain(bench->bare);
}

/* Presses by each way of the party's once. */
static void press_round(struct bench *bench, const struct subject *subject, enum party party, struct target *target,
	int round, struct sample *samples)
{
	if (party == DRIVER && round % PRESSES == 0) {
		/* A snapshot is forgotten after two dozen others, and `then` takes one each time. */
		find_tokens(bench, subject, party, target);
		bare_drain(bench->bare);
	}
	for (int way = 0; way < WAYS; way++) {
		double ms;
		if (party_of((enum way_in)way) != party || !takes_part((enum way_in)way, round)) {
			continue;
		}
		/* The first two rounds are not counted. */
		if (press(bench, (enum way_in)way, target, &ms) && round >= 0) {
			sample_add(&samples[way], ms);
		}
		bare_drain(bench->bare);
	}
	if (target->again.path != NULL && round % PRESSES == 0) {
		press_again(bench, party, target);
	}
}

/* All parties in turn; one after the other where there can be only one application, several times. */
static void measure(struct bench *bench, const struct subject *subject)
{
	struct sample samples[WAYS];
	int blocks = subject->single ? 3 : 1, rounds = subject->rounds / (bench->quick ? 3 : 1) / blocks;
	bool shown = true;
	bench->confirmed = 0;
	for (int way = 0; way < WAYS; way++) {
		sample_init(&samples[way]);
	}
	for (int block = 0; block < blocks; block++) {
		struct target targets[PARTIES] = { 0 };
		for (int party = 0; party < PARTIES; party++) {
			shown = shown && start_subject(bench, subject, (enum party)party, &targets[party]);
			for (int round = -2; subject->single && shown && round < rounds; round++) {
				press_round(bench, subject, (enum party)party, &targets[party], round, samples);
			}
			if (subject->single) {
				finish_subject(&targets[party]);
			}
		}
		for (int round = -2; !subject->single && shown && round < rounds; round++) {
			for (int party = 0; party < PARTIES; party++) {
				press_round(bench, subject, (enum party)party, &targets[party], round, samples);
			}
		}
		for (int party = 0; party < PARTIES; party++) {
			finish_subject(&targets[party]);
		}
	}
	if (shown) {
		print_rows(bench, subject, samples);
	}
	for (int way = 0; way < WAYS; way++) {
		sample_clear(&samples[way]);
	}
}

/* --- Start ----------------------------------------------------------------------------------------- */

static void start_lanes(struct bench *bench)
{
	const char *source = g_getenv("CUA_SRCDIR"), *build = g_getenv("CUA_BUILDDIR");
	g_autofree char *peer = g_build_filename(source, "bench", "peer.mjs", NULL);
	g_autofree char *modules = g_build_filename(build, "peer", NULL);
	g_autofree char *installed = g_build_filename(modules, "node_modules", NULL);

	bench->lanes[OURS] = lane_start(LAB_ARGV(lab_driver_path(), "mcp"), bench->desk->env);
	if (bench->lanes[OURS] == NULL || !lane_initialize(bench->lanes[OURS])) {
		lab_fail("the driver does not start");
	}
	bench->lanes[OURS_AWAKE] = bench->lanes[OURS_THEN] = bench->lanes[OURS];
	if (access(installed, R_OK) == 0) {
		bench->lanes[PEER] = lane_start(LAB_ARGV("node", peer, modules), bench->desk->env);
		if (!lane_initialize(bench->lanes[PEER])) {
			lane_stop(bench->lanes[PEER]);
			bench->lanes[PEER] = NULL;
		}
	}
}

int main(int argc, char **argv)
{
	bool gates = false;
	const char *only = NULL;
	struct bench bench = { 0 };
	for (int i = 1; i < argc; i++) {
		gates |= g_str_equal(argv[i], "--gates");
		bench.quick |= g_str_equal(argv[i], "--quick");
		only = g_str_has_prefix(argv[i], "--only=") ? argv[i] + strlen("--only=") : only;
	}
	if (!lane_prepare("action")) {
		return 64;
	}
	/* The driver asks the scheduler for this. Who presses without it is compared as it would be with the same. */
	wakeup_soon();
	g_autofree char *folder = g_dir_make_tmp("bench-XXXXXX", NULL);
	bench.folder = folder;
	bench.desk = lab_desk_start("xvfb", "openbox");
	bench.bare = bare_open(bench.desk);
	start_lanes(&bench);
	bench.user = lab_window_open(bench.desk, &(struct lab_window){ .title = "the user's", .x = 1050,
		.y = 650 });
	for (gsize i = 0; i < G_N_ELEMENTS(subjects); i++) {
		if (only == NULL || strstr(only, subjects[i].name) != NULL) {
			measure(&bench, &subjects[i]);
		}
	}
	lane_stop(bench.lanes[OURS]);
	lane_stop(bench.lanes[PEER]);
	bare_close(bench.bare);
	lab_desk_stop(bench.desk);
	lab_run(NULL, LAB_ARGV("rm", "-rf", folder), NULL, 30000);
	printf("\n%d gates failed\n", bench.failed);
	return gates && bench.failed > 0;
}
