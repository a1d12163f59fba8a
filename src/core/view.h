/* SPDX-License-Identifier: MIT */
#ifndef CORE_VIEW_H
#define CORE_VIEW_H

#include "core/answer.h"
#include "core/snapshot.h"

/*
 * A snapshot's elements in an answer: what get_window_state returns, and whoever else shows a window.
 * Each adds fields to the object that is open, and to the text.
 */

/* How many elements there are, whether that is all, and what to do where it is not. */
void view_notes(struct answer *answer, const struct tree *tree);

/*
 * `tree_markdown` and `elements`; with a query only those whose role, label, value or description has
 * that text, and what they are in. Returns the bytes of the markdown.
 */
gsize view_tree(struct answer *answer, const struct snapshot *snapshot, const char *query);

/*
 * `since`, `added`, `removed` and `changed`: elements with an index as they are everywhere, texts with
 * role, label and value. What changed says in `before` what it was. Returns how many there are.
 */
guint view_diff(struct answer *answer, const struct snapshot *earlier, const struct snapshot *later);

/*
 * `renumbered`: pairs of the indices that elements had and have, of those whose index is another now though
 * they are the same.
 */
void view_renumbered(struct answer *answer, const struct snapshot *earlier,
	const struct snapshot *later);

#endif
