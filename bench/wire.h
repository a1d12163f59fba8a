/* SPDX-License-Identifier: MIT */
#ifndef BENCH_WIRE_H
#define BENCH_WIRE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * D-Bus on a plain socket, as bare as it can be: messages are written into one buffer, sent with one
 * write, and found again in the buffer they were read into. It is the ruler the driver's layer is held
 * against, and shares nothing with it.
 */
struct wire;

/* A message in the read buffer; valid until the next wire_next(). */
struct wire_message {
	uint8_t type;          /* 1 call, 2 return, 3 error, 4 signal */
	uint32_t reply_to;     /* serial of the call; 0 for others */
	const uint8_t *body;
	uint32_t size;
};

/* Reads a body front to back; `bad` once it did not fit. */
struct wire_cursor {
	const uint8_t *body;
	uint32_t at, size;
	bool bad;
};

/* Connects and authenticates; says Hello where a bus daemon is behind it. NULL if it cannot. */
struct wire *wire_open(const char *address, bool is_bus);
void wire_close(struct wire *wire);

/* Queues a call and returns its serial. `types` may have s, u, i, and as for an empty list; "" for none. */
uint32_t wire_call(struct wire *wire, const char *name, const char *path, const char *interface,
	const char *member, const char *types, ...);

/* Sends what is queued, without waiting for anything; false if the other end does not take it. */
bool wire_flush(struct wire *wire);

/* The next message, after sending what is queued; false when none came for two seconds. */
bool wire_next(struct wire *wire, struct wire_message *message);

/* Calls so far. */
unsigned wire_calls(const struct wire *wire);

struct wire_cursor wire_read(const struct wire_message *message);
void wire_align(struct wire_cursor *cursor, uint32_t to);
uint32_t wire_u32(struct wire_cursor *cursor);
const char *wire_string(struct wire_cursor *cursor);
/* Steps over a variant's signature. */
void wire_variant(struct wire_cursor *cursor);

#endif
