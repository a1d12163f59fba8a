/* SPDX-License-Identifier: MIT */
#ifndef X11_DEVICE_H
#define X11_DEVICE_H

#include "x11/guardian.h"
#include "x11/master.h"
#include "x11/refuge.h"
#include "x11/spares.h"
#include "x11/vigil.h"

/*
 * A pointer and a keyboard of our own: a master pair in the server, and the connection that moves it. The
 * user's pair does not notice. While nothing is done with it our own grab keeps it from everybody: wherever it
 * rests, and whatever moves below it, no window hears of it. Its sprite is not painted.
 */
enum { DEVICE_CHAIN = 12 };

/* For how long a gesture kept the user's pointer (x11/freeze.h). */
struct freeze {
	gint64 since;
	xcb_window_t warper; /* of the window manager, which means our pointer meanwhile; 0: it
				means the user's */
	struct screen_px place;      /* where it was then */
	int ms;                      /* 0: it was not kept */
	bool moved;                  /* the user moved it meanwhile, and it went there later */
};

struct kernel;
struct menu_watch;

struct device {
	gatomicrefcount references;
	bool core;                   /* it stands for the user's own pair: nothing is added, parked or removed */
	char *display;
	struct x11 *x11;             /* a connection of its own */
	struct guardian *guardian;
	struct vigil *vigil;         /* is told of the pair; NULL: nobody is */
	bool watched;                /* it was */
	gint wanted;                 /* the pair has to go at once: what is being done is given up. Set by any thread */
	int connection;              /* the guardian's number of it; -1: none */
	struct undo_log *log;
	struct undo_record *record;  /* of the pair; NULL: there is none */
	struct master master;
	xcb_window_t window;         /* cannot be seen; owns the pair's place, and is below the pointer where it rests */
	xcb_cursor_t blank;

	/* Guarded by whoever is between device_begin() and device_end(). */
	bool parked;                 /* our own grab holds it */
	bool rests;                  /* it is everybody's, but over our own window */
	struct undo_record *buttons[3]; /* held by mouse_button_down; by enum button */
	struct kernel *kernel;       /* a pointer of the kernel that is of the pair, too (x11/kernel.h); NULL: none */
	unsigned kernel_holds;       /* of the buttons, those that it holds: a bit each */
	pid_t pid;                   /* of the process it was last used on */
	xcb_window_t menu; /* of the application that took the pair for a menu, and may still have
			      it; 0: none */
	struct menu_watch *watch;    /* over it; NULL: none */
	struct freeze freeze;        /* by the last gesture */
	gint64 clicked;              /* when it last pressed a button; 0: never */
	xcb_window_t typed;          /* where its keys last went; 0: nowhere */
	int unread;                  /* so many of them may not have been read */
	xcb_window_t mute;           /* it did not say that it has read them, when it was last asked; 0: it did */
	struct screen_px place;      /* and where in it its pointer was, from its corner */
	struct spare_keys spares;    /* the user's keys that it gave symbols to */
	xcb_window_t veiled[8];      /* over these its sprite is not painted; 0: none */
	/* The windows from the root down to the one it was last over; believed only as far as the server agrees. */
	xcb_window_t chain[DEVICE_CHAIN], chain_target;
	int chain_length;
	struct refuge refuge;        /* where it rested last; the same holds */
	xcb_window_t cover;          /* what was in its way last; 0: nothing. It is asked about before it is known to be */
	/* Of the user's own pair. */
	struct undo_record *standing; /* the user's place is to be given back when the menu is closed; NULL: it is */
	xcb_window_t popups[8];      /* that were open before the first action; 0: no more */
	gint pressed;                /* when it last pressed a key: ms, also read by others; 0: never */
};

/* `vigil` may be NULL. */
struct device *device_new(const char *display, struct guardian *guardian, struct vigil *vigil, bool core);
struct device *device_ref(struct device *device);
void device_unref(struct device *device);

/*
 * Takes it, adding the pair to the server when needed. NULL with an error:
 *   ERROR_NO_INPUT_DEVICE  the server has none for us: it lacks an extension, or eight pairs are in use
 *   those of x11_begin()
 */
struct x11_server *device_begin(struct device *device, struct deadline deadline, GError **error);
/* As x11_end(). */
bool device_end(struct device *device, struct x11_server *server, GError **error);

/*
 * Between both: takes the pointer from everybody but who grabbed it; false if somebody did. Takes a turn if
 * it is not parked.
 */
bool device_park(struct device *device, struct x11_server *server);
/* The same in two parts, so that other things can be asked in the same turn. */
unsigned device_park_ask(struct device *device, struct x11_server *server);
bool device_park_collect(struct device *device, struct x11_server *server, unsigned asked);
/* Sends that it is everybody's again. */
void device_unpark(struct device *device, struct x11_server *server);

/*
 * Sends our window to the place where it will be everybody's, so that no other window hears of it there, wherever
 * those are moved: in front of all others, or right behind `behind` if that is not 0. It goes when it is parked.
 */
void device_rest(struct device *device, struct x11_server *server, struct screen_px place, xcb_window_t behind);
void device_unrest(struct device *device, struct x11_server *server);

/* Notes a button or key of the pair that is about to be pressed; NULL if the log is full: then it must not be. */
struct undo_record *device_note(struct device *device, enum undo_kind kind, unsigned code);

/* No application has the pair for a menu any more. */
void device_forget_menu(struct device *device);

/* Its sprite is not painted over that window from now on until it is parked. */
void device_veil(struct device *device, struct x11_server *server, xcb_window_t window);

/* Sends an input event of the pair. */
void device_move(struct x11_server *server, struct screen_px point);
void device_button(struct x11_server *server, unsigned button, bool press);
/* The server waits before it takes the press, and with it all that is sent after it. */
void device_press_after(struct x11_server *server, unsigned button, unsigned ms);
void device_key(struct x11_server *server, xcb_keycode_t key, bool press);

/* The key of that symbol on the map of the connection's keyboard; 0: there is none. Takes a turn. */
enum { KEY_ESCAPE = 0xff1b };
xcb_keycode_t device_find_key(struct x11_server *server, uint32_t symbol);

/* Whose keyboard the spare keys are for. */
struct spares_user device_spares(struct device *device, struct x11_server *server);

/* Keys of the user's own pair were pressed by us just now; and how long ago that was, in ms, for any thread. */
void device_pressed(struct device *device);
unsigned device_pressed_ago(struct device *device);

/* Around a grab of the server, which the guardian is told of. The second takes a turn. */
void device_grab_server(struct device *device, struct x11_server *server);
void device_ungrab_server(struct device *device, struct x11_server *server);

/* Releases what it holds and takes it from everybody. The pair stays. */
void device_release(struct device *device, struct deadline deadline);

/* Releases what it holds and removes the pair from the server. */
void device_remove(struct device *device, struct deadline deadline);

/* Waits until then, or until the pair has to go, or the deadline's call is cancelled: then false. */
bool device_pause(struct device *device, struct deadline until);

/* Whether what is being done with it has to be given up, because the user needs the pair gone: then with an error. */
bool device_is_wanted(struct device *device, GError **error);

#endif
