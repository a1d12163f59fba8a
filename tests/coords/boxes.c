/* SPDX-License-Identifier: MIT */
/*
 * Where the widgets of a GTK 4 application really are: loaded into it by LD_PRELOAD, it asks the
 * toolkit itself, and shares nothing with the driver. Whenever the file $BOXES_ASK exists, it is
 * removed and $BOXES_TELL is written anew, one widget a line, separated by tabs: object path · X
 * window · box x y w h · seen x y w h · mapped · reached · type · style classes in pixels of that X
 * window. The box is the border box; what is seen of it is not clipped away by what it is in; it is
 * reached if a press in the middle of that would be its own or that of something in it.
 * $BOXES_RTL turns the application round, from right to left; $BOXES_DARK makes it dark.
 */
/* process_vm_readv() */
#define _GNU_SOURCE
#include <gtk/gtk.h>
#include <gdk/x11/gdkx.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define LOOK_MS 30
#define LONGEST_PATH 200

/* What a part of the tree of widgets is drawn in. */
struct surface {
	gulong window;
	GtkWidget *root;
	double x, y, scale;
};

/* Whether our own memory is readable there is for the kernel to say. */
static gboolean read_memory(const void *from, void *to, gsize size)
{
	struct iovec local = { to, size }, remote = { (void *)from, size };

	return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)size;
}

/*
 * GTK 4.8 has no gtk_accessible_get_at_context(); in all versions it is what the interface has
 * first. From 4.10 on what it returns is the caller's.
 */
struct accessible_interface {
	GTypeInterface base;
	GtkATContext *(*get_at_context)(GtkAccessible *self);
};

/*
 * The name on the accessibility bus. There is no function for it: it is the only string of the
 * context's that is a path of an accessible.
 */
static gboolean object_path(GtkWidget *widget, char *path)
{
	const struct accessible_interface *interface = g_type_interface_peek(
		G_OBJECT_GET_CLASS(widget), GTK_TYPE_ACCESSIBLE);
	GtkATContext *context = interface->get_at_context(GTK_ACCESSIBLE(widget));
	GTypeQuery query = { 0 };
	gboolean found = FALSE;

	if (!context) {
		return FALSE;
	}
	g_type_query(G_OBJECT_TYPE(context), &query);
	for (gsize i = 0; i + sizeof(void *) <= query.instance_size && !found;
		i += sizeof(void *)) {
		const char *pointer = NULL;
		gsize length = 0;

		memcpy(&pointer, (const char *)context + i, sizeof pointer);
		while (pointer && length < LONGEST_PATH - 1
			&& read_memory(pointer + length, path + length, 1) && path[length]) {
			length++;
		}
		path[length] = '\0';
		found = path[0] == '/' && strstr(path, "/a11y/") != NULL;
	}
	if (gtk_get_minor_version() >= 10) {
		g_object_unref(context);
	}
	return found;
}

static graphene_rect_t scaled(graphene_rect_t box, const struct surface *surface)
{
	return GRAPHENE_RECT_INIT((float)((box.origin.x + surface->x) * surface->scale),
		(float)((box.origin.y + surface->y) * surface->scale),
		(float)(box.size.width * surface->scale),
		(float)(box.size.height * surface->scale));
}

/* Whether the toolkit finds the widget, or what is in it, in the middle of what is seen of it. */
static gboolean is_reached(
	GtkWidget *widget, const graphene_rect_t *seen, const struct surface *surface)
{
	double x = (seen->origin.x + seen->size.width / 2) / surface->scale - surface->x;
	double y = (seen->origin.y + seen->size.height / 2) / surface->scale - surface->y;
	GtkWidget *there = gtk_widget_pick(
		surface->root, x, y, GTK_PICK_INSENSITIVE | GTK_PICK_NON_TARGETABLE);

	return there && (there == widget || gtk_widget_is_ancestor(there, widget));
}

