/* SPDX-License-Identifier: MIT */
#ifndef HARNESS_GTK3_H
#define HARNESS_GTK3_H

#include <gtk/gtk.h>

#include "model.h"

/* A new widget for that control, showing the model's state; what goes into its place. */
GtkWidget *control_build(enum control control);
/* The widget that is the control and has its name; NULL once it vanished. */
GtkWidget *control_widget(enum control control);
/* Makes `widget` and what is in it belong to that control in the journal. */
void control_own(GtkWidget *widget, enum control control);
/* The id of the innermost control `widget` belongs to, menus included; "" if none. */
const char *control_of(GtkWidget *widget);

/* Controls with a file of their own; control_build() names them. */
GtkWidget *context_build(void);
GtkWidget *menu_bar_build(void);
GtkWidget *tree_build(void);

/* The windows beside the main one. Opening one that is open does nothing. */
void modal_open(void);
void popup_toggle(void);
void second_open(void);

/* Journals every event GDK receives, and every focus change GTK makes of them. */
void events_start(void);

GtkWindow *main_window(void);

#endif
