/* SPDX-License-Identifier: MIT */
/*
 * How fast text is typed into each toolkit, beside xdotool and the released peer: characters a second from the call until the
 * application has all of them, and how many were lost or wrong, by the application's own word. See README.md.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "keys/keys.h"
#include "lane.h"
#include "sample.h"

/* Nothing more came for this long: it is over. */
#define QUIET_US (1500 * 1000)
#define CALL_MS 120000
#define ROUNDS 5
#define QUICK_ROUNDS 2

enum way_in { OURS, FRONT, XDOTOOL, XDOTOOL_FLAT_OUT, PEER, WAYS };
static const char *const way_names[WAYS] = {
	[OURS] = "type_text by keys, in the background",
	[FRONT] = "type_text, in the foreground",
	[XDOTOOL] = "xdotool type",
	[XDOTOOL_FLAT_OUT] = "xdotool type --delay 0",
	[PEER] = "peer (@trycua/cua-driver 0.28.2) type_text",
};

struct tally {
	struct sample ms;
	int typed, lost, wrong;
	const char *why;         /* it was not measured */
};

struct bench {
	struct lab_desk *desk;
	struct scene scene;
	struct lane *peer;
	xcb_window_t user;       /* what the user works in */
	const char *text;
	char *before;            /* what the field held */
};

/* --- What arrived ------------------------------------------------------------------------------------- */

/* The end of the content behind what was there before; NULL if that is not there any more. */
static const char *behind(const char *content, const char *before)
{
	return g_str_has_prefix(content, before) ? content + strlen(before) : NULL;
}

/* Characters of the text that are not in what came, in their order; and those of it that are not the text's. */
static void compare(const char *text, const char *came, int *lost, int *wrong)
{
	g_autofree gunichar *a = g_utf8_to_ucs4(text, -1, NULL, NULL, NULL), *b = g_utf8_to_ucs4(came, -1, NULL, NULL, NULL);
	int n = (int)g_utf8_strlen(text, -1), m = b ? (int)g_utf8_strlen(came, -1) : 0;
	g_autofree int *row = g_new0(int, m + 1);

	/* The longest part that both have in common. */
	for (int i = 0; i < n; i++) {
		int corner = 0;

		for (int k = 1; k <= m; k++) {
			int above = row[k];

			row[k] = a[i] == b[k - 1] ? corner + 1 : MAX(row[k], row[k - 1]);
			corner = above;
		}
	}
	*lost = n - row[m];
	*wrong = m - row[m];
}

/* --- The ways ----------------------------------------------------------------------------------------- */

static bool type_ours(struct bench *bench, bool front)
{
	g_autofree char *quoted = lab_quote(bench->text);
	/* Where it could be written at once keys are asked for. */
	const char *how = front ? ",\"delivery_mode\":\"foreground\""
		: bench->scene.target->says_focus ? ",\"delay_ms\":1" : "";
	/* In Xaw the pointer has to be in the field, and a page has no focus before it is clicked. */
	g_autofree char *place = front && bench->scene.harness ? g_strdup_printf(",\"x\":%d,\"y\":%d", bench->scene.x,
		bench->scene.y) : g_strdup("");
	int id = lab_send_call(bench->scene.driver, "type_text", "{\"window_id\":%u,\"text\":%s%s%s}", bench->scene.window,
		quoted, how, place);

	return !lab_answer_of(bench->scene.driver, lab_wait_id(bench->scene.driver, id, CALL_MS)).is_error;
}

static bool type_xdotool(struct bench *bench, const char *delay)
{
	return lab_run(bench->desk->env, LAB_ARGV("xdotool", "type", "--delay", delay, "--", bench->text), NULL, CALL_MS).code == 0;
}

static bool type_peer(struct bench *bench, const char **why)
{
	double ms;
	g_autofree char *quoted = lab_quote(bench->text);
	g_autofree char *arguments = g_strdup_printf("{\"pid\":%d,\"window_id\":%u,\"text\":%s}", bench->scene.pid,
		bench->scene.window, quoted);
	json_t *answer = lane_call(bench->peer, "type_text", arguments, &ms, NULL, why);
	bool done = answer != NULL;

	json_decref(answer);
	return done;
}

static bool type_by(struct bench *bench, enum way_in way, const char **why)
{
	switch (way) {
	case OURS:
	case FRONT:
		return type_ours(bench, way == FRONT);
	case XDOTOOL:
	case XDOTOOL_FLAT_OUT:
		return type_xdotool(bench, way == XDOTOOL ? "12" : "0");
	default:
		return type_peer(bench, why);
	}
}

