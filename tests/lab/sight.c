/* SPDX-License-Identifier: MIT */
/* Where an instrumented application's controls are and what its labels show, without the driver. */
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>

#include "internal.h"
#include "oracle.h"

#define ACCESSIBLE "org.a11y.atspi.Accessible"
#define MOST_NODES 2000

enum { /* of the AT-SPI protocol */
	COORDS_SCREEN = 0,
	COORDS_WINDOW = 1,
	STATE_SHOWING = 25,
	STATE_VISIBLE = 30,
};

/* An object as it was at the last look. */
struct known {
	struct lab_node node;
	struct known *parent;
};

static char *read_name(struct lab_harness *harness, const struct lab_node *node)
{
	char *name = NULL;

	sd_bus_get_property_string(harness->desk->bus, node->bus, node->path, ACCESSIBLE, "Name", NULL,
		&name);
	return name ? name : g_strdup("");
}

static bool read_rect(struct lab_harness *harness, const struct lab_node *node, uint32_t coords,
	struct lab_rect *rect)
{
	sd_bus_message *reply = NULL;
	bool read = sd_bus_call_method(harness->desk->bus, node->bus, node->path,
		"org.a11y.atspi.Component", "GetExtents", NULL, &reply, "u", coords) >= 0 &&
		sd_bus_message_read(reply, "(iiii)", &rect->x, &rect->y, &rect->width,
			&rect->height) >= 0;

	sd_bus_message_unref(reply);
	return read;
}

/*
 * GTK 4 knows no screen and counts from the content of its window: the shadow around it comes on top
 * (_GTK_FRAME_EXTENTS, where there is one).
 */
static bool read_frame(struct lab_harness *harness, const struct lab_node *node, struct lab_rect *rect)
{
	if (!g_str_has_suffix(harness->name, "gtk4")) {
		return read_rect(harness, node, COORDS_SCREEN, rect);
	}
	struct lab_rect bounds = lab_x_bounds(harness->desk, harness->window);
	g_autoptr(GArray) extents = lab_x_list(harness->desk, harness->window, "_GTK_FRAME_EXTENTS");
	bool read = read_rect(harness, node, COORDS_WINDOW, rect);
	if (extents->len >= 4) {
		rect->x += (int)g_array_index(extents, uint32_t, 0);
		rect->y += (int)g_array_index(extents, uint32_t, 2);
	}
	rect->x += bounds.x;
	rect->y += bounds.y;
	return read;
}

/* GTK 4.8 says that windows are showing, and of what is in them only that it is visible. */
static bool is_showing(struct lab_harness *harness, const struct lab_node *node)
{
	int state = g_str_has_suffix(harness->name, "gtk4") ? STATE_VISIBLE : STATE_SHOWING;

	return lab_atspi_has_state(harness->desk, node, (enum lab_atspi_state)state);
}

static GPtrArray *children_of(struct lab_harness *harness, struct known *parent)
{
	GPtrArray *children = g_ptr_array_new();
	sd_bus_message *reply = NULL;
	const char *bus, *path;

	if (sd_bus_call_method(harness->desk->bus, parent->node.bus, parent->node.path, ACCESSIBLE,
		"GetChildren", NULL, &reply, "") >= 0 &&
		sd_bus_message_enter_container(reply, 'a', "(so)") >= 0) {
		while (sd_bus_message_read(reply, "(so)", &bus, &path) > 0) {
			struct known *child = g_new0(struct known, 1);

			child->node.bus = g_strdup(bus);
			child->node.path = g_strdup(path);
			child->parent = parent;
			g_ptr_array_add(children, child);
		}
	}
	sd_bus_message_unref(reply);
	return children;
}

static void walk(struct lab_harness *harness, struct known *known)
{
	struct lab_node *node = &known->node;

	if (harness->nodes->len >= MOST_NODES
		|| !(node->role = lab_atspi_role(harness->desk->bus, node))) {
		return;
	}
	node->name = read_name(harness, node);
	g_ptr_array_add(harness->nodes, known);
	g_autoptr(GPtrArray) children = children_of(harness, known);
	for (guint i = 0; i < children->len; i++) {
		walk(harness, g_ptr_array_index(children, i));
	}
}

