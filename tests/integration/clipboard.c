/* SPDX-License-Identifier: MIT */
/* clipboard_read and clipboard_write, with xclip at the other end, and a GTK application that pastes. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "lab/lab.h"

#define TEXT "grün, 日本語, 😀\nand a second line"

static struct lab_run paste(struct lab_desk *desk, const char *type)
{
	return lab_run(desk->env, LAB_ARGV("xclip", "-selection", "clipboard", "-o", "-t", type), NULL, 20000);
}

static xcb_window_t owner(struct lab_desk *desk)
{
	g_autofree xcb_get_selection_owner_reply_t *reply = xcb_get_selection_owner_reply(desk->x,
		xcb_get_selection_owner(desk->x, lab_atom(desk, "CLIPBOARD")), NULL);

	return reply ? reply->owner : XCB_NONE;
}

/* xclip stays behind to answer for it, and may still be about to take the clipboard when its parent ends. */
static void copy(struct lab_desk *desk, const char *type, const char *path)
{
	g_autofree char *command = g_strdup_printf("xclip -selection clipboard -i -t '%s' '%s' >/dev/null 2>&1", type,
		path);
	xcb_window_t before = owner(desk);
	gint64 deadline = lab_deadline(20000);

	lab_assert_int(lab_run(desk->env, LAB_ARGV("sh", "-c", command), NULL, 20000).code, 0);
	while (owner(desk) == before && lab_left(deadline) > 0) {
		g_usleep(10000);
	}
	lab_assert(owner(desk) != before);
}

static void remove_folder(void *folder, bool failed)
{
	(void)failed;
	lab_run(NULL, LAB_ARGV("rm", "-rf", folder), NULL, 5000);
}

/* A file of that many bytes that begins as a PNG does. */
static char *make_file(const char *folder, const char *name, gsize size, char **bytes)
{
	static const char head[] = "\x89PNG\r\n\x1a\n";
	char *path = g_build_filename(folder, name, NULL);

	*bytes = g_malloc(size);
	for (gsize i = 0; i < size; i++) {
		(*bytes)[i] = i < 8 ? head[i] : (char)('a' + i * 7 / 3 % 26);
	}
	lab_assert(g_file_set_contents(path, *bytes, (gssize)size, NULL));
	return path;
}

static char *make_folder(void)
{
	char *folder = g_dir_make_tmp("lab-clipboard-XXXXXX", NULL);

	lab_at_end(remove_folder, folder);
	return folder;
}

static void assert_pasted(struct lab_desk *desk, const char *type, const char *bytes, gsize size)
{
	struct lab_run pasted = paste(desk, type);

	lab_assert_int(pasted.code, 0);
	lab_assert_int(pasted.out_size, size);
	lab_assert(memcmp(pasted.out, bytes, size) == 0);
}

/* The owner is given two seconds; on a busy machine it may need another try. */
static struct lab_answer look(struct lab_driver *driver, const char *arguments)
{
	gint64 deadline = lab_deadline(60000);
	struct lab_answer answer;

	do {
		answer = lab_call(driver, "clipboard_read", "%s", arguments);
	} while (answer.is_error && g_strcmp0(answer.code, "app_unresponsive") == 0 && lab_left(deadline) > 0);
	lab_assert(!answer.is_error);
	return answer;
}

