/* SPDX-License-Identifier: MIT */
#include "xaw.h"

#include <X11/StringDefs.h>
#include <X11/Xaw/AsciiText.h>
#include <X11/Xaw/Command.h>
#include <X11/Xaw/Form.h>
#include <X11/Xaw/Reports.h>
#include <X11/Xaw/Scrollbar.h>
#include <X11/Xaw/Toggle.h>
#include <X11/Xaw/Viewport.h>
#include <X11/Xresource.h>
#include <X11/Xutil.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "layout.h"
#include "xlib.h"

#define ROW_COUNT (LAYOUT_ROWS * LAYOUT_ROW_HEIGHT / 20)
#define TALL (LAYOUT_ROWS * LAYOUT_ROW_HEIGHT)
#define WHEEL_STEP 60
#define IS_WHEEL(button) ((button) == Button4 || (button) == Button5)
#define DOUBLE_CLICK_MS 400
#define THUMB 0.1F

/* Athena's scroll bars want a button for each direction; these follow the first, as others do. */
static const char drag_translations[] =
	"<Btn1Down>: StartScroll(Continuous) MoveThumb() NotifyThumb()\n"
	"<Btn1Motion>: MoveThumb() NotifyThumb()\n"
	"<Btn1Up>: NotifyScroll(Proportional) EndScroll()";

static Time last_press;
static bool doubled;
static int scroll_offset;
static int slider_value;
static int password_length;

/* All parts of a control in its colour, but not the menus it opens. */
void xaw_control_colour(enum control control)
{
	static const char *const resources[] = {"foreground", "background", "borderColor"};
	XrmDatabase database = XtScreenDatabase(XtScreen(xaw.shell));

	for (size_t i = 0; i < G_N_ELEMENTS(resources); i++) {
		g_autofree char *all = g_strdup_printf("*%s*%s", model_id(control), resources[i]);
		g_autofree char *menu = g_strdup_printf("*%s*menu*%s", model_id(control), resources[i]);

		XrmPutStringResource(&database, all, model_colour(control));
		XrmPutStringResource(&database, menu, i == 1 ? "white" : "black");
	}
}

Widget xaw_make(enum control control, WidgetClass class, ArgList extra, Cardinal extra_count)
{
	const struct place *place = &layout[control];
	Arg common[10];
	Cardinal count = 0;
	ArgList all;
	Widget widget;

	XtSetArg(common[count], XtNhorizDistance, place->x); count++;
	XtSetArg(common[count], XtNvertDistance, place->y); count++;
	XtSetArg(common[count], XtNleft, XtChainLeft); count++;
	XtSetArg(common[count], XtNright, XtChainLeft); count++;
	XtSetArg(common[count], XtNtop, XtChainTop); count++;
	XtSetArg(common[count], XtNbottom, XtChainTop); count++;
	XtSetArg(common[count], XtNborderWidth, 1); count++;
	XtSetArg(common[count], XtNwidth, place->width - 2); count++;
	XtSetArg(common[count], XtNheight, place->height - 2); count++;
	XtSetArg(common[count], XtNresize, False); count++;
	all = XtMergeArgLists(common, count, extra, extra_count);
	widget = XtCreateManagedWidget(model_id(control), class, xaw.form, all, count + extra_count);
	XtFree((char *)all);
	return widget;
}

Widget xaw_make_button(enum control control, const char *text, XtCallbackProc call)
{
	WidgetClass class = control == CONTROL_AGREE ? toggleWidgetClass : commandWidgetClass;
	Arg arg;
	Widget widget;

	XtSetArg(arg, XtNlabel, text);
	widget = xaw_make(control, class, &arg, 1);
	XtAddCallback(widget, XtNcallback, call, NULL);
	return widget;
}

static void change_number(enum control control, const char *label, int value)
{
	g_autofree char *text = g_strdup_printf("%d", value);

	model_change(control, label, text);
}

static void on_agree(Widget widget, XtPointer data, XtPointer call)
{
	(void)widget;
	(void)data;
	model_change(CONTROL_AGREE, "agreed", (gintptr)call ? "true" : "false");
}

static Widget make_agree(void)
{
	Widget toggle = xaw_make_button(CONTROL_AGREE, model_name(CONTROL_AGREE), on_agree);

	XtVaSetValues(toggle, XtNstate, strcmp(model_value("agreed"), "true") == 0, NULL);
	return toggle;
}

static void on_target(Widget widget, XtPointer data, XtPointer call)
{
	const char *action = doubled ? "double_click" : "click";

	(void)widget;
	(void)data;
	(void)call;
	model_increment(CONTROL_TARGET, "clicks");
	model_change(CONTROL_TARGET, "last_action", action);
}

static Widget make_target(void)
{
	return xaw_make_button(CONTROL_TARGET, model_name(CONTROL_TARGET), on_target);
}

static void on_slider(Widget widget, XtPointer data, XtPointer call)
{
	int value = (int)(*(float *)call / (1 - THUMB) * 100 + 0.5F);

	(void)widget;
	(void)data;
	value = CLAMP(value, 0, 100);
	if (value != slider_value) {
		slider_value = value;
		change_number(CONTROL_SLIDER, "slider_value", value);
	}
}

