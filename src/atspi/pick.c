/* SPDX-License-Identifier: MIT */
/* Selecting an item in its container: what a click on a row, tab or cell comes to. */
#include "config.h"

#include <string.h>

#include "atspi/atspi.h"
#include "atspi/node.h"
#include "atspi/pool.h"
#include "atspi/role.h"

#define SELECTION "org.a11y.atspi.Selection"
#define TABLE "org.a11y.atspi.Table"
/* A label in a cell in a row in a list. */
#define DEEPEST_ITEM 4

/* An object on the way up from the element, and the one it is in. */
struct rung_up {
	char *name, *path;         /* the object; owned */
	char *parent, *parent_path; /* what it is in; owned, NULL if it told none */
	int place;
	uint32_t role;             /* of the parent */
	uint64_t states;
	unsigned interfaces;
};

static bool is_error(sd_bus_message *reply)
{
	return sd_bus_message_is_method_error(reply, NULL) > 0;
}

static void on_parent(sd_bus_message *reply, void *data)
{
	struct rung_up *up = data;
	const char *name, *path;
	if (!is_error(reply) && sd_bus_message_read(reply, "v", "(so)", &name, &path) > 0
		&& name[0] != '\0') {
		up->parent = g_strdup(name);
		up->parent_path = g_strdup(path);
	}
}

static void on_place(sd_bus_message *reply, void *data)
{
	struct rung_up *up = data;
	int32_t place;
	if (!is_error(reply) && sd_bus_message_read(reply, "i", &place) > 0) {
		up->place = place;
	}
}

static void on_role(sd_bus_message *reply, void *data)
{
	struct rung_up *up = data;
	if (!is_error(reply)) {
		sd_bus_message_read(reply, "u", &up->role);
	}
}

static void on_states(sd_bus_message *reply, void *data)
{
	struct rung_up *up = data;
	if (!is_error(reply)) {
		up->states = node_read_states(reply);
	}
}

static void on_interfaces(sd_bus_message *reply, void *data)
{
	struct rung_up *up = data;
	if (!is_error(reply)) {
		up->interfaces = node_read_interfaces(reply);
	}
}

static void on_int(sd_bus_message *reply, void *data)
{
	int32_t *number = data;
	if (!is_error(reply)) {
		sd_bus_message_read(reply, "i", number);
	}
}

static void on_bool(sd_bus_message *reply, void *data)
{
	int *truth = data;
	if (!is_error(reply)) {
		sd_bus_message_read(reply, "b", truth);
	}
}

static void on_rows(sd_bus_message *reply, void *data)
{
	GArray *rows = data;
	const void *numbers;
	size_t size;
	if (!is_error(reply) && sd_bus_message_read_array(reply, 'i', &numbers, &size) >= 0) {
		g_array_append_vals(rows, numbers, (guint)(size / sizeof(int32_t)));
	}
}

static void up_clear(struct rung_up *up)
{
	g_free(up->name);
	g_free(up->path);
	g_free(up->parent);
	g_free(up->parent_path);
	*up = (struct rung_up){ 0 };
}

static bool look_up(struct link *link, struct rung_up *up, struct deadline deadline, GError **error)
{
	up->place = -1;
	link_get(link, up->name, up->path, ACCESSIBLE, "Parent", on_parent, up);
	link_send(link, up->name, up->path, ACCESSIBLE, "GetIndexInParent", on_place, up, NULL);
	if (!link_pump(link, deadline, error)) {
		return false;
	}
	if (up->parent == NULL) {
		return true;
	}
	link_send(link, up->parent, up->parent_path, ACCESSIBLE, "GetRole", on_role, up, NULL);
	link_send(link, up->parent, up->parent_path, ACCESSIBLE, "GetState", on_states, up, NULL);
	link_send(link, up->parent, up->parent_path, ACCESSIBLE, "GetInterfaces", on_interfaces, up, NULL);
	return link_pump(link, deadline, error);
}

