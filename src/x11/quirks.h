/* SPDX-License-Identifier: MIT */
#ifndef X11_QUIRKS_H
#define X11_QUIRKS_H

#include <stdbool.h>

/* What toolkits need besides bare input; data/quirks.def says who needs what. Bits. */
enum quirk {
	QUIRK_FOCUS_FOR_PRESS = 1 << 0, /* a word that it has the focus, before a press */
	QUIRK_FOCUS_FOR_KEYS = 1 << 1, /* the same, before keys */
	QUIRK_CORE_MODIFIERS = 1 << 2, /* it takes modifiers from the user's keyboard */
	QUIRK_MENU_GRABS_USER = 1 << 3, /* its menus take the user's keyboard, whoever opens them */
	QUIRK_PRESS_GRABS_USER = 1
		<< 4, /* it takes every pointer while a button is down, the user's, too */
	QUIRK_BRANCH_BESIDE = 1 << 5, /* a row of a tree is expanded by a press just left of it */
	QUIRK_MAP_ASIDE = 1 << 6, /* it reads the key map on another connection than the keys */
	QUIRK_REAL_DEVICE =
		1 << 7, /* its pointer has to be one of the kernel's, where there can be one */
	QUIRK_LAST_KEYBOARD = 1 << 8, /* it hears only the keyboard that came last (x11/vigil.h) */
	QUIRK_KEYS_NEED_FOCUS =
		1 << 9, /* it drops keys unless its window has the display's own focus */
	QUIRK_MIDDLE_FOCUSES =
		1 << 10, /* the middle button gives a combo box the focus and does not open it */
	QUIRK_MARK_FIRST = 1 << 11, /* of a check box its mark, at the left, and its label can be
				       clicked, no more */
	QUIRK_MENU_AT_POINTER =
		1 << 13, /* it shows a context menu where the pointer is when it comes to it */
	QUIRK_VIEW_BY_WHEEL = 1 << 14, /* nothing but the wheel scrolls its views; they tell where
					  their items are that are scrolled out */
	QUIRK_POPUP_GRABS_POINTERS = 1 << 15, /* its menus take every pointer, the user's, too */
	QUIRK_MENU_TAKES_FOCUS = 1
		<< 16, /* opening a menu gives its window the focus of whichever keyboard */
	QUIRK_TITLE_RAISES = 1 << 20, /* a press on a title bar that it draws raises the window, and
					 some window managers turn to it */
	QUIRK_MANAGER_WARPS = 1 << 21, /* a window manager that puts the pointer where it is told
					  that a window is dragged from */
	QUIRK_HANDED_BY_PRESS =
		1 << 22, /* a press alone has its window dragged, and nothing that moves later */
	QUIRK_DRAG_GRABS_USER = 1 << 24, /* it takes every pointer while something is dragged and
					    may be dropped, and follows all of them */
	QUIRK_NO_WINDOW_DRAG =
		1 << 23, /* it never asks the window manager to move or resize its window */
	QUIRK_PAGE_FIRST =
		1 << 12, /* its shortcuts are its pages' first, and its own a moment later */
	QUIRK_OWN_FOCUS = 1 << 17, /* keys stay in the window that they come to, whichever window of
				      the process has the focus */
	QUIRK_PRESS_APART = 1 << 18, /* a press in one of its windows leaves the keys of its other
					windows where they go */
	QUIRK_FOCUS_PROVEN = 1 << 19, /* it hears keys before a word of the focus has its effect,
					 which accessibility tells */
};

bool quirks_has(const char *toolkit, enum quirk quirk);

#endif
