/* SPDX-License-Identifier: MIT */
/*
 * What applications, files and window managers say (tests/harness/fuzz.c) never reads as the
 * driver's word. Every text of every answer is taken apart line by line: it has no control
 * characters, nothing that turns or hides a part of it, and outside of quotes no EVIL, which stands
 * behind each piece that could break out of them. For programs the strings are what they were.
 * $QUOTING_FIRST (1) says which seed comes first, $QUOTING_ROUNDS (2) how many, of $QUOTING_WINDOWS
 * (4) windows each: tests/hostile/full.
 */
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lab/oracle.h"

#define ELEMENTS 12

static struct {
	unsigned texts, lines, quotes, elements, windows, bare, refused;
} counted;

static int number_of(const char *name, int preset)
{
	const char *text = g_getenv(name);

	return text ? atoi(text) : preset;
}

/* --- The oracle ----------------------------------------------------------------------------- */

static bool is_shown(gunichar c)
{
	GUnicodeType type = g_unichar_type(c);

	return !g_unichar_iscntrl(c) && type != G_UNICODE_FORMAT && type != G_UNICODE_LINE_SEPARATOR
		&& type != G_UNICODE_PARAGRAPH_SEPARATOR;
}

/* What of a line stands outside of quotes, which end as JSON's do. `whole` is false if the last one
 * does not. */
static char *outside(const char *line, bool *whole)
{
	GString *rest = g_string_new(NULL);
	bool quoted = false;

	for (const char *at = line; *at != '\0'; at++) {
		if (quoted && *at == '\\' && at[1] != '\0') {
			at++;
		} else if (*at == '"') {
			quoted = !quoted;
			counted.quotes += quoted;
		} else if (!quoted) {
			g_string_append_c(rest, *at);
		}
	}
	*whole = !quoted;
	return g_string_free(rest, FALSE);
}

static void check_text(const char *what, const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text ? text : "", "\n", -1);

	counted.texts++;
	if (!g_utf8_validate(text ? text : "", -1, NULL)) {
		lab_fail("%s: not UTF-8", what);
	}
	for (char **line = lines; *line; line++) {
		bool whole;
		g_autofree char *rest = outside(*line, &whole);

		counted.lines++;
		for (const char *at = *line; *at; at = g_utf8_next_char(at)) {
			if (!is_shown(g_utf8_get_char(at))) {
				lab_fail("%s: U+%04X stands in a line: %s", what,
					g_utf8_get_char(at), *line);
			}
		}
		/* What a failure tells besides is cut when it is very long, in the last line. */
		bool cut = line[1] == NULL && **line == '{' && g_str_has_suffix(*line, "…");
		if ((!whole && !cut) || strstr(rest, "EVIL")) {
			lab_fail("%s: not in quotes: %s", what, *line);
		}
	}
}

static struct lab_answer checked(const char *what, struct lab_answer answer)
{
	check_text(what, answer.text);
	/* Raw, too: what shows the message itself shows no more than its characters. */
	g_autofree char *code = g_strdup(answer.code ? answer.code : "");
	counted.refused += code[0] != '\0';
	return answer;
}

#define call(driver, tool, ...) checked(tool, lab_call(driver, tool, __VA_ARGS__))

static void report(void)
{
	lab_note("%u windows (%u without a tree), %u elements of 4 or more strings each, %u texts "
		 "of %u lines with %u quotes, %u refusals",
		counted.windows, counted.bare, counted.elements, counted.texts, counted.lines,
		counted.quotes, counted.refused);
}

/* --- Windows and trees ---------------------------------------------------------------------- */

