/* SPDX-License-Identifier: MIT */
#include "xaw.h"

#include <X11/Shell.h>
#include <X11/StringDefs.h>
#include <X11/Xaw/Command.h>
#include <X11/Xaw/Form.h>
#include <X11/Xaw/Label.h>
#include <X11/Xaw/SimpleMenu.h>
#include <X11/Xaw/SmeBSB.h>
#include <glib.h>

struct pick {
	void (*pick)(enum control control, const char *entry);
	enum control control;
	const char *entry;
};

static Widget modal;
static Widget second;

static void on_pick(Widget widget, XtPointer data, XtPointer call)
{
	const struct pick *pick = data;

	(void)widget;
	(void)call;
	pick->pick(pick->control, pick->entry);
}

static void on_menu_gone(Widget menu, XtPointer data, XtPointer call)
{
	(void)data;
	(void)call;
	XtUngrabPointer(menu, CurrentTime);
}

static void on_destroy(Widget widget, XtPointer data, XtPointer call)
{
	(void)widget;
	(void)call;
	g_free(data);
}

/*
 * Athena's menus live only as long as a button is held. These open with a click and stay until the
 * next: they hold the pointer meanwhile, as the menus of other toolkits do.
 */
Widget xaw_menu_make(Widget parent, enum control control, const char *list,
	void (*pick)(enum control control, const char *entry))
{
	Widget menu = XtVaCreatePopupShell("menu", simpleMenuWidgetClass, parent, XtNrowHeight, 20,
		NULL);

	for (const char *const *entry = model_list(list); *entry; entry++) {
		Widget item = XtVaCreateManagedWidget("entry", smeBSBObjectClass, menu, XtNlabel, *entry,
			XtNrightMargin, 60, NULL);
		struct pick *data = g_new(struct pick, 1);

		*data = (struct pick){pick, control, *entry};
		XtAddCallback(item, XtNcallback, on_pick, data);
		XtAddCallback(item, XtNdestroyCallback, on_destroy, data);
	}
	/* highlight() first, for a click that no motion came before. */
	XtOverrideTranslations(menu, XtParseTranslationTable(
		"<Motion>: highlight()\n"
		"<Btn1Up>: highlight() notify() unhighlight() MenuPopdown()\n"
		"<Btn3Up>: highlight() notify() unhighlight() MenuPopdown()\n"
		"<BtnUp>: highlight()"));
	XtAddCallback(menu, XtNpopdownCallback, on_menu_gone, NULL);
	/* Xt would go on giving the pointer's events to it. */
	XtAddCallback(menu, XtNdestroyCallback, on_menu_gone, NULL);
	xaw_watch(menu, control);
	return menu;
}

void xaw_menu_show(Widget menu, int x, int y)
{
	XtVaSetValues(menu, XtNx, x, XtNy, y, NULL);
	XtPopup(menu, XtGrabNone);
	/* If somebody else holds the pointer the menu works, only a click outside does not close it. */
	XtGrabPointer(menu, False,
		ButtonPressMask | ButtonReleaseMask | PointerMotionMask | EnterWindowMask | LeaveWindowMask,
		GrabModeAsync, GrabModeAsync, None, None, CurrentTime);
}

void xaw_menu_show_below(Widget menu, Widget widget)
{
	Dimension height = 0;
	Position x;
	Position y;

	XtVaGetValues(widget, XtNheight, &height, NULL);
	XtTranslateCoords(widget, 0, (Position)height, &x, &y);
	xaw_menu_show(menu, x, y);
}

static void on_protocol(Widget shell, XtPointer data, XEvent *event, Boolean *go_on)
{
	Atom delete_window = XInternAtom(xaw.display, "WM_DELETE_WINDOW", False);

	(void)shell;
	(void)go_on;
	if (event->type == ClientMessage && (Atom)event->xclient.data.l[0] == delete_window) {
		((void (*)(void))(gintptr)data)();
	}
}

void xaw_on_close(Widget shell, void (*close)(void))
{
	Atom delete_window = XInternAtom(xaw.display, "WM_DELETE_WINDOW", False);

	XSetWMProtocols(xaw.display, XtWindow(shell), &delete_window, 1);
	XtAddEventHandler(shell, NoEventMask, True, on_protocol, (XtPointer)(gintptr)close);
}

static Widget button(Widget form, const char *text, int y, XtCallbackProc call)
{
	Widget widget = XtVaCreateManagedWidget("button", commandWidgetClass, form, XAW_FIXED, XtNlabel,
		text, XtNhorizDistance, 10, XtNvertDistance, y, XtNwidth, 240, XtNheight, 30, NULL);

	XtAddCallback(widget, XtNcallback, call, NULL);
	return widget;
}

static Widget window(WidgetClass class, const char *title, int x, int y)
{
	Position left;
	Position top;

	XtTranslateCoords(xaw.shell, (Position)x, (Position)y, &left, &top);
	return XtVaCreatePopupShell("window", class, xaw.shell, XtNtitle, title, XtNinput, True, XtNx,
		left, XtNy, top, NULL);
}

static void modal_end(const char *how)
{
	if (modal) {
		XtPopdown(modal);
		XtDestroyWidget(modal);
		/* At once: what the model does now may open the next. */
		modal = NULL;
		model_change(CONTROL_MODAL, "modal", how);
	}
}

static void modal_cancel(void)
{
	modal_end("cancelled");
}

static void on_accept(Widget widget, XtPointer data, XtPointer call)
{
	(void)widget;
	(void)data;
	(void)call;
	modal_end("accepted");
}

static void on_cancel(Widget widget, XtPointer data, XtPointer call)
{
	(void)widget;
	(void)data;
	(void)call;
	modal_cancel();
}

void xaw_modal_show(void)
{
	const char *const *texts = model_list("modal");
	Widget form;

	if (modal) {
		return;
	}
	modal = window(transientShellWidgetClass, model_title("modal"), 310, 260);
	XtVaSetValues(modal, XtNtransientFor, xaw.shell, NULL);
	form = XtVaCreateManagedWidget("form", formWidgetClass, modal, NULL);
	XtVaCreateManagedWidget("text", labelWidgetClass, form, XtNlabel, texts[0], XtNborderWidth, 0,
		XtNhorizDistance, 10, XtNvertDistance, 10, XtNwidth, 240, XtNheight, 30, NULL);
	button(form, texts[1], 60, on_accept);
	button(form, texts[2], 100, on_cancel);
	xaw_watch(modal, CONTROL_COUNT);
	XtRealizeWidget(modal);
	xaw_on_close(modal, modal_cancel);
	/* The grab is Xt's: it only keeps input from the application's other widgets. */
	XtPopup(modal, XtGrabExclusive);
}

static void second_close(void)
{
	if (second) {
		XtPopdown(second);
		XtDestroyWidget(second);
		second = NULL;
		model_change(CONTROL_SECOND, "second", "closed");
	}
}

static void on_second_close(Widget widget, XtPointer data, XtPointer call)
{
	(void)widget;
	(void)data;
	(void)call;
	second_close();
}

void xaw_second_show(void)
{
	Widget form;

	if (second) {
		XRaiseWindow(xaw.display, XtWindow(second));
		return;
	}
	second = window(topLevelShellWidgetClass, model_title("second"), 500, 300);
	form = XtVaCreateManagedWidget("form", formWidgetClass, second, NULL);
	button(form, "Close second window", 35, on_second_close);
	xaw_watch(second, CONTROL_COUNT);
	XtRealizeWidget(second);
	xaw_on_close(second, second_close);
	XtPopup(second, XtGrabNone);
}
