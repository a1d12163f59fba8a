/* SPDX-License-Identifier: MIT */
/*
 * An application that brings windows of its own to the front, in GTK 3, and journals every key that
 *comes to one of them, with the window's name as the control. Its buttons: "Dialog" opens a dialog
 *with an entry, which presents itself and closes after a moment; "Present" and "Present later"
 *present the window they are in, at once and after 300 ms; "Second window" opens another window.
 *What is dropped on "Drop here" presents that window; "Drag me" can be dragged there. presenter
 *[--journal-fd N] [--home] [--title-suffix TEXT] With --home there is a second window, "Home", with
 *an entry: who types there works in the same process, and opens a dialog of it by Control and O,
 *and another window by Return.
 */
#include <gtk/gtk.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "journal.h"

/* How long a dialog stays. */
enum { DIALOG_MS = 180, LATER_MS = 300 };

static int dialogs, windows;

static gboolean on_key(GtkWidget *window, GdkEventKey *event, gpointer data)
{
	(void)data;
	journal_event("key_press", gtk_window_get_title(GTK_WINDOW(window)), -1, -1,
		gdk_keyval_name(event->keyval), event->send_event);
	return FALSE;
}

static gboolean on_focus(GtkWidget *window, GdkEventFocus *event, gpointer data)
{
	(void)data;
	journal_event(event->in ? "focus_in" : "focus_out",
		gtk_window_get_title(GTK_WINDOW(window)), -1, -1, NULL, 0);
	return FALSE;
}

static void listen_to(GtkWidget *window)
{
	g_signal_connect(window, "key-press-event", G_CALLBACK(on_key), NULL);
	g_signal_connect(window, "focus-in-event", G_CALLBACK(on_focus), NULL);
	g_signal_connect(window, "focus-out-event", G_CALLBACK(on_focus), NULL);
}

static gboolean on_end(gpointer data)
{
	gtk_widget_destroy(data);
	g_autofree char *count = g_strdup_printf("%d", dialogs);
	journal_state("dialogs", count, "");
	return G_SOURCE_REMOVE;
}

static void open_dialog(GtkWidget *owner)
{
	GtkWidget *dialog = gtk_window_new(GTK_WINDOW_TOPLEVEL), *entry = gtk_entry_new();
	g_autofree char *title = g_strdup_printf("Dialog %d", ++dialogs);

	gtk_window_set_title(GTK_WINDOW(dialog), title);
	gtk_window_set_transient_for(GTK_WINDOW(dialog), GTK_WINDOW(owner));
	gtk_window_set_type_hint(GTK_WINDOW(dialog), GDK_WINDOW_TYPE_HINT_DIALOG);
	gtk_container_add(GTK_CONTAINER(dialog), entry);
	listen_to(dialog);
	gtk_widget_show_all(dialog);
	gtk_widget_grab_focus(entry);
	gtk_window_present(GTK_WINDOW(dialog));
	g_timeout_add(DIALOG_MS, on_end, dialog);
}

static void on_dialog(GtkWidget *button)
{
	open_dialog(gtk_widget_get_toplevel(button));
}

static gboolean present(gpointer window)
{
	gtk_window_present(GTK_WINDOW(window));
	journal_state("presented", "1", "");
	return G_SOURCE_REMOVE;
}

static void on_present(GtkWidget *button)
{
	present(gtk_widget_get_toplevel(button));
}

static void on_later(GtkWidget *button)
{
	g_timeout_add(LATER_MS, present, gtk_widget_get_toplevel(button));
}

static void on_window(GtkWidget *widget)
{
	GtkWidget *window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
	g_autofree char *title = g_strdup_printf("Window %d", ++windows);

	(void)widget;
	gtk_window_set_title(GTK_WINDOW(window), title);
	gtk_container_add(GTK_CONTAINER(window), gtk_entry_new());
	listen_to(window);
	gtk_widget_show_all(window);
	gtk_window_present(GTK_WINDOW(window));
	journal_state("windows", title + strlen("Window "), "");
}

