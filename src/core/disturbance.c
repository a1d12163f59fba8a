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
	for (guint i = 0; before != after && i < before->len; i++) {
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

/* What differs between two looks: enum disturbance bits. */
static unsigned compare(const struct probe *before, const struct probe *after)
{
	/* What was taken and given back was taken. */
	bool stolen = before->steals != after->steals;
	/* Where the user's own hand moved it, nothing was disturbed. */
	bool elsewhere = before->pointer.x != after->pointer.x || before->pointer.y != after->pointer.y;
	return (stolen || before->focus != after->focus ? DISTURBED_FOCUS : 0)
		| (stolen || before->active_window != after->active_window ? DISTURBED_ACTIVE_WINDOW
									   : 0)
		| (elsewhere && before->motions == after->motions ? DISTURBED_POINTER : 0)
		| (before->rises != after->rises || restacked(before->stacking, after->stacking)
				? DISTURBED_STACKING
				: 0)
		| (before->copies != after->copies ? DISTURBED_CLIPBOARD : 0);
}

/* Items of an open array. */
static void answer_names(struct answer *answer, unsigned bits)
{
	static const struct {
		enum disturbance bit;
		const char *name;
	} names[] = { { DISTURBED_FOCUS, "focus" }, { DISTURBED_ACTIVE_WINDOW, "active_window" },
		{ DISTURBED_POINTER, "pointer" }, { DISTURBED_STACKING, "stacking" },
		{ DISTURBED_CLIPBOARD, "clipboard" } };
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		if ((bits & names[i].bit) != 0) {
			answer_string(answer, NULL, names[i].name);
		}
	}
}

/* Keys that could not be kept for the user. */
static void answer_keys(struct answer *answer, const char *name, unsigned count)
{
	if (count > 0) {
		answer_int(answer, name, count);
		answer_text(answer,
			"%u of the user's keys went to a window that had taken the focus.\n",
			count);
	}
}

void disturbance_answer_of(struct answer *answer, const struct action *action, const struct probe *before,
	const struct probe *after)
{
	if (after == NULL) {
		answer_null(answer, "disturbed");
		return;
	}
	unsigned changed = compare(before, after);
	answer_open_array(answer, "disturbed");
	answer_names(answer, action->disturbed | changed);
	bool typing = before->keyboard_grabs != after->keyboard_grabs;
	if (typing) {
		answer_string(answer, NULL, "keyboard_grab");
	}
	/* Alone it is no sign: a press of the user's own makes window managers take the pointer. */
	if ((typing && before->pointer_grabs != after->pointer_grabs) || after->held_ms > FRAME_MS) {
		answer_string(answer, NULL, "pointer_grab");
	}
	answer_close_array(answer);
	answer_keys(answer, "keys_lost", after->keys_lost - before->keys_lost);
	if (action->window != NULL && action->disturbed != 0) {
		answer_open_array(answer, "restored");
		answer_names(answer, action->restored);
		answer_close_array(answer);
	}
	if (action->waits_for_menu) {
		answer_bool(answer, "restore_waits_for_menu", true);
		answer_text(answer, "A menu is open and has the user's keyboard: act on it, or press escape, in the "
			"foreground as well. What was the user's is given back when it is closed.\n");
	} else if (action->window != NULL && (action->disturbed & ~action->restored) != 0) {
		answer_text(answer, "Not all of the user's could be given back: see disturbed and restored.\n");
	} else if (action->window != NULL && action->disturbed == 0
		&& changed == DISTURBED_CLIPBOARD && !typing) {
		answer_text(answer,
			"The application replaced what the user had copied: tell the user, whose "
			"clipboard cannot be given back.\n");
	} else if (action->window != NULL && action->disturbed != 0) {
		answer_text(answer, "The user was interrupted, and has everything back.\n");
	} else if (action->window != NULL && (changed != 0 || typing)) {
		answer_text(answer, "The application took something of the user's in answer to it: see disturbed.\n");
	}
}

void disturbance_answer(struct answer *answer, const struct probe *before, const struct probe *after)
{
	const struct action none = { .disturbed = 0 };
	disturbance_answer_of(answer, &none, before, after);
}

void disturbance_answer_late(struct answer *answer, const struct probe *before)
{
	answer_keys(answer, "keys_lost_late", before->late_keys_lost);
	if (before->late_steals == 0 && before->late_rises == 0 && before->late_grabs == 0
		&& before->late_copies == 0) {
		return;
	}
	answer_open_array(answer, "disturbed_late");
	if (before->late_steals > 0) {
		answer_string(answer, NULL, "focus");
		answer_string(answer, NULL, "active_window");
	}
	if (before->late_rises > 0) {
		answer_string(answer, NULL, "stacking");
	}
	if (before->late_grabs > 0) {
		answer_string(answer, NULL, "keyboard_grab");
	}
	if (before->late_copies > 0) {
		answer_string(answer, NULL, "clipboard");
	}
	answer_close_array(answer);
}
