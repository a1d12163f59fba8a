/* SPDX-License-Identifier: MIT */
/* The controls of the GTK4 harness: each says what was done to it, the model what becomes of it. */
#include "gtk4.h"

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
	for (; widget; widget = gtk_widget_get_parent(widget)) {
		const char *id = g_object_get_data(G_OBJECT(widget), OWNER);

		if (id) {
			return id;
		}
	}
	return "";
}

/* A widget of a class whose role may have no name from GTK 4.10 on: as a group it may. */
static GtkWidget *new_group(GType type)
{
	return g_object_new(type, "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP, NULL);
}

/* `widget` is the control: it has its id and its name. */
static GtkWidget *mark(GtkWidget *widget, enum control control)
{
	g_set_weak_pointer(&widgets[control], widget);
	control_own(widget, control);
	gtk_widget_set_name(widget, model_id(control));
	/* From GTK 4.10 on a drop-down is labelled by what it shows. */
	gtk_accessible_reset_relation(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
	gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
		model_name(control), -1);
	events_watch_crossing(widget);
	return widget;
}

static void on_toggled(GtkCheckButton *button)
{
	gboolean active = gtk_check_button_get_active(button);

	model_change(CONTROL_AGREE, "agreed", active ? "true" : "false");
}

static GtkWidget *build_agree(void)
{
	GtkWidget *button = gtk_check_button_new_with_label(model_name(CONTROL_AGREE));

	gtk_check_button_set_active(GTK_CHECK_BUTTON(button),
		strcmp(model_value("agreed"), "true") == 0);
	g_signal_connect(button, "toggled", G_CALLBACK(on_toggled), NULL);
	return mark(button, CONTROL_AGREE);
}

/* The second press tells a double click; the click itself comes with the release. */
static gboolean doubled;

static void on_target_press(GtkGestureClick *gesture, int presses)
{
	(void)gesture;
	doubled = presses == 2;
}

/* Dragged away or held: what is clicked next, perhaps without a pointer, is no double click. */
static void on_target_stop(GtkGestureClick *gesture)
{
	(void)gesture;
	doubled = FALSE;
}

static void on_target_right(GtkGestureClick *gesture)
{
	(void)gesture;
	model_change(CONTROL_TARGET, "last_action", "right_click");
}

static void on_target(GtkButton *button)
{
	const char *action = doubled ? "double_click" : "click";

	(void)button;
	doubled = FALSE;
	model_increment(CONTROL_TARGET, "clicks");
	model_change(CONTROL_TARGET, "last_action", action);
}

static GtkGesture *add_click(GtkWidget *widget, guint button)
{
	GtkGesture *gesture = gtk_gesture_click_new();

	gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(gesture), button);
	gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(gesture));
	return gesture;
}

static GtkWidget *build_target(void)
{
	GtkWidget *button = gtk_button_new_with_label(model_name(CONTROL_TARGET));
	GtkGesture *left = add_click(button, GDK_BUTTON_PRIMARY);
	GtkGesture *right = add_click(button, GDK_BUTTON_SECONDARY);

	/* Before the button's own gesture, which keeps the press to itself. */
	gtk_event_controller_set_propagation_phase(GTK_EVENT_CONTROLLER(left), GTK_PHASE_CAPTURE);
	g_signal_connect(left, "pressed", G_CALLBACK(on_target_press), NULL);
	g_signal_connect(left, "stopped", G_CALLBACK(on_target_stop), NULL);
	g_signal_connect(right, "released", G_CALLBACK(on_target_right), NULL);
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

	gtk_adjustment_set_value(adjustment, value);
	g_object_set_data(G_OBJECT(adjustment), "harness-was", GINT_TO_POINTER(value));
	g_signal_connect(adjustment, "value-changed", G_CALLBACK(on_adjusted),
		GINT_TO_POINTER(CONTROL_SLIDER));
	return mark(scale, CONTROL_SLIDER);
}

static GtkWidget *build_scroll(void)
{
	GtkWidget *scrolled = new_group(GTK_TYPE_SCROLLED_WINDOW);
	GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

	for (int i = 0; i < LAYOUT_ROWS; i++) {
		g_autofree char *text = g_strdup_printf("Row %d", i + 1);
		GtkWidget *label = gtk_label_new(text);

		gtk_widget_set_size_request(label, -1, LAYOUT_ROW_HEIGHT);
		gtk_box_append(GTK_BOX(box), label);
	}
	gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), box);
	gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER,
		GTK_POLICY_ALWAYS);
	gtk_scrolled_window_set_overlay_scrolling(GTK_SCROLLED_WINDOW(scrolled), FALSE);
	g_signal_connect(gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scrolled)),
		"value-changed", G_CALLBACK(on_adjusted), GINT_TO_POINTER(CONTROL_SCROLL));
	return mark(scrolled, CONTROL_SCROLL);
}

static void on_input(GtkEditable *entry)
{
	model_change(CONTROL_INPUT, "mirror", gtk_editable_get_text(entry));
}

