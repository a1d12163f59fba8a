/* SPDX-License-Identifier: MIT */
/*
 * Drags and presses on title bars, borders and empty places that applications draw themselves.
 * Toolkits hand them to the window manager, which would take the user's pointer and keyboard: here
 * a user types all the time, and the window manager is watched. tests/titles/full: $TITLES of them
 * by chance, from $TITLES_SEED.
 */
#include <stdlib.h>
#include <string.h>

#include "lab/oracle.h"

/* A window whose frame is its application's own. */
struct subject {
	const char *name;
	const char *argv[12];
	const char *title;       /* of the window */
	bool by_press; /* its title bar is handed over as soon as it is pressed, and nothing tells
			  where it is */
};

static const struct subject subjects[] = { { "gtk4", { "tests/harness/titled-gtk4" }, "Titled",
						   false },
	{ "gtk3", { "tests/harness/titled-gtk3" }, "Titled", false },
	{ "qt5", { "tests/harness/titled-qt5" }, "Titled", true },
	{ "chromium",
		{ "chromium", "--no-sandbox", "--test-type", "--no-first-run", "--disable-gpu",
			"--password-store=basic", "--window-size=500,300",
			"--force-renderer-accessibility", "about:blank" },
		"about:blank", true },
	{ 0 } };

struct scene {
	struct lab_desk *desk;
	const struct subject *subject;
	struct lab_app app;
	struct lab_sentinel *sentinel;
	struct lab_driver *driver;
	pid_t manager;
};

/* --- What is looked at ---------------------------------------------------------------------- */

static pid_t manager_of(struct lab_desk *desk)
{
	xcb_window_t check = lab_x_number(desk, desk->root, "_NET_SUPPORTING_WM_CHECK", 0);

	return check ? lab_x_pid(desk, check) : 0;
}

/* What is painted of the window, in it: around may be a shadow. */
static struct lab_rect painted(struct scene *scene)
{
	struct lab_rect rect = lab_x_bounds(scene->desk, scene->app.window);
	g_autoptr(GArray) shadow = lab_x_list(scene->desk, scene->app.window, "_GTK_FRAME_EXTENTS");
	const uint32_t *of = shadow->len == 4 ? (const uint32_t *)(void *)shadow->data
					      : (const uint32_t[4]){ 0 };

	return (struct lab_rect){ (int)of[0], (int)of[2], rect.width - (int)(of[0] + of[1]),
		rect.height - (int)(of[2] + of[3]) };
}

/* The user typed on and has pointer and keyboard, and the window manager is the one it was;
 * otherwise what is wrong. */
static char *harm(struct scene *scene, struct lab_verdict *verdict)
{
	lab_sentinel_types(scene->sentinel, 3);
	*verdict = lab_sentinel_stop(scene->sentinel);
	struct lab_user user = lab_user_read(scene->desk);
	bool same = manager_of(scene->desk) == scene->manager;
	bool typed = verdict->missing == 0 && verdict->foreign == 0
		&& verdict->received == verdict->typed;

	if (typed && verdict->focus_lost == 0 && verdict->pointer_moved == 0 && verdict->grabs == 0
		&& !user.keyboard_grabbed && !user.pointer_grabbed && same) {
		return NULL;
	}
	return g_strdup_printf("%s%s%s%s", verdict->text,
		user.keyboard_grabbed ? ", the keyboard is grabbed" : "",
		user.pointer_grabbed ? ", the pointer is grabbed" : "",
		same ? "" : ", another window manager");
}

/* Nor did any window come to another place among the others. */
static void must_be_held(struct scene *scene, const char *what)
{
	struct lab_verdict verdict;
	char *wrong = harm(scene, &verdict);

	if (wrong || verdict.place_lost) {
		lab_journal_note(lab_sentinel_journal(scene->sentinel), 40);
		lab_fail("%s: %s", what, wrong ? wrong : verdict.text);
	}
}

/* --- A window and its user ------------------------------------------------------------------ */

