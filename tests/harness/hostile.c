/* SPDX-License-Identifier: MIT */
/*
 * An application that speaks the accessibility protocol by itself, and badly. Its tree is computed,
 * not stored: an object's number is in its path. hostile --mode MODE [--after N] [--victim BUS
 * --object PATH] [--title TITLE] many: 50,000 buttons in 500 panels. flat: 50,000 in one list.
 * deep: each has one child, for ever. cycle: panels that contain the window. huge: labels of a
 * megabyte. bidi: names with direction marks, control characters, quotes. churn: other children at
 * every question, gone the next moment. lies: counts, signatures, roles and references that cannot
 * be. crash, stop: ends or stops itself at the N-th request. silent: answers everything but the
 * N-th request. slow: takes its time for each. foreign: lists an object of another application
 * beside its own, in a combo box, and as what is at any point; usurp: lists its window as its own.
 */
#include <glib.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <unistd.h>
#include <xcb/xcb.h>

#define ACCESSIBLE "org.a11y.atspi.Accessible"
#define PREFIX "/org/a11y/atspi/accessible/"
#define FRAME 1
#define PANELS 500
#define BUTTONS 100
#define COMBO 12
#define PANEL(number) (((number) + 1) * 1000)

enum { /* of the protocol */
	ROLE_COMBO = 11, ROLE_FRAME = 23, ROLE_PANEL = 39, ROLE_BUTTON = 43, ROLE_APPLICATION = 75,
};

static const char *mode = "many";
static int after = 1 << 30, requests, churned;
static const char *victim = "", *object = "/", *title = "Hostile";
static char *registry;   /* its bus name: what it asks is not counted */
static struct {
	int x, y, width, height;
} place = { 50, 60, 400, 300 };

static bool is(const char *name)
{
	return strcmp(mode, name) == 0;
}

/* --- The tree ------------------------------------------------------------------------------------ */

static int child_count(int id)
{
	if (id == 0) {
		return 1;
	}
	if (is("foreign") && (id == FRAME || id == COMBO)) {
		return id == FRAME ? 4 : 1;
	}
	if (id == FRAME) {
		return is("many") ? PANELS : is("flat") ? PANELS * BUTTONS : is("lies") ? 900
			: is("deep") || is("cycle") ? 2 : 40;
	}
	if (is("many") && id % 1000 == 0) {
		return BUTTONS;
	}
	if (is("deep") || is("cycle")) {
		return id >= 1000 ? 2 : 0;
	}
	return is("lies") ? (id % 3 == 0 ? INT_MAX : -(id % 7)) : 0;
}

static int child(int id, int index)
{
	if (id == 0) {
		return FRAME;
	}
	if (is("many")) {
		return id == FRAME ? PANEL(index) : id + 1 + index;
	}
	/* One button, and one that goes on. */
	if (is("deep")) {
		return index == 0 ? 2 : (id == FRAME ? 1000 : id + 1);
	}
	if (is("cycle")) {
		return index == 0 ? 2 : (id == FRAME ? 1000 : FRAME);
	}
	if (is("churn")) {
		return ++churned + 10;
	}
	return 10 + index;
}

static uint32_t role_of(int id)
{
	if (is("lies") && id > FRAME) {
		return id % 3 == 0 ? UINT32_MAX : ROLE_BUTTON;
	}
	if (is("foreign") && id == COMBO) {
		return ROLE_COMBO;
	}
	return id == 0 ? ROLE_APPLICATION : id == FRAME ? ROLE_FRAME
		: id >= 1000 && (is("many") ? id % 1000 == 0 : is("deep") || is("cycle")) ? ROLE_PANEL
		: ROLE_BUTTON;
}

static char *name_of(int id)
{
	static const char *const names[] = {
		"\xe2\x80\xaegnp.exe", "\xe2\x81\xa6isolated\xe2\x81\xa9", "tab\tnew\nline\r", "\x01\x1b[31mred",
		"quote\"back\\slash", "\xe2\x80\xa8separator", "\xf0\x9f\x98\x80", "\xcc\x81\xcc\x81",
		"]]></script>", "[7] push button \"Yes\"", "\xc2\x85next\xc2\xa0line",
	};

	if (id <= FRAME) {
		return g_strdup(title);
	}
	if (is("huge")) {
		return g_strnfill(1 << 20, (char)('a' + id % 26));
	}
	return is("bidi") ? g_strdup(names[(gsize)id % G_N_ELEMENTS(names)])
		: g_strdup_printf("Node %d", id);
}

