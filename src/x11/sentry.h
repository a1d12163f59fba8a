/* SPDX-License-Identifier: MIT */
#ifndef X11_SENTRY_H
#define X11_SENTRY_H

#include <xcb/xcb.h>

#include "core/past.h"
#include "x11/choice.h"
#include "x11/conn.h"
#include "x11/hold.h"
#include "x11/knowledge.h"

/* An application that was acted on and might take something from the user in answer. */
struct x11_charge {
	pid_t pid;
	xcb_window_t window; /* that was acted on last; 0: none yet */
	gint64 until;       /* G_MAXINT64 while the action runs */
	bool allow_grab;
	bool launching;     /* it was just started: whoever descends from it counts, too */
	unsigned lowered;   /* how often a window of it was put behind the user's */
	unsigned fights;    /* how often it was put back */
};

/* One that may start others in answer. */
struct x11_sire {
	pid_t pid;
	guint64 began;      /* the action, in the kernel's ticks: who started before was there already */
	gint64 until;       /* G_MAXINT64 while the action runs */
};

/*
 * What the lookout knows of the display. Only who has taken it (lookout.c) touches it. Its functions may wait
 * for the server, never for anybody else.
 */
struct x11_sentry {
	struct x11_server *server;
	struct past *past;
	struct hold *hold;         /* keeps the user's keys while focus is given back */

	/* The windows there are. */
	GArray *clients;           /* xcb_window_t that the window manager manages */
	bool attends;              /* to all of them, whatever is done to whom */
	xcb_window_t target;       /* of the last action: watched for its title and its end; 0: none */
	xcb_damage_damage_t damage; /* of the target, kept for the next action on it; 0: none */
	bool watched;              /* an action on the target runs: what is drawn counts */
	bool drawn;                /* something was, and what is drawn there again is not told */
	struct x11_knowledge knowledge;

	/* The user. */
	xcb_window_t active, focus; /* as they are */
	xcb_window_t home, home_focus; /* where the user was last without an application's doing */
	pid_t home_pid;
	pid_t focus_pid;           /* owner of `focus` */
	bool grabbed;              /* somebody has the user's keyboard */
	bool own;                  /* because the user opened a menu */
	struct x11_choice choice;  /* what the user did that may choose a window */
	xcb_window_t paged;        /* what a pager asked for last */
	gint64 paged_at;           /* when; 0: never */
	gint64 elsewhere; /* when the user last pressed a button outside of `home`; 0: never */
	unsigned motions, keyboard_grabs, pointer_grabs;
	unsigned moves;            /* how often the guard saw `active` or `focus` change */

	xcb_window_t curtain;      /* covers all of the screen; 0: nothing does */
	bool away;                 /* at another console */

	/* What was taken and given back. */
	GArray *charges;           /* struct x11_charge */
	GArray *sires;             /* struct x11_sire */
	bool raw;                  /* the user's devices are heard */
	GArray *before; /* xcb_window_t: the clients when the last action began; NULL: there was
			   none */
	struct screen_px pointer;  /* the user's, then */
	guint64 since;             /* when the guard began, in the kernel's ticks */
	GArray *order;             /* xcb_window_t, back to front: as the windows were before the last action; NULL: unknown */
	unsigned steals;           /* of focus or activation */
	unsigned rises;            /* of windows above the user's */
	unsigned dismissed;        /* popups closed */
	unsigned copies; /* by charges, onto the clipboard, where something of others was */
	/* of these, told in an answer */
	unsigned told_steals, told_rises, told_dismissed, told_copies;
	unsigned told_lost;        /* keys that were lost, the same */
	bool clip_theirs;          /* what is on the clipboard is neither ours nor a charge's */
	gint64 given;              /* when the focus was given back; 0: the user has it */
	gint64 gave; /* when that was last done, whether the user has it or not; 0: never */
	bool taken_again;          /* it was taken again at once */
	bool gone;                 /* the focus left the user's window; where to is not known yet */
	gint64 armed;              /* when the last action began */
	gint64 popup;              /* when a popup of a charge opened since then; 0: none did */
	gint64 foreign_popup;      /* when one of anybody else did */
	gint64 escaped;            /* when Escape was sent last */
	unsigned escapes;          /* for this action */
	xcb_keycode_t escape;

	GQueue waiting;            /* events taken out of their turn */
};

/* The owner of a window, as the server knows it; 0 if it cannot tell. */
pid_t x11_sentry_owner(struct x11_sentry *sentry, xcb_window_t window);

/* Notes something about a window in the past. */
void x11_sentry_note(struct x11_sentry *sentry, enum happening_kind kind, xcb_window_t window,
	pid_t pid);

/*
 * Notes that "focus" or "keyboard" was taken from the user, by whom, in answer to an action on
 * which process; 0 if unknown.
 */
void x11_sentry_note_taken(struct x11_sentry *sentry, const char *what, pid_t pid, pid_t cause);

/* Tells `hold` where the user is, and how long the guard lasts. */
void x11_sentry_hold(struct x11_sentry *sentry);

/* The charge of that process that has not run out, or NULL. */
struct x11_charge *x11_sentry_charge(struct x11_sentry *sentry, pid_t pid);

/* Whether the window manager had it when it was last looked at. */
bool x11_sentry_knows(const struct x11_sentry *sentry, xcb_window_t window);

