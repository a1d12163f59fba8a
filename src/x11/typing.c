/* SPDX-License-Identifier: MIT */
/* When the user last pressed a key, as the server's idle counter of the user's keyboard tells. */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <xcb/sync.h>

#include "x11/conn.h"

/* The head of one of a list of counters; its name follows, and fills up to four bytes. */
struct counter {
	uint32_t id;
	uint32_t resolution[2];
	uint16_t name_length;
} __attribute__((packed));

/*
 * Read by hand: while devices come and go the server's list has been seen to be shorter than it says, and
 * libxcb's iterator then runs out of it.
 */
static xcb_sync_counter_t find_counter(struct x11_server *server)
{
	g_autofree char *name = g_strdup_printf("DEVICEIDLETIME %d", DEVICE_CORE_KEYBOARD);
	free(x11_reply(server, xcb_sync_initialize(server->c, 3, 1).sequence));
	xcb_sync_list_system_counters_reply_t *reply = x11_reply(server,
		xcb_sync_list_system_counters(server->c).sequence);
	xcb_sync_counter_t found = XCB_NONE;
	const char *at = reply != NULL ? (const char *)(reply + 1) : NULL;
	const char *end = reply != NULL ? at + reply->length * 4 : NULL;
	while (at != NULL && (gsize)(end - at) >= sizeof(struct counter)) {
		struct counter counter;
		memcpy(&counter, at, sizeof counter);
		gsize size = (sizeof counter + counter.name_length + 3) / 4 * 4;
		if ((gsize)(end - at) < size) {
			break;
		}
		if (counter.name_length == strlen(name)
			&& memcmp(at + sizeof counter, name, counter.name_length) == 0) {
			found = counter.id;
		}
		at += size;
	}
	free(reply);
	return found;
}

unsigned x11_typing_ask(struct x11_server *server)
{
	if (server->has_sync && server->typing == XCB_NONE) {
		server->typing = find_counter(server);
	}
	return server->typing != XCB_NONE ? xcb_sync_query_counter(server->c, server->typing).sequence : 0;
}

unsigned x11_typing_collect(struct x11_server *server, unsigned asked)
{
	xcb_sync_query_counter_reply_t *reply = x11_reply(server, asked);
	unsigned ms = reply != NULL && reply->counter_value.hi == 0 ? reply->counter_value.lo : G_MAXUINT;
	free(reply);
	return ms;
}

unsigned x11_typing(struct x11 *x11, struct deadline deadline)
{
	struct x11_server *server = x11_begin(x11, deadline, NULL);
	unsigned ms = G_MAXUINT;
	if (server != NULL) {
		ms = x11_typing_collect(server, x11_typing_ask(server));
		x11_end(server, NULL);
	}
	return ms;
}
