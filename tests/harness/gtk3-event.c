/* SPDX-License-Identifier: MIT */
/*
 * Journals events where GDK hands them to GTK: each once, before any widget can stop or redirect
 * it, and those of menus and popups too.
 */
#include "gtk3.h"

#include "journal.h"

static const char *type_name(const GdkEvent *event)
{
	switch (event->type) {
	case GDK_KEY_PRESS:
		return "key_press";
	case GDK_KEY_RELEASE:
		return "key_release";
	case GDK_BUTTON_PRESS: /* 2BUTTON and 3BUTTON are GDK's own, on top of the plain ones */
		return "button_press";
	case GDK_BUTTON_RELEASE:
		return "button_release";
	case GDK_MOTION_NOTIFY:
		return "motion";
	case GDK_SCROLL:
		return "scroll";
	case GDK_FOCUS_CHANGE:
		return event->focus_change.in ? "focus_in" : "focus_out";
	case GDK_ENTER_NOTIFY:
		return "enter";
	case GDK_LEAVE_NOTIFY:
		return "leave";
	case GDK_GRAB_BROKEN:
		return "grab_broken";
	default:
		return NULL;
	}
}

static const char *scroll_name(const GdkEvent *event)
{
	double dx = 0, dy = 0;

	switch (event->scroll.direction) {
	case GDK_SCROLL_UP:
		return "up";
	case GDK_SCROLL_DOWN:
		return "down";
	case GDK_SCROLL_LEFT:
		return "left";
	case GDK_SCROLL_RIGHT:
		return "right";
	default:
		gdk_event_get_scroll_deltas(event, &dx, &dy);
		if (ABS(dy) >= ABS(dx)) {
			return dy < 0 ? "up" : "down";
		}
		return dx < 0 ? "left" : "right";
	}
}

static char *detail_of(const GdkEvent *event)
{
	switch (event->type) {
	case GDK_KEY_PRESS:
	case GDK_KEY_RELEASE:
		return g_strdup(gdk_keyval_name(event->key.keyval));
	case GDK_BUTTON_PRESS:
	case GDK_BUTTON_RELEASE:
		return g_strdup_printf("%u", event->button.button);
	case GDK_SCROLL:
		return g_strdup(scroll_name(event));
	case GDK_GRAB_BROKEN:
		return g_strdup(event->grab_broken.keyboard ? "keyboard" : "pointer");
	default:
		return NULL;
	}
}

/* The control of the main window at that point of the screen. */
static const char *control_at(int x, int y)
{
	GtkWidget *window = GTK_WIDGET(main_window());
	int left, top;

	gdk_window_get_origin(gtk_widget_get_window(window), &left, &top);
	for (int i = 0; i < CONTROL_COUNT; i++) {
		GtkWidget *widget = control_widget((enum control)i);
		int at_x, at_y;

		if (widget && gtk_widget_get_mapped(widget) &&
			gtk_widget_translate_coordinates(window, widget, x - left, y - top, &at_x,
				&at_y) &&
			at_x >= 0 && at_x < gtk_widget_get_allocated_width(widget) &&
			at_y >= 0 && at_y < gtk_widget_get_allocated_height(widget)) {
			return model_id((enum control)i);
		}
	}
	return "";
}

static const char *control_of_event(GdkEvent *event, int x, int y)
{
	GtkWidget *widget = gtk_get_event_widget(event);
	GtkWidget *toplevel = widget ? gtk_widget_get_toplevel(widget) : NULL;

	if (!toplevel) {
		return "";
	}
	if (event->type == GDK_KEY_PRESS || event->type == GDK_KEY_RELEASE) {
		GtkWidget *focus =
			GTK_IS_WINDOW(toplevel) ? gtk_window_get_focus(GTK_WINDOW(toplevel)) : NULL;

		return control_of(focus ? focus : toplevel);
	}
	/* By place, not by widget: what a control does not listen to goes to what is behind it. */
	if (toplevel == GTK_WIDGET(main_window()) && x >= 0) {
		return control_at(x, y);
	}
	return control_of(widget);
}

static void on_event(GdkEvent *event, gpointer data)
{
	const char *type = type_name(event);

	(void)data;
	if (type) {
		g_autofree char *detail = detail_of(event);
		double root_x = -1, root_y = -1;
		int x = -1, y = -1;

		if (gdk_event_get_root_coords(event, &root_x, &root_y) &&
			event->type != GDK_KEY_PRESS && event->type != GDK_KEY_RELEASE) {
			x = (int)root_x;
			y = (int)root_y;
		}
		if (event->type == GDK_BUTTON_PRESS || event->type == GDK_SCROLL) {
			GdkModifierType state = 0;

			gdk_event_get_state(event, &state);
			journal_modifiers(state);
		}
		journal_event(type, control_of_event(event, x, y), x, y, detail,
			event->any.send_event);
	}
	gtk_main_do_event(event);
}

/* GTK passes the window's focus on to widgets by events that GDK never saw. */
static gboolean on_focus(GSignalInvocationHint *hint, guint count, const GValue *values,
	gpointer type)
{
	GtkWidget *widget = g_value_get_object(&values[0]);

	(void)hint;
	(void)count;
	if (!GTK_IS_WINDOW(widget)) {
		journal_event(type, control_of(widget), -1, -1, NULL, FALSE);
	}
	return TRUE;
}

static void hook(const char *signal, const char *type)
{
	g_signal_add_emission_hook(g_signal_lookup(signal, GTK_TYPE_WIDGET), 0, on_focus,
		(gpointer)type, NULL);
}

void events_start(void)
{
	gdk_event_handler_set(on_event, NULL, NULL);
	/* Signals exist once their class does. */
	g_type_class_unref(g_type_class_ref(GTK_TYPE_WIDGET));
	hook("focus-in-event", "focus_in");
	hook("focus-out-event", "focus_out");
}
