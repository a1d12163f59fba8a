/* SPDX-License-Identifier: MIT */
/* Files for tests/unit/gtk4-tree: what accessibility tells, read by ourselves, and the truth beside
 * it. */
#include <stdio.h>
#include <string.h>
#include <systemd/sd-bus.h>

#include "coords.h"

#define ACCESSIBLE "org.a11y.atspi.Accessible"
#define COMPONENT "org.a11y.atspi.Component"
#define PARENT_COORDS 2
#define WINDOW_COORDS 1
#define MOST 3000
#define MOST_CHILDREN 200
#define DEEPEST 60

struct recording {
	sd_bus *bus;
	FILE *file;
	GHashTable *boxes;
	xcb_window_t window;
	int count;
};

static void print_extents(struct recording *recording, const struct lab_node *node, uint32_t coords)
{
	sd_bus_message *reply = NULL;
	int32_t x = 0, y = 0, width = 0, height = 0;

	if (sd_bus_call_method(recording->bus, node->bus, node->path, COMPONENT, "GetExtents", NULL,
		    &reply, "u", coords)
		>= 0) {
		sd_bus_message_read(reply, "(iiii)", &x, &y, &width, &height);
	}
	sd_bus_message_unref(reply);
	fprintf(recording->file, " %d %d %d %d", x, y, width, height);
}

static uint32_t number(struct recording *recording, const struct lab_node *node, const char *method)
{
	sd_bus_message *reply = NULL;
	uint32_t value = 0;

	if (sd_bus_call_method(
		    recording->bus, node->bus, node->path, ACCESSIBLE, method, NULL, &reply, "")
		>= 0) {
		sd_bus_message_read(reply, "u", &value);
	}
	sd_bus_message_unref(reply);
	return value;
}

static bool is_showing(struct recording *recording, const struct lab_node *node)
{
	sd_bus_message *reply = NULL;
	const void *words = NULL;
	size_t size = 0;
	bool has = false;

	if (sd_bus_call_method(recording->bus, node->bus, node->path, ACCESSIBLE, "GetState", NULL,
		    &reply,
		    "") >= 0
		&& sd_bus_message_read_array(reply, 'u', &words, &size) >= 0 && size >= 8) {
		/* Showing, or visible, which GTK 4 says in its place. */
		has = (((const uint32_t *)words)[0] & (UINT32_C(1) << 25 | UINT32_C(1) << 30)) != 0;
	}
	sd_bus_message_unref(reply);
	return has;
}

static void walk(struct recording *recording, const struct lab_node *node, int depth)
{
	const struct coords_box *box = g_hash_table_lookup(recording->boxes, node->path);
	sd_bus_message *reply = NULL;
	struct lab_node child = { 0 };

	if (recording->count++ > MOST || depth > DEEPEST) {
		return;
	}
	fprintf(recording->file, "%d %u %d", depth, number(recording, node, "GetRole"),
		is_showing(recording, node));
	print_extents(recording, node, WINDOW_COORDS);
	print_extents(recording, node, PARENT_COORDS);
	if (box && box->mapped) {
		fprintf(recording->file, " %g %g %g %g %d %s\n", box->x, box->y, box->width,
			box->height, box->window == recording->window, box->style);
	} else {
		fprintf(recording->file, " 0 0 0 0 0 %s\n", box ? box->style : "-");
	}
	if (sd_bus_call_method(recording->bus, node->bus, node->path, ACCESSIBLE, "GetChildren",
		    NULL, &reply,
		    "") >= 0
		&& sd_bus_message_enter_container(reply, 'a', "(so)") >= 0) {
		for (int i = 0; i < MOST_CHILDREN
			&& sd_bus_message_read(reply, "(so)", &child.bus, &child.path) > 0;
			i++) {
			if (!g_str_has_suffix(child.path, "/null")) {
				walk(recording, &child, depth + 1);
			}
		}
	}
	sd_bus_message_unref(reply);
}

void coords_record(struct lab_desk *desk, const struct coords_app *app, const char *file)
{
	struct recording recording = {
		.file = fopen(file, "w"), .boxes = coords_boxes(app), .window = app->app.window
	};
	struct lab_rect bounds = lab_x_bounds(desk, app->app.window);
	struct lab_node top = lab_atspi_find(desk, app->app.pid, "application", NULL), frame;
	g_autoptr(GArray) shadow = lab_x_list(desk, app->app.window, "_GTK_FRAME_EXTENTS");
	char *version = NULL;

	if (!top.path || !recording.file) {
		lab_fail("the application is not on the bus, or %s cannot be written", file);
	}
	recording.bus = desk->bus;
	sd_bus_get_property_string(recording.bus, top.bus, top.path, "org.a11y.atspi.Application",
		"Version", NULL, &version);
	fprintf(recording.file,
		"# version, size of the X window, _GTK_FRAME_EXTENTS if there are\n"
		"# then a node a line: depth role shown · its extents in the window · in its "
		"parent · true box · in this window · widget\n");
	fprintf(recording.file, "%s %d %d", version, bounds.width, bounds.height);
	for (guint i = 0; i < 4 && shadow->len >= 4; i++) {
		fprintf(recording.file, " %u", g_array_index(shadow, uint32_t, i));
	}
	fputc('\n', recording.file);
	frame = lab_atspi_find(desk, app->app.pid, "frame", NULL);
	frame = frame.path ? frame : lab_atspi_find(desk, app->app.pid, "window", NULL);
	frame = frame.path ? frame : lab_atspi_find(desk, app->app.pid, "dialog", NULL);
	lab_assert(frame.path);
	walk(&recording, &frame, 0);
	lab_assert(fclose(recording.file) == 0);
	free(version);
}
