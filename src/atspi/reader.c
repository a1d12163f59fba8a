/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/reader.h"

#include <string.h>

#include "atspi/breaker.h"
#include "atspi/crowd.h"
#include "atspi/detail.h"
#include "atspi/node.h"
#include "atspi/realise.h"
#include "atspi/role.h"
#include "core/error.h"

/* Of a container with more children than this only those that can be seen are read. */
#define MANY_CHILDREN 1000
/* A child count that nobody asked for, because the list of children cannot be long. */
#define UNCOUNTED G_MININT

static void ask_basics(struct node *node);

bool reader_send(struct node *node, const char *interface, const char *method, link_reply reply)
{
	return link_send(node->reader->link, node->element->provider, node->element->object, interface,
		method, reply, node, NULL);
}

bool reader_get(struct node *node, const char *interface, const char *property, link_reply reply)
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
	if (!reader->reading->others && strcmp(name, node->element->provider) != 0) {
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

/* What another process shows at this place: a page of WebKitGTK, say. */
struct plug {
	struct node *node;
	char *path;
};

static void plug_free(gpointer data)
{
	struct plug *plug = data;
	g_free(plug->path);
	g_free(plug);
}

static void on_plug_owner(struct message *reply, void *data)
{
	const struct plug *plug = data;
	const char *owner;
	if (!message_is_error(reply) && message_read(reply, "s", &owner) > 0) {
		add_child(plug->node, owner, plug->path);
	}
}

/* By the name that its events have, too. */
static void on_plug(struct message *reply, void *data)
{
	struct node *node = data;
	const char *name, *path;
	if (message_is_error(reply) || message_read(reply, "(so)", &name, &path) <= 0) {
		return;
	}
	if (name[0] == ':' || name[0] == '\0') {
		add_child(node, name, path);
		return;
	}
	struct plug *plug = g_new(struct plug, 1);
	*plug = (struct plug){ node, g_strdup(path) };
	link_send_owned(node->reader->link, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
		"GetNameOwner", on_plug_owner, plug, plug_free, "s", name);
}

static void on_children(struct message *reply, void *data)
{
	struct node *node = data;
	const char *name, *path;
	if (message_is_error(reply)
		|| message_enter(reply, 'a', "(so)") < 0) {
		return;
	}
	while (message_read(reply, "(so)", &name, &path) > 0) {
		add_child(node, name, path);
	}
	if (node->children->len == 0 && node->child_count == 1) {
		/* GTK3 lists no child of another process, and has one. */
		link_send(node->reader->link, node->element->provider, node->element->object, ACCESSIBLE, "GetChildAtIndex",
			on_plug, node, "i", 0);
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

/* Entries of a closed menu are not part of what a person sees until it opens. */
static bool is_closed_entry(const struct node *node)
{
	return node->parent != NULL && node->parent->role == ROLE_MENU && !node->reader->reading->light
		&& !node->reader->reading->limits.closed_menus && !detail_is_showing(node);
}

/* Qt keeps the menu of an item in a node of its own, open or not. */
static bool is_closed_popup(const struct node *node)
{
	return node->parent != NULL && node->role == ROLE_POPUP_MENU && node->parent->role == ROLE_MENU_ITEM
		&& node->reader->reading->qt && !node->reader->reading->light && !node->reader->reading->limits.closed_menus
		&& !detail_is_showing(node);
}

/* Firefox keeps the context menus that were open once, and says that their entries show. */
static bool was_context_menu(const struct node *node)
{
	return node->parent != NULL && node->parent->role == ROLE_FRAME && node->role == ROLE_MENU
		&& !node->reader->reading->light && !node_is(node, ATSPI_SHOWING) && !node_is(node, ATSPI_VISIBLE);
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
	if (is_closed_entry(node) || is_closed_popup(node) || was_context_menu(node)) {
		return;
	}
	if (node->depth >= (max_depth > 0 ? MIN(max_depth, READER_DEEPEST) : READER_DEEPEST)) {
		reader->skipped += reader->reading->shallow || node->child_count == UNCOUNTED ? 0
			: MAX(node->child_count, 1);
		return;
	}
	node->children = g_ptr_array_new_with_free_func((GDestroyNotify)node_free);
	if (add_cached_children(node)) {
		return;
	}
	if (node->child_count == UNCOUNTED) {
		reader_send(node, ACCESSIBLE, "GetChildren", on_children);
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
	reader_send(node, ACCESSIBLE, "GetChildren", on_children);
}

static void basic_done(struct node *node)
{
	if (--node->basics > 0 || node->gone) {
		return;
	}
	if (!node->reader->reading->light) {
		detail_ask(node);
	}
	ask_children(node);
}

static void on_count(struct message *reply, void *data)
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
	detail_ask(node);
	/* A label of a page holds the field that it is for. */
	bool leaf = role_is_leaf(node->role) && node->role != ROLE_LABEL;
	if (node->role == ROLE_STATIC || (leaf && !detail_is_showing(node))) {
		return;
	}
	if (role_may_be_huge(node->role)) {
		reader_get(node, ACCESSIBLE, "ChildCount", on_count);
	} else {
		node->child_count = UNCOUNTED;
		ask_children(node);
	}
}

#define BASIC(what) \
	static void on_##what(struct message *reply, void *data) \
	{ \
		struct node *node = data; \
		node_take_##what(reply, node); \
		if (detail_is_frugal(node)) { \
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
			reader_get(node, ACCESSIBLE, "ChildCount", on_child_count);
		} else {
			node->child_count = MAX(node->child_count, 0);
			basic_done(node);
		}
		return;
	}
	if (detail_is_frugal(node)) {
		node->basics = 3;
		reader_send(node, ACCESSIBLE, "GetRole", on_role);
		reader_get(node, ACCESSIBLE, "Name", on_name);
		reader_send(node, ACCESSIBLE, "GetState", on_states);
		return;
	}
	/* Counted before they are sent: a request that cannot be queued breaks the link anyway. */
	node->basics = reading->light ? 3 : 5;
	reader_send(node, ACCESSIBLE, "GetRole", on_role);
	reader_get(node, ACCESSIBLE, "Name", on_name);
	if (!reading->light) {
		reader_send(node, ACCESSIBLE, "GetState", on_states);
		reader_send(node, ACCESSIBLE, "GetInterfaces", on_interfaces);
	}
	if (reading->children) {
		reader_get(node, ACCESSIBLE, "ChildCount", on_child_count);
	} else {
		/* Alone, without its siblings, it must tell its place itself. */
		reader_send(node, ACCESSIBLE, "GetIndexInParent", on_place);
	}
}

/* Moves the node's element and those below it into the tree, in reading order. */
static void flatten(struct tree *tree, struct node *node, int parent, int depth, bool in_web)
{
	/* What is not known to be anything, because the time was over, is left out. */
	if (node == NULL || node->gone || is_closed_entry(node)
		|| (node->basics > 0 && (node->reader->link->overtime || node->element->plugged))) {
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

/* Whether all but what other processes show was told, if there is any: a page may be silent, as long as it shows a dialog, say. */
static bool is_heard(const struct node *node, bool *plugs)
{
	bool heard = node->basics == 0;
	for (guint i = 0; heard && node->children != NULL && i < node->children->len; i++) {
		const struct node *child = node->children->pdata[i];
		bool plug = child != NULL && child->element->plugged;
		*plugs |= plug;
		heard = child == NULL || plug || is_heard(child, plugs);
	}
	return heard;
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
	gint64 began = g_get_monotonic_time();
	g_autoptr(GError) problem = NULL;

	root->element->provider_id = link->bus_id;
	root->element->plugged = reading->plugged;
	link->lost = false;
	bool asked = !reading->gtk4 || reading->cache == NULL || !reading->children
		|| realise_cache(link, name, path, reading, deadline, &problem);
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
	bool plugs = false;
	bool partly = asked && (reading->tolerant || link->overtime || (is_heard(root, &plugs) && plugs));
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
		tree->read_at = began;
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
