/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/testimony.h"

#include <string.h>

#include "core/label.h"
#include "core/past.h"
#include "core/quote.h"

/* Characters of a name in the evidence. */
#define LONGEST_NAME 60
/* Timers of toolkits are not sooner than this. */
#define LAG_SLACK_MS 20

void testimony_free(gpointer data)
{
	struct testimony *candidate = data;
	g_free(candidate->object);
	g_free(candidate->what);
	g_free(candidate->was);
	g_free(candidate->text);
	g_free(candidate);
}

/* Where the rung knew what to look for, that alone decides. */
static bool has_finding(const struct witness *witness)
{
	return witness->action->finding.kind != NULL;
}

static const struct element *parent_of(const struct tree *tree, const struct element *element)
{
	return element->parent >= 0 ? tree->elements->pdata[element->parent] : NULL;
}

/* A closed combo box tells late, and again, which of its items is selected. */
static bool is_in_combo(const struct tree *tree, const struct element *element)
{
	while (element != NULL && strcmp(element->role, "combo box") != 0) {
		element = parent_of(tree, element);
	}
	return element != NULL;
}

/*
 * What moves by its nature proves nothing, and a button that goes down for a moment neither. GTK4 says with each
 * press of a tab or toggle that it is not indeterminate, and GTK3 selects the item of a menu that it activates.
 */
static bool can_testify(const struct action *action, const struct element *element, const char *what)
{
	static const char *const roles[] = {
		"progress bar", "log", "timer", "marquee", "animation", "level bar", "tool tip", NULL,
	};
	return !g_strv_contains(roles, element->role) && !element->in_web_content
		&& (strcmp(what, "pressed") != 0 || strstr(element->role, "toggle") != NULL)
		&& (strcmp(what, "indeterminate") != 0 || strstr(element->role, "check") != NULL)
		&& (!g_str_has_prefix(what, "select") || (strstr(element->role, "menu") == NULL && !is_in_combo(action->tree, element)))
		/* GTK3 tells it whenever something is laid out again; at the edge of a list a drag scrolls it, and a log that grows does. */
		&& (strcmp(what, "value") != 0 || strcmp(element->role, "split pane") != 0)
		&& (strcmp(what, "value") != 0 || strcmp(element->role, "scroll bar") != 0 || (action->kind != ACTION_DRAG
			&& action->kind != ACTION_CLICK && action->kind != ACTION_INVOKE_MENU))
		/* The first of two clicks selects. */
		&& (action->kind != ACTION_CLICK || action->count < 2 || !g_str_has_prefix(what, "select"));
}

/* Whether an item of a menu is activated, which toolkits tell of as if it were chosen with the pointer. */
static bool is_of_menu(const struct action *action)
{
	return action->kind == ACTION_INVOKE_MENU || (action->element != NULL && strstr(action->element->role, "menu item") != NULL);
}

/*
 * A status bar tells what the pointer is over, and what an item of a menu is for; rows show their buttons, and panes their scroll bars, while it is over them. What it
 * does there is another matter.
 */
static bool tells_of_pointer(const struct witness *witness, const struct element *element, const char *what)
{
	const struct tree *tree = witness->action->tree;
	bool shows = strcmp(what, "showing") == 0 || strcmp(what, "visible") == 0;
	bool hovered = witness->action->finding.hovered, menu = is_of_menu(witness->action);
	bool tells = hovered && shows && strcmp(element->role, "scroll bar") == 0;
	while (element != NULL && !tells) {
		const struct element *parent = parent_of(tree, element);
		tells = ((hovered || menu) && strcmp(element->role, "status bar") == 0)
			|| (hovered && shows && parent != NULL && parent == witness->action->element);
		element = parent;
	}
	return tells;
}

/*
 * Whether it may be what came before keys that did it. A window that gets the focus looks what can be pasted and shows its
 * search bar again; a click moves the line and column in a status bar, too, and only writes nothing into its target.
 */
