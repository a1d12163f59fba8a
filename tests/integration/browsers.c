/* SPDX-License-Identifier: MIT */
/*
 * Forms in Firefox, Chromium and a view of WebKitGTK, with default arguments, under a typing user. The page shows all of its values in its title
 * whenever it hears of a change, and the X server tells that title: what a browser shows and the page was not told of is no value.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "lab/oracle.h"

#define PATIENCE 60000
#define SHOWN 15000

/*
 * Its values are told in this order: name, number, number that was none, fruit, day, mail, how often it was scrolled, pressed or
 * chosen in, and + if it is shown larger; behind these what is chosen of several.
 */
static const char *const page =
	"<!DOCTYPE html><meta charset=utf-8><title>Wait</title>"
	"<label>Name <input id=n value=Ada></label><label>Mail <input id=m></label>"
	"<label>Count <input id=c type=number value=5></label><label>None <input id=e type=number></label>"
	"<label>Fixed <input readonly value=x></label>"
	"<label>Fruit <select id=f><option>Apple<option>Banana<option disabled>Cherry<option>Date</select></label>"
	"<label>Day <input id=d type=date value=2024-03-05></label>"
	"<label>Several <select id=x multiple size=3><option>Uno<option selected>Due<option>Tre</select></label>"
	"<div id=s tabindex=0 role=region aria-label=Box style='height:60px;overflow:auto'><p style='height:900px'>Long</p></div>"
	"<div style='height:3000px'></div><button id=b>Press</button><p id=p>Not yet</p>"
	"<ul role=listbox aria-label=Planets><li role=option>Mars<li role=option id=v>Venus</ul>"
	"<div role=slider id=l tabindex=0 aria-label=Level aria-valuemin=0 aria-valuemax=9 aria-valuenow=4>Level</div>"
	"<button id=o hidden style='position:fixed;inset:0'>Over</button><script>"
	"let pressed=0;const tell=()=>document.title='T '+[...'ncefd'].map(i=>document.getElementById(i).value).join()"
	"+','+document.getElementById('m').value+','+pressed+(devicePixelRatio>1?'+':'')+';'"
	"+[...document.getElementById('x').selectedOptions].map(o=>o.value)+'.';"
	"addEventListener('input',tell);addEventListener('change',tell);addEventListener('resize',tell);"
	"document.getElementById('b').onclick=()=>{pressed++;document.getElementById('p').textContent='Pressed '+pressed;tell()};"
	"document.getElementById('p').onclick=()=>{pressed+=1000;document.getElementById('o').hidden=pressed>2000;tell()};"
	"document.getElementById('o').onclick=e=>{pressed+=10000;e.target.hidden=true;tell()};"
	"document.getElementById('v').onclick=e=>{e.target.setAttribute('aria-selected',true);pressed+=10;tell()};"
	"document.getElementById('l').onkeydown=e=>{if(e.key=='ArrowRight'){pressed+=100;tell()}};"
	"addEventListener('load',tell);"
	"document.getElementById('s').onscroll=e=>{if(!pressed){pressed=1;tell()}}</script>";

struct scene {
	struct lab_desk *desk;
	bool firefox;
	xcb_window_t window;
	struct lab_driver *driver;
	struct lab_sentinel *sentinel;
	json_t *state;
};

static void end_owner(void *data, bool failed)
{
	(void)failed;
	kill((pid_t)GPOINTER_TO_INT(data), SIGKILL);
}

/* What the page says; `values` as in its title. */
static void says(struct scene *scene, const char *values)
{
	g_autofree char *title = g_strdup_printf("T %s;", values);

	lab_assert_int(lab_x_titled(scene->desk, title, SHOWN), scene->window);
}

static void look(struct scene *scene)
{
	scene->state = lab_call_ok(scene->driver, "get_window_state",
		"{\"window_id\":%u,\"include_screenshot\":false}", scene->window).structured;
}

/* The index of the element whose label begins so, or -1. */
static long long find(const struct scene *scene, const char *role, const char *label)
{
	size_t i;
	json_t *element;

	json_array_foreach(lab_array(scene->state, "elements"), i, element) {
		const char *name = json_string_value(json_object_get(element, "label"));

		if (g_str_equal(lab_str(element, "role"), role) && name && g_str_has_prefix(name, label)) {
			return lab_int(element, "element_index");
		}
	}
	return -1;
}

