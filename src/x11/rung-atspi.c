/* SPDX-License-Identifier: MIT */
/*
 * The element's own action, chosen by name, or its selection in what it is in: no pointer, no keyboard,
 * no focus, works on covered windows.
 */
#include "config.h"

#include <string.h>

#include "atspi/press.h"
#include "atspi/verb.h"
#include "x11/rung.h"

/* How the action is done; WAY_NONE with `why` if it is not done here. */
static enum way choose(const struct action *action, const char **verb, enum step *step,
	struct refusal *why)
{
	*verb = NULL;
	*step = STEP_NONE;
	if (action->kind == ACTION_CLICK || action->kind == ACTION_INVOKE_MENU) {
		*step = action->kind == ACTION_CLICK ? verb_step(action) : STEP_NONE;
		return verb_choose(action, verb, why);
	}
	if (action->kind == ACTION_PRESS_KEY) {
		enum press press = press_choose(action, verb, step, why);
		return press == PRESS_PERFORM ? WAY_PERFORM : press == PRESS_PICK ? WAY_PICK : WAY_NONE;
	}
	return WAY_NONE;
}

static enum verdict can(const struct action *action, struct refusal *why)
{
	const char *verb;
	enum step step;
	return choose(action, &verb, &step, why) != WAY_NONE ? VERDICT_YES : VERDICT_NO;
}

/* Rows are what people click in lists with columns; a spreadsheet has cells. */
static enum delivered pick(const struct action *action, enum step step, GError **error)
{
	return atspi_pick(x11_platform_atspi(action->platform), action->now, element_document(action->element) == NULL, step,
		action->deadline, error);
}

/* Its own action gives it the focus inside of its page; the keys may still go to the address bar. */
static bool is_page_field(const struct action *action)
{
	return action->kind == ACTION_CLICK && action->now->in_web_content && (action->now->states & STATE_EDITABLE) != 0;
}

static enum delivered deliver(struct action *action, GError **error)
{
	struct atspi *atspi = x11_platform_atspi(action->platform);
	struct refusal why = { 0 };
	const char *verb;
	enum step step;
	enum delivered delivered;
	struct mark mark = { 0 };
	switch (choose(action, &verb, &step, &why)) {
	case WAY_PERFORM:
		if (verb_opens_selected(action, verb)) {
			delivered = pick(action, STEP_NONE, error);
			if (delivered != DELIVERED_FULL) {
				return delivered;
			}
			action->finding.picked = true;
		}
		action->performed = verb;
		action->lag_ms = verb_lag_ms(action->window, verb);
		delivered = atspi_perform(atspi, action->now, verb, action->window->pid, &mark, action->deadline, error);
		action->moment = mark.moment;
		action->stirred = mark.stirred;
		if (delivered == DELIVERED_FULL && is_page_field(action)) {
			rung_give_focus(action);
		}
		return delivered;
	case WAY_PICK:
		action->performed = step == STEP_NONE ? "select" : step == STEP_TURN ? "turned over the selection of" : step == STEP_RANGE
			? "selected all up to" : "move the selection from";
		/* Who holds a key while clicking asks for the selection, and no more. */
		action->finding.unheard = verb_pick_is_unheard(action) && step != STEP_TURN && step != STEP_RANGE;
		return pick(action, step, error);
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
