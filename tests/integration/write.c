/* SPDX-License-Identifier: MIT */
/*
 * type_text, set_value and scroll on every toolkit, judged by the application's journal (did it
 * land?) and by a user who types in front all the time (was it noticed?).
 */
#include <stdlib.h>
#include <string.h>

#include "lab/oracle.h"

/* Long enough for a machine that does many other things; the driver returns when it has seen enough. */
#define SETTLE 5000
#define LANDING 15000

/* A harness, the driver, and the user in front of them. */
struct scene {
	bool may_point;          /* the session's own pointer and keyboard do what accessibility cannot */
	struct lab_harness *harness;
	struct lab_driver *driver;
	struct lab_sentinel *sentinel;
	json_t *state;
};

static void look(struct scene *scene)
{
	scene->state = lab_call_ok(scene->driver, "get_window_state",
		"{\"pid\":%d,\"window_id\":%u,\"include_screenshot\":false}", scene->harness->pid,
		scene->harness->window).structured;
}

static struct scene open_scene(struct lab_desk *desk, const char *name)
{
	struct scene scene = {
		.harness = lab_harness_start(desk, name, NULL),
		.driver = lab_driver_start(desk),
		.sentinel = lab_sentinel_open(desk, NULL),
	};

	lab_sentinel_calibrate(scene.sentinel, LAB_FIVE);
	look(&scene);
	return scene;
}

/* The element of that label and role (part of it; NULL: any but a caption). */
static json_t *element_of(const struct scene *scene, const char *role, const char *label)
{
	size_t i;
	json_t *element;

	json_array_foreach(lab_array(scene->state, "elements"), i, element) {
		const char *is = lab_str(element, "role");
		const char *name = json_string_value(json_object_get(element, "label"));

		if (g_strcmp0(name, label) == 0 &&
			(role ? strstr(is, role) != NULL : !g_str_equal(is, "label"))) {
			return element;
		}
	}
	lab_fail("the driver shows no %s \"%s\": %s", role ? role : "element", label,
		lab_json(scene->state));
}

static long long index_of(const struct scene *scene, const char *id)
{
	return lab_int(element_of(scene, NULL, lab_control_label(id)), "element_index");
}

static void not_noticed(const struct scene *scene, struct lab_verdict verdict,
	const struct lab_answer *answer)
{
	if (!verdict.held || !lab_undisturbed(answer)) {
		lab_journal_note(lab_sentinel_journal(scene->sentinel), 30);
		lab_fail("%s: the user noticed: %s; the driver says %s", scene->harness->name, verdict.text,
			lab_json(answer->structured));
	}
}

/*
 * Calls the tool while the user types, and demands that the state of the label becomes `value` by the
 * journal, that the user did not notice, and that no key or button came to the application.
 */
G_GNUC_PRINTF(5, 6)
static struct lab_answer lands(struct scene *scene, const char *tool, const char *label,
	const char *value, const char *arguments, ...)
{
	va_list args;

	va_start(args, arguments);
	g_autofree char *own = g_strdup_vprintf(arguments, args);
	va_end(args);
	lab_sentinel_start(scene->sentinel);
	guint mark = lab_journal_mark(scene->harness);
	struct lab_answer answer = lab_call_ok(scene->driver, tool,
		"{\"pid\":%d,\"window_id\":%u,\"settle_ms\":%d,%s}", scene->harness->pid,
		scene->harness->window, SETTLE, own);
	bool landed = lab_journal_has_state(scene->harness, label, value, LANDING);
	lab_sentinel_types(scene->sentinel, 5);
	struct lab_verdict verdict = lab_sentinel_stop(scene->sentinel);
	if (!landed) {
		lab_journal_note(scene->harness, 12);
		lab_fail("%s %s: %s is not \"%s\"; the driver says %s", tool, own, label, value,
			lab_json(answer.structured));
	}
	not_noticed(scene, verdict, &answer);
	const char *path = lab_str(answer.structured, "path");
	bool keyed = scene->may_point && g_str_equal(path, "key_events");
	bool pointed = keyed || (scene->may_point && g_str_equal(path, "x11_pixel"));
	lab_assert(keyed || lab_journal_count(scene->harness, mark, "kind", "event", "type", "key_press", NULL) == 0);
	/* Chromium tells a page of a press where there was none. */
	lab_assert(pointed || g_str_equal(scene->harness->name, "web") || lab_journal_count(scene->harness, mark,
		"kind", "event", "type", "button_press", NULL) == 0);
	lab_assert(pointed || g_str_equal(path, "ax"));
	lab_assert(lab_bool(answer.structured, "verified") ==
		g_str_equal(lab_str(answer.structured, "effect"), "confirmed"));
	return answer;
}

