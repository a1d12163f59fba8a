/* SPDX-License-Identifier: MIT */
/*
 * click by element on every toolkit, judged by the application's journal (did it land?) and by a user
 * who types in front all the time (was it noticed?). The driver's own word is held against both.
 */
#include <string.h>

#include "lab/oracle.h"

/* What a click on a control must come to. */
struct target {
	const char *id;
	const char *label, *value;
	bool shows;              /* the control itself shows it: the driver has to confirm it */
};

static const struct target targets[] = {
	{ "chk-agree", "agreed", "true", true },
	{ "btn-counter", "counter", "1", false },
	{ "btn-target", "clicks", "1", false },
	{ "btn-counter", "counter", "2", false },
	{ "chk-agree", "agreed", "false", true },
};

static json_t *snapshot(struct lab_driver *driver, const struct lab_harness *harness)
{
	return lab_call_ok(driver, "get_window_state",
		"{\"pid\":%d,\"window_id\":%u,\"include_screenshot\":false}", harness->pid,
		harness->window).structured;
}

/* The element of that control that can be pressed; a caption of the same name cannot. */
static json_t *find(const json_t *state, const char *id)
{
	const char *label = lab_control_label(id);
	size_t i;
	json_t *element;

	json_array_foreach(lab_array(state, "elements"), i, element) {
		if (g_strcmp0(json_string_value(json_object_get(element, "label")), label) == 0 &&
			!g_str_equal(lab_str(element, "role"), "label") &&
			json_array_size(json_object_get(element, "actions")) > 0) {
			return element;
		}
	}
	return NULL;
}

static json_int_t index_of(const json_t *state, const char *id)
{
	json_t *element = find(state, id);

	if (!element) {
		lab_fail("the driver shows no \"%s\" with an action: %s", lab_control_label(id),
			lab_json(state));
	}
	return lab_int(element, "element_index");
}

/* The driver may be less sure than the journals are, and never surer. */
static void must_agree(const struct lab_answer *answer, const struct lab_verdict *verdict,
	bool landed_before, const char *what)
{
	const char *effect = lab_str(answer->structured, "effect");
	json_t *disturbed = lab_array(answer->structured, "disturbed");

	lab_assert(lab_bool(answer->structured, "verified") == g_str_equal(effect, "confirmed"));
	if (g_str_equal(effect, "confirmed") && !landed_before) {
		lab_fail("%s: the driver confirms what had not happened when it said so", what);
	}
	if (g_str_equal(effect, "suspected_noop") && verdict->landed) {
		lab_fail("%s: the driver doubts what did happen", what);
	}
	if ((json_array_size(disturbed) == 0) != verdict->held) {
		lab_fail("%s: the driver says disturbed %s, the sentinel says %s", what,
			lab_json(disturbed), verdict->text);
	}
}

static void press(struct lab_driver *driver, struct lab_harness *harness,
	struct lab_sentinel *sentinel, const json_t *state, const struct target *target)
{
	bool native = !g_str_equal(harness->name, "web");

	lab_sentinel_start(sentinel);
	guint mark = lab_journal_mark(harness);
	/* Time enough on a busy machine: what happens later than this the driver cannot know. */
	struct lab_answer answer = lab_call_ok(driver, "click",
		"{\"pid\":%d,\"window_id\":%u,\"element_index\":%lld,\"settle_ms\":2000}", harness->pid,
		harness->window, (long long)index_of(state, target->id));
	gint64 answered = g_get_monotonic_time();
	bool landed = lab_journal_has_state(harness, target->label, target->value, 3000);
	/* Somebody who takes the focus a moment later has taken it. */
	lab_sentinel_types(sentinel, 8);
	struct lab_verdict verdict = lab_sentinel_stop(sentinel);
	verdict.landed = landed;
	json_t *line = lab_journal_find(harness, mark, 0, "kind", "state", "label", target->label,
		"value", target->value, NULL);
	if (!verdict.landed || !verdict.held) {
		lab_journal_note(harness, 12);
		lab_journal_note(lab_sentinel_journal(sentinel), 30);
		lab_fail("%s on %s: landed %d, held %d: %s; the driver says %s", target->id, harness->name,
			verdict.landed, verdict.held, verdict.text, lab_json(answer.structured));
	}
	/* A control tells its new state before the application's own handler runs, which journals it. */
	bool before = line && (target->shows || lab_int(line, "t") <= answered);
	must_agree(&answer, &verdict, before, target->id);
	if (target->shows && native) {
		lab_assert_str(lab_str(answer.structured, "effect"), "confirmed");
	}
	/* An echo is no proof, least of all in a page. */
	if (!native) {
		lab_assert_str(lab_str(answer.structured, "effect"), "unverifiable");
	}
}

