/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/match.h"

#include <stdlib.h>
#include <string.h>

#include "atspi/kind.h"
#include "atspi/node.h"
#include "atspi/place.h"

/* Toolkits and window managers round differently. */
#define SLACK 2
/* The widest border that GTK4 draws around its content without saying so. */
#define WIDEST_BORDER 64

struct object *object_new(const char *name, const char *path)
{
	struct object *object = g_new(struct object, 1);
	*object = (struct object){ g_strdup(name), g_strdup(path) };
	return object;
}

void object_free(struct object *object)
{
	if (object == NULL) {
		return;
	}
	g_free(object->name);
	g_free(object->path);
	g_free(object);
}

GPtrArray *object_list_new(void)
{
	return g_ptr_array_new_with_free_func((GDestroyNotify)object_free);
}

struct candidate *candidate_new(const char *name, const char *path)
{
	struct candidate *candidate = g_new0(struct candidate, 1);
	candidate->object = object_new(name, path);
	candidate->name = g_strdup("");
	return candidate;
}

void candidate_free(struct candidate *candidate)
{
	object_free(candidate->object);
	g_free(candidate->name);
	g_free(candidate);
}

/* --- What one window and one candidate say about each other -------------------------------------- */

enum agreement {
	AGREES,
	SILENT,
	DISAGREES,
};

static bool same_title(const struct window *window, const struct candidate *candidate)
{
	const char *title = window->title, *name = candidate->name;
	if (name[0] == '\0' || title[0] == '\0') {
		return false;
	}
	if (strcmp(name, title) == 0) {
		return true;
	}
	/* Qt adds the application's name for the window manager only. */
	return g_str_has_prefix(window->toolkit, "qt") && g_str_has_prefix(title, name)
		&& g_str_has_prefix(title + strlen(name), " \xe2\x80\x94 ");
}

static bool near_by(struct screen_rect a, struct screen_rect b, int slack)
{
	return abs(a.x - b.x) <= slack && abs(a.y - b.y) <= slack && abs(a.width - b.width) <= slack
		&& abs(a.height - b.height) <= slack;
}

static struct screen_rect grown(struct screen_rect rect, struct gtk4_extents by, int sign)
{
	return (struct screen_rect){
		rect.x - sign * by.left, rect.y - sign * by.top,
		rect.width + sign * (by.left + by.right), rect.height + sign * (by.top + by.bottom),
	};
}

/* A GTK4 frame is as large as the X window without the border it draws itself. */
static bool same_gtk4_size(const struct window *window, struct screen_rect told)
{
	struct screen_rect inner = window->bounds;
	if (window->shadow.known) {
		inner = grown(inner, window->shadow, -1);
		return abs(inner.width - told.width) <= SLACK && abs(inner.height - told.height) <= SLACK;
	}
	int wider = inner.width - told.width, higher = inner.height - told.height;
	return wider >= -SLACK && wider <= 2 * WIDEST_BORDER && abs(wider - higher) <= SLACK;
}

/* Where it says it is: GTK3, Java and LibreOffice count the window manager's frame, others do not. */
static enum agreement geometry(const struct window *window, const struct candidate *candidate)
{
	struct screen_rect told = candidate->told;
	if (!candidate->has_place || told.width <= 1 || told.height <= 1 || told.x < -100000) {
		return SILENT;
	}
	/* Told in larger units than pixels, everything is rounded by one of them. */
	double scale = place_scale(window, told);
	told = (struct screen_rect){ (int)(told.x * scale), (int)(told.y * scale),
		(int)(told.width * scale), (int)(told.height * scale) };
	int slack = scale > 1 ? SLACK + (int)scale : SLACK;
	if (kind_is_gtk4(window)) {
		return same_gtk4_size(window, told) ? AGREES : DISAGREES;
	}
	return near_by(told, window->bounds, slack)
		|| near_by(told, grown(window->bounds, window->decoration, 1), slack)
		|| near_by(told, grown(window->bounds, window->shadow, -1), slack) ? AGREES : DISAGREES;
}

bool match_place(const struct window *window, struct screen_rect told)
{
	return geometry(window, &(struct candidate){ .has_place = true, .told = told }) == AGREES;
}

static bool has_state(const struct candidate *candidate, enum atspi_state state)
{
	return (candidate->states >> state & 1) != 0;
}

/* --- The two lists side by side ------------------------------------------------------------------ */

struct table {
	guint peers, candidates;
	bool *fits;   /* peers × candidates */
};

static bool *cell(const struct table *table, guint peer, guint candidate)
{
	return &table->fits[peer * table->candidates + candidate];
}

static guint count_candidates(const GPtrArray *candidates, const struct window *window)
{
	guint count = 0;
	for (guint i = 0; i < candidates->len; i++) {
		count += same_title(window, candidates->pdata[i]);
	}
	return count;
}

static guint count_peers(const GPtrArray *peers, const struct candidate *candidate)
{
	guint count = 0;
	for (guint i = 0; i < peers->len; i++) {
		count += same_title(peers->pdata[i], candidate);
	}
	return count;
}

/* Whether exactly one of each side is active, so that this tells the pair from all others. */
static bool activity_tells(const struct window *window, const GPtrArray *peers,
	const GPtrArray *candidates)
{
	guint active_peers = 0, active_candidates = 0;
	for (guint i = 0; i < peers->len; i++) {
		const struct window *peer = peers->pdata[i];
		active_peers += peer->active;
		/* Somebody switched windows while the candidates were asked. */
		if (peer->id == window->id && peer->active != window->active) {
			return false;
		}
	}
	for (guint i = 0; i < candidates->len; i++) {
		active_candidates += has_state(candidates->pdata[i], ATSPI_ACTIVE);
	}
	return active_peers == 1 && active_candidates == 1;
}

