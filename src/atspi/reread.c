/* SPDX-License-Identifier: MIT */
/* A second look at an element and at what is around it, just before it is acted on. */
#include "config.h"

#include <string.h>

#include "atspi/atspi.h"
#include "atspi/mute.h"
#include "atspi/node.h"
#include "atspi/pool.h"
#include "core/surroundings.h"

/* Actions whose names are asked for one by one; of Firefox all are (detail.c), and nothing there has more. */
#define FEW_ACTIONS 10
/* Who has a socket of its own (GTK3) knows where its text ends; so short a one is asked for whole, and its length is not. */
#define SHORT_TEXT 1000
/* Seats looked at on each side of where a child is now: one more than it had neighbours. */
#define AROUND 4
/* An application that said nothing for so long is not likely to say something right now. */
#define QUIET_US (300 * G_TIME_SPAN_MILLISECOND)

/* Who sits at one place of a container; NULL: nobody, or somebody of another application than `provider`. */
struct place {
	const struct element *container;
	int index;
	const char *provider; /* NULL: the child's is another one than the container's, and may be called by another name */
	char *object;
};

static struct place place_of(const struct element *container, const struct element *child)
{
	bool same = strcmp(child->provider, container->provider) == 0;
	return (struct place){ container, child->place, same ? container->provider : NULL, NULL };
}

static void free_place(gpointer data)
{
	g_free(((struct place *)data)->object);
}

static void on_child(struct message *reply, void *data)
{
	struct place *place = data;
	const char *name, *path;
	if (!message_is_error(reply)
		&& message_read(reply, "(so)", &name, &path) > 0
		&& (place->provider == NULL || strcmp(name, place->provider) == 0)) {
		place->object = g_strdup(path);
	}
}

static void ask_place(struct link *link, struct place *place)
{
	link_send(link, place->container->provider, place->container->object, ACCESSIBLE,
		"GetChildAtIndex", on_child, place, "i", place->index);
}

/* The same in an order with what else goes over the bus. */
static void ask_place_ordered(struct link *link, struct place *place)
{
	link_send_ordered(link, place->container->provider, place->container->object, ACCESSIBLE,
		"GetChildAtIndex", on_child, place, "i", place->index);
}

static void on_sign(struct message *reply, void *data)
{
	char **name = data;
	const char *text;
	if (!message_is_error(reply)
		&& message_read(reply, "v", "s", &text) > 0) {
		*name = g_utf8_make_valid(text, -1);
	}
}

#define TAKE(what) \
	static void on_##what(struct message *reply, void *data) \
	{ \
		node_take_##what(reply, data); \
	}
TAKE(role)
TAKE(name)
TAKE(actions)
TAKE(action_name)
TAKE(value)
TAKE(text)
TAKE(place)

static void on_states(struct message *reply, void *data)
{
	struct node *node = data;
	/* Every accessible has states: without any the object does not exist. */
	node->gone |= message_is_error(reply);
	node_take_states(reply, node);
}

/* A text is asked for once its length is known: the entries of GTK 4.8 know no text up to the end. */
struct text {
	struct link *link;
	struct node *node;
};

static void on_text_length(struct message *reply, void *data)
{
	const struct text *text = data;
	const struct element *element = text->node->element;
	int length = node_read_number(reply);
	link_send(text->link, element->provider, element->object, "org.a11y.atspi.Text", "GetText",
		on_text, text->node, "ii", 0, MIN(length, ELEMENT_TEXT_LIMIT));
}

/*
 * GetActions gives names for people, and those for programs come one by one, which is another turn. Where there
 * were few they are asked for at once.
 */