static void written(struct lab_desk *desk)
{
	char *folder = make_folder(), *bytes;
	xcb_window_t window = lab_window_open(desk, &(struct lab_window){ .title = "User", .x = 60, .y = 80 });
	struct lab_driver *driver = lab_driver_start(desk);

	lab_user_works_in(desk, window);
	struct lab_user before = lab_user_read(desk);
	g_autofree char *text = lab_quote(TEXT);
	lab_call_ok(driver, "clipboard_write", "{\"text\":%s}", text);
	assert_pasted(desk, "UTF8_STRING", TEXT, strlen(TEXT));
	assert_pasted(desk, "text/plain;charset=utf-8", TEXT, strlen(TEXT));
	/* Itself reads what it wrote. */
	lab_assert_str(lab_str(look(driver, "{}").structured, "text"), TEXT);

	/* Larger than one request of X: in pieces. */
	g_autofree char *picture = make_file(folder, "a.png", 3 * 1000 * 1000 + 7, &bytes);
	lab_assert_str(lab_str(lab_call_ok(driver, "clipboard_write", "{\"image_path\":\"%s\"}", picture).structured,
		"type"), "image/png");
	assert_pasted(desk, "image/png", bytes, 3 * 1000 * 1000 + 7);
	lab_assert(paste(desk, "UTF8_STRING").code != 0);

	lab_call_ok(driver, "clipboard_write", "{\"file_path\":\"%s\"}", picture);
	g_autofree char *uri = g_strdup_printf("file://%s\r\n", picture);
	assert_pasted(desk, "text/uri-list", uri, strlen(uri));
	lab_assert(lab_array_has(lab_array(look(driver, "{}").structured, "files"), picture));
	struct lab_user after = lab_user_read(desk);
	lab_user_assert_same(&before, &after);

	lab_call_refused(driver, "invalid_arguments", "clipboard_write", "{}");
	lab_call_refused(driver, "invalid_arguments", "clipboard_write", "{\"image_path\":\"/etc/hostname\"}");
	lab_call_refused(driver, "invalid_arguments", "clipboard_write", "{\"file_path\":\"%s/none\"}", folder);
}

static void read_by_us(struct lab_desk *desk)
{
	char *folder = make_folder(), *bytes;
	struct lab_driver *driver = lab_driver_start(desk);
	g_autofree char *small = g_build_filename(folder, "small", NULL);

	json_t *empty = look(driver, "{}").structured;
	lab_assert(!lab_bool(empty, "has_text") && !lab_bool(empty, "has_image"));
	lab_assert(g_file_set_contents(small, TEXT, -1, NULL));
	copy(desk, "UTF8_STRING", small);
	lab_assert_str(lab_str(look(driver, "{}").structured, "text"), TEXT);
	json_t *untold = look(driver, "{\"include_text\":false}").structured;
	lab_assert(lab_bool(untold, "has_text") && !lab_get(untold, "text"));

	g_autofree char *large = make_file(folder, "large", 1500 * 1000, &bytes);
	copy(desk, "UTF8_STRING", large);
	json_t *cut = look(driver, "{}").structured;
	lab_assert(lab_bool(cut, "text_cut"));
	bytes[1000] = '\0';
	lab_assert_contains(lab_str(cut, "text"), bytes + 8);
	lab_assert(strlen(lab_str(cut, "text")) >= 1024 * 1024);
	/* A picture comes as one. */
	struct lab_run drawn = lab_run(NULL, LAB_ARGV("convert", "-size", "40x30", "xc:red", "png:-"), NULL, 20000);
	g_autofree char *picture = g_build_filename(folder, "red.png", NULL);
	lab_assert(g_file_set_contents(picture, drawn.out, (gssize)drawn.out_size, NULL));
	copy(desk, "image/png", picture);
	struct lab_answer answer = look(driver, "{\"include_image\":true}");
	lab_assert(lab_bool(answer.structured, "has_image") && !lab_bool(answer.structured, "has_text"));
	lab_assert_int(lab_picture_of(&answer).width, 40);
	/* A password manager's is not told. */
	copy(desk, "x-kde-passwordManagerHint", small);
	lab_assert(lab_bool(look(driver, "{}").structured, "secret"));
}

static bool is_empty(struct lab_desk *desk, void *data)
{
	(void)data;
	return owner(desk) == XCB_NONE;
}