static struct lab_app start(struct lab_desk *desk, const struct subject *subject)
{
	const char *folder = g_getenv("CUA_BUILDDIR");
	const char *argv[G_N_ELEMENTS(subject->argv) + 1] = { NULL };

	memcpy(argv, subject->argv, sizeof subject->argv);
	if (strchr(argv[0], '/')) {
		argv[0] = g_build_filename(folder ? folder : ".", argv[0], NULL);
	}
	if (g_str_equal(subject->name, "chromium")) {
		g_autofree char *home = lab_file(desk, "chromium", NULL);
		g_autofree char *profile = g_build_filename(home, "Default", NULL);
		g_autofree char *file = g_build_filename(profile, "Preferences", NULL);

		g_mkdir_with_parents(profile, 0700);
		g_file_set_contents(file, "{\"browser\":{\"custom_chrome_frame\":true}}", -1, NULL);
		for (size_t i = 0; i < G_N_ELEMENTS(argv); i++) {
			if (!argv[i]) {
				argv[i] = g_strdup_printf("--user-data-dir=%s", home);
				break;
			}
		}
	}
	return lab_app_start_titled(desk, argv, subject->title);
}

/* In its place, and seen by the driver. */
static void settle(struct scene *scene)
{
	lab_call(scene->driver, "set_window_frame",
		"{\"window_id\":%u,\"x\":240,\"y\":160,\"width\":520,\"height\":340,"
		"\"settle_ms\":3000}",
		scene->app.window);
	/* GTK 3 learns a little later where its window is. */
	lab_x_quiet(scene->desk, 30);
	lab_call_ok(scene->driver, "get_window_state", "{\"window_id\":%u}", scene->app.window);
}

static struct scene begin(struct lab_desk *desk, const struct subject *subject)
{
	struct scene scene = { .desk = desk, .subject = subject };

	scene.app = start(desk, subject);
	scene.sentinel = lab_sentinel_open(desk, "260x150+1000+600");
	scene.driver = lab_driver_start(desk);
	scene.manager = manager_of(desk);
	lab_assert(scene.manager > 0);
	lab_atspi_until_present(desk, scene.app.pid, 10000);
	lab_x_quiet(desk, 300);
	settle(&scene);
	return scene;
}

/* --- Drags of which is known what comes of them --------------------------------------------- */

static void drag(
	struct scene *scene, int x, int y, int dx, int dy, int steps, struct lab_rect change)
{
	struct lab_rect before = lab_x_bounds(scene->desk, scene->app.window);

	lab_sentinel_start(scene->sentinel);
	struct lab_answer answer = lab_call_ok(scene->driver, "drag",
		"{\"window_id\":%u,\"from_x\":%d,\"from_y\":%d,\"to_x\":%d,"
		"\"to_y\":%d,\"steps\":%d,\"duration_ms\":200}",
		scene->app.window, x, y, x + dx, y + dy, steps);
	struct lab_rect after = lab_x_bounds(scene->desk, scene->app.window);
	lab_note("%s", lab_json(answer.structured));
	must_be_held(scene, "drag");
	lab_assert_int(after.x - before.x, change.x);
	lab_assert_int(after.y - before.y, change.y);
	lab_assert_int(after.width - before.width, change.width);
	lab_assert_int(after.height - before.height, change.height);
	lab_assert_str(lab_str(answer.structured, "effect"), "confirmed");
}

static void moves(struct lab_desk *desk, const struct subject *subject)
{
	struct scene scene = begin(desk, subject);
	struct lab_rect at = painted(&scene);

	drag(&scene, at.x + at.width - 140, at.y + 22, 60, 40, 20,
		(struct lab_rect){ 60, 40, 0, 0 });
	drag(&scene, at.x + at.width - 140, at.y + 22, -90, 30, 1,
		(struct lab_rect){ -90, 30, 0, 0 });
	if (!subject->by_press) {
		lab_sentinel_start(scene.sentinel);
		lab_call_refused(scene.driver, "popup_grabs_user", "right_click",
			"{\"window_id\":%u,\"x\":%d,\"y\":%d}", scene.app.window,
			at.x + at.width - 140, at.y + 22);
		lab_call_refused(scene.driver, "window_drag_refused", "mouse_button_down",
			"{\"window_id\":%u,\"x\":%d,\"y\":%d}", scene.app.window,
			at.x + at.width - 140, at.y + 22);
		must_be_held(&scene, "refused");
	}
	lab_driver_stop(scene.driver);
}

