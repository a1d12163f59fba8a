/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/waiting.h"

#include <string.h>

#include "core/past.h"

/* However often something happens, looking takes at most a third of an application's time. */
#define PACE_US 20000
#define PACE_TIMES 2
/* For what nobody tells: so often it is looked at unasked. */
#define RELOOK_US 1000000
#define RELOOK_TIMES 10
/* A look that began in time may take this long beyond it. */
#define LAST_LOOK_MS 1000
#define MAX_ELEMENTS 5000

struct waiting {
	struct call *call;
	GPtrArray *conditions;   /* struct condition */
	struct sighting *sightings; /* of the last look at each */
	GHashTable *earlier;     /* set of guint64: the windows at the beginning */
	bool reads_tree;
	bool reads_idle;         /* has to know who is to be silent */
	void *following;         /* NULL: nobody tells */
	int limit_ms, settle_ms;
	gint64 started, limit;
	gint64 held;             /* since when all conditions hold; 0: they do not */
	gint64 ended;
	bool met, hopeless;
	unsigned looks;

	GMutex mutex;            /* for these */
	char *provider;          /* who answers for the window's elements; NULL: not known yet */
	gint64 heard;            /* when it said something last */
	gint64 not_before;       /* when the next look may be */
};

/* Whether it is the application of the window that moves; until it is known who that is, anybody. */
static bool is_ours(const struct waiting *waiting, const struct happening *happening)
{
	const struct window *window = waiting->call->window;
	return happening->provider != NULL
		? waiting->provider == NULL || strcmp(waiting->provider, happening->provider) == 0
		: happening->kind == HAPPENED_OPENED && window != NULL && happening->pid == window->pid;
}

static void heard(const struct happening *happening, void *data)
{
	struct waiting *waiting = data;
	gint64 now = g_get_monotonic_time();
	bool ours, of_windows = happening->kind == HAPPENED_OPENED || happening->kind == HAPPENED_CLOSED
		|| happening->kind == HAPPENED_RETITLED;
	g_mutex_lock(&waiting->mutex);
	ours = is_ours(waiting, happening);
	if (ours) {
		waiting->heard = now;
	}
	gint64 at = MAX(now, waiting->not_before);
	g_mutex_unlock(&waiting->mutex);
	if (ours || of_windows) {
		call_wake(waiting->call, at);
	}
}

/* Guesses from an earlier snapshot who answers for the window. */
static char *find_provider(const struct call *call)
{
	struct snapshot *snapshot = call->window != NULL
		? session_latest(call->session, call->window->pid, call->window->id) : NULL;
	char *provider = NULL;
	if (snapshot != NULL && snapshot->tree->elements->len > 0) {
		provider = g_strdup(((struct element *)snapshot->tree->elements->pdata[0])->provider);
	}
	snapshot_unref(snapshot);
	return provider;
}

static GHashTable *note_windows(struct call *call)
{
	g_autoptr(GPtrArray) windows = call->platform->impl->windows(call->platform, call->deadline,
		NULL);
	if (windows == NULL) {
		return NULL;
	}
	GHashTable *ids = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	for (guint i = 0; i < windows->len; i++) {
		const struct window *window = windows->pdata[i];
		g_hash_table_add(ids, g_memdup2(&window->id, sizeof window->id));
	}
	return ids;
}

struct waiting *waiting_new(struct call *call, GPtrArray *conditions, int limit_ms, int settle_ms)
{
	const struct platform_impl *impl = call->platform->impl;
	struct waiting *waiting = g_new0(struct waiting, 1);
	bool fresh = false;
	waiting->call = call;
	waiting->conditions = conditions;
	waiting->sightings = g_new0(struct sighting, conditions->len + 1);
	waiting->settle_ms = settle_ms;
	g_mutex_init(&waiting->mutex);
	for (guint i = 0; i < conditions->len; i++) {
		const struct condition *condition = conditions->pdata[i];
		waiting->reads_tree |= condition_reads_tree(condition);
		waiting->reads_idle |= condition->kind == CONDITION_IDLE;
		fresh |= condition->fresh;
	}
	waiting->provider = find_provider(call);
	if (limit_ms > 0) {
		impl->look_out(call->platform, true);
		waiting->following = past_follow(call->platform->past, heard, waiting);
	}
	if (fresh) {
		waiting->earlier = note_windows(call);
	}
	waiting->limit_ms = limit_ms;
	waiting->heard = g_get_monotonic_time();
	return waiting;
}

