/* SPDX-License-Identifier: MIT */
/*
 * Two windows of one process: what the agent types into one of them comes into that one, or is
 * refused and comes nowhere; what the person types into the other one stays there. What they hold
 * is read from the windows' titles, or by our own reader of accessibility, never from the driver.
 */
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "documents/documents.h"

#define ARRIVED 5000
/* So long after an action the driver gives the focus back to where the person was. */
#define GUARDED 1700
/* What the person types. */
#define FOX "thequickbrownfoxjumpsoverthelazydog"
#define PERSON FOX FOX FOX FOX FOX FOX

/* Waits until the window holds the text. */
static void until(struct scene *scene, enum side side, const char *text, const char *what)
{
	gint64 deadline = lab_deadline(ARRIVED);
	g_autofree char *now = NULL;

	do {
		g_free(now);
		now = scene->holds(scene, side);
		if (g_str_equal(now, text)) {
			return;
		}
	} while (lab_left(deadline) > 0 && poll(NULL, 0, 20) == 0);
	g_autofree char *other = scene->holds(scene, !side);
	lab_fail("%s: the %s window holds \"%s\", not \"%s\"; the other one \"%s\"", what,
		side_names[side], now, text, other);
}

/* What happens now is no answer of the application's to the last action: nobody gives the focus
 * back. */
static void works_in(struct scene *scene, xcb_window_t window)
{
	poll(NULL, 0, GUARDED);
	lab_user_works_in(scene->desk, window);
}

/* Whether it was delivered. Otherwise it was refused before anything was sent. */
static bool landed(struct scene *scene, const char *what, const struct lab_answer *answer)
{
	lab_note("%s, %s: %s", scene->person, what, answer->is_error ? answer->code : "delivered");
	if (answer->is_error) {
		lab_assert_str(lab_str(answer->structured, "delivery"), "none");
	} else {
		if (!lab_undisturbed(answer) && !scene->takes) {
			lab_fail("the driver says that the person noticed: %s",
				lab_json(answer->structured));
		}
	}
	return !answer->is_error;
}

static struct lab_answer type(
	struct scene *scene, enum side side, const char *text, const char *where)
{
	g_autofree char *full = g_strconcat(text, scene->ends[side], NULL);

	return lab_call(scene->driver, "type_text", "{\"window_id\":%u,\"text\":%s%s}",
		scene->windows[side], lab_quote(full), where);
}

static struct lab_answer type_in_focus(struct scene *scene, enum side side)
{
	return type(scene, side, "agent", "");
}

/* A point is one of the last picture. */
static void look(struct scene *scene, enum side side)
{
	lab_call_ok(scene->driver, "get_window_state", "{\"window_id\":%u}", scene->windows[side]);
}

static struct lab_answer type_at_point(struct scene *scene, enum side side)
{
	look(scene, side);
	g_autofree char *where = g_strdup_printf(",\"x\":%d,\"y\":%d", scene->x, scene->y);

	return type(scene, side, "point", where);
}

/* What is written into; programs without accessibility have nothing of the kind. */
static struct lab_answer type_in_element(struct scene *scene, enum side side)
{
	static const char *const roles[] = { "text", "entry", "paragraph", NULL };
	struct lab_answer seen = lab_call_ok(
		scene->driver, "get_window_state", "{\"window_id\":%u}", scene->windows[side]);
	json_t *elements = lab_array(seen.structured, "elements"), *element, *field = NULL;
	size_t i;

	bool sheet = g_strcmp0(scene->nodes[side].role, "table") == 0;

	/* A browser's page is behind its bars, LibreOffice's text before its side bar. */
	json_array_foreach(elements, i, element)
	{
		bool fits = sheet
			? g_strcmp0("A16", json_string_value(json_object_get(element, "label")))
					== 0
				&& g_str_equal(lab_str(element, "role"), "table cell")
			: g_strv_contains(roles, lab_str(element, "role"))
				&& lab_array_has(lab_array(element, "states"), "editable")
				&& !lab_array_has(lab_array(element, "states"), "offscreen");

		if (fits && (!field || !g_str_equal(lab_str(field, "role"), "paragraph"))) {
			field = element;
		}
	}
	if (field) {
		g_autofree char *where = g_strdup_printf(
			",\"element_index\":%lld", (long long)lab_int(field, "element_index"));

		return type(scene, side, "element", where);
	}
	return (struct lab_answer){ .is_error = true,
		.code = "no element",
		.structured = json_pack("{s:s}", "delivery", "none") };
}

