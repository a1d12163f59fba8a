/* SPDX-License-Identifier: MIT */
/*
 * A menu that is open in the background when something happens: the driver is killed, at every
 * record of its undo log and after the last; the user comes to the application, by pointer or by a
 * shortcut, or types in a browser that hears only one keyboard. The menu goes, and with it whatever
 * the driver changed; the user's own menu is the user's.
 */
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <xcb/xinput.h>

#include "lab/oracle.h"

enum { PATIENCE = 20000, MOST_STEPS = 32, CORE = 2, GUARD = 2000 };

struct scene {
	struct lab_desk *desk;
	struct lab_harness *form;
	struct lab_driver *driver;
	struct lab_sentinel *sentinel;
};

static int count_popups(struct scene *scene)
{
	struct lab_desk *desk = scene->desk;
	g_autofree xcb_query_tree_reply_t *tree = xcb_query_tree_reply(
		desk->x, xcb_query_tree(desk->x, desk->root), NULL);
	int count = 0;

	for (int i = tree ? xcb_query_tree_children_length(tree) : 0; i-- > 0;) {
		xcb_window_t window = xcb_query_tree_children(tree)[i];
		g_autofree xcb_get_window_attributes_reply_t *is = xcb_get_window_attributes_reply(
			desk->x, xcb_get_window_attributes(desk->x, window), NULL);

		count += is && is->override_redirect && is->map_state == XCB_MAP_STATE_VIEWABLE
			&& lab_x_pid(desk, window) == scene->form->pid
			&& lab_x_bounds(desk, window).width > 20;
	}
	return count;
}

static unsigned client_pointer(struct scene *scene)
{
	xcb_connection_t *x = scene->desk->x;
	g_autofree xcb_input_xi_get_client_pointer_reply_t *reply =
		xcb_input_xi_get_client_pointer_reply(
			x, xcb_input_xi_get_client_pointer(x, scene->form->window), NULL);

	return reply && reply->set ? reply->deviceid : CORE;
}

static int count_pairs(struct scene *scene)
{
	xcb_connection_t *x = scene->desk->x;
	g_autofree xcb_input_xi_query_device_reply_t *reply = xcb_input_xi_query_device_reply(x,
		xcb_input_xi_query_device(x, XCB_INPUT_DEVICE_ALL_MASTER), NULL);

	return reply ? reply->num_infos / 2 - 1 : -1;
}

/* Waits until no menu is open and the application's connection is the user's again; `pairs`: with
 * no pair of ours. */
static void until_over(struct scene *scene, bool pairs, const char *what)
{
	gint64 deadline = lab_deadline(PATIENCE);

	while (count_popups(scene) > 0 || client_pointer(scene) != CORE
		|| (pairs && count_pairs(scene) > 0)) {
		if (lab_left(deadline) == 0) {
			lab_fail("%s: %d menus, the client pointer is %u, %d pairs", what,
				count_popups(scene), client_pointer(scene), count_pairs(scene));
		}
		poll(NULL, 0, 20);
	}
}

static int send_open(struct scene *scene)
{
	json_t *state = lab_call_ok(scene->driver, "get_window_state",
		"{\"window_id\":%u,\"include_screenshot\":false}", scene->form->window)
				.structured;

	return lab_send_call(scene->driver, "click", "{\"window_id\":%u,\"element_index\":%lld}",
		scene->form->window,
		(long long)lab_int(lab_element(state, NULL, "File"), "element_index"));
}

static void open_menu(struct scene *scene)
{
	gint64 deadline = lab_deadline(PATIENCE);
	struct lab_answer answer = lab_answer_of(
		scene->driver, lab_wait_id(scene->driver, send_open(scene), PATIENCE));

	if (answer.is_error) {
		lab_fail("not opened: %s", lab_json(answer.structured));
	}
	while (count_popups(scene) == 0) {
		lab_assert(lab_left(deadline) > 0);
		poll(NULL, 0, 10);
	}
	lab_assert(client_pointer(scene) != CORE);
}

