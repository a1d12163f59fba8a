/* SPDX-License-Identifier: MIT */
/* The controls of the GTK3 harness: each says what was done to it, the model what becomes of it. */
#include "gtk3.h"

#include <stdlib.h>
#include <string.h>

#include "layout.h"

#define OWNER "harness-control"

static GtkWidget *widgets[CONTROL_COUNT];

GtkWidget *control_widget(enum control control)
{
	return widgets[control];
}

void control_own(GtkWidget *widget, enum control control)
{
	g_object_set_data(G_OBJECT(widget), OWNER, (gpointer)model_id(control));
}

const char *control_of(GtkWidget *widget)
{
	while (widget) {
		const char *id = g_object_get_data(G_OBJECT(widget), OWNER);
		GtkWidget *menu = widget;

		if (id) {
			return id;
		}
		if (GTK_IS_WINDOW(widget)) {
			menu = gtk_bin_get_child(GTK_BIN(widget));
		}
		/* A menu is in a window of its own; whose it is, only the menu knows. */
		if (GTK_IS_MENU(menu)) {
			widget = gtk_menu_get_attach_widget(GTK_MENU(menu));
		} else {
			widget = gtk_widget_get_parent(widget);
		}
	}
	return "";
}

/* `widget` is the control: it has its id and its name. */
static GtkWidget *mark(GtkWidget *widget, enum control control)
{
	AtkObject *accessible = gtk_widget_get_accessible(widget);

	widgets[control] = widget;
	g_signal_connect(widget, "destroy", G_CALLBACK(gtk_widget_destroyed), &widgets[control]);
	control_own(widget, control);
	gtk_widget_set_name(widget, model_id(control));
	atk_object_set_name(accessible, model_name(control));
	atk_object_set_accessible_id(accessible, model_id(control));
	return widget;
}

static void on_toggled(GtkToggleButton *button)
{
	gboolean active = gtk_toggle_button_get_active(button);

	model_change(CONTROL_AGREE, "agreed", active ? "true" : "false");
}

static GtkWidget *build_agree(void)
{
	GtkWidget *button = gtk_check_button_new_with_label(model_name(CONTROL_AGREE));

	gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(button),
		strcmp(model_value("agreed"), "true") == 0);
	g_signal_connect(button, "toggled", G_CALLBACK(on_toggled), NULL);
	return mark(button, CONTROL_AGREE);
}

/* The second press of a double click tells it; the click itself comes with the release. */
static gboolean doubled;

static gboolean on_target_press(GtkWidget *widget, GdkEventButton *event)
{
	(void)widget;
	doubled = event->button == GDK_BUTTON_PRIMARY && event->type == GDK_2BUTTON_PRESS;
	return FALSE;
}

static gboolean inside(GtkWidget *widget, GdkEventButton *event)
{
	return event->x >= 0 && event->x < gtk_widget_get_allocated_width(widget) &&
		event->y >= 0 && event->y < gtk_widget_get_allocated_height(widget);
}

static gboolean on_target_release(GtkWidget *widget, GdkEventButton *event)
{
	/* Dragged away: what is clicked next, perhaps without a pointer, is no double click. */
	if (!inside(widget, event)) {
		doubled = FALSE;
		return FALSE;
	}
	if (event->button == GDK_BUTTON_SECONDARY) {
		model_change(CONTROL_TARGET, "last_action", "right_click");
	}
	return FALSE;
}

static void on_target(GtkButton *button)
{
	const char *action = doubled ? "double_click" : "click";

	(void)button;
	doubled = FALSE;
	model_increment(CONTROL_TARGET, "clicks");
	model_change(CONTROL_TARGET, "last_action", action);
}

static GtkWidget *build_target(void)
{
	GtkWidget *button = gtk_button_new_with_label(model_name(CONTROL_TARGET));

	g_signal_connect(button, "button-press-event", G_CALLBACK(on_target_press), NULL);
	g_signal_connect(button, "button-release-event", G_CALLBACK(on_target_release), NULL);
	g_signal_connect(button, "clicked", G_CALLBACK(on_target), NULL);
	return mark(button, CONTROL_TARGET);
}

