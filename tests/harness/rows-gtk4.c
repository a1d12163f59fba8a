/* SPDX-License-Identifier: MIT */
/*
 * Rows in GTK4: a list view, which uses the widgets of one row for another whenever its model changes,
 * plain boxes, and buttons without a name.
 */
#include <gtk/gtk.h>
#include <string.h>

#include "rows.h"

static GtkWidget *window, *cards, *twins;
static GtkStringList *model;
static GMainLoop *loop;
static int made;

static void on_button(GtkWidget *button, const char *where)
{
	rows_pressed(where, g_object_get_data(G_OBJECT(button), "row"));
}

static void set_row(GtkWidget *box, const char *row)
{
	GtkWidget *label = gtk_widget_get_first_child(box);
	GtkWidget *button = gtk_widget_get_next_sibling(label);

	gtk_label_set_text(GTK_LABEL(label), row);
	g_object_set_data_full(G_OBJECT(button), "row", g_strdup(row), g_free);
}

static GtkWidget *new_box(const char *where, const char *action, const char *row)
{
	GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4);
	GtkWidget *button = gtk_button_new_with_label(action);

	gtk_box_append(GTK_BOX(box), gtk_label_new(NULL));
	gtk_box_append(GTK_BOX(box), button);
	g_signal_connect(button, "clicked", G_CALLBACK(on_button), (gpointer)where);
	set_row(box, row);
	return box;
}

static void on_setup(GtkListItemFactory *factory, GtkListItem *item)
{
	(void)factory;
	gtk_list_item_set_child(item, new_box("list", "Open", ""));
}

static void on_bind(GtkListItemFactory *factory, GtkListItem *item)
{
	(void)factory;
	set_row(gtk_list_item_get_child(item),
		gtk_string_object_get_string(gtk_list_item_get_item(item)));
}

static GtkWidget *nth(GtkWidget *container, int number)
{
	GtkWidget *child = gtk_widget_get_first_child(container);

	while (child && number-- > 0) {
		child = gtk_widget_get_next_sibling(child);
	}
	return child;
}

static void add_twin(void)
{
	GtkWidget *button = gtk_button_new();

	g_object_set_data_full(G_OBJECT(button), "row", g_strdup_printf("%d", made++), g_free);
	g_signal_connect(button, "clicked", G_CALLBACK(on_button), (gpointer)"twin");
	gtk_widget_set_hexpand(button, TRUE);
	gtk_box_prepend(GTK_BOX(twins), button);
}

static void fill(gboolean reversed)
{
	const char *names[ROWS + 1] = { NULL };

	for (GtkWidget *card = nth(cards, 0); card; card = nth(cards, 0)) {
		gtk_box_remove(GTK_BOX(cards), card);
	}
	for (int i = 0; i < ROWS; i++) {
		names[i] = rows_names[reversed ? ROWS - 1 - i : i];
		gtk_box_append(GTK_BOX(cards), new_box("card", "Keep", names[i]));
	}
	gtk_string_list_splice(model, 0, g_list_model_get_n_items(G_LIST_MODEL(model)), names);
}

static void reset(void)
{
	fill(FALSE);
	for (GtkWidget *twin = nth(twins, 0); twin; twin = nth(twins, 0)) {
		gtk_box_remove(GTK_BOX(twins), twin);
	}
	/* Prepended one after the other: the first has the number 3. */
	made = 0;
	for (int i = 0; i < 4; i++) {
		add_twin();
	}
}

