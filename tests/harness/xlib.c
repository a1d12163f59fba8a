/* SPDX-License-Identifier: MIT */
#include "xlib.h"

#include <X11/Xutil.h>
#include <X11/extensions/XInput2.h>
#include <stdio.h>

#include "journal.h"

/* A press is told first raw, then to the window; only what came between can push it out. */
static struct press {
	Time time;
	int button;
	int device;
	int source;
} presses[16];
static unsigned press_count;
static int xi_opcode;

void xlib_devices_init(Display *display)
{
	unsigned char bits[XIMaskLen(XI_LASTEVENT)] = {0};
	XIEventMask mask = {XIAllMasterDevices, sizeof(bits), bits};
	int first_event;
	int first_error;
	int major = 2;
	int minor = 2;

	if (!XQueryExtension(display, "XInputExtension", &xi_opcode, &first_event, &first_error) ||
		XIQueryVersion(display, &major, &minor) != Success) {
		xi_opcode = 0;
		journal_note("no X Input 2: devices are not told");
		return;
	}
	XISetMask(bits, XI_RawButtonPress);
	XISelectEvents(display, DefaultRootWindow(display), &mask, 1);
}

bool xlib_devices_event(XEvent *event)
{
	XGenericEventCookie *cookie = &event->xcookie;

	if (event->type != GenericEvent || xi_opcode == 0 || cookie->extension != xi_opcode) {
		return false;
	}
	if (cookie->evtype == XI_RawButtonPress && XGetEventData(cookie->display, cookie)) {
		const XIRawEvent *raw = cookie->data;

		presses[press_count++ % 16] = (struct press){
			.time = raw->time,
			.button = raw->detail,
			.device = raw->deviceid,
			.source = raw->sourceid,
		};
		XFreeEventData(cookie->display, cookie);
	}
	return true;
}

static void note_device(const XButtonEvent *button, const char *control)
{
	for (unsigned i = 0; i < 16; i++) {
		const struct press *press = &presses[i];

		if (press->device != 0 && press->time == button->time &&
			press->button == (int)button->button) {
			journal_note("button %d on %s by device %d, source %d", press->button, control,
				press->device, press->source);
			return;
		}
	}
}

static void journal_button(XButtonEvent *button, const char *control, bool sent)
{
	static const char *const directions[] = {"up", "down", "left", "right"};
	bool press = button->type == ButtonPress;
	char number[16];

	if (press) {
		journal_modifiers(button->state);
	}
	if (button->button >= 4 && button->button <= 7) {
		if (press) {
			journal_event("scroll", control, button->x_root, button->y_root,
				directions[button->button - 4], sent);
		}
		return;
	}
	snprintf(number, sizeof(number), "%u", button->button);
	journal_event(press ? "button_press" : "button_release", control, button->x_root,
		button->y_root, number, sent);
	if (press && !sent) {
		note_device(button, control);
	}
}

static const char *crossing_mode(int mode)
{
	switch (mode) {
	case NotifyGrab:
		return "grab";
	case NotifyUngrab:
		return "ungrab";
	default:
		return NULL;
	}
}

void xlib_journal(XEvent *event, const char *control, bool sent)
{
	KeySym symbol = NoSymbol;
	char text[32];

	switch (event->type) {
	case KeyPress:
	case KeyRelease:
		XLookupString(&event->xkey, text, sizeof(text), &symbol, NULL);
		journal_event(event->type == KeyPress ? "key_press" : "key_release", control,
			event->xkey.x_root, event->xkey.y_root, XKeysymToString(symbol), sent);
		break;
	case ButtonPress:
	case ButtonRelease:
		journal_button(&event->xbutton, control, sent);
		break;
	case MotionNotify:
		journal_event("motion", control, event->xmotion.x_root, event->xmotion.y_root, NULL, sent);
		break;
	case EnterNotify:
	case LeaveNotify:
		journal_event(event->type == EnterNotify ? "enter" : "leave", control,
			event->xcrossing.x_root, event->xcrossing.y_root,
			crossing_mode(event->xcrossing.mode), sent);
		break;
	case FocusIn:
	case FocusOut:
		journal_event(event->type == FocusIn ? "focus_in" : "focus_out", control, -1, -1,
			crossing_mode(event->xfocus.mode), sent);
		break;
	default:
		break;
	}
}

unsigned long xlib_colour(Display *display, const char *name)
{
	XColor colour = {0};
	XColor exact;
	Colormap map = DefaultColormap(display, DefaultScreen(display));

	XAllocNamedColor(display, map, name, &colour, &exact);
	return colour.pixel;
}
