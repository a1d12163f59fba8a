/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/message.h"

#include <byteswap.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>

enum { LITTLE = 'l', BIG = 'B', PROTOCOL = 1 };

#if G_BYTE_ORDER == G_LITTLE_ENDIAN
enum { NATIVE = LITTLE };
#else
enum { NATIVE = BIG };
#endif

/* Header fields. */
enum { FIELD_PATH = 1, FIELD_INTERFACE, FIELD_MEMBER, FIELD_ERROR, FIELD_ANSWERS, FIELD_DESTINATION, FIELD_SENDER,
	FIELD_SIGNATURE };

static uint32_t load_u32(const uint8_t *at, bool swapped)
{
	uint32_t word;
	memcpy(&word, at, sizeof word);
	return swapped ? bswap_32(word) : word;
}

static size_t aligned(size_t at, size_t to)
{
	return (at + to - 1) & ~(to - 1);
}

size_t message_length(const uint8_t *bytes)
{
	if ((bytes[0] != LITTLE && bytes[0] != BIG) || bytes[3] != PROTOCOL) {
		return 0;
	}
	bool swapped = bytes[0] != NATIVE;
	uint64_t body = load_u32(bytes + 4, swapped), fields = load_u32(bytes + 12, swapped);
	uint64_t length = ((MESSAGE_FIXED_HEADER + fields + 7) & ~(uint64_t)7) + body;
	return length <= MESSAGE_LONGEST ? (size_t)length : 0;
}

static size_t alignment_of(char type)
{
	switch (type) {
	case 'y': case 'g': case 'v':
		return 1;
	case 'n': case 'q':
		return 2;
	case 'x': case 't': case 'd': case '(': case '{':
		return 8;
	default:
		return 4;
	}
}

/* The end of the single complete type that begins there; NULL if there is none. */
static const char *end_of_type(const char *type, const char *end)
{
	int open = 0;
	for (; type < end; type++) {
		switch (*type) {
		case 'a':
			continue;
		case '(': case '{':
			open++;
			continue;
		case ')': case '}':
			open--;
			break;
		default:
			break;
		}
		if (open <= 0) {
			return open == 0 ? type + 1 : NULL;
		}
	}
	return NULL;
}

static int bad(void)
{
	return -EBADMSG;
}

static struct message_level *level_of(struct message *message)
{
	return &message->levels[message->depth];
}

void message_rewind(struct message *message)
{
	message->at = 0;
	message->depth = 0;
	message->levels[0] = (struct message_level){
		.types = message->signature, .types_end = message->signature + strlen(message->signature),
		.next = message->signature, .end = message->size,
	};
}

/* What comes next: its type; 0 at the end of what it is in. An array begins again with its contents' types. */
static char next_type(struct message *message)
{
	struct message_level *level = level_of(message);
	if (level->kind == 'a') {
		if (message->at >= level->end) {
			return 0;
		}
		if (level->next == level->types_end) {
			level->next = level->types;
		}
	}
	return level->next < level->types_end ? *level->next : 0;
}

/* Goes to where a value of that size begins and past it; NULL if it is not there. */
static const uint8_t *take(struct message *message, size_t alignment, size_t size)
{
	size_t from = aligned(message->at, alignment), end = level_of(message)->end;
	if (from > end || size > end - from) {
		return NULL;
	}
	message->at = from + size;
	return message->body + from;
}

static int take_u32(struct message *message, uint32_t *word)
{
	const uint8_t *at = take(message, 4, 4);
	if (at == NULL) {
		return bad();
	}
	*word = load_u32(at, message->swapped);
	return 1;
}

/* `length` bytes and the NUL behind them. */
static int take_string(struct message *message, size_t length, const char **text)
{
	const uint8_t *at = length < SIZE_MAX ? take(message, 1, length + 1) : NULL;
	if (at == NULL || at[length] != '\0') {
		return bad();
	}
	*text = (const char *)at;
	return 1;
}

static int take_signature(struct message *message, const char **signature)
{
	const uint8_t *length = take(message, 1, 1);
	return length != NULL ? take_string(message, *length, signature) : bad();
}

static int take_double(struct message *message, double *number)
{
	uint64_t bits;
	const uint8_t *at = take(message, 8, sizeof bits);
	if (at == NULL) {
		return bad();
	}
	memcpy(&bits, at, sizeof bits);
	bits = message->swapped ? bswap_64(bits) : bits;
	memcpy(number, &bits, sizeof bits);
	return 1;
}

