/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "atspi/atspi.h"
#include "atspi/node.h"
#include "atspi/pool.h"

/*
 * What callers ask for, and the verbs of the toolkits that do it, best first. Always by name: the
 * position of a verb differs between toolkits and releases.
 */
static const struct {
	const char *wanted;
	const char *verbs[14];
} table[] = {
	{ "press", { "click", "press", "activate", "toggle", "doDefault", "jump", "check", "uncheck",
		"select", "switch", "open", "clickAncestor", "click ancestor" } },
	{ "show_menu", { "showContextMenu", "ShowMenu", "show menu", "menu", "popup" } },
	{ "pick", { "pick", "select", "click", "press", "activate" } },
	{ "confirm", { "confirm", "activate", "press" } },
	{ "cancel", { "cancel", "dismiss", "close" } },
	{ "open", { "open", "activate", "expand or contract", "expand", "edit" } },
};

static const char *find_verb(const char *const *actions, const char *verb)
{
	for (; *actions != NULL; actions++) {
		if (g_ascii_strcasecmp(*actions, verb) == 0) {
			return *actions;
		}
	}
	return NULL;
}

const char *atspi_choose_verb(const char *const *actions, const char *wanted)
{
	const char *found = wanted != NULL ? find_verb(actions, wanted) : NULL;
	for (gsize i = 0; i < G_N_ELEMENTS(table) && found == NULL; i++) {
		if (strcmp(table[i].wanted, wanted != NULL ? wanted : "press") != 0) {
			continue;
		}
		for (const char *const *verb = table[i].verbs; *verb != NULL && found == NULL; verb++) {
			found = find_verb(actions, *verb);
		}
	}
	return found;
}

static void on_actions(sd_bus_message *reply, void *data)
{
	node_take_actions(reply, data);
}

struct outcome {
	bool accepted;
	char *problem; /* the application's own words */
};

static void on_done(sd_bus_message *reply, void *data)
{
	struct outcome *outcome = data;
	int accepted;
	if (sd_bus_message_is_method_error(reply, NULL) > 0) {
		outcome->problem = g_strdup(sd_bus_message_get_error(reply)->message);
	} else if (sd_bus_message_read(reply, "b", &accepted) > 0) {
		outcome->accepted = accepted != 0;
	}
}

/* The number of the verb now, -1 if it has gone. */
static int verb_number(struct link *link, const struct element *element, const char *verb,
	struct deadline deadline, GError **error)
{
	struct node *node = node_new(NULL, NULL, element->provider, element->object, 0);
	link_send(link, element->provider, element->object, "org.a11y.atspi.Action", "GetActions",
		on_actions, node, NULL);
	int number = -1;
	if (link_pump(link, deadline, error)) {
		char **actions = node->element->actions;
		for (int i = 0; actions[i] != NULL && number < 0; i++) {
			number = strcmp(actions[i], verb) == 0 ? i : -1;
		}
		if (number < 0) {
			g_set_error(error, CUA_ERROR, ERROR_STALE_ELEMENT,
				"The element does not have the action '%s' any more", verb);
		}
	}
	node_free(node);
	return number;
}

static enum delivered perform(struct link *link, const struct element *element, const char *verb,
	struct deadline deadline, GError **error)
{
	int number = verb_number(link, element, verb, deadline, error);
	if (number < 0) {
		return DELIVERED_NONE;
	}
	struct outcome outcome = { 0 };
	link_send(link, element->provider, element->object, "org.a11y.atspi.Action", "DoAction", on_done,
		&outcome, "i", number);
	enum delivered delivered = DELIVERED_UNKNOWN;
	if (link_pump(link, deadline, error)) {
		if (outcome.accepted) {
			delivered = DELIVERED_FULL;
		} else {
			g_set_error(error, CUA_ERROR, ERROR_DELIVERY_FAILED,
				"The application refused the action '%s'%s%s", verb,
				outcome.problem ? ": " : "", outcome.problem ? outcome.problem : "");
		}
	}
	g_free(outcome.problem);
	return delivered;
}

enum delivered atspi_perform(struct atspi *atspi, const struct element *element, const char *verb,
	struct deadline deadline, GError **error)
{
	struct link *link = pool_borrow(atspi, deadline, error);
	if (link == NULL) {
		return DELIVERED_NONE;
	}
	enum delivered delivered = perform(link, element, verb, deadline, error);
	pool_return(atspi, link);
	return delivered;
}
