/* SPDX-License-Identifier: MIT */
/* Writes through accessibility: no keyboard, no focus, works on covered and minimised windows. */
#include "config.h"

#include <string.h>

#include "atspi/pool.h"
#include "atspi/verb.h"
#include "atspi/write.h"
#include "x11/rung.h"

/* How far above its numbers a date is. */
#define DATE_DEPTH 4

static enum verdict can(const struct action *action, struct refusal *why)
{
	(void)why;
	/* Who wants a pause between keys wants keys. */
	if (action->kind == ACTION_TYPE_TEXT && action->delay_ms > 0) {
		return VERDICT_NO;
	}
	/* Whether this element can be written to is for the application to say. */
	return action->kind == ACTION_TYPE_TEXT || action->kind == ACTION_SET_VALUE
		|| action->kind == ACTION_SCROLL ? VERDICT_YES : VERDICT_NO;
}

/* A cell in a text takes a number for itself and shows none; a protected one in a sheet says yes and takes none. */
static bool hides_number(const struct action *action)
{
	const struct element *document = element_document(action->element);
	return document != NULL && (strcmp(document->role, "document text") == 0
		|| (action->now->states & STATE_EDITABLE) == 0);
}

/*
 * What stands in a spin button, the name of a month or a time, is its value only when Enter was pressed there; then it is what
 * the application made of it. In GTK 4 only a key does that.
 */
static enum delivered write_value(struct atspi *atspi, struct talk *talk, struct action *action, GError **error)
{
	const struct element *now = action->now;
	const char *enter = strcmp(action->window->toolkit, "gtk3") == 0 && strcmp(now->role, "spin button") == 0
		? verb_find((const char *const *)now->actions, "activate") : NULL;
	g_autofree char *before = enter != NULL ? range_look(talk) : NULL;
	enum delivered delivered = write_whole(talk, action, error);
	if (delivered == DELIVERED_FULL && enter != NULL
		&& atspi_perform(atspi, now, enter, action->window->pid, NULL, action->deadline, NULL) == DELIVERED_FULL) {
		g_autofree char *after = range_look(talk);
		action->finding.echo = g_strcmp0(before, after) == 0;
	}
	return delivered;
}

/* Firefox sets the number of a field without a word to the page, which then goes on with the old one. Keys are heard. */
static bool is_page_number(const struct action *action)
{
	const struct element *now = action->now;
	return now->in_web_content && (now->states & STATE_EDITABLE) != 0 && strcmp(now->role, "spin button") == 0
		&& strcmp(action->window->toolkit, "gecko") == 0;
}

/* One of the numbers of a date or time in a page. */
static bool is_date_part(const struct action *action)
{
	const struct element *element = action->element;
	if (!action->now->in_web_content || strcmp(action->now->role, "spin button") != 0
		|| (action->now->states & STATE_EDITABLE) != 0) {
		return false;
	}
	for (int i = 0; i < DATE_DEPTH && element->tree != NULL && element->parent >= 0; i++) {
		element = element->tree->elements->pdata[element->parent];
		if (strcmp(element->role, "date editor") == 0
			|| (strcmp(element->role, "panel") == 0 && (element->states & STATE_EDITABLE) != 0)) {
			return true;
		}
	}
	return false;
}

/* By what the element is; a number is told as one where the element knows numbers. */
static enum delivered set_value(struct atspi *atspi, struct talk *talk, struct action *action,
	GError **error)
{
	const struct element *now = action->now;
	double number;
	bool range = now->has_value && range_is(action, talk_double(talk, VALUE_INTERFACE, "MinimumValue", 0),
		talk_double(talk, VALUE_INTERFACE, "MaximumValue", 0));
	if (toggle_is(now, action->text)) {
		return toggle_set(atspi, talk, action, error);
	}
	if (choice_is(now)) {
		return choice_set(atspi, talk, action, error);
	}
	if (is_date_part(action)) {
		return range_type(talk, action, error);
	}
	bool is_number = range && !hides_number(action) && ((now->states & STATE_EDITABLE) == 0
		|| range_means(talk, now, action->text, &number));
	if (is_number && !is_page_number(action)) {
		return range_set(talk, action, error);
	}
	if (is_number && !range_within(talk, action, number, error)) {
		return DELIVERED_NONE;
	}
	return write_value(atspi, talk, action, error);
}

static enum delivered deliver(struct action *action, GError **error)
{
	struct atspi *atspi = x11_platform_atspi(action->platform);
	struct link *link = pool_borrow(atspi, action->deadline, error);
	if (link == NULL) {
		return DELIVERED_NONE;
	}
	struct talk talk = talk_to(link, action->now, action->deadline);
	enum delivered delivered = action->kind == ACTION_TYPE_TEXT ? write_text(&talk, action, error)
		: action->kind == ACTION_SCROLL ? scroll_move(&talk, action, error)
		: set_value(atspi, &talk, action, error);
	if (delivered == DELIVERED_NONE && !action->finding.kept) {
		/* There is nothing to look for; the next rung may find something else. */
		action->finding.kind = NULL;
	}
	talk_end(&talk);
	pool_return(atspi, link);
	return delivered;
}

static char *look_at(struct talk *talk, const struct action *action)
{
	const struct finding *finding = &action->finding;
	if (strcmp(finding->kind, "selection") == 0) {
		return choice_look(talk, action);
	}
	if (finding->object != NULL) {
		talk->path = finding->object;
	}
	if (strcmp(finding->kind, "state") == 0) {
		return toggle_look(talk, action);
	}
	if (strcmp(finding->kind, "value") == 0) {
		return finding->digits ? range_read(talk) : range_look(talk);
	}
	return write_look(talk, action);
}

static char *look(const struct action *action, struct deadline deadline)
{
	struct atspi *atspi = x11_platform_atspi(action->platform);
	struct link *link = pool_borrow(atspi, deadline, NULL);
	if (link == NULL) {
		return NULL;
	}
	struct talk talk = talk_to(link, action->now, deadline);
	char *seen = look_at(&talk, action);
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
