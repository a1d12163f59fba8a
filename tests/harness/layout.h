/* SPDX-License-Identifier: MIT */
#ifndef HARNESS_LAYOUT_H
#define HARNESS_LAYOUT_H

#include "model.h"

/*
 * Where the controls of the GTK harnesses are, in pixels of the main window's content. Fixed, so
 * that a control that vanishes or is replaced moves no other.
 */
#define LAYOUT_WIDTH 880
#define LAYOUT_HEIGHT 660

struct place {
	int x;
	int y;
	int width;
	int height;
};

static const struct place layout[CONTROL_COUNT] = {
	[CONTROL_MENU_BAR] = {0, 0, LAYOUT_WIDTH, 32},

	[CONTROL_AGREE] = {10, 42, 260, 40},
	[CONTROL_TARGET] = {10, 90, 260, 40},
	[CONTROL_SLIDER] = {10, 138, 260, 40},
	[CONTROL_INPUT] = {10, 186, 260, 40},
	[CONTROL_PASSWORD] = {10, 234, 260, 40},
	[CONTROL_CONTEXT] = {10, 282, 260, 40},
	[CONTROL_COUNTER] = {10, 330, 260, 40},

	[CONTROL_MODAL] = {290, 42, 260, 40},
	[CONTROL_POPUP] = {290, 90, 260, 40},
	[CONTROL_SECOND] = {290, 138, 260, 40},
	[CONTROL_CHOICE] = {290, 186, 260, 40},
	[CONTROL_CHILD] = {290, 234, 260, 136},

	[CONTROL_SCROLL] = {570, 42, 300, 136},
	[CONTROL_LIST] = {570, 186, 145, 240},
	[CONTROL_TREE] = {725, 186, 145, 240},
};

/* The labels of the state are below, in rows of four; then the decoys. */
#define LAYOUT_LABEL_X(label) (10 + (label) % 4 * 217)
#define LAYOUT_LABEL_Y(label) (440 + (label) / 4 * 26)
#define LAYOUT_LABEL_WIDTH 207

static const struct place layout_clock = {10, 560, 120, 26};
static const struct place layout_progress = {10, 600, 260, 26};
static const struct place layout_log = {290, 560, 580, 90};

/* The tall area: scenarios.json says 2000 pixels. */
#define LAYOUT_ROWS 20
#define LAYOUT_ROW_HEIGHT 100

#endif
