/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/uinput.h"

#include <unistd.h>

enum uinput uinput_probe(const char *node, bool taken)
{
	if (access(node, F_OK) != 0) {
		return UINPUT_NO_NODE;
	}
	if (access(node, W_OK) != 0) {
		return UINPUT_NOT_WRITABLE;
	}
	return taken ? UINPUT_READY : UINPUT_NOT_TAKEN;
}

const char *uinput_text(enum uinput uinput)
{
	static const char *const texts[] = {
		[UINPUT_READY] = "can be made",
		[UINPUT_NO_NODE] = "none: there is no " UINPUT_NODE,
		[UINPUT_NOT_WRITABLE] = "none: " UINPUT_NODE " is not ours to write",
		[UINPUT_NOT_TAKEN] = "none: this display takes no devices of the kernel",
	};
	return texts[uinput];
}

const char *uinput_advice(enum uinput uinput)
{
	static const char *const texts[] = {
		[UINPUT_NO_NODE] = "sudo modprobe uinput",
		[UINPUT_NOT_WRITABLE] = "sudo setfacl -m u:$USER:rw " UINPUT_NODE,
		[UINPUT_NOT_TAKEN] = NULL,
	};
	return uinput == UINPUT_READY ? NULL : texts[uinput];
}

static void add_axis(struct libevdev *device, unsigned code, int size)
{
	const struct input_absinfo axis = { .minimum = 0, .maximum = size - 1, .resolution = 1 };
	libevdev_enable_event_code(device, EV_ABS, code, &axis);
}

struct libevdev *uinput_describe(const char *name, int width, int height)
{
	static const unsigned buttons[] = { BTN_LEFT, BTN_MIDDLE, BTN_RIGHT };
	static const unsigned wheels[] = { REL_WHEEL, REL_HWHEEL };
	struct libevdev *device = libevdev_new();
	libevdev_set_name(device, name);
	/* Not a tablet and not a touch screen: it points, and the pointer shows where. */
	libevdev_enable_property(device, INPUT_PROP_POINTER);
	add_axis(device, ABS_X, width);
	add_axis(device, ABS_Y, height);
	for (unsigned i = 0; i < sizeof buttons / sizeof *buttons; i++) {
		libevdev_enable_event_code(device, EV_KEY, buttons[i], NULL);
	}
	for (unsigned i = 0; i < sizeof wheels / sizeof *wheels; i++) {
		libevdev_enable_event_code(device, EV_REL, wheels[i], NULL);
	}
	return device;
}
