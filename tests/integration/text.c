/* SPDX-License-Identifier: MIT */
/*
 * Text of many scripts, whatever the user and the application do meanwhile: all 2,000 characters of
 * tests/keys/text.txt arrive, in their order, by the application's own word. Here is a short part; tests/keys/text
 * does all of it in every toolkit and condition.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/xkb.h>

#include "keys/keys.h"

/* What a call may take: the application draws all of the text again for each character. */
#define CALL_MS 240000
/* How long the application is stopped, at random moments so far apart. */
#define STOP_US 300000
#define BETWEEN_US 400000
/* Characters of the text in ./check. */
#define SHORT 120
/* IBus is fetched from a mirror of Debian first. */
#define UNPACK_MS 120000

static char *read_text(const struct target *target)
{
	g_autofree char *path = g_build_filename(g_getenv("CUA_SRCDIR"), "tests/keys/text.txt", NULL);
	g_autofree char *all = NULL;
	GString *text = g_string_new(NULL);

	if (!g_file_get_contents(path, &all, NULL, NULL)) {
		lab_fail("%s cannot be read", path);
	}
	bool full = g_getenv("LAB_FULL") != NULL;
	/* The short part takes every sixteenth: as many scripts, and nearly every symbol is new. */
	int step = full ? 1 : 16, i = 0;
	for (const char *at = all; *at; at = g_utf8_next_char(at), i++) {
		gunichar character = g_utf8_get_char(at);

		if (i % step == 0 && (!target->ascii || (character >= ' ' && character < 0x7f))) {
			g_string_append_unichar(text, character);
		}
	}
	if (!full) {
		g_string_truncate(text, (gsize)(g_utf8_offset_to_pointer(text->str,
			MIN(SHORT, g_utf8_strlen(text->str, -1))) - text->str));
	}
	return g_string_free(text, FALSE);
}

/* What happens meanwhile. */
enum condition {
	CONDITION_NONE,
	CONDITION_STOPPED,   /* the application is stopped now and then */
	CONDITION_IBUS,      /* IBus handles its keys */
};

/*
 * Whether text comes by keys: where the focus is known it needs none, unless there is time between them. With IBus the
 * driver has to choose by itself, for IBus makes reversed text of keys in GTK4, whoever presses them.
 */
static bool by_keys(const struct scene *scene, enum condition condition)
{
	return !scene->target->says_focus || condition != CONDITION_IBUS;
}

/* Sends the text and waits for the answer. */
static struct lab_answer send_text(struct scene *scene, const char *text, enum condition condition)
{
	g_autofree char *quoted = lab_quote(text);
	bool stop = condition == CONDITION_STOPPED;
	int id = lab_send_call(scene->driver, "type_text", "{\"window_id\":%u,\"text\":%s%s}", scene->window, quoted,
		scene->target->says_focus && by_keys(scene, condition) ? ",\"delay_ms\":1" : "");
	gint64 deadline = lab_deadline(CALL_MS);

	while (!lab_has_answer(scene->driver, id, stop ? 0 : 50) && lab_left(deadline) > 0) {
		/* Whoever writes a journal that nobody reads stops, too. */
		if (scene->harness) {
			lab_journal_mark(scene->harness);
		}
		if (stop) {
			g_usleep((gulong)g_random_int_range(BETWEEN_US / 4, BETWEEN_US));
			kill(scene->pid, SIGSTOP);
			g_usleep(STOP_US);
			kill(scene->pid, SIGCONT);
		}
	}
	return lab_answer_of(scene->driver, lab_wait_id(scene->driver, id, CALL_MS));
}

static void type(struct scene *scene, enum condition condition)
{
	g_autofree char *text = read_text(scene->target);
	g_autofree char *all = g_strconcat("a", text, NULL);
	gint64 begin = g_get_monotonic_time();
	struct lab_answer answer = send_text(scene, text, condition);
	double seconds = (double)(g_get_monotonic_time() - begin) / G_USEC_PER_SEC;

	if (answer.is_error || !answer.structured) {
		lab_fail("%s: the driver says %s", scene->target->name, lab_json(answer.structured));
	}
	lab_assert_str(lab_str(answer.structured, "path"), by_keys(scene, condition) ? "key_events" : "ax");
	lab_assert_int(lab_int(answer.structured, "delivered/chars"), g_utf8_strlen(text, -1));
	if (!scene_has(scene, all)) {
		lab_fail("%s: the text did not arrive as it was", scene->target->name);
	}
	lab_note("%s: %ld characters, %.1f s", scene->target->name, g_utf8_strlen(text, -1), seconds);
}

