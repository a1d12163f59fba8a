/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <xcb/xinput.h>

#include "atspi/exams.h"
#include "core/past.h"
#include "discovery/discovery.h"
#include "x11/conn.h"
#include "x11/kernel.h"
#include "x11/master.h"
#include "x11/property.h"
#include "x11/replay.h"
#include "x11/rung.h"
#include "x11/specimen.h"
#include "x11/uinput.h"

/* --- Display ---------------------------------------------------------------------------------- */

/* Whether somebody listens where the X server of a local display would. */
static bool is_listening(const char *display)
{
	const char *colon = display != NULL ? strrchr(display, ':') : NULL;
	if (colon == NULL || colon != display) {
		return false;
	}
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	g_snprintf(address.sun_path, sizeof address.sun_path, "/tmp/.X11-unix/X%d", atoi(colon + 1));
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	bool there = fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0;
	if (fd >= 0) {
		close(fd);
	}
	return there;
}

static void advise_private(struct check *check)
{
	g_autofree char *server = g_find_program_in_path("Xvfb");
	if (server == NULL) {
		check_advise(check, health_install("xvfb openbox dbus-daemon at-spi2-core"),
			"A private desktop needs no screen; install one");
	} else {
		check_advise(check, health_command("desktop -- %s doctor"),
			"A private desktop needs no screen; this tries one, and an agent gets one the same way");
	}
}

/* What to do when there is no way in. */
static void advise_display(const struct discovery *discovery, struct check *check)
{
	const struct clue *other = &discovery->session_display, *key = &discovery->session_xauthority;
	bool differs = other->value != NULL && (g_strcmp0(other->value, discovery->display.value) != 0
		|| (key->value != NULL && g_strcmp0(key->value, discovery->xauthority.value) != 0));
	if (differs && is_listening(other->value)) {
		g_autofree char *quoted = key->value != NULL ? g_shell_quote(key->value) : NULL;
		check_advise(check, g_strdup_printf("export DISPLAY=%s%s%s", other->value,
			quoted != NULL ? " XAUTHORITY=" : "", quoted != NULL ? quoted : ""),
			g_strcmp0(other->value, discovery->display.value) == 0
			? "The desktop session has another key to it, says %s"
			: "The desktop session has another one, says %s", other->origin);
	} else if (discovery->wayland_display.value != NULL) {
		g_autofree char *xwayland = g_find_program_in_path("Xwayland");
		if (xwayland == NULL) {
			check_advise(check, health_install("xwayland"),
				"This Wayland session has no Xwayland; install it and log in again");
		} else {
			check_advise(check, health_command("desktop -- %s doctor"), "This Wayland session runs without "
				"Xwayland; let its compositor start it, or use a private desktop, as this does");
		}
	} else {
		advise_private(check);
	}
}

/* X.Org counts 12101007 for what people know as 21.1.7, and 12013000 for 1.20.13 before that. */
static char *release(const xcb_setup_t *setup)
{
	unsigned number = setup->release_number, major = number / 100000 % 100;
	g_autofree char *vendor = g_strndup(xcb_setup_vendor(setup),
		(gsize)xcb_setup_vendor_length(setup));
	if (strcmp(vendor, "The X.Org Foundation") != 0) {
		return g_strdup_printf("%s %u", vendor, number);
	}
	return g_strdup_printf("X.Org %s%u.%u.%u", major < 21 ? "1." : "", major, number / 1000 % 100,
		number % 1000);
}

static void look_at_display(const struct patient *patient, struct check *check)
{
	struct discovery *discovery = discovery_new(true);
	g_autoptr(GError) error = NULL;
	struct x11_server *server = x11_begin(x11_platform_x11(patient->platform), patient->deadline, &error);
	const char *display = discovery->display.value;
	if (server != NULL) {
		g_autofree char *version = release(xcb_get_setup(server->c));
		g_autofree char *others = discovery_others(discovery);
		check_set(check, HEALTH_OK, "%s, %s%s%s", display, version,
			others != NULL ? "; other desktops of this user: " : "",
			others != NULL ? others : "");
		check_origin(check, discovery->display.origin);
		x11_end(server, NULL);
	} else if (discovery->ambiguous) {
		g_autofree char *others = discovery_others(discovery);
		const struct seat *first = discovery->seats->pdata[0];
		check_set(check, HEALTH_FAIL,
			"ambiguous_session: this user has several desktops, and none was named: %s",
			others);
		g_autofree char *self = health_command("doctor --display ");
		check_advise(check, g_strconcat(self, first->display, NULL),
			"Name the one that is meant, such as");
	} else if (display == NULL) {
		check_set(check, HEALTH_FAIL, "none: DISPLAY is not set, and no X session of this user was found");
		advise_display(discovery, check);
	} else {
		check_set(check, HEALTH_FAIL, is_listening(display)
			? "%s runs and does not let us in" : "%s: no X server is there", display);
		check_origin(check, discovery->display.origin);
		advise_display(discovery, check);
	}
	discovery_free(discovery);
}

