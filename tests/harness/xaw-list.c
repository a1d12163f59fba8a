/* SPDX-License-Identifier: MIT */
/* The controls that offer a choice: by menus, and lists. */
#include "xaw.h"

#include <X11/StringDefs.h>
#include <X11/Xaw/Command.h>
#include <X11/Xaw/Form.h>
#include <X11/Xaw/List.h>
#include <glib.h>
#include <string.h>

#include "journal.h"
#include "layout.h"

#define TREE_MAX 16

static Widget context_menu;
static Widget popup_menu;
static Widget choice_menu;
static bool popup_picked;

/* The tree is a list whose parents open and close. */
static struct {
	String shown[TREE_MAX];
	const char *nodes[TREE_MAX];
	bool parent[TREE_MAX];
	int count;
	unsigned open; /* bit of each parent */
} tree;

static void pick_action(enum control control, const char *entry)
{
	model_change(control, "menu_action", entry);
}

static void on_context(Widget widget, XtPointer data, XtPointer call)
{
	(void)data;
	(void)call;
	xaw_menu_show_below(context_menu, widget);
}

Widget xaw_make_context(void)
{
	Widget button = xaw_make_button(CONTROL_CONTEXT, model_name(CONTROL_CONTEXT), on_context);

	context_menu = xaw_menu_make(button, CONTROL_CONTEXT, "context", pick_action);
	return button;
}

void xaw_context_show(int x, int y)
{
	xaw_menu_show(context_menu, x, y);
}

static void pick_popup(enum control control, const char *entry)
{
	(void)entry;
	popup_picked = true;
	model_change(control, "popup", "picked");
}

static void on_popup_gone(Widget menu, XtPointer data, XtPointer call)
{
	(void)menu;
	(void)data;
	(void)call;
	if (!popup_picked) {
		model_change(CONTROL_POPUP, "popup", "closed");
	}
}

static void on_popup(Widget widget, XtPointer data, XtPointer call)
{
	(void)data;
	(void)call;
	popup_picked = false;
	xaw_menu_show_below(popup_menu, widget);
	XStoreName(xaw.display, XtWindow(popup_menu), model_title("popup"));
	model_change(CONTROL_POPUP, "popup", "open");
}

Widget xaw_make_popup(void)
{
	Widget button = xaw_make_button(CONTROL_POPUP, model_name(CONTROL_POPUP), on_popup);

	popup_menu = xaw_menu_make(button, CONTROL_POPUP, "popup", pick_popup);
	XtAddCallback(popup_menu, XtNpopdownCallback, on_popup_gone, NULL);
	return button;
}

static void on_menu_title(Widget widget, XtPointer data, XtPointer call)
{
	(void)call;
	xaw_menu_show_below(data, widget);
}

Widget xaw_make_menu_bar(void)
{
	Widget bar;
	int x = 4;
	Arg arg;

	XtSetArg(arg, XtNdefaultDistance, 0);
	bar = xaw_make(CONTROL_MENU_BAR, formWidgetClass, &arg, 1);
	for (const char *const *title = model_list("menus"); *title; title++, x += 64) {
		g_autofree char *list = g_strconcat("menus/", *title, NULL);
		Widget button = XtVaCreateManagedWidget("title", commandWidgetClass, bar, XAW_FIXED,
			XtNlabel, *title, XtNhorizDistance, x, XtNvertDistance, 3, XtNwidth, 60, XtNheight, 24,
			XtNborderWidth, 0, NULL);

		XtAddCallback(button, XtNcallback, on_menu_title,
			xaw_menu_make(button, CONTROL_MENU_BAR, list, pick_action));
	}
	/* A form is as large as what is in it. */
	XtVaCreateManagedWidget("filler", widgetClass, bar, XAW_FIXED, XtNhorizDistance, x, XtNwidth,
		layout[CONTROL_MENU_BAR].width - 2 - x, XtNheight, layout[CONTROL_MENU_BAR].height - 2,
		XtNborderWidth, 0, NULL);
	return bar;
}

static void pick_choice(enum control control, const char *entry)
{
	bool same = strcmp(entry, model_value("choice")) == 0;

	XtVaSetValues(xaw.controls[control], XtNlabel, entry, NULL);
	if (!same) {
		model_change(control, "choice", entry);
	}
}

static void on_choice(Widget widget, XtPointer data, XtPointer call)
{
	(void)data;
	(void)call;
	xaw_menu_show_below(choice_menu, widget);
}

Widget xaw_make_choice(void)
{
	Widget button = xaw_make_button(CONTROL_CHOICE, model_value("choice"), on_choice);

	choice_menu = xaw_menu_make(button, CONTROL_CHOICE, "choices", pick_choice);
	return button;
}

static Widget make_rows(enum control control, const String *rows, int count, XtCallbackProc call)
{
	Arg args[5];
	Widget list;

	XtSetArg(args[0], XtNlist, rows);
	XtSetArg(args[1], XtNnumberStrings, count);
	XtSetArg(args[2], XtNdefaultColumns, 1);
	XtSetArg(args[3], XtNforceColumns, True);
	XtSetArg(args[4], XtNverticalList, True);
	list = xaw_make(control, listWidgetClass, args, 5);
	XtAddCallback(list, XtNcallback, call, NULL);
	return list;
}

static void on_item(Widget widget, XtPointer data, XtPointer call)
{
	const XawListReturnStruct *row = call;

	(void)widget;
	(void)data;
	model_change(CONTROL_LIST, "item", row->string);
}

Widget xaw_make_list(void)
{
	const char *const *items = model_list("items");
	int count = (int)g_strv_length((char **)items);
	Widget list = make_rows(CONTROL_LIST, (const String *)items, count, on_item);

	for (int i = 0; i < count; i++) {
		if (strcmp(items[i], model_value("item")) == 0) {
			XawListHighlight(list, i);
		}
	}
	return list;
}

static void add_row(const char *format, const char *node, bool parent)
{
	if (tree.count < TREE_MAX) {
		tree.shown[tree.count] = g_strdup_printf("%s %s", format, node);
		tree.nodes[tree.count] = node;
		tree.parent[tree.count] = parent;
		tree.count++;
	}
}

static void fill_tree(void)
{
	unsigned bit = 1;

	for (int i = 0; i < tree.count; i++) {
		g_free((char *)tree.shown[i]);
	}
	tree.count = 0;
	for (const char *const *title = model_list("nodes"); *title; title++, bit <<= 1) {
		g_autofree char *list = g_strconcat("nodes/", *title, NULL);

		add_row(tree.open & bit ? "-" : "+", *title, true);
		for (const char *const *leaf = model_list(list); (tree.open & bit) && *leaf; leaf++) {
			add_row("   ", *leaf, false);
		}
	}
}

static void on_node(Widget widget, XtPointer data, XtPointer call)
{
	const XawListReturnStruct *row = call;
	const char *node = tree.nodes[row->list_index];
	unsigned bit = 1;

	(void)data;
	if (tree.parent[row->list_index]) {
		for (int i = 0; i < row->list_index; i++) {
			bit <<= tree.parent[i] ? 1 : 0;
		}
		tree.open ^= bit;
		journal_note("%s %s", tree.open & bit ? "expanded" : "collapsed", node);
		fill_tree();
		XawListChange(widget, tree.shown, tree.count, 0, False);
	}
	model_change(CONTROL_TREE, "node", node);
}

Widget xaw_make_tree(void)
{
	tree.open = 0;
	fill_tree();
	return make_rows(CONTROL_TREE, tree.shown, tree.count, on_node);
}
