/* SPDX-License-Identifier: MIT */
#include "grab.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <xcb/shm.h>

static bool grab_into(xcb_connection_t *x, xcb_window_t window, const xcb_get_geometry_reply_t *size,
	void *memory, int id, double *grab_ms, double *copy_ms)
{
	gsize bytes = (gsize)size->width * size->height * 4;
	xcb_shm_seg_t segment = xcb_generate_id(x);
	xcb_shm_attach(x, segment, (uint32_t)id, 0);
	gint64 start = g_get_monotonic_time();
	xcb_shm_get_image_reply_t *image = xcb_shm_get_image_reply(x, xcb_shm_get_image(x, window, 0, 0,
		size->width, size->height, ~0u, XCB_IMAGE_FORMAT_Z_PIXMAP, segment, 0), NULL);
	*grab_ms = (double)(g_get_monotonic_time() - start) / 1000.0;
	bool ok = image != NULL;
	free(image);
	g_autofree void *copy = g_malloc0(bytes);
	start = g_get_monotonic_time();
	memcpy(copy, memory, bytes);
	*copy_ms = (double)(g_get_monotonic_time() - start) / 1000.0;
	/* Somebody looks at it: otherwise the compiler may leave the copy out. */
	ok &= memcmp(copy, memory, MIN(bytes, 64)) == 0;
	xcb_shm_detach(x, segment);
	return ok;
}

bool grab_window(xcb_connection_t *x, xcb_window_t window, double *grab_ms, double *copy_ms)
{
	xcb_get_geometry_reply_t *size = xcb_get_geometry_reply(x, xcb_get_geometry(x, window), NULL);
	if (size == NULL) {
		return false;
	}
	bool ok = false;
	int id = shmget(IPC_PRIVATE, (gsize)size->width * size->height * 4, IPC_CREAT | 0600);
	void *memory = id >= 0 ? shmat(id, NULL, 0) : (void *)-1;
	if (memory != (void *)-1) {
		ok = grab_into(x, window, size, memory, id, grab_ms, copy_ms);
		shmdt(memory);
	}
	if (id >= 0) {
		shmctl(id, IPC_RMID, NULL);
	}
	free(size);
	return ok;
}
