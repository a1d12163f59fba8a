/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/talk.h"

#include "atspi/node.h"
#include "core/error.h"

struct talk talk_to(struct link *link, const struct element *element, struct deadline deadline)
{
	struct talk talk = {
		.link = link, .name = element->provider, .path = element->object, .plugged = element->plugged,
		.deadline = deadline,
	};
	if (element->provider_id != link->bus_id) {
		g_set_error(&talk.error, CUA_ERROR, ERROR_STALE_ELEMENT, "The accessibility bus was restarted");
	}
	return talk;
}

void talk_end(struct talk *talk)
{
	message_free(talk->reply);
	g_free(talk->problem);
	g_clear_error(&talk->error);
}

bool talk_begin(struct talk *talk)
{
	g_clear_pointer(&talk->reply, message_free);
	g_clear_pointer(&talk->problem, g_free);
	return talk->error == NULL;
}

void talk_take(struct message *reply, void *data)
{
	struct talk *talk = data;
	if (message_is_error(reply)) {
		const char *words = message_problem(reply);
		talk->problem = g_utf8_make_valid(words != NULL ? words : "", -1);
	} else {
		talk->reply = message_keep(reply);
	}
}

struct message *talk_wait(struct talk *talk)
{
	/* After a failed pump no callback runs any more, so none finds this talk gone. */
	return link_pump(talk->link, talk->deadline, &talk->error) ? talk->reply : NULL;
}

static struct message *property_of(struct talk *talk, const char *interface, const char *property)
{
	return talk_ask(talk, "org.freedesktop.DBus.Properties", "Get", "ss", interface, property);
}

int talk_int(struct talk *talk, const char *interface, const char *property, int otherwise)
{
	struct message *reply = property_of(talk, interface, property);
	int32_t number;
	return reply != NULL && message_read(reply, "v", "i", &number) > 0 ? number : otherwise;
}

double talk_double(struct talk *talk, const char *interface, const char *property, double otherwise)
{
	struct message *reply = property_of(talk, interface, property);
	double number;
	return reply != NULL && message_read(reply, "v", "d", &number) > 0 ? number : otherwise;
}

char *talk_string(struct talk *talk, const char *interface, const char *property)
{
	struct message *reply = property_of(talk, interface, property);
	const char *text;
	return reply != NULL && message_read(reply, "v", "s", &text) > 0
		? g_utf8_make_valid(text, -1) : NULL;
}

bool talk_agreed(const struct talk *talk)
{
	int yes;
	if (talk->reply == NULL) {
		return false;
	}
	message_rewind(talk->reply);
	return message_read(talk->reply, "b", &yes) > 0 && yes != 0;
}

unsigned talk_interfaces(struct talk *talk)
{
	struct message *reply = talk_ask(talk, ACCESSIBLE, "GetInterfaces", NULL);
	return reply != NULL ? node_read_interfaces(reply) : 0;
}

uint64_t talk_states(struct talk *talk)
{
	struct message *reply = talk_ask(talk, ACCESSIBLE, "GetState", NULL);
	return reply != NULL ? node_read_states(reply) : 0;
}

uint32_t talk_role(struct talk *talk)
{
	struct message *reply = talk_ask(talk, ACCESSIBLE, "GetRole", NULL);
	uint32_t role;
	return reply != NULL && message_read(reply, "u", &role) > 0 ? role : 0;
}
