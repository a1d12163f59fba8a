/* SPDX-License-Identifier: MIT */
#include "floor.h"

#include <string.h>

#define ACCESSIBLE "org.a11y.atspi.Accessible"
#define ACTION "org.a11y.atspi.Action"
#define PROPERTIES "org.freedesktop.DBus.Properties"
#define ROOT "/org/a11y/atspi/accessible/root"

enum {
	MOST_NODES = 50000,
	STATE_FOCUSABLE = 11, STATE_SHOWING = 25, STATE_VISIBLE = 30,
	ROLE_MENU = 33, ROLE_STATIC = 116,
	HAS_ACTION = 1, HAS_COMPONENT = 2, HAS_TEXT = 4, HAS_EDITABLE = 8, HAS_VALUE = 16, HAS_IMAGE = 32,
};

enum ask {
	ASK_APPLICATIONS, ASK_PID, ASK_ADDRESS, ASK_FRAMES, ASK_ITEMS, ASK_ROLE, ASK_NAME, ASK_STATES,
	ASK_INTERFACES, ASK_COUNT, ASK_CHILDREN, ASK_BELOW, ASK_LEAF,
};

struct node {
	char *path;
	struct node *parent;
	uint32_t role, states;
	unsigned interfaces;
	int children, basics;
	bool named;
	bool frugal; /* asked for what role and states do not tell */
};

struct request {
	enum ask ask;
	struct node *node; /* or the application's name */
};

/* An item of the cache; strings are copied, for the buffer moves. */
struct item {
	char *path;
	uint32_t role, states;
	unsigned interfaces;
	int children;
	GPtrArray *below; /* struct item, as they come */
};

struct floor {
	struct wire *bus;
	GHashTable *pids;     /* bus name → pid */
	GHashTable *private;  /* bus name → struct wire */
	/* One reading. */
	struct wire *wire;    /* where the application is asked */
	struct floor_way way;
	const char *name;     /* of the application */
	GArray *requests;     /* by serial on `wire` since `first` */
	uint32_t first;
	GHashTable *items;    /* path → struct item */
	GPtrArray *nodes;
	char *frame, *address;
	int pending;
};

static void node_free(void *data)
{
	struct node *node = data;
	g_free(node->path);
	g_free(node);
}

static void item_free(void *data)
{
	struct item *item = data;
	g_free(item->path);
	g_ptr_array_unref(item->below);
	g_free(item);
}

struct floor *floor_new(const char *bus_address)
{
	struct wire *bus = wire_open(bus_address, true);
	if (bus == NULL) {
		return NULL;
	}
	struct floor *floor = g_new0(struct floor, 1);
	floor->bus = bus;
	floor->pids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	floor->private = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
		(GDestroyNotify)wire_close);
	floor->requests = g_array_new(FALSE, FALSE, sizeof(struct request));
	/* Applications keep a cache only while somebody listens. */
	wire_call(bus, "org.a11y.atspi.Registry", "/org/a11y/atspi/registry", "org.a11y.atspi.Registry",
		"RegisterEvent", "sass", "window:desktop-create", "");
	return floor;
}

void floor_free(struct floor *floor)
{
	if (floor == NULL) {
		return;
	}
	g_hash_table_unref(floor->private);
	g_hash_table_unref(floor->pids);
	g_array_unref(floor->requests);
	wire_close(floor->bus);
	g_free(floor);
}

/* Remembers what was asked with the call that was just queued. */
static void note(struct floor *floor, uint32_t serial, enum ask ask, void *node)
{
	struct request request = { ask, node };
	if (floor->requests->len == 0) {
		floor->first = serial;
	}
	g_array_append_val(floor->requests, request);
	floor->pending++;
}

static void ask(struct floor *floor, struct node *node, const char *interface, const char *member,
	enum ask what)
{
	note(floor, wire_call(floor->wire, floor->name, node->path, interface, member, ""), what, node);
}

static void get(struct floor *floor, struct node *node, const char *interface, const char *property,
	enum ask what)
{
	note(floor, wire_call(floor->wire, floor->name, node->path, PROPERTIES, "Get", "ss", interface,
		property), what, node);
}

static bool is_showing(const struct floor *floor, const struct node *node)
{
	return node->states >> STATE_SHOWING & 1
		|| (floor->way.gtk4 && node->states >> STATE_VISIBLE & 1);
}

