/* SPDX-License-Identifier: MIT */
#ifndef CORE_PLATFORM_H
#define CORE_PLATFORM_H

#include "core/deadline.h"
#include "core/element.h"
#include "core/error.h"
#include "core/frame.h"
#include "core/picture.h"
#include "core/window.h"

struct answer;
struct exam;
struct past;
struct session;
struct platform;
struct rung_impl;
struct surroundings;
struct look;

/* What a capture of a window gives, and what its caller has already. */
struct capture {
	/*
	 * In: the version the caller kept, 0 for none. Out: the version of what the window shows now; 0 if
	 * the platform would not notice a change.
	 */
	guint64 version;
	struct picture *picture; /* out: NULL if the version is the one that was kept */
};

/* One form of what is on the clipboard. */
struct clip {
	char *type;              /* a media type, or what the platform calls it */
	GBytes *data;
};
#define CLIP_TEXT "text/plain;charset=utf-8"

/* What a window says about the sizes it takes; 0: it does not say. */
struct size_rules {
	int min_width, min_height, max_width, max_height;
	int base_width, base_height, step_width, step_height; /* base and whole steps */
};

/* Where a window is to be: the application's own area, as in struct window. */
struct placement {
	bool moves, resizes;
	struct screen_rect wanted;
	struct size_rules rules; /* out */
};

/* How much of a tree is read. */
struct tree_limits {
	int max_elements;  /* nodes walked */
	int max_depth;     /* 0: no limit */
	bool closed_menus; /* also what menus would show if they were opened */
};

/* When the user's side is looked at. */
enum probe_time {
	PROBE_BEFORE,    /* an action; from then on the platform watches the window */
	PROBE_MEANWHILE, /* it is watched on */
	PROBE_AFTER,     /* the action is over */
	PROBE_DESKTOP,   /* nothing is watched: the action has no window, and the one given here says nothing */
};

/* What belongs to the user; compared before and after every action. */
struct probe {
	guint64 active_window;
	bool locked;                 /* the screen is locked, or the user at another console; before an action */
	guint64 focus;               /* the core keyboard's focus window */
	pid_t focus_pid;             /* its owner; 0 if unknown or nothing has the focus */
	struct screen_px pointer;    /* the core pointer */
	unsigned motions;            /* how often the user's devices moved it; only differences count */
	unsigned keyboard_grabs, pointer_grabs; /* how often somebody took them; only differences count */
	int held_ms;                 /* after an action: for so long a pointer stood still that the user moved */
	unsigned steals;             /* how often an application took focus or activation and was put back */
	unsigned dismissed;          /* how many popups were closed that took the keyboard */
	unsigned rises;              /* how often an application put its window above the user's, and it was put back */
	unsigned keys_lost; /* how many of the user's keys went to what had taken the focus */
	/* how often an application that was acted on replaced what others had on the clipboard */
	unsigned copies;
	/* of these, since the last probe: after the last answer */
	unsigned late_steals, late_rises, late_grabs, late_copies, late_keys_lost;
	GArray *stacking;            /* guint64 window ids, back to front; may be another probe's as well */
	unsigned typed;              /* how long ago the user pressed a key, in ms, or less; before an action */
	/*
	 * PROBE_BEFORE: the window is what the caller knows of it: same owner, place, size and title, shown or
	 * minimised as it was. False also if that cannot be said.
	 */
	bool unchanged;
	unsigned siblings;           /* PROBE_BEFORE: other windows of the same client, or more */
};
void probe_clear(struct probe *probe);

/*
 * A display system. One const table each; the struct platform is the first member of the backend's
 * own struct. Every slot may be called from any worker thread, several at once, and returns within
 * the deadline. Slots that fail return NULL or false and set an error of the CUA_ERROR domain.
 */
struct platform_impl {
	const char *name;

	void (*destroy)(struct platform *platform);

	/* All windows, back to front where the order is known. The caller owns the list. */
	GPtrArray *(*windows)(struct platform *platform, struct deadline deadline, GError **error);

	/* The span of all monitors; the caller clears it. */
	bool (*screen)(struct platform *platform, struct deadline deadline, struct screen *screen,
		GError **error);

	/* Where the user's pointer is. */
	bool (*pointer)(struct platform *platform, struct deadline deadline, struct screen_px *point,
		GError **error);

	/* What a person would see of the window if nothing covered it. The caller owns the picture. */
	bool (*capture)(struct platform *platform, const struct window *window,
		struct capture *capture, struct deadline deadline, GError **error);

	/* What the user sees: all monitors, with whatever covers what. The caller owns the picture. */
	struct picture *(*capture_screen)(struct platform *platform, struct deadline deadline,
		GError **error);

	/*
	 * The accessibility tree of exactly this window. A window without accessibility gives a tree
	 * without elements whose `degraded` says why; a silent application is ERROR_APP_UNRESPONSIVE.
	 */
	struct tree *(*tree)(struct platform *platform, const struct window *window,
		const struct tree_limits *limits, struct deadline deadline, GError **error);