/* Waits until a browser that starts answers at all. */
static void await_answer(struct scene *scene)
{
	gint64 deadline = lab_deadline(PATIENCE);
	struct lab_answer answer;

	do {
		answer = lab_call(scene->driver, "get_window_state", "{\"window_id\":%u,\"include_screenshot\":false}", scene->window);
		if (answer.is_error && (g_strcmp0(answer.code, "app_unresponsive") != 0 || lab_left(deadline) == 0)) {
			lab_fail("the browser does not answer: %s", lab_json(answer.structured));
		}
	} while (answer.is_error);
}

/* Starts the program and waits for its page. */
static struct scene open_scene(struct lab_desk *desk, const char *const *argv)
{
	struct scene scene = { .desk = desk, .firefox = g_str_equal(argv[0], "firefox-esr"), .driver = lab_driver_start(desk) };
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

	lab_spawn(&(struct lab_spawn){ .argv = argv, .env = desk->env, .out = nothing, .err = nothing });
	close(nothing);
	scene.window = lab_x_titled(desk, "T Ada,5,,Apple,2024-03-05,,0;", PATIENCE);
	lab_at_end(end_owner, GINT_TO_POINTER((int)lab_x_pid(desk, scene.window)));
	await_answer(&scene);
	/* As soon as there is something of the page it has its names. */
	do {
		look(&scene);
		lab_assert(find(&scene, "push button", "Press") >= 0 || find(&scene, "entry", "") < 0
			|| !lab_bool(json_array_get(lab_array(scene.state, "elements"), (size_t)find(&scene, "entry", "")),
				"in_web_content"));
	} while (find(&scene, "push button", "Press") < 0 && poll(NULL, 0, 100) == 0);
	scene.sentinel = lab_sentinel_open(desk, NULL);
	lab_sentinel_calibrate(scene.sentinel, LAB_FIVE);
	return scene;
}

static char *form(struct lab_desk *desk)
{
	g_autofree char *path = lab_file(desk, "form.html", page);

	return g_strconcat("file://", path, NULL);
}

/* One call about an element while the user types, who must not notice. */
G_GNUC_PRINTF(5, 6)
static struct lab_answer act(struct scene *scene, const char *tool, const char *role, const char *label, const char *rest, ...)
{
	va_list args;

	va_start(args, rest);
	g_autofree char *own = g_strdup_vprintf(rest, args);
	va_end(args);
	look(scene);
	long long index = find(scene, role, label);
	if (index < 0) {
		lab_fail("no %s \"%s\": %s", role, label, lab_json(scene->state));
	}
	lab_sentinel_start(scene->sentinel);
	struct lab_answer answer = lab_call(scene->driver, tool, "{\"window_id\":%u,\"element_index\":%lld%s}", scene->window, index,
		own);
	lab_sentinel_types(scene->sentinel, 3);
	struct lab_verdict verdict = lab_sentinel_stop(scene->sentinel);
	if (!verdict.held || (!answer.is_error && !lab_undisturbed(&answer))) {
		lab_journal_note(lab_sentinel_journal(scene->sentinel), 30);
		lab_fail("%s %s: the user noticed: %s; the driver says %s", tool, label, verdict.text, lab_json(answer.structured));
	}
	return answer;
}

/* In a page: done, and never called proven. A busy machine may show it later than anybody waits by default. */
static void unproven(const struct lab_answer *answer)
{
	const char *effect = answer->is_error ? NULL : lab_str(answer->structured, "effect");

	if (answer->is_error || lab_bool(answer->structured, "verified") || (!g_str_equal(effect, "unverifiable")
		&& !(g_str_equal(effect, "suspected_noop") && !lab_bool(answer->structured, "settled")))) {
		lab_fail("in a page nothing is proven or refused: %s", lab_json(answer->structured));
	}
}

static void set(struct scene *scene, const char *role, const char *label, const char *value, const char *values)
{
	struct lab_answer answer = act(scene, "set_value", role, label, ",\"value\":\"%s\"", value);

	unproven(&answer);
	if (g_str_equal(lab_str(answer.structured, "effect"), "unverifiable")) {
		lab_assert_str(lab_str(answer.structured, "escalation/recommended"), "page");
	}
	says(scene, values);
}

