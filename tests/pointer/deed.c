/* SPDX-License-Identifier: MIT */
/* What is done with the pointer, and how the journal tells that it was done: there, so often, and nothing else. */
#include <stdlib.h>
#include <string.h>

#include "pointer.h"

/* An application on a busy machine has this long; nothing that works waits for it. */
#define SOON 15000

const char *const deed_names[DEEDS] = {
	"left click", "double click", "right click", "middle click", "drag", "scroll down", "scroll right",
	"modifier click", "hover",
};

struct point {
	int x, y;
};

/* What the application has to receive at the control. */
struct wanted {
	const char *control, *type, *detail;
	int count;
	struct point at;             /* the last of them, in pixels of its window */
};

static struct point middle(struct lab_rect at)
{
	return (struct point){ at.x + at.width / 2, at.y + at.height / 2 };
}

/* Where the slider's knob is, and the other end. */
static void ends(const struct scene *scene, struct point *from, struct point *to)
{
	int value = scene->target->slid ? atoi(lab_harness_value(scene->harness, scene->target->slid)) : 0;
	int margin = 12, way = scene->slide.width - 2 * margin;

	*from = *to = middle(scene->slide);
	from->x = scene->slide.x + margin + way * value / 100;
	to->x = scene->slide.x + margin + (value < 50 ? way : 0);
}

static struct lab_answer ask(struct scene *scene, enum deed deed, bool allow_grab)
{
	struct point from, to, press = middle(scene->press), twice = middle(scene->twice),
		wheel = middle(scene->wheel);
	const char *device = g_getenv("LAB_DEVICE");
	g_autofree char *who = g_strdup_printf("\"pid\":%d,\"window_id\":%u,\"device\":\"%s\"", scene->harness->pid,
		scene->harness->window, device ? device : "own");
	struct lab_driver *driver = scene->driver;

	switch (deed) {
	case DEED_LEFT:
		return lab_call(driver, "click", "{%s,\"x\":%d,\"y\":%d}", who, press.x, press.y);
	case DEED_DOUBLE:
		return lab_call(driver, "double_click", "{%s,\"x\":%d,\"y\":%d}", who, twice.x, twice.y);
	case DEED_RIGHT:
		return lab_call(driver, "right_click", "{%s,\"x\":%d,\"y\":%d,\"allow_grab\":%s}", who, twice.x,
			twice.y, allow_grab ? "true" : "false");
	case DEED_MIDDLE:
		return lab_call(driver, "click", "{%s,\"x\":%d,\"y\":%d,\"button\":\"middle\"}", who, press.x,
			press.y);
	case DEED_DRAG:
		ends(scene, &from, &to);
		return lab_call(driver, "drag", "{%s,\"from_x\":%d,\"from_y\":%d,\"to_x\":%d,\"to_y\":%d,"
			"\"duration_ms\":120,\"steps\":6}", who, from.x, from.y, to.x, to.y);
	case DEED_WHEEL_DOWN:
	case DEED_WHEEL_RIGHT:
		return lab_call(driver, "scroll", "{%s,\"x\":%d,\"y\":%d,\"direction\":\"%s\",\"amount\":%d}", who,
			wheel.x, wheel.y, deed == DEED_WHEEL_DOWN ? "down" : "right", TURNS);
	case DEED_MODIFIER:
		return lab_call(driver, "click", "{%s,\"x\":%d,\"y\":%d,\"modifier\":[\"%s\"]}", who, press.x,
			press.y, scene->target->modifier);
	default:
		return lab_call(driver, "move_cursor", "{%s,\"x\":%d,\"y\":%d}", who, twice.x, twice.y);
	}
}

static struct wanted want(const struct scene *scene, enum deed deed)
{
	const struct target *target = scene->target;
	struct wanted press = { target->press, "button_press", "1", 1, middle(scene->press) };
	struct wanted twice = { target->twice, "button_press", "1", 2, middle(scene->twice) };
	struct wanted slide = { target->slide, "button_press", "1", 1, { 0 } };
	struct wanted wheel = { target->wheel, "scroll", "down", target->least ? target->least : TURNS,
		middle(scene->wheel) };
	struct point to;

	if (g_getenv("LAB_DEVICE")) {
		/* Qt 5 makes one event of several turns of a real wheel, if it comes to them late. */
		wheel.count = 1;
	}
	switch (deed) {
	case DEED_DOUBLE:
		return twice;
	case DEED_RIGHT:
		twice.detail = "3";
		twice.count = 1;
		return twice;
	case DEED_MIDDLE:
		press.detail = "2";
		return press;
	case DEED_DRAG:
		ends(scene, &slide.at, &to);
		return slide;
	case DEED_WHEEL_DOWN:
		return wheel;
	case DEED_WHEEL_RIGHT:
		wheel.detail = "right";
		return wheel;
	case DEED_HOVER:
		/* Toolkits tell of a pointer that comes or of one that moves. */
		twice.type = "motion";
		return twice;
	default:
		return press;
	}
}