	/* Applications and their windows (pid 0), or one application's tree, names and roles only. */
	struct tree *(*overview)(struct platform *platform, pid_t pid, const struct tree_limits *limits,
		struct deadline deadline, GError **error);

	/*
	 * The element as it is now; ERROR_STALE_ELEMENT if the object is gone. Reads identity, states and
	 * value; frame and description may be missing. The caller owns the result.
	 */
	struct element *(*reread)(struct platform *platform, const struct element *element,
		struct deadline deadline, GError **error);

	/*
	 * The same of the element in these surroundings, and in `look`, which look_init() made, what became of them
	 * (core/surroundings.h). begin() asks and returns, so that something else can be done meanwhile; end() takes the answers. Both
	 * arguments stay until then. NULL from begin(): it could not be asked, or not without waiting if it was to be `at_once`, which
	 * is no error. drop() is for who does not want to know any more, and does not wait.
	 */
	void *(*look_begin)(struct platform *platform, const struct surroundings *surroundings, struct look *look,
		bool at_once, struct deadline deadline, GError **error);
	struct element *(*look_end)(struct platform *platform, void *looking, struct deadline deadline, GError **error);
	void (*look_drop)(struct platform *platform, void *looking);

	/*
	 * As past_wait(), by who takes in itself what applications say; what others note meanwhile need not end it, so it is for a
	 * moment. NULL: past_wait() it is.
	 */
	bool (*hear)(struct platform *platform, guint64 count, struct deadline deadline);

	/*
	 * While on, windows that open, close or get another title are noted in the past also when nothing is
	 * done to any. Counts: as often off as on. Does not wait. Elements are heard once their tree was read.
	 */
	void (*look_out)(struct platform *platform, bool on);

	/*
	 * What the user has now. begin() asks and returns at once, so that something else can be done
	 * meanwhile; end() takes the answer, which the caller clears. The window stays until then. Popups of the window's process that
	 * take the user's keyboard are closed unless allow_grab. A window without an id stands for a process
	 * that is about to be started: what descends from it is watched, too, and its windows are asked not
	 * to take the focus when they come.
	 */
	void *(*probe_begin)(struct platform *platform, const struct window *window, enum probe_time time,
		bool allow_grab);
	bool (*probe_end)(struct platform *platform, void *probing, struct deadline deadline,
		struct probe *probe, GError **error);

	/* Ends what PROBE_BEFORE began where there is no PROBE_AFTER. Does not wait. */
	void (*probe_leave)(struct platform *platform, const struct window *window);

	/* How long ago the user pressed a key, in ms; G_MAXUINT if nobody can tell. May be NULL. */
	unsigned (*typing)(struct platform *platform, struct deadline deadline);

	/* Nothing was asked for a while: give back what is only kept to be fast the next time. May be NULL. */
	void (*rest)(struct platform *platform, struct deadline deadline);

	/* The ways to act, in the order they are tried; NULL-terminated. */
	const struct rung_impl *const *rungs;

	/*
	 * An application is about to be started: what it looks for only then, the accessibility bus, is made
	 * to be there. May be NULL.
	 */
	void (*prepare)(struct platform *platform, struct deadline deadline);

	/* What of this desktop is out of its reach, for people; NULL if nothing is. May be NULL. */
	const char *(*limitation)(struct platform *platform);

	/* What is looked at to tell whether it works (core/health.h), ending with a NULL id; NULL: nothing. */
	const struct exam *exams;

	/*
	 * Which desktop this is, and which others the user has: fields and a line, or, of a
	 * failure, candidates. NULL: there are never several.
	 */
	void (*desktops)(struct answer *answer);

	/*
	 * Asks that the window be at another place or of another size, no longer maximised; whether it becomes so
	 * is to be seen by windows(). Neither raises nor activates it.
	 */
	bool (*place)(struct platform *platform, const struct window *window, struct placement *placement,
		struct deadline deadline, GError **error);

	/*
	 * Asks that the window come to the front and be the one the user works in, from now on as if the user
	 * had chosen it. `again` if asking did not help: the keyboard is taken there as well.
	 */
	bool (*activate)(struct platform *platform, const struct window *window, bool again,
		struct deadline deadline, GError **error);

	/* Whether the user's keyboard is in a window of the same application's connection. */
	bool (*focused)(struct platform *platform, const struct window *window, struct deadline deadline);

	/*
	 * The clipboard: which types it is offered in (strings, none: it is empty), and one of them, with a little more
	 * than `most` bytes at most. ERROR_APP_UNRESPONSIVE if its owner does not answer. The caller owns the result.
	 */
	GPtrArray *(*clip_types)(struct platform *platform, struct deadline deadline, GError **error);
	GBytes *(*clip_read)(struct platform *platform, const char *type, gsize most, struct deadline deadline,
		GError **error);
	/* Offers these (struct clip) there until the session ends or somebody else offers something. */
	bool (*clip_write)(struct platform *platform, struct session *session, const GPtrArray *clips,
		struct deadline deadline, GError **error);
};

struct platform {
	const struct platform_impl *impl;
	struct past *past;   /* what happened lately, as far as the platform hears of it */
};

#endif
