/* SPDX-License-Identifier: MIT */
/*
 * A sum in three calculators of three toolkits, covered and then minimised, and a product by keys in those and in xcalc,
 * while a user types in front: what their displays show is read without the driver, and nobody notices.
 */
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "lab/oracle.h"

/* Only what was silent for a second before can prove anything: an agent does not press faster. */
#define BREATH_MS 1500
#define SETTLE 5000
#define SHOWN 20000

struct calculator {
	const char *program;
	const char *empty;       /* what its display shows at first */
	const char *silent;      /* keys that change nothing to be seen */
	const char *clear;       /* the key that clears it */
	const char *idle;        /* a button that does nothing as long as nothing was entered; NULL: none, or it says that it was pressed */
	bool seen;               /* what it shows can only be seen, and that not while it is covered */
	/* Whether its display shows the number now. */
	bool (*shows)(struct lab_desk *desk, const struct lab_app *app, const char *number);
};

/* A calculator at work. */
struct scene {
	struct lab_desk *desk;
	const struct calculator *calculator;
	struct lab_app app;
	struct lab_driver *driver;
	struct lab_sentinel *sentinel;
	json_t *state;
};

static bool text_is(struct lab_desk *desk, const struct lab_app *app, const char *role,
	const char *name, const char *number)
{
	g_autofree char *text = lab_atspi_text(desk, app->pid, role, name);

	return text && g_str_equal(g_strstrip(text), number);
}

static bool shows_galculator(struct lab_desk *desk, const struct lab_app *app, const char *number)
{
	struct lab_node node = lab_atspi_find(desk, app->pid, "text", NULL);
	g_autofree char *text = node.path ? lab_atspi_node_text(desk, &node) : NULL;

	if (text) {
		text[strcspn(text, "\n")] = '\0';
	}
	return text && g_str_equal(g_strstrip(text), number);
}

static bool shows_gnome(struct lab_desk *desk, const struct lab_app *app, const char *number)
{
	return text_is(desk, app, "text", NULL, number);
}

/* Its display is a frame whose name is the number; from KDE Gear 24 on a line of text, empty for 0.
 */
static bool shows_kcalc(struct lab_desk *desk, const struct lab_app *app, const char *number)
{
	struct lab_node window = lab_atspi_find(desk, app->pid, "frame", NULL);

	return window.path && (lab_atspi_find(desk, app->pid, "frame", number).path != NULL
		|| text_is(desk, app, "text", NULL, g_str_equal(number, "0") ? "" : number));
}

/* What the display of xcalc looks like when 12 was entered. */
static unsigned twelve;

/* The upper part of it. */
static struct lab_rect display_of(struct lab_desk *desk, const struct lab_app *app)
{
	struct lab_rect window = lab_x_bounds(desk, app->window);

	window.height = window.height / 6;
	return window;
}

/* It says nothing; what 12 looks like was seen before. */
static bool shows_xcalc(struct lab_desk *desk, const struct lab_app *app, const char *number)
{
	struct lab_rect display = display_of(desk, app);
	(void)number;
	return lab_x_checksum(desk, app->window, display) == twelve;
}

static void until_shows(const struct scene *scene, const char *number)
{
	gint64 deadline = lab_deadline(SHOWN);

	while (!scene->calculator->shows(scene->desk, &scene->app, number)) {
		if (lab_left(deadline) == 0) {
			lab_fail("%s does not show %s", scene->calculator->program, number);
		}
		poll(NULL, 0, 20);
	}
}