/* Firefox has its address bar as a combo box. */
static void use_address_bar(struct scene *scene, const char *text)
{
	struct lab_answer answer = act(scene, "set_value", scene->firefox ? "combo box" : "entry", scene->firefox ? "Search"
		: "Address", ",\"settle_ms\":10000,\"value\":\"%s\"", text);

	lab_assert_str(lab_str(answer.structured, "effect"), "confirmed");
	lab_assert_str(lab_str(answer.structured, "evidence/0/after"), text);
}

/* Text, numbers, a date, a list; after the address bar was used, too, and scrolled out of the page. */
static void fill(struct scene *scene)
{
	set(scene, "entry", "Name", "Grete", "Grete,5,,Apple,2024-03-05,,0");
	use_address_bar(scene, "about:blank#one");
	set(scene, "entry", "Mail", "a@b", "Grete,5,,Apple,2024-03-05,a@b,0");
	use_address_bar(scene, "about:blank#two");
	/* It had the focus in the page all the time. */
	struct lab_answer answer = act(scene, "type_text", "entry", "Mail", ",\"text\":\"c\"");
	unproven(&answer);
	says(scene, "Grete,5,,Apple,2024-03-05,a@bc,0");
	/* A click takes the keyboard there for what names no element. */
	use_address_bar(scene, "about:blank#three");
	answer = act(scene, "click", "entry", "Mail", "%s", "");
	unproven(&answer);
	answer = lab_call_ok(scene->driver, "hotkey", "{\"window_id\":%u,\"keys\":[\"ctrl\",\"a\"]}", scene->window);
	answer = lab_call_ok(scene->driver, "type_text", "{\"window_id\":%u,\"text\":\"a@bcd\"}", scene->window);
	says(scene, "Grete,5,,Apple,2024-03-05,a@bcd,0");
	set(scene, "entry", "Mail", "a@bc", "Grete,5,,Apple,2024-03-05,a@bc,0");
	set(scene, "spin button", "Count", "12", "Grete,12,,Apple,2024-03-05,a@bc,0");
	set(scene, "spin button", "None", "3", "Grete,12,3,Apple,2024-03-05,a@bc,0");
	set(scene, "combo box", "Fruit", "Date", "Grete,12,3,Date,2024-03-05,a@bc,0");
	set(scene, "combo box", "Fruit", "Banana", "Grete,12,3,Banana,2024-03-05,a@bc,0");
	set(scene, "spin button", "Month", "11", "Grete,12,3,Banana,2024-11-05,a@bc,0");
	answer = act(scene, "press_key", "spin button", "Count", ",\"key\":\"Up\"");
	unproven(&answer);
	says(scene, "Grete,13,3,Banana,2024-11-05,a@bc,0");
	answer = act(scene, "set_value", "entry", "Fixed", ",\"value\":\"y\"");
	lab_assert(answer.is_error);
	lab_assert_str(lab_str(answer.structured, "code"), "element_read_only");
	answer = act(scene, "scroll", "landmark", "Box", ",\"direction\":\"down\"");
	unproven(&answer);
	says(scene, "Grete,13,3,Banana,2024-11-05,a@bc,1");
}

/* A plain click chooses one of several alone; with Ctrl, besides. And a date is what is seen of it. */
static void choose(struct scene *scene)
{
	static const char before[] = "T Grete,13,3,Banana,2024-11-05,a@bc,1;";
	static const struct {
		const char *item, *more, *chosen;
	} clicks[] = {
		{ "Tre", "", "Tre." }, { "Tre", "", "Tre." }, { "Uno", ",\"modifier\":[\"ctrl\"]", "Uno,Tre." }, { "Due", "", "Due." },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(clicks); i++) {
		g_autofree char *title = g_strconcat(before, clicks[i].chosen, NULL);
		struct lab_answer answer = act(scene, "click", "list item", clicks[i].item, "%s", clicks[i].more);

		unproven(&answer);
		lab_assert_int(lab_x_titled(scene->desk, title, SHOWN), scene->window);
	}
	look(scene);
	json_t *day = json_array_get(lab_array(scene->state, "elements"), (size_t)find(scene, "date editor", "Day"));
	lab_assert_str(lab_str(day, "value"), "11/05/2024");
	json_t *month = json_array_get(lab_array(scene->state, "elements"), (size_t)find(scene, "spin button", "Month"));
	lab_assert_str(lab_str(month, "value"), "11");
}

