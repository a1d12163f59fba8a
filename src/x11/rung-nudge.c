/* SPDX-License-Identifier: MIT */
/* A key that moves a value, done by writing the value. */
#include "config.h"

#include "atspi/press.h"
#include "x11/rung.h"

static enum verdict can(const struct action *action, struct refusal *why)
{
	struct refusal ignored = { 0 };
	const char *verb;
	enum step step;
	(void)why;
	if (action->kind != ACTION_PRESS_KEY) {
		return VERDICT_NO;
	}
	/* What else a key may do is another rung's, and so is the refusal. */
	enum press press = press_choose(action, &verb, &step, &ignored);
	refusal_clear(&ignored);
	return press == PRESS_NUDGE ? VERDICT_YES : VERDICT_NO;
}

static enum delivered deliver(struct action *action, GError **error)
{
	struct refusal ignored = { 0 };
	const char *verb;
	enum step step;
	press_choose(action, &verb, &step, &ignored);
	refusal_clear(&ignored);
	action->performed = "set value of";
	return nudge_value(x11_platform_atspi(action->platform), action, step, error);
}

static char *look(const struct action *action, struct deadline deadline)
{
	return nudge_look(x11_platform_atspi(action->platform), action, deadline);
}

const struct rung_impl rung_nudge = {
	.path = "ax",
	.delivery = DELIVERY_BACKGROUND,
	.takes = ADDRESS_ELEMENT,
	.through_accessibility = true,
	.can = can,
	.deliver = deliver,
	.look = look,
};
