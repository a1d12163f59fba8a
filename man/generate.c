/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "cli.h"
#include "manual.h"

/* Prints a generated manual page while the program is built. */
int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "tools") == 0) {
		manual_tools_page(stdout);
	} else if (argc == 2 && strcmp(argv[1], "errors") == 0) {
		manual_errors_page(stdout);
	} else {
		fprintf(stderr, "Usage: generate tools|errors\n");
		return EXIT_BAD_USAGE;
	}
	return 0;
}