static void look_at_xauthority(const struct patient *patient, struct check *check)
{
	(void)patient;
	struct discovery *discovery = discovery_new(true);
	const struct clue *key = &discovery->xauthority;
	if (key->value == NULL) {
		check_set(check, HEALTH_OK, "not set, and not needed by this server");
	} else if (access(key->value, R_OK) == 0) {
		check_set(check, HEALTH_OK, "%s", key->value);
		check_origin(check, key->origin);
	} else {
		check_set(check, HEALTH_NOTE, "%s cannot be read; this server does not need it", key->value);
		check_origin(check, key->origin);
		check_advise(check, g_strdup("unset XAUTHORITY"), "Forget it");
	}
	discovery_free(discovery);
}

/* --- Extensions ------------------------------------------------------------------------------- */

static const struct {
	const char *name, *spoken;   /* as the server calls it, and people do */
	bool needed;
	const char *purpose;
} extensions[] = {
	{ "Composite", "Composite", true, "to see covered windows" },
	{ "DAMAGE", "Damage", true, "to see what changes" },
	{ "XFIXES", "XFixes", true, "to see what changes" },
	{ "XInputExtension", "XInput 2.2", true, "for a pointer and keyboard of its own" },
	{ "XTEST", "XTEST", true, "for input" },
	{ "MIT-SHM", "SHM", false, "for fast pictures" },
	{ "RANDR", "RandR", false, "to tell monitors apart" },
	{ "SHAPE", "Shape", false, "for windows with holes" },
	{ "X-Resource", "XRes", false, "to tell whose a window is" },
};

/* Whether XInput is as new as it has to be. */
static bool has_xinput(struct x11_server *server)
{
	if (!server->has_xinput) {
		return false;
	}
	xcb_input_xi_query_version_reply_t *reply = x11_reply(server,
		xcb_input_xi_query_version(server->c, 2, 2).sequence);
	bool enough = reply != NULL && (reply->major_version > 2
		|| (reply->major_version == 2 && reply->minor_version >= 2));
	free(reply);
	return enough;
}

static void look_at_extensions(const struct patient *patient, struct check *check)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GString) there = g_string_new(NULL), lacking = g_string_new(NULL);
	unsigned asked[G_N_ELEMENTS(extensions)];
	bool bad = false;
	struct x11_server *server = x11_begin(x11_platform_x11(patient->platform), patient->deadline, &error);
	if (server == NULL) {
		check_set(check, HEALTH_FAIL, "%s", error->message);
		return;
	}
	for (gsize i = 0; i < G_N_ELEMENTS(extensions); i++) {
		asked[i] = xcb_query_extension(server->c, (uint16_t)strlen(extensions[i].name),
			extensions[i].name).sequence;
	}
	for (gsize i = 0; i < G_N_ELEMENTS(extensions); i++) {
		xcb_query_extension_reply_t *reply = x11_reply(server, asked[i]);
		bool present = reply != NULL && reply->present
			&& (strcmp(extensions[i].name, "XInputExtension") != 0 || has_xinput(server));
		free(reply);
		if (present) {
			g_string_append_printf(there, "%s%s", there->len > 0 ? ", " : "", extensions[i].spoken);
		} else {
			g_string_append_printf(lacking, "%s%s (%s)", lacking->len > 0 ? ", " : "",
				extensions[i].spoken, extensions[i].purpose);
			bad = bad || extensions[i].needed;
		}
	}
	if (!x11_end(server, &error)) {
		check_set(check, HEALTH_FAIL, "%s", error->message);
	} else if (lacking->len == 0) {
		check_set(check, HEALTH_OK, "%s", there->str);
	} else {
		check_set(check, bad ? HEALTH_FAIL : HEALTH_NOTE, "the X server lacks %s", lacking->str);
		advise_private(check);
	}
}

/* --- Window manager --------------------------------------------------------------------------- */

