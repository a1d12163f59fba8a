/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/label.h"

#include <string.h>

/* Bytes of the texts in one element. */
#define LONGEST 160

/* GTK 4.8 gives an element without a name that of its class. */
static bool is_class_name(const char *name)
{
	bool humps = false;
	if (!g_ascii_isupper(name[0]) || !g_ascii_islower(name[1])) {
		return false;
	}
	for (const char *at = name; *at != '\0'; at++) {
		if (!g_ascii_isalnum(*at)) {
			return false;
		}
		humps |= at > name + 1 && g_ascii_isupper(*at);
	}
	return humps;
}

static bool is_unnamed(const struct element *element)
{
	return element->name[0] == '\0'
		|| ((g_str_has_prefix(element->name, "Gtk") || g_str_has_prefix(element->name, "Adw")
			|| strcmp(element->role, "filler") == 0) && is_class_name(element->name));
}

bool label_is_row(const struct element *element)
{
	static const char *const roles[] = { "table row", "list item", "tree item", NULL };
	return g_strv_contains(roles, element->role);
}

bool label_is_text(const struct element *element)
{
	return element->index < 0 && element->value == NULL
		&& (strcmp(element->role, "static") == 0 || strcmp(element->role, "label") == 0);
}

bool label_is_blank(const char *text)
{
	return text[strspn(text, " \t\n")] == '\0';
}

/* Where the elements below the one at `position` end. */
static guint subtree_end(const struct tree *tree, guint position)
{
	const struct element *top = tree->elements->pdata[position];
	guint end = position + 1;
	while (end < tree->elements->len
		&& ((const struct element *)tree->elements->pdata[end])->depth > top->depth) {
		end++;
	}
	return end;
}

/* The texts below an element, without those of elements with an index: they are theirs. NULL if there are none. */
static char *gather_texts(const struct tree *tree, guint position)
{
	g_autoptr(GString) texts = g_string_new(NULL);
	const struct element *top = tree->elements->pdata[position];
	for (guint i = position + 1; i < tree->elements->len && texts->len < LONGEST;) {
		const struct element *element = tree->elements->pdata[i];
		if (element->depth <= top->depth) {
			break;
		}
		if (element->index >= 0) {
			if (!label_is_row(top)) {
				/* A container: no text in it is its name. */
				return NULL;
			}
			i = subtree_end(tree, i);
			continue;
		}
		if (label_is_text(element) && !is_unnamed(element) && !label_is_blank(element->name)) {
			g_string_append_printf(texts, "%s%s", texts->len > 0 ? " | " : "", element->name);
		}
		i++;
	}
	return texts->len > 0 ? g_strdup(texts->str) : NULL;
}

const char *label_of(const struct element *element)
{
	return element->label != NULL ? element->label : is_unnamed(element) ? "" : element->name;
}

void label_fill(struct tree *tree)
{
	for (guint i = 0; i < tree->elements->len; i++) {
		struct element *element = tree->elements->pdata[i];
		if (is_unnamed(element) && (label_is_row(element) || element->index >= 0)) {
			char *texts = gather_texts(tree, i);
			if (texts != NULL || label_is_row(element)) {
				g_free(element->label);
				element->label = texts;
			}
		}
	}
}
