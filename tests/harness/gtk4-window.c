/* SPDX-License-Identifier: MIT */
/* The windows beside the main one. */
#include "gtk4.h"

#include "layout.h"

static GtkWidget *modal;
static GtkWidget *second;

static void modal_close(const char *how)
{
	gtk_window_destroy(GTK_WINDOW(g_steal_pointer(&modal)));
	model_change(CONTROL_MODAL, "modal", how);
}

static void on_accept(GtkButton *button)
{
	(void)button;
	modal_close("accepted");
}

static void on_cancel(GtkButton *button)
{
	(void)button;
	modal_close("cancelled");
}

static gboolean on_modal_close(GtkWindow *window)
{
	(void)window;
	modal_close("cancelled");
	return TRUE;
}

static gboolean on_escape(GtkWidget *widget, GVariant *arguments, gpointer data)
{
	(void)widget;
	(void)arguments;
	(void)data;
	modal_close("cancelled");
	return TRUE;
}

static GtkWidget *add_button(GtkWidget *box, const char *label, void (*clicked)(GtkButton *button))
{
	GtkWidget *button = gtk_button_new_with_label(label);

	g_signal_connect(button, "clicked", G_CALLBACK(clicked), NULL);
	gtk_widget_set_hexpand(button, TRUE);
	gtk_box_append(GTK_BOX(box), button);
	return button;
}

void modal_open(void)
{
	const char *const *words = model_list("modal"); /* text, accept, cancel */
	GtkWidget *box, *buttons, *label;
	GtkEventController *keys;

	if (modal) {
		return;
	}
	/* By hand: GtkDialog is deprecated from 4.10 on. */
	modal = gtk_window_new();
	gtk_window_set_title(GTK_WINDOW(modal), model_title("modal"));
	gtk_window_set_modal(GTK_WINDOW(modal), TRUE);
	gtk_window_set_transient_for(GTK_WINDOW(modal), main_window());
	gtk_window_set_resizable(GTK_WINDOW(modal), FALSE);
	box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
	buttons = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
	label = gtk_label_new(words[0]);
	gtk_widget_set_size_request(label, 240, 80);
	gtk_box_append(GTK_BOX(box), label);
	gtk_box_append(GTK_BOX(box), buttons);
	add_button(buttons, words[2], on_cancel);
	gtk_window_set_default_widget(GTK_WINDOW(modal), add_button(buttons, words[1], on_accept));
	gtk_window_set_child(GTK_WINDOW(modal), box);
	keys = gtk_shortcut_controller_new();
	gtk_shortcut_controller_add_shortcut(GTK_SHORTCUT_CONTROLLER(keys),
		gtk_shortcut_new(gtk_keyval_trigger_new(GDK_KEY_Escape, 0),
			gtk_callback_action_new(on_escape, NULL, NULL)));
	gtk_widget_add_controller(modal, keys);
	g_signal_connect(modal, "close-request", G_CALLBACK(on_modal_close), NULL);
	control_own(modal, CONTROL_MODAL);
	events_watch_focus(GTK_WINDOW(modal));
	gtk_window_present(GTK_WINDOW(modal));
}

static gboolean picked;

static void on_pick(GtkButton *button, GtkWidget *popup)
{
	(void)button;
	picked = TRUE;
	gtk_popover_popdown(GTK_POPOVER(popup));
	model_change(CONTROL_POPUP, "popup", "picked");
}

static void on_popup_closed(GtkPopover *popup)
{
	(void)popup;
	if (!picked) {
		model_change(CONTROL_POPUP, "popup", "closed");
	}
	picked = FALSE;
}

static void on_popup_owner_gone(GtkWidget *button, GtkWidget *popup)
{
	(void)button;
	/*
	 * GTK4 wants it taken off before the button is finalized; nobody closed it, though. Its
	 * grab has to be given back first, or no other widget gets events any more.
	 */
	g_signal_handlers_disconnect_by_func(popup, on_popup_closed, NULL);
	gtk_popover_popdown(GTK_POPOVER(popup));
	gtk_widget_unparent(popup);
}

GtkWidget *popup_build(GtkWidget *button)
{
	const struct place *place = &layout[CONTROL_POPUP];
	GtkWidget *popup = gtk_popover_new();
	GtkWidget *pick = gtk_button_new_with_label(model_list("popup")[0]);

	gtk_widget_set_size_request(pick, place->width - 40, place->height);
	gtk_popover_set_child(GTK_POPOVER(popup), pick);
	gtk_accessible_update_property(GTK_ACCESSIBLE(popup), GTK_ACCESSIBLE_PROPERTY_LABEL,
		model_title("popup"), -1);
	gtk_widget_set_parent(popup, button);
	g_signal_connect(pick, "clicked", G_CALLBACK(on_pick), popup);
	g_signal_connect(popup, "closed", G_CALLBACK(on_popup_closed), NULL);
	g_signal_connect(button, "destroy", G_CALLBACK(on_popup_owner_gone), popup);
	return popup;
}

static void on_second_destroy(GtkWidget *window)
{
	(void)window;
	second = NULL;
	/* The end of the program is no change. */
	if (main_window()) {
		model_change(CONTROL_SECOND, "second", "closed");
	}
}

void second_open(void)
{
	GtkWidget *button;

	if (second) {
		return;
	}
	second = gtk_window_new();
	gtk_window_set_title(GTK_WINDOW(second), model_title("second"));
	gtk_window_set_default_size(GTK_WINDOW(second), 320, 160);
	button = gtk_button_new_with_label("Close second window");
	gtk_widget_set_halign(button, GTK_ALIGN_CENTER);
	gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
	g_signal_connect_swapped(button, "clicked", G_CALLBACK(gtk_window_destroy), second);
	gtk_window_set_child(GTK_WINDOW(second), button);
	g_signal_connect(second, "destroy", G_CALLBACK(on_second_destroy), NULL);
	control_own(second, CONTROL_SECOND);
	events_watch_focus(GTK_WINDOW(second));
	gtk_window_present(GTK_WINDOW(second));
	model_change(CONTROL_SECOND, "second", "open");
}
