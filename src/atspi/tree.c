/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "atspi/atspi.h"
#include "atspi/breaker.h"
#include "atspi/hidden.h"
#include "atspi/kind.h"
#include "atspi/kinship.h"
#include "atspi/mute.h"
#include "atspi/padding.h"
#include "atspi/place.h"
#include "atspi/pool.h"
#include "atspi/popup.h"
#include "atspi/reader.h"
#include "atspi/toplevel.h"
#include "atspi/twin.h"
#include "atspi/version.h"
#include "atspi/waking.h"

/* How long an application that was too slow is not asked for everything at once. */
#define SLOW_US (60 * G_USEC_PER_SEC)

static struct tree *degraded(char *why)
{
	struct tree *tree = tree_new();
	tree->complete = false;
	tree->degraded = why;
	return tree;
}

/* Moves what GTK4 told relative to its content to where it is on the screen. */
static bool place_gtk4(struct atspi *atspi, struct tree *tree, const struct window *window,
	struct deadline deadline, GError **error)
{
	const struct element *frame = tree->elements->pdata[0];
	bool has_frame = frame->has_frame;
	struct window_px inset = gtk4_inset(window->shadow, window->bounds, frame->frame.width,
		frame->frame.height);
	g_autoptr(GHashTable) done = g_hash_table_new(NULL, NULL);
	if (popup_has_popover(tree)) {
		g_autoptr(GPtrArray) windows = atspi->windows(atspi->data, deadline, error);
		if (windows == NULL) {
			return false;
		}
		popup_place_popovers(tree, windows, window->pid, done);
	}
	for (guint i = 0; i < tree->elements->len; i++) {
		struct element *element = tree->elements->pdata[i];
		if (!g_hash_table_contains(done, element)) {
			element->has_frame = element->has_frame && has_frame;
			element->frame = gtk4_to_screen(window->bounds, inset, element->frame);
		}
	}
	return true;
}

static struct tree *read_frame(struct atspi *atspi, struct link *link, const struct object *frame,
	const struct window *window, const struct reading *reading, struct deadline deadline, GError **error)
{
	struct tree *tree = reader_read(link, frame->name, frame->path, reading, deadline, error);
	if (tree != NULL && waking_is_needed(window, tree)) {
		tree = waking_read(atspi, link, frame, tree, reading, deadline, error);
	}
	if (tree != NULL && reading->gtk4 && tree->elements->len > 0) {
		/* Since 4.14.6 what is at a point is the last that has it, shown or not, and pages
		 * that are not shown are not listed. */
		if (reading->era != GTK4_ERA_SUM) {
			hidden_mark(link, tree, deadline);
		}
		padding_put_back(tree, reading->era);
	}
	if (tree != NULL) {
		place_in_pixels(tree, window);
	}
	if (tree != NULL && strcmp(window->toolkit, "vcl") == 0) {
		twin_drop(tree);
	}
	if (tree != NULL && reading->gtk4 && tree->elements->len > 0
		&& !place_gtk4(atspi, tree, window, deadline, error)) {
		g_clear_pointer(&tree, tree_free);
	}
	return tree;
}

/* Turns the tree of a top-level into pixels, by the size of the window it can be. */
static void place_owner(struct tree *tree, const GPtrArray *windows, pid_t pid)
{
	const struct element *root = tree->elements->len > 0 ? tree->elements->pdata[0] : NULL;
	for (guint i = 0; root != NULL && root->has_frame && i < windows->len; i++) {
		const struct window *window = windows->pdata[i];
		if (window->pid == pid && kind_of(window) == KIND_TOP && match_place(window, root->frame)) {
			place_in_pixels(tree, window);
			return;
		}
	}
}