static Widget make_slider(void)
{
	Arg arg;
	Widget bar;

	XtSetArg(arg, XtNorientation, XtorientHorizontal);
	bar = xaw_make(CONTROL_SLIDER, scrollbarWidgetClass, &arg, 1);
	slider_value = atoi(model_value("slider_value"));
	XtOverrideTranslations(bar, XtParseTranslationTable(drag_translations));
	XawScrollbarSetThumb(bar, (float)slider_value / 100 * (1 - THUMB), THUMB);
	XtAddCallback(bar, XtNjumpProc, on_slider, NULL);
	return bar;
}

static void on_scrolled(Widget widget, XtPointer data, XtPointer call)
{
	const XawPannerReport *report = call;

	(void)widget;
	(void)data;
	if (report->slider_y != scroll_offset) {
		scroll_offset = report->slider_y;
		change_number(CONTROL_SCROLL, "scroll_offset", scroll_offset);
	}
}

static void draw_rows(Widget rows, XtPointer data, XEvent *event, Boolean *go_on)
{
	(void)data;
	(void)go_on;
	if (event->type != Expose || model_wants_colours()) {
		return;
	}
	XSetForeground(xaw.display, xaw.gc, xlib_colour(xaw.display, "black"));
	for (int row = 0; row < ROW_COUNT; row++) {
		g_autofree char *text = g_strdup_printf("Row %d", row);

		XDrawString(xaw.display, XtWindow(rows), xaw.gc, 4, row * 20 + 15, text, (int)strlen(text));
	}
}

static Widget make_scroll(void)
{
	Widget viewport;
	Widget rows;
	Widget bar;
	Arg args[2];

	XtSetArg(args[0], XtNallowVert, True);
	XtSetArg(args[1], XtNforceBars, True);
	viewport = xaw_make(CONTROL_SCROLL, viewportWidgetClass, args, 2);
	rows = XtVaCreateWidget("rows", widgetClass, viewport, XtNwidth, 240, XtNheight, TALL,
		XtNborderWidth, 0, NULL);
	scroll_offset = 0;
	XtAddEventHandler(rows, ExposureMask, False, draw_rows, NULL);
	/* Only now: a twin is shown at once. */
	XtManageChild(rows);
	XtAddCallback(viewport, XtNreportCallback, on_scrolled, NULL);
	bar = XtNameToWidget(viewport, "vertical");
	XtOverrideTranslations(bar, XtParseTranslationTable(drag_translations));
	return viewport;
}

static void on_text(Widget source, XtPointer data, XtPointer call)
{
	Widget text = data;
	String content = NULL;
	g_autofree char *utf8 = NULL;

	(void)source;
	(void)call;
	XtVaGetValues(text, XtNstring, &content, NULL);
	utf8 = xaw_utf8(content);
	model_change(CONTROL_INPUT, "mirror", utf8);
}

static Widget make_input(void)
{
	Arg args[3];
	Widget text;
	Widget source = NULL;

	XtSetArg(args[0], XtNeditType, XawtextEdit);
	XtSetArg(args[1], XtNstring, model_value("mirror"));
	XtSetArg(args[2], XtNdisplayCaret, !model_wants_colours());
	text = xaw_make(CONTROL_INPUT, asciiTextWidgetClass, args, 3);
	XtOverrideTranslations(text, XtParseTranslationTable("<Key>Return: no-op(RingBell)"));
	XtVaGetValues(text, XtNtextSource, &source, NULL);
	XtAddCallback(source, XtNcallback, on_text, text);
	return text;
}

static void on_counter(Widget widget, XtPointer data, XtPointer call)
{
	(void)widget;
	(void)data;
	(void)call;
	model_increment(CONTROL_COUNTER, "counter");
}

static Widget make_counter(void)
{
	return xaw_make_button(CONTROL_COUNTER, model_name(CONTROL_COUNTER), on_counter);
}

static void on_modal(Widget widget, XtPointer data, XtPointer call)
{
	(void)widget;
	(void)data;
	(void)call;
	xaw_modal_show();
	model_change(CONTROL_MODAL, "modal", "open");
}

static Widget make_modal(void)
{
	return xaw_make_button(CONTROL_MODAL, model_name(CONTROL_MODAL), on_modal);
}

static void draw_password(Widget widget, XtPointer data, XEvent *event, Boolean *go_on)
{
	(void)data;
	(void)go_on;
	if (event && event->type != Expose) {
		return;
	}
	XClearWindow(xaw.display, XtWindow(widget));
	if (model_wants_colours()) {
		return;
	}
	XSetForeground(xaw.display, xaw.gc, xlib_colour(xaw.display, "black"));
	for (int i = 0; i < password_length; i++) {
		XFillArc(xaw.display, XtWindow(widget), xaw.gc, 6 + i * 12, 14, 8, 8, 0, 360 * 64);
	}
}

static Widget make_password(void)
{
	Widget widget = xaw_make(CONTROL_PASSWORD, widgetClass, NULL, 0);

	password_length = 0;
	XtAddEventHandler(widget, ExposureMask, False, draw_password, NULL);
	return widget;
}