/* Calls the tool and demands that it is refused as that, and nothing happens to anybody. */
G_GNUC_PRINTF(4, 5)
static struct lab_answer refused(struct scene *scene, const char *code, const char *tool,
	const char *arguments, ...)
{
	va_list args;

	va_start(args, arguments);
	g_autofree char *own = g_strdup_vprintf(arguments, args);
	va_end(args);
	lab_sentinel_start(scene->sentinel);
	guint mark = lab_journal_mark(scene->harness);
	struct lab_answer answer = lab_call_refused(scene->driver, code, tool,
		"{\"pid\":%d,\"window_id\":%u%s%s}", scene->harness->pid, scene->harness->window,
		own[0] ? "," : "", own);
	lab_assert_str(lab_str(answer.structured, "delivery"), "none");
	lab_sentinel_types(scene->sentinel, 5);
	not_noticed(scene, lab_sentinel_stop(scene->sentinel), &answer);
	lab_assert_int(lab_journal_count(scene->harness, mark, "kind", "state", NULL), 0);
	return answer;
}

static void confirmed(const struct lab_answer *answer, const char *kind)
{
	lab_assert_str(lab_str(answer->structured, "effect"), "confirmed");
	lab_assert_str(lab_str(answer->structured, "evidence/0/kind"), kind);
}

/* At the caret, again at the caret, every script; the caret stays behind what was typed. */
static void type(struct scene *scene)
{
	long long input = index_of(scene, "txt-input");
	struct lab_answer answer = lands(scene, "type_text", "mirror", "Grüße 日本",
		"\"element_index\":%lld,\"text\":\"Grüße 日本\"", input);

	confirmed(&answer, "text");
	lab_assert_int(lab_int(answer.structured, "delivered/chars"), 8);
	lab_assert_int(lab_int(answer.structured, "delivered/asked"), 8);
	answer = lands(scene, "type_text", "mirror", "Grüße 日本, 👩‍🚀 é",
		"\"element_index\":%lld,\"text\":\", 👩‍🚀 é\"", input);
	confirmed(&answer, "text");
	lab_assert_str(lab_str(answer.structured, "evidence/0/before"), "Grüße 日本");
	lab_assert_str(lab_str(answer.structured, "evidence/0/after"), "Grüße 日本, 👩‍🚀 é");
	answer = lands(scene, "type_text", "mirror", "Grüße 日本, 👩‍🚀 é!",
		"\"element_index\":%lld,\"text\":\"!\"", input);
	confirmed(&answer, "text");
	lab_assert_int(lab_int(answer.structured, "delivered/chars"), 1);
}

/* A password arrives whole and is told to nobody. */
static void type_secret(struct scene *scene)
{
	struct lab_answer answer = lands(scene, "type_text", "password_length", "9",
		"\"element_index\":%lld,\"text\":\"Tr0ub4d😀r\"", index_of(scene, "txt-password"));
	g_autofree char *whole = lab_json(answer.message);

	confirmed(&answer, "text");
	lab_assert(!strstr(whole, "Tr0ub"));
	look(scene);
	g_autofree char *seen = lab_json(scene->state);
	lab_assert(!strstr(seen, "Tr0ub"));
}

/* What takes no text says so, and gets none. */
static void type_refused(struct scene *scene)
{
	struct lab_answer answer = refused(scene, "background_unavailable", "type_text",
		"\"element_index\":%lld,\"text\":\"x\"", index_of(scene, "btn-counter"));

	lab_str(answer.structured, "escalation/recommended");
}

static void type_on(struct lab_desk *desk, const char *name)
{
	struct scene scene = open_scene(desk, name);

	type(&scene);
	type_secret(&scene);
	type_refused(&scene);
}

static void type_gtk3(struct lab_desk *desk)
{
	type_on(desk, "gtk3");
}

static void type_gtk4(struct lab_desk *desk)
{
	type_on(desk, "gtk4");
}

static void type_qt5(struct lab_desk *desk)
{
	type_on(desk, "qt5");
}

/* A number, the same through the application's own rounding, and what is no number of it. */
static void set_number(struct scene *scene)
{
	long long slider = index_of(scene, "sld-value");
	struct lab_answer answer = lands(scene, "set_value", "slider_value", "42",
		"\"element_index\":%lld,\"value\":42", slider);

	confirmed(&answer, "value");
	lab_assert_str(lab_str(answer.structured, "evidence/0/before"), "0");
	lab_assert_str(lab_str(answer.structured, "evidence/0/after"), "42");
	answer = refused(scene, "value_out_of_range", "set_value",
		"\"element_index\":%lld,\"value\":1000", slider);
	lab_assert_int((int)json_number_value(lab_get(answer.structured, "minimum")), 0);
	lab_assert_int((int)json_number_value(lab_get(answer.structured, "maximum")), 100);
	refused(scene, "value_out_of_range", "set_value", "\"element_index\":%lld,\"value\":\"lots\"",
		slider);
	answer = lands(scene, "set_value", "slider_value", "7", "\"element_index\":%lld,\"value\":\"7\"",
		slider);
	confirmed(&answer, "value");
}