/* Owned; NULL if there is no window manager. */
static char *name_of_manager(struct x11_server *server)
{
	xcb_get_property_reply_t *reply = x11_reply(server, x11_property_ask(server, server->root,
		server->atoms[ATOM__NET_SUPPORTING_WM_CHECK], 1));
	xcb_window_t window = x11_property_word(reply, 0);
	free(reply);
	if (window == 0) {
		return NULL;
	}
	/* What a dead one left on the root window names a window that is gone. */
	reply = x11_reply(server, x11_property_ask(server, window, server->atoms[ATOM__NET_WM_NAME], 256));
	char *name = reply != NULL ? x11_property_text(server, reply) : NULL;
	if (name == NULL && reply != NULL) {
		name = g_strdup("one without a name");
	}
	free(reply);
	return name;
}

static void look_at_manager(const struct patient *patient, struct check *check)
{
	g_autoptr(GError) error = NULL;
	struct x11_server *server = x11_begin(x11_platform_x11(patient->platform), patient->deadline, &error);
	g_autofree char *name = server != NULL ? name_of_manager(server) : NULL;
	if (server == NULL || !x11_end(server, &error)) {
		check_set(check, HEALTH_FAIL, "%s", error->message);
	} else if (name != NULL) {
		check_set(check, HEALTH_OK, "\"%s\"", name);
	} else {
		g_autofree char *openbox = g_find_program_in_path("openbox");
		check_set(check, HEALTH_NOTE, "none: no window is active, minimised or on a workspace");
		check_advise(check, openbox != NULL ? g_strdup("openbox &") : health_install("openbox"),
			"A small one is enough");
	}
}

/* --- A window of our own ---------------------------------------------------------------------- */

static void look_at_capture(const struct patient *patient, struct check *check)
{
	g_autoptr(GError) error = NULL;
	struct x11 *x11 = x11_platform_x11(patient->platform);
	struct window window = { .id = specimen_open(x11, patient->deadline, &error) };
	struct capture capture = { 0 };
	bool taken = window.id != 0 && patient->platform->impl->capture(patient->platform, &window, &capture,
		patient->deadline, &error);
	bool right = taken && capture.picture != NULL && specimen_matches(capture.picture);
	picture_free(capture.picture);
	bool removed = window.id != 0 && specimen_close(x11, deadline_in(1000, NULL), NULL);
	if (right && removed) {
		check_set(check, HEALTH_OK, "a window of our own, below all others, was captured as it is");
		return;
	}
	check_set(check, HEALTH_FAIL, "a window of our own %s%s", !taken ? "was not captured: "
		: !right ? "was captured with wrong pixels" : "was captured and not removed",
		!taken ? error->message : "");
	advise_private(check);
}

struct sighting {
	guint64 window;
	bool seen;
};

static bool sight(const struct happening *happening, void *data)
{
	struct sighting *sighting = data;
	sighting->seen = sighting->seen
		|| (happening->kind == HAPPENED_OPENED && happening->window == sighting->window);
	return !sighting->seen;
}

static void look_at_events(const struct patient *patient, struct check *check)
{
	struct platform *platform = patient->platform;
	struct x11 *x11 = x11_platform_x11(platform);
	struct probe probe = { 0 };
	const struct window nothing = { 0 };
	g_autoptr(GError) error = NULL;
	guint64 from = past_count(platform->past);
	struct sighting sighting = { 0 };

	platform->impl->look_out(platform, true);
	/* Its answer comes after it has begun to look out. */
	bool listens = platform->impl->probe_end(platform, platform->impl->probe_begin(platform, &nothing,
		PROBE_AFTER, true), patient->deadline, &probe, &error);
	probe_clear(&probe);
	sighting.window = listens ? specimen_open(x11, patient->deadline, &error) : 0;
	while (sighting.window != 0 && !sighting.seen) {
		if (!past_wait(platform->past, from, patient->deadline)) {
			break;
		}
		past_look(platform->past, &from, sight, &sighting);
	}
	if (sighting.window != 0) {
		specimen_close(x11, deadline_in(1000, NULL), NULL);
	}
	platform->impl->look_out(platform, false);
	if (sighting.seen) {
		check_set(check, HEALTH_OK, "a window of our own was seen to open");
	} else {
		check_set(check, HEALTH_FAIL, "a window of our own was not seen to open%s%s",
			error != NULL ? ": " : "", error != NULL ? error->message : "");
		advise_private(check);
	}
}

/* --- Input devices ---------------------------------------------------------------------------- */