/* Reads the whole tree into harness->nodes, which is kept: most of it never changes. */
static void look_around(struct lab_harness *harness)
{
	struct known *top = g_new0(struct known, 1);

	top->node = lab_atspi_find(harness->desk, harness->pid, NULL, NULL);
	harness->nodes = g_ptr_array_new();
	if (top->node.path) {
		walk(harness, top);
	}
}

static bool find_known(struct lab_harness *harness, const char *role, const char *name,
	struct lab_seen *seen)
{
	for (guint i = 0; harness->nodes && i < harness->nodes->len; i++) {
		struct lab_node *node = &((struct known *)g_ptr_array_index(harness->nodes, i))->node;

		if ((role && !g_str_equal(role, node->role)) || (name && !g_str_equal(name, node->name))) {
			continue;
		}
		/* What was known is not what is. */
		g_autofree char *now = read_name(harness, node);
		if (g_str_equal(now, node->name) && is_showing(harness, node) &&
			read_frame(harness, node, &seen->frame)) {
			seen->node = *node;
			return true;
		}
	}
	return false;
}

static void fail_to_see(struct lab_harness *harness, const char *role, const char *name)
{
	lab_journal_note(harness, 10);
	lab_fail("%s shows no %s \"%s\"", harness->name, role ? role : "object", name ? name : "");
}

struct lab_seen lab_harness_see(struct lab_harness *harness, const char *role, const char *name,
	int ms)
{
	gint64 deadline = lab_deadline(ms);
	struct lab_seen seen;

	while (!find_known(harness, role, name, &seen)) {
		if (lab_left(deadline) == 0) {
			fail_to_see(harness, role, name);
		}
		/* Again and again: a tree tells of its changes only to listeners, and then changes. */
		look_around(harness);
	}
	return seen;
}

int lab_seen_actions(struct lab_harness *harness, const struct lab_seen *seen)
{
	int32_t count = 0;

	sd_bus_get_property_trivial(harness->desk->bus, seen->node.bus, seen->node.path,
		"org.a11y.atspi.Action", "NActions", NULL, 'i', &count);
	return count;
}

char *lab_seen_action(struct lab_harness *harness, const struct lab_seen *seen)
{
	sd_bus_message *reply = NULL;
	const char *name = "";

	if (sd_bus_call_method(harness->desk->bus, seen->node.bus, seen->node.path,
		"org.a11y.atspi.Action", "GetLocalizedName", NULL, &reply, "i", 0) >= 0) {
		sd_bus_message_read(reply, "s", &name);
	}
	char *copy = g_strdup(name);
	sd_bus_message_unref(reply);
	return copy;
}

static bool reads(struct lab_harness *harness, const struct lab_node *node, const char *text)
{
	g_autofree char *now = read_name(harness, node);

	return g_str_equal(now, text) && is_showing(harness, node);
}

/* Whether what was that label when we looked reads like this now, or, in a page, what replaced it. */
static bool known_reads(struct lab_harness *harness, const char *label, const char *text)
{
	g_autofree char *start = g_strconcat(label, "=", NULL);

	for (guint i = 0; harness->nodes && i < harness->nodes->len; i++) {
		struct known *known = g_ptr_array_index(harness->nodes, i);

		if (!g_str_has_prefix(known->node.name, start)) {
			continue;
		}
		if (reads(harness, &known->node, text)) {
			return true;
		}
		g_autoptr(GPtrArray) siblings = g_str_equal(harness->name, "web") ?
			children_of(harness, known->parent) : g_ptr_array_new();
		for (guint j = 0; j < siblings->len; j++) {
			if (reads(harness, &((struct known *)g_ptr_array_index(siblings, j))->node, text)) {
				return true;
			}
		}
	}
	return false;
}

void lab_harness_shows(struct lab_harness *harness, const char *label, const char *value, int ms)
{
	gint64 deadline = lab_deadline(ms);

	for (int look = 0;; look++) {
		g_autofree char *text = g_strdup_printf("%s=%s", label,
			value ? value : lab_harness_value(harness, label));

		if (known_reads(harness, label, text)) {
			return;
		}
		if (lab_left(deadline) == 0) {
			fail_to_see(harness, NULL, text);
		}
		if (look % 100 == 99 || !harness->nodes) {
			look_around(harness);
		} else {
			poll(NULL, 0, 5);
		}
	}
}

