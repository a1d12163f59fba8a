/* SPDX-License-Identifier: MIT */
#ifndef DAEMON_CALL_H
#define DAEMON_CALL_H

/*
 * `cua-driver call TOOL [JSON]`: one call, by the daemon if one listens, otherwise in this process.
 * argv[0] is "call", or the tool itself.
 */
int call_main(int argc, char **argv);

#endif
