/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/past.h"

#include <string.h>

/* How long an element must have been silent, and somebody must have listened, to be a witness. */
#define SILENCE_US (1000 * G_TIME_SPAN_MILLISECOND)
/* One that has moved by itself before must be silent for longer: clocks do not tick exactly. */
#define SUSPECT_US (1500 * G_TIME_SPAN_MILLISECOND)
/* How late an effect of an action may come. */
#define LATE_US (2000 * G_TIME_SPAN_MILLISECOND)
/* An answer that goes on for longer is no answer but a movement of its own. */
#define ANSWER_US (400 * G_TIME_SPAN_MILLISECOND)
/* What moved by itself twice within this time is restless: some clocks tell minutes. */
#define MEMORY_US (150 * G_TIME_SPAN_SECOND)
/* Who shows what others do, processes or files, looks at them that often. */
#define REFRESH_US (5 * G_TIME_SPAN_SECOND)
#define HAPPENINGS_KEPT 2048
#define RECORDS_KEPT 8192
#define DEEDS_KEPT 64
#define ANSWERS_KEPT 16
#define TAKINGS_KEPT 64

/* One action of ours. */
struct deed {
	guint64 id;
	char *provider, *object;
	pid_t pid;
	guint64 moment;
	gint64 at;
	bool sent, seen;
};

/* An element, as both name it. */
struct subject {
	const char *provider, *object;
};

/* What is known of an element that changed. */
struct record {
	struct subject subject;       /* the key, so it comes first */
	gint64 moved;                 /* the last change without a cause; 0 if there was none */
	gint64 moved_before;          /* the one before that, where they are apart */
	gint64 last;                  /* the last change at all */
	guint64 answered[ANSWERS_KEPT]; /* numbers of the actions it answered, a ring */
	gint64 answered_at;           /* when the last of them was answered first */
	unsigned answers;
};

/* How a provider is listened to. */
struct attention {
	gint64 since;
	gint64 heard;                 /* when it last said anything */
};

/* Somebody who is told of everything at once. */
struct follower {
	void (*heard)(const struct happening *happening, void *data);
	void *data;
};

struct past {
	GMutex lock;
	GPtrArray *followers;     /* struct follower */
	GCond changed;
	unsigned waiting;         /* for that: to wake nobody takes a system call, too */
	GQueue happenings;        /* struct happening, oldest first */
	GQueue undecided;         /* struct happening: came while an action was being sent, oldest first */
	guint64 count;            /* noted so far */
	GHashTable *records;      /* set of struct record, by their subjects */
	GHashTable *listening;    /* provider → struct attention */
	GHashTable *said; /* "provider object" → what it said last of being checked: enum said */
	struct tellings *tellings;
	GQueue deeds;             /* struct deed, newest first */
	GArray *takings;          /* struct taking, oldest first */
	guint64 last_deed;
};

static guint subject_hash(gconstpointer key)
{
	const struct subject *subject = key;
	return g_str_hash(subject->provider) * 31 + g_str_hash(subject->object);
}

static gboolean subject_equal(gconstpointer a, gconstpointer b)
{
	const struct subject *left = a, *right = b;
	return strcmp(left->object, right->object) == 0 && strcmp(left->provider, right->provider) == 0;
}

/* Copies the text to where there is room, and moves that behind it; NULL stays NULL. */
static const char *pack(char **room, const char *text)
{
	char *copy = *room;
	if (text == NULL) {
		return NULL;
	}
	*room = g_stpcpy(copy, text) + 1;
	return copy;
}

static gsize packed_size(const char *text)
{
	return text != NULL ? strlen(text) + 1 : 0;
}

static void deed_free(gpointer data)
{
	struct deed *deed = data;
	g_free(deed->provider);
	g_free(deed->object);
	g_free(deed);
}

struct past *past_new(void)
{
	struct past *past = g_new0(struct past, 1);
	g_mutex_init(&past->lock);
	g_cond_init(&past->changed);
	g_queue_init(&past->happenings);
	g_queue_init(&past->undecided);
	g_queue_init(&past->deeds);
	past->followers = g_ptr_array_new_with_free_func(g_free);
	past->takings = g_array_new(FALSE, FALSE, sizeof(struct taking));
	past->records = g_hash_table_new_full(subject_hash, subject_equal, g_free, NULL);
	past->listening = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	past->said = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	past->tellings = tellings_new();
	return past;
}

