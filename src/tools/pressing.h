/* SPDX-License-Identifier: MIT */
#ifndef TOOLS_PRESSING_H
#define TOOLS_PRESSING_H

#include "tools/acting.h"

/* What press_key and hotkey have in common: presses these keys at once, on what the arguments name. */
void pressing_run(struct call *call, const char *const *keys);

#endif