/* One of the things that can be done to an element, so that all verdicts and refusals are told. */
static void act(struct lab_driver *driver, json_t *window, json_t *element, GRand *random)
{
	long long id = lab_int(window, "window_id"), index = lab_int(element, "element_index");
	static const char *const tools[] = { "click", "click", "press_key", "set_value",
		"type_text", "scroll", "wait_for", "invoke_menu" };
	const char *tool = tools[g_rand_int_range(random, 0, G_N_ELEMENTS(tools))];
	const char *label = json_string_value(json_object_get(element, "label"));
	json_t *shown = json_string(label ? label : "");
	char *quoted = json_dumps(shown, JSON_ENCODE_ANY);

	if (g_str_equal(tool, "click")) {
		bool then = g_rand_boolean(random);
		call(driver, tool, "{\"window_id\":%lld,\"element_index\":%lld,\"settle_ms\":20%s}",
			id, index,
			then                             ? ",\"then\":{\"observe\":\"diff\"}"
				: g_rand_boolean(random) ? ",\"action\":\"nothing\""
							 : "");
	} else if (g_str_equal(tool, "press_key")) {
		call(driver, tool,
			"{\"window_id\":%lld,\"element_index\":%lld,\"key\":\"space\",\"settle_"
			"ms\":20}",
			id, index);
	} else if (g_str_equal(tool, "set_value")) {
		call(driver, tool,
			"{\"window_id\":%lld,\"element_index\":%lld,\"value\":%s,\"settle_ms\":20}",
			id, index, quoted);
	} else if (g_str_equal(tool, "type_text")) {
		call(driver, tool,
			"{\"window_id\":%lld,\"element_index\":%lld,\"text\":\"x\",\"settle_ms\":"
			"20}",
			id, index);
	} else if (g_str_equal(tool, "scroll")) {
		call(driver, tool,
			"{\"window_id\":%lld,\"element_index\":%lld,\"direction\":\"down\","
			"\"settle_ms\":20}",
			id, index);
	} else if (g_str_equal(tool, "wait_for")) {
		call(driver, tool,
			"{\"window_id\":%lld,\"timeout_ms\":0,\"conditions\":[{\"text_present\":{"
			"\"text\":\"EVIL\"}},"
			"{\"element_appears\":{\"label\":%s}},{\"window_title\":{\"window_id\":%"
			"lld,\"title\":\"x\"}}]}",
			id, quoted, id);
	} else {
		call(driver, tool, "{\"window_id\":%lld,\"path\":[%s]}", id, quoted);
	}
	free(quoted);
	json_decref(shown);
}

static void visit(struct lab_driver *driver, json_t *window, pid_t victim, GRand *random)
{
	long long id = lab_int(window, "window_id");
	struct lab_answer state = call(driver, "get_window_state",
		"{\"window_id\":%lld,\"include_screenshot\":false}", id);

	if (state.is_error) {
		lab_fail("%s", state.text);
	}
	counted.windows++;
	json_t *elements = lab_array(state.structured, "elements"), *element, *foreign = NULL;
	size_t i;
	json_array_foreach(elements, i, element) {
		if (json_object_get(element, "foreign")) {
			lab_assert_int(lab_int(element, "of_pid"), victim);
			foreign = element;
		}
	}
	counted.elements += (unsigned)json_array_size(elements);
	/* A title that is no text is no accessible window's name, so there is no tree. */
	if (json_is_true(json_object_get(state.structured, "degraded"))) {
		counted.bare++;
		return;
	}
	/* The other application's is there, with its pid, and is left alone. */
	lab_assert(foreign);
	struct lab_answer refused = call(driver, "click",
		"{\"window_id\":%lld,\"element_index\":%lld}", id,
		(long long)lab_int(foreign, "element_index"));
	lab_assert_str(refused.code, "foreign_element");
	for (int n = 0; n < 2; n++) {
		element = json_array_get(elements,
			(size_t)g_rand_int_range(random, 0, (gint32)json_array_size(elements)));
		if (element != foreign) {
			act(driver, window, element, random);
		}
	}
	if (g_rand_int_range(random, 0, 4) == 0) {
		call(driver, "screenshot", "{\"window_id\":%lld}", id);
		call(driver, "set_window_frame", "{\"window_id\":%lld,\"x\":30,\"y\":30}", id);
		call(driver, "click", "{\"window_id\":%lld,\"x\":50,\"y\":40,\"settle_ms\":20}",
			id);
		call(driver, "get_window_state",
			"{\"window_id\":%lld,\"include_screenshot\":false,\"since\":\"s1\"}", id);
		call(driver, "get_window_state", "{\"window_id\":%lld,\"pid\":1}", id);
	}
}

/* Windows of the process that are listed; waits until all are. */
static json_t *all_windows(struct lab_driver *driver, pid_t pid, int count)
{
	gint64 deadline = lab_deadline(30000);

	for (;;) {
		struct lab_answer answer = call(driver, "list_windows", "{\"pid\":%d}", (int)pid);
		json_t *list = lab_array(answer.structured, "windows");
		if ((int)json_array_size(list) == count) {
			return list;
		}
		lab_assert(lab_left(deadline) > 0);
	}
}