static bool follows_focus(const struct finding *finding, bool own, const char *what)
{
	static const char *const stirred[] = { "sensitive", "showing", "children", "description", NULL };
	return finding->clicked ? !own || strcmp(what, "text") != 0
		: finding->keyed && g_strv_contains(stirred, what);
}

/* Whether the first of two clicks on an item, which selects what was not selected, may have done it. */
static bool follows_first_click(const struct witness *witness)
{
	const struct action *action = witness->action;
	bool selects = (action->kind == ACTION_CLICK && action->count > 1) || action->finding.picked;
	return selects && witness->before != NULL && element_is_item(witness->before)
		&& (witness->before->states & STATE_SELECTED) == 0;
}

/* Where the toolkit is known to act later, what comes sooner is the late effect of something else. */
static bool comes_too_soon(const struct witness *witness, const struct testimony *candidate)
{
	gint64 lag_ms = MAX(witness->action->lag_ms - LAG_SLACK_MS, 0);
	return candidate->at < witness->armed_at + lag_ms * G_TIME_SPAN_MILLISECOND;
}

const char *testimony_content(const struct element *element, const char *what)
{
	if (strcmp(what, "name") == 0) {
		return element->name;
	}
	if (telling_is_state(what)) {
		bool on = strcmp(what, "showing") == 0 ? (element->states & STATE_OFFSCREEN) == 0
			: expect_had(element, strcmp(what, "sensitive") == 0 ? "enabled" : what, true);
		return on ? "true" : "false";
	}
	bool there = strcmp(what, "text") == 0 ? element_has_text(element) : strcmp(what, "value") == 0 && element->has_value;
	return there ? element->value : NULL;
}

/* Whether the candidate is the target itself, which was read just before. */
static bool is_target(const struct witness *witness, const struct testimony *candidate)
{
	return witness->before != NULL && strcmp(witness->before->object, candidate->object) == 0;
}

/* Whether it told of an earlier change after it was last read with all others. */
static bool is_newer(const struct witness *witness, const struct testimony *candidate)
{
	const struct tree *tree = witness->action->tree;
	return !is_target(witness, candidate) && candidate->since > (tree != NULL ? tree->read_at : 0);
}

/* What it was before; NULL if nobody knows. */
static const char *content_before(const struct witness *witness, const struct testimony *candidate, const struct element *element)
{
	return is_newer(witness, candidate) ? candidate->was
		: testimony_content(is_target(witness, candidate) ? witness->before : element, candidate->what);
}

/* Whether it told what it was already: some do when nothing has changed. A label tells of its text by its name. */
static bool is_as_before(const struct witness *witness, const struct testimony *candidate, const struct element *element)
{
	bool twice = strcmp(candidate->what, "text") == 0 && strcmp(element->role, "label") == 0 && element->value == NULL;
	return twice || (candidate->text != NULL && g_strcmp0(content_before(witness, candidate, element), candidate->text) == 0);
}

/* What it is now has to be read before it proves anything: many do not tell it, and others tell of what they are only on the way. */
static bool has_to_be_read(const struct witness *witness, const struct testimony *candidate, const struct element *element)
{
	return !candidate->asked && content_before(witness, candidate, element) != NULL && !has_finding(witness);
}

/* Whether there is something to compare, but an earlier change came between the last reading and the action. */
static bool is_unknown(const struct witness *witness, const struct testimony *candidate, const struct element *element)
{
	return testimony_content(element, candidate->what) != NULL && is_newer(witness, candidate) && candidate->was == NULL;
}

/* Whether nobody knows what it was, as nobody reads the text of what is hidden; or it was gone when it was read. */
static bool is_incomparable(const struct witness *witness, const struct testimony *candidate, const struct element *element)
{
	bool unread = content_before(witness, candidate, element) == NULL && !is_unknown(witness, candidate, element);
	return telling_is_kept(candidate->what) && (unread || (candidate->asked && candidate->text == NULL));
}