void waiting_free(struct waiting *waiting)
{
	if (waiting == NULL) {
		return;
	}
	if (waiting->following != NULL) {
		struct platform *platform = waiting->call->platform;
		past_unfollow(platform->past, waiting->following);
		platform->impl->look_out(platform, false);
	}
	g_free(waiting->provider);
	for (guint i = 0; i < waiting->conditions->len; i++) {
		sighting_clear(&waiting->sightings[i]);
	}
	g_free(waiting->sightings);
	g_ptr_array_unref(waiting->conditions);
	g_clear_pointer(&waiting->earlier, g_hash_table_unref);
	g_mutex_clear(&waiting->mutex);
	g_free(waiting);
}

/* What the last look could not see is not forgotten for it. */
static void take(struct sighting *kept, struct sighting sighting)
{
	if (sighting.holds == HOLDS_UNKNOWN && kept->seen != NULL) {
		sighting_clear(&sighting);
		return;
	}
	sighting_clear(kept);
	*kept = sighting;
}

static void check(struct waiting *waiting, const struct scene *scene, bool last)
{
	for (guint i = 0; i < waiting->conditions->len; i++) {
		struct sighting sighting = condition_check(waiting->conditions->pdata[i], scene);
		if (last) {
			take(&waiting->sightings[i], sighting);
		} else {
			sighting_clear(&waiting->sightings[i]);
			waiting->sightings[i] = sighting;
		}
	}
}

/* From here on others may say what they like. */
static void know_provider(struct waiting *waiting, const struct tree *tree)
{
	if (tree != NULL && tree->elements->len > 0) {
		const struct element *root = tree->elements->pdata[0];
		g_mutex_lock(&waiting->mutex);
		g_free(waiting->provider);
		waiting->provider = g_strdup(root->provider);
		g_mutex_unlock(&waiting->mutex);
	}
}

/* Looks at windows and elements once, within the deadline. */
static void look(struct waiting *waiting, struct deadline deadline, bool last)
{
	struct call *call = waiting->call;
	const struct platform_impl *impl = call->platform->impl;
	struct tree_limits limits = { .max_elements = MAX_ELEMENTS };
	struct scene scene = { .earlier = waiting->earlier, .quiet_us = -1 };
	g_autoptr(GError) error = NULL;
	struct tree *tree = NULL;

	if (waiting->following != NULL) {
		g_mutex_lock(&waiting->mutex);
		scene.quiet_us = g_get_monotonic_time() - waiting->heard;
		g_mutex_unlock(&waiting->mutex);
	}
	g_autoptr(GPtrArray) windows = impl->windows(call->platform, deadline, &error);
	scene.windows = windows;
	if (windows != NULL && call->window != NULL) {
		/* As it is now: its title and size tell which of the application's it is. */
		scene.window = window_list_find(windows, call->window->id);
		scene.closed = scene.window == NULL || scene.window->pid != call->window->pid;
		if (!scene.closed && (waiting->reads_tree
			|| (waiting->reads_idle && waiting->provider == NULL))) {
			tree = impl->tree(call->platform, scene.window, &limits, deadline, &error);
			know_provider(waiting, tree);
		}
	}
	scene.tree = tree;
	scene.problem = error != NULL ? error->message : NULL;
	check(waiting, &scene, last);
	tree_free(tree);
	waiting->looks++;
}

static unsigned count(const struct waiting *waiting, enum holds holds)
{
	unsigned found = 0;
	for (guint i = 0; i < waiting->conditions->len; i++) {
		found += waiting->sightings[i].holds == holds;
	}
	return found;
}

static bool is_hopeless(const struct waiting *waiting)
{
	for (guint i = 0; i < waiting->conditions->len; i++) {
		if (waiting->sightings[i].final) {
			return true;
		}
	}
	return false;
}

/* When something will be so by the mere passing of time. */
static gint64 next_quiet(struct waiting *waiting, gint64 now)
{
	gint64 next = G_MAXINT64;
	g_mutex_lock(&waiting->mutex);
	for (guint i = 0; i < waiting->conditions->len; i++) {
		const struct condition *condition = waiting->conditions->pdata[i];
		gint64 quiet = waiting->heard + condition->quiet_ms * G_GINT64_CONSTANT(1000);
		if (condition->kind == CONDITION_IDLE && quiet > now) {
			next = MIN(next, quiet);
		}
	}
	g_mutex_unlock(&waiting->mutex);
	return next;
}

