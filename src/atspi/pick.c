/* SPDX-License-Identifier: MIT */
/* Selecting an item in its container: what a click on a row, tab or cell comes to. */
#include "config.h"

#include <string.h>

#include "atspi/atspi.h"
#include "atspi/node.h"
#include "atspi/pool.h"
#include "atspi/reader.h"
#include "atspi/role.h"
#include "atspi/talk.h"

#define TABLE_INTERFACE "org.a11y.atspi.Table"
/* A label in a cell in a row in a list. */
#define DEEPEST_ITEM 4
/* So many are selected one by one. */
#define MOST_ROWS 500
/* So many are looked at to know whether they are selected. */
#define MOST_ITEMS 2000

/* What is picked, while the way goes up from the element to a container. */
struct pick {
	struct talk talk;      /* to whatever is looked at */
	char *name, *path;     /* of whom; owned */
	const struct element *now;
	int place;             /* of the one before in this one; -1 if it has none */
	bool rows;
	bool whole;            /* its table tells of what is selected only by whole rows */
	enum step step;
	bool refused;          /* the container would not select it, and did nothing */
	bool toggles;          /* what is selected there would not be any more if it were again */
};

static void turn_to(struct pick *pick, const char *name, const char *path)
{
	char *next_name = g_strdup(name), *next_path = g_strdup(path);
	g_free(pick->name);
	g_free(pick->path);
	pick->talk.name = pick->name = next_name;
	pick->talk.path = pick->path = next_path;
}

/* Turns to what the object is in; false if it is in nothing, or does not know where in it. */
static bool go_up(struct pick *pick)
{
	struct talk *talk = &pick->talk;
	struct message *reply = talk_ask(talk, ACCESSIBLE, "GetIndexInParent", NULL);
	int32_t place = -1;
	const char *name, *path;
	if (reply != NULL) {
		message_read(reply, "i", &place);
	}
	reply = talk_ask(talk, "org.freedesktop.DBus.Properties", "Get", "ss", ACCESSIBLE, "Parent");
	if (reply == NULL || message_read(reply, "v", "(so)", &name, &path) <= 0
		|| strcmp(name, pick->now->provider) != 0 || place < 0) {
		/* In nothing, or in what another application says is around it. */
		return false;
	}
	pick->place = place;
	turn_to(pick, name, path);
	return true;
}

/* The place that is meant among `count`; -1 if there is none. */
static int step_from(enum step step, int place, int count)
{
	switch (step) {
	case STEP_NEXT:
		return place + 1 < count ? place + 1 : -1;
	case STEP_PREVIOUS:
		return place - 1;
	case STEP_FIRST:
		return count > 0 ? 0 : -1;
	case STEP_LAST:
		return count - 1;
	default:
		return place;
	}
}

/* Whether another one than the element itself is meant. */
static bool moves(enum step step)
{
	return step != STEP_NONE && step != STEP_TURN && step != STEP_RANGE;
}

static GArray *selected_rows(struct pick *pick)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(int32_t));
	struct message *reply = talk_ask(&pick->talk, TABLE_INTERFACE, "GetSelectedRows", NULL);
	int32_t row;
	if (reply != NULL && message_enter(reply, 'a', "i") > 0) {
		while (message_read(reply, "i", &row) > 0) {
			g_array_append_val(rows, row);
		}
	}
	return rows;
}

static bool has_row(const GArray *rows, int32_t row)
{
	for (guint i = 0; i < rows->len; i++) {
		if (g_array_index(rows, int32_t, i) == row) {
			return true;
		}
	}
	return false;
}

/* What Ctrl and Shift make of a click. Where a range begins is known only if one row is selected. */
static enum delivered pick_more(struct pick *pick, const GArray *before, int32_t row)
{
	struct talk *talk = &pick->talk;
	bool range = pick->step == STEP_RANGE, off = !range && has_row(before, row);
	int32_t from = range && before->len > 0 ? g_array_index(before, int32_t, 0) : row;
	pick->refused = range && (before->len != 1 || ABS(from - row) > MOST_ROWS);
	for (int32_t i = MIN(from, row); i <= MAX(from, row) && !pick->refused; i++) {
		talk_ask(talk, TABLE_INTERFACE, off ? "RemoveRowSelection" : "AddRowSelection", "i", i);
	}
	g_autoptr(GArray) after = selected_rows(pick);
	return pick->refused ? DELIVERED_NONE : has_row(after, row) != off && talk->error == NULL ? DELIVERED_FULL : DELIVERED_UNKNOWN;
}

