/* SPDX-License-Identifier: MIT */
#ifndef COMMANDS_H
#define COMMANDS_H

#include <stdbool.h>

/* A word after `cua-driver`; argv[0] of run() is the word itself. */
struct command {
	const char *name;
	const char *arguments;
	const char *about;
	int (*run)(int argc, char **argv);
	bool helps;              /* it has options, and so a help of its own */
};

/* All of them, ending with a NULL name. */
extern const struct command commands[];

#endif
