/* SPDX-License-Identifier: MIT */
/* Something on the clipboard, and who answers for it (ICCCM 2). */
#include "config.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <xcb/xcb.h>

#include "x11/clipboard.h"

/* What is larger is handed over in pieces of this size. */
#define PIECE (128u * 1024)
/* Nobody needs this long between two pieces. */
#define TRANSFER_MS 30000

/* A type under the name it is asked for by. */
struct answer_part {
	xcb_atom_t target;
	GBytes *data;            /* borrowed from the clips */
};

/* Large data on its way to somebody. */
struct transfer {
	xcb_window_t requestor;
	xcb_atom_t property, target;
	GBytes *data;
	gsize at;
	gint64 moved;
};

struct offer {
	gatomicrefcount references; /* who made it, and its thread */
	char *display;
	GPtrArray *clips;        /* struct clip, own copies */
	int wake;                /* eventfd */
	GMutex lock;
	GCond changed;
	bool stop, owned, ended; /* guarded by lock */

	/* Of the thread. */
	xcb_connection_t *c;
	xcb_window_t window;
	xcb_timestamp_t since;
	xcb_atom_t clipboard, targets, timestamp, incremental;
	GArray *parts;           /* struct answer_part */
	GArray *transfers;       /* struct transfer */
	bool lost;               /* somebody else has the clipboard */
};

static void clip_free(gpointer data)
{
	struct clip *clip = data;
	g_free(clip->type);
	g_bytes_unref(clip->data);
	g_free(clip);
}

void offer_unref(struct offer *offer)
{
	if (!g_atomic_ref_count_dec(&offer->references)) {
		return;
	}
	g_free(offer->display);
	g_ptr_array_unref(offer->clips);
	g_array_unref(offer->parts);
	g_array_unref(offer->transfers);
	close(offer->wake);
	g_mutex_clear(&offer->lock);
	g_cond_clear(&offer->changed);
	g_free(offer);
}

static void add_part(struct offer *offer, const char *name, GBytes *data)
{
	const struct answer_part part = { clipboard_atom(offer->c, name), data };
	g_array_append_val(offer->parts, part);
}

static void add_parts(struct offer *offer)
{
	/* Text has older names, too. */
	static const char *const texts[] = { "UTF8_STRING", "text/plain", "TEXT", "STRING", NULL };
	for (guint i = 0; i < offer->clips->len; i++) {
		const struct clip *clip = offer->clips->pdata[i];
		add_part(offer, clip->type, clip->data);
		for (int k = 0; strcmp(clip->type, CLIP_TEXT) == 0 && texts[k] != NULL; k++) {
			add_part(offer, texts[k], clip->data);
		}
	}
}

/* The time of a change that is ours: the selection is taken with it, so that who is later stays later. */
static xcb_timestamp_t read_time(struct offer *offer)
{
	xcb_timestamp_t time = XCB_CURRENT_TIME;
	xcb_change_property(offer->c, XCB_PROP_MODE_REPLACE, offer->window, XCB_ATOM_WM_NAME, XCB_ATOM_STRING, 8, 0, "");
	xcb_flush(offer->c);
	xcb_generic_event_t *event;
	while (time == XCB_CURRENT_TIME && (event = xcb_wait_for_event(offer->c)) != NULL) {
		if ((event->response_type & 0x7f) == XCB_PROPERTY_NOTIFY) {
			time = ((const xcb_property_notify_event_t *)event)->time;
		}
		free(event);
	}
	return time;
}

static bool take(struct offer *offer)
{
	const uint32_t mask = XCB_EVENT_MASK_PROPERTY_CHANGE;
	offer->c = xcb_connect(offer->display, NULL);
	if (xcb_connection_has_error(offer->c) != 0) {
		return false;
	}
	xcb_connection_t *c = offer->c;
	offer->clipboard = clipboard_atom(c, "CLIPBOARD");
	offer->targets = clipboard_atom(c, "TARGETS");
	offer->timestamp = clipboard_atom(c, "TIMESTAMP");
	offer->incremental = clipboard_atom(c, "INCR");
	add_parts(offer);
	offer->window = xcb_generate_id(c);
	xcb_create_window(c, 0, offer->window, xcb_setup_roots_iterator(xcb_get_setup(c)).data->root, -1, -1, 1, 1, 0,
		XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK, &mask);
	offer->since = read_time(offer);
	xcb_set_selection_owner(c, offer->window, offer->clipboard, offer->since);
	xcb_get_selection_owner_reply_t *owner = xcb_get_selection_owner_reply(c,
		xcb_get_selection_owner(c, offer->clipboard), NULL);
	bool owned = owner != NULL && owner->owner == offer->window;
	free(owner);
	return owned;
}

