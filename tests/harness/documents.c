/* SPDX-License-Identifier: MIT */
/*
 * One process with two windows, "left" and "right", each with one field that has its focus. A
 * window's title is its name, a colon and what its field holds, so that the display server alone
 * tells which window got which keys. The same source is built for GTK3 and GTK4.
 */
#include <gtk/gtk.h>

static void on_changed(GtkEditable *field, gpointer window)
{
	const char *name = g_object_get_data(G_OBJECT(window), "name");
	g_autofree char *text = gtk_editable_get_chars(field, 0, -1);
	g_autofree char *title = g_strdup_printf("%s:%s", name, text);

	gtk_window_set_title(GTK_WINDOW(window), title);
}

static void open_window(const char *name)
{
	GtkWidget *field = gtk_entry_new();
#if GTK_CHECK_VERSION(4, 0, 0)
	GtkWidget *window = gtk_window_new();
	gtk_window_set_child(GTK_WINDOW(window), field);
#else
	GtkWidget *window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
	gtk_container_add(GTK_CONTAINER(window), field);
	gtk_widget_show(field);
#endif
	g_object_set_data(G_OBJECT(window), "name", (gpointer)name);
	g_signal_connect(field, "changed", G_CALLBACK(on_changed), window);
	on_changed(GTK_EDITABLE(field), window);
	gtk_window_set_default_size(GTK_WINDOW(window), 400, 120);
	gtk_widget_grab_focus(field);
	gtk_window_present(GTK_WINDOW(window));
}

int main(int argc, char **argv)
{
#if GTK_CHECK_VERSION(4, 0, 0)
	(void)argc;
	(void)argv;
	gtk_init();
#else
	gtk_init(&argc, &argv);
#endif
	open_window("left");
	open_window("right");
	for (;;) {
		g_main_context_iteration(NULL, TRUE);
	}
}
