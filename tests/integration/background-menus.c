/* SPDX-License-Identifier: MIT */
/*
 * Menus in the background: every cell of tests/menus/rows.c as it is declared, while a user types
 * and moves the pointer in another window and loses nothing. LAB_MENUS names a folder for the
 * cells.
 */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <xcb/xinput.h>

#include "../menus/menus.h"

enum { PATIENCE = 15000, CORE = 2, POINTER_ROOT = 1 };

struct scene {
	struct lab_desk *desk;
	const struct subject *subject;
	struct lab_harness *harness;
	struct lab_app app;
	struct lab_driver *driver;
	struct lab_sentinel *sentinel;
	FILE *cells;
	bool disturbed;          /* an answer of the cell says so */
	int bad;
	GString *why;            /* what is wrong with the cell; empty: nothing */
};

static void wrong(struct scene *scene, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void wrong(struct scene *scene, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_string_append_vprintf(scene->why, format, args);
	g_string_append(scene->why, "; ");
	va_end(args);
}

/* The application's windows that nobody manages, the topmost first. */
static GArray *popups(struct scene *scene)
{
	struct lab_desk *desk = scene->desk;
	GArray *found = g_array_new(FALSE, FALSE, sizeof(xcb_window_t));
	g_autofree xcb_query_tree_reply_t *tree = xcb_query_tree_reply(
		desk->x, xcb_query_tree(desk->x, desk->root), NULL);

	for (int i = tree ? xcb_query_tree_children_length(tree) : 0; i-- > 0;) {
		xcb_window_t window = xcb_query_tree_children(tree)[i];
		g_autofree xcb_get_window_attributes_reply_t *is = xcb_get_window_attributes_reply(
			desk->x, xcb_get_window_attributes(desk->x, window), NULL);

		if (is && is->override_redirect && is->map_state == XCB_MAP_STATE_VIEWABLE
			&& is->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT
			&& lab_x_pid(desk, window) == scene->app.pid
			&& lab_x_bounds(desk, window).width > 20) {
			g_array_append_val(found, window);
		}
	}
	return found;
}

static guint count_popups(struct scene *scene)
{
	g_autoptr(GArray) open = popups(scene);

	return open->len;
}

/* Whether so many are open before long. */
static bool opens(struct scene *scene, guint from, guint to, int ms)
{
	gint64 deadline = lab_deadline(ms);

	for (;;) {
		guint count = count_popups(scene);
		if (count >= from && count <= to) {
			return true;
		}
		if (lab_left(deadline) == 0) {
			return false;
		}
		poll(NULL, 0, 20);
	}
}

static json_t *look(struct scene *scene, xcb_window_t window, bool picture)
{
	struct lab_answer answer = lab_call(scene->driver, "get_window_state",
		"{\"window_id\":%u,\"include_screenshot\":%s}", window, picture ? "true" : "false");

	return answer.is_error ? json_object() : answer.structured;
}

/* What a person would see there; places are for what is not in the menu bar of Firefox, which hides
 * it. */
static json_t *find(json_t *state, const char *role, const char *label)
{
	size_t i;
	json_t *element, *elements = json_object_get(state, "elements");

	json_array_foreach(elements, i, element) {
		const char *is = json_string_value(json_object_get(element, "label"));

		if ((!role || g_str_equal(lab_str(element, "role"), role)) && is
			&& (label[0] != '\0' ? g_str_has_prefix(is, label)
					     : is[0] == '\0'
						&& json_is_true(json_object_get(
							element, "in_web_content")))) {
			return element;
		}
	}
	return NULL;
}

/* In the open menus or the window; applications make their trees when they like. */
static json_t *await(struct scene *scene, const char *role, const char *label, bool picture,
	xcb_window_t *window)
{
	gint64 deadline = lab_deadline(PATIENCE);

	for (;;) {
		g_autoptr(GArray) open = popups(scene);
		g_array_append_val(open, scene->app.window);
		for (guint i = 0; i < open->len; i++) {
			*window = g_array_index(open, xcb_window_t, i);
			json_t *element = find(look(scene, *window, picture), role, label);
			if (element
				&& (i + 1 == open->len
					|| json_is_object(json_object_get(element, "frame")))) {
				return element;
			}
		}
		if (lab_left(deadline) == 0) {
			wrong(scene, "no %s \"%s\"", role ? role : "element", label);
			return NULL;
		}
		poll(NULL, 0, 100);
	}
}

static void note_answer(struct scene *scene, const struct lab_answer *answer)
{
	if (!lab_undisturbed(answer) || json_object_get(answer->structured, "disturbed_late")) {
		scene->disturbed = true;
		lab_note("disturbed: %s %s",
			lab_json(json_object_get(answer->structured, "disturbed")),
			json_object_get(answer->structured, "disturbed_late") ? "late" : "");
	}
}

/* Clicks it; the code of the refusal, NULL if it was done. */
static const char *press(
	struct scene *scene, const char *role, const char *label, bool right, bool point)
{
	xcb_window_t window;
	json_t *element = await(scene, role, label, point, &window);
	struct lab_answer answer;

	if (!element) {
		return "missing";
	}
	if (point) {
		answer = lab_call(scene->driver, "click",
			"{\"window_id\":%u,\"x\":%lld,\"y\":%lld}", window,
			(long long)lab_int(element, "at/x"), (long long)lab_int(element, "at/y"));
	} else {
		answer = lab_call(scene->driver, right ? "right_click" : "click",
			"{\"window_id\":%u,\"element_index\":%lld}", window,
			(long long)lab_int(element, "element_index"));
	}
	if (!answer.is_error) {
		note_answer(scene, &answer);
	} else {
		lab_note("%s \"%s\": %s", role ? role : "", label, lab_json(answer.structured));
	}
	return answer.is_error ? answer.code : NULL;
}

static const char *open_row(struct scene *scene, const struct row *row)
{
	const char *code = row->first ? press(scene, NULL, row->first, false, false) : NULL;

	if (!code && row->first && !opens(scene, 1, 9, PATIENCE)) {
		wrong(scene, "\"%s\" did not open", row->first);
	}
	return code ? code : press(scene, row->role, row->opener, row->right, row->point);
}

static void press_key(struct scene *scene, const char *key)
{
	struct lab_answer answer = lab_call(scene->driver, "press_key",
		"{\"window_id\":%u,\"key\":\"%s\"}", scene->app.window, key);

	if (answer.is_error) {
		wrong(scene, "%s: %s", key, answer.code);
	} else {
		note_answer(scene, &answer);
	}
}

static bool shows_item(struct scene *scene, const struct row *row)
{
	struct lab_node node = lab_atspi_find(scene->desk, scene->app.pid, NULL, row->item);

	return node.path && lab_atspi_has_state(scene->desk, &node, 25 /* SHOWING */);
}

/* Whether what was opened is there, or not any more, by the X server. */
static bool is_open(struct scene *scene, const struct row *row, bool open)
{
	gint64 deadline = lab_deadline(PATIENCE);

	if (!row->inside) {
		return opens(scene, open ? 1 : 0, open ? 9 : 0, PATIENCE);
	}
	while (row->item && shows_item(scene, row) != open) {
		if (lab_left(deadline) == 0) {
			return false;
		}
		poll(NULL, 0, 50);
	}
	return true;
}

static char *title_of(struct scene *scene)
{
	char *title = lab_x_title(scene->desk, scene->app.window);

	return title ? title : g_strdup("");
}

/* Whether it did what it is there for, by the application's own word. */
static bool has_happened(struct scene *scene, const struct row *row, guint mark)
{
	gint64 deadline = lab_deadline(PATIENCE);

	if (scene->harness) {
		return lab_journal_find(scene->harness, mark, PATIENCE, "kind", "state", "label",
			       row->label, "value", row->value, NULL)
			!= NULL;
	}
	do {
		if (row->label) {
			struct lab_node table = lab_atspi_find(
				scene->desk, scene->app.pid, "table", NULL);
			struct lab_node cell = lab_atspi_cell(scene->desk, &table, 1, 1);
			g_autofree char *text = cell.path ? lab_atspi_node_text(scene->desk, &cell)
							  : NULL;
			if (text && *text) {
				return true;
			}
		} else {
			g_autofree char *title = title_of(scene);
			if (g_str_has_prefix(title, row->value)) {
				return true;
			}
		}
		poll(NULL, 0, 50);
	} while (lab_left(deadline) > 0);
	return false;
}

static void click_line(struct scene *scene, const struct row *row)
{
	g_autoptr(GArray) open = popups(scene);
	xcb_window_t window = open->len > 0 ? g_array_index(open, xcb_window_t, 0)
					    : scene->app.window;
	struct lab_rect at = lab_x_bounds(scene->desk, window);

	look(scene, window, true);
	struct lab_answer answer = lab_call(scene->driver, "click",
		"{\"window_id\":%u,\"x\":%d,\"y\":%d}", window, at.width / 2,
		at.height / row->downs / 2);
	if (answer.is_error) {
		wrong(scene, "click: %s", answer.code);
	} else {
		note_answer(scene, &answer);
	}
}

static void call(struct scene *scene, const struct lab_answer *answer)
{
	if (answer->is_error) {
		wrong(scene, "%s", lab_json(answer->structured));
	} else {
		note_answer(scene, answer);
	}
}

static void choose(struct scene *scene, const struct row *row)
{
	xcb_window_t window;
	json_t *element;
	struct lab_answer answer;
	const char *code;

	switch (row->way) {
	case BY_ELEMENT:
		code = press(scene, NULL, row->item, false, false);
		if (code) {
			wrong(scene, "\"%s\": %s", row->item, code);
		}
		break;
	case BY_KEYS:
		for (int i = 0; i < row->downs; i++) {
			press_key(scene, "down");
		}
		press_key(scene, "return");
		break;
	case BY_POINT:
		click_line(scene, row);
		break;
	case BY_PATH:
		answer = lab_call(scene->driver, "invoke_menu", "{\"window_id\":%u,\"path\":%s}",
			scene->app.window, row->item);
		call(scene, &answer);
		break;
	case BY_VALUE:
		element = await(scene, row->role, row->opener, false, &window);
		if (element) {
			answer = lab_call(scene->driver, "set_value",
				"{\"window_id\":%u,\"element_index\":%lld,\"value\":\"%s\"}",
				window, (long long)lab_int(element, "element_index"), row->item);
			call(scene, &answer);
		}
		break;
	}
}

/* What is not as it was of the application's connection and our keyboards; NULL: nothing. */
static char *find_left(struct scene *scene)
{
	xcb_connection_t *x = scene->desk->x;
	g_autofree xcb_input_xi_get_client_pointer_reply_t *pointer =
		xcb_input_xi_get_client_pointer_reply(
			x, xcb_input_xi_get_client_pointer(x, scene->app.window), NULL);
	g_autofree xcb_input_xi_query_device_reply_t *devices = xcb_input_xi_query_device_reply(x,
		xcb_input_xi_query_device(x, XCB_INPUT_DEVICE_ALL_MASTER), NULL);

	if (pointer && pointer->set && pointer->deviceid != CORE) {
		return g_strdup_printf("the client pointer is %u", pointer->deviceid);
	}
	for (xcb_input_xi_device_info_iterator_t it =
			xcb_input_xi_query_device_infos_iterator(devices);
		it.rem > 0; xcb_input_xi_device_info_next(&it)) {
		if (it.data->type != XCB_INPUT_DEVICE_TYPE_MASTER_KEYBOARD
			|| it.data->deviceid == CORE + 1) {
			continue;
		}
		g_autofree xcb_input_xi_get_focus_reply_t *focus = xcb_input_xi_get_focus_reply(x,
			xcb_input_xi_get_focus(x, it.data->deviceid), NULL);
		if (focus && focus->focus != POINTER_ROOT) {
			return g_strdup_printf("our keyboard is in 0x%x", focus->focus);
		}
	}
	return NULL;
}

/* Some menus are closed later than they say so. */
static void leaves_nothing(struct scene *scene)
{
	gint64 deadline = lab_deadline(PATIENCE);
	g_autofree char *left = NULL;

	while ((left = find_left(scene)) && lab_left(deadline) > 0) {
		g_clear_pointer(&left, g_free);
		poll(NULL, 0, 100);
	}
	if (left) {
		wrong(scene, "%s", left);
	}
}

/* Begins a cell: the user types. */
static void begin(struct scene *scene)
{
	g_string_truncate(scene->why, 0);
	scene->disturbed = false;
	lab_sentinel_start(scene->sentinel);
}

/* Ends it; `outcome` is a code, or NULL: done. */
static void end(struct scene *scene, const struct row *row, enum deed deed, const char *outcome)
{
	static const char *const names[] = { "open", "choose", "dismiss" };
	const char *wanted = row->cells[deed];

	lab_sentinel_types(scene->sentinel, 4);
	struct lab_verdict verdict = lab_sentinel_stop(scene->sentinel);
	if (!outcome && scene->disturbed) {
		outcome = DISTURBED;
	}
	bool may = g_strcmp0(wanted, EITHER) == 0 && (!outcome || scene->disturbed);
	if (!verdict.held && !(row->costs && wanted) && !scene->disturbed) {
		wrong(scene, "the user noticed: %s", verdict.text);
	}
	if (!may && g_strcmp0(outcome, wanted) != 0) {
		wrong(scene, "%s, not %s", outcome ? outcome : "done", wanted ? wanted : "done");
	}
	bool ok = scene->why->len == 0;
	scene->bad += !ok;
	if (!ok) {
		lab_note("%s, %s, %s: %s", scene->subject->name, row->kind, names[deed],
			scene->why->str);
	}
	if (scene->cells) {
		fprintf(scene->cells, "%s\t%s\t%s\t%s\t%s\t%s\n", scene->desk->wm,
			scene->subject->name, row->kind, names[deed], wanted ? wanted : "done",
			ok ? "ok" : "failed");
		fflush(scene->cells);
	}
}

static void skip(struct scene *scene, const struct row *row, enum deed deed)
{
	static const char *const names[] = { "open", "choose", "dismiss" };

	if (scene->cells) {
		fprintf(scene->cells, "%s\t%s\t%s\t%s\tn/a\tok\n", scene->desk->wm,
			scene->subject->name, row->kind, names[deed]);
	}
}

static bool is_none(const char *cell)
{
	return cell && g_str_equal(cell, NONE);
}

/* Leaves nothing open; Escape closes a level. */
static void close_all(struct scene *scene, const struct row *row)
{
	for (int i = 0; i < 4 && (i == 0 || count_popups(scene) > 0); i++) {
		press_key(scene, "escape");
		opens(scene, 0, 0, 1000);
	}
	if (!is_open(scene, row, false)) {
		wrong(scene, "it does not close");
	}
}

static void try_row(struct scene *scene, const struct row *row)
{
	const char *outcome;
	bool opened = false;

	if (is_none(row->cells[OPEN])) {
		skip(scene, row, OPEN);
	} else {
		begin(scene);
		outcome = open_row(scene, row);
		opened = !outcome;
		if (opened && is_none(row->cells[CHOOSE]) && row->value
			&& !has_happened(scene, row, 0)) {
			wrong(scene, "the page did not hear of it");
		} else if (opened && !is_open(scene, row, true)) {
			wrong(scene, "nothing opened");
		}
		end(scene, row, OPEN, outcome);
	}
	if (is_none(row->cells[DISMISS])) {
		skip(scene, row, DISMISS);
	} else {
		begin(scene);
		guint mark = scene->harness ? lab_journal_mark(scene->harness) : 0;
		close_all(scene, row);
		if (row->label && scene->harness
			&& lab_journal_count(
				   scene->harness, mark, "kind", "state", "label", row->label, NULL)
				> 0) {
			wrong(scene, "something was chosen");
		}
		leaves_nothing(scene);
		end(scene, row, DISMISS, NULL);
		opened = false;
	}
	if (is_none(row->cells[CHOOSE])) {
		skip(scene, row, CHOOSE);
		return;
	}
	begin(scene);
	guint mark = scene->harness ? lab_journal_mark(scene->harness) : 0;
	bool closed = row->way == BY_PATH || row->way == BY_VALUE;
	outcome = opened || closed ? NULL : open_row(scene, row);
	if (!closed && !outcome && !is_open(scene, row, true)) {
		wrong(scene, "nothing opened");
	} else if (!outcome) {
		choose(scene, row);
		if (!has_happened(scene, row, mark)) {
			wrong(scene, "nothing was chosen");
		}
		if (row->stays) {
			close_all(scene, row);
		} else if (!is_open(scene, row, false)) {
			wrong(scene, "it stays open");
			close_all(scene, row);
		}
	}
	leaves_nothing(scene);
	end(scene, row, CHOOSE, outcome);
}

static struct scene open_scene(struct lab_desk *desk, const char *name)
{
	struct scene scene = { .desk = desk, .subject = menus_subjects, .why = g_string_new(NULL) };

	while (!g_str_equal(scene.subject->name, name)) {
		scene.subject++;
	}
	scene.app = scene.subject->start(desk, &scene.harness);
	scene.driver = lab_driver_start(desk);
	lab_atspi_until_present(desk, scene.app.pid, 60000);
	scene.sentinel = lab_sentinel_open(desk, "300x150+960+600");
	return scene;
}

static void try_all(struct lab_desk *desk, const char *name)
{
	struct scene scene = open_scene(desk, name);
	const char *folder = g_getenv("LAB_MENUS");
	g_autofree char *path = folder ? g_strdup_printf("%s/%s-%s", folder, desk->wm, name) : NULL;
	const char *only = g_getenv("LAB_ROW");

	scene.cells = path ? fopen(path, "w") : NULL;
	for (const struct row *row = scene.subject->rows; row->kind; row++) {
		if (!only || g_str_equal(only, row->kind)) {
			try_row(&scene, row);
		}
	}
	if (scene.bad > 0) {
		lab_fail("%d cells are not as declared", scene.bad);
	}
}

#define SUBJECT(name) \
	static void name(struct lab_desk *desk) \
	{ \
		try_all(desk, #name); \
	}
SUBJECT(gtk3)
SUBJECT(gtk4)
SUBJECT(qt5)
SUBJECT(chromium)
SUBJECT(firefox)
SUBJECT(libreoffice)
SUBJECT(java)

/* In ./check one of the window managers; all others in tests/menus/full. */
static const struct lab_test tests[] = {
	{ .name = "gtk3",
		.run = gtk3,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.timeout = 240,
		.about = "Menus of GTK3 in the background: opened, dismissed, chosen from." },
	{ .name = "gtk4",
		.run = gtk4,
		.servers = LAB_XVFB,
		.wms = "xfwm4",
		.timeout = 240,
		.about = "The same of GTK4." },
	{ .name = "qt5",
		.run = qt5,
		.servers = LAB_XVFB,
		.wms = "metacity",
		.timeout = 240,
		.about = "The same of Qt 5." },
	{ 0 }
};

static const struct lab_test full[] = { { .name = "gtk3",
						.run = gtk3,
						.servers = LAB_XVFB,
						.wms = "*",
						.timeout = 300,
						.about = "All of GTK3." },
	{ .name = "gtk4",
		.run = gtk4,
		.servers = LAB_XVFB,
		.wms = "*",
		.timeout = 300,
		.about = "All of GTK4." },
	{ .name = "qt5",
		.run = qt5,
		.servers = LAB_XVFB,
		.wms = "*",
		.timeout = 300,
		.about = "All of Qt 5." },
	{ .name = "chromium",
		.run = chromium,
		.servers = LAB_XVFB,
		.wms = "*",
		.needs = "chromium",
		.timeout = 300,
		.about = "All of Chromium." },
	{ .name = "firefox",
		.run = firefox,
		.servers = LAB_XVFB,
		.wms = "*",
		.needs = "firefox-esr",
		.timeout = 300,
		.about = "All of Firefox." },
	{ .name = "libreoffice",
		.run = libreoffice,
		.servers = LAB_XVFB,
		.wms = "*",
		.needs = "soffice",
		.timeout = 300,
		.about = "All of LibreOffice Calc." },
	{ .name = "java",
		.run = java,
		.servers = LAB_XVFB,
		.wms = "*",
		.needs = "java javac",
		.timeout = 300,
		.about = "All of Swing." },
	{ 0 } };

int main(int argc, char **argv)
{
	return lab_main(argc, argv, g_getenv("LAB_FULL") ? full : tests);
}
