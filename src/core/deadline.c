/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/deadline.h"

#include <errno.h>
#include <time.h>

#include "core/error.h"

struct deadline deadline_in(int ms, GCancellable *cancel)
{
	return (struct deadline){ g_get_monotonic_time() + (gint64)ms * 1000, cancel };
}

struct deadline deadline_within(struct deadline deadline, int ms)
{
	struct deadline sooner = deadline_in(ms, deadline.cancel);
	return sooner.at < deadline.at ? sooner : deadline;
}

int deadline_left(struct deadline deadline)
{
	gint64 left = (deadline.at - g_get_monotonic_time() + 999) / 1000;
	return (int)CLAMP(left, 0, G_MAXINT);
}

bool deadline_over(struct deadline deadline, const char *what, GError **error)
{
	if (g_cancellable_is_cancelled(deadline.cancel)) {
		error_set(error, ERROR_CANCELLED, "Cancelled while waiting for %s", what);
		return true;
	}
	if (deadline_left(deadline) == 0) {
		error_set(error, ERROR_DEADLINE_EXCEEDED, "No answer in time from %s", what);
		return true;
	}
	return false;
}

/* How many of them have something. */
static int count_ready(const struct pollfd *fds, int count)
{
	int ready = 0;
	for (int i = 0; i < count; i++) {
		ready += fds[i].revents != 0;
	}
	return ready;
}

bool deadline_poll_all(struct deadline deadline, struct pollfd *wanted, int count,
	const char *what, GError **error)
{
	struct pollfd fds[DEADLINE_POLL_MOST + 1];
	int all = count;
	g_assert(count <= DEADLINE_POLL_MOST);
	for (int i = 0; i < count; i++) {
		fds[i] = wanted[i];
	}
	if (deadline.cancel != NULL) {
		fds[count] = (struct pollfd){ .fd = g_cancellable_get_fd(deadline.cancel), .events = POLLIN };
		all += fds[count].fd >= 0;
	}
	int ready;
	do {
		if (deadline_over(deadline, what, error)) {
			ready = 0;
			break;
		}
		gint64 left = MAX(deadline.at - g_get_monotonic_time(), 0);
		const struct timespec wait = { left / G_USEC_PER_SEC, left % G_USEC_PER_SEC * 1000 };
		ready = ppoll(fds, (nfds_t)all, &wait, NULL);
	} while ((ready >= 0 || errno == EINTR) && (ready <= 0 || count_ready(fds, count) == 0));
	if (all > count) {
		g_cancellable_release_fd(deadline.cancel);
	}
	for (int i = 0; i < count; i++) {
		wanted[i].revents = ready > 0 ? fds[i].revents : 0;
	}
	if (ready < 0) {
		error_set(error, ERROR_INTERNAL, "poll: %s", g_strerror(errno));
	}
	return ready > 0;
}

bool deadline_poll(struct deadline deadline, int fd, short events, const char *what, GError **error)
{
	struct pollfd wanted = { .fd = fd, .events = events };
	return deadline_poll_all(deadline, &wanted, 1, what, error);
}
