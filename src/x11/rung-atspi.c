/* SPDX-License-Identifier: MIT */
/* The element's own action, chosen by name: no pointer, no focus, works on covered windows. */
#include "config.h"

#include "x11/rung.h"

static enum verdict can(const struct action *action, struct refusal *why)
{
	if (action->kind != ACTION_CLICK) {
		return VERDICT_NO;
	}
	const char *const *actions = (const char *const *)action->now->actions;
	if (atspi_choose_verb(actions, action->verb) != NULL) {
		return VERDICT_YES;
	}
	why->code = action->verb != NULL ? ERROR_ACTION_UNSUPPORTED : ERROR_BACKGROUND_UNAVAILABLE;
	why->reason = action->verb != NULL
		? g_strdup_printf("The %s \"%s\" has no action '%s'", action->element->role,
			action->element->name, action->verb)
		: g_strdup_printf("The %s \"%s\" has no action that a click could stand for",
			action->element->role, action->element->name);
	return VERDICT_NO;
}

static enum delivered deliver(struct action *action, GError **error)
{
	const char *const *actions = (const char *const *)action->now->actions;
	action->performed = atspi_choose_verb(actions, action->verb);
	return atspi_perform(x11_platform_atspi(action->platform), action->now, action->performed,
		action->deadline, error);
}

const struct rung_impl rung_atspi = {
	.path = "x11_atspi",
	.delivery = DELIVERY_BACKGROUND,
	.takes = ADDRESS_ELEMENT,
	.through_accessibility = true,
	.can = can,
	.deliver = deliver,
};
