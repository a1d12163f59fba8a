/* SPDX-License-Identifier: MIT */
#ifndef X11_UINPUT_H
#define X11_UINPUT_H

#include <libevdev/libevdev.h>
#include <stdbool.h>

/*
 * A pointer the kernel knows, for applications that insist on a real device. It needs a writable /dev/uinput and
 * an X server that takes devices of the kernel; Xvfb and Xvnc take none.
 */
enum uinput {
	UINPUT_READY,
	UINPUT_NO_NODE,       /* the kernel offers none */
	UINPUT_NOT_WRITABLE,
	UINPUT_NOT_TAKEN,     /* the display takes no devices of the kernel */
};

#define UINPUT_NODE "/dev/uinput"

/* Whether one could be made through `node`; `taken`: the display takes such devices. */
enum uinput uinput_probe(const char *node, bool taken);
/* That in words, and what would help; NULL if nothing would. */
const char *uinput_text(enum uinput uinput);
const char *uinput_advice(enum uinput uinput);

/*
 * What such a device is: an absolute pointer over a screen of that size, with three buttons and two wheels. The
 * caller frees it with libevdev_free().
 */
struct libevdev *uinput_describe(const char *name, int width, int height);

#endif
