/* SPDX-License-Identifier: MIT */
/* Whose the contents of the clipboard are, and how often an application that is acted on replaced
 * what others had there. */
#include "config.h"

#include <stdlib.h>
#include <unistd.h>
#include <xcb/xfixes.h>

#include "x11/sentry.h"

/* Neither a session's own offer nor nobody's. */
static bool is_theirs(struct x11_sentry *sentry, xcb_window_t owner)
{
	return owner != XCB_WINDOW_NONE && x11_sentry_owner(sentry, owner) != getpid();
}

void x11_clip_learn(struct x11_sentry *sentry)
{
	struct x11_server *server = sentry->server;
	xcb_get_selection_owner_reply_t *reply = x11_reply(server,
		xcb_get_selection_owner(server->c, server->atoms[ATOM_CLIPBOARD]).sequence);
	sentry->clip_theirs = reply != NULL && is_theirs(sentry, reply->owner);
	free(reply);
}

void x11_clip_taken(struct x11_sentry *sentry, const xcb_xfixes_selection_notify_event_t *event)
{
	pid_t pid = event->owner != XCB_WINDOW_NONE ? x11_sentry_owner(sentry, event->owner) : 0;
	bool charged = pid != 0 && x11_sentry_charge(sentry, pid) != NULL;
	if (sentry->charges->len > 0) {
		x11_sentry_note(sentry, HAPPENED_COPIED, 0, pid);
	}
	/* What the agent itself has put there, or had put there, is not the user's to lose. */
	sentry->copies += charged && sentry->clip_theirs;
	sentry->clip_theirs = !charged && event->owner != XCB_WINDOW_NONE && pid != getpid();
}
