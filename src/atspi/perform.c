/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "atspi/atspi.h"
#include "atspi/pool.h"

struct outcome {
	bool accepted;
	char *problem; /* the application's own words */
};

static void on_done(sd_bus_message *reply, void *data)
{
	struct outcome *outcome = data;
	int accepted;
	if (sd_bus_message_is_method_error(reply, NULL) > 0) {
		outcome->problem = g_strdup(sd_bus_message_get_error(reply)->message);
	} else if (sd_bus_message_read(reply, "b", &accepted) > 0) {
		outcome->accepted = accepted != 0;
	}
}

static enum delivered perform(struct link *link, const struct element *element, int number,
	struct deadline deadline, GError **error)
{
	struct outcome outcome = { 0 };
	link_send(link, element->provider, element->object, ACTION, "DoAction", on_done,
		&outcome, "i", number);
	enum delivered delivered = DELIVERED_UNKNOWN;
	if (link_pump(link, deadline, error)) {
		if (outcome.accepted) {
			delivered = DELIVERED_FULL;
		} else {
			g_set_error(error, CUA_ERROR, ERROR_DELIVERY_FAILED,
				"The application refused the action '%s'%s%s", element->actions[number],
				outcome.problem ? ": " : "", outcome.problem ? outcome.problem : "");
		}
	}
	g_free(outcome.problem);
	return delivered;
}

enum delivered atspi_perform(struct atspi *atspi, const struct element *now, const char *verb,
	struct deadline deadline, GError **error)
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
	pool_attach(atspi, link, now->provider);
	enum delivered delivered = perform(link, now, number, deadline, error);
	pool_return(atspi, link);
	return delivered;
}
