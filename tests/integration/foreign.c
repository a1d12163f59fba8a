/* SPDX-License-Identifier: MIT */
/*
 * A window whose application lists another application's elements (tests/harness/hostile.c): what
 * is done in that window must not be done to the other one, a calculator, which tells whether it
 * was.
 */
#include <stdlib.h>
#include <string.h>

#include "lab/oracle.h"

struct scene {
	struct lab_desk *desk;
	struct lab_driver *driver;
	struct lab_app calculator, hostile;
};

/* The hostile one has the calculator's object of that role and name. */
static struct scene set_up(
	struct lab_desk *desk, const char *mode, const char *role, const char *name)
{
	struct scene scene = { .desk = desk, .calculator = lab_galculator(desk, false) };
	const char *top = g_getenv("CUA_BUILDDIR");
	g_autofree char *program = g_build_filename(top ? top : ".", "tests/harness/hostile", NULL);

	lab_atspi_until_present(desk, scene.calculator.pid, 20000);
	struct lab_node node = lab_atspi_find(desk, scene.calculator.pid, role, name);
	lab_assert(node.bus);

	scene.hostile = lab_app_start(desk,
		LAB_ARGV(program, "--mode", mode, "--victim", node.bus, "--object", node.path,
			"--title", g_str_equal(mode, "usurp") ? "galculator" : "Hostile"));
	scene.driver = lab_driver_start(desk);
	return scene;
}

static struct lab_answer look(struct scene *scene, const struct lab_app *app)
{
	return lab_call_ok(scene->driver, "get_window_state",
		"{\"window_id\":%u,\"include_screenshot\":false}", app->window);
}

/* The calculator shows nothing but what is pressed in its own window. */
static void assert_untouched(struct scene *scene, const char *key, const char *shown)
{
	struct lab_answer state = look(scene, &scene->calculator);

	lab_call_ok(scene->driver, "click", "{\"window_id\":%u,\"element_index\":%d}",
		scene->calculator.window,
		(int)lab_int(lab_element(state.structured, NULL, key), "element_index"));
	lab_galculator_shows(scene->desk, &scene->calculator, shown);
}

static void listed(struct lab_desk *desk)
{
	struct scene scene = set_up(desk, "foreign", NULL, "7");
	struct lab_answer state = look(&scene, &scene.hostile);
	json_t *foreign = lab_element(state.structured, NULL, "7");
	g_autofree char *mark = g_strdup_printf(
		"\"7\" {of pid %d, another application}", (int)scene.calculator.pid);
	static const char *const more[] = { "", ",\"action\":\"press\"", ",\"settle_ms\":0",
		",\"delivery_mode\":\"foreground\"" };
	int index = (int)lab_int(foreign, "element_index");

	lab_assert_int(lab_int(foreign, "of_pid"), scene.calculator.pid);
	lab_assert(lab_bool(foreign, "foreign"));
	lab_assert_contains(state.text, mark);
	for (size_t i = 0; i < G_N_ELEMENTS(more); i++) {
		struct lab_answer refused = lab_call_refused(scene.driver, "foreign_element",
			"click", "{\"window_id\":%u,\"element_index\":%d%s}", scene.hostile.window,
			index, more[i]);
		lab_assert_int(lab_int(refused.structured, "of_pid"), scene.calculator.pid);
		lab_assert_str(lab_str(refused.structured, "delivery"), "none");
	}
	lab_call_refused(scene.driver, "foreign_element", "press_key",
		"{\"window_id\":%u,\"element_index\":%d,\"key\":\"space\"}", scene.hostile.window,
		index);
	lab_call_refused(scene.driver, "foreign_element", "set_value",
		"{\"window_id\":%u,\"element_index\":%d,\"value\":\"true\"}", scene.hostile.window,
		index);
	lab_call_refused(scene.driver, "foreign_element", "type_text",
		"{\"window_id\":%u,\"element_index\":%d,\"text\":\"7\"}", scene.hostile.window,
		index);
	/* Its own button is pressed, as the other ones that it lists. */
	json_t *own = lab_element(state.structured, NULL, "Node 11");
	lab_assert(
		json_object_get(own, "of_pid") == NULL && json_object_get(own, "foreign") == NULL);
	lab_call_ok(scene.driver, "click", "{\"window_id\":%u,\"element_index\":%d}",
		scene.hostile.window, (int)lab_int(own, "element_index"));
	assert_untouched(&scene, "5", "5");
	lab_driver_stop(scene.driver);
}

