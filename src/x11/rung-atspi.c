/* SPDX-License-Identifier: MIT */
/*
 * The element's own action, chosen by name, or its selection in what it is in: no pointer, no focus,
 * works on covered windows.
 */
#include "config.h"

#include <string.h>

#include "atspi/verb.h"
#include "x11/rung.h"

static enum verdict can(const struct action *action, struct refusal *why)
{
	const char *verb;
	return action->kind == ACTION_CLICK && verb_choose(action, &verb, why) != WAY_NONE ? VERDICT_YES
		: VERDICT_NO;
}

static enum delivered deliver(struct action *action, GError **error)
{
	struct atspi *atspi = x11_platform_atspi(action->platform);
	struct refusal why = { 0 };
	const char *verb;
	switch (verb_choose(action, &verb, &why)) {
	case WAY_PERFORM:
		action->performed = verb;
		return atspi_perform(atspi, action->now, verb, action->deadline, error);
	case WAY_PICK:
		action->performed = "select";
		/* Rows are what people click in lists with columns; a spreadsheet has cells. */
		return atspi_pick(atspi, action->now, strcmp(action->window->toolkit, "vcl") != 0,
			action->deadline, error);
	case WAY_NONE:
		break;
	}
	g_set_error_literal(error, CUA_ERROR, (int)why.code, why.reason);
	refusal_clear(&why);
	return DELIVERED_NONE;
}

const struct rung_impl rung_atspi = {
	.path = "x11_atspi",
	.delivery = DELIVERY_BACKGROUND,
	.takes = ADDRESS_ELEMENT,
	.through_accessibility = true,
	.can = can,
	.deliver = deliver,
};
