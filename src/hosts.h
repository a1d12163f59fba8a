/* SPDX-License-Identifier: MIT */
#ifndef HOSTS_H
#define HOSTS_H

/* `cua-driver mcp-config --client NAME`: what to put where, so that an MCP host starts the driver. */
int mcp_config_main(int argc, char **argv);

#endif