static void look_at_devices(const struct patient *patient, struct check *check)
{
	g_autoptr(GError) error = NULL;
	struct x11_server *server = x11_begin(x11_platform_x11(patient->platform), patient->deadline, &error);
	int orphans = 0, used = 0;
	if (server != NULL) {
		g_autoptr(GArray) masters = masters_list(server), left = masters_orphans(server);
		used = (int)(masters->len - left->len);
		orphans = (int)left->len + kernel_strays(server, false);
	}
	if (server == NULL || !x11_end(server, &error)) {
		check_set(check, HEALTH_FAIL, "%s", error->message);
	} else if (orphans > 0) {
		check_set(check, HEALTH_NOTE, "%d pointer%s of dead drivers %s left", orphans, orphans == 1 ? "" : "s",
			orphans == 1 ? "is" : "are");
		check_advise(check, health_command("doctor --repair"), "Remove what is left; the next driver would, too");
	} else {
		check_set(check, HEALTH_OK, "%d of %d pointers for agents are in use", used, MASTER_PLACES);
	}
}

static bool repair_devices(const struct patient *patient, struct check *check)
{
	struct x11_server *server = x11_begin(x11_platform_x11(patient->platform), patient->deadline, NULL);
	if (server == NULL) {
		return false;
	}
	g_autoptr(GArray) orphans = masters_orphans(server);
	/* First: a pair that goes gives them to the user's. */
	int removed = kernel_strays(server, true);
	removed += orphans->len > 0 ? replay_orphans(server, orphans) : 0;
	bool done = x11_end(server, NULL) && removed > 0;
	if (done) {
		check->repaired = g_strdup_printf("%d removed", removed);
	}
	return done;
}

static void look_at_uinput(const struct patient *patient, struct check *check)
{
	g_autoptr(GError) error = NULL;
	struct x11_server *server = x11_begin(x11_platform_x11(patient->platform), patient->deadline, &error);
	bool taken = server != NULL && kernel_taken(server);
	if (server == NULL || !x11_end(server, &error)) {
		check_set(check, HEALTH_FAIL, "%s", error->message);
		return;
	}
	enum uinput uinput = uinput_probe(UINPUT_NODE, taken);
	bool ready = uinput == UINPUT_READY;
	check_set(check, HEALTH_OK, "%s%s%s", ready ? "" : "none: ", uinput_text(uinput), ready ? ""
		: "; few applications need one");
	if (taken && uinput_advice(uinput) != NULL) {
		check_advise(check, g_strdup(uinput_advice(uinput)), "For the few applications that insist on a real device");
	}
}

/* --- Accessibility ---------------------------------------------------------------------------- */

#define ATSPI_EXAM(function) \
	static void look_by_##function(const struct patient *patient, struct check *check) \
	{ \
		function(x11_platform_atspi(patient->platform), patient, check); \
	}
ATSPI_EXAM(exam_session_bus)
ATSPI_EXAM(exam_accessibility_bus)
ATSPI_EXAM(exam_registry)
ATSPI_EXAM(exam_accessibility_events)
ATSPI_EXAM(exam_toolkits)

static bool wake(const struct patient *patient, struct check *check)
{
	return exam_wake(x11_platform_atspi(patient->platform), patient, check);
}

/* In the order they are shown; a repair belongs to the exam that finds out that it is needed. */
const struct exam x11_exams[] = {
	{ "display", "display", NULL, look_at_display, NULL },
	{ "xauthority", "X authority", "display", look_at_xauthority, NULL },
	{ "extensions", "X extensions", "display", look_at_extensions, NULL },
	{ "window_manager", "window manager", "display", look_at_manager, NULL },
	{ "capture", "pictures", "display", look_at_capture, NULL },
	{ "window_events", "window events", "display", look_at_events, NULL },
	{ "input_devices", "input devices", "extensions", look_at_devices, repair_devices },
	{ "kernel_pointer", "kernel pointer", "extensions", look_at_uinput, NULL },
	{ "session_bus", "session bus", NULL, look_by_exam_session_bus, NULL },
	{ "accessibility_bus", "accessibility bus", NULL, look_by_exam_accessibility_bus, wake },
	{ "registry", "registry", "accessibility_bus", look_by_exam_registry, wake },
	{ "accessibility_events", "element events", "registry", look_by_exam_accessibility_events, NULL },
	{ "toolkits", "toolkits", "accessibility_bus", look_by_exam_toolkits, NULL },
	{ NULL }
};
