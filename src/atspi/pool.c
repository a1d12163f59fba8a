/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/pool.h"

#include <poll.h>
#include <string.h>

#include "atspi/atspi.h"
#include "atspi/where.h"
#include "core/error.h"

/* More would only be used by as many applications at once. */
#define IDLE_LINKS 4

/* By one it is asked, by the other something is done: see pool_attach_to_act(). */
enum { EYES, HANDS, SOCKETS };

/* The private sockets of an application. Where there is none, somebody has it, or it cannot be had. */
struct own {
	struct wire *sockets[SOCKETS];
	bool asked;        /* where they are */
	bool acted;        /* something was done by HANDS */
	guint64 from;      /* of the past, when that was last */
	pid_t pid;
};

/* Applications that wait for a dialog at the same time. */
#define MOST_PARKED 8

/* Names that are gone stay until then. */
#define MOST_OWNS 64

static void own_free(struct own *own)
{
	for (int i = 0; i < SOCKETS; i++) {
		wire_close(own->sockets[i]);
	}
	g_free(own);
}

struct atspi *atspi_new(char *(*root_address)(void *data, struct deadline deadline),
	GPtrArray *(*windows)(void *data, struct deadline deadline, GError **error), void *data,
	struct past *past)
{
	struct atspi *atspi = g_new0(struct atspi, 1);
	g_mutex_init(&atspi->mutex);
	g_queue_init(&atspi->idle);
	atspi->pids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	atspi->eras = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	atspi->slow = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	atspi->asleep = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	atspi->silent = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	atspi->parked = g_ptr_array_new_with_free_func((GDestroyNotify)wire_close);
	atspi->owns = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)own_free);
	atspi->root_address = root_address;
	atspi->windows = windows;
	atspi->data = data;
	atspi->past = past;
	atspi->ear = ear_new(past);
	return atspi;
}

void atspi_destroy(struct atspi *atspi)
{
	if (atspi == NULL) {
		return;
	}
	ear_free(atspi->ear);
	g_queue_clear_full(&atspi->idle, (GDestroyNotify)link_close);
	link_close(atspi->listener);
	g_hash_table_unref(atspi->pids);
	g_hash_table_unref(atspi->eras);
	g_hash_table_unref(atspi->slow);
	g_hash_table_unref(atspi->asleep);
	g_hash_table_unref(atspi->silent);
	g_hash_table_unref(atspi->owns);
	g_ptr_array_unref(atspi->parked);
	g_mutex_clear(&atspi->mutex);
	g_free(atspi->address);
	g_free(atspi);
}

void pool_attend(struct atspi *atspi, const char *provider)
{
	g_mutex_lock(&atspi->mutex);
	g_autofree char *address = g_strdup(atspi->address);
	g_mutex_unlock(&atspi->mutex);
	if (address != NULL) {
		ear_attend(atspi->ear, address, provider);
	}
}

/* Leaves a socket alone until its application is gone. Takes NULL. */
static void park(struct atspi *atspi, struct wire *bus)
{
	for (guint i = atspi->parked->len; i > 0; i--) {
		struct pollfd fd = { .fd = wire_poll(atspi->parked->pdata[i - 1]).fd, .events = POLLRDHUP };
		if (fd.fd < 0 || poll(&fd, 1, 0) != 0) {
			g_ptr_array_remove_index(atspi->parked, i - 1);
		}
	}
	if (bus != NULL) {
		if (atspi->parked->len >= MOST_PARKED) {
			g_ptr_array_remove_index(atspi->parked, 0);
		}
		g_ptr_array_add(atspi->parked, bus);
	}
}

/* Whether a window may have opened since something was done. */
static bool has_opened(const struct atspi *atspi, const struct own *own)
{
	return own->acted && (!past_remembers(atspi->past, own->from)
		|| past_opened(atspi->past, own->from, own->pid));
}

/* Closes all that may be closed. */
static void forget_owns(struct atspi *atspi)
{
	GHashTableIter at;
	gpointer own;
	g_hash_table_iter_init(&at, atspi->owns);
	while (g_hash_table_iter_next(&at, NULL, &own)) {
		if (has_opened(atspi, own)) {
			park(atspi, g_steal_pointer(&((struct own *)own)->sockets[HANDS]));
		}
	}
	g_hash_table_remove_all(atspi->owns);
}

