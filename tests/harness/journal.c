/* SPDX-License-Identifier: MIT */
#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int journal_fd = -1;
static unsigned modifiers; /* of the next event */

void journal_open(int fd)
{
	journal_fd = fd;
	if (fd >= 0) {
		fcntl(fd, F_SETFD, FD_CLOEXEC);
		/* A reader that went away must not change what the application does. */
		signal(SIGPIPE, SIG_IGN);
	}
}

/* Values come from toolkits, one of which knows nothing of UTF-8; jansson refuses anything else. */
static json_t *string(const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text ? text : "", -1);

	return json_string(valid);
}

/* Takes the reference of `line`. */
static void put(const char *kind, json_t *line)
{
	char *text;
	GString *out;
	gsize done = 0;

	if (journal_fd < 0) {
		json_decref(line);
		return;
	}
	json_object_set_new(line, "kind", json_string(kind));
	json_object_set_new(line, "t", json_integer(g_get_monotonic_time()));
	text = json_dumps(line, JSON_COMPACT);
	json_decref(line);
	if (!text) {
		return;
	}
	out = g_string_new(text);
	g_string_append_c(out, '\n');
	free(text);
	while (done < out->len) {
		ssize_t n = write(journal_fd, out->str + done, out->len - done);

		if (n < 0 && errno == EINTR) {
			continue;
		}
		if (n < 0) {
			break;
		}
		done += (gsize)n;
	}
	g_string_free(out, TRUE);
}

void journal_ready(const char *toolkit)
{
	put("ready", json_pack("{s:o, s:i}", "toolkit", string(toolkit), "pid", (int)getpid()));
}

void journal_modifiers(unsigned state)
{
	modifiers = state;
}

static json_t *modifier_names(void)
{
	static const struct {
		unsigned bit;
		const char *name;
	} names[] = {{1, "shift"}, {4, "ctrl"}, {8, "alt"}, {64, "super"}};
	g_autoptr(GString) text = g_string_new(NULL);

	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		if (modifiers & names[i].bit) {
			g_string_append_printf(text, "%s%s", text->len > 0 ? "+" : "", names[i].name);
		}
	}
	modifiers = 0;
	return text->len > 0 ? json_string(text->str) : NULL;
}

void journal_event(const char *type, const char *control, int x, int y, const char *detail,
	int synthetic)
{
	put("event", json_pack("{s:s, s:o, s:i, s:i, s:o, s:b, s:o*}", "type", type,
		"control", string(control), "x", x, "y", y, "detail", string(detail),
		"synthetic", synthetic, "modifiers", modifier_names()));
}

void journal_state(const char *label, const char *value, const char *was)
{
	put("state", json_pack("{s:o, s:o, s:o}", "label", string(label), "value", string(value),
		"was", string(was)));
}

void journal_fault(const char *fault, const char *control)
{
	put("fault", json_pack("{s:s, s:o}", "fault", fault, "control", string(control)));
}

void journal_note(const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	put("note", json_pack("{s:o}", "text", string(text)));
}