/* --- The user's keyboard ---------------------------------------------------------------------------- */

static void run_tool(struct lab_desk *desk, const char *const *argv)
{
	lab_assert_int(lab_run(desk->env, argv, NULL, LANDING).code, 0);
}

/* What is down, latched and locked on the user's keyboard. */
static char *modifiers(struct lab_desk *desk)
{
	g_autofree xcb_xkb_get_state_reply_t *state = xcb_xkb_get_state_reply(desk->x,
		xcb_xkb_get_state(desk->x, XCB_XKB_ID_USE_CORE_KBD), NULL);

	lab_assert(state);
	return g_strdup_printf("base %d latched %d locked %d", state->baseMods, state->latchedMods, state->lockedMods);
}

static void use_xkb(struct lab_desk *desk)
{
	g_autofree xcb_xkb_use_extension_reply_t *reply = xcb_xkb_use_extension_reply(desk->x,
		xcb_xkb_use_extension(desk->x, 1, 0), NULL);

	lab_assert(reply && reply->supported);
}

static void hold_shift(struct lab_desk *desk)
{
	run_tool(desk, LAB_ARGV("xdotool", "keydown", "shift"));
}

static void lock_caps(struct lab_desk *desk)
{
	run_tool(desk, LAB_ARGV("xdotool", "key", "Caps_Lock"));
}

/* Sticky keys, with Shift pressed once: it is for the user's next key. */
static void latch_shift(struct lab_desk *desk)
{
	const uint8_t none[32] = { 0 };

	xcb_xkb_set_controls(desk->x, XCB_XKB_ID_USE_CORE_KBD, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		XCB_XKB_BOOL_CTRL_STICKY_KEYS, XCB_XKB_BOOL_CTRL_STICKY_KEYS, XCB_XKB_CONTROL_CONTROLS_ENABLED, 0, 0, 0, 0,
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, none);
	xcb_flush(desk->x);
	run_tool(desk, LAB_ARGV("xdotool", "key", "shift"));
}

/* With what the user did to the keyboard first; it is the same afterwards. */
static void run_held(struct lab_desk *desk, const char *name, void (*prepare)(struct lab_desk *desk))
{
	struct scene scene;

	use_xkb(desk);
	scene_open(&scene, desk, target_named(name), false);
	g_autofree char *free_state = modifiers(desk);
	scene_focus(&scene);
	prepare(desk);
	g_autofree char *before = modifiers(desk);
	lab_assert(!g_str_equal(before, free_state));
	type(&scene, CONDITION_NONE);
	g_autofree char *after = modifiers(desk);
	lab_assert_str(after, before);
	scene_close(&scene);
}

static void run_layout(struct lab_desk *desk, const char *name, const char *layout)
{
	struct scene scene;

	run_tool(desk, LAB_ARGV("setxkbmap", layout));
	scene_open(&scene, desk, target_named(name), false);
	scene_focus(&scene);
	type(&scene, CONDITION_NONE);
	scene_close(&scene);
}

/* --- The application --------------------------------------------------------------------------------- */

static void run_stopped(struct lab_desk *desk, const char *name)
{
	struct scene scene;

	scene_open(&scene, desk, target_named(name), false);
	scene_focus(&scene);
	type(&scene, CONDITION_STOPPED);
	scene_close(&scene);
}

static void run_watched(struct lab_desk *desk, const char *name)
{
	struct scene scene;

	scene_open(&scene, desk, target_named(name), true);
	scene_focus(&scene);
	scene_cover(&scene, COVER_USER);
	scene_watch(&scene);
	type(&scene, CONDITION_NONE);
	char *noticed = scene_noticed(&scene);
	if (noticed) {
		lab_fail("%s: %s", name, noticed);
	}
	scene_close(&scene);
}

/* The environment of a program that finds IBus, which is not installed. */
static char **ibus_environment(struct lab_desk *desk)
{
	g_autofree char *script = g_build_filename(g_getenv("CUA_SRCDIR"), "tests/keys/ibus", NULL);
	g_autofree char *folder = g_build_filename(g_getenv("CUA_BUILDDIR"), "ibus", NULL);
	struct lab_run found = lab_run(desk->env, LAB_ARGV(script, folder, "env", "-0"), NULL, UNPACK_MS);
	static const char *const variables[][2] = {
		{ "GTK_IM_MODULE", "ibus" }, { "QT_IM_MODULE", "ibus" }, { "XMODIFIERS", "@im=ibus" },
	};
	char **env = g_strdupv(desk->env);

	if (found.code != 0) {
		lab_fail("IBus cannot be unpacked: %s", found.err);
	}
	for (const char *at = found.out; at < found.out + found.out_size; at += strlen(at) + 1) {
		g_auto(GStrv) parts = g_strsplit(at, "=", 2);

		env = g_environ_setenv(env, parts[0], parts[1], TRUE);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(variables); i++) {
		env = g_environ_setenv(env, variables[i][0], variables[i][1], TRUE);
	}
	return env;
}

