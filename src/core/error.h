/* SPDX-License-Identifier: MIT */
#ifndef CORE_ERROR_H
#define CORE_ERROR_H

#include <glib.h>

/* What of an action may have reached the application when an error is answered. */
enum delivered {
	DELIVERED_NONE,
	DELIVERED_PARTIAL,
	DELIVERED_FULL,
	DELIVERED_UNKNOWN,
};

/* The registry is data/errors.def: one line there is the enum value, the wire code and the manual. */
enum error_code {
#define ERROR_CODE(name, wire, delivered, retry, meaning, suggestion) ERROR_##name,
#include "data/errors.def"
#undef ERROR_CODE
	ERROR_CODE_COUNT
};

struct error_info {
	const char *wire;          /* the code a client sees; never changes its meaning */
	enum delivered delivered;  /* unless the call knows better */
	const char *retry;         /* "safe" or "unsafe" */
	const char *meaning;       /* one sentence for the manual */
	const char *suggestion;    /* what to do next; NULL where only the call can tell */
};

/* GError domain of everything below the tools; its codes are enum error_code. */
#define CUA_ERROR (cua_error_quark())
GQuark cua_error_quark(void);

const struct error_info *error_info(enum error_code code);

/* Sets `error` of that domain, with a message by the rules of core/quote.h: what others say in it
 * is of one line. */
void error_set(GError **error, enum error_code code, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* The wire spelling of enum delivered. */
const char *delivered_name(enum delivered delivered);

/* Maps any GError to the registry: foreign domains become ERROR_INTERNAL. */
enum error_code error_code_of(const GError *error);

#endif