struct link *pool_idle(struct atspi *atspi)
{
	g_mutex_lock(&atspi->mutex);
	struct link *link = g_queue_pop_head(&atspi->idle);
	g_mutex_unlock(&atspi->mutex);
	/* An idle connection may have died with its bus; processing it shows that. */
	while (link != NULL && !link_is_alive(link)) {
		link_close(link);
		g_mutex_lock(&atspi->mutex);
		link = g_queue_pop_head(&atspi->idle);
		g_clear_pointer(&atspi->address, g_free);
		g_mutex_unlock(&atspi->mutex);
	}
	return link;
}

struct link *pool_borrow(struct atspi *atspi, struct deadline deadline, GError **error)
{
	struct link *link = pool_idle(atspi);
	if (link != NULL) {
		return link;
	}
	g_mutex_lock(&atspi->mutex);
	g_autofree char *address = g_strdup(atspi->address);
	g_mutex_unlock(&atspi->mutex);
	if (address != NULL) {
		link = where_connect(address, deadline, NULL);
	}
	if (link == NULL) {
		/* First use, or the bus was restarted at another address. */
		g_clear_pointer(&address, g_free);
		link = where_find(atspi->root_address, atspi->data, &address, NULL, deadline, error);
	}
	g_mutex_lock(&atspi->mutex);
	if (link == NULL || link->bus_id != atspi->bus_id) {
		/* Another bus: its names mean other processes. */
		g_hash_table_remove_all(atspi->pids);
		g_hash_table_remove_all(atspi->eras);
		g_hash_table_remove_all(atspi->slow);
		g_hash_table_remove_all(atspi->asleep);
		g_hash_table_remove_all(atspi->silent);
		forget_owns(atspi);
		g_clear_pointer(&atspi->listener, link_close);
		atspi->bus_id = link != NULL ? link->bus_id : 0;
	}
	g_free(atspi->address);
	atspi->address = link != NULL ? g_steal_pointer(&address) : NULL;
	g_mutex_unlock(&atspi->mutex);
	return link;
}

bool atspi_hear(struct atspi *atspi, guint64 count, struct deadline deadline)
{
	return ear_listen(atspi->ear, count, deadline);
}

void pool_listen(struct atspi *atspi)
{
	g_mutex_lock(&atspi->mutex);
	if (atspi->listener == NULL && atspi->address != NULL) {
		atspi->listener = link_open(atspi->address, NULL);
		/* An event that hardly ever happens: applications shall not emit more because of us. */
		if (atspi->listener != NULL) {
			link_send(atspi->listener, REGISTRY, "/org/a11y/atspi/registry", REGISTRY,
				"RegisterEvent", link_ignore, NULL, "sass", "window:desktop-create", 0, "");
		}
	}
	/* Whatever has come is taken; what has not, the next time. */
	if (atspi->listener != NULL) {
		link_is_alive(atspi->listener);
	}
	g_mutex_unlock(&atspi->mutex);
}

static struct own *find_own(struct atspi *atspi, const char *application)
{
	struct own *own = g_hash_table_lookup(atspi->owns, application);
	if (own == NULL) {
		if (g_hash_table_size(atspi->owns) >= MOST_OWNS) {
			forget_owns(atspi);
		}
		own = g_new0(struct own, 1);
		g_hash_table_insert(atspi->owns, g_strdup(application), own);
	}
	return own;
}

/* Takes an idle socket of that application; `asks` says whether where they are has to be asked. */
static struct wire *take_own(struct atspi *atspi, const char *application, int which, bool *asks)
{
	g_mutex_lock(&atspi->mutex);
	struct own *own = find_own(atspi, application);
	if (own->sockets[HANDS] != NULL && has_opened(atspi, own)) {
		/* It may be waiting for that window; another one will be needed. */
		park(atspi, g_steal_pointer(&own->sockets[HANDS]));
		own->acted = own->asked = false;
	}
	/* Nothing else is waited for with an action, which may take its time. */
	*asks = !own->asked && (which == EYES || own->sockets[HANDS] == NULL);
	own->asked |= *asks;
	struct wire *socket = g_steal_pointer(&own->sockets[which]);
	g_mutex_unlock(&atspi->mutex);
	return socket;
}

/* Keeps a socket that was known of by that link for the next one. */
static void give_own(struct atspi *atspi, const struct link *link, const char *application, int which, struct wire *socket)
{
	g_mutex_lock(&atspi->mutex);
	/* On another bus the name is somebody else's. */
	struct own *own = link->bus_id == atspi->bus_id ? g_hash_table_lookup(atspi->owns, application) : NULL;
	if (own != NULL && own->sockets[which] == NULL) {
		own->sockets[which] = g_steal_pointer(&socket);
	} else if (which == HANDS) {
		park(atspi, g_steal_pointer(&socket));
	}
	g_mutex_unlock(&atspi->mutex);
	wire_close(socket);
}