void past_free(struct past *past)
{
	if (past == NULL) {
		return;
	}
	g_queue_clear_full(&past->happenings, g_free);
	g_queue_clear_full(&past->undecided, g_free);
	g_queue_clear_full(&past->deeds, deed_free);
	g_hash_table_unref(past->records);
	g_hash_table_unref(past->listening);
	g_hash_table_unref(past->said);
	tellings_free(past->tellings);
	g_ptr_array_unref(past->followers);
	g_array_unref(past->takings);
	g_mutex_clear(&past->lock);
	g_cond_clear(&past->changed);
	g_free(past);
}

static struct record *find_record(const struct past *past, const char *provider, const char *object)
{
	return g_hash_table_lookup(past->records, &(struct subject){ provider, object });
}

static gboolean is_old(gpointer key, gpointer value, gpointer data)
{
	(void)key;
	const struct record *record = value;
	const gint64 *now = data;
	return record->last < *now - MEMORY_US;
}

static struct record *make_record(struct past *past, const char *provider, const char *object,
	gint64 now)
{
	struct record *record = find_record(past, provider, object);
	if (record != NULL) {
		return record;
	}
	if (g_hash_table_size(past->records) >= RECORDS_KEPT
		&& g_hash_table_foreach_remove(past->records, is_old, &now) == 0) {
		/* Everything moves: what is forgotten here is not listened to for long enough, either. */
		GHashTableIter at;
		gpointer attention;
		g_hash_table_remove_all(past->records);
		g_hash_table_iter_init(&at, past->listening);
		while (g_hash_table_iter_next(&at, NULL, &attention)) {
			((struct attention *)attention)->since = now;
		}
	}
	record = g_malloc0(sizeof *record + packed_size(provider) + packed_size(object));
	char *room = (char *)(record + 1);
	record->subject.provider = pack(&room, provider);
	record->subject.object = pack(&room, object);
	g_hash_table_add(past->records, record);
	return record;
}

static bool is_restless(const struct record *record, gint64 at)
{
	return record != NULL && record->moved_before != 0 && record->moved_before > at - MEMORY_US;
}

/* Whether the element was silent when the action began. */
static bool was_silent(const struct record *record, gint64 at)
{
	return record == NULL || record->moved == 0
		|| (record->moved < at - SUSPECT_US && !is_restless(record, at));
}

static bool has_answered(const struct record *record, guint64 deed)
{
	for (unsigned i = 0; record != NULL && i < ANSWERS_KEPT; i++) {
		if (record->answered[i] == deed) {
			return true;
		}
	}
	return false;
}

static void note_move(struct record *record, gint64 at)
{
	/* Several signals of one movement are one movement. */
	if (at - record->moved > 50 * G_TIME_SPAN_MILLISECOND) {
		record->moved_before = record->moved;
	}
	record->moved = at;
}

/* The newest action the event can be an answer to. */
static const struct deed *cause_of(const struct past *past, const struct happening *happening)
{
	for (GList *at = past->deeds.head; at != NULL; at = at->next) {
		const struct deed *deed = at->data;
		if (deed->at < happening->at - LATE_US) {
			break;
		}
		if (g_strcmp0(deed->provider, happening->provider) == 0
			&& (deed->moment == 0 || happening->moment > deed->moment)) {
			return deed;
		}
	}
	return NULL;
}

/* An element changed: by itself, or in answer to something we did. */
static void take_change(struct past *past, const struct happening *happening)
{
	struct record *record = make_record(past, happening->provider, happening->object,
		happening->at);
	const struct deed *cause = cause_of(past, happening);
	if (cause == NULL || !was_silent(record, cause->at)) {
		note_move(record, happening->at);
	} else if (!has_answered(record, cause->id)) {
		record->answered[record->answers++ % ANSWERS_KEPT] = cause->id;
		record->answered_at = happening->at;
	} else if (happening->at - record->answered_at > ANSWER_US) {
		note_move(record, happening->at);
	}
	record->last = happening->at;
}

static void note_heard(struct past *past, const struct happening *happening)
{
	struct attention *attention = g_hash_table_lookup(past->listening, happening->provider);
	if (attention != NULL) {
		attention->heard = happening->at;
	}
}

static void take_taking(struct past *past, const struct happening *happening)
{
	const struct taking taking = { happening->at, happening->pid, happening->cause,
		g_strcmp0(happening->what, "keyboard") == 0 };
	g_array_append_val(past->takings, taking);
	if (past->takings->len > TAKINGS_KEPT) {
		g_array_remove_index(past->takings, 0);
	}
}

