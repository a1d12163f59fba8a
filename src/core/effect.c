/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/effect.h"

#include <string.h>

#include "core/courtesy.h"
#include "core/disturbance.h"
#include "core/finding.h"
#include "core/label.h"
#include "core/ladder.h"
#include "core/lens.h"
#include "core/observation.h"
#include "core/past.h"
#include "core/recheck.h"
#include "core/session.h"
#include "core/target.h"
#include "core/verdict.h"
#include "core/witness.h"

/* The probe is not the action: it may take this long and no more. */
#define PROBE_MS 1000
/* How soon after it opened a window has taken what it takes. */
#define LINGER_MS 100
/* What the user had so shortly before the effect was proven is what the user has. */
#define MOMENT_US (2 * G_TIME_SPAN_MILLISECOND)

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
	/* In the foreground the user's keyboard is taken to it. */
	return action->delivery == DELIVERY_BACKGROUND && (user->focus == 0 || (user->focus_pid != 0 && user->focus_pid != action->window->pid));
}

/*
 * What the user has after the action. A look that was begun when the action was accepted will do if its
 * effect was proven, or in web content shown, right then and nothing happened to any window; otherwise there is
 * another one.
 */
static bool look_after(struct action *action, const struct witness *witness, void *probing,
	gint64 began, struct probe *after)
{
	struct platform *platform = action->platform;
	const struct platform_impl *impl = platform->impl;
	bool shown = witness->effect == EFFECT_CONFIRMED
		|| (witness->doubt == DOUBT_WEB && witness_is_done(witness));
	bool will_do = shown && witness->opened_at == 0 && !witness->taken && witness->lost_at == 0
		&& g_get_monotonic_time() - began < MOMENT_US;
	/* The action is over, however late: these looks have a time of their own. */
	if (probing != NULL && impl->probe_end(platform, probing, deadline_in(PROBE_MS, NULL), after, NULL)
		&& will_do) {
		impl->probe_leave(platform, action->window);
		return true;
	}
	probe_clear(after);
	return impl->probe_end(platform, impl->probe_begin(platform, action->window, PROBE_AFTER,
		action->allow_grab), deadline_in(PROBE_MS, NULL), after, NULL);
}

/* An editable combo box of Qt's has another name with each letter in it, and does not tell. */
static void forget_combo(const struct action *action)
{
	static const char *const kept[] = { "name", "text" };
	const struct element *element = action->element;
	if (!g_str_has_prefix(action->window->toolkit, "qt")) {
		return;
	}
	if (element != NULL && strcmp(element->role, "combo box") != 0) {
		element = element->parent >= 0 && action->tree != NULL ? action->tree->elements->pdata[element->parent] : NULL;
	}
	for (gsize i = 0; i < G_N_ELEMENTS(kept) && element != NULL && strcmp(element->role, "combo box") == 0; i++) {
		past_read(action->platform->past, element->provider, element->object, kept[i], NULL);
	}
}