/*
 * Qt's tables tell of what is selected by whole rows only, and have no other way to clear it; in an icon view no row is whole. What
 * their items say of themselves is so.
 */
static void drop_others(struct pick *pick, int32_t row)
{
	struct talk *talk = &pick->talk;
	const struct reading reading = { .limits = { .max_elements = MOST_ITEMS, .max_depth = 1 },
		.children = true, .shallow = true, .qt = true };
	struct tree *tree = pick->whole
		? reader_read(talk->link, talk->name, talk->path, &reading, talk->deadline, &talk->error) : NULL;
	for (guint i = 1; tree != NULL && i < tree->elements->len; i++) {
		const struct element *item = tree->elements->pdata[i];
		int32_t other = row;
		struct message *reply = (item->states & STATE_SELECTED) != 0
			? talk_ask(talk, TABLE_INTERFACE, "GetRowAtIndex", "i", item->place) : NULL;
		if (reply != NULL && message_read(reply, "i", &other) > 0 && other != row) {
			talk_ask(talk, TABLE_INTERFACE, "RemoveRowSelection", "i", other);
		}
	}
	tree_free(tree);
}

/* The row of the cell, or with a step the one beside it; what else was selected is not any more. */
static enum delivered pick_row(struct pick *pick)
{
	struct talk *talk = &pick->talk;
	g_autoptr(GArray) before = selected_rows(pick);
	int32_t row = before->len > 0 ? g_array_index(before, int32_t, 0) : -1;
	struct message *reply = pick->place < 0 ? NULL
		: talk_ask(talk, TABLE_INTERFACE, "GetRowAtIndex", "i", pick->place);
	if (reply != NULL) {
		message_read(reply, "i", &row);
	}
	if (moves(pick->step)) {
		row = step_from(pick->step, row, talk_int(talk, TABLE_INTERFACE, "NRows", 0));
	}
	if (row < 0 || talk->error != NULL) {
		return DELIVERED_NONE;
	}
	if (pick->step == STEP_TURN || pick->step == STEP_RANGE) {
		return pick_more(pick, before, row);
	}
	talk_ask(talk, TABLE_INTERFACE, "AddRowSelection", "i", row);
	bool agreed = talk_agreed(talk);
	g_autoptr(GArray) after = selected_rows(pick);
	bool there = false;
	for (guint i = 0; i < after->len; i++) {
		int32_t other = g_array_index(after, int32_t, i);
		there |= other == row;
		if (other != row) {
			talk_ask(talk, TABLE_INTERFACE, "RemoveRowSelection", "i", other);
		}
	}
	drop_others(pick, row);
	/* Java's tables know no rows, and say so. */
	pick->refused = !there && !agreed && after->len == 0 && talk->error == NULL;
	return there && talk->error == NULL ? DELIVERED_FULL : pick->refused ? DELIVERED_NONE : DELIVERED_UNKNOWN;
}

/* Where in the container its first selected child is; -1 if nowhere. */
static int selected_place(struct pick *pick)
{
	struct message *reply = talk_ask(&pick->talk, SELECTION_INTERFACE, "GetSelectedChild", "i", 0);
	const char *name, *path;
	int32_t place = -1;
	if (reply == NULL || message_read(reply, "(so)", &name, &path) <= 0
		|| strcmp(name, pick->now->provider) != 0) {
		return -1;
	}
	g_autofree char *child = g_strdup(name), *child_path = g_strdup(path);
	struct talk other = pick->talk;
	other.reply = NULL;
	other.problem = NULL;
	other.name = child;
	other.path = child_path;
	reply = talk_ask(&other, ACCESSIBLE, "GetIndexInParent", NULL);
	if (reply != NULL) {
		message_read(reply, "i", &place);
	}
	pick->talk.error = g_steal_pointer(&other.error);
	talk_end(&other);
	return place;
}

