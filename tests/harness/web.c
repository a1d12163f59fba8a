/* SPDX-License-Identifier: MIT */
/*
 * The instrumented web page in Chromium: serves tests/shared/web to it on the loopback interface
 * and writes what the page reports to the journal.
 *
 * The process that was started becomes Chromium, and its child is the host that serves the page. So
 * the pid the caller knows is the one on the window, as with every other harness: stopping, ending
 * or killing it does to the application what it says. The host sees it end, however it ended, then
 * ends what is left of Chromium and removes its directory.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glib-unix.h>
#include <libsoup/soup.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "journal.h"

#define EXIT_USAGE 64
#define EXIT_BROWSER 69
#define PINGS 8
#define END_MS 3000

struct options {
	char *scenarios;
	char *browser;
	char **browser_argv; /* what came after "--" */
	GString *page;       /* for the page, as a query string */
	const char *seed;
	int journal_fd;
	gboolean accessible;
	gboolean verbose;
};

struct host {
	const struct options *options;
	char *web;                     /* the directory that is served */
	char *directory;               /* Chromium's, removed at the end */
	pid_t browser;
	GMainLoop *loop;
	SoupServer *server;
	SoupWebsocketConnection *page; /* NULL while there is none */
	int pings;                     /* answered */
	gint64 round_trip;             /* the shortest so far, which has the best offset */
	gint64 offset;                 /* CLOCK_MONOTONIC minus the page's clock, in microseconds */
	gint64 last;                   /* time of the last line */
	guint timeout;
};

static G_GNUC_NORETURN G_GNUC_PRINTF(1, 2) void usage(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fprintf(stderr, "harness-web: ");
	vfprintf(stderr, format, args);
	fprintf(stderr, "\n");
	va_end(args);
	exit(EXIT_USAGE);
}

static void tell_page(struct options *options, const char *key, const char *value)
{
	g_autofree char *escaped = g_uri_escape_string(value, NULL, TRUE);

	g_string_append_printf(options->page, "&%s=%s", key, escaped);
}

static gint64 number_of(const char *option, const char *value, gint64 max)
{
	gint64 number;

	if (!g_ascii_string_to_signed(value, 10, 0, max, &number, NULL)) {
		usage("%s wants a number, not %s", option, value);
	}
	return number;
}

/* The value of --option VALUE or --option=VALUE at *at, which is moved past it; NULL if another. */
static const char *option_value(const char *option, int argc, char **argv, int *at)
{
	size_t length = strlen(option);

	if (strncmp(argv[*at], option, length) != 0) {
		return NULL;
	}
	if (argv[*at][length] == '=') {
		return argv[*at] + length + 1;
	}
	if (argv[*at][length] != '\0') {
		return NULL;
	}
	if (*at + 1 >= argc) {
		usage("%s wants a value", option);
	}
	*at += 1;
	return argv[*at];
}

static void set_fault(struct options *options, const char *name)
{
	static const char *const faults[] = {
		"echo", "late100", "late1000", "other", "disable", "vanish", "twin", "modal",
		"hang", "crash", NULL,
	};

	if (!g_strv_contains(faults, name)) {
		usage("no fault %s", name);
	}
	tell_page(options, "fault", name);
}

