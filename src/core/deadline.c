/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/deadline.h"

#include <errno.h>
#include <poll.h>

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
		g_set_error(error, CUA_ERROR, ERROR_CANCELLED, "Cancelled while waiting for %s", what);
		return true;
	}
	if (deadline_left(deadline) == 0) {
		g_set_error(error, CUA_ERROR, ERROR_DEADLINE_EXCEEDED, "No answer in time from %s", what);
		return true;
	}
	return false;
}

bool deadline_poll(struct deadline deadline, int fd, short events, const char *what, GError **error)
{
	struct pollfd fds[2] = { { .fd = fd, .events = events } };
	nfds_t count = 1;
	if (deadline.cancel != NULL) {
		fds[1] = (struct pollfd){ .fd = g_cancellable_get_fd(deadline.cancel), .events = POLLIN };
		count = fds[1].fd >= 0 ? 2 : 1;
	}
	int ready;
	do {
		if (deadline_over(deadline, what, error)) {
			ready = 0;
			break;
		}
		ready = poll(fds, count, deadline_left(deadline));
	} while (fds[0].revents == 0 && (ready >= 0 || errno == EINTR));
	if (count == 2) {
		g_cancellable_release_fd(deadline.cancel);
	}
	if (ready < 0) {
		g_set_error(error, CUA_ERROR, ERROR_INTERNAL, "poll: %s", g_strerror(errno));
	}
	return ready > 0;
}
