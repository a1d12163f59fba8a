/* SPDX-License-Identifier: MIT */
#ifndef TOOLS_ACTING_H
#define TOOLS_ACTING_H

#include "core/call.h"
#include "core/rung.h"
#include "core/session.h"

/*
 * What all acting tools have in common: which element, point or focus the arguments mean, and the
 * way from there to the answer.
 */

/* The target arguments of one call, resolved. */
struct aim {
	struct snapshot *snapshot;      /* what element and point are of; NULL for the focus */
	const struct element *element;  /* borrowed from it; NULL if none is meant */
	struct screen_px point;         /* where x and y are on the screen now */
	bool pointed;                   /* the caller passed x and y */
	bool in_page;                   /* they are in a page, where no element of it is known */
	bool on_title; /* or on an empty place of a title bar that the application draws */
	enum addressing addressing;
	bool focused;                   /* the caller named neither; it has the focus of the window */
};

/*
 * Resolves element_index, element_token, x and y, as far as the tool has them. `takes` are the
 * enum addressing bits the tool can do with; without a target the window's focus is meant if it
 * takes that. x and y become the element there, if it is one that can be acted on. False with a
 * failed answer.
 */
bool acting_aim(struct call *call, unsigned takes, struct aim *aim);
void aim_clear(struct aim *aim);

/* Whether a point of the screen, as it was when the snapshot was taken, is on a title bar that the
 * application draws itself. */
bool acting_is_title(
	const struct snapshot *snapshot, const struct window *window, struct screen_px then);

/*
 * Aims at the element that has the focus in the call's window now, as far as it is known: many toolkits tell
 * it of the active window only. Otherwise the aim stays at the focus, wherever that is. False with a failed
 * answer, and the aim cleared, if the application does not answer.
 */
bool acting_aim_at_focus(struct call *call, struct aim *aim);

/*
 * An aim that needs no element gets the latest snapshot of the window, if there is one: what changes in its application is
 * then known to be an answer, and not to move by itself.
 */
void acting_know_window(struct call *call, struct aim *aim);

/* Whether the caller asks for the foreground. */
bool acting_is_foreground(const struct call *call);

/* An action of that kind at what was aimed at, with the arguments all acting tools have. */
struct action acting_action(struct call *call, enum action_kind kind, const struct aim *aim);

/* Does it and fills the answer. */
void acting_run(struct call *call, struct action *action);

/*
 * Where a pixel of the last picture (or zoom, as from_zoom says) is on the screen now, and in the window; without
 * a window it is one of the screen. False with a failed answer.
 */
bool acting_point(struct call *call, struct shot_px shot, struct screen_px *point,
	struct window_px *place);

/* The argument `button`. */
#define PARAM_BUTTON \
	{ "button", .type = PARAM_ENUM, .values = "left|right|middle", .preset = "\"left\"", \
	  .about = "Which mouse button. right opens the element's context menu." }
enum button acting_button(const struct call *call);

/* With which pointer. */
#define PARAMS_DEVICE \
	{ "device", .type = PARAM_ENUM, .values = "own|uinput", .preset = "\"own\"", \
	  .about = "own: accessibility, or the session's own pointer. uinput: a pointer of the kernel, for the few " \
		   "applications that insist on a real device; needs Xorg and a writable /dev/uinput." }

/* What all clicks take besides a target. */
#define PARAMS_CLICK \
	{ "modifier", .type = PARAM_STRINGS, \
		.about = "Keys held during the click: ctrl, shift, alt, super." }, \
	{ \
		"allow_grab", .type = PARAM_BOOL, .preset = "false", \
			      .about = "A menu that the click opens may take the user's " \
				       "keyboard, where the session's own cannot be taken for it." \
	}

/* A whole click: `verb` is the action the caller named, or NULL. */
void acting_click(struct call *call, const char *verb, enum button button, int count);

#endif
