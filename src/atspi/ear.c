/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/ear.h"

#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "atspi/link.h"
#include "core/wakeup.h"

/* Exact names: a wider registration makes every application on the desktop emit more. */
static const char *const events[] = {
	"object:state-changed:checked",
	"object:state-changed:pressed",
	"object:state-changed:selected",
	"object:state-changed:expanded",
	"object:state-changed:indeterminate",
	"object:state-changed:sensitive",
	"object:state-changed:showing",
	"object:state-changed:defunct",
	"object:property-change:accessible-name",
	"object:property-change:accessible-value",
	"object:property-change:accessible-description",
	"object:text-changed",
	"object:children-changed",
	"object:selection-changed",
};

/* How often a bus that is gone is looked for. */
#define RETRY_MS 1000

/* A longer name is not compared. */
#define LONGEST_NAME 1000

/* Who talks without end is interrupted now and then. */
#define FLOOD_MS 100

struct ear {
	struct past *past;
	GThread *thread;      /* NULL while nobody is heard */
	int wake;             /* eventfd */
	int set;              /* epoll: what the thread waits for */

	GMutex life;          /* of who starts the thread or ends it: there is one at a time */
	GMutex lock;
	char *address;
	GHashTable *wanted;   /* providers */
	bool stop;

	/* Of whoever has the turn: the thread, or who listens instead. */
	GMutex turn;
	struct link *link;
	int fd;               /* the link's in the set; -1: none is */
	uint32_t awaited;     /* of it: what wakes the thread */
	GHashTable *heard;    /* set of providers whose events are asked for */
};

struct ear *ear_new(struct past *past)
{
	struct ear *ear = g_new0(struct ear, 1);
	ear->past = past;
	ear->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	ear->set = epoll_create1(EPOLL_CLOEXEC);
	ear->fd = -1;
	epoll_ctl(ear->set, EPOLL_CTL_ADD, ear->wake, &(struct epoll_event){ .events = EPOLLIN, .data.fd = ear->wake });
	g_mutex_init(&ear->life);
	g_mutex_init(&ear->lock);
	g_mutex_init(&ear->turn);
	ear->wanted = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return ear;
}

static void nudge(struct ear *ear)
{
	eventfd_write(ear->wake, 1);
}

/* Ends the thread. */
static void rest(struct ear *ear)
{
	g_mutex_lock(&ear->lock);
	GThread *thread = g_steal_pointer(&ear->thread);
	ear->stop = true;
	g_hash_table_remove_all(ear->wanted);
	g_mutex_unlock(&ear->lock);
	if (thread != NULL) {
		nudge(ear);
		g_thread_join(thread);
		past_listen(ear->past, NULL);
	}
}

void ear_rest(struct ear *ear)
{
	g_mutex_lock(&ear->life);
	rest(ear);
	g_mutex_unlock(&ear->life);
}

void ear_free(struct ear *ear)
{
	if (ear == NULL) {
		return;
	}
	ear_rest(ear);
	close(ear->set);
	close(ear->wake);
	g_hash_table_unref(ear->wanted);
	g_mutex_clear(&ear->life);
	g_mutex_clear(&ear->lock);
	g_mutex_clear(&ear->turn);
	g_free(ear->address);
	g_free(ear);
}

/* The word the past uses for a kind of event, or NULL if it does not count. */
static const char *word_of(const char *member, const char *kind)
{
	static const char *const states[] = { "checked", "pressed", "selected", "expanded",
		"indeterminate", "sensitive", "showing", "defunct", NULL };
	static const struct {
		const char *member, *kind, *word;
	} words[] = {
		{ "PropertyChange", "accessible-name", "name" },
		{ "PropertyChange", "accessible-value", "value" },
		{ "PropertyChange", "accessible-description", "description" },
		{ "TextChanged", NULL, "text" },
		{ "ChildrenChanged", NULL, "children" },
		{ "SelectionChanged", NULL, "selection" },
	};
	if (strcmp(member, "StateChanged") == 0) {
		for (int i = 0; states[i] != NULL; i++) {
			if (strcmp(kind, states[i]) == 0) {
				return states[i];
			}
		}
		return NULL;
	}
	for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
		if (strcmp(member, words[i].member) == 0
			&& (words[i].kind == NULL || strcmp(kind, words[i].kind) == 0)) {
			return words[i].word;
		}
	}
	return NULL;
}

