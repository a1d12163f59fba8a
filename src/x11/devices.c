/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/devices.h"

#include "x11/foreground.h"
#include "x11/keyboard.h"

/* A pointer that a menu holds is tried again so much later. */
#define PARK_US (400 * G_TIME_SPAN_MILLISECOND)
/* What the server may take. */
#define SERVER_MS 2000
/* With what applications may take before a pair can go. */
#define REMOVE_MS 6000
/*
 * How long before it is removed a pair has to have been of no use to anybody: GTK3 asks for the pointer of the
 * device whose event it handles, and dies if there is none any more.
 */
#define QUIET_US (1000 * G_TIME_SPAN_MILLISECOND)

/* A device with who has it. */
struct loan {
	struct session *session;   /* its name only; NULL: nobody, it has to go */
	struct device *device;
	gint64 park_at;            /* 0: it is parked */
	gint64 used_at;
	gint64 remove_at;          /* of one that has to go: 0: it still has to let go of what it holds */
};

struct devices {
	char *display;
	struct guardian *guardian;
	struct hold *hold;
	struct vigil *vigil;
	GMutex lock;
	GCond changed;
	GThread *thread;
	bool stop;
	GPtrArray *loans;          /* struct loan */
};

static void loan_free(gpointer data)
{
	struct loan *loan = data;
	device_unref(loan->device);
	g_free(loan);
}

static void yield(struct deadline deadline, void *data);

struct devices *devices_new(const char *display)
{
	struct devices *devices = g_new0(struct devices, 1);
	devices->display = g_strdup(display);
	devices->guardian = guardian_new(display);
	devices->hold = hold_new(display, devices->guardian);
	devices->vigil = vigil_new(display, devices->guardian, devices->hold, yield, devices);
	g_mutex_init(&devices->lock);
	g_cond_init(&devices->changed);
	devices->loans = g_ptr_array_new_with_free_func(loan_free);
	return devices;
}

/* With the lock: something that is due, or NULL; `*next` is when to look again. */
static struct loan *due(struct devices *devices, gint64 *next)
{
	*next = G_MAXINT64;
	for (guint i = 0; i < devices->loans->len; i++) {
		struct loan *loan = devices->loans->pdata[i];
		gint64 at = loan->session == NULL ? loan->remove_at
			: loan->park_at != 0 ? loan->park_at : G_MAXINT64;
		if (at <= g_get_monotonic_time()) {
			return loan;
		}
		*next = MIN(*next, at);
	}
	return NULL;
}

static bool is_holding(const struct device *device)
{
	return device->buttons[0] != NULL || device->buttons[1] != NULL || device->buttons[2] != NULL;
}

/* Without the lock. An open menu has it; it is tried again. False then. */
static bool park(struct device *device)
{
	struct x11_server *server = x11_begin(device->x11, deadline_in(SERVER_MS, NULL), NULL);
	if (server == NULL) {
		return true;
	}
	bool parked = !server->has_pair || is_holding(device) || device_park(device, server);
	parked = (!server->has_pair || (keyboard_rest(device, server) && foreground_rest(device, server))) && parked;
	x11_end(server, NULL);
	return parked;
}

/* Without the lock: parks it, or lets it go in two steps. Says when to look at it again; 0: never. */
static gint64 attend(struct device *device, bool over, bool released)
{
	gint64 later = 0;
	if (!over) {
		later = park(device) ? 0 : PARK_US;
	} else if (released) {
		device_remove(device, deadline_in(REMOVE_MS, NULL));
	} else {
		device_release(device, deadline_in(SERVER_MS, NULL));
		later = QUIET_US;
	}
	return later != 0 ? g_get_monotonic_time() + later : 0;
}

