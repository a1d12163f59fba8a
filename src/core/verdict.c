/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/verdict.h"

#include "core/label.h"
#include "core/quote.h"

static void answer_evidence(struct answer *answer, const struct witness *witness)
{
	answer_open_array(answer, "evidence");
	for (guint i = 0; i < witness->evidence->len; i++) {
		const struct change *change = &g_array_index(witness->evidence, struct change, i);
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
}

static void answer_escalation(struct answer *answer, const char *recommended, const char *reason)
{
	answer_open_object(answer, "escalation");
	answer_string(answer, "recommended", recommended);
	answer_string(answer, "reason", reason);
	answer_close_object(answer);
}

/* Whatever was seen in web content, only the page knows. */
static void escalate_web(struct answer *answer, const struct action *action)
{
	if (action->window->browser) {
		answer_escalation(answer, "page", "A web page echoes actions it did not apply; only the page itself "
			"knows");
	} else {
		answer_escalation(answer, "px", "An embedded web view echoes actions it did not apply; act by "
			"x and y of the picture if it shows no effect");
	}
}

static void answer_web(struct answer *answer, const struct action *action)
{
	if (action->window->browser) {
		answer_text(answer, "Done in web content, where an echo is no proof. Look at the picture of "
			"get_window_state.\n");
		return;
	}
	answer_text(answer, "Done in an embedded web view, where an echo is no proof. Look at the picture of "
		"get_window_state; if nothing happened there, click its x and y.\n");
}

/* How a text is called in a sentence. The caller frees it. */
static char *spoken(const char *text)
{
	return text == NULL       ? g_strdup("nothing")
		: text[0] == '\0' ? g_strdup("empty")
				  : quote_format("\"%s\"", text);
}

/* The value that was asked for, and the one that is there. */
static void answer_other(struct answer *answer, const struct action *action,
	const struct witness *witness)
{
	const struct change *change = witness->evidence->len > 0
		? &g_array_index(witness->evidence, struct change, 0) : NULL;
	if (change != NULL && action->text != NULL) {
		answer_string(answer, "asked", action->text);
	}
	g_autofree char *before = spoken(
		change != NULL && change->before != NULL ? change->before : "");
	g_autofree char *after = spoken(
		change != NULL && change->after != NULL ? change->after : "");
	answer_text(answer, "Done, but it became something else than asked: it was %s and is %s. Read it with "
		"get_window_state before you go on.\n", before, after);
}

static void answer_blocker(struct answer *answer, const struct action *action)
{
	answer_text(answer, "The dialog \"%.80s\" (window_id %" G_GUINT64_FORMAT ") blocks this window. ", action->blocker->title,
		action->blocker->id);
}

static void answer_doubt(struct answer *answer, const struct action *action,
	const struct witness *witness)
{
	static const char *const texts[] = {
		[DOUBT_NONE] = "",
		[DOUBT_UNSEEN] = "Done, but nothing that happened shows the effect for certain. Call get_window_state "
			"with since: the last snapshot_id, and look.\n",
		[DOUBT_ECHO] = "It shows that text, but its number is still the old one: an application takes what is written into "
			"such a field when Enter is pressed in it. Set it by a plain number, or press_key Return.\n",
		[DOUBT_GUESSED] = "It moved by a guess: nothing tells how far its own key would have moved it. set_value sets it exactly.\n",
		[DOUBT_ALREADY] = "It was so before, so nothing could be seen to change.\n",
		[DOUBT_USER] = "Done, and something changed, but the user works in the same application and may "
			"have done it. Call get_window_state with since: the last snapshot_id, and look.\n",
		[DOUBT_DEAF] = "Done, and something changed, but this window has been watched for less than a "
			"second, so it may have changed anyway. Call get_window_state with since: the last "
			"snapshot_id, and look.\n",
		[DOUBT_EARLIER] = "Done, and something changed, but an earlier action may be the cause. Call "
			"get_window_state with since: the last snapshot_id, and look.\n",
		[DOUBT_FOCUS] = "Done, and something changed, but the focus that keys need may be the cause. Call "
			"get_window_state with since: the last snapshot_id, and look.\n",
		[DOUBT_UNHEARD] = "It is selected, but nothing shows that the application follows: where no pointer reaches an item, it need not hear "
			"of that. Look with get_window_state before you act on what is selected; bring_to_front, or a scroll to it, lets it be "
			"clicked.\n",
		[DOUBT_FIRST] = "Done, and something changed, but that it was selected first may be the cause. Call "
			"get_window_state with since: the last snapshot_id, and look.\n",
		[DOUBT_BLOCKED] = "Done, and something changed, but the window waits for a dialog, and its application may have ignored "
			"it: answer the dialog first.\n",
		[DOUBT_ENDED] = "The application has ended. If it was not asked to, it crashed: call list_windows.\n",
		[DOUBT_SILENT] = "Sent, but the application does not answer any more. Do not repeat the action: "
			"call wait_for {conditions: [{idle: true}]} or get_window_state, and look.\n",
	};
	if (action->blocker != NULL) {
		answer_blocker(answer, action);
	}
	switch (witness->doubt) {
	case DOUBT_WEB:
		answer_web(answer, action);
		break;
	case DOUBT_OTHER:
		answer_other(answer, action, witness);
		break;
	default:
		answer_text_raw(answer, texts[witness->doubt]);
		break;
	}
}

/*
 * Whether an application may wait for Enter, or for the focus to leave, before it takes what the field shows: most do where the
 * field is one of a tool bar or combo box, where no button says that the text is complete.
 */
static bool may_wait_for_enter(const struct action *action, const struct rung_impl *rung)
{
	static const char *const roles[] = { "tool bar", "combo box", "status bar", NULL };
	const struct element *up = action->element;
	if (!rung->through_accessibility || action->finding.idle || action->finding.secret || up == NULL || up->in_web_content
		|| g_strcmp0(action->finding.kind, "text") != 0) {
		return false;
	}
	while (!g_strv_contains(roles, up->role) && up->parent >= 0 && up->tree != NULL) {
		up = up->tree->elements->pdata[up->parent];
	}
	return g_strv_contains(roles, up->role);
}

/* A row of Qt that is chosen by set_value may have a check mark, which it does not tell while it is off. */
static bool may_have_mark(const struct action *action)
{
	return action->kind == ACTION_SET_VALUE && g_str_has_prefix(action->window->toolkit, "qt") && action->now != NULL
		&& element_is_item(action->now) && g_strcmp0(action->finding.detail, "selected") == 0;
}

static void answer_confirmed(struct answer *answer, const struct witness *witness)
{
	guint last = witness->evidence->len - 1;
	const struct change *change = &g_array_index(witness->evidence, struct change, last);
	if (change->before == NULL && change->after == NULL) {
		answer_text(answer, "Confirmed: %s.\n", change->detail);
		return;
	}
	g_autofree char *before = spoken(change->before), *after = spoken(change->after);
	answer_text(answer, "Confirmed: %s was %s and is %s.\n",
		change->detail != NULL ? change->detail : change->kind, before, after);
}

void verdict_answer(struct answer *answer, const struct action *action, const struct rung_impl *rung,
	const struct witness *witness, bool settled)
{
	const struct element *target = witness->before;
	enum effect effect = witness->effect;
	answer_text(answer, "%s %s \"%s\" (%s). ", action->performed != NULL ? action->performed : "acted on",
		target != NULL ? target->role : "window",
		target != NULL ? label_of(action->element) : action->window->title, rung->path);
	answer_string(answer, "path", rung->path);
	answer_string(answer, "effect", effect_name(effect));
	answer_bool(answer, "verified", effect == EFFECT_CONFIRMED);
	answer_evidence(answer, witness);
	if (effect == EFFECT_CONFIRMED) {
		answer_confirmed(answer, witness);
		if (may_wait_for_enter(action, rung)) {
			answer_text(answer, "The field shows it; if the application takes it only with Enter, call press_key Return on it.\n");
		}
		if (may_have_mark(action)) {
			answer_text(answer, "If a check mark of it was meant, press_key space on it turns that over.\n");
		}
	} else if (effect == EFFECT_SUSPECTED_NOOP && action->blocker != NULL) {
		/* No pixel of it takes anything, either. */
		answer_blocker(answer, action);
		answer_text(answer, "Accepted, but nothing happened. Answer the dialog first.\n");
	} else if (effect == EFFECT_SUSPECTED_NOOP) {
		answer_escalation(answer, "px", "The action was accepted, and nothing happened: no event, no "
			"window, no pixel");
		/* What is in a closed menu or on another page has no place to click. */
		bool hidden = action->element != NULL && (action->element->states & STATE_OFFSCREEN) != 0
			&& action->kind != ACTION_INVOKE_MENU;
		answer_text(answer, "Accepted, but nothing happened: it probably did nothing. %s.\n", hidden
			? "It is not on the screen: show what it is in first (open the menu, turn to the page, scroll), call "
			"get_window_state and try again" : "Call get_window_state and look; if it did nothing, use the same tool with "
			"the element's at.x and at.y as x and y");
	} else {
		answer_doubt(answer, action, witness);
		if (action->element != NULL && action->element->in_web_content) {
			escalate_web(answer, action);
		}
	}
	if (effect != EFFECT_CONFIRMED && !settled) {
		answer_string(answer, "retry", "unsafe");
	}
}

void verdict_refuse(struct answer *answer, const struct action *action, enum delivered delivered,
	const GError *error)
{
	answer_fail_error(answer, error);
	answer_delivered(answer, delivered);
	if (delivered != DELIVERED_NONE) {
		answer_suggest(answer, "The action may have happened: look with get_window_state before anything "
			"else.");
	}
	if (error->code == ERROR_ACTION_UNSUPPORTED && action->now != NULL) {
		answer_strings(answer, "actions", (const char *const *)action->now->actions);
	} else if (error->code == ERROR_BACKGROUND_UNAVAILABLE && action->blocker != NULL) {
		answer_suggest(answer, "Answer the dialog first: get_window_state with window_id %" G_GUINT64_FORMAT ".", action->blocker->id);
	} else if (error->code == ERROR_BACKGROUND_UNAVAILABLE && action->put_away) {
		/* No pixel of the window is the element's. */
		answer_suggest(answer, "Click the tab, or whatever shows its page, then call get_window_state and try again.");
	} else if (error->code == ERROR_BACKGROUND_UNAVAILABLE) {
		bool page = action->element != NULL && action->element->in_web_content
			&& action->window->browser;
		answer_escalation(answer, page ? "page" : action->finding.instead != NULL ? action->finding.instead : "px",
			error->message);
	} else if (error->code == ERROR_POINT_OUTSIDE_WINDOW && action->element != NULL && !action->pointed) {
		answer_suggest(answer, "Move the window onto the screen with set_window_frame, or act on an element that has an action of its own.");
	} else if (error->code == ERROR_WINDOW_MINIMIZED && action->delivery == DELIVERY_BACKGROUND) {
		answer_escalation(answer, "foreground", "No pointer and no key reaches a minimised window: bring_to_front restores it, "
			"which the user sees; then it can be acted on in the background");
		if (action->element != NULL) {
			answer_suggest(answer, "set_value and click by element work on minimised windows where the element has an action for it; "
				"otherwise call bring_to_front.");
		}
	}
}