/* Reads a basic value into `into`. */
static int read_basic(struct message *message, char type, void *into)
{
	uint32_t word;
	int result;
	char there = next_type(message);
	if (there != type) {
		return there == 0 ? 0 : bad();
	}
	switch (type) {
	case 'i': case 'u': case 'b':
		result = take_u32(message, &word);
		if (result > 0) {
			memcpy(into, &word, sizeof word);
		}
		break;
	case 'd':
		result = take_double(message, into);
		break;
	case 's': case 'o':
		result = take_u32(message, &word);
		result = result > 0 ? take_string(message, word, into) : result;
		break;
	case 'g':
		result = take_signature(message, into);
		break;
	default:
		result = bad();
	}
	if (result > 0) {
		level_of(message)->next++;
	}
	return result;
}

/* Goes down into what begins at `message->at`. */
static int descend(struct message *message, struct message_level level)
{
	if (message->depth + 1 >= MESSAGE_DEEPEST) {
		return bad();
	}
	level.next = level.types;
	message->levels[++message->depth] = level;
	return 1;
}

static int enter_array(struct message *message, const char *types, const char *end)
{
	uint32_t size;
	if (take_u32(message, &size) <= 0 || take(message, alignment_of(*types), 0) == NULL
		|| size > level_of(message)->end - message->at) {
		return bad();
	}
	return descend(message, (struct message_level){ .kind = 'a', .types = types, .types_end = end,
		.end = message->at + size });
}

static int enter_variant(struct message *message, const char *contents)
{
	const char *types;
	if (take_signature(message, &types) <= 0 || strcmp(types, contents) != 0) {
		return bad();
	}
	return descend(message, (struct message_level){ .kind = 'v', .types = types, .types_end = types + strlen(types),
		.end = level_of(message)->end });
}

static int enter_struct(struct message *message, const char *types, const char *end)
{
	if (take(message, 8, 0) == NULL) {
		return bad();
	}
	return descend(message, (struct message_level){ .kind = 'r', .types = types, .types_end = end,
		.end = level_of(message)->end });
}

int message_enter(struct message *message, char kind, const char *contents)
{
	struct message_level *level = level_of(message);
	char there = next_type(message);
	if (there == 0) {
		return 0;
	}
	const char *end = end_of_type(level->next, level->types_end), *types = level->next + 1;
	/* The closing bracket is no part of what is in it. */
	const char *inner_end = end != NULL && (kind == 'r' || kind == 'e') ? end - 1 : end;
	size_t at = message->at;
	int result = bad();
	if (end == NULL || there != (kind == 'r' ? '(' : kind == 'e' ? '{' : kind)) {
		return result;
	}
	if (kind == 'v') {
		result = enter_variant(message, contents);
	} else if ((size_t)(inner_end - types) != strlen(contents) || strncmp(types, contents, strlen(contents)) != 0) {
		return result;
	} else {
		result = kind == 'a' ? enter_array(message, types, inner_end) : enter_struct(message, types, inner_end);
	}
	if (result > 0) {
		level->next = end;
	} else {
		message->at = at;
	}
	return result;
}

int message_exit(struct message *message)
{
	const struct message_level *level = level_of(message);
	if (message->depth == 0 || (level->kind != 'a' && level->next != level->types_end)) {
		return bad();
	}
	if (level->kind == 'a') {
		message->at = level->end;
	}
	message->depth--;
	return 1;
}

static int read_values(struct message *message, const char *types, const char *end, va_list *args);

/* Reads what is in a struct or variant and leaves it. */
static int read_inside(struct message *message, const char *types, const char *end, va_list *args)
{
	int result = read_values(message, types, end, args);
	result = result > 0 ? message_exit(message) : result;
	/* There is no end in there that would be the end of what it is in. */
	return result == 0 ? bad() : result;
}

static int read_values(struct message *message, const char *types, const char *end, va_list *args)
{
	int result = 1;
	while (types < end && result > 0) {
		const char *after = end_of_type(types, end);
		if (after == NULL) {
			return bad();
		}
		if (*types == '(' || *types == '{') {
			char contents[64];
			size_t length = (size_t)(after - types) - 2;
			if (length >= sizeof contents) {
				return bad();
			}
			memcpy(contents, types + 1, length);
			contents[length] = '\0';
			result = message_enter(message, *types == '(' ? 'r' : 'e', contents);
			result = result > 0 ? read_inside(message, types + 1, after - 1, args) : result;
		} else if (*types == 'v') {
			const char *contents = va_arg(*args, const char *);
			result = message_enter(message, 'v', contents);
			result = result > 0 ? read_inside(message, contents, contents + strlen(contents), args) : result;
		} else {
			result = read_basic(message, *types, va_arg(*args, void *));
		}
		types = after;
	}
	return result;
}