static bool has_text_value(uint32_t role)
{
	/* terminal, text, entry, password is not read, document text, paragraph, spin button, combo box */
	return role == 60 || role == 61 || role == 79 || role == 52 || role == 11;
}

/* In Qt and Chromium these have no value and no text: a list of interfaces would tell nothing. */
static bool is_plain(uint32_t role)
{
	static const uint8_t plain[] = { 7, 16, 20, 23, 27, 29, 30, 33, 34, 35, 37, 38, 39, 41, 43, 44, 49, 50,
		53, 54, 62, 63, 83, 85, 88, 116 };
	return memchr(plain, (int)MIN(role, 255), sizeof plain) != NULL;
}

/* Nothing is inside, or nothing that anybody sees while it is hidden itself. */
static bool is_leaf(uint32_t role)
{
	return role == 7 || role == 29 || role == 43 || role == 44 || role == 50 || role == 62;
}

static bool is_container(uint32_t role)
{
	return role == 20 || role == 23 || role == 29 || role == 39 || role == 50;
}

static void ask_text(struct floor *floor, struct node *node)
{
	if (node->interfaces & HAS_VALUE) {
		get(floor, node, "org.a11y.atspi.Value", "CurrentValue", ASK_LEAF);
	}
	if (node->interfaces & HAS_TEXT
		&& (has_text_value(node->role) || node->interfaces & HAS_EDITABLE)) {
		note(floor, wire_call(floor->wire, floor->name, node->path, "org.a11y.atspi.Text", "GetText",
			"ii", 0u, 10000u), ASK_LEAF, node);
	}
}

/* GTK3's buttons of all kinds, which alone have an image besides, can be clicked and nothing else. */
static bool is_button(const struct node *node)
{
	return node->interfaces & HAS_IMAGE
		&& (node->role == 7 || node->role == 43 || node->role == 44 || node->role == 62);
}

static void ask_details(struct floor *floor, struct node *node)
{
	if (node->frugal) {
		bool active = floor->way.chromium || !is_container(node->role)
			|| node->states >> STATE_FOCUSABLE & 1;
		node->interfaces = HAS_COMPONENT | (active ? HAS_ACTION : 0);
		if (!is_plain(node->role)) {
			ask(floor, node, ACCESSIBLE, "GetInterfaces", ASK_INTERFACES);
		}
		if (node->interfaces & HAS_ACTION && node->role != ROLE_STATIC
			&& (is_showing(floor, node) || !node->named)) {
			get(floor, node, ACCESSIBLE, "Description", ASK_LEAF);
		}
	}
	if (is_showing(floor, node) && node->interfaces & HAS_COMPONENT) {
		note(floor, wire_call(floor->wire, floor->name, node->path, "org.a11y.atspi.Component",
			"GetExtents", "u", floor->way.gtk4 ? 1u : 0u), ASK_LEAF, node);
	}
	if (floor->way.chromium) {
		if (node->role != ROLE_STATIC) {
			note(floor, wire_call(floor->wire, floor->name, node->path, ACTION, "GetName", "i", 0u),
				ASK_LEAF, node);
			/* What can be scrolled has more actions than two. */
			if (!is_leaf(node->role) && node->role != 88) {
				get(floor, node, ACTION, "NActions", ASK_LEAF);
			}
		}
	} else if (node->interfaces & HAS_ACTION && !(floor->way.gtk3 && is_button(node))) {
		ask(floor, node, ACTION, "GetActions", ASK_LEAF);
	}
	ask_text(floor, node);
}

static void add_node(struct floor *floor, struct node *parent, const char *path);

static bool add_items(struct floor *floor, struct node *node, const struct item *item)
{
	/* GTK3 does not count the entries of menus, and a closed one has none that matter. */
	if (item->children < 0) {
		return true;
	}
	if (item->below->len != (guint)item->children) {
		return false;
	}
	for (guint i = 0; i < item->below->len; i++) {
		add_node(floor, node, ((const struct item *)item->below->pdata[i])->path);
	}
	return true;
}

static bool is_closed_entry(const struct floor *floor, const struct node *node)
{
	return node->parent != NULL && node->parent->role == ROLE_MENU && !is_showing(floor, node);
}