/* --- Answers ------------------------------------------------------------------------------------- */

static char *path_of(int id)
{
	return id == 0 ? g_strdup(PREFIX "root") : g_strdup_printf(PREFIX "%d", id);
}

static void append_reference(sd_bus_message *reply, const char *bus, int id)
{
	g_autofree char *path = path_of(id);

	sd_bus_message_append(reply, "(so)", bus, path);
}

static void append_children(sd_bus_message *reply, const char *bus, int id)
{
	int count = child_count(id);

	sd_bus_message_open_container(reply, 'a', "(so)");
	if (is("foreign") && (id == FRAME || id == COMBO)) {
		sd_bus_message_append(reply, "(so)", victim, object);
		count--;
	} else if (is("usurp") && id == 0) {
		sd_bus_message_append(reply, "(so)", victim, object);
		count = 0;
	}
	if (is("lies") && id >= FRAME) {
		append_reference(reply, bus, id);                 /* itself */
		append_reference(reply, ":1.9999", 7);            /* nobody */
		append_reference(reply, "org.freedesktop.DBus", 8);
		append_reference(reply, "", 9);
		count = 5;
	}
	for (int i = 0; i < count; i++) {
		append_reference(reply, bus, child(id, i));
	}
	sd_bus_message_close_container(reply);
}

static void append_strings(sd_bus_message *reply, const char *const *strings)
{
	sd_bus_message_append_strv(reply, (char **)strings);
}

static bool answer_accessible(sd_bus_message *call, sd_bus_message *reply, const char *bus, int id)
{
	const char *member = sd_bus_message_get_member(call);
	static const char *const interfaces[] = {
		ACCESSIBLE, "org.a11y.atspi.Component", "org.a11y.atspi.Action", NULL,
	};
	static const char *const of_the_frame[] = { ACCESSIBLE, "org.a11y.atspi.Component", NULL };
	/* Enabled, sensitive, showing, visible. */
	const uint32_t states[2] = { 1u << 8 | 1u << 24 | 1u << 25 | 1u << 30, 0 };
	int index = 0;

	if (strcmp(member, "GetRole") == 0) {
		sd_bus_message_append(reply, "u", role_of(id));
	} else if (strcmp(member, "GetRoleName") == 0) {
		sd_bus_message_append(reply, "s", "something");
	} else if (strcmp(member, "GetState") == 0) {
		/* A set of one word, or of none. */
		size_t size = is("lies") && id > FRAME ? sizeof states[0] * (size_t)(id % 2) : sizeof states;
		sd_bus_message_append_array(reply, 'u', states, size);
	} else if (strcmp(member, "GetInterfaces") == 0) {
		append_strings(reply, id > FRAME ? interfaces : of_the_frame);
	} else if (strcmp(member, "GetChildren") == 0) {
		append_children(reply, bus, id);
	} else if (is("foreign") && strcmp(member, "GetAccessibleAtPoint") == 0) {
		sd_bus_message_append(reply, "(so)", victim, object);
	} else if (strcmp(member, "GetChildAtIndex") == 0) {
		sd_bus_message_read(call, "i", &index);
		if (is("foreign") && (id == FRAME || id == COMBO) && index-- == 0) {
			sd_bus_message_append(reply, "(so)", victim, object);
		} else {
			append_reference(reply, bus, child(id, index));
		}
	} else if (strcmp(member, "GetIndexInParent") == 0) {
		sd_bus_message_append(reply, "i",
			is("lies")                          ? INT_MIN
				: is("foreign") && id >= 10 ? id - 9
							    : 0);
	} else if (strcmp(member, "GetApplication") == 0) {
		append_reference(reply, bus, 0);
	} else if (strcmp(member, "GetAttributes") == 0) {
		sd_bus_message_append(reply, "a{ss}", 0);
	} else {
		return false;
	}
	return true;
}