GArray *past_takings(struct past *past)
{
	g_mutex_lock(&past->lock);
	GArray *takings = g_array_copy(past->takings);
	g_mutex_unlock(&past->lock);
	return takings;
}

/* In one piece: applications say much. */
static struct happening *happening_copy(const struct happening *happening)
{
	struct happening *copy = g_malloc(sizeof *copy + packed_size(happening->provider)
		+ packed_size(happening->object) + packed_size(happening->what) + packed_size(happening->text)
		+ packed_size(happening->was));
	char *room = (char *)(copy + 1);
	*copy = *happening;
	copy->provider = pack(&room, happening->provider);
	copy->object = pack(&room, happening->object);
	copy->what = pack(&room, happening->what);
	copy->text = pack(&room, happening->text);
	copy->was = pack(&room, happening->was);
	return copy;
}

/* Whether the event may be an answer to something that is just being sent. */
static bool is_undecided(const struct past *past, const struct happening *happening)
{
	for (GList *at = past->deeds.head; at != NULL; at = at->next) {
		const struct deed *deed = at->data;
		if (!deed->sent && g_strcmp0(deed->provider, happening->provider) == 0) {
			return true;
		}
	}
	return false;
}

/* Somebody's action was sent, or was not after all. */
static void decide(struct past *past)
{
	GQueue waiting = past->undecided;
	struct happening *happening;
	g_queue_init(&past->undecided);
	while ((happening = g_queue_pop_head(&waiting)) != NULL) {
		if (is_undecided(past, happening)) {
			g_queue_push_tail(&past->undecided, happening);
		} else {
			take_change(past, happening);
			g_free(happening);
		}
	}
}

static char *key_of(const char *provider, const char *object)
{
	return g_strconcat(provider, " ", object, NULL);
}

/* What is remembered of an element; 0: nothing. */
enum said { SAID_OFF = 1, SAID_ON, SAID_NOTHING, SAID_DOUBTED };

/* Remembers what an element says of being checked; whether it has said the same before. */
static bool note_said(struct past *past, const struct happening *happening)
{
	if (happening->kind != HAPPENED_ELEMENT || strcmp(happening->what, "checked") != 0) {
		return false;
	}
	char *key = key_of(happening->provider, happening->object);
	int now = happening->detail != 0 ? SAID_ON : SAID_OFF,
	    before = GPOINTER_TO_INT(g_hash_table_lookup(past->said, key));
	if (before == 0 && g_hash_table_size(past->said) >= RECORDS_KEPT) {
		g_hash_table_remove_all(past->said);
	}
	g_hash_table_insert(past->said, key, GINT_TO_POINTER(now));
	return before == now || (before == SAID_DOUBTED && now == SAID_ON);
}

/* When our last action on the application began; 0 if there was none. */
static gint64 last_begun(const struct past *past, const char *provider)
{
	for (GList *at = past->deeds.head; at != NULL; at = at->next) {
		const struct deed *deed = at->data;
		if (g_strcmp0(deed->provider, provider) == 0) {
			return deed->at;
		}
	}
	return 0;
}

/* Adds what is known of how it was before; whether it has said the same before. */
static bool note_told(struct past *past, struct happening *happening)
{
	if (happening->kind != HAPPENED_ELEMENT || !telling_is_kept(happening->what)) {
		return false;
	}
	struct telling was;
	bool state = telling_is_state(happening->what);
	const char *text = state ? (happening->detail != 0 ? "true" : "false") : happening->text;
	bool again = tellings_note(past->tellings, happening->provider, happening->object, happening->what,
		(struct telling){ text, happening->at }, last_begun(past, happening->provider), &was);
	happening->was = was.text;
	happening->since = was.at;
	/* Which states are told again note_said() knows. */
	return again && !state;
}

void past_read(struct past *past, const char *provider, const char *object, const char *what, const char *text)
{
	g_mutex_lock(&past->lock);
	tellings_read(past->tellings, provider, object, what, (struct telling){ text, g_get_monotonic_time() });
	g_mutex_unlock(&past->lock);
}

GPtrArray *past_unread(struct past *past, const char *provider, gint64 since)
{
	g_mutex_lock(&past->lock);
	GPtrArray *unread = tellings_unread(past->tellings, provider, since);
	g_mutex_unlock(&past->lock);
	return unread;
}

