/* SPDX-License-Identifier: MIT */
/* An instrumented GTK4 application; see journal.h and model.h. */
#include "gtk4.h"

#include <string.h>

#include "journal.h"
#include "layout.h"

static GtkWindow *window;
static GtkWidget *fixed;
static GtkWidget *slots[CONTROL_COUNT]; /* the place of a control: it stays when the control goes */
static GtkWidget **labels;

GtkWindow *main_window(void)
{
	return window;
}

static void show_label(int label, const char *text)
{
	gtk_label_set_text(GTK_LABEL(labels[label]), text);
}

static void disable(enum control control)
{
	if (control_widget(control)) {
		gtk_widget_set_sensitive(control_widget(control), FALSE);
	}
}

static void fill(enum control control)
{
	GtkWidget *widget = control_build(control);

	gtk_widget_set_hexpand(widget, TRUE);
	gtk_widget_set_vexpand(widget, TRUE);
	gtk_box_append(GTK_BOX(slots[control]), widget);
}

static gboolean on_vanish(gpointer control)
{
	GtkWidget *slot = slots[GPOINTER_TO_INT(control)];
	GtkWidget *widget = gtk_widget_get_first_child(slot);

	if (widget) {
		/* GTK would hand the focus on, and a list selects the row that gets it. */
		gtk_window_set_focus(window, NULL);
		gtk_box_remove(GTK_BOX(slot), widget);
	}
	return G_SOURCE_REMOVE;
}

static gboolean on_replace(gpointer control)
{
	/* What vanished has no twin. */
	if (control_widget(GPOINTER_TO_INT(control))) {
		on_vanish(control);
		fill(GPOINTER_TO_INT(control));
	}
	return G_SOURCE_REMOVE;
}

/* Both before the next event but not inside the widget's own handler, which still needs it. */
static void vanish(enum control control)
{
	g_idle_add_full(G_PRIORITY_HIGH, on_vanish, GINT_TO_POINTER(control), NULL);
}

static void replace(enum control control)
{
	g_idle_add_full(G_PRIORITY_HIGH, on_replace, GINT_TO_POINTER(control), NULL);
}

struct timer {
	void (*call)(void *data);
	void *data;
};

static gboolean on_timer(gpointer data)
{
	struct timer *timer = data;

	timer->call(timer->data);
	return G_SOURCE_REMOVE;
}

static void after(int ms, void (*call)(void *data), void *data)
{
	struct timer *timer = g_new(struct timer, 1);

	timer->call = call;
	timer->data = data;
	g_timeout_add_full(G_PRIORITY_DEFAULT, (guint)ms, on_timer, timer, g_free);
}

static const struct toolkit toolkit = {
	.name = "gtk4",
	.show_label = show_label,
	.disable = disable,
	.vanish = vanish,
	.replace = replace,
	.open_modal = modal_open,
	.after = after,
};

static void put(GtkWidget *widget, const struct place *place)
{
	gtk_widget_set_size_request(widget, place->width, place->height);
	gtk_fixed_put(GTK_FIXED(fixed), widget, place->x, place->y);
}

static void build_labels(void)
{
	labels = g_new0(GtkWidget *, model_label_count());
	for (int i = 0; i < model_label_count(); i++) {
		struct place place = {LAYOUT_LABEL_X(i), LAYOUT_LABEL_Y(i), LAYOUT_LABEL_WIDTH, -1};

		labels[i] = gtk_label_new(model_label_text(i));
		gtk_label_set_xalign(GTK_LABEL(labels[i]), 0);
		gtk_label_set_ellipsize(GTK_LABEL(labels[i]), PANGO_ELLIPSIZE_END);
		put(labels[i], &place);
	}
}

static void paint(void)
{
	g_autoptr(GtkCssProvider) provider = gtk_css_provider_new();
	g_autoptr(GString) css = g_string_new(NULL);

	for (int i = 0; i < CONTROL_COUNT; i++) {
		const char *id = model_id((enum control)i);
		const char *colour = model_colour((enum control)i);

		g_string_append_printf(css, "#%s, #%s * { background: %s; color: %s;"
			" caret-color: %s; border: none; border-radius: 0; box-shadow: none;"
			" text-shadow: none; outline-style: none; -gtk-icon-source: none;"
			" -gtk-icon-shadow: none; opacity: 1; filter: none; transition: none;"
			" animation: none; }\n", id, id, colour, colour, colour);
	}
	/* Its margin is that of a border which is gone now. */
	g_string_append(css, "highlight { margin: 0; }\n");
	gtk_css_provider_load_from_data(provider, css->str, -1);
	gtk_style_context_add_provider_for_display(gdk_display_get_default(),
		GTK_STYLE_PROVIDER(provider), GTK_STYLE_PROVIDER_PRIORITY_USER);
}

