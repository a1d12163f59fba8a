/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/reader.h"

#include <string.h>

#include "atspi/breaker.h"
#include "atspi/crowd.h"
#include "atspi/node.h"
#include "atspi/role.h"
#include "core/error.h"

/* Of a container with more children than this only those that can be seen are read. */
#define MANY_CHILDREN 1000
/* Deeper than any real window; a tree that contains itself ends here. */
#define DEEPEST 400
/* A field's text is cut here: a document is not a value. */
#define TEXT_LIMIT 10000
/* A child count that nobody asked for, because the list of children cannot be long. */
#define UNCOUNTED G_MININT

struct reader {
	struct link *link;
	const struct reading *reading;
	int nodes;        /* made so far */
	gint64 skipped;   /* children not read because of a limit */
	bool silent;      /* an application was left out, or did not answer */
	bool visible;     /* of some container only what can be seen */
};

static void ask_basics(struct node *node);

static bool send_to(struct node *node, const char *interface, const char *method, link_reply reply)
{
	return link_send(node->reader->link, node->element->provider, node->element->object, interface,
		method, reply, node, NULL);
}

static bool get_of(struct node *node, const char *interface, const char *property, link_reply reply)
{
	return link_get(node->reader->link, node->element->provider, node->element->object, interface,
		property, reply, node);
}

/* A child with a name and path; NULL if a limit says no or it is the null object. */
static void add_child_at(struct node *node, const char *name, const char *path, int place)
{
	struct reader *reader = node->reader;
	if (reader->nodes >= reader->reading->limits.max_elements) {
		reader->skipped++;
		return;
	}
	reader->nodes++;
	if (strcmp(path, "/org/a11y/atspi/null") == 0 || name[0] == '\0') {
		g_ptr_array_add(node->children, NULL);
		return;
	}
	/* Of applications that were silent before nobody waits for a name. */
	if (reader->reading->atspi != NULL && node->parent == NULL
		&& breaker_is_open(reader->reading->atspi, name)) {
		reader->silent = true;
		return;
	}
	struct node *child = node_new(reader, node, name, path, place);
	child->element->provider_id = reader->link->bus_id;
	g_ptr_array_add(node->children, child);
	ask_basics(child);
}

static void add_child(struct node *node, const char *name, const char *path)
{
	add_child_at(node, name, path, (int)node->children->len);
}

static void on_children(sd_bus_message *reply, void *data)
{
	struct node *node = data;
	const char *name, *path;
	if (sd_bus_message_is_method_error(reply, NULL) > 0
		|| sd_bus_message_enter_container(reply, 'a', "(so)") < 0) {
		return;
	}
	while (sd_bus_message_read(reply, "(so)", &name, &path) > 0) {
		add_child(node, name, path);
	}
}

/* One of a crowd; those that were not found count as skipped. */
static void on_found(const char *name, const char *path, int place, void *data)
{
	struct node *node = data;
	node->reader->skipped--;
	node->reader->visible = true;
	add_child_at(node, name, path, place);
}

static bool is_showing(const struct node *node)
{
	return node_is(node, ATSPI_SHOWING)
		|| (node->reader->reading->gtk4 && node_is(node, ATSPI_VISIBLE));
}

/* Entries of a closed menu are not part of what a person sees until it opens. */
static bool is_closed_entry(const struct node *node)
{
	return node->parent != NULL && node->parent->role == ROLE_MENU && !node->reader->reading->light
		&& !node->reader->reading->limits.closed_menus && !is_showing(node);
}

/* The children as the cache knows them; false if it does not know them all. */
static bool add_cached_children(struct node *node)
{
	const struct cache *cache = node->reader->reading->cache;
	const struct cache_item *item = cache != NULL ? cache_item(cache, node->element->provider, node->element->object) : NULL;
	const GPtrArray *children = item != NULL ? cache_children(cache, item) : NULL;
	for (guint i = 0; children != NULL && i < children->len; i++) {
		const struct cache_item *child = children->pdata[i];
		add_child(node, node->element->provider, child->path);
	}
	return children != NULL;
}

