/* SPDX-License-Identifier: MIT */
#ifndef TOOLS_ANSWERS_H
#define TOOLS_ANSWERS_H

#include "core/answer.h"
#include "core/param.h"
#include "core/platform.h"
#include "core/window.h"

/* Fields that several tools answer. */

/* width, height, scale_factor and monitors[], and a sentence about them. */
void answer_screen(struct answer *answer, const struct screen *screen);

/* What of this desktop the platform cannot reach, as `limitation`, if there is such a thing. */
void answer_limitation(struct answer *answer, struct platform *platform);

/* windows[] as list_windows has them, front first, and a line about each. The list is back to front. */
void answer_windows(struct answer *answer, const GPtrArray *windows);

/* A setting's value under its name, by its type; NULL: not set. */
void answer_setting(struct answer *answer, const struct param *setting, const char *text);

#endif
