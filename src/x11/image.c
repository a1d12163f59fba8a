/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/image.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* How the server lays out pixels of one depth. */
struct layout {
	int bits, stride;
	bool swapped; /* its bytes are in the other order */
};

static bool layout_find(struct x11_server *server, const struct x11_area *area,
	struct layout *layout)
{
	const xcb_setup_t *setup = xcb_get_setup(server->c);
	xcb_format_iterator_t it = xcb_setup_pixmap_formats_iterator(setup);
	for (; it.rem > 0; xcb_format_next(&it)) {
		if (it.data->depth == area->depth) {
			int pad = it.data->scanline_pad;
			layout->bits = it.data->bits_per_pixel;
			layout->stride = (area->width * layout->bits + pad - 1) / pad * pad / 8;
			bool server_big = setup->image_byte_order == XCB_IMAGE_ORDER_MSB_FIRST;
			layout->swapped = server_big != (G_BYTE_ORDER == G_BIG_ENDIAN);
			return layout->bits == 32 || layout->bits == 24 || layout->bits == 16;
		}
	}
	return false;
}

static const xcb_visualtype_t *visual_find(struct x11_server *server, xcb_visualid_t id)
{
	xcb_screen_iterator_t screen = xcb_setup_roots_iterator(xcb_get_setup(server->c));
	for (; screen.rem > 0; xcb_screen_next(&screen)) {
		xcb_depth_iterator_t depth = xcb_screen_allowed_depths_iterator(screen.data);
		for (; depth.rem > 0; xcb_depth_next(&depth)) {
			const xcb_visualtype_t *visuals = xcb_depth_visuals(depth.data);
			for (int i = 0; i < xcb_depth_visuals_length(depth.data); i++) {
				if (visuals[i].visual_id == id) {
					return &visuals[i];
				}
			}
		}
	}
	return NULL;
}

/* The part of a pixel under `mask`, widened or narrowed to eight bits. */
static uint32_t channel(uint32_t pixel, uint32_t mask)
{
	unsigned shift = (unsigned)__builtin_ctz(mask);
	uint64_t most = mask >> shift;
	return (uint32_t)(((uint64_t)(pixel & mask) >> shift) * 255 / most);
}

