/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/panic.h"

#include <glib-unix.h>
#include <signal.h>

#include "core/error.h"
#include "core/folder.h"
#include "core/presence.h"
#include "core/roster.h"

/* How long those who hold something have to give it back, each time they are asked. */
#define RELEASE_MS 2000

struct holder {
	panic_release release;
	void *data;
};

static struct {
	GMutex mutex;
	GCond left;          /* the last action has ended */
	unsigned acting;     /* entered and not left */
	bool signalled;
	bool listed;         /* we are in the roster */
	GPtrArray *files;    /* struct presence, of panic_paths(); NULL: not attached */
	GThread *thread;     /* lets go of everything; main context only */
	bool releasing;      /* it does */

	GMutex holders_mutex;
	GPtrArray *holders;  /* struct holder */

	GSource *stop_source, *resume_source;
	void (*stop)(void *data);
	void *data;
} panic;

char **panic_paths(void)
{
	char **paths = folder_all();
	for (char **path = paths; *path != NULL; path++) {
		char *file = g_build_filename(*path, "panic", NULL);
		g_free(*path);
		*path = file;
	}
	return paths;
}

/* --- Who holds something ---------------------------------------------------------------------- */

void *panic_register(panic_release release, void *data)
{
	struct holder *holder = g_new(struct holder, 1);
	*holder = (struct holder){ release, data };
	g_mutex_lock(&panic.holders_mutex);
	if (panic.holders == NULL) {
		panic.holders = g_ptr_array_new_with_free_func(g_free);
	}
	g_ptr_array_add(panic.holders, holder);
	g_mutex_unlock(&panic.holders_mutex);
	return holder;
}

void panic_unregister(void *registration)
{
	g_mutex_lock(&panic.holders_mutex);
	g_ptr_array_remove(panic.holders, registration);
	if (panic.holders->len == 0) {
		g_clear_pointer(&panic.holders, g_ptr_array_unref);
	}
	g_mutex_unlock(&panic.holders_mutex);
}

static void release_all(void)
{
	g_mutex_lock(&panic.holders_mutex);
	for (guint i = 0; panic.holders != NULL && i < panic.holders->len; i++) {
		const struct holder *holder = panic.holders->pdata[i];
		holder->release(deadline_in(RELEASE_MS, NULL), holder->data);
	}
	g_mutex_unlock(&panic.holders_mutex);
}

/* --- Who asks --------------------------------------------------------------------------------- */

/* Under the mutex. */
static bool is_engaged(void)
{
	bool engaged = panic.signalled;
	for (guint i = 0; !engaged && panic.files != NULL && i < panic.files->len; i++) {
		engaged = presence_is(panic.files->pdata[i]);
	}
	return engaged;
}

bool panic_engaged(void)
{
	g_mutex_lock(&panic.mutex);
	bool engaged = is_engaged();
	g_mutex_unlock(&panic.mutex);
	return engaged;
}

bool panic_refuses(GError **error)
{
	if (!panic_engaged()) {
		return false;
	}
	g_set_error(error, CUA_ERROR, ERROR_PANIC_STOPPED, "The user has stopped all input");
	return true;
}

/* Under the mutex: in the roster before the first look at the file, so that a stop misses nobody. */
static void list_us(void)
{
	g_autoptr(GError) error = NULL;
	if (!panic.listed && panic.files != NULL) {
		panic.listed = true;
		if (!roster_write(false, &error)) {
			g_warning("cua-driver panic will not find this process: %s", error->message);
		}
	}
}

bool panic_enter(GError **error)
{
	g_mutex_lock(&panic.mutex);
	list_us();
	panic.acting++;
	g_mutex_unlock(&panic.mutex);
	if (panic_refuses(error)) {
		panic_leave();
		return false;
	}
	return true;
}

void panic_leave(void)
{
	g_mutex_lock(&panic.mutex);
	if (--panic.acting == 0 && panic.releasing) {
		g_cond_broadcast(&panic.left);
	}
	g_mutex_unlock(&panic.mutex);
}

/* --- Stopping --------------------------------------------------------------------------------- */

static gpointer let_go(gpointer data)
{
	(void)data;
	release_all();
	g_mutex_lock(&panic.mutex);
	bool waited = panic.acting > 0;
	while (panic.acting > 0) {
		g_cond_wait(&panic.left, &panic.mutex);
	}
	g_mutex_unlock(&panic.mutex);
	if (waited) {
		/* What came to its end meanwhile may have pressed something since. */
		release_all();
	}
	g_mutex_lock(&panic.mutex);
	panic.releasing = false;
	if (panic.signalled && panic.listed) {
		roster_write(true, NULL);
	}
	g_mutex_unlock(&panic.mutex);
	return NULL;
}

static gboolean on_stop(gpointer data)
{
	(void)data;
	g_mutex_lock(&panic.mutex);
	list_us();
	panic.signalled = true;
	bool under_way = panic.releasing;
	panic.releasing = true;
	g_mutex_unlock(&panic.mutex);
	g_message("All input is stopped");
	panic.stop(panic.data);
	if (!under_way) {
		if (panic.thread != NULL) {
			g_thread_join(panic.thread);
		}
		panic.thread = g_thread_new("panic", let_go, NULL);
	}
	return G_SOURCE_CONTINUE;
}

static gboolean on_resume(gpointer data)
{
	(void)data;
	g_mutex_lock(&panic.mutex);
	panic.signalled = false;
	if (panic.listed) {
		roster_write(false, NULL);
	}
	g_mutex_unlock(&panic.mutex);
	g_message("Input is possible again");
	return G_SOURCE_CONTINUE;
}

static GSource *listen_for(int number, GSourceFunc callback, GMainContext *context)
{
	GSource *source = g_unix_signal_source_new(number);
	g_source_set_callback(source, callback, NULL, NULL);
	g_source_attach(source, context);
	return source;
}

void panic_attach(GMainContext *context, void (*stop)(void *data), void *data)
{
	g_auto(GStrv) paths = panic_paths();
	panic.files = g_ptr_array_new_with_free_func((GDestroyNotify)presence_free);
	for (char **path = paths; *path != NULL; path++) {
		g_ptr_array_add(panic.files, presence_new(*path));
	}
	panic.stop = stop;
	panic.data = data;
	panic.stop_source = listen_for(PANIC_STOP, on_stop, context);
	panic.resume_source = listen_for(PANIC_RESUME, on_resume, context);
}

void panic_detach(void)
{
	g_source_destroy(panic.stop_source);
	g_clear_pointer(&panic.stop_source, g_source_unref);
	g_source_destroy(panic.resume_source);
	g_clear_pointer(&panic.resume_source, g_source_unref);
	if (panic.thread != NULL) {
		g_thread_join(g_steal_pointer(&panic.thread));
	}
	if (panic.listed) {
		roster_remove();
	}
	panic.listed = panic.signalled = false;
	g_clear_pointer(&panic.files, g_ptr_array_unref);
}
