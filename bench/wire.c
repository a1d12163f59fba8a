/* SPDX-License-Identifier: MIT */
#include "wire.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum {
	FIELD_PATH = 1, FIELD_INTERFACE = 2, FIELD_MEMBER = 3, FIELD_REPLY = 5, FIELD_DESTINATION = 6,
	FIELD_SIGNATURE = 8,
	SILENCE_MS = 2000,
	/* Not much more than what a socket holds, so that answers are read before the buffers are full. */
	CHUNK = 1 << 16,
};

struct wire {
	int fd;
	uint32_t serial;
	unsigned calls;
	GByteArray *out, *in;
	guint sent;   /* of out */
	guint taken;  /* of in */
};

static void align_to(GByteArray *bytes, guint start, guint to)
{
	static const uint8_t zeros[8];
	g_byte_array_append(bytes, zeros, (to - (bytes->len - start) % to) % to);
}

static void put_u32(GByteArray *bytes, guint start, uint32_t value)
{
	align_to(bytes, start, 4);
	g_byte_array_append(bytes, (const uint8_t *)&value, 4);
}

static void put_string(GByteArray *bytes, guint start, const char *text)
{
	uint32_t length = (uint32_t)strlen(text);
	put_u32(bytes, start, length);
	g_byte_array_append(bytes, (const uint8_t *)text, length + 1);
}

static void put_field(GByteArray *bytes, guint start, uint8_t field, char type, const char *text)
{
	align_to(bytes, start, 8);
	const uint8_t head[] = { field, 1, (uint8_t)type, 0 };
	g_byte_array_append(bytes, head, sizeof head);
	if (type == 'g') {
		uint8_t length = (uint8_t)strlen(text);
		g_byte_array_append(bytes, &length, 1);
		g_byte_array_append(bytes, (const uint8_t *)text, length + 1u);
	} else {
		put_string(bytes, start, text);
	}
}

uint32_t wire_call(struct wire *wire, const char *name, const char *path, const char *interface,
	const char *member, const char *types, ...)
{
	GByteArray *out = wire->out;
	guint start = out->len;
	const uint8_t head[16] = { 'l', 1, 0, 1 };
	g_byte_array_append(out, head, sizeof head);
	put_field(out, start, FIELD_PATH, 'o', path);
	put_field(out, start, FIELD_INTERFACE, 's', interface);
	put_field(out, start, FIELD_MEMBER, 's', member);
	if (name != NULL) {
		put_field(out, start, FIELD_DESTINATION, 's', name);
	}
	if (types[0] != '\0') {
		put_field(out, start, FIELD_SIGNATURE, 'g', types);
	}
	uint32_t fields = out->len - start - 16;
	align_to(out, start, 8);
	guint body = out->len;
	va_list args;
	va_start(args, types);
	for (const char *type = types; *type != '\0'; type++) {
		if (*type == 's') {
			put_string(out, body, va_arg(args, const char *));
		} else if (*type == 'a') {
			put_u32(out, body, 0);
			type++;
		} else {
			put_u32(out, body, va_arg(args, uint32_t));
		}
	}
	va_end(args);
	uint32_t size = out->len - body;
	uint32_t serial = ++wire->serial;
	memcpy(out->data + start + 4, &size, 4);
	memcpy(out->data + start + 8, &serial, 4);
	memcpy(out->data + start + 12, &fields, 4);
	wire->calls++;
	return serial;
}

unsigned wire_calls(const struct wire *wire)
{
	return wire->calls;
}

bool wire_flush(struct wire *wire)
{
	ssize_t done = send(wire->fd, wire->out->data + wire->sent, wire->out->len - wire->sent,
		MSG_NOSIGNAL | MSG_DONTWAIT);
	if (done < 0 && errno != EAGAIN) {
		return false;
	}
	wire->sent += (guint)MAX(done, 0);
	if (wire->sent == wire->out->len) {
		wire->sent = 0;
		g_byte_array_set_size(wire->out, 0);
	}
	return true;
}

/* Sends and receives what is possible; waits until something is. */
static bool transfer(struct wire *wire)
{
	bool more = wire->sent < wire->out->len;
	struct pollfd fd = { wire->fd, (short)(POLLIN | (more ? POLLOUT : 0)), 0 };
	if (poll(&fd, 1, SILENCE_MS) <= 0 || ((fd.revents & POLLOUT) != 0 && !wire_flush(wire))) {
		return false;
	}
	if (fd.revents & (POLLIN | POLLHUP)) {
		g_byte_array_remove_range(wire->in, 0, wire->taken);
		wire->taken = 0;
		guint had = wire->in->len;
		g_byte_array_set_size(wire->in, had + CHUNK);
		ssize_t got = recv(wire->fd, wire->in->data + had, CHUNK, MSG_DONTWAIT);
		g_byte_array_set_size(wire->in, had + (guint)MAX(got, 0));
		return got > 0 || (got < 0 && errno == EAGAIN);
	}
	return true;
}

