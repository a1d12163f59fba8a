/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/session.h"

static void on_end(struct session *session, void *data)
{
	(void)session;
	++*(int *)data;
}

static void test_ending(void)
{
	struct session *session = session_new();
	int ended = 0;
	g_assert_true(session_on_end(session, on_end, &ended));
	g_assert_cmpint(ended, ==, 0);
	session_end(session);
	g_assert_cmpint(ended, ==, 1);
	/* Once, and nobody may join what is over. */
	session_end(session);
	g_assert_cmpint(ended, ==, 1);
	g_assert_false(session_on_end(session, on_end, &ended));
	session_unref(session);
}

static void test_doubt(void)
{
	struct session *session = session_new();
	struct element dead = { .provider = (char *)":1.5", .object = (char *)"/a" };
	struct element other = { .provider = (char *)":1.5", .object = (char *)"/b" };
	g_assert_false(session_doubts(session, &dead));
	session_doubt(session, &dead);
	g_assert_true(session_doubts(session, &dead));
	g_assert_false(session_doubts(session, &other));
	session_unref(session);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/session/ending", test_ending);
	g_test_add_func("/session/doubt", test_doubt);
	return g_test_run();
}
