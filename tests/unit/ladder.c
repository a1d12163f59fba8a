/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/ladder.h"

#include <glib.h>

/* What was tried, in order. */
static GString *tried;
static enum delivered outcomes[2];

static enum verdict yes(const struct action *action, struct refusal *why)
{
	(void)action;
	(void)why;
	return VERDICT_YES;
}

static enum delivered deliver(char letter, enum delivered outcome, GError **error)
{
	g_string_append_c(tried, letter);
	if (outcome != DELIVERED_FULL) {
		g_set_error(error, CUA_ERROR, ERROR_DELIVERY_FAILED, "%c could not", letter);
	}
	return outcome;
}

static enum delivered deliver_verb(struct action *action, GError **error)
{
	(void)action;
	return deliver('v', outcomes[0], error);
}

static enum delivered deliver_pointer(struct action *action, GError **error)
{
	(void)action;
	return deliver('p', outcomes[1], error);
}

static const struct rung_impl verb = { .path = "verb", .takes = ADDRESS_ELEMENT, .through_accessibility = true,
	.can = yes, .deliver = deliver_verb };
static const struct rung_impl pointer = { .path = "pointer", .takes = ADDRESS_ELEMENT | ADDRESS_POINT, .can = yes,
	.deliver = deliver_pointer };
static const struct rung_impl *const rungs[] = { &verb, &pointer, NULL };
static const struct platform_impl impl = { .name = "ladder", .rungs = rungs };

static void climb(struct action action, enum delivered first, enum delivered second, const char *way,
	enum delivered expected)
{
	struct platform platform = { .impl = &impl };
	const struct rung_impl *ran;
	g_autoptr(GError) error = NULL;
	outcomes[0] = first;
	outcomes[1] = second;
	tried = g_string_new(NULL);
	action.platform = &platform;
	g_assert_cmpint(ladder_deliver(&action, &ran, &error), ==, expected);
	g_assert_cmpstr(tried->str, ==, way);
	g_assert_true((error == NULL) == (expected == DELIVERED_FULL));
	g_string_free(tried, TRUE);
}

/* The next rung is for what the one before certainly did not deliver. */
static void test_order(void)
{
	const struct action element = { .kind = ACTION_CLICK, .addressing = ADDRESS_ELEMENT };
	const struct action point = { .kind = ACTION_CLICK, .addressing = ADDRESS_POINT };
	climb(element, DELIVERED_FULL, DELIVERED_FULL, "v", DELIVERED_FULL);
	climb(element, DELIVERED_NONE, DELIVERED_FULL, "vp", DELIVERED_FULL);
	climb(element, DELIVERED_UNKNOWN, DELIVERED_FULL, "v", DELIVERED_UNKNOWN);
	climb(element, DELIVERED_PARTIAL, DELIVERED_FULL, "v", DELIVERED_PARTIAL);
	climb(element, DELIVERED_NONE, DELIVERED_NONE, "vp", DELIVERED_NONE);
	climb(point, DELIVERED_FULL, DELIVERED_FULL, "p", DELIVERED_FULL);
}

/* Who asks for a real device gets no verb in its place, whether there is one or not. */
static void test_real_device(void)
{
	const struct action real = { .kind = ACTION_CLICK, .addressing = ADDRESS_ELEMENT, .real_device = true };
	climb(real, DELIVERED_FULL, DELIVERED_FULL, "p", DELIVERED_FULL);
	climb(real, DELIVERED_FULL, DELIVERED_NONE, "p", DELIVERED_NONE);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/ladder/order", test_order);
	g_test_add_func("/ladder/real-device", test_real_device);
	return g_test_run();
}
