/* SPDX-License-Identifier: MIT */
/*
 * Feeds bytes to the reader of D-Bus messages as an application could send them, and reads them by whatever types they
 * have. Run by tests/fuzz/run.
 */
#include "config.h"

#include <stdint.h>
#include <string.h>

#include "atspi/message.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads all values of the next level down; false if something is not there. */
static bool read_level(struct message *message)
{
	const struct message_level *level = &message->levels[message->depth];
	bool more = level->next < level->types_end || level->kind == 'a';
	while (more) {
		const char *text;
		uint32_t word;
		double real;
		char type = level->next < level->types_end ? *level->next : *level->types;
		char contents[256];
		g_strlcpy(contents, level->next < level->types_end ? level->next + 1 : level->types + 1, sizeof contents);
		switch (type) {
		case 's': case 'o': case 'g':
			more = message_read(message, (const char[]){ type, '\0' }, &text) > 0 && strlen(text) < message->size;
			break;
		case 'd':
			more = message_read(message, "d", &real) > 0;
			break;
		case 'i': case 'u': case 'b':
			more = message_read(message, (const char[]){ type, '\0' }, &word) > 0;
			break;
		case 'a':
			contents[1] = '\0';
			more = message_enter(message, 'a', contents) > 0 && read_level(message) && message_exit(message) > 0;
			break;
		case '(':
			contents[strcspn(contents, ")")] = '\0';
			more = message_enter(message, 'r', contents) > 0 && read_level(message) && message_exit(message) > 0;
			break;
		case 'v':
			more = (message_enter(message, 'v', "s") > 0 || message_enter(message, 'v', "ai") > 0
				|| message_enter(message, 'v', "(so)") > 0) && read_level(message) && message_exit(message) > 0;
			break;
		default:
			return false;
		}
		more = more && (level->next < level->types_end || level->kind == 'a');
	}
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct message message;
	if (size >= MESSAGE_FIXED_HEADER && message_length(data) == size && message_parse(&message, data, size)) {
		struct message *kept = message_keep(&message);
		message_problem(&message);
		read_level(&message);
		read_level(kept);
		message_free(kept);
	}
	return 0;
}