static gpointer thread_main(gpointer data)
{
	struct devices *devices = data;
	g_mutex_lock(&devices->lock);
	while (!devices->stop || devices->loans->len > 0) {
		gint64 next;
		struct loan *loan = due(devices, &next);
		if (loan == NULL) {
			if (next == G_MAXINT64) {
				g_cond_wait(&devices->changed, &devices->lock);
			} else {
				g_cond_wait_until(&devices->changed, &devices->lock, next);
			}
			continue;
		}
		struct device *device = device_ref(loan->device);
		bool over = loan->session == NULL;
		/* It has let go, or has had nothing for so long that nobody thinks of it any more. */
		bool released = over && (loan->remove_at != 0 || (!is_holding(device)
			&& loan->used_at + 2 * QUIET_US < g_get_monotonic_time()));
		if (released) {
			g_ptr_array_remove(devices->loans, loan);
		} else if (!over) {
			loan->park_at = 0;
		}
		g_mutex_unlock(&devices->lock);
		gint64 again = attend(device, over, released);
		g_mutex_lock(&devices->lock);
		for (guint i = 0; i < devices->loans->len && again != 0; i++) {
			struct loan *other = devices->loans->pdata[i];
			if (other->device == device && over) {
				other->remove_at = again;
			} else if (other->device == device && other->park_at == 0) {
				other->park_at = again;
			}
		}
		device_unref(device);
	}
	g_mutex_unlock(&devices->lock);
	return NULL;
}

/* All of them, each with a reference. */
static GPtrArray *all_devices(struct devices *devices)
{
	GPtrArray *all = g_ptr_array_new_with_free_func((GDestroyNotify)device_unref);
	g_mutex_lock(&devices->lock);
	for (guint i = 0; i < devices->loans->len; i++) {
		struct loan *loan = devices->loans->pdata[i];
		g_ptr_array_add(all, device_ref(loan->device));
	}
	g_mutex_unlock(&devices->lock);
	return all;
}

/* Sessions get another one when they next need it. */
void devices_yield(struct devices *devices, struct deadline deadline)
{
	g_autoptr(GPtrArray) all = all_devices(devices);
	for (guint i = 0; i < all->len; i++) {
		struct device *device = all->pdata[i];
		g_atomic_int_set(&device->wanted, !device->core);
	}
	for (guint i = 0; i < all->len; i++) {
		struct device *device = all->pdata[i];
		if (!device->core) {
			device_remove(device, deadline);
			g_atomic_int_set(&device->wanted, 0);
		}
	}
}

/* On the vigil's thread. */
static void yield(struct deadline deadline, void *data)
{
	devices_yield(data, deadline);
}

void devices_release(struct devices *devices, struct deadline deadline)
{
	g_autoptr(GPtrArray) all = all_devices(devices);
	for (guint i = 0; i < all->len; i++) {
		device_release(all->pdata[i], deadline);
	}
}

void devices_rest(struct devices *devices)
{
	g_autoptr(GPtrArray) all = all_devices(devices);
	for (guint i = 0; i < all->len; i++) {
		/* One that holds a button, or that an open menu holds, is in use, however long ago it was used. */
		if (!is_holding(all->pdata[i]) && park(all->pdata[i])) {
			device_remove(all->pdata[i], deadline_in(REMOVE_MS, NULL));
		}
	}
}

void devices_free(struct devices *devices)
{
	if (devices == NULL) {
		return;
	}
	g_mutex_lock(&devices->lock);
	devices->stop = true;
	for (guint i = 0; i < devices->loans->len; i++) {
		((struct loan *)devices->loans->pdata[i])->session = NULL;
	}
	g_cond_signal(&devices->changed);
	g_mutex_unlock(&devices->lock);
	if (devices->thread != NULL) {
		g_thread_join(devices->thread);
	}
	g_ptr_array_unref(devices->loans);
	/* It may ask the vigil for something. */
	hold_rest(devices->hold);
	vigil_free(devices->vigil);
	hold_free(devices->hold);
	guardian_free(devices->guardian);
	g_cond_clear(&devices->changed);
	g_mutex_clear(&devices->lock);
	g_free(devices->display);
	g_free(devices);
}

