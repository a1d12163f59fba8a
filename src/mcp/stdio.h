/* SPDX-License-Identifier: MIT */
#ifndef MCP_STDIO_H
#define MCP_STDIO_H

/* `cua-driver mcp`: serves MCP on standard input and output until the input ends. */
int mcp_main(int argc, char **argv);

#endif
