/* SPDX-License-Identifier: MIT */
/*
 * Trees that no toolkit would make (tests/harness/hostile.c): the answer is bounded and says what lacks, the
 * JSON is valid, and the driver goes on. What it leaks or does that is undefined the sanitizers' build of
 * ./check tells when it stops.
 */
#include <signal.h>
#include <string.h>

#include "lab/oracle.h"

/* An answer comes; when is the machine's business. The contract's 10 s are asserted by the codes. */
#define EVENTUALLY 50000

static struct lab_app start(struct lab_desk *desk, const char *mode, const char *after)
{
	const char *top = g_getenv("CUA_BUILDDIR");
	g_autofree char *program = g_build_filename(top ? top : ".", "tests/harness/hostile", NULL);

	return lab_app_start(desk, LAB_ARGV(program, "--mode", mode, "--after", after));
}

static struct lab_answer read_state(struct lab_driver *driver, const struct lab_app *app, const char *more)
{
	int id = lab_send_call(driver, "get_window_state",
		"{\"window_id\":%u,\"include_screenshot\":false%s}", app->window, more);

	return lab_answer_of(driver, lab_wait_id(driver, id, EVENTUALLY));
}

/* The same of an application that does answer: on a busy machine not always at the first try. */
static struct lab_answer read_tree(struct lab_driver *driver, const struct lab_app *app)
{
	struct lab_answer answer;

	for (int i = 0; i < 5; i++) {
		answer = read_state(driver, app, "");
		if (!answer.is_error || !g_str_equal(answer.code, "app_unresponsive")) {
			break;
		}
	}
	if (answer.is_error) {
		lab_fail("%s", answer.text);
	}
	return answer;
}

/* Whatever happened, the next call is answered. */
static void must_live(struct lab_driver *driver)
{
	lab_call_ok(driver, "get_screen_size", "{}");
}

static bool is_one_of(const char *code, const char *const *codes)
{
	return code && g_strv_contains(codes, code);
}

/* A tree that was cut says so, and has no more than it was asked for. */
static void large(struct lab_desk *desk)
{
	static const char *const modes[] = { "many", "flat", "deep", "cycle", "churn" };
	struct lab_driver *driver = lab_driver_start(desk);

	for (size_t i = 0; i < G_N_ELEMENTS(modes); i++) {
		struct lab_app app = start(desk, modes[i], "1000000000");
		struct lab_answer answer = read_state(driver, &app, "");

		lab_note("%s: %s", modes[i], answer.is_error ? answer.text
			: lab_json(json_object_get(answer.structured, "truncated")));
		/* On a slow machine the time may be over before the limit is reached. */
		if (answer.is_error) {
			lab_assert_str(answer.code, "app_unresponsive");
		} else if (!g_str_equal(modes[i], "churn")) {
			lab_assert(!lab_bool(answer.structured, "complete"));
			lab_assert(lab_int(answer.structured, "element_count") <= 5000);
			lab_assert(lab_int(answer.structured, "element_count") > 0);
		}
		answer = read_state(driver, &app, ",\"max_elements\":300,\"max_depth\":20");
		lab_assert(answer.is_error || lab_int(answer.structured, "element_count") <= 300);
		must_live(driver);
		lab_app_kill(&app);
	}
	lab_driver_stop(driver);
}

/* All 50,000 at once: what a message can carry, or a code that says why not. */
static void all_of_it(struct lab_desk *desk)
{
	static const char *const codes[] = { "app_unresponsive", "answer_too_large", NULL };
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_app app = start(desk, "many", "1000000000");
	struct lab_answer answer = read_state(driver, &app, ",\"max_elements\":50000");

	lab_assert(!answer.is_error || is_one_of(answer.code, codes));
	lab_note("50,000 asked for: %s", answer.is_error ? answer.code
		: lab_json(json_object_get(answer.structured, "truncated")));
	/* Either all, or it is said that they are not; how many a busy machine reads in the time nobody can say. */
	if (!answer.is_error) {
		lab_assert(lab_int(answer.structured, "element_count") > 0);
		lab_assert(lab_bool(answer.structured, "complete")
			|| *lab_str(answer.structured, "truncated") != '\0');
	}
	must_live(driver);
	lab_driver_stop(driver);
}

static void long_labels(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_app app = start(desk, "huge", "1000000000");
	struct lab_answer answer = read_tree(driver, &app);
	size_t i;
	json_t *element;

	/* Forty megabytes may take longer than there is time. */
	lab_assert(!lab_bool(answer.structured, "complete")
		|| json_array_size(lab_array(answer.structured, "elements")) == 40);
	json_array_foreach(lab_array(answer.structured, "elements"), i, element) {
		lab_assert(strlen(lab_str(element, "label")) <= 100000);
	}
	/* A model is not shown a megabyte of one letter. */
	lab_assert(strlen(answer.text) < 40000);
	must_live(driver);
	lab_driver_stop(driver);
}

