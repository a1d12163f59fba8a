/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_KINSHIP_H
#define ATSPI_KINSHIP_H

#include <stdbool.h>
#include <sys/types.h>

#include "atspi/link.h"
#include "core/element.h"
#include "core/window.h"

/*
 * Whose the elements of a window are. Any application can list an object of any other one among its
 * children, and what is done to that is done there. What the kernel tells of the processes decides
 * which ones belong together.
 */

/* Whether the process is `ancestor`, or was started by it, or by what it started. */
bool kinship_is_below(pid_t pid, pid_t ancestor);

/*
 * Whether a process may show a part of the window of another: it is below it, as WebKitGTK's web
 * process and the programs of a panel are, the bubblewrap and bus proxies between them included; or
 * both are of one Flatpak application, whose portal starts such a process.
 */
bool kinship_may_show(pid_t shower, pid_t window);

/*
 * Notes in the elements of a window's tree that another process answers for which one that is, and
 * whether it is a stranger there
 * (`pid`, `foreign`). Who answers for the root was proved to be the window's. Asks the bus only if
 * there are such elements; without an answer in time they are foreign.
 */
void kinship_mark(struct link *link, struct tree *tree, const struct window *window,
	struct deadline deadline);

#endif