/* All of a text; the old one is gone, and typing goes on behind the new one. */
static void set_text(struct scene *scene)
{
	long long input = index_of(scene, "txt-input");
	struct lab_answer answer = lands(scene, "set_value", "mirror", "2026-11-16",
		"\"element_index\":%lld,\"value\":\"2026-11-16\"", input);

	confirmed(&answer, "text");
	answer = lands(scene, "type_text", "mirror", "2026-11-16T12", "\"element_index\":%lld,"
		"\"text\":\"T12\"", input);
	confirmed(&answer, "text");
	answer = lands(scene, "set_value", "mirror", "", "\"element_index\":%lld,\"value\":\"\"", input);
	confirmed(&answer, "text");
	answer = lands(scene, "set_value", "password_length", "4", "\"element_index\":%lld,"
		"\"value\":\"geh1\"", index_of(scene, "txt-password"));
	confirmed(&answer, "text");
	g_autofree char *whole = lab_json(answer.message);
	lab_assert(!strstr(whole, "geh1"));
}

/* On, still on without being pressed, off. */
static void set_check(struct scene *scene)
{
	long long box = index_of(scene, "chk-agree");
	struct lab_answer answer = lands(scene, "set_value", "agreed", "true",
		"\"element_index\":%lld,\"value\":true", box);

	confirmed(&answer, "state");
	guint mark = lab_journal_mark(scene->harness);
	answer = lands(scene, "set_value", "agreed", "true", "\"element_index\":%lld,\"value\":true",
		box);
	lab_assert_str(lab_str(answer.structured, "evidence/0/after"), "true");
	answer = lands(scene, "set_value", "agreed", "false", "\"element_index\":%lld,\"value\":\"off\"",
		box);
	confirmed(&answer, "state");
	/* The second call pressed nothing: one change since. */
	lab_assert_int(lab_journal_count(scene->harness, mark, "kind", "state", "label", "agreed", NULL),
		1);
}

/* By label, in a list; a label that is not there is answered with those that are. */
static void set_item(struct scene *scene)
{
	long long list = lab_int(element_of(scene, "list", "Items"), "element_index");
	struct lab_answer answer = lands(scene, "set_value", "item", "Item 3",
		"\"element_index\":%lld,\"value\":\"Item 3\"", list);

	confirmed(&answer, "selection");
	lab_assert_str(lab_str(answer.structured, "evidence/0/after"), "Item 3");
	answer = refused(scene, "item_not_found", "set_value",
		"\"element_index\":%lld,\"value\":\"Item 99\"", list);
	lab_assert_int(json_array_size(lab_array(answer.structured, "items")), 8);
	lab_assert_str(lab_str(answer.structured, "items/7"), "Item 8");
	answer = lands(scene, "set_value", "item", "Item 5", "\"element_index\":%lld,"
		"\"value\":\"item 5\"", list);
	confirmed(&answer, "selection");
}

static void set_gtk3(struct lab_desk *desk)
{
	struct scene scene = open_scene(desk, "gtk3");

	set_number(&scene);
	set_text(&scene);
	set_check(&scene);
	set_item(&scene);
	struct lab_answer answer = lands(&scene, "set_value", "choice", "Blue",
		"\"element_index\":%lld,\"value\":\"Blue\"", index_of(&scene, "cmb-choice"));
	confirmed(&answer, "selection");
	answer = refused(&scene, "item_not_found", "set_value",
		"\"element_index\":%lld,\"value\":\"Mauve\"", index_of(&scene, "cmb-choice"));
	lab_assert_int(json_array_size(lab_array(answer.structured, "items")), 3);
}

/* Check boxes of GTK 4.8 have no action: the session's own pointer turns them. Its combo boxes show nothing while closed: said. */
static void set_gtk4(struct lab_desk *desk)
{
	struct scene scene = open_scene(desk, "gtk4");

	set_number(&scene);
	set_text(&scene);
	set_item(&scene);
	scene.may_point = true;
	set_check(&scene);
	scene.may_point = false;
	refused(&scene, "background_unavailable", "set_value",
		"\"element_index\":%lld,\"value\":\"Blue\"", index_of(&scene, "cmb-choice"));
}

