/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_CACHE_H
#define ATSPI_CACHE_H

#include "atspi/link.h"

/*
 * What an application tells about all its objects in one answer (org.a11y.atspi.Cache.GetItems). The
 * values are those of the moment; what it misses (cells of tables, objects nobody looked at) has to be
 * asked for, and is recognised by a child count that does not match.
 */
struct cache;

/* Strings live as long as the cache. */
struct cache_item {
	const char *path;
	const char *parent;
	const char *name;
	const char *description;
	int place;           /* among its siblings; -1 if unknown */
	int child_count;     /* -1 if unknown */
	uint32_t role;
	uint64_t states;     /* AT-SPI bits */
	unsigned interfaces; /* enum interface of node.h */
};

/* Sends the request; the answer is taken when the link is pumped. */
struct cache *cache_ask(struct link *link, const char *application);
/* Asks once more; what was known before is forgotten when the answer comes. */
void cache_ask_again(struct cache *cache, struct link *link);
void cache_free(struct cache *cache);

/* Whether the application gave one. GTK3 and Chromium do once somebody listens to events. */
bool cache_is_there(const struct cache *cache);

/* The item of that object, or NULL; paths of another bus name mean other objects. */
const struct cache_item *cache_item(const struct cache *cache, const char *name, const char *path);

/* The children of that object in order, as struct cache_item; NULL if some are missing. Borrowed. */
const GPtrArray *cache_children(const struct cache *cache, const struct cache_item *item);

#endif
