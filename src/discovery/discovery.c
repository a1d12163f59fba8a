/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "discovery/discovery.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/answer.h"
#include "core/quote.h"

/* Programs that run once in a desktop session, with its environment; the surest first. */
static const char *const hosts[] = {
	"gnome-session", "xfce4-session", "plasma_session", "ksmserver", "lxsession", "lxqt-session",
	"mate-session", "cinnamon-session", "budgie-session", "startplasma", "gnome-shell", "plasmashell",
	"sway", "labwc", "Hyprland", "wayfire", "river", "kwin_wayland", "i3", "openbox", "xfwm4", "metacity",
	"marco", "mutter", "muffin", "kwin_x11", "icewm", "fluxbox", "awesome", "bspwm", "xfdesktop",
	"xfce4-panel", "lxpanel", "at-spi2-registr", "at-spi-bus-laun",
};

/* A process of a desktop session. */
struct host {
	pid_t pid;
	uid_t uid;
	gsize rank;              /* place in the table */
	char name[32];
};

static void clue_clear(void *data)
{
	struct clue *clue = data;
	g_free(clue->value);
	g_free(clue->origin);
}

static void clue_set(struct clue *clue, const char *value, const char *format, ...)
	G_GNUC_PRINTF(3, 4);
static void clue_set(struct clue *clue, const char *value, const char *format, ...)
{
	if (clue->value != NULL || value == NULL || *value == '\0') {
		return;
	}
	va_list args;
	va_start(args, format);
	clue->value = g_strdup(value);
	clue->origin = quote_vformat(format, args);
	va_end(args);
}

/* --- Processes -------------------------------------------------------------------------------- */

/* The kernel keeps 15 characters of a name. */
static bool rank_of(const char *name, gsize *rank)
{
	for (gsize i = 0; i < G_N_ELEMENTS(hosts); i++) {
		gsize length = strlen(hosts[i]);
		/* gnome-session-binary, xfce4-session, startplasma-x11. */
		if (strncmp(name, hosts[i], MIN(length, 15)) == 0) {
			*rank = i;
			return true;
		}
	}
	return false;
}

static bool look_at(const char *entry, struct host *host)
{
	g_autofree char *folder = g_build_filename("/proc", entry, NULL);
	g_autofree char *path = g_build_filename(folder, "comm", NULL);
	g_autofree char *name = NULL;
	struct stat info;
	if (!g_ascii_isdigit(entry[0]) || !g_file_get_contents(path, &name, NULL, NULL)
		|| g_stat(folder, &info) < 0) {
		return false;
	}
	g_strchomp(name);
	host->pid = (pid_t)atoi(entry);
	host->uid = info.st_uid;
	g_strlcpy(host->name, name, sizeof host->name);
	return rank_of(name, &host->rank);
}

static gint compare_hosts(gconstpointer a, gconstpointer b)
{
	const struct host *left = a, *right = b;
	return left->rank != right->rank ? (left->rank < right->rank ? -1 : 1)
		: left->pid < right->pid ? -1 : left->pid > right->pid;
}

static GArray *find_hosts(void)
{
	GArray *found = g_array_new(FALSE, FALSE, sizeof(struct host));
	g_autoptr(GDir) folder = g_dir_open("/proc", 0, NULL);
	const char *entry;
	while (folder != NULL && (entry = g_dir_read_name(folder)) != NULL) {
		struct host host;
		if (look_at(entry, &host)) {
			g_array_append_val(found, host);
		}
	}
	g_array_sort(found, compare_hosts);
	return found;
}

/* Its environment, as g_environ_getenv() takes it; NULL if we may not look. */
static char **environment_of(pid_t pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/environ", (int)pid), *bytes = NULL;
	gsize length;
	if (!g_file_get_contents(path, &bytes, &length, NULL)) {
		return NULL;
	}
	g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
	/* g_file_get_contents() adds a terminator behind the last one. */
	for (gsize at = 0; at < length; at += strlen(bytes + at) + 1) {
		g_strv_builder_add(builder, bytes + at);
	}
	return g_strv_builder_end(builder);
}

/* --- Displays --------------------------------------------------------------------------------- */

/* The number of a local display, and how long what tells it is; -1 for one of another machine, or
 * none. */
static int local_number(const char *display)
{
	if (display != NULL && g_str_has_prefix(display, "unix:")) {
		display += strlen("unix");
	}
	return display != NULL && display[0] == ':' && g_ascii_isdigit(display[1])
		? atoi(display + 1)
		: -1;
}

bool discovery_same_display(const char *a, const char *b)
{
	int left = local_number(a), right = local_number(b);
	return left >= 0 || right >= 0 ? left == right : g_strcmp0(a, b) == 0;
}