struct hold *devices_hold(struct devices *devices)
{
	return devices->hold;
}

static void on_end(struct session *session, void *data)
{
	struct devices *devices = data;
	g_mutex_lock(&devices->lock);
	for (guint i = 0; i < devices->loans->len; i++) {
		struct loan *loan = devices->loans->pdata[i];
		if (loan->session == session) {
			loan->session = NULL;
		}
	}
	g_cond_signal(&devices->changed);
	g_mutex_unlock(&devices->lock);
}

static struct loan *find(struct devices *devices, const struct session *session)
{
	for (guint i = 0; i < devices->loans->len; i++) {
		struct loan *loan = devices->loans->pdata[i];
		if (loan->session == session) {
			return loan;
		}
	}
	return NULL;
}

struct device *devices_lend(struct devices *devices, struct session *session, GError **error)
{
	g_mutex_lock(&devices->lock);
	struct loan *loan = find(devices, session);
	if (loan == NULL) {
		/* Before it is in the list: the session may end at any time. */
		loan = g_new0(struct loan, 1);
		loan->device = device_new(devices->display, devices->guardian, devices->vigil, false);
		loan->session = session;
		g_ptr_array_add(devices->loans, loan);
		g_mutex_unlock(&devices->lock);
		bool lives = session_on_end(session, on_end, devices);
		g_mutex_lock(&devices->lock);
		loan = find(devices, session);
		if (!lives && loan != NULL) {
			g_ptr_array_remove(devices->loans, loan);
			loan = NULL;
		}
		if (devices->thread == NULL) {
			devices->thread = g_thread_new("devices", thread_main, devices);
		}
	}
	struct device *device = loan != NULL ? device_ref(loan->device) : NULL;
	g_mutex_unlock(&devices->lock);
	if (device == NULL) {
		g_set_error(error, CUA_ERROR, ERROR_NO_INPUT_DEVICE, "The session has ended");
	}
	return device;
}

struct device *devices_find(struct devices *devices, const struct session *session)
{
	g_mutex_lock(&devices->lock);
	struct loan *loan = find(devices, session);
	struct device *device = loan != NULL ? device_ref(loan->device) : NULL;
	g_mutex_unlock(&devices->lock);
	return device;
}

struct device *devices_core(struct devices *devices)
{
	/* No session's, and of none that could end. */
	struct session *everybody = (struct session *)devices;
	g_mutex_lock(&devices->lock);
	struct loan *loan = find(devices, everybody);
	if (loan == NULL) {
		loan = g_new0(struct loan, 1);
		loan->device = device_new(devices->display, devices->guardian, NULL, true);
		loan->session = everybody;
		g_ptr_array_add(devices->loans, loan);
	}
	if (devices->thread == NULL) {
		devices->thread = g_thread_new("devices", thread_main, devices);
	}
	struct device *device = device_ref(loan->device);
	g_mutex_unlock(&devices->lock);
	return device;
}

unsigned devices_pressed_ago(struct devices *devices)
{
	g_mutex_lock(&devices->lock);
	struct loan *loan = find(devices, (struct session *)devices);
	unsigned ago = loan != NULL ? device_pressed_ago(loan->device) : G_MAXUINT;
	g_mutex_unlock(&devices->lock);
	return ago;
}

void devices_used(struct devices *devices, struct device *device, int ms)
{
	g_mutex_lock(&devices->lock);
	for (guint i = 0; i < devices->loans->len; i++) {
		struct loan *loan = devices->loans->pdata[i];
		if (loan->device == device) {
			loan->used_at = g_get_monotonic_time();
			loan->park_at = loan->used_at + ms * G_TIME_SPAN_MILLISECOND;
			g_cond_signal(&devices->changed);
		}
	}
	g_mutex_unlock(&devices->lock);
}
