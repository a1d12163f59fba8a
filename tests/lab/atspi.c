/* SPDX-License-Identifier: MIT */
/*
 * A second pair of eyes on the accessibility bus: its own code, sequential and small. Slow (one
 * question at a time) and meant to be.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <systemd/sd-bus.h>

#include "internal.h"

#define ACCESSIBLE "org.a11y.atspi.Accessible"
#define ROOT "/org/a11y/atspi/accessible/root"
#define MOST_NODES 5000
/* Of a container with more children than this only the first few are looked at. */
#define MANY_CHILDREN 10000
#define FEW_CHILDREN 20

static sd_bus *open_bus(const char *address)
{
	sd_bus *bus = NULL;

	if (sd_bus_new(&bus) < 0 || sd_bus_set_address(bus, address) < 0 ||
		sd_bus_set_bus_client(bus, 1) < 0 || sd_bus_start(bus) < 0) {
		lab_fail("cannot connect to the bus %s", address);
	}
	/* An application that does not answer is an answer, too. */
	sd_bus_set_method_call_timeout(bus, 2 * G_USEC_PER_SEC);
	return bus;
}

static sd_bus *accessibility_bus(struct lab_desk *desk)
{
	sd_bus_message *reply = NULL;
	const char *session = g_environ_getenv(desk->env, "DBUS_SESSION_BUS_ADDRESS");
	const char *address;

	if (desk->bus) {
		return desk->bus;
	}
	if (!session) {
		lab_fail("%s has no session bus", desk->name);
	}
	sd_bus *bus = open_bus(session);
	if (sd_bus_call_method(bus, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress",
		NULL, &reply, "") < 0 || sd_bus_message_read(reply, "s", &address) < 0) {
		lab_fail("%s has no accessibility bus", desk->name);
	}
	desk->bus = open_bus(address);
	sd_bus_message_unref(reply);
	sd_bus_unref(bus);
	return desk->bus;
}

static void add_child(GPtrArray *children, const char *name, const char *path)
{
	struct lab_node *node = g_new0(struct lab_node, 1);

	node->bus = g_strdup(name);
	node->path = g_strdup(path);
	g_ptr_array_add(children, node);
}

/* A spreadsheet says it has two thousand million children and hangs for good if asked for all. */
static void add_first_children(sd_bus *bus, const char *name, const char *path, GPtrArray *children)
{
	for (int i = 0; i < FEW_CHILDREN; i++) {
		sd_bus_message *reply = NULL;
		const char *child_name, *child_path;

		if (sd_bus_call_method(bus, name, path, ACCESSIBLE, "GetChildAtIndex", NULL, &reply, "i",
			i) >= 0 && sd_bus_message_read(reply, "(so)", &child_name, &child_path) > 0) {
			add_child(children, child_name, child_path);
		}
		sd_bus_message_unref(reply);
	}
}

static GPtrArray *children_of(sd_bus *bus, const char *name, const char *path)
{
	GPtrArray *children = g_ptr_array_new();
	sd_bus_message *reply = NULL;
	const char *child_name, *child_path;
	int32_t count = 0;

	sd_bus_get_property_trivial(bus, name, path, ACCESSIBLE, "ChildCount", NULL, 'i', &count);
	if (count > MANY_CHILDREN) {
		add_first_children(bus, name, path, children);
		return children;
	}
	if (sd_bus_call_method(bus, name, path, ACCESSIBLE, "GetChildren", NULL, &reply, "") >= 0 &&
		sd_bus_message_enter_container(reply, 'a', "(so)") >= 0) {
		while (sd_bus_message_read(reply, "(so)", &child_name, &child_path) > 0) {
			add_child(children, child_name, child_path);
		}
	}
	sd_bus_message_unref(reply);
	return children;
}

/*
 * The roles that tests look for, by the protocol's number: what GetRoleName says differs by release
 * (the push button is a "button" from at-spi2-core 2.53 on) and by toolkit (GTK 4.8 has a "text
 * box", Qt 5.15.8 a "spin box").
 */
