/* SPDX-License-Identifier: MIT */
#ifndef HARNESS_MODEL_H
#define HARNESS_MODEL_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What every instrumented application shares: its names (tests/shared/scenarios.json), its state, its
 * faults. A toolkit shows widgets and reports what was done to them; the model decides what becomes of
 * it, journals it, and tells the toolkit which label to show. C, so that the Qt one can link it.
 */

/* Ids of scenarios.json, in its order. */
enum control {
	CONTROL_AGREE,
	CONTROL_TARGET,
	CONTROL_SLIDER,
	CONTROL_SCROLL,
	CONTROL_INPUT,
	CONTROL_CONTEXT,
	CONTROL_COUNTER,
	CONTROL_MODAL,
	CONTROL_POPUP,
	CONTROL_MENU_BAR,
	CONTROL_CHOICE,
	CONTROL_LIST,
	CONTROL_TREE,
	CONTROL_PASSWORD,
	CONTROL_SECOND,
	CONTROL_CHILD,
	CONTROL_COUNT
};

/* What a toolkit does for the model. All are called on its main thread. */
struct toolkit {
	const char *name;                                     /* "gtk3", "gtk4", "qt5", "xaw" */
	/* Shows `text` ("counter=3") in the label of that number (model_label_count() of them). */
	void (*show_label)(int label, const char *text);
	void (*disable)(enum control control);                /* greyed out from now on */
	void (*vanish)(enum control control);                 /* gone, with its accessible */
	void (*replace)(enum control control);                /* by a new widget that looks and is named the same */
	void (*open_modal)(void);
	/* Calls `call` once after that many milliseconds. */
	void (*after)(int ms, void (*call)(void *data), void *data);
};

/* Options every harness takes:
 *   --scenarios FILE      scenarios.json (default: $CUA_SRCDIR/tests/shared/scenarios.json)
 *   --journal-fd N        where the journal goes
 *   --colours             each leaf control is painted in its own flat colour, nothing else on it
 *   --decoys              a 10 Hz clock, a progress bar, a blinking caret, a log that scrolls
 *   --faults SEED         a random fault on about half of all changes; the seed is journalled as a note
 *   --fault NAME          that fault on every change: echo, late100, late1000, other, disable, vanish,
 *                         twin, modal, hang, crash
 *   --title-suffix TEXT   added to all titles
 * Removes them from argc/argv and leaves the toolkit's. Exits with 64 on a bad one.
 */
void model_init(int *argc, char **argv, const struct toolkit *toolkit);

int model_wants_colours(void);
int model_wants_decoys(void);

/* Names; all static for the life of the program. */
const char *model_id(enum control control);
const char *model_name(enum control control);
const char *model_colour(enum control control);           /* "#rrggbb" */
const char *model_title(const char *which);               /* "main", "second", "modal", "popup" */
int model_label_count(void);
const char *model_label_text(int label);                  /* "counter=3": what it shows now */
/* Lists of scenarios.json: "menus" (labels), "menus/File" (its items), "context", "choices", "items",
 * "nodes", "nodes/Fruit", "modal" (text, accept, cancel), "popup" (pick). NULL-terminated. */
const char *const *model_list(const char *which);

/*
 * Somebody operated a control so that `label` should become `value`. Applies it, or, in fault mode, does
 * something else; journals what it did. The widget itself already shows the new value (that is the echo).
 */
void model_change(enum control control, const char *label, const char *value);
/* The same for numbers that count: value is what it was plus one. */
void model_increment(enum control control, const char *label);
/* The state of a label now. */
const char *model_value(const char *label);

/* The next word of the decoys: "clock=17", a fraction from 0 to 1, a log line. */
const char *model_clock(void);
double model_progress(void);
const char *model_log_line(void);

#ifdef __cplusplus
}
#endif

#endif