static void scrolled(struct scene *scene)
{
	struct lab_answer answer = act(scene, "click", "push button", "Press", "%s", "");

	unproven(&answer);
	says(scene, "Grete,13,3,Banana,2024-11-05,a@bc,2");
	/* Running text of a page can be read. */
	answer = lab_call_ok(scene->driver, "wait_for", "{\"window_id\":%u,\"conditions\":[{\"kind\":\"text_present\","
		"\"text\":\"Pressed 2\"}],\"timeout_ms\":%d}", scene->window, SHOWN);
	lab_assert(lab_bool(answer.structured, "met"));
	/* All of it is far above what is to be seen now. */
	set(scene, "entry", "Mail", "z", "Grete,13,3,Banana,2024-11-05,z,2");
	answer = act(scene, "click", "push button", "Press", "%s", "");
	unproven(&answer);
	answer = act(scene, "double_click", "entry", "Name", "%s", "");
	unproven(&answer);
	lab_assert_str(lab_str(answer.structured, "path"), "x11_pixel");
	answer = lab_call_ok(scene->driver, "type_text", "{\"window_id\":%u,\"text\":\"Emil\"}", scene->window);
	unproven(&answer);
	says(scene, "Emil,13,3,Banana,2024-11-05,z,3");
	set(scene, "list box", "Planets", "Venus", "Emil,13,3,Banana,2024-11-05,z,13");
	if (!scene->firefox) {
		/* The page itself moves it, by keys. */
		answer = act(scene, "press_key", "slider", "Level", ",\"key\":\"Right\"");
		unproven(&answer);
		says(scene, "Emil,13,3,Banana,2024-11-05,z,113");
	}
}

static bool appears(struct scene *scene, const char *role, const char *label, int ms)
{
	gint64 deadline = lab_deadline(ms);

	do {
		look(scene);
	} while (find(scene, role, label) < 0 && lab_left(deadline) > 0 && poll(NULL, 0, 50) == 0);
	return find(scene, role, label) >= 0;
}

/* A page is asked first whether it wants the keys, and the browser still has to think that it has the focus when it does not. */
static void find_bar(struct scene *scene)
{
	const char *name = scene->firefox ? "Find in page" : "Find";

	lab_call_ok(scene->driver, "hotkey", "{\"window_id\":%u,\"keys\":[\"ctrl\",\"f\"]}", scene->window);
	appears(scene, "entry", name, SHOWN);
	struct lab_answer answer = act(scene, "set_value", "entry", name, ",\"settle_ms\":10000,\"value\":\"needle\"");
	lab_assert_str(lab_str(answer.structured, "effect"), "confirmed");
	lab_atspi_until_text(scene->desk, lab_x_pid(scene->desk, scene->window), "entry", name, "needle", SHOWN);
}

static void press(struct scene *scene, const char *role, const char *label)
{
	if (!appears(scene, role, label, SHOWN)) {
		lab_fail("no %s \"%s\": %s", role, label, lab_json(scene->state));
	}
	lab_call_ok(scene->driver, "click", "{\"window_id\":%u,\"element_index\":%lld}", scene->window, find(scene, role, label));
}

/*
 * A submenu of Firefox in a snapshot ended it when all its actions were asked for at once. A menu that nobody asked to go may
 * close all the same, when the user's windows change.
 */
static void menus(struct scene *scene)
{
	for (int i = 0; i < 3 && (i == 0 || find(scene, "menu item", "Zoom In") < 0); i++) {
		press(scene, "menu", "View");
		if (appears(scene, "menu", "Zoom", 3000)) {
			press(scene, "menu", "Zoom");
			appears(scene, "menu item", "Zoom In", 3000);
		}
	}
	press(scene, "menu item", "Zoom In");
	says(scene, scene->firefox ? "Emil,13,3,Banana,2024-11-05,z,13+" : "Emil,13,3,Banana,2024-11-05,z,113+");
}

/* Chromium's own tabs cannot be selected, but clicked. */
static void tabs(struct scene *scene)
{
	press(scene, "push button", "New Tab");
	lab_assert_int(lab_x_titled(scene->desk, "New Tab", SHOWN), scene->window);
	press(scene, "page tab", "T ");
	lab_assert_int(lab_x_titled(scene->desk, "T Emil,", SHOWN), scene->window);
}

