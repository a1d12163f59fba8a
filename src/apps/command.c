/* SPDX-License-Identifier: MIT */
/* What a desktop entry's Exec means: the field codes of the Desktop Entry Specification. */
#include "config.h"

#include <stdint.h>
#include <string.h>

#include "apps/entry.h"
#include "core/error.h"

struct expansion {
	const struct entry *entry;
	const char *const *uris;
	GPtrArray *words;
	bool took;               /* the URIs have their place */
	bool failed;
};

static void add(struct expansion *expansion, char *word)
{
	g_ptr_array_add(expansion->words, word);
}

static char *local_or_uri(const char *uri)
{
	char *path = g_filename_from_uri(uri, NULL, NULL);
	return path != NULL ? path : g_strdup(uri);
}

static void add_uris(struct expansion *expansion, char code, GError **error)
{
	guint count = expansion->uris != NULL ? g_strv_length((char **)(uintptr_t)expansion->uris) : 0;
	if ((code == 'f' || code == 'u') && count > 1) {
		error_set(error, ERROR_INVALID_ARGUMENTS,
			"\"%s\" opens one file or URL at a time, and %u were given in urls",
			expansion->entry->name, count);
		expansion->failed = true;
		return;
	}
	for (guint i = 0; i < count; i++) {
		add(expansion, code == 'f' || code == 'F' ? local_or_uri(expansion->uris[i])
			: g_strdup(expansion->uris[i]));
	}
	expansion->took = true;
}

/* A word of its own may become none or several. False if it is an ordinary one. */
static bool expand_alone(struct expansion *expansion, const char *word, GError **error)
{
	if (word[0] != '%' || word[1] == '\0' || word[2] != '\0') {
		return false;
	}
	if (strchr("fFuU", word[1]) != NULL) {
		add_uris(expansion, word[1], error);
	} else if (word[1] == 'i' && expansion->entry->icon != NULL) {
		add(expansion, g_strdup("--icon"));
		add(expansion, g_strdup(expansion->entry->icon));
	} else if (strchr("idDnNvm", word[1]) == NULL) {
		return false;
	}
	return true;
}

/* Codes inside of a word. */
static char *expand_within(struct expansion *expansion, const char *word)
{
	GString *text = g_string_new(NULL);
	for (const char *at = word; *at != '\0'; at++) {
		if (*at != '%' || at[1] == '\0') {
			g_string_append_c(text, *at);
			continue;
		}
		at++;
		if (*at == '%') {
			g_string_append_c(text, '%');
		} else if (*at == 'c') {
			g_string_append(text, expansion->entry->name);
		} else if (*at == 'k' && expansion->entry->file != NULL) {
			g_string_append(text, expansion->entry->file);
		} else if (strchr("fFuU", *at) != NULL && expansion->uris != NULL && expansion->uris[0] != NULL) {
			g_autofree char *first = *at == 'f' || *at == 'F' ? local_or_uri(expansion->uris[0])
				: g_strdup(expansion->uris[0]);
			g_string_append(text, first);
			expansion->took = true;
		}
	}
	return g_string_free(text, FALSE);
}

/* Programs for a terminal need one around them. */
static void add_terminal(struct expansion *expansion)
{
	static const char *const terminals[] = { "x-terminal-emulator", "xterm", "xfce4-terminal", "konsole", NULL };
	for (int i = 0; terminals[i] != NULL; i++) {
		char *path = g_find_program_in_path(terminals[i]);
		if (path != NULL) {
			add(expansion, path);
			add(expansion, g_strdup("-e"));
			return;
		}
	}
}

/* An entry that says nothing to run is activated over D-Bus, by a program: it may take its time. */
static char **activation(const struct entry *entry, const char *const *uris, GError **error)
{
	char *program = entry->activatable ? g_find_program_in_path("gapplication") : NULL;
	if (program == NULL) {
		error_set(error, ERROR_LAUNCH_FAILED,
			entry->activatable ? "\"%s\" can only be activated over D-Bus, which needs "
					     "gapplication (libglib2.0-bin)"
					   : "\"%s\" does not say what to run",
			entry->id);
		return NULL;
	}
	GPtrArray *words = g_ptr_array_new();
	g_ptr_array_add(words, program);
	g_ptr_array_add(words, g_strdup("launch"));
	g_ptr_array_add(words, g_strndup(entry->id, strlen(entry->id) - strlen(".desktop")));
	for (int i = 0; uris != NULL && uris[i] != NULL; i++) {
		g_ptr_array_add(words, g_strdup(uris[i]));
	}
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(words, FALSE);
}

char **entry_command(const struct entry *entry, const char *const *uris, const char *const *arguments,
	GError **error)
{
	g_auto(GStrv) words = NULL;
	g_autoptr(GError) problem = NULL;
	if (entry->exec == NULL) {
		return activation(entry, uris, error);
	}
	if (!g_shell_parse_argv(entry->exec, NULL, &words, &problem)) {
		error_set(error, ERROR_INVALID_ARGUMENTS, "\"%s\" does not say what to run: \"%s\"",
			entry->id, problem->message);
		return NULL;
	}
	struct expansion expansion = { entry, uris, g_ptr_array_new_with_free_func(g_free), false, false };
	if (entry->terminal) {
		add_terminal(&expansion);
	}
	for (char **word = words; *word != NULL && !expansion.failed; word++) {
		if (!expand_alone(&expansion, *word, error)) {
			add(&expansion, expand_within(&expansion, *word));
		}
	}
	for (int i = 0; arguments != NULL && arguments[i] != NULL; i++) {
		add(&expansion, g_strdup(arguments[i]));
	}
	/* As GIO has it: an entry that says nothing about files takes them all the same. */
	if (!expansion.took && !expansion.failed) {
		add_uris(&expansion, 'F', error);
	}
	if (expansion.failed) {
		g_ptr_array_unref(expansion.words);
		return NULL;
	}
	g_ptr_array_add(expansion.words, NULL);
	return (char **)g_ptr_array_free(expansion.words, FALSE);
}