static void on_event(struct ear *ear, struct message *message)
{
	const char *kind, *name;
	int32_t detail, unused;
	const char *word = message_read(message, "sii", &kind, &detail, &unused) > 0 ? word_of(message->member, kind) : NULL;
	if (word != NULL) {
		bool named = strcmp(word, "name") == 0 && message_read(message, "v", "s", &name) > 0
			&& strnlen(name, LONGEST_NAME) < LONGEST_NAME;
		past_note(ear->past, &(struct happening){
			.kind = HAPPENED_ELEMENT, .at = g_get_monotonic_time(), .provider = message->sender,
			.object = message->path, .moment = message->serial, .what = word, .detail = detail,
			.text = named ? name : NULL,
		});
	}
}

/* Asks for the events of a provider, or not any more. */
static void match(struct ear *ear, const char *provider, bool on, link_reply reply)
{
	g_autofree char *rule = g_strdup_printf("type='signal',sender='%s',interface='org.a11y.atspi.Event.Object'", provider);
	link_match(ear->link, rule, on, reply, ear);
}

static void on_owner(struct ear *ear, struct message *message)
{
	const char *name, *old, *new;
	if (message_read(message, "sss", &name, &old, &new) > 0 && new[0] == '\0'
		&& g_hash_table_contains(ear->heard, name)) {
		past_note(ear->past, &(struct happening){ .kind = HAPPENED_LEFT,
			.at = g_get_monotonic_time(), .provider = name });
		match(ear, name, false, NULL);
		g_hash_table_remove(ear->heard, name);
		g_mutex_lock(&ear->lock);
		g_hash_table_remove(ear->wanted, name);
		g_mutex_unlock(&ear->lock);
		past_unlisten(ear->past, name);
	}
}

static void on_signal(struct message *message, void *data)
{
	if (strcmp(message->interface, "org.a11y.atspi.Event.Object") == 0) {
		on_event(data, message);
	} else if (strcmp(message->member, "NameOwnerChanged") == 0 && strcmp(message->sender, "org.freedesktop.DBus") == 0) {
		on_owner(data, message);
	}
}

/* The daemon knows the match: what the application says from now on is heard. */
static void on_matched(struct message *message, void *data)
{
	struct ear *ear = data;
	if (message_is_error(message)) {
		return;
	}
	g_mutex_lock(&ear->lock);
	GHashTableIter at;
	gpointer provider;
	g_hash_table_iter_init(&at, ear->heard);
	/* Answers come in the order of the requests; those before this one are known already. */
	while (g_hash_table_iter_next(&at, &provider, NULL)) {
		past_listen(ear->past, provider);
	}
	g_mutex_unlock(&ear->lock);
}

static void tell_registry(struct link *link, const char *method, const char *types)
{
	for (gsize i = 0; i < G_N_ELEMENTS(events); i++) {
		link_send(link, REGISTRY, "/org/a11y/atspi/registry", REGISTRY, method, link_ignore, NULL, types,
			events[i], 0, "");
	}
}

static void connect_bus(struct ear *ear)
{
	g_mutex_lock(&ear->lock);
	g_autofree char *address = g_strdup(ear->address);
	g_mutex_unlock(&ear->lock);
	ear->link = link_open(address, NULL);
	if (ear->link != NULL) {
		wire_on_signal(ear->link->bus, on_signal, ear);
		link_match(ear->link, "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged'", true, NULL, NULL);
		/* An array of no properties and no application: everybody's events of that name. */
		tell_registry(ear->link, "RegisterEvent", "sass");
	}
}

static void disconnect_bus(struct ear *ear)
{
	past_listen(ear->past, NULL);
	/* Closed it is out of the set, but for a process that is just being started and has it, too. */
	if (ear->fd >= 0) {
		epoll_ctl(ear->set, EPOLL_CTL_DEL, ear->fd, NULL);
		ear->fd = -1;
	}
	g_hash_table_remove_all(ear->heard);
	g_clear_pointer(&ear->link, link_close);
}

/* Asks for the events of those who are wanted and not heard yet. False when it is time to stop. */
static bool update(struct ear *ear)
{
	g_mutex_lock(&ear->lock);
	GHashTableIter at;
	gpointer provider;
	g_hash_table_iter_init(&at, ear->wanted);
	while (ear->link != NULL && g_hash_table_iter_next(&at, &provider, NULL)) {
		if (g_hash_table_contains(ear->heard, provider)) {
			continue;
		}
		match(ear, provider, true, on_matched);
		g_hash_table_add(ear->heard, g_strdup(provider));
	}
	bool go_on = !ear->stop;
	g_mutex_unlock(&ear->lock);
	return go_on;
}

