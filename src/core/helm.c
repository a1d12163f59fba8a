/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/helm.h"

#include <poll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "core/wakeup.h"

/* For so long the main context may wait for a call: most are over, and no client notices. */
#define PATIENCE_MS 3

struct helm {
	GMainContext *context;
	void (*work)(void *item, void *data);
	void (*stop)(void *data);
	void *data;
	GMainLoop *loop;       /* NULL: it is not run */
	int timer;             /* over when somebody worked for too long; who waits for his turn is woken by it */
	GMutex mutex;
	GThread *leader;       /* who runs the context; guarded by `mutex` */
	bool works;            /* the leader works on an item instead, and may lose the lead; guarded, too */
	bool spare;            /* the other one could have the lead; guarded, too */
	GThread *turn;         /* who is in a turn of the context: only compared with oneself */
	void *taken;           /* by this turn. Only the leader's, outside of what it works on */
};

struct helm *helm_new(GMainContext *context, void (*work)(void *item, void *data), void (*stop)(void *data),
	void *data)
{
	struct helm *helm = g_new0(struct helm, 1);
	*helm = (struct helm){ .context = context, .work = work, .stop = stop, .data = data,
		.timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK) };
	g_mutex_init(&helm->mutex);
	return helm;
}

void helm_free(struct helm *helm)
{
	if (helm->timer >= 0) {
		close(helm->timer);
	}
	g_mutex_clear(&helm->mutex);
	g_free(helm);
}

static void wake_in(struct helm *helm, long ns)
{
	timerfd_settime(helm->timer, 0, &(struct itimerspec){ .it_value.tv_nsec = ns }, NULL);
}

bool helm_take(struct helm *helm, void *item)
{
	if (g_atomic_pointer_get(&helm->turn) != g_thread_self() || helm->taken != NULL) {
		return false;
	}
	/* While both work nobody would run the context. */
	g_mutex_lock(&helm->mutex);
	bool spare = helm->spare;
	g_mutex_unlock(&helm->mutex);
	helm->taken = spare ? item : NULL;
	return spare;
}

bool helm_regain(struct helm *helm)
{
	g_mutex_lock(&helm->mutex);
	bool leads = helm->leader == g_thread_self();
	bool regained = leads && helm->works;
	if (regained) {
		helm->works = false;
		g_atomic_pointer_set(&helm->turn, helm->leader);
	}
	g_mutex_unlock(&helm->mutex);
	return regained;
}

static bool is_leader(struct helm *helm)
{
	g_mutex_lock(&helm->mutex);
	bool leads = helm->leader == g_thread_self();
	g_mutex_unlock(&helm->mutex);
	return leads;
}

/* False if somebody else has the lead when it is done. */
static bool work_on(struct helm *helm, void *item)
{
	g_mutex_lock(&helm->mutex);
	g_atomic_pointer_set(&helm->turn, NULL);
	helm->works = true;
	wake_in(helm, PATIENCE_MS * 1000000L);
	g_mutex_unlock(&helm->mutex);
	helm->work(item, helm->data);
	helm_regain(helm);
	bool leads = is_leader(helm);
	if (leads) {
		/* Only now: what was done at once has been answered by then, and who is woken meanwhile goes on waiting. */
		wake_in(helm, 0);
	}
	return leads;
}

/* Until the loop is over, or somebody else has the lead. */
static void lead(struct helm *helm)
{
	bool leads = true;
	g_atomic_pointer_set(&helm->turn, g_thread_self());
	while (leads && g_main_loop_is_running(helm->loop)) {
		g_main_context_iteration(helm->context, TRUE);
		if (!g_main_loop_is_running(helm->loop)) {
			helm->stop(helm->data);
		}
		while (leads && helm->taken != NULL) {
			leads = work_on(helm, g_steal_pointer(&helm->taken));
		}
	}
}

static void set_spare(struct helm *helm, bool spare)
{
	g_mutex_lock(&helm->mutex);
	helm->spare = spare;
	g_mutex_unlock(&helm->mutex);
}

/* Waits until it can have the lead; false if the loop is over. */
static bool follow(struct helm *helm)
{
	bool leads = false;
	set_spare(helm, true);
	while (!leads && g_main_loop_is_running(helm->loop)) {
		guint64 times;
		poll(&(struct pollfd){ helm->timer, POLLIN, 0 }, 1, -1);
		bool over = read(helm->timer, &times, sizeof times) == (ssize_t)sizeof times;
		g_mutex_lock(&helm->mutex);
		leads = over && helm->works;
		if (leads) {
			helm->works = helm->spare = false;
			helm->leader = g_thread_self();
		}
		g_mutex_unlock(&helm->mutex);
	}
	if (!leads) {
		set_spare(helm, false);
	}
	return leads;
}

static gpointer take_turns(gpointer data)
{
	struct helm *helm = data;
	bool leads = is_leader(helm);
	wakeup_soon();
	do {
		if (leads) {
			lead(helm);
		}
		leads = follow(helm);
	} while (leads);
	/* The loop is over: what the other one works on is to end, and it has nothing to wait for. */
	if (is_leader(helm)) {
		helm->stop(helm->data);
		wake_in(helm, 1);
	}
	return NULL;
}

void helm_run(struct helm *helm, GMainLoop *loop)
{
	if (helm->timer < 0) {
		g_main_loop_run(loop);
		return;
	}
	helm->loop = loop;
	helm->leader = g_thread_self();
	GThread *other = g_thread_new("helm", take_turns, helm);
	take_turns(helm);
	g_thread_join(other);
	g_atomic_pointer_set(&helm->turn, NULL);
	helm->loop = NULL;
}
