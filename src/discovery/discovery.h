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

/* A desktop of this user, as a process of it tells. */
struct seat {
	char *display, *xauthority;
	char *origin;            /* the process: "xfce4-session (pid 812)" */
	bool live; /* somebody listens there; a display of another machine is taken for live */
};

struct discovery {
	struct clue display, xauthority, wayland_display, runtime_dir;
	/* What the first process of the desktop session has, whatever the environment says. */
	struct clue session_display, session_xauthority;
	/* What the first one on `display` has, whatever is in /run/user. */
	struct clue session_runtime_dir, session_bus;
	bool told_runtime_dir;   /* the environment has one, which was not applied by us */
	GArray *buses;           /* struct clue: session buses, best first; each has to be tried */
	GPtrArray *seats;        /* struct seat: each display once, the surest process first */
	/* Nobody named a display, and several desktops are live: `display` is none of them. */
	bool ambiguous;
	char *other_user;        /* whose desktop runs here, if there is one and it is not ours; else NULL */
};

/* Without `processes` those are not looked at, which is fast. */
struct discovery *discovery_new(bool processes);
void discovery_free(struct discovery *discovery);

/* Whether both name the same X server. Takes NULL. */
bool discovery_same_display(const char *a, const char *b);

/*
 * Names the display for all that follows, as the option --display does: our environment has what
 * belongs to it afterwards, and nothing of another one. Before discovery_apply().
 */
void discovery_choose(const char *display);
/* The display that was chosen so; NULL if none was. */
const char *discovery_named(void);

/*
 * Puts what is missing in our own environment there, for the libraries that look for it. Before any
 * thread is started.
 */
void discovery_apply(void);

/* "There are 2 desktops of this user: …", if that is why we have none; else NULL. The caller frees
 * it. */
char *discovery_why_ambiguous(void);

/* The live desktops that are not ours: ":1 of openbox (pid 812), …"; NULL if there are none. The
 * caller frees it. */
char *discovery_others(const struct discovery *discovery);
/* Ours, and those, in words. The caller frees it. */
char *discovery_words(const struct discovery *discovery);

/* The same as fields desktop and other_desktops, and a line of text; of a failure: candidates. */
struct answer;
void discovery_answer(struct answer *answer);

/* Whether our environment, with what was applied, is that of a Wayland login. */
bool discovery_is_wayland(void);

#endif