static void as_long_as_its_session(struct lab_desk *desk)
{
	char *folder = make_folder();
	struct lab_driver *driver = lab_driver_start(desk);
	g_autofree char *small = g_build_filename(folder, "small", NULL);

	lab_call_ok(driver, "clipboard_write", "{\"text\":\"mine\",\"session\":\"one\"}");
	lab_call_ok(driver, "clipboard_write", "{\"text\":\"mine again\",\"session\":\"one\"}");
	/* Another session's end does not matter. */
	lab_call_ok(driver, "start_session", "{\"session\":\"two\"}");
	lab_call_ok(driver, "end_session", "{\"session\":\"two\"}");
	assert_pasted(desk, "UTF8_STRING", "mine again", 10);
	lab_call_ok(driver, "end_session", "{\"session\":\"one\"}");
	lab_x_until(desk, is_empty, NULL, 20000, "giving the clipboard back");

	/* What somebody copied since stays. */
	lab_call_ok(driver, "clipboard_write", "{\"text\":\"mine\",\"session\":\"three\"}");
	lab_assert(g_file_set_contents(small, "theirs", -1, NULL));
	copy(desk, "UTF8_STRING", small);
	lab_call_ok(driver, "end_session", "{\"session\":\"three\"}");
	lab_driver_stop(driver);
	assert_pasted(desk, "UTF8_STRING", "theirs", 6);
}

static void silent_owner(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);
	xcb_window_t window = lab_window_open(desk, &(struct lab_window){ .title = "Silent" });

	/* Our own window owns it, and nobody answers for it. */
	xcb_set_selection_owner(desk->x, window, lab_atom(desk, "CLIPBOARD"), XCB_CURRENT_TIME);
	lab_assert_int(owner(desk), window);
	lab_call_refused(driver, "app_unresponsive", "clipboard_read", "{}");
	lab_call_ok(driver, "list_windows", "{}");
	lab_call_ok(driver, "clipboard_write", "{\"text\":\"x\"}");
	assert_pasted(desk, "UTF8_STRING", "x", 1);
}

static void pasted(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_app app = lab_app_start(desk, LAB_ARGV("zenity", "--entry", "--text=", "--title=Paste"));

	lab_atspi_until_present(desk, app.pid, 20000);
	lab_call_ok(driver, "clipboard_write", "{\"text\":\"grün 😀\"}");
	lab_user_works_in(desk, app.window);
	lab_run(desk->env, LAB_ARGV("xdotool", "key", "ctrl+v"), NULL, 20000);
	lab_atspi_until_text(desk, app.pid, "text", NULL, "grün 😀", 20000);
}

/* Nothing of the application shows that it copied; that it took the clipboard does. */
static void copied(struct lab_desk *desk)
{
	struct lab_app app = lab_app_start(desk, LAB_ARGV("env", "XDG_CONFIG_HOME=/nonexistent", "galculator"));
	struct lab_driver *driver = lab_driver_start(desk);

	lab_atspi_until_present(desk, app.pid, 30000);
	struct lab_answer answer = lab_call_ok(driver, "invoke_menu", "{\"window_id\":%u,\"path\":[\"Edit\",\"Copy Display Value\"],"
		"\"settle_ms\":3000}", app.window);
	lab_assert_str(lab_str(answer.structured, "effect"), "unverifiable");
	lab_assert_contains(lab_json(lab_array(answer.structured, "evidence")), "clipboard");
	lab_assert_str(paste(desk, "UTF8_STRING").out, "0");
	/* There was nothing of the user's. */
	lab_assert_str(lab_json(lab_array(answer.structured, "disturbed")), "[]");
}

/* What the user had copied is gone then, which no answer may keep quiet about; what the agent had
 * copied is its own. */
