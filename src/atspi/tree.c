/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "atspi/application.h"
#include "atspi/atspi.h"
#include "atspi/pool.h"
#include "atspi/reader.h"

static struct tree *degraded(char *why)
{
	struct tree *tree = tree_new();
	tree->complete = false;
	tree->degraded = why;
	return tree;
}

/* Moves what GTK4 told relative to its content to where it is on the screen. */
static void place_gtk4(struct tree *tree, const struct window *window)
{
	const struct element *frame = tree->elements->pdata[0];
	struct window_px inset = gtk4_inset(window->shadow, window->bounds, frame->frame.width,
		frame->frame.height);
	for (guint i = 0; i < tree->elements->len; i++) {
		struct element *element = tree->elements->pdata[i];
		element->has_frame = element->has_frame && frame->has_frame;
		element->frame = gtk4_to_screen(window->bounds, inset, element->frame);
	}
}

/* Chromium shows its window at once, but the page only when it believes that somebody looks. */
static void judge_chromium(struct tree *tree)
{
	for (guint i = 0; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		if (strcmp(element->role, "document web") == 0) {
			return;
		}
	}
	tree->skeleton = true;
	tree->complete = false;
	tree->degraded = g_strdup("the browser does not show its page to accessibility; start it with "
		"--force-renderer-accessibility, or use the picture");
}

static struct tree *read_frame(struct link *link, const GPtrArray *applications,
	const struct window *window, struct reading *reading, struct deadline deadline, GError **error)
{
	char *why;
	struct object *frame = application_frame(link, applications, window, &why, deadline, error);
	if (frame == NULL) {
		return why != NULL ? degraded(why) : NULL;
	}
	/* Its answer came along with those that told the frames. */
	if (reading->cache != NULL && !cache_is_there(reading->cache)) {
		reading->cache = NULL;
	}
	struct tree *tree = reader_read(link, frame->name, frame->path, reading, deadline, error);
	object_free(frame);
	return tree;
}

static struct tree *read_window(struct atspi *atspi, struct link *link, const struct window *window,
	const struct tree_limits *limits, struct deadline deadline, GError **error)
{
	bool gtk4 = strcmp(window->toolkit, "gtk4") == 0;
	struct reading reading = { .limits = *limits, .children = true, .gtk4 = gtk4 };
	g_autoptr(GPtrArray) applications = application_find(atspi, link, window->pid, deadline, error);

	if (applications == NULL) {
		return NULL;
	}
	if (applications->len == 0) {
		return degraded(g_strdup_printf("process %d is not on the accessibility bus: its toolkit has "
			"no accessibility, or it started before the bus did", (int)window->pid));
	}
	/* GTK4 lists only what somebody has looked at before, and not always as it is now. */
	struct cache *cache = NULL;
	if (!gtk4) {
		const struct object *application = applications->pdata[0];
		pool_listen(atspi);
		reading.cache = cache = cache_ask(link, application->name);
	}
	struct tree *tree = read_frame(link, applications, window, &reading, deadline, error);
	if (tree != NULL && gtk4 && tree->elements->len > 0) {
		place_gtk4(tree, window);
	}
	if (tree != NULL && tree->degraded == NULL && strcmp(window->toolkit, "chromium") == 0
		&& strcmp(window->type, "normal") == 0) {
		judge_chromium(tree);
	}
	cache_free(cache);
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
	}
	pool_return(atspi, link);
	return tree;
}

struct tree *atspi_overview(struct atspi *atspi, pid_t pid, const struct tree_limits *limits,
	struct deadline deadline, GError **error)
{
	struct reading reading = { .limits = *limits, .light = true, .children = true, .tolerant = true };
	struct link *link = pool_borrow(atspi, deadline, error);
	struct tree *tree = NULL;
	if (link == NULL) {
		return NULL;
	}
	if (pid == 0) {
		/* The desktop's children are applications, theirs are windows. */
		reading.shallow = limits->max_depth == 0;
		reading.limits.max_depth = MIN(limits->max_depth > 0 ? limits->max_depth : 2, 2);
		tree = reader_read(link, REGISTRY, DESKTOP_ROOT, &reading, deadline, error);
	} else {
		g_autoptr(GPtrArray) applications = application_find(atspi, link, pid, deadline, error);
		if (applications != NULL && applications->len == 0) {
			g_set_error(error, CUA_ERROR, ERROR_APP_NOT_FOUND,
				"Process %d is not on the accessibility bus", (int)pid);
		} else if (applications != NULL) {
			struct object *application = applications->pdata[0];
			tree = reader_read(link, application->name, application->path, &reading, deadline,
				error);
		}
	}
	pool_return(atspi, link);
	return tree;
}

struct element *atspi_reread(struct atspi *atspi, const struct element *element,
	struct deadline deadline, GError **error)
{
	const struct reading reading = { .limits = { .max_elements = 1 } };
	struct link *link = pool_borrow(atspi, deadline, error);
	struct element *now = NULL;
	if (link == NULL) {
		return NULL;
	}
	struct tree *tree = reader_read(link, element->provider, element->object, &reading, deadline,
		error);
	if (tree != NULL) {
		now = g_ptr_array_steal_index(tree->elements, 0);
		tree_free(tree);
	}
	pool_return(atspi, link);
	return now;
}