static void gtk4(struct lab_desk *desk)
{
	moves(desk, &subjects[0]);
}

static void gtk3(struct lab_desk *desk)
{
	moves(desk, &subjects[1]);
}

static void qt5(struct lab_desk *desk)
{
	moves(desk, &subjects[2]);
}

static void chromium(struct lab_desk *desk)
{
	moves(desk, &subjects[3]);
}

/* --- An application that does it for reasons of its own ------------------------------------- */

static bool is_free(struct lab_desk *desk, void *data)
{
	struct lab_user user = lab_user_read(desk);

	(void)data;
	return !user.keyboard_grabbed && !user.pointer_grabbed;
}

/* Our own window is clicked, and hands itself over in answer, when nobody thinks of it any more. */
static void cancelled(struct lab_desk *desk)
{
	xcb_window_t window = lab_window_open(
		desk, &(struct lab_window){ .title = "Own", .x = 200, .y = 200 });
	struct lab_driver *driver = lab_driver_start(desk);
	pid_t manager = manager_of(desk);

	for (uint32_t direction = 4; direction <= 8; direction += 4) {
		lab_call_ok(driver, "screenshot", "{\"window_id\":%u}", window);
		lab_call_ok(driver, "click", "{\"window_id\":%u,\"x\":50,\"y\":50}", window);
		const xcb_client_message_event_t message = {
			.response_type = XCB_CLIENT_MESSAGE,
			.format = 32,
			.window = window,
			.type = lab_atom(desk, "_NET_WM_MOVERESIZE"),
			.data.data32 = { 250, 250, direction, 1, 1 },
		};
		xcb_send_event(desk->x, 0, desk->root, XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY |
			XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT, (const char *)&message);
		xcb_flush(desk->x);
		/* It has been done, and undone, and is not being done still. */
		g_usleep(100000);
		lab_assert(is_free(desk, NULL));
	}
	lab_assert_int(manager_of(desk), manager);
	lab_driver_stop(driver);
}

/* --- By chance ------------------------------------------------------------------------------ */

static guint32 dice;

static int roll(int sides)
{
	dice = dice * 1664525u + 1013904223u;
	return (int)((dice >> 8) % (guint32)sides);
}

enum deed { DRAG, CLICK, DOUBLE, MIDDLE, RIGHT, HOLD, DEEDS };
enum part { TITLE, BORDER, EMPTY, PARTS };

static const char *const deed_names[] = { "drag", "click", "double click", "middle click",
	"right click", "hold" };
static const char *const part_names[] = { "title bar", "border", "empty place" };

/* A point of that part of the window. */
static void choose(struct scene *scene, enum part part, int *x, int *y)
{
	struct lab_rect at = painted(scene);
	int side = roll(4), away = roll(9) - 4;

	switch (part) {
	case TITLE:
		/* Not where its buttons are: what they close cannot be dragged any more. */
		*x = at.x
			+ (g_str_equal(scene->subject->name, "chromium")
					? at.width - 170 + roll(60)
					: 110 + roll(MAX(at.width - 250, 1)));
		*y = at.y + 3 + roll(30);
		break;
	case EMPTY:
		*x = at.x + 20 + roll(MAX(at.width - 40, 1));
		*y = at.y + at.height / 2 + roll(MAX(at.height / 2 - 12, 1));
		break;
	default:
		*x = side == 0      ? at.x + away
			: side == 1 ? at.x + at.width - 1 + away
				    : at.x + roll(at.width - 150);
		*y = side == 2      ? at.y + away
			: side == 3 ? at.y + at.height - 1 + away
				    : at.y + 60 + roll(at.height - 60);
		break;
	}
	struct lab_rect all = lab_x_bounds(scene->desk, scene->app.window);
	*x = CLAMP(*x, 0, all.width - 1);
	*y = CLAMP(*y, 0, all.height - 1);
}

