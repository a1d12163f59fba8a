/* SPDX-License-Identifier: MIT */
#ifndef X11_UINPUT_H
#define X11_UINPUT_H

#include <glib.h>
#include <libevdev/libevdev.h>
#include <stdbool.h>

#include "core/frame.h"

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

/* A pixel of a screen so large, as the device tells it; the middle of the pixel, so that no rounding leaves it. */
enum { UINPUT_RANGE = 65536 };
int uinput_axis(int pixel, int size);

/*
 * What such a device is: an absolute pointer over a whole screen, with three buttons and two wheels. The
 * caller frees it with libevdev_free().
 */
struct libevdev *uinput_describe(const char *name);

/* Such a device, which is there until it is closed or its process is gone. Nothing here waits. */
struct uinput_device;

/* NULL with ERROR_NO_INPUT_DEVICE if the kernel makes none. */
struct uinput_device *uinput_open(const char *name, GError **error);
void uinput_close(struct uinput_device *device);

/*
 * What a hand does with it; false if the kernel did not take it. Buttons are as X counts them: 1 to 3, and 4 to 7 for
 * a notch of a wheel.
 *
 * uinput_move() returns how often it told of a place; 0: the kernel did not take it. A place it is at already is left and come back
 * to: the kernel tells nobody of an axis that stays as it is, and our pointer may have been moved otherwise.
 */
int uinput_move(struct uinput_device *device, struct screen_px point, int width, int height);
bool uinput_button(struct uinput_device *device, unsigned button, bool press);
bool uinput_turn(struct uinput_device *device, unsigned wheel);

#endif
