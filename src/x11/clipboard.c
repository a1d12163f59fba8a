/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/clipboard.h"

#include <stdlib.h>
#include <string.h>
#include <xcb/xcb.h>

/* At the end of the driver an offer is taken back, if the server answers. */
#define END_MS 500
/* Words of a property that are asked for at once: all of it. */
#define ALL_WORDS 0x1fffffffu

struct clipboard {
	char *display;
	GMutex lock;
	struct offer *offer;     /* the last one; NULL: none */
	struct session *session; /* whose it is; a name only */
	GHashTable *heard;       /* set of sessions that tell when they end */
};

struct clipboard *clipboard_new(const char *display)
{
	struct clipboard *clipboard = g_new0(struct clipboard, 1);
	clipboard->display = g_strdup(display != NULL ? display : g_getenv("DISPLAY"));
	g_mutex_init(&clipboard->lock);
	clipboard->heard = g_hash_table_new(NULL, NULL);
	return clipboard;
}

void clipboard_free(struct clipboard *clipboard)
{
	if (clipboard == NULL) {
		return;
	}
	if (clipboard->offer != NULL) {
		offer_stop(clipboard->offer);
		offer_join(clipboard->offer, deadline_in(END_MS, NULL));
		offer_unref(clipboard->offer);
	}
	g_hash_table_unref(clipboard->heard);
	g_mutex_clear(&clipboard->lock);
	g_free(clipboard->display);
	g_free(clipboard);
}

static void on_session_end(struct session *session, void *data)
{
	struct clipboard *clipboard = data;
	g_mutex_lock(&clipboard->lock);
	g_hash_table_remove(clipboard->heard, session);
	if (clipboard->session == session && clipboard->offer != NULL) {
		offer_stop(clipboard->offer);
	}
	g_mutex_unlock(&clipboard->lock);
}

bool clipboard_write(struct clipboard *clipboard, struct session *session, const GPtrArray *clips,
	struct deadline deadline, GError **error)
{
	struct offer *offer = offer_new(clipboard->display, clips);
	if (!offer_wait(offer, deadline, error)) {
		offer_stop(offer);
		offer_unref(offer);
		return false;
	}
	g_mutex_lock(&clipboard->lock);
	bool lives = g_hash_table_contains(clipboard->heard, session)
		|| session_on_end(session, on_session_end, clipboard);
	g_hash_table_add(clipboard->heard, session);
	if (clipboard->offer != NULL) {
		/* It has lost the selection to this one already. */
		offer_unref(clipboard->offer);
	}
	clipboard->offer = offer;
	clipboard->session = session;
	if (!lives) {
		offer_stop(offer);
	}
	g_mutex_unlock(&clipboard->lock);
	return true;
}

/* --- What others offer ------------------------------------------------------------------------- */

/* One look, shared by who waits and the thread that looks. */
struct looking {
	gatomicrefcount references;
	char *display, *type;    /* type NULL: which there are */
	gsize most;
	struct deadline deadline;
	GMutex lock;
	GCond changed;
	bool done;
	GPtrArray *types;
	GByteArray *bytes;
	GError *error;
};

static void looking_unref(struct looking *looking)
{
	if (!g_atomic_ref_count_dec(&looking->references)) {
		return;
	}
	g_free(looking->display);
	g_free(looking->type);
	g_clear_pointer(&looking->types, g_ptr_array_unref);
	g_clear_pointer(&looking->bytes, g_byte_array_unref);
	g_clear_error(&looking->error);
	g_clear_object(&looking->deadline.cancel);
	g_mutex_clear(&looking->lock);
	g_cond_clear(&looking->changed);
	g_free(looking);
}

xcb_atom_t clipboard_atom(xcb_connection_t *c, const char *name)
{
	xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(c, xcb_intern_atom(c, 0, (uint16_t)strlen(name),
		name), NULL);
	xcb_atom_t atom = reply != NULL ? reply->atom : XCB_ATOM_NONE;
	free(reply);
	return atom;
}