/* A list of processes or files is refreshed now and then, and each of its cells may have been silent for long. */
static bool is_refreshed(const struct witness *witness, const struct element *element, const char *what)
{
	struct past *past = witness->action->platform->past;
	const struct tree *tree = witness->action->tree;
	const struct element *table = element;
	if (strcmp(element->role, "table cell") != 0 || telling_is_state(what)) {
		return false;
	}
	while (table != NULL && strcmp(table->role, "table") != 0 && strcmp(table->role, "tree table") != 0) {
		table = parent_of(tree, table);
	}
	if (table == NULL || !past_knows_well(past, witness->provider)) {
		return true;
	}
	for (guint i = (guint)table->position + 1; i < tree->elements->len; i++) {
		const struct element *cell = tree->elements->pdata[i];
		if (cell->depth <= table->depth) {
			break;
		}
		if (past_moved(past, witness->deed, witness->provider, cell->object)) {
			return true;
		}
	}
	return false;
}

/* A log is written to whatever comes of an action, and whoever else acts: lines that nobody can edit, and more of them. */
static bool is_log(const struct witness *witness, const struct testimony *candidate, const struct element *element)
{
	const char *was = content_before(witness, candidate, element);
	return strcmp(candidate->what, "text") == 0 && (element->states & STATE_EDITABLE) == 0 && was != NULL
		&& candidate->text != NULL && strchr(was, '\n') != NULL && g_str_has_prefix(candidate->text, was);
}

/* How often it is in the text. */
static int count_of(const char *text, const char *part)
{
	int count = 0;
	for (const char *at = text; part[0] != '\0' && (at = strstr(at, part)) != NULL; at++) {
		count++;
	}
	return count;
}

/* Whether what was typed is in it now, all of it: a field may not take each letter. A line that was ended need not have its end in it. */
static bool is_typed(const struct witness *witness, const struct testimony *candidate, const struct element *element)
{
	const char *was = content_before(witness, candidate, element), *typed = witness->action->text;
	if (strcmp(candidate->what, "text") != 0 || was == NULL || candidate->text == NULL) {
		return false;
	}
	gsize length = strlen(typed);
	while (length > 0 && (typed[length - 1] == '\n' || typed[length - 1] == '\t')) {
		length--;
	}
	g_autofree char *line = g_strndup(typed, length);
	return count_of(candidate->text, typed) > count_of(was, typed) || count_of(candidate->text, line) > count_of(was, line);
}

/* What others say on the way counts only once the target has been read that can show it itself: it may say something else. */
static bool is_too_early(const struct witness *witness, const struct testimony *candidate)
{
	return witness_shows_itself(witness) && candidate->at > witness->read_at;
}

/* So much of it as a person wants to read. */
static char *shorten(const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);
	return g_utf8_strlen(valid, -1) > LONGEST_NAME ? g_utf8_substring(valid, 0, LONGEST_NAME) : g_steal_pointer(&valid);
}

/* What is said of it: what it was and is, or what it is called in the tree. */
struct change testimony_describe(const struct witness *witness, const struct testimony *candidate, const struct element *element)
{
	const char *was = content_before(witness, candidate, element);
	g_autofree char *before = was != NULL ? shorten(was) : NULL, *after = candidate->text != NULL ? shorten(candidate->text) : NULL;
	/* Long ones may differ where nobody would see it. */
	if (after != NULL && g_strcmp0(before, after) != 0) {
		return (struct change){ "event", g_steal_pointer(&before), g_steal_pointer(&after),
			quote_format("%s of %s", candidate->what, element->role) };
	}
	g_autofree char *label = shorten(label_of(element));
	return (struct change){ "event", NULL, NULL,
		quote_format("%s of %s \"%s\"", candidate->what, element->role, label) };
}

bool testimony_is_asked_state(const struct witness *witness, const struct testimony *candidate)
{
	return is_target(witness, candidate)
		&& expect_state(witness->action, witness->before, candidate->what, candidate->detail != 0);
}