/* Adjustments move by fractions of what the label shows; only whole steps are changes. */
static void on_adjusted(GtkAdjustment *adjustment, gpointer data)
{
	enum control control = GPOINTER_TO_INT(data);
	const char *label = control == CONTROL_SLIDER ? "slider_value" : "scroll_offset";
	int value = (int)(gtk_adjustment_get_value(adjustment) + 0.5);
	g_autofree char *text = g_strdup_printf("%d", value);
	int was = GPOINTER_TO_INT(g_object_get_data(G_OBJECT(adjustment), "harness-was"));

	if (value != was) {
		g_object_set_data(G_OBJECT(adjustment), "harness-was", GINT_TO_POINTER(value));
		model_change(control, label, text);
	}
}

static GtkWidget *build_slider(void)
{
	GtkWidget *scale = gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, 100, 1);
	GtkAdjustment *adjustment = gtk_range_get_adjustment(GTK_RANGE(scale));
	int value = atoi(model_value("slider_value"));

	gtk_scale_set_draw_value(GTK_SCALE(scale), FALSE);
	gtk_adjustment_set_value(adjustment, value);
	g_object_set_data(G_OBJECT(adjustment), "harness-was", GINT_TO_POINTER(value));
	g_signal_connect(adjustment, "value-changed", G_CALLBACK(on_adjusted),
		GINT_TO_POINTER(CONTROL_SLIDER));
	return mark(scale, CONTROL_SLIDER);
}

static GtkWidget *build_scroll(void)
{
	GtkWidget *scrolled = gtk_scrolled_window_new(NULL, NULL);
	GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

	for (int i = 0; i < LAYOUT_ROWS; i++) {
		g_autofree char *text = g_strdup_printf("Row %d", i + 1);
		GtkWidget *label = gtk_label_new(text);

		gtk_widget_set_size_request(label, -1, LAYOUT_ROW_HEIGHT);
		gtk_box_pack_start(GTK_BOX(box), label, FALSE, FALSE, 0);
	}
	gtk_container_add(GTK_CONTAINER(scrolled), box);
	gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER,
		GTK_POLICY_ALWAYS);
	gtk_scrolled_window_set_overlay_scrolling(GTK_SCROLLED_WINDOW(scrolled), FALSE);
	g_signal_connect(gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scrolled)),
		"value-changed", G_CALLBACK(on_adjusted), GINT_TO_POINTER(CONTROL_SCROLL));
	return mark(scrolled, CONTROL_SCROLL);
}

static void on_input(GtkEntry *entry)
{
	model_change(CONTROL_INPUT, "mirror", gtk_entry_get_text(entry));
}

static GtkWidget *build_input(void)
{
	GtkWidget *entry = gtk_entry_new();

	gtk_entry_set_text(GTK_ENTRY(entry), model_value("mirror"));
	g_signal_connect(entry, "changed", G_CALLBACK(on_input), NULL);
	return mark(entry, CONTROL_INPUT);
}

static void on_password(GtkEntry *entry)
{
	g_autofree char *length = g_strdup_printf("%d", gtk_entry_get_text_length(entry));

	model_change(CONTROL_PASSWORD, "password_length", length);
}

static GtkWidget *build_password(void)
{
	GtkWidget *entry = gtk_entry_new();

	gtk_entry_set_visibility(GTK_ENTRY(entry), FALSE);
	gtk_entry_set_input_purpose(GTK_ENTRY(entry), GTK_INPUT_PURPOSE_PASSWORD);
	g_signal_connect(entry, "changed", G_CALLBACK(on_password), NULL);
	return mark(entry, CONTROL_PASSWORD);
}

static void on_counter(GtkButton *button)
{
	(void)button;
	model_increment(CONTROL_COUNTER, "counter");
}

static GtkWidget *build_button(enum control control, void (*clicked)(GtkButton *button))
{
	GtkWidget *button = gtk_button_new_with_label(model_name(control));

	g_signal_connect(button, "clicked", G_CALLBACK(clicked), NULL);
	return mark(button, control);
}

static void on_modal(GtkButton *button)
{
	(void)button;
	modal_open();
	model_change(CONTROL_MODAL, "modal", "open");
}

static void on_popup(GtkButton *button)
{
	(void)button;
	popup_toggle();
}

static void on_second(GtkButton *button)
{
	(void)button;
	second_open();
}

static void on_choice(GtkComboBoxText *combo)
{
	g_autofree char *text = gtk_combo_box_text_get_active_text(combo);

	if (text) {
		model_change(CONTROL_CHOICE, "choice", text);
	}
}

static GtkWidget *build_choice(void)
{
	GtkWidget *combo = gtk_combo_box_text_new();

	for (const char *const *label = model_list("choices"); *label; label++) {
		gtk_combo_box_text_append(GTK_COMBO_BOX_TEXT(combo), *label, *label);
	}
	gtk_combo_box_set_active_id(GTK_COMBO_BOX(combo), model_value("choice"));
	g_signal_connect(combo, "changed", G_CALLBACK(on_choice), NULL);
	return mark(combo, CONTROL_CHOICE);
}