/* The bar's own action only gives it the focus: the key goes there. A page that is opened may take the focus, which is said. */
static void go(struct scene *scene)
{
	use_address_bar(scene, "about:blank");
	look(scene);
	lab_call_ok(scene->driver, "press_key", "{\"window_id\":%u,\"element_index\":%lld,\"key\":\"Return\"}", scene->window,
		find(scene, "entry", "Address"));
	lab_assert_int(lab_x_titled(scene->desk, "about:blank", SHOWN), scene->window);
}

static void firefox(struct lab_desk *desk)
{
	g_autofree char *url = form(desk), *home = lab_firefox_profile(desk);

	struct scene scene = open_scene(desk, LAB_ARGV("firefox-esr", "--no-remote", "--new-instance", "--profile", home, url));
	fill(&scene);
	choose(&scene);
	scrolled(&scene);
	find_bar(&scene);
	menus(&scene);
}

static void chromium(struct lab_desk *desk)
{
	g_autofree char *url = form(desk), *home = lab_file(desk, "chromium", NULL);
	g_autofree char *data = g_strconcat("--user-data-dir=", home, NULL);

	struct scene scene = open_scene(desk, LAB_ARGV("chromium", "--no-sandbox", "--test-type", "--no-first-run",
		"--password-store=basic", "--disable-gpu", "--disable-breakpad", "--disable-component-update",
		"--disable-background-networking", "--disable-sync", "--lang=en-US", data, url));
	fill(&scene);
	choose(&scene);
	scrolled(&scene);
	find_bar(&scene);
	tabs(&scene);
	go(&scene);
}

static struct lab_answer click_at(struct scene *scene, long long x, long long y)
{
	return lab_call_ok(scene->driver, "click", "{\"window_id\":%u,\"x\":%lld,\"y\":%lld}", scene->window, x, y);
}

/*
 * The page is at its end. A text of it hears a click, and no element is there: not proven, either. A point of a later picture is not
 * what was there before.
 */
static void points(struct scene *scene)
{
	struct lab_answer seen = lab_call_ok(scene->driver, "get_window_state", "{\"window_id\":%u}", scene->window);
	json_t *button = lab_element(seen.structured, "push button", "Press");
	long long x = lab_int(button, "frame/x") - lab_int(seen.structured, "window_bounds/x") + 10;
	long long y = lab_int(button, "frame/y") - lab_int(seen.structured, "window_bounds/y") + 5;
	long long text_y = y + lab_int(button, "frame/h") + 20;
	struct lab_answer answer = click_at(scene, x, text_y);

	unproven(&answer);
	says(scene, "Gretel,12,,Date,2024-03-05,a@b,1111");
	/* Now something else is over the button. */
	lab_call_ok(scene->driver, "screenshot", "{\"window_id\":%u}", scene->window);
	answer = click_at(scene, x, y);
	unproven(&answer);
	says(scene, "Gretel,12,,Date,2024-03-05,a@b,11111");
	/* A text never has the focus, and the page hears the keys. */
	lab_call_ok(scene->driver, "press_key", "{\"window_id\":%u,\"x\":%lld,\"y\":%lld,\"key\":\"End\"}", scene->window, x, text_y);
	says(scene, "Gretel,12,,Date,2024-03-05,a@b,12111");
	struct lab_rect whole = lab_x_bounds(scene->desk, scene->window);
	unsigned below = lab_x_checksum(scene->desk, scene->window, whole);
	lab_call_ok(scene->driver, "scroll", "{\"window_id\":%u,\"x\":%lld,\"y\":%lld,\"direction\":\"up\",\"amount\":50}",
		scene->window, x, y);
	gint64 deadline = lab_deadline(SHOWN);
	while (lab_x_checksum(scene->desk, scene->window, whole) == below && lab_left(deadline) > 0) {
		poll(NULL, 0, 20);
	}
	lab_x_quiet(scene->desk, 500);
	lab_call_ok(scene->driver, "screenshot", "{\"window_id\":%u}", scene->window);
	answer = click_at(scene, x, y);
	unproven(&answer);
	lab_assert_str(lab_str(answer.structured, "path"), "x11_pixel");
}

