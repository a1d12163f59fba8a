/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/desktop.h"

#include "core/courtesy.h"
#include "core/disturbance.h"
#include "core/finding.h"
#include "core/ladder.h"
#include "core/verdict.h"

/* The probe is not the action: it may take this long and no more. */
#define PROBE_MS 1000

static bool look(struct action *action, struct probe *probe, GError **error)
{
	static const struct window nothing = { .id = 0 };
	const struct platform_impl *impl = action->platform->impl;
	return impl->probe_end(action->platform, impl->probe_begin(action->platform, &nothing, PROBE_DESKTOP, true),
		deadline_in(PROBE_MS, NULL), probe, error);
}

static void answer_done(struct action *action, const struct rung_impl *rung, gint64 started, struct answer *answer)
{
	answer_text(answer, "%s the screen (%s). Nobody but you can tell what came of it: call get_desktop_state and "
		"look.\n", action->performed, rung->path);
	answer_string(answer, "path", rung->path);
	answer_string(answer, "effect", effect_name(EFFECT_UNVERIFIABLE));
	answer_bool(answer, "verified", false);
	answer_open_array(answer, "evidence");
	answer_close_array(answer);
	answer_bool(answer, "settled", true);
	answer_int(answer, "elapsed_ms", (g_get_monotonic_time() - started) / 1000);
}

static void deliver(struct action *action, const struct probe *user, struct answer *answer)
{
	g_autoptr(GError) error = NULL;
	const struct rung_impl *rung;
	struct probe after = { 0 };
	gint64 started = g_get_monotonic_time();
	enum delivered delivered = ladder_deliver(action, &rung, &error);
	bool looked = look(action, &after, NULL);
	if (delivered != DELIVERED_FULL) {
		verdict_refuse(answer, action, delivered, error);
	} else {
		answer_done(action, rung, started, answer);
	}
	finding_answer(action, answer);
	finding_clear(&action->finding);
	disturbance_answer_of(answer, action, user, looked ? &after : NULL);
	disturbance_answer_late(answer, user);
	probe_clear(&after);
}

void desktop_act(struct action *action, struct answer *answer)
{
	g_autoptr(GError) error = NULL;
	struct probe user = { 0 };
	bool waited;
	/* What is typed where the user types would be mixed with it. */
	if (!courtesy_wait(action, 0, &waited, answer)) {
		return;
	}
	if (!look(action, &user, &error)) {
		answer_fail_error(answer, error);
	} else if (user.locked) {
		answer_fail(answer, ERROR_SCREEN_LOCKED, "The screen is locked, or the user is at another console; "
			"nothing was done");
	} else {
		deliver(action, &user, answer);
	}
	probe_clear(&user);
}
