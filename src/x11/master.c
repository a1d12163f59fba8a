/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/master.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/xinput.h>

#define PREFIX "cua-driver "
#define POINTER_SUFFIX " pointer"

void master_name(char name[MASTER_NAME], int place, int pid)
{
	snprintf(name, MASTER_NAME, PREFIX "%d %d", place, pid);
}

int master_place(const char *name)
{
	int place = g_str_has_prefix(name, PREFIX) ? name[strlen(PREFIX)] - '0' : -1;
	return place < MASTER_PLACES ? MAX(place, -1) : -1;
}

/* False if the device is not the pointer of a driver's pair. */
static bool read_master(const xcb_input_xi_device_info_t *info, struct master *master)
{
	g_autofree char *name = g_strndup(xcb_input_xi_device_info_name(info), info->name_len);
	int place = master_place(name);
	if (info->type != XCB_INPUT_DEVICE_TYPE_MASTER_POINTER || place < 0
		|| !g_str_has_suffix(name, POINTER_SUFFIX)) {
		return false;
	}
	name[strlen(name) - strlen(POINTER_SUFFIX)] = '\0';
	*master = (struct master){ .place = place, .pointer = info->deviceid,
		.keyboard = info->attachment };
	g_strlcpy(master->name, name, sizeof master->name);
	return true;
}

GArray *masters_list(struct x11_server *server)
{
	enum { ALL_MASTERS = XCB_INPUT_DEVICE_ALL_MASTER };
	GArray *masters = g_array_new(FALSE, FALSE, sizeof(struct master));
	xcb_input_xi_query_device_reply_t *reply = x11_reply(server,
		xcb_input_xi_query_device(server->c, ALL_MASTERS).sequence);
	if (reply == NULL) {
		return masters;
	}
	xcb_input_xi_device_info_iterator_t it = xcb_input_xi_query_device_infos_iterator(reply);
	for (; it.rem > 0; xcb_input_xi_device_info_next(&it)) {
		struct master master;
		if (read_master(it.data, &master)) {
			g_array_append_val(masters, master);
		}
	}
	free(reply);
	return masters;
}

bool masters_find(const GArray *masters, const char *name, struct master *found)
{
	for (guint i = 0; i < masters->len; i++) {
		const struct master *master = &g_array_index(masters, struct master, i);
		if (strcmp(master->name, name) == 0) {
			*found = *master;
			return true;
		}
	}
	return false;
}

void master_add(struct x11_server *server, const char *name)
{
	struct {
		xcb_input_add_master_t change;
		char name[MASTER_NAME];
	} request = { .change = {
		.type = XCB_INPUT_HIERARCHY_CHANGE_TYPE_ADD_MASTER,
		.len = (uint16_t)((sizeof(xcb_input_add_master_t) + (strlen(name) + 3) / 4 * 4) / 4),
		.name_len = (uint16_t)strlen(name), .send_core = 1, .enable = 1,
	} };
	g_strlcpy(request.name, name, sizeof request.name);
	xcb_input_xi_change_hierarchy(server->c, 1, (const xcb_input_hierarchy_change_t *)&request);
}

void master_remove(struct x11_server *server, const struct master *master)
{
	/* A real device that was attached to it goes back to the user's pair. */
	const xcb_input_remove_master_t change = {
		.type = XCB_INPUT_HIERARCHY_CHANGE_TYPE_REMOVE_MASTER, .len = sizeof change / 4,
		.deviceid = master->pointer, .return_mode = XCB_INPUT_CHANGE_MODE_ATTACH,
		.return_pointer = DEVICE_CORE_POINTER, .return_keyboard = DEVICE_CORE_KEYBOARD,
	};
	xcb_input_xi_change_hierarchy(server->c, 1, (const xcb_input_hierarchy_change_t *)&change);
}

static void ask_places(struct x11_server *server, xcb_atom_t places[MASTER_PLACES])
{
	unsigned sequences[MASTER_PLACES];
	for (int i = 0; i < MASTER_PLACES; i++) {
		g_autofree char *name = g_strdup_printf("_CUA_DRIVER_PAIR_%d", i);
		sequences[i] = xcb_intern_atom(server->c, false, (uint16_t)strlen(name), name).sequence;
	}
	for (int i = 0; i < MASTER_PLACES; i++) {
		xcb_intern_atom_reply_t *reply = x11_reply(server, sequences[i]);
		places[i] = reply != NULL ? reply->atom : XCB_ATOM_NONE;
		free(reply);
	}
}

void master_owners(struct x11_server *server, xcb_window_t owners[MASTER_PLACES])
{
	xcb_atom_t places[MASTER_PLACES];
	unsigned sequences[MASTER_PLACES];
	ask_places(server, places);
	for (int i = 0; i < MASTER_PLACES; i++) {
		sequences[i] = xcb_get_selection_owner(server->c, places[i]).sequence;
	}
	for (int i = 0; i < MASTER_PLACES; i++) {
		xcb_get_selection_owner_reply_t *reply = x11_reply(server, sequences[i]);
		/* Not known is not free. */
		owners[i] = reply != NULL ? reply->owner : server->root;
		free(reply);
	}
}

void master_own(struct x11_server *server, int place, xcb_window_t owner)
{
	xcb_atom_t places[MASTER_PLACES];
	ask_places(server, places);
	xcb_set_selection_owner(server->c, owner, places[place], XCB_CURRENT_TIME);
}

GArray *masters_orphans(struct x11_server *server)
{
	xcb_window_t owners[MASTER_PLACES];
	master_owners(server, owners);
	GArray *masters = masters_list(server);
	for (guint i = masters->len; i-- > 0;) {
		if (owners[g_array_index(masters, struct master, i).place] != XCB_WINDOW_NONE) {
			g_array_remove_index(masters, i);
		}
	}
	return masters;
}
