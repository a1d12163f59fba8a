/* SPDX-License-Identifier: MIT */
/* C, because the tables of layout.h are written in a way that C++ does not know. */
#include "qt5-layout.h"

#include "layout.h"

static struct qt5_place from(const struct place *place)
{
	return (struct qt5_place){place->x, place->y, place->width, place->height};
}

struct qt5_place qt5_window_place(void)
{
	return (struct qt5_place){0, 0, LAYOUT_WIDTH, LAYOUT_HEIGHT};
}

struct qt5_place qt5_control_place(enum control control)
{
	return from(&layout[control]);
}

struct qt5_place qt5_label_place(int label)
{
	return (struct qt5_place){LAYOUT_LABEL_X(label), LAYOUT_LABEL_Y(label), LAYOUT_LABEL_WIDTH, 22};
}

struct qt5_place qt5_decoy_place(enum qt5_decoy decoy)
{
	static const struct place *const places[] = {&layout_clock, &layout_progress, &layout_log};

	return from(places[decoy]);
}
