/* SPDX-License-Identifier: MIT */
#include "xlib.h"

#include <X11/Xatom.h>
#include <X11/Xutil.h>
#include <glib.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "journal.h"
#include "model.h"

#define WIDTH 640
#define HEIGHT 480
#define STEP 20

struct timer {
	gint64 due;
	void (*call)(void *data);
	void *data;
};

static struct {
	Display *display;
	Window window;
	Window second; /* with --second; another window of the same process, None otherwise */
	GC gc;
	Atom delete_window;
	GArray *timers; /* of struct timer */
	GArray *points; /* of XPoint: what was pressed */
	bool disabled;
	bool shown;
	int label; /* the one it shows: the last that changed */
} canvas = {.label = -1};

static void draw(void)
{
	Display *display = canvas.display;
	const char *text = canvas.label < 0 ? "" : model_label_text(canvas.label);

	if (canvas.window == None) {
		return;
	}
	XClearWindow(display, canvas.window);
	if (model_wants_colours()) {
		return;
	}
	XSetForeground(display, canvas.gc, xlib_colour(display, "grey80"));
	for (int x = 0; x < WIDTH; x += STEP) {
		XDrawLine(display, canvas.window, canvas.gc, x, 0, x, HEIGHT);
	}
	for (int y = 0; y < HEIGHT; y += STEP) {
		XDrawLine(display, canvas.window, canvas.gc, 0, y, WIDTH, y);
	}
	XSetForeground(display, canvas.gc, xlib_colour(display, canvas.disabled ? "grey60" : "red"));
	for (guint i = 0; i < canvas.points->len; i++) {
		XPoint at = g_array_index(canvas.points, XPoint, i);

		XDrawLine(display, canvas.window, canvas.gc, at.x - 4, at.y, at.x + 4, at.y);
		XDrawLine(display, canvas.window, canvas.gc, at.x, at.y - 4, at.x, at.y + 4);
	}
	XDrawString(display, canvas.window, canvas.gc, 4, HEIGHT - 6, text, (int)strlen(text));
}

static void create(void)
{
	Display *display = canvas.display;
	const char *colour = model_wants_colours() ? model_colour(CONTROL_CHILD) : "white";
	XSizeHints hints = {.flags = PMinSize | PMaxSize, .min_width = WIDTH, .min_height = HEIGHT,
		.max_width = WIDTH, .max_height = HEIGHT};
	XWMHints input = {.flags = InputHint, .input = True};
	/* Not const: XSetClassHint() does not change them, but does not say so. */
	char name[] = "canvas";
	char class[] = "Harness";
	XClassHint class_hint = {name, class};

	canvas.window = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, WIDTH, HEIGHT, 0,
		0, xlib_colour(display, colour));
	XStoreName(display, canvas.window, model_title("main"));
	XSetWMNormalHints(display, canvas.window, &hints);
	XSetWMHints(display, canvas.window, &input);
	XSetClassHint(display, canvas.window, &class_hint);
	XSetWMProtocols(display, canvas.window, &canvas.delete_window, 1);
	XSelectInput(display, canvas.window, XLIB_INPUT_MASK | ExposureMask | StructureNotifyMask);
	XMapWindow(display, canvas.window);
}

static void create_second(void)
{
	Display *display = canvas.display;
	XWMHints input = {.flags = InputHint, .input = True};

	canvas.second = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 300, 150, 0, 0,
		xlib_colour(display, "grey70"));
	XStoreName(display, canvas.second, model_title("second"));
	XSetWMHints(display, canvas.second, &input);
	XSetWMProtocols(display, canvas.second, &canvas.delete_window, 1);
	XSelectInput(display, canvas.second, XLIB_INPUT_MASK);
	XMapWindow(display, canvas.second);
}

static void show_label(int label, const char *text)
{
	(void)text;
	canvas.label = label;
	draw();
}

static void disable(enum control control)
{
	(void)control;
	canvas.disabled = true;
	draw();
}