static void on_row(GtkListBox *list, GtkListBoxRow *row)
{
	const char *const *items = model_list("items");

	(void)list;
	if (row) {
		model_change(CONTROL_LIST, "item", items[gtk_list_box_row_get_index(row)]);
	}
}

static GtkWidget *build_list(void)
{
	GtkWidget *list = gtk_list_box_new();

	for (const char *const *item = model_list("items"); *item; item++) {
		GtkWidget *label = gtk_label_new(*item);

		gtk_label_set_xalign(GTK_LABEL(label), 0);
		gtk_widget_set_size_request(label, -1, 24);
		gtk_list_box_insert(GTK_LIST_BOX(list), label, -1);
		if (strcmp(model_value("item"), *item) == 0) {
			gtk_list_box_select_row(GTK_LIST_BOX(list),
				GTK_LIST_BOX_ROW(gtk_widget_get_parent(label)));
		}
	}
	g_signal_connect(list, "row-selected", G_CALLBACK(on_row), NULL);
	return mark(list, CONTROL_LIST);
}

static void on_child_realize(GtkWidget *area)
{
	/* The point of it: an X window inside the main one. */
	gdk_window_ensure_native(gtk_widget_get_window(area));
}

static gboolean on_child_draw(GtkWidget *area, cairo_t *cairo)
{
	int width = gtk_widget_get_allocated_width(area);
	int height = gtk_widget_get_allocated_height(area);
	GdkRGBA colour = {0.85, 0.85, 0.85, 1};
	g_autoptr(PangoLayout) text = NULL;

	if (model_wants_colours()) {
		gdk_rgba_parse(&colour, model_colour(CONTROL_CHILD));
	}
	gdk_cairo_set_source_rgba(cairo, &colour);
	cairo_rectangle(cairo, 0, 0, width, height);
	cairo_fill(cairo);
	if (!model_wants_colours()) {
		text = gtk_widget_create_pango_layout(area, model_name(CONTROL_CHILD));
		gtk_render_layout(gtk_widget_get_style_context(area), cairo, 10, 10, text);
	}
	return TRUE;
}

static gboolean on_child_release(GtkWidget *area, GdkEventButton *event)
{
	if (event->button == GDK_BUTTON_PRIMARY && inside(area, event)) {
		model_increment(CONTROL_CHILD, "child");
	}
	return TRUE;
}

static GtkWidget *build_child(void)
{
	GtkWidget *area = gtk_drawing_area_new();

	gtk_widget_add_events(area, GDK_BUTTON_PRESS_MASK | GDK_BUTTON_RELEASE_MASK |
		GDK_POINTER_MOTION_MASK | GDK_ENTER_NOTIFY_MASK | GDK_LEAVE_NOTIFY_MASK |
		GDK_SCROLL_MASK);
	g_signal_connect(area, "realize", G_CALLBACK(on_child_realize), NULL);
	g_signal_connect(area, "draw", G_CALLBACK(on_child_draw), NULL);
	g_signal_connect(area, "button-release-event", G_CALLBACK(on_child_release), NULL);
	return mark(area, CONTROL_CHILD);
}

GtkWidget *control_build(enum control control)
{
	switch (control) {
	case CONTROL_AGREE:
		return build_agree();
	case CONTROL_TARGET:
		return build_target();
	case CONTROL_SLIDER:
		return build_slider();
	case CONTROL_SCROLL:
		return build_scroll();
	case CONTROL_INPUT:
		return build_input();
	case CONTROL_CONTEXT:
		return mark(context_build(), control);
	case CONTROL_COUNTER:
		return build_button(control, on_counter);
	case CONTROL_MODAL:
		return build_button(control, on_modal);
	case CONTROL_POPUP:
		return build_button(control, on_popup);
	case CONTROL_MENU_BAR:
		return mark(menu_bar_build(), control);
	case CONTROL_CHOICE:
		return build_choice();
	case CONTROL_LIST:
		return build_list();
	case CONTROL_TREE:
		return mark(tree_build(), control);
	case CONTROL_PASSWORD:
		return build_password();
	case CONTROL_SECOND:
		return build_button(control, on_second);
	case CONTROL_CHILD:
		return build_child();
	default:
		g_assert_not_reached();
	}
}
