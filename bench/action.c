/* SPDX-License-Identifier: MIT */
/*
 * What a click costs: element click to answer over MCP's stdio, beside a bare DoAction with the arrival of the
 * event that shows its effect, xdotool, and the released peer, on real applications, in one run. See README.md.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/lab.h"
#include "lane.h"
#include "sample.h"
#include "wire.h"

enum {
	MOST_MS = 60000,
	QUIET_MS = 600,        /* after a press: GTK3 keeps a button down for 100, GTK4 acts after 250 */
	SEATS = 4,             /* containers that are asked who sits where before a press */
	PRESSES = 2,           /* until the number in the calculator is started again */
};
#define RATIO_LIMIT 1.5

enum way_in { OURS, BARE, CHECKED, OURS_THEN, XDOTOOL, PEER, WAYS };
static const char *const way_names[] = {
	"click by element, to its answer", "bare DoAction, to its event",
	"bare re-check, then DoAction, to its event",
	"click with then: {observe: diff}", "xdotool mousemove click, to the event",
	"peer (@trycua/cua-driver 0.28.2) click",
};

struct subject {
	const char *name;
	const char *press, *again;  /* labels: what is pressed, and what starts the number again; NULL: nothing */
	const char *role;
	bool single;                /* a second one is the first again */
};

static const struct subject subjects[] = {
	{ "galculator", "7", "=", "toggle button" },
	{ "gnome-calculator", "7 7", "= =", "push button", .single = true },
	{ "kcalc", "7", "=", "push button" },
	{ "chromium", "pick 1", NULL, "check box" },
};

struct bench {
	struct lab_desk *desk;
	struct wire *wire;
	struct lane *lanes[WAYS];
	const char *folder;
	xcb_window_t user;        /* whose window is active: what changes elsewhere is not the user's doing */
	bool quick;
	int profiles;             /* given out */
	int confirmed;            /* clicks of ours */
	int failed;
};

/*
 * What is pressed. The driver's is in an application of its own: a display that others write in moves by itself,
 * and the driver rightly takes nothing there for its own doing.
 */
struct target {
	struct lab_app app;
	struct lab_node press, again;
	char *seats[SEATS];        /* what it is in, what that is in, and so on; NULL: no more */
	int places[SEATS];         /* where in each */
	char *token, *again_token; /* in the snapshot of the lane that presses them; NULL: there is none */
	int x, y;                  /* on the screen */
};

/* --- The bare way ---------------------------------------------------------------------------------- */

/* What calculators and pages say when a button did something. */
static bool tells_effect(const struct wire_message *message)
{
	static const char *const details[] = {
		"checked", "accessible-name", "accessible-value", "insert", "delete", "insert:system",
		"delete:system", "insert/system", "delete/system",
	};
	if (message->type != 4) {
		return false;
	}
	struct wire_cursor cursor = wire_read(message);
	const char *detail = wire_string(&cursor);
	for (gsize i = 0; i < G_N_ELEMENTS(details); i++) {
		if (strcmp(detail, details[i]) == 0) {
			return true;
		}
	}
	return false;
}

/* Takes in whatever has come so far. */
static void drain(struct bench *bench)
{
	struct wire_message message;
	g_usleep(QUIET_MS * 1000);
	uint32_t serial = wire_call(bench->wire, "org.freedesktop.DBus", "/org/freedesktop/DBus",
		"org.freedesktop.DBus", "GetId", "");
	while (wire_next(bench->wire, &message) && message.reply_to != serial) {
	}
}

static void listen_to(struct bench *bench, const struct lab_node *node)
{
	static const char *const events[] = {
		"object:state-changed:checked", "object:property-change:accessible-name",
		"object:property-change:accessible-value", "object:text-changed",
	};
	g_autofree char *rule = g_strdup_printf("type='signal',sender='%s'", node->bus);
	for (gsize i = 0; i < G_N_ELEMENTS(events); i++) {
		/* As registries of any age take it: the event alone. */
		wire_call(bench->wire, "org.a11y.atspi.Registry", "/org/a11y/atspi/registry",
			"org.a11y.atspi.Registry", "RegisterEvent", "s", events[i]);
	}
	wire_call(bench->wire, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
		"AddMatch", "s", rule);
	drain(bench);
}

