/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/markdown.h"

#include <string.h>

/* Worth a word to the model; "enabled" is the rule, so its absence is said instead. */
#define SHOWN_STATES (STATE_FOCUSED | STATE_CHECKED | STATE_PRESSED | STATE_SELECTED | STATE_EXPANDED \
	| STATE_READ_ONLY | STATE_INDETERMINATE | STATE_MODAL | STATE_BUSY | STATE_OFFSCREEN)
#define LONGEST 200

static bool is_noise(const struct element *element)
{
	return element->index < 0 && element->name[0] == '\0' && element->value == NULL
		&& element->parent >= 0;
}

/* A text on one line, without what would break out of its quotes, and not endless. */
static void append_quoted(GString *out, const char *text)
{
	int count = 0;
	g_string_append_c(out, '"');
	for (const char *at = text; *at != '\0'; at = g_utf8_next_char(at)) {
		gunichar c = g_utf8_get_char(at);
		if (++count > LONGEST) {
			g_string_append(out, "…");
			break;
		}
		if (c == '\n') {
			g_string_append(out, "\\n");
		} else if (c == '"') {
			g_string_append(out, "\\\"");
		} else if (g_unichar_iscntrl(c) || g_unichar_type(c) == G_UNICODE_FORMAT) {
			/* Direction marks could make a line read as another one. */
			g_string_append_printf(out, "\\u%04x", c);
		} else {
			g_string_append_unichar(out, c);
		}
	}
	g_string_append_c(out, '"');
}

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

/* The elements to show and all their ancestors. */
static bool *with_ancestors(const struct tree *tree, const bool *shown)
{
	bool *all = g_new0(bool, tree->elements->len + 1);
	/* Children come after their parents, so one pass from the end reaches every ancestor. */
	for (guint i = tree->elements->len; i-- > 0;) {
		const struct element *element = tree->elements->pdata[i];
		all[i] |= shown == NULL || shown[i];
		if (all[i] && element->parent >= 0) {
			all[element->parent] = true;
		}
	}
	return all;
}

char *markdown_tree(const struct tree *tree, const bool *shown)
{
	GString *out = g_string_new(NULL);
	g_autofree bool *kept = with_ancestors(tree, shown);
	/* The depth at which an element is shown; children of noise are shown at its own. */
	g_autofree int *levels = g_new0(int, tree->elements->len + 1);
	for (guint i = 0; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		int level = element->parent >= 0 ? levels[element->parent] : 0;
		levels[i] = is_noise(element) ? level : level + 1;
		if (is_noise(element) || !kept[i]) {
			continue;
		}
		g_string_append_printf(out, "%*s- ", level * 2, "");
		if (element->index >= 0) {
			g_string_append_printf(out, "[%d] ", element->index);
		}
		g_string_append(out, element->role);
		if (element->name[0] != '\0') {
			g_string_append_c(out, ' ');
			append_quoted(out, element->name);
		}
		if (element->secret) {
			g_string_append(out, " = (withheld)");
		} else if (element->value != NULL && strcmp(element->value, element->name) != 0) {
			g_string_append(out, " = ");
			append_quoted(out, element->value);
		}
		append_states(out, element);
		g_string_append_c(out, '\n');
	}
	return g_string_free(out, FALSE);
}