void past_note(struct past *past, const struct happening *told)
{
	struct happening with = *told;
	const struct happening *happening = &with;
	g_mutex_lock(&past->lock);
	bool told_again = note_told(past, &with);
	struct happening *copy = happening_copy(happening);
	if (happening->kind == HAPPENED_ELEMENT) {
		note_heard(past, happening);
	}
	copy->again = note_said(past, happening) || told_again;
	if (copy->again) {
		/* It has not moved. */
	} else if (happening->kind == HAPPENED_ELEMENT && is_undecided(past, happening)) {
		g_queue_push_tail(&past->undecided, happening_copy(happening));
		if (past->undecided.length > HAPPENINGS_KEPT) {
			struct happening *oldest = g_queue_pop_head(&past->undecided);
			take_change(past, oldest);
			g_free(oldest);
		}
	} else if (happening->kind == HAPPENED_ELEMENT) {
		take_change(past, happening);
	} else if (happening->kind == HAPPENED_TAKEN) {
		take_taking(past, happening);
	}
	g_queue_push_tail(&past->happenings, copy);
	past->count++;
	if (past->happenings.length > HAPPENINGS_KEPT) {
		g_free(g_queue_pop_head(&past->happenings));
	}
	for (guint i = 0; i < past->followers->len; i++) {
		const struct follower *follower = past->followers->pdata[i];
		follower->heard(copy, follower->data);
	}
	if (past->waiting > 0) {
		g_cond_broadcast(&past->changed);
	}
	g_mutex_unlock(&past->lock);
}

void *past_follow(struct past *past, void (*heard)(const struct happening *happening, void *data),
	void *data)
{
	struct follower *follower = g_new(struct follower, 1);
	*follower = (struct follower){ heard, data };
	g_mutex_lock(&past->lock);
	g_ptr_array_add(past->followers, follower);
	g_mutex_unlock(&past->lock);
	return follower;
}

void past_unfollow(struct past *past, void *follower)
{
	g_mutex_lock(&past->lock);
	g_ptr_array_remove_fast(past->followers, follower);
	g_mutex_unlock(&past->lock);
}

guint past_followers(struct past *past)
{
	g_mutex_lock(&past->lock);
	guint count = past->followers->len;
	g_mutex_unlock(&past->lock);
	return count;
}

guint64 past_count(struct past *past)
{
	g_mutex_lock(&past->lock);
	guint64 count = past->count;
	g_mutex_unlock(&past->lock);
	return count;
}

void past_look(struct past *past, guint64 *from,
	bool (*look)(const struct happening *happening, void *data), void *data)
{
	g_mutex_lock(&past->lock);
	guint64 fresh = past->count - MIN(*from, past->count);
	GList *at = past->happenings.tail;
	for (guint64 i = 1; i < fresh && at != NULL && at->prev != NULL; i++) {
		at = at->prev;
	}
	bool more = fresh > 0;
	for (; more && at != NULL; at = at->next) {
		more = look(at->data, data);
	}
	*from = past->count;
	g_mutex_unlock(&past->lock);
}

struct opening {
	pid_t pid;
	bool seen;
};

static bool look_for_window(const struct happening *happening, void *data)
{
	struct opening *opening = data;
	opening->seen |= happening->kind == HAPPENED_OPENED && happening->pid == opening->pid;
	return !opening->seen;
}

bool past_opened(struct past *past, guint64 from, pid_t pid)
{
	struct opening opening = { pid, false };
	past_look(past, &from, look_for_window, &opening);
	return opening.seen;
}

bool past_remembers(struct past *past, guint64 from)
{
	g_mutex_lock(&past->lock);
	bool all = past->count - MIN(from, past->count) <= past->happenings.length;
	g_mutex_unlock(&past->lock);
	return all;
}

static void wake(GCancellable *cancellable, gpointer data)
{
	(void)cancellable;
	struct past *past = data;
	g_mutex_lock(&past->lock);
	g_cond_broadcast(&past->changed);
	g_mutex_unlock(&past->lock);
}