/* Puts the next piece there; an empty one is the end. False when that was it. */
static bool send_piece(struct offer *offer, struct transfer *transfer)
{
	gsize size;
	const char *bytes = g_bytes_get_data(transfer->data, &size);
	gsize length = MIN(size - transfer->at, PIECE);
	xcb_change_property(offer->c, XCB_PROP_MODE_REPLACE, transfer->requestor, transfer->property, transfer->target,
		8, (uint32_t)length, length > 0 ? bytes + transfer->at : "");
	transfer->at += length;
	transfer->moved = g_get_monotonic_time();
	return length > 0;
}

static void begin_transfer(struct offer *offer, const xcb_selection_request_event_t *request, xcb_atom_t property,
	GBytes *data)
{
	const uint32_t mask = XCB_EVENT_MASK_PROPERTY_CHANGE | XCB_EVENT_MASK_STRUCTURE_NOTIFY;
	const uint32_t size = (uint32_t)g_bytes_get_size(data);
	const struct transfer transfer = { request->requestor, property, request->target, data, 0,
		g_get_monotonic_time() };
	xcb_change_window_attributes(offer->c, request->requestor, XCB_CW_EVENT_MASK, &mask);
	xcb_change_property(offer->c, XCB_PROP_MODE_REPLACE, request->requestor, property, offer->incremental, 32, 1,
		&size);
	g_array_append_val(offer->transfers, transfer);
}

/* Whether it has been put there, or is on its way. */
static bool give(struct offer *offer, const xcb_selection_request_event_t *request, xcb_atom_t property)
{
	xcb_connection_t *c = offer->c;
	if (request->target == offer->targets) {
		g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(xcb_atom_t));
		g_array_append_val(atoms, offer->targets);
		g_array_append_val(atoms, offer->timestamp);
		for (guint i = 0; i < offer->parts->len; i++) {
			g_array_append_val(atoms, g_array_index(offer->parts, struct answer_part, i).target);
		}
		xcb_change_property(c, XCB_PROP_MODE_REPLACE, request->requestor, property, XCB_ATOM_ATOM, 32, atoms->len,
			atoms->data);
		return true;
	}
	if (request->target == offer->timestamp) {
		xcb_change_property(c, XCB_PROP_MODE_REPLACE, request->requestor, property, XCB_ATOM_INTEGER, 32, 1,
			&offer->since);
		return true;
	}
	for (guint i = 0; i < offer->parts->len; i++) {
		const struct answer_part *part = &g_array_index(offer->parts, struct answer_part, i);
		if (part->target == request->target) {
			gsize size;
			const void *bytes = g_bytes_get_data(part->data, &size);
			if (size > PIECE) {
				begin_transfer(offer, request, property, part->data);
			} else {
				xcb_change_property(c, XCB_PROP_MODE_REPLACE, request->requestor, property, request->target, 8,
					(uint32_t)size, bytes);
			}
			return true;
		}
	}
	return false;
}

static void take_request(struct offer *offer, const xcb_selection_request_event_t *request)
{
	/* Clients from before the ICCCM name no property. */
	xcb_atom_t property = request->property != XCB_ATOM_NONE ? request->property : request->target;
	bool given = request->selection == offer->clipboard && give(offer, request, property);
	const xcb_selection_notify_event_t notice = {
		.response_type = XCB_SELECTION_NOTIFY, .time = request->time, .requestor = request->requestor,
		.selection = request->selection, .target = request->target,
		.property = given ? property : XCB_ATOM_NONE,
	};
	xcb_send_event(offer->c, 0, request->requestor, 0, (const char *)&notice);
}

/* A piece was taken, or its taker is gone. */
static void take_progress(struct offer *offer, xcb_window_t window, xcb_atom_t property, bool gone)
{
	for (guint i = offer->transfers->len; i-- > 0;) {
		struct transfer *transfer = &g_array_index(offer->transfers, struct transfer, i);
		if (transfer->requestor == window && (gone
			|| (transfer->property == property && !send_piece(offer, transfer)))) {
			g_array_remove_index_fast(offer->transfers, i);
		}
	}
}

