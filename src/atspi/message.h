/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_MESSAGE_H
#define ATSPI_MESSAGE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* D-Bus' types of messages. */
enum message_type {
	MESSAGE_CALL = 1,
	MESSAGE_ANSWER = 2,
	MESSAGE_ERROR = 3,
	MESSAGE_SIGNAL = 4,
};

enum {
	MESSAGE_NO_REPLY = 1,           /* flag: nobody waits for an answer */
	MESSAGE_FIXED_HEADER = 16,      /* bytes after which its length is known */
	MESSAGE_LONGEST = 128 << 20,    /* of the specification */
	MESSAGE_DEEPEST = 8,            /* containers in containers that can be entered */
};

/* Where reading is in a container. */
struct message_level {
	char kind;                      /* 'a', 'r', 'e', 'v'; 0: the body */
	const char *types, *types_end;  /* of what is in it */
	const char *next;               /* the type that comes next */
	size_t end;                     /* an array's end; otherwise that of what it is in */
};

/*
 * A message as it came, and how far it has been read. It belongs to whoever runs the callback it is given to and points
 * into the connection's buffer: message_keep() makes one that lasts. Strings are NUL-terminated, not always UTF-8.
 */
struct message {
	enum message_type type;
	uint8_t flags;
	bool swapped;                   /* of the other byte order */
	uint32_t serial, answers;       /* the sender's number for it, and ours of what it answers */
	const char *path, *interface, *member, *error, *sender, *signature; /* "" where it has none */
	const uint8_t *body;
	size_t size;

	size_t at;
	int depth;
	struct message_level levels[MESSAGE_DEEPEST];
};

/* The length of the message that begins there with MESSAGE_FIXED_HEADER bytes; 0 if that is none. */
size_t message_length(const uint8_t *bytes);

/* Takes a whole message in; false if it is damaged. `bytes` are borrowed. */
bool message_parse(struct message *message, const uint8_t *bytes, size_t length);

/* A copy to be freed by message_free(), read from its beginning. */
struct message *message_keep(const struct message *message);
void message_free(struct message *message);

bool message_is_error(const struct message *message);
/* What an error says in words; NULL if it says nothing. */
const char *message_problem(const struct message *message);

/*
 * Reads values of the given types into what follows: pointers to int32_t (i), uint32_t (u), int (b), double (d), const char *
 * (s, o, g); for v the types in it as a string and then theirs; structs and entries in their brackets. Negative if it has others, 0 at the end of an array.
 */
int message_read(struct message *message, const char *types, ...);

/* Enters an array, a struct, a dictionary's entry or a variant with those contents: 'a', 'r', 'e', 'v'. As message_read(). */
int message_enter(struct message *message, char kind, const char *contents);
/* Leaves it; what is left of an array is skipped, and nothing may be left of the others. */
int message_exit(struct message *message);
/* Reads an array of numbers of 32 bits, the first `most`; how many, or negative. */
int message_read_words(struct message *message, char type, uint32_t *words, int most);

/* Reading begins anew. */
void message_rewind(struct message *message);

#endif
