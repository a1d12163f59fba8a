/* SPDX-License-Identifier: MIT */
/*
 * A window that draws its own title bar: a header bar with a button in it, below it a row with a
 * button and a field, and then an empty place by which it can be moved as well. Says on stdout what
 * was pressed. The same source is built for GTK3 and GTK4.
 */
#include <gtk/gtk.h>
#include <stdio.h>

static void on_press(GtkButton *button, gpointer data)
{
	(void)button;
	printf("pressed %s\n", (const char *)data);
	fflush(stdout);
}

static GtkWidget *button(const char *label)
{
	GtkWidget *made = gtk_button_new_with_label(label);

	g_signal_connect(made, "clicked", G_CALLBACK(on_press), (gpointer)label);
	return made;
}

#if GTK_CHECK_VERSION(4, 0, 0)
static GtkWidget *open_window(void)
{
	GtkWidget *window = gtk_window_new(), *header = gtk_header_bar_new();
	GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8),
		  *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
	GtkWidget *handle = gtk_window_handle_new(), *entry = gtk_entry_new();

	gtk_header_bar_pack_start(GTK_HEADER_BAR(header), button("Header"));
	gtk_window_set_titlebar(GTK_WINDOW(window), header);
	gtk_box_append(GTK_BOX(row), button("Body"));
	gtk_box_append(GTK_BOX(row), entry);
	gtk_box_append(GTK_BOX(box), row);
	gtk_widget_set_vexpand(handle, TRUE);
	gtk_box_append(GTK_BOX(box), handle);
	gtk_window_set_child(GTK_WINDOW(window), box);
	return window;
}
#else
static GtkWidget *open_window(void)
{
	GtkWidget *window = gtk_window_new(GTK_WINDOW_TOPLEVEL), *header = gtk_header_bar_new();
	GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8),
		  *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
	GtkWidget *bar = gtk_menu_bar_new(), *entry = gtk_entry_new();

	gtk_header_bar_set_show_close_button(GTK_HEADER_BAR(header), TRUE);
	gtk_header_bar_set_title(GTK_HEADER_BAR(header), "Titled");
	gtk_header_bar_pack_start(GTK_HEADER_BAR(header), button("Header"));
	gtk_window_set_titlebar(GTK_WINDOW(window), header);
	gtk_menu_shell_append(GTK_MENU_SHELL(bar), gtk_menu_item_new_with_label("Menu"));
	gtk_box_pack_start(GTK_BOX(row), button("Body"), FALSE, FALSE, 0);
	gtk_box_pack_start(GTK_BOX(row), entry, FALSE, FALSE, 0);
	gtk_box_pack_start(GTK_BOX(box), row, FALSE, FALSE, 0);
	/* Its empty place is one by which GTK3 moves the window. */
	gtk_box_pack_start(GTK_BOX(box), bar, TRUE, TRUE, 0);
	gtk_container_add(GTK_CONTAINER(window), box);
	gtk_widget_show_all(box);
	gtk_widget_show_all(header);
	return window;
}
#endif

int main(int argc, char **argv)
{
#if GTK_CHECK_VERSION(4, 0, 0)
	(void)argc;
	(void)argv;
	gtk_init();
#else
	gtk_init(&argc, &argv);
#endif
	GtkWidget *window = open_window();

	gtk_window_set_title(GTK_WINDOW(window), "Titled");
	gtk_window_set_default_size(GTK_WINDOW(window), 420, 260);
	gtk_window_present(GTK_WINDOW(window));
	for (;;) {
		g_main_context_iteration(NULL, TRUE);
	}
}