static struct lab_answer act(struct scene *scene, enum deed deed, int x, int y)
{
	g_autofree char *point = g_strdup_printf(
		"\"window_id\":%u,\"x\":%d,\"y\":%d", scene->app.window, x, y);
	struct lab_rect all = lab_x_bounds(scene->desk, scene->app.window);
	int over = roll(200) - 100, down = roll(200) - 100;
	g_autofree char *to = g_strdup_printf("\"window_id\":%u,\"x\":%d,\"y\":%d",
		scene->app.window, MIN(x + roll(60) + 10, all.width - 1), y);

	switch (deed) {
	case DRAG:
		return lab_call(scene->driver, "drag",
			"{\"window_id\":%u,\"from_x\":%d,\"from_y\":%d,\"to_x\":%d,\"to_y\":%d,"
			"\"steps\":%d,\"duration_ms\":%d}",
			scene->app.window, x, y, CLAMP(x + over, 0, all.width - 1),
			CLAMP(y + down, 0, all.height - 1), 1 + roll(40), roll(300));
	case HOLD: {
		struct lab_answer held = lab_call(
			scene->driver, "mouse_button_down", "{%s}", point);
		if (!held.is_error) {
			held = lab_call(scene->driver, "move_cursor", "{%s}", to);
			struct lab_answer up = lab_call(
				scene->driver, "mouse_button_up", "{%s}", to);
			if (up.is_error) {
				/* It is up already, where the window was handed over; or that place
				 * is outside. */
				up = lab_call(scene->driver, "mouse_button_up", "{%s}", point);
			}
			if (up.is_error) {
				/* Or the window is of another size by now. */
				lab_call(scene->driver, "screenshot", "{\"window_id\":%u}",
					scene->app.window);
				lab_call(scene->driver, "mouse_button_up",
					"{\"window_id\":%u,\"x\":60,\"y\":90}", scene->app.window);
			}
		}
		return held;
	}
	case DOUBLE:
		return lab_call(scene->driver, "double_click", "{%s}", point);
	case RIGHT:
		return lab_call(scene->driver, "right_click", "{%s}", point);
	default:
		return lab_call(scene->driver, "click", "{%s%s}", point,
			deed == MIDDLE ? ",\"button\":\"middle\"" : "");
	}
}

struct tally {
	int gestures, done, moved, refused, keys, restacked, harmed;
	GHashTable *codes;       /* how often each was answered */
};

static char *codes_text(GHashTable *codes)
{
	GString *text = g_string_new(NULL);
	GHashTableIter iter;
	gpointer code, count;

	g_hash_table_iter_init(&iter, codes);
	while (g_hash_table_iter_next(&iter, &code, &count)) {
		g_string_append_printf(text, " %s %d", (const char *)code, GPOINTER_TO_INT(count));
	}
	return g_string_free(text, FALSE);
}

