/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/effect.h"

#include <string.h>

#include "core/finding.h"
#include "core/ladder.h"
#include "core/recheck.h"

/* The probe is not the action: it may take this long and no more. */
#define PROBE_MS 1000
/* An application that said nothing for this long has settled. */
#define QUIET_US 50000

void probe_clear(struct probe *probe)
{
	g_clear_pointer(&probe->stacking, g_array_unref);
}

void change_clear(struct change *change)
{
	g_free(change->before);
	g_free(change->after);
	g_free(change->detail);
	*change = (struct change){ 0 };
}

struct change effect_change(const struct element *before, const struct element *after)
{
	unsigned counts = STATE_CHECKED | STATE_SELECTED | STATE_EXPANDED | STATE_INDETERMINATE;
	/* A push button is pressed for a moment whatever it does; a toggle stays. */
	if (strstr(before->role, "toggle") != NULL) {
		counts |= STATE_PRESSED;
	}
	unsigned changed = (before->states ^ after->states) & counts;
	if (changed != 0) {
		enum element_state first = changed & (~changed + 1);
		return (struct change){
			"state", g_strdup(before->states & first ? "true" : "false"),
			g_strdup(after->states & first ? "true" : "false"),
			g_strdup(element_state_name(first)),
		};
	}
	if (g_strcmp0(before->value, after->value) != 0) {
		return (struct change){ "value", g_strdup(before->value), g_strdup(after->value), NULL };
	}
	return (struct change){ 0 };
}

/* A window that came or went is no restacking: only the order of those in both lists counts. */
static bool restacked(const GArray *before, const GArray *after)
{
	guint at = 0;
	for (guint i = 0; i < before->len; i++) {
		guint found = 0;
		while (found < after->len && g_array_index(after, guint64, found)
			!= g_array_index(before, guint64, i)) {
			found++;
		}
		if (found == after->len) {
			continue;
		}
		if (found < at) {
			return true;
		}
		at = found;
	}
	return false;
}

/* What may differ between two looks at the user's side, by its wire name. */
static void answer_disturbed(struct answer *answer, const struct probe *before,
	const struct probe *after)
{
	answer_open_array(answer, "disturbed");
	if (before->focus != after->focus) {
		answer_string(answer, NULL, "focus");
	}
	if (before->active_window != after->active_window) {
		answer_string(answer, NULL, "active_window");
	}
	/* Where the user's own hand moved it, nothing was disturbed. */
	bool elsewhere = before->pointer.x != after->pointer.x || before->pointer.y != after->pointer.y;
	if (elsewhere && before->motions == after->motions) {
		answer_string(answer, NULL, "pointer");
	}
	if (restacked(before->stacking, after->stacking)) {
		answer_string(answer, NULL, "stacking");
	}
	if (before->keyboard_grabs != after->keyboard_grabs) {
		answer_string(answer, NULL, "keyboard_grab");
		/* Alone it is no sign: a press of the user's own makes window managers take the pointer. */
		if (before->pointer_grabs != after->pointer_grabs) {
			answer_string(answer, NULL, "pointer_grab");
		}
	}
	answer_close_array(answer);
}

/*
 * What a rung that knew what to look for sees now; `*asked` if that is what was asked for, `*over` if
 * there is nothing to wait for.
 */
static struct change look(const struct action *action, const struct rung_impl *rung,
	struct deadline deadline, bool *asked, bool *over)
{
	const struct finding *finding = &action->finding;
	g_autofree char *now = rung->look(action, deadline);
	enum found found = finding_compare(finding, now);
	struct change change = { 0 };
	*asked = found == FOUND_ASKED;
	*over = *asked || found == FOUND_ALREADY;
	if (found == FOUND_ASKED || found == FOUND_OTHER || found == FOUND_ALREADY) {
		change.kind = finding->kind;
		change.detail = g_strdup(finding->detail);
		if (finding->secret) {
			change.detail = g_strdup("withheld");
		} else {
			change.before = g_strdup(finding->before);
			change.after = g_steal_pointer(&now);
		}
	}
	return change;
}

/*
 * Waits for a change of the target, at most settle_ms; `*settled` says whether it went quiet, `*asked`
 * whether the change is what was asked for.
 */
static struct change observe(struct action *action, const struct rung_impl *rung, void *watch,
	const struct element *before, int settle_ms, bool *settled, bool *asked)
{
	const struct platform_impl *impl = action->platform->impl;
	struct deadline settle = deadline_within(action->deadline, settle_ms);
	struct change change = { 0 };
	bool last = false;
	gint64 heard = 0;
	*settled = true;
	for (;;) {
		struct element *after = impl->reread(action->platform, action->element,
			deadline_within(action->deadline, MAX(settle_ms, 500)), NULL);
		if (after == NULL) {
			break;
		}
		bool over;
		change_clear(&change);
		if (action->finding.kind != NULL) {
			change = look(action, rung, deadline_within(action->deadline, MAX(settle_ms, 500)), asked,
				&over);
		} else {
			change = effect_change(before, after);
			*asked = over = change.kind != NULL;
		}
		element_free(after);
		if (over || last) {
			break;
		}
		/* Whatever the events said or did not say, the last word is a look after the wait. */
		if (watch != NULL && impl->watch_wait(watch, settle)) {
			heard = g_get_monotonic_time();
		} else {
			last = true;
		}
		last |= deadline_left(settle) == 0;
		/* Still talking a moment ago is not quiet. */
		*settled = g_get_monotonic_time() - heard > QUIET_US;
	}
	*settled |= change.kind != NULL;
	return change;
}

