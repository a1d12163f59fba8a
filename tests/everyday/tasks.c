/* SPDX-License-Identifier: MIT */
/* What the agent does. Each is a call or a few, as an agent would make them; refusals are as good
 * as what was asked for. */
#include <poll.h>
#include <string.h>

#include "everyday.h"

#define DIALOG_MS 4000
#define PAGE_MS 6000

char *token(struct room *room)
{
	return g_strdup_printf("w%dq%c%c", room->number,
		(char)g_rand_int_range(room->random, 'a', 'z'),
		(char)g_rand_int_range(room->random, 'a', 'z'));
}

/* A call; false if it was refused. */
static bool call(struct room *room, struct attempt *attempt, const char *tool, const char *format,
	...) G_GNUC_PRINTF(4, 5);
static bool call(
	struct room *room, struct attempt *attempt, const char *tool, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_autofree char *arguments = g_strdup_vprintf(format, args);
	va_end(args);
	attempt->answer = lab_call(room->driver, tool, "%s", arguments);
	return !attempt->answer.is_error;
}

static json_t *look(struct room *room, struct attempt *attempt, xcb_window_t window)
{
	return call(room, attempt, "get_window_state", "{\"window_id\":%u}", window)
		? lab_array(attempt->answer.structured, "elements")
		: NULL;
}

/* One of that role, NULL: any, and label, NULL: any, that can be seen; NULL if there is none. */
static json_t *pick(struct room *room, json_t *elements, const char *role, const char *label)
{
	g_autoptr(GPtrArray) some = g_ptr_array_new();
	json_t *element;
	size_t i;

	json_array_foreach(elements, i, element)
	{
		const char *name = json_string_value(json_object_get(element, "label"));

		if (json_is_object(json_object_get(element, "at"))
			&& (!role || g_str_equal(lab_str(element, "role"), role))
			&& (!label || g_strcmp0(name, label) == 0)) {
			g_ptr_array_add(some, element);
		}
	}
	return some->len == 0 ? NULL
			      : some->pdata[g_rand_int_range(room->random, 0, (gint32)some->len)];
}

/* The window of a dialog that came since the action began; 0 if none comes. */
static xcb_window_t dialog_of(struct room *room, int ms)
{
	gint64 deadline = lab_deadline(ms);

	do {
		g_autoptr(GArray) now = room_windows(room);

		for (guint i = now->len; i-- > 0;) {
			xcb_window_t window = g_array_index(now, xcb_window_t, i);
			bool old = false;

			for (guint k = 0; k < room->windows->len; k++) {
				old = old
					|| g_array_index(room->windows, xcb_window_t, k) == window;
			}
			if (!old) {
				return window;
			}
		}
	} while (lab_left(deadline) > 0 && poll(NULL, 0, 30) == 0);
	return XCB_NONE;
}

/* Opens a dialog by the menu, types into it where it has a field, and leaves it. */
static void dialog(
	struct room *room, struct attempt *attempt, xcb_window_t window, const char *path)
{
	if (!call(room, attempt, "invoke_menu", "{\"window_id\":%u,\"path\":%s}", window, path)) {
		return;
	}
	xcb_window_t opened = dialog_of(room, DIALOG_MS);
	if (opened == XCB_NONE) {
		return;
	}
	struct lab_answer asked = attempt->answer;
	json_t *elements = look(room, attempt, opened);
	json_t *field = elements ? pick(room, elements, "spin button", NULL) : NULL;
	if (field) {
		call(room, attempt, "type_text",
			"{\"window_id\":%u,\"element_index\":%lld,\"text\":\"7\"}", opened,
			(long long)lab_int(field, "element_index"));
	}
	json_t *cancel = elements ? pick(room, elements, "push button", "Cancel") : NULL;
	if (cancel) {
		call(room, attempt, "click", "{\"window_id\":%u,\"element_index\":%lld}", opened,
			(long long)lab_int(cancel, "element_index"));
	} else {
		call(room, attempt, "press_key", "{\"window_id\":%u,\"key\":\"Escape\"}", opened);
	}
	if (!attempt->answer.is_error) {
		attempt->answer = asked;
	}
}

static void writes(struct attempt *attempt, const struct scene *scene, enum side side, char *text)
{
	attempt->scene = scene;
	attempt->side = side;
	attempt->text = text;
}

/* --- LibreOffice --------------------------------------------------------------------------------
 */

/* A cell of those that are read again. */
static json_t *cell(struct room *room, struct attempt *attempt)
{
	json_t *elements = look(room, attempt, room->office.windows[LEFT]);
	g_autofree char *name = g_strdup_printf("%c%d", g_rand_boolean(room->random) ? 'A' : 'D',
		g_rand_int_range(room->random, 2, 16));

	return elements ? pick(room, elements, "table cell", name) : NULL;
}

