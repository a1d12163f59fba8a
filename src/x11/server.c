/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <xcb/composite.h>
#include <xcb/randr.h>
#include <xcb/res.h>
#include <xcb/shape.h>
#include <xcb/sync.h>
#include <xcb/xinput.h>
#include <xcb/xkb.h>
#include <xcb/xtest.h>

#include "x11/ahead.h"
#include "x11/image.h"
#include "x11/conn.h"

/* Opening and closing of one connection. All of it may block: it runs in the connecting thread. */

static const char *const atom_names[] = {
#define X11_ATOM(name) #name,
	X11_ATOMS(X11_ATOM)
#undef X11_ATOM
};

static bool intern_atoms(struct x11_server *server, int screen)
{
	g_autofree char *compositor = g_strdup_printf("_NET_WM_CM_S%d", screen);
	xcb_intern_atom_cookie_t cookies[ATOM_COUNT];
	for (int i = 0; i < ATOM_COUNT; i++) {
		const char *name = i == ATOM_COMPOSITOR ? compositor : atom_names[i];
		cookies[i] = xcb_intern_atom(server->c, false, (uint16_t)strlen(name), name);
	}
	bool ok = true;
	for (int i = 0; i < ATOM_COUNT; i++) {
		xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(server->c, cookies[i], NULL);
		server->atoms[i] = reply != NULL ? reply->atom : XCB_ATOM_NONE;
		ok = ok && reply != NULL;
		free(reply);
	}
	return ok;
}

static bool has_extension(struct x11_server *server, xcb_extension_t *extension)
{
	const xcb_query_extension_reply_t *data = xcb_get_extension_data(server->c, extension);
	return data != NULL && data->present;
}

/*
 * XRes numbers processes as the server sees them. Only when it numbers us as we do ourselves are we
 * in its pid namespace and on its machine, and can its numbers be used.
 */
static bool same_processes(struct x11_server *server)
{
	xcb_res_client_id_spec_t self = {
		.client = xcb_get_setup(server->c)->resource_id_base,
		.mask = XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID,
	};
	xcb_res_query_client_ids_reply_t *reply = xcb_res_query_client_ids_reply(server->c,
		xcb_res_query_client_ids(server->c, 1, &self), NULL);
	if (reply == NULL) {
		return false;
	}
	bool same = false;
	xcb_res_client_id_value_iterator_t it = xcb_res_query_client_ids_ids_iterator(reply);
	if (it.rem > 0 && xcb_res_client_id_value_value_length(it.data) > 0) {
		same = *xcb_res_client_id_value_value(it.data) == (uint32_t)getpid();
	}
	free(reply);
	return same;
}

/* Descriptors travel over unix sockets only; libxcb breaks the connection when they cannot. */
static bool local_socket(struct x11_server *server)
{
	struct sockaddr_storage peer = { 0 };
	socklen_t length = sizeof peer;
	return getpeername(xcb_get_file_descriptor(server->c), (struct sockaddr *)&peer, &length) == 0
		&& peer.ss_family == AF_UNIX;
}

