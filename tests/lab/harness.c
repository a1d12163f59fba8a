/* SPDX-License-Identifier: MIT */
/* Instrumented programs on a desk, and their journals. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "internal.h"
#include "oracle.h"

/* Of the pipe with the journal: nobody reads it between two questions of the test. */
#define JOURNAL_SIZE (1 << 20)

json_t *lab_scenarios(void)
{
	static json_t *scenarios;
	const char *top = g_getenv("CUA_SRCDIR");
	g_autofree char *path = g_build_filename(top ? top : ".", "tests/shared/scenarios.json", NULL);
	json_error_t error;

	if (!scenarios) {
		scenarios = json_load_file(path, 0, &error);
	}
	if (!scenarios) {
		lab_fail("%s: %s (CUA_SRCDIR names the source tree)", path, error.text);
	}
	return scenarios;
}

json_t *lab_control(const char *id)
{
	json_t *control = lab_pick_str(lab_array(lab_scenarios(), "controls"), "id", id);

	if (!control) {
		lab_fail("scenarios.json has no control \"%s\"", id);
	}
	return control;
}

const char *lab_control_label(const char *id)
{
	return lab_str(lab_control(id), "label");
}

/* --- The journal --------------------------------------------------------------------------------- */

static void take_lines(struct lab_harness *harness)
{
	char *end;

	while ((end = memchr(harness->partial->str, '\n', harness->partial->len))) {
		gsize size = (gsize)(end - harness->partial->str);
		json_error_t error;
		json_t *line = json_loadb(harness->partial->str, size, 0, &error);

		if (!line) {
			lab_fail("%s journalled no JSON (%s): %.*s", harness->name, error.text, (int)size,
				harness->partial->str);
		}
		g_ptr_array_add(harness->lines, line);
		g_string_erase(harness->partial, 0, (gssize)size + 1);
	}
}

/* Reads what has come; waits for something if nothing has. False at the deadline and at the end. */
static bool read_journal(struct lab_harness *harness, gint64 deadline)
{
	char buffer[1 << 14];

	if (harness->journal < 0 || !lab_readable(harness->journal, deadline)) {
		return false;
	}
	ssize_t got = read(harness->journal, buffer, sizeof buffer);
	if (got <= 0) {
		close(harness->journal);
		harness->journal = -1;
		return false;
	}
	g_string_append_len(harness->partial, buffer, got);
	take_lines(harness);
	return true;
}

guint lab_journal_mark(struct lab_harness *harness)
{
	while (read_journal(harness, 0)) {
	}
	return harness->lines->len;
}

static bool has_members(const json_t *line, va_list members)
{
	const char *name;
	va_list args;
	bool has = true;

	va_copy(args, members);
	while (has && (name = va_arg(args, const char *))) {
		has = g_strcmp0(json_string_value(json_object_get(line, name)),
			va_arg(args, const char *)) == 0;
	}
	va_end(args);
	return has;
}

json_t *lab_journal_find(struct lab_harness *harness, guint mark, int ms, ...)
{
	gint64 deadline = lab_deadline(ms);
	json_t *found = NULL;
	va_list members;

	va_start(members, ms);
	do {
		for (; !found && mark < harness->lines->len; mark++) {
			json_t *line = g_ptr_array_index(harness->lines, mark);

			found = has_members(line, members) ? line : NULL;
		}
	} while (!found && read_journal(harness, deadline));
	va_end(members);
	return found;
}

int lab_journal_count(struct lab_harness *harness, guint mark, ...)
{
	int count = 0;
	va_list members;

	lab_journal_mark(harness);
	va_start(members, mark);
	for (; mark < harness->lines->len; mark++) {
		count += has_members(g_ptr_array_index(harness->lines, mark), members);
	}
	va_end(members);
	return count;
}

const char *lab_harness_value(struct lab_harness *harness, const char *label)
{
	for (guint i = lab_journal_mark(harness); i > 0; i--) {
		json_t *line = g_ptr_array_index(harness->lines, i - 1);

		if (g_strcmp0(json_string_value(json_object_get(line, "kind")), "state") == 0 &&
			g_strcmp0(json_string_value(json_object_get(line, "label")), label) == 0) {
			return lab_str(line, "value");
		}
	}
	return lab_str(lab_object(lab_scenarios(), "labels"), label);
}

