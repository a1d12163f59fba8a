/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/witness.h"

#include <string.h>

#include "core/finding.h"
#include "core/past.h"
#include "core/testimony.h"

#define MOST_EVIDENCE 8
/* An application that ends loses its windows first; a moment later it is known which of both it is. */
#define LOSS_US (60 * G_TIME_SPAN_MILLISECOND)

static void evidence_clear(gpointer data)
{
	change_clear(data);
}

const char *effect_name(enum effect effect)
{
	static const char *const names[] = { "unverifiable", "confirmed", "suspected_noop" };
	return names[effect];
}

void witness_arm(struct witness *witness, struct action *action, const struct element *before,
	bool user_elsewhere)
{
	const GPtrArray *elements = action->tree != NULL ? action->tree->elements : NULL;
	const struct element *root = elements != NULL && elements->len > 0 ? elements->pdata[0] : NULL;
	*witness = (struct witness){
		.action = action, .before = before, .user_elsewhere = user_elsewhere,
		.provider = before != NULL ? before->provider : root != NULL ? root->provider : NULL,
		.doubt = DOUBT_UNSEEN, .armed_at = g_get_monotonic_time(),
		.evidence = g_array_new(FALSE, FALSE, sizeof(struct change)),
		.candidates = g_ptr_array_new_with_free_func(testimony_free),
	};
	g_array_set_clear_func(witness->evidence, evidence_clear);
	struct past *past = action->platform->past;
	witness->from = past_count(past);
	action->moment = 0;
	action->stirred = false;
	witness->deed = past_begin(past, witness->provider, before != NULL ? before->object : NULL,
		action->window->pid);
}

void witness_sent(struct witness *witness)
{
	const struct action *action = witness->action;
	witness->moment = action->moment != 0 ? action->moment : witness->before != NULL ? witness->before->moment : 0;
	past_sent(action->platform->past, witness->deed, witness->moment);
}

/* An application may say the same more than once, and reading it again says it once more. */
static bool is_known(const struct witness *witness, const struct change *change)
{
	for (guint i = 0; i < witness->evidence->len; i++) {
		const struct change *known = &g_array_index(witness->evidence, struct change, i);
		if (strcmp(known->kind, change->kind) == 0 && g_strcmp0(known->before, change->before) == 0
			&& g_strcmp0(known->after, change->after) == 0
			&& g_strcmp0(known->detail, change->detail) == 0) {
			return true;
		}
	}
	return false;
}

static void add_evidence(struct witness *witness, struct change change)
{
	if (witness->evidence->len < MOST_EVIDENCE && !is_known(witness, &change)) {
		g_array_append_val(witness->evidence, change);
	} else {
		change_clear(&change);
	}
}

static bool is_web(const struct witness *witness)
{
	return (witness->before != NULL && witness->action->element->in_web_content) || witness->action->in_page;
}

static bool prove(struct witness *witness)
{
	witness->effect = EFFECT_CONFIRMED;
	witness->doubt = DOUBT_NONE;
	return true;
}

/* Where the rung knew what to look for, that alone decides. */
static bool has_finding(const struct witness *witness)
{
	return witness->action->finding.kind != NULL;
}

/* Text and values are where they were written, or nowhere: a window that comes or goes instead may be a complaint. */
static bool is_read_back(const struct witness *witness)
{
	return has_finding(witness) || witness->action->kind == ACTION_TYPE_TEXT;
}

bool witness_can_show(const struct action *action, const struct element *before)
{
	static const char *const roles[] = { "check", "radio", "toggle", "switch", "list item", "tab",
		"table cell", "tree", "combo", "row", "expander", "icon", NULL };
	if (before == NULL || action->finding.kind != NULL) {
		return action->finding.kind != NULL;
	}
	for (int i = 0; roles[i] != NULL; i++) {
		if (strstr(before->role, roles[i]) != NULL) {
			return true;
		}
	}
	/* An entry of a menu is selected whatever comes of it. */
	bool selects = before->selectable && strstr(before->role, "menu") == NULL;
	return action->kind != ACTION_CLICK || before->value != NULL
		|| (before->states & (STATE_EXPANDABLE | STATE_CHECKED | STATE_SELECTED)) != 0 || selects;
}

