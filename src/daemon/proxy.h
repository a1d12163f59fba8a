/* SPDX-License-Identifier: MIT */
#ifndef DAEMON_PROXY_H
#define DAEMON_PROXY_H

/*
 * Hands what comes from `in` to the daemon on that socket and its answers to `out`, both not
 * blocking, until one side ends. Returns the exit code.
 */
int proxy_run(const char *path, int in, int out);

#endif