/* The serial a return or error answers. */
static uint32_t reply_serial(const uint8_t *data, uint32_t fields)
{
	struct wire_cursor cursor = { data + 16, 0, fields, false };
	while (cursor.at < fields && !cursor.bad) {
		wire_align(&cursor, 8);
		uint8_t field = cursor.body[cursor.at];
		char type = (char)cursor.body[cursor.at + 2];
		cursor.at += 4;
		if (field == FIELD_REPLY) {
			return wire_u32(&cursor);
		}
		if (type == 'g') {
			cursor.at += cursor.body[cursor.at] + 2u;
		} else if (type == 'u') {
			wire_u32(&cursor);
		} else {
			wire_string(&cursor);
		}
	}
	return 0;
}

bool wire_next(struct wire *wire, struct wire_message *message)
{
	for (;;) {
		const uint8_t *data = wire->in->data + wire->taken;
		guint have = wire->in->len - wire->taken;
		uint32_t size, fields;
		if (have >= 16) {
			memcpy(&size, data + 4, 4);
			memcpy(&fields, data + 12, 4);
			uint32_t head = (16 + fields + 7) & ~7u;
			if (have >= head + size) {
				*message = (struct wire_message){ data[1], reply_serial(data, fields), data + head,
					size };
				wire->taken += head + size;
				return true;
			}
		}
		if (!transfer(wire)) {
			return false;
		}
	}
}

static bool say(int fd, const char *text, gsize size)
{
	return send(fd, text, size, MSG_NOSIGNAL) == (ssize_t)size;
}

static bool authenticate(int fd)
{
	char line[256], answer[256];
	g_autofree char *uid = g_strdup_printf("%d", (int)getuid());
	GString *hex = g_string_new(NULL);
	for (const char *c = uid; *c != '\0'; c++) {
		g_string_append_printf(hex, "%02x", (unsigned char)*c);
	}
	int length = g_snprintf(line, sizeof line, "%cAUTH EXTERNAL %s\r\n", 0, hex->str);
	g_string_free(hex, TRUE);
	struct pollfd readable = { fd, POLLIN, 0 };
	return say(fd, line, (gsize)length) && poll(&readable, 1, SILENCE_MS) > 0
		&& recv(fd, answer, sizeof answer, 0) > 2 && strncmp(answer, "OK", 2) == 0
		&& say(fd, "BEGIN\r\n", 7);
}

static int connect_to(const char *address)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	const char *at;
	gsize used;
	bool abstract = (at = strstr(address, "abstract=")) != NULL;
	if (!abstract && (at = strstr(address, "path=")) == NULL) {
		return -1;
	}
	at = strchr(at, '=') + 1;
	g_autofree char *path = g_strndup(at, strcspn(at, ",;"));
	used = strlen(path);
	if (used + 1 >= sizeof to.sun_path) {
		return -1;
	}
	memcpy(to.sun_path + abstract, path, used);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + used + 1);
	if (fd >= 0 && connect(fd, (const struct sockaddr *)&to, size) < 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

struct wire *wire_open(const char *address, bool is_bus)
{
	int fd = connect_to(address);
	if (fd < 0 || !authenticate(fd)) {
		if (fd >= 0) {
			close(fd);
		}
		return NULL;
	}
	struct wire *wire = g_new0(struct wire, 1);
	wire->fd = fd;
	wire->in = g_byte_array_new();
	wire->out = g_byte_array_new();
	struct wire_message message;
	if (is_bus) {
		uint32_t serial = wire_call(wire, "org.freedesktop.DBus", "/org/freedesktop/DBus",
			"org.freedesktop.DBus", "Hello", "");
		while (wire_next(wire, &message) && message.reply_to != serial) {
		}
	}
	return wire;
}

void wire_close(struct wire *wire)
{
	if (wire == NULL) {
		return;
	}
	close(wire->fd);
	g_byte_array_unref(wire->in);
	g_byte_array_unref(wire->out);
	g_free(wire);
}

struct wire_cursor wire_read(const struct wire_message *message)
{
	return (struct wire_cursor){ message->body, 0, message->size, false };
}

void wire_align(struct wire_cursor *cursor, uint32_t to)
{
	cursor->at = (cursor->at + to - 1) & ~(to - 1);
}

uint32_t wire_u32(struct wire_cursor *cursor)
{
	uint32_t value = 0;
	wire_align(cursor, 4);
	cursor->bad |= cursor->at + 4 > cursor->size;
	if (!cursor->bad) {
		memcpy(&value, cursor->body + cursor->at, 4);
		cursor->at += 4;
	}
	return value;
}

const char *wire_string(struct wire_cursor *cursor)
{
	uint32_t length = wire_u32(cursor);
	cursor->bad |= cursor->bad || length >= cursor->size - cursor->at;
	if (cursor->bad) {
		return "";
	}
	const char *text = (const char *)cursor->body + cursor->at;
	cursor->at += length + 1;
	return text;
}

void wire_variant(struct wire_cursor *cursor)
{
	if (cursor->at < cursor->size) {
		cursor->at += cursor->body[cursor->at] + 2u;
	}
}
