/* SPDX-License-Identifier: MIT */
#include "gtk3.h"

static void on_menu_item(GtkMenuItem *item, gpointer control)
{
	model_change(GPOINTER_TO_INT(control), "menu_action", gtk_menu_item_get_label(item));
}

static GtkWidget *build_menu(const char *which, enum control control)
{
	GtkWidget *menu = gtk_menu_new();

	for (const char *const *label = model_list(which); *label; label++) {
		GtkWidget *item = gtk_menu_item_new_with_label(*label);

		g_signal_connect(item, "activate", G_CALLBACK(on_menu_item),
			GINT_TO_POINTER(control));
		gtk_menu_shell_append(GTK_MENU_SHELL(menu), item);
	}
	gtk_widget_show_all(menu);
	return menu;
}

static gboolean on_context_press(GtkWidget *widget, GdkEvent *event)
{
	if (!gdk_event_triggers_context_menu(event)) {
		return FALSE;
	}
	gtk_menu_popup_at_pointer(gtk_menu_button_get_popup(GTK_MENU_BUTTON(widget)), event);
	return TRUE;
}

GtkWidget *context_build(void)
{
	GtkWidget *button = gtk_menu_button_new();

	gtk_button_set_label(GTK_BUTTON(button), model_name(CONTROL_CONTEXT));
	gtk_menu_button_set_popup(GTK_MENU_BUTTON(button), build_menu("context", CONTROL_CONTEXT));
	g_signal_connect(button, "button-press-event", G_CALLBACK(on_context_press), NULL);
	return button;
}

GtkWidget *menu_bar_build(void)
{
	GtkWidget *bar = gtk_menu_bar_new();

	for (const char *const *label = model_list("menus"); *label; label++) {
		g_autofree char *which = g_strdup_printf("menus/%s", *label);
		GtkWidget *item = gtk_menu_item_new_with_label(*label);

		gtk_menu_item_set_submenu(GTK_MENU_ITEM(item), build_menu(which, CONTROL_MENU_BAR));
		gtk_menu_shell_append(GTK_MENU_SHELL(bar), item);
	}
	return bar;
}
