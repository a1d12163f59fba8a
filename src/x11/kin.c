/* SPDX-License-Identifier: MIT */
/*
 * What an application starts in answer to an action, or asks another one to show, is no more the user's wish than
 * what it shows itself: a file manager opens an editor, a terminal runs a program.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "apps/process.h"
#include "x11/property.h"
#include "x11/sentry.h"

/* How late after an action a window counts. */
#define KIN_US (10 * G_TIME_SPAN_SECOND)
/* A window of a process that ran before is guarded as one of the application's. */
#define GUEST_US (1500 * G_TIME_SPAN_MILLISECOND)
/* From a process to whom it descends from. */
#define MOST_ANCESTORS 32
#define ID_WORDS 64

guint64 x11_kin_second(void)
{
	return (guint64)sysconf(_SC_CLK_TCK);
}

guint64 x11_kin_ticks(void)
{
	struct timespec now;
	clock_gettime(CLOCK_BOOTTIME, &now);
	guint64 each = x11_kin_second();
	return (guint64)now.tv_sec * each + (guint64)now.tv_nsec * each / 1000000000;
}

static struct x11_sire *find_sire(struct x11_sentry *sentry, pid_t pid)
{
	for (guint i = 0; i < sentry->sires->len; i++) {
		struct x11_sire *sire = &g_array_index(sentry->sires, struct x11_sire, i);
		if (sire->pid == pid) {
			return sire;
		}
	}
	return NULL;
}

void x11_kin_begin(struct x11_sentry *sentry, pid_t pid)
{
	struct x11_sire *sire = find_sire(sentry, pid);
	if (sire != NULL) {
		sire->until = G_MAXINT64;
	} else if (pid > 0) {
		const struct x11_sire new = { pid, x11_kin_ticks(), G_MAXINT64 };
		g_array_append_val(sentry->sires, new);
	}
}

void x11_kin_end(struct x11_sentry *sentry, pid_t pid)
{
	struct x11_sire *sire = find_sire(sentry, pid);
	if (sire != NULL) {
		sire->until = g_get_monotonic_time() + KIN_US;
	}
}

void x11_kin_forget(struct x11_sentry *sentry, pid_t pid)
{
	struct x11_sire *sire = find_sire(sentry, pid);
	if (sire != NULL) {
		sire->until = 0;
	}
}

gint64 x11_kin_release(struct x11_sentry *sentry)
{
	gint64 now = g_get_monotonic_time(), next = G_MAXINT64;
	for (guint i = sentry->sires->len; i-- > 0;) {
		gint64 until = g_array_index(sentry->sires, struct x11_sire, i).until;
		if (until <= now) {
			g_array_remove_index_fast(sentry->sires, i);
		} else {
			next = MIN(next, until);
		}
	}
	return next;
}

bool x11_kin_descends(pid_t pid, pid_t sire)
{
	struct process process;
	for (int i = 0; i < MOST_ANCESTORS && pid > 1 && process_read(pid, &process); i++) {
		pid = process.parent;
		if (pid == sire) {
			return true;
		}
	}
	return false;
}

/*
 * A launcher gives what it starts an id with its own pid: GTK's is NAME-PID-HOST-PROGRAM-N_TIMEn, that of
 * libstartup-notification NAME/PROGRAM/PID-N-HOST_TIMEn, KDE's HOST;n;n;PID_TIMEn.
 */
static bool names(const char *id, pid_t pid)
{
	g_autofree char *number = g_strdup_printf("%d", pid);
	gsize length = strlen(number);
	for (const char *at = id != NULL ? strstr(id, number) : NULL; at != NULL; at = strstr(at + 1, number)) {
		bool begins = at > id && strchr("-/;", at[-1]) != NULL;
		bool ends = at[length] == '-' || at[length] == ';' || g_str_has_prefix(at + length, "_TIME");
		if (begins && ends) {
			return true;
		}
	}
	return false;
}

static char *startup_id(struct x11_sentry *sentry, xcb_window_t window)
{
	struct x11_server *server = sentry->server;
	xcb_get_property_reply_t *reply = x11_reply(server, x11_property_ask(server, window,
		server->atoms[ATOM__NET_STARTUP_ID], ID_WORDS));
	char *id = x11_property_text(server, reply);
	free(reply);
	return id;
}

bool x11_kin_asked_for(struct x11_sentry *sentry, xcb_window_t window)
{
	g_autofree char *id = startup_id(sentry, window);
	/* What we start ourselves has our own (apps/environment.c), and hands it on to who shows
	 * the window. */
	bool asked = names(id, getpid());
	for (guint i = 0; !asked && i < sentry->sires->len; i++) {
		asked = names(id, g_array_index(sentry->sires, struct x11_sire, i).pid);
	}
	return asked;
}

struct x11_charge *x11_kin_adopt(struct x11_sentry *sentry, xcb_window_t window, pid_t owner, bool new)
{
	struct process process;
	x11_kin_release(sentry);
	if (sentry->sires->len == 0 || owner <= 0 || x11_sentry_charge(sentry, owner) != NULL
		|| !process_read(owner, &process)) {
		return NULL;
	}
	bool youngest = false;
	g_autofree char *said = NULL, *shown = NULL;
	for (guint i = 0; i < sentry->sires->len; i++) {
		const struct x11_sire *sire = &g_array_index(sentry->sires, struct x11_sire, i);
		/* Where the user works, it may be the user who started something. */
		if (sire->pid == sentry->home_pid || sire->pid == owner) {
			continue;
		}
		bool young = process.start >= sire->began;
		if (young && !youngest) {
			said = process_variable(owner, "DESKTOP_STARTUP_ID");
		}
		youngest |= young;
		if ((young || new) && shown == NULL) {
			shown = startup_id(sentry, window);
		}
		if ((young && (x11_kin_descends(owner, sire->pid) || names(said, sire->pid)))
			|| ((young || new) && names(shown, sire->pid))) {
			const struct x11_charge charge = { .pid = owner, .launching = young,
				.until = g_get_monotonic_time() + (young ? KIN_US : GUEST_US) };
			g_array_append_val(sentry->charges, charge);
			return &g_array_index(sentry->charges, struct x11_charge, sentry->charges->len - 1);
		}
	}
	return NULL;
}