/* Items of Qt's combo boxes say yes and do nothing: the session's own keyboard moves through them. */
static void set_qt5(struct lab_desk *desk)
{
	struct scene scene = open_scene(desk, "qt5");

	set_number(&scene);
	set_text(&scene);
	/* It is told of clicks where it listens to those. */
	scene.may_point = true;
	set_check(&scene);
	set_item(&scene);
	struct lab_answer answer = lands(&scene, "set_value", "choice", "Blue", "\"element_index\":%lld,\"value\":\"Blue\"",
		(long long)lab_int(element_of(&scene, "combo box", "Red"), "element_index"));
	confirmed(&answer, "selection");
	/* And back up; its name is what it shows. */
	look(&scene);
	answer = lands(&scene, "set_value", "choice", "Green", "\"element_index\":%lld,\"value\":\"Green\"",
		(long long)lab_int(element_of(&scene, "combo box", "Blue"), "element_index"));
	confirmed(&answer, "selection");
	look(&scene);
	answer = refused(&scene, "item_not_found", "set_value", "\"element_index\":%lld,\"value\":\"Mauve\"",
		(long long)lab_int(element_of(&scene, "combo box", "Green"), "element_index"));
	lab_assert_int(json_array_size(lab_array(answer.structured, "items")), 3);
}

