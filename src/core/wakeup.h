/* SPDX-License-Identifier: MIT */
#ifndef CORE_WAKEUP_H
#define CORE_WAKEUP_H

/*
 * This thread is to run soon after it was woken, and asks for little time at once in return. Who it starts, thread or
 * process, does not inherit that. Kernels before Linux 6.12 ignore it.
 */
void wakeup_soon(void);

#endif