static gboolean on_tick(gpointer label)
{
	gtk_label_set_text(label, model_clock());
	return G_SOURCE_CONTINUE;
}

static gboolean on_progress(gpointer bar)
{
	gtk_progress_bar_set_fraction(bar, model_progress());
	return G_SOURCE_CONTINUE;
}

static gboolean on_log(gpointer view)
{
	GtkTextBuffer *buffer = gtk_text_view_get_buffer(view);
	GtkTextIter end;

	gtk_text_buffer_get_end_iter(buffer, &end);
	gtk_text_buffer_insert(buffer, &end, model_log_line(), -1);
	gtk_text_buffer_insert(buffer, &end, "\n", 1);
	gtk_text_buffer_move_mark(buffer, gtk_text_buffer_get_insert(buffer), &end);
	gtk_text_view_scroll_mark_onscreen(view, gtk_text_buffer_get_insert(buffer));
	return G_SOURCE_CONTINUE;
}

static void build_decoys(void)
{
	GtkWidget *clock = gtk_label_new(model_clock());
	GtkWidget *bar = gtk_progress_bar_new();
	GtkWidget *view = gtk_text_view_new();
	GtkWidget *scrolled = gtk_scrolled_window_new();

	gtk_text_view_set_editable(GTK_TEXT_VIEW(view), FALSE);
	gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), view);
	put(clock, &layout_clock);
	put(bar, &layout_progress);
	put(scrolled, &layout_log);
	g_timeout_add(100, on_tick, clock);
	g_timeout_add(130, on_progress, bar);
	g_timeout_add(210, on_log, view);
}

static void on_painted(GdkFrameClock *clock)
{
	g_signal_handlers_disconnect_by_func(clock, on_painted, NULL);
	journal_ready(toolkit.name);
}

static void on_map(GtkWidget *widget)
{
	GdkSurface *surface = gtk_native_get_surface(GTK_NATIVE(widget));
	GdkFrameClock *clock = gdk_surface_get_frame_clock(surface);

	g_signal_connect(clock, "after-paint", G_CALLBACK(on_painted), NULL);
}

static void on_destroy(GtkWidget *widget)
{
	(void)widget;
	window = NULL;
}

static void build_window(void)
{
	window = GTK_WINDOW(gtk_window_new());
	gtk_window_set_title(window, model_title("main"));
	gtk_window_set_default_size(window, LAYOUT_WIDTH, LAYOUT_HEIGHT);
	fixed = gtk_fixed_new();
	gtk_window_set_child(window, fixed);
	for (int i = 0; i < CONTROL_COUNT; i++) {
		slots[i] = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
		put(slots[i], &layout[i]);
		fill((enum control)i);
	}
	build_labels();
	if (model_wants_decoys()) {
		build_decoys();
	}
	events_watch_focus(window);
	g_signal_connect(window, "map", G_CALLBACK(on_map), NULL);
	g_signal_connect(window, "destroy", G_CALLBACK(on_destroy), NULL);
}

int main(int argc, char **argv)
{
	model_init(&argc, argv, &toolkit);
	/* The window's class and the accessible application are called so; GTK4 leaves it empty. */
	g_set_prgname(strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0]);
	gtk_init();
	g_object_set(gtk_settings_get_default(),
		"gtk-enable-animations", model_wants_decoys() && !model_wants_colours(),
		"gtk-cursor-blink", model_wants_decoys(),
		"gtk-cursor-blink-timeout", G_MAXINT, NULL);
	journal_note("GTK4 has no child windows: a drawing area stands for %s",
		model_id(CONTROL_CHILD));
	events_start();
	if (model_wants_colours()) {
		paint();
	}
	build_window();
	gtk_window_present(window);
	while (window) {
		g_main_context_iteration(NULL, TRUE);
	}
	return 0;
}
