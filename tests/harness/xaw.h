/* SPDX-License-Identifier: MIT */
#ifndef HARNESS_XAW_H
#define HARNESS_XAW_H

/* String literals are const; Xt asks to be told. */
#ifndef _CONST_X_STRING
#define _CONST_X_STRING
#endif
#include <X11/Intrinsic.h>
#include <stdbool.h>

#include "model.h"

/*
 * The Xaw harness, an application without accessibility: xaw.c runs it, xaw-control.c and
 * xaw-list.c make the controls, xaw-window.c what opens besides the main window.
 */
struct xaw {
	XtAppContext app;
	Display *display;
	Widget shell;
	Widget form;
	Widget controls[CONTROL_COUNT]; /* NULL: vanished; the child window is none */
	Window child;                   /* bare Xlib, inside the form */
	bool child_disabled;
	GC gc;
};

extern struct xaw xaw;

/* A child of a form stays where it is put and as large, whatever size the form has. */
#define XAW_FIXED \
	XtNleft, XtChainLeft, XtNright, XtChainLeft, XtNtop, XtChainTop, XtNbottom, XtChainTop

/* Journals all input of a widget and those in it as that control's; CONTROL_COUNT: as nobody's. */
void xaw_watch(Widget widget, enum control control);

/* For colour mode, before it is made. */
void xaw_control_colour(enum control control);
/* Makes the control and remembers it. The child needs a realized form. */
void xaw_control_make(enum control control);
/* What a control does on input that its widget does not know: right and double clicks, the wheel,
 * typing without a text widget. Called after the journal. */
void xaw_control_input(enum control control, Widget widget, XEvent *event);
void xaw_child_event(XEvent *event);
/* A text that can be read as UTF-8; Xaw without a locale has ISO 8859-1. Free it with g_free(). */
char *xaw_utf8(const char *text);

/* The widget of a control at its place. */
Widget xaw_make(enum control control, WidgetClass class, ArgList extra, Cardinal extra_count);
Widget xaw_make_button(enum control control, const char *text, XtCallbackProc call);

/* Those of xaw-list.c. */
Widget xaw_make_context(void);
Widget xaw_make_popup(void);
Widget xaw_make_menu_bar(void);
Widget xaw_make_choice(void);
Widget xaw_make_list(void);
Widget xaw_make_tree(void);
void xaw_context_show(int x, int y);

/* A menu of the entries of a list of scenarios.json. `pick` gets the entry. */
Widget xaw_menu_make(Widget parent, enum control control, const char *list,
	void (*pick)(enum control control, const char *entry));
void xaw_menu_show(Widget menu, int x, int y);
/* Below that widget, at its left. */
void xaw_menu_show_below(Widget menu, Widget widget);

void xaw_modal_show(void);
void xaw_second_show(void);

/* Makes the window's close button call `close`. After it was realized. */
void xaw_on_close(Widget shell, void (*close)(void));

#endif