static bool wait_event(struct bench *bench)
{
	struct wire_message message;
	while (wire_next(bench->wire, &message)) {
		if (tells_effect(&message)) {
			return true;
		}
	}
	return false;
}

/* The call's answer and the event, in whichever order they come. */
static bool press_bare(struct bench *bench, const struct lab_node *node, double *ms)
{
	struct wire_message message;
	bool answered = false, told = false;
	gint64 began = g_get_monotonic_time();
	uint32_t serial = wire_call(bench->wire, node->bus, node->path, "org.a11y.atspi.Action", "DoAction",
		"i", 0);
	while (!(answered && told) && wire_next(bench->wire, &message)) {
		answered |= message.reply_to == serial;
		told |= tells_effect(&message);
	}
	*ms = (double)(g_get_monotonic_time() - began) / 1000;
	return answered && told;
}

/* The answer to one call; what else comes is dropped. */
static bool answer_to(struct bench *bench, uint32_t serial, struct wire_message *message)
{
	while (wire_next(bench->wire, message)) {
		if (message->reply_to == serial) {
			return message->type == 2;
		}
	}
	return false;
}

/* Who contains the target, and where. */
static void find_seats(struct bench *bench, struct target *target)
{
	const char *bus = target->press.bus;
	g_autofree char *path = g_strdup(target->press.path);
	struct wire_message message;
	for (int i = 0; i < SEATS; i++) {
		if (!answer_to(bench, wire_call(bench->wire, bus, path, "org.a11y.atspi.Accessible",
			"GetIndexInParent", ""), &message)) {
			return;
		}
		struct wire_cursor cursor = wire_read(&message);
		int place = (int)wire_u32(&cursor);
		if (place < 0 || !answer_to(bench, wire_call(bench->wire, bus, path,
			"org.freedesktop.DBus.Properties", "Get", "ss", "org.a11y.atspi.Accessible", "Parent"),
			&message)) {
			return;
		}
		cursor = wire_read(&message);
		wire_variant(&cursor);
		wire_align(&cursor, 8);
		const char *name = wire_string(&cursor), *parent = wire_string(&cursor);
		if (cursor.bad || strcmp(name, bus) != 0) {
			return;
		}
		target->seats[i] = g_strdup(parent);
		target->places[i] = place;
		g_free(path);
		path = g_strdup(parent);
	}
}

/* What nobody who wants to press the right button can leave out: is it still there, and what it was? */
static bool press_checked(struct bench *bench, const struct target *target, double *ms)
{
	static const char accessible[] = "org.a11y.atspi.Accessible";
	const struct lab_node *node = &target->press;
	struct wire_message message;
	double press_ms;
	gint64 began = g_get_monotonic_time();
	wire_call(bench->wire, node->bus, node->path, accessible, "GetState", "");
	wire_call(bench->wire, node->bus, node->path, accessible, "GetRole", "");
	wire_call(bench->wire, node->bus, node->path, "org.freedesktop.DBus.Properties", "Get", "ss",
		accessible, "Name");
	uint32_t last = wire_call(bench->wire, node->bus, node->path, "org.a11y.atspi.Action", "GetActions",
		"");
	for (int i = 0; i < SEATS && target->seats[i] != NULL; i++) {
		last = wire_call(bench->wire, node->bus, target->seats[i], accessible, "GetChildAtIndex", "i",
			target->places[i]);
	}
	bool pressed = answer_to(bench, last, &message) && press_bare(bench, node, &press_ms);
	*ms = (double)(g_get_monotonic_time() - began) / 1000;
	return pressed;
}

/* --- The others ------------------------------------------------------------------------------------ */

static bool press_xdotool(struct bench *bench, const struct target *target, double *ms)
{
	g_autofree char *x = g_strdup_printf("%d", target->x), *y = g_strdup_printf("%d", target->y);
	gint64 began = g_get_monotonic_time();
	struct lab_run run = lab_run(bench->desk->env, LAB_ARGV("xdotool", "mousemove", x, y, "click", "1"),
		NULL, MOST_MS);
	bool told = run.code == 0 && wait_event(bench);
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
	return way == BARE ? press_bare(bench, &target->press, ms)
		: way == CHECKED ? press_checked(bench, target, ms)
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
	return lab_app_start(bench->desk, LAB_ARGV("chromium", "--no-sandbox", "--no-first-run",
		"--disable-gpu", "--force-renderer-accessibility", "--disable-background-networking",
		"--window-size=1000,700", profile, page));
}

