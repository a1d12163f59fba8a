/* SPDX-License-Identifier: MIT */
/* Rows in GTK3: a list box, a tree view with check boxes, plain boxes, and buttons without a name. */
#include <gtk/gtk.h>
#include <string.h>

#include "rows.h"

static GtkWidget *window, *list, *cards, *twins;
static GtkListStore *store;
static int made;

static void on_button(GtkWidget *button, const char *where)
{
	rows_pressed(where, g_object_get_data(G_OBJECT(button), "row"));
}

static void set_row(GtkWidget *box, const char *row)
{
	GtkWidget *label = g_object_get_data(G_OBJECT(box), "label");
	GtkWidget *button = g_object_get_data(G_OBJECT(box), "button");

	gtk_label_set_text(GTK_LABEL(label), row);
	g_object_set_data_full(G_OBJECT(button), "row", g_strdup(row), g_free);
}

/* A box with a text and a button that all of them have. */
static GtkWidget *new_box(const char *where, const char *action, const char *row)
{
	GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4);
	GtkWidget *label = gtk_label_new(NULL), *button = gtk_button_new_with_label(action);

	gtk_box_pack_start(GTK_BOX(box), label, TRUE, TRUE, 0);
	gtk_box_pack_start(GTK_BOX(box), button, FALSE, FALSE, 0);
	g_object_set_data(G_OBJECT(box), "label", label);
	g_object_set_data(G_OBJECT(box), "button", button);
	g_signal_connect(button, "clicked", G_CALLBACK(on_button), (gpointer)where);
	set_row(box, row);
	gtk_widget_show_all(box);
	return box;
}

static GtkWidget *nth(GtkWidget *container, int number)
{
	g_autoptr(GList) children = gtk_container_get_children(GTK_CONTAINER(container));

	return g_list_nth_data(children, (guint)number);
}

static GtkWidget *list_box(int number)
{
	return gtk_bin_get_child(GTK_BIN(nth(list, number)));
}

static void add_twin(int place)
{
	GtkWidget *button = gtk_button_new();

	g_object_set_data_full(G_OBJECT(button), "row", g_strdup_printf("%d", made++), g_free);
	g_signal_connect(button, "clicked", G_CALLBACK(on_button), (gpointer)"twin");
	gtk_box_pack_start(GTK_BOX(twins), button, TRUE, TRUE, 0);
	gtk_box_reorder_child(GTK_BOX(twins), button, place);
	gtk_widget_show_all(button);
}

static void add_row(const char *row, int place)
{
	GtkWidget *card = new_box("card", "Keep", row);

	gtk_list_box_insert(GTK_LIST_BOX(list), new_box("list", "Open", row), place);
	gtk_box_pack_start(GTK_BOX(cards), card, FALSE, FALSE, 0);
	gtk_box_reorder_child(GTK_BOX(cards), card, place);
	gtk_list_store_insert_with_values(store, NULL, place, 0, FALSE, 1, row, -1);
}

static void clear(void)
{
	for (GtkWidget *row = nth(list, 0); row; row = nth(list, 0)) {
		gtk_widget_destroy(row);
	}
	for (GtkWidget *card = nth(cards, 0); card; card = nth(cards, 0)) {
		gtk_widget_destroy(card);
	}
	gtk_list_store_clear(store);
}

static void fill(gboolean reversed)
{
	clear();
	for (int i = 0; i < ROWS; i++) {
		add_row(rows_names[reversed ? ROWS - 1 - i : i], -1);
	}
}

static void on_activated(GtkTreeView *view, GtkTreePath *path)
{
	GtkTreeIter row;
	g_autofree char *name = NULL;

	(void)view;
	if (gtk_tree_model_get_iter(GTK_TREE_MODEL(store), &row, path)) {
		gtk_tree_model_get(GTK_TREE_MODEL(store), &row, 1, &name, -1);
		rows_pressed("table", name);
	}
}

static GtkWidget *new_table(void)
{
	GtkWidget *view = gtk_tree_view_new_with_model(GTK_TREE_MODEL(store));

	g_signal_connect(view, "row-activated", G_CALLBACK(on_activated), NULL);
	gtk_tree_view_insert_column_with_attributes(GTK_TREE_VIEW(view), -1, "Done",
		gtk_cell_renderer_toggle_new(), "active", 0, NULL);
	gtk_tree_view_insert_column_with_attributes(GTK_TREE_VIEW(view), -1, "Name",
		gtk_cell_renderer_text_new(), "text", 1, NULL);
	return view;
}

static void reset(void)
{
	fill(FALSE);
	for (GtkWidget *twin = nth(twins, 0); twin; twin = nth(twins, 0)) {
		gtk_widget_destroy(twin);
	}
	made = 0;
	for (int i = 0; i < 4; i++) {
		add_twin(-1);
	}
}