static void click_on(struct lab_desk *desk, const char *name)
{
	struct lab_harness *harness = lab_harness_start(desk, name, NULL);
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_sentinel *sentinel = lab_sentinel_open(desk, NULL);

	lab_sentinel_calibrate(sentinel, LAB_FIVE);
	json_t *state = snapshot(driver, harness);
	for (size_t i = 0; i < G_N_ELEMENTS(targets); i++) {
		struct lab_seen seen = lab_harness_see(harness, NULL, lab_control_label(targets[i].id),
			5000);

		/* A check box of GTK 4.8 has no action that accessibility could perform. */
		if (lab_seen_actions(harness, &seen) == 0) {
			lab_assert_str(harness->name, "gtk4");
			lab_assert(!find(state, targets[i].id));
			lab_note("%s: %s has no action", harness->name, targets[i].id);
			continue;
		}
		press(driver, harness, sentinel, state, &targets[i]);
	}
}

static void click_gtk3(struct lab_desk *desk)
{
	click_on(desk, "gtk3");
}

static void click_gtk4(struct lab_desk *desk)
{
	click_on(desk, "gtk4");
}

static void click_qt5(struct lab_desk *desk)
{
	click_on(desk, "qt5");
}

static void click_web(struct lab_desk *desk)
{
	click_on(desk, "web");
}

/* Nothing to press by name: said so, and nothing pressed. */
static void click_xaw(struct lab_desk *desk)
{
	struct lab_harness *harness = lab_harness_start(desk, "xaw", NULL);
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_sentinel *sentinel = lab_sentinel_open(desk, NULL);

	lab_sentinel_calibrate(sentinel, LAB_FIVE);
	lab_sentinel_start(sentinel);
	guint mark = lab_journal_mark(harness);
	json_t *state = snapshot(driver, harness);
	lab_assert(lab_bool(state, "degraded"));
	lab_str(state, "degraded_reason");
	lab_assert_int(json_array_size(lab_array(state, "elements")), 0);
	struct lab_answer answer = lab_call_refused(driver, "invalid_element_index", "click",
		"{\"pid\":%d,\"window_id\":%u,\"element_index\":0}", harness->pid, harness->window);
	lab_assert_str(lab_str(answer.structured, "delivery"), "none");
	lab_sentinel_types(sentinel, 8);
	struct lab_verdict verdict = lab_sentinel_stop(sentinel);
	if (!verdict.held) {
		lab_fail("refusing disturbed the user: %s", verdict.text);
	}
	lab_assert_int(lab_journal_count(harness, mark, "kind", "state", NULL), 0);
	lab_assert_int(lab_journal_count(harness, mark, "kind", "event", "type", "button_press", NULL),
		0);
}

/* How long the driver answers for what comes of an action, less some for looking at the clock. */
#define GUARDED_US (1200 * G_TIME_SPAN_MILLISECOND)

/* Whether the user lost focus or keyboard while the driver was on guard. */
static bool lost_in_time(struct lab_sentinel *sentinel, guint mark, gint64 answered)
{
	struct lab_harness *journal = lab_sentinel_journal(sentinel);
	json_t *line = lab_journal_find(journal, mark, 0, "kind", "event", "type", "focus_out", NULL);

	return line && lab_int(line, "t") <= answered + GUARDED_US;
}

static bool is_users_again(struct lab_desk *desk, void *data)
{
	xcb_window_t window = *(xcb_window_t *)data;

	return lab_x_number(desk, desk->root, "_NET_ACTIVE_WINDOW", 0) == window;
}

/*
 * What an application does in answer to a click may disturb the user all the same. Whether it did is
 * for the window manager and the toolkit to decide, for the driver to say, at the latest in its next
 * answer, and to put right: the user has window and keyboard again without doing anything.
 */