static void ask_actions(struct link *link, struct node *node, const struct element *then)
{
	guint count = g_strv_length(then->actions);
	if (count > FEW_ACTIONS) {
		link_send(link, then->provider, then->object, ACTION_INTERFACE, "GetActions", on_actions, node, NULL);
		return;
	}
	char *names[FEW_ACTIONS + 1] = { NULL };
	for (guint i = 0; i < count; i++) {
		/* One that has no name for programs is called as it was. */
		names[i] = g_strconcat(NODE_TRANSLATED, then->actions[i], NULL);
		link_send(link, then->provider, then->object, ACTION_INTERFACE, "GetName", on_action_name, node, "i", i);
	}
	node_set_actions(node, (const char *const *)names);
	for (guint i = 0; i < count; i++) {
		g_free(names[i]);
	}
}

/* The element itself: what can be asked for without waiting for an answer, and its text; `placed`: its states by the bus. */
static void ask_element(struct link *link, struct node *node, const struct element *then, bool placed,
	struct text *text)
{
	const char *provider = then->provider, *object = then->object;
	if (placed) {
		link_send_ordered(link, provider, object, ACCESSIBLE, "GetState", on_states, node, NULL);
	} else {
		link_send(link, provider, object, ACCESSIBLE, "GetState", on_states, node, NULL);
	}
	link_get(link, provider, object, ACCESSIBLE, "Name", on_name, node);
	if (then->settled) {
		g_free(node->element->role);
		node->element->role = g_strdup(then->role);
		node_set_actions(node, (const char *const *)then->actions);
	} else {
		link_send(link, provider, object, ACCESSIBLE, "GetRole", on_role, node, NULL);
		ask_actions(link, node, then);
	}
	if (then->has_value) {
		link_get(link, provider, object, "org.a11y.atspi.Value", "CurrentValue", on_value, node);
	}
	if (element_has_text(then) && link->own != NULL && strlen(then->value) < SHORT_TEXT) {
		link_send(link, provider, object, "org.a11y.atspi.Text", "GetText", on_text, node, "ii", 0, -1);
	} else if (element_has_text(then)) {
		*text = (struct text){ link, node };
		link_get(link, provider, object, "org.a11y.atspi.Text", "CharacterCount", on_text_length,
			text);
	}
}

/* GetActions gives names for people, if any; those for programs come one by one. */
static bool name_actions(struct link *link, struct node *node, struct deadline deadline,
	GError **error)
{
	const struct element *element = node->element;
	for (int i = 0; element->actions[i] != NULL; i++) {
		if (element->actions[i][0] == NODE_TRANSLATED[0]) {
			link_send(link, element->provider, element->object, ACTION_INTERFACE, "GetName", on_action_name, node, "i", i);
		}
	}
	return link_pump(link, deadline, error);
}

/* What follows from the answers, as when a whole tree is read. */
static void conclude(struct node *node, const struct element *then)
{
	struct element *now = node->element;
	now->secret = then->secret;
	now->settled = then->settled;
	now->lasting = then->lasting;
	/* What an object can do is as much its own as its path. */
	now->has_value = then->has_value;
	now->in_web_content = then->in_web_content;
	now->plugged = then->plugged;
	now->pid = then->pid;
	now->foreign = then->foreign;
	now->provider_id = then->provider_id;
	/* GTK4 says of what it shows only that it is visible. */
	bool shown = (then->states & STATE_OFFSCREEN) == 0;
	if (!node_is(node, ATSPI_SHOWING) && !(shown && node_is(node, ATSPI_VISIBLE))) {
		now->states |= STATE_OFFSCREEN;
	}
	if (now->in_web_content) {
		node_enable_read_only(node);
	}
}

/* Pumps until the element is read; NULL with an error if it is gone or its application is silent. */
static struct element *take_element(struct link *link, struct node *node, const struct element *then,
	struct deadline deadline, GError **error)
{
	if (!link_pump(link, deadline, error)) {
		return NULL;
	}
	/* On a restarted bus its name may be somebody else's. */
	if (node->gone || then->provider_id != link->bus_id) {
		g_set_error(error, CUA_ERROR, ERROR_STALE_ELEMENT, "The element does not exist any more");
		return NULL;
	}
	if (!name_actions(link, node, deadline, error)) {
		return NULL;
	}
	conclude(node, then);
	return g_steal_pointer(&node->element);
}

