/* SPDX-License-Identifier: MIT */
#ifndef CLI_H
#define CLI_H

/* What the program returns to the shell; 0 is success. The numbers are part of the contract. */
enum exit_code {
	EXIT_TOOL_ERROR = 1,   /* the tool answered isError */
	EXIT_BAD_JSON = 2,     /* the arguments are not JSON */
	EXIT_BAD_USAGE = 64,   /* unknown option or subcommand */
	EXIT_UNAVAILABLE = 69, /* no daemon, no display, a program is not installed */
	EXIT_INTERNAL = 70,    /* a bug, or something we started died */
	EXIT_REFUSED = 77,     /* root against another user's session */
};

#endif