/* The same, where nothing else was said to be looked for. */
bool witness_shows_itself(const struct witness *witness)
{
	return !has_finding(witness) && witness_can_show(witness->action, witness->before);
}

/* (a), once the target is seen to be as asked for: unless that may be somebody else's doing. */
static bool judge_own(struct witness *witness)
{
	struct past *past = witness->action->platform->past;
	/* Nothing proves anything there, whoever did what before. */
	if (is_web(witness)) {
		witness->doubt = DOUBT_WEB;
		return false;
	}
	bool restless = !has_finding(witness) && past_restless(past, witness->deed, witness->provider,
		witness->before->object);
	/* An exact value that was asked for is no late effect of an action that asked for another. */
	bool exact = has_finding(witness)
		&& (witness->action->kind == ACTION_SET_VALUE
			|| witness->action->kind == ACTION_DRAG);
	if (restless || witness->action->stirred || (!exact && past_owes_target(past, witness->deed))) {
		witness->doubt = DOUBT_EARLIER;
		return false;
	}
	return prove(witness);
}

/* A click for the focus selects and expands; what it does not do is to reach the mark of an item from its middle. */
static bool is_mark_of_item(const struct witness *witness, const char *state)
{
	static const char *const roles[] = { "list item", "tree item", NULL };
	return witness->before != NULL && g_strv_contains(roles, witness->before->role) && g_strcmp0(state, "checked") == 0;
}

static bool take_own(struct witness *witness, struct change change)
{
	bool stirred = witness->action->finding.clicked && strcmp(change.kind, "state") == 0
		&& !is_mark_of_item(witness, change.detail);
	bool unheard = witness->action->finding.unheard && strcmp(change.kind, "state") == 0
		&& g_strcmp0(change.detail, "selected") == 0;
	add_evidence(witness, change);
	if (stirred || unheard) {
		witness->doubt = stirred ? DOUBT_FOCUS : DOUBT_UNHEARD;
		return false;
	}
	return judge_own(witness);
}

/* What the target says at the end counts, not what it said on the way there. */
static void replace_evidence(struct witness *witness, struct change change)
{
	g_array_set_size(witness->evidence, 0);
	add_evidence(witness, change);
}

/* Whether a consequence elsewhere may be this action's at all; otherwise why not. */
static bool may_follow(struct witness *witness)
{
	if (is_web(witness)) {
		witness->doubt = DOUBT_WEB;
	} else if (!witness->user_elsewhere) {
		witness->doubt = DOUBT_USER;
	} else if (witness->provider == NULL || !past_knows(witness->action->platform->past,
		witness->provider)) {
		witness->doubt = DOUBT_DEAF;
	} else {
		return true;
	}
	return false;
}

/* (b), for what happens to windows and to the target as a whole. */
static bool take_consequence(struct witness *witness, const char *kind, char *detail)
{
	add_evidence(witness, (struct change){ kind, NULL, NULL, detail });
	if (!may_follow(witness)) {
		return false;
	}
	if (past_owes(witness->action->platform->past, witness->deed)) {
		witness->doubt = DOUBT_EARLIER;
		return false;
	}
	return prove(witness);
}

/* (b), for an element of the same window that had been silent. */
static bool take_candidate(struct witness *witness, struct testimony *candidate)
{
	const struct tree *tree = witness->action->tree;
	const struct element *element = tree != NULL ? tree_find(tree, witness->provider, candidate->object) : NULL;
	enum worth worth = element != NULL ? testimony_weigh(witness, candidate, element) : WORTH_NOTHING;
	witness->awaited = worth == WORTH_LATER;
	witness->unread = worth == WORTH_READING ? element : NULL;
	if (worth < WORTH_EVIDENCE) {
		return false;
	}
	witness->heard_at = g_get_monotonic_time();
	add_evidence(witness, testimony_describe(witness, candidate, element));
	if (worth == WORTH_EVIDENCE || !may_follow(witness)) {
		return false;
	}
	enum doubt doubt = testimony_doubt(witness, candidate, element);
	if (doubt != DOUBT_NONE) {
		witness->doubt = doubt;
		return false;
	}
	return prove(witness);
}

