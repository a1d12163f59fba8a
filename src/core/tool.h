/* SPDX-License-Identifier: MIT */
#ifndef CORE_TOOL_H
#define CORE_TOOL_H

#include "core/param.h"

struct args;
struct call;

/* What a call of the tool may do to the desktop; the hints for hosts follow from it. */
enum tool_effect {
	TOOL_READS,
	TOOL_ACTS,
};

/* What a call of the tool talks to; calls to one target run one after another. */
enum tool_target {
	TARGET_DRIVER,  /* nothing outside the driver; waits for nobody */
	TARGET_DISPLAY, /* the display server only */
	TARGET_APP,     /* the application of the argument pid, if given */
	TARGET_WINDOW,  /* a window, found from pid and window_id before the tool runs */
};

/* A tool's whole surface, one const table each. */
struct tool {
	const char *name;
	const char *title;
	const char *about;              /* what it does, for the model and the manual */
	enum tool_effect effect;
	enum tool_target target;
	const struct param *params;     /* ends with a NULL name; NULL if it takes none */
	void (*run)(struct call *call); /* on a worker thread; fills call->answer */
	/* TARGET_WINDOW: whether these arguments mean something though no window was found; NULL: never. */
	bool (*does_without)(const struct args *args);
};

/* All tools in their fixed order, NULL-terminated. */
extern const struct tool *const tools[];

/* NULL if there is none of that name. */
const struct tool *tool_find(const char *name);

/* The known tool whose name is nearest, or NULL if none is near. */
const char *tool_nearest(const char *name);

/* Appends the tool as an MCP tool object; without `structured` it has no outputSchema. */
void tool_describe(const struct tool *tool, GString *out, bool structured);

/* Calls `each` for every parameter, the common ones included, until it returns false. */
void tool_each_param(const struct tool *tool, bool (*each)(const struct param *param, void *data),
	void *data);

/* What a parameter takes, as a phrase: "an integer from 1 to 3 (3 by default)". */
char *param_accepts(const struct param *param);

#endif