static void disturb(struct lab_driver *driver, struct lab_sentinel *sentinel, const char *name,
	const char *id, const char *label, const char *value)
{
	struct lab_desk *desk = lab_sentinel_journal(sentinel)->desk;
	struct lab_harness *harness = lab_harness_start(desk, name, NULL);
	json_t *state = snapshot(driver, harness);
	json_int_t target = index_of(state, id), other = index_of(state, "btn-counter");
	xcb_window_t users = lab_sentinel_window(sentinel);

	lab_sentinel_start(sentinel);
	guint mark = lab_journal_mark(lab_sentinel_journal(sentinel));
	struct lab_answer answer = lab_call(driver, "click",
		"{\"pid\":%d,\"window_id\":%u,\"element_index\":%lld,\"settle_ms\":800}", harness->pid,
		harness->window, (long long)target);
	gint64 answered = g_get_monotonic_time();
	if (answer.is_error) {
		lab_assert_str(answer.code, "popup_grabs_user");
	}
	if (label && !lab_journal_has_state(harness, label, value, 10000)) {
		lab_fail("%s of %s did not land", id, name);
	}
	lab_sentinel_types(sentinel, 8);
	/* A window that comes after the guard has gone is not held against it. */
	if (lost_in_time(sentinel, mark, answered)) {
		lab_x_until(desk, is_users_again, &users, 10000, "the user to be back where the user was");
	}
	struct lab_verdict verdict = lab_sentinel_stop(sentinel);
	bool in_time = lost_in_time(sentinel, mark, answered);
	/* Each look is a grab itself, so not one after another without a pause. */
	gint64 deadline = lab_deadline(10000);
	while (lab_user_read(desk).keyboard_grabbed) {
		if (lab_left(deadline) == 0) {
			lab_fail("%s of %s: the user's keyboard is still taken", id, name);
		}
		lab_x_quiet(desk, 100);
	}
	/* Whatever came after the answer is told with the next one. */
	struct lab_answer next = lab_call(driver, "click",
		"{\"pid\":%d,\"window_id\":%u,\"element_index\":%lld}", harness->pid, harness->window,
		(long long)other);
	bool at_once = json_array_size(lab_array(answer.structured, "disturbed")) > 0;
	bool said = at_once || lab_get(next.structured, "disturbed_late");
	if (at_once && verdict.held) {
		lab_fail("%s of %s: the driver says it disturbed, the user noticed nothing: %s %s", id, name,
			lab_json(answer.structured), lab_json(next.structured));
	}
	if (!said && in_time) {
		lab_journal_note(lab_sentinel_journal(sentinel), 30);
		lab_fail("%s of %s: the user was disturbed and the driver does not say so: %s %s; %s", id,
			name, lab_json(answer.structured), lab_json(next.structured), verdict.text);
	}
	lab_note("%s of %s: %s %s, %s", id, name, answer.is_error ? answer.code
		: lab_str(answer.structured, "effect"), lab_json(lab_array(answer.structured, "disturbed")),
		verdict.text);
	lab_harness_stop(harness);
}

static void disturb_with(struct lab_desk *desk, const char *id, const char *label, const char *value)
{
	static const char *const names[] = { "gtk3", "gtk4", "qt5" };
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_sentinel *sentinel = lab_sentinel_open(desk, NULL);

	lab_sentinel_calibrate(sentinel, LAB_FIVE);
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		disturb(driver, sentinel, names[i], id, label, value);
	}
}

static void focused(struct lab_desk *desk)
{
	disturb_with(desk, "btn-second", "second", "open");
}

static void grabbed(struct lab_desk *desk)
{
	disturb_with(desk, "btn-context", NULL, NULL);
}

/*
 * An application that comes to the front a moment after the click was answered: the user gets the focus
 * back, and get_session tells. On a machine so slow that the guard had gone there is another try.
 */
