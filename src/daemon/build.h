/* SPDX-License-Identifier: MIT */
#ifndef DAEMON_BUILD_H
#define DAEMON_BUILD_H

/* What tells this program from another build of it, in a few hexadecimal digits. Never NULL. */
const char *build_id(void);

#endif