/* --- Judging --------------------------------------------------------------------------------------- */

/* The last of so many such lines; NULL if they do not come. */
static json_t *arrives(struct lab_harness *harness, guint mark, const struct wanted *wanted)
{
	json_t *line = NULL;

	for (int i = 0; i < wanted->count; i++) {
		line = lab_journal_find(harness, mark, SOON, "kind", "event", "type", wanted->type, "control",
			wanted->control, "detail", wanted->detail, NULL);
		if (!line) {
			return NULL;
		}
		while (g_ptr_array_index(harness->lines, mark++) != line) {
		}
	}
	return line;
}

/* The size of a character cell of the terminal, by its size hints, and its inner border. */
static struct point cell_of(struct scene *scene, struct point at)
{
	g_autoptr(GArray) hints = lab_x_list(scene->desk, scene->harness->window, "WM_NORMAL_HINTS");

	lab_assert(hints->len >= 17);
	const int32_t *hint = (const int32_t *)(void *)hints->data;
	int base_width = hint[15], base_height = hint[16];

	return (struct point){ (at.x - base_width / 2) / hint[9] + 1, (at.y - base_height / 2) / hint[10] + 1 };
}

/* NULL, or where it came instead. */
static char *misplaced(struct scene *scene, const json_t *line, struct point at)
{
	struct lab_rect bounds = lab_x_bounds(scene->desk, scene->harness->window);
	struct point place = { (int)lab_int(line, "x"), (int)lab_int(line, "y") };
	int allowed = 1;

	if (g_str_equal(scene->target->name, "terminal")) {
		at = cell_of(scene, at);
		allowed = 0;
	} else {
		at.x += bounds.x;
		at.y += bounds.y;
	}
	return abs(place.x - at.x) > allowed || abs(place.y - at.y) > allowed ?
		g_strdup_printf("it came at %d,%d, not at %d,%d", place.x, place.y, at.x, at.y) : NULL;
}

static int count(struct scene *scene, const char *type)
{
	return lab_journal_count(scene->harness, scene->mark, "kind", "event", "type", type, NULL);
}

/* What became of it in the application; `was` is what the label said before. NULL, or what is wrong. */
static char *state_of(struct scene *scene, enum deed deed, const char *was)
{
	const struct target *target = scene->target;
	struct lab_harness *harness = scene->harness;
	/* The canvas counts every press. */
	bool all = target->counts && !target->says;
	int more = deed == DEED_DOUBLE ? 2 : deed == DEED_LEFT || deed == DEED_MODIFIER ? 1
		: (deed == DEED_RIGHT || deed == DEED_MIDDLE || deed == DEED_DRAG) && all ? 1 : 0;

	if (target->counts && (all || deed == DEED_LEFT || deed == DEED_MODIFIER)) {
		g_autofree char *value = g_strdup_printf("%d", atoi(was) + more);

		return lab_journal_has_state(harness, target->counts, value, SOON) ? NULL
			: g_strdup_printf("%s is %s, not %s", target->counts, lab_harness_value(harness,
				target->counts), value);
	}
	if (target->says && (deed == DEED_DOUBLE || deed == DEED_RIGHT)) {
		const char *value = deed == DEED_DOUBLE ? "double_click" : "right_click";

		return lab_journal_has_state(harness, target->says, value, SOON) ? NULL
			: g_strdup_printf("%s is %s, not %s", target->says, lab_harness_value(harness, target->says),
				value);
	}
	const char *label = deed == DEED_DRAG ? target->slid : deed == DEED_WHEEL_DOWN ? target->scrolled : NULL;
	if (label && !lab_journal_find(harness, scene->mark, SOON, "kind", "state", "label", label, NULL)) {
		return g_strdup_printf("%s did not change", label);
	}
	return NULL;
}

static const char *label_of(const struct target *target, enum deed deed)
{
	return deed == DEED_DRAG && target->slid ? target->slid
		: deed == DEED_WHEEL_DOWN && target->scrolled ? target->scrolled : target->counts;
}