bool lab_journal_has_state(struct lab_harness *harness, const char *label, const char *value, int ms)
{
	gint64 deadline = lab_deadline(ms);

	do {
		if (g_str_equal(lab_harness_value(harness, label), value)) {
			return true;
		}
	} while (read_journal(harness, deadline));
	return false;
}

void lab_journal_wait_state_at(const char *file, int line, struct lab_harness *harness,
	const char *label, const char *value, int ms)
{
	if (!lab_journal_has_state(harness, label, value, ms)) {
		lab_journal_note(harness, 15);
		lab_fail_at(file, line, "%s: %s is \"%s\", not \"%s\"", harness->name, label,
			lab_harness_value(harness, label), value);
	}
}

void lab_journal_note(struct lab_harness *harness, guint lines)
{
	guint count = lab_journal_mark(harness);

	lab_note("--- the journal of %s", harness->name);
	for (guint i = count > lines ? count - lines : 0; i < count; i++) {
		lab_note("%s", lab_json(g_ptr_array_index(harness->lines, i)));
	}
}

/* --- The program --------------------------------------------------------------------------------- */

static char *program_path(const char *name)
{
	const char *folder = g_getenv("LAB_HARNESS"), *build = g_getenv("CUA_BUILDDIR");

	return folder ? g_build_filename(folder, name, NULL) :
		g_build_filename(build ? build : ".", "tests/harness", name, NULL);
}

/* Toolkits are talkative: of GTK 4 one line for each question about a place on the screen. */
static void note_stderr(struct lab_harness *harness)
{
	char buffer[1001];
	off_t size = lseek(harness->err, 0, SEEK_END);
	ssize_t got = pread(harness->err, buffer, sizeof buffer - 1, MAX(size - 1000, 0));

	if (got > 0) {
		buffer[got] = '\0';
		lab_note("--- the end of what %s said on stderr\n%s", harness->name, buffer);
	}
}

static void end_harness(void *data, bool failed)
{
	struct lab_harness *harness = data;

	if (harness->child == 0) {
		return;
	}
	int code = lab_reap(harness->child, 0);
	if (failed) {
		note_stderr(harness);
	}
	if (code >= 0 && failed) {
		lab_note("%s ended with exit code %d", harness->name, code);
	} else if (code < 0) {
		kill(harness->child, SIGKILL);
		waitpid(harness->child, NULL, 0);
	}
	harness->child = 0;
}

static char *title_of(struct lab_desk *desk, xcb_window_t window)
{
	g_autofree xcb_get_property_reply_t *reply = xcb_get_property_reply(desk->x,
		xcb_get_property(desk->x, 0, window, lab_atom(desk, "_NET_WM_NAME"), XCB_ATOM_ANY, 0,
			1024), NULL);

	if (!reply || reply->format != 8) {
		reply = (g_free(reply), xcb_get_property_reply(desk->x, xcb_get_property(desk->x, 0,
			window, XCB_ATOM_WM_NAME, XCB_ATOM_ANY, 0, 1024), NULL));
	}
	return reply && reply->format == 8 ? g_strndup(xcb_get_property_value(reply),
		(gsize)xcb_get_property_value_length(reply)) : g_strdup("");
}

struct wanted {
	struct lab_harness *harness;
	char *title;
};

static bool has_window(struct lab_desk *desk, void *data)
{
	struct wanted *wanted = data;
	g_autoptr(GArray) windows = lab_x_stacking(desk);

	for (guint i = 0; i < windows->len; i++) {
		xcb_window_t window = g_array_index(windows, uint32_t, i);
		g_autofree char *title = title_of(desk, window);

		if (g_str_equal(title, wanted->title) && lab_x_viewable(desk, window)) {
			wanted->harness->window = window;
			wanted->harness->pid = lab_x_pid(desk, window);
			return true;
		}
	}
	return false;
}

static bool has_accessibility(const char *name)
{
	static const char *const without[] = { "sentinel", "xaw", "canvas", "terminal", NULL };

	return !g_strv_contains(without, name);
}

