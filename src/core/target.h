/* SPDX-License-Identifier: MIT */
#ifndef CORE_TARGET_H
#define CORE_TARGET_H

#include "core/answer.h"
#include "core/args.h"
#include "core/platform.h"
#include "core/session.h"

/*
 * The window that pid, window_id or element_token of a call mean; for an action on an element as its
 * snapshot knows it, which effect_act() checks. Talks to the display server only.
 * The caller owns the result; on NULL the answer has failed (window_not_found, window_owner_mismatch,
 * ambiguous_window_target, …).
 */
struct window *target_find(struct platform *platform, const struct args *args,
	struct session *session, struct deadline deadline, struct answer *answer);

/* The same window as it is now. NULL with a failed answer if it is gone. The caller owns it. */
struct window *target_again(struct platform *platform, const struct window *known,
	struct deadline deadline, struct answer *answer);

#endif