/* The token of an element by its label in what get_window_state of that lane says; NULL if it has none. */
static char *find_token(struct bench *bench, enum way_in way, const char *wanted,
	struct target *target)
{
	double ms;
	size_t i;
	json_t *element;
	char *found = NULL;
	g_autofree char *arguments = g_strdup_printf("{\"pid\":%d,\"window_id\":%u}", target->app.pid,
		target->app.window);
	json_t *state = bench->lanes[way] != NULL && wanted != NULL
		? lane_call(bench->lanes[way], "get_window_state", arguments, &ms, NULL, NULL) : NULL;
	json_array_foreach(json_object_get(state, "elements"), i, element) {
		const char *label = json_string_value(json_object_get(element, "label"));
		json_t *frame = json_object_get(element, "frame");
		if (found == NULL && g_strcmp0(label, wanted) == 0) {
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
static void find_tokens(struct bench *bench, const struct subject *subject, enum way_in way,
	struct target *target)
{
	g_free(target->token);
	g_free(target->again_token);
	target->again_token = find_token(bench, OURS, subject->again, target);
	/* The driver knows for everybody where things are. */
	target->token = find_token(bench, OURS, subject->press, target);
	if (way != OURS) {
		g_free(target->token);
		target->token = find_token(bench, way, subject->press, target);
	}
}

static bool start_subject(struct bench *bench, const struct subject *subject, enum way_in way,
	struct target *target)
{
	*target = (struct target){ 0 };
	if (g_str_equal(subject->name, "chromium")) {
		target->app = start_chromium(bench);
	} else {
		target->app = lab_app_start(bench->desk, LAB_ARGV(subject->name));
	}
	lab_atspi_until_present(bench->desk, target->app.pid, MOST_MS);
	target->press = find_node(bench, &target->app, subject->press);
	if (subject->again != NULL) {
		target->again = find_node(bench, &target->app, subject->again);
	}
	if (target->press.path == NULL || (subject->again != NULL && target->again.path == NULL)) {
		printf("\n%s: not measured, it does not show its buttons\n", subject->name);
		return false;
	}
	lab_user_works_in(bench->desk, bench->user);
	if (way != OURS) {
		/* Who listens makes the bus work: the driver's application is heard by the driver alone. */
		listen_to(bench, &target->press);
		find_seats(bench, target);
	}
	find_tokens(bench, subject, way, target);
	return true;
}

static void finish_subject(struct target *target)
{
	g_free(target->token);
	g_free(target->again_token);
	for (int i = 0; i < SEATS; i++) {
		g_free(target->seats[i]);
	}
	if (target->app.pid > 0) {
		lab_app_kill(&target->app);
	}
	*target = (struct target){ 0 };
}

/* --- Measuring ------------------------------------------------------------------------------------- */

static void print_rows(struct bench *bench, const struct subject *subject, const struct sample *samples)
{
	const struct sample *bare = &samples[BARE];
	printf("\n%s: %s \"%s\", %d clicks of ours confirmed\n  %-44s %4s %10s %10s %9s %9s\n", subject->name, subject->role,
		subject->press, bench->confirmed, "", "runs", "median ms", "least ms", "medians", "leasts");
	for (int way = 0; way < WAYS; way++) {
		const struct sample *sample = &samples[way];
		if (sample_is_empty(sample) || sample_is_empty(bare)) {
			printf("  %-44s %4s %10s\n", way_names[way], "", "not measured");
			continue;
		}
		printf("  %-44s %4u %10.2f %10.2f %8.2fx %8.2fx\n", way_names[way], sample->times->len,
			sample_median(sample), sample_least(sample), sample_median(sample) / sample_median(bare),
			sample_least(sample) / sample_least(bare));
	}
	if (!sample_is_empty(bare) && !sample_is_empty(&samples[OURS])) {
		double ratio = sample_least(&samples[OURS]) / sample_least(bare);
		bench->failed += ratio > RATIO_LIMIT;
		printf("gate  %s: click to bare DoAction and event, least to least %.2f <= %.2f %s\n",
			subject->name, ratio, RATIO_LIMIT, ratio <= RATIO_LIMIT ? "passed" : "FAILED");
	}
}

/* Presses by each way of the target's once. */
static void press_round(struct bench *bench, const struct subject *subject, struct target *target, bool ours,
	int round, int rounds, struct sample *samples)
{
	if (ours && round % PRESSES == 0) {
		/* A snapshot is forgotten after two dozen others, and `then` takes one each time. */
		find_tokens(bench, subject, OURS, target);
		drain(bench);
	}
	for (int way = 0; way < WAYS; way++) {
		double ms;
		/* The slow ones are only printed. */
		if (ours != (way == OURS || way == OURS_THEN) || (way >= XDOTOOL && round >= rounds / 4)) {
			continue;
		}
		/* The first two rounds are not counted. */
		if (press(bench, (enum way_in)way, target, &ms) && round >= 0) {
			sample_add(&samples[way], ms);
		}
		drain(bench);
	}
	if (target->again.path != NULL && round % PRESSES == 0) {
		double ms;
		if (ours) {
			press_lane(bench, OURS, target, target->again_token, &ms);
		} else {
			press_bare(bench, &target->again, &ms);
		}
		drain(bench);
	}
}

/* Two applications, in turn; one after the other where there can be only one, several times. */
static void measure(struct bench *bench, const struct subject *subject)
{
	struct sample samples[WAYS];
	int blocks = subject->single ? 3 : 1, rounds = (bench->quick ? 12 : 36) / blocks;
	bool shown = true;
	bench->confirmed = 0;
	for (int way = 0; way < WAYS; way++) {
		sample_init(&samples[way]);
	}
	for (int block = 0; block < blocks; block++) {
		struct target ours = { 0 }, others = { 0 };
		shown = shown && start_subject(bench, subject, OURS, &ours);
		for (int round = -2; subject->single && shown && round < rounds; round++) {
			press_round(bench, subject, &ours, true, round, rounds, samples);
		}
		if (subject->single) {
			finish_subject(&ours);
		}
		shown = shown && start_subject(bench, subject, PEER, &others);
		for (int round = -2; shown && round < rounds; round++) {
			if (!subject->single) {
				press_round(bench, subject, &ours, true, round, rounds, samples);
			}
			press_round(bench, subject, &others, false, round, rounds, samples);
		}
		finish_subject(&ours);
		finish_subject(&others);
	}
	if (shown) {
		print_rows(bench, subject, samples);
	}
	for (int way = 0; way < WAYS; way++) {
		sample_clear(&samples[way]);
	}
}

/* --- Start ----------------------------------------------------------------------------------------- */

static struct wire *open_bus(struct lab_desk *desk)
{
	xcb_get_property_reply_t *reply = xcb_get_property_reply(desk->x, xcb_get_property(desk->x, 0,
		desk->root, lab_atom(desk, "AT_SPI_BUS"), XCB_ATOM_ANY, 0, 256), NULL);
	g_autofree char *address = reply != NULL ? g_strndup(xcb_get_property_value(reply),
		(gsize)xcb_get_property_value_length(reply)) : NULL;
	free(reply);
	struct wire *wire = address != NULL ? wire_open(address, true) : NULL;
	if (wire == NULL) {
		lab_fail("cannot connect to the accessibility bus");
	}
	return wire;
}

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
	bench->lanes[OURS_THEN] = bench->lanes[OURS];
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
	g_autofree char *folder = g_dir_make_tmp("bench-XXXXXX", NULL);
	bench.folder = folder;
	bench.desk = lab_desk_start("xvfb", "openbox");
	bench.wire = open_bus(bench.desk);
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
	wire_close(bench.wire);
	lab_desk_stop(bench.desk);
	lab_run(NULL, LAB_ARGV("rm", "-rf", folder), NULL, 30000);
	printf("\n%d gates failed\n", bench.failed);
	return gates && bench.failed > 0;
}
