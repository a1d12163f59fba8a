/* SPDX-License-Identifier: MIT */
#ifndef CORE_SNAPSHOT_H
#define CORE_SNAPSHOT_H

#include "core/element.h"
#include "core/frame.h"
#include "core/window.h"

/*
 * What one get_window_state saw: what element indices and pixels of that answer mean. Immutable once
 * made, so any thread may read it; counted, because an action may outlive its eviction.
 */
struct snapshot {
	gatomicrefcount references;
	char *id;                /* "s" and hexadecimal digits */
	struct window *window;
	struct tree *tree;
	struct frame frame;      /* shot size 0 if there was no picture */
};

/* Takes over `tree`; copies `window`. The id is unique in this process. */
struct snapshot *snapshot_new(const struct window *window, struct tree *tree, struct frame frame);
struct snapshot *snapshot_ref(struct snapshot *snapshot);
void snapshot_unref(struct snapshot *snapshot);

#endif
