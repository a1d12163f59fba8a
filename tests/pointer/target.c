/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "pointer.h"

#define CONTROLS .press = "btn-counter", .twice = "btn-target", .slide = "sld-value", .wheel = "scroll-tall", \
	.counts = "counter", .says = "last_action", .slid = "slider_value", .scrolled = "scroll_offset"

const struct target targets[] = { { .name = "gtk3", CONTROLS, .modifier = "ctrl" },
	{ .name = "gtk4", CONTROLS, .modifier = "ctrl" },
	/* The view gets each turn, and so does what it is in. */
	{ .name = "qt5", CONTROLS, .modifier = "ctrl", .least = TURNS, .most = 2 * TURNS },
	/* It makes one event of several turns. */
	{ .name = "web",
		CONTROLS,
		.needs = "chromium",
		.modifier = "ctrl",
		.holds = true,
		.least = 1,
		.most = TURNS },
	/* Control and a button opens a menu of xterm, Shift keeps a press from the program inside.
	 */
	{ .name = "terminal",
		.needs = "xterm",
		.press = "terminal",
		.twice = "terminal",
		.slide = "terminal",
		.wheel = "terminal",
		.modifier = "alt" },
	{ .name = "xaw", .option = "--colours", CONTROLS, .modifier = "alt" },
	/* Alt and a button moves windows in every window manager. */
	{ .name = "canvas",
		.option = "--second",
		.press = "win-child",
		.twice = "win-child",
		.slide = "win-child",
		.wheel = "win-child",
		.counts = "child",
		.modifier = "alt" },
	{ 0 } };

const struct target *target_named(const char *name)
{
	const struct target *target = targets;

	while (!g_str_equal(target->name, name)) {
		target++;
	}
	return target;
}
