/* SPDX-License-Identifier: MIT */
#ifndef LAB_H
#define LAB_H

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <xcb/xcb.h>

/*
 * The laboratory: what every integration test stands on. It shares no code with the driver, because
 * a ruler made of the same wood hides the same warp. A test is a function that runs in a process of
 * its own, on a desk (X server × window manager) of its own:
 *
 *	static const struct lab_test tests[] = {
 *		{ .name = "titles", .run = titles, .servers = LAB_XVFB, .wms = "* none",
 *		  .about = "Titles arrive as the UTF-8 that the window carries." },
 *		{ 0 }
 *	};
 *	int main(int argc, char **argv) { return lab_main(argc, argv, tests); }
 *
 * Everything a lab function returns lives until the test ends: its process is thrown away, so
 * nothing needs to be freed. Every wait has a deadline, and a wait that fails fails the test, with
 * the driver's stderr and the last messages as TAP diagnostics.
 */

enum lab_server {
	LAB_XVFB = 1 << 0,
	LAB_XVNC = 1 << 1,
};
#define LAB_BOTH (LAB_XVFB | LAB_XVNC)

struct lab_desk;

struct lab_test {
	const char *name;
	const char *about;       /* one sentence: what it shows */
	void (*run)(struct lab_desk *desk);
	unsigned servers;        /* enum lab_server bits; 0: the test needs no desk and gets NULL */
	const char *wms;         /* window managers by name; "*": all five; "none": a bare server;
				    "openbox-sloppy": its focus follows the pointer */
	const char *needs;       /* other programs that must be installed, separated by spaces */
	int timeout;             /* seconds; 0: 60 */
	const char *size;        /* of the screen, WxH; NULL: the desktop's own */
};

/*
 * Runs the tests that the command line selects, one TAP line for each test × desk. Arguments:
 * globs of test names, `--desk SERVER/WM` (a glob, too), `--list`. $CUA_DRIVER is the driver's
 * path, $LAB_JOBS how many tests run at once (2), $LAB_TIMES makes it say how long each took,
 * $LAB_ONE_DESK makes each test run on the first of its desks only. A
 * missing program is a failure when $CI or $CUA_CHECK is set, a skip that says why otherwise.
 */
int lab_main(int argc, char **argv, const struct lab_test *tests);

/* --- Saying what should be (tap.c) ------------------------------------------------------------ */

