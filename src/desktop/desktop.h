/* SPDX-License-Identifier: MIT */
#ifndef CUA_DESKTOP_DESKTOP_H
#define CUA_DESKTOP_DESKTOP_H

/*
 * The subcommand `cua-driver desktop [OPTION]… -- COMMAND…`: a private headless desktop around
 * one command. argv[0] is "desktop".
 *
 * Returns the exit code of COMMAND, 128 + N when signal N ended it, 124 when --timeout did,
 * 126/127 when it could not be executed, or an enum exit_code: EXIT_BAD_USAGE, EXIT_UNAVAILABLE
 * (a program is not installed; the message names its package), EXIT_INTERNAL (it did not start,
 * or the X server died under the command).
 *
 * Call it first thing in main() and return what it returns: it forks, so no thread may run yet;
 * it hands its own standard input and output to COMMAND and points them at /dev/null; COMMAND
 * gets the signal mask and dispositions found here. When it returns nothing it started is left.
 */
int desktop_main(int argc, char **argv);

#endif