/* Names arrive as they are in JSON; in what a model reads they cannot break out of their line. */
static void odd_names(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_app app = start(desk, "bidi", "1000000000");
	struct lab_answer answer = read_tree(driver, &app);
	json_t *elements = lab_array(answer.structured, "elements");
	lab_assert(lab_pick_str(elements, "label", "\xe2\x80\xaegnp.exe"));
	lab_assert(lab_pick_str(elements, "label", "tab\tnew\nline\r"));
	lab_assert(lab_pick_str(elements, "label", "\x01\x1b[31mred"));
	lab_assert(lab_pick_str(elements, "label", "quote\"back\\slash"));
	const char *markdown = lab_str(answer.structured, "tree_markdown");
	lab_assert(!strstr(markdown, "\xe2\x80\xae") && !strchr(markdown, '\x1b') && !strchr(markdown, '\t'));
	/* One line for each of them, and one for the window. */
	g_auto(GStrv) lines = g_strsplit(markdown, "\n", -1);
	lab_assert_int(g_strv_length(lines), 40 + 1 + 1);
	lab_driver_stop(driver);
}

/* Counts, signatures, roles and references that cannot be. */
static void lies(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_app app = start(desk, "lies", "1000000000");
	struct lab_answer answer = read_state(driver, &app, "");

	lab_note("lies: %s", answer.is_error ? answer.text
		: lab_json(json_object_get(answer.structured, "truncated")));
	lab_assert(answer.is_error || !lab_bool(answer.structured, "complete"));
	must_live(driver);
	lab_driver_stop(driver);
}

/* It ends, stops, or falls silent at a request that comes sooner or later in the walk. */
static void in_the_middle(struct lab_desk *desk)
{
	static const char *const modes[] = { "crash", "stop", "silent" };
	static const char *const moments[] = { "1", "20", "100" };
	static const char *const codes[] = {
		"app_unresponsive", "window_not_found", "stale_element", "no_accessibility", NULL,
	};
	struct lab_driver *driver = lab_driver_start(desk);

	for (size_t i = 0; i < G_N_ELEMENTS(modes) * G_N_ELEMENTS(moments); i++) {
		const char *mode = modes[i / G_N_ELEMENTS(moments)], *moment = moments[i % G_N_ELEMENTS(moments)];
		struct lab_app app = start(desk, mode, moment);
		struct lab_answer answer = read_state(driver, &app, "");

		lab_note("%s at %s: %s", mode, moment, answer.is_error ? answer.code
			: lab_str(answer.structured, "tree"));
		/* What is left of it may be nothing, or not the whole; never all of it. */
		if (answer.is_error ? !is_one_of(answer.code, codes)
			: lab_bool(answer.structured, "complete") && !g_str_equal(mode, "silent")) {
			lab_fail("%s at %s: %s", mode, moment, answer.text);
		}
		must_live(driver);
		if (!g_str_equal(mode, "crash")) {
			kill(app.pid, SIGCONT);
			lab_app_kill(&app);
		}
	}
	lab_driver_stop(driver);
}

static void slow(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_app app = start(desk, "slow", "1000000000");
	struct lab_answer answer = read_state(driver, &app, "");

	/* Some 300 requests of 20 ms: within the time or not, but not for ever. */
	lab_assert(!answer.is_error || g_str_equal(answer.code, "app_unresponsive"));
	must_live(driver);
	lab_driver_stop(driver);
}

#define DESK .servers = LAB_XVFB, .wms = "none", .timeout = 400

static const struct lab_test tests[] = {
	{ .name = "large", .run = large, DESK,
	  .about = "50,000 nodes, endless depth, cycles, children that come and go." },
	{ .name = "all_of_it", .run = all_of_it, DESK, .about = "50,000 nodes asked for." },
	{ .name = "long_labels", .run = long_labels, DESK, .about = "Labels of a megabyte." },
	{ .name = "odd_names", .run = odd_names, DESK,
	  .about = "Direction marks, control characters, quotes." },
	{ .name = "lies", .run = lies, DESK, .about = "Impossible counts, types and references." },
	{ .name = "in_the_middle", .run = in_the_middle, DESK,
	  .about = "An application that crashes, stops or falls silent while it is read." },
	{ .name = "slow", .run = slow, DESK, .about = "An application that takes its time." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