static void vanish(enum control control)
{
	(void)control;
	if (canvas.window != None) {
		XDestroyWindow(canvas.display, canvas.window);
		canvas.window = None;
	}
}

static void replace(enum control control)
{
	vanish(control);
	create();
}

static void open_modal(void)
{
	journal_note("a canvas has no modal dialog");
}

static void after(int ms, void (*call)(void *data), void *data)
{
	struct timer timer = {g_get_monotonic_time() + ms * (gint64)1000, call, data};

	g_array_append_val(canvas.timers, timer);
}

static const struct toolkit toolkit = {
	.name = "canvas",
	.show_label = show_label,
	.disable = disable,
	.vanish = vanish,
	.replace = replace,
	.open_modal = open_modal,
	.after = after,
};

static void press(const XButtonEvent *button)
{
	XPoint at = {(short)button->x, (short)button->y};

	if (canvas.disabled) {
		return;
	}
	journal_note("press of %u at %d,%d in the window, %d,%d on the screen", button->button,
		button->x, button->y, button->x_root, button->y_root);
	g_array_append_val(canvas.points, at);
	model_increment(CONTROL_CHILD, "child");
}

/* False: the window was closed. */
static bool handle(XEvent *event)
{
	if (xlib_devices_event(event)) {
		return true;
	}
	if (canvas.second != None && event->xany.window == canvas.second) {
		xlib_journal(event, model_id(CONTROL_SECOND), event->xany.send_event);
		return event->type != ClientMessage;
	}
	xlib_journal(event, model_id(CONTROL_CHILD), event->xany.send_event);
	switch (event->type) {
	case Expose:
		if (event->xexpose.count == 0) {
			draw();
		}
		break;
	case MapNotify:
		if (!canvas.shown) {
			canvas.shown = true;
			journal_ready(toolkit.name);
		}
		break;
	case ButtonPress:
		/* The wheel's buttons are journalled as scrolling and are no presses. */
		if (event->xbutton.button < 4) {
			press(&event->xbutton);
		}
		break;
	case ClientMessage:
		return (Atom)event->xclient.data.l[0] != canvas.delete_window;
	default:
		break;
	}
	return true;
}

/* Calls what is due; how long to wait for the next in milliseconds, -1 if there is none. */
static int run_timers(void)
{
	gint64 next = -1;

	for (guint i = 0; i < canvas.timers->len;) {
		struct timer timer = g_array_index(canvas.timers, struct timer, i);
		gint64 left = timer.due - g_get_monotonic_time();

		if (left <= 0) {
			g_array_remove_index(canvas.timers, i);
			timer.call(timer.data);
			continue;
		}
		next = next < 0 ? left : MIN(next, left);
		i++;
	}
	return next < 0 ? -1 : (int)(next / 1000 + 1);
}

int canvas_main(int argc, char **argv)
{
	struct pollfd connection = {.events = POLLIN};

	model_init(&argc, argv, &toolkit);
	canvas.display = XOpenDisplay(NULL);
	if (!canvas.display) {
		fprintf(stderr, "harness: no display\n");
		return 69;
	}
	canvas.timers = g_array_new(FALSE, FALSE, sizeof(struct timer));
	canvas.points = g_array_new(FALSE, FALSE, sizeof(XPoint));
	canvas.delete_window = XInternAtom(canvas.display, "WM_DELETE_WINDOW", False);
	canvas.gc = XCreateGC(canvas.display, DefaultRootWindow(canvas.display), 0, NULL);
	xlib_devices_init(canvas.display);
	create();
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--second") == 0) {
			create_second();
		}
	}
	connection.fd = ConnectionNumber(canvas.display);
	for (;;) {
		int timeout = run_timers();

		/* Counted after the timers, which may have drawn and so read events. */
		while (XPending(canvas.display) > 0) {
			XEvent event;

			XNextEvent(canvas.display, &event);
			if (!handle(&event)) {
				XCloseDisplay(canvas.display);
				return 0;
			}
			timeout = 0;
		}
		if (timeout != 0) {
			poll(&connection, 1, timeout);
		}
	}
}
