/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/disturbance.h"

/* What takes no longer than a picture of a screen cannot be seen on it. */
#define FRAME_MS 17

void probe_clear(struct probe *probe)
{
	g_clear_pointer(&probe->stacking, g_array_unref);
}

/* A window that came or went is no restacking: only the order of those in both lists counts. */
static bool restacked(const GArray *before, const GArray *after)
{
	guint at = 0;
	for (guint i = 0; i < before->len; i++) {
		guint found = 0;
		while (found < after->len && g_array_index(after, guint64, found)
			!= g_array_index(before, guint64, i)) {
			found++;
		}
		if (found == after->len) {
			continue;
		}
		if (found < at) {
			return true;
		}
		at = found;
	}
	return false;
}

void disturbance_answer(struct answer *answer, const struct probe *before,
	const struct probe *after)
{
	if (after == NULL) {
		answer_null(answer, "disturbed");
		return;
	}
	answer_open_array(answer, "disturbed");
	/* What was taken and given back was taken. */
	bool stolen = before->steals != after->steals;
	if (stolen || before->focus != after->focus) {
		answer_string(answer, NULL, "focus");
	}
	if (stolen || before->active_window != after->active_window) {
		answer_string(answer, NULL, "active_window");
	}
	/* Where the user's own hand moved it, nothing was disturbed. */
	bool elsewhere = before->pointer.x != after->pointer.x || before->pointer.y != after->pointer.y;
	if (elsewhere && before->motions == after->motions) {
		answer_string(answer, NULL, "pointer");
	}
	if (restacked(before->stacking, after->stacking)) {
		answer_string(answer, NULL, "stacking");
	}
	bool typing = before->keyboard_grabs != after->keyboard_grabs;
	if (typing) {
		answer_string(answer, NULL, "keyboard_grab");
	}
	/* Alone it is no sign: a press of the user's own makes window managers take the pointer. */
	if ((typing && before->pointer_grabs != after->pointer_grabs) || after->held_ms > FRAME_MS) {
		answer_string(answer, NULL, "pointer_grab");
	}
	answer_close_array(answer);
}

void disturbance_answer_late(struct answer *answer, const struct probe *before)
{
	if (before->late_steals == 0 && before->late_grabs == 0) {
		return;
	}
	answer_open_array(answer, "disturbed_late");
	if (before->late_steals > 0) {
		answer_string(answer, NULL, "focus");
		answer_string(answer, NULL, "active_window");
	}
	if (before->late_grabs > 0) {
		answer_string(answer, NULL, "keyboard_grab");
	}
	answer_close_array(answer);
}
