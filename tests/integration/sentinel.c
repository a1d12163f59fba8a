/* SPDX-License-Identifier: MIT */
/* The sentinel calibrated: it sees what is done to a user on purpose, and nothing else. */
#include "lab/oracle.h"

static void calibrate(struct lab_desk *desk)
{
	struct lab_sentinel *sentinel = lab_sentinel_open(desk, NULL);

	lab_sentinel_calibrate(sentinel, 1000);
}

/* Windows that come, move and go behind the user's, and everybody who reads, are no disturbance. */
static void unmoved(struct lab_desk *desk)
{
	struct lab_sentinel *sentinel = lab_sentinel_open(desk, NULL);
	xcb_window_t other = lab_window_open(desk, &(struct lab_window){ .title = "Other", .x = 500,
		.y = 300 });
	uint32_t place[] = { 520, 320 }, size[] = { 300, 200 };

	lab_sentinel_start(sentinel);
	xcb_configure_window(desk->x, other, XCB_CONFIG_WINDOW_X | XCB_CONFIG_WINDOW_Y, place);
	xcb_configure_window(desk->x, other, XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT, size);
	lab_x_stacking(desk);
	lab_sentinel_types(sentinel, 4);
	lab_window_close(desk, other);
	lab_sentinel_types(sentinel, 4);
	struct lab_verdict verdict = lab_sentinel_stop(sentinel);
	if (!verdict.held) {
		lab_journal_note(lab_sentinel_journal(sentinel), 40);
		lab_fail("%s", verdict.text);
	}
	lab_assert_int(verdict.received, verdict.typed);
	lab_assert(verdict.typed >= 10);
}

/* A measurement that never had the focus is not held, however quiet it was. */
static void absent(struct lab_desk *desk)
{
	struct lab_sentinel *sentinel = lab_sentinel_open(desk, NULL);
	xcb_window_t other = lab_window_open(desk, &(struct lab_window){ .title = "Other", .x = 500,
		.y = 300 });

	lab_sentinel_start(sentinel);
	lab_assert(lab_sentinel_stop(sentinel).held);
	lab_user_works_in(desk, other);
	lab_sentinel_begin(sentinel);
	struct lab_verdict verdict = lab_sentinel_stop(sentinel);
	lab_assert(!verdict.held);
	lab_assert(verdict.focus_lost > 0 && verdict.missing > 0);
}

static const struct lab_test tests[] = {
	{ .name = "calibrate", .run = calibrate, .servers = LAB_XVFB, .wms = "* none",
	  .about = "Each deliberate violation is caught as what it is; a quiet run is held." },
	{ .name = "calibrate_vnc", .run = calibrate, .servers = LAB_XVNC, .wms = "openbox",
	  .about = "The same on the other X server." },
	{ .name = "unmoved", .run = unmoved, .servers = LAB_XVFB, .wms = "*",
	  .about = "What happens behind the user's window does not count." },
	{ .name = "absent", .run = absent, .servers = LAB_XVFB, .wms = "openbox",
	  .about = "A sentinel that was not in front does not claim that all was well." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