/* A popup without a top-level of its own is a part of another window's tree. */
static struct tree *read_popup(struct atspi *atspi, struct link *link, const GPtrArray *tops,
	const struct window *window, const struct reading *reading, struct deadline deadline, GError **error)
{
	struct tree *found = NULL;
	int root = -1;
	g_autoptr(GPtrArray) windows = atspi->windows(atspi->data, deadline, error);
	if (windows == NULL) {
		return NULL;
	}
	for (guint i = 0; i < tops->len; i++) {
		const struct candidate *top = tops->pdata[i];
		g_autoptr(GError) problem = NULL;
		struct tree *tree = reader_read(link, top->object->name, top->object->path, reading, deadline,
			&problem);
		if (tree == NULL && problem->code == ERROR_STALE_ELEMENT) {
			continue;
		}
		if (tree == NULL) {
			g_propagate_error(error, g_steal_pointer(&problem));
			tree_free(found);
			return NULL;
		}
		if (reading->gtk4) {
			padding_put_back(tree, reading->era);
		}
		place_owner(tree, windows, window->pid);
		int position = popup_find(tree, window);
		if (position >= 0 && found != NULL) {
			/* Two windows show such a part: none is proven. */
			tree_free(tree);
			tree_free(found);
			return NULL;
		}
		if (position >= 0) {
			found = tree;
			root = position;
		} else {
			tree_free(tree);
		}
	}
	return found != NULL ? popup_cut(found, root, window) : NULL;
}

/*
 * What the application tells about all its objects at once; of one behind a proxy nothing. It is silent while it makes
 * the list, on a busy machine perhaps for too long: then it is not asked again for a while.
 */
static struct cache *ask_cache(struct atspi *atspi, struct link *link, const char *name,
	const struct window *window)
{
	if (!kind_has_cache(window)) {
		return NULL;
	}
	g_mutex_lock(&atspi->mutex);
	const gint64 *when = g_hash_table_lookup(atspi->slow, name);
	bool slow = when != NULL && g_get_monotonic_time() - *when < SLOW_US;
	g_mutex_unlock(&atspi->mutex);
	if (slow) {
		return NULL;
	}
	pool_listen(atspi);
	return cache_ask(link, name);
}

static void remember_slow(struct atspi *atspi, const char *name)
{
	gint64 now = g_get_monotonic_time();
	g_mutex_lock(&atspi->mutex);
	g_hash_table_replace(atspi->slow, g_strdup(name), g_memdup2(&now, sizeof now));
	g_mutex_unlock(&atspi->mutex);
}

static void note_silence(struct atspi *atspi, const struct object *application, const GError *problem)
{
	if (problem != NULL && problem->code == ERROR_APP_UNRESPONSIVE) {
		breaker_trip(atspi, application->name);
	}
}

/*
 * What an application is asked before the registry has said that it is still the one of the process: both
 * answers come in one turn then, and mostly it is.
 */
struct advance {
	char *name;          /* NULL: nobody was asked */
	struct cache *cache;
	GPtrArray *tops;
};

static void advance_ask(struct advance *advance, struct atspi *atspi, struct link *link,
	const struct window *window)
{
	advance->name = application_guess(atspi, window->pid);
	if (advance->name != NULL) {
		pool_attach(atspi, link, advance->name);
		advance->cache = ask_cache(atspi, link, advance->name, window);
		advance->tops = toplevel_ask(link, advance->name, DESKTOP_ROOT);
	}
}

static bool advance_is_of(const struct advance *advance, const struct object *application)
{
	return application != NULL && g_strcmp0(advance->name, application->name) == 0
		&& strcmp(application->path, DESKTOP_ROOT) == 0;
}

/* The link has been pumped, or is broken. */
static void advance_clear(struct advance *advance)
{
	g_clear_pointer(&advance->name, g_free);
	g_clear_pointer(&advance->cache, cache_free);
	g_clear_pointer(&advance->tops, g_ptr_array_unref);
}

/* What is done differently the next time. `cache` was asked for and did not come. */
static void note_failure(struct atspi *atspi, const struct window *window, const char *application,
	bool cache, const GError *problem)
{
	if (problem->code != ERROR_APP_UNRESPONSIVE) {
		return;
	}
	if (cache) {
		remember_slow(atspi, application);
	}
	/* LibreOffice was perhaps only slow. */
	if (strcmp(window->toolkit, "vcl") != 0) {
		breaker_trip(atspi, application);
	}
}

/* Qt's views say that they are shown, whatever they are; one that is not has no place, and its items have. */
static bool is_hidden_view(const struct element *element)
{
	static const char *const roles[] = { "list", "table", "tree", "tree table", NULL };
	return !element->has_frame && g_strv_contains(roles, element->role);
}