/* Delivers between the two probes and renders everything; the element has been re-checked. */
static void deliver(struct action *action, const struct element *before, const struct probe *user,
	int settle_ms, struct answer *answer)
{
	g_autoptr(GError) error = NULL;
	struct platform *platform = action->platform;
	const struct rung_impl *rung;
	struct probe user_after = { 0 };
	void *probing = NULL;
	gint64 accepted = 0;
	struct witness witness;
	gint64 started = g_get_monotonic_time();

	observation_prepare(action, before);
	witness_arm(&witness, action, before, is_elsewhere(action, user));
	enum delivered delivered = ladder_deliver(action, &rung, &error);
	bool settled = true;
	if (delivered == DELIVERED_NONE) {
		past_drop(platform->past, witness.deed);
	} else {
		witness_sent(&witness);
	}
	/* Raw input to a window nobody hears of has nothing to wait for. */
	if (delivered == DELIVERED_FULL && (rung->through_accessibility || witness.provider != NULL
		|| action->finding.kind != NULL)) {
		/* What a window manager makes of a real click shows later. */
		if (rung->through_accessibility) {
			accepted = g_get_monotonic_time();
			probing = platform->impl->probe_begin(platform, action->window, PROBE_MEANWHILE,
				action->allow_grab);
		}
		settled = observation_wait(action, rung, &witness, settle_ms + (action->patient ? action->lag_ms : 0));
		linger(action, &witness);
		if (witness.effect == EFFECT_CONFIRMED && action->blocker != NULL) {
			/* What a toolkit shows of a window that takes no input need not be what its application does. */
			witness.effect = EFFECT_UNVERIFIABLE;
			witness.doubt = DOUBT_BLOCKED;
		}
		if (!rung->through_accessibility && witness.effect == EFFECT_SUSPECTED_NOOP) {
			/* The server took it; what a canvas does with it need not be seen. */
			witness.effect = EFFECT_UNVERIFIABLE;
		}
	}
	if (action->finding.idle) {
		/* No later change can be its effect. */
		past_drop(platform->past, witness.deed);
	}
	if (delivered != DELIVERED_NONE) {
		forget_combo(action);
	}
	bool looked = look_after(action, &witness, probing, accepted, &user_after);

	if (delivered != DELIVERED_FULL) {
		verdict_refuse(answer, action, delivered, error);
	} else if (looked && user_after.dismissed != user->dismissed) {
		answer_fail(answer, ERROR_POPUP_GRABS_USER,
			"The action opened a popup that took the user's keyboard; it was closed again");
		if (action->session != NULL && action->element != NULL) {
			/* At its point the session's own pointer clicks from now on, and then it
			 * may take the session's keyboard. */
			session_doubt(action->session, action->element);
		}
	} else {
		verdict_answer(answer, action, rung, &witness, settled);
		if (witness.effect == EFFECT_SUSPECTED_NOOP && action->session != NULL && action->element != NULL) {
			session_doubt(action->session, action->element);
		}
	}
	user_after.held_ms = action->finding.held_moved ? action->finding.held_ms : 0;
	finding_answer(action, answer);
	finding_clear(&action->finding);
	const struct probe *since = action->since != NULL ? action->since : user;
	disturbance_answer_of(answer, action, since, looked ? &user_after : NULL);
	disturbance_answer_late(answer, since);
	if (!answer_failed(answer)) {
		answer_bool(answer, "settled", settled);
		answer_int(answer, "elapsed_ms", (g_get_monotonic_time() - started) / 1000);
	}
	witness_clear(&witness);
	probe_clear(&user_after);
}

/* The window may be another one than the snapshot's by now, or gone. */
static bool check_window(struct action *action, const struct probe *user, struct window **moved,
	struct answer *answer)
{
	const struct window *known = action->window;
	if (!user->unchanged) {
		*moved = target_again(action->platform, known, action->deadline, answer);
		action->window = *moved != NULL ? *moved : known;
	}
	if (action->pointed && *moved != NULL && lens_fits(known->bounds, action->window->bounds, answer)) {
		/* The same place in it is meant. */
		action->point.x += action->window->bounds.x - known->bounds.x;
		action->point.y += action->window->bounds.y - known->bounds.y;
	}
	return !answer_failed(answer);
}

/* A dialog that the window waits for gets its keys, and toolkits show what their applications ignore then. */
static void find_blocker(struct action *action, const struct probe *user)
{
	g_clear_pointer(&action->blocker, window_free);
	if (user->siblings > 0) {
		g_autoptr(GPtrArray) windows = action->platform->impl->windows(action->platform, action->deadline, NULL);
		const struct window *blocker = windows != NULL ? window_list_blocker(windows, action->window) : NULL;
		action->blocker = blocker != NULL ? window_copy(blocker) : NULL;
	}
}

/*
 * What is dropped on another window has that window's application for an answer, too: it is kept
 * from taking anything like the one that is acted on. What came after the last answer is told once:
 * `earlier` gets it. NULL: there is no other one.
 */
static struct window *charge_target(struct action *action, struct probe *earlier)
{
	const struct platform_impl *impl = action->platform->impl;
	if (action->to_window == 0 || action->window == NULL
		|| action->to_window == action->window->id) {
		return NULL;
	}
	g_autoptr(GPtrArray) windows = impl->windows(action->platform, action->deadline, NULL);
	const struct window *found = windows != NULL ? window_list_find(windows, action->to_window)
						     : NULL;
	if (found == NULL) {
		return NULL;
	}
	struct window *target = window_copy(found);
	void *probing = impl->probe_begin(
		action->platform, target, PROBE_BEFORE, action->allow_grab);
	impl->probe_end(action->platform, probing, deadline_within(action->deadline, PROBE_MS),
		earlier, NULL);
	probe_clear(earlier);
	return target;
}

