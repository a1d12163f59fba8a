/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/view.h"

#include <string.h>

#include "core/diff.h"
#include "core/label.h"
#include "core/markdown.h"
#include "core/sight.h"
#include "core/token.h"

static void answer_states(struct answer *answer, unsigned states)
{
	answer_open_array(answer, "states");
	for (int i = 0; i < ELEMENT_STATE_COUNT; i++) {
		if (states & 1u << i) {
			answer_string(answer, NULL, element_state_name(1u << i));
		}
	}
	answer_close_array(answer);
}

static void answer_place(struct answer *answer, const struct element *element,
	const struct sight *sight, const struct frame *frame)
{
	if (element->has_frame && !element_is_vague(element)) {
		answer_open_object(answer, "frame");
		answer_int(answer, "x", element->frame.x);
		answer_int(answer, "y", element->frame.y);
		answer_int(answer, "w", element->frame.width);
		answer_int(answer, "h", element->frame.height);
		answer_close_object(answer);
	} else {
		answer_null(answer, "frame");
	}
	if (sight->visible && frame->shot_width > 0) {
		struct shot_px at = frame_screen_to_shot(frame, sight->at);
		answer_open_object(answer, "at");
		answer_int(answer, "x", at.x);
		answer_int(answer, "y", at.y);
		answer_close_object(answer);
	} else {
		answer_null(answer, "at");
	}
	if (sight->parent >= 0) {
		answer_int(answer, "parent_index", sight->parent);
	} else {
		answer_null(answer, "parent_index");
	}
	answer_int(answer, "depth", sight->depth);
}

/* Tests join the elements to what an application itself knows of them. */
static bool tells_objects(void)
{
	static gsize once = 0;
	if (g_once_init_enter(&once)) {
		g_once_init_leave(&once, g_getenv("CUA_DRIVER_TEST_OBJECTS") != NULL ? 2 : 1);
	}
	return once == 2;
}

/* The members of an element with an index; the object is open. */
static void answer_element(struct answer *answer, const struct snapshot *snapshot,
	const struct element *element, const struct sight *sight)
{
	g_autofree char *token = token_new(snapshot, element->index);
	answer_int(answer, "element_index", element->index);
	answer_string(answer, "element_token", token);
	answer_string(answer, "role", element->role);
	answer_string(answer, "label", label_of(element));
	answer_string(answer, "value", element->value);
	if (element->description != NULL) {
		answer_string(answer, "description", element->description);
	}
	answer_states(answer, element->states);
	answer_strings(answer, "actions", (const char *const *)element->actions);
	answer_place(answer, element, sight, &snapshot->frame);
	if (element->pid != 0) {
		answer_int(answer, "of_pid", element->pid);
	}
	if (element->foreign) {
		answer_bool(answer, "foreign", true);
	}
	if (element->in_web_content) {
		answer_bool(answer, "in_web_content", true);
	}
	if (element_is_vague(element)) {
		answer_bool(answer, "place_unknown", true);
	}
	if (tells_objects()) {
		answer_string(answer, "object", element->object);
	}
}

static bool contains(const char *text, const char *folded)
{
	g_autofree char *other = text != NULL ? g_utf8_casefold(text, -1) : NULL;
	return other != NULL && strstr(other, folded) != NULL;
}

/* Which elements match the query; NULL without one. The caller frees the array. */
static bool *match_query(const struct tree *tree, const char *query)
{
	if (query == NULL) {
		return NULL;
	}
	bool *matches = g_new0(bool, tree->elements->len + 1);
	g_autofree char *folded = g_utf8_casefold(query, -1);
	for (guint i = 0; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		matches[i] = contains(element->role, folded) || contains(label_of(element), folded)
			|| contains(element->value, folded) || contains(element->description, folded);
	}
	return matches;
}

void view_notes(struct answer *answer, const struct tree *tree)
{
	answer_int(answer, "element_count", tree->indexed);
	answer_bool(answer, "complete", tree->complete);
	answer_string(answer, "tree", tree->skeleton ? "skeleton" : tree->degraded ? "none" : "full");
	if (tree->truncated != NULL) {
		answer_string(answer, "truncated", tree->truncated);
		answer_text(answer, "The tree is not complete: %s.\n", tree->truncated);
	}
	if (tree->degraded != NULL) {
		answer_bool(answer, "degraded", true);
		answer_string(answer, "degraded_reason", tree->degraded);
		answer_open_object(answer, "escalation");
		answer_string(answer, "recommended", "px");
		answer_string(answer, "reason", "The elements are missing; use the picture");
		answer_close_object(answer);
		answer_text(answer, "%s: %s.\n", tree->skeleton ? "Not all elements" : "No elements",
			tree->degraded);
	}
}

