/* SPDX-License-Identifier: MIT */
#ifndef CORE_SETTINGS_H
#define CORE_SETTINGS_H

#include "core/error.h"
#include "core/param.h"
#include "core/session.h"

/*
 * What callers may set, for a session or for good. effective = argument of the call, else the
 * session's own, else the global default of ~/.cua-driver/config.json, else the preset. All
 * functions may be called from any thread. Values are texts, spelt as in JSON but without quotes.
 */
#define PARAMS_SETTINGS \
	{ "capture_scope", .type = PARAM_ENUM, .values = "window|desktop", .preset = "\"window\"", \
	  .about = "window: actions name a window. desktop: actions without one use pixels of the whole " \
		   "screen." }, \
	{ "max_image_dimension", .type = PARAM_INT, .min = 0, .max = 16384, .preset = "1568", \
	  .about = "Pictures of windows are scaled down until no side is longer; 0 keeps their size." }, \
	{ "agent_cursor", .type = PARAM_BOOL, .preset = "true", \
	  .about = "Whether the session's own cursor is shown where the driver can show one." }, \
	{ "structured_content", .type = PARAM_ENUM, .values = "always|never", .preset = "\"always\"", \
	  .about = "never leaves structuredContent and outputSchema out, for hosts that hide pictures " \
		   "when they are there." }, \
	{ "capture_mode", .type = PARAM_STRING, \
	  .about = "Accepted for older callers and ignored: tree and picture always come together." }

/* The settings, ending with a NULL name. */
extern const struct param settings_table[];

/* NULL if there is none of that name. */
const struct param *settings_find(const char *name);
const char *settings_nearest(const char *name);

struct settings;

/* Reads the file of the folder (NULL: $CUA_DRIVER_HOME, or ~/.cua-driver). Never fails: see problem. */
struct settings *settings_new(const char *folder);
void settings_free(struct settings *settings);

/* Where it is kept; borrowed. */
const char *settings_path(const struct settings *settings);
/* Why the file could not be used, in a sentence; NULL if all is well. The caller frees it. */
char *settings_problem(struct settings *settings);

/* The value in force for a session (NULL: the global default); NULL if there is none. The caller frees it. */
char *settings_get(struct settings *settings, struct session *session, const char *name);
gint64 settings_int(struct settings *settings, struct session *session, const char *name);

/* Whether the text is a value of the setting; ERROR_INVALID_ARGUMENTS otherwise. */
bool settings_check(const struct param *setting, const char *text, GError **error);

/* Makes it the global default, on disk, whole or not at all; `text` NULL: forget it. */
bool settings_write(struct settings *settings, const struct param *setting, const char *text,
	GError **error);
/* Forgets all of them. */
bool settings_reset(struct settings *settings, GError **error);

#endif