/* guard.c: focus or active window may have changed. */
void x11_guard_look(struct x11_sentry *sentry);
/* The focus has left the user's window, and may be back by now. */
void x11_guard_left(struct x11_sentry *sentry);
/* When to look again. */
gint64 x11_guard_next(const struct x11_sentry *sentry);
/* A raw event of the user's devices. */
void x11_guard_input(struct x11_sentry *sentry, unsigned type, unsigned code);
/* Somebody asks the window manager for something. */
void x11_guard_asked(struct x11_sentry *sentry, const xcb_client_message_event_t *event);
/* A window was made, or has come under the window manager. */
void x11_guard_created(struct x11_sentry *sentry, const xcb_create_notify_event_t *event);
void x11_guard_opened(struct x11_sentry *sentry, xcb_window_t window, pid_t owner);
/* The order of windows has changed. */
void x11_guard_restacked(struct x11_sentry *sentry);

/* kin.c: an application is acted on; not any more. */
void x11_kin_begin(struct x11_sentry *sentry, pid_t pid);
void x11_kin_end(struct x11_sentry *sentry, pid_t pid);
/* What it shows is the user's wish from now on. */
void x11_kin_forget(struct x11_sentry *sentry, pid_t pid);
/* Forgets those whose time is over. When to do it again. */
gint64 x11_kin_release(struct x11_sentry *sentry);
/*
 * Charges the owner of a window if one that was acted on started it, or asked it for the window, which is `new` if
 * nobody saw it before. NULL if not.
 */
struct x11_charge *x11_kin_adopt(struct x11_sentry *sentry, xcb_window_t window, pid_t owner, bool new);

/* Whether the window says that an action asked for it: by a startup notification id of one that was
 * acted on, or ours. */
bool x11_kin_asked_for(struct x11_sentry *sentry, xcb_window_t window);
bool x11_kin_descends(pid_t pid, pid_t sire);
/* The kernel's clock, in whose ticks a process has its start; and how many of them a second has. */
guint64 x11_kin_ticks(void);
guint64 x11_kin_second(void);

/* curtain.c: looks around; a window was mapped, is gone, a property of the root changed. */
void x11_curtain_learn(struct x11_sentry *sentry);
void x11_curtain_mapped(struct x11_sentry *sentry, xcb_window_t window);
void x11_curtain_gone(struct x11_sentry *sentry, xcb_window_t window);
void x11_curtain_property(struct x11_sentry *sentry, xcb_atom_t atom);
/* Whether the user's screen is locked; `children` of the root, back to front. */
bool x11_curtain_is_down(struct x11_sentry *sentry, const GArray *children);

/* handover.c: ends what an application that was acted on asks the window manager to do by the
 * user's pointer. */
void x11_handover_heard(struct x11_sentry *sentry, const xcb_generic_event_t *event);

/* copies.c: who has something on the clipboard; somebody else has. */
void x11_clip_learn(struct x11_sentry *sentry);
void x11_clip_taken(struct x11_sentry *sentry, const xcb_xfixes_selection_notify_event_t *event);

/* dismiss.c: closes the popup that took the user's keyboard, if it is a charge's. */
void x11_dismiss_look(struct x11_sentry *sentry);
/* Learns which key is Escape. */
void x11_dismiss_learn(struct x11_sentry *sentry);
/* When to look again. */
gint64 x11_dismiss_next(const struct x11_sentry *sentry);

/* What is asked for one look at what the user has. */
struct x11_probing {
	struct x11_knowing known;
	unsigned typed;            /* 0: not asked */
	unsigned motions, moves;
};

/*
 * probe.c: what the user has now; before an action on the window, during or after it. Asked, and collected in
 * the same turn or later.
 */
void x11_probe_ask(struct x11_sentry *sentry, enum probe_time time, const struct window *window,
	struct x11_probing *asked);
void x11_probe_collect(struct x11_sentry *sentry, enum probe_time time, const struct window *window,
	const struct x11_probing *asked, struct probe *probe);

/* sentry.c: begins and ends; false if the server went away meanwhile. */
bool x11_sentry_open(
	struct x11_sentry *sentry, const char *display, struct past *past, struct hold *hold);
void x11_sentry_close(struct x11_sentry *sentry);
/* Takes in the events that have come, without looking for others than those that answers brought along; or with it. */
bool x11_sentry_catch_up(struct x11_sentry *sentry);
bool x11_sentry_listen(struct x11_sentry *sentry);
/* The window of an action is watched from now on; its process is charged. */
void x11_sentry_watch(struct x11_sentry *sentry, const struct window *window, bool allow_grab);
/* The action is over. */
void x11_sentry_unwatch(struct x11_sentry *sentry, const struct window *window);
/* Notes all windows that open, close or get another title, or only what concerns an action. */
void x11_sentry_attend(struct x11_sentry *sentry, bool on);
/* The user is to be where this process is: nobody puts it back. */
void x11_sentry_forgive(struct x11_sentry *sentry, pid_t pid);
/* What has to be heard of this window is. A window that is gone is none. */
void x11_sentry_select(struct x11_sentry *sentry, xcb_window_t window);
/* What is drawn in the target from now on is told. Needs a flush. */
void x11_sentry_wipe(struct x11_sentry *sentry);
/* The user's focus is there now. */
void x11_sentry_set_focus(struct x11_sentry *sentry, xcb_window_t focus);
/* When to look again even if nothing happens; G_MAXINT64: never. */
gint64 x11_sentry_next(struct x11_sentry *sentry);

#endif