static void on_drop(GtkWidget *widget)
{
	present(gtk_widget_get_toplevel(widget));
	journal_state("dropped", "1", "");
}

static void on_data_wanted(GtkWidget *widget, GdkDragContext *context, GtkSelectionData *data)
{
	(void)widget;
	(void)context;
	gtk_selection_data_set_text(data, "dragged", -1);
}

static GtkWidget *add_button(GtkWidget *box, const char *label, void (*pressed)(GtkWidget *))
{
	GtkWidget *button = gtk_button_new_with_label(label);

	gtk_container_add(GTK_CONTAINER(box), button);
	if (pressed) {
		g_signal_connect(button, "clicked", G_CALLBACK(pressed), NULL);
	}
	return button;
}

static void open_work(const char *title)
{
	GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

	GtkWidget *work = gtk_window_new(GTK_WINDOW_TOPLEVEL);
	gtk_window_set_title(GTK_WINDOW(work), title);
	gtk_window_set_default_size(GTK_WINDOW(work), 240, 240);
	gtk_container_add(GTK_CONTAINER(work), box);
	add_button(box, "Dialog", on_dialog);
	add_button(box, "Present", on_present);
	add_button(box, "Present later", on_later);
	add_button(box, "Second window", on_window);
	GtkWidget *source = add_button(box, "Drag me", NULL),
		  *target = add_button(box, "Drop here", NULL);
	gtk_drag_source_set(source, GDK_BUTTON1_MASK, NULL, 0, GDK_ACTION_COPY);
	gtk_drag_source_add_text_targets(source);
	g_signal_connect(source, "drag-data-get", G_CALLBACK(on_data_wanted), NULL);
	gtk_drag_dest_set(target, GTK_DEST_DEFAULT_ALL, NULL, 0, GDK_ACTION_COPY);
	gtk_drag_dest_add_text_targets(target);
	g_signal_connect(target, "drag-data-received", G_CALLBACK(on_drop), NULL);
	g_signal_connect(work, "destroy", gtk_main_quit, NULL);
	listen_to(work);
	gtk_widget_show_all(work);
}

static gboolean on_home_key(GtkWidget *home, GdkEventKey *event)
{
	if (event->keyval == GDK_KEY_o && (event->state & GDK_CONTROL_MASK)) {
		open_dialog(home);
	} else if (event->keyval == GDK_KEY_Return) {
		on_window(home);
	}
	return FALSE;
}

static void open_home(void)
{
	GtkWidget *home = gtk_window_new(GTK_WINDOW_TOPLEVEL);

	gtk_window_set_title(GTK_WINDOW(home), "Home");
	gtk_window_set_default_size(GTK_WINDOW(home), 300, 80);
	gtk_container_add(GTK_CONTAINER(home), gtk_entry_new());
	listen_to(home);
	g_signal_connect(home, "key-press-event", G_CALLBACK(on_home_key), NULL);
	gtk_widget_show_all(home);
}

int main(int argc, char **argv)
{
	const char *suffix = "";
	bool has_home = false;
	int fd = -1;

	gtk_init(&argc, &argv);
	for (int i = 1; i < argc; i++) {
		if (g_str_equal(argv[i], "--home")) {
			has_home = true;
		} else if (g_str_equal(argv[i], "--journal-fd") && i + 1 < argc) {
			fd = atoi(argv[++i]);
		} else if (g_str_equal(argv[i], "--title-suffix") && i + 1 < argc) {
			suffix = argv[++i];
		}
	}
	journal_open(fd);
	g_autofree char *title = g_strdup_printf(
		"Harness presenter%s%s", *suffix ? " " : "", suffix);
	open_work(title);
	if (has_home) {
		open_home();
	}
	journal_ready("gtk3");
	gtk_main();
	return 0;
}