/* Whether somebody takes connections at a name of the file system, or (abstract) beside it. */
static bool accepts(int number, bool abstract)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char *path = address.sun_path + abstract;
	g_snprintf(path, sizeof address.sun_path - 1, "/tmp/.X11-unix/X%d", number);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	/* With the zero before an abstract one, or behind the other. */
	socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path) + 1);
	/* One that is busy has no room for us now, and is there. */
	bool there = fd >= 0
		&& (connect(fd, (struct sockaddr *)&address, size) == 0 || errno == EAGAIN);
	if (fd >= 0) {
		close(fd);
	}
	return there;
}

static bool is_live(const char *display)
{
	int number = local_number(display);
	return number < 0 || accepts(number, false) || accepts(number, true);
}

static void seat_free(void *data)
{
	struct seat *seat = data;
	g_free(seat->display);
	g_free(seat->xauthority);
	g_free(seat->origin);
	g_free(seat);
}

/* Whether it can be the name of a display: what it is of may be anybody's process. */
static bool is_name(const char *display)
{
	return *display != '\0'
		&& display[strspn(display,
			   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.:_-/")]
		== '\0';
}

static const struct seat *find_seat(const struct discovery *discovery, const char *display)
{
	for (guint i = 0; i < discovery->seats->len; i++) {
		const struct seat *seat = discovery->seats->pdata[i];
		if (discovery_same_display(seat->display, display)) {
			return seat;
		}
	}
	return NULL;
}

/* --- What is found ---------------------------------------------------------------------------- */

static void add_bus(struct discovery *discovery, const char *value, const char *origin)
{
	struct clue bus = { 0 };
	for (guint i = 0; i < discovery->buses->len; i++) {
		if (g_strcmp0(g_array_index(discovery->buses, struct clue, i).value, value) == 0) {
			return;
		}
	}
	clue_set(&bus, value, "%s", origin);
	if (bus.value != NULL) {
		g_array_append_val(discovery->buses, bus);
	}
}

/* Where the variables came from that discovery_apply() has set; the others were there. */
static struct {
	const char *name;
	char *origin;
} applied[] = { { "DISPLAY" }, { "XAUTHORITY" }, { "WAYLAND_DISPLAY" }, { "XDG_RUNTIME_DIR" } };

/* Whether it was there. */
static bool look_at_variable(struct clue *clue, const char *name)
{
	const char *origin = NULL;
	for (gsize i = 0; i < G_N_ELEMENTS(applied); i++) {
		if (strcmp(applied[i].name, name) == 0) {
			origin = applied[i].origin;
		}
	}
	clue_set(clue, g_getenv(name), "%s", origin != NULL ? origin : "the environment");
	return clue->value != NULL && origin == NULL;
}

static void look_in_environment(struct discovery *discovery)
{
	look_at_variable(&discovery->display, "DISPLAY");
	look_at_variable(&discovery->xauthority, "XAUTHORITY");
	look_at_variable(&discovery->wayland_display, "WAYLAND_DISPLAY");
	discovery->told_runtime_dir = look_at_variable(&discovery->runtime_dir, "XDG_RUNTIME_DIR");
	add_bus(discovery, g_getenv("DBUS_SESSION_BUS_ADDRESS"), "the environment");
}

static void look_in_run(struct discovery *discovery)
{
	g_autofree char *folder = g_strdup_printf("/run/user/%u", (unsigned)geteuid());
	g_autofree char *bus = g_build_filename(folder, "bus", NULL);
	if (g_file_test(folder, G_FILE_TEST_IS_DIR)) {
		clue_set(&discovery->runtime_dir, folder, "%s", folder);
	}
	if (g_file_test(bus, G_FILE_TEST_EXISTS)) {
		g_autofree char *address = g_strdup_printf("unix:path=%s", bus);
		add_bus(discovery, address, bus);
	}
}

/* Display and authority belong together: both come from one process. */
static void look_for_seat(struct discovery *discovery, char **environment, const char *origin)
{
	const char *display = g_environ_getenv(environment, "DISPLAY"),
		   *key = g_environ_getenv(environment, "XAUTHORITY");
	if (display == NULL || !is_name(display) || find_seat(discovery, display) != NULL) {
		return;
	}
	struct seat *seat = g_new0(struct seat, 1);
	*seat = (struct seat){ g_strdup(display), g_strdup(key), g_strdup(origin),
		is_live(display) };
	g_ptr_array_add(discovery->seats, seat);
}

/* A user may have several desktops; bus and compositor of another one know other applications, and
 * its folder may go. */
static void look_in_process(struct discovery *discovery, char **environment, const char *origin)
{
	if (!discovery_same_display(
		    g_environ_getenv(environment, "DISPLAY"), discovery->display.value)) {
		return;
	}
	const char *bus = g_environ_getenv(environment, "DBUS_SESSION_BUS_ADDRESS");
	const char *folder = g_environ_getenv(environment, "XDG_RUNTIME_DIR");
	const char *wayland = g_environ_getenv(environment, "WAYLAND_DISPLAY");
	add_bus(discovery, bus, origin);
	clue_set(&discovery->session_bus, bus, "%s", origin);
	clue_set(&discovery->runtime_dir, folder, "%s", origin);
	clue_set(&discovery->session_runtime_dir, folder, "%s", origin);
	clue_set(&discovery->wayland_display, wayland, "%s", origin);
}

/* The display that nobody named: the only one, or the only live one. */
static void choose_seat(struct discovery *discovery)
{
	const struct seat *chosen = NULL;
	guint live = 0, local = 0;
	for (guint i = 0; i < discovery->seats->len; i++) {
		const struct seat *seat = discovery->seats->pdata[i];
		/* Of a display of another machine nobody knows whether it is still there. */
		bool here = seat->live && local_number(seat->display) >= 0;
		live += seat->live;
		local += here;
		if (chosen == NULL || (seat->live && !chosen->live)
			|| (here && local_number(chosen->display) < 0)) {
			chosen = seat;
		}
	}
	/* What doctor compares the environment with: the one of that display, or the first. */
	const struct seat *session = find_seat(discovery, discovery->display.value);
	session = session != NULL ? session : chosen;
	if (session != NULL) {
		clue_set(&discovery->session_display, session->display, "%s", session->origin);
		clue_set(
			&discovery->session_xauthority, session->xauthority, "%s", session->origin);
	}
	if (discovery->display.value != NULL || chosen == NULL) {
		return;
	}
	discovery->ambiguous = local > 0 ? local > 1 : live > 1;
	if (!discovery->ambiguous) {
		clue_set(&discovery->display, chosen->display, "%s", chosen->origin);
		clue_set(&discovery->xauthority, chosen->xauthority, "%s", chosen->origin);
	}
}

static char *user_name(uid_t uid)
{
	const struct passwd *entry = getpwuid(uid);
	return entry != NULL ? g_strdup(entry->pw_name) : g_strdup_printf("%u", (unsigned)uid);
}

struct discovery *discovery_new(bool processes)
{
	struct discovery *discovery = g_new0(struct discovery, 1);
	discovery->buses = g_array_new(FALSE, TRUE, sizeof(struct clue));
	g_array_set_clear_func(discovery->buses, clue_clear);
	discovery->seats = g_ptr_array_new_with_free_func(seat_free);
	look_in_environment(discovery);
	look_in_run(discovery);
	/* For those who want exactly what they set, and for tests, beside whose desktop others run. */
	processes = processes && g_getenv("CUA_DRIVER_NO_DISCOVERY") == NULL;
	g_autoptr(GArray) found = processes ? find_hosts() : g_array_new(FALSE, FALSE, sizeof(struct host));
	g_autoptr(GPtrArray)
		environments = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
	g_autoptr(GPtrArray) origins = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < found->len; i++) {
		const struct host *host = &g_array_index(found, struct host, i);
		char **environment = host->uid == geteuid() ? environment_of(host->pid) : NULL;
		if (environment != NULL) {
			/* Not the name that it has, which is whatever it says. */
			char *origin = g_strdup_printf(
				"%s (pid %d)", hosts[host->rank], (int)host->pid);
			look_for_seat(discovery, environment, origin);
			g_ptr_array_add(environments, environment);
			g_ptr_array_add(origins, origin);
		} else if (host->uid != geteuid() && discovery->other_user == NULL) {
			discovery->other_user = user_name(host->uid);
		}
	}
	choose_seat(discovery);
	for (guint i = 0; i < environments->len; i++) {
		look_in_process(discovery, environments->pdata[i], origins->pdata[i]);
	}
	return discovery;
}

void discovery_free(struct discovery *discovery)
{
	clue_clear(&discovery->display);
	clue_clear(&discovery->xauthority);
	clue_clear(&discovery->wayland_display);
	clue_clear(&discovery->runtime_dir);
	clue_clear(&discovery->session_display);
	clue_clear(&discovery->session_xauthority);
	clue_clear(&discovery->session_runtime_dir);
	clue_clear(&discovery->session_bus);
	g_array_unref(discovery->buses);
	g_ptr_array_unref(discovery->seats);
	g_free(discovery->other_user);
	g_free(discovery);
}

static void apply(const char *name, const struct clue *clue)
{
	if (clue->value == NULL || g_getenv(name) != NULL) {
		return;
	}
	g_setenv(name, clue->value, FALSE);
	for (gsize i = 0; i < G_N_ELEMENTS(applied); i++) {
		if (strcmp(applied[i].name, name) == 0) {
			applied[i].origin = g_strdup(clue->origin);
		}
	}
}

static char *named;

const char *discovery_named(void)
{
	return named;
}

void discovery_choose(const char *display)
{
	static const char *const belongings[] = {
		"XAUTHORITY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS",
	};
	const char *before = g_getenv("DISPLAY");
	g_free(named);
	named = g_strdup(display);
	if (before != NULL && !discovery_same_display(before, display)) {
		for (gsize i = 0; i < G_N_ELEMENTS(belongings); i++) {
			g_unsetenv(belongings[i]);
		}
	}
	g_setenv("DISPLAY", display, TRUE);
	if (g_getenv("XAUTHORITY") == NULL) {
		struct discovery *discovery = discovery_new(true);
		const struct seat *seat = find_seat(discovery, display);
		if (seat != NULL && seat->xauthority != NULL) {
			g_setenv("XAUTHORITY", seat->xauthority, TRUE);
		}
		discovery_free(discovery);
	}
}

static void add_others(const struct discovery *discovery, GString *words)
{
	const char *separator = "";
	for (guint i = 0; i < discovery->seats->len; i++) {
		const struct seat *seat = discovery->seats->pdata[i];
		if (seat->live
			&& !discovery_same_display(seat->display, discovery->display.value)) {
			quote_printf(words, "%s%s of %s", separator, seat->display, seat->origin);
			separator = ", ";
		}
	}
}

char *discovery_others(const struct discovery *discovery)
{
	GString *words = g_string_new(NULL);
	add_others(discovery, words);
	return g_string_free(words, words->len == 0);
}

char *discovery_why_ambiguous(void)
{
	if (g_getenv("DISPLAY") != NULL) {
		return NULL;
	}
	struct discovery *discovery = discovery_new(true);
	g_autofree char *words = NULL;
	if (discovery->ambiguous) {
		g_autofree char *others = discovery_others(discovery);
		words = quote_format(
			"This user has several desktops, and none was named: %s", others);
	}
	discovery_free(discovery);
	return g_steal_pointer(&words);
}

char *discovery_words(const struct discovery *discovery)
{
	GString *words = g_string_new(NULL);
	g_autofree char *others = discovery_others(discovery);
	if (discovery->display.value != NULL) {
		quote_printf(
			words, "%s (from %s)", discovery->display.value, discovery->display.origin);
	} else {
		g_string_append(words,
			discovery->ambiguous ? "none, because several could be meant" : "none");
	}
	if (others != NULL) {
		g_string_append_printf(words, "; other desktops of this user: %s", others);
	}
	return g_string_free(words, FALSE);
}

static void answer_others(
	const struct discovery *discovery, struct answer *answer, const char *name)
{
	answer_open_array(answer, name);
	for (guint i = 0; i < discovery->seats->len; i++) {
		const struct seat *seat = discovery->seats->pdata[i];
		if (seat->live
			&& !discovery_same_display(seat->display, discovery->display.value)) {
			answer_open_object(answer, NULL);
			answer_string(answer, "display", seat->display);
			answer_string(answer, "origin", seat->origin);
			answer_close_object(answer);
		}
	}
	answer_close_array(answer);
}

void discovery_answer(struct answer *answer)
{
	struct discovery *discovery = discovery_new(true);
	if (answer_failed(answer)) {
		answer_others(discovery, answer, "candidates");
	} else {
		g_autofree char *words = discovery_words(discovery);
		answer_open_object(answer, "desktop");
		answer_string(answer, "display", discovery->display.value);
		answer_string(answer, "origin", discovery->display.origin);
		answer_close_object(answer);
		answer_others(discovery, answer, "other_desktops");
		answer_text(answer, "Desktop: %s.\n", words);
	}
	discovery_free(discovery);
}

void discovery_apply(void)
{
	/* Started inside a session: nothing to look for. */
	if (g_getenv("DISPLAY") != NULL && g_getenv("XDG_RUNTIME_DIR") != NULL) {
		return;
	}
	struct discovery *discovery = discovery_new(true);
	if (g_getenv("DISPLAY") == NULL && discovery->display.value != NULL) {
		apply("DISPLAY", &discovery->display);
		apply("XAUTHORITY", &discovery->xauthority);
	}
	apply("WAYLAND_DISPLAY", &discovery->wayland_display);
	apply("XDG_RUNTIME_DIR", &discovery->runtime_dir);
	discovery_free(discovery);
}

bool discovery_is_wayland(void)
{
	return g_getenv("WAYLAND_DISPLAY") != NULL
		|| g_strcmp0(g_getenv("XDG_SESSION_TYPE"), "wayland") == 0;
}
