/* SPDX-License-Identifier: MIT */
#ifndef DAEMON_ADDRESS_H
#define DAEMON_ADDRESS_H

#include <glib.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/un.h>

/*
 * Where the daemon listens unless told otherwise: below XDG_RUNTIME_DIR, else the home folder. Daemon
 * and commands apply discovery first, so that those from outside of the desktop (docker exec) mean the
 * same place. The caller frees it.
 */
char *address_default(void);

/*
 * Where a command finds the daemon: there, or, if nobody told XDG_RUNTIME_DIR and nobody has listened
 * there, where a daemon would be that was started inside the desktop, or before there was one.
 * Otherwise the same.
 */
char *address_find(void);

/* The socket address of a path; fails if the path is too long for one. */
bool address_of(const char *path, struct sockaddr_un *address, GError **error);

/* Makes the folder of the socket and proves that it is ours alone: nobody else can put a socket there. */
bool address_prepare(const char *path, GError **error);

/* The user at the other end of a connected socket; (uid_t)-1 if that cannot be told. */
uid_t address_peer(int fd);

/* The working folder of the process there, which is what its paths are relative to; NULL if that
 * cannot be told. */
char *address_folder(int fd);

#endif