static void replaced(struct lab_desk *desk)
{
	struct lab_app app = lab_app_start(desk,
		LAB_ARGV("zenity", "--entry", "--text=", "--title=Copy", "--entry-text=agent's"));
	struct lab_driver *driver = lab_driver_start(desk);
	char *folder = make_folder();
	g_autofree char *small = g_build_filename(folder, "small", NULL);
	static const char *const keys[] = { "c", "x" };

	lab_atspi_until_present(desk, app.pid, 30000);
	lab_assert(g_file_set_contents(small, "the user's", -1, NULL));
	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		copy(desk, "UTF8_STRING", small);
		struct lab_answer state = lab_call_ok(
			driver, "get_window_state", "{\"window_id\":%u}", app.window);
		int field = (int)lab_int(
			lab_pick_str(lab_array(state.structured, "elements"), "role", "text"),
			"element_index");
		/* Neither of these copies anything. */
		struct lab_answer all = lab_call_ok(driver, "hotkey",
			"{\"window_id\":%u,\"element_index\":%d,\"keys\":[\"ctrl\",\"a\"]}",
			app.window, field);
		lab_assert_str(lab_json(lab_array(all.structured, "disturbed")), "[]");
		struct lab_answer copied = lab_call_ok(driver, "hotkey",
			"{\"window_id\":%u,\"element_index\":%d,\"keys\":[\"ctrl\",\"%s\"],"
			"\"settle_ms\":3000}",
			app.window, field, keys[i]);
		/* The answer waits for the copy; a loaded machine may take longer to hand it out. */
		gint64 deadline = lab_deadline(5000);
		while (g_strcmp0(paste(desk, "UTF8_STRING").out, "agent's") != 0) {
			lab_assert(lab_left(deadline) > 0);
		}
		lab_assert_str(
			lab_json(lab_array(copied.structured, "disturbed")), "[\"clipboard\"]");
		lab_assert_contains(copied.text, "what the user had copied");
	}
	/* The second time it is its own; and so is what it writes there itself. */
	lab_call_ok(driver, "clipboard_write", "{\"text\":\"mine\"}");
	struct lab_answer state = lab_call_ok(
		driver, "get_window_state", "{\"window_id\":%u}", app.window);
	int field = (int)lab_int(
		lab_pick_str(lab_array(state.structured, "elements"), "role", "text"),
		"element_index");
	lab_call_ok(driver, "set_value",
		"{\"window_id\":%u,\"element_index\":%d,\"value\":\"again\"}", app.window, field);
	lab_call_ok(driver, "hotkey",
		"{\"window_id\":%u,\"element_index\":%d,\"keys\":[\"ctrl\",\"a\"]}", app.window,
		field);
	struct lab_answer own = lab_call_ok(driver, "hotkey",
		"{\"window_id\":%u,\"element_index\":%d,\"keys\":[\"ctrl\",\"c\"],\"settle_ms\":"
		"3000}",
		app.window, field);
	lab_assert_str(paste(desk, "UTF8_STRING").out, "again");
	lab_assert_str(lab_json(lab_array(own.structured, "disturbed")), "[]");
	lab_driver_stop(driver);
}

static const struct lab_test tests[] = {
	{ .name = "written",
		.run = written,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.needs = "xclip",
		.timeout = 120,
		.about = "xclip pastes what was written: text, a large picture, a file." },
	{ .name = "read_by_us",
		.run = read_by_us,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.needs = "xclip convert",
		.timeout = 120,
		.about = "What xclip copied is read; secrets and what nobody asked for are not "
			 "told." },
	{ .name = "as_long_as_its_session",
		.run = as_long_as_its_session,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.needs = "xclip",
		.timeout = 120,
		.about = "An offer ends with its session; what others copied stays." },
	{ .name = "silent_owner",
		.run = silent_owner,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.needs = "xclip",
		.timeout = 120,
		.about = "An owner that does not answer holds up nobody." },
	{ .name = "copied",
		.run = copied,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.needs = "xclip galculator",
		.timeout = 120,
		.about = "An application that copies in answer to an action is seen to." },
	{ .name = "replaced",
		.run = replaced,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.needs = "xclip zenity",
		.timeout = 120,
		.about = "What the user had copied is said to be replaced; what the agent had is "
			 "its own." },
	{ .name = "pasted",
		.run = pasted,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.needs = "zenity xdotool",
		.timeout = 120,
		.about = "A GTK application pastes it." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
