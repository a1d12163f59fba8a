/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/atspi.h"
#include "atspi/pool.h"

/* Exact names: a wider registration makes every application on the desktop emit more. */
static const char *const events[] = {
	"object:state-changed:checked",
	"object:state-changed:pressed",
	"object:state-changed:selected",
	"object:state-changed:expanded",
	"object:property-change:accessible-value",
	"object:text-changed",
};

/* Watches one object; its connection is its own as long as it lives. */
struct watch {
	struct atspi *atspi;
	struct link *link;
	sd_bus_slot *match;
	bool seen;
};

static int on_signal(sd_bus_message *message, void *data, sd_bus_error *error)
{
	struct watch *watch = data;
	(void)message;
	(void)error;
	watch->seen = true;
	return 0;
}

static void ignore(sd_bus_message *reply, void *data)
{
	(void)reply;
	(void)data;
}

static void tell_registry(struct link *link, const char *method, const char *types)
{
	for (gsize i = 0; i < G_N_ELEMENTS(events); i++) {
		link_send(link, REGISTRY, "/org/a11y/atspi/registry", REGISTRY, method, ignore, NULL, types,
			events[i], 0, "");
	}
}

void *atspi_watch_start(struct atspi *atspi, const struct element *element, struct deadline deadline,
	GError **error)
{
	struct link *link = pool_borrow(atspi, deadline, error);
	if (link == NULL) {
		return NULL;
	}
	struct watch *watch = g_new0(struct watch, 1);
	watch->atspi = atspi;
	watch->link = link;
	g_autofree char *rule = g_strdup_printf("type='signal',sender='%s',path='%s'", element->provider,
		element->object);
	sd_bus_add_match_async(link->bus, &watch->match, rule, on_signal, NULL, watch);
	/* An array of no properties and no application: everybody's events of that name. */
	tell_registry(link, "RegisterEvent", "sass");
	if (!link_pump(link, deadline, error)) {
		atspi_watch_end(watch);
		return NULL;
	}
	return watch;
}

bool atspi_watch_wait(void *data, struct deadline deadline)
{
	struct watch *watch = data;
	bool seen = link_wait(watch->link, &watch->seen, deadline);
	watch->seen = false;
	return seen;
}

void atspi_watch_end(void *data)
{
	struct watch *watch = data;
	sd_bus_slot_unref(watch->match);
	if (!watch->link->broken) {
		tell_registry(watch->link, "DeregisterEvent", "s");
		link_pump(watch->link, deadline_in(500, NULL), NULL);
	}
	pool_return(watch->atspi, watch->link);
	g_free(watch);
}