/* Items of a page that is not shown say that they are, in Qt; the page itself does not. */
static void hide_inside(const struct tree *tree)
{
	for (guint i = 0; tree != NULL && i < tree->elements->len; i++) {
		struct element *element = tree->elements->pdata[i];
		const struct element *parent = element->parent >= 0 ? tree->elements->pdata[element->parent] : NULL;
		if (parent != NULL) {
			element->states |= (parent->states & STATE_OFFSCREEN) | (is_hidden_view(element) ? STATE_OFFSCREEN : 0);
		}
	}
}

/* Qt says of what is current in a view that it has the focus, of each view in the window. */
static void drop_current(struct tree *tree)
{
	static const char *const roles[] = { "list item", "table cell", "tree item", NULL };
	for (guint i = 0; tree != NULL && i < tree->elements->len; i++) {
		struct element *element = tree->elements->pdata[i];
		if (g_strv_contains(roles, element->role)) {
			element->states &= ~(unsigned)STATE_FOCUSED;
		}
	}
}

/* Once it is known who is on the bus. `*tops` may have been asked for; `cache` is what there is to be. */
static struct tree *read_known(struct atspi *atspi, struct link *link, const GPtrArray *all,
	const struct window *window, const struct tree_limits *limits, struct cache *cache,
	GPtrArray **tops, struct deadline deadline, GError **error)
{
	struct reading reading = { .limits = *limits,
		.children = true,
		.others = true,
		.gtk4 = kind_is_gtk4(window),
		.gtk3 = strcmp(window->toolkit, "gtk3") == 0,
		.qt = g_str_has_prefix(window->toolkit, "qt"),
		.chromium = strcmp(window->toolkit, "chromium") == 0,
		.gecko = strcmp(window->toolkit, "gecko") == 0 };
	g_autofree char *why = NULL;
	g_autoptr(GError) problem = NULL;
	struct tree *tree = NULL;
	struct object *frame = toplevel_find(atspi, link, all, window, cache, tops, &why, deadline,
		&problem);
	const struct object *speaker = frame != NULL ? frame
		: *tops != NULL && (*tops)->len > 0
		? ((const struct candidate *)(*tops)->pdata[0])->object
		: NULL;
	if (reading.gtk4 && speaker != NULL && problem == NULL) {
		reading.era = version_era(atspi, link, speaker->name, deadline, &problem);
	}
	/* The cache's answer came along with those that told the frames. */
	reading.cache = cache != NULL && cache_is_there(cache) ? cache : NULL;
	if (frame != NULL && problem == NULL) {
		tree = read_frame(atspi, link, frame, window, &reading, deadline, &problem);
		if (reading.qt) {
			hide_inside(tree);
			drop_current(tree);
		}
	} else if (problem == NULL && *tops != NULL
		&& (kind_of(window) == KIND_POPUP || window->transient_for != 0)) {
		tree = read_popup(atspi, link, *tops, window, &reading, deadline, &problem);
	}
	object_free(frame);
	if (problem != NULL) {
		g_propagate_error(error, g_steal_pointer(&problem));
	} else if (tree == NULL) {
		tree = degraded(g_steal_pointer(&why));
	}
	return tree;
}

static struct tree *read_window(struct atspi *atspi, struct link *link, const struct window *window,
	const struct tree_limits *limits, struct deadline deadline, GError **error)
{
	struct advance advance = { 0 };
	g_autoptr(GError) problem = NULL;
	struct tree *tree = NULL;

	advance_ask(&advance, atspi, link, window);
	g_autoptr(GPtrArray) all = application_list(atspi, link, deadline, &problem);
	if (all == NULL) {
		if (advance.name != NULL) {
			note_failure(atspi, window, advance.name, advance.cache != NULL
				&& !cache_is_there(advance.cache), problem);
		}
		advance_clear(&advance);
		g_propagate_error(error, g_steal_pointer(&problem));
		return NULL;
	}
	g_autoptr(GPtrArray) own = application_of(all, window->pid);
	const struct object *application = own->len == 1 ? own->pdata[0] : NULL;
	if (!advance_is_of(&advance, application)) {
		advance_clear(&advance);
		if (application != NULL) {
			if (!breaker_try(atspi, link, application->name, application->path, deadline, error)) {
				return NULL;
			}
			pool_attach(atspi, link, application->name);
		}
		advance.cache = own->len > 0 ? ask_cache(atspi, link,
			((const struct object *)own->pdata[0])->name, window) : NULL;
	}
	tree = read_known(atspi, link, all, window, limits, advance.cache, &advance.tops, deadline,
		&problem);
	if (problem != NULL) {
		if (application != NULL) {
			note_failure(atspi, window, application->name, advance.cache != NULL
				&& !cache_is_there(advance.cache), problem);
		}
		g_propagate_error(error, g_steal_pointer(&problem));
	}
	advance_clear(&advance);
	return tree;
}

