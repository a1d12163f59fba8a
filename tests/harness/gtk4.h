/* SPDX-License-Identifier: MIT */
#ifndef HARNESS_GTK4_H
#define HARNESS_GTK4_H

#include <gtk/gtk.h>

#include "model.h"

/* A new widget for that control, showing the model's state; what goes into its place. */
GtkWidget *control_build(enum control control);
/* The widget that is the control and has its name; NULL once it vanished. */
GtkWidget *control_widget(enum control control);
/* Makes `widget` and what is in it belong to that control in the journal. */
void control_own(GtkWidget *widget, enum control control);
/* The id of the innermost control `widget` belongs to, popovers included; "" if none. */
const char *control_of(GtkWidget *widget);

/* Controls with a file of their own; control_build() names them. */
GtkWidget *context_build(void);
GtkWidget *menu_bar_build(void);
GtkWidget *tree_build(void);

/* The windows beside the main one. Opening one that is open does nothing. */
void modal_open(void);
void second_open(void);
/* The popup of that button, which it belongs to. */
GtkWidget *popup_build(GtkWidget *button);

/* Journals every event GDK receives. */
void events_start(void);
/* And what GTK makes of them: which widget has the focus, whether the pointer is over one. */
void events_watch_focus(GtkWindow *window);
void events_watch_crossing(GtkWidget *widget);

GtkWindow *main_window(void);

#endif
