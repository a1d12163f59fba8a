/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/waking.h"

#include <string.h>

#include "atspi/kind.h"
#include "atspi/role.h"

/* How long a page may take to appear, and how often it is looked for when nobody tells. */
#define PATIENCE_MS 3000
#define LOOK_MS 100
/* Who did not wake up is not waited for again before this. */
#define VAIN_US (30 * G_USEC_PER_SEC)

static const char *const events[] = { "object:children-changed", "document:load-complete" };

/* A document that has no place yet is only announced: what is in it is still being made. */
static bool has_page(const struct tree *tree)
{
	for (guint i = 0; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		if (strcmp(element->role, role_name(ROLE_DOCUMENT_WEB)) == 0 && element->has_frame
			&& !(element->states & (STATE_BUSY | STATE_OFFSCREEN))) {
			return true;
		}
	}
	return false;
}

/*
 * Firefox fetches what it tells of pages from another process when the first one asks, each kind of thing by itself, and
 * meanwhile answers that there is none: no names, no places.
 */
static bool is_being_fetched(const struct tree *tree)
{
	for (guint i = 0; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		if (strcmp(element->role, role_name(ROLE_DOCUMENT_WEB)) == 0
			&& !(element->states & (STATE_BUSY | STATE_OFFSCREEN))) {
			return !has_page(tree);
		}
	}
	return false;
}

bool waking_is_needed(const struct window *window, const struct tree *tree)
{
	if (strcmp(window->type, "normal") != 0 || tree->elements->len == 0) {
		return false;
	}
	return strcmp(window->toolkit, "chromium") == 0 ? !has_page(tree)
		: strcmp(window->toolkit, "gecko") == 0 && is_being_fetched(tree);
}

/* How much there is: elements, names and places. */
static guint size_of(const struct tree *tree)
{
	guint size = tree->elements->len;
	for (guint i = 0; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		size += (element->name[0] != '\0') + element->has_frame;
	}
	return size;
}

static void on_signal(struct message *message, void *data)
{
	bool *seen = data;
	(void)message;
	*seen = true;
}

static void tell_registry(struct link *link, const char *method, const char *types)
{
	for (gsize i = 0; i < G_N_ELEMENTS(events); i++) {
		link_send(link, REGISTRY, "/org/a11y/atspi/registry", REGISTRY, method, link_ignore, NULL, types,
			events[i], 0, "");
	}
}

static bool was_in_vain(struct atspi *atspi, const char *name)
{
	g_mutex_lock(&atspi->mutex);
	const gint64 *when = g_hash_table_lookup(atspi->asleep, name);
	bool vain = when != NULL && g_get_monotonic_time() - *when < VAIN_US;
	g_mutex_unlock(&atspi->mutex);
	return vain;
}

static void remember(struct atspi *atspi, const char *name)
{
	gint64 now = g_get_monotonic_time();
	g_mutex_lock(&atspi->mutex);
	g_hash_table_replace(atspi->asleep, g_strdup(name), g_memdup2(&now, sizeof now));
	g_mutex_unlock(&atspi->mutex);
}

/* Reads until the page is there and two readings in a row are equally large. */
static struct tree *read_awake(struct link *link, const struct object *frame,
	const struct reading *reading, const bool *told, struct deadline patience, struct deadline deadline,
	GError **error)
{
	guint size = 0;
	while (deadline_left(patience) > 0) {
		struct tree *tree = reader_read(link, frame->name, frame->path, reading, deadline, error);
		if (tree == NULL) {
			return NULL;
		}
		guint now = has_page(tree) ? size_of(tree) : 0;
		if (now > 0 && now == size) {
			return tree;
		}
		size = now;
		tree_free(tree);
		link_wait(link, told, deadline_within(patience, LOOK_MS));
	}
	return NULL;
}

static struct tree *as_skeleton(struct tree *tree)
{
	tree->skeleton = true;
	tree->complete = false;
	g_free(tree->degraded);
	tree->degraded = g_strdup("the browser shows no content of its page to accessibility, also when "
		"asked to: the page is empty or does not respond; wait and look again, start the browser with "
		"--force-renderer-accessibility, or use the picture");
	return tree;
}

struct tree *waking_read(struct atspi *atspi, struct link *link, const struct object *frame,
	struct tree *tree, const struct reading *reading, struct deadline deadline, GError **error)
{
	struct reading again = *reading;
	bool told = false;
	g_autoptr(GError) problem = NULL;

	if (was_in_vain(atspi, frame->name)) {
		return as_skeleton(tree);
	}
	g_autofree char *rule = g_strdup_printf("type='signal',sender='%s'", frame->name);
	wire_on_signal(link->bus, on_signal, &told);
	link_match(link, rule, true, NULL, NULL);
	tell_registry(link, "RegisterEvent", "sass");
	/* Only screen readers ask for attributes: Chromium takes this for one. */
	link_send(link, frame->name, frame->path, ACCESSIBLE, "GetAttributes", link_ignore, NULL, NULL);
	struct tree *awake = NULL;
	if (link_pump(link, deadline, &problem)) {
		/* What the application told about all its objects was told before it woke up. */
		again.cache = NULL;
		awake = read_awake(link, frame, &again, &told, deadline_within(deadline, PATIENCE_MS),
			deadline, &problem);
	}
	wire_on_signal(link->bus, NULL, NULL);
	if (!link->broken) {
		link_match(link, rule, false, NULL, NULL);
		tell_registry(link, "DeregisterEvent", "s");
		link_pump(link, deadline_in(500, NULL), NULL);
	}
	if (problem != NULL) {
		tree_free(tree);
		g_propagate_error(error, g_steal_pointer(&problem));
		return NULL;
	}
	if (awake == NULL) {
		remember(atspi, frame->name);
		return as_skeleton(tree);
	}
	tree_free(tree);
	return awake;
}