static void answer_effect(struct answer *answer, const struct action *action,
	const struct rung_impl *rung, const struct change *change, bool asked)
{
	bool web = action->element != NULL && action->element->in_web_content;
	bool confirmed = asked && rung->through_accessibility && !web;

	answer_string(answer, "path", rung->path);
	answer_string(answer, "effect", confirmed ? "confirmed" : "unverifiable");
	answer_bool(answer, "verified", confirmed);
	answer_open_array(answer, "evidence");
	if (change->kind != NULL) {
		answer_open_object(answer, NULL);
		answer_string(answer, "kind", change->kind);
		if (change->before != NULL) {
			answer_string(answer, "before", change->before);
		}
		if (change->after != NULL) {
			answer_string(answer, "after", change->after);
		}
		if (change->detail != NULL) {
			answer_string(answer, "detail", change->detail);
		}
		answer_close_object(answer);
	}
	answer_close_array(answer);
	if (web) {
		answer_open_object(answer, "escalation");
		answer_string(answer, "recommended", "px");
		answer_string(answer, "reason", "Web content echoes actions it did not apply; look at the "
			"picture of a new get_window_state");
		answer_close_object(answer);
	}
	if (confirmed) {
		answer_text(answer, "Confirmed: %s was %s and is %s.\n",
			change->detail ? change->detail : change->kind,
			change->before ? change->before : "nothing", change->after ? change->after : "nothing");
	} else {
		answer_text(answer, "Done, but nothing on the element itself shows the effect. Call "
			"get_window_state and look.\n");
	}
}

/* Nothing, or not all of it, was delivered: why, and what to try instead. */
static void answer_refusal(struct answer *answer, const struct action *action,
	enum delivered delivered, const GError *error)
{
	answer_fail_error(answer, error);
	answer_delivered(answer, delivered);
	if (delivered != DELIVERED_NONE) {
		answer_suggest(answer, "The action may have happened: look with get_window_state before anything "
			"else.");
	}
	if (error->code == ERROR_ACTION_UNSUPPORTED) {
		answer_strings(answer, "actions", (const char *const *)action->now->actions);
	} else if (error->code == ERROR_BACKGROUND_UNAVAILABLE) {
		answer_open_object(answer, "escalation");
		bool web = action->element != NULL && action->element->in_web_content;
		answer_string(answer, "recommended", web ? "page" : "px");
		answer_string(answer, "reason", error->message);
		answer_close_object(answer);
	}
}

/* Delivers between the two probes and renders everything; the element has been re-checked. */
static void deliver(struct action *action, const struct element *before, int settle_ms,
	struct answer *answer)
{
	g_autoptr(GError) error = NULL;
	struct platform *platform = action->platform;
	const struct platform_impl *impl = platform->impl;
	struct deadline probing = deadline_within(action->deadline, PROBE_MS);
	struct probe user = { 0 }, user_after = { 0 };
	const struct rung_impl *rung;
	gint64 started = g_get_monotonic_time();

	if (!impl->probe(platform, true, probing, &user, &error)) {
		answer_fail_error(answer, error);
		return;
	}
	void *watch = before != NULL
		? impl->watch_start(platform, action->element, probing, NULL) : NULL;
	enum delivered delivered = ladder_deliver(action, &rung, &error);
	struct change change = { 0 };
	bool settled = true, asked = false;
	if (delivered == DELIVERED_FULL && before != NULL) {
		change = observe(action, rung, watch, before, settle_ms, &settled, &asked);
	}
	/* The action is over, however late: this look has a time of its own. */
	bool looked = impl->probe(platform, false, deadline_in(PROBE_MS, NULL), &user_after, NULL);

	if (delivered != DELIVERED_FULL) {
		answer_refusal(answer, action, delivered, error);
	} else {
		answer_text(answer, "%s %s \"%s\" (%s). ", action->performed,
			before != NULL ? before->role : "window",
			before != NULL ? before->name : action->window->title, rung->path);
		answer_effect(answer, action, rung, &change, asked);
	}
	finding_answer(action, answer);
	finding_clear(&action->finding);
	if (looked) {
		answer_disturbed(answer, &user, &user_after);
	} else {
		/* Not looked at is not undisturbed. */
		answer_null(answer, "disturbed");
	}
	if (delivered == DELIVERED_FULL) {
		answer_bool(answer, "settled", settled);
		answer_int(answer, "elapsed_ms", (g_get_monotonic_time() - started) / 1000);
	}
	if (watch != NULL) {
		impl->watch_end(watch);
	}
	change_clear(&change);
	probe_clear(&user);
	probe_clear(&user_after);
}

void effect_act(struct action *action, int settle_ms, struct answer *answer)
{
	if (action->element == NULL) {
		/* No element is there to be asked: only rungs that take a point or the focus can do it. */
		deliver(action, NULL, settle_ms, answer);
		return;
	}
	struct element *before = recheck_element(action, answer);
	if (before != NULL) {
		action->now = before;
		deliver(action, before, settle_ms, answer);
		element_free(before);
	}
}