/* Ends the test as failed. */
#define lab_fail(...) lab_fail_at(__FILE__, __LINE__, __VA_ARGS__)
/* Ends the test as skipped: something this machine or window manager cannot do. */
#define lab_skip(...) lab_skip_because(__VA_ARGS__)
/* Ends the test because the machine lacks something: a failure in CI, a skip elsewhere. */
#define lab_missing(...) lab_missing_at(__FILE__, __LINE__, __VA_ARGS__)
#define lab_assert(condition) \
	do { \
		if (!(condition)) { \
			lab_fail("%s is false", #condition); \
		} \
	} while (0)
#define lab_assert_int(is, should) \
	do { \
		long long lab_is = (long long)(is), lab_should = (long long)(should); \
		if (lab_is != lab_should) { \
			lab_fail("%s is %lld, not %lld", #is, lab_is, lab_should); \
		} \
	} while (0)
#define lab_assert_str(is, should) \
	do { \
		const char *lab_is = (is), *lab_should = (should); \
		if (g_strcmp0(lab_is, lab_should) != 0) { \
			lab_fail("%s is \"%s\", not \"%s\"", #is, lab_is ? lab_is : "(null)", \
				lab_should ? lab_should : "(null)"); \
		} \
	} while (0)
#define lab_assert_contains(text, part) \
	do { \
		const char *lab_text = (text), *lab_part = (part); \
		if (!lab_text || !strstr(lab_text, lab_part)) { \
			lab_fail("%s does not contain \"%s\": %s", #text, lab_part, \
				lab_text ? lab_text : "(null)"); \
		} \
	} while (0)

void lab_fail_at(const char *file, int line, const char *format, ...)
	G_GNUC_PRINTF(3, 4) G_GNUC_NORETURN;
void lab_missing_at(const char *file, int line, const char *format, ...)
	G_GNUC_PRINTF(3, 4) G_GNUC_NORETURN;
void lab_skip_because(const char *format, ...) G_GNUC_PRINTF(1, 2) G_GNUC_NORETURN;
/* A TAP diagnostic, one `# ` per line of it. */
void lab_note(const char *format, ...) G_GNUC_PRINTF(1, 2);
/* Called when the test ends, however it ends (but for a crash), last registered first. */
void lab_at_end(void (*call)(void *data, bool failed), void *data);

/* --- Time and processes (spawn.c) ------------------------------------------------------------- */

/* g_get_monotonic_time() `ms` from now, but never later than the end of the test. */
gint64 lab_deadline(int ms);
/* Milliseconds left, rounded up; 0 when it has passed. */
int lab_left(gint64 deadline);
/* Poll for reading; false when the deadline passed. */
bool lab_readable(int fd, gint64 deadline);

struct lab_spawn {
	const char *const *argv;
	char **env;              /* NULL: ours */
	int in, out, err;        /* 0: /dev/null for in, ours for out and err */
	bool outlives;           /* do not kill it when the test's process dies */
};
pid_t lab_spawn(const struct lab_spawn *spec);
/* Waits for a child. Returns its exit code, or 128 + signal; -1 when the deadline passed. */
int lab_reap(pid_t pid, int ms);
/* Waits until a process that need not be our child is gone; false when the deadline passed. */
bool lab_gone(pid_t pid, int ms);

/* Memory of a process that belongs to it alone. */
int lab_memory_kb(pid_t pid);
/* The address sanitizer keeps what was freed for a while, and finds leaks by itself. */
#ifdef __has_feature
#define LAB_SANITIZED __has_feature(address_sanitizer)
#else
#define LAB_SANITIZED 0
#endif

/* What a finished command left. */
struct lab_run {
	int code;                /* exit code, 128 + signal, or -1: killed at the deadline */
	char *out, *err;
	gsize out_size;
};
/* Runs a command to its end in an environment (NULL: ours) with `input` (or NULL) on its stdin. */
struct lab_run lab_run(char **env, const char *const *argv, const char *input, int ms);
#define LAB_ARGV(...) ((const char *const[]){ __VA_ARGS__, NULL })
/* The path of the driver under test, from $CUA_DRIVER. */
const char *lab_driver_path(void);

/* Reads a line, without its newline, of what a program says, or fails the test with what it said. */
char *lab_line_of(int fd, int ms);

/* Runs a foreign TAP producer and repeats its lines as subtests; fails the test if one failed. */
void lab_run_tap(char **env, const char *const *argv, int ms);

/* --- A desk (desk.c) -------------------------------------------------------------------------- */

struct lab_desk {
	char *name;              /* "xvfb/openbox" */
	char *server, *wm;       /* wm "none": a bare server */
	char **env;              /* the environment of a program on it */
	char *display;
	xcb_connection_t *x;     /* the lab's own eye on it */
	xcb_screen_t *screen;
	xcb_window_t root;
	pid_t pid;               /* of `cua-driver desktop` */
	int anchor;              /* its stdin; closing it ends the desk */
	void *bus;               /* accessibility bus, once somebody asked (atspi.c) */
};

/* lab_main() does this for tests with `.servers`. */
struct lab_desk *lab_desk_start(const char *server, const char *wm);
struct lab_desk *lab_desk_start_sized(const char *server, const char *wm, const char *size);
/* Ends it and fails the test if it does not end well. */
void lab_desk_stop(struct lab_desk *desk);
bool lab_desk_has_wm(const struct lab_desk *desk);

/* --- A home of its own (place.c) -------------------------------------------------------------- */

/* Folders and an environment in which nobody's settings or daemon are in the way. */
struct lab_place {
	char **env;              /* of the desk, or without any desktop */
	char *home, *run;        /* CUA_DRIVER_HOME and XDG_RUNTIME_DIR */
	char *config, *socket;   /* files of the driver in them */
};
struct lab_place *lab_place_new(struct lab_desk *desk);
/* `cua-driver WORD...` to its end. */
#define lab_place_run(place, ...) \
	lab_run((place)->env, LAB_ARGV(lab_driver_path(), __VA_ARGS__), "", 60000)
/* What it printed, or the test fails. */
json_t *lab_run_json(const struct lab_run *run);
/* Makes a session bus that of the place; it can start nothing unless `starts`. */
void lab_place_bus(struct lab_place *place, bool starts);
/* Starts a daemon there and waits until it listens; it is killed when the test ends. */
pid_t lab_daemon_start(struct lab_place *place);
/* Tells it to stop: it must end well and take its socket along. */
void lab_daemon_stop(struct lab_place *place, pid_t pid);
/* A connection to it. */
int lab_place_connect(struct lab_place *place);

/* --- A Wayland login (sway.c) ----------------------------------------------------------------- */

/*
 * Somebody who is not root logs in there, without a screen, runs the script and leaves. Its folder is
 * $CUA_DRIVER_HOME, where a cua-driver is. Returns what was said meanwhile.
 */
struct lab_run lab_sway_run(struct lab_place *place, const char *session, bool xwayland, int ms);

/* --- Applications (app.c) --------------------------------------------------------------------- */

struct lab_app {
	pid_t pid;
	xcb_window_t window;     /* its first window; 0 if it was not waited for */
};
/* Starts a program and waits until it shows a window that the window manager has taken in. */
struct lab_app lab_app_start(struct lab_desk *desk, const char *const *argv);
/*
 * The same for programs whose window is another process's: waits for a window whose title has that
 * part, and gives its owner.
 */
struct lab_app lab_app_start_titled(struct lab_desk *desk, const char *const *argv,
	const char *title);
/* galculator, present on the accessibility bus; scientific mode has toggles and disabled keys. */
struct lab_app lab_galculator(struct lab_desk *desk, bool scientific);
/* Waits until its display shows that number, as read by ourselves. */
void lab_galculator_shows(struct lab_desk *desk, const struct lab_app *app, const char *number);
/* The path of a file of the desk's own, which goes with it; `text` is written there unless it is NULL. */
char *lab_file(struct lab_desk *desk, const char *name, const char *text);
/* A folder for Firefox to live in, without its first questions. */
char *lab_firefox_profile(struct lab_desk *desk);
/* An xterm of that title. */
struct lab_app lab_xterm(struct lab_desk *desk, const char *title);
/*
 * Stops it (SIGSTOP) at a moment when it holds no grab of the server: otherwise everybody would hang
 * with it, and no driver could do anything about that.
 */
void lab_app_stop(struct lab_desk *desk, const struct lab_app *app);
void lab_app_kill(struct lab_app *app);

/* --- The screen, seen by ourselves (x.c) ------------------------------------------------------ */

xcb_atom_t lab_atom(struct lab_desk *desk, const char *name);
/* 32-bit items of a property; empty if there is none. */
GArray *lab_x_list(struct lab_desk *desk, xcb_window_t window, const char *property);
/* The first item, or `otherwise`. */
uint32_t lab_x_number(struct lab_desk *desk, xcb_window_t window, const char *property,
	uint32_t otherwise);
/* For lab_x_until(): whether the xcb_window_t is minimised. */
bool lab_x_is_iconic(struct lab_desk *desk, void *window);
void lab_x_set(struct lab_desk *desk, xcb_window_t window, const char *property, const char *type,
	const void *data, int format, int count);
/* Its title as the window manager shows it (_NET_WM_NAME); owned, NULL if it has none. */
char *lab_x_title(struct lab_desk *desk, xcb_window_t window);
/* Which process the X server thinks the window belongs to (XRes); 0 if unknown. */
pid_t lab_x_pid(struct lab_desk *desk, xcb_window_t window);
/* How many things of the process the X server keeps: windows, pixmaps, regions, whatever; and its connections. */
int lab_x_resources(struct lab_desk *desk, pid_t pid);
/* Place of the window's own area on the screen. */
struct lab_rect {
	int x, y, width, height;
};
bool lab_rect_equal(struct lab_rect a, struct lab_rect b);
struct lab_rect lab_x_bounds(struct lab_desk *desk, xcb_window_t window);
bool lab_x_viewable(struct lab_desk *desk, xcb_window_t window);
/* Windows back to front: those under the window manager, or the mapped children of a bare root. */
GArray *lab_x_stacking(struct lab_desk *desk);
/* Waits for a window under the window manager whose title begins so. */
xcb_window_t lab_x_titled(struct lab_desk *desk, const char *title, int ms);
/* An EWMH request to the root window, as a pager sends it. */
void lab_x_request(struct lab_desk *desk, xcb_window_t window, const char *message,
	uint32_t a, uint32_t b, uint32_t c);
/*
 * Waits until `holds` is true, asking again after each event of the desk. `what` ends up in the
 * failure.
 */
void lab_x_until(struct lab_desk *desk, bool (*holds)(struct lab_desk *desk, void *data),
	void *data, int ms, const char *what);
/* Waits until nothing has happened on the desk for `ms`. */
void lab_x_quiet(struct lab_desk *desk, int ms);

/* A window of the test's own process: exactly the properties given, nothing a toolkit would add. */
struct lab_window {
	const char *title;         /* _NET_WM_NAME; NULL: none */
	const char *legacy_title;  /* WM_NAME in Latin-1; NULL: none */
	const char *type;          /* "DIALOG", … of _NET_WM_WINDOW_TYPE; NULL: not set */
	xcb_window_t transient_for;
	uint32_t pid;              /* _NET_WM_PID, true or not; 0: not set */
	bool override_redirect;
	xcb_connection_t *client;  /* whose window it is; NULL: the desk's own */
	int x, y, width, height;   /* 0×0: 200×100 */
};
/* Creates and maps it, and waits until the window manager has taken it in. */
xcb_window_t lab_window_open(struct lab_desk *desk, const struct lab_window *spec);
void lab_window_close(struct lab_desk *desk, xcb_window_t window);

/* --- The user's side (user.c) ----------------------------------------------------------------- */

/* What belongs to the user; an action in the background leaves all of it alone. */
struct lab_user {
	xcb_window_t active, focus;
	int x, y;                  /* the core pointer */
	GArray *stacking;
	bool keyboard_grabbed, pointer_grabbed; /* by anybody */
};
struct lab_user lab_user_read(struct lab_desk *desk);
/* What is not the same, in words; NULL if nothing. */
char *lab_user_difference(const struct lab_user *before, const struct lab_user *after);
#define lab_user_assert_same(before, after) lab_user_same_at(__FILE__, __LINE__, before, after)
void lab_user_same_at(const char *file, int line, const struct lab_user *before,
	const struct lab_user *after);
/* What the driver takes for the user's choice of another window: Alt, pressed and let go. */
void lab_user_presses_alt(struct lab_desk *desk);
/* Makes a window the user's: in front, active and focused; waits until it is and all is quiet. */
void lab_user_works_in(struct lab_desk *desk, xcb_window_t window);

/* --- What a driver could leave behind (traces.c) ----------------------------------------------- */

/* Devices, input shapes, the key map and what is pressed, in words; once the desk is quiet. */
char *lab_traces_read(struct lab_desk *desk);
/* Waits until all of it is as it was, or fails the test with the difference. */
void lab_traces_until(struct lab_desk *desk, const char *before, const char *what);

/* --- Accessibility, read by ourselves (atspi.c) ----------------------------------------------- */

/* An accessible object; NULL in `path` if it was not found. */
struct lab_node {
	char *bus, *path, *role, *name;
};
/* The first accessible of the process in reading order; role or name NULL: any. */
struct lab_node lab_atspi_find(struct lab_desk *desk, pid_t pid, const char *role,
	const char *name);
/* The first one in that node, or it itself. */
struct lab_node lab_atspi_find_in(
	struct lab_desk *desk, const struct lab_node *top, const char *role, const char *name);
/* The cell of a table, both counted from 0. */
struct lab_node lab_atspi_cell(struct lab_desk *desk, const struct lab_node *table, int row, int column);
/* Text of the first matching accessible that has the Text interface. */
char *lab_atspi_text(struct lab_desk *desk, pid_t pid, const char *role, const char *name);
/* The same of an object that was found before. */
char *lab_atspi_node_text(struct lab_desk *desk, const struct lab_node *node);
/* Waits until the first line of that text, stripped, is `text`. */
void lab_atspi_until_text(struct lab_desk *desk, pid_t pid, const char *role, const char *name,
	const char *text, int ms);
enum lab_atspi_state { /* numbers of the AT-SPI protocol */
	LAB_ATSPI_CHECKED = 4,
	LAB_ATSPI_ENABLED = 8,
	LAB_ATSPI_SELECTED = 23,
	LAB_ATSPI_SENSITIVE = 24,
};
bool lab_atspi_has_state(struct lab_desk *desk, const struct lab_node *node,
	enum lab_atspi_state state);
/* Performs the object's first action. */
void lab_atspi_press(struct lab_desk *desk, const struct lab_node *node);
/* Waits until the process is on the accessibility bus and has a window there. */
void lab_atspi_until_present(struct lab_desk *desk, pid_t pid, int ms);

/* --- The driver, over stdio (driver.c) -------------------------------------------------------- */

struct lab_driver;

/* Starts `$CUA_DRIVER mcp` on a desk (or NULL) and shakes hands with the newest legacy revision. */
struct lab_driver *lab_driver_start(struct lab_desk *desk);
/* The same without a handshake, in the environment (NULL: ours, without a display). */
struct lab_driver *lab_driver_start_raw(char **env);
/* Closes its stdin: everything already sent must be answered, then it ends. */
void lab_driver_eof(struct lab_driver *driver);
/* Closes stdin and asserts exit code 0 within 12 s and a stderr without a sanitizer's report. */
void lab_driver_stop(struct lab_driver *driver);
/* Reaps a driver that the test ended itself, whatever its exit code. */
void lab_driver_forget(struct lab_driver *driver);
pid_t lab_driver_pid(const struct lab_driver *driver);
char *lab_driver_stderr(struct lab_driver *driver);

/* One message from the driver. `order` counts what has been received, from 0. */
struct lab_message {
	json_t *json;
	unsigned order;
	gint64 at;                /* g_get_monotonic_time() of its arrival */
};

/* Bytes as they are / one line, the newline added. */
void lab_send_bytes(struct lab_driver *driver, const void *bytes, gsize size);
void lab_send_line(struct lab_driver *driver, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* A request with a fresh id, which is returned; `params` is JSON, printf-style, or NULL. */
int lab_send(struct lab_driver *driver, const char *method, const char *params, ...)
	G_GNUC_PRINTF(3, 4);
void lab_notify(struct lab_driver *driver, const char *method, const char *params, ...)
	G_GNUC_PRINTF(3, 4);
/* tools/call with a fresh id. */
int lab_send_call(struct lab_driver *driver, const char *tool, const char *arguments, ...)
	G_GNUC_PRINTF(3, 4);

/* The answer to a request, kept aside if it came before. Fails the test at the deadline. */
struct lab_message lab_wait_id(struct lab_driver *driver, int id, int ms);
/* The oldest message nobody has taken yet. */
struct lab_message lab_wait_any(struct lab_driver *driver, int ms);
/* The oldest untaken notification of that method; `json` is NULL if none came in time. */
struct lab_message lab_poll_notification(struct lab_driver *driver, const char *method, int ms);
/* Whether an answer to `id` came or comes within `ms`; it is not taken. */
bool lab_has_answer(struct lab_driver *driver, int id, int ms);

struct lab_answer {
	json_t *message;          /* the whole JSON-RPC answer */
	json_t *result;           /* NULL for a JSON-RPC error */
	json_t *structured;       /* structuredContent; NULL if there is none */
	bool is_error;            /* the tool said so */
	const char *code;         /* of a tool's error; NULL if it is none */
	const char *text;         /* content[0] */
	int rpc_error;            /* JSON-RPC error code; 0 if it is none */
	double ms;                /* how long it took */
};
/* Calls a tool and waits (15 s). Arguments are JSON, printf-style. */
struct lab_answer lab_call(struct lab_driver *driver, const char *tool, const char *arguments, ...)
	G_GNUC_PRINTF(3, 4);
/* The same, and it must succeed. */
struct lab_answer lab_call_ok(struct lab_driver *driver, const char *tool,
	const char *arguments, ...)
	G_GNUC_PRINTF(3, 4);
/* The same, and it must be refused with that code. */
struct lab_answer lab_call_refused(struct lab_driver *driver, const char *code, const char *tool,
	const char *arguments, ...) G_GNUC_PRINTF(4, 5);
/*
 * Whether it says that the user noticed nothing; or only that a pointer that the user moved stood still for a moment,
 * as it does in Chromium, and for how long.
 */
bool lab_undisturbed(const struct lab_answer *answer);
/* Any request; `rpc_error` or `result` is set. */
struct lab_answer lab_request(struct lab_driver *driver, const char *method,
	const char *params, ...)
	G_GNUC_PRINTF(3, 4);
struct lab_answer lab_answer_of(struct lab_driver *driver, struct lab_message message);

/* --- JSON (json.c) ---------------------------------------------------------------------------- */

/* The value at a path like "windows/0/bounds/x"; NULL if there is none. */
json_t *lab_get(const json_t *json, const char *path);
/* The same, of that type, or the test fails. */
json_int_t lab_int(const json_t *json, const char *path);
const char *lab_str(const json_t *json, const char *path);
bool lab_bool(const json_t *json, const char *path);
json_t *lab_array(const json_t *json, const char *path);
json_t *lab_object(const json_t *json, const char *path);
/* The first object of an array whose member is that number or string; NULL if there is none. */
json_t *lab_pick_int(const json_t *array, const char *member, json_int_t value);
json_t *lab_pick_str(const json_t *array, const char *member, const char *value);
/* Whether an element's role is the wanted one, or one of them: "push button|toggle button", by
 * release. */
bool lab_is_role(const char *role, const char *wanted);
/* The first element of a snapshot with that role (or NULL) and label; fails the test if none. */
json_t *lab_element(const json_t *state, const char *role, const char *label);
bool lab_array_has(const json_t *array, const char *text);
/* Compact JSON text, for messages. */
char *lab_json(const json_t *json);
/* `text` as a JSON string with its quotes. */
char *lab_quote(const char *text);

/* --- Pictures (picture.c) --------------------------------------------------------------------- */

struct lab_picture {
	int width, height;
	int colors;               /* distinct ones, at most 256 are counted */
};
/* Decodes a PNG with libpng, or fails the test. */
struct lab_picture lab_picture_of_bytes(const void *bytes, gsize size);
struct lab_picture lab_picture_of_file(const char *path);
/* The image block of an answer; fails the test if it has none. */
struct lab_picture lab_picture_of(const struct lab_answer *answer);

/* All pixels, 0xrrggbb, row by row. */
struct lab_pixels {
	int width, height;
	uint32_t *rgb;
};
struct lab_pixels lab_pixels_of_bytes(const void *bytes, gsize size);
struct lab_pixels lab_pixels_of(const struct lab_answer *answer);
/* One of them; fails the test if there is none at that place. */
uint32_t lab_pixel(const struct lab_pixels *pixels, int x, int y);

#endif