static void sheet_element(struct room *room, struct attempt *attempt)
{
	json_t *at = cell(room, attempt);
	char *text = token(room);

	if (at
		&& call(room, attempt, "type_text",
			"{\"window_id\":%u,\"element_index\":%lld,\"text\":\"%s\\n\"}",
			room->office.windows[LEFT], (long long)lab_int(at, "element_index"),
			text)) {
		writes(attempt, &room->office, LEFT, text);
	}
}

static void sheet_focus(struct room *room, struct attempt *attempt)
{
	json_t *at = cell(room, attempt);
	char *text = token(room);

	if (at
		&& call(room, attempt, "click", "{\"window_id\":%u,\"element_index\":%lld}",
			room->office.windows[LEFT], (long long)lab_int(at, "element_index"))
		&& call(room, attempt, "type_text", "{\"window_id\":%u,\"text\":\"%s\\n\"}",
			room->office.windows[LEFT], text)) {
		writes(attempt, &room->office, LEFT, text);
	}
}

static void text_focus(struct room *room, struct attempt *attempt)
{
	char *text = token(room);

	if (call(room, attempt, "type_text", "{\"window_id\":%u,\"text\":\"%s\"}",
		    room->office.windows[RIGHT], text)) {
		writes(attempt, &room->office, RIGHT, text);
	}
}

static void text_element(struct room *room, struct attempt *attempt)
{
	json_t *elements = look(room, attempt, room->office.windows[RIGHT]);
	json_t *paragraph = elements ? pick(room, elements, "paragraph", NULL) : NULL;
	char *text = token(room);

	if (paragraph
		&& call(room, attempt, "type_text",
			"{\"window_id\":%u,\"element_index\":%lld,\"text\":\"%s\"}",
			room->office.windows[RIGHT], (long long)lab_int(paragraph, "element_index"),
			text)) {
		writes(attempt, &room->office, RIGHT, text);
	}
}

static void sheet_dialog(struct room *room, struct attempt *attempt)
{
	dialog(room, attempt, room->office.windows[LEFT], "[\"Format\",\"Cells...\"]");
}

static void text_dialog(struct room *room, struct attempt *attempt)
{
	dialog(room, attempt, room->office.windows[RIGHT], "[\"Format\",\"Paragraph...\"]");
}

static void sheet_scroll(struct room *room, struct attempt *attempt)
{
	if (!look(room, attempt, room->office.windows[LEFT])) {
		return;
	}
	call(room, attempt, "scroll", "{\"window_id\":%u,\"direction\":\"%s\",\"x\":300,\"y\":400}",
		room->office.windows[LEFT], g_rand_boolean(room->random) ? "down" : "up");
}

/* --- Browser, files, picture, panel
 * ---------------------------------------------------------------- */

/* The field of a page; a browser builds what accessibility sees when it is first asked. */
static json_t *page_field(struct room *room, struct attempt *attempt, xcb_window_t window)
{
	gint64 deadline = lab_deadline(PAGE_MS);
	json_t *field = NULL;

	do {
		json_t *elements = look(room, attempt, window), *element;
		size_t i;

		json_array_foreach(elements, i, element)
		{
			if (json_is_true(json_object_get(element, "in_web_content"))
				&& g_str_equal(lab_str(element, "role"), "entry")) {
				field = element;
			}
		}
	} while (!field && lab_left(deadline) > 0 && poll(NULL, 0, 200) == 0);
	return field;
}

static void page_type(struct room *room, struct attempt *attempt)
{
	enum side side = g_rand_boolean(room->random) ? LEFT : RIGHT;
	json_t *field = page_field(room, attempt, room->browser.windows[side]);
	char *text = token(room);

	if (field
		&& call(room, attempt, "type_text",
			"{\"window_id\":%u,\"element_index\":%lld,\"text\":\"%s\"}",
			room->browser.windows[side], (long long)lab_int(field, "element_index"),
			text)) {
		writes(attempt, &room->browser, side, text);
	}
}

static void page_click(struct room *room, struct attempt *attempt)
{
	enum side side = g_rand_boolean(room->random) ? LEFT : RIGHT;

	if (look(room, attempt, room->browser.windows[side])) {
		call(room, attempt, "click", "{\"window_id\":%u,\"x\":200,\"y\":400}",
			room->browser.windows[side]);
	}
}

/* Anything that can be pressed, in a window where that does no harm. */
static void press_any(
	struct room *room, struct attempt *attempt, xcb_window_t window, const char *role)
{
	json_t *elements = look(room, attempt, window);
	json_t *element = elements ? pick(room, elements, role, NULL) : NULL;

	if (element) {
		call(room, attempt, "click", "{\"window_id\":%u,\"element_index\":%lld}", window,
			(long long)lab_int(element, "element_index"));
	}
}

static void files_click(struct room *room, struct attempt *attempt)
{
	press_any(room, attempt, room->files, g_rand_boolean(room->random) ? "icon" : "tree item");
}