/* Whether the application really speaks to IBus: it has loaded its module, or its input method server is there. */
static bool uses_ibus(const struct scene *scene)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/maps", scene->pid);
	g_autofree char *maps = NULL;

	if (scene->target->ascii || !scene->harness) {
		return lab_x_list(scene->desk, scene->desk->root, "XIM_SERVERS")->len > 0;
	}
	return g_file_get_contents(path, &maps, NULL, NULL) && strstr(maps, "ibus");
}

/* Programs are looked for by the path of whoever starts them. */
static pid_t start_in(char **env, const char *program, const char *option, const char *other)
{
	return lab_spawn(&(struct lab_spawn){ .env = env, .argv = LAB_ARGV("env", program, option, other) });
}

/* IBus handles the keys of every application, those of X by its input method server. */
static void run_ibus(struct lab_desk *desk, const char *name)
{
	struct scene scene;

	desk->env = ibus_environment(desk);
	start_in(desk->env, "ibus-daemon", "--panel=disable", "--cache=none");
	gint64 deadline = lab_deadline(LANDING);
	while (lab_run(desk->env, LAB_ARGV("env", "ibus", "engine", "xkb:us::eng"), NULL, LANDING).code != 0) {
		if (lab_left(deadline) == 0) {
			lab_fail("IBus does not start");
		}
		g_usleep(100000);
	}
	start_in(desk->env, "ibus-x11", NULL, NULL);
	while (lab_x_list(desk, desk->root, "XIM_SERVERS")->len == 0) {
		if (lab_left(deadline) == 0) {
			lab_fail("the input method server of IBus does not start");
		}
		g_usleep(20000);
	}
	scene_open(&scene, desk, target_named(name), false);
	scene_focus(&scene);
	if (!uses_ibus(&scene)) {
		lab_fail("%s does not use IBus", name);
	}
	type(&scene, CONDITION_IBUS);
	scene_close(&scene);
}

#define TARGET(name) \
	static void user_##name(struct lab_desk *desk) { run_watched(desk, #name); } \
	static void stopped_##name(struct lab_desk *desk) { run_stopped(desk, #name); } \
	static void german_##name(struct lab_desk *desk) { run_layout(desk, #name, "de"); } \
	static void greek_##name(struct lab_desk *desk) { run_layout(desk, #name, "gr"); } \
	static void shift_##name(struct lab_desk *desk) { run_held(desk, #name, hold_shift); } \
	static void caps_##name(struct lab_desk *desk) { run_held(desk, #name, lock_caps); } \
	static void sticky_##name(struct lab_desk *desk) { run_held(desk, #name, latch_shift); } \
	static void ibus_##name(struct lab_desk *desk) { run_ibus(desk, #name); }

TARGET(gtk3)
TARGET(gtk4)
TARGET(qt5)
TARGET(web)
TARGET(terminal)
TARGET(xaw)

#define ENTRY(condition, target, manager, why) { .name = #condition "_" #target, \
	.run = condition##_##target, .servers = LAB_XVFB, .wms = manager, .timeout = 400, .about = why }

static const struct lab_test part[] = {
	ENTRY(stopped, qt5, "openbox", "Text of many scripts into Qt 5, which is stopped now and then."),
	ENTRY(sticky, gtk3, "openbox", "The same into GTK3 while the user has Shift latched by sticky keys."),
	{ 0 }
};

#define ALL(target) \
	ENTRY(user, target, "metacity", "2,000 characters into a covered window while the user types."), \
	ENTRY(stopped, target, "openbox", "The application is stopped at random moments."), \
	ENTRY(german, target, "openbox", "A German layout."), \
	ENTRY(greek, target, "openbox", "A Greek layout, without Latin letters."), \
	ENTRY(shift, target, "openbox", "The user holds Shift."), \
	ENTRY(caps, target, "openbox", "Caps Lock is on."), \
	ENTRY(sticky, target, "openbox", "Sticky keys, Shift latched."), \
	ENTRY(ibus, target, "openbox", "IBus handles all keys.")

static const struct lab_test full[] = {
	ALL(gtk3), ALL(gtk4), ALL(qt5), ALL(web), ALL(terminal), ALL(xaw),
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, g_getenv("LAB_FULL") ? full : part);
}
