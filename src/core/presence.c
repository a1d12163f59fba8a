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
	int fd; /* inotify; -1: not asked for yet. Kept: to close one takes the kernel milliseconds
		 */
	int watch;      /* of it; -1: the folder does not tell, maybe because there is none yet */
	bool there;     /* when it was last looked at */
};

static void lose(struct presence *presence)
{
	if (presence->watch >= 0) {
		inotify_rm_watch(presence->fd, presence->watch);
		presence->watch = -1;
	}
}

static void watch(struct presence *presence)
{
	if (presence->fd < 0) {
		presence->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	}
	presence->watch = presence->fd >= 0
		? inotify_add_watch(presence->fd, presence->folder, CHANGES)
		: -1;
}

/* Takes in what the folder told; whether it told anything. */
static bool has_stirred(struct presence *presence)
{
	_Alignas(struct inotify_event) char events[4096];
	bool stirred = false, lost = false;
	ssize_t size;
	while ((size = read(presence->fd, events, sizeof events)) > 0) {
		stirred = true;
		for (const char *at = events; at < events + size;) {
			const struct inotify_event *event = (const void *)at;
			/* Of a watch that is no more, too, something may still be told. */
			lost |= (event->mask & LOSSES) != 0
				&& (event->wd == presence->watch
					|| (event->mask & IN_Q_OVERFLOW) != 0);
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
	*presence = (struct presence){
		.path = g_strdup(path), .folder = g_path_get_dirname(path), .fd = -1, .watch = -1
	};
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
		if (presence->fd >= 0) {
			close(presence->fd);
		}
		g_free(presence->path);
		g_free(presence->folder);
		g_free(presence);
	}
}
