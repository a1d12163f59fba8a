/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "cli.h"
#include "manual.h"

/* Prints a generated manual page, or the completions of a shell, while the program is built. */
int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "tools") == 0) {
		manual_tools_page(stdout);
	} else if (argc == 2 && strcmp(argv[1], "errors") == 0) {
		manual_errors_page(stdout);
	} else if (argc == 2 && strcmp(argv[1], "completion") == 0) {
		manual_completion(stdout);
	} else {
		fprintf(stderr, "Usage: generate tools|errors|completion\n");
		return EXIT_BAD_USAGE;
	}
	return 0;
}