static void known(struct floor *floor, struct node *node)
{
	ask_details(floor, node);
	struct item *item = floor->items != NULL ? g_hash_table_lookup(floor->items, node->path) : NULL;
	if (node->children == 0 || is_closed_entry(floor, node)
		|| (node->frugal && (node->role == ROLE_STATIC
			|| (is_leaf(node->role) && !is_showing(floor, node))))) {
		return;
	}
	if (item == NULL || !add_items(floor, node, item)) {
		ask(floor, node, ACCESSIBLE, "GetChildren", ASK_CHILDREN);
	}
}

static void add_node(struct floor *floor, struct node *parent, const char *path)
{
	if (floor->nodes->len >= MOST_NODES) {
		return;
	}
	struct node *node = g_new0(struct node, 1);
	node->path = g_strdup(path);
	node->parent = parent;
	g_ptr_array_add(floor->nodes, node);
	struct item *item = floor->items != NULL ? g_hash_table_lookup(floor->items, path) : NULL;
	if (item != NULL) {
		node->role = item->role;
		node->states = item->states;
		node->interfaces = item->interfaces;
		node->children = item->children;
		known(floor, node);
		return;
	}
	node->frugal = floor->way.qt5 || floor->way.chromium;
	node->basics = node->frugal ? 3 : 5;
	ask(floor, node, ACCESSIBLE, "GetRole", ASK_ROLE);
	get(floor, node, ACCESSIBLE, "Name", ASK_NAME);
	ask(floor, node, ACCESSIBLE, "GetState", ASK_STATES);
	if (node->frugal) {
		node->children = 1;
		return;
	}
	ask(floor, node, ACCESSIBLE, "GetInterfaces", ASK_INTERFACES);
	get(floor, node, ACCESSIBLE, "ChildCount", ASK_COUNT);
}

static unsigned read_interfaces(struct wire_cursor *cursor)
{
	unsigned interfaces = 0;
	uint32_t size = wire_u32(cursor);
	uint32_t end = cursor->at + size;
	while (cursor->at < end && !cursor->bad) {
		const char *name = wire_string(cursor);
		if (strlen(name) < 16) {
			continue;
		}
		name += 15;
		interfaces |= strcmp(name, "Action") == 0 ? HAS_ACTION : strcmp(name, "Component") == 0
			? HAS_COMPONENT : strcmp(name, "Text") == 0 ? HAS_TEXT
			: strcmp(name, "EditableText") == 0 ? HAS_EDITABLE
			: strcmp(name, "Value") == 0 ? HAS_VALUE : strcmp(name, "Image") == 0 ? HAS_IMAGE : 0;
	}
	return interfaces;
}

static uint32_t read_states(struct wire_cursor *cursor)
{
	wire_u32(cursor);
	uint32_t low = wire_u32(cursor);
	wire_u32(cursor);
	return low;
}

static struct item *item_of(struct floor *floor, const char *path)
{
	struct item *item = g_hash_table_lookup(floor->items, path);
	if (item == NULL) {
		item = g_new0(struct item, 1);
		item->path = g_strdup(path);
		item->below = g_ptr_array_new();
		g_hash_table_insert(floor->items, item->path, item);
	}
	return item;
}

static void take_items(struct floor *floor, struct wire_cursor cursor)
{
	uint32_t size = wire_u32(&cursor);
	wire_align(&cursor, 8);
	uint32_t end = cursor.at + size;
	floor->items = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, item_free);
	while (cursor.at < end && !cursor.bad) {
		wire_align(&cursor, 8);
		wire_string(&cursor);
		const char *path = wire_string(&cursor);
		wire_align(&cursor, 8);
		wire_string(&cursor);
		wire_string(&cursor);
		wire_align(&cursor, 8);
		wire_string(&cursor);
		const char *parent = wire_string(&cursor);
		struct item *item = item_of(floor, path);
		wire_u32(&cursor);
		item->children = (int)wire_u32(&cursor);
		item->interfaces = read_interfaces(&cursor);
		wire_string(&cursor);
		item->role = wire_u32(&cursor);
		wire_string(&cursor);
		item->states = read_states(&cursor);
		g_ptr_array_add(item_of(floor, parent)->below, item);
	}
	if (g_hash_table_size(floor->items) == 0) {
		g_clear_pointer(&floor->items, g_hash_table_unref);
	}
}

