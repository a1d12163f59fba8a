/* SPDX-License-Identifier: MIT */
#ifndef DISCOVERY_DISCOVERY_H
#define DISCOVERY_DISCOVERY_H

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

/*
 * Where the user's desktop is, for a driver that was started outside of it: by ssh, `docker exec`, a
 * service manager. Looks at the environment, at /run/user, and at what processes of the desktop
 * session have in theirs; connects to nothing.
 */

/* What is said of a Wayland login. */
#define DISCOVERY_XWAYLAND \
	"only X11 applications, which run through Xwayland, are seen and driven so far"

/* A value and where it was found. */
struct clue {
	char *value;             /* NULL: not found */
	char *origin;            /* for people: "the environment", "xfce4-session (pid 812)" */
};

struct discovery {
	struct clue display, xauthority, wayland_display, runtime_dir;
	/* What the first process of the desktop session has, whatever the environment says. */
	struct clue session_display, session_xauthority;
	/* What the first one on `display` has, whatever is in /run/user. */
	struct clue session_runtime_dir, session_bus;
	bool told_runtime_dir;   /* the environment has one, which was not applied by us */
	GArray *buses;           /* struct clue: session buses, best first; each has to be tried */
	char *other_user;        /* whose desktop runs here, if there is one and it is not ours; else NULL */
};

/* Without `processes` those are not looked at, which is fast. */
struct discovery *discovery_new(bool processes);
void discovery_free(struct discovery *discovery);

/*
 * Puts what is missing in our own environment there, for the libraries that look for it. Before any
 * thread is started.
 */
void discovery_apply(void);

/* Whether our environment, with what was applied, is that of a Wayland login. */
bool discovery_is_wayland(void);

#endif