/* Extensions must hear our version before their first request. Their replies say what they can. */
static void query_extensions(struct x11_server *server)
{
	xcb_connection_t *c = server->c;
	xcb_extension_t *const used[] = { &xcb_composite_id, &xcb_damage_id, &xcb_randr_id, &xcb_res_id,
		&xcb_shape_id, &xcb_shm_id, &xcb_sync_id, &xcb_input_id, &xcb_test_id, &xcb_xfixes_id, &xcb_xkb_id };
	for (gsize i = 0; i < G_N_ELEMENTS(used); i++) {
		xcb_prefetch_extension_data(c, used[i]);
	}
	if (has_extension(server, &xcb_composite_id)) {
		xcb_composite_query_version_reply_t *reply = xcb_composite_query_version_reply(c,
			xcb_composite_query_version(c, 0, 4), NULL);
		server->has_composite = reply != NULL
			&& (reply->major_version > 0 || reply->minor_version >= 2);
		free(reply);
	}
	if (has_extension(server, &xcb_damage_id) && has_extension(server, &xcb_xfixes_id)) {
		/* Damage is told in regions, which are of the other extension. */
		xcb_xfixes_query_version_reply_t *regions = xcb_xfixes_query_version_reply(c,
			xcb_xfixes_query_version(c, 2, 0), NULL);
		xcb_damage_query_version_reply_t *reply = xcb_damage_query_version_reply(c,
			xcb_damage_query_version(c, 1, 1), NULL);
		server->has_damage = reply != NULL && regions != NULL && regions->major_version >= 2;
		free(regions);
		server->damage_notify = xcb_get_extension_data(c, &xcb_damage_id)->first_event
			+ XCB_DAMAGE_NOTIFY;
		server->selection_notify = xcb_get_extension_data(c, &xcb_xfixes_id)->first_event
			+ XCB_XFIXES_SELECTION_NOTIFY;
		free(reply);
	}
	if (has_extension(server, &xcb_randr_id)) {
		xcb_randr_query_version_reply_t *reply = xcb_randr_query_version_reply(c,
			xcb_randr_query_version(c, 1, 5), NULL);
		server->has_randr = reply != NULL && (reply->major_version > 1
			|| (reply->major_version == 1 && reply->minor_version >= 5));
		free(reply);
	}
	if (has_extension(server, &xcb_input_id)) {
		xcb_input_xi_query_version_reply_t *reply = xcb_input_xi_query_version_reply(c,
			xcb_input_xi_query_version(c, 2, 2), NULL);
		server->has_xinput = reply != NULL && reply->major_version >= 2;
		server->xinput_opcode = xcb_get_extension_data(c, &xcb_input_id)->major_opcode;
		free(reply);
	}
	if (has_extension(server, &xcb_xkb_id)) {
		xcb_xkb_use_extension_reply_t *reply = xcb_xkb_use_extension_reply(c,
			xcb_xkb_use_extension(c, XCB_XKB_MAJOR_VERSION, XCB_XKB_MINOR_VERSION), NULL);
		server->has_xkb = reply != NULL && reply->supported;
		free(reply);
	}
	server->has_xtest = has_extension(server, &xcb_test_id);
	server->has_sync = has_extension(server, &xcb_sync_id);
	server->has_shape = has_extension(server, &xcb_shape_id);
	if (has_extension(server, &xcb_res_id)) {
		xcb_res_query_version_reply_t *reply = xcb_res_query_version_reply(c,
			xcb_res_query_version(c, 1, 2), NULL);
		bool knows_pids = reply != NULL && (reply->server_major > 1
			|| (reply->server_major == 1 && reply->server_minor >= 2));
		server->has_res = knows_pids && same_processes(server);
		free(reply);
	}
	if (has_extension(server, &xcb_shm_id) && local_socket(server)) {
		xcb_shm_query_version_reply_t *reply = xcb_shm_query_version_reply(c,
			xcb_shm_query_version(c), NULL);
		server->has_shm = reply != NULL && (reply->major_version > 1
			|| (reply->major_version == 1 && reply->minor_version >= 2));
		free(reply);
	}
}

static xcb_screen_t *nth_screen(xcb_connection_t *c, int n)
{
	xcb_screen_iterator_t it = xcb_setup_roots_iterator(xcb_get_setup(c));
	for (; it.rem > 0 && n > 0; n--) {
		xcb_screen_next(&it);
	}
	return it.rem > 0 ? it.data : NULL;
}

struct x11_server *x11_server_open(const char *display, char **why)
{
	int number = 0;
	xcb_connection_t *c = xcb_connect(display, &number);
	int broken = xcb_connection_has_error(c);
	xcb_screen_t *screen = broken == 0 ? nth_screen(c, number) : NULL;
	if (screen == NULL) {
		*why = g_strdup_printf(broken == XCB_CONN_CLOSED_PARSE_ERR
			? "DISPLAY %s is not the name of an X display"
			: "Cannot connect to the X server %s: it does not run, or does not let us in", display);
		xcb_disconnect(c);
		return NULL;
	}
	struct x11_server *server = g_new0(struct x11_server, 1);
	server->c = c;
	server->root = screen->root;
	server->id_mask = xcb_get_setup(c)->resource_id_mask;
	for (int i = 0; i < SEGMENTS; i++) {
		server->segments[i].id = xcb_generate_id(c);
	}
	server->pixmap = xcb_generate_id(c);
	server->damage = xcb_generate_id(c);
	server->region = xcb_generate_id(c);
	server->specimen = xcb_generate_id(c);
	server->specimen_pixmap = xcb_generate_id(c);
	server->specimen_gc = xcb_generate_id(c);
	server->clock = xcb_generate_id(c);
	server->pulse = xcb_generate_id(c);
	for (int i = 0; i < REDIRECTS_KEPT; i++) {
		server->redirects[i].damage = xcb_generate_id(c);
	}
	query_extensions(server);
	if (server->has_damage) {
		xcb_xfixes_create_region(c, server->region, 0, NULL);
	}
	if (!intern_atoms(server, number) || xcb_connection_has_error(c) != 0) {
		*why = g_strdup_printf("The X server %s went away while connecting", display);
		x11_server_close(server);
		return NULL;
	}
	return server;
}

void x11_server_close(struct x11_server *server)
{
	if (server == NULL) {
		return;
	}
	x11_image_forget(server);
	g_clear_error(&server->failure);
	xcb_disconnect(server->c);
	x11_ahead_free(server->ahead);
	g_free(server);
}