static void take_children(struct floor *floor, struct node *node, struct wire_cursor cursor)
{
	uint32_t size = wire_u32(&cursor);
	wire_align(&cursor, 8);
	uint32_t end = cursor.at + size;
	while (cursor.at < end && !cursor.bad) {
		wire_align(&cursor, 8);
		wire_string(&cursor);
		add_node(floor, node, wire_string(&cursor));
	}
}

/* Asks for what is below, so that GTK4 makes it, and its cache knows it. */
static void realise(struct floor *floor, const char *path)
{
	struct item *item = g_hash_table_lookup(floor->items, path);
	if (item == NULL || item->children < 0 || item->below->len != (guint)item->children) {
		note(floor, wire_call(floor->wire, floor->name, path, ACCESSIBLE, "GetChildren", ""), ASK_BELOW,
			NULL);
		return;
	}
	for (guint i = 0; i < item->below->len; i++) {
		realise(floor, ((const struct item *)item->below->pdata[i])->path);
	}
}

static void take_below(struct floor *floor, struct wire_cursor cursor)
{
	uint32_t size = wire_u32(&cursor);
	wire_align(&cursor, 8);
	uint32_t end = cursor.at + size;
	while (cursor.at < end && !cursor.bad) {
		wire_align(&cursor, 8);
		wire_string(&cursor);
		realise(floor, wire_string(&cursor));
	}
}

/* The first (so) of a list, as the path of the frame. */
static void take_frame(struct floor *floor, struct wire_cursor cursor)
{
	wire_u32(&cursor);
	wire_align(&cursor, 8);
	wire_string(&cursor);
	g_free(floor->frame);
	floor->frame = g_strdup(wire_string(&cursor));
}

static void basic(struct floor *floor, struct node *node)
{
	if (--node->basics == 0) {
		known(floor, node);
	}
}

static void take(struct floor *floor, const struct request *request, struct wire_cursor cursor)
{
	struct node *node = request->node;
	switch (request->ask) {
	case ASK_ROLE:
		node->role = wire_u32(&cursor);
		basic(floor, node);
		break;
	case ASK_NAME:
		wire_variant(&cursor);
		node->named = wire_string(&cursor)[0] != '\0';
		basic(floor, node);
		break;
	case ASK_STATES:
		node->states = read_states(&cursor);
		basic(floor, node);
		break;
	case ASK_INTERFACES:
		node->interfaces = read_interfaces(&cursor);
		if (node->frugal) {
			ask_text(floor, node);
		} else {
			basic(floor, node);
		}
		break;
	case ASK_COUNT:
		wire_variant(&cursor);
		node->children = (int)wire_u32(&cursor);
		basic(floor, node);
		break;
	case ASK_CHILDREN:
		take_children(floor, node, cursor);
		break;
	case ASK_BELOW:
		take_below(floor, cursor);
		break;
	case ASK_ITEMS:
		take_items(floor, cursor);
		break;
	case ASK_FRAMES:
		take_frame(floor, cursor);
		break;
	case ASK_ADDRESS:
		g_free(floor->address);
		floor->address = g_strdup(wire_string(&cursor));
		break;
	case ASK_APPLICATIONS:
	case ASK_PID:
	case ASK_LEAF:
		break;
	}
}

/* Takes answers until nothing is pending. */
static bool drain(struct floor *floor)
{
	struct wire_message message;
	while (floor->pending > 0 && wire_next(floor->wire, &message)) {
		uint32_t place = message.reply_to - floor->first;
		if (message.reply_to == 0 || place >= floor->requests->len) {
			continue;
		}
		floor->pending--;
		struct request request = g_array_index(floor->requests, struct request, place);
		struct wire_message none = { 0 };
		take(floor, &request, wire_read(message.type == 2 ? &message : &none));
	}
	bool ok = floor->pending == 0;
	g_array_set_size(floor->requests, 0);
	floor->pending = 0;
	return ok;
}