static bool answer_property(sd_bus_message *call, sd_bus_message *reply, const char *bus, int id)
{
	const char *interface = "", *property = "";

	sd_bus_message_read(call, "ss", &interface, &property);
	if (is("lies") && id > FRAME && id % 2 == 0) {
		/* Another type than the one that was asked for. */
		sd_bus_message_append(reply, "v", "d", 0.5);
	} else if (strcmp(property, "ChildCount") == 0) {
		sd_bus_message_append(reply, "v", "i", child_count(id));
	} else if (strcmp(property, "Parent") == 0) {
		g_autofree char *parent = path_of(is("foreign") && id > FRAME ? FRAME : 0);
		sd_bus_message_append(reply, "v", "(so)", bus, parent);
	} else if (strcmp(property, "Id") == 0) {
		sd_bus_message_append(reply, "v", "i", 1);
	} else if (strcmp(property, "Name") == 0) {
		g_autofree char *name = name_of(id);
		sd_bus_message_append(reply, "v", "s", name);
	} else {
		sd_bus_message_append(reply, "v", "s", "hostile");
	}
	return true;
}

static bool answer_other(sd_bus_message *call, sd_bus_message *reply, int id)
{
	const char *member = sd_bus_message_get_member(call);

	if (strcmp(member, "GetExtents") == 0) {
		if (is("lies") && id > FRAME) {
			sd_bus_message_append(reply, "(iiii)", INT_MIN, INT_MAX, INT_MAX, INT_MAX);
		} else {
			sd_bus_message_append(reply, "(iiii)", place.x, place.y, place.width, place.height);
		}
	} else if (strcmp(member, "GetActions") == 0) {
		sd_bus_message_append(reply, "a(sss)", 1, "click", "", "");
	} else if (strcmp(member, "GetName") == 0) {
		sd_bus_message_append(reply, "s", "click");
	} else if (strcmp(member, "DoAction") == 0) {
		sd_bus_message_append(reply, "b", 1);
	} else {
		return false;
	}
	return true;
}

/* What it does to itself, or to whoever asks, at that request. False: no answer. */
static bool misbehave(sd_bus_message *call)
{
	/* Before it is registered nobody else knows it. */
	if (!registry || g_strcmp0(sd_bus_message_get_sender(call), registry) == 0) {
		return true;
	}
	requests++;
	if (requests >= after && is("crash")) {
		_exit(1);
	}
	if (requests == after && is("stop")) {
		raise(SIGSTOP);
	}
	if (is("slow")) {
		usleep(20000);
	}
	return requests != after || !is("silent");
}

static int on_call(sd_bus_message *call, void *data, sd_bus_error *error)
{
	const char *path = sd_bus_message_get_path(call);
	const char *interface = sd_bus_message_get_interface(call);
	sd_bus_message *reply = NULL;
	const char *bus = NULL;

	(void)data;
	(void)error;
	if (!sd_bus_message_is_method_call(call, NULL, NULL) || !path || !g_str_has_prefix(path, PREFIX)) {
		return 0;
	}
	if (!misbehave(call)) {
		return 1;
	}
	int id = atoi(path + strlen(PREFIX));
	/* What was a child a moment ago does not exist any more. */
	if (is("churn") && id > FRAME && id < churned - 10) {
		return sd_bus_reply_method_errorf(call, "org.freedesktop.DBus.Error.UnknownObject", "Gone");
	}
	sd_bus_get_unique_name(sd_bus_message_get_bus(call), &bus);
	sd_bus_message_new_method_return(call, &reply);
	bool known = !interface ? false
		: strcmp(interface, ACCESSIBLE) == 0 ? answer_accessible(call, reply, bus, id)
		: strcmp(interface, "org.freedesktop.DBus.Properties") == 0 &&
			strcmp(sd_bus_message_get_member(call), "Get") == 0
			? answer_property(call, reply, bus, id)
		: answer_other(call, reply, id);
	if (known) {
		sd_bus_send(NULL, reply, NULL);
	}
	sd_bus_message_unref(reply);
	return known ? 1 : sd_bus_reply_method_errorf(call, SD_BUS_ERROR_UNKNOWN_METHOD, "No such method");
}