static void round_of(struct lab_desk *desk, struct lab_driver *driver, const struct lab_app *victim,
	int seed, int count)
{
	g_autoptr(GRand) random = g_rand_new_with_seed((guint32)seed);
	const char *top = g_getenv("CUA_BUILDDIR");
	g_autofree char *program = g_build_filename(top ? top : ".", "tests/harness/fuzz", NULL);
	g_autofree char *number = g_strdup_printf("%d", seed),
			*windows = g_strdup_printf("%d", count);
	struct lab_node node = lab_atspi_find(desk, victim->pid, NULL, "7");

	lab_assert(node.bus);
	struct lab_app app = lab_app_start(desk,
		LAB_ARGV(program, "--seed", number, "--windows", windows, "--victim", node.bus,
			"--object", node.path));
	json_t *list = all_windows(driver, app.pid, count), *window;
	size_t i;
	json_array_foreach(list, i, window) {
		visit(driver, window, victim->pid, random);
	}
	call(driver, "list_windows", "{}");
	call(driver, "list_apps", "{}");
	call(driver, "get_accessibility_tree", "{\"pid\":%d}", (int)app.pid);
	/* The command line prints what programs read. */
	struct lab_run json = lab_run(
		desk->env, LAB_ARGV(lab_driver_path(), "list_windows"), "", 30000);
	check_text("the command line", json.out);
	struct lab_run text = lab_run(desk->env,
		LAB_ARGV(lab_driver_path(), "call", "--text", "list_windows"), "", 30000);
	check_text("the command line, --text", text.out);
	check_text("its messages", text.err);
	call(driver, "kill_app", "{\"pid\":%d}", (int)app.pid);
	lab_app_kill(&app);
}

static void windows(struct lab_desk *desk)
{
	int first = number_of("QUOTING_FIRST", 1), rounds = number_of("QUOTING_ROUNDS", 2),
	    count = number_of("QUOTING_WINDOWS", 4);
	struct lab_app victim = lab_galculator(desk, false);
	struct lab_driver *driver = lab_driver_start(desk);

	lab_atspi_until_present(desk, victim.pid, 30000);
	for (int i = 0; i < rounds; i++) {
		lab_note("seed %d", first + i);
		round_of(desk, driver, &victim, first + i, count);
	}
	/* Nothing was ever pressed there. */
	struct lab_answer state = lab_call_ok(driver, "get_window_state",
		"{\"window_id\":%u,\"include_screenshot\":false}", victim.window);
	lab_call_ok(driver, "click", "{\"window_id\":%u,\"element_index\":%d}", victim.window,
		(int)lab_int(lab_element(state.structured, NULL, "5"), "element_index"));
	lab_galculator_shows(desk, &victim, "5");
	lab_driver_stop(driver);
	report();
	lab_assert((int)counted.windows == rounds * count && (int)counted.bare <= rounds * count / 2
		&& counted.quotes > counted.lines / 2);
}

/* --- Files ---------------------------------------------------------------------------------- */

/* As the value of a desktop file has it: that turns \n and \t into what they mean. */
static void add_entry(const char *folder, const char *id, const char *name, const char *exec)
{
	g_autofree char *path = g_strdup_printf("%s/%s.desktop", folder, id);
	g_autofree char *text = g_strdup_printf(
		"[Desktop "
		"Entry]\nType=Application\nName=%s\nGenericName=%s\nExec=%s\nStartupWMClass=%s\n",
		name, name, exec, name);

	lab_assert(g_file_set_contents(path, text, -1, NULL));
}