static void ask_children(struct node *node)
{
	struct reader *reader = node->reader;
	int max_depth = reader->reading->limits.max_depth;
	if (!reader->reading->children || node->child_count == 0) {
		return;
	}
	if (is_closed_entry(node)) {
		return;
	}
	if (node->depth >= (max_depth > 0 ? MIN(max_depth, DEEPEST) : DEEPEST)) {
		reader->skipped += reader->reading->shallow || node->child_count == UNCOUNTED ? 0
			: MAX(node->child_count, 1);
		return;
	}
	node->children = g_ptr_array_new_with_free_func((GDestroyNotify)node_free);
	if (add_cached_children(node)) {
		return;
	}
	if (node->child_count == UNCOUNTED) {
		send_to(node, ACCESSIBLE, "GetChildren", on_children);
		return;
	}
	/* GetChildren of a spreadsheet never returns. */
	if (node->child_count < 0 || node->child_count > MANY_CHILDREN) {
		int count = node->child_count > 0 ? node->child_count : G_MAXINT;
		reader->skipped += count;
		crowd_ask(&(struct crowd){ reader->link, node->element->provider, node->element->object,
			reader->reading->gtk4 ? COORDS_WINDOW : COORDS_SCREEN, count,
			(node->interfaces & INTERFACE_TABLE) != 0 || node->role == ROLE_TABLE
				|| node->role == ROLE_TREE_TABLE, on_found, node });
		return;
	}
	send_to(node, ACCESSIBLE, "GetChildren", on_children);
}

static void on_extents(sd_bus_message *reply, void *data)
{
	node_take_extents(reply, data);
}

static void on_action_name(sd_bus_message *reply, void *data)
{
	node_take_action_name(reply, data);
}

static void on_binding(sd_bus_message *reply, void *data)
{
	node_take_binding(reply, data);
}

/*
 * GetActions gives names for people, translated, and Chromium has none: those for programs come one by
 * one. Where they are not translated they are the same.
 */
static void on_actions(sd_bus_message *reply, void *data)
{
	struct node *node = data;
	node_take_actions(reply, node);
	for (int i = 0; node->element->actions[i] != NULL; i++) {
		if (node->element->actions[i][0] == NODE_TRANSLATED[0]) {
			link_send(node->reader->link, node->element->provider, node->element->object,
				"org.a11y.atspi.Action", "GetName", on_action_name, node, "i", i);
		}
	}
	/* Qt tells the keys of menu items only to those who ask for them. */
	if (node->reader->reading->limits.closed_menus && node->element->binding == NULL
		&& node->element->actions[0] != NULL) {
		link_send(node->reader->link, node->element->provider, node->element->object,
			"org.a11y.atspi.Action", "GetKeyBinding", on_binding, node, "i", 0);
	}
}

static void on_value(sd_bus_message *reply, void *data)
{
	node_take_value(reply, data);
}

static void on_text(sd_bus_message *reply, void *data)
{
	node_take_text(reply, data);
}

static void on_text_length(sd_bus_message *reply, void *data)
{
	struct node *node = data;
	int length = node_read_number(reply);
	/* Never to -1, the end: the entries of GTK 4.8 answer that with nothing. */
	link_send(node->reader->link, node->element->provider, node->element->object,
		"org.a11y.atspi.Text", "GetText", on_text, node, "ii", 0, MIN(length, TEXT_LIMIT));
}

static void on_description(sd_bus_message *reply, void *data)
{
	node_take_description(reply, data);
}

/*
 * Toolkits that are known well enough to be asked for less. An object alone, and an overview, are asked
 * for the same everywhere.
 */
static bool is_frugal(const struct node *node)
{
	const struct reading *reading = node->reader->reading;
	return (reading->qt || (reading->chromium && !node->cached)) && reading->children
		&& !reading->light;
}

/* GTK3's buttons of all kinds, which alone have an image besides, can be clicked and nothing else. */
static bool is_gtk3_button(const struct node *node)
{
	return node->reader->reading->gtk3 && node->interfaces & INTERFACE_IMAGE
		&& (node->role == ROLE_PUSH_BUTTON || node->role == ROLE_TOGGLE_BUTTON
			|| node->role == ROLE_CHECK_BOX || node->role == ROLE_RADIO_BUTTON);
}

/* Chromium's objects have a verb and a context menu; what has steps or can be scrolled has more. */
static bool has_two_actions(const struct node *node)
{
	return role_is_leaf(node->role) || node->role == ROLE_LINK || node->role == ROLE_MENU_ITEM
		|| node->role == ROLE_PAGE_TAB || node->role == ROLE_HEADING || node->role == ROLE_IMAGE;
}

