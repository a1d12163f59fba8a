/* SPDX-License-Identifier: MIT */
/*
 * Windows that look alike: each argument WxH:TITLE opens one with a button "Press" in it. Says on stdout
 * which X window is which (`window N 0xID`) and whose button was pressed (`pressed N`). The same source is
 * built for GTK3 and GTK4.
 */
#include <gtk/gtk.h>
#include <stdio.h>
#if GTK_CHECK_VERSION(4, 0, 0)
#include <gdk/x11/gdkx.h>
#else
#include <gdk/gdkx.h>
#endif

static void on_press(GtkButton *button, gpointer data)
{
	(void)button;
	printf("pressed %d\n", GPOINTER_TO_INT(data));
	fflush(stdout);
}

static unsigned long xid_of(GtkWidget *window)
{
#if GTK_CHECK_VERSION(4, 0, 0)
	return gdk_x11_surface_get_xid(gtk_native_get_surface(GTK_NATIVE(window)));
#else
	return gdk_x11_window_get_xid(gtk_widget_get_window(window));
#endif
}

static void open_window(int number, const char *spec)
{
	int width = 0, height = 0, used = 0;
	GtkWidget *button = gtk_button_new_with_label("Press");

	if (sscanf(spec, "%dx%d:%n", &width, &height, &used) != 2) {
		g_error("%s is not WxH:TITLE", spec);
	}
#if GTK_CHECK_VERSION(4, 0, 0)
	GtkWidget *window = gtk_window_new();
	gtk_window_set_child(GTK_WINDOW(window), button);
#else
	GtkWidget *window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
	gtk_container_add(GTK_CONTAINER(window), button);
	gtk_widget_show(button);
#endif
	gtk_window_set_title(GTK_WINDOW(window), spec + used);
	gtk_window_set_default_size(GTK_WINDOW(window), width, height);
	g_signal_connect(button, "clicked", G_CALLBACK(on_press), GINT_TO_POINTER(number));
	gtk_window_present(GTK_WINDOW(window));
	printf("window %d 0x%lx\n", number, xid_of(window));
	fflush(stdout);
}

int main(int argc, char **argv)
{
#if GTK_CHECK_VERSION(4, 0, 0)
	gtk_init();
#else
	gtk_init(&argc, &argv);
#endif
	for (int i = 1; i < argc; i++) {
		open_window(i - 1, argv[i]);
	}
	for (;;) {
		g_main_context_iteration(NULL, TRUE);
	}
}
