/* SPDX-License-Identifier: MIT */
/* Writes through accessibility: no keyboard, no focus, works on covered and minimised windows. */
#include "config.h"

#include "atspi/pool.h"
#include "atspi/write.h"
#include "x11/rung.h"

static enum verdict can(const struct action *action, struct refusal *why)
{
	(void)why;
	/* Whether this element can be written to is for the application to say. */
	return action->kind == ACTION_TYPE_TEXT ? VERDICT_YES : VERDICT_NO;
}

static enum delivered deliver(struct action *action, GError **error)
{
	struct atspi *atspi = x11_platform_atspi(action->platform);
	struct link *link = pool_borrow(atspi, action->deadline, error);
	if (link == NULL) {
		return DELIVERED_NONE;
	}
	struct talk talk = talk_to(link, action->now, action->deadline);
	enum delivered delivered = write_text(&talk, action, error);
	talk_end(&talk);
	pool_return(atspi, link);
	return delivered;
}

static char *look(const struct action *action, struct deadline deadline)
{
	struct atspi *atspi = x11_platform_atspi(action->platform);
	struct link *link = pool_borrow(atspi, deadline, NULL);
	if (link == NULL) {
		return NULL;
	}
	struct talk talk = talk_to(link, action->now, deadline);
	char *seen = write_look(&talk, action);
	talk_end(&talk);
	pool_return(atspi, link);
	return seen;
}

const struct rung_impl rung_ax = {
	.path = "ax",
	.delivery = DELIVERY_BACKGROUND,
	.takes = ADDRESS_ELEMENT,
	.through_accessibility = true,
	.can = can,
	.deliver = deliver,
	.look = look,
};