/* The button was let go at the other end, and not before the pointer moved. */
static char *not_dragged(struct scene *scene, struct point to)
{
	struct wanted up = { scene->target->slide, "button_release", "1", 1, to };
	json_t *line = arrives(scene->harness, scene->mark, &up);

	if (!line) {
		return g_strdup("the button was not let go");
	}
	if (count(scene, "motion") == 0) {
		return g_strdup("nothing moved in between");
	}
	return misplaced(scene, line, to);
}

/* Whether the pointer was seen there, coming or moving. */
static char *not_hovered(struct scene *scene, const struct wanted *wanted)
{
	gint64 deadline = lab_deadline(SOON);
	char *wrong = NULL;

	for (guint at = scene->mark; lab_left(deadline) > 0;) {
		json_t *line = lab_journal_find(scene->harness, at, lab_left(deadline), "kind", "event", "control",
			wanted->control, NULL);

		if (!line) {
			break;
		}
		while (g_ptr_array_index(scene->harness->lines, at++) != line) {
		}
		if (g_str_equal(lab_str(line, "type"), "motion") || g_str_equal(lab_str(line, "type"), "enter")) {
			wrong = misplaced(scene, line, wanted->at);
			if (!wrong) {
				return NULL;
			}
		}
	}
	return wrong ? wrong : g_strdup_printf("no pointer came to %s", wanted->control);
}

/* Whether it landed as it should. NULL, or what is wrong. */
static char *landed(struct scene *scene, enum deed deed, const struct wanted *wanted, struct point to,
	const char *was)
{
	if (deed == DEED_HOVER) {
		return not_hovered(scene, wanted);
	}
	json_t *line = arrives(scene->harness, scene->mark, wanted);
	if (!line) {
		return g_strdup_printf("%d × %s %s did not come to %s", wanted->count, wanted->type,
			wanted->detail, wanted->control);
	}
	char *wrong = misplaced(scene, line, wanted->at);
	if (!wrong && deed == DEED_DRAG) {
		wrong = not_dragged(scene, to);
	}
	if (!wrong && deed == DEED_MODIFIER && g_strcmp0(json_string_value(json_object_get(line,
		"modifiers")), scene->target->modifier) != 0) {
		wrong = g_strdup_printf("it came with other keys held: %s", lab_json(line));
	}
	return wrong ? wrong : state_of(scene, deed, was);
}

/* Nothing came that was not asked for. */
static char *too_much(struct scene *scene, const struct wanted *wanted)
{
	bool press = g_str_equal(wanted->type, "button_press"), wheel = g_str_equal(wanted->type, "scroll");
	int presses = count(scene, "button_press"), releases = count(scene, "button_release"),
		turns = count(scene, "scroll"), keys = count(scene, "key_press");
	int most = !wheel ? 0 : scene->target->most ? scene->target->most : wanted->count;

	/* A real wheel is an axis with a button besides, and GTK3 tells both. */
	most = g_getenv("LAB_DEVICE") ? MAX(most, 2 * TURNS) : most;

	return presses != (press ? wanted->count : 0) || releases != presses || turns > most || keys > 0 ?
		g_strdup_printf("%d presses, %d releases, %d turns of the wheel and %d keys came", presses, releases,
			turns, keys) : NULL;
}

/* What the user's window saw that nobody should have done. */
static void note_foreign(struct scene *scene, guint mark)
{
	struct lab_harness *user = lab_sentinel_journal(scene->sentinel);

	for (lab_journal_mark(user); mark < user->lines->len; mark++) {
		const json_t *line = g_ptr_array_index(user->lines, mark);
		const char *kind = lab_str(line, "kind");

		if (g_str_equal(kind, "note") || (g_str_equal(kind, "event") &&
			!g_str_has_prefix(lab_str(line, "type"), "key_"))) {
			lab_note("the user: %s", lab_json(line));
		}
	}
}

/* Whether the user's window heard of our pointer. */
static bool touched(struct scene *scene, guint mark)
{
	struct lab_harness *user = lab_sentinel_journal(scene->sentinel);

	for (lab_journal_mark(user); mark < user->lines->len; mark++) {
		const char *text = json_string_value(json_object_get(g_ptr_array_index(user->lines, mark), "text"));

		if (text && g_str_has_prefix(text, "motion of device")) {
			return true;
		}
	}
	return false;
}