static uint32_t pixel_at(const uint8_t *row, int x, const struct layout *layout)
{
	const uint8_t *at = row + x * layout->bits / 8;
	if (layout->bits == 24) {
		bool big = layout->swapped != (G_BYTE_ORDER == G_BIG_ENDIAN);
		return big ? (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2]
			: (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
	}
	if (layout->bits == 16) {
		uint16_t pixel;
		memcpy(&pixel, at, sizeof pixel);
		return layout->swapped ? GUINT16_SWAP_LE_BE(pixel) : pixel;
	}
	uint32_t pixel;
	memcpy(&pixel, at, sizeof pixel);
	return layout->swapped ? GUINT32_SWAP_LE_BE(pixel) : pixel;
}

/* Whether pixels are laid out as in our pictures. */
static bool is_ours(const struct layout *layout, const xcb_visualtype_t *visual)
{
	return layout->bits == 32 && !layout->swapped && visual->red_mask == 0xff0000
		&& visual->green_mask == 0xff00 && visual->blue_mask == 0xff;
}

static struct picture *convert(struct x11_server *server, const struct x11_area *area,
	const struct layout *layout, const uint8_t *bytes)
{
	const xcb_visualtype_t *visual = visual_find(server, area->visual);
	if (visual == NULL || visual->red_mask == 0 || visual->green_mask == 0
	    || visual->blue_mask == 0) {
		return NULL;
	}
	struct picture *picture = picture_new(area->width, area->height);
	bool same = is_ours(layout, visual);
	for (int y = 0; y < area->height; y++) {
		const uint8_t *row = bytes + (gsize)y * (gsize)layout->stride;
		uint32_t *to = picture->pixels + (gsize)y * (gsize)area->width;
		if (same) {
			memcpy(to, row, (gsize)area->width * sizeof *to);
			continue;
		}
		for (int x = 0; x < area->width; x++) {
			uint32_t pixel = pixel_at(row, x, layout);
			to[x] = channel(pixel, visual->red_mask) << 16 | channel(pixel, visual->green_mask) << 8
				| channel(pixel, visual->blue_mask);
		}
	}
	return picture;
}

/* Lives as long as the connection or a picture needs it. */
struct x11_memory {
	gatomicrefcount references;
	gint busy;               /* a picture is in it */
	void *data;
	gsize size;
};

static void memory_unref(struct x11_memory *memory)
{
	if (memory != NULL && g_atomic_ref_count_dec(&memory->references)) {
		munmap(memory->data, memory->size);
		g_free(memory);
	}
}

/* The picture in it has gone; on any thread. */
static void memory_release(void *data)
{
	struct x11_memory *memory = data;
	g_atomic_int_set(&memory->busy, 0);
	memory_unref(memory);
}

/* `*fd` is what the server gets to see of it. NULL if there is none to be had. */
static struct x11_memory *memory_new(gsize size, int *fd)
{
	struct x11_memory *memory = g_new0(struct x11_memory, 1);
	memory->size = (size + 0xfffff) & ~(gsize)0xfffff;
	*fd = memfd_create("cua-driver-capture", MFD_CLOEXEC);
	memory->data = *fd >= 0 && ftruncate(*fd, (off_t)memory->size) == 0
		? mmap(NULL, memory->size, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0) : MAP_FAILED;
	if (memory->data == MAP_FAILED) {
		if (*fd >= 0) {
			close(*fd);
		}
		g_free(memory);
		return NULL;
	}
	g_atomic_ref_count_init(&memory->references);
	return memory;
}

void x11_image_forget(struct x11_server *server)
{
	for (int i = 0; i < SEGMENTS; i++) {
		memory_unref(g_steal_pointer(&server->segments[i].memory));
	}
}

void x11_image_rest(struct x11_server *server)
{
	for (int i = 0; i < SEGMENTS; i++) {
		if (server->segments[i].memory != NULL) {
			xcb_shm_detach(server->c, server->segments[i].id);
		}
	}
	x11_image_forget(server);
}

/*
 * A segment of at least that size that no picture is in; NULL if there is none. Only descriptors are shared, never
 * System V segments: those have numbers, and a server in another IPC namespace may know another segment by ours.
 */
static struct x11_segment *share(struct x11_server *server, gsize size)
{
	struct x11_segment *segment = NULL;
	for (int i = 0; i < SEGMENTS && server->has_shm; i++) {
		struct x11_memory *memory = server->segments[i].memory;
		bool fits = memory != NULL && memory->size >= size;
		/* One that is there already is better than one that has to be made. */
		if ((memory == NULL || g_atomic_int_get(&memory->busy) == 0) && (segment == NULL || fits)) {
			segment = &server->segments[i];
			if (fits) {
				return segment;
			}
		}
	}
	int fd;
	struct x11_memory *memory = segment != NULL ? memory_new(size, &fd) : NULL;
	if (memory == NULL) {
		return NULL;
	}
	if (segment->memory != NULL) {
		xcb_shm_detach(server->c, segment->id);
		memory_unref(segment->memory);
	}
	segment->memory = memory;
	/* Closes the descriptor. */
	xcb_shm_attach_fd(server->c, segment->id, fd, false);
	return segment;
}

/* The picture as the server wrote it, where that is how we want it; otherwise a copy. */
static struct picture *picture_of(struct x11_server *server, const struct x11_area *area,
	const struct layout *layout, struct x11_memory *memory)
{
	const xcb_visualtype_t *visual = visual_find(server, area->visual);
	if (visual == NULL || !is_ours(layout, visual) || layout->stride != area->width * 4) {
		return convert(server, area, layout, memory->data);
	}
	g_atomic_int_set(&memory->busy, 1);
	g_atomic_ref_count_inc(&memory->references);
	return picture_wrap(area->width, area->height, memory->data, memory_release, memory);
}

/* `*shared`: there was memory for it. */
static struct picture *read_shared(struct x11_server *server, const struct x11_area *area,
	const struct layout *layout, bool *shared)
{
	gsize size = (gsize)layout->stride * (gsize)area->height;
	const struct x11_segment *segment = share(server, size);
	*shared = segment != NULL;
	if (segment == NULL) {
		return NULL;
	}
	struct picture *picture = NULL;
	unsigned sequence = xcb_shm_get_image(server->c, area->drawable, (int16_t)area->x,
		(int16_t)area->y, (uint16_t)area->width, (uint16_t)area->height, ~0u,
		XCB_IMAGE_FORMAT_Z_PIXMAP, segment->id, 0).sequence;
	xcb_shm_get_image_reply_t *reply = x11_reply(server, sequence);
	if (reply != NULL && reply->size >= size) {
		picture = picture_of(server, area, layout, segment->memory);
	}
	free(reply);
	return picture;
}

static struct picture *read_plain(struct x11_server *server, const struct x11_area *area,
	const struct layout *layout)
{
	struct picture *picture = NULL;
	unsigned sequence = xcb_get_image(server->c, XCB_IMAGE_FORMAT_Z_PIXMAP, area->drawable,
		(int16_t)area->x, (int16_t)area->y, (uint16_t)area->width, (uint16_t)area->height,
		~0u).sequence;
	xcb_get_image_reply_t *reply = x11_reply(server, sequence);
	if (reply != NULL && (gsize)xcb_get_image_data_length(reply)
	    >= (gsize)layout->stride * (gsize)area->height) {
		picture = convert(server, area, layout, xcb_get_image_data(reply));
	}
	free(reply);
	return picture;
}

struct picture *x11_image_read(struct x11_server *server, const struct x11_area *area)
{
	struct layout layout;
	if (area->width <= 0 || area->height <= 0 || !layout_find(server, area, &layout)) {
		return NULL;
	}
	bool shared = false;
	struct picture *picture = read_shared(server, area, &layout, &shared);
	if (picture == NULL && !x11_failed(server)) {
		picture = read_plain(server, area, &layout);
		/* Between us and the server is something that loses descriptors, if it was not that all are in use. */
		if (picture != NULL && server->has_shm && shared) {
			x11_image_rest(server);
			server->has_shm = false;
		}
	}
	return picture;
}
