/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/toplevel.h"

#include <stdio.h>
#include <string.h>

#include "atspi/kind.h"
#include "atspi/kinship.h"
#include "atspi/node.h"

/* An application with more top-levels than this is not compared in detail. */
#define MOST_TOPS 500
/* How long the active window must have been that to count as a proof. */
#define STEADY_MS 60

/* Who was asked for its top-levels, and where they go. */
struct inquest {
	char *application;
	GPtrArray *tops;         /* borrowed */
};

static void inquest_free(void *data)
{
	struct inquest *inquest = data;
	g_free(inquest->application);
	g_free(inquest);
}

static void on_tops(struct message *reply, void *data)
{
	const struct inquest *inquest = data;
	const char *name, *path;
	if (message_is_error(reply)
		|| message_enter(reply, 'a', "(so)") < 0) {
		return;
	}
	while (message_read(reply, "(so)", &name, &path) > 0) {
		/* The windows of another application are not its own, whatever it says. */
		if (strcmp(name, inquest->application) == 0) {
			g_ptr_array_add(inquest->tops, candidate_new(name, path));
		}
	}
}

static void on_name(struct message *reply, void *data)
{
	struct candidate *candidate = data;
	const char *name;
	if (!message_is_error(reply)
		&& message_read(reply, "v", "s", &name) > 0) {
		g_free(candidate->name);
		candidate->name = g_utf8_make_valid(name, -1);
	}
}

static void on_states(struct message *reply, void *data)
{
	struct candidate *candidate = data;
	if (!message_is_error(reply)) {
		candidate->states = node_read_states(reply);
	}
}

static void on_extents(struct message *reply, void *data)
{
	struct candidate *candidate = data;
	struct screen_rect *told = &candidate->told;
	candidate->has_place = !message_is_error(reply)
		&& message_read(reply, "(iiii)", &told->x, &told->y, &told->width, &told->height) > 0
		&& screen_rect_plausible(*told);
}

/* The name as the cache has it, which came along with the top-levels; false if it does not know it. */
static bool take_cached_name(struct candidate *top, const struct cache *cache)
{
	const struct cache_item *item = cache != NULL ? cache_item(cache, top->object->name, top->object->path)
		: NULL;
	if (item == NULL) {
		return false;
	}
	g_free(top->name);
	top->name = g_utf8_make_valid(item->name, -1);
	return true;
}

static GPtrArray *tops_new(void)
{
	return g_ptr_array_new_with_free_func((GDestroyNotify)candidate_free);
}

static void ask_tops(struct link *link, const char *name, const char *path, GPtrArray *tops)
{
	struct inquest *inquest = g_new(struct inquest, 1);
	*inquest = (struct inquest){ g_strdup(name), tops };
	link_send_owned(
		link, name, path, ACCESSIBLE, "GetChildren", on_tops, inquest, inquest_free, NULL);
}

GPtrArray *toplevel_ask(struct link *link, const char *name, const char *path)
{
	GPtrArray *tops = tops_new();
	ask_tops(link, name, path, tops);
	return tops;
}

/* The applications' top-levels. */
static GPtrArray *read_tops(struct link *link, const GPtrArray *applications, struct deadline deadline,
	GError **error)
{
	g_autoptr(GPtrArray) tops = tops_new();
	for (guint i = 0; i < applications->len; i++) {
		const struct object *application = applications->pdata[i];
		ask_tops(link, application->name, application->path, tops);
	}
	return link_pump(link, deadline, error) ? g_steal_pointer(&tops) : NULL;
}

static bool read_names(struct link *link, const GPtrArray *tops, const struct cache *cache,
	struct deadline deadline, GError **error)
{
	for (guint i = 0; i < tops->len; i++) {
		struct candidate *top = tops->pdata[i];
		if (!take_cached_name(top, cache)) {
			link_get(link, top->object->name, top->object->path, ACCESSIBLE, "Name", on_name, top);
		}
	}
	return link_pump(link, deadline, error);
}

