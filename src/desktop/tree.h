/* SPDX-License-Identifier: MIT */
#ifndef CUA_DESKTOP_TREE_H
#define CUA_DESKTOP_TREE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * All descendants of this process. The process is a child subreaper, so a daemon that forked
 * twice comes back to it, and having no child means having no descendant: the kernel decides
 * that atomically, /proc only names whom to signal.
 */
struct tree {
	GHashTable *before; /* pids: children that were there before us; never touched */
	GHashTable *ended;  /* pids that tree_end() signalled or reaped */
};

/* Makes this process a subreaper. Children it has already are not part of the tree. */
void tree_init(struct tree *tree);
void tree_finish(struct tree *tree);

/*
 * Ends every descendant that is not one of the `spare` pids nor below one: SIGTERM, SIGKILL
 * after `grace` µs, again for whatever appears meanwhile. Reaps. Returns false when something
 * was still alive 5 s after the grace (uninterruptible, or not ours to kill).
 */
bool tree_end(struct tree *tree, const pid_t *spare, size_t n_spare, int64_t grace);

#endif