/* One of its kind is enough. */
static void add_candidate(struct witness *witness, const struct happening *happening)
{
	for (guint i = 0; i < witness->candidates->len; i++) {
		struct testimony *known = witness->candidates->pdata[i];
		if (strcmp(known->object, happening->object) == 0
			&& strcmp(known->what, happening->what) == 0 && known->detail == happening->detail) {
			known->at = happening->at;
			g_free(known->text);
			known->text = g_strdup(happening->text);
			known->asked = false;
			return;
		}
	}
	struct testimony *candidate = g_new0(struct testimony, 1);
	*candidate = (struct testimony){ g_strdup(happening->object), g_strdup(happening->what), g_strdup(happening->was),
		g_strdup(happening->text), happening->since, false, happening->detail, happening->at };
	g_ptr_array_add(witness->candidates, candidate);
}

/* The target, or who stands for it. */
static bool is_own(const struct witness *witness, const char *object)
{
	return (witness->before != NULL && strcmp(object, witness->before->object) == 0)
		|| g_strcmp0(object, witness->action->finding.object) == 0;
}

static void note_loss(struct witness *witness)
{
	witness->heard = true;
	if (witness->lost_at == 0) {
		witness->lost_at = witness->heard_at = g_get_monotonic_time();
	}
}

static bool take_happening(const struct happening *happening, void *data)
{
	struct witness *witness = data;
	const struct window *window = witness->action->window;
	/* What the target was in was scrolled before anything was done to it. */
	if (happening->at < witness->action->scrolled_at
		&& (happening->kind == HAPPENED_ELEMENT || happening->kind == HAPPENED_PIXELS)) {
		return true;
	}
	switch (happening->kind) {
	case HAPPENED_ELEMENT:
		/* Entries of GTK 3's popovers say it whenever they are looked at or hovered over; and a name is no other one. */
		if (happening->again && (happening->text != NULL || strcmp(window->toolkit, "gtk3") == 0)) {
			break;
		}
		if (g_strcmp0(happening->provider, witness->provider) == 0
			&& (witness->moment == 0 || happening->moment > witness->moment)) {
			witness->heard = true;
			witness->own |= is_own(witness, happening->object);
			/* The target may have gone with what contained it. */
			witness->own |= strcmp(happening->what, "children") == 0;
			add_candidate(witness, happening);
		}
		break;
	case HAPPENED_OPENED:
		if (happening->pid != 0 && happening->pid == window->pid) {
			witness->opened = true;
			witness->opened_at = happening->at;
		}
		break;
	case HAPPENED_TAKEN:
		witness->taken = true;
		break;
	case HAPPENED_CLOSED:
		if (happening->window == window->id) {
			witness->closed = true;
			note_loss(witness);
		}
		break;
	case HAPPENED_COPIED:
		if (happening->pid == window->pid) {
			witness->copied = witness->heard = true;
			witness->heard_at = happening->at;
		}
		break;
	case HAPPENED_PLACED:
		break;
	case HAPPENED_LEFT:
		witness->ended |= g_strcmp0(happening->provider, witness->provider) == 0;
		break;
	case HAPPENED_RETITLED:
		witness->heard |= happening->window == window->id;
		break;
	case HAPPENED_PIXELS:
		if (happening->window == window->id) {
			witness->drawn = window_rect_join(witness->drawn, happening->area);
		}
		break;
	}
	return true;
}

/* A state event of the target tells what reading it again would, in GTK3; others are read again. */
static bool take_own_state(struct witness *witness, const struct testimony *candidate)
{
	bool told = strcmp(witness->action->window->toolkit, "gtk3") == 0 || is_web(witness);
	if (!told || !testimony_is_asked_state(witness, candidate) || testimony_is_taken_back(witness, candidate)) {
		return false;
	}
	witness->heard_at = g_get_monotonic_time();
	return take_own(witness, (struct change){ "state", g_strdup(candidate->detail ? "false" : "true"),
		g_strdup(candidate->detail ? "true" : "false"), g_strdup(candidate->what) });
}