static void type_password(Widget widget, XKeyEvent *key)
{
	KeySym symbol = NoSymbol;
	char text[8];
	int length = XLookupString(key, text, sizeof(text), &symbol, NULL);
	bool latin = length == 1 && (unsigned char)text[0] >= ' ' && text[0] != 127;
	/* Characters beyond Latin-1; from 0xfd00 on there are dead and function keys. */
	bool beyond = (symbol >= 0x100 && symbol < 0xfd00) || (symbol & 0xff000000) == 0x01000000;

	if (symbol == XK_BackSpace && password_length > 0) {
		password_length--;
	} else if (latin || beyond) {
		password_length++;
	} else {
		return;
	}
	draw_password(widget, NULL, NULL, NULL);
	change_number(CONTROL_PASSWORD, "password_length", password_length);
}

static void on_second(Widget widget, XtPointer data, XtPointer call)
{
	(void)widget;
	(void)data;
	(void)call;
	xaw_second_show();
	model_change(CONTROL_SECOND, "second", "open");
}

static Widget make_second(void)
{
	return xaw_make_button(CONTROL_SECOND, model_name(CONTROL_SECOND), on_second);
}

static void make_child(void)
{
	const struct place *place = &layout[CONTROL_CHILD];
	const char *colour = model_wants_colours() ? model_colour(CONTROL_CHILD) : "grey60";

	xaw.child_disabled = false;
	xaw.child = XCreateSimpleWindow(xaw.display, XtWindow(xaw.form), place->x, place->y,
		(unsigned)place->width, (unsigned)place->height, 0, 0, xlib_colour(xaw.display, colour));
	XStoreName(xaw.display, xaw.child, model_name(CONTROL_CHILD));
	XSelectInput(xaw.display, xaw.child, XLIB_INPUT_MASK | ExposureMask);
	XMapWindow(xaw.display, xaw.child);
}

void xaw_child_event(XEvent *event)
{
	xlib_journal(event, model_id(CONTROL_CHILD), event->xany.send_event);
	if (event->type == ButtonPress && event->xbutton.button == Button1 && !xaw.child_disabled) {
		model_increment(CONTROL_CHILD, "child");
	}
}

static Widget (*const makers[CONTROL_COUNT])(void) = {
	[CONTROL_AGREE] = make_agree,
	[CONTROL_TARGET] = make_target,
	[CONTROL_SLIDER] = make_slider,
	[CONTROL_SCROLL] = make_scroll,
	[CONTROL_INPUT] = make_input,
	[CONTROL_CONTEXT] = xaw_make_context,
	[CONTROL_COUNTER] = make_counter,
	[CONTROL_MODAL] = make_modal,
	[CONTROL_POPUP] = xaw_make_popup,
	[CONTROL_MENU_BAR] = xaw_make_menu_bar,
	[CONTROL_CHOICE] = xaw_make_choice,
	[CONTROL_LIST] = xaw_make_list,
	[CONTROL_TREE] = xaw_make_tree,
	[CONTROL_PASSWORD] = make_password,
	[CONTROL_SECOND] = make_second,
};

void xaw_control_make(enum control control)
{
	if (makers[control]) {
		xaw.controls[control] = makers[control]();
		xaw_watch(xaw.controls[control], control);
	} else {
		make_child();
	}
}

static void press(enum control control, const XButtonEvent *button)
{
	if (control == CONTROL_INPUT || control == CONTROL_PASSWORD) {
		/* Otherwise Xt types into what is under the pointer. */
		XtSetKeyboardFocus(xaw.shell, xaw.controls[control]);
	} else if (control == CONTROL_TARGET && button->button == Button1) {
		doubled = last_press != 0 && button->time - last_press < DOUBLE_CLICK_MS;
		last_press = doubled ? 0 : button->time;
	} else if (control == CONTROL_SCROLL && IS_WHEEL(button->button)) {
		int step = button->button == Button4 ? -WHEEL_STEP : WHEEL_STEP;
		int last = TALL - layout[CONTROL_SCROLL].height + 2;

		XawViewportSetCoordinates(xaw.controls[control], 0,
			(Position)CLAMP(scroll_offset + step, 0, last));
	}
}

static void release(enum control control, const XButtonEvent *button)
{
	if (button->button != Button3) {
		return;
	}
	if (control == CONTROL_TARGET) {
		model_change(control, "last_action", "right_click");
	} else if (control == CONTROL_CONTEXT) {
		xaw_context_show(button->x_root, button->y_root);
	}
}

void xaw_control_input(enum control control, Widget widget, XEvent *event)
{
	/* Parts and menus are journalled as their control's, but only the scroll area has its wheel. */
	if (!xaw.controls[control] || (widget != xaw.controls[control] && control != CONTROL_SCROLL)) {
		return;
	}
	if (event->type == ButtonPress) {
		press(control, &event->xbutton);
	} else if (event->type == ButtonRelease) {
		release(control, &event->xbutton);
	} else if (event->type == KeyPress && control == CONTROL_PASSWORD) {
		type_password(widget, &event->xkey);
	}
}
