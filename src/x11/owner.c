/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xcb/res.h>

#include "x11/describe.h"

unsigned x11_owners_ask(struct x11_server *server, GArray *tops)
{
	if (!server->has_res || tops->len == 0) {
		return 0;
	}
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	g_autofree xcb_res_client_id_spec_t *specs = g_new(xcb_res_client_id_spec_t, tops->len);
	uint32_t count = 0;
	for (guint i = 0; i < tops->len; i++) {
		xcb_window_t client = g_array_index(tops, struct x11_top, i).id & ~server->id_mask;
		if (g_hash_table_add(seen, GUINT_TO_POINTER(client))) {
			specs[count].client = client;
			specs[count++].mask = XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID;
		}
	}
	return xcb_res_query_client_ids(server->c, count, specs).sequence;
}

GHashTable *x11_owners_collect(struct x11_server *server, unsigned sequence)
{
	GHashTable *pids = g_hash_table_new(NULL, NULL);
	xcb_res_query_client_ids_reply_t *reply = x11_reply(server, sequence);
	if (reply == NULL) {
		return pids;
	}
	xcb_res_client_id_value_iterator_t it = xcb_res_query_client_ids_ids_iterator(reply);
	for (; it.rem > 0; xcb_res_client_id_value_next(&it)) {
		if (xcb_res_client_id_value_value_length(it.data) > 0) {
			uint32_t client = it.data->spec.client & ~server->id_mask;
			uint32_t pid = *xcb_res_client_id_value_value(it.data);
			g_hash_table_insert(pids, GUINT_TO_POINTER(client), GUINT_TO_POINTER(pid));
		}
	}
	free(reply);
	return pids;
}

static bool lives(pid_t pid)
{
	return pid > 0 && (kill(pid, 0) == 0 || errno == EPERM);
}

/* Whether WM_CLIENT_MACHINE names this machine; with or without its domain. */
static bool is_here(const char *machine)
{
	char host[256] = "";
	if (machine == NULL || gethostname(host, sizeof host - 1) != 0) {
		return true;
	}
	gsize length = strcspn(host, ".");
	return strncmp(machine, host, length) == 0
		&& (machine[length] == '\0' || machine[length] == '.');
}

pid_t x11_owner(const struct x11_sighting *sighting)
{
	if (lives(sighting->known_pid)) {
		return sighting->known_pid;
	}
	return lives(sighting->claimed_pid) && is_here(sighting->machine) ? sighting->claimed_pid : 0;
}

char *x11_process_name(pid_t pid)
{
	char path[64];
	g_snprintf(path, sizeof path, "/proc/%d/comm", (int)pid);
	g_autofree char *comm = NULL;
	if (pid <= 0 || !g_file_get_contents(path, &comm, NULL, NULL)) {
		return g_strdup("");
	}
	return g_utf8_make_valid(g_strchomp(comm), -1);
}
