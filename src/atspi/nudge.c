/* SPDX-License-Identifier: MIT */
/* Moving a value by a step: what the arrow keys do to sliders and spin buttons. */
#include "config.h"

#include "atspi/pool.h"
#include "atspi/press.h"
#include "atspi/write.h"

/* How many steps a page is where nobody says. */
#define PAGE 10

static double step_from(struct talk *talk, enum step step, double value, double least, double most, bool *guessed)
{
	double by = talk_double(talk, VALUE_INTERFACE, "MinimumIncrement", 0);
	if (most <= least) {
		/* Firefox says so of a number without limits. */
		least = -G_MAXDOUBLE;
		most = G_MAXDOUBLE;
	}
	/* Toolkits that do not know it, GTK4 always and Qt's spin boxes, say 0; whole numbers are what most of them count. */
	bool page = step == STEP_PAGE_NEXT || step == STEP_PAGE_PREVIOUS;
	*guessed = page || (by <= 0 && step != STEP_FIRST && step != STEP_LAST);
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
		return least > -G_MAXDOUBLE ? least : value;
	case STEP_LAST:
		return most < G_MAXDOUBLE ? most : value;
	case STEP_TURN:
	case STEP_RANGE:
	case STEP_NONE:
		break;
	}
	return value;
}

static enum delivered nudge(struct talk *talk, struct action *action, enum step step, GError **error)
{
	struct finding *finding = &action->finding;
	double value = talk_double(talk, VALUE_INTERFACE, "CurrentValue", 0);
	double least = talk_double(talk, VALUE_INTERFACE, "MinimumValue", value);
	double most = talk_double(talk, VALUE_INTERFACE, "MaximumValue", value);
	double wanted = step_from(talk, step, value, least, most, &finding->guessed);
	if (talk->error != NULL) {
		g_propagate_error(error, g_steal_pointer(&talk->error));
		return DELIVERED_NONE;
	}
	if (!range_is(action, least, most) || action->now->plugged) {
		error_set(error, ERROR_BACKGROUND_UNAVAILABLE, "The %s \"%s\" is no number",
			action->now->role, action->now->name);
		return DELIVERED_NONE;
	}
	/* Nor do actions help that are called so: Qt's "Increase" goes by a tenth of the range. The key itself knows. */
	if (finding->guessed && !action->last) {
		finding->guessed = false;
		error_set(error, ERROR_BACKGROUND_UNAVAILABLE,
			"The %s \"%s\" does not tell how far that key moves it", action->now->role,
			action->now->name);
		return DELIVERED_NONE;
	}
	finding->kind = "value";
	finding->before = range_in_words(value);
	finding->wanted = range_in_words(wanted);
	if (!range_put(talk, wanted)) {
		write_fail(talk, error, ERROR_DELIVERY_FAILED, "The %s \"%s\" did not take the value",
			action->now->role, action->now->name);
		return DELIVERED_UNKNOWN;
	}
	return DELIVERED_FULL;
}

enum delivered nudge_value(struct atspi *atspi, struct action *action, enum step step, GError **error)
{
	struct link *link = pool_borrow(atspi, action->deadline, error);
	if (link == NULL) {
		return DELIVERED_NONE;
	}
	struct talk talk = talk_to(link, action->now, action->deadline);
	enum delivered delivered = nudge(&talk, action, step, error);
	talk_end(&talk);
	pool_return(atspi, link);
	return delivered;
}

char *nudge_look(struct atspi *atspi, const struct action *action, struct deadline deadline)
{
	struct link *link = pool_borrow(atspi, deadline, NULL);
	if (link == NULL) {
		return NULL;
	}
	struct talk talk = talk_to(link, action->now, deadline);
	char *seen = range_look(&talk);
	talk_end(&talk);
	pool_return(atspi, link);
	return seen;
}