/* Who is where now, asked together with the element. */
struct question {
	GArray *seats;       /* struct place: of the surroundings' seats */
	GArray *neighbours;  /* struct place: of the first seat's neighbours, if they matter */
};

static GArray *new_places(guint count)
{
	GArray *places = g_array_sized_new(FALSE, TRUE, sizeof(struct place), count);
	g_array_set_clear_func(places, free_place);
	g_array_set_size(places, count);
	return places;
}

static void ask_surroundings(struct link *link, const struct surroundings *then, struct look *look,
	struct question *question)
{
	bool speaks = mute_may_speak(then->element);
	question->seats = new_places(then->seats->len);
	for (guint i = 0; i < then->seats->len; i++) {
		const struct seat *seat = &g_array_index(then->seats, struct seat, i);
		struct place *place = &g_array_index(question->seats, struct place, i);
		*place = place_of(seat->container, seat->child);
		(speaks && i == 0 ? ask_place_ordered : ask_place)(link, place);
	}
	const struct seat *own = surroundings_need_neighbours(then)
		? &g_array_index(then->seats, struct seat, 0) : NULL;
	question->neighbours = new_places(own != NULL ? own->neighbours->len : 0);
	for (guint i = 0; i < question->neighbours->len; i++) {
		const struct element *neighbour = own->neighbours->pdata[i];
		struct place *place = &g_array_index(question->neighbours, struct place, i);
		*place = place_of(own->container, neighbour);
		ask_place(link, place);
	}
	for (guint i = 0; i < then->signs->len; i++) {
		const struct element *sign = then->signs->pdata[i];
		link_get(link, sign->provider, sign->object, ACCESSIBLE, "Name", on_sign, &look->names[i]);
	}
}

/* The names of who sits at the places; NULL where nobody does. */
static bool read_names(struct link *link, const GArray *places, char **names, struct deadline deadline)
{
	for (guint i = 0; i < places->len; i++) {
		const struct place *place = &g_array_index(places, struct place, i);
		if (place->object != NULL) {
			link_get(link, place->container->provider, place->object, ACCESSIBLE, "Name", on_sign,
				&names[i]);
		}
	}
	return link_pump(link, deadline, NULL);
}

/*
 * Of a container that makes new objects whenever it is asked (a tree of Qt5, a spreadsheet): whether it
 * still has children of the same names at the same places.
 */
static bool same_by_name(struct link *link, const struct seat *seat, struct deadline deadline)
{
	guint count = seat->neighbours->len + 1;
	g_autoptr(GArray) places = new_places(count);
	g_autofree char **names = g_new0(char *, count + 1);
	for (guint i = 0; i < count; i++) {
		const struct element *child = i == 0 ? seat->child : seat->neighbours->pdata[i - 1];
		struct place *place = &g_array_index(places, struct place, i);
		*place = place_of(seat->container, child);
		ask_place(link, place);
	}
	bool same = link_pump(link, deadline, NULL) && read_names(link, places, names, deadline);
	for (guint i = 0; i < count; i++) {
		const struct element *child = i == 0 ? seat->child : seat->neighbours->pdata[i - 1];
		same &= g_strcmp0(child->name, names[i]) == 0;
		g_free(names[i]);
	}
	return same;
}

/* What became of a child that moved to the place `now` of its container. */
static enum seat_now look_around(struct link *link, const struct seat *seat, int now,
	struct deadline deadline)
{
	char *around[2 * AROUND + 1] = { NULL };
	g_autoptr(GArray) places = new_places(G_N_ELEMENTS(around));
	for (int i = 0; i < (int)places->len; i++) {
		struct place *place = &g_array_index(places, struct place, i);
		*place = (struct place){ seat->container, now - AROUND + i, seat->container->provider, NULL };
		if (place->index >= 0) {
			ask_place(link, place);
		}
	}
	if (!link_pump(link, deadline, NULL)) {
		return SEAT_LOST;
	}
	for (guint i = 0; i < places->len; i++) {
		around[i] = g_array_index(places, struct place, i).object;
	}
	return seat_compare(seat, around, places->len);
}