/* The same options as model_init(), which cannot be used: here the model is in the page. */
static void read_options(struct options *options, int argc, char **argv)
{
	const char *source = g_getenv("CUA_SRCDIR");

	options->scenarios =
		g_build_filename(source ? source : ".", "tests", "shared", "scenarios.json", NULL);
	options->browser = g_strdup("chromium");
	options->page = g_string_new("toolkit=web");
	options->journal_fd = -1;
	options->accessible = TRUE;
	for (int i = 1; i < argc; i++) {
		const char *value;

		if (strcmp(argv[i], "--") == 0) {
			options->browser_argv = argv + i + 1;
			break;
		} else if (strcmp(argv[i], "--colours") == 0 || strcmp(argv[i], "--decoys") == 0) {
			tell_page(options, argv[i] + 2, "1");
		} else if (strcmp(argv[i], "--no-accessibility") == 0) {
			options->accessible = FALSE;
		} else if (strcmp(argv[i], "--verbose") == 0) {
			options->verbose = TRUE;
		} else if ((value = option_value("--scenarios", argc, argv, &i))) {
			g_free(options->scenarios);
			options->scenarios = g_strdup(value);
		} else if ((value = option_value("--browser", argc, argv, &i))) {
			g_free(options->browser);
			options->browser = g_strdup(value);
		} else if ((value = option_value("--journal-fd", argc, argv, &i))) {
			options->journal_fd = (int)number_of("--journal-fd", value, G_MAXINT);
		} else if ((value = option_value("--faults", argc, argv, &i))) {
			number_of("--faults", value, G_MAXUINT32);
			options->seed = value;
			tell_page(options, "faults", value);
		} else if ((value = option_value("--fault", argc, argv, &i))) {
			set_fault(options, value);
		} else if ((value = option_value("--title-suffix", argc, argv, &i))) {
			tell_page(options, "suffix", value);
		} else {
			usage("no option %s", argv[i]);
		}
	}
	if (access(options->scenarios, R_OK) != 0) {
		usage("%s: %s", options->scenarios, g_strerror(errno));
	}
}

/* Chromium's directory: below the desktop's if there is one, which removes it should we not. */
static char *make_directory(void)
{
	const char *base = g_getenv("XDG_RUNTIME_DIR");
	g_autofree char *directory = NULL;

	if (!base || access(base, W_OK | X_OK) != 0) {
		base = g_get_tmp_dir();
	}
	/* Short, because Chromium puts the path of a socket together from it. */
	directory = g_build_filename(base, "web-XXXXXX", NULL);
	if (!g_mkdtemp(directory)) {
		usage("%s: %s", directory, g_strerror(errno));
	}
	return g_steal_pointer(&directory);
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *walk)
{
	(void)st;
	(void)type;
	(void)walk;
	remove(path);
	return 0;
}