static void tell(GtkWidget *widget, struct surface surface, graphene_rect_t clip, FILE *file)
{
	char path[LONGEST_PATH] = "";
	graphene_rect_t box = { 0 }, seen = { 0 };

	if (GTK_IS_NATIVE(widget)) {
		GdkSurface *native = gtk_native_get_surface(GTK_NATIVE(widget));

		surface.root = widget;
		gtk_native_get_surface_transform(GTK_NATIVE(widget), &surface.x, &surface.y);
		surface.window = native && GDK_IS_X11_SURFACE(native)
			? gdk_x11_surface_get_xid(native)
			: 0;
		surface.scale = native ? gdk_surface_get_scale_factor(native) : 1;
		clip = GRAPHENE_RECT_INIT(-10000, -10000, 40000, 40000);
	}
	gboolean placed = surface.root && gtk_widget_compute_bounds(widget, surface.root, &box);
	if (placed) {
		box = scaled(box, &surface);
		if (!graphene_rect_intersection(&box, &clip, &seen)) {
			seen = GRAPHENE_RECT_INIT(0, 0, 0, 0);
		}
	}
	if (placed && object_path(widget, path)) {
		g_auto(GStrv) classes = gtk_widget_get_css_classes(widget);
		g_autofree char *joined = g_strjoinv(".", classes);

		fprintf(file,
			"%s\t%lu\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%d\t%d\t%s\t%s.%"
			"s\n",
			path, surface.window, box.origin.x, box.origin.y, box.size.width,
			box.size.height, seen.origin.x, seen.origin.y, seen.size.width,
			seen.size.height, gtk_widget_get_mapped(widget),
			gtk_widget_get_mapped(widget) && is_reached(widget, &seen, &surface),
			G_OBJECT_TYPE_NAME(widget), gtk_widget_get_css_name(widget), joined);
	}
	if (placed && gtk_widget_get_overflow(widget) == GTK_OVERFLOW_HIDDEN) {
		clip = seen;
	}
	for (GtkWidget *child = gtk_widget_get_first_child(widget); child;
		child = gtk_widget_get_next_sibling(child)) {
		tell(child, surface, clip, file);
	}
}

static void tell_all(const char *name)
{
	g_autofree char *unfinished = g_strconcat(name, ".new", NULL);
	FILE *file = fopen(unfinished, "w");
	GListModel *windows = gtk_window_get_toplevels();

	for (guint i = 0; file && i < g_list_model_get_n_items(windows); i++) {
		GtkWidget *window = g_list_model_get_item(windows, i);

		tell(window, (struct surface){ .scale = 1 }, GRAPHENE_RECT_INIT(0, 0, 0, 0), file);
		g_object_unref(window);
	}
	if (file && fclose(file) == 0) {
		rename(unfinished, name);
	}
}

static gboolean look(gpointer data)
{
	const char *ask = g_getenv("BOXES_ASK"), *name = g_getenv("BOXES_TELL");

	if (g_getenv("BOXES_RTL") && gtk_is_initialized()
		&& gtk_widget_get_default_direction() != GTK_TEXT_DIR_RTL) {
		gtk_widget_set_default_direction(GTK_TEXT_DIR_RTL);
	}
	if (g_getenv("BOXES_DARK") && gtk_is_initialized() && gtk_settings_get_default()) {
		gboolean dark = FALSE;

		/* Once: each time everything is styled anew. */
		g_object_get(gtk_settings_get_default(), "gtk-application-prefer-dark-theme", &dark,
			NULL);
		if (!dark) {
			g_object_set(gtk_settings_get_default(),
				"gtk-application-prefer-dark-theme", TRUE, NULL);
		}
	}
	if (ask && name && gtk_is_initialized() && unlink(ask) == 0) {
		tell_all(name);
	}
	(void)data;
	return G_SOURCE_CONTINUE;
}

__attribute__((constructor)) static void begin(void)
{
	if (!g_getenv("BOXES_ASK")) {
		return;
	}
	/* Not in what the application starts. */
	g_unsetenv("LD_PRELOAD");
	g_timeout_add(LOOK_MS, look, NULL);
}
