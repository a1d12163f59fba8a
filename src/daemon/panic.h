/* SPDX-License-Identifier: MIT */
#ifndef DAEMON_PANIC_H
#define DAEMON_PANIC_H

/* `cua-driver panic [--resume]`: the emergency stop of all drivers of this user, and its end. */
int panic_main(int argc, char **argv);

#endif