static void remove_directory(const char *directory)
{
	nftw(directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

/* One line by one write(), as journal.c does; `rest` is what follows the time. */
static void put_line(struct host *host, gint64 t, const char *rest)
{
	g_autofree char *line = NULL;
	size_t length;
	size_t done = 0;

	if (host->options->journal_fd < 0) {
		return;
	}
	/* The page's clock is coarse; the order of its lines is what counts. */
	host->last = MAX(host->last, t);
	line = g_strdup_printf("{\"t\":%" G_GINT64_FORMAT ",%s\n", host->last, rest);
	length = strlen(line);
	while (done < length) {
		ssize_t n = write(host->options->journal_fd, line + done, length - done);

		if (n < 0 && errno == EINTR) {
			continue;
		}
		if (n < 0) {
			break;
		}
		done += (size_t)n;
	}
}

static void ping(struct host *host)
{
	g_autofree char *text = g_strdup_printf("P %" G_GINT64_FORMAT, g_get_monotonic_time());

	soup_websocket_connection_send_text(host->page, text);
}

/* "P <when we asked> <the page's clock>": the shortest round trip tells the offset best. */
static void on_pong(struct host *host, const char *text)
{
	gint64 now = g_get_monotonic_time();
	char *end;
	gint64 asked = g_ascii_strtoll(text, &end, 10);
	gint64 page = (gint64)(g_ascii_strtod(end, NULL) * 1000);
	gint64 round_trip = now - asked;

	if (host->pings == 0 || round_trip < host->round_trip) {
		host->round_trip = round_trip;
		host->offset = asked + round_trip / 2 - page;
	}
	host->pings++;
	if (host->pings < PINGS) {
		ping(host);
	} else {
		/* Not in the address, which the accessibility tree shows to the driver. */
		g_autofree char *go = g_strdup_printf("G %s", host->options->page->str);

		soup_websocket_connection_send_text(host->page, go);
	}
}

/* "<the page's clock> {…}" */
static void on_line(struct host *host, const char *text)
{
	char *end;
	gint64 t = (gint64)(g_ascii_strtod(text, &end) * 1000) + host->offset;

	if (g_str_has_prefix(end, " {")) {
		put_line(host, t, end + 2);
	}
}

static void on_ready(struct host *host)
{
	g_autofree char *rest = g_strdup_printf(
		"\"kind\":\"ready\",\"toolkit\":\"web\",\"pid\":%d}", (int)host->browser);

	put_line(host, g_get_monotonic_time(), rest);
}

static void on_message(SoupWebsocketConnection *page, int type, GBytes *message, struct host *host)
{
	g_autofree char *text =
		g_strndup(g_bytes_get_data(message, NULL), g_bytes_get_size(message));

	if (page != host->page || type != SOUP_WEBSOCKET_DATA_TEXT || strlen(text) < 1) {
		return;
	}
	switch (text[0]) {
	case 'P':
		on_pong(host, text + 1);
		break;
	case 'L':
		on_line(host, text + 1);
		break;
	case 'R':
		on_ready(host);
		break;
	case 'C':
		/* A page cannot crash its browser. */
		kill(host->browser, SIGKILL);
		break;
	default:
		break;
	}
}

static void on_closed(SoupWebsocketConnection *page, struct host *host)
{
	if (page == host->page) {
		journal_note("the page is gone");
		g_clear_object(&host->page);
	}
}

static void on_page(SoupServer *server, SoupServerMessage *message, const char *path,
	SoupWebsocketConnection *page, gpointer data)
{
	struct host *host = data;

	(void)server;
	(void)message;
	(void)path;
	g_clear_handle_id(&host->timeout, g_source_remove);
	g_set_object(&host->page, page);
	host->pings = 0;
	soup_websocket_connection_set_max_incoming_payload_size(page, 0);
	g_signal_connect(page, "message", G_CALLBACK(on_message), host);
	g_signal_connect(page, "closed", G_CALLBACK(on_closed), host);
	ping(host);
}

static const char *type_of(const char *name)
{
	static const struct {
		const char *suffix;
		const char *type;
	} types[] = {
		{".html", "text/html; charset=utf-8"},
		{".css", "text/css; charset=utf-8"},
		{".js", "text/javascript; charset=utf-8"},
		{".json", "application/json"},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(types); i++) {
		if (g_str_has_suffix(name, types[i].suffix)) {
			return types[i].type;
		}
	}
	return NULL;
}

static void on_request(SoupServer *server, SoupServerMessage *message, const char *path,
	GHashTable *query, gpointer data)
{
	struct host *host = data;
	const char *name = strcmp(path, "/") == 0 ? "index.html" : path + 1;
	const char *type = type_of(name);
	g_autofree char *file = strcmp(name, "scenarios.json") == 0
		? g_strdup(host->options->scenarios)
		: g_build_filename(host->web, name, NULL);
	char *content;
	gsize length;

	(void)server;
	(void)query;
	if (soup_server_message_get_method(message) != SOUP_METHOD_GET || !type ||
		strchr(name, '/') || !g_file_get_contents(file, &content, &length, NULL)) {
		soup_server_message_set_status(message, SOUP_STATUS_NOT_FOUND, NULL);
		return;
	}
	soup_message_headers_replace(
		soup_server_message_get_response_headers(message), "Cache-Control", "no-store");
	soup_server_message_set_status(message, SOUP_STATUS_OK, NULL);
	soup_server_message_set_response(message, type, SOUP_MEMORY_TAKE, content, length);
}

static gboolean on_browser_end(int fd, GIOCondition condition, gpointer data)
{
	struct host *host = data;

	(void)fd;
	(void)condition;
	g_main_loop_quit(host->loop);
	return G_SOURCE_REMOVE;
}

static gboolean on_signal(gpointer data)
{
	struct host *host = data;

	g_main_loop_quit(host->loop);
	return G_SOURCE_CONTINUE;
}

static gboolean on_timeout(gpointer data)
{
	struct host *host = data;

	host->timeout = 0;
	journal_note("the browser did not ask for the page");
	g_main_loop_quit(host->loop);
	return G_SOURCE_REMOVE;
}

/* Whether a process of the group still runs; kill() also finds those that wait to be reaped. */
static gboolean group_runs(pid_t group)
{
	g_autoptr(GDir) proc = g_dir_open("/proc", 0, NULL);
	const char *name;

	while (proc && (name = g_dir_read_name(proc))) {
		g_autofree char *file = g_build_filename("/proc", name, "stat", NULL);
		g_autofree char *text = NULL;
		const char *after;
		char state;
		int parent;
		int its_group;

		if (!g_ascii_isdigit(name[0]) || !g_file_get_contents(file, &text, NULL, NULL)) {
			continue;
		}
		/* The name before it may have spaces and parentheses of its own. */
		after = strrchr(text, ')');
		if (after && sscanf(after, ") %c %d %d", &state, &parent, &its_group) == 3 &&
			its_group == group && state != 'Z' && state != 'X') {
			return TRUE;
		}
	}
	return FALSE;
}

/* Its directory can go only when nobody writes there any more. */
static void end_browser(struct host *host)
{
	gint64 end = g_get_monotonic_time() + END_MS * (gint64)1000;

	kill(host->browser, SIGKILL);
	kill(-host->browser, SIGKILL);
	while (group_runs(host->browser) && g_get_monotonic_time() < end) {
		g_usleep(5000);
	}
	remove_directory(host->directory);
}

/* Serves until the browser ends; tells its port on `port_fd`. */
static int serve(struct host *host, int port_fd)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *parent = g_path_get_dirname(host->options->scenarios);
	g_autofree char *origin = NULL;
	GSList *uris;
	int pidfd = (int)syscall(SYS_pidfd_open, host->browser, 0);
	int port;

	host->web = g_build_filename(parent, "web", NULL);
	host->loop = g_main_loop_new(NULL, FALSE);
	host->server = soup_server_new(NULL, NULL);
	if (pidfd < 0 ||
		!soup_server_listen_local(host->server, 0, SOUP_SERVER_LISTEN_IPV4_ONLY, &error)) {
		fprintf(stderr, "harness-web: %s\n", error ? error->message : g_strerror(errno));
		return EXIT_BROWSER;
	}
	uris = soup_server_get_uris(host->server);
	port = g_uri_get_port(uris->data);
	g_slist_free_full(uris, (GDestroyNotify)g_uri_unref);
	origin = g_strdup_printf("http://127.0.0.1:%d", port);
	soup_server_add_handler(host->server, NULL, on_request, host, NULL);
	/* Only our own page may write into the journal. "/journal" would also match journal.js. */
	soup_server_add_websocket_handler(
		host->server, "/socket", origin, NULL, on_page, host, NULL);
	g_unix_fd_add(pidfd, G_IO_IN, on_browser_end, host);
	g_unix_signal_add(SIGTERM, on_signal, host);
	g_unix_signal_add(SIGINT, on_signal, host);
	g_unix_signal_add(SIGHUP, on_signal, host);
	host->timeout = g_timeout_add_seconds(60, on_timeout, host);
	if (host->options->seed) {
		journal_note("faults seed %s", host->options->seed);
	}
	if (write(port_fd, &port, sizeof port) == sizeof port) {
		close(port_fd);
		g_main_loop_run(host->loop);
	}
	return 0;
}

static void host_finish(struct host *host)
{
	g_clear_handle_id(&host->timeout, g_source_remove);
	g_clear_object(&host->page);
	if (host->server) {
		soup_server_disconnect(host->server);
	}
	g_clear_object(&host->server);
	g_clear_pointer(&host->loop, g_main_loop_unref);
	g_free(host->web);
	g_free(host->directory);
}

static void options_finish(struct options *options)
{
	g_free(options->scenarios);
	g_free(options->browser);
	g_string_free(options->page, TRUE);
}

/* Nothing in here may ask anybody anything, nor talk to the network. */
static const char *const quiet_flags[] = {
	"--class=harness-web",
	"--force-device-scale-factor=1",
	"--lang=en-US",
	"--no-first-run",
	"--no-default-browser-check",
	"--no-service-autorun",
	"--noerrdialogs",
	"--test-type", /* or a bar complains of --no-sandbox and shifts the page */
	"--password-store=basic",
	"--disable-gpu",
	"--disable-quic",
	"--disable-sync",
	"--disable-breakpad",
	"--disable-crash-reporter",
	"--disable-extensions",
	"--disable-default-apps",
	"--disable-component-update",
	"--disable-background-networking",
	"--disable-domain-reliability",
	"--disable-client-side-phishing-detection",
	"--disable-session-crashed-bubble",
	"--disable-search-engine-choice-screen",
	"--disable-features=Translate,MediaRouter,OptimizationHints,AutofillServerCommunication",
	/* The second window must open whoever asked for it. */
	"--disable-popup-blocking",
	/* late100 is late by 100 ms also in a covered or minimized window. */
	"--disable-background-timer-throttling",
	"--disable-renderer-backgrounding",
	/* One notch, one scroll_offset. */
	"--disable-smooth-scrolling",
};

/*
 * Where the main window shall be: off the corner, where kwin has a window of its own that takes
 * clicks. --window-size and --window-position would do it too, but for the second window as well.
 * The key is what Chromium makes of the host and path of --app.
 */
static void write_preferences(const char *directory)
{
	static const char preferences[] =
		"{\"browser\":{\"app_window_placement\":{\"127.0.0.1_/\":"
		"{\"left\":60,\"top\":60,\"right\":960,\"bottom\":760,\"maximized\":false}}}}\n";
	g_autofree char *folder = g_build_filename(directory, "profile", "Default", NULL);
	g_autofree char *file = g_build_filename(folder, "Preferences", NULL);

	g_mkdir_with_parents(folder, 0700);
	g_file_set_contents(file, preferences, -1, NULL);
}

static G_GNUC_NORETURN void become_browser(
	const struct options *options, const char *directory, int port)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	g_ptr_array_add(argv, options->browser);
	for (gsize i = 0; i < G_N_ELEMENTS(quiet_flags); i++) {
		g_ptr_array_add(argv, (gpointer)quiet_flags[i]);
	}
	if (geteuid() == 0) {
		g_ptr_array_add(argv, (gpointer)"--no-sandbox");
	}
	if (options->accessible) {
		g_ptr_array_add(argv, (gpointer)"--force-renderer-accessibility");
	}
	if (g_getenv("DISPLAY") && !g_getenv("WAYLAND_DISPLAY")) {
		g_ptr_array_add(argv, (gpointer)"--ozone-platform=x11");
	}
	g_ptr_array_add(argv, g_strdup_printf("--user-data-dir=%s/profile", directory));
	g_ptr_array_add(argv, g_strdup_printf("--app=http://127.0.0.1:%d/", port));
	for (char **more = options->browser_argv; more && *more; more++) {
		g_ptr_array_add(argv, *more);
	}
	g_ptr_array_add(argv, NULL);

	write_preferences(directory);
	/* What it leaves behind goes with the directory: singleton socket, key store, caches. */
	g_setenv("TMPDIR", directory, TRUE);
	g_setenv("HOME", directory, TRUE);
	dup2(null, STDIN_FILENO);
	if (!options->verbose) {
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
	}
	execvp(options->browser, (char **)argv->pdata);
	_exit(127);
}