bool past_wait(struct past *past, guint64 count, struct deadline deadline)
{
	if (past_count(past) > count) {
		return true;
	}
	/* Connected outside the lock, which wake() takes. */
	gulong handler = deadline.cancel == NULL ? 0
		: g_cancellable_connect(deadline.cancel, G_CALLBACK(wake), past, NULL);
	bool more;
	g_mutex_lock(&past->lock);
	past->waiting++;
	while (!(more = past->count > count) && !g_cancellable_is_cancelled(deadline.cancel)
		&& g_cond_wait_until(&past->changed, &past->lock, deadline.at)) {
	}
	past->waiting--;
	g_mutex_unlock(&past->lock);
	if (handler != 0) {
		g_cancellable_disconnect(deadline.cancel, handler);
	}
	return more;
}

void past_listen(struct past *past, const char *provider)
{
	gint64 now = g_get_monotonic_time();
	g_mutex_lock(&past->lock);
	if (provider == NULL) {
		g_hash_table_remove_all(past->listening);
		g_hash_table_remove_all(past->said);
		tellings_clear(past->tellings, now);
	} else if (!g_hash_table_contains(past->listening, provider)) {
		struct attention attention = { now, now };
		g_hash_table_insert(past->listening, g_strdup(provider), g_memdup2(&attention, sizeof attention));
		if (past->waiting > 0) {
			g_cond_broadcast(&past->changed);
		}
	}
	g_mutex_unlock(&past->lock);
}

void past_unlisten(struct past *past, const char *provider)
{
	g_mutex_lock(&past->lock);
	g_hash_table_remove(past->listening, provider);
	g_mutex_unlock(&past->lock);
}

static bool knows(const struct past *past, const char *provider, gint64 at)
{
	const struct attention *attention = provider != NULL ? g_hash_table_lookup(past->listening, provider) : NULL;
	return attention != NULL && attention->since <= at - SILENCE_US;
}

void past_await_hearing(struct past *past, const char *provider, struct deadline deadline)
{
	g_mutex_lock(&past->lock);
	past->waiting++;
	while (!g_hash_table_contains(past->listening, provider)
		&& g_cond_wait_until(&past->changed, &past->lock, deadline.at)) {
	}
	past->waiting--;
	g_mutex_unlock(&past->lock);
}

int past_said(struct past *past, const char *provider, const char *object)
{
	g_autofree char *key = key_of(provider, object);
	g_mutex_lock(&past->lock);
	int said = GPOINTER_TO_INT(g_hash_table_lookup(past->said, key));
	g_mutex_unlock(&past->lock);
	return said == SAID_DOUBTED ? -1 : said - 1;
}

void past_doubt_said(struct past *past, const char *provider, const char *object)
{
	char *key = key_of(provider, object);
	g_mutex_lock(&past->lock);
	if (GPOINTER_TO_INT(g_hash_table_lookup(past->said, key)) == SAID_ON) {
		g_hash_table_insert(past->said, key, GINT_TO_POINTER(SAID_DOUBTED));
	} else {
		g_free(key);
	}
	g_mutex_unlock(&past->lock);
}

void past_note_silent(struct past *past, const char *provider, const char *object)
{
	char *key = key_of(provider, object);
	g_mutex_lock(&past->lock);
	int said = GPOINTER_TO_INT(g_hash_table_lookup(past->said, key));
	if ((said != 0 && said != SAID_DOUBTED) || g_hash_table_size(past->said) >= RECORDS_KEPT) {
		g_free(key);
	} else {
		g_hash_table_insert(past->said, key, GINT_TO_POINTER(SAID_NOTHING));
	}
	g_mutex_unlock(&past->lock);
}

bool past_knows(struct past *past, const char *provider)
{
	g_mutex_lock(&past->lock);
	bool known = knows(past, provider, g_get_monotonic_time());
	g_mutex_unlock(&past->lock);
	return known;
}

bool past_knows_well(struct past *past, const char *provider)
{
	g_mutex_lock(&past->lock);
	const struct attention *attention = g_hash_table_lookup(past->listening, provider);
	bool known = attention != NULL && attention->since < g_get_monotonic_time() - REFRESH_US;
	g_mutex_unlock(&past->lock);
	return known;
}

bool past_is_quiet(struct past *past, const char *provider, gint64 us)
{
	gint64 now = g_get_monotonic_time();
	g_mutex_lock(&past->lock);
	const struct attention *attention = g_hash_table_lookup(past->listening, provider);
	bool quiet = knows(past, provider, now) && attention->heard < now - us;
	g_mutex_unlock(&past->lock);
	return quiet;
}

