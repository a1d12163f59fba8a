/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/realise.h"

struct realising {
	struct link *link;
	const struct cache *cache;
	const char *name;
	int left;  /* objects that may still be looked at */
	bool any;  /* something was not known */
};

static void realise(struct realising *realising, const char *path, int depth);

struct look {
	struct realising *realising;
	int depth;
};

static void on_realised(struct message *reply, void *data)
{
	const struct look *look = data;
	const char *name, *path;
	if (message_is_error(reply)
		|| message_enter(reply, 'a', "(so)") < 0) {
		return;
	}
	while (message_read(reply, "(so)", &name, &path) > 0) {
		realise(look->realising, path, look->depth + 1);
	}
}

static void realise(struct realising *realising, const char *path, int depth)
{
	const struct cache_item *item = cache_item(realising->cache, realising->name, path);
	if (depth > READER_DEEPEST || realising->left-- <= 0 || (item != NULL && item->child_count == 0)) {
		return;
	}
	const GPtrArray *children = item != NULL ? cache_children(realising->cache, item) : NULL;
	for (guint i = 0; children != NULL && i < children->len; i++) {
		realise(realising, ((const struct cache_item *)children->pdata[i])->path, depth + 1);
	}
	if (children == NULL) {
		struct look *look = g_new(struct look, 1);
		*look = (struct look){ realising, depth };
		realising->any = true;
		link_send_owned(realising->link, realising->name, path, ACCESSIBLE, "GetChildren", on_realised,
			look, g_free, NULL);
	}
}

bool realise_cache(struct link *link, const char *name, const char *path,
	const struct reading *reading, struct deadline deadline, GError **error)
{
	struct realising realising = { link, reading->cache, name, reading->limits.max_elements, false };
	realise(&realising, path, 0);
	if (!realising.any) {
		return true;
	}
	if (!link_pump(link, deadline, error)) {
		return false;
	}
	cache_ask_again(reading->cache, link);
	return link_pump(link, deadline, error);
}