/* Waits for an event of that type that is about `atom`: a property of ours, or the selection. */
static xcb_generic_event_t *await(xcb_connection_t *c, unsigned type, xcb_atom_t atom, struct looking *looking)
{
	for (;;) {
		xcb_generic_event_t *event = xcb_poll_for_event(c);
		if (event == NULL) {
			if (xcb_connection_has_error(c) != 0) {
				g_set_error(&looking->error, CUA_ERROR, ERROR_NO_DISPLAY, "The X server went away");
				return NULL;
			}
			GError *problem = NULL;
			if (!deadline_poll(looking->deadline, xcb_get_file_descriptor(c), POLLIN, "the clipboard's owner",
				&problem)) {
				/* It is an application that did not answer. */
				problem->code = problem->code == ERROR_DEADLINE_EXCEEDED ? ERROR_APP_UNRESPONSIVE : problem->code;
				looking->error = problem;
				return NULL;
			}
			continue;
		}
		const xcb_property_notify_event_t *property = (const void *)event;
		const xcb_selection_notify_event_t *selection = (const void *)event;
		bool found = (event->response_type & 0x7f) == type && (type == XCB_PROPERTY_NOTIFY
			? property->atom == atom && property->state == XCB_PROPERTY_NEW_VALUE : selection->selection == atom);
		if (found) {
			return event;
		}
		free(event);
	}
}

static void take_types(xcb_connection_t *c, const xcb_get_property_reply_t *reply, struct looking *looking)
{
	int count = reply->format == 32 ? xcb_get_property_value_length(reply) / 4 : 0;
	const xcb_atom_t *atoms = xcb_get_property_value(reply);
	for (int i = 0; i < count; i++) {
		xcb_get_atom_name_reply_t *name = xcb_get_atom_name_reply(c, xcb_get_atom_name(c, atoms[i]), NULL);
		if (name != NULL) {
			g_ptr_array_add(looking->types, g_utf8_make_valid(xcb_get_atom_name_name(name), name->name_len));
		}
		free(name);
	}
}

/* Large data comes in pieces, each when the last one was deleted, until an empty one. */
static void take_pieces(xcb_connection_t *c, xcb_window_t window, xcb_atom_t place, struct looking *looking)
{
	int length = 1;
	while (length > 0 && looking->bytes->len <= looking->most) {
		xcb_generic_event_t *event = await(c, XCB_PROPERTY_NOTIFY, place, looking);
		if (event == NULL) {
			return;
		}
		free(event);
		xcb_get_property_reply_t *reply = xcb_get_property_reply(c, xcb_get_property(c, 1, window, place,
			XCB_ATOM_ANY, 0, ALL_WORDS), NULL);
		length = reply != NULL ? xcb_get_property_value_length(reply) : 0;
		if (length > 0) {
			g_byte_array_append(looking->bytes, xcb_get_property_value(reply), (guint)length);
		}
		free(reply);
	}
}

static void look(xcb_connection_t *c, struct looking *looking)
{
	xcb_atom_t clipboard = clipboard_atom(c, "CLIPBOARD"), place = clipboard_atom(c, "CUA_DRIVER_CLIPBOARD");
	xcb_atom_t incremental = clipboard_atom(c, "INCR");
	xcb_atom_t target = clipboard_atom(c, looking->type != NULL ? looking->type : "TARGETS");
	xcb_window_t window = xcb_generate_id(c);
	const uint32_t mask = XCB_EVENT_MASK_PROPERTY_CHANGE;
	xcb_create_window(c, 0, window, xcb_setup_roots_iterator(xcb_get_setup(c)).data->root, -1, -1, 1, 1, 0,
		XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK, &mask);
	xcb_get_selection_owner_reply_t *owner = xcb_get_selection_owner_reply(c,
		xcb_get_selection_owner(c, clipboard), NULL);
	bool empty = owner == NULL || owner->owner == XCB_WINDOW_NONE;
	free(owner);
	if (empty) {
		return;
	}
	xcb_convert_selection(c, window, clipboard, target, place, XCB_CURRENT_TIME);
	xcb_flush(c);
	xcb_selection_notify_event_t *notice = (void *)await(c, XCB_SELECTION_NOTIFY, clipboard, looking);
	bool refused = notice == NULL || notice->property == XCB_ATOM_NONE;
	free(notice);
	if (refused) {
		return;
	}
	xcb_get_property_reply_t *reply = xcb_get_property_reply(c, xcb_get_property(c, 1, window, place, XCB_ATOM_ANY, 0,
		ALL_WORDS), NULL);
	if (reply != NULL && looking->type == NULL) {
		take_types(c, reply, looking);
	} else if (reply != NULL) {
		looking->bytes = g_byte_array_new();
		if (reply->type == incremental) {
			take_pieces(c, window, place, looking);
		} else {
			g_byte_array_append(looking->bytes, xcb_get_property_value(reply),
				(guint)xcb_get_property_value_length(reply));
		}
	}
	free(reply);
}