static void tell(struct waiting *waiting)
{
	g_autofree char *status = g_strdup_printf("%u of %u conditions hold", count(waiting, HOLDS_YES),
		waiting->conditions->len);
	call_status(waiting->call, (double)(waiting->limit - waiting->started) / G_USEC_PER_SEC, status);
}

bool waiting_look(struct waiting *waiting, call_resume resume)
{
	struct call *call = waiting->call;
	gint64 began = g_get_monotonic_time();
	if (waiting->started == 0) {
		waiting->started = began;
		waiting->limit = began + waiting->limit_ms * G_GINT64_CONSTANT(1000);
	}
	bool last = began >= waiting->limit;
	if (!call->late) {
		int left = (int)MAX((waiting->limit - began) / 1000, 0);
		look(waiting, waiting->looks == 0 ? call->deadline
			: deadline_within(call->deadline, left + LAST_LOOK_MS), last && waiting->looks > 0);
	}
	gint64 now = g_get_monotonic_time(), took = now - began;
	if (count(waiting, HOLDS_YES) < waiting->conditions->len) {
		waiting->held = 0;
		waiting->hopeless = is_hopeless(waiting);
	} else if (waiting->held == 0) {
		/* As of the moment that was looked at. */
		waiting->held = began;
	}
	/* Who could not look again does not know whether it still holds. */
	waiting->met = !call->late && waiting->held != 0
		&& now - waiting->held >= waiting->settle_ms * G_GINT64_CONSTANT(1000);
	if (waiting->met || waiting->hopeless || last || call->late) {
		waiting->ended = now;
		return true;
	}
	g_mutex_lock(&waiting->mutex);
	waiting->not_before = now + MAX(PACE_US, took * PACE_TIMES);
	g_mutex_unlock(&waiting->mutex);
	gint64 next = MIN(now + MAX(RELOOK_US, took * RELOOK_TIMES), next_quiet(waiting, now));
	if (waiting->held != 0) {
		next = MIN(next, waiting->held + waiting->settle_ms * G_GINT64_CONSTANT(1000));
	}
	tell(waiting);
	call_park(call, MIN(next, waiting->limit), waiting->limit, resume);
	return false;
}

static void answer_condition(struct answer *answer, const struct condition *condition,
	const struct sighting *sighting)
{
	static const char *const words[] = { "does not hold", "holds", "cannot be told" };
	g_autofree char *text = condition_words(condition);
	answer_open_object(answer, NULL);
	answer_string(answer, "condition", text);
	answer_bool(answer, "holds", sighting->holds == HOLDS_YES);
	answer_string(answer, "seen", sighting->seen);
	if (sighting->holds == HOLDS_UNKNOWN) {
		answer_bool(answer, "unknown", true);
	}
	if (sighting->window_id != 0) {
		answer_int(answer, "window_id", (gint64)sighting->window_id);
		answer_int(answer, "pid", sighting->pid);
	}
	answer_close_object(answer);
	answer_text(answer, "- %s: %s (%s)\n", text, words[sighting->holds], sighting->seen);
}

void waiting_answer(const struct waiting *waiting, struct answer *answer)
{
	int ms = (int)((waiting->ended - waiting->started) / 1000);
	bool once = waiting->limit == waiting->started;
	answer_bool(answer, "met", waiting->met);
	answer_string(answer, "ended", waiting->met ? "met" : waiting->hopeless ? "hopeless"
		: once ? "looked" : "timeout");
	if (once) {
		answer_text(answer, waiting->met ? "All conditions hold.\n" : "Not all conditions hold.\n");
	} else {
		answer_text(answer, waiting->met ? "Met after %d ms.\n"
			: waiting->hopeless ? "Given up after %d ms: it cannot come true any more.\n"
			: "Not met within %d ms.\n", ms);
	}
	answer_open_array(answer, "conditions");
	for (guint i = 0; i < waiting->conditions->len; i++) {
		answer_condition(answer, waiting->conditions->pdata[i], &waiting->sightings[i]);
	}
	answer_close_array(answer);
	answer_int(answer, "looks", waiting->looks);
	answer_int(answer, "waited_ms", ms);
}