/* The user types and moves the pointer until then, and has lost nothing. */
static void held(struct scene *scene, const char *what)
{
	lab_sentinel_types(scene->sentinel, 10);
	struct lab_verdict verdict = lab_sentinel_stop(scene->sentinel);

	if (!verdict.held) {
		lab_fail("%s: the user noticed: %s", what, verdict.text);
	}
	struct lab_user user = lab_user_read(scene->desk);
	lab_assert(!user.keyboard_grabbed && !user.pointer_grabbed);
}

static struct scene open_scene(struct lab_desk *desk, const char *name)
{
	struct scene scene = { .desk = desk, .form = lab_harness_start(desk, name, NULL) };

	scene.sentinel = lab_sentinel_open(desk, "300x150+960+600");
	return scene;
}

/* True if it died at that step. */
static bool dies(struct scene *scene, int step)
{
	char number[16];

	g_snprintf(number, sizeof number, "%d", step);
	struct lab_desk mortal = *scene->desk;
	mortal.env = g_environ_setenv(
		g_strdupv(scene->desk->env), "CUA_DRIVER_TEST_DIE_AT", number, TRUE);
	scene->driver = lab_driver_start(&mortal);
	pid_t pid = lab_driver_pid(scene->driver);
	lab_sentinel_start(scene->sentinel);
	bool lives = lab_has_answer(scene->driver, send_open(scene), PATIENCE);
	if (lives) {
		/* With the menu open. */
		lab_assert(count_popups(scene) > 0 && client_pointer(scene) != CORE);
		kill(pid, SIGKILL);
	}
	lab_assert_int(lab_reap(pid, PATIENCE), 128 + SIGKILL);
	lab_driver_forget(scene->driver);
	return !lives;
}

static void killed(struct lab_desk *desk, const char *name)
{
	struct scene scene = open_scene(desk, name);
	int step = 1;
	bool died;

	do {
		char what[64];
		g_snprintf(what, sizeof what, "killed at step %d", step);
		died = dies(&scene, step);
		until_over(&scene, true, what);
		held(&scene, what);
		lab_assert(++step < MOST_STEPS);
	} while (died);
	lab_note("%d steps", step - 2);
	/* The pair and the setting were written. */
	lab_assert(step > 3);
}

static void killed_gtk3(struct lab_desk *desk)
{
	killed(desk, "form-gtk3");
}

static void killed_qt5(struct lab_desk *desk)
{
	killed(desk, "form-qt5");
}

static void run(struct scene *scene, const char *const *argv)
{
	struct lab_run run = lab_run(scene->desk->env, argv, NULL, PATIENCE);

	if (run.code != 0) {
		lab_fail("%s: %s", argv[0], run.err);
	}
}

/* The user opens the same menu by hand, which has the user's keyboard, and closes it. */
static void users_menu(struct scene *scene)
{
	struct lab_rect at = lab_harness_see(scene->form, NULL, "File", PATIENCE).frame;
	g_autofree char *x = g_strdup_printf("%d", at.x + at.width / 2),
			*y = g_strdup_printf("%d", at.y + at.height / 2);
	gint64 deadline = lab_deadline(PATIENCE);

	run(scene, LAB_ARGV("xdotool", "mousemove", x, y, "click", "1"));
	while (count_popups(scene) == 0) {
		lab_assert(lab_left(deadline) > 0);
		poll(NULL, 0, 50);
	}
	/* Each look is a grab, and the menu's own may still be to come. */
	lab_x_quiet(scene->desk, 400);
	lab_assert(lab_user_read(scene->desk).keyboard_grabbed);
	run(scene, LAB_ARGV("xdotool", "key", "Escape"));
	until_over(scene, false, "the user's own menu");
}