static void on_action_count(sd_bus_message *reply, void *data)
{
	struct node *node = data;
	if (node_read_number(reply) > 2) {
		send_to(node, "org.a11y.atspi.Action", "GetActions", on_actions);
		return;
	}
	link_send(node->reader->link, node->element->provider, node->element->object,
		"org.a11y.atspi.Action", "GetName", on_action_name, node, "i", 0);
}

static void ask_actions(struct node *node)
{
	static const char *const click[] = { "click", NULL };
	static const char *const two[] = { NODE_TRANSLATED, "showContextMenu", NULL };
	if (!(node->interfaces & INTERFACE_ACTION)) {
		return;
	}
	if (is_gtk3_button(node)) {
		node_set_actions(node, click);
	} else if (node->reader->reading->chromium && node->role == ROLE_STATIC) {
		/* Text has no verb of its own, at most that of what it is in. */
		return;
	} else if (node->reader->reading->chromium) {
		node_set_actions(node, two);
		if (has_two_actions(node)) {
			link_send(node->reader->link, node->element->provider, node->element->object,
				"org.a11y.atspi.Action", "GetName", on_action_name, node, "i", 0);
		} else {
			get_of(node, "org.a11y.atspi.Action", "NActions", on_action_count);
		}
	} else {
		send_to(node, "org.a11y.atspi.Action", "GetActions", on_actions);
	}
}

/* What the list of interfaces decides. */
static void ask_content(struct node *node)
{
	struct element *element = node->element;
	if (node->interfaces & INTERFACE_VALUE) {
		get_of(node, "org.a11y.atspi.Value", "CurrentValue", on_value);
	}
	/* Lists of Qt have only the interface of tables; every menu of GTK3 has a selection. */
	element->chooses = role_is_container(node->role)
		&& (node->interfaces & (INTERFACE_SELECTION | INTERFACE_TABLE)) != 0;
	element->secret = node->role == ROLE_PASSWORD_TEXT;
	if (node->interfaces & INTERFACE_TEXT && !element->secret
		&& (role_has_text_value(node->role) || element->states & STATE_EDITABLE)) {
		get_of(node, "org.a11y.atspi.Text", "CharacterCount", on_text_length);
	}
}

static void on_late_interfaces(sd_bus_message *reply, void *data)
{
	node_take_interfaces(reply, data);
	ask_content(data);
}

/* The second round, once it is known what the object is. */
static void ask_details(struct node *node)
{
	const struct reading *reading = node->reader->reading;
	bool showing = is_showing(node);
	bool frugal = is_frugal(node);
	if (frugal) {
		/* Both have it everywhere, but Qt's passive widgets do nothing unless they take the focus. */
		bool passive = reading->qt && role_is_passive_in_qt(node->role)
			&& !node_is(node, ATSPI_FOCUSABLE);
		node->interfaces = INTERFACE_COMPONENT | (passive ? 0 : INTERFACE_ACTION);
	}
	if (!showing) {
		node->element->states |= STATE_OFFSCREEN;
	} else if (node->interfaces & INTERFACE_COMPONENT) {
		link_send(node->reader->link, node->element->provider, node->element->object,
			"org.a11y.atspi.Component", "GetExtents", on_extents, node, "u",
			reading->gtk4 ? COORDS_WINDOW : COORDS_SCREEN);
	}
	ask_actions(node);
	/* In Qt also the tool tip; what is hidden and has a name needs none. */
	if (node->interfaces & INTERFACE_ACTION && !node->cached && node->role != ROLE_STATIC
		&& (showing || !frugal || node->element->name[0] == '\0')) {
		get_of(node, ACCESSIBLE, "Description", on_description);
	}
	if (frugal && !role_is_plain(node->role)) {
		send_to(node, ACCESSIBLE, "GetInterfaces", on_late_interfaces);
	} else {
		ask_content(node);
	}
}

static void basic_done(struct node *node)
{
	if (--node->basics > 0 || node->gone) {
		return;
	}
	if (!node->reader->reading->light) {
		ask_details(node);
	}
	ask_children(node);
}

static void on_count(sd_bus_message *reply, void *data)
{
	node_take_child_count(reply, data);
	ask_children(data);
}

/* The same for frugal ones, who are asked for their children only here. */
static void frugal_basic_done(struct node *node)
{
	if (--node->basics > 0 || node->gone) {
		return;
	}
	ask_details(node);
	if (node->role == ROLE_STATIC || (role_is_leaf(node->role) && !is_showing(node))) {
		return;
	}
	if (role_may_be_huge(node->role)) {
		get_of(node, ACCESSIBLE, "ChildCount", on_count);
	} else {
		node->child_count = UNCOUNTED;
		ask_children(node);
	}
}

