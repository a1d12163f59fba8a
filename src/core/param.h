/* SPDX-License-Identifier: MIT */
#ifndef CORE_PARAM_H
#define CORE_PARAM_H

#include <glib.h>
#include <stdbool.h>

enum param_type {
	PARAM_BOOL,
	PARAM_INT,
	PARAM_STRING,
	PARAM_ENUM,
	PARAM_SCALAR,  /* a string, a number or a truth value; tools see a string */
	PARAM_STRINGS, /* a list of strings */
	PARAM_OBJECT,  /* an object with the arguments of `fields` */
	PARAM_OBJECTS, /* a list of such objects */
};

/* What names a file is relative to the caller's folder, not to that of a daemon. */
enum param_path {
	PATH_NONE,
	PATH_FILE,     /* of PARAM_STRINGS also URLs */
	PATH_PROGRAM,  /* without a slash it is looked for in PATH */
};

/*
 * One argument of a tool. Schema, validation, error texts, help and manual all come from this table;
 * nothing about an argument is written a second time.
 */
struct param {
	const char *name;
	enum param_type type;
	const char *about;     /* one or two sentences for the model and the manual */
	const char *values;    /* PARAM_ENUM: accepted words, "left|right|middle" */
	const char *preset;    /* what holds when it is not given, as JSON; NULL: nothing */
	gint64 min, max;       /* PARAM_INT: both ends included; max 0: no upper end */
	bool required;
	enum param_path path;  /* PARAM_STRING, PARAM_STRINGS */
	const struct param *fields; /* PARAM_OBJECT(S): what is in it, ending with a NULL name */
	bool brief;            /* PARAM_OBJECTS: the schema of another tool has the fields, and this text
				  says which; they are checked all the same. Models read every byte. */
};

/* Accepted by every tool and added to every table by itself. */
extern const struct param param_session;

/* Which window. Tools with these have .target = TARGET_WINDOW. */
#define PARAMS_WINDOW \
	{ "pid", .type = PARAM_INT, .min = 1, .max = G_MAXINT32, \
	  .about = "Process that owns the window, from list_windows. Alone it is enough when the " \
		   "process has exactly one window." }, \
	{ "window_id", .type = PARAM_INT, .min = 1, .max = G_GINT64_CONSTANT(9007199254740991), \
	  .about = "The window, from list_windows. Enough without pid." }

/* Which element of that window. */
#define PARAMS_ELEMENT \
	{ "element_index", .type = PARAM_INT, .min = 0, .max = G_MAXINT32, \
	  .about = "Element of the latest get_window_state of this window: the N of its [N]. Needs " \
		   "pid or window_id, the same window as the snapshot's." }, \
	{ "element_token", .type = PARAM_STRING, \
	  .about = "Element of one certain snapshot, as its element_token. Needs no window_id." }

/* Of the argument `then` (tools/then.c). */
extern const struct param then_fields[];

/* Of the argument `target` (core/scope.c). */
extern const struct param target_fields[];

/* Which scope the call is of. Tools with this, beside PARAMS_WINDOW, can do without a window in desktop scope. */
#define PARAMS_SCOPE \
	{ "capture_scope", .type = PARAM_ENUM, .values = "window|desktop", \
	  .about = "For this call only, as set_config sets it. desktop: without a window, x and y are pixels of " \
		   "get_desktop_state, and the user's own pointer and keyboard act." }, \
	{ "scope", .type = PARAM_ENUM, .values = "window|desktop", .about = "The same as capture_scope." }, \
	{ "target", .type = PARAM_OBJECT, .fields = target_fields, \
	  .about = "Another way to say pid, window_id and capture_scope." }

/* How the action is delivered and how long its effect is waited for. */
#define PARAMS_DELIVERY \
	{ "delivery_mode", .type = PARAM_ENUM, .values = "background|foreground", \
	  .preset = "\"background\"", \
	  .about = "background: nobody's focus, pointer or windows are touched. foreground, the last resort, " \
		   "interrupts the user: the window is activated, the user's own pointer and keyboard act, and all is " \
		   "put back." }, \
	{ "settle_ms", .type = PARAM_INT, .min = 0, .max = 10000, .preset = "250", \
	  .about = "How long to wait for the effect to be seen. The call returns as soon as it is. Without it, the time " \
		   "that buttons of GTK4 stay down before they act comes on top." }, \
	{ "then", .type = PARAM_OBJECT, .fields = then_fields, \
	  .about = "What to do after the action, in the same call: wait for conditions, and return what " \
		   "changed in the window. Spares a get_window_state." }

/* Where, in the picture. */
#define PARAMS_POINT \
	{ "x", .type = PARAM_INT, .min = 0, .max = 65535, \
	  .about = "With y instead of an element: a pixel of the last screenshot of this window." }, \
	{ "y", .type = PARAM_INT, .min = 0, .max = 65535, .about = "See x." }, \
	{ "from_zoom", .type = PARAM_BOOL, .preset = "false", \
	  .about = "x and y are pixels of the last zoom into this window." }

#endif