/* Whether it is a message in a status bar that goes, or what comes back in its place: they do so by themselves. */
static bool fades(const struct witness *witness, const struct testimony *candidate, const struct element *element)
{
	static const char *const shown[] = { "showing", "visible", "children", NULL };
	const struct tree *tree = witness->action->tree;
	while (element != NULL && strcmp(element->role, "status bar") != 0) {
		element = parent_of(tree, element);
	}
	return element != NULL && ((candidate->text != NULL && candidate->text[0] == '\0') || g_strv_contains(shown, candidate->what));
}

bool testimony_is_taken_back(const struct witness *witness, const struct testimony *candidate)
{
	static const char *const compared[] = { "name", "text", "value", "children", "selection", "description", NULL };
	if (g_strv_contains(compared, candidate->what)) {
		return false;
	}
	for (guint i = 0; i < witness->candidates->len; i++) {
		const struct testimony *other = witness->candidates->pdata[i];
		if (strcmp(other->object, candidate->object) == 0 && strcmp(other->what, candidate->what) == 0
			&& other->detail != candidate->detail && (other->at >= candidate->at || !is_target(witness, candidate))) {
			return true;
		}
	}
	return false;
}

/* What nobody needs to hear of: it happens by itself, or is said of what did not change. */
static bool is_noise(const struct witness *witness, const struct testimony *candidate, const struct element *element)
{
	static const char *const told_late[] = { "value", "showing", "children", NULL };
	const struct action *action = witness->action;
	bool own = is_target(witness, candidate);
	/* Some say it again when nothing has changed, and what was scrolled may tell it late. */
	bool known = own && (has_finding(witness) || expect_had(witness->before, candidate->what, candidate->detail != 0));
	bool scrolled = action->scrolled_at != 0 && !own && g_strv_contains(told_late, candidate->what);
	return !can_testify(action, element, candidate->what) || tells_of_pointer(witness, element, candidate->what)
		|| is_as_before(witness, candidate, element)
		|| past_restless(action->platform->past, witness->deed, witness->provider, candidate->object)
		|| (!own && comes_too_soon(witness, candidate)) || testimony_is_asked_state(witness, candidate)
		|| testimony_is_taken_back(witness, candidate) || known || scrolled;
}

enum worth testimony_weigh(const struct witness *witness, const struct testimony *candidate, const struct element *element)
{
	if (is_noise(witness, candidate, element)) {
		return WORTH_NOTHING;
	}
	if (is_too_early(witness, candidate)) {
		return WORTH_LATER;
	}
	/* The target itself says something else. */
	if (witness->doubt == DOUBT_OTHER) {
		return WORTH_NOTHING;
	}
	if (has_to_be_read(witness, candidate, element)) {
		return WORTH_READING;
	}
	bool typing = witness->action->kind == ACTION_TYPE_TEXT;
	return has_finding(witness) || is_incomparable(witness, candidate, element) || is_log(witness, candidate, element)
		|| fades(witness, candidate, element) || (typing && !is_typed(witness, candidate, element)) ? WORTH_EVIDENCE : WORTH_PROOF;
}

enum doubt testimony_doubt(const struct witness *witness, const struct testimony *candidate, const struct element *element)
{
	const struct action *action = witness->action;
	struct past *past = action->platform->past;
	bool own = is_target(witness, candidate);
	if (follows_focus(&action->finding, own, candidate->what)) {
		return DOUBT_FOCUS;
	}
	/* What should have been clicked is not current, whatever shows what is selected. */
	if (action->finding.unheard && (action->last || g_str_has_prefix(candidate->what, "select"))) {
		return DOUBT_UNHEARD;
	}
	if (follows_first_click(witness)) {
		return DOUBT_FIRST;
	}
	bool earlier = (own && action->stirred) || is_unknown(witness, candidate, element)
		|| is_refreshed(witness, element, candidate->what)
		|| !past_explains(past, witness->deed, witness->provider, candidate->object);
	return earlier ? DOUBT_EARLIER : DOUBT_NONE;
}