/* For who is told a text or value a window may as well be a message that it was not taken. */
static bool take_opened(struct witness *witness)
{
	if (!witness->opened) {
		return false;
	}
	witness->opened = false;
	witness->heard = true;
	witness->heard_at = g_get_monotonic_time();
	char *detail = g_strdup("a window of the application opened");
	bool clicked = witness->action->finding.clicked;
	if (clicked || is_read_back(witness) || witness->doubt == DOUBT_OTHER) {
		/* Fields open lists and calendars when they are clicked. */
		add_evidence(witness, (struct change){ "window", NULL, NULL, detail });
		witness->doubt = clicked ? DOUBT_FOCUS : witness->doubt;
		return false;
	}
	return take_consequence(witness, "window", detail);
}

/* A target or window that went is a consequence; a whole application that went may have crashed. */
static bool take_loss(struct witness *witness, bool now)
{
	if (witness->lost_at == 0 || witness->told
		|| (!now && !witness->ended && g_get_monotonic_time() - witness->lost_at < LOSS_US)) {
		return false;
	}
	witness->told = true;
	const char *kind = witness->closed ? "window" : "state";
	if (witness->ended) {
		add_evidence(witness, (struct change){ kind, NULL, NULL, g_strdup("the application has ended") });
		witness->doubt = DOUBT_ENDED;
		return false;
	}
	char *detail = g_strdup(witness->closed ? "the window closed" : "the element does not exist any more");
	if (is_read_back(witness)) {
		add_evidence(witness, (struct change){ kind, NULL, NULL, detail });
		return false;
	}
	return take_consequence(witness, kind, detail);
}

struct deadline witness_until(const struct witness *witness, struct deadline settle)
{
	if (witness->lost_at != 0 && !witness->told) {
		settle.at = MIN(settle.at, witness->lost_at + LOSS_US);
	}
	return settle;
}

bool witness_look(struct witness *witness)
{
	past_look(witness->action->platform->past, &witness->from, take_happening, witness);
	bool proven = witness->effect == EFFECT_CONFIRMED;
	for (guint i = 0; i < witness->candidates->len && !proven; i++) {
		proven = take_own_state(witness, witness->candidates->pdata[i]);
	}
	proven = proven || take_opened(witness) || take_loss(witness, false);
	guint done = 0;
	witness->unread = NULL;
	witness->awaited = false;
	while (done < witness->candidates->len && !proven) {
		proven = take_candidate(witness, witness->candidates->pdata[done]);
		if (witness->unread != NULL || witness->awaited) {
			break;
		}
		done++;
	}
	/* Who has to be read first, or waits for the target, stays, and who comes after. */
	g_ptr_array_remove_range(witness->candidates, 0, proven ? witness->candidates->len : done);
	return proven;
}

/* Keeps what it was read to be. */
static void keep_reading(struct past *past, const struct element *now, const char *what)
{
	const char *content = testimony_content(now, what);
	if (content != NULL) {
		past_read(past, now->provider, now->object, what, content);
	}
}

bool witness_reread(struct witness *witness, const struct element *now)
{
	struct testimony *candidate = witness->candidates->pdata[0];
	candidate->asked = true;
	g_free(candidate->text);
	candidate->text = now != NULL ? g_strdup(testimony_content(now, candidate->what)) : NULL;
	if (now != NULL) {
		keep_reading(witness->action->platform->past, now, candidate->what);
	}
	return witness_look(witness);
}

bool witness_compares(const struct element *element, const char *what)
{
	return testimony_content(element, what) != NULL;
}

void witness_know(struct past *past, const struct element *now)
{
	static const char *const kept[] = { "name", "text", "value" };
	for (gsize i = 0; i < G_N_ELEMENTS(kept); i++) {
		keep_reading(past, now, kept[i]);
	}
}

bool witness_read(struct witness *witness, const struct element *after, gint64 at)
{
	witness->own = false;
	witness->read_at = at;
	if (after == NULL) {
		witness->gone = true;
		note_loss(witness);
		return take_loss(witness, false);
	}
	struct change change;
	enum outcome outcome = expect_compare(witness->action, witness->before, after, &change);
	if (outcome == OUTCOME_NONE || has_finding(witness)) {
		change_clear(&change);
		if (witness->doubt == DOUBT_OTHER) {
			/* It was something else for a moment. */
			g_array_set_size(witness->evidence, 0);
			witness->doubt = DOUBT_UNSEEN;
		}
		return false;
	}
	witness->heard = true;
	witness->heard_at = g_get_monotonic_time();
	if (outcome == OUTCOME_ASKED) {
		return take_own(witness, change);
	}
	replace_evidence(witness, change);
	witness->doubt = DOUBT_OTHER;
	return false;
}

