/* SPDX-License-Identifier: MIT */
/*
 * The tree as GTK4 builds one: a list view over a flattened model, with an expander in each row.
 * GtkTreeView still exists there, but nothing of it is accessible.
 */
#include "gtk4.h"

#include "journal.h"

/* The children of a node, or NULL if it has none. */
static GListModel *children(gpointer node, gpointer data)
{
	const char *label = gtk_string_object_get_string(GTK_STRING_OBJECT(node));
	g_autofree char *which = g_strdup_printf("nodes/%s", label);
	const char *const *list = model_list(which);

	(void)data;
	return list[0] ? G_LIST_MODEL(gtk_string_list_new(list)) : NULL;
}

static const char *label_of(GtkTreeListRow *row)
{
	g_autoptr(GtkStringObject) node = gtk_tree_list_row_get_item(row);

	return gtk_string_object_get_string(node); /* the model keeps it */
}

static void on_expanded(GtkTreeListRow *row)
{
	gboolean expanded = gtk_tree_list_row_get_expanded(row);

	journal_note("node %s %s", label_of(row), expanded ? "expanded" : "collapsed");
}

static void on_setup(GtkSignalListItemFactory *factory, GtkListItem *item)
{
	GtkWidget *expander = gtk_tree_expander_new();
	GtkWidget *label = gtk_label_new(NULL);

	(void)factory;
	gtk_tree_expander_set_child(GTK_TREE_EXPANDER(expander), label);
	gtk_list_item_set_child(item, expander);
}

static void on_bind(GtkSignalListItemFactory *factory, GtkListItem *item)
{
	GtkTreeListRow *row = gtk_list_item_get_item(item);
	GtkTreeExpander *expander = GTK_TREE_EXPANDER(gtk_list_item_get_child(item));

	(void)factory;
	gtk_tree_expander_set_list_row(expander, row);
	gtk_label_set_text(GTK_LABEL(gtk_tree_expander_get_child(expander)), label_of(row));
	g_signal_connect(row, "notify::expanded", G_CALLBACK(on_expanded), NULL);
}

static void on_unbind(GtkSignalListItemFactory *factory, GtkListItem *item)
{
	(void)factory;
	g_signal_handlers_disconnect_by_func(gtk_list_item_get_item(item), on_expanded, NULL);
}

static void on_selected(GtkSingleSelection *selection)
{
	GtkTreeListRow *row = gtk_single_selection_get_selected_item(selection);

	if (row) {
		model_change(CONTROL_TREE, "node", label_of(row));
	}
}

GtkWidget *tree_build(void)
{
	GListModel *roots = G_LIST_MODEL(gtk_string_list_new(model_list("nodes")));
	GtkTreeListModel *tree = gtk_tree_list_model_new(roots, FALSE, FALSE, children, NULL, NULL);
	GtkSingleSelection *selection = gtk_single_selection_new(NULL);
	GtkListItemFactory *factory = gtk_signal_list_item_factory_new();

	/* Otherwise the first node is selected without anybody having done it. */
	gtk_single_selection_set_autoselect(selection, FALSE);
	gtk_single_selection_set_can_unselect(selection, TRUE);
	gtk_single_selection_set_model(selection, G_LIST_MODEL(tree));
	g_object_unref(tree);
	g_signal_connect(selection, "notify::selected-item", G_CALLBACK(on_selected), NULL);
	g_signal_connect(factory, "setup", G_CALLBACK(on_setup), NULL);
	g_signal_connect(factory, "bind", G_CALLBACK(on_bind), NULL);
	g_signal_connect(factory, "unbind", G_CALLBACK(on_unbind), NULL);
	return gtk_list_view_new(GTK_SELECTION_MODEL(selection), factory);
}