static void files_menu(struct room *room, struct attempt *attempt)
{
	if (look(room, attempt, room->files)) {
		call(room, attempt, "right_click", "{\"window_id\":%u,\"x\":%d,\"y\":%d}",
			room->files, g_rand_int_range(room->random, 220, 400),
			g_rand_int_range(room->random, 120, 300));
		poll(NULL, 0, 300);
		struct lab_answer first = attempt->answer;
		call(room, attempt, "press_key", "{\"window_id\":%u,\"key\":\"Escape\"}",
			room->files);
		attempt->answer = first;
	}
}

static void files_dialog(struct room *room, struct attempt *attempt)
{
	dialog(room, attempt, room->files, "[\"Edit\",\"Preferences...\"]");
}

static void files_key(struct room *room, struct attempt *attempt)
{
	call(room, attempt, "press_key", "{\"window_id\":%u,\"key\":\"%s\"}", room->files,
		g_rand_boolean(room->random) ? "F5" : "Down");
}

static void image_dialog(struct room *room, struct attempt *attempt)
{
	static const char *const paths[] = {
		"[\"Image\",\"Scale Image...\"]",
		"[\"Image\",\"Canvas Size...\"]",
		"[\"Filters\",\"Blur\",\"Gaussian Blur...\"]",
		"[\"Colors\",\"Brightness-Contrast...\"]",
	};

	dialog(room, attempt, room->image,
		paths[g_rand_int_range(room->random, 0, G_N_ELEMENTS(paths))]);
}

static void image_key(struct room *room, struct attempt *attempt)
{
	static const char *const keys[] = { "p", "b", "r", "m" };

	call(room, attempt, "press_key", "{\"window_id\":%u,\"key\":\"%s\"}", room->image,
		keys[g_rand_int_range(room->random, 0, 4)]);
}

static void image_drag(struct room *room, struct attempt *attempt)
{
	if (look(room, attempt, room->image)) {
		call(room, attempt, "drag",
			"{\"window_id\":%u,\"from_x\":400,\"from_y\":300,\"to_x\":%d,\"to_y\":%d,"
			"\"duration_ms\":200}",
			room->image, g_rand_int_range(room->random, 420, 600),
			g_rand_int_range(room->random, 320, 450));
	}
}

static void panel_click(struct room *room, struct attempt *attempt)
{
	press_any(room, attempt, room->panel, "toggle button");
	struct lab_answer first = attempt->answer;
	poll(NULL, 0, 300);
	call(room, attempt, "press_key", "{\"window_id\":%u,\"key\":\"Escape\"}", room->panel);
	attempt->answer = first;
}

static void editor_type(struct room *room, struct attempt *attempt)
{
	call(room, attempt, "type_text", "{\"window_id\":%u,\"text\":\"more \"}", room->editor);
}

/* --- Programs that run are asked for something more
 * --------------------------------------------------- */

static void launch(struct room *room, struct attempt *attempt)
{
	g_autofree char *note = g_strdup_printf(
		"%s/note%d.txt", room->folder, g_rand_int_range(room->random, 1, 8));

	switch (g_rand_int_range(room->random, 0, 4)) {
	case 0:
		call(room, attempt, "launch_app", "{\"name\":\"mousepad\",\"urls\":[%s]}",
			lab_quote(note));
		break;
	case 1:
		call(room, attempt, "launch_app", "{\"name\":\"thunar\",\"urls\":[%s]}",
			lab_quote(room->folder));
		break;
	case 2:
		call(room, attempt, "launch_app",
			"{\"name\":\"LibreOffice "
			"Calc\",\"creates_new_application_instance\":true}");
		break;
	default:
		call(room, attempt, "launch_app",
			"{\"name\":\"mousepad\",\"creates_new_application_instance\":true}");
	}
	dialog_of(room, DIALOG_MS);
}

const struct task tasks[] = {
	{ "sheet, by cell", 5, sheet_element },
	{ "sheet, by focus", 5, sheet_focus },
	{ "sheet, dialog", 3, sheet_dialog },
	{ "sheet, scroll", 2, sheet_scroll },
	{ "text, by paragraph", 4, text_element },
	{ "text, by focus", 5, text_focus },
	{ "text, dialog", 3, text_dialog },
	{ "page, typing", 6, page_type },
	{ "page, click", 4, page_click },
	{ "files, click", 4, files_click },
	{ "files, context menu", 2, files_menu },
	{ "files, dialog", 2, files_dialog },
	{ "files, key", 2, files_key },
	{ "picture, dialog", 5, image_dialog },
	{ "picture, key", 2, image_key },
	{ "picture, drag", 3, image_drag },
	{ "panel, menu", 3, panel_click },
	{ "editor, typing", 2, editor_type },
	{ "launch", 5, launch },
	{ 0 },
};