/* Ways that name no element of the other one, and come upon it on the way. */
static void on_the_way(struct lab_desk *desk)
{
	struct scene scene = set_up(desk, "foreign", NULL, "7");
	struct lab_answer state = lab_call_ok(
		scene.driver, "get_window_state", "{\"window_id\":%u}", scene.hostile.window);
	int combo = (int)lab_int(
		lab_element(state.structured, "combo box", "Node 12"), "element_index");
	json_t *at = lab_object(lab_element(state.structured, NULL, "Node 11"), "at");
	static const char *const values[] = { "7", "Node 10" };

	for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
		struct lab_answer answer = lab_call(scene.driver, "set_value",
			"{\"window_id\":%u,\"element_index\":%d,\"value\":\"%s\"}",
			scene.hostile.window, combo, values[i]);
		lab_note("set_value: %s", answer.text);
	}
	/* Where the other one says that it is, and where nothing of it is. */
	lab_call(scene.driver, "click", "{\"window_id\":%u,\"x\":%d,\"y\":%d}",
		scene.hostile.window, (int)lab_int(at, "x"), (int)lab_int(at, "y"));
	lab_call(scene.driver, "invoke_menu", "{\"window_id\":%u,\"path\":[\"7\"]}",
		scene.hostile.window);
	lab_call(scene.driver, "press_key", "{\"window_id\":%u,\"key\":\"7\"}",
		scene.hostile.window);
	lab_call(scene.driver, "scroll",
		"{\"window_id\":%u,\"element_index\":%d,\"direction\":\"down\"}",
		scene.hostile.window, combo);
	assert_untouched(&scene, "5", "5");
	lab_driver_stop(scene.driver);
}

/* The other one's whole window as its own top-level: there is no such thing. */
static void usurped(struct lab_desk *desk)
{
	struct scene scene = set_up(desk, "usurp", "frame", NULL);
	struct lab_answer state = look(&scene, &scene.hostile);

	lab_assert_int(json_array_size(json_object_get(state.structured, "elements")), 0);
	lab_assert(lab_bool(state.structured, "degraded"));
	assert_untouched(&scene, "5", "5");
	lab_driver_stop(scene.driver);
}

/* The name of a process's program, by which its sandbox is known. */
static bool is_below_program(pid_t pid, const char *program)
{
	for (int i = 0; i < 20 && pid > 1; i++) {
		g_autofree char *stat_path = g_strdup_printf("/proc/%d/stat", (int)pid),
				*text = NULL;
		if (!g_file_get_contents(stat_path, &text, NULL, NULL)) {
			return false;
		}
		g_autofree char *wanted = g_strdup_printf("(%s)", program);
		if (strstr(text, wanted)) {
			return true;
		}
		pid = (pid_t)atoi(strrchr(text, ')') + 4);
	}
	return false;
}

/* A page that another process shows, which is in a sandbox of the window's and on the bus by a
 * proxy: it is the window's all the same. */
static void sandboxed(struct lab_desk *desk)
{
	g_autofree char *page = g_build_filename(
		g_environ_getenv(desk->env, "XDG_RUNTIME_DIR"), "page.html", NULL);
	g_autofree char *url = g_filename_to_uri(page, NULL, NULL);
	lab_assert(g_file_set_contents(page,
		"<title>page</title><button onclick='document.title=\"pressed \"+ "
		"++n'>Press</button><script>n=0</script>",
		-1, NULL));
	struct lab_app app = lab_app_start(desk,
		LAB_ARGV("sh", "-c",
			"XDG_CACHE_HOME=$XDG_RUNTIME_DIR XDG_DATA_HOME=$XDG_RUNTIME_DIR exec "
			"/usr/lib/*/webkit2gtk-4.1/MiniBrowser --enable-sandbox \"$0\"",
			url));
	struct lab_driver *driver = lab_driver_start(desk);
	json_t *press = NULL;
	gint64 deadline = lab_deadline(60000);

	while (!press) {
		struct lab_answer state = lab_call(driver, "get_window_state",
			"{\"window_id\":%u,\"include_screenshot\":false}", app.window);
		press = state.is_error
			? NULL
			: lab_pick_str(lab_array(state.structured, "elements"), "label", "Press");
		lab_assert(lab_left(deadline) > 0);
	}
	pid_t shower = (pid_t)lab_int(press, "of_pid");
	lab_assert(shower != app.pid && json_object_get(press, "foreign") == NULL);
	lab_assert(is_below_program(shower, "bwrap"));
	lab_call_ok(driver, "click", "{\"window_id\":%u,\"element_index\":%d}", app.window,
		(int)lab_int(press, "element_index"));
	lab_call_ok(driver, "wait_for",
		"{\"window_id\":%u,\"timeout_ms\":20000,\"conditions\":[{\"kind\":\"window_title\","
		"\"title\":\"pressed 1\"}]}",
		app.window);
	lab_driver_stop(driver);
}

static const struct lab_test tests[] = { { .name = "listed",
						 .run = listed,
						 .servers = LAB_XVFB,
						 .wms = "openbox",
						 .needs = "galculator",
						 .about = "An element of another application is "
							  "shown with its pid, and not acted on." },
	{ .name = "on_the_way",
		.run = on_the_way,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.needs = "galculator",
		.about = "Nor is it come upon by an item's label, a point, a menu or the focus." },
	{ .name = "sandboxed",
		.run = sandboxed,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.needs = "bwrap xdg-dbus-proxy",
		.timeout = 120,
		.about = "What a sandboxed process of the application shows is acted on." },
	{ .name = "usurped",
		.run = usurped,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.needs = "galculator",
		.about = "A window of another application is none of this one's." },
	{ 0 } };

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
