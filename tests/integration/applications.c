/* SPDX-License-Identifier: MIT */
/*
 * Applications that people have: what is in their windows, and that what the driver found is what it says.
 * Each says by itself, through its window's title or its standard output, that its button was pressed.
 */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/lab.h"

/* Browsers and offices take their time, on a busy machine more. */
#define PATIENCE 90000

static const char *const page =
	"<!DOCTYPE html><meta charset=utf-8><title>Waiting</title><h1>A page</h1>"
	"<button onclick=\"document.title='Pressed '+(++window.n)\">Press here</button>"
	"<input aria-label='Your name' value='Ada'><script>window.n=0</script>";

static const char *const java_program =
	"import javax.swing.*;\n"
	"public class Small {\n"
	"	public static void main(String[] args) {\n"
	"		SwingUtilities.invokeLater(() -> {\n"
	"			JFrame frame = new JFrame(\"Small Java\");\n"
	"			JPanel panel = new JPanel();\n"
	"			JButton button = new JButton(\"Press here\");\n"
	"			button.addActionListener(e -> frame.setTitle(\"Pressed 1\"));\n"
	"			panel.add(button);\n"
	"			panel.add(new JButton(\"Only drawn\"));\n"
	"			JSlider slider = new JSlider(0, 100, 30);\n"
	"			slider.addChangeListener(e -> frame.setTitle(\"Volume \" + slider.getValue()));\n"
	"			panel.add(slider);\n"
	"			JTable table = new JTable(new Object[][] { { \"a\" }, { \"b\" } }, new Object[] { \"x\" });\n"
	"			table.getSelectionModel().addListSelectionListener(\n"
	"				e -> frame.setTitle(\"Row \" + table.getSelectedRow()));\n"
	"			panel.add(table);\n"
	"			JList<String> list = new JList<>(new String[] { \"apple\", \"pear\" });\n"
	"			list.addListSelectionListener(e -> frame.setTitle(\"Fruit \" + list.getSelectedValue()));\n"
	"			panel.add(list);\n"
	"			JMenu menu = new JMenu(\"View\");\n"
	"			JCheckBoxMenuItem item = new JCheckBoxMenuItem(\"Wrap\");\n"
	"			item.addActionListener(e -> frame.setTitle(\"Wrap \" + item.isSelected()));\n"
	"			menu.add(item);\n"
	"			JMenuBar bar = new JMenuBar();\n"
	"			bar.add(menu);\n"
	"			frame.setJMenuBar(bar);\n"
	"			panel.add(new JTextField(\"Ada\", 10));\n"
	"			frame.add(panel);\n"
	"			frame.pack();\n"
	"			frame.setVisible(true);\n"
	"		});\n"
	"	}\n"
	"}\n";

static void end_owner(void *data, bool failed)
{
	(void)failed;
	kill((pid_t)GPOINTER_TO_INT(data), SIGKILL);
}

/* Waits for its window; the window's process ends with the test. */
static xcb_window_t start(struct lab_desk *desk, const char *const *argv, const char *title)
{
	/* What they say on stderr is long and of no use. */
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

	lab_spawn(&(struct lab_spawn){ .argv = argv, .env = desk->env, .out = nothing, .err = nothing });
	close(nothing);
	xcb_window_t window = lab_x_titled(desk, title, PATIENCE);
	lab_at_end(end_owner, GINT_TO_POINTER((int)lab_x_pid(desk, window)));
	return window;
}

static struct lab_answer state_of(struct lab_driver *driver, xcb_window_t window)
{
	return lab_call_ok(driver, "get_window_state", "{\"window_id\":%u}", window);
}

/* The state once it has such an element: applications come to the bus in their own time. */
static json_t *state_with(struct lab_driver *driver, xcb_window_t window, const char *role,
	const char *label)
{
	gint64 deadline = lab_deadline(PATIENCE);

	for (;;) {
		struct lab_answer answer = lab_call(driver, "get_window_state",
			"{\"window_id\":%u,\"include_screenshot\":false}", window);
		json_t *elements = answer.is_error ? NULL : lab_array(answer.structured, "elements");

		for (gsize i = 0; i < json_array_size(elements); i++) {
			json_t *element = json_array_get(elements, i);

			if (g_str_equal(lab_str(element, "label"), label) &&
				g_str_equal(lab_str(element, "role"), role)) {
				return answer.structured;
			}
		}
		if (lab_left(deadline) == 0) {
			lab_fail("no %s \"%s\": %s", role, label, lab_json(answer.structured));
		}
		/* One that is busy starting gets time to do that. */
		poll(NULL, 0, answer.is_error ? 2000 : 100);
	}
}

