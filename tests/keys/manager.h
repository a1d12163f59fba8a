/* SPDX-License-Identifier: MIT */
#ifndef TEST_MANAGER_H
#define TEST_MANAGER_H

#include "lab/lab.h"

/*
 * A window manager that manages, and activates nothing that it is asked for: on a bare server, with these windows, back to
 * front, one of which is active for ever. It ends with the test.
 */
void manager_start(struct lab_desk *desk, const uint32_t *windows, int count, uint32_t active);

#endif