/* A page that does not answer costs its part of the tree. */
static void asleep(struct scene *scene)
{
	g_autofree char *owner = g_strdup_printf("%d", (int)lab_x_pid(scene->desk, scene->window));
	const char *const *stop = LAB_ARGV("pkill", "-STOP", "-P", owner, "-f", "WebKitWebProcess");
	const char *const *go_on = LAB_ARGV("pkill", "-CONT", "-P", owner, "-f", "WebKitWebProcess");

	lab_assert_int(lab_run(scene->desk->env, stop, NULL, SHOWN).code, 0);
	look(scene);
	lab_assert(find(scene, "push button", "Home") >= 0);
	lab_assert(find(scene, "push button", "Press") < 0);
	lab_assert_contains(lab_str(scene->state, "truncated"), "did not answer");
	lab_assert_int(lab_run(scene->desk->env, go_on, NULL, SHOWN).code, 0);
	look(scene);
	lab_assert(find(scene, "push button", "Press") >= 0);
}

/* Another process shows the page, which is no child in GTK3's list; and it ends when it is told a number that it does not take. */
static void webkit(struct lab_desk *desk)
{
	static const struct {
		const char *tool, *role, *label, *rest, *values;
	} steps[] = {
		{ "set_value", "entry", "Name", ",\"value\":\"Grete\"", "Grete,5,,Apple,2024-03-05,,0" },
		/* What had the focus before gets nothing of it. */
		{ "type_text", "entry", "Mail", ",\"text\":\"a@b\"", "Grete,5,,Apple,2024-03-05,a@b,0" },
		{ "set_value", "entry", "Count", ",\"value\":\"12\"", "Grete,12,,Apple,2024-03-05,a@b,0" },
		{ "set_value", "combo box", "Fruit", ",\"value\":\"Date\"", "Grete,12,,Date,2024-03-05,a@b,0" },
		/* What is in it stays, though the focus was elsewhere. */
		{ "type_text", "entry", "Name", ",\"text\":\"l\"", "Gretel,12,,Date,2024-03-05,a@b,0" },
		{ "click", "push button", "Press", "", "Gretel,12,,Date,2024-03-05,a@b,1" },
		{ "click", "list item", "Venus", "", "Gretel,12,,Date,2024-03-05,a@b,11" },
		{ "press_key", "slider", "Level", ",\"key\":\"Right\"", "Gretel,12,,Date,2024-03-05,a@b,111" },
	};
	g_autofree char *url = form(desk);
	struct scene scene = open_scene(desk, LAB_ARGV("sh", "-c",
		"XDG_CACHE_HOME=$XDG_RUNTIME_DIR XDG_DATA_HOME=$XDG_RUNTIME_DIR exec /usr/lib/*/webkit2gtk-4.1/MiniBrowser \"$0\"", url));

	for (gsize i = 0; i < G_N_ELEMENTS(steps); i++) {
		struct lab_answer answer = act(&scene, steps[i].tool, steps[i].role, steps[i].label, "%s", steps[i].rest);

		unproven(&answer);
		says(&scene, steps[i].values);
	}
	points(&scene);
	struct lab_answer answer = act(&scene, "set_value", "spin button", "month", ",\"value\":\"4\"");
	lab_assert_str(lab_str(answer.structured, "code"), "background_unavailable");
	answer = act(&scene, "click", "menu item", "Apple", "%s", "");
	lab_assert_str(lab_str(answer.structured, "code"), "action_unsupported");
	/* It is still there. */
	answer = act(&scene, "click", "push button", "Press", "%s", "");
	unproven(&answer);
	says(&scene, "Gretel,12,,Date,2024-03-05,a@b,12112");
	/* Its running text can be read. */
	answer = lab_call_ok(scene.driver, "wait_for", "{\"window_id\":%u,\"conditions\":[{\"kind\":\"text_present\","
		"\"text\":\"Pressed 12112\"}],\"timeout_ms\":%d}", scene.window, SHOWN);
	lab_assert(lab_bool(answer.structured, "met"));
	asleep(&scene);
}

static const struct lab_test tests[] = {
	{ .name = "firefox", .run = firefox, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "firefox-esr", .timeout = 300,
	  .about = "A form in Firefox is filled in, as its page tells; its menus can be opened." },
	{ .name = "chromium", .run = chromium, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "chromium", .timeout = 300,
	  .about = "A form in Chromium is filled in, as its page tells; its tabs can be clicked." },
	{ .name = "webkit", .run = webkit, .servers = LAB_XVFB, .wms = "openbox", .timeout = 300,
	  .about = "A form in a view of WebKitGTK, which another process shows." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