int message_read(struct message *message, const char *types, ...)
{
	va_list args;
	va_start(args, types);
	int result = read_values(message, types, types + strlen(types), &args);
	va_end(args);
	return result;
}

int message_read_words(struct message *message, char type, uint32_t *words, int most)
{
	const char contents[] = { type, '\0' };
	int count = 0, result = message_enter(message, 'a', contents);
	if (result <= 0) {
		return result == 0 ? bad() : result;
	}
	while (count < most && (result = read_basic(message, type, &words[count])) > 0) {
		count++;
	}
	return message_exit(message) > 0 && result >= 0 ? count : bad();
}

/* --- The header ------------------------------------------------------------------------------------ */

/* Takes one header field in. */
static int take_field(struct message *message)
{
	const uint8_t *code = take(message, 8, 1);
	const char *type = NULL, *text = NULL;
	uint32_t word = 0;
	if (code == NULL || take_signature(message, &type) <= 0 || strlen(type) != 1) {
		return bad();
	}
	int result = *type == 'g' ? take_signature(message, &text) : take_u32(message, &word);
	if (result > 0 && (*type == 's' || *type == 'o')) {
		result = take_string(message, word, &text);
	} else if (*type != 'g' && *type != 'u') {
		return bad();
	}
	const char **texts[] = {
		[FIELD_PATH] = &message->path, [FIELD_INTERFACE] = &message->interface, [FIELD_MEMBER] = &message->member,
		[FIELD_ERROR] = &message->error, [FIELD_SENDER] = &message->sender, [FIELD_SIGNATURE] = &message->signature,
	};
	if (result > 0 && *code == FIELD_ANSWERS && *type == 'u') {
		message->answers = word;
	} else if (result > 0 && text != NULL && *code < G_N_ELEMENTS(texts) && texts[*code] != NULL) {
		*texts[*code] = text;
	}
	return result;
}

bool message_parse(struct message *message, const uint8_t *bytes, size_t length)
{
	if (length < MESSAGE_FIXED_HEADER || message_length(bytes) != length) {
		return false;
	}
	*message = (struct message){
		.type = (enum message_type)bytes[1], .flags = bytes[2], .swapped = bytes[0] != NATIVE,
		.path = "", .interface = "", .member = "", .error = "", .sender = "", .signature = "",
		/* For now what is read is the header. */
		.body = bytes, .size = length,
	};
	message->serial = load_u32(bytes + 8, message->swapped);
	message_rewind(message);
	message->at = MESSAGE_FIXED_HEADER;
	size_t end = MESSAGE_FIXED_HEADER + load_u32(bytes + 12, message->swapped);
	level_of(message)->end = end;
	while (message->at < end) {
		if (take_field(message) <= 0) {
			return false;
		}
	}
	message->body = bytes + aligned(end, 8);
	message->size = length - aligned(end, 8);
	message_rewind(message);
	return true;
}

/* --- What it says ---------------------------------------------------------------------------------- */

/* Behind the struct in the same piece of memory: the bytes of the message. */
struct message *message_keep(const struct message *message)
{
	const char *const *from[] = { &message->path, &message->interface, &message->member, &message->error,
		&message->sender, &message->signature };
	size_t size = message->size;
	for (gsize i = 0; i < G_N_ELEMENTS(from); i++) {
		size += strlen(*from[i]) + 1;
	}
	struct message *copy = g_malloc(sizeof *copy + size);
	*copy = *message;
	const char **to[] = { &copy->path, &copy->interface, &copy->member, &copy->error, &copy->sender, &copy->signature };
	uint8_t *at = (uint8_t *)(copy + 1);
	memcpy(at, message->body, message->size);
	copy->body = at;
	at += message->size;
	for (gsize i = 0; i < G_N_ELEMENTS(from); i++) {
		size_t length = strlen(*from[i]) + 1;
		memcpy(at, *from[i], length);
		*to[i] = (const char *)at;
		at += length;
	}
	message_rewind(copy);
	return copy;
}

void message_free(struct message *message)
{
	g_free(message);
}

bool message_is_error(const struct message *message)
{
	return message->type == MESSAGE_ERROR;
}

const char *message_problem(const struct message *message)
{
	struct message again = *message;
	const char *words;
	message_rewind(&again);
	return message_read(&again, "s", &words) > 0 ? words : NULL;
}
