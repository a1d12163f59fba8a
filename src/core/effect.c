/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/effect.h"

#include "core/disturbance.h"
#include "core/finding.h"
#include "core/ladder.h"
#include "core/past.h"
#include "core/recheck.h"
#include "core/verdict.h"
#include "core/witness.h"

/* The probe is not the action: it may take this long and no more. */
#define PROBE_MS 1000
/* An application that said nothing for this long has settled. */
#define QUIET_US (50 * G_TIME_SPAN_MILLISECOND)
/* How soon after it opened a window has taken what it takes. */
#define LINGER_MS 100
/* A last reading is given this long, however short settle_ms is. */
#define READING_MS 500

/* Reads the target again. An application that does not answer has not settled. */
static bool read_target(struct action *action, const struct rung_impl *rung, struct witness *witness,
	int ms)
{
	g_autoptr(GError) error = NULL;
	struct deadline deadline = deadline_within(action->deadline, ms);
	if (action->finding.kind != NULL) {
		g_autofree char *now = rung->look(action, deadline);
		return witness_find(witness, now);
	}
	if (witness->before == NULL) {
		return false;
	}
	struct element *after = action->platform->impl->reread(action->platform, action->element,
		deadline, &error);
	if (after == NULL && error->code != ERROR_STALE_ELEMENT) {
		witness->doubt = DOUBT_SILENT;
		return false;
	}
	bool proven = witness_read(witness, after);
	element_free(after);
	return proven;
}

/* Waits until the effect is proven, at most settle_ms. Returns whether the application settled. */
static bool observe(struct action *action, const struct rung_impl *rung, struct witness *witness,
	int settle_ms)
{
	struct deadline settle = deadline_within(action->deadline, settle_ms);
	struct past *past = action->platform->past;
	int patience = MAX(settle_ms, READING_MS);
	bool proven = witness_look(witness);
	if (!proven && witness_can_show(witness)) {
		proven = read_target(action, rung, witness, patience);
	}
	while (!proven && !witness_is_done(witness) && witness->doubt != DOUBT_SILENT) {
		struct deadline until = witness_until(witness, settle);
		if (!past_wait(past, witness->from, until) && until.at == settle.at) {
			break;
		}
		proven = witness_look(witness);
		if (!proven && witness->own) {
			proven = read_target(action, rung, witness, patience);
		}
	}
	/* Whatever the events said or did not say, the last word is a look after the wait. */
	if (!proven && !witness_is_done(witness)) {
		read_target(action, rung, witness, patience);
	}
	witness_close(witness);
	return witness->effect == EFFECT_CONFIRMED || (witness->doubt != DOUBT_SILENT
		&& witness->heard_at != 0 && g_get_monotonic_time() - witness->heard_at > QUIET_US);
}

/*
 * A window that opens may take the user's focus or keyboard a moment later: that moment is waited for,
 * so that the answer can say it.
 */
static void linger(struct action *action, struct witness *witness)
{
	struct deadline until = deadline_within(action->deadline, LINGER_MS);
	while (witness->opened_at != 0 && !witness->taken
		&& past_wait(action->platform->past, witness->from, until)) {
		witness_look(witness);
	}
}

/* Whether the user's keyboard is in another process than the action's window. */
static bool is_elsewhere(const struct action *action, const struct probe *user)
{
	return user->focus == 0 || (user->focus_pid != 0 && user->focus_pid != action->window->pid);
}

/* Delivers between the two probes and renders everything; the element has been re-checked. */
static void deliver(struct action *action, const struct element *before, const struct probe *user,
	int settle_ms, struct answer *answer)
{
	g_autoptr(GError) error = NULL;
	struct platform *platform = action->platform;
	const struct platform_impl *impl = platform->impl;
	const struct rung_impl *rung;
	struct probe user_after = { 0 };
	struct witness witness;
	gint64 started = g_get_monotonic_time();

	witness_arm(&witness, action, before, is_elsewhere(action, user));
	enum delivered delivered = ladder_deliver(action, &rung, &error);
	bool settled = true;
	if (delivered == DELIVERED_NONE) {
		past_drop(platform->past, witness.deed);
	}
	/* Raw input to a window nobody hears of has nothing to wait for. */
	if (delivered == DELIVERED_FULL && (rung->through_accessibility || witness.provider != NULL)) {
		settled = observe(action, rung, &witness, settle_ms);
		linger(action, &witness);
		if (!rung->through_accessibility && witness.effect == EFFECT_SUSPECTED_NOOP) {
			/* The server took it; what a canvas does with it need not be seen. */
			witness.effect = EFFECT_UNVERIFIABLE;
		}
	}
	if (action->finding.idle) {
		/* No later change can be its effect. */
		past_drop(platform->past, witness.deed);
	}
	/* The action is over, however late: this look has a time of its own. */
	bool looked = impl->probe_end(platform, impl->probe_begin(platform, action->window, false,
		action->allow_grab),
		deadline_in(PROBE_MS, NULL), &user_after, NULL);

	if (delivered != DELIVERED_FULL) {
		verdict_refuse(answer, action, delivered, error);
	} else if (looked && user_after.dismissed != user->dismissed) {
		answer_fail(answer, ERROR_POPUP_GRABS_USER,
			"The action opened a popup that took the user's keyboard; it was closed again");
	} else {
		verdict_answer(answer, action, rung, &witness, settled);
	}
	finding_answer(action, answer);
	finding_clear(&action->finding);
	disturbance_answer(answer, user, looked ? &user_after : NULL);
	disturbance_answer_late(answer, user);
	if (!answer_failed(answer)) {
		answer_bool(answer, "settled", settled);
		answer_int(answer, "elapsed_ms", (g_get_monotonic_time() - started) / 1000);
	}
	witness_clear(&witness);
	probe_clear(&user_after);
}

void effect_act(struct action *action, int settle_ms, struct answer *answer)
{
	struct platform *platform = action->platform;
	const struct platform_impl *impl = platform->impl;
	struct element *before = NULL;
	struct probe user = { 0 };

	/* Both look at once: neither waits for the other. */
	void *probing = impl->probe_begin(platform, action->window, true, action->allow_grab);
	if (action->element != NULL) {
		before = recheck_element(action, answer);
		action->now = before;
	}
	g_autoptr(GError) error = NULL;
	bool looked = impl->probe_end(platform, probing, deadline_within(action->deadline, PROBE_MS),
		&user, &error);
	if (!answer_failed(answer) && !looked) {
		answer_fail_error(answer, error);
	}
	if (!answer_failed(answer)) {
		/* Without an element only rungs that take a point or the focus can do it. */
		deliver(action, before, &user, settle_ms, answer);
	}
	action->now = NULL;
	element_free(before);
	probe_clear(&user);
}