static GtkWidget *build_input(void)
{
	GtkWidget *entry = gtk_entry_new();

	gtk_editable_set_text(GTK_EDITABLE(entry), model_value("mirror"));
	g_signal_connect(entry, "changed", G_CALLBACK(on_input), NULL);
	return mark(entry, CONTROL_INPUT);
}

static void on_password(GtkEditable *entry)
{
	glong count = g_utf8_strlen(gtk_editable_get_text(entry), -1);
	g_autofree char *length = g_strdup_printf("%ld", count);

	model_change(CONTROL_PASSWORD, "password_length", length);
}

static GtkWidget *build_password(void)
{
	GtkWidget *entry = gtk_password_entry_new();

	g_signal_connect(entry, "changed", G_CALLBACK(on_password), NULL);
	return mark(entry, CONTROL_PASSWORD);
}

static GtkWidget *build_button(enum control control, void (*clicked)(GtkButton *button))
{
	GtkWidget *button = gtk_button_new_with_label(model_name(control));

	g_signal_connect(button, "clicked", G_CALLBACK(clicked), NULL);
	return mark(button, control);
}

static void on_counter(GtkButton *button)
{
	(void)button;
	model_increment(CONTROL_COUNTER, "counter");
}

static void on_modal(GtkButton *button)
{
	(void)button;
	modal_open();
	model_change(CONTROL_MODAL, "modal", "open");
}

static void on_popup(GtkButton *button, GtkWidget *popup)
{
	(void)button;
	gtk_popover_popup(GTK_POPOVER(popup));
	model_change(CONTROL_POPUP, "popup", "open");
}

static GtkWidget *build_popup(void)
{
	GtkWidget *button = gtk_button_new_with_label(model_name(CONTROL_POPUP));

	g_signal_connect(button, "clicked", G_CALLBACK(on_popup), popup_build(button));
	return mark(button, CONTROL_POPUP);
}

static void on_second(GtkButton *button)
{
	(void)button;
	second_open();
}

static void on_choice(GtkDropDown *combo)
{
	guint selected = gtk_drop_down_get_selected(combo);

	if (selected != GTK_INVALID_LIST_POSITION) {
		model_change(CONTROL_CHOICE, "choice", model_list("choices")[selected]);
	}
}

static GtkWidget *build_choice(void)
{
	const char *const *choices = model_list("choices");
	GtkWidget *combo = gtk_drop_down_new_from_strings(choices);

	for (guint i = 0; choices[i]; i++) {
		if (strcmp(choices[i], model_value("choice")) == 0) {
			gtk_drop_down_set_selected(GTK_DROP_DOWN(combo), i);
		}
	}
	g_signal_connect(combo, "notify::selected", G_CALLBACK(on_choice), NULL);
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
		gtk_list_box_append(GTK_LIST_BOX(list), label);
		if (strcmp(model_value("item"), *item) == 0) {
			gtk_list_box_select_row(GTK_LIST_BOX(list),
				GTK_LIST_BOX_ROW(gtk_widget_get_parent(label)));
		}
	}
	g_signal_connect(list, "row-selected", G_CALLBACK(on_row), NULL);
	return mark(list, CONTROL_LIST);
}

static GtkWidget *build_tree(void)
{
	GtkWidget *scrolled = gtk_scrolled_window_new();
	GtkWidget *tree = tree_build();

	gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), tree);
	mark(tree, CONTROL_TREE);
	return scrolled;
}

static void on_child_draw(GtkDrawingArea *area, cairo_t *cairo, int width, int height,
	gpointer data)
{
	GdkRGBA colour = {0.85f, 0.85f, 0.85f, 1};

	(void)area;
	(void)data;
	if (model_wants_colours()) {
		gdk_rgba_parse(&colour, model_colour(CONTROL_CHILD));
	}
	gdk_cairo_set_source_rgba(cairo, &colour);
	cairo_rectangle(cairo, 0, 0, width, height);
	cairo_fill(cairo);
}

static void on_child_release(GtkGestureClick *gesture, int presses, double x, double y)
{
	GtkWidget *area = gtk_event_controller_get_widget(GTK_EVENT_CONTROLLER(gesture));

	(void)presses;
	if (gtk_widget_contains(area, x, y)) {
		model_increment(CONTROL_CHILD, "child");
	}
}

static GtkWidget *build_child(void)
{
	GtkWidget *area = new_group(GTK_TYPE_DRAWING_AREA);
	GtkGesture *left = add_click(area, GDK_BUTTON_PRIMARY);

	gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(area), on_child_draw, NULL, NULL);
	g_signal_connect(left, "released", G_CALLBACK(on_child_release), NULL);
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
		return build_popup();
	case CONTROL_MENU_BAR:
		return mark(menu_bar_build(), control);
	case CONTROL_CHOICE:
		return build_choice();
	case CONTROL_LIST:
		return build_list();
	case CONTROL_TREE:
		return build_tree();
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
