/* SPDX-License-Identifier: MIT */
#ifndef CORE_HEALTH_H
#define CORE_HEALTH_H

#include <glib.h>
#include <stdbool.h>

#include "core/deadline.h"

struct platform;
struct settings;

/*
 * What `cua-driver doctor`, health_report and check_permissions tell: a list of checks, made by tables of
 * exams. Each display system has a table of its own (struct platform_impl.exams).
 */

enum health {
	HEALTH_OK,
	HEALTH_NOTE,     /* works; there is something to know */
	HEALTH_FAIL,     /* something does not work because of it */
	HEALTH_SKIPPED,  /* what it needs failed */
};
const char *health_name(enum health health);

/* One line of the list; strings are owned. */
struct check {
	const char *id;      /* never changes its meaning */
	const char *title;
	enum health health;
	char *value;         /* what was found, in a few words */
	char *origin;        /* where it came from; NULL if that means nothing */
	char *advice;        /* what to do, a sentence; NULL */
	char *command;       /* that does it, to be pasted into a shell; NULL */
	char *repaired;      /* what --repair did; NULL */
};

/* Who is examined. Everything is borrowed; `settings` may be NULL. */
struct patient {
	struct platform *platform;
	struct settings *settings;
	struct deadline deadline;
	bool command_line;   /* by the command, not inside of a driver that serves */
};

/* How one line comes about. */
struct exam {
	const char *id, *title;
	const char *needs;   /* the id of an earlier exam that must not have failed; NULL */
	void (*look)(const struct patient *patient, struct check *check);
	/*
	 * Repairs what is safe to, if the look did not say OK; true if it did something, which it says in
	 * check->repaired. The look is repeated then. NULL: nothing can be repaired.
	 */
	bool (*repair)(const struct patient *patient, struct check *check);
};

/* For exams: what was found. The last one counts. */
void check_set(struct check *check, enum health health, const char *format, ...) G_GNUC_PRINTF(3, 4);
void check_origin(struct check *check, const char *origin);
/* What to do about it. `command` (may be NULL) is taken over. */
void check_advise(struct check *check, char *command, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* Runs the exams of the tables (each ends with a NULL id), in order; struct check, the caller owns it. */
GArray *health_examine(const struct patient *patient, const struct exam *const *tables, bool repair);
/* NULL if there is none of that id. */
const struct check *health_find(const GArray *checks, const char *id);
/* Nothing failed. */
bool health_is_good(const GArray *checks);

/* For advice, the caller frees them: how this program is called, and what installs a Debian package. */
char *health_command(const char *arguments);
char *health_install(const char *packages);

#endif
