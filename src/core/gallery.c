/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/gallery.h"

/* As many as the platform keeps track of, and no more memory than a picture of a large screen. */
#define PICTURES_KEPT 8
#define BYTES_KEPT (4u << 20)

struct kept {
	guint64 window;
	pid_t pid;           /* window ids are used again */
	struct gallery_picture picture;
};

struct gallery {
	GMutex mutex;
	GQueue kept;         /* newest first */
	gsize bytes;
};

struct gallery *gallery_new(void)
{
	struct gallery *gallery = g_new0(struct gallery, 1);
	g_mutex_init(&gallery->mutex);
	g_queue_init(&gallery->kept);
	return gallery;
}

static void drop(struct gallery *gallery, GList *link)
{
	struct kept *kept = link->data;
	gallery->bytes -= g_bytes_get_size(kept->picture.png);
	g_bytes_unref(kept->picture.png);
	g_free(kept);
	g_queue_delete_link(&gallery->kept, link);
}

void gallery_free(struct gallery *gallery)
{
	while (gallery->kept.head != NULL) {
		drop(gallery, gallery->kept.head);
	}
	g_mutex_clear(&gallery->mutex);
	g_free(gallery);
}

static GList *search(struct gallery *gallery, const struct window *window)
{
	for (GList *at = gallery->kept.head; at != NULL; at = at->next) {
		const struct kept *kept = at->data;
		if (kept->window == window->id && kept->pid == window->pid) {
			return at;
		}
	}
	return NULL;
}

bool gallery_find(struct gallery *gallery, const struct window *window,
	struct gallery_picture *picture)
{
	g_mutex_lock(&gallery->mutex);
	GList *found = search(gallery, window);
	if (found != NULL) {
		*picture = ((const struct kept *)found->data)->picture;
		g_bytes_ref(picture->png);
		g_queue_unlink(&gallery->kept, found);
		g_queue_push_head_link(&gallery->kept, found);
	}
	g_mutex_unlock(&gallery->mutex);
	return found != NULL;
}

void gallery_keep(struct gallery *gallery, const struct window *window,
	const struct gallery_picture *picture)
{
	struct kept *kept = g_new0(struct kept, 1);
	*kept = (struct kept){ window->id, window->pid, *picture };
	g_bytes_ref(picture->png);
	g_mutex_lock(&gallery->mutex);
	GList *earlier = search(gallery, window);
	if (earlier != NULL) {
		drop(gallery, earlier);
	}
	g_queue_push_head(&gallery->kept, kept);
	gallery->bytes += g_bytes_get_size(picture->png);
	while (gallery->kept.length > PICTURES_KEPT || gallery->bytes > BYTES_KEPT) {
		drop(gallery, gallery->kept.tail);
	}
	g_mutex_unlock(&gallery->mutex);
}
