/* SPDX-License-Identifier: MIT */
#include "gtk3.h"

#include "journal.h"

static void on_node(GtkTreeSelection *selection)
{
	GtkTreeModel *model;
	GtkTreeIter iter;
	g_autofree char *label = NULL;

	if (gtk_tree_selection_get_selected(selection, &model, &iter)) {
		gtk_tree_model_get(model, &iter, 0, &label, -1);
		model_change(CONTROL_TREE, "node", label);
	}
}

static void on_expanded(GtkTreeView *tree, GtkTreeIter *iter, GtkTreePath *path, gpointer what)
{
	g_autofree char *label = NULL;

	(void)path;
	gtk_tree_model_get(gtk_tree_view_get_model(tree), iter, 0, &label, -1);
	journal_note("node %s %s", label, (const char *)what);
}

GtkWidget *tree_build(void)
{
	GtkTreeStore *store = gtk_tree_store_new(1, G_TYPE_STRING);
	GtkWidget *tree;
	GtkTreeSelection *selection;

	for (const char *const *label = model_list("nodes"); *label; label++) {
		g_autofree char *which = g_strdup_printf("nodes/%s", *label);
		GtkTreeIter parent;

		gtk_tree_store_insert_with_values(store, &parent, NULL, -1, 0, *label, -1);
		for (const char *const *child = model_list(which); *child; child++) {
			gtk_tree_store_insert_with_values(store, NULL, &parent, -1, 0, *child, -1);
		}
	}
	tree = gtk_tree_view_new_with_model(GTK_TREE_MODEL(store));
	g_object_unref(store);
	gtk_tree_view_insert_column_with_attributes(GTK_TREE_VIEW(tree), -1, "Node",
		gtk_cell_renderer_text_new(), "text", 0, NULL);
	gtk_tree_view_set_headers_visible(GTK_TREE_VIEW(tree), FALSE);
	/* A search window would pop up when keys are typed here. */
	gtk_tree_view_set_enable_search(GTK_TREE_VIEW(tree), FALSE);
	selection = gtk_tree_view_get_selection(GTK_TREE_VIEW(tree));
	g_signal_connect(selection, "changed", G_CALLBACK(on_node), NULL);
	g_signal_connect(tree, "row-expanded", G_CALLBACK(on_expanded), (gpointer)"expanded");
	g_signal_connect(tree, "row-collapsed", G_CALLBACK(on_expanded), (gpointer)"collapsed");
	return tree;
}