static const char *known_role(uint32_t number)
{
	static const struct {
		uint32_t number;
		const char *name;
	} roles[] = {
		{ 7, "check box" },
		{ 11, "combo box" },
		{ 23, "frame" },
		{ 29, "label" },
		{ 33, "menu" },
		{ 37, "page tab" },
		{ 43, "push button" },
		{ 44, "radio button" },
		{ 45, "radio menu item" },
		{ 52, "spin button" },
		{ 55, "table" },
		{ 56, "table cell" },
		{ 61, "text" },
		{ 62, "toggle button" },
		{ 75, "application" },
		{ 79, "entry" },
	};

	for (guint i = 0; i < G_N_ELEMENTS(roles); i++) {
		if (roles[i].number == number) {
			return roles[i].name;
		}
	}
	return NULL;
}

char *lab_atspi_role(sd_bus *bus, const struct lab_node *node)
{
	sd_bus_message *reply = NULL;
	uint32_t number = 0;
	const char *name = NULL;

	if (sd_bus_call_method(bus, node->bus, node->path, ACCESSIBLE, "GetRole", NULL, &reply, "")
			< 0
		|| sd_bus_message_read(reply, "u", &number) < 0) {
		sd_bus_message_unref(reply);
		return NULL;
	}
	sd_bus_message_unref(reply);
	reply = NULL;
	name = known_role(number);
	if (!name
		&& sd_bus_call_method(
			   bus, node->bus, node->path, ACCESSIBLE, "GetRoleName", NULL, &reply, "")
			>= 0) {
		sd_bus_message_read(reply, "s", &name);
	}
	char *role = g_strdup(name);
	sd_bus_message_unref(reply);
	return role;
}

static void read_names(sd_bus *bus, struct lab_node *node)
{
	char *name = NULL;

	node->role = lab_atspi_role(bus, node);
	if (!node->role) {
		node->role = g_strdup("");
	}
	sd_bus_get_property_string(bus, node->bus, node->path, ACCESSIBLE, "Name", NULL, &name);
	node->name = name ? name : g_strdup("");
}

static pid_t pid_of(sd_bus *bus, const char *name)
{
	sd_bus_message *reply = NULL;
	uint32_t pid = 0;

	if (sd_bus_call_method(bus, "org.freedesktop.DBus", "/org/freedesktop/DBus",
		"org.freedesktop.DBus", "GetConnectionUnixProcessID", NULL, &reply, "s", name) >= 0) {
		sd_bus_message_read(reply, "u", &pid);
	}
	sd_bus_message_unref(reply);
	return (pid_t)pid;
}

/* The application object of a process; NULL if it is not on the bus. */
static struct lab_node *application(struct lab_desk *desk, pid_t pid)
{
	sd_bus *bus = accessibility_bus(desk);
	GPtrArray *applications = children_of(bus, "org.a11y.atspi.Registry", ROOT);

	for (guint i = 0; i < applications->len; i++) {
		struct lab_node *node = g_ptr_array_index(applications, i);

		if (pid_of(bus, node->bus) == pid) {
			return node;
		}
	}
	return NULL;
}

static bool search(sd_bus *bus, struct lab_node *node, const char *role, const char *name,
	int *budget, struct lab_node *found)
{
	if ((*budget)-- <= 0) {
		return false;
	}
	read_names(bus, node);
	if ((!role || g_str_equal(role, node->role)) && (!name || g_str_equal(name, node->name))) {
		*found = *node;
		return true;
	}
	GPtrArray *children = children_of(bus, node->bus, node->path);
	for (guint i = 0; i < children->len; i++) {
		if (search(bus, g_ptr_array_index(children, i), role, name, budget, found)) {
			return true;
		}
	}
	return false;
}

struct lab_node lab_atspi_find(struct lab_desk *desk, pid_t pid, const char *role, const char *name)
{
	struct lab_node found = { 0 };
	struct lab_node *top = application(desk, pid);
	int budget = MOST_NODES;

	if (top) {
		search(accessibility_bus(desk), top, role, name, &budget, &found);
	}
	return found;
}

struct lab_node lab_atspi_find_in(
	struct lab_desk *desk, const struct lab_node *top, const char *role, const char *name)
{
	struct lab_node found = { 0 }, from = *top;
	int budget = MOST_NODES;

	search(accessibility_bus(desk), &from, role, name, &budget, &found);
	return found;
}

struct lab_node lab_atspi_cell(struct lab_desk *desk, const struct lab_node *table, int row, int column)
{
	sd_bus *bus = accessibility_bus(desk);
	sd_bus_message *reply = NULL;
	struct lab_node cell = { 0 };
	const char *name, *path;

