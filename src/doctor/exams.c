/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <jansson.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/folder.h"
#include "core/panic.h"
#include "core/settings.h"
#include "daemon/address.h"
#include "daemon/build.h"
#include "daemon/client.h"
#include "daemon/owner.h"
#include "discovery/discovery.h"
#include "doctor/report.h"
#include "platform.h"

/* How long a daemon may take to examine itself. */
#define DAEMON_MS 15000

/* --- Who and where ---------------------------------------------------------------------------- */

static void look_at_driver(const struct patient *patient, struct check *check)
{
	(void)patient;
	check_set(check, HEALTH_OK, "%s %s, build %s (%s)", PACKAGE_NAME, PACKAGE_VERSION, build_id(),
		platform_features());
}

static void look_at_login(const struct patient *patient, struct check *check)
{
	(void)patient;
	struct discovery *discovery = discovery_new(true);
	g_autofree char *owner = owner_of_session();
	const struct clue *wayland = &discovery->wayland_display;
	if (owner != NULL) {
		g_autofree char *self = health_command("doctor");
		check_set(check, HEALTH_FAIL, "this is root, and the desktop belongs to %s", owner);
		check_advise(check, g_strdup_printf("runuser -u %s -- %s", owner, self),
			"Run the driver as that user");
	} else if (wayland->value != NULL || discovery_is_wayland()) {
		check_set(check, HEALTH_NOTE, "Wayland%s%s: " DISCOVERY_XWAYLAND,
			wayland->value != NULL ? " " : "",
			wayland->value != NULL ? wayland->value : "");
		check_origin(check, wayland->origin);
		check_advise(check, g_strdup("export GDK_BACKEND=x11 QT_QPA_PLATFORM=xcb MOZ_ENABLE_WAYLAND=0 "
			"XDG_SESSION_TYPE=x11"),
			"What is started from a shell after this is an X11 application");
	} else if (discovery->display.value == NULL && discovery->other_user != NULL) {
		check_set(check, HEALTH_NOTE, "a desktop runs here, of user %s", discovery->other_user);
	} else {
		check_set(check, HEALTH_OK, "%s", discovery->display.value != NULL ? "X11" : "no desktop session");
	}
	discovery_free(discovery);
}

static void look_at_runtime(const struct patient *patient, struct check *check)
{
	(void)patient;
	struct discovery *discovery = discovery_new(false);
	const struct clue *clue = &discovery->runtime_dir;
	g_autofree char *folder = folder_runtime();
	g_autoptr(GError) error = NULL;
	if (g_access(folder, F_OK) == 0 && !folder_prepare(folder, &error)) {
		g_autofree char *quoted = g_shell_quote(folder);
		check_set(check, HEALTH_FAIL, "%s", error->message);
		check_advise(check, g_strdup_printf("chmod 700 %s", quoted), "Daemon and emergency stop need it");
	} else if (clue->value != NULL && g_access(clue->value, W_OK) < 0) {
		check_set(check, HEALTH_FAIL, "%s is not there, or cannot be written to", clue->value);
		check_origin(check, clue->origin);
		check_advise(check, g_strdup("export XDG_RUNTIME_DIR=$(mktemp -d)"),
			"Daemon and emergency stop need one");
	} else if (clue->value == NULL) {
		check_set(check, HEALTH_OK, "%s, because XDG_RUNTIME_DIR is not set", folder);
	} else {
		check_set(check, HEALTH_OK, "%s", clue->value);
		check_origin(check, clue->origin);
	}
	discovery_free(discovery);
}

const struct exam exams_before[] = {
	{ "driver", "driver", NULL, look_at_driver, NULL },
	{ "login", "login", NULL, look_at_login, NULL },
	{ "runtime_dir", "runtime folder", NULL, look_at_runtime, NULL },
	{ NULL }
};

/* --- Settings --------------------------------------------------------------------------------- */

static void look_at_settings(const struct patient *patient, struct check *check)
{
	if (patient->settings == NULL) {
		check_set(check, HEALTH_OK, "defaults");
		return;
	}
	const char *path = settings_path(patient->settings);
	g_autofree char *problem = settings_problem(patient->settings);
	g_autofree char *bad = g_strconcat(path, ".bad", NULL), *quoted = g_shell_quote(path);
	if (problem != NULL && g_access(path, F_OK) == 0 && g_access(path, R_OK) < 0) {
		check_set(check, HEALTH_FAIL, "%s", problem);
		check_advise(check, g_strdup_printf("chmod u+rw %s", quoted), "Make it readable");
	} else if (problem != NULL && g_access(path, F_OK) == 0) {
		check_set(check, HEALTH_FAIL, "%s", problem);
		check_advise(check, health_command("config reset"), "Set it right, or forget all settings");
	} else if (g_access(bad, F_OK) == 0) {
		g_autofree char *quoted_bad = g_shell_quote(bad);
		check_set(check, HEALTH_NOTE, "%s was damaged; it is kept as %s, and defaults are used", path, bad);
		check_advise(check, g_strdup_printf("rm %s", quoted_bad), "When nothing in it is needed any more");
	} else {
		check_set(check, HEALTH_OK, "%s", g_access(path, F_OK) == 0 ? path : "defaults (no file)");
	}
}