/* What else tells them apart. */
static bool read_places(struct link *link, const GPtrArray *tops, bool gtk4, struct deadline deadline,
	GError **error)
{
	for (guint i = 0; i < tops->len && i < MOST_TOPS; i++) {
		struct candidate *top = tops->pdata[i];
		link_send(link, top->object->name, top->object->path, "org.a11y.atspi.Component", "GetExtents",
			on_extents, top, "u", gtk4 ? COORDS_WINDOW : COORDS_SCREEN);
		link_send(link, top->object->name, top->object->path, ACCESSIBLE, "GetState", on_states, top,
			NULL);
	}
	return link_pump(link, deadline, error);
}

static struct object *object_of(const struct candidate *candidate)
{
	return candidate != NULL ? object_new(candidate->object->name, candidate->object->path) : NULL;
}

static bool is_on_bus(const GPtrArray *all, pid_t pid)
{
	for (guint i = 0; i < all->len; i++) {
		if (((const struct application *)all->pdata[i])->pid == pid) {
			return true;
		}
	}
	return false;
}

/* The windows that top-levels of this process may be; or, without one, of processes not on the bus. */
static GPtrArray *peers_of(const GPtrArray *windows, const GPtrArray *all, pid_t pid)
{
	GPtrArray *peers = g_ptr_array_new();
	for (guint i = 0; i < windows->len; i++) {
		struct window *window = windows->pdata[i];
		if (kind_of(window) == KIND_TOP
			&& (pid != 0 ? window->pid == pid : !is_on_bus(all, window->pid))) {
			g_ptr_array_add(peers, window);
		}
	}
	return peers;
}

static const struct candidate *prove_now(struct atspi *atspi, const GPtrArray *all,
	const struct window *window, const GPtrArray *tops, enum proof proof, char **why,
	struct deadline deadline, GError **error)
{
	g_autoptr(GPtrArray) windows = atspi->windows(atspi->data, deadline, error);
	g_autoptr(GPtrArray) peers = windows != NULL ? peers_of(windows, all, window->pid) : NULL;
	g_clear_pointer(why, g_free);
	return peers != NULL ? match_prove(window, peers, tops, proof, why) : NULL;
}

/*
 * Which of them is active counts only when it has been so for a moment: an application may hear of the
 * focus later than we do.
 */
static struct object *prove(struct atspi *atspi, struct link *link, const GPtrArray *all,
	const struct window *window, const GPtrArray *tops, char **why, struct deadline deadline,
	GError **error)
{
	const bool never = false;
	const struct candidate *found = prove_now(atspi, all, window, tops, PROOF_PLACE, why, deadline,
		error);
	if (found != NULL || *why == NULL) {
		return object_of(found);
	}
	g_autofree char *before = match_activity(tops);
	if (strchr(before, '1') == NULL) {
		return NULL;
	}
	link_wait(link, &never, deadline_within(deadline, STEADY_MS));
	if (!read_places(link, tops, kind_is_gtk4(window), deadline, error)) {
		g_clear_pointer(why, g_free);
		return NULL;
	}
	g_autofree char *after = match_activity(tops);
	return strcmp(before, after) != 0 ? NULL
		: object_of(prove_now(atspi, all, window, tops, PROOF_ACTIVE, why, deadline, error));
}

static struct object *frame_among_own(struct atspi *atspi, struct link *link, const GPtrArray *all,
	const GPtrArray *own, const struct window *window, const struct cache *cache, GPtrArray **tops,
	char **why, struct deadline deadline, GError **error)
{
	if (*tops == NULL) {
		*tops = read_tops(link, own, deadline, error);
	}
	if (*tops == NULL || !read_names(link, *tops, cache, deadline, error)) {
		return NULL;
	}
	const struct candidate *found = kind_of(window) == KIND_TOP ? match_title(window, *tops) : NULL;
	if (found != NULL) {
		return object_of(found);
	}
	if (!read_places(link, *tops, kind_is_gtk4(window), deadline, error)) {
		return NULL;
	}
	if (kind_of(window) == KIND_POPUP) {
		found = match_popup(window, *tops);
		*why = found == NULL ? g_strdup("the application does not show this popup to accessibility")
			: NULL;
		return object_of(found);
	}
	return prove(atspi, link, all, window, *tops, why, deadline, error);
}

