/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/parcel.h"

#include <string.h>

/* Of a bus name. */
#define LONGEST_NAME 255

/* Room is made for so much more than is needed at once. */
#define SPARE 512

/* The message is written at the end of `bytes`, up to `at`, beyond which there is room; places in it count from `start`. */
struct pen {
	GByteArray *bytes;
	guint start, at;
	bool bad;
};

/* Where the next `size` bytes go. */
static inline uint8_t *advance(struct pen *pen, guint size)
{
	if (pen->bytes->len - pen->at < size) {
		g_byte_array_set_size(pen->bytes, pen->at + size + SPARE);
	}
	uint8_t *place = pen->bytes->data + pen->at;
	pen->at += size;
	return place;
}

static void put_bytes(struct pen *pen, const void *bytes, guint size)
{
	memcpy(advance(pen, size), bytes, size);
}

static void align(struct pen *pen, guint to)
{
	guint at = pen->at - pen->start, gap = ((at + to - 1) & ~(to - 1)) - at;
	memset(advance(pen, gap), 0, gap);
}

static void put_byte(struct pen *pen, uint8_t byte)
{
	*advance(pen, 1) = byte;
}

static void put_word(struct pen *pen, uint32_t word)
{
	align(pen, 4);
	put_bytes(pen, &word, sizeof word);
}

static void put_double(struct pen *pen, double number)
{
	align(pen, 8);
	put_bytes(pen, &number, sizeof number);
}

static void put_text(struct pen *pen, const char *text)
{
	size_t length = strlen(text);
	put_word(pen, (uint32_t)length);
	put_bytes(pen, text, (guint)length + 1);
}

static void put_signature(struct pen *pen, const char *types)
{
	guint length = (guint)strlen(types);
	put_byte(pen, (uint8_t)length);
	put_bytes(pen, types, length + 1);
}

/* Fills in a word that was left open, e.g. a length that is known now. */
static void set_word(struct pen *pen, guint at, guint word)
{
	uint32_t value = word;
	memcpy(pen->bytes->data + at, &value, sizeof value);
}

static bool is_path(const char *path)
{
	if (path[0] != '/') {
		return false;
	}
	for (const char *at = path; *at != '\0'; at++) {
		if (*at == '/' ? at[1] == '/' || (at[1] == '\0' && at != path) : !g_ascii_isalnum(*at) && *at != '_') {
			return false;
		}
	}
	return true;
}

/* A bus name: words with dots between them; those of a unique one, after the colon, may begin with a digit. */
static bool is_name(const char *name)
{
	bool unique = name[0] == ':', dotted = false;
	const char *word = name + unique;
	if (strlen(name) > LONGEST_NAME) {
		return false;
	}
	for (const char *at = word; ; at++) {
		if (*at == '.' || *at == '\0') {
			if (at == word || (!unique && g_ascii_isdigit(*word))) {
				return false;
			}
			if (*at == '\0') {
				return dotted;
			}
			dotted = true;
			word = at + 1;
		} else if (!g_ascii_isalnum(*at) && *at != '_' && *at != '-') {
			return false;
		}
	}
}

static void put_values(struct pen *pen, const char *types, va_list *args);

static void put_strings(struct pen *pen, int count, va_list *args)
{
	put_word(pen, 0);
	guint from = pen->at;
	for (int i = 0; i < count; i++) {
		const char *text = va_arg(*args, const char *);
		pen->bad |= !g_utf8_validate(text, -1, NULL);
		put_text(pen, text);
	}
	set_word(pen, from - 4, pen->at - from);
}

static void put_value(struct pen *pen, char type, va_list *args)
{
	const char *text;
	switch (type) {
	case 'i': case 'u': case 'b':
		put_word(pen, va_arg(*args, uint32_t));
		break;
	case 'd':
		put_double(pen, va_arg(*args, double));
		break;
	case 's': case 'o':
		text = va_arg(*args, const char *);
		pen->bad |= type == 'o' ? !is_path(text) : !g_utf8_validate(text, -1, NULL);
		put_text(pen, text);
		break;
	case 'v':
		text = va_arg(*args, const char *);
		put_signature(pen, text);
		put_values(pen, text, args);
		break;
	default:
		g_assert_not_reached();
	}
}

static void put_values(struct pen *pen, const char *types, va_list *args)
{
	for (; *types != '\0'; types++) {
		if (types[0] == 'a' && types[1] == 's') {
			put_strings(pen, va_arg(*args, int), args);
			types++;
		} else {
			put_value(pen, *types, args);
		}
	}
}

static void put_field(struct pen *pen, uint8_t code, const char *type, const char *text)
{
	if (text != NULL) {
		align(pen, 8);
		put_byte(pen, code);
		put_signature(pen, type);
		put_text(pen, text);
	}
}

static void put_header(struct pen *pen, const struct parcel *parcel, const char *types)
{
	const uint8_t first[4] = { G_BYTE_ORDER == G_LITTLE_ENDIAN ? 'l' : 'B', (uint8_t)parcel->type, parcel->flags, 1 };
	put_bytes(pen, first, sizeof first);
	put_word(pen, 0);
	put_word(pen, parcel->serial);
	put_word(pen, 0);
	put_field(pen, 1, "o", parcel->path);
	put_field(pen, 2, "s", parcel->interface);
	put_field(pen, 3, "s", parcel->member);
	put_field(pen, 4, "s", parcel->error);
	put_field(pen, 6, "s", parcel->destination);
	if (parcel->answers != 0) {
		align(pen, 8);
		put_byte(pen, 5);
		put_signature(pen, "u");
		put_word(pen, parcel->answers);
	}
	if (types != NULL) {
		align(pen, 8);
		put_byte(pen, 8);
		put_signature(pen, "g");
		put_signature(pen, types);
	}
	set_word(pen, pen->start + 12, pen->at - pen->start - MESSAGE_FIXED_HEADER);
	align(pen, 8);
}

bool parcel_append(GByteArray *out, const struct parcel *parcel, const char *types, va_list args)
{
	struct pen pen = { out, out->len, out->len, (parcel->path != NULL && !is_path(parcel->path))
		|| (parcel->destination != NULL && !is_name(parcel->destination)) };
	put_header(&pen, parcel, types);
	guint body = pen.at;
	if (types != NULL) {
		va_list copy;
		va_copy(copy, args);
		put_values(&pen, types, &copy);
		va_end(copy);
	}
	set_word(&pen, pen.start + 4, pen.at - body);
	g_byte_array_set_size(out, pen.bad ? pen.start : pen.at);
	return !pen.bad;
}