static struct lab_answer press_key(struct scene *scene, enum side side)
{
	struct lab_answer answer = lab_call(scene->driver, "press_key",
		"{\"window_id\":%u,\"key\":\"k\"}", scene->windows[side]);

	return scene->ends[side][0] && !answer.is_error ? type(scene, side, "", "") : answer;
}

static struct lab_answer press_keys(struct scene *scene, enum side side)
{
	struct lab_answer answer = lab_call(scene->driver, "hotkey",
		"{\"window_id\":%u,\"keys\":[\"shift\",\"h\"]}", scene->windows[side]);

	return scene->ends[side][0] && !answer.is_error ? type(scene, side, "", "") : answer;
}

static struct lab_answer click(struct scene *scene, enum side side)
{
	look(scene, side);
	return lab_call(scene->driver, "click", "{\"window_id\":%u,\"x\":%d,\"y\":%d}",
		scene->windows[side], scene->x, scene->y);
}

/* What the agent does, and what then is in the field besides what was. */
static const struct deed {
	const char *name, *text;
	struct lab_answer (*act)(struct scene *scene, enum side side);
} deeds[] = {
	{ "type_text", "agent", type_in_focus },
	{ "press_key", "k", press_key },
	{ "hotkey", "H", press_keys },
	{ "click", "", click },
	{ "type_text at a point", "point", type_at_point },
	{ "type_text at an element", "element", type_in_element },
	{ "type_text again", "agent", type_in_focus },
};

/* The person was in the right window last, and is somewhere else now. */
static void after(struct scene *scene)
{
	g_autofree char *left = scene->holds(scene, LEFT), *right = scene->holds(scene, RIGHT);

	scene->person = "the person was in the other window";
	works_in(scene, scene->windows[RIGHT]);
	lab_user_works_in(scene->desk, scene->elsewhere);
	struct lab_answer answer = type_in_focus(scene, LEFT);
	bool went = landed(scene, "type_text", &answer);
	g_autofree char *wanted = g_strconcat(left, went ? "agent" : "", NULL);
	until(scene, LEFT, wanted, scene->person);
	until(scene, RIGHT, right, scene->person);
	if (went == scene->refuses) {
		lab_fail("%s", lab_json(answer.structured));
	}
}

/* The agent acts in one window and the other in turn; the person is elsewhere. */
static void in_turns(struct scene *scene)
{
	GString *wanted[2];

	scene->person = "the person is elsewhere";
	for (enum side side = LEFT; side <= RIGHT; side++) {
		g_autofree char *now = scene->holds(scene, side);
		wanted[side] = g_string_new(now);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(deeds); i++) {
		for (enum side side = LEFT; side <= RIGHT; side++) {
			struct lab_answer answer = deeds[i].act(scene, side);

			if (landed(scene, deeds[i].name, &answer)) {
				g_string_append(wanted[side], deeds[i].text);
			} else if (!scene->refuses && !g_str_equal(answer.code, "no element")) {
				lab_fail("%s", lab_json(answer.structured));
			}
		}
	}
	until(scene, LEFT, wanted[LEFT]->str, scene->person);
	until(scene, RIGHT, wanted[RIGHT]->str, scene->person);
}

/* The person types in the other window, 30 ms a key, while the agent does one thing after the
 * other. */
static void beside(struct scene *scene)
{
	g_autofree char *right = scene->holds(scene, RIGHT), *left = scene->holds(scene, LEFT);
	g_autofree char *full = g_strconcat(right, PERSON, NULL);
	g_autoptr(GString) wanted = g_string_new(left);

	scene->person = "the person types in the other window";
	works_in(scene, scene->windows[RIGHT]);
	pid_t person = lab_spawn(
		&(struct lab_spawn){ .argv = LAB_ARGV("sh", "-c",
					     "xdotool type --delay 30 \"$1\" && "
					     "{ [ -z \"$2\" ] || xdotool key Return; }",
					     "sh", PERSON, scene->ends[RIGHT]),
			.env = scene->desk->env });
	poll(NULL, 0, 300);
	for (size_t i = 0; i < G_N_ELEMENTS(deeds); i++) {
		struct lab_answer answer = deeds[i].act(scene, LEFT);

		if (landed(scene, deeds[i].name, &answer)) {
			g_string_append(wanted, deeds[i].text);
		}
	}
	lab_assert_int(lab_reap(person, 30000), 0);
	until(scene, RIGHT, full, scene->person);
	until(scene, LEFT, wanted->str, scene->person);
}

