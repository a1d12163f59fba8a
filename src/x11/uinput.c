/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/uinput.h"

#include <libevdev/libevdev-uinput.h>
#include <unistd.h>

#include "core/error.h"

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
		[UINPUT_NO_NODE] = "there is no " UINPUT_NODE,
		[UINPUT_NOT_WRITABLE] = UINPUT_NODE " is not ours to write",
		[UINPUT_NOT_TAKEN] = "this display takes no devices of the kernel",
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

int uinput_axis(int pixel, int size)
{
	return size > 0 ? (int)(((gint64)pixel * 2 + 1) * UINPUT_RANGE / ((gint64)size * 2)) : 0;
}

struct libevdev *uinput_describe(const char *name)
{
	static const unsigned buttons[] = { BTN_LEFT, BTN_MIDDLE, BTN_RIGHT };
	static const unsigned axes[] = { ABS_X, ABS_Y };
	static const unsigned wheels[] = { REL_WHEEL, REL_HWHEEL };
	const struct input_absinfo axis = { .minimum = 0, .maximum = UINPUT_RANGE - 1 };
	struct libevdev *device = libevdev_new();
	libevdev_set_name(device, name);
	/* Not a tablet and not a touch screen: it points, and the pointer shows where. */
	libevdev_enable_property(device, INPUT_PROP_POINTER);
	for (gsize i = 0; i < G_N_ELEMENTS(axes); i++) {
		libevdev_enable_event_code(device, EV_ABS, axes[i], &axis);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(buttons); i++) {
		libevdev_enable_event_code(device, EV_KEY, buttons[i], NULL);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(wheels); i++) {
		libevdev_enable_event_code(device, EV_REL, wheels[i], NULL);
	}
	return device;
}

struct uinput_device {
	struct libevdev_uinput *node;
	int x, y;                  /* what the axes said last */
};

struct uinput_device *uinput_open(const char *name, GError **error)
{
	struct libevdev *wanted = uinput_describe(name);
	struct libevdev_uinput *node = NULL;
	int failed = libevdev_uinput_create_from_device(wanted, LIBEVDEV_UINPUT_OPEN_MANAGED, &node);
	libevdev_free(wanted);
	if (failed != 0) {
		error_set(error, ERROR_NO_INPUT_DEVICE, "The kernel makes no pointer: %s",
			g_strerror(-failed));
		return NULL;
	}
	struct uinput_device *device = g_new0(struct uinput_device, 1);
	device->node = node;
	return device;
}

void uinput_close(struct uinput_device *device)
{
	if (device != NULL) {
		libevdev_uinput_destroy(device->node);
		g_free(device);
	}
}

static bool tell(struct uinput_device *device, unsigned type, unsigned code, int value)
{
	return libevdev_uinput_write_event(device->node, type, code, value) == 0;
}

/* The end of what happened at once. */
static bool end(struct uinput_device *device)
{
	return tell(device, EV_SYN, SYN_REPORT, 0);
}

static bool go(struct uinput_device *device, int x, int y)
{
	device->x = x;
	device->y = y;
	return tell(device, EV_ABS, ABS_X, x) && tell(device, EV_ABS, ABS_Y, y) && end(device);
}

int uinput_move(struct uinput_device *device, struct screen_px point, int width, int height)
{
	int x = uinput_axis(point.x, width), y = uinput_axis(point.y, height);
	bool there = x == device->x && y == device->y;
	/* Away by less than a pixel. */
	if (there && !go(device, x > 0 ? x - 1 : x + 1, y)) {
		return 0;
	}
	return go(device, x, y) ? 1 + there : 0;
}

bool uinput_button(struct uinput_device *device, unsigned button, bool press)
{
	static const unsigned codes[] = { 0, BTN_LEFT, BTN_MIDDLE, BTN_RIGHT };
	return button >= 1 && button < G_N_ELEMENTS(codes) && tell(device, EV_KEY, codes[button], press)
		&& end(device);
}

bool uinput_turn(struct uinput_device *device, unsigned wheel)
{
	/* Up and right are forward. */
	static const struct {
		unsigned code;
		int value;
	} notches[] = { { REL_WHEEL, 1 }, { REL_WHEEL, -1 }, { REL_HWHEEL, -1 }, { REL_HWHEEL, 1 } };
	return wheel >= 4 && wheel < 4 + G_N_ELEMENTS(notches)
		&& tell(device, EV_REL, notches[wheel - 4].code, notches[wheel - 4].value) && end(device);
}