/* --- The daemon ------------------------------------------------------------------------------- */

/* What it says of itself, which may run in another environment than we do. */
static void ask_daemon(struct client *client, struct check *check)
{
	g_autoptr(GError) error = NULL;
	json_t *answer = client_request(client, "tools/call", json_pack("{s:s, s:{}}", "name",
		"health_report", "arguments"), DAEMON_MS, &error);
	const json_t *report = json_object_get(json_object_get(answer, "result"), "structuredContent");
	const json_t *checks = json_object_get(report, "checks"), *at;
	size_t i;
	int pid = (int)json_integer_value(json_object_get(client_daemon(client), "pid"));
	json_array_foreach(checks, i, at) {
		if (g_strcmp0(json_string_value(json_object_get(at, "status")), "fail") == 0) {
			check_set(check, HEALTH_FAIL, "it runs (pid %d) and lacks the %s: %s", pid,
				json_string_value(json_object_get(at, "title")),
				json_string_value(json_object_get(at, "value")));
			check_advise(check, health_command("health_report"), "See what it finds in its own environment");
			break;
		}
	}
	json_decref(answer);
}

static void look_at_running(struct client *client, const char *path, const struct patient *patient,
	struct check *check)
{
	const json_t *daemon = client_daemon(client);
	int pid = (int)json_integer_value(json_object_get(daemon, "pid"));
	const char *build = json_string_value(json_object_get(daemon, "build"));
	if (pid == (int)getpid()) {
		check_set(check, HEALTH_OK, "this is it (pid %d), on %s", pid, path);
	} else if (g_strcmp0(build, build_id()) != 0) {
		g_autofree char *self = health_command("serve &");
		g_autofree char *stop = health_command("stop");
		check_set(check, HEALTH_NOTE, "it runs (pid %d) and is another build than this, %s", pid, build);
		check_advise(check, g_strdup_printf("%s; %s", stop, self), "Restart it to use what is new");
	} else {
		check_set(check, HEALTH_OK, "it runs (pid %d, this build), on %s", pid, path);
		if (patient->command_line) {
			ask_daemon(client, check);
		}
	}
}

static void look_at_daemon(const struct patient *patient, struct check *check)
{
	g_autofree char *path = address_find();
	g_autoptr(GError) error = NULL;
	struct client *client = client_open_quiet(path, true, &error);
	if (client != NULL) {
		look_at_running(client, path, patient, check);
		client_free(client);
	} else if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND)) {
		check_set(check, HEALTH_OK, "none runs, and MCP needs none; `cua-driver serve` starts "
			"one, which lets one `cua-driver call` use the element indices of another");
	} else if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED)) {
		check_set(check, HEALTH_NOTE, "none runs; a killed one left %s", path);
		check_advise(check, health_command("doctor --repair"), "Remove it; the next daemon would, too");
	} else {
		check_set(check, HEALTH_FAIL, "%s", error->message);
		check_advise(check, health_command("stop"), "Stop what hangs there");
	}
}

/* Only who holds its lock may remove a socket: a daemon that is about to listen holds it, too. */
static bool repair_daemon(const struct patient *patient, struct check *check)
{
	(void)patient;
	g_autofree char *path = address_find(), *lock = g_strconcat(path, ".lock", NULL);
	g_autoptr(GError) error = NULL;
	int fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	bool removed = false;
	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) {
		struct client *client = client_open_quiet(path, true, &error);
		if (client != NULL) {
			client_free(client);
		} else if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED)) {
			removed = g_unlink(path) == 0;
		}
	}
	if (fd >= 0) {
		close(fd);
	}
	if (removed) {
		check->repaired = g_strdup_printf("%s is removed", path);
	}
	return removed;
}

/* --- The emergency stop ----------------------------------------------------------------------- */

static void look_at_panic(const struct patient *patient, struct check *check)
{
	(void)patient;
	g_auto(GStrv) paths = panic_paths();
	bool engaged = panic_engaged();
	for (char **path = paths; *path != NULL; path++) {
		engaged |= g_access(*path, F_OK) == 0;
	}
	if (engaged) {
		check_set(check, HEALTH_FAIL, "stopped by cua-driver panic; every action is refused");
		check_advise(check, health_command("panic --resume"), "Only a person should let agents act again");
	} else {
		check_set(check, HEALTH_OK, "not stopped; `cua-driver panic` stops it at once");
	}
}

const struct exam exams_after[] = {
	{ "settings", "settings", NULL, look_at_settings, NULL },
	{ "daemon", "daemon", NULL, look_at_daemon, repair_daemon },
	{ "input", "input", NULL, look_at_panic, NULL },
	{ NULL }
};
