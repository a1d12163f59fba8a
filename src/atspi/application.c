/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/application.h"

#include <stdlib.h>
#include <string.h>

#include "atspi/node.h"
#include "core/error.h"

void object_free(struct object *object)
{
	if (object == NULL) {
		return;
	}
	g_free(object->name);
	g_free(object->path);
	g_free(object);
}

static struct object *object_new(const char *name, const char *path)
{
	struct object *object = g_new(struct object, 1);
	*object = (struct object){ g_strdup(name), g_strdup(path) };
	return object;
}

static GPtrArray *object_list_new(void)
{
	return g_ptr_array_new_with_free_func((GDestroyNotify)object_free);
}

static void on_objects(sd_bus_message *reply, void *data)
{
	GPtrArray *objects = data;
	const char *name, *path;
	if (sd_bus_message_is_method_error(reply, NULL) > 0
		|| sd_bus_message_enter_container(reply, 'a', "(so)") < 0) {
		return;
	}
	while (sd_bus_message_read(reply, "(so)", &name, &path) > 0) {
		if (name[0] != '\0') {
			g_ptr_array_add(objects, object_new(name, path));
		}
	}
}

static void on_pid(sd_bus_message *reply, void *data)
{
	uint32_t *pid = data;
	if (sd_bus_message_is_method_error(reply, NULL) > 0 || sd_bus_message_read(reply, "u", pid) <= 0) {
		*pid = 0;
	}
}

/* The pids of bus names; each name is asked for once, because a bus never gives it out again. */
static uint32_t *pids_of(struct atspi *atspi, struct link *link, const GPtrArray *applications,
	struct deadline deadline, GError **error)
{
	uint32_t *pids = g_new0(uint32_t, applications->len + 1);
	g_mutex_lock(&atspi->mutex);
	for (guint i = 0; i < applications->len; i++) {
		const struct object *application = applications->pdata[i];
		pids[i] = GPOINTER_TO_UINT(g_hash_table_lookup(atspi->pids, application->name));
	}
	g_mutex_unlock(&atspi->mutex);
	for (guint i = 0; i < applications->len; i++) {
		const struct object *application = applications->pdata[i];
		if (pids[i] == 0) {
			link_send(link, "org.freedesktop.DBus", "/org/freedesktop/DBus",
				"org.freedesktop.DBus", "GetConnectionUnixProcessID", on_pid, &pids[i], "s",
				application->name);
		}
	}
	if (!link_pump(link, deadline, error)) {
		g_free(pids);
		return NULL;
	}
	g_mutex_lock(&atspi->mutex);
	for (guint i = 0; i < applications->len; i++) {
		const struct object *application = applications->pdata[i];
		g_hash_table_replace(atspi->pids, g_strdup(application->name), GUINT_TO_POINTER(pids[i]));
	}
	g_mutex_unlock(&atspi->mutex);
	return pids;
}

GPtrArray *application_find(struct atspi *atspi, struct link *link, pid_t pid,
	struct deadline deadline, GError **error)
{
	g_autoptr(GPtrArray) all = object_list_new();
	link_send(link, REGISTRY, DESKTOP_ROOT, ACCESSIBLE, "GetChildren", on_objects, all, NULL);
	g_autofree uint32_t *pids = link_pump(link, deadline, error)
		? pids_of(atspi, link, all, deadline, error) : NULL;
	if (pids == NULL) {
		return NULL;
	}
	GPtrArray *found = object_list_new();
	for (guint i = 0; i < all->len; i++) {
		struct object *application = all->pdata[i];
		if (pids[i] == (uint32_t)pid) {
			g_ptr_array_add(found, object_new(application->name, application->path));
		}
	}
	return found;
}

/* A top-level of an application, as far as it tells windows apart. */
struct candidate {
	struct object *object; /* borrowed */
	struct node *node;
};

static void on_name(sd_bus_message *reply, void *data)
{
	node_take_name(reply, data);
}

static void on_extents(sd_bus_message *reply, void *data)
{
	node_take_extents(reply, data);
}

/* Window managers and toolkits round differently, and GTK4 counts its shadow. */
static bool same_size(const struct element *element, const struct window *window)
{
	return element->has_frame && abs(element->frame.width - window->bounds.width) <= 2
		&& abs(element->frame.height - window->bounds.height) <= 2;
}

static bool same_place(const struct element *element, const struct window *window)
{
	return same_size(element, window) && abs(element->frame.x - window->bounds.x) <= 2
		&& abs(element->frame.y - window->bounds.y) <= 2;
}

static bool same_title(const struct element *element, const struct window *window)
{
	return window->title[0] != '\0' && strcmp(element->name, window->title) == 0;
}

/* The only candidate that passes the test; NULL if none or several do. */
static struct object *only(const GArray *candidates, const struct window *window,
	bool (*test)(const struct element *, const struct window *), int *count)
{
	struct object *found = NULL;
	*count = 0;
	for (guint i = 0; i < candidates->len; i++) {
		struct candidate *candidate = &g_array_index(candidates, struct candidate, i);
		if (test(candidate->node->element, window)) {
			found = candidate->object;
			++*count;
		}
	}
	return *count == 1 ? found : NULL;
}

static bool same_title_and_place(const struct element *element, const struct window *window)
{
	return same_title(element, window) && same_place(element, window);
}

static struct object *choose(const GArray *candidates, const struct window *window, char **why)
{
	int titled, placed, both;
	struct object *by_title = only(candidates, window, same_title, &titled);
	struct object *by_place = only(candidates, window, same_place, &placed);
	struct object *by_both = only(candidates, window, same_title_and_place, &both);
	if (by_both != NULL) {
		return by_both;
	}
	if (by_title != NULL) {
		return by_title;
	}
	if (titled == 0 && by_place != NULL) {
		return by_place;
	}
	*why = candidates->len == 0
		? g_strdup("the application is on the accessibility bus but shows no window there")
		: g_strdup_printf("none of the application's %u accessible windows can be told to be this one",
			candidates->len);
	return NULL;
}

struct object *application_frame(struct link *link, const GPtrArray *applications,
	const struct window *window, char **why, struct deadline deadline, GError **error)
{
	uint32_t coords = strcmp(window->toolkit, "gtk4") == 0 ? COORDS_WINDOW : COORDS_SCREEN;
	g_autoptr(GPtrArray) frames = object_list_new();
	g_autoptr(GArray) candidates = g_array_new(FALSE, FALSE, sizeof(struct candidate));
	struct object *found = NULL;

	*why = NULL;
	for (guint i = 0; i < applications->len; i++) {
		struct object *application = applications->pdata[i];
		link_send(link, application->name, application->path, ACCESSIBLE, "GetChildren", on_objects,
			frames, NULL);
	}
	bool ok = link_pump(link, deadline, error);
	for (guint i = 0; ok && i < frames->len; i++) {
		struct object *frame = frames->pdata[i];
		struct candidate candidate = { frame, node_new(NULL, NULL, frame->name, frame->path, -1) };
		g_array_append_val(candidates, candidate);
		link_get(link, frame->name, frame->path, ACCESSIBLE, "Name", on_name, candidate.node);
		link_send(link, frame->name, frame->path, "org.a11y.atspi.Component", "GetExtents",
			on_extents, candidate.node, "u", coords);
	}
	if (ok && link_pump(link, deadline, error)) {
		struct object *chosen = choose(candidates, window, why);
		found = chosen != NULL ? object_new(chosen->name, chosen->path) : NULL;
	}
	for (guint i = 0; i < candidates->len; i++) {
		node_free(g_array_index(candidates, struct candidate, i).node);
	}
	return found;
}
