/* SPDX-License-Identifier: MIT */
#include "gtk4.h"

static void on_menu_item(GSimpleAction *action, GVariant *label, gpointer control)
{
	(void)action;
	model_change(GPOINTER_TO_INT(control), "menu_action", g_variant_get_string(label, NULL));
}

/* Menu items name an action, which is looked up from the widget that shows the menu. */
static void add_action(GtkWidget *widget, enum control control)
{
	g_autoptr(GSimpleActionGroup) group = g_simple_action_group_new();
	g_autoptr(GSimpleAction) action = g_simple_action_new("choose", G_VARIANT_TYPE_STRING);

	g_signal_connect(action, "activate", G_CALLBACK(on_menu_item), GINT_TO_POINTER(control));
	g_action_map_add_action(G_ACTION_MAP(group), G_ACTION(action));
	gtk_widget_insert_action_group(widget, "menu", G_ACTION_GROUP(group));
}

static GMenuModel *build_menu(const char *which)
{
	GMenu *menu = g_menu_new();

	for (const char *const *label = model_list(which); *label; label++) {
		g_autoptr(GMenuItem) item = g_menu_item_new(*label, NULL);

		g_menu_item_set_action_and_target(item, "menu.choose", "s", *label);
		g_menu_append_item(menu, item);
	}
	return G_MENU_MODEL(menu);
}

static void on_context_right(GtkGestureClick *gesture)
{
	GtkWidget *button = gtk_event_controller_get_widget(GTK_EVENT_CONTROLLER(gesture));

	gtk_menu_button_popup(GTK_MENU_BUTTON(button));
}

GtkWidget *context_build(void)
{
	g_autoptr(GMenuModel) menu = build_menu("context");
	GtkWidget *button = gtk_menu_button_new();
	GtkGesture *right = gtk_gesture_click_new();

	gtk_menu_button_set_label(GTK_MENU_BUTTON(button), model_name(CONTROL_CONTEXT));
	gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(button), menu);
	add_action(button, CONTROL_CONTEXT);
	/* On the press, the release would go to the popover and the button would look pressed. */
	gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(right), GDK_BUTTON_SECONDARY);
	g_signal_connect(right, "released", G_CALLBACK(on_context_right), NULL);
	gtk_widget_add_controller(button, GTK_EVENT_CONTROLLER(right));
	return button;
}

GtkWidget *menu_bar_build(void)
{
	g_autoptr(GMenu) menus = g_menu_new();
	GtkWidget *bar;

	for (const char *const *label = model_list("menus"); *label; label++) {
		g_autofree char *which = g_strdup_printf("menus/%s", *label);
		g_autoptr(GMenuModel) menu = build_menu(which);

		g_menu_append_submenu(menus, *label, menu);
	}
	bar = gtk_popover_menu_bar_new_from_model(G_MENU_MODEL(menus));
	add_action(bar, CONTROL_MENU_BAR);
	return bar;
}