/* One of them is gone: where they are is asked again. */
static void miss_own(struct atspi *atspi, const char *application, bool acts)
{
	g_mutex_lock(&atspi->mutex);
	struct own *own = g_hash_table_lookup(atspi->owns, application);
	if (own != NULL) {
		own->asked = false;
		own->acted &= !acts;
	}
	g_mutex_unlock(&atspi->mutex);
}

static void on_own_address(struct message *reply, void *data)
{
	struct link *link = data;
	const char *address;
	if (!message_is_error(reply)
		&& message_read(reply, "s", &address) > 0 && address[0] != '\0') {
		g_free(link->own_address);
		link->own_address = g_strdup(address);
	} else {
		/* It has none, and need not be asked again. */
		g_clear_pointer(&link->own_asked, g_free);
	}
}

static void attach(struct atspi *atspi, struct link *link, const char *application, int which)
{
	bool asks;
	if (link->own != NULL) {
		return;
	}
	struct wire *own = take_own(atspi, application, which, &asks);
	if (asks) {
		g_free(link->own_asked);
		link->own_asked = g_strdup(application);
		link_send(link, application, DESKTOP_ROOT, "org.a11y.atspi.Application",
			"GetApplicationBusAddress", on_own_address, link, NULL);
	}
	int ready = own != NULL ? link_own_ready(own) : -1;
	if (ready > 0) {
		link_attach(link, own, application);
		link->own_acts = which == HANDS;
	} else if (ready == 0) {
		give_own(atspi, link, application, which, own);
	} else {
		/* It may never let us in: it is not asked again and again. */
		wire_close(own);
	}
}

void pool_attach(struct atspi *atspi, struct link *link, const char *application)
{
	attach(atspi, link, application, EYES);
}

void pool_attach_to_act(struct atspi *atspi, struct link *link, const char *application, pid_t pid)
{
	attach(atspi, link, application, HANDS);
	g_mutex_lock(&atspi->mutex);
	struct own *own = link->own != NULL ? g_hash_table_lookup(atspi->owns, application) : NULL;
	if (own != NULL) {
		own->acted = true;
		own->from = past_count(atspi->past);
		own->pid = pid;
	}
	g_mutex_unlock(&atspi->mutex);
}

void atspi_rest(struct atspi *atspi)
{
	ear_rest(atspi->ear);
	g_mutex_lock(&atspi->mutex);
	forget_owns(atspi);
	g_mutex_unlock(&atspi->mutex);
}

static bool has_own(struct atspi *atspi, const char *application, int which)
{
	g_mutex_lock(&atspi->mutex);
	const struct own *own = g_hash_table_lookup(atspi->owns, application);
	bool has = own != NULL && own->sockets[which] != NULL;
	g_mutex_unlock(&atspi->mutex);
	return has;
}

/*
 * Opens the private sockets that were told of meanwhile. Only now: the application greets whoever connects
 * before it answers anything else.
 */
static void open_own(struct atspi *atspi, struct link *link)
{
	for (int which = 0; which < SOCKETS && link->own_address != NULL; which++) {
		if (!has_own(atspi, link->own_asked, which)) {
			give_own(atspi, link, link->own_asked, which, link_open_own(link->own_address));
		}
	}
	if (link->own_address == NULL && link->own_asked != NULL) {
		miss_own(atspi, link->own_asked, false);
	}
	g_clear_pointer(&link->own_address, g_free);
	g_clear_pointer(&link->own_asked, g_free);
}

/* Gives the private socket back; one with requests under way is of no use, another one is needed. */
static void return_own(struct atspi *atspi, struct link *link)
{
	if (link->own == NULL) {
		return;
	}
	if (!link->broken && link->pending == 0) {
		g_autofree char *name = g_strdup(link->own_name);
		give_own(atspi, link, name, link->own_acts ? HANDS : EYES, link_detach(link));
		return;
	}
	miss_own(atspi, link->own_name, link->own_acts);
	if (!link->own_acts) {
		wire_close(link_detach(link));
		return;
	}
	g_mutex_lock(&atspi->mutex);
	park(atspi, link_detach(link));
	g_mutex_unlock(&atspi->mutex);
}

void pool_return(struct atspi *atspi, struct link *link)
{
	if (link == NULL) {
		return;
	}
	return_own(atspi, link);
	open_own(atspi, link);
	g_mutex_lock(&atspi->mutex);
	if (!link->broken && link->pending == 0 && atspi->idle.length < IDLE_LINKS) {
		g_queue_push_head(&atspi->idle, g_steal_pointer(&link));
	}
	g_mutex_unlock(&atspi->mutex);
	link_close(link);
}