static gpointer looking_main(gpointer data)
{
	struct looking *looking = data;
	xcb_connection_t *c = xcb_connect(looking->display, NULL);
	if (xcb_connection_has_error(c) == 0) {
		look(c, looking);
	} else {
		error_set(&looking->error, ERROR_NO_DISPLAY, "Cannot connect to the X server %s",
			looking->display != NULL ? looking->display : "");
	}
	xcb_disconnect(c);
	g_mutex_lock(&looking->lock);
	looking->done = true;
	g_cond_broadcast(&looking->changed);
	g_mutex_unlock(&looking->lock);
	looking_unref(looking);
	return NULL;
}

/* Returns when the look is done or the time is over; false with an error. The caller unrefs it. */
static struct looking *looking_run(struct clipboard *clipboard, const char *type, gsize most,
	struct deadline deadline, GError **error)
{
	struct looking *looking = g_new0(struct looking, 1);
	g_atomic_ref_count_init(&looking->references);
	g_atomic_ref_count_inc(&looking->references);
	looking->display = g_strdup(clipboard->display);
	looking->type = g_strdup(type);
	looking->most = most;
	looking->types = g_ptr_array_new_with_free_func(g_free);
	looking->deadline = deadline;
	if (deadline.cancel != NULL) {
		g_object_ref(deadline.cancel);
	}
	g_mutex_init(&looking->lock);
	g_cond_init(&looking->changed);
	g_thread_unref(g_thread_new("clipboard-look", looking_main, looking));
	g_mutex_lock(&looking->lock);
	while (!looking->done && g_cond_wait_until(&looking->changed, &looking->lock, deadline.at + G_USEC_PER_SEC)) {
	}
	bool failed = !looking->done || looking->error != NULL;
	if (!looking->done) {
		g_set_error(error, CUA_ERROR, ERROR_DEADLINE_EXCEEDED, "No answer in time from the X server");
	} else if (looking->error != NULL) {
		g_propagate_error(error, g_steal_pointer(&looking->error));
	}
	g_mutex_unlock(&looking->lock);
	if (failed) {
		looking_unref(looking);
		return NULL;
	}
	return looking;
}

GPtrArray *clipboard_types(struct clipboard *clipboard, struct deadline deadline, GError **error)
{
	struct looking *looking = looking_run(clipboard, NULL, 0, deadline, error);
	if (looking == NULL) {
		return NULL;
	}
	GPtrArray *types = g_steal_pointer(&looking->types);
	looking_unref(looking);
	return types;
}

GBytes *clipboard_read(struct clipboard *clipboard, const char *type, gsize most, struct deadline deadline,
	GError **error)
{
	struct looking *looking = looking_run(clipboard, type, most, deadline, error);
	if (looking == NULL) {
		return NULL;
	}
	/* What is gone by now, or was offered and is not given, is nothing. */
	GBytes *bytes = looking->bytes != NULL ? g_byte_array_free_to_bytes(g_steal_pointer(&looking->bytes))
		: g_bytes_new(NULL, 0);
	looking_unref(looking);
	return bytes;
}
