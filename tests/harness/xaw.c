/* SPDX-License-Identifier: MIT */
#include "xaw.h"

#include <X11/Shell.h>
#include <X11/StringDefs.h>
#include <X11/Xaw/AsciiText.h>
#include <X11/Xaw/Form.h>
#include <X11/Xaw/Label.h>
#include <X11/Xaw/Scrollbar.h>
#include <glib.h>
#include <string.h>

#include "journal.h"
#include "layout.h"
#include "xlib.h"

struct xaw xaw;

static Widget labels[32];
static bool ready;
/* The event being dispatched came by XSendEvent; Xt marks focus events of its own making so too. */
static bool current_sent;
static int current_type;

static struct {
	Widget clock;
	Widget progress;
	Widget log;
	bool caret;
	int ticks;
} decoys;

static const char *control_id(enum control control)
{
	return control == CONTROL_COUNT ? "" : model_id(control);
}

static void on_input(Widget widget, XtPointer data, XEvent *event, Boolean *go_on)
{
	enum control control = (enum control)(gintptr)data;

	(void)go_on;
	xlib_journal(event, control_id(control), current_sent && event->type == current_type);
	if (control != CONTROL_COUNT) {
		xaw_control_input(control, widget, event);
	}
}

static void watch_one(Widget widget, enum control control)
{
	XtAddEventHandler(widget, XLIB_INPUT_MASK, False, on_input, (XtPointer)(gintptr)control);
}

void xaw_watch(Widget widget, enum control control)
{
	/* Menu entries are no widgets of their own and have no window. */
	if (!XtIsWidget(widget)) {
		return;
	}
	watch_one(widget, control);
	if (XtIsComposite(widget)) {
		WidgetList children = NULL;
		Cardinal count = 0;

		XtVaGetValues(widget, XtNchildren, &children, XtNnumChildren, &count, NULL);
		for (Cardinal i = 0; i < count; i++) {
			xaw_watch(children[i], control);
		}
	}
}

char *xaw_utf8(const char *text)
{
	return g_convert(text, -1, "UTF-8", "ISO-8859-1", NULL, NULL, NULL);
}

static void show_label(int label, const char *text)
{
	/* What has no Latin-1 form becomes a question mark on the screen; the journal has it. */
	g_autofree char *latin =
		g_convert_with_fallback(text, -1, "ISO-8859-1", "UTF-8", "?", NULL, NULL, NULL);

	if (labels[label]) {
		XtVaSetValues(labels[label], XtNlabel, latin ? latin : text, NULL);
	}
}

static void disable(enum control control)
{
	if (control == CONTROL_CHILD) {
		xaw.child_disabled = true;
		if (xaw.child != None) {
			XClearArea(xaw.display, xaw.child, 0, 0, 0, 0, True);
		}
	} else if (xaw.controls[control]) {
		XtSetSensitive(xaw.controls[control], False);
	}
}

static void vanish(enum control control)
{
	if (control == CONTROL_CHILD) {
		if (xaw.child != None) {
			XDestroyWindow(xaw.display, xaw.child);
			xaw.child = None;
		}
	} else if (xaw.controls[control]) {
		/* Xt itself waits until its callbacks are done. */
		XtDestroyWidget(xaw.controls[control]);
		xaw.controls[control] = NULL;
	}
}

static void replace(enum control control)
{
	if (xaw.controls[control] || (control == CONTROL_CHILD && xaw.child != None)) {
		vanish(control);
		xaw_control_make(control);
	}
}

struct call {
	void (*call)(void *data);
	void *data;
};

static void on_time(XtPointer data, XtIntervalId *id)
{
	struct call *call = data;

	(void)id;
	call->call(call->data);
	g_free(call);
}

static void after(int ms, void (*call)(void *data), void *data)
{
	struct call *later = g_new(struct call, 1);

	*later = (struct call){call, data};
	XtAppAddTimeOut(xaw.app, (unsigned long)ms, on_time, later);
}

static const struct toolkit toolkit = {
	.name = "xaw",
	.show_label = show_label,
	.disable = disable,
	.vanish = vanish,
	.replace = replace,
	.open_modal = xaw_modal_show,
	.after = after,
};

static void quit(void)
{
	exit(0);
}

static void make_labels(void)
{
	for (int i = 0; i < model_label_count() && i < (int)G_N_ELEMENTS(labels); i++) {
		labels[i] = XtVaCreateManagedWidget("label", labelWidgetClass, xaw.form, XAW_FIXED,
			XtNlabel, model_label_text(i), XtNresize, False, XtNborderWidth, 0, XtNjustify,
			XtJustifyLeft, XtNhorizDistance, LAYOUT_LABEL_X(i), XtNvertDistance, LAYOUT_LABEL_Y(i),
			XtNwidth, LAYOUT_LABEL_WIDTH, XtNheight, 22, NULL);
		xaw_watch(labels[i], CONTROL_COUNT);
	}
}