static void take_event(struct offer *offer, const xcb_generic_event_t *event)
{
	const xcb_property_notify_event_t *property = (const void *)event;
	switch (event->response_type & 0x7f) {
	case XCB_SELECTION_REQUEST:
		take_request(offer, (const void *)event);
		break;
	case XCB_SELECTION_CLEAR:
		offer->lost = true;
		break;
	case XCB_PROPERTY_NOTIFY:
		if (property->state == XCB_PROPERTY_DELETE && property->window != offer->window) {
			take_progress(offer, property->window, property->atom, false);
		}
		break;
	case XCB_DESTROY_NOTIFY:
		take_progress(offer, ((const xcb_destroy_notify_event_t *)event)->window, XCB_ATOM_NONE, true);
		break;
	}
}

/* Whether anybody still takes something from it. */
static bool is_busy(const struct offer *offer)
{
	gint64 now = g_get_monotonic_time();
	for (guint i = 0; i < offer->transfers->len; i++) {
		if (now - g_array_index(offer->transfers, struct transfer, i).moved < TRANSFER_MS * 1000) {
			return true;
		}
	}
	return false;
}

static void serve(struct offer *offer)
{
	for (;;) {
		xcb_generic_event_t *event;
		while ((event = xcb_poll_for_event(offer->c)) != NULL) {
			take_event(offer, event);
			free(event);
		}
		xcb_flush(offer->c);
		g_mutex_lock(&offer->lock);
		bool stop = offer->stop;
		g_mutex_unlock(&offer->lock);
		if (xcb_connection_has_error(offer->c) != 0 || stop || (offer->lost && !is_busy(offer))) {
			return;
		}
		struct pollfd fds[] = {
			{ .fd = xcb_get_file_descriptor(offer->c), .events = POLLIN },
			{ .fd = offer->wake, .events = POLLIN },
		};
		poll(fds, G_N_ELEMENTS(fds), offer->lost ? 1000 : -1);
	}
}

static void say(struct offer *offer, bool owned, bool ended)
{
	g_mutex_lock(&offer->lock);
	offer->owned |= owned;
	offer->ended |= ended;
	g_cond_broadcast(&offer->changed);
	g_mutex_unlock(&offer->lock);
}

static gpointer offer_main(gpointer data)
{
	struct offer *offer = data;
	if (take(offer)) {
		say(offer, true, false);
		serve(offer);
	}
	/* The selection goes with the connection. */
	xcb_disconnect(offer->c);
	say(offer, false, true);
	offer_unref(offer);
	return NULL;
}

struct offer *offer_new(const char *display, const GPtrArray *clips)
{
	struct offer *offer = g_new0(struct offer, 1);
	g_atomic_ref_count_init(&offer->references);
	g_atomic_ref_count_inc(&offer->references);
	offer->display = g_strdup(display);
	offer->clips = g_ptr_array_new_with_free_func(clip_free);
	for (guint i = 0; i < clips->len; i++) {
		const struct clip *clip = clips->pdata[i];
		struct clip *copy = g_new0(struct clip, 1);
		*copy = (struct clip){ g_strdup(clip->type), g_bytes_ref(clip->data) };
		g_ptr_array_add(offer->clips, copy);
	}
	offer->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	g_mutex_init(&offer->lock);
	g_cond_init(&offer->changed);
	offer->parts = g_array_new(FALSE, FALSE, sizeof(struct answer_part));
	offer->transfers = g_array_new(FALSE, FALSE, sizeof(struct transfer));
	g_thread_unref(g_thread_new("clipboard", offer_main, offer));
	return offer;
}

bool offer_wait(struct offer *offer, struct deadline deadline, GError **error)
{
	g_mutex_lock(&offer->lock);
	while (!offer->owned && !offer->ended && g_cond_wait_until(&offer->changed, &offer->lock, deadline.at)) {
	}
	bool owned = offer->owned;
	if (!owned) {
		g_set_error(error, CUA_ERROR, offer->ended ? ERROR_NO_DISPLAY : ERROR_DEADLINE_EXCEEDED, offer->ended
			? "The X server does not give us the clipboard" : "No answer in time from the X server");
	}
	g_mutex_unlock(&offer->lock);
	return owned;
}

void offer_stop(struct offer *offer)
{
	g_mutex_lock(&offer->lock);
	offer->stop = true;
	g_mutex_unlock(&offer->lock);
	eventfd_write(offer->wake, 1);
}

void offer_join(struct offer *offer, struct deadline deadline)
{
	g_mutex_lock(&offer->lock);
	while (!offer->ended && g_cond_wait_until(&offer->changed, &offer->lock, deadline.at)) {
	}
	g_mutex_unlock(&offer->lock);
}
