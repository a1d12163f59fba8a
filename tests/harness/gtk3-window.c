/* SPDX-License-Identifier: MIT */
/* The windows beside the main one. */
#include "gtk3.h"

#include "layout.h"

static GtkWidget *modal;
static GtkWidget *popup;
static GtkWidget *second;

static void on_response(GtkDialog *dialog, int response)
{
	const char *how = response == GTK_RESPONSE_ACCEPT ? "accepted" : "cancelled";

	gtk_widget_destroy(GTK_WIDGET(dialog));
	model_change(CONTROL_MODAL, "modal", how);
}

void modal_open(void)
{
	const char *const *words = model_list("modal"); /* text, accept, cancel */
	GtkWidget *label, *content;

	if (modal) {
		return;
	}
	modal = gtk_dialog_new_with_buttons(model_title("modal"), main_window(),
		GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT, words[2], GTK_RESPONSE_CANCEL,
		words[1], GTK_RESPONSE_ACCEPT, NULL);
	label = gtk_label_new(words[0]);
	g_object_set(label, "margin", 20, NULL);
	content = gtk_dialog_get_content_area(GTK_DIALOG(modal));
	gtk_box_pack_start(GTK_BOX(content), label, TRUE, TRUE, 0);
	control_own(modal, CONTROL_MODAL);
	g_signal_connect(modal, "destroy", G_CALLBACK(gtk_widget_destroyed), &modal);
	g_signal_connect(modal, "response", G_CALLBACK(on_response), NULL);
	gtk_widget_show_all(modal);
}

static void on_pick(GtkButton *button)
{
	(void)button;
	gtk_widget_destroy(popup);
	model_change(CONTROL_POPUP, "popup", "picked");
}

void popup_toggle(void)
{
	const struct place *place = &layout[CONTROL_POPUP];
	GtkWidget *button;
	int x, y;

	if (popup) {
		gtk_widget_destroy(popup);
		model_change(CONTROL_POPUP, "popup", "closed");
		return;
	}
	/* Override-redirect and without a grab: a window no window manager lists. */
	popup = gtk_window_new(GTK_WINDOW_POPUP);
	gtk_window_set_title(GTK_WINDOW(popup), model_title("popup"));
	gtk_window_set_transient_for(GTK_WINDOW(popup), main_window());
	gtk_container_set_border_width(GTK_CONTAINER(popup), 10);
	button = gtk_button_new_with_label(model_list("popup")[0]);
	gtk_widget_set_size_request(button, place->width - 20, place->height);
	g_signal_connect(button, "clicked", G_CALLBACK(on_pick), NULL);
	gtk_container_add(GTK_CONTAINER(popup), button);
	control_own(popup, CONTROL_POPUP);
	g_signal_connect(popup, "destroy", G_CALLBACK(gtk_widget_destroyed), &popup);
	gdk_window_get_origin(gtk_widget_get_window(GTK_WIDGET(main_window())), &x, &y);
	gtk_window_move(GTK_WINDOW(popup), x + place->x, y + place->y + place->height);
	gtk_widget_show_all(popup);
	model_change(CONTROL_POPUP, "popup", "open");
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
	second = gtk_window_new(GTK_WINDOW_TOPLEVEL);
	gtk_window_set_title(GTK_WINDOW(second), model_title("second"));
	gtk_window_set_default_size(GTK_WINDOW(second), 320, 160);
	gtk_container_set_border_width(GTK_CONTAINER(second), 40);
	button = gtk_button_new_with_label("Close second window");
	g_signal_connect_swapped(button, "clicked", G_CALLBACK(gtk_widget_destroy), second);
	gtk_container_add(GTK_CONTAINER(second), button);
	control_own(second, CONTROL_SECOND);
	g_signal_connect(second, "destroy", G_CALLBACK(on_second_destroy), NULL);
	gtk_widget_show_all(second);
	model_change(CONTROL_SECOND, "second", "open");
}
