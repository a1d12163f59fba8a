/* SPDX-License-Identifier: MIT */
#ifndef MANUAL_H
#define MANUAL_H

#include <stdio.h>

#include "core/tool.h"

/* What people read about tools and errors, made from the same tables the program works by. */
void manual_list_tools(FILE *out);
void manual_describe_tool(const struct tool *tool, FILE *out);

/* cua-driver-tools(7) and cua-driver-errors(7) in the man language. */
void manual_tools_page(FILE *out);
void manual_errors_page(FILE *out);

/* Completions for bash: commands, tools, settings. */
void manual_completion(FILE *out);

#endif