static void spawn(struct lab_harness *harness, const char *const *options)
{
	GPtrArray *argv = g_ptr_array_new();
	/* The bare canvas is the same program without its widgets. */
	bool canvas = g_str_equal(harness->name, "canvas");
	int in[2], out[2];

	if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0) {
		lab_fail("pipe: %s", g_strerror(errno));
	}
	fcntl(out[0], F_SETPIPE_SZ, JOURNAL_SIZE);
	/* Inherited under its own number, by this one child. */
	fcntl(out[1], F_SETFD, 0);
	harness->err = memfd_create("stderr", MFD_CLOEXEC);
	g_ptr_array_add(argv, program_path(canvas ? "xaw" : harness->name));
	if (canvas) {
		g_ptr_array_add(argv, g_strdup("--canvas"));
	}
	g_ptr_array_add(argv, g_strdup("--journal-fd"));
	g_ptr_array_add(argv, g_strdup_printf("%d", out[1]));
	for (int i = 0; options && options[i]; i++) {
		g_ptr_array_add(argv, g_strdup(options[i]));
	}
	g_ptr_array_add(argv, NULL);
	harness->child = lab_spawn(&(struct lab_spawn){
		.argv = (const char *const *)argv->pdata, .env = harness->desk->env, .in = in[0],
		.out = harness->err, .err = harness->err });
	close(in[0]);
	close(out[1]);
	harness->in = in[1];
	harness->journal = out[0];
	lab_at_end(end_harness, harness);
}

/* The title of its main window: "Harness gtk3" by scenarios.json, and what the options add to it. */
static char *main_title(const char *name, const char *const *options)
{
	const char *format = lab_str(lab_scenarios(), "titles/main");
	g_auto(GStrv) parts = g_strsplit(format, "%s", -1);
	g_autofree char *title = g_str_equal(name, "sentinel") ? g_strdup("Sentinel") : g_strjoinv(name, parts);

	for (int i = 0; options && options[i] && options[i + 1]; i++) {
		if (g_str_equal(options[i], "--title-suffix")) {
			return g_strconcat(title, " ", options[i + 1], NULL);
		}
	}
	return g_steal_pointer(&title);
}

struct lab_harness *lab_harness_start(struct lab_desk *desk, const char *name,
	const char *const *options)
{
	struct lab_harness *harness = g_new0(struct lab_harness, 1);
	struct wanted wanted = { harness, main_title(name, options) };

	harness->desk = desk;
	harness->name = name;
	harness->lines = g_ptr_array_new();
	harness->partial = g_string_new(NULL);
	spawn(harness, options);
	if (!lab_journal_find(harness, 0, 20000, "kind", "ready", NULL)) {
		lab_journal_note(harness, 10);
		lab_fail("%s was not ready within 20 s", name);
	}
	lab_x_until(desk, has_window, &wanted, 5000, wanted.title);
	if (has_accessibility(name)) {
		lab_atspi_until_present(desk, harness->pid, 10000);
		/* A browser shows its page first and makes accessible objects of it later. */
		lab_harness_see(harness, NULL, lab_control_label("btn-second"), 10000);
	}
	return harness;
}

bool lab_harness_lives(struct lab_harness *harness)
{
	int code = harness->child != 0 ? lab_reap(harness->child, 0) : -1;

	if (code >= 0) {
		note_stderr(harness);
		lab_note("%s ended with exit code %d", harness->name, code);
		harness->child = 0;
	}
	return harness->child != 0;
}

void lab_harness_tell(struct lab_harness *harness, const char *line)
{
	g_autofree char *text = g_strconcat(line, "\n", NULL);

	if (write(harness->in, text, strlen(text)) != (ssize_t)strlen(text)) {
		lab_fail("%s does not take \"%s\"", harness->name, line);
	}
}

static bool is_gone(struct lab_desk *desk, void *data)
{
	const struct lab_harness *harness = data;
	g_autoptr(GArray) windows = lab_x_stacking(desk);
	guint i = 0;

	while (i < windows->len && g_array_index(windows, uint32_t, i) != harness->window) {
		i++;
	}
	return i == windows->len;
}

void lab_harness_stop(struct lab_harness *harness)
{
	end_harness(harness, false);
	lab_x_until(harness->desk, is_gone, harness, 5000, "the end of a harness");
}