/* What the thread is woken for by the bus from now on; 0: nothing. */
static void hear(struct ear *ear, uint32_t wanted)
{
	int fd = wire_poll(ear->link->bus).fd;
	if (fd != ear->fd || wanted != ear->awaited) {
		epoll_ctl(ear->set, fd != ear->fd ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, fd,
			&(struct epoll_event){ .events = wanted, .data.fd = fd });
		ear->fd = fd;
		ear->awaited = wanted;
	}
}

static void hear_all(struct ear *ear)
{
	bool writes = (wire_poll(ear->link->bus).events & POLLOUT) != 0;
	hear(ear, EPOLLIN | (writes ? EPOLLOUT : 0));
}

/* Waits for the bus or for somebody who nudges. */
static void wait_for_work(struct ear *ear, bool connected)
{
	struct epoll_event event;
	if (epoll_wait(ear->set, &event, 1, connected ? -1 : RETRY_MS) > 0 && event.data.fd == ear->wake) {
		eventfd_t unused;
		eventfd_read(ear->wake, &unused);
	}
}

/* Takes in what has come, `*all` of it if the time suffices. Whether there still is a bus. */
static bool take_in(struct ear *ear, struct deadline deadline, bool *all)
{
	int result;
	wire_wake(ear->link->bus);
	while ((result = wire_step(ear->link->bus)) > 0 && deadline_left(deadline) > 0) {
	}
	*all = result <= 0;
	if (result < 0) {
		disconnect_bus(ear);
		return false;
	}
	return true;
}

bool ear_listen(struct ear *ear, guint64 count, struct deadline deadline)
{
	/* Who has the turn may keep it for longer than there is time. */
	bool mine = g_mutex_trylock(&ear->turn);
	bool there = mine && ear->link != NULL && ear->fd >= 0, was_there = there;
	if (there) {
		hear(ear, 0);
	}
	bool more = past_count(ear->past) > count, all = true;
	while (there && !more && all && deadline_poll(deadline, ear->fd, POLLIN, "the bus", NULL)) {
		there = take_in(ear, deadline, &all);
		more = past_count(ear->past) > count;
	}
	if (there) {
		hear_all(ear);
	}
	if (mine) {
		g_mutex_unlock(&ear->turn);
	}
	if (was_there != there || !all) {
		/* The thread sleeps: it is to connect again, or to take in what has been read. */
		nudge(ear);
	}
	return more || (!was_there && past_wait(ear->past, count, deadline));
}

static gpointer listen_thread(gpointer data)
{
	struct ear *ear = data;
	wakeup_soon();
	g_mutex_lock(&ear->turn);
	ear->heard = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	while (update(ear)) {
		if (ear->link == NULL) {
			connect_bus(ear);
			update(ear);
		}
		bool all, connected = ear->link != NULL && take_in(ear, deadline_in(FLOOD_MS, NULL), &all);
		if (connected) {
			hear_all(ear);
		}
		g_mutex_unlock(&ear->turn);
		if (!connected || all) {
			wait_for_work(ear, connected);
		}
		g_mutex_lock(&ear->turn);
	}
	if (ear->link != NULL) {
		tell_registry(ear->link, "DeregisterEvent", "s");
		link_pump(ear->link, deadline_in(500, NULL), NULL);
	}
	disconnect_bus(ear);
	g_clear_pointer(&ear->heard, g_hash_table_unref);
	g_mutex_unlock(&ear->turn);
	return NULL;
}

/* Whether it listens on that bus; `also`: to that provider. */
static bool listens(struct ear *ear, const char *address, const char *also)
{
	g_mutex_lock(&ear->lock);
	bool does = ear->thread != NULL && g_strcmp0(address, ear->address) == 0
		&& (also == NULL || g_hash_table_contains(ear->wanted, also));
	g_mutex_unlock(&ear->lock);
	return does;
}

void ear_attend(struct ear *ear, const char *address, const char *provider)
{
	if (listens(ear, address, provider)) {
		return;
	}
	g_mutex_lock(&ear->life);
	if (!listens(ear, address, NULL)) {
		/* The bus was restarted, or there is no thread: names mean others. */
		rest(ear);
	}
	g_mutex_lock(&ear->lock);
	g_free(ear->address);
	ear->address = g_strdup(address);
	g_hash_table_add(ear->wanted, g_strdup(provider));
	if (ear->thread == NULL) {
		ear->stop = false;
		ear->thread = g_thread_try_new("ear", listen_thread, ear, NULL);
	}
	g_mutex_unlock(&ear->lock);
	g_mutex_unlock(&ear->life);
	nudge(ear);
}