static void assert_full(const json_t *state)
{
	lab_assert_str(lab_str(state, "tree"), "full");
	lab_assert(!lab_get(state, "degraded"));
}

/* A picture, no elements, and words that say why and what to do. */
static void assert_none(struct lab_driver *driver, xcb_window_t window, const char *why)
{
	struct lab_answer answer = state_of(driver, window);

	lab_assert_str(lab_str(answer.structured, "tree"), "none");
	lab_assert(lab_bool(answer.structured, "degraded"));
	lab_assert_contains(lab_str(answer.structured, "degraded_reason"), why);
	lab_assert_str(lab_str(answer.structured, "escalation/recommended"), "px");
	lab_assert_int(json_array_size(lab_array(answer.structured, "elements")), 0);
	lab_assert(lab_picture_of(&answer).width > 0);
}

static struct lab_answer press(struct lab_driver *driver, const json_t *state, const char *label)
{
	return lab_call_ok(driver, "click", "{\"element_token\":\"%s\"}",
		lab_str(lab_element(state, "push button", label), "element_token"));
}

static char *page_url(struct lab_desk *desk)
{
	return g_strconcat("file://", lab_file(desk, "page.html", page), NULL);
}

/* The page's button and field are there, and the button is the page's. */
static void use_page(struct lab_desk *desk, struct lab_driver *driver, xcb_window_t window,
	const char *title)
{
	json_t *state = state_with(driver, window, "push button", "Press here");

	assert_full(state);
	lab_assert(lab_bool(lab_element(state, "push button", "Press here"), "in_web_content"));
	lab_assert_str(lab_str(lab_element(state, "entry", "Your name"), "value"), "Ada");
	press(driver, state, "Press here");
	lab_assert_int(lab_x_titled(desk, title, PATIENCE), window);
}

static void firefox(struct lab_desk *desk)
{
	g_autofree char *profile = lab_firefox_profile(desk);
	struct lab_driver *driver = lab_driver_start(desk);

	xcb_window_t window = start(desk, LAB_ARGV("firefox-esr", "--no-remote", "--new-instance",
		"--profile", profile, page_url(desk)), "Waiting");
	use_page(desk, driver, window, "Pressed 1");
}

static xcb_window_t start_chromium(struct lab_desk *desk)
{
	g_autofree char *data = g_strconcat("--user-data-dir=", lab_file(desk, "chromium", NULL), NULL);

	return start(desk, LAB_ARGV("chromium", "--no-sandbox", "--test-type", "--no-first-run",
		"--password-store=basic", "--disable-gpu", "--disable-breakpad", "--disable-component-update",
		"--disable-background-networking", "--disable-sync", "--lang=en-US", data, page_url(desk)),
		"Waiting");
}

/* Nobody told it at its start that somebody will look. */
static void chromium(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);

	use_page(desk, driver, start_chromium(desk), "Pressed 1");
}

/* The processes of this browser that make the pages. */
static void signal_renderers(struct lab_desk *desk, int number)
{
	g_autofree char *pattern = g_strconcat("--type=renderer.*--user-data-dir=",
		lab_file(desk, "chromium", NULL), NULL);
	struct lab_run run = lab_run(desk->env, LAB_ARGV("pgrep", "-f", "--", pattern), NULL, 10000);
	g_auto(GStrv) pids = g_strsplit(g_strstrip(run.out), "\n", -1);

	lab_assert(pids[0]);
	for (int i = 0; pids[i]; i++) {
		kill((pid_t)atoi(pids[i]), number);
	}
}

static void chromium_asleep(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);
	xcb_window_t window = start_chromium(desk);

	lab_atspi_until_present(desk, lab_x_pid(desk, window), PATIENCE);
	signal_renderers(desk, SIGSTOP);
	struct lab_answer answer = state_of(driver, window);
	lab_assert_str(lab_str(answer.structured, "tree"), "skeleton");
	lab_assert(lab_bool(answer.structured, "degraded"));
	lab_assert_contains(lab_str(answer.structured, "degraded_reason"),
		"--force-renderer-accessibility");
	lab_assert(lab_picture_of(&answer).width > 0);
	signal_renderers(desk, SIGCONT);
	use_page(desk, driver, window, "Pressed 1");
}