/* One typing, on a thread of its own: meanwhile somebody has to read the application's journal, or it would stop. */
struct typing {
	struct bench *bench;
	enum way_in way;
	const char *why;
	bool done;
	gint over;
};

static gpointer type_main(gpointer data)
{
	struct typing *typing = data;

	typing->done = type_by(typing->bench, typing->way, &typing->why);
	g_atomic_int_set(&typing->over, 1);
	return NULL;
}

/* Types and waits until all of it is there, or nothing comes any more; `*ended` is when the last of it came. */
static bool type_and_look(struct bench *bench, enum way_in way, char **came, gint64 *ended, const char **why)
{
	struct typing typing = { .bench = bench, .way = way };
	g_autofree char *all = g_strconcat(bench->before, bench->text, NULL);
	GThread *thread = g_thread_new("typing", type_main, &typing);
	gint64 heard = g_get_monotonic_time();
	char *is = g_strdup(bench->before);

	*ended = heard;
	while (!g_str_equal(is, all) && (!g_atomic_int_get(&typing.over) || g_get_monotonic_time() - heard < QUIET_US)) {
		g_usleep(500);
		char *now = scene_content(&bench->scene);
		if (!g_str_equal(now, is)) {
			*ended = heard = g_get_monotonic_time();
		} else if (!g_atomic_int_get(&typing.over)) {
			heard = g_get_monotonic_time();
		}
		g_free(is);
		is = now;
	}
	while (!g_atomic_int_get(&typing.over)) {
		g_free(scene_content(&bench->scene));
		g_usleep(500);
	}
	g_thread_join(thread);
	*came = is;
	*why = typing.why ? typing.why : "refused";
	return typing.done;
}

/* An empty field, where one can be made: long lines are slow by themselves. */
static void empty_field(struct bench *bench)
{
	const struct scene *scene = &bench->scene;

	if (scene->harness && !scene->target->ascii) {
		lab_call_ok(scene->driver, "hotkey", "{\"window_id\":%u,\"keys\":[\"ctrl\",\"a\"]}", scene->window);
		lab_call_ok(scene->driver, "press_key", "{\"window_id\":%u,\"key\":\"backspace\"}", scene->window);
		if (!scene_has(&bench->scene, "")) {
			lab_fail("%s: the field cannot be emptied", scene->target->name);
		}
	}
}

/* xdotool types where the user is. */
static void take_place(struct bench *bench, enum way_in way)
{
	xcb_window_t window = way == XDOTOOL || way == XDOTOOL_FLAT_OUT ? bench->scene.window : bench->user;
	gint64 deadline = lab_deadline(CALL_MS);

	/* A window manager reads the key map anew after each symbol that xdotool gave a key: it may need a while. */
	lab_x_request(bench->desk, window, "_NET_ACTIVE_WINDOW", 2, XCB_CURRENT_TIME, 0);
	while (lab_x_number(bench->desk, bench->desk->root, "_NET_ACTIVE_WINDOW", 0) != window) {
		lab_assert(lab_left(deadline) > 0);
		g_usleep(20000);
	}
	if (window != bench->user) {
		struct lab_rect at = lab_x_bounds(bench->desk, window);

		xcb_warp_pointer(bench->desk->x, XCB_NONE, bench->desk->root, 0, 0, 0, 0, (int16_t)(at.x + bench->scene.x),
			(int16_t)(at.y + bench->scene.y));
		xcb_flush(bench->desk->x);
		lab_assert_int(lab_run(bench->desk->env, LAB_ARGV("xdotool", "click", "1"), NULL, CALL_MS).code, 0);
	}
	lab_x_quiet(bench->desk, 200);
}

static void measure(struct bench *bench, enum way_in way, bool counts, struct tally *tally)
{
	if (way == PEER && !bench->peer) {
		tally->why = "not installed";
		return;
	}
	take_place(bench, way);
	empty_field(bench);
	bench->before = scene_content(&bench->scene);
	gint64 began = g_get_monotonic_time();
	char *came;
	gint64 ended;
	const char *why;
	bool done = type_and_look(bench, way, &came, &ended, &why);
	const char *part = behind(came, bench->before);
	int lost, wrong;

	compare(bench->text, part ? part : "", &lost, &wrong);
	if (counts) {
		tally->typed += (int)g_utf8_strlen(bench->text, -1);
		tally->lost += lost;
		tally->wrong += wrong;
	}
	if (!done && !tally->why) {
		printf("# %s: not typed: %s\n", way_names[way], why);
		tally->why = "refused";
	}
	if (counts && done && lost < g_utf8_strlen(bench->text, -1)) {
		sample_add(&tally->ms, (double)(ended - began) / 1000);
	}
	g_free(came);
	g_free(bench->before);
}