gsize view_tree(struct answer *answer, const struct snapshot *snapshot, const char *query)
{
	const struct tree *tree = snapshot->tree;
	g_autofree bool *matches = match_query(tree, query);
	g_autofree struct sight *sights = sight_of(tree, snapshot->frame.window);
	g_autofree char *markdown = markdown_tree(tree, matches);
	answer_string(answer, "tree_markdown", markdown);
	answer_open_array(answer, "elements");
	for (guint i = 0; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		if (element->index >= 0 && (matches == NULL || matches[i])) {
			answer_open_object(answer, NULL);
			answer_element(answer, snapshot, element, &sights[i]);
			answer_close_object(answer);
		}
	}
	answer_close_array(answer);
	answer_text_raw(answer, markdown);
	return strlen(markdown);
}

/* What of an element is not as it was, as it was. */
static void answer_before(struct answer *answer, const struct difference *difference)
{
	const struct element *before = difference->before, *now = difference->now;
	answer_open_object(answer, "before");
	if (strcmp(label_of(before), label_of(now)) != 0) {
		answer_string(answer, "label", label_of(before));
	}
	if (g_strcmp0(before->value, now->value) != 0) {
		answer_string(answer, "value", before->value);
	}
	if (before->states != now->states) {
		answer_states(answer, before->states);
	}
	answer_close_object(answer);
}

static void text_difference(struct answer *answer, const char *kind,
	const struct difference *difference)
{
	const struct element *element = difference->now != NULL ? difference->now : difference->before;
	g_autofree char *line = markdown_line(element);
	g_autofree char *old = difference->now != NULL && difference->before != NULL
		? markdown_line(difference->before) : NULL;
	if (old != NULL && strcmp(old, line) != 0) {
		answer_text(answer, "%s: %s (was: %s)\n", kind, line, old);
	} else {
		answer_text(answer, "%s: %s\n", kind, line);
	}
}

static void answer_differences(struct answer *answer, const char *kind,
	const struct snapshot *snapshot, const GArray *differences)
{
	g_autofree struct sight *sights = sight_of(snapshot->tree, snapshot->frame.window);
	answer_open_array(answer, kind);
	for (guint i = 0; i < differences->len; i++) {
		const struct difference *difference = &g_array_index(differences, struct difference, i);
		const struct element *element = difference->now != NULL ? difference->now
			: difference->before;
		answer_open_object(answer, NULL);
		if (element->index >= 0) {
			answer_element(answer, snapshot, element, &sights[element->position]);
		} else {
			answer_string(answer, "role", element->role);
			answer_string(answer, "label", label_of(element));
			answer_string(answer, "value", element->value);
		}
		if (difference->now != NULL && difference->before != NULL) {
			answer_before(answer, difference);
		}
		answer_close_object(answer);
		text_difference(answer, kind, difference);
	}
	answer_close_array(answer);
}

guint view_diff(struct answer *answer, const struct snapshot *earlier, const struct snapshot *later)
{
	struct diff diff;
	diff_make(&diff, earlier, later);
	guint count = diff.added->len + diff.removed->len + diff.changed->len;
	answer_string(answer, "since", earlier->id);
	answer_differences(answer, "added", later, diff.added);
	answer_differences(answer, "removed", earlier, diff.removed);
	answer_differences(answer, "changed", later, diff.changed);
	if (count == 0) {
		answer_text(answer, "No element was added, removed or changed.\n");
	}
	diff_clear(&diff);
	return count;
}

static char *object_key(const struct element *element)
{
	return g_strdup_printf("%s\n%s\n%s", element->provider, element->object, element->role);
}

void view_renumbered(struct answer *answer, const struct snapshot *earlier,
	const struct snapshot *later)
{
	g_autoptr(GHashTable) before = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	const GPtrArray *old = earlier->tree->elements, *now = later->tree->elements;
	guint count = 0;
	for (guint i = 0; i < old->len; i++) {
		const struct element *element = old->pdata[i];
		if (element->index >= 0) {
			g_hash_table_insert(before, object_key(element), GINT_TO_POINTER(element->index + 1));
		}
	}
	answer_open_array(answer, "renumbered");
	for (guint i = 0; i < now->len; i++) {
		const struct element *element = now->pdata[i];
		g_autofree char *key = object_key(element);
		int was = GPOINTER_TO_INT(g_hash_table_lookup(before, key)) - 1;
		if (element->index >= 0 && was >= 0 && was != element->index) {
			answer_open_object(answer, NULL);
			answer_int(answer, "from", was);
			answer_int(answer, "to", element->index);
			answer_close_object(answer);
			count++;
		}
	}
	answer_close_array(answer);
	if (count > 0) {
		answer_text(answer, "%u other elements have another index now (renumbered has from and to); "
			"do not use indices from before.\n", count);
	}
}
