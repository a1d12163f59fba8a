/* SPDX-License-Identifier: MIT */
/* One thread reads and works; another one goes on with the main context when that takes long. */
#include "config.h"

#include "core/helm.h"

enum { LONG_MS = 10000, TRIES = 100 };

struct fixture {
	GMainLoop *loop;
	struct helm *helm;
	GMutex mutex;
	GCond changed;
	bool stopped, released;      /* guarded by `mutex` */
	gint worked, regained, lost; /* atomic */
	GThread *turn, *worker;      /* atomic */
};

/* What is to be done; the item says how. */
static char quickly, slowly, for_ever;

static bool wait_for(struct fixture *fixture, const bool *what)
{
	gint64 deadline = g_get_monotonic_time() + LONG_MS * G_TIME_SPAN_MILLISECOND;
	g_mutex_lock(&fixture->mutex);
	while (!*what && g_cond_wait_until(&fixture->changed, &fixture->mutex, deadline)) {
	}
	bool came = *what;
	g_mutex_unlock(&fixture->mutex);
	return came;
}

static void say(struct fixture *fixture, bool *what)
{
	g_mutex_lock(&fixture->mutex);
	*what = true;
	g_cond_signal(&fixture->changed);
	g_mutex_unlock(&fixture->mutex);
}

static void work(void *item, void *data)
{
	struct fixture *fixture = data;
	g_atomic_pointer_set(&fixture->worker, g_thread_self());
	/* Not before somebody else runs the main context: nobody but it can say so. */
	if (item != &quickly) {
		g_assert_true(wait_for(fixture, item == &slowly ? &fixture->released : &fixture->stopped));
	}
	g_atomic_int_inc(helm_regain(fixture->helm) ? &fixture->regained : &fixture->lost);
	g_atomic_int_inc(&fixture->worked);
	if (item == &quickly) {
		g_main_loop_quit(fixture->loop);
	}
}

static void stop(void *data)
{
	struct fixture *fixture = data;
	say(fixture, &fixture->stopped);
}

static void set_up(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	g_mutex_init(&fixture->mutex);
	g_cond_init(&fixture->changed);
	fixture->loop = g_main_loop_new(NULL, TRUE);
	fixture->helm = helm_new(g_main_context_default(), work, stop, fixture);
}

static void tear_down(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	helm_free(fixture->helm);
	g_main_loop_unref(fixture->loop);
	g_cond_clear(&fixture->changed);
	g_mutex_clear(&fixture->mutex);
}

static gboolean on_quick(gpointer data)
{
	struct fixture *fixture = data;
	/* Not before the other one is there. */
	if (!helm_take(fixture->helm, &quickly)) {
		return G_SOURCE_CONTINUE;
	}
	g_atomic_pointer_set(&fixture->turn, g_thread_self());
	/* One a turn; others have to look for somebody else. */
	g_assert_false(helm_take(fixture->helm, &slowly));
	return G_SOURCE_REMOVE;
}

static void quick_work_stays(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	/* Nobody takes anything while the context is not run. */
	g_assert_false(helm_take(fixture->helm, &quickly));
	g_assert_false(helm_regain(fixture->helm));
	/* On a busy machine it may be stopped in between for so long that somebody else has the lead. */
	for (int i = 1; i <= TRIES && fixture->regained == 0; i++) {
		g_main_loop_unref(fixture->loop);
		fixture->loop = g_main_loop_new(NULL, TRUE);
		g_idle_add(on_quick, fixture);
		helm_run(fixture->helm, fixture->loop);
		g_assert_cmpint(fixture->worked, ==, i);
		g_assert_true(fixture->worker == fixture->turn);
	}
	g_assert_cmpint(fixture->regained, ==, 1);
	g_assert_false(helm_take(fixture->helm, &quickly));
}

static gboolean on_release(gpointer data)
{
	struct fixture *fixture = data;
	/* The other one, which leads from now on. If it worked, too, nobody would. */
	g_assert_true(g_atomic_pointer_get(&fixture->worker) != g_thread_self());
	g_assert_false(helm_take(fixture->helm, &slowly));
	say(fixture, &fixture->released);
	g_idle_add(on_quick, fixture);
	return G_SOURCE_REMOVE;
}

static gboolean on_slow(gpointer data)
{
	struct fixture *fixture = data;
	if (!helm_take(fixture->helm, &slowly)) {
		return G_SOURCE_CONTINUE;
	}
	g_idle_add(on_release, fixture);
	return G_SOURCE_REMOVE;
}

static void slow_work_gives_way(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	g_idle_add(on_slow, fixture);
	helm_run(fixture->helm, fixture->loop);
	g_assert_cmpint(fixture->worked, ==, 2);
	g_assert_cmpint(fixture->lost, >=, 1);
}

static gboolean on_quit(gpointer data)
{
	struct fixture *fixture = data;
	g_main_loop_quit(fixture->loop);
	return G_SOURCE_REMOVE;
}

static gboolean on_endless(gpointer data)
{
	struct fixture *fixture = data;
	if (!helm_take(fixture->helm, &for_ever)) {
		return G_SOURCE_CONTINUE;
	}
	g_idle_add(on_quit, fixture);
	return G_SOURCE_REMOVE;
}

static void the_end_stops_what_is_done(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	g_idle_add(on_endless, fixture);
	helm_run(fixture->helm, fixture->loop);
	g_assert_true(fixture->stopped);
	g_assert_cmpint(fixture->worked, ==, 1);
}

#define ADD(path, test) g_test_add(path, struct fixture, NULL, set_up, test, tear_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	ADD("/helm/quick", quick_work_stays);
	ADD("/helm/slow", slow_work_gives_way);
	ADD("/helm/end", the_end_stops_what_is_done);
	return g_test_run();
}