/*
 * Whether a container and its children count them differently, and nobody has moved: who sits at the child's place said of
 * itself that it is at another one, and says so still. So do the menu bar and the rest of a window of GtkApplication's.
 */
static bool only_counts_otherwise(struct link *link, const struct seat *seat, const char *instead, struct deadline deadline)
{
	const struct element *other = NULL;
	for (guint i = 0; i < seat->neighbours->len && instead != NULL && other == NULL; i++) {
		const struct element *neighbour = seat->neighbours->pdata[i];
		other = strcmp(neighbour->object, instead) == 0 ? neighbour : NULL;
	}
	if (other == NULL) {
		return false;
	}
	struct node *node = node_new(NULL, NULL, other->provider, other->object, -1);
	link_send(link, other->provider, other->object, ACCESSIBLE, "GetIndexInParent", on_place, node, NULL);
	bool same = link_pump(link, deadline, NULL) && node->element->place == other->place;
	node_free(node);
	return same;
}

/* What became of a child at whose place somebody else is; `*by_name`: its container has no lasting objects. */
static enum seat_now find_again(struct link *link, const struct seat *seat, const char *instead,
	bool *by_name, struct deadline deadline)
{
	const struct element *child = seat->child;
	struct node *node = node_new(NULL, NULL, child->provider, child->object, -1);
	struct place again = place_of(seat->container, child);
	link_send(link, child->provider, child->object, ACCESSIBLE, "GetIndexInParent", on_place, node,
		NULL);
	ask_place(link, &again);
	int now = link_pump(link, deadline, NULL) ? node->element->place : -1;
	node_free(node);
	*by_name = instead != NULL && again.object != NULL && strcmp(instead, again.object) != 0;
	g_free(again.object);
	if (*by_name) {
		return now == child->place && same_by_name(link, seat, deadline) ? SEAT_KEPT : SEAT_LOST;
	}
	if (now == child->place && only_counts_otherwise(link, seat, instead, deadline)) {
		return SEAT_KEPT;
	}
	return now >= 0 ? look_around(link, seat, now, deadline) : SEAT_LOST;
}

/* Turns the answers into what became of each seat; asks again about those that are not as they were. */
static void take_surroundings(struct link *link, const struct surroundings *then, struct look *look,
	const struct question *question, struct deadline deadline)
{
	bool by_name = false;
	for (guint i = 0; i < question->seats->len; i++) {
		const struct seat *seat = &g_array_index(then->seats, struct seat, i);
		const char *object = g_array_index(question->seats, struct place, i).object;
		bool names = false;
		look->seats[i] = g_strcmp0(seat->child->object, object) == 0 ? SEAT_KEPT
			: find_again(link, seat, object, &names, deadline);
		by_name |= i == 0 && names;
	}
	/* Neighbours without lasting objects have been compared by their names. */
	for (guint i = 0; i < question->neighbours->len && !by_name; i++) {
		const struct seat *own = &g_array_index(then->seats, struct seat, 0);
		const struct element *neighbour = own->neighbours->pdata[i];
		const char *object = g_array_index(question->neighbours, struct place, i).object;
		look->order_kept &= g_strcmp0(neighbour->object, object) == 0;
	}
}

/* A second look under way. */
struct looking {
	struct link *link;
	const struct element *then;
	const struct surroundings *around; /* NULL: only the element itself */
	struct look *look;
	struct question question;
	struct node *node;
	struct text text;
	bool placed;
};