int main(int argc, char **argv)
{
	struct options options = {0};
	struct host host = {.options = &options, .browser = getpid()};
	g_autofree char *browser = NULL;
	int port_pipe[2];
	int port = 0;
	int status;

	read_options(&options, argc, argv);
	browser = g_find_program_in_path(options.browser);
	if (!browser) {
		fprintf(stderr, "harness-web: no %s\n", options.browser);
		return EXIT_BROWSER;
	}
	host.directory = make_directory();
	/* A leader of a session already leads its group. */
	setpgid(0, 0);
	if (pipe2(port_pipe, O_CLOEXEC) != 0) {
		return EXIT_BROWSER;
	}
	switch (fork()) {
	case -1:
		return EXIT_BROWSER;
	case 0:
		/* Out of reach of what ends Chromium. */
		setsid();
		close(port_pipe[0]);
		journal_open(options.journal_fd);
		status = serve(&host, port_pipe[1]);
		end_browser(&host);
		host_finish(&host);
		options_finish(&options);
		return status;
	default:
		close(port_pipe[1]);
		if (options.journal_fd >= 0) {
			close(options.journal_fd);
		}
		if (read(port_pipe[0], &port, sizeof port) != sizeof port) {
			return EXIT_BROWSER;
		}
		become_browser(&options, host.directory, port);
	}
}
