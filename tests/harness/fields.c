/* SPDX-License-Identifier: MIT */
/*
 * Fields with conditions, in GTK 3: a limit of length, no writing, a selection, steps, tabs. No journal:
 * what they show is what they have, and is read through accessibility by the test itself.
 */
#include <gtk/gtk.h>

static GtkWidget *grid;
static int rows;

static GtkWidget *add(GtkWidget *widget, const char *name)
{
	atk_object_set_name(gtk_widget_get_accessible(widget), name);
	gtk_grid_attach(GTK_GRID(grid), gtk_label_new(NULL), 0, rows, 1, 1);
	gtk_grid_attach(GTK_GRID(grid), widget, 1, rows++, 1, 1);
	return widget;
}

static GtkWidget *entry(const char *name, const char *text)
{
	GtkWidget *widget = add(gtk_entry_new(), name);

	gtk_entry_set_text(GTK_ENTRY(widget), text);
	return widget;
}

static void add_tabs(void)
{
	GtkWidget *tabs = add(gtk_notebook_new(), "Tabs");

	gtk_notebook_append_page(GTK_NOTEBOOK(tabs), gtk_label_new("one"), gtk_label_new("First"));
	gtk_notebook_append_page(GTK_NOTEBOOK(tabs), gtk_label_new("two"), gtk_label_new("Second"));
}

static void add_radios(void)
{
	GtkWidget *left = add(gtk_radio_button_new_with_label(NULL, "Left"), "Left");

	add(gtk_radio_button_new_with_label_from_widget(GTK_RADIO_BUTTON(left), "Right"), "Right");
}

static void add_combo(void)
{
	GtkWidget *combo = add(gtk_combo_box_text_new_with_entry(), "Any");

	gtk_combo_box_text_append_text(GTK_COMBO_BOX_TEXT(combo), "known");
}

int main(int argc, char **argv)
{
	gtk_init(&argc, &argv);
	GtkWidget *window = gtk_window_new(GTK_WINDOW_TOPLEVEL);

	gtk_window_set_title(GTK_WINDOW(window), "Fields");
	grid = gtk_grid_new();
	gtk_container_add(GTK_CONTAINER(window), grid);
	GtkWidget *limited = entry("Limited", "ab");
	gtk_editable_set_editable(GTK_EDITABLE(entry("Fixed", "as it is")), FALSE);
	GtkWidget *chosen = entry("Chosen", "old é😀 text");
	add(gtk_spin_button_new_with_range(0, 10, 0.5), "Spin");
	add(gtk_text_view_new(), "Lines");
	GtkWidget *focused = add(gtk_switch_new(), "Switch");
	add_radios();
	add_tabs();
	add_combo();
	gtk_widget_show_all(window);
	/* Not an entry: those select what is in them when they get the focus. */
	gtk_widget_grab_focus(focused);
	gtk_entry_set_max_length(GTK_ENTRY(limited), 5);
	gtk_editable_set_position(GTK_EDITABLE(limited), -1);
	gtk_editable_select_region(GTK_EDITABLE(chosen), 4, 6);
	g_signal_connect(window, "destroy", G_CALLBACK(gtk_main_quit), NULL);
	gtk_main();
	return 0;
}
