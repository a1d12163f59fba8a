/* SPDX-License-Identifier: MIT */
/* D-Bus messages: what is written is read again, and whatever else comes does no harm. */
#include "config.h"

#include "atspi/message.h"

#include <string.h>

#include "atspi/parcel.h"

static bool write_to(GByteArray *out, const struct parcel *parcel, const char *types, ...)
{
	va_list args;
	va_start(args, types);
	bool written = parcel_append(out, parcel, types, args);
	va_end(args);
	return written;
}

static const struct parcel call = {
	.type = MESSAGE_CALL, .serial = 7, .destination = ":1.2", .path = "/org/a11y/atspi/accessible/74",
	.interface = "org.a11y.atspi.Action", .member = "DoAction",
};

static void what_is_written_is_read(void)
{
	g_autoptr(GByteArray) out = g_byte_array_new();
	struct message message;
	const char *text, *path, *value, *other;
	int32_t number;
	int yes;
	double real;
	/* Behind another one, so that it does not begin where memory is aligned. */
	g_assert_true(write_to(out, &call, "s", "abc"));
	size_t first = message_length(out->data);
	g_assert_cmpuint(first, ==, out->len);
	g_assert_true(write_to(out, &call, "siobdvas", "é", -5, "/a/b", 1, 0.25, "s", "in a variant", 2, "one", "two"));
	g_assert_true(message_parse(&message, out->data + first, out->len - first));
	g_assert_cmpint(message.type, ==, MESSAGE_CALL);
	g_assert_cmpuint(message.serial, ==, 7);
	g_assert_cmpstr(message.path, ==, call.path);
	g_assert_cmpstr(message.interface, ==, call.interface);
	g_assert_cmpstr(message.member, ==, call.member);
	g_assert_cmpstr(message.sender, ==, "");
	g_assert_cmpstr(message.signature, ==, "siobdvas");
	for (int round = 0; round < 2; round++) {
		message_rewind(&message);
		g_assert_cmpint(message_read(&message, "siobdv", &text, &number, &path, &yes, &real, "s", &value), >, 0);
		g_assert_cmpstr(text, ==, "é");
		g_assert_cmpint(number, ==, -5);
		g_assert_cmpstr(path, ==, "/a/b");
		g_assert_true(yes);
		g_assert_cmpfloat(real, ==, 0.25);
		g_assert_cmpstr(value, ==, "in a variant");
		g_assert_cmpint(message_enter(&message, 'a', "s"), >, 0);
		g_assert_cmpint(message_read(&message, "s", &text), >, 0);
		g_assert_cmpint(message_read(&message, "s", &other), >, 0);
		g_assert_cmpstr(text, ==, "one");
		g_assert_cmpstr(other, ==, "two");
		g_assert_cmpint(message_read(&message, "s", &other), ==, 0);
		g_assert_cmpint(message_exit(&message), >, 0);
		g_assert_cmpint(message_read(&message, "s", &other), ==, 0);
	}
}

/* An answer of the types a((so)iau), of the other byte order: one item, (":1", "/x"), 258, [1, 2]. */
static const uint8_t answer[] = {
	'B', MESSAGE_ANSWER, 1, 1, 0, 0, 0, 40, 0, 0, 0, 9, 0, 0, 0, 24,
	5, 1, 'u', 0, 0, 0, 0, 3, 8, 1, 'g', 0, 10, 'a', '(', '(', 's', 'o', ')', 'i', 'a', 'u', ')', 0,
	0, 0, 0, 32, 0, 0, 0, 0, 0, 0, 0, 2, ':', '1', 0, 0, 0, 0, 0, 2, '/', 'x', 0, 0,
	0, 0, 1, 2, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0, 2,
};

static void structs_and_arrays_are_entered(void)
{
	uint8_t bytes[sizeof answer];
	memcpy(bytes, answer, sizeof answer);
	struct message message;
	const char *name, *path;
	int32_t number;
	uint32_t words[2] = { 0, 0 };
	g_assert_cmpuint(message_length(bytes), ==, sizeof bytes);
	g_assert_true(message_parse(&message, bytes, sizeof bytes));
	g_assert_cmpuint(message.answers, ==, 3);
	g_assert_cmpstr(message.signature, ==, "a((so)iau)");
	struct message *kept = message_keep(&message);
	memset(bytes, 0xff, sizeof bytes);
	g_assert_cmpint(message_enter(kept, 'a', "(so)"), <, 0);
	g_assert_cmpint(message_enter(kept, 'a', "((so)iau)"), >, 0);
	g_assert_cmpint(message_enter(kept, 'r', "(so)iau"), >, 0);
	g_assert_cmpint(message_exit(kept), <, 0);
	g_assert_cmpint(message_read(kept, "(so)i", &name, &path, &number), >, 0);
	g_assert_cmpstr(name, ==, ":1");
	g_assert_cmpstr(path, ==, "/x");
	g_assert_cmpint(number, ==, 258);
	g_assert_cmpint(message_read_words(kept, 'u', words, 1), ==, 1);
	g_assert_cmpuint(words[0], ==, 1);
	g_assert_cmpint(message_exit(kept), >, 0);
	g_assert_cmpint(message_enter(kept, 'r', "(so)iau"), ==, 0);
	message_free(kept);
}

