/* SPDX-License-Identifier: MIT */
/* Moving a value by a step: what the arrow keys do to sliders and spin buttons. */
#include "config.h"

#include "atspi/atspi.h"
#include "atspi/pool.h"
#include "atspi/talk.h"

/* How many steps a page is where nobody says. */
#define PAGE 10

static double step_from(struct talk *talk, enum step step, double value)
{
	double least = talk_double(talk, VALUE_INTERFACE, "MinimumValue", value);
	double most = talk_double(talk, VALUE_INTERFACE, "MaximumValue", value);
	double by = talk_double(talk, VALUE_INTERFACE, "MinimumIncrement", 0);
	/* Toolkits that do not know it say 0; whole numbers are what most of them count. */
	by = by > 0 ? by : most - least > 1 ? 1 : (most - least) / PAGE;
	switch (step) {
	case STEP_NEXT:
		return MIN(value + by, most);
	case STEP_PREVIOUS:
		return MAX(value - by, least);
	case STEP_PAGE_NEXT:
		return MIN(value + PAGE * by, most);
	case STEP_PAGE_PREVIOUS:
		return MAX(value - PAGE * by, least);
	case STEP_FIRST:
		return least;
	case STEP_LAST:
		return most;
	case STEP_NONE:
		break;
	}
	return value;
}

static enum delivered nudge(struct talk *talk, const struct element *now, enum step step,
	GError **error)
{
	enum delivered delivered = DELIVERED_NONE;
	double value = talk_double(talk, VALUE_INTERFACE, "CurrentValue", 0);
	double wanted = step_from(talk, step, value);
	if (talk->error == NULL) {
		delivered = talk_ask(talk, "org.freedesktop.DBus.Properties", "Set", "ssv", VALUE_INTERFACE,
			"CurrentValue", "d", wanted) != NULL ? DELIVERED_FULL : DELIVERED_UNKNOWN;
	}
	if (talk->error != NULL) {
		g_propagate_error(error, g_steal_pointer(&talk->error));
	} else if (delivered != DELIVERED_FULL) {
		g_set_error(error, CUA_ERROR, ERROR_DELIVERY_FAILED, "The %s \"%s\" did not take the value%s%s",
			now->role, now->name, talk->problem ? ": " : "", talk->problem ? talk->problem : "");
	}
	return delivered;
}

enum delivered atspi_nudge(struct atspi *atspi, const struct element *now, enum step step,
	struct deadline deadline, GError **error)
{
	struct link *link = pool_borrow(atspi, deadline, error);
	if (link == NULL) {
		return DELIVERED_NONE;
	}
	struct talk talk = talk_to(link, now, deadline);
	enum delivered delivered = nudge(&talk, now, step, error);
	talk_end(&talk);
	pool_return(atspi, link);
	return delivered;
}