static void libreoffice(struct lab_desk *desk)
{
	g_autofree char *profile = g_strconcat("-env:UserInstallation=file://", lab_file(desk, "office", NULL),
		NULL);
	char *sheet = lab_file(desk, "Accounts.csv", "Apples,Pears\n42,17\n");
	struct lab_driver *driver = lab_driver_start(desk);
	xcb_window_t window = start(desk, LAB_ARGV("soffice", "--norestore", "--nologo",
		"--nofirststartwizard", profile, "--calc", "--infilter=CSV:44,34,76,1", sheet), "Accounts");

	json_t *state = state_with(driver, window, "table cell", "A1");
	assert_full(state);
	lab_assert_str(lab_str(lab_element(state, "table cell", "A1"), "value"), "Apples");
	lab_element(state, "menu", "File");
	/* A sheet has a thousand million cells: some are left out, and it is said. */
	lab_assert(!lab_bool(state, "complete"));
	lab_assert_contains(lab_str(state, "truncated"), "not read");
	/* Its own reader finds the same frame in the same process. */
	lab_assert(lab_atspi_find(desk, lab_x_pid(desk, window), "menu", "File").path);
}

static char *compile(struct lab_desk *desk)
{
	char *source = lab_file(desk, "Small.java", java_program);
	struct lab_run run = lab_run(desk->env, LAB_ARGV("javac", source), NULL, PATIENCE);

	if (run.code != 0) {
		lab_fail("javac: %s", run.err);
	}
	return g_path_get_dirname(source);
}

static void java(struct lab_desk *desk)
{
	static const char jar[] = "/usr/share/java/java-atk-wrapper.jar";
	g_autofree char *path = g_strconcat(compile(desk), ":", jar, NULL);
	struct lab_run found = lab_run(desk->env, LAB_ARGV("sh", "-c", "dirname /usr/lib/*/jni/libatk-wrapper.so"),
		NULL, 10000);
	g_autofree char *library = g_strconcat("-Djava.library.path=", g_strstrip(found.out), NULL);
	struct lab_driver *driver = lab_driver_start(desk);

	if (!g_file_test(jar, G_FILE_TEST_EXISTS)) {
		lab_missing("%s of libatk-wrapper-java-jni", jar);
	}
	xcb_window_t window = start(desk, LAB_ARGV("java",
		"-Djavax.accessibility.assistive_technologies=org.GNOME.Accessibility.AtkWrapper", library,
		"-cp", path, "Small"), "Small Java");
	json_t *state = state_with(driver, window, "push button", "Press here");
	assert_full(state);
	lab_assert(lab_pick_str(lab_array(state, "elements"), "value", "Ada"));
	press(driver, state, "Press here");
	lab_assert_int(lab_x_titled(desk, "Pressed 1", PATIENCE), window);
	/* Java says nothing of a button that is pressed, but draws it so: it is not nothing that happened. */
	struct lab_answer answer = press(driver, state, "Only drawn");
	lab_assert_str(lab_str(answer.structured, "effect"), "unverifiable");
	lab_assert_str(lab_str(answer.structured, "evidence/0/kind"), "pixels");
	/* Its ranges take no values but steps, its tables no rows but cells, and its keys need the focus. */
	lab_call_ok(driver, "press_key", "{\"element_token\":\"%s\",\"key\":\"Right\"}",
		lab_str(lab_element(state, "slider", ""), "element_token"));
	lab_assert_int(lab_x_titled(desk, "Volume 31", PATIENCE), window);
	for (int i = 1; i >= 0; i--) {
		lab_call_ok(driver, "click", "{\"element_token\":\"%s\"}",
			lab_str(lab_element(state, "label", i == 1 ? "b" : "a"), "element_token"));
		lab_assert_int(lab_x_titled(desk, i == 1 ? "Row 1" : "Row 0", PATIENCE), window);
	}
	lab_call_ok(driver, "set_value", "{\"element_token\":\"%s\",\"value\":\"pear\"}",
		lab_str(lab_element(state, "list", ""), "element_token"));
	lab_assert_int(lab_x_titled(desk, "Fruit pear", PATIENCE), window);
	lab_call_ok(driver, "invoke_menu", "{\"window_id\":%u,\"path\":[\"View\",\"Wrap\"]}", window);
	lab_assert_int(lab_x_titled(desk, "Wrap true", PATIENCE), window);
	answer = lab_call(driver, "press_key", "{\"window_id\":%u,\"key\":\"F5\"}", window);
	lab_assert_str(lab_str(answer.structured, "code"), "background_unavailable");
	lab_assert_str(lab_str(answer.structured, "escalation/recommended"), "foreground");
}

