/* SPDX-License-Identifier: MIT */
#ifndef TOOLS_CONDITIONS_H
#define TOOLS_CONDITIONS_H

#include "core/call.h"
#include "core/condition.h"

/* Conditions as arguments. */

/* The arguments of one condition. */
extern const struct param condition_fields[];

#define PARAM_CONDITIONS \
	{ "conditions", .type = PARAM_OBJECTS, .required = true, .fields = condition_fields, \
	  .about = "What has to hold, all of it at once. {\"kind\": \"element_appears\", \"label\": " \
		   "\"Save\"}, {\"kind\": \"window_opens\", \"title\": \"Open\"}, …" }

/*
 * The conditions (struct condition) that the argument of that name holds, for a call whose window has been
 * looked for; `waits`: there will be a later moment to compare with. The caller owns them. NULL with a
 * failed answer.
 */
GPtrArray *conditions_read(const struct args *args, struct call *call, bool waits);

/* Whether the conditions are about windows of the desktop only, so that no window need be named or found. */
bool conditions_do_without(const struct args *args);

#endif
