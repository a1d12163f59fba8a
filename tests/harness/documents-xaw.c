/* SPDX-License-Identifier: MIT */
/* One process with two windows of Athena, each with a text; what they hold is in their titles, as
 * in documents.c. */
#include <X11/Intrinsic.h>
#include <X11/Shell.h>
#include <X11/StringDefs.h>
#include <X11/Xaw/AsciiText.h>
#include <stdio.h>

static void on_changed(Widget source, XtPointer shell, XtPointer unused)
{
	char *value = NULL;
	char title[1000];

	(void)unused;
	XtVaGetValues(source, XtNstring, &value, NULL);
	snprintf(title, sizeof title, "%s:%s", XtName((Widget)shell), value != NULL ? value : "");
	XtVaSetValues((Widget)shell, XtNtitle, title, NULL);
}

static void open_window(Widget parent, const char *name)
{
	char title[100];

	snprintf(title, sizeof title, "%s:", name);
	Widget shell = XtVaCreatePopupShell(
		name, topLevelShellWidgetClass, parent, XtNtitle, title, NULL);
	Widget text = XtVaCreateManagedWidget("text", asciiTextWidgetClass, shell, XtNeditType,
		XawtextEdit, XtNwidth, 400, XtNheight, 120, NULL);

	XtSetKeyboardFocus(shell, text);
	XtAddCallback(XawTextGetSource(text), XtNcallback, on_changed, shell);
	XtPopup(shell, XtGrabNone);
}

int main(int argc, char **argv)
{
	XtAppContext context;
	Widget top = XtVaAppInitialize(&context, "Documents", NULL, 0, &argc, argv, NULL,
		XtNmappedWhenManaged, False, XtNwidth, 1, XtNheight, 1, NULL);

	XtRealizeWidget(top);
	open_window(top, "left");
	open_window(top, "right");
	XtAppMainLoop(context);
	return 0;
}
