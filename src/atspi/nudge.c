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
	/* Toolkits that do not know it, GTK4 always, say 0; whole numbers are what most of them count. */
	*guessed = by <= 0 && step != STEP_FIRST && step != STEP_LAST;
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

/* Qt's spin boxes do not tell their step, but have actions for it. Whether that was done; `wanted` is what came of it. */
static bool step_by_itself(struct talk *talk, const struct element *now, enum step step, double value, double *wanted)
{
	const char *verb = step == STEP_NEXT ? "Increase" : step == STEP_PREVIOUS ? "Decrease" : NULL;
	int number = 0;
	while (now->actions[number] != NULL && g_strcmp0(now->actions[number], verb) != 0) {
		number++;
	}
	if (verb == NULL || now->actions[number] == NULL) {
		return false;
	}
	talk_ask(talk, ACTION_INTERFACE, "DoAction", "i", number);
	if (!talk_agreed(talk)) {
		return false;
	}
	double after = talk_double(talk, VALUE_INTERFACE, "CurrentValue", value);
	*wanted = after != value ? after : *wanted;
	return true;
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
		g_set_error(error, CUA_ERROR, ERROR_BACKGROUND_UNAVAILABLE, "The %s \"%s\" is no number",
			action->now->role, action->now->name);
		return DELIVERED_NONE;
	}
	finding->kind = "value";
	finding->before = range_in_words(value);
	bool stepped = finding->guessed && step_by_itself(talk, action->now, step, value, &wanted);
	finding->guessed = finding->guessed && !stepped;
	finding->wanted = range_in_words(wanted);
	if (!stepped && !range_put(talk, wanted)) {
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
