/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xcb/res.h>

#include "x11/ahead.h"
#include "x11/describe.h"

GHashTable *x11_owners_ask(struct x11_server *server, GArray *tops)
{
	GHashTable *asked = g_hash_table_new(NULL, NULL);
	for (guint i = 0; server->has_res && i < tops->len; i++) {
		xcb_window_t client = g_array_index(tops, struct x11_top, i).id & ~server->id_mask;
		if (!g_hash_table_contains(asked, GUINT_TO_POINTER(client))) {
			g_hash_table_insert(asked, GUINT_TO_POINTER(client),
				GUINT_TO_POINTER(x11_ahead_ask(server, AHEAD_OWNER, client)));
		}
	}
	return asked;
}

GHashTable *x11_owners_collect(struct x11_server *server, GHashTable *asked)
{
	GHashTable *pids = g_hash_table_new(NULL, NULL);
	GHashTableIter iter;
	gpointer client, sequence;
	g_hash_table_iter_init(&iter, asked);
	while (g_hash_table_iter_next(&iter, &client, &sequence)) {
		xcb_res_query_client_ids_reply_t *reply = x11_reply(server, GPOINTER_TO_UINT(sequence));
		if (reply == NULL) {
			continue;
		}
		xcb_res_client_id_value_iterator_t it = xcb_res_query_client_ids_ids_iterator(reply);
		if (it.rem > 0 && xcb_res_client_id_value_value_length(it.data) > 0) {
			uint32_t pid = *xcb_res_client_id_value_value(it.data);
			g_hash_table_insert(pids, client, GUINT_TO_POINTER(pid));
		}
		free(reply);
	}
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
