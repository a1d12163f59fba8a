/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/error.h"

#include "core/quote.h"

static const struct error_info infos[] = {
#define ERROR_CODE(name, wire, delivered, retry, meaning, suggestion) \
	[ERROR_##name] = { wire, delivered, retry, meaning, suggestion },
#include "data/errors.def"
#undef ERROR_CODE
};

G_DEFINE_QUARK(cua-error-quark, cua_error)

const struct error_info *error_info(enum error_code code)
{
	return &infos[code < ERROR_CODE_COUNT ? code : ERROR_INTERNAL];
}

void error_set(GError **error, enum error_code code, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	if (error != NULL) {
		g_autofree char *message = quote_vformat(format, args);
		g_propagate_error(error, g_error_new_literal(CUA_ERROR, (int)code, message));
	}
	va_end(args);
}

const char *delivered_name(enum delivered delivered)
{
	static const char *const names[] = {
		[DELIVERED_NONE] = "none",
		[DELIVERED_PARTIAL] = "partial",
		[DELIVERED_FULL] = "full",
		[DELIVERED_UNKNOWN] = "unknown",
	};
	return names[delivered];
}

enum error_code error_code_of(const GError *error)
{
	return error->domain == CUA_ERROR ? (enum error_code)error->code : ERROR_INTERNAL;
}