/* --- By colour --------------------------------------------------------------------------------- */

/* A picture of the screen, one word a pixel. */
static xcb_get_image_reply_t *picture_of(struct lab_desk *desk, struct lab_rect at)
{
	xcb_get_image_reply_t *image = xcb_get_image_reply(desk->x, xcb_get_image(desk->x,
		XCB_IMAGE_FORMAT_Z_PIXMAP, desk->root, (int16_t)at.x, (int16_t)at.y, (uint16_t)at.width,
		(uint16_t)at.height, ~0u), NULL);

	if (!image || xcb_get_image_data_length(image) != at.width * at.height * 4) {
		lab_fail("%s has no picture of %dx%d+%d+%d", desk->name, at.width, at.height, at.x, at.y);
	}
	return image;
}

uint32_t lab_x_pixel(struct lab_desk *desk, int x, int y)
{
	g_autofree xcb_get_image_reply_t *image = picture_of(desk, (struct lab_rect){ x, y, 1, 1 });
	uint32_t pixel;

	memcpy(&pixel, xcb_get_image_data(image), sizeof pixel);
	return pixel & 0xffffff;
}

uint32_t lab_control_colour(const char *id)
{
	return (uint32_t)strtoul(lab_str(lab_control(id), "colour") + 1, NULL, 16);
}

/*
 * Around the longest run of that colour in the application's window: single pixels of it are also in
 * shadows and in the smoothed letters of the labels.
 */
static bool read_colour(struct lab_harness *harness, uint32_t wanted, struct lab_rect *rect)
{
	struct lab_rect all = lab_x_bounds(harness->desk, harness->window);
	g_autofree xcb_get_image_reply_t *image = picture_of(harness->desk, all);
	const uint32_t *pixels = (const void *)xcb_get_image_data(image);
	int width = 0, left = 0, row = 0, run = 0;

	for (int i = 0; i < all.width * all.height; i++) {
		run = (pixels[i] & 0xffffff) != wanted ? 0 : i % all.width == 0 ? 1 : run + 1;
		if (run > width) {
			width = run;
			row = i / all.width;
			left = i % all.width - run + 1;
		}
	}
	int column = left + width / 2, top = row, bottom = row;
	while (top > 0 && (pixels[(top - 1) * all.width + column] & 0xffffff) == wanted) {
		top--;
	}
	while (bottom + 1 < all.height &&
		(pixels[(bottom + 1) * all.width + column] & 0xffffff) == wanted) {
		bottom++;
	}
	*rect = (struct lab_rect){ all.x + left, all.y + top, width, bottom - top + 1 };
	return width > 3;
}

struct lab_rect lab_harness_colour(struct lab_harness *harness, const char *id, int ms)
{
	gint64 deadline = lab_deadline(ms);
	struct lab_rect rect;

	while (!read_colour(harness, lab_control_colour(id), &rect)) {
		if (lab_left(deadline) == 0) {
			lab_fail("%s shows no pixel of %s", harness->name, id);
		}
		poll(NULL, 0, 10); /* painting is no event of anybody */
	}
	return rect;
}

unsigned lab_x_checksum(struct lab_desk *desk, xcb_window_t window, struct lab_rect at)
{
	struct lab_rect bounds = lab_x_bounds(desk, window);
	g_autofree xcb_get_image_reply_t *image = xcb_get_image_reply(desk->x,
		xcb_get_image(desk->x, XCB_IMAGE_FORMAT_Z_PIXMAP, window, (int16_t)(at.x - bounds.x),
			(int16_t)(at.y - bounds.y), (uint16_t)at.width, (uint16_t)at.height, ~0u), NULL);
	unsigned sum = 2166136261u; /* FNV-1a, by pixels */

	if (!image) {
		lab_fail("%s: the window cannot be read", desk->name);
	}
	const uint32_t *pixels = (const void *)xcb_get_image_data(image);
	for (int i = 0; i < at.width * at.height; i++) {
		sum = (sum ^ (pixels[i] & 0xffffff)) * 16777619u;
	}
	return sum;
}
