/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/crowd.h"

#include <string.h>

#include "core/frame.h"

/* Points that are looked at, so many across and down, the corners among them. */
#define ACROSS 3
#define DOWN 8
/* How many children are asked for at most, and how many when no point shows one. */
#define MOST 1500
#define FEW 200

/* One container while it is looked at; lives as long as a request of it does. */
struct looking {
	struct crowd crowd;
	int waiting;      /* answers of this step */
	struct screen_rect area;
	int columns;      /* 1 where there are none */
	GHashTable *seen; /* paths of what points showed */
	GArray *places;   /* int: of those that are children */
	void (*next)(struct looking *looking);
};

/* A request and what it is about. */
struct ask {
	struct looking *looking;
	char *path;       /* of what a point showed; NULL otherwise */
	int place;        /* of the child that is asked for; -1 otherwise */
};

static void looking_clear(struct looking *looking)
{
	g_hash_table_unref(looking->seen);
	g_array_unref(looking->places);
}

static void ask_free(void *data)
{
	struct ask *ask = data;
	g_rc_box_release_full(ask->looking, (GDestroyNotify)looking_clear);
	g_free(ask->path);
	g_free(ask);
}

static struct ask *ask_new(struct looking *looking, const char *path, int place)
{
	struct ask *ask = g_new(struct ask, 1);
	*ask = (struct ask){ g_rc_box_acquire(looking), g_strdup(path), place };
	looking->waiting++;
	return ask;
}

/* An answer was taken; the last one of a step begins the next. */
static void step_done(struct looking *looking)
{
	if (--looking->waiting == 0) {
		looking->next(looking);
	}
}

static bool is_error(struct message *reply)
{
	return message_is_error(reply);
}

/* --- Third: the children -------------------------------------------------------------------------- */

static void on_child(struct message *reply, void *data)
{
	struct ask *ask = data;
	struct crowd *crowd = &ask->looking->crowd;
	const char *name, *path;
	if (!is_error(reply) && message_read(reply, "(so)", &name, &path) > 0) {
		crowd->found(name, path, ask->place, crowd->data);
	}
}

static void ask_child(struct looking *looking, int place)
{
	struct crowd *crowd = &looking->crowd;
	link_send_owned(crowd->link, crowd->name, crowd->path, ACCESSIBLE, "GetChildAtIndex", on_child,
		ask_new(looking, NULL, place), ask_free, "i", place);
}

/* All that are between those that were seen, in rows and columns. */
static void ask_children(struct looking *looking)
{
	int columns = looking->columns, asked = 0;
	int top = G_MAXINT, bottom = -1, left = G_MAXINT, right = -1;
	for (guint i = 0; i < looking->places->len; i++) {
		int place = g_array_index(looking->places, int, i);
		top = MIN(top, place / columns);
		bottom = MAX(bottom, place / columns);
		left = MIN(left, place % columns);
		right = MAX(right, place % columns);
	}
	if (bottom < 0) {
		top = left = 0;
		bottom = columns > 1 ? 0 : FEW - 1;
		right = columns > 1 ? MIN(columns, FEW) - 1 : 0;
	}
	for (int row = top; row <= bottom && asked < MOST; row++) {
		for (int column = left; column <= right && asked < MOST; column++, asked++) {
			gint64 place = (gint64)row * columns + column;
			if (place < looking->crowd.count) {
				ask_child(looking, (int)place);
			}
		}
	}
}

/* --- Second: what points of it show ---------------------------------------------------------------- */

static void on_place(struct message *reply, void *data)
{
	struct ask *ask = data;
	struct looking *looking = ask->looking;
	int32_t place;
	if (!is_error(reply) && message_read(reply, "i", &place) > 0 && place >= 0
		&& place < looking->crowd.count) {
		g_array_append_val(looking->places, place);
	}
	step_done(looking);
}

/* Only a child has its place here; what is deeper has one in something else. */
static void on_parent(struct message *reply, void *data)
{
	struct ask *ask = data;
	struct crowd *crowd = &ask->looking->crowd;
	const char *name, *path;
	if (!is_error(reply) && message_read(reply, "v", "(so)", &name, &path) > 0
		&& strcmp(path, crowd->path) == 0) {
		link_send_owned(crowd->link, crowd->name, ask->path, ACCESSIBLE, "GetIndexInParent", on_place,
			ask_new(ask->looking, NULL, -1), ask_free, NULL);
	}
	step_done(ask->looking);
}

static void on_hit(struct message *reply, void *data)
{
	struct ask *ask = data;
	struct looking *looking = ask->looking;
	struct crowd *crowd = &looking->crowd;
	const char *name, *path;
	if (!is_error(reply) && message_read(reply, "(so)", &name, &path) > 0
		&& strcmp(name, crowd->name) == 0 && g_hash_table_add(looking->seen, g_strdup(path))) {
		link_send_owned(crowd->link, crowd->name, path, "org.freedesktop.DBus.Properties", "Get",
			on_parent, ask_new(looking, path, -1), ask_free, "ss", ACCESSIBLE, "Parent");
	}
	step_done(looking);
}

static void look(struct looking *looking)
{
	struct crowd *crowd = &looking->crowd;
	const int edge = 2;
	looking->next = ask_children;
	struct screen_rect area = looking->area;
	if (area.width <= 2 * edge || area.height <= 2 * edge) {
		ask_children(looking);
		return;
	}
	for (int row = 0; row < DOWN; row++) {
		for (int column = 0; column < ACROSS; column++) {
			int x = area.x + edge + (area.width - 1 - 2 * edge) * column / (ACROSS - 1);
			int y = area.y + edge + (area.height - 1 - 2 * edge) * row / (DOWN - 1);
			link_send_owned(crowd->link, crowd->name, crowd->path, "org.a11y.atspi.Component",
				"GetAccessibleAtPoint", on_hit, ask_new(looking, NULL, -1), ask_free, "iiu", x, y,
				crowd->coords);
		}
	}
}

/* --- First: where it is ---------------------------------------------------------------------------- */

static void on_extents(struct message *reply, void *data)
{
	struct looking *looking = ((struct ask *)data)->looking;
	struct screen_rect *area = &looking->area;
	if (is_error(reply) || message_read(reply, "(iiii)", &area->x, &area->y, &area->width,
		&area->height) <= 0 || !screen_rect_plausible(*area)) {
		*area = (struct screen_rect){ 0 };
	}
	step_done(looking);
}

static void on_columns(struct message *reply, void *data)
{
	struct looking *looking = ((struct ask *)data)->looking;
	int32_t columns;
	if (!is_error(reply) && message_read(reply, "v", "i", &columns) > 0 && columns > 0) {
		looking->columns = columns;
	}
	step_done(looking);
}

void crowd_ask(const struct crowd *crowd)
{
	struct looking *looking = g_rc_box_new0(struct looking);
	looking->crowd = *crowd;
	looking->columns = 1;
	looking->seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	looking->places = g_array_new(FALSE, FALSE, sizeof(int));
	looking->next = look;
	link_send_owned(crowd->link, crowd->name, crowd->path, "org.a11y.atspi.Component", "GetExtents",
		on_extents, ask_new(looking, NULL, -1), ask_free, "u", crowd->coords);
	if (crowd->table) {
		link_send_owned(crowd->link, crowd->name, crowd->path, "org.freedesktop.DBus.Properties", "Get",
			on_columns, ask_new(looking, NULL, -1), ask_free, "ss", "org.a11y.atspi.Table",
			"NColumns");
	}
	g_rc_box_release_full(looking, (GDestroyNotify)looking_clear);
}