/* The row of that cell; what else was selected is not any more. */
static bool pick_row(struct link *link, const struct rung_up *up, struct deadline deadline,
	GError **error)
{
	int32_t row = -1;
	int accepted = 0;
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(int32_t));
	link_send(link, up->parent, up->parent_path, TABLE, "GetRowAtIndex", on_int, &row, "i", up->place);
	if (!link_pump(link, deadline, error) || row < 0) {
		return false;
	}
	link_send(link, up->parent, up->parent_path, TABLE, "AddRowSelection", on_bool, &accepted, "i", row);
	link_send(link, up->parent, up->parent_path, TABLE, "GetSelectedRows", on_rows, rows, NULL);
	if (!link_pump(link, deadline, error)) {
		return false;
	}
	bool there = false;
	int ignored = 0;
	for (guint i = 0; i < rows->len; i++) {
		int32_t other = g_array_index(rows, int32_t, i);
		there |= other == row;
		if (other != row) {
			link_send(link, up->parent, up->parent_path, TABLE, "RemoveRowSelection", on_bool,
				&ignored, "i", other);
		}
	}
	/* GTK3 answers no when it was selected before. */
	return link_pump(link, deadline, error) && (accepted != 0 || there);
}

static bool pick_child(struct link *link, const struct rung_up *up, bool was, struct deadline deadline,
	GError **error)
{
	int accepted = 0, cleared = 0;
	if ((up->states >> ATSPI_MULTISELECTABLE & 1) != 0) {
		link_send(link, up->parent, up->parent_path, SELECTION, "ClearSelection", on_bool, &cleared,
			NULL);
	}
	link_send(link, up->parent, up->parent_path, SELECTION, "SelectChild", on_bool, &accepted, "i",
		up->place);
	return link_pump(link, deadline, error) && (accepted != 0 || was);
}

/* Menus and combo boxes have selections, too, but their items are not picked by one click. */
static bool is_container(const struct rung_up *up)
{
	return up->role != ROLE_MENU && up->role != ROLE_MENU_BAR && up->role != ROLE_COMBO_BOX;
}

static bool ends_there(const struct rung_up *up)
{
	static const char *const roles[] = {
		"panel", "filler", "label", "table row", "table cell", "list item", "tree item", "section",
		"page tab", "image", NULL,
	};
	return up->parent == NULL || up->place < 0 || !is_container(up)
		|| !g_strv_contains(roles, role_name(up->role));
}

static enum delivered pick(struct link *link, const struct element *now, bool rows,
	struct deadline deadline, GError **error)
{
	struct rung_up up = { .name = g_strdup(now->provider), .path = g_strdup(now->object) };
	enum delivered delivered = DELIVERED_NONE;
	GError *problem = NULL;
	for (int depth = 0; depth < DEEPEST_ITEM; depth++) {
		if (!look_up(link, &up, deadline, &problem)) {
			break;
		}
		bool by_row = rows && (up.interfaces & INTERFACE_TABLE) != 0;
		if (up.parent != NULL && up.place >= 0 && is_container(&up)
			&& (by_row || (up.interfaces & INTERFACE_SELECTION) != 0)) {
			bool was = depth == 0 && (now->states & STATE_SELECTED) != 0;
			bool done = by_row ? pick_row(link, &up, deadline, &problem)
				: pick_child(link, &up, was, deadline, &problem);
			delivered = done ? DELIVERED_FULL : DELIVERED_UNKNOWN;
			break;
		}
		if (ends_there(&up)) {
			break;
		}
		struct rung_up next = {
			.name = g_steal_pointer(&up.parent), .path = g_steal_pointer(&up.parent_path),
		};
		up_clear(&up);
		up = next;
	}
	up_clear(&up);
	if (delivered == DELIVERED_UNKNOWN && problem == NULL) {
		problem = g_error_new(CUA_ERROR, ERROR_DELIVERY_FAILED,
			"The application refused to select the %s \"%s\"", now->role, now->name);
	} else if (delivered == DELIVERED_NONE && problem == NULL) {
		problem = g_error_new(CUA_ERROR, ERROR_BACKGROUND_UNAVAILABLE,
			"The %s \"%s\" has no action that a click could stand for, and is in nothing that could "
			"select it", now->role, now->name);
	}
	if (problem != NULL) {
		g_propagate_error(error, problem);
	}
	return delivered;
}

enum delivered atspi_pick(struct atspi *atspi, const struct element *now, bool rows,
	struct deadline deadline, GError **error)
{
	struct link *link = pool_borrow(atspi, deadline, error);
	if (link == NULL) {
		return DELIVERED_NONE;
	}
	enum delivered delivered = pick(link, now, rows, deadline, error);
	pool_return(atspi, link);
	return delivered;
}