/* What the keys are called where it is not by their sign: kcalc from KDE Gear 24 on. */
static const char *word_of(const char *key)
{
	static const char *const words[][2] = {
		{ "0", "Zero" },
		{ "1", "One" },
		{ "2", "Two" },
		{ "3", "Three" },
		{ "4", "Four" },
		{ "5", "Five" },
		{ "6", "Six" },
		{ "7", "Seven" },
		{ "8", "Eight" },
		{ "9", "Nine" },
		{ "+", "Add" },
		{ "=", "Equals" },
		{ "AC", "All clear" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
		if (g_str_equal(words[i][0], key)) {
			return words[i][1];
		}
	}
	return NULL;
}

/* The index of a key: its label is the sign, or begins with it, or is the word for it. */
static long long key_index(const struct scene *scene, const char *key)
{
	size_t i;
	json_t *element;

	json_array_foreach(lab_array(scene->state, "elements"), i, element) {
		const char *label = json_string_value(json_object_get(element, "label"));
		size_t length = strlen(key);

		bool is_it = label
			&& ((strncmp(label, key, length) == 0
				    && (!label[length] || label[length] == ' '))
				|| g_strcmp0(label, word_of(key)) == 0);
		if (is_it &&
			strstr(lab_str(element, "role"), "button") &&
			lab_array_has(json_object_get(element, "states"), "enabled")) {
			return lab_int(element, "element_index");
		}
	}
	lab_fail("there is no key %s: %s", key, lab_json(scene->state));
}

static struct lab_answer click(struct scene *scene, const char *key)
{
	poll(NULL, 0, BREATH_MS);
	struct lab_answer answer = lab_call_ok(scene->driver, "click",
		"{\"pid\":%d,\"window_id\":%u,\"element_index\":%lld,\"settle_ms\":%d}", scene->app.pid,
		scene->app.window, key_index(scene, key), SETTLE);

	lab_assert_str(lab_str(answer.structured, "path"), "x11_atspi");
	return answer;
}

/* It empties its texts and fills them with what was in them: something happens, and nothing has changed. */
static void press_in_vain(struct scene *scene)
{
	for (int i = 0; i < 2 && scene->calculator->idle; i++) {
		struct lab_answer answer = click(scene, scene->calculator->idle);

		until_shows(scene, scene->calculator->empty);
		if (g_str_equal(lab_str(answer.structured, "effect"), "confirmed")) {
			lab_fail("the display shows what it showed, and the driver says %s", lab_json(answer.structured));
		}
	}
}

static void press(struct scene *scene, const char *key)
{
	struct lab_answer answer = click(scene, key);
	const char *effect = lab_str(answer.structured, "effect");

	if (!strchr(scene->calculator->silent, key[0]) && !g_str_equal(effect, "confirmed")) {
		lab_fail("the display shows what %s did, and the driver says %s", key,
			lab_json(answer.structured));
	}
	if (json_array_size(lab_array(answer.structured, "disturbed")) != 0) {
		lab_fail("%s disturbed the user: %s", key, lab_json(answer.structured));
	}
}

/* Adds two numbers while the user types; `sum` is what the display has to show. */
static void add(struct scene *scene, const char *a, const char *b, const char *sum)
{
	lab_sentinel_start(scene->sentinel);
	press(scene, a);
	press(scene, "+");
	press(scene, b);
	press(scene, "=");
	until_shows(scene, sum);
	lab_sentinel_types(scene->sentinel, 5);
	struct lab_verdict verdict = lab_sentinel_stop(scene->sentinel);
	if (!verdict.held) {
		lab_journal_note(lab_sentinel_journal(scene->sentinel), 30);
		lab_fail("the user noticed: %s", verdict.text);
	}
}

/* What its display shows can be seen only when nothing is over it. */
static void look_at_twelve(struct scene *scene)
{
	if (scene->calculator->seen) {
		/* A driver that lives would take it for a window that came unasked. */
		lab_driver_stop(scene->driver);
		lab_x_request(scene->desk, scene->app.window, "_NET_ACTIVE_WINDOW", 2, XCB_CURRENT_TIME, 0);
	}
	until_shows(scene, "12");
}

/* The same calculator by keys of the session's own keyboard: cleared, 3 * 4 =. */
static void multiply(struct scene *scene)
{
	const char *const keys[] = { scene->calculator->clear, "3", "*", "4", "=" };

	lab_sentinel_start(scene->sentinel);
	for (gsize i = 0; i < G_N_ELEMENTS(keys); i++) {
		struct lab_answer answer = lab_call_ok(scene->driver, "press_key",
			"{\"window_id\":%u,\"key\":\"%s\"}", scene->app.window, keys[i]);

		lab_assert_str(lab_str(answer.structured, "path"), "key_events");
		if (json_array_size(lab_array(answer.structured, "disturbed")) != 0) {
			lab_fail("%s disturbed the user: %s", keys[i], lab_json(answer.structured));
		}
	}
	if (!scene->calculator->seen) {
		until_shows(scene, "12");
	}
	lab_sentinel_types(scene->sentinel, 5);
	struct lab_verdict verdict = lab_sentinel_stop(scene->sentinel);
	if (!verdict.held) {
		lab_journal_note(lab_sentinel_journal(scene->sentinel), 30);
		lab_fail("the user noticed the keys: %s", verdict.text);
	}
	look_at_twelve(scene);
}

/* And by the user's own keyboard, in the foreground: after each key the user has everything back. */
static void multiply_in_front(struct scene *scene)
{
	const char *const keys[] = { scene->calculator->clear, "3", "*", "4", "=" };

	lab_user_works_in(scene->desk, lab_sentinel_window(scene->sentinel));
	struct lab_user before = lab_user_read(scene->desk);
	for (gsize i = 0; i < G_N_ELEMENTS(keys); i++) {
		struct lab_answer answer = lab_call_ok(scene->driver, "press_key",
			"{\"window_id\":%u,\"key\":\"%s\",\"delivery_mode\":\"foreground\"}", scene->app.window, keys[i]);
		struct lab_user after = lab_user_read(scene->desk);

		lab_user_assert_same(&before, &after);
		lab_assert_str(lab_str(answer.structured, "path"), "x11_xtest_fg");
		if (i == 0 && !scene->calculator->seen) {
			until_shows(scene, scene->calculator->empty);
		}
	}
	look_at_twelve(scene);
	/* For two seconds the driver takes what happens for a late effect of these keys, which nothing has confirmed. */
	poll(NULL, 0, BREATH_MS);
}

/* The user's window lies over all of it. */
static void cover(struct scene *scene)
{
	struct lab_rect at = lab_x_bounds(scene->desk, scene->app.window);
	g_autofree char *geometry = g_strdup_printf("%dx%d+%d+%d", at.width + 60, at.height + 60,
		MAX(at.x - 30, 0), MAX(at.y - 30, 0));
	scene->driver = lab_driver_start(scene->desk);
	scene->sentinel = lab_sentinel_open(scene->desk, geometry);
	lab_sentinel_calibrate(scene->sentinel, LAB_FIVE);
}

static void compute(struct lab_desk *desk, const struct calculator *calculator)
{
	/* Without the settings a person left, and without asking the world for currencies. */
	struct scene scene = {
		.desk = desk,
		.calculator = calculator,
		.app = lab_app_start(desk, LAB_ARGV("env", "XDG_CONFIG_HOME=/nonexistent",
			"GSETTINGS_BACKEND=memory", "http_proxy=http://127.0.0.1:9",
			"https_proxy=http://127.0.0.1:9", calculator->program)),
	};

	lab_atspi_until_present(desk, scene.app.pid, 30000);
	until_shows(&scene, calculator->empty);
	cover(&scene);
	scene.state = lab_call_ok(scene.driver, "get_window_state",
		"{\"pid\":%d,\"window_id\":%u,\"include_screenshot\":false}", scene.app.pid,
		scene.app.window).structured;
	press_in_vain(&scene);
	add(&scene, "7", "8", "15");
	multiply(&scene);
	multiply_in_front(&scene);
	lab_x_request(desk, scene.app.window, "WM_CHANGE_STATE", 3, 0, 0);
	lab_x_until(desk, lab_x_is_iconic, &scene.app.window, 10000, "minimising");
	add(&scene, "9", "8", "17");
	lab_assert(lab_x_is_iconic(desk, &scene.app.window));
}

static void galculator(struct lab_desk *desk)
{
	compute(desk, &(struct calculator){ "galculator", "0", "", "escape", NULL, false, shows_galculator });
}

static void gnome_calculator(struct lab_desk *desk)
{
	compute(desk, &(struct calculator){ "gnome-calculator", "", "", "escape", NULL, false, shows_gnome });
}

static void kcalc(struct lab_desk *desk)
{
	compute(desk, &(struct calculator){ "kcalc", "0", "+", "escape", "AC", false, shows_kcalc });
}

/* It is given 12 and looked at; then it is cleared and computes. */
static void xcalc(struct lab_desk *desk)
{
	struct scene scene = {
		.desk = desk,
		.calculator = &(struct calculator){ "xcalc", NULL, NULL, "clear", NULL, true, shows_xcalc },
		.app = lab_app_start(desk, LAB_ARGV("xcalc")),
	};
	struct lab_rect at = display_of(desk, &scene.app);
	unsigned empty = lab_x_checksum(desk, scene.app.window, at);
	g_autofree char *window = g_strdup_printf("%u", scene.app.window);

	/* Programs of this toolkit take keys that another client sends. */
	lab_assert_int(lab_run(desk->env, LAB_ARGV("xdotool", "key", "--window", window, "1", "2"), NULL, SHOWN).code, 0);
	/* A digit, then two, then for a while nothing else. */
	gint64 deadline = lab_deadline(SHOWN);
	do {
		twelve = lab_x_checksum(desk, scene.app.window, at);
		lab_x_quiet(desk, 500);
	} while ((twelve == empty || twelve != lab_x_checksum(desk, scene.app.window, at)) && lab_left(deadline) > 0);
	lab_assert(twelve != empty);
	cover(&scene);
	multiply(&scene);
	/* Another number first: what it shows is not what it showed. */
	lab_assert_int(lab_run(desk->env, LAB_ARGV("xdotool", "key", "--window", window, "7"), NULL, SHOWN).code, 0);
	while (lab_x_checksum(desk, scene.app.window, at) == twelve && lab_left(deadline) > 0) {
		poll(NULL, 0, 20);
	}
	lab_assert(lab_x_checksum(desk, scene.app.window, at) != twelve);
	scene.driver = lab_driver_start(desk);
	multiply_in_front(&scene);
}

static struct lab_test tests[] = {
	{ .name = "galculator", .run = galculator, .servers = LAB_XVFB, .wms = "openbox mutter",
	  .needs = "galculator", .timeout = 180,
	  .about = "GTK 3: 7 + 8 is 15 and 3 * 4 by keys is 12, covered, also in the foreground; 9 + 8, minimised." },
	{ .name = "gnome-calculator", .run = gnome_calculator, .servers = LAB_XVFB,
	  .wms = "openbox xfwm4", .needs = "gnome-calculator", .timeout = 180, .about = "GTK 4." },
	{ .name = "kcalc", .run = kcalc, .servers = LAB_XVFB, .wms = "openbox kwin_x11", .needs = "kcalc",
	  .timeout = 180, .about = "Qt 5; and clearing what is clear proves nothing." },
	{ .name = "xcalc", .run = xcalc, .servers = LAB_XVFB, .wms = "openbox", .needs = "xcalc",
	  .timeout = 180, .about = "Xaw: 3 * 4 by keys is 12, covered, and in the foreground." },
	{ 0 }
};

int main(int argc, char **argv)
{
	for (struct lab_test *test = tests; test->name && getenv("LAB_FULL"); test++) {
		test->wms = "openbox xfwm4 mutter kwin_x11";
		test->servers = LAB_BOTH;
	}
	return lab_main(argc, argv, tests);
}