static void other_types_are_refused(void)
{
	g_autoptr(GByteArray) out = g_byte_array_new();
	struct message message;
	uint32_t word;
	const char *text;
	g_assert_true(write_to(out, &call, "vs", "i", 3, "x"));
	g_assert_true(message_parse(&message, out->data, out->len));
	g_assert_cmpint(message_read(&message, "u", &word), <, 0);
	g_assert_cmpint(message_read(&message, "v", "s", &text), <, 0);
	g_assert_cmpint(message_enter(&message, 'a', "i"), <, 0);
	g_assert_cmpint(message_read(&message, "v", "i", &word), >, 0);
	g_assert_cmpuint(word, ==, 3);
}

/* Who sends what D-Bus forbids is thrown off the bus: applications name the objects we ask. */
static void what_is_forbidden_is_not_sent(void)
{
	g_autoptr(GByteArray) out = g_byte_array_new();
	static const char *const paths[] = { "", "a", "//", "/a/", "/a//b", "/a-b", "/é" };
	static const char *const names[] = { "", ".", ":", "a", "a.", ".a", "a..b", "1.2", "a b.c", ":1." };
	for (gsize i = 0; i < G_N_ELEMENTS(paths); i++) {
		struct parcel bad = call;
		bad.path = paths[i];
		g_assert_false(write_to(out, &bad, NULL));
		g_assert_false(write_to(out, &call, "o", paths[i]));
	}
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		struct parcel bad = call;
		bad.destination = names[i];
		g_assert_false(write_to(out, &bad, NULL));
	}
	g_assert_false(write_to(out, &call, "s", "\xff"));
	g_assert_false(write_to(out, &call, "v", "s", "\xff"));
	g_assert_cmpuint(out->len, ==, 0);
	struct parcel root = call;
	root.path = "/";
	root.destination = "org.a11y.atspi-x.Registry_1";
	g_assert_true(write_to(out, &root, NULL));
}

/* Reads all that is there by its own types, as far as it goes. */
static void read_all(struct message *message)
{
	const char *text, *path;
	int32_t number;
	uint32_t words[4];
	double real;
	message_problem(message);
	message_rewind(message);
	if (message_enter(message, 'a', "((so)(so)(so)iiassusau)") > 0) {
		while (message_enter(message, 'r', "(so)(so)(so)iiassusau") > 0
			&& message_read(message, "(so)(so)(so)ii", &text, &path, &text, &path, &text, &path, &number, &number) > 0
			&& message_enter(message, 'a', "s") > 0) {
			while (message_read(message, "s", &text) > 0) {
				g_assert_cmpuint(strlen(text), <, message->size);
			}
			if (message_exit(message) < 0 || message_read(message, "sus", &text, words, &path) <= 0
				|| message_read_words(message, 'u', words, G_N_ELEMENTS(words)) < 0 || message_exit(message) < 0) {
				break;
			}
		}
	}
	message_rewind(message);
	while (message_read(message, "v", "(so)", &text, &path) > 0 || message_read(message, "v", "d", &real) > 0
		|| message_read(message, "sii", &text, &number, &number) > 0) {
	}
}

/* Also found by the sanitizers: nothing outside of it is read. */
static void damaged_ones_do_no_harm(void)
{
	g_autoptr(GByteArray) out = g_byte_array_new();
	g_autoptr(GRand) rand = g_rand_new_with_seed(20261117);
	guint taken = 0;
	write_to(out, &call, "siiv", "checked", 1, 0, "i", 5);
	for (int round = 0; round < 200000; round++) {
		/* As long as it is, so that a sanitizer sees what is beyond. */
		g_autofree uint8_t *bytes = g_memdup2(out->data, out->len);
		size_t length = out->len;
		for (int i = g_rand_int_range(rand, 1, 5); i > 0; i--) {
			bytes[g_rand_int_range(rand, 0, (int)length)] = (uint8_t)g_rand_int_range(rand, 0, 256);
		}
		struct message message;
		if (message_length(bytes) <= length && message_parse(&message, bytes, message_length(bytes))) {
			read_all(&message);
			message_free(message_keep(&message));
			taken++;
		}
	}
	g_assert_cmpuint(taken, >, 1000);
	for (size_t length = 0; length < out->len; length++) {
		struct message message;
		g_autofree uint8_t *bytes = g_memdup2(out->data, length);
		g_assert_false(message_parse(&message, bytes, length));
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/message/round-trip", what_is_written_is_read);
	g_test_add_func("/message/containers", structs_and_arrays_are_entered);
	g_test_add_func("/message/types", other_types_are_refused);
	g_test_add_func("/message/forbidden", what_is_forbidden_is_not_sent);
	g_test_add_func("/message/damaged", damaged_ones_do_no_harm);
	return g_test_run();
}