static void everything(struct scene *scene)
{
	after(scene);
	if (getenv("LAB_FULL")) {
		in_turns(scene);
	}
	beside(scene);
}

static char *harness(const char *name)
{
	return g_strdup_printf("%s/tests/harness/%s", g_getenv("CUA_BUILDDIR"), name);
}

static void gtk3(struct lab_desk *desk)
{
	struct scene scene = scene_open(desk, LAB_ARGV(harness("documents-gtk3")));

	everything(&scene);
}

static void gtk4(struct lab_desk *desk)
{
	struct scene scene = scene_open(desk, LAB_ARGV(harness("documents-gtk4")));

	everything(&scene);
}

static void qt5(struct lab_desk *desk)
{
	struct scene scene = scene_open(desk, LAB_ARGV(harness("documents-qt5")));

	everything(&scene);
}

static void xaw(struct lab_desk *desk)
{
	struct scene scene = scene_open(desk, LAB_ARGV(harness("documents-xaw")));

	everything(&scene);
}

static void tk(struct lab_desk *desk)
{
	struct scene scene = scene_open(desk,
		LAB_ARGV("wish",
			g_build_filename(g_getenv("CUA_SRCDIR"), "tests", "harness",
				"documents.tcl", NULL)));

	scene.takes = true;
	everything(&scene);
}

static void java(struct lab_desk *desk)
{
	struct scene scene = scene_open(desk,
		LAB_ARGV("java",
			g_build_filename(g_getenv("CUA_SRCDIR"), "tests", "harness",
				"Documents.java", NULL)));

	scene.refuses = scene.takes = true;
	everything(&scene);
}

static void chromium(struct lab_desk *desk)
{
	struct scene scene = scene_chromium(desk);

	/* Chromium activates the window of an element that is pressed by accessibility. */
	scene.takes = true;
	everything(&scene);
}

static void firefox(struct lab_desk *desk)
{
	g_autofree char *home = lab_firefox_profile(desk);

	struct scene scene = scene_browse(desk, LAB_ARGV("firefox-esr", "--profile", home));
	everything(&scene);
}

static void calc(struct lab_desk *desk)
{
	struct scene scene = scene_office(desk, SHEET, SHEET);

	everything(&scene);
}

static void writer(struct lab_desk *desk)
{
	struct scene scene = scene_office(desk, WRITING, WRITING);

	everything(&scene);
}

/* A text to write in, the person in a sheet; and the other way round. */
static void mixed(struct lab_desk *desk)
{
	struct scene scene = scene_office(desk, WRITING, SHEET);

	everything(&scene);
}

static void mixed_sheet(struct lab_desk *desk)
{
	struct scene scene = scene_office(desk, SHEET, WRITING);

	everything(&scene);
}

#define CASE(case, desks, program, text)                                                           \
	{                                                                                          \
		.name = #case, .run = case, .servers = LAB_XVFB, .wms = desks, .timeout = 240,     \
		.needs = program, .about = text                                                    \
	}

static const struct lab_test few[] = { CASE(calc, "openbox", "soffice",
					       "Two sheets of LibreOffice."),
	CASE(qt5, "openbox", NULL, "Two windows of Qt 5."),
	CASE(tk, "openbox", "wish", "Two windows of Tk."), { 0 } };

static const struct lab_test all[] = { CASE(calc, "*", "soffice", "Two sheets of LibreOffice."),
	CASE(writer, "*", "lowriter", "Two texts of LibreOffice."),
	CASE(mixed, "openbox", "lowriter", "A text of LibreOffice, the person in a sheet."),
	CASE(mixed_sheet, "openbox", "lowriter", "A sheet of LibreOffice, the person in a text."),
	CASE(chromium, "*", "chromium", "Two windows of one profile."),
	CASE(firefox, "*", "firefox-esr", "Two windows of one profile."),
	CASE(gtk3, "*", NULL, "Two windows of GTK 3."),
	CASE(gtk4, "*", NULL, "Two windows of GTK 4."),
	CASE(qt5, "*", NULL, "Two windows of Qt 5."), CASE(xaw, "*", NULL, "Two shells of Athena."),
	CASE(tk, "*", "wish", "Two windows of Tk."),
	CASE(java, "*", "java", "Two windows of Swing."), { 0 } };

int main(int argc, char **argv)
{
	return lab_main(argc, argv, getenv("LAB_FULL") ? all : few);
}
