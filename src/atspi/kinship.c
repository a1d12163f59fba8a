/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/kinship.h"

#include <stdio.h>
#include <string.h>

#include "core/file.h"

/* More than there are between any two. */
#define GENERATIONS 64
#define MOST_BYTES 65536
/* The bus daemon answers at once. */
#define BUS_MS 1000
/* Bus names in one tree. */
#define MOST_SHOWERS 64

/* --- Processes -------------------------------------------------------------------------------- */

static char *read_proc(pid_t pid, const char *name)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/%s", (int)pid, name);
	return file_read(path, MOST_BYTES, NULL, NULL);
}

static pid_t parent_of(pid_t pid)
{
	g_autofree char *text = read_proc(pid, "stat");
	int parent = 0;
	/* The name in brackets may hold anything. */
	const char *end = text != NULL ? strrchr(text, ')') : NULL;
	return end != NULL && sscanf(end, ") %*c %d", &parent) == 1 ? (pid_t)parent : 0;
}

bool kinship_is_below(pid_t pid, pid_t ancestor)
{
	for (int i = 0; i < GENERATIONS && pid > 1; i++) {
		if (pid == ancestor) {
			return true;
		}
		pid = parent_of(pid);
	}
	return false;
}

/* The Flatpak application that a process is of, as Flatpak wrote it into its root, which the
 * process cannot change; NULL: of none. */
static char *flatpak_of(pid_t pid)
{
	g_autofree char *text = read_proc(pid, "root/.flatpak-info");
	g_autoptr(GKeyFile) keys = g_key_file_new();
	return text != NULL
			&& g_key_file_load_from_data(keys, text, (gsize)-1, G_KEY_FILE_NONE, NULL)
		? g_key_file_get_string(keys, "Application", "name", NULL)
		: NULL;
}

bool kinship_may_show(pid_t shower, pid_t window)
{
	if (shower <= 0 || window <= 0) {
		return false;
	}
	if (kinship_is_below(shower, window)) {
		return true;
	}
	g_autofree char *one = flatpak_of(shower), *other = one != NULL ? flatpak_of(window) : NULL;
	return one != NULL && g_strcmp0(one, other) == 0;
}

/* --- Trees ------------------------------------------------------------------------------------ */

/* Somebody who answers for a part of the tree. */
struct shower {
	const char *name;        /* borrowed from an element */
	pid_t pid;               /* 0: nobody can tell */
	bool foreign;
};

static void on_pid(struct message *reply, void *data)
{
	struct shower *shower = data;
	uint32_t pid;
	if (!message_is_error(reply) && message_read(reply, "u", &pid) > 0) {
		shower->pid = (pid_t)pid;
	}
}

static struct shower *find(GArray *showers, const char *name)
{
	for (guint i = 0; i < showers->len; i++) {
		struct shower *shower = &g_array_index(showers, struct shower, i);
		if (strcmp(shower->name, name) == 0) {
			return shower;
		}
	}
	return NULL;
}

/* All that answer, the root's first; more than fit are not asked for. */
static GArray *collect(const struct tree *tree)
{
	GArray *showers = g_array_new(FALSE, TRUE, sizeof(struct shower));
	const char *last = NULL;
	for (guint i = 0; i < tree->elements->len && showers->len < MOST_SHOWERS; i++) {
		const struct element *element = tree->elements->pdata[i];
		if ((last == NULL || strcmp(element->provider, last) != 0)
			&& find(showers, element->provider) == NULL) {
			const struct shower shower = { .name = element->provider };
			g_array_append_val(showers, shower);
		}
		last = element->provider;
	}
	return showers;
}

static void judge(GArray *showers, pid_t window)
{
	const struct shower *root = &g_array_index(showers, struct shower, 0);
	for (guint i = 1; i < showers->len; i++) {
		struct shower *shower = &g_array_index(showers, struct shower, i);
		/* A name that is not unique may be somebody else's the next moment. */
		shower->foreign = shower->name[0] != ':'
			|| !(kinship_may_show(shower->pid, window)
				|| kinship_may_show(shower->pid, root->pid));
	}
}

void kinship_mark(
	struct link *link, struct tree *tree, const struct window *window, struct deadline deadline)
{
	g_autoptr(GArray) showers = collect(tree);
	if (showers->len < 2) {
		return;
	}
	for (guint i = 0; i < showers->len && !link->broken; i++) {
		struct shower *shower = &g_array_index(showers, struct shower, i);
		link_send(link, "org.freedesktop.DBus", "/org/freedesktop/DBus",
			"org.freedesktop.DBus", "GetConnectionUnixProcessID", on_pid, shower, "s",
			shower->name);
	}
	if (!link->broken) {
		link_pump(link, deadline_within(deadline, BUS_MS), NULL);
	}
	judge(showers, window->pid);
	pid_t own = g_array_index(showers, struct shower, 0).pid;
	for (guint i = 0; i < tree->elements->len; i++) {
		struct element *element = tree->elements->pdata[i];
		const struct shower *shower = find(showers, element->provider);
		element->foreign = shower == NULL || shower->foreign;
		element->pid = shower != NULL && shower->pid != own && shower->pid != window->pid
			? shower->pid
			: 0;
	}
}
