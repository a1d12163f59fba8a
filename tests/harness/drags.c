/* SPDX-License-Identifier: MIT */
/*
 * A window whose left half can be dragged away and on whose right half what is dragged can be
 * dropped. Says on stdout what was dropped, and how each drag ended. With --desktop it is the
 * desktop, below everything else. usage: drags [--desktop] TEXT
 */
#include <gtk/gtk.h>
#include <stdio.h>

static const GtkTargetEntry text = { (gchar *)"text/plain", 0, 0 };

static void on_get(GtkWidget *widget, GdkDragContext *context, GtkSelectionData *data, guint info,
	guint time, gpointer cargo)
{
	(void)widget;
	(void)context;
	(void)info;
	(void)time;
	gtk_selection_data_set_text(data, cargo, -1);
}

static void on_end(GtkWidget *widget, GdkDragContext *context, gpointer data)
{
	(void)widget;
	(void)data;
	printf("ended %s\n",
		gdk_drag_context_get_selected_action(context) != 0 ? "taken" : "refused");
	fflush(stdout);
}

static void on_drop(GtkWidget *widget, GdkDragContext *context, gint x, gint y,
	GtkSelectionData *data, guint info, guint time, gpointer unused)
{
	(void)widget;
	(void)context;
	(void)x;
	(void)y;
	(void)info;
	(void)time;
	(void)unused;
	g_autofree guchar *dropped = gtk_selection_data_get_text(data);

	printf("dropped %s\n", dropped ? (const char *)dropped : "nothing");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	gboolean desktop = argc > 1 && g_str_equal(argv[1], "--desktop");

	gtk_init(&argc, &argv);
	GtkWidget *window = gtk_window_new(GTK_WINDOW_TOPLEVEL),
		  *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
	GtkWidget *source = gtk_event_box_new(), *target = gtk_event_box_new();

	gtk_container_add(GTK_CONTAINER(source), gtk_label_new("Source"));
	gtk_container_add(GTK_CONTAINER(target), gtk_label_new("Target"));
	gtk_drag_source_set(source, GDK_BUTTON1_MASK, &text, 1, GDK_ACTION_COPY);
	gtk_drag_dest_set(target, GTK_DEST_DEFAULT_ALL, &text, 1, GDK_ACTION_COPY);
	g_signal_connect(source, "drag-data-get", G_CALLBACK(on_get), argv[argc - 1]);
	g_signal_connect(source, "drag-end", G_CALLBACK(on_end), NULL);
	g_signal_connect(target, "drag-data-received", G_CALLBACK(on_drop), NULL);
	gtk_box_pack_start(GTK_BOX(box), source, TRUE, TRUE, 0);
	gtk_box_pack_start(GTK_BOX(box), target, TRUE, TRUE, 0);
	gtk_container_add(GTK_CONTAINER(window), box);
	gtk_window_set_title(GTK_WINDOW(window), argv[argc - 1]);
	gtk_window_set_default_size(GTK_WINDOW(window), 360, 220);
	if (desktop) {
		gtk_window_set_type_hint(GTK_WINDOW(window), GDK_WINDOW_TYPE_HINT_DESKTOP);
		gtk_window_set_default_size(GTK_WINDOW(window), 1280, 800);
	}
	g_signal_connect(window, "destroy", gtk_main_quit, NULL);
	gtk_widget_show_all(window);
	gtk_main();
}