struct tree *atspi_tree(struct atspi *atspi, const struct window *window,
	const struct tree_limits *limits, struct deadline deadline, GError **error)
{
	struct link *link = pool_borrow(atspi, deadline, error);
	if (link == NULL) {
		return NULL;
	}
	unsigned before = link->requests;
	struct tree *tree = read_window(atspi, link, window, limits, deadline, error);
	if (tree != NULL) {
		tree->requests = link->requests - before;
		if (tree->elements->len > 0) {
			const struct element *root = tree->elements->pdata[0];
			pool_attend(atspi, root->provider);
			kinship_mark(link, tree, window, deadline);
			if (strcmp(window->toolkit, "gtk3") == 0 && !link->broken) {
				mute_fill(link, atspi->past, tree, deadline);
			}
		}
	}
	pool_return(atspi, link);
	return tree;
}

static struct tree *read_application(struct atspi *atspi, struct link *link,
	const struct object *application, const struct reading *reading, struct deadline deadline,
	GError **error)
{
	GError *problem = NULL;
	struct tree *tree = breaker_try(atspi, link, application->name, application->path, deadline,
		&problem) ? reader_read(link, application->name, application->path, reading, deadline, &problem)
		: NULL;
	note_silence(atspi, application, problem);
	if (problem != NULL) {
		g_propagate_error(error, problem);
	}
	return tree;
}

struct tree *atspi_overview(struct atspi *atspi, pid_t pid, const struct tree_limits *limits,
	struct deadline deadline, GError **error)
{
	struct reading reading = {
		.limits = *limits, .light = true, .children = true, .others = true, .tolerant = true
	};
	struct link *link = pool_borrow(atspi, deadline, error);
	struct tree *tree = NULL;
	if (link == NULL) {
		return NULL;
	}
	if (pid == 0) {
		/* The desktop's children are applications, theirs are windows. */
		reading.shallow = limits->max_depth == 0;
		reading.limits.max_depth = MIN(limits->max_depth > 0 ? limits->max_depth : 2, 2);
		reading.atspi = atspi;
		tree = reader_read(link, REGISTRY, DESKTOP_ROOT, &reading, deadline, error);
	} else {
		g_autoptr(GPtrArray) all = application_list(atspi, link, deadline, error);
		g_autoptr(GPtrArray) applications = all != NULL ? application_of(all, pid) : NULL;
		if (applications != NULL && applications->len == 0) {
			g_set_error(error, CUA_ERROR, ERROR_APP_NOT_FOUND,
				"Process %d is not on the accessibility bus", (int)pid);
		} else if (applications != NULL) {
			struct object *application = applications->pdata[0];
			tree = read_application(atspi, link, application, &reading, deadline, error);
		}
	}
	pool_return(atspi, link);
	return tree;
}

static void on_count(struct message *reply, void *data)
{
	(void)reply;
	(void)data;
}

void atspi_wake(struct atspi *atspi, struct deadline deadline)
{
	struct link *link = pool_borrow(atspi, deadline, NULL);
	if (link != NULL) {
		/* Whoever is asked is started if need be. */
		link_get(link, REGISTRY, DESKTOP_ROOT, ACCESSIBLE, "ChildCount", on_count, NULL);
		link_pump(link, deadline, NULL);
		pool_return(atspi, link);
	}
}