static void java_alone(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);

	assert_none(driver, start(desk, LAB_ARGV("java", "-cp", compile(desk), "Small"), "Small Java"),
		"ATK wrapper");
}

static void tk(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);
	char *script = lab_file(desk, "small.tcl", "wm title . {Small Tk}\nbutton .b -text {Press here}\npack .b\n");

	assert_none(driver, start(desk, LAB_ARGV("wish", script), "Small Tk"), "Tk has no accessibility");
}

/*
 * Role and verbs of every element, which programs rely on; labels are for people. Verbs are compared
 * without case everywhere: GTK3 writes the English ones large for people and small for programs.
 */
static char *words_of(const json_t *state)
{
	GString *words = g_string_new(NULL);
	json_t *elements = lab_array(state, "elements");

	for (gsize i = 0; i < json_array_size(elements); i++) {
		const json_t *element = json_array_get(elements, i);

		g_string_append_printf(words, "%s %s\n", lab_str(element, "role"),
			lab_json(lab_array(element, "actions")));
	}
	g_string_ascii_down(words);
	return g_string_free(words, FALSE);
}

static void german(struct lab_desk *desk)
{
	struct lab_desk in_german = *desk;
	struct lab_driver *driver = lab_driver_start(desk);

	/* GNU gettext takes the language from here for every locale but "C". */
	in_german.env = g_environ_setenv(g_strdupv(desk->env), "LANGUAGE", "de", TRUE);
	in_german.env = g_environ_setenv(in_german.env, "LC_ALL", "C.UTF-8", TRUE);
	struct lab_app one = lab_galculator(desk, false), other = lab_galculator(&in_german, false);
	json_t *state = state_with(driver, one.window, "menu", "File");
	json_t *translated = lab_call_ok(driver, "get_window_state",
		"{\"window_id\":%u,\"include_screenshot\":false}", other.window).structured;

	if (!lab_pick_str(lab_array(translated, "elements"), "label", "Datei")) {
		lab_skip("galculator has no German here");
	}
	lab_assert_str(words_of(translated), words_of(state));
	lab_call_ok(driver, "click", "{\"element_token\":\"%s\"}",
		lab_str(lab_element(translated, NULL, "7"), "element_token"));
	lab_galculator_shows(desk, &other, "7");
}

static const struct lab_test tests[] = {
	{ .name = "firefox", .run = firefox, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "firefox-esr", .timeout = 240,
	  .about = "A page in Firefox is read and its button pressed." },
	{ .name = "chromium", .run = chromium, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "chromium", .timeout = 240,
	  .about = "Chromium, started without any option for it, shows its page when asked." },
	{ .name = "chromium_asleep", .run = chromium_asleep, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "chromium pgrep", .timeout = 240,
	  .about = "While Chromium does not show its page it is a skeleton with a remedy, and later whole." },
	{ .name = "libreoffice", .run = libreoffice, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "soffice", .timeout = 240,
	  .about = "A sheet in LibreOffice Calc is read, bounded." },
	{ .name = "java", .run = java, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "java javac", .timeout = 240,
	  .about = "Java with the ATK wrapper is read and its button pressed." },
	{ .name = "java_alone", .run = java_alone, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "java javac", .timeout = 240,
	  .about = "Java without it has a picture and says what is missing." },
	{ .name = "tk", .run = tk, .servers = LAB_XVFB, .wms = "openbox", .needs = "wish",
	  .timeout = 120, .about = "Tk has a picture and says that it has no elements." },
	{ .name = "german", .run = german, .servers = LAB_XVFB, .wms = "openbox", .needs = "galculator",
	  .about = "Roles and verbs are the same words in every language." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