static bool fits(const struct window *peer, const struct candidate *candidate, guint namesakes_there,
	guint namesakes_here, bool activity, enum proof proof)
{
	enum agreement where = geometry(peer, candidate);
	bool titled = same_title(peer, candidate);
	if (titled && namesakes_there == 1 && namesakes_here == 1 && proof != PROOF_STRANGER) {
		return true;
	}
	if (activity && peer->active != has_state(candidate, ATSPI_ACTIVE)) {
		return false;
	}
	if (titled) {
		return proof == PROOF_STRANGER ? where == AGREES : where != DISAGREES;
	}
	/* A title may have changed just now, or differ; but then it is nobody else's. */
	return proof != PROOF_STRANGER && namesakes_there == 0 && namesakes_here == 0 && where == AGREES;
}

static struct table compare(const struct window *window, const GPtrArray *peers,
	const GPtrArray *candidates, enum proof proof)
{
	struct table table = { peers->len, candidates->len, g_new0(bool, peers->len * candidates->len + 1) };
	bool activity = proof == PROOF_ACTIVE && activity_tells(window, peers, candidates);
	for (guint p = 0; p < peers->len; p++) {
		guint there = count_candidates(candidates, peers->pdata[p]);
		for (guint c = 0; c < candidates->len; c++) {
			*cell(&table, p, c) = fits(peers->pdata[p], candidates->pdata[c], there,
				count_peers(peers, candidates->pdata[c]), activity, proof);
		}
	}
	return table;
}

/* The only candidate that fits the peer and that no other peer fits; the table's width if none. */
static guint paired(const struct table *table, guint peer)
{
	guint found = table->candidates;
	for (guint c = 0; c < table->candidates; c++) {
		if (*cell(table, peer, c)) {
			if (found != table->candidates) {
				return table->candidates;
			}
			found = c;
		}
	}
	for (guint p = 0; p < table->peers && found != table->candidates; p++) {
		if (p != peer && *cell(table, p, found)) {
			return table->candidates;
		}
	}
	return found;
}

static guint position_of(const GPtrArray *peers, const struct window *window)
{
	for (guint i = 0; i < peers->len; i++) {
		if (((const struct window *)peers->pdata[i])->id == window->id) {
			return i;
		}
	}
	return peers->len;
}

static char *explain(const struct table *table, guint peer, const GPtrArray *candidates,
	enum proof proof)
{
	guint count = 0;
	for (guint c = 0; peer < table->peers && c < table->candidates; c++) {
		count += *cell(table, peer, c);
	}
	if (count == 0 && proof == PROOF_STRANGER) {
		return NULL;
	}
	if (candidates->len == 0) {
		return g_strdup("the application is on the accessibility bus but shows no window there");
	}
	if (count == 0) {
		return g_strdup_printf("none of %u accessible windows has the title and place of this one",
			candidates->len);
	}
	return g_strdup_printf("%u of %u accessible windows may be this one, or it has a twin: nothing tells "
		"them apart, neither title nor place nor size nor which of them is active", count,
		candidates->len);
}

const struct candidate *match_title(const struct window *window, const GPtrArray *candidates)
{
	const struct candidate *found = NULL;
	if (window->namesakes > 0) {
		return NULL;
	}
	for (guint i = 0; i < candidates->len; i++) {
		if (same_title(window, candidates->pdata[i])) {
			if (found != NULL) {
				return NULL;
			}
			found = candidates->pdata[i];
		}
	}
	return found;
}

/* A window on the screen is none of those that the application keeps hidden. */
static GPtrArray *shown(const struct window *window, const GPtrArray *candidates)
{
	GPtrArray *some = g_ptr_array_new();
	for (guint i = 0; i < candidates->len; i++) {
		const struct candidate *candidate = candidates->pdata[i];
		if (!window->on_screen || candidate->states == 0 || has_state(candidate, ATSPI_VISIBLE)
			|| has_state(candidate, ATSPI_SHOWING)) {
			g_ptr_array_add(some, candidates->pdata[i]);
		}
	}
	return some;
}

const struct candidate *match_prove(const struct window *window, const GPtrArray *peers,
	const GPtrArray *all, enum proof proof, char **why)
{
	g_autoptr(GPtrArray) candidates = shown(window, all);
	guint position = position_of(peers, window);
	struct table table = compare(window, peers, candidates, proof);
	guint found = position < peers->len ? paired(&table, position) : table.candidates;
	if (found == table.candidates) {
		*why = explain(&table, position, candidates, proof);
	}
	g_free(table.fits);
	return found < candidates->len ? candidates->pdata[found] : NULL;
}

char *match_activity(const GPtrArray *candidates)
{
	GString *text = g_string_new(NULL);
	for (guint i = 0; i < candidates->len; i++) {
		g_string_append_c(text, has_state(candidates->pdata[i], ATSPI_ACTIVE) ? '1' : '0');
	}
	return g_string_free(text, FALSE);
}

const struct candidate *match_popup(const struct window *window, const GPtrArray *candidates)
{
	const struct candidate *found = NULL;
	for (guint i = 0; i < candidates->len; i++) {
		const struct candidate *candidate = candidates->pdata[i];
		if (!kind_is_gtk4(window) && geometry(window, candidate) == AGREES) {
			if (found != NULL) {
				return NULL;
			}
			found = candidate;
		}
	}
	return found;
}