static Widget make_decoy(WidgetClass class, const struct place *place)
{
	Widget widget = XtVaCreateManagedWidget("decoy", class, xaw.form, XAW_FIXED, XtNhorizDistance,
		place->x, XtNvertDistance, place->y, XtNwidth, place->width, XtNheight, place->height,
		XtNorientation, XtorientHorizontal, XtNresize, False, NULL);

	xaw_watch(widget, CONTROL_COUNT);
	return widget;
}

static void log_line(const char *line)
{
	g_autofree char *text = g_strdup_printf("%s\n", line);
	XawTextBlock block = {0, (int)strlen(text), text, XawFmt8Bit};
	Widget source = XawTextGetSource(decoys.log);
	XawTextPosition end = XawTextSourceScan(source, 0, XawstAll, XawsdRight, 1, True);

	XawTextReplace(decoys.log, end, end, &block);
	XawTextSetInsertionPoint(decoys.log, end + block.length);
}

static void tick(XtPointer data, XtIntervalId *id)
{
	(void)data;
	(void)id;
	XtVaSetValues(decoys.clock, XtNlabel, model_clock(), NULL);
	XawScrollbarSetThumb(decoys.progress, 0.0F, (float)model_progress());
	log_line(model_log_line());
	/* Xaw's caret does not blink by itself. */
	if (!model_wants_colours() && ++decoys.ticks % 5 == 0 && xaw.controls[CONTROL_INPUT]) {
		decoys.caret = !decoys.caret;
		XtVaSetValues(xaw.controls[CONTROL_INPUT], XtNdisplayCaret, decoys.caret, NULL);
	}
	XtAppAddTimeOut(xaw.app, 100, tick, NULL);
}

static void make_decoys(void)
{
	decoys.clock = make_decoy(labelWidgetClass, &layout_clock);
	decoys.progress = make_decoy(scrollbarWidgetClass, &layout_progress);
	decoys.log = make_decoy(asciiTextWidgetClass, &layout_log);
	XtVaSetValues(decoys.log, XtNeditType, XawtextAppend, XtNdisplayCaret, False, NULL);
	tick(NULL, NULL);
}

static void tell_ready(void *data)
{
	(void)data;
	if (!ready) {
		ready = true;
		journal_ready(toolkit.name);
	}
}

static void run(void)
{
	for (;;) {
		XEvent event;

		XtAppNextEvent(xaw.app, &event);
		if (xlib_devices_event(&event)) {
			continue;
		}
		current_sent = event.xany.send_event;
		current_type = event.type;
		if (xaw.child != None && event.xany.window == xaw.child) {
			xaw_child_event(&event);
			if (event.type == Expose) {
				tell_ready(NULL);
			}
		} else {
			XtDispatchEvent(&event);
		}
	}
}

/* The font every X server has built in: rows are as high everywhere. */
static String fallback[] = {
	"*font: fixed",
	NULL,
};

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--canvas") == 0) {
			memmove(&argv[i], &argv[i + 1], (size_t)(argc - i) * sizeof(argv[0]));
			return canvas_main(argc - 1, argv);
		}
	}
	model_init(&argc, argv, &toolkit);
	xaw.shell = XtVaAppInitialize(&xaw.app, "Harness", NULL, 0, &argc, argv, fallback,
		XtNtitle, model_title("main"), XtNallowShellResize, False, XtNinput, True, NULL);
	xaw.display = XtDisplay(xaw.shell);
	xaw.form = XtVaCreateManagedWidget("main", formWidgetClass, xaw.shell, XtNwidth, LAYOUT_WIDTH,
		XtNheight, LAYOUT_HEIGHT, XtNdefaultDistance, 0, XtNborderWidth, 0, NULL);
	xaw.gc = XCreateGC(xaw.display, DefaultRootWindow(xaw.display), 0, NULL);
	xlib_devices_init(xaw.display);
	for (int i = 0; i < CONTROL_CHILD; i++) {
		if (model_wants_colours()) {
			xaw_control_colour((enum control)i);
		}
		xaw_control_make((enum control)i);
	}
	make_labels();
	if (model_wants_decoys()) {
		make_decoys();
	}
	watch_one(xaw.shell, CONTROL_COUNT);
	watch_one(xaw.form, CONTROL_COUNT);
	XtVaSetValues(xaw.shell, XtNminWidth, LAYOUT_WIDTH, XtNminHeight, LAYOUT_HEIGHT, XtNwidth,
		LAYOUT_WIDTH, XtNheight, LAYOUT_HEIGHT, NULL);
	XtSetMappedWhenManaged(xaw.shell, False);
	XtRealizeWidget(xaw.shell);
	xaw_on_close(xaw.shell, quit);
	xaw_control_make(CONTROL_CHILD);
	XtMapWidget(xaw.shell);
	/* Below other windows nothing is ever exposed. */
	after(1000, tell_ready, NULL);
	run();
}