static void late(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_sentinel *sentinel = lab_sentinel_open(desk, NULL);
	struct lab_harness *harness = lab_harness_start(desk, "gtk3", NULL);
	xcb_window_t users = lab_sentinel_window(sentinel);
	json_int_t target = index_of(snapshot(driver, harness), "btn-counter");
	bool in_time = false;

	for (int tries = 0; tries < 10 && !in_time; tries++) {
		lab_sentinel_start(sentinel);
		guint mark = lab_journal_mark(lab_sentinel_journal(sentinel));
		lab_call_ok(driver, "click", "{\"window_id\":%u,\"element_index\":%lld}", harness->window,
			(long long)target);
		gint64 answered = g_get_monotonic_time();
		if (tries == 0) {
			json_t *session = lab_call_ok(driver, "get_session", "{}").structured;
			lab_assert_int(json_array_size(lab_array(session, "disturbed_late")), 0);
		}
		lab_x_request(desk, harness->window, "_NET_ACTIVE_WINDOW", 2, XCB_CURRENT_TIME, 0);
		if (!lab_journal_find(lab_sentinel_journal(sentinel), mark, 10000, "kind", "event", "type",
			"focus_out", NULL)) {
			lab_fail("the user never lost the focus");
		}
		in_time = lost_in_time(sentinel, mark, answered);
		lab_sentinel_stop(sentinel);
	}
	if (!in_time) {
		lab_fail("the user never lost the focus in time");
	}
	/* The user's window knows of it before the window manager says so, on which the driver waits. */
	gint64 deadline = lab_deadline(10000);
	json_t *told = NULL;
	while (json_array_size(told) == 0) {
		if (lab_left(deadline) == 0) {
			lab_fail("get_session does not tell that the focus was taken");
		}
		lab_x_quiet(desk, 50);
		told = lab_array(lab_call_ok(driver, "get_session", "{}").structured, "disturbed_late");
	}
	lab_x_until(desk, is_users_again, &users, 10000, "the user to be back where the user was");
	lab_assert_str(lab_str(json_array_get(told, 0), "taken"), "focus");
	lab_assert_int(lab_int(json_array_get(told, 0), "pid"), harness->pid);
}

struct pair {
	xcb_window_t below, above;
};

static bool is_in_order(struct lab_desk *desk, void *data)
{
	const struct pair *pair = data;
	g_autoptr(GArray) windows = lab_x_list(desk, desk->root, "_NET_CLIENT_LIST_STACKING");
	int below = -1, above = -1;

	for (guint i = 0; i < windows->len; i++) {
		uint32_t window = g_array_index(windows, uint32_t, i);
		below = window == pair->below ? (int)i : below;
		above = window == pair->above ? (int)i : above;
	}
	return below >= 0 && below < above;
}

/* An application that puts its window above the user's, after the answer and without the focus. */
static void raised(struct lab_desk *desk)
{
	struct lab_harness *form = lab_harness_start(desk, "form-gtk3", LAB_ARGV("--raises"));
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_sentinel *sentinel = lab_sentinel_open(desk, NULL);
	struct pair pair = { form->window, lab_sentinel_window(sentinel) };

	lab_user_works_in(desk, pair.above);
	lab_x_until(desk, is_in_order, &pair, 10000, "the user's window in front");
	json_t *state = lab_call_ok(driver, "get_window_state", "{\"window_id\":%u,\"include_screenshot\":false}",
		form->window).structured;
	json_int_t push = lab_int(lab_element(state, NULL, "Push me"), "element_index");
	lab_call_ok(driver, "click", "{\"window_id\":%u,\"element_index\":%lld}", form->window, (long long)push);
	lab_journal_wait_state(form, "raised", "1", 10000);
	/* What it asked for has come to the window manager when this has. */
	lab_x_quiet(desk, 300);
	lab_x_until(desk, is_in_order, &pair, 10000, "the user's window in front again");
	struct lab_answer answer = lab_call_ok(driver, "click", "{\"window_id\":%u,\"element_index\":%lld}", form->window,
		(long long)push);
	if (!lab_array_has(lab_get(answer.structured, "disturbed_late"), "stacking")) {
		lab_fail("it was raised, and that is not said: %s", lab_json(answer.structured));
	}
}

/*
 * A button of GTK4 stays down for a quarter of a second before it acts. Who does not say how long to wait gets
 * the usual time after that, or an effect would be taken for none; who says so gets what was asked for.
 */