static void try_one(struct scene *scene, struct tally *tally)
{
	enum deed deed = roll(2) ? DRAG : (enum deed)roll(DEEDS);
	/* Menus of what is not a title bar are another matter. */
	enum part part = deed == RIGHT ? TITLE : (enum part)roll(PARTS);
	struct lab_verdict verdict;
	guint32 seed = dice;
	int x, y;

	settle(scene);
	choose(scene, part, &x, &y);
	struct lab_rect before = lab_x_bounds(scene->desk, scene->app.window);
	lab_sentinel_start(scene->sentinel);
	struct lab_answer answer = act(scene, deed, x, y);
	char *wrong = harm(scene, &verdict);
	struct lab_rect after = lab_x_bounds(scene->desk, scene->app.window);
	tally->gestures++;
	tally->done += !answer.is_error;
	tally->moved += !lab_rect_equal(before, after);
	tally->keys += verdict.typed;
	tally->restacked += verdict.place_lost > 0;
	if (answer.is_error) {
		tally->refused++;
		int count = GPOINTER_TO_INT(g_hash_table_lookup(tally->codes, answer.code));
		g_hash_table_replace(
			tally->codes, g_strdup(answer.code), GINT_TO_POINTER(count + 1));
		if (g_str_equal(answer.code, "invalid_arguments")) {
			lab_note("%s: %s of %s at %d,%d: %s", scene->subject->name,
				deed_names[deed], part_names[part], x, y,
				lab_json(answer.structured));
		}
	}
	if (wrong || verdict.place_lost) {
		lab_note("%s: %s of %s at %d,%d, dice %u: %s %s", scene->subject->name,
			deed_names[deed], part_names[part], x, y, seed, wrong ? wrong : "restacked",
			lab_json(answer.structured));
	}
	if (wrong) {
		tally->harmed++;
		/* Else all that follows is harmed as well. */
		lab_run(scene->desk->env, LAB_ARGV("xdotool", "click", "1"), NULL, 5000);
		lab_run(scene->desk->env, LAB_ARGV("xdotool", "key", "Escape"), NULL, 5000);
	}
	if (deed == RIGHT && !answer.is_error) {
		/* A menu of the application's own may be open. */
		lab_call(scene->driver, "press_key", "{\"window_id\":%u,\"key\":\"Escape\"}",
			scene->app.window);
	}
}

static void chance(struct lab_desk *desk)
{
	const char *all = g_getenv("TITLES"), *seed = g_getenv("TITLES_SEED");
	int each = all ? MAX(atoi(all) / 20, 1) : 2, harmed = 0;

	dice = seed ? (guint32)strtoul(seed, NULL, 10) : 20261119;
	dice += g_str_hash(desk->wm);
	for (int i = 0; subjects[i].name; i++) {
		if (!all && g_str_equal(subjects[i].name, "chromium")) {
			/* It takes longer to start than all the rest. */
			continue;
		}
		struct scene scene = begin(desk, &subjects[i]);
		struct tally tally = { .codes = g_hash_table_new_full(
					       g_str_hash, g_str_equal, g_free, NULL) };

		for (int k = 0; k < each; k++) {
			try_one(&scene, &tally);
		}
		lab_note("titles %-8s %-8s %4d gestures, %3d done, %3d moved or resized it, %3d "
			 "refused, %5d keys typed, %d restacked, "
			 "%d harmed:%s",
			desk->wm, subjects[i].name, tally.gestures, tally.done, tally.moved,
			tally.refused, tally.keys, tally.restacked, tally.harmed,
			codes_text(tally.codes));
		harmed += tally.harmed;
		lab_driver_stop(scene.driver);
		lab_harness_stop(lab_sentinel_journal(scene.sentinel));
		lab_app_kill(&scene.app);
	}
	lab_assert_int(harmed, 0);
}

static const struct lab_test tests[] = { { .name = "gtk4",
						 .run = gtk4,
						 .servers = LAB_XVFB,
						 .wms = "*",
						 .about = "A drag on a header bar of GTK 4 moves "
							  "the window, and the user types on." },
	{ .name = "gtk3",
		.run = gtk3,
		.servers = LAB_XVFB,
		.wms = "xfwm4 metacity kwin",
		.about = "The same of GTK 3." },
	{ .name = "qt5",
		.run = qt5,
		.servers = LAB_XVFB,
		.wms = "xfwm4 openbox kwin",
		.about = "The same where nothing but the press tells that it is a title bar." },
	{ .name = "chromium",
		.run = chromium,
		.servers = LAB_XVFB,
		.wms = "xfwm4",
		.needs = "chromium",
		.timeout = 120,
		.about = "The same of a browser's own title bar." },
	{ .name = "cancelled",
		.run = cancelled,
		.servers = LAB_XVFB,
		.wms = "*",
		.about = "What an application hands over in answer to a click is ended at once." },
	{ .name = "chance",
		.run = chance,
		.servers = LAB_XVFB,
		.wms = "*",
		.needs = "chromium xdotool",
		.timeout = 3600,
		.about = "Gestures on all parts that are handed over; the user types on, and the "
			 "window manager is the same one." },
	{ 0 } };

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