	if (sd_bus_call_method(bus, table->bus, table->path, "org.a11y.atspi.Table", "GetAccessibleAt", NULL, &reply,
		"ii", row, column) >= 0 && sd_bus_message_read(reply, "(so)", &name, &path) > 0) {
		cell.bus = g_strdup(name);
		cell.path = g_strdup(path);
		read_names(bus, &cell);
	}
	sd_bus_message_unref(reply);
	return cell;
}

static char *text_of(sd_bus *bus, const struct lab_node *node)
{
	sd_bus_message *reply = NULL;
	const char *text = NULL;
	int32_t count = -1;

	/* Not to -1, the end, where it can be told: the entries of GTK 4 answer that with nothing.
	 */
	sd_bus_get_property_trivial(bus, node->bus, node->path, "org.a11y.atspi.Text",
		"CharacterCount", NULL, 'i', &count);
	if (sd_bus_call_method(bus, node->bus, node->path, "org.a11y.atspi.Text", "GetText", NULL,
		&reply, "ii", 0, count) >= 0) {
		sd_bus_message_read(reply, "s", &text);
	}
	char *copy = g_strdup(text);
	sd_bus_message_unref(reply);
	return copy;
}

char *lab_atspi_node_text(struct lab_desk *desk, const struct lab_node *node)
{
	return text_of(accessibility_bus(desk), node);
}

char *lab_atspi_text(struct lab_desk *desk, pid_t pid, const char *role, const char *name)
{
	struct lab_node node = lab_atspi_find(desk, pid, role, name);

	return node.path ? text_of(accessibility_bus(desk), &node) : NULL;
}

void lab_atspi_until_text(struct lab_desk *desk, pid_t pid, const char *role, const char *name,
	const char *text, int ms)
{
	struct lab_node node = lab_atspi_find(desk, pid, role, name);
	gint64 deadline = lab_deadline(ms);
	char *now = NULL;

	if (!node.path) {
		lab_fail("process %d has no %s \"%s\"", pid, role ? role : "node", name ? name : "");
	}
	/*
	 * Asking again and again: each question is answered from the application's own main loop, so
	 * it also lets the application get on. Listening for text-changed would register a listener,
	 * and that changes what applications emit.
	 */
	do {
		now = text_of(accessibility_bus(desk), &node);
		if (now) {
			now[strcspn(now, "\n")] = '\0';
			if (g_str_equal(g_strstrip(now), text)) {
				return;
			}
		}
		poll(NULL, 0, 5);
	} while (lab_left(deadline) > 0);
	lab_fail("the application shows \"%s\", not \"%s\"", now ? now : "(nothing)", text);
}

bool lab_atspi_has_state(struct lab_desk *desk, const struct lab_node *node,
	enum lab_atspi_state state)
{
	sd_bus_message *reply = NULL;
	const void *words = NULL;
	size_t size = 0;
	bool has = false;

	if (sd_bus_call_method(accessibility_bus(desk), node->bus, node->path, ACCESSIBLE, "GetState",
		NULL, &reply, "") >= 0 &&
		sd_bus_message_read_array(reply, 'u', &words, &size) >= 0 && size >= 8) {
		has = ((const uint32_t *)words)[state / 32] & (UINT32_C(1) << state % 32);
	}
	sd_bus_message_unref(reply);
	return has;
}

void lab_atspi_press(struct lab_desk *desk, const struct lab_node *node)
{
	sd_bus_message *reply = NULL;
	int done = 0;

	if (sd_bus_call_method(accessibility_bus(desk), node->bus, node->path,
		"org.a11y.atspi.Action", "DoAction", NULL, &reply, "i", 0) < 0 ||
		sd_bus_message_read(reply, "b", &done) < 0 || !done) {
		lab_fail("%s \"%s\" cannot be pressed", node->role, node->name);
	}
	sd_bus_message_unref(reply);
}

void lab_atspi_until_present(struct lab_desk *desk, pid_t pid, int ms)
{
	gint64 deadline = lab_deadline(ms);

	/* The registry tells of new applications only to listeners (see above): look again. */
	do {
		struct lab_node *node = application(desk, pid);

		if (node && children_of(accessibility_bus(desk), node->bus, node->path)->len > 0) {
			return;
		}
		poll(NULL, 0, 10);
	} while (lab_left(deadline) > 0);
	lab_fail("process %d did not come to the accessibility bus within %d ms", pid, ms);
}