/* --- Texts and targets ---------------------------------------------------------------------------------- */

#define PLAIN "All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience " \
	"and should act towards one another in a spirit of brotherhood: Article 1 (of 30), 1948! "

static void run_text(struct bench *bench, const char *name, const char *text, int rounds)
{
	struct tally tallies[WAYS] = { 0 };

	bench->text = text;
	for (int way = 0; way < WAYS; way++) {
		sample_init(&tallies[way].ms);
	}
	for (int round = -1; round < rounds; round++) {
		for (int way = 0; way < WAYS; way++) {
			measure(bench, (enum way_in)way, round >= 0, &tallies[way]);
		}
	}
	printf("\n%s, %s (%ld characters)\n", bench->scene.target->name, name, g_utf8_strlen(text, -1));
	printf("  %-44s %4s %12s %10s %10s\n", "", "runs", "characters/s", "lost", "wrong");
	for (int way = 0; way < WAYS; way++) {
		struct tally *tally = &tallies[way];
		bool any = !sample_is_empty(&tally->ms);
		g_autofree char *rate = any ? g_strdup_printf("%.0f", (double)g_utf8_strlen(text, -1) * 1000 /
			sample_median(&tally->ms)) : g_strdup(tally->why ? tally->why : "nothing came");

		printf("  %-44s %4u %12s %4d of %d %6d\n", way_names[way], tally->ms.times->len, rate, tally->lost,
			tally->typed, tally->wrong);
		sample_clear(&tally->ms);
	}
}

static struct lane *start_peer(struct lab_desk *desk, xcb_window_t window, pid_t pid)
{
	double ms;
	g_autofree char *peer = g_build_filename(g_getenv("CUA_SRCDIR"), "bench", "peer.mjs", NULL);
	g_autofree char *modules = g_build_filename(g_getenv("CUA_BUILDDIR"), "peer", NULL);
	g_autofree char *installed = g_build_filename(modules, "node_modules", NULL);
	g_autofree char *look = g_strdup_printf("{\"pid\":%d,\"window_id\":%u}", pid, window);

	if (access(installed, R_OK) != 0) {
		return NULL;
	}
	struct lane *lane = lane_start(LAB_ARGV("node", peer, modules), desk->env);
	if (!lane_initialize(lane)) {
		lane_stop(lane);
		return NULL;
	}
	json_decref(lane_call(lane, "get_window_state", look, &ms, NULL, NULL));
	return lane;
}

static void run_target(const struct target *target, bool quick)
{
	struct bench bench = { .desk = lab_desk_start("xvfb", "openbox") };
	g_autofree char *path = g_build_filename(g_getenv("CUA_SRCDIR"), "tests/keys/text.txt", NULL);
	g_autofree char *scripts = NULL;
	int rounds = quick ? QUICK_ROUNDS : ROUNDS;

	scene_open(&bench.scene, bench.desk, target, false);
	scene_focus(&bench.scene);
	bench.user = lab_window_open(bench.desk, &(struct lab_window){ .title = "the user's", .x = 900, .y = 600 });
	bench.peer = start_peer(bench.desk, bench.scene.window, bench.scene.pid);
	run_text(&bench, "one sentence", PLAIN, rounds);
	if (!target->ascii && g_file_get_contents(path, &scripts, NULL, NULL)) {
		*g_utf8_offset_to_pointer(scripts, quick ? 200 : 600) = '\0';
		run_text(&bench, "many scripts", scripts, rounds);
	}
	lane_stop(bench.peer);
	lab_driver_stop(bench.scene.driver);
	if (bench.scene.harness) {
		lab_harness_stop(bench.scene.harness);
	}
	lab_desk_stop(bench.desk);
}

int main(int argc, char **argv)
{
	bool quick = false;
	const char *only = NULL;

	for (int i = 1; i < argc; i++) {
		quick |= g_str_equal(argv[i], "--quick");
		only = g_str_has_prefix(argv[i], "--only=") ? argv[i] + strlen("--only=") : only;
	}
	if (!lane_prepare("keys")) {
		return 64;
	}
	for (const struct target *target = targets; target->name; target++) {
		g_auto(GStrv) wanted = g_strsplit(only ? only : target->name, ",", -1);

		if (!target->events && g_strv_contains((const char *const *)wanted, target->name)) {
			run_target(target, quick);
		}
	}
	return 0;
}