static void entered(struct lab_desk *desk, const char *name, bool by_pointer)
{
	struct scene scene = open_scene(desk, name);
	struct lab_rect at = lab_x_bounds(desk, scene.form->window);
	g_autofree char *x = g_strdup_printf("%d", at.x + at.width / 2),
			*y = g_strdup_printf("%d", at.y + at.height - 8);

	scene.driver = lab_driver_start(desk);
	lab_sentinel_start(scene.sentinel);
	open_menu(&scene);
	held(&scene, "with the menu open");
	if (by_pointer) {
		run(&scene, LAB_ARGV("xdotool", "mousemove", x, y));
	} else {
		/* Sooner it would be taken for the application's own doing. */
		lab_x_quiet(desk, GUARD);
		lab_x_request(
			desk, scene.form->window, "_NET_ACTIVE_WINDOW", 2, XCB_CURRENT_TIME, 0);
	}
	until_over(&scene, false, "the user came");
	run(&scene, LAB_ARGV("xdotool", "mousemove", x, y, "click", "1"));
	lab_user_works_in(desk, scene.form->window);
	users_menu(&scene);
	/* Where the user is nothing is opened, and nothing is left of the try. */
	json_t *state = lab_call_ok(scene.driver, "get_window_state",
		"{\"window_id\":%u,\"include_screenshot\":false}", scene.form->window)
				.structured;
	struct lab_answer answer = lab_call_refused(scene.driver, "popup_grabs_user", "click",
		"{\"window_id\":%u,\"element_index\":%lld}", scene.form->window,
		(long long)lab_int(lab_element(state, NULL, "File"), "element_index"));
	lab_assert_str(lab_str(answer.structured, "delivery"), "none");
	lab_assert_int(client_pointer(&scene), CORE);
	lab_assert_int(count_popups(&scene), 0);
	lab_driver_stop(scene.driver);
}

static void entered_gtk3(struct lab_desk *desk)
{
	entered(desk, "form-gtk3", true);
}

static void entered_qt5(struct lab_desk *desk)
{
	entered(desk, "form-qt5", true);
}

static void entered_gtk4(struct lab_desk *desk)
{
	entered(desk, "form-gtk4", false);
}

/* The user types in a browser, which is deaf beside our pair: the pair goes, and the menu with it.
 */
static void browser(struct lab_desk *desk)
{
	struct lab_harness *web = lab_harness_start(desk, "web", NULL);
	struct scene scene = { .desk = desk,
		.form = lab_harness_start(desk, "form-gtk3", NULL),
		.driver = lab_driver_start(desk) };
	struct lab_rect at =
		lab_harness_see(web, NULL, lab_control_label("txt-input"), PATIENCE).frame;
	g_autofree char *x = g_strdup_printf("%d", at.x + at.width / 2),
			*y = g_strdup_printf("%d", at.y + at.height / 2);

	lab_user_works_in(desk, web->window);
	run(&scene, LAB_ARGV("xdotool", "mousemove", x, y, "click", "1"));
	lab_assert(lab_journal_find(
		web, 0, PATIENCE, "type", "focus_in", "control", "txt-input", NULL));
	open_menu(&scene);
	run(&scene, LAB_ARGV("xdotool", "type", "--delay", "30", "all of this arrives"));
	lab_journal_wait_state(web, "mirror", "all of this arrives", PATIENCE);
	until_over(&scene, true, "the user types in a browser");
	lab_driver_stop(scene.driver);
}

static const struct lab_test tests[] = {
	{ .name = "killed-gtk3",
		.run = killed_gtk3,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.timeout = 180,
		.about = "The driver dies at every record while it opens a menu of GTK3, and with "
			 "it open: nothing is left, the user types on." },
	{ .name = "killed-qt5",
		.run = killed_qt5,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.timeout = 180,
		.about = "The same of Qt 5." },
	{ .name = "entered-gtk3",
		.run = entered_gtk3,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.needs = "xdotool",
		.timeout = 120,
		.about = "The user's pointer comes to an application of GTK3 with a menu of the "
			 "agent's: it is closed, the user's own is the user's." },
	{ .name = "entered-qt5",
		.run = entered_qt5,
		.servers = LAB_XVFB,
		.wms = "metacity",
		.needs = "xdotool",
		.timeout = 120,
		.about = "The same of Qt 5." },
	{ .name = "entered-gtk4",
		.run = entered_gtk4,
		.servers = LAB_XVFB,
		.wms = "xfwm4",
		.needs = "xdotool",
		.timeout = 120,
		.about = "The user's focus comes to one of GTK4: the same." },
	{ .name = "browser",
		.run = browser,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.needs = "xdotool",
		.timeout = 180,
		.about = "The user types in Chromium while a menu of the agent's is open "
			 "elsewhere: all of it arrives." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
