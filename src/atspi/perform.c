/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "atspi/atspi.h"
#include "atspi/node.h"
#include "atspi/pool.h"

/* An application that has not answered for this long and opened a window meanwhile answers when that is closed. */
#define MODAL_MS 150
/* The same of what certainly opens one: menus of Qt are dialogs in this. */
#define MENU_MS 15

/* What a press changes; the others change by themselves, with the focus or the layout. */
#define TURNED (STATE_CHECKED | STATE_SELECTED | STATE_EXPANDED | STATE_INDETERMINATE)

struct outcome {
	bool answered, accepted;
	char *problem; /* the application's own words */
};

/* A question that is answered right before the action is done. */
struct marking {
	struct link *link;
	const struct element *now;
	struct mark *mark;
};

static void on_mark(struct message *reply, void *data)
{
	const struct marking *marking = data;
	struct node *node = node_new(NULL, NULL, marking->now->provider, marking->now->object, -1);
	node->element->states = marking->now->states;
	node_take_states(reply, node);
	marking->mark->moment = marking->link->moment;
	marking->mark->stirred = ((node->element->states ^ marking->now->states) & TURNED) != 0;
	node_free(node);
}

static void on_done(struct message *reply, void *data)
{
	struct outcome *outcome = data;
	int accepted;
	outcome->answered = true;
	if (message_is_error(reply)) {
		outcome->problem = g_strdup(message_problem(reply));
	} else if (message_read(reply, "b", &accepted) > 0) {
		outcome->accepted = accepted != 0;
	}
}

/*
 * Waits for the answer. False if there will be none before a dialog is closed that the action has opened: Qt answers
 * when the action is over, and a dialog it waits for is a part of it.
 */
static bool wait_for(struct atspi *atspi, struct link *link, const struct outcome *outcome, pid_t pid,
	guint64 from, int modal_ms, struct deadline deadline)
{
	struct deadline silence = deadline_within(deadline, LINK_SILENCE_MS);
	while (!outcome->answered && !link->broken && !deadline_over(silence, "the application", NULL)
		&& !link_wait(link, &outcome->answered, deadline_within(silence, modal_ms))) {
		if (past_opened(atspi->past, from, pid)) {
			return false;
		}
	}
	return true;
}

static enum delivered perform(struct atspi *atspi, struct link *link, const struct element *element, int number,
	pid_t pid, struct mark *mark, struct deadline deadline, GError **error)
{
	struct outcome outcome = { 0 };
	struct marking marking = { link, element, mark };
	guint64 from = past_count(atspi->past);
	/* By the bus only where there is no other way: GTK3 may stop reading the connection it acts on, see pool_attach_to_act(). */
	if (mark != NULL && link->own == NULL) {
		link_send_ordered(link, element->provider, element->object, ACCESSIBLE, "GetState", on_mark, &marking, NULL);
		link_send_ordered(link, element->provider, element->object, ACTION_INTERFACE, "DoAction", on_done, &outcome, "i",
			number);
	} else {
		link_send(link, element->provider, element->object, ACTION_INTERFACE, "DoAction", on_done, &outcome, "i", number);
	}
	if (pid != 0
		&& !wait_for(atspi, link, &outcome, pid, from,
			mark != NULL && mark->menu ? MENU_MS : MODAL_MS, deadline)) {
		/* Nobody waits for what comes there later. */
		link->broken = true;
		return DELIVERED_FULL;
	}
	enum delivered delivered = DELIVERED_UNKNOWN;
	if (link_pump(link, deadline, error)) {
		if (outcome.accepted) {
			delivered = DELIVERED_FULL;
		} else {
			error_set(error, ERROR_DELIVERY_FAILED,
				"The application refused the action \"%s\", and says \"%s\"",
				element->actions[number], outcome.problem ? outcome.problem : "");
		}
	}
	g_free(outcome.problem);
	return delivered;
}

enum delivered atspi_perform(struct atspi *atspi, const struct element *now, const char *verb,
	pid_t pid, struct mark *mark, struct deadline deadline, GError **error)
{
	int number = 0;
	while (now->actions[number] != NULL && strcmp(now->actions[number], verb) != 0) {
		number++;
	}
	g_assert(now->actions[number] != NULL);
	struct link *link = pool_borrow(atspi, deadline, error);
	if (link == NULL) {
		return DELIVERED_NONE;
	}
	enum delivered delivered = DELIVERED_NONE;
	if (now->provider_id != link->bus_id) {
		/* Since it was looked at: its name may be somebody else's. */
		g_set_error(error, CUA_ERROR, ERROR_STALE_ELEMENT, "The accessibility bus was restarted");
	} else {
		pool_attach_to_act(atspi, link, now->provider, pid);
		delivered = perform(atspi, link, now, number, pid, mark, deadline, error);
	}
	pool_return(atspi, link);
	return delivered;
}