#define BASIC(what) \
	static void on_##what(sd_bus_message *reply, void *data) \
	{ \
		struct node *node = data; \
		node_take_##what(reply, node); \
		if (is_frugal(node)) { \
			frugal_basic_done(node); \
		} else { \
			basic_done(node); \
		} \
	}
BASIC(role)
BASIC(name)
BASIC(states)
BASIC(interfaces)
BASIC(child_count)
BASIC(place)

/* Takes from the cache what would otherwise be five requests. */
static bool take_cached(struct node *node)
{
	const struct cache *cache = node->reader->reading->cache;
	const struct cache_item *item = cache != NULL ? cache_item(cache, node->element->provider, node->element->object) : NULL;
	if (item == NULL) {
		return false;
	}
	node_set_role(node, item->role);
	node_set_name(node, item->name);
	node_set_description(node, item->description);
	node_set_states(node, item->states);
	node_set_interfaces(node, item->interfaces);
	node->child_count = item->child_count;
	node->cached = true;
	return true;
}

/*
 * GTK3's cache does not count the entries of menus, to spare making them. A closed menu has none that
 * matter; an open one is selected in its bar.
 */
static bool is_closed_menu(const struct node *node)
{
	return node->role == ROLE_MENU && node->parent != NULL
		&& !node->reader->reading->limits.closed_menus
		&& (node->parent->role == ROLE_MENU_BAR || node->parent->role == ROLE_MENU)
		&& !node_is(node, ATSPI_SELECTED) && !node_is(node, ATSPI_EXPANDED)
		&& !node_is(node, ATSPI_FOCUSED);
}

static void ask_basics(struct node *node)
{
	const struct reading *reading = node->reader->reading;
	if (take_cached(node)) {
		node->basics = 1;
		if (node->child_count < 0 && !is_closed_menu(node)) {
			get_of(node, ACCESSIBLE, "ChildCount", on_child_count);
		} else {
			node->child_count = MAX(node->child_count, 0);
			basic_done(node);
		}
		return;
	}
	if (is_frugal(node)) {
		node->basics = 3;
		send_to(node, ACCESSIBLE, "GetRole", on_role);
		get_of(node, ACCESSIBLE, "Name", on_name);
		send_to(node, ACCESSIBLE, "GetState", on_states);
		return;
	}
	/* Counted before they are sent: a request that cannot be queued breaks the link anyway. */
	node->basics = reading->light ? 3 : 5;
	send_to(node, ACCESSIBLE, "GetRole", on_role);
	get_of(node, ACCESSIBLE, "Name", on_name);
	if (!reading->light) {
		send_to(node, ACCESSIBLE, "GetState", on_states);
		send_to(node, ACCESSIBLE, "GetInterfaces", on_interfaces);
	}
	if (reading->children) {
		get_of(node, ACCESSIBLE, "ChildCount", on_child_count);
	} else {
		/* Alone, without its siblings, it must tell its place itself. */
		send_to(node, ACCESSIBLE, "GetIndexInParent", on_place);
	}
}

/* Moves the node's element and those below it into the tree, in reading order. */
static void flatten(struct tree *tree, struct node *node, int parent, int depth, bool in_web)
{
	/* What is not known to be anything, because the time was over, is left out. */
	if (node == NULL || node->gone || is_closed_entry(node)
		|| (node->basics > 0 && node->reader->link->overtime)) {
		return;
	}
	int position = (int)tree->elements->len;
	struct element *element = g_steal_pointer(&node->element);
	element->parent = parent;
	element->depth = depth;
	element->in_web_content = in_web;
	g_ptr_array_add(tree->elements, element);
	for (guint i = 0; node->children != NULL && i < node->children->len; i++) {
		flatten(tree, node->children->pdata[i], position, depth + 1,
			in_web || node->role == ROLE_DOCUMENT_WEB);
	}
}

/* --- GTK4 ---------------------------------------------------------------------------------------- */

/*
 * GTK4 makes an accessible object when somebody looks at it for the first time, and its cache has only
 * those. Listing the children of what it has not made yet is the cheapest look: after that the cache
 * knows everything, with one request an object instead of six.
 */
struct realising {
	struct link *link;
	const struct cache *cache;
	const char *name;
	int left;  /* objects that may still be looked at */
	bool any;  /* something was not known */
};