/* --- Being an application ------------------------------------------------------------------------ */

static sd_bus *open_bus(const char *address)
{
	sd_bus *bus = NULL;

	if (sd_bus_new(&bus) < 0 || sd_bus_set_address(bus, address) < 0 ||
		sd_bus_set_bus_client(bus, 1) < 0 || sd_bus_start(bus) < 0) {
		g_printerr("no bus %s\n", address);
		exit(1);
	}
	return bus;
}

static void open_window(void);

static int on_embedded(sd_bus_message *reply, void *data, sd_bus_error *error)
{
	(void)data;
	(void)error;
	if (sd_bus_message_is_method_error(reply, NULL) > 0) {
		g_printerr("the registry does not want it\n");
		exit(1);
	}
	registry = g_strdup(sd_bus_message_get_sender(reply));
	open_window();
	return 1;
}

static sd_bus *join(void)
{
	sd_bus *session = open_bus(g_getenv("DBUS_SESSION_BUS_ADDRESS"));
	sd_bus_message *reply = NULL;
	const char *address, *name;

	if (sd_bus_call_method(session, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress",
		NULL, &reply, "") < 0 || sd_bus_message_read(reply, "s", &address) < 0) {
		g_printerr("no accessibility bus\n");
		exit(1);
	}
	sd_bus *bus = open_bus(address);
	sd_bus_message_unref(reply);
	sd_bus_flush_close_unref(session);
	sd_bus_add_filter(bus, NULL, on_call, NULL);
	sd_bus_get_unique_name(bus, &name);
	/* Called without waiting: the registry asks back before it answers. */
	sd_bus_call_method_async(bus, NULL, "org.a11y.atspi.Registry", PREFIX "root",
		"org.a11y.atspi.Socket", "Embed", on_embedded, NULL, "(so)", name, PREFIX "root");
	return bus;
}

static void open_window(void)
{
	xcb_connection_t *x = xcb_connect(NULL, NULL);
	xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(x)).data;
	xcb_window_t window = xcb_generate_id(x);
	uint32_t pid = (uint32_t)getpid(), values[] = { screen->white_pixel };
	xcb_intern_atom_reply_t *atom = xcb_intern_atom_reply(x, xcb_intern_atom(x, 0,
		strlen("_NET_WM_PID"), "_NET_WM_PID"), NULL);

	xcb_create_window(x, XCB_COPY_FROM_PARENT, window, screen->root, (int16_t)place.x, (int16_t)place.y,
		(uint16_t)place.width, (uint16_t)place.height, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT,
		XCB_COPY_FROM_PARENT, XCB_CW_BACK_PIXEL, values);
	xcb_change_property(x, XCB_PROP_MODE_REPLACE, window, XCB_ATOM_WM_NAME, XCB_ATOM_STRING, 8,
		(uint32_t)strlen(title), title);
	xcb_change_property(x, XCB_PROP_MODE_REPLACE, window, atom->atom, XCB_ATOM_CARDINAL, 32, 1, &pid);
	free(atom);
	xcb_map_window(x, window);
	xcb_flush(x);
}

int main(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i += 2) {
		if (strcmp(argv[i], "--mode") == 0) {
			mode = argv[i + 1];
		} else if (strcmp(argv[i], "--after") == 0) {
			after = atoi(argv[i + 1]);
		} else if (strcmp(argv[i], "--victim") == 0) {
			victim = argv[i + 1];
		} else if (strcmp(argv[i], "--object") == 0) {
			object = argv[i + 1];
		} else if (strcmp(argv[i], "--title") == 0) {
			title = argv[i + 1];
		}
	}
	sd_bus *bus = join();
	for (;;) {
		int result = sd_bus_process(bus, NULL);

		if (result < 0 || (result == 0 && sd_bus_wait(bus, UINT64_MAX) < 0)) {
			return 1;
		}
	}
}
