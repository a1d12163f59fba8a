/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/observation.h"

#include <string.h>

#include "core/past.h"

/* An application that said nothing for this long has settled. */
#define QUIET_US (50 * G_TIME_SPAN_MILLISECOND)
/* A last reading is given this long, however short settle_ms is. */
#define READING_MS 500
/* So many others are read at one look: who tells without end does not keep it. */
#define MOST_READ 8
/* What an application says of itself comes sooner than its answer to a question; it gets this long. */
#define TELLING_MS 3
/* A page is in another process than who answers for it, so it tells later; and what is read there proves nothing. */
#define TELLING_WEB_MS 50
/* So much later may come what was said before an answer. */
#define CROSSING_MS 1

/* An application that does not answer has not settled; one that answers again may. */
static void note_silence(struct witness *witness, bool silent)
{
	if (silent) {
		witness->doubt = DOUBT_SILENT;
	} else if (witness->doubt == DOUBT_SILENT) {
		witness->doubt = DOUBT_UNSEEN;
	}
}

/* Reads the target again. */
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
	gint64 at = g_get_monotonic_time();
	struct element *after = action->platform->impl->reread(action->platform, action->element,
		deadline, &error);
	bool silent = after == NULL && error->code != ERROR_STALE_ELEMENT;
	note_silence(witness, silent);
	if (silent) {
		return false;
	}
	bool proven = witness_read(witness, after, at);
	element_free(after);
	return proven;
}

/* Waits a moment for what the application says. */
static bool hear(const struct action *action, const struct witness *witness, struct deadline deadline)
{
	struct platform *platform = action->platform;
	return platform->impl->hear != NULL ? platform->impl->hear(platform, witness->from, deadline)
		: past_wait(platform->past, witness->from, deadline);
}

/* Reads another element than the target. NULL if it is gone, or if the application is `silent`. */
static struct element *read_other(const struct action *action, const struct element *element, struct deadline deadline, bool *silent)
{
	g_autoptr(GError) error = NULL;
	struct element *now = action->platform->impl->reread(action->platform, element, deadline, &error);
	*silent = now == NULL && error->code != ERROR_STALE_ELEMENT;
	return now;
}

/* Takes in what happened; who told that it is something else is asked what, the next time if the application does not answer now. */
static bool look(struct action *action, struct witness *witness)
{
	bool proven = witness_look(witness), silent = false;
	for (int i = 0; i < MOST_READ && !proven && witness->unread != NULL; i++) {
		struct element *now = read_other(action, witness->unread, deadline_within(action->deadline, READING_MS), &silent);
		note_silence(witness, silent);
		if (silent) {
			break;
		}
		proven = witness_reread(witness, now);
		element_free(now);
	}
	return proven;
}

/* A look at the target, then at others; what they said before it answered comes on another connection. */
static bool look_again(struct action *action, const struct rung_impl *rung, struct witness *witness, int patience)
{
	if (read_target(action, rung, witness, patience)) {
		return true;
	}
	hear(action, witness, deadline_within(action->deadline, CROSSING_MS));
	return look(action, witness);
}

/* The target itself may show it: by an event, otherwise when it is read. */
static bool wait_for_target(struct action *action, const struct rung_impl *rung,
	struct witness *witness, struct deadline settle, int patience)
{
	bool web = action->element != NULL && action->element->in_web_content;
	struct deadline soon = deadline_within(settle, web ? TELLING_WEB_MS : TELLING_MS);
	bool proven = false;
	while (!proven && !witness->own && hear(action, witness, soon)) {
		proven = look(action, witness);
	}
	return proven || (!witness_is_done(witness) && look_again(action, rung, witness, patience));
}

bool observation_wait(struct action *action, const struct rung_impl *rung, struct witness *witness, int settle_ms)
{
	struct deadline settle = deadline_within(action->deadline, settle_ms);
	struct past *past = action->platform->past;
	int patience = MAX(settle_ms, READING_MS);
	bool proven = look(action, witness);
	if (!proven && witness_can_show(action, witness->before)) {
		proven = wait_for_target(action, rung, witness, settle, patience);
	}
	while (!proven && !witness_is_done(witness) && witness->doubt != DOUBT_SILENT && deadline_left(settle) > 0) {
		struct deadline until = witness->awaited ? deadline_within(settle, TELLING_MS) : witness_until(witness, settle);
		if (!past_wait(past, witness->from, until) && !witness->awaited && until.at == settle.at) {
			break;
		}
		proven = look(action, witness);
		if (!proven && (witness->own || witness->awaited)) {
			proven = look_again(action, rung, witness, patience);
		}
	}
	/* Whatever the events said or did not say, the last word is a look after the wait. */
	if (!proven && !witness_is_done(witness)) {
		look_again(action, rung, witness, patience);
	}
	witness_close(witness);
	return witness->effect == EFFECT_CONFIRMED || (witness->doubt != DOUBT_SILENT
		&& witness->heard_at != 0 && g_get_monotonic_time() - witness->heard_at > QUIET_US);
}

void observation_prepare(const struct action *action, const struct element *before)
{
	const struct tree *tree = action->tree;
	const struct element *root = tree != NULL && tree->elements->len > 0 ? tree->elements->pdata[0] : NULL;
	bool written = action->kind == ACTION_SET_VALUE || action->kind == ACTION_TYPE_TEXT;
	bool shown = action->kind == ACTION_CLICK && witness_can_show(action, before);
	bool page = action->in_page || (before != NULL && before->in_web_content);
	if (root == NULL || written || shown || page) {
		return;
	}
	struct deadline deadline = deadline_within(action->deadline, READING_MS);
	bool silent = false;
	struct past *past = action->platform->past;
	g_autoptr(GPtrArray) unread = past_unread(past, root->provider, tree->read_at), read = g_ptr_array_new();
	for (guint i = 0; i < unread->len && read->len < MOST_READ && !silent; i++) {
		const struct unread *told = unread->pdata[i];
		const struct element *element = tree_find(tree, root->provider, told->object);
		if (element == NULL || element->in_web_content || !witness_compares(element, told->what)
			|| g_ptr_array_find(read, element, NULL)) {
			continue;
		}
		struct element *now = read_other(action, element, deadline, &silent);
		if (now != NULL) {
			witness_know(past, now);
		}
		g_ptr_array_add(read, (gpointer)element);
		element_free(now);
	}
}
