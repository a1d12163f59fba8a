/* SPDX-License-Identifier: MIT */
#ifndef TOOLS_AIMED_H
#define TOOLS_AIMED_H

#include "tools/acting.h"

/* A picture of the window before a click, with what is clicked marked: for whoever wonders why it missed. */
#define PARAM_DEBUG_IMAGE \
	{ "debug_image_out", .type = PARAM_STRING, .path = PATH_FILE, \
	  .about = "Write a picture of the window to this .png file before the click, with the element framed " \
		   "and the point marked by a cross. A leading ~ is the home folder." }

struct aimed {
	char *path;       /* of the file; NULL if there is none */
	char *problem;    /* why not; NULL if none was asked for */
};

/* Fails the answer if debug_image_out cannot be meant. To be called before anything is done. */
bool aimed_check(struct call *call);

/* Takes the picture, if the call asks for one. What goes wrong does not keep the click from happening. */
void aimed_take(struct call *call, const struct aim *aim, struct aimed *aimed);

/* Says it, in a failure, too, and clears it. */
void aimed_answer(struct call *call, struct aimed *aimed);

#endif