guint64 past_begin(struct past *past, const char *provider, const char *object, pid_t pid)
{
	struct deed *deed = g_new0(struct deed, 1);
	deed->provider = g_strdup(provider);
	deed->object = g_strdup(object);
	deed->pid = pid;
	deed->at = g_get_monotonic_time();
	g_mutex_lock(&past->lock);
	guint64 id = deed->id = ++past->last_deed;
	g_queue_push_head(&past->deeds, deed);
	if (past->deeds.length > DEEDS_KEPT) {
		deed_free(g_queue_pop_tail(&past->deeds));
	}
	g_mutex_unlock(&past->lock);
	return id;
}

static struct deed *find_deed(const struct past *past, guint64 id)
{
	for (GList *at = past->deeds.head; at != NULL; at = at->next) {
		struct deed *deed = at->data;
		if (deed->id == id) {
			return deed;
		}
	}
	return NULL;
}

void past_sent(struct past *past, guint64 id, guint64 moment)
{
	g_mutex_lock(&past->lock);
	struct deed *deed = find_deed(past, id);
	if (deed != NULL) {
		deed->moment = moment;
		deed->sent = true;
	}
	decide(past);
	g_mutex_unlock(&past->lock);
}

void past_end(struct past *past, guint64 id, bool seen)
{
	g_mutex_lock(&past->lock);
	struct deed *deed = find_deed(past, id);
	if (deed != NULL) {
		deed->seen = seen;
	}
	g_mutex_unlock(&past->lock);
}

void past_drop(struct past *past, guint64 id)
{
	g_mutex_lock(&past->lock);
	struct deed *deed = find_deed(past, id);
	if (deed != NULL) {
		g_queue_remove(&past->deeds, deed);
		deed_free(deed);
	}
	decide(past);
	g_mutex_unlock(&past->lock);
}

/* Whether `earlier` is an action on the same application that may still have effects. */
static bool is_open(const struct deed *earlier, const struct deed *deed)
{
	return earlier->id < deed->id && earlier->at > deed->at - LATE_US
		&& (earlier->pid == deed->pid || g_strcmp0(earlier->provider, deed->provider) == 0);
}

bool past_explains(struct past *past, guint64 id, const char *provider, const char *object)
{
	g_mutex_lock(&past->lock);
	const struct deed *deed = find_deed(past, id);
	const struct record *record = find_record(past, provider, object);
	bool only = deed != NULL && knows(past, provider, deed->at) && was_silent(record, deed->at);
	for (GList *at = past->deeds.head; at != NULL && only; at = at->next) {
		const struct deed *earlier = at->data;
		only = !is_open(earlier, deed) || has_answered(record, earlier->id);
	}
	g_mutex_unlock(&past->lock);
	return only;
}

bool past_owes(struct past *past, guint64 id)
{
	g_mutex_lock(&past->lock);
	const struct deed *deed = find_deed(past, id);
	bool owes = deed == NULL;
	for (GList *at = past->deeds.head; at != NULL && !owes; at = at->next) {
		owes = is_open(at->data, deed);
	}
	g_mutex_unlock(&past->lock);
	return owes;
}

bool past_owes_target(struct past *past, guint64 id)
{
	g_mutex_lock(&past->lock);
	const struct deed *deed = find_deed(past, id);
	bool owes = deed == NULL;
	for (GList *at = past->deeds.head; at != NULL && !owes; at = at->next) {
		const struct deed *earlier = at->data;
		owes = is_open(earlier, deed) && !earlier->seen
			&& g_strcmp0(earlier->object, deed->object) == 0;
	}
	g_mutex_unlock(&past->lock);
	return owes;
}

bool past_restless(struct past *past, guint64 id, const char *provider, const char *object)
{
	g_mutex_lock(&past->lock);
	const struct deed *deed = find_deed(past, id);
	const struct record *record = find_record(past, provider, object);
	bool restless = deed == NULL || !was_silent(record, deed->at);
	g_mutex_unlock(&past->lock);
	return restless;
}

bool past_moved(struct past *past, guint64 id, const char *provider, const char *object)
{
	g_mutex_lock(&past->lock);
	const struct deed *deed = find_deed(past, id);
	const struct record *record = find_record(past, provider, object);
	bool moved = deed != NULL && record != NULL && ((record->moved != 0 && record->moved < deed->at && record->moved > deed->at - MEMORY_US)
		|| is_restless(record, deed->at));
	g_mutex_unlock(&past->lock);
	return moved;
}