/* In a page it lands, and the driver does not claim to know. */
static void set_web(struct lab_desk *desk)
{
	struct scene scene = open_scene(desk, "web");
	static const struct {
		const char *id, *value, *label, *becomes;
	} steps[] = {
		{ "sld-value", "42", "slider_value", "42" },
		{ "chk-agree", "true", "agreed", "true" },
		{ "cmb-choice", "\"Green\"", "choice", "Green" },
		{ "lst-items", "\"Item 3\"", "item", "Item 3" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(steps); i++) {
		struct lab_answer answer = lands(&scene, "set_value", steps[i].label, steps[i].becomes,
			"\"element_index\":%lld,\"value\":%s", index_of(&scene, steps[i].id), steps[i].value);

		lab_assert_str(lab_str(answer.structured, "effect"), "unverifiable");
	}
}

/* Chromium on Linux lets nobody write: keys do it, and what a page shows proves nothing. */
static void type_web(struct lab_desk *desk)
{
	struct scene scene = open_scene(desk, "web");

	lab_sentinel_start(scene.sentinel);
	struct lab_answer answer = lab_call_ok(scene.driver, "type_text",
		"{\"window_id\":%u,\"element_index\":%lld,\"text\":\"Grüße 日本\"}", scene.harness->window,
		index_of(&scene, "txt-input"));
	lab_journal_wait_state(scene.harness, "mirror", "Grüße 日本", LANDING);
	lab_sentinel_types(scene.sentinel, 5);
	not_noticed(&scene, lab_sentinel_stop(scene.sentinel), &answer);
	lab_assert_str(lab_str(answer.structured, "path"), "key_events");
	lab_assert_str(lab_str(answer.structured, "effect"), "unverifiable");
	lab_assert_int(lab_int(answer.structured, "delivered/chars"), 8);
}

/* What the label says as a number, by the journal. */
static int offset_of(struct scene *scene)
{
	return atoi(lab_harness_value(scene->harness, "scroll_offset"));
}

/*
 * Scrolls, and demands that the application moved that way by its journal, unnoticed. `target` is an
 * element or nothing: the window's main view.
 */
static struct lab_answer scrolls(struct scene *scene, const char *target, const char *direction,
	const char *rest)
{
	int before = offset_of(scene);
	bool down = g_str_equal(direction, "down");

	lab_sentinel_start(scene->sentinel);
	guint mark = lab_journal_mark(scene->harness);
	struct lab_answer answer = lab_call_ok(scene->driver, "scroll",
		"{\"pid\":%d,\"window_id\":%u,\"settle_ms\":%d,\"direction\":\"%s\"%s%s}",
		scene->harness->pid, scene->harness->window, SETTLE, direction, target, rest);
	json_t *moved = lab_journal_find(scene->harness, mark, LANDING, "kind", "state", "label",
		"scroll_offset", NULL);
	lab_sentinel_types(scene->sentinel, 5);
	not_noticed(scene, lab_sentinel_stop(scene->sentinel), &answer);
	if (!moved || (down ? offset_of(scene) <= before : offset_of(scene) >= before)) {
		lab_fail("scroll %s%s%s: it was %d and is %d; the driver says %s", direction, target, rest,
			before, offset_of(scene), lab_json(answer.structured));
	}
	lab_assert_str(lab_str(answer.structured, "path"), "ax");
	lab_assert_int(lab_journal_count(scene->harness, mark, "kind", "event", "type", "scroll", NULL), 0);
	return answer;
}

static void scroll_native(struct lab_desk *desk, const char *name)
{
	struct scene scene = open_scene(desk, name);
	struct lab_answer answer = scrolls(&scene, "", "down", "");

	confirmed(&answer, "value");
	lab_assert_int(lab_int(answer.structured, "delivered/steps"), 3);
	int lines = offset_of(&scene);
	answer = scrolls(&scene, "", "down", ",\"amount\":1,\"by\":\"page\"");
	confirmed(&answer, "value");
	int page = offset_of(&scene) - lines;
	lab_assert(page > 50 && page < 200);
	answer = scrolls(&scene, "", "up", ",\"amount\":1");
	confirmed(&answer, "value");
	/* To the end, and no further. */
	answer = scrolls(&scene, "", "down", ",\"amount\":50,\"by\":\"page\"");
	confirmed(&answer, "value");
	lab_assert(lab_int(answer.structured, "delivered/steps") < 50);
	int end = offset_of(&scene);
	answer = lab_call_ok(scene.driver, "scroll",
		"{\"pid\":%d,\"window_id\":%u,\"direction\":\"down\"}", scene.harness->pid,
		scene.harness->window);
	lab_assert_int(lab_int(answer.structured, "delivered/steps"), 0);
	lab_assert(!lab_bool(answer.structured, "verified"));
	lab_assert_int(offset_of(&scene), end);
	/* Nothing in the window goes sideways by accessibility: a wheel is turned there, and proves nothing. */
	answer = lab_call_ok(scene.driver, "scroll",
		"{\"pid\":%d,\"window_id\":%u,\"direction\":\"left\",\"element_index\":%lld}",
		scene.harness->pid, scene.harness->window, index_of(&scene, "btn-counter"));
	lab_assert_str(lab_str(answer.structured, "path"), "x11_pixel");
	lab_assert(!lab_bool(answer.structured, "verified"));
	lab_assert_int(offset_of(&scene), end);
	/* Nor is what scrolls upwards anything that the button is in. */
	answer = lab_call_ok(scene.driver, "scroll",
		"{\"pid\":%d,\"window_id\":%u,\"direction\":\"up\",\"element_index\":%lld}",
		scene.harness->pid, scene.harness->window, index_of(&scene, "btn-counter"));
	lab_assert_str(lab_str(answer.structured, "path"), "x11_pixel");
	lab_assert(!lab_bool(answer.structured, "verified"));
	lab_assert_int(offset_of(&scene), end);
}

static void scroll_gtk3(struct lab_desk *desk)
{
	scroll_native(desk, "gtk3");
}

static void scroll_gtk4(struct lab_desk *desk)
{
	scroll_native(desk, "gtk4");
}

static void scroll_qt5(struct lab_desk *desk)
{
	scroll_native(desk, "qt5");
}

static void scroll_web(struct lab_desk *desk)
{
	struct scene scene = open_scene(desk, "web");
	g_autofree char *area = g_strdup_printf(",\"element_index\":%lld", index_of(&scene, "scroll-tall"));
	struct lab_answer answer = scrolls(&scene, area, "down", ",\"amount\":1,\"by\":\"page\"");

	lab_assert_str(lab_str(answer.structured, "effect"), "unverifiable");
	scrolls(&scene, area, "up", "");
}

/* A call on an element of the fields, found by its label. */
static struct lab_answer fill(struct lab_driver *driver, const struct lab_app *app,
	const json_t *state, const char *tool, const char *label, const char *value)
{
	const char *argument = g_str_equal(tool, "type_text") ? "text" : "value";

	return lab_call(driver, tool, "{\"window_id\":%u,\"element_index\":%lld,\"settle_ms\":%d,"
		"\"%s\":%s}", app->window, (long long)lab_int(lab_element(state, NULL, label),
		"element_index"), SETTLE, argument, value);
}

/* Limits, locks, selections, steps, tabs: each said as it is, and shown by the field itself. */
static void fields(struct lab_desk *desk)
{
	static const struct {
		const char *tool, *label, *value;
		const char *says;        /* an error code, or an effect */
		const char *role, *text; /* what our own reader finds there */
	} steps[] = {
		{ "type_text", "Limited", "\"cdefgh\"", "unverifiable", "text", "abcde" },
		{ "type_text", "Fixed", "\"x\"", "element_read_only", "text", "as it is" },
		{ "set_value", "Fixed", "\"x\"", "element_read_only", "text", "as it is" },
		{ "type_text", "Chosen", "\"NEW\"", "confirmed", "text", "old NEW text" },
		/* Shown, and not taken before Enter. */
		{ "type_text", "Spin", "\"1\"", "unverifiable", "spin button", "10.0" },
		/* The number was that all the time; what was written is not to be taken later. */
		{ "set_value", "Spin", "0", "unverifiable", "spin button", "0" },
		{ "set_value", "Spin", "3.5", "confirmed", "spin button", "3.5" },
		{ "set_value", "Spin", "11", "value_out_of_range", "spin button", "3.5" },
		{ "type_text", "Lines", "\"one\\ntwo\"", "confirmed", "text", "one\ntwo" },
		{ "set_value", "Right", "false", "value_out_of_range", NULL, NULL },
		{ "set_value", "Right", "true", "confirmed", NULL, NULL },
		{ "set_value", "Switch", "true", "confirmed", NULL, NULL },
		{ "set_value", "Tabs", "\"Second\"", "confirmed", NULL, NULL },
		{ "set_value", "Tabs", "\"Third\"", "item_not_found", NULL, NULL },
		{ "set_value", "Any", "\"unknown\"", "confirmed", NULL, NULL },
	};
	g_autofree char *program = g_build_filename(getenv("CUA_BUILDDIR"), "tests/harness/fields", NULL);
	struct lab_app app = lab_app_start(desk, LAB_ARGV(program));
	struct lab_app user = lab_xterm(desk, "the user's");
	struct lab_driver *driver = lab_driver_start(desk);

	lab_atspi_until_present(desk, app.pid, 30000);
	lab_user_works_in(desk, user.window);
	struct lab_user before = lab_user_read(desk);
	json_t *state = lab_call_ok(driver, "get_window_state",
		"{\"window_id\":%u,\"include_screenshot\":false}", app.window).structured;
	for (size_t i = 0; i < G_N_ELEMENTS(steps); i++) {
		struct lab_answer answer = fill(driver, &app, state, steps[i].tool, steps[i].label,
			steps[i].value);
		const char *said = answer.is_error ? answer.code : lab_str(answer.structured, "effect");
		g_autofree char *text = steps[i].role
			? lab_atspi_text(desk, app.pid, steps[i].role, steps[i].label) : NULL;

		if (!g_str_equal(said, steps[i].says) || g_strcmp0(text, steps[i].text) != 0) {
			lab_fail("%s %s %s: %s shows \"%s\"; the driver says %s", steps[i].tool,
				steps[i].label, steps[i].value, steps[i].label, text ? text : "",
				lab_json(answer.structured));
		}
		if (i == 0) {
			lab_assert_int(lab_int(answer.structured, "delivered/chars"), 3);
			lab_assert_int(lab_int(answer.structured, "delivered/asked"), 6);
		}
	}
	struct lab_node right = lab_atspi_find(desk, app.pid, "radio button", "Right");
	struct lab_node second = lab_atspi_find(desk, app.pid, "page tab", "Second");
	lab_assert(lab_atspi_has_state(desk, &right, LAB_ATSPI_CHECKED));
	lab_assert(lab_atspi_has_state(desk, &second, LAB_ATSPI_SELECTED));
	struct lab_user after = lab_user_read(desk);
	lab_user_assert_same(&before, &after);
}

/* What Qt shows and what its applications are told: the field "Told" says the latter. */
static void fields_qt5(struct lab_desk *desk)
{
	static const struct {
		const char *tool, *role, *label, *arguments;
		const char *says;        /* an error code, or an effect; NULL: confirmed if it was not too soon to tell */
		const char *told;        /* NULL: the same as before */
	} steps[] = {
		{ "press_key", "spin button", "Time", "\"key\":\"up\"", NULL, "time=11:20" },
		{ "set_value", "spin button", "Date", "\"value\":\"2026-11-17\"", "confirmed", "date=2026-11-17" },
		{ "set_value", "spin button", "Date", "\"value\":\"2026-13-45\"", "unverifiable", NULL },
		{ "set_value", "spin button", "Date", "\"value\":5", "unverifiable", NULL },
		{ "set_value", "spin button", "Spin", "\"value\":\"33 sec\"", "confirmed", "spin=33" },
		{ "set_value", "spin button", "Spin", "\"value\":\"33 min\"", "value_out_of_range", NULL },
		{ "type_text", "spin button", "Spin", "\"text\":\"5\"", "confirmed", "spin=533" },
		/* Its own step, which accessibility does not tell: that is a matter of the key. */
		{ "press_key", "spin button", "Spin", "\"key\":\"up\"", "confirmed", "spin=538" },
		{ "press_key", "spin button", "Spin", "\"key\":\"up\"", "confirmed", "spin=543" },
		{ "press_key", "spin button", "Spin", "\"key\":\"down\"", "confirmed", "spin=538" },
		{ "press_key", "spin button", "Spin", "\"key\":\"page_up\"", "confirmed", "spin=588" },
		{ "set_value", "combo box", "Uno", "\"value\":\"Quattro\"", "confirmed", "still=Quattro" },
		{ "press_key", "combo box", "Quattro", "\"key\":\"home\"", NULL, "still=Uno" },
		{ "set_value", "combo box", "Ein", "\"value\":\"Drei\"", "confirmed", "free=2" },
		{ "set_value", "list", "Fruits", "\"value\":\"Plum\"", "confirmed", "current=Plum" },
		{ "press_key", "list item", "Plum", "\"key\":\"space\"", "confirmed", "marked=Plum" },
		/* Now it is known that these have marks. */
		{ "set_value", "list item", "Plum", "\"value\":true", "unverifiable", NULL },
		{ "set_value", "list item", "Apple", "\"value\":true", "confirmed", "marked=Apple" },
		{ "set_value", "list item", "Plum", "\"value\":false", "confirmed", "cleared=Plum" },
		{ "set_value", "list item", "Plum", "\"value\":\"off\"", "unverifiable", NULL },
		{ "press_key", "list item", "Plum", "\"key\":\"f7\"", "unverifiable", NULL },
		{ "double_click", "list item", "Plum", "\"modifier\":[]", "unverifiable", NULL },
		{ "click", "check box", "Box", "\"count\":1", "confirmed", "box=on" },
		{ "set_value", "check box", "Box", "\"value\":false", "confirmed", "box=off" },
		{ "press_key", "check box", "Box", "\"key\":\"space\"", "confirmed", "box=on" },
		{ "type_text", "push button", "Behind", "\"text\":\" \"", "background_unavailable", NULL },
		/* Of a page only what shows can be clicked; what is behind something else is not what is there. */
		{ "click", "check box", "Below", "\"count\":1", "confirmed", "below" },
		{ "invoke_menu", NULL, NULL, "\"path\":[\"Odd\",\"Dye\"]", "unverifiable", NULL },
		{ "invoke_menu", NULL, NULL, "\"path\":[\"Odd\",\"Flash\"]", "suspected_noop", NULL },
	};
	g_autofree char *program = g_build_filename(getenv("CUA_BUILDDIR"), "tests/harness/fields-qt5", NULL);
	g_autofree char *told = g_strdup("nothing");
	struct lab_app app = lab_app_start(desk, LAB_ARGV(program));
	struct lab_app user = lab_xterm(desk, "the user's");
	struct lab_driver *driver = lab_driver_start(desk);

	lab_atspi_until_present(desk, app.pid, 30000);
	lab_user_works_in(desk, user.window);
	struct lab_user before = lab_user_read(desk);
	for (size_t i = 0; i < G_N_ELEMENTS(steps); i++) {
		json_t *state = lab_call_ok(driver, "get_window_state", "{\"window_id\":%u,\"include_screenshot\":false}",
			app.window).structured;
		g_autofree char *element = steps[i].role ? g_strdup_printf("\"element_index\":%lld,",
			(long long)lab_int(lab_element(state, steps[i].role, steps[i].label), "element_index")) : g_strdup("");
		/* The time a caller gives it who gives none. */
		struct lab_answer answer = lab_call(driver, steps[i].tool, "{\"window_id\":%u,%s%s}", app.window, element,
			steps[i].arguments);
		const char *said = answer.is_error ? answer.code : lab_str(answer.structured, "effect");

		if (steps[i].told) {
			g_free(told);
			told = g_strdup(steps[i].told);
			lab_atspi_until_text(desk, app.pid, "text", "Told", told, 5000);
		}
		g_autofree char *now = lab_atspi_text(desk, app.pid, "text", "Told");
		bool as_said = steps[i].says ? g_str_equal(said, steps[i].says)
			: g_str_equal(said, "confirmed") || g_str_equal(said, "unverifiable");
		if (!as_said || !g_str_equal(now, told)) {
			lab_fail("%s %s %s: it was told \"%s\", not \"%s\"; the driver says %s", steps[i].tool, steps[i].label,
				steps[i].arguments, now, told, lab_json(answer.structured));
		}
		if (i == 0) {
			const json_t *tab = lab_element(state, "page tab", "Near");
			g_autofree char *states = lab_json(json_object_get(tab, "states"));
			lab_assert(strstr(states, "selected") && !strstr(states, "focused"));
			/* The menu is closed. */
			lab_assert(!lab_pick_str(lab_array(state, "elements"), "label", "Dye"));
		}
	}
	struct lab_user after = lab_user_read(desk);
	lab_user_assert_same(&before, &after);
}

/* x and y mean the element there. */
static void points(struct lab_desk *desk)
{
	struct scene scene = open_scene(desk, "gtk3");
	struct lab_rect window = lab_x_bounds(desk, scene.harness->window);
	struct lab_seen input = lab_harness_see(scene.harness, "text", lab_control_label("txt-input"),
		10000);
	struct lab_seen row = lab_harness_see(scene.harness, "label", "Row 1", 10000);
	struct lab_answer answer = lab_call_ok(scene.driver, "get_window_state",
		"{\"pid\":%d,\"window_id\":%u}", scene.harness->pid, scene.harness->window);

	/* In a picture that was not made smaller. */
	lab_assert_int(lab_int(answer.structured, "screenshot_width"), window.width);
	answer = lands(&scene, "type_text", "mirror", "pointed", "\"x\":%d,\"y\":%d,\"text\":\"pointed\"",
		input.frame.x + input.frame.width / 2 - window.x,
		input.frame.y + input.frame.height / 2 - window.y);
	confirmed(&answer, "text");
	g_autofree char *at = g_strdup_printf(",\"x\":%d,\"y\":%d", row.frame.x + 5 - window.x,
		row.frame.y + row.frame.height / 2 - window.y);
	answer = scrolls(&scene, at, "down", "");
	confirmed(&answer, "value");
}

static struct lab_test tests[] = {
	{ .name = "fields_qt5", .run = fields_qt5, .servers = LAB_XVFB, .wms = "openbox", .timeout = 180,
	  .about = "Qt 5: dates, units, combo boxes, items and boxes; the application is told, and what is said is so." },
	{ .name = "type_gtk3", .run = type_gtk3, .servers = LAB_XVFB, .wms = "openbox", .timeout = 180,
	  .about = "GTK 3: text arrives at the caret, a password unseen, and the user does not notice." },
	{ .name = "type_gtk4", .run = type_gtk4, .servers = LAB_XVFB, .wms = "openbox", .timeout = 180,
	  .about = "GTK 4." },
	{ .name = "type_qt5", .run = type_qt5, .servers = LAB_XVFB, .wms = "openbox", .timeout = 180,
	  .about = "Qt 5." },
	{ .name = "type_web", .run = type_web, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "chromium", .timeout = 180,
	  .about = "A page in Chromium takes no text this way: said, with the way that does." },
	{ .name = "set_gtk3", .run = set_gtk3, .servers = LAB_XVFB, .wms = "openbox", .timeout = 180,
	  .about = "GTK 3: numbers, texts, check boxes, lists and combo boxes take their value." },
	{ .name = "set_gtk4", .run = set_gtk4, .servers = LAB_XVFB, .wms = "openbox", .timeout = 180,
	  .about = "GTK 4, and what it cannot do." },
	{ .name = "set_qt5", .run = set_qt5, .servers = LAB_XVFB, .wms = "openbox", .timeout = 180,
	  .about = "Qt 5, and what it cannot do." },
	{ .name = "set_web", .run = set_web, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "chromium", .timeout = 180, .about = "A page in Chromium." },
	{ .name = "scroll_gtk3", .run = scroll_gtk3, .servers = LAB_XVFB, .wms = "openbox",
	  .timeout = 180, .about = "GTK 3: lines, pages, and no further than the end." },
	{ .name = "scroll_gtk4", .run = scroll_gtk4, .servers = LAB_XVFB, .wms = "openbox",
	  .timeout = 180, .about = "GTK 4." },
	{ .name = "scroll_qt5", .run = scroll_qt5, .servers = LAB_XVFB, .wms = "openbox",
	  .timeout = 180, .about = "Qt 5." },
	{ .name = "scroll_web", .run = scroll_web, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "chromium", .timeout = 180, .about = "A page in Chromium." },
	{ .name = "fields", .run = fields, .servers = LAB_XVFB, .wms = "openbox", .needs = "xterm",
	  .timeout = 180, .about = "Limits, locks, selections, steps, switches, tabs: all as they are." },
	{ .name = "points", .run = points, .servers = LAB_XVFB, .wms = "openbox", .timeout = 180,
	  .about = "x and y mean the element there." },
	{ 0 }
};

int main(int argc, char **argv)
{
	for (struct lab_test *test = tests; test->name && getenv("LAB_FULL"); test++) {
		test->wms = "openbox xfwm4 mutter kwin_x11";
	}
	return lab_main(argc, argv, tests);
}