static void open_window(void)
{
	GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2);
	GtkListItemFactory *factory = gtk_signal_list_item_factory_new();

	model = gtk_string_list_new(NULL);
	g_signal_connect(factory, "setup", G_CALLBACK(on_setup), NULL);
	g_signal_connect(factory, "bind", G_CALLBACK(on_bind), NULL);
	window = gtk_window_new();
	gtk_window_set_title(GTK_WINDOW(window), "Harness rows-gtk4");
	gtk_window_set_default_size(GTK_WINDOW(window), 300, 600);
	GtkWidget *view = gtk_list_view_new(
		GTK_SELECTION_MODEL(gtk_no_selection_new(G_LIST_MODEL(model))), factory);
	gtk_widget_set_vexpand(view, TRUE);
	cards = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2);
	twins = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 2);
	gtk_box_append(GTK_BOX(box), view);
	gtk_box_append(GTK_BOX(box), cards);
	gtk_box_append(GTK_BOX(box), twins);
	gtk_box_append(GTK_BOX(box), gtk_label_new(ROWS_SIGN));
	gtk_window_set_child(GTK_WINDOW(window), box);
	reset();
	gtk_window_present(GTK_WINDOW(window));
}

static void insert(const char *name, guint place)
{
	GtkWidget *card = new_box("card", "Keep", name);
	const char *names[] = { name, NULL };

	gtk_string_list_splice(model, place, 0, names);
	if (place == 0) {
		gtk_box_prepend(GTK_BOX(cards), card);
	} else {
		gtk_box_append(GTK_BOX(cards), card);
	}
}

static void replace(int number, const char *name)
{
	const char *names[] = { name, NULL };

	gtk_string_list_splice(model, (guint)number, 1, names);
	set_row(nth(cards, number), name);
}

static void reverse(void)
{
	const char *names[ROWS + 1] = { NULL };

	for (int i = 0; i < ROWS; i++) {
		names[i] = rows_names[ROWS - 1 - i];
		gtk_box_reorder_child_after(GTK_BOX(cards), nth(cards, i), NULL);
	}
	gtk_string_list_splice(model, 0, ROWS, names);
}

static void exchange(GtkWidget *a, GtkWidget *b)
{
	GtkWidget *one = nth(a, 1), *other = nth(b, 1);
	g_autofree char *row = g_strdup(g_object_get_data(G_OBJECT(one), "row"));
	g_autofree char *other_row = g_strdup(g_object_get_data(G_OBJECT(other), "row"));

	g_object_ref(one);
	g_object_ref(other);
	gtk_box_remove(GTK_BOX(a), one);
	gtk_box_remove(GTK_BOX(b), other);
	gtk_box_append(GTK_BOX(a), other);
	gtk_box_append(GTK_BOX(b), one);
	g_object_unref(one);
	g_object_unref(other);
	set_row(a, row);
	set_row(b, other_row);
}

static void remove_row(int number)
{
	gtk_string_list_remove(model, (guint)number);
	gtk_box_remove(GTK_BOX(cards), nth(cards, number));
}

static void change(const char *command, int number)
{
	if (strcmp(command, "reset") == 0) {
		reset();
	} else if (strcmp(command, "window") == 0) {
		GtkWidget *old = window;

		open_window();
		gtk_window_destroy(GTK_WINDOW(old));
	} else if (strcmp(command, "insert") == 0) {
		insert("new", 0);
	} else if (strcmp(command, "append") == 0) {
		insert("new", g_list_model_get_n_items(G_LIST_MODEL(model)));
	} else if (strcmp(command, "remove") == 0) {
		remove_row(number);
	} else if (strcmp(command, "reverse") == 0) {
		reverse();
	} else if (strcmp(command, "rename") == 0) {
		replace(number, "renamed");
	} else if (strcmp(command, "rebind") == 0) {
		for (int i = 0; i < ROWS; i++) {
			replace(i, rows_names[(i + 1) % ROWS]);
		}
	} else if (strcmp(command, "exchange") == 0) {
		exchange(nth(cards, 0), nth(cards, 1));
	} else if (strcmp(command, "rebuild") == 0) {
		fill(TRUE);
	} else if (strcmp(command, "swap") == 0) {
		gtk_box_reorder_child_after(GTK_BOX(twins), nth(twins, 0), nth(twins, 1));
	} else if (strcmp(command, "twin") == 0) {
		add_twin();
	}
}

int main(int argc, char **argv)
{
	gtk_init();
	open_window();
	rows_init(argc, argv, "rows-gtk4", change);
	loop = g_main_loop_new(NULL, FALSE);
	g_main_loop_run(loop);
	return 0;
}
