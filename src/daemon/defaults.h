/* SPDX-License-Identifier: MIT */
#ifndef DAEMON_DEFAULTS_H
#define DAEMON_DEFAULTS_H

/* `cua-driver config`: the global defaults. A running daemon sees what changes at its next call. */
int config_main(int argc, char **argv);

#endif
