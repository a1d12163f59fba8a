/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/markdown.h"

#include <string.h>

#include "core/label.h"
#include "core/quote.h"

/* Worth a word to the model; "enabled" is the rule, so its absence is said instead. */
#define SHOWN_STATES (STATE_FOCUSED | STATE_CHECKED | STATE_PRESSED | STATE_SELECTED | STATE_EXPANDED \
	| STATE_READ_ONLY | STATE_INDETERMINATE | STATE_MODAL | STATE_BUSY | STATE_OFFSCREEN)
/* Characters of one text. */
#define LONGEST 200
/* Bytes of a text that is put together of pieces. */
#define LONGEST_LINE 160

/* What is shown of one element, by its position in the tree. */
struct line {
	bool kept;     /* asked for, or around what was asked for */
	bool hidden;   /* says nothing by itself */
	int level;     /* of its children; those of a hidden element stand at its own */
};

static void append_states(GString *out, const struct element *element)
{
	const char *separator = " (";
	for (int i = 0; i < ELEMENT_STATE_COUNT; i++) {
		if (element->states & SHOWN_STATES & 1u << i) {
			g_string_append_printf(out, "%s%s", separator, element_state_name(1u << i));
			separator = ", ";
		}
	}
	if (element->index >= 0 && (element->states & STATE_ENABLED) == 0) {
		g_string_append_printf(out, "%sdisabled", separator);
		separator = ", ";
	}
	if (separator[0] == ',') {
		g_string_append_c(out, ')');
	}
}

static void append_element(GString *out, const struct element *element, const char *label)
{
	if (element->index >= 0) {
		g_string_append_printf(out, "[%d] ", element->index);
	}
	g_string_append(out, element->role);
	if (label[0] != '\0') {
		g_string_append_c(out, ' ');
		quote_append(out, label, LONGEST);
	}
	if (element->secret) {
		g_string_append(out, " = (withheld)");
	} else if (element->value != NULL && strcmp(element->value, label) != 0) {
		g_string_append(out, " = ");
		quote_append(out, element->value, LONGEST);
	}
	append_states(out, element);
	if (element->pid != 0) {
		g_string_append_printf(out, " {of pid %d%s}", (int)element->pid,
			element->foreign ? ", another application" : "");
	} else if (element->foreign) {
		g_string_append(out, " {of another application}");
	}
}

char *markdown_line(const struct element *element)
{
	GString *out = g_string_new(NULL);
	append_element(out, element, label_of(element));
	return g_string_free(out, FALSE);
}

/* The elements to show and all their ancestors. */
static void keep(const struct tree *tree, const bool *shown, struct line *lines)
{
	/* Children come after their parents, so one pass from the end reaches every ancestor. */
	for (guint i = tree->elements->len; i-- > 0;) {
		const struct element *element = tree->elements->pdata[i];
		lines[i].kept |= shown == NULL || shown[i];
		if (lines[i].kept && element->parent >= 0) {
			lines[element->parent].kept = true;
		}
	}
}

/* What the nearest shown ancestor is called. */
static const char *label_above(const struct tree *tree, const struct element *element,
	const struct line *lines)
{
	for (int at = element->parent; at >= 0;) {
		const struct element *above = tree->elements->pdata[at];
		if (!lines[at].hidden) {
			return label_of(above);
		}
		at = above->parent;
	}
	return "";
}

static bool is_hidden(const struct tree *tree, const struct element *element,
	const struct line *lines)
{
	if (element->index >= 0 || element->parent < 0 || element->value != NULL) {
		return false;
	}
	const char *label = label_of(element);
	if (label[0] == '\0' || (label_is_text(element) && label_is_blank(label))) {
		return true;
	}
	/* A cell's name repeats what is in it. */
	const struct element *parent = tree->elements->pdata[element->parent];
	if (strcmp(element->role, "table cell") == 0 && label_is_row(parent)) {
		return true;
	}
	return label_is_text(element) && strstr(label_above(tree, element, lines), label) != NULL;
}

/* Whether it can share a line with its like: nothing is known of it, and nobody sees it. */
static bool is_anonymous(const struct element *element)
{
	return element->index >= 0 && label_of(element)[0] == '\0' && element->value == NULL
		&& !element->secret && (element->states & STATE_OFFSCREEN) != 0;
}

/* The last of those that share the line of the element at `first`; `first` if none does. */
static guint last_alike(const struct tree *tree, const struct line *lines, guint first)
{
	const struct element *element = tree->elements->pdata[first];
	guint last = first;
	if (!is_anonymous(element)) {
		return first;
	}
	for (guint i = first + 1; i < tree->elements->len; i++) {
		const struct element *next = tree->elements->pdata[i];
		if (lines[i].hidden) {
			continue;
		}
		if (!lines[i].kept || next->depth != element->depth || !is_anonymous(next)
			|| strcmp(next->role, element->role) != 0 || next->states != element->states) {
			break;
		}
		last = i;
	}
	return last;
}

/* The last of the pieces of text that follow each other in a page; `first` if it is no such piece. */
static guint last_piece(const struct tree *tree, const struct line *lines, guint first, GString *text)
{
	const struct element *element = tree->elements->pdata[first];
	guint last = first;
	g_string_assign(text, label_of(element));
	for (guint i = first + 1; i < tree->elements->len && label_is_text(element)
		&& element->in_web_content && text->len < LONGEST_LINE; i++) {
		const struct element *next = tree->elements->pdata[i];
		if (lines[i].hidden) {
			continue;
		}
		if (!lines[i].kept || !label_is_text(next) || next->states != element->states
			|| lines[i].level != lines[first].level) {
			break;
		}
		g_string_append(text, next->name);
		last = i;
	}
	return last;
}

static void arrange(const struct tree *tree, struct line *lines)
{
	for (guint i = 0; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		int level = element->parent >= 0 ? lines[element->parent].level : 0;
		lines[i].hidden = is_hidden(tree, element, lines);
		lines[i].level = lines[i].hidden ? level : level + 1;
	}
}

char *markdown_tree(const struct tree *tree, const bool *shown)
{
	GString *out = g_string_new(NULL);
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree struct line *lines = g_new0(struct line, tree->elements->len + 1);
	keep(tree, shown, lines);
	arrange(tree, lines);
	for (guint i = 0; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		if (lines[i].hidden || !lines[i].kept) {
			continue;
		}
		g_string_append_printf(out, "%*s- ", (lines[i].level - 1) * 2, "");
		guint last = last_alike(tree, lines, i);
		if (last > i) {
			g_string_append_printf(out, "[%d]..[%d] %s", element->index,
				((const struct element *)tree->elements->pdata[last])->index, element->role);
			append_states(out, element);
		} else {
			last = last_piece(tree, lines, i, text);
			append_element(out, element, text->str);
		}
		g_string_append_c(out, '\n');
		i = last;
	}
	return g_string_free(out, FALSE);
}