static void realise(struct realising *realising, const char *path, int depth);

struct look {
	struct realising *realising;
	int depth;
};

static void on_realised(sd_bus_message *reply, void *data)
{
	const struct look *look = data;
	const char *name, *path;
	if (sd_bus_message_is_method_error(reply, NULL) > 0
		|| sd_bus_message_enter_container(reply, 'a', "(so)") < 0) {
		return;
	}
	while (sd_bus_message_read(reply, "(so)", &name, &path) > 0) {
		realise(look->realising, path, look->depth + 1);
	}
}

static void realise(struct realising *realising, const char *path, int depth)
{
	const struct cache_item *item = cache_item(realising->cache, realising->name, path);
	if (depth > DEEPEST || realising->left-- <= 0 || (item != NULL && item->child_count == 0)) {
		return;
	}
	const GPtrArray *children = item != NULL ? cache_children(realising->cache, item) : NULL;
	for (guint i = 0; children != NULL && i < children->len; i++) {
		realise(realising, ((const struct cache_item *)children->pdata[i])->path, depth + 1);
	}
	if (children == NULL) {
		struct look *look = g_new(struct look, 1);
		*look = (struct look){ realising, depth };
		realising->any = true;
		link_send_owned(realising->link, realising->name, path, ACCESSIBLE, "GetChildren", on_realised,
			look, g_free, NULL);
	}
}

/* Makes the cache complete below that object; false with an error when the application is silent. */
static bool complete_cache(struct link *link, const char *name, const char *path,
	const struct reading *reading, struct deadline deadline, GError **error)
{
	struct realising realising = { link, reading->cache, name, reading->limits.max_elements, false };
	realise(&realising, path, 0);
	if (!realising.any) {
		return true;
	}
	if (!link_pump(link, deadline, error)) {
		return false;
	}
	cache_ask_again(reading->cache, link);
	return link_pump(link, deadline, error);
}

/* Whoever has answered nothing by now was silent. */
static void trip_silent(struct atspi *atspi, const struct node *root)
{
	for (guint i = 0; root->children != NULL && i < root->children->len; i++) {
		const struct node *child = root->children->pdata[i];
		if (child != NULL && child->basics > 0) {
			breaker_trip(atspi, child->element->provider);
		}
	}
}

struct tree *reader_read(struct link *link, const char *name, const char *path,
	const struct reading *reading, struct deadline deadline, GError **error)
{
	struct reader reader = { .link = link, .reading = reading, .nodes = 1 };
	struct node *root = node_new(&reader, NULL, name, path, -1);
	struct tree *tree = NULL;
	unsigned before = link->requests;
	g_autoptr(GError) problem = NULL;

	root->element->provider_id = link->bus_id;
	link->lost = false;
	bool asked = !reading->gtk4 || reading->cache == NULL || !reading->children
		|| complete_cache(link, name, path, reading, deadline, &problem);
	if (asked) {
		ask_basics(root);
	}
	bool heard_all = asked && link_pump(link, deadline, &problem);
	if (heard_all && link->lost && !root->gone) {
		heard_all = false;
		problem = g_error_new(CUA_ERROR, ERROR_APP_UNRESPONSIVE,
			"The application left the accessibility bus while it was read");
	}
	/* One that answers, only not everything in time, shows what it has shown so far. */
	bool partly = asked && (reading->tolerant || link->overtime);
	if (!heard_all && (!partly || root->basics > 0)) {
		g_propagate_error(error, g_steal_pointer(&problem));
	} else if (root->gone) {
		g_set_error(error, CUA_ERROR, ERROR_STALE_ELEMENT, "The element does not exist any more");
	} else {
		tree = tree_new();
		if (!heard_all && reading->atspi != NULL) {
			trip_silent(reading->atspi, root);
		}
		flatten(tree, root, -1, 0, false);
		tree->requests = link->requests - before;
		if (reader.skipped > 0 || !heard_all || reader.silent) {
			tree->complete = false;
			tree->truncated = heard_all && !reader.silent
				? g_strdup_printf("%" G_GINT64_FORMAT " children were not read because of a limit%s",
					reader.skipped, reader.visible
					? "; of a container with more than " G_STRINGIFY(MANY_CHILDREN)
					  " children only what can be seen was" : "")
				: g_strdup(link->overtime ? "the application was not done answering in time"
					: "an application did not answer");
		}
		tree_number(tree);
	}
	node_free(root);
	return tree;
}