bool witness_find(struct witness *witness, const char *now)
{
	const struct finding *finding = &witness->action->finding;
	enum found found = finding_compare(finding, now);
	struct change change = { .kind = finding->kind, .detail = g_strdup(finding->detail) };
	witness->own = false;
	if (found == FOUND_UNKNOWN || found == FOUND_NOTHING) {
		change_clear(&change);
		return false;
	}
	if (finding->secret) {
		g_free(change.detail);
		change.detail = g_strdup("withheld");
	} else {
		change.before = g_strdup(finding->before);
		change.after = g_strdup(now);
	}
	replace_evidence(witness, change);
	witness->heard |= found != FOUND_ALREADY;
	if (found == FOUND_ASKED && (finding->echo || finding->guessed)) {
		witness->doubt = finding->echo ? DOUBT_ECHO : DOUBT_GUESSED;
		return false;
	}
	if (found == FOUND_ASKED) {
		witness->heard_at = g_get_monotonic_time();
		return judge_own(witness);
	}
	witness->doubt = found == FOUND_OTHER ? DOUBT_OTHER : DOUBT_ALREADY;
	return false;
}

/* Whether the target itself has said all that it will. */
static bool is_told(enum doubt doubt)
{
	return doubt == DOUBT_ECHO || doubt == DOUBT_GUESSED || doubt == DOUBT_ALREADY;
}

bool witness_is_done(const struct witness *witness)
{
	if (witness->effect == EFFECT_CONFIRMED || witness->doubt == DOUBT_ENDED
		|| is_told(witness->doubt)) {
		return true;
	}
	bool hopeless = witness->doubt == DOUBT_USER || witness->doubt == DOUBT_DEAF;
	return witness->evidence->len > 0 && (witness->doubt == DOUBT_WEB
		|| (hopeless && !witness_can_show(witness->action, witness->before)));
}

/* Whether a click asks for what was so before: then nothing has to happen. */
static bool was_so(const struct witness *witness)
{
	const struct element *before = witness->before;
	if (before == NULL || witness->action->kind != ACTION_CLICK || witness->action->count > 1) {
		return false;
	}
	bool chosen = element_is_item(before) || strcmp(before->role, "page tab") == 0;
	return (strstr(before->role, "radio") != NULL && (before->states & STATE_CHECKED) != 0)
		|| (chosen && (before->states & STATE_SELECTED) != 0);
}

void witness_close(struct witness *witness)
{
	bool confirmed = witness_look(witness) || take_loss(witness, true);
	if (!confirmed && witness->evidence->len == 0 && witness->drawn.width > 0) {
		/* No proof of anything, but something happened. */
		add_evidence(witness, (struct change){ "pixels", NULL, NULL, g_strdup_printf(
			"%d x %d pixels were drawn at %d,%d in the window", witness->drawn.width,
			witness->drawn.height, witness->drawn.at.x, witness->drawn.at.y) });
	}
	if (!confirmed && witness->copied) {
		/* Neither: what it put there only the clipboard tells. */
		add_evidence(witness, (struct change){ "event", NULL, NULL,
			g_strdup("the application put something on the clipboard") });
	}
	bool told = witness->doubt == DOUBT_OTHER || is_told(witness->doubt);
	past_end(witness->action->platform->past, witness->deed, confirmed || told);
	/* A page that nobody can see may not tell anything before it is seen again. */
	bool asleep = is_web(witness) && witness->action->window->minimized;
	bool silent = !confirmed && !witness->heard && witness->evidence->len == 0 && witness->doubt == DOUBT_UNSEEN && !asleep;
	if (silent && was_so(witness)) {
		witness->doubt = DOUBT_ALREADY;
	} else if (silent) {
		witness->effect = EFFECT_SUSPECTED_NOOP;
	} else if (witness->doubt == DOUBT_UNSEEN && is_web(witness)) {
		witness->doubt = DOUBT_WEB;
	}
}

void witness_clear(struct witness *witness)
{
	g_clear_pointer(&witness->evidence, g_array_unref);
	g_clear_pointer(&witness->candidates, g_ptr_array_unref);
}
