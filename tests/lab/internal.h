/* SPDX-License-Identifier: MIT */
#ifndef LAB_INTERNAL_H
#define LAB_INTERNAL_H

#include <systemd/sd-bus.h>

#include "lab.h"

/* Between the files of the laboratory; tests do not include this. */

/* When the running test must have ended (test.c). */
gint64 lab_test_end(void);

/*
 * Runs one test on one desk in this process and ends the process: 0 passed, 1 failed, 77 skipped,
 * with the reason as the last line of stdout (test.c).
 */
void lab_test_run(const struct lab_test *test, const char *server, const char *wm) G_GNUC_NORETURN;
#define LAB_SKIP_MARK "\001skip "

/* A request id nobody used yet (driver.c). */
int lab_driver_new_id(struct lab_driver *driver);

/* Whether a missing program is a failure: $CI or $CUA_CHECK is set (test.c). */
bool lab_must_have_all(void);

/* Waits for an X event, at most until the deadline; events are thrown away (x.c). */
bool lab_x_wait_event(struct lab_desk *desk, gint64 deadline);

/* The object's role, called as in at-spi2-core 2.46 whatever the release; the caller frees it;
 * NULL: no answer (atspi.c). */
char *lab_atspi_role(sd_bus *bus, const struct lab_node *node);

#endif