/*
 * What an application says by the bus has a place among its events: what those tell later is what is not in its states now.
 * Before an action that is worth the longer way, unless it has been quiet: then there is nothing to tell apart, but for what it
 * says for the first time within the fraction of a millisecond that an event takes to come here, or because it is looked at.
 */
static bool needs_place(struct atspi *atspi, const struct looking *looking)
{
	const struct element *then = looking->then;
	return looking->link->own == NULL || (looking->around != NULL
		&& (mute_may_speak(then) || !past_is_quiet(atspi->past, then->provider, QUIET_US)));
}

static void ask(struct atspi *atspi, struct looking *looking)
{
	const struct element *then = looking->then;
	looking->placed = needs_place(atspi, looking);
	looking->node = node_new(NULL, NULL, then->provider, then->object, then->place);
	if (looking->around != NULL) {
		/* First: what somebody says because it is looked at comes before its states then. */
		ask_surroundings(looking->link, looking->around, looking->look, &looking->question);
	}
	ask_element(looking->link, looking->node, then, looking->placed, &looking->text);
	link_flush(looking->link);
}

static struct element *take(struct looking *looking, struct deadline deadline, GError **error)
{
	struct element *now = take_element(looking->link, looking->node, looking->then, deadline, error);
	if (now != NULL) {
		now->moment = looking->placed ? looking->link->moment : 0;
	}
	if (now != NULL && looking->around != NULL) {
		take_surroundings(looking->link, looking->around, looking->look, &looking->question, deadline);
	}
	return now;
}

static void finish(struct atspi *atspi, struct looking *looking)
{
	/* First: nobody takes an answer any more. */
	pool_return(atspi, looking->link);
	if (looking->around != NULL) {
		g_array_unref(looking->question.seats);
		g_array_unref(looking->question.neighbours);
	}
	node_free(looking->node);
}

void *atspi_look_begin(struct atspi *atspi, const struct surroundings *around, struct look *look, bool at_once,
	struct deadline deadline, GError **error)
{
	struct link *link = at_once ? pool_idle(atspi) : pool_borrow(atspi, deadline, error);
	if (link == NULL) {
		return NULL;
	}
	struct looking *looking = g_new0(struct looking, 1);
	*looking = (struct looking){ .link = link, .then = around->element, .around = around, .look = look };
	pool_attach(atspi, link, around->element->provider);
	ask(atspi, looking);
	return looking;
}

struct element *atspi_look_end(struct atspi *atspi, void *data, struct deadline deadline, GError **error)
{
	struct looking *looking = data;
	struct element *now = take(looking, deadline, error);
	pool_attend(atspi, looking->then->provider);
	finish(atspi, looking);
	g_free(looking);
	return now;
}

void atspi_look_drop(struct atspi *atspi, void *data)
{
	struct looking *looking = data;
	/* Most have been answered by now; a link on which something may still come is of no use to others. */
	link_take(looking->link);
	finish(atspi, looking);
	g_free(looking);
}

struct element *atspi_reread(struct atspi *atspi, const struct element *element,
	struct deadline deadline, GError **error)
{
	struct link *link = pool_borrow(atspi, deadline, error);
	if (link == NULL) {
		return NULL;
	}
	struct looking looking = { .link = link, .then = element };
	pool_attach(atspi, link, element->provider);
	g_autoptr(GError) problem = NULL;
	link->lost = false;
	ask(atspi, &looking);
	struct element *now = take(&looking, deadline, &problem);
	if (link->lost && (now != NULL || problem->code == ERROR_STALE_ELEMENT)) {
		/* An application that crashed is gone with all its elements, or told half: that is no effect on one of them. */
		g_clear_pointer(&now, element_free);
		g_set_error(error, CUA_ERROR, ERROR_APP_UNRESPONSIVE, "The application has left the bus");
	} else if (problem != NULL) {
		g_propagate_error(error, g_steal_pointer(&problem));
	}
	finish(atspi, &looking);
	return now;
}