static enum delivered pick_child(struct pick *pick)
{
	struct talk *talk = &pick->talk;
	int place = pick->place >= 0 ? pick->place : selected_place(pick);
	if (pick->step != STEP_NONE) {
		place = step_from(pick->step, place, talk_int(talk, ACCESSIBLE, "ChildCount", 0));
	}
	if (place < 0 || talk->error != NULL) {
		return DELIVERED_NONE;
	}
	bool cleared = pick->toggles || (talk_states(talk) >> ATSPI_MULTISELECTABLE & 1) != 0;
	if (cleared) {
		talk_ask(talk, SELECTION_INTERFACE, "ClearSelection", NULL);
	}
	struct message *reply = talk_ask(talk, SELECTION_INTERFACE, "SelectChild", "i", place);
	bool was = pick->step == STEP_NONE && (pick->now->states & STATE_SELECTED) != 0;
	if (talk->error == NULL && (talk_agreed(talk) || was)) {
		return DELIVERED_FULL;
	}
	/* The rows of libadwaita say no to everything; then nothing has happened. */
	pick->refused = reply != NULL && talk->error == NULL && !cleared;
	return pick->refused ? DELIVERED_NONE : DELIVERED_UNKNOWN;
}

/* Menus and combo boxes have selections, too, but their items are not picked by one click. */
static bool is_container(uint32_t role)
{
	return role != ROLE_MENU && role != ROLE_MENU_BAR && role != ROLE_COMBO_BOX;
}

/* What may be between an item and the part of it that is named. */
static bool is_part(uint32_t role)
{
	static const char *const roles[] = {
		"panel", "filler", "label", "table row", "table cell", "list item", "tree item", "section",
		"page tab", "image", NULL,
	};
	return g_strv_contains(roles, role_name(role));
}

static enum delivered climb(struct pick *pick)
{
	for (int depth = 0; depth < DEEPEST_ITEM; depth++) {
		/* A step may be asked of the container itself. */
		if ((depth > 0 || !moves(pick->step)) && !go_up(pick)) {
			return DELIVERED_NONE;
		}
		uint32_t role = talk_role(&pick->talk);
		unsigned interfaces = talk_interfaces(&pick->talk);
		if (pick->talk.error != NULL || !is_container(role)) {
			return DELIVERED_NONE;
		}
		if (pick->rows && (interfaces & INTERFACE_TABLE) != 0) {
			pick->whole = (interfaces & INTERFACE_SELECTION) == 0;
			enum delivered delivered = pick_row(pick);
			if (!pick->refused || (interfaces & INTERFACE_SELECTION) == 0 || pick->step != STEP_NONE) {
				return delivered;
			}
		}
		if ((interfaces & INTERFACE_SELECTION) != 0) {
			pick->toggles = pick->refused;
			pick->refused = false;
			return pick_child(pick);
		}
		if (!is_part(role)) {
			return DELIVERED_NONE;
		}
	}
	return DELIVERED_NONE;
}

static bool is_selected(struct pick *pick)
{
	turn_to(pick, pick->now->provider, pick->now->object);
	return (talk_states(&pick->talk) >> ATSPI_SELECTED & 1) != 0;
}

enum delivered atspi_pick(struct atspi *atspi, const struct element *now, bool rows, enum step step,
	struct deadline deadline, GError **error)
{
	struct link *link = pool_borrow(atspi, deadline, error);
	if (link == NULL) {
		return DELIVERED_NONE;
	}
	struct pick pick = {
		.talk = talk_to(link, now, deadline), .now = now, .place = -1, .rows = rows, .step = step,
	};
	turn_to(&pick, now->provider, now->object);
	enum delivered delivered = climb(&pick);
	if (delivered == DELIVERED_UNKNOWN && step == STEP_NONE && pick.talk.error == NULL && is_selected(&pick)) {
		/* Qt counts the rows of a tree otherwise once a branch is open, and says no. */
		delivered = DELIVERED_FULL;
	}
	if (pick.talk.error != NULL) {
		g_propagate_error(error, g_steal_pointer(&pick.talk.error));
	} else if (delivered == DELIVERED_UNKNOWN || pick.refused) {
		error_set(error,
			pick.refused ? ERROR_BACKGROUND_UNAVAILABLE : ERROR_DELIVERY_FAILED,
			"The application refused to select the %s \"%s\"", now->role, now->name);
	} else if (delivered == DELIVERED_NONE) {
		error_set(error, ERROR_BACKGROUND_UNAVAILABLE, moves(step)
			? "There is no item there that the %s \"%s\" could select"
			: "The %s \"%s\" has no action that a click could stand for, and is in nothing that could "
			"select it", now->role, now->name);
	}
	talk_end(&pick.talk);
	g_free(pick.name);
	g_free(pick.path);
	pool_return(atspi, link);
	return delivered;
}