/* --- Behind a proxy ------------------------------------------------------------------------------- */

/* Sandboxes put such a process between an application and its buses; the bus knows only that. */
static bool is_proxy(pid_t pid)
{
	char path[64];
	g_autofree char *name = NULL;
	g_snprintf(path, sizeof path, "/proc/%d/comm", (int)pid);
	return g_file_get_contents(path, &name, NULL, NULL)
		&& strcmp(g_strchomp(name), "xdg-dbus-proxy") == 0;
}

/* Those on the bus that may speak for the process: none of them has a window of its own. */
static GPtrArray *strangers(const GPtrArray *all, const GPtrArray *windows, pid_t pid)
{
	GPtrArray *some = g_ptr_array_new();
	for (guint i = 0; i < all->len; i++) {
		const struct application *application = all->pdata[i];
		bool owns = false;
		for (guint k = 0; k < windows->len && !owns; k++) {
			owns = ((const struct window *)windows->pdata[k])->pid == application->pid;
		}
		if (!owns
			&& (application->pid == 0 || is_proxy(application->pid)
				|| kinship_is_below(pid, application->pid)
				|| kinship_is_below(application->pid, pid))) {
			g_ptr_array_add(some, application->object);
		}
	}
	return some;
}

static void on_toolkit(struct message *reply, void *data)
{
	char **toolkit = data;
	const char *text;
	if (!message_is_error(reply)
		&& message_read(reply, "v", "s", &text) > 0) {
		*toolkit = g_strdup(text);
	}
}

static void drop_other_toolkits(struct link *link, GPtrArray *applications, const struct window *window,
	struct deadline deadline)
{
	guint count = applications->len;
	g_autofree char **toolkits = g_new0(char *, count + 1);
	for (guint i = 0; i < count; i++) {
		const struct object *application = applications->pdata[i];
		link_get(link, application->name, application->path, "org.a11y.atspi.Application",
			"ToolkitName", on_toolkit, &toolkits[i]);
	}
	/* If that fails the link is broken, and the next request says so. */
	link_pump(link, deadline, NULL);
	for (guint i = count; i-- > 0;) {
		if (!kind_same_toolkit(window, toolkits[i])) {
			g_ptr_array_remove_index(applications, i);
		}
		g_free(toolkits[i]);
	}
}

static struct object *frame_among_strangers(struct atspi *atspi, struct link *link,
	const GPtrArray *all, const struct window *window, char **why, struct deadline deadline,
	GError **error)
{
	struct object *found = NULL;
	g_autoptr(GPtrArray) windows = atspi->windows(atspi->data, deadline, error);
	if (windows == NULL) {
		return NULL;
	}
	g_autoptr(GPtrArray) applications = strangers(all, windows, window->pid);
	if (applications->len > 0 && kind_of(window) == KIND_TOP) {
		drop_other_toolkits(link, applications, window, deadline);
		g_autoptr(GPtrArray) peers = peers_of(windows, all, 0);
		g_autoptr(GPtrArray) tops = read_tops(link, applications, deadline, NULL);
		if (tops != NULL && read_names(link, tops, NULL, deadline, NULL)
			&& read_places(link, tops, kind_is_gtk4(window), deadline, NULL)) {
			found = object_of(match_prove(window, peers, tops, PROOF_STRANGER, why));
		}
	}
	if (found == NULL) {
		g_autofree char *doubt = *why;
		*why = g_strdup_printf("process %d is not on the accessibility bus: %s", (int)window->pid,
			doubt != NULL ? doubt : kind_absence(window));
	}
	return found;
}

struct object *toplevel_find(struct atspi *atspi, struct link *link, const GPtrArray *all,
	const struct window *window, const struct cache *cache, GPtrArray **tops, char **why,
	struct deadline deadline, GError **error)
{
	g_autoptr(GPtrArray) own = application_of(all, window->pid);
	*why = NULL;
	return own->len > 0
		? frame_among_own(atspi, link, all, own, window, cache, tops, why, deadline, error)
		: frame_among_strangers(atspi, link, all, window, why, deadline, error);
}