static void unhurried(struct lab_desk *desk)
{
	enum { DOWN_MS = 250, USUAL_MS = 250 };
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_harness *harness = lab_harness_start(desk, "gtk4", LAB_ARGV("--fault", "late1000"));
	json_int_t button = index_of(snapshot(driver, harness), "btn-counter");
	gint64 began = g_get_monotonic_time();

	struct lab_answer answer = lab_call_ok(driver, "click", "{\"window_id\":%u,\"element_index\":%lld}",
		harness->window, (long long)button);
	gint64 took = (g_get_monotonic_time() - began) / 1000;
	lab_assert(!lab_bool(answer.structured, "verified"));
	if (took < DOWN_MS + USUAL_MS) {
		lab_fail("the driver gave up after %d ms: %s", (int)took, lab_json(answer.structured));
	}
	lab_assert(lab_journal_has_state(harness, "counter", "1", 10000));
	/* A busy machine may take longer, but not each time. */
	bool soon = false;
	for (int i = 0; i < 5 && !soon; i++) {
		answer = lab_call_ok(driver, "click", "{\"window_id\":%u,\"element_index\":%lld,\"settle_ms\":0}",
			harness->window, (long long)button);
		soon = lab_int(answer.structured, "elapsed_ms") < DOWN_MS;
		g_autofree char *count = g_strdup_printf("%d", i + 2);
		lab_assert(lab_journal_has_state(harness, "counter", count, 10000));
	}
	lab_assert(soon);
}

/* In a page nothing is proven, by an action right after another one neither, and it is said how to go on. */
static void echoed(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_harness *harness = lab_harness_start(desk, "web", NULL);
	json_int_t box = index_of(snapshot(driver, harness), "chk-agree");

	for (int i = 0; i < 3; i++) {
		struct lab_answer answer = lab_call_ok(driver, "click",
			"{\"window_id\":%u,\"element_index\":%lld,\"settle_ms\":5000}", harness->window, (long long)box);

		lab_assert(lab_journal_has_state(harness, "agreed", i % 2 ? "false" : "true", 10000));
		lab_assert_str(lab_str(answer.structured, "effect"), "unverifiable");
		lab_assert_str(lab_str(answer.structured, "escalation/recommended"), "page");
		lab_assert_int(json_array_size(lab_array(answer.structured, "evidence")), 1);
		lab_assert_str(lab_str(answer.structured, "evidence/0/after"), i % 2 ? "false" : "true");
		/* The page has shown it: there is nothing to wait for. */
		lab_assert(lab_int(answer.structured, "elapsed_ms") < 5000);
	}
}

static const struct lab_test tests[] = {
	{ .name = "gtk3", .run = click_gtk3, .servers = LAB_XVFB, .wms = "*",
	  .about = "GTK 3: a click lands, the user does not notice, and the driver says the same." },
	{ .name = "gtk4", .run = click_gtk4, .servers = LAB_XVFB, .wms = "*", .about = "GTK 4." },
	{ .name = "qt5", .run = click_qt5, .servers = LAB_XVFB, .wms = "*", .about = "Qt 5." },
	{ .name = "web", .run = click_web, .servers = LAB_XVFB, .wms = "*", .needs = "chromium",
	  .about = "A page in Chromium: it lands, and the driver does not claim to know." },
	{ .name = "xaw", .run = click_xaw, .servers = LAB_XVFB, .wms = "*",
	  .about = "Without accessibility the driver says what it lacks and presses nothing." },
	{ .name = "focused", .run = focused, .servers = LAB_XVFB, .wms = "*",
	  .about = "A window that opens and takes the user's focus: the driver says so and gives it back." },
	{ .name = "grabbed", .run = grabbed, .servers = LAB_XVFB, .wms = "*",
	  .about = "A menu that opens and swallows the user's keys: the driver says so and closes it." },
	{ .name = "unhurried", .run = unhurried, .servers = LAB_XVFB, .wms = "openbox",
	  .about = "The time that a button of GTK 4 stays down is not the caller's time." },
	{ .name = "echoed", .run = echoed, .servers = LAB_XVFB, .wms = "openbox", .needs = "chromium",
	  .about = "Clicks in a page, one after another: each is said to be an echo, at once and only once." },
	{ .name = "late", .run = late, .servers = LAB_XVFB, .wms = "openbox",
	  .about = "An application that takes the focus after the answer: given back, and told by get_session." },
	{ .name = "raised", .run = raised, .servers = LAB_XVFB, .wms = "openbox xfwm4", .timeout = 120,
	  .about = "An application that raises its window after the answer: put back, and told." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
