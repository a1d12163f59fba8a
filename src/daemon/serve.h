/* SPDX-License-Identifier: MIT */
#ifndef DAEMON_SERVE_H
#define DAEMON_SERVE_H

/* `cua-driver serve`: the daemon. Serves MCP on a socket of its own until it is told to stop. */
int serve_main(int argc, char **argv);

#endif
