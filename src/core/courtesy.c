/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/courtesy.h"

/* Nobody pauses for less between two keys. */
#define PAUSE_MS 600
/* How long a pause is waited for. */
#define PATIENCE_MS 2000
/* What the display may take to tell. */
#define ASK_MS 1000

bool courtesy_wait(const struct action *action, unsigned typed, bool *waited, struct answer *answer)
{
	struct platform *platform = action->platform;
	struct deadline patience = deadline_within(action->deadline, PATIENCE_MS);
	*waited = false;
	if (platform->impl->typing == NULL || typed >= PAUSE_MS) {
		return true;
	}
	for (;; *waited = true) {
		unsigned ago = platform->impl->typing(platform, deadline_within(action->deadline, ASK_MS));
		if (ago >= PAUSE_MS) {
			return true;
		}
		g_autoptr(GError) error = NULL;
		struct deadline pause = deadline_within(patience, (int)(PAUSE_MS - ago));
		deadline_poll_all(pause, NULL, 0, "a pause of the user", &error);
		if (error->code == ERROR_CANCELLED || deadline_left(patience) == 0) {
			answer_fail(answer, ERROR_USER_ACTIVE, "The user is typing%s; nothing was done",
				action->delivery == DELIVERY_FOREGROUND ? "" : " in this window");
			return false;
		}
	}
}