/* The bus name of the process; names whose pid is known are not asked about again. */
static const char *find(struct floor *floor, pid_t pid)
{
	struct wire *bus = floor->bus;
	struct wire_message message;
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GArray) serials = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	uint32_t serial = wire_call(bus, "org.a11y.atspi.Registry", ROOT, ACCESSIBLE, "GetChildren", "");
	while (wire_next(bus, &message) && message.reply_to != serial) {
	}
	struct wire_cursor cursor = wire_read(&message);
	uint32_t end = wire_u32(&cursor) + 8;
	wire_align(&cursor, 8);
	while (cursor.at < end && !cursor.bad) {
		wire_align(&cursor, 8);
		g_ptr_array_add(names, g_strdup(wire_string(&cursor)));
		wire_string(&cursor);
	}
	for (guint i = 0; i < names->len; i++) {
		serial = g_hash_table_contains(floor->pids, names->pdata[i]) ? 0
			: wire_call(bus, "org.freedesktop.DBus", "/org/freedesktop/DBus",
				"org.freedesktop.DBus", "GetConnectionUnixProcessID", "s", names->pdata[i]);
		g_array_append_val(serials, serial);
	}
	for (guint i = 0; i < names->len; i++) {
		serial = g_array_index(serials, uint32_t, i);
		if (serial == 0) {
			continue;
		}
		while (wire_next(bus, &message) && message.reply_to != serial) {
		}
		cursor = wire_read(&message);
		g_hash_table_insert(floor->pids, g_strdup(names->pdata[i]),
			GUINT_TO_POINTER(wire_u32(&cursor)));
	}
	for (guint i = 0; i < names->len; i++) {
		gpointer name = NULL, owner = NULL;
		g_hash_table_lookup_extended(floor->pids, names->pdata[i], &name, &owner);
		if (GPOINTER_TO_UINT(owner) == (guint)pid) {
			return name;
		}
	}
	return NULL;
}

static void ask_items(struct floor *floor)
{
	note(floor, wire_call(floor->wire, floor->name, "/org/a11y/atspi/cache", "org.a11y.atspi.Cache",
		"GetItems", ""), ASK_ITEMS, NULL);
}

static bool read_tree(struct floor *floor, bool first)
{
	struct node root = { .path = (char *)ROOT };
	bool ask_again = false;
	if (first && floor->way.cache && !floor->way.gtk4) {
		note(floor, wire_call(floor->wire, floor->name, ROOT, "org.a11y.atspi.Application",
			"GetApplicationBusAddress", ""), ASK_ADDRESS, NULL);
	}
	ask(floor, &root, ACCESSIBLE, "GetChildren", ASK_FRAMES);
	if (floor->way.cache) {
		ask_items(floor);
	}
	if (!drain(floor) || floor->frame == NULL) {
		return false;
	}
	if (floor->way.gtk4 && floor->items != NULL) {
		realise(floor, floor->frame);
		if (floor->pending > 0) {
			ask_again = drain(floor);
		}
		if (ask_again) {
			g_clear_pointer(&floor->items, g_hash_table_unref);
			ask_items(floor);
			drain(floor);
		}
	}
	add_node(floor, NULL, floor->frame);
	return drain(floor);
}

struct floor_result floor_read(struct floor *floor, pid_t pid, struct floor_way way)
{
	struct floor_result result = { 0 };
	gint64 start = g_get_monotonic_time();
	unsigned bus_before = wire_calls(floor->bus);
	floor->name = find(floor, pid);
	if (floor->name == NULL) {
		return result;
	}
	struct wire *own = g_hash_table_lookup(floor->private, floor->name);
	unsigned own_before = own != NULL ? wire_calls(own) : 0;
	floor->way = way;
	floor->wire = own != NULL ? own : floor->bus;
	floor->nodes = g_ptr_array_new_with_free_func(node_free);
	result.ok = read_tree(floor, own == NULL);
	result.nodes = (int)floor->nodes->len;
	result.messages = wire_calls(floor->bus) - bus_before
		+ (own != NULL ? wire_calls(own) - own_before : 0);
	result.ms = (double)(g_get_monotonic_time() - start) / 1000.0;

	g_clear_pointer(&floor->items, g_hash_table_unref);
	g_clear_pointer(&floor->nodes, g_ptr_array_unref);
	g_clear_pointer(&floor->frame, g_free);
	/* Not part of the time: whoever reads a first time can do so without. */
	if (own == NULL && floor->address != NULL && floor->address[0] != '\0') {
		struct wire *wire = wire_open(floor->address, false);
		if (wire != NULL) {
			g_hash_table_insert(floor->private, g_strdup(floor->name), wire);
		}
	}
	g_clear_pointer(&floor->address, g_free);
	return result;
}
