/* SPDX-License-Identifier: MIT */
/*
 * What a pointer should have clicked and cannot reach, off the screen or scrolled out: the verb of the element after all,
 * which changes it and does not tell the application of a click. And what a key should have moved that cannot be pressed: by
 * as much as it moves most things of its kind.
 */
#include "config.h"

#include "atspi/write.h"
#include "core/finding.h"
#include "x11/rung.h"

/* Whether all that the rungs before said is that the place cannot be reached. */
static bool is_out_of_reach(const struct action *action)
{
	return action->has_refused && !action->last && action->now != NULL
		&& (action->refused == ERROR_POINT_OUTSIDE_WINDOW || action->refused == ERROR_BACKGROUND_UNAVAILABLE);
}

static enum verdict can_click(const struct action *action, struct refusal *why)
{
	struct action again = *action;
	again.last = true;
	/* With any other verb the first try would have been the same. On a page that is not shown nobody clicks. */
	return action->kind == ACTION_CLICK && is_out_of_reach(action) && !action->put_away && (toggle_is(action->now, "") || element_is_item(action->now))
		? rung_atspi.can(&again, why) : VERDICT_NO;
}

static enum verdict can_set(const struct action *action, struct refusal *why)
{
	(void)why;
	return action->kind == ACTION_SET_VALUE && is_out_of_reach(action)
		&& (action->finding.part != NULL || toggle_is(action->now, action->text)) ? VERDICT_YES : VERDICT_NO;
}

static enum verdict can_nudge(const struct action *action, struct refusal *why)
{
	return is_out_of_reach(action) ? rung_nudge.can(action, why) : VERDICT_NO;
}

static enum delivered click(struct action *action, GError **error)
{
	action->last = true;
	return rung_atspi.deliver(action, error);
}

static enum delivered set(struct action *action, GError **error)
{
	action->last = true;
	finding_clear(&action->finding);
	return rung_ax.deliver(action, error);
}

static enum delivered nudge(struct action *action, GError **error)
{
	action->last = true;
	finding_clear(&action->finding);
	return rung_nudge.deliver(action, error);
}

static char *look(const struct action *action, struct deadline deadline)
{
	return rung_ax.look(action, deadline);
}

const struct rung_impl rung_atspi_last = {
	.path = "x11_atspi",
	.delivery = DELIVERY_BACKGROUND,
	.takes = ADDRESS_ELEMENT,
	.through_accessibility = true,
	.can = can_click,
	.deliver = click,
};

const struct rung_impl rung_ax_last = {
	.path = "ax",
	.delivery = DELIVERY_BACKGROUND,
	.takes = ADDRESS_ELEMENT,
	.through_accessibility = true,
	.can = can_set,
	.deliver = set,
	.look = look,
};

const struct rung_impl rung_nudge_last = {
	.path = "ax",
	.delivery = DELIVERY_BACKGROUND,
	.takes = ADDRESS_ELEMENT,
	.through_accessibility = true,
	.can = can_nudge,
	.deliver = nudge,
	.look = look,
};
