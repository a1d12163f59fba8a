/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/presence.h"

#include <glib.h>
#include <sys/inotify.h>
#include <unistd.h>

/* Whatever makes a file be there, or not any more. */
#define CHANGES (IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
/* After these the folder that is watched is not the one of that path, or something was not told. */
#define LOSSES (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED | IN_Q_OVERFLOW)

struct presence {
	char *path, *folder;
	int watch;      /* inotify; -1: the folder does not tell, maybe because there is none yet */
	bool there;     /* when it was last looked at */
};

static void lose(struct presence *presence)
{
	if (presence->watch >= 0) {
		close(presence->watch);
		presence->watch = -1;
	}
}

static void watch(struct presence *presence)
{
	presence->watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (presence->watch >= 0 && inotify_add_watch(presence->watch, presence->folder, CHANGES) < 0) {
		lose(presence);
	}
}

/* Takes in what the folder told; whether it told anything. */
static bool has_stirred(struct presence *presence)
{
	_Alignas(struct inotify_event) char events[4096];
	bool stirred = false, lost = false;
	ssize_t size;
	while ((size = read(presence->watch, events, sizeof events)) > 0) {
		stirred = true;
		for (const char *at = events; at < events + size;) {
			const struct inotify_event *event = (const void *)at;
			lost |= (event->mask & LOSSES) != 0;
			at += sizeof *event + event->len;
		}
	}
	if (lost) {
		lose(presence);
	}
	return stirred;
}

struct presence *presence_new(const char *path)
{
	struct presence *presence = g_new0(struct presence, 1);
	*presence = (struct presence){ .path = g_strdup(path), .folder = g_path_get_dirname(path), .watch = -1 };
	return presence;
}

bool presence_is(struct presence *presence)
{
	bool new = presence->watch < 0;
	if (new) {
		/* First: what happens between the two is told. */
		watch(presence);
	}
	if (new || has_stirred(presence)) {
		presence->there = access(presence->path, F_OK) == 0;
	}
	return presence->there;
}

void presence_free(struct presence *presence)
{
	if (presence != NULL) {
		lose(presence);
		g_free(presence->path);
		g_free(presence->folder);
		g_free(presence);
	}
}
