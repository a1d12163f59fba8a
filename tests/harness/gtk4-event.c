/* SPDX-License-Identifier: MIT */
/*
 * Journals events where GDK hands them to GTK: each once, before any widget can stop or redirect
 * it, and those of popovers too. GTK4 does not tell which events were sent by XSendEvent.
 */
#include "gtk4.h"

#include <gdk/x11/gdkx.h>

#include "journal.h"

static const char *type_name(GdkEvent *event)
{
	switch (gdk_event_get_event_type(event)) {
	case GDK_KEY_PRESS:
		return "key_press";
	case GDK_KEY_RELEASE:
		return "key_release";
	case GDK_BUTTON_PRESS:
		return "button_press";
	case GDK_BUTTON_RELEASE:
		return "button_release";
	case GDK_MOTION_NOTIFY:
		return "motion";
	case GDK_SCROLL:
		return "scroll";
	case GDK_FOCUS_CHANGE:
		return gdk_focus_event_get_in(event) ? "focus_in" : "focus_out";
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

static const char *scroll_name(GdkEvent *event)
{
	double dx = 0, dy = 0;

	switch (gdk_scroll_event_get_direction(event)) {
	case GDK_SCROLL_UP:
		return "up";
	case GDK_SCROLL_DOWN:
		return "down";
	case GDK_SCROLL_LEFT:
		return "left";
	case GDK_SCROLL_RIGHT:
		return "right";
	default:
		gdk_scroll_event_get_deltas(event, &dx, &dy);
		if (ABS(dy) >= ABS(dx)) {
			return dy < 0 ? "up" : "down";
		}
		return dx < 0 ? "left" : "right";
	}
}

static char *detail_of(GdkEvent *event)
{
	switch (gdk_event_get_event_type(event)) {
	case GDK_KEY_PRESS:
	case GDK_KEY_RELEASE:
		return g_strdup(gdk_keyval_name(gdk_key_event_get_keyval(event)));
	case GDK_BUTTON_PRESS:
	case GDK_BUTTON_RELEASE:
		return g_strdup_printf("%u", gdk_button_event_get_button(event));
	case GDK_SCROLL:
		return g_strdup(scroll_name(event));
	default:
		return NULL;
	}
}

/* GTK4 knows no coordinates of the screen; the X server does. FALSE if there is none. */
static gboolean to_screen(GdkSurface *surface, double x, double y, int *root_x, int *root_y)
{
	GdkDisplay *display = gdk_surface_get_display(surface);
	int scale = gdk_surface_get_scale_factor(surface);
	Display *x11;
	Window child;
	Bool found;

	if (!GDK_IS_X11_SURFACE(surface)) {
		return FALSE;
	}
	x11 = gdk_x11_display_get_xdisplay(display);
	gdk_x11_display_error_trap_push(display);
	found = XTranslateCoordinates(x11, gdk_x11_surface_get_xid(surface), DefaultRootWindow(x11),
		(int)(x * scale), (int)(y * scale), root_x, root_y, &child);
	gdk_x11_display_error_trap_pop_ignored(display);
	return found;
}

/* Scroll events have no place of their own; GTK too asks where the pointer is. */
static gboolean position(GdkEvent *event, GdkSurface *surface, double *x, double *y)
{
	if (gdk_event_get_event_type(event) == GDK_SCROLL) {
		GdkDevice *pointer = gdk_seat_get_pointer(gdk_event_get_seat(event));

		return gdk_surface_get_device_position(surface, pointer, x, y, NULL);
	}
	return gdk_event_get_position(event, x, y);
}

/* Whether the event has a place; then that of the screen and the innermost widget there. */
static gboolean locate(GdkEvent *event, int *root_x, int *root_y, GtkWidget **widget)
{
	GdkSurface *surface = gdk_event_get_surface(event);
	GtkNative *native = surface ? gtk_native_get_for_surface(surface) : NULL;
	double x, y, left, top;

	if (!native || !position(event, surface, &x, &y) ||
		!to_screen(surface, x, y, root_x, root_y)) {
		return FALSE;
	}
	gtk_native_get_surface_transform(native, &left, &top);
	*widget = gtk_widget_pick(GTK_WIDGET(native), x - left, y - top, GTK_PICK_INSENSITIVE);
	return TRUE;
}

static GtkWidget *focus_of(GdkEvent *event)
{
	GdkSurface *surface = gdk_event_get_surface(event);
	GtkNative *native = surface ? gtk_native_get_for_surface(surface) : NULL;
	GtkRoot *root = native ? gtk_widget_get_root(GTK_WIDGET(native)) : NULL;
	GtkWidget *focus = root ? gtk_root_get_focus(root) : NULL;

	return focus ? focus : GTK_WIDGET(native);
}

static gboolean on_event(GSignalInvocationHint *hint, guint count, const GValue *values,
	gpointer data)
{
	GdkEvent *event = g_value_peek_pointer(&values[1]);
	const char *type = type_name(event);
	g_autofree char *detail = detail_of(event);
	GtkWidget *widget = NULL;
	int x = -1, y = -1;

	(void)hint;
	(void)count;
	(void)data;
	if (!type) {
		return TRUE;
	}
	switch (gdk_event_get_event_type(event)) {
	case GDK_KEY_PRESS:
	case GDK_KEY_RELEASE:
		widget = focus_of(event);
		break;
	case GDK_FOCUS_CHANGE:
		widget = GTK_WIDGET(gtk_native_get_for_surface(gdk_event_get_surface(event)));
		break;
	case GDK_BUTTON_PRESS:
	case GDK_SCROLL:
		journal_modifiers(gdk_event_get_modifier_state(event));
		locate(event, &x, &y, &widget);
		break;
	default:
		locate(event, &x, &y, &widget);
		break;
	}
	journal_event(type, control_of(widget), x, y, detail, FALSE);
	return TRUE;
}

void events_start(void)
{
	guint signal;

	/* Signals exist once their class does. */
	g_type_class_unref(g_type_class_ref(GDK_TYPE_SURFACE));
	signal = g_signal_lookup("event", GDK_TYPE_SURFACE);
	g_signal_add_emission_hook(signal, 0, on_event, NULL, NULL);
}

#define LAST_FOCUS "harness-focus"

static void on_focus(GtkWindow *window)
{
	const char *was = g_object_get_data(G_OBJECT(window), LAST_FOCUS);
	const char *now = control_of(gtk_window_get_focus(window));

	if (g_strcmp0(was, now) == 0) {
		return;
	}
	if (was && *was) {
		journal_event("focus_out", was, -1, -1, NULL, FALSE);
	}
	if (*now) {
		journal_event("focus_in", now, -1, -1, NULL, FALSE);
	}
	g_object_set_data(G_OBJECT(window), LAST_FOCUS, (gpointer)now);
}

void events_watch_focus(GtkWindow *window)
{
	g_signal_connect(window, "notify::focus-widget", G_CALLBACK(on_focus), NULL);
}

static void crossed(GtkEventController *controller, const char *type)
{
	GdkEvent *event = gtk_event_controller_get_current_event(controller);
	const char *control = control_of(gtk_event_controller_get_widget(controller));
	GtkWidget *under = NULL;
	int x = -1, y = -1;

	/* The event that caused it; there is none when the widget moved and not the pointer. */
	if (event) {
		locate(event, &x, &y, &under);
	}
	journal_event(type, control, x, y, NULL, FALSE);
}

static void on_enter(GtkEventController *controller)
{
	crossed(controller, "enter");
}

static void on_leave(GtkEventController *controller)
{
	crossed(controller, "leave");
}

void events_watch_crossing(GtkWidget *widget)
{
	GtkEventController *motion = gtk_event_controller_motion_new();

	g_signal_connect(motion, "enter", G_CALLBACK(on_enter), NULL);
	g_signal_connect(motion, "leave", G_CALLBACK(on_leave), NULL);
	gtk_widget_add_controller(widget, motion);
}