static void open_window(void)
{
	GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2);

	window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
	gtk_window_set_title(GTK_WINDOW(window), "Harness rows-gtk3");
	list = gtk_list_box_new();
	cards = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2);
	twins = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 2);
	store = gtk_list_store_new(2, G_TYPE_BOOLEAN, G_TYPE_STRING);
	gtk_container_add(GTK_CONTAINER(window), box);
	gtk_box_pack_start(GTK_BOX(box), list, FALSE, FALSE, 0);
	gtk_box_pack_start(GTK_BOX(box), new_table(), TRUE, TRUE, 0);
	gtk_box_pack_start(GTK_BOX(box), cards, FALSE, FALSE, 0);
	gtk_box_pack_start(GTK_BOX(box), twins, FALSE, FALSE, 0);
	gtk_box_pack_start(GTK_BOX(box), gtk_label_new(ROWS_SIGN), FALSE, FALSE, 0);
	reset();
	gtk_widget_show_all(window);
}

static void reverse(void)
{
	int order[ROWS + 1], count = gtk_tree_model_iter_n_children(GTK_TREE_MODEL(store), NULL);

	for (int i = 0; i < count; i++) {
		GtkWidget *row = nth(list, i);

		order[i] = count - 1 - i;
		g_object_ref(row);
		gtk_container_remove(GTK_CONTAINER(list), row);
		gtk_list_box_insert(GTK_LIST_BOX(list), row, 0);
		g_object_unref(row);
		gtk_box_reorder_child(GTK_BOX(cards), nth(cards, i), 0);
	}
	gtk_list_store_reorder(store, order);
}

static void rename_row(int number)
{
	GtkTreeIter row;

	set_row(list_box(number), "renamed");
	set_row(nth(cards, number), "renamed");
	gtk_tree_model_iter_nth_child(GTK_TREE_MODEL(store), &row, NULL, number);
	gtk_list_store_set(store, &row, 1, "renamed", -1);
}

static void rebind(void)
{
	GtkTreeIter row;

	for (int i = 0; i < ROWS; i++) {
		set_row(list_box(i), rows_names[(i + 1) % ROWS]);
		set_row(nth(cards, i), rows_names[(i + 1) % ROWS]);
		gtk_tree_model_iter_nth_child(GTK_TREE_MODEL(store), &row, NULL, i);
		gtk_list_store_set(store, &row, 1, rows_names[(i + 1) % ROWS], -1);
	}
}

/* The two boxes change buttons; each then belongs to the box it is in. */
static void exchange(GtkWidget *a, GtkWidget *b)
{
	GtkWidget *one = g_object_get_data(G_OBJECT(a), "button");
	GtkWidget *other = g_object_get_data(G_OBJECT(b), "button");
	g_autofree char *row = g_strdup(g_object_get_data(G_OBJECT(one), "row"));
	g_autofree char *other_row = g_strdup(g_object_get_data(G_OBJECT(other), "row"));

	g_object_ref(one);
	g_object_ref(other);
	gtk_container_remove(GTK_CONTAINER(a), one);
	gtk_container_remove(GTK_CONTAINER(b), other);
	gtk_box_pack_start(GTK_BOX(a), other, FALSE, FALSE, 0);
	gtk_box_pack_start(GTK_BOX(b), one, FALSE, FALSE, 0);
	g_object_unref(one);
	g_object_unref(other);
	g_object_set_data(G_OBJECT(a), "button", other);
	g_object_set_data(G_OBJECT(b), "button", one);
	set_row(a, row);
	set_row(b, other_row);
}

static void remove_row(int number)
{
	GtkTreeIter row;

	gtk_widget_destroy(nth(list, number));
	gtk_widget_destroy(nth(cards, number));
	gtk_tree_model_iter_nth_child(GTK_TREE_MODEL(store), &row, NULL, number);
	gtk_list_store_remove(store, &row);
}

static void change(const char *command, int number)
{
	if (strcmp(command, "reset") == 0) {
		reset();
	} else if (strcmp(command, "window") == 0) {
		GtkWidget *old = window;

		open_window();
		gtk_widget_destroy(old);
	} else if (strcmp(command, "insert") == 0) {
		add_row("new", 0);
	} else if (strcmp(command, "append") == 0) {
		add_row("new", -1);
	} else if (strcmp(command, "remove") == 0) {
		remove_row(number);
	} else if (strcmp(command, "reverse") == 0) {
		reverse();
	} else if (strcmp(command, "rename") == 0) {
		rename_row(number);
	} else if (strcmp(command, "rebind") == 0) {
		rebind();
	} else if (strcmp(command, "exchange") == 0) {
		exchange(list_box(0), list_box(1));
		exchange(nth(cards, 0), nth(cards, 1));
	} else if (strcmp(command, "rebuild") == 0) {
		fill(TRUE);
	} else if (strcmp(command, "swap") == 0) {
		gtk_box_reorder_child(GTK_BOX(twins), nth(twins, 0), 1);
	} else if (strcmp(command, "twin") == 0) {
		add_twin(0);
	}
}

int main(int argc, char **argv)
{
	gtk_init(&argc, &argv);
	open_window();
	rows_init(argc, argv, "rows-gtk3", change);
	gtk_main();
	return 0;
}