static void files(struct lab_desk *desk)
{
	static const char *const names[] = {
		"EVIL\\nEVIL",
		"EVIL\\n- [7] EVIL\\tEVIL",
		"EVIL\x1b[2JEVIL",
		"EVIL\xc2\x9b"
		"31mEVIL",
		"EVIL\xe2\x80\xaeLIVE EVIL",
		"EVIL\" (active)\\nEVIL",
		"EVIL\\\\\"EVIL",
		"EVIL\xe2\x80\xa8"
		"EVIL",
		"EVIL\xc2\x85"
		"EVIL",
	};
	static const char *const ids[] = {
		"EVIL\nEVIL", "EVIL\x1b[1mEVIL", "EVIL\"EVIL", "EVIL\\EVIL",
		("EVIL\xe2\x80\xae" "EVIL"), "EVIL\tEVIL",
	};
	g_autofree char *home = g_dir_make_tmp("cua-quoting-XXXXXX", NULL),
			*folder = g_build_filename(home, "applications", NULL);
	g_autofree char *failing = g_build_filename(home, "EVIL\nEVIL \"\x1b[1mEVIL", NULL);
	char **env = desk->env;

	lab_assert(g_mkdir(folder, 0700) == 0);
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		add_entry(folder, ids[i % G_N_ELEMENTS(ids)], names[i], "false");
		g_autofree char *plain = g_strdup_printf("plain%zu", i);
		add_entry(folder, plain, names[i], i % 2 ? "false" : "\"EVIL\\\\nEVIL");
	}
	lab_assert(g_file_set_contents(
			   failing, "#!/bin/sh\nprintf 'EVIL\\nEVIL' >&2\nexit 3\n", -1, NULL)
		&& chmod(failing, 0700) == 0);
	desk->env = g_environ_setenv(g_strdupv(env), "XDG_DATA_HOME", home, TRUE);
	struct lab_driver *driver = lab_driver_start(desk);
	desk->env = env;
	struct lab_answer list = call(driver, "list_apps", "{}");
	json_t *apps = lab_array(list.structured, "apps");
	unsigned evil = 0;
	for (size_t i = 0; i < json_array_size(apps); i++) {
		const char *name = json_string_value(
			json_object_get(json_array_get(apps, i), "name"));
		evil += name && strchr(name, '\n') != NULL;
	}
	/* For programs they are as they were. */
	lab_assert(evil > 0);
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		call(driver, "launch_app", "{\"desktop_id\":\"plain%zu\",\"wait_ms\":500}", i);
	}
	call(driver, "launch_app", "{\"name\":\"EVIL\"}");
	call(driver, "launch_app", "{\"name\":\"plain0\"}");
	json_t *path = json_string(failing);
	char *quoted = json_dumps(path, JSON_ENCODE_ANY);
	call(driver, "launch_app", "{\"launch_path\":%s,\"wait_ms\":2000}", quoted);
	call(driver, "clipboard_write", "{\"image_path\":%s}", quoted);
	call(driver, "clipboard_write", "{\"file_path\":%s}", quoted);
	call(driver, "clipboard_read", "{}");
	call(driver, "clipboard_write", "{\"text\":%s}", quoted);
	lab_assert_str(lab_str(call(driver, "clipboard_read", "{}").structured, "text"), failing);
	call(driver, "get_desktop_state", "{\"screenshot_out_file\":%s}", quoted);
	call(driver, "launch_app", "{\"urls\":[%s],\"wait_ms\":500}", quoted);
	free(quoted);
	lab_driver_stop(driver);
	lab_run(NULL, LAB_ARGV("rm", "-rf", home), NULL, 10000);
	report();
}

/* --- The desktop ---------------------------------------------------------------------------- */

/* A window manager may call itself anything, and so may whoever claims to be one. */
static void manager(struct lab_desk *desk)
{
	static const char *const names[] = { "EVIL\nok    everything EVIL", "EVIL\x1b[2JEVIL\"EVIL",
		"EVIL\xe2\x80\xae"
		"EVIL",
		"EVIL\xff\xc2\x85"
		"EVIL" };
	xcb_window_t window = lab_window_open(desk, &(struct lab_window){ .title = "check" });
	struct lab_driver *driver = lab_driver_start(desk);

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		xcb_change_property(desk->x, XCB_PROP_MODE_REPLACE, desk->root,
			lab_atom(desk, "_NET_SUPPORTING_WM_CHECK"), XCB_ATOM_WINDOW, 32, 1,
			&window);
		xcb_change_property(desk->x, XCB_PROP_MODE_REPLACE, window,
			lab_atom(desk, "_NET_SUPPORTING_WM_CHECK"), XCB_ATOM_WINDOW, 32, 1,
			&window);
		xcb_change_property(desk->x, XCB_PROP_MODE_REPLACE, window,
			lab_atom(desk, "_NET_WM_NAME"), lab_atom(desk, "UTF8_STRING"), 8,
			(uint32_t)strlen(names[i]), names[i]);
		xcb_flush(desk->x);
		call(driver, "health_report", "{}");
		call(driver, "check_permissions", "{}");
		struct lab_run run = lab_run(
			desk->env, LAB_ARGV(lab_driver_path(), "doctor"), "", 60000);
		check_text("doctor", run.out);
		check_text("doctor's messages", run.err);
		struct lab_run json = lab_run(
			desk->env, LAB_ARGV(lab_driver_path(), "doctor", "--json"), "", 60000);
		check_text("doctor --json", json.out);
	}
	lab_driver_stop(driver);
	report();
}

static const struct lab_test tests[] = {
	{ .name = "windows",
		.run = windows,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.needs = "galculator",
		.timeout = 3600,
		.about = "What windows and their elements say stands in quotes, and what is "
			 "another application's is not acted on." },
	{ .name = "files",
		.run = files,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.timeout = 120,
		.about = "So do names of desktop entries, programs and files, and what is on the "
			 "clipboard." },
	{ .name = "manager",
		.run = manager,
		.servers = LAB_XVFB,
		.wms = "none",
		.timeout = 120,
		.about = "So does what claims to be the window manager, in all that doctor "
			 "prints." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