/* What the driver says must be what is so. */
static char *lied(const struct scene *scene, enum deed deed, const struct lab_answer *answer,
	const struct lab_verdict *verdict)
{
	const char *effect = lab_str(answer->structured, "effect");
	bool holds = scene->target->holds && deed != DEED_HOVER && deed != DEED_WHEEL_DOWN && deed != DEED_WHEEL_RIGHT;

	if (!g_str_equal(lab_str(answer->structured, "path"), "x11_pixel")) {
		return g_strdup_printf("the path is %s", lab_str(answer->structured, "path"));
	}
	if (g_strcmp0(g_getenv("LAB_DEVICE"), json_string_value(json_object_get(answer->structured, "device"))) != 0) {
		return g_strdup_printf("not with that device: %s", lab_json(answer->structured));
	}
	if (!lab_undisturbed(answer)) {
		return g_strdup_printf("disturbed is %s", lab_json(lab_array(answer->structured, "disturbed")));
	}
	/* Of a drag it has to be seen first whether it drags the window. */
	bool may = (deed == DEED_DRAG || deed == DEED_RIGHT) && !holds;
	if (!may
		&& (json_object_get(answer->structured, "user_pointer_held_ms") != NULL) != holds) {
		return g_strdup_printf("whether the user's pointer was held: %s", lab_json(answer->structured));
	}
	if (!verdict->held) {
		return g_strdup_printf("the user noticed: %s", verdict->text);
	}
	return g_str_equal(effect, "unverifiable") || g_str_equal(effect, "confirmed") ? NULL
		: g_strdup_printf("the effect is %s", effect);
}

/* Without leave to take the user's keyboard. NULL if it was refused as declared. */
static char *not_refused(struct scene *scene)
{
	struct lab_answer answer = ask(scene, DEED_RIGHT, false);

	if (!answer.is_error || !g_str_equal(answer.code, scene->target->refusal) ||
		!g_str_equal(lab_str(answer.structured, "delivery"), "none")) {
		return g_strdup_printf("it was not refused: %s", lab_json(answer.structured));
	}
	lab_sentinel_types(scene->sentinel, 4);
	return count(scene, "button_press") != 0 ? g_strdup("refused, and pressed all the same") : NULL;
}

/* Whether the device that was asked for pressed, as often as the application heard it, and no other. */
static char *not_by(struct scene *scene, const struct wanted *wanted)
{
	struct sources presses = source_count(scene->eye);
	bool wheel = g_str_equal(wanted->type, "scroll"), press = g_str_equal(wanted->type, "button_press");
	int count = wheel ? TURNS : press ? wanted->count : 0;

	return presses.kernel != count || presses.other != 0 ? g_strdup_printf("the kernel's pointer pressed %d times, "
		"another of the agent's %d", presses.kernel, presses.other) : NULL;
}

char *deed_try(struct scene *scene, enum deed deed, const char **word)
{
	const char *label = label_of(scene->target, deed);
	g_autofree char *was = g_strdup(label ? lab_harness_value(scene->harness, label) : "");
	struct wanted wanted = want(scene, deed);
	bool refused = deed == DEED_RIGHT && scene->target->refusal;
	struct point from, to;

	*word = "failed";
	ends(scene, &from, &to);
	if (g_getenv("LAB_DEVICE") && !scene->eye) {
		scene->eye = source_watch(scene->desk);
	}
	if (scene->eye) {
		/* What was before is another deed's. */
		source_count(scene->eye);
	}
	lab_sentinel_start(scene->sentinel);
	guint user = lab_journal_mark(lab_sentinel_journal(scene->sentinel));
	char *wrong = refused ? not_refused(scene) : NULL;
	struct lab_answer answer = ask(scene, deed, refused);
	if (!wrong && answer.is_error) {
		wrong = g_strdup_printf("refused: %s", lab_json(answer.structured));
	}
	bool done = !wrong;
	if (done) {
		wrong = landed(scene, deed, &wanted, to, was);
	}
	/* Somebody who takes the focus a moment later has taken it, and what comes twice comes by then. */
	lab_sentinel_types(scene->sentinel, 6);
	if (!wrong) {
		wrong = too_much(scene, &wanted);
	}
	if (!wrong && scene->eye) {
		wrong = not_by(scene, &wanted);
	}
	struct lab_verdict verdict = lab_sentinel_stop(scene->sentinel);
	if (!wrong && touched(scene, user)) {
		wrong = g_strdup("the pointer moved in the user's window");
	}
	if (!wrong) {
		wrong = lied(scene, deed, &answer, &verdict);
	}
	if (wrong) {
		lab_note("%s: %s; user %s; driver %s", deed_names[deed], wrong, verdict.text,
			lab_json(answer.structured));
		lab_journal_note(scene->harness, 12);
		note_foreign(scene, user);
	} else {
		*word = refused ? scene->target->refusal : lab_str(answer.structured, "effect");
	}
	scene->mark = lab_journal_mark(scene->harness);
	return wrong;
}