/* True if it has to be begun again, because the user was waited for. */
static bool act(struct action *action, int settle_ms, struct answer *answer)
{
	bool again = false;
	struct platform *platform = action->platform;
	const struct platform_impl *impl = platform->impl;
	const struct window *window = action->window;
	const struct screen_px point = action->point;
	struct window *moved = NULL;
	struct probe user = { 0 }, earlier = { 0 };
	g_autoptr(GError) error = NULL;

	struct window *target = charge_target(action, &earlier);
	/* Both look at once: neither waits for the other, and the application, which takes longer, is asked first. */
	struct recheck *recheck = action->element != NULL ? recheck_begin(action) : NULL;
	void *probing = impl->probe_begin(platform, window, PROBE_BEFORE, action->allow_grab);
	if (recheck != NULL) {
		recheck_end(recheck, action->deadline);
	}
	if (!impl->probe_end(platform, probing, deadline_within(action->deadline, PROBE_MS), &user, &error)) {
		answer_fail_error(answer, error);
	} else if (user.locked) {
		answer_fail(answer, ERROR_SCREEN_LOCKED, "The screen is locked, or the user is at another console; "
			"nothing was done");
	} else if (check_window(action, &user, &moved, answer) && recheck != NULL) {
		action->now = recheck_judge(recheck, action, answer);
	}
	user.late_steals += earlier.late_steals;
	user.late_rises += earlier.late_rises;
	user.late_grabs += earlier.late_grabs;
	user.late_keys_lost += earlier.late_keys_lost;
	bool waited = false;
	/* Where the user types nobody interferes, and in the foreground that is everywhere. */
	if (!answer_failed(answer) && (user.active_window == window->id
		|| action->delivery == DELIVERY_FOREGROUND)) {
		courtesy_wait(action, user.typed, &waited, answer);
	}
	if (waited && !answer_failed(answer)) {
		/* All that was seen is older than what the user has typed since. */
		impl->probe_leave(platform, window);
		again = true;
	} else if (!answer_failed(answer)) {
		/* Without an element only rungs that take a point or the focus can do it. */
		find_blocker(action, &user);
		deliver(action, action->now, &user, settle_ms, answer);
	} else {
		impl->probe_leave(platform, window);
	}
	if (target != NULL) {
		impl->probe_leave(platform, target);
		window_free(target);
	}
	recheck_free(recheck);
	action->now = NULL;
	action->window = window;
	action->point = point;
	window_free(moved);
	probe_clear(&user);
	return again;
}

/* Whoever reads the window would take it for a part of it. */
static void refuse_foreign(const struct action *action, struct answer *answer)
{
	const struct element *element = action->element;
	if (element->pid != 0) {
		answer_fail(answer, ERROR_FOREIGN_ELEMENT,
			"The %s \"%s\" is listed in this window, and belongs to process %d, which "
			"has nothing to do with the window's (%d)",
			element->role, label_of(element), (int)element->pid,
			(int)action->window->pid);
		answer_int(answer, "of_pid", element->pid);
	} else {
		answer_fail(answer, ERROR_FOREIGN_ELEMENT,
			"The %s \"%s\" is listed in this window, and nobody can tell which process "
			"it belongs to",
			element->role, label_of(element));
	}
}

void effect_act(struct action *action, int settle_ms, struct answer *answer)
{
	if (action->element != NULL && action->element->foreign) {
		refuse_foreign(action, answer);
		return;
	}
	/* A menu in the foreground takes the keyboard, as any menu does. */
	action->allow_grab = action->allow_grab || action->delivery == DELIVERY_FOREGROUND;
	if (act(action, settle_ms, answer) && act(action, settle_ms, answer)) {
		answer_fail(answer, ERROR_USER_ACTIVE, "The user types in this window again and again");
	}
	g_clear_pointer(&action->ahead, recheck_free);
	g_clear_pointer(&action->blocker, window_free);
}
