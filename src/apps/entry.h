/* SPDX-License-Identifier: MIT */
#ifndef APPS_ENTRY_H
#define APPS_ENTRY_H

#include <glib.h>
#include <stdbool.h>

/* An installed application: a desktop entry as GIO finds them. */
struct entry {
	char *id;                /* "galculator.desktop" */
	char *file;              /* the desktop file */
	char *name;              /* for people, translated; never NULL */
	char *plain_name;        /* not translated; NULL if it has none */
	char *generic;           /* what kind of application it is, translated; may be NULL */
	char *wm_class;          /* StartupWMClass; may be NULL */
	char *exec;              /* as it is written; NULL: it can only be activated over D-Bus */
	char *folder;            /* where it wants to run; may be NULL */
	char *icon;              /* its name; may be NULL */
	char *program;           /* what Exec starts, last part of its path; NULL if that tells nothing
				    about the application (a shell, flatpak) */
	char *program_path;      /* the whole path; NULL if it is not there */
	char **types;            /* what it opens: media types, x-scheme-handler/… */
	bool shown;              /* in menus */
	bool terminal;           /* runs in one */
	bool activatable;        /* over D-Bus */
};
void entry_free(struct entry *entry);

/*
 * All of them, struct entry; the caller owns the list. NULL with an error if something among them
 * is a pipe, a device or endless: whoever reads them all would wait for it.
 */
GPtrArray *entry_list(GError **error);

/* The path of such a thing (irregular.c), which the caller frees; NULL if there is none. */
char *entry_irregular(void);

/*
 * One by its file, or by anything a caller may call it: its id with or without the suffix, its name, what it
 * starts, its window's class, its generic name if nobody else has that. Case does not matter, but what agrees
 * in it comes first, and what menus show comes before what they do not. The entry is the list's; NULL if
 * there is none.
 */
const struct entry *entry_of_id(const GPtrArray *entries, const char *id);
const struct entry *entry_of_name(const GPtrArray *entries, const char *name);

/* Names of those that may have been meant, best first, at most `most`; the caller frees it. */
char **entry_nearest(const GPtrArray *entries, const char *name, guint most);

/* The entry of a file that need not be installed; NULL if it is none. The caller frees it. */
struct entry *entry_of_file(const char *path);

/* What opens a URI or a file by default, else the first that can; NULL if nothing does. The entry is the list's. */
const struct entry *entry_default_for(const GPtrArray *entries, const char *uri);

/*
 * What to run, with these URIs; NULL with an error if the entry does not take them or says nothing to run.
 * The caller frees it.
 */
char **entry_command(const struct entry *entry, const char *const *uris, const char *const *arguments,
	GError **error);

#endif
