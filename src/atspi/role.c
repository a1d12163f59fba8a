/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/role.h"

#include <glib.h>

/*
 * In the order of the protocol's numbers, called as in at-spi2-core 2.46 whatever the release: 2.53
 * renamed the push button to "button", 2.56 added the switch.
 */
static const char *const names[] = {
	"invalid", "accelerator label", "alert", "animation", "arrow", "calendar", "canvas",
	"check box", "check menu item", "color chooser", "column header", "combo box",
	"date editor", "desktop icon", "desktop frame", "dial", "dialog", "directory pane",
	"drawing area", "file chooser", "filler", "focus traversable", "font chooser", "frame",
	"glass pane", "html container", "icon", "image", "internal frame", "label",
	"layered pane", "list", "list item", "menu", "menu bar", "menu item", "option pane",
	"page tab", "page tab list", "panel", "password text", "popup menu", "progress bar",
	"push button", "radio button", "radio menu item", "root pane", "row header",
	"scroll bar", "scroll pane", "separator", "slider", "spin button", "split pane",
	"status bar", "table", "table cell", "table column header", "table row header",
	"tearoff menu item", "terminal", "text", "toggle button", "tool bar", "tool tip", "tree",
	"tree table", "unknown", "viewport", "window", "extended", "header", "footer",
	"paragraph", "ruler", "application", "autocomplete", "editbar", "embedded", "entry",
	"chart", "caption", "document frame", "heading", "page", "section", "redundant object",
	"form", "link", "input method window", "table row", "tree item", "document spreadsheet",
	"document presentation", "document text", "document web", "document email", "comment",
	"list box", "grouping", "image map", "notification", "info bar", "level bar",
	"title bar", "block quote", "audio", "video", "definition", "article", "landmark", "log",
	"marquee", "math", "rating", "timer", "static", "math fraction", "math root",
	"subscript", "superscript", "description list", "description term", "description value",
	"footnote", "content deletion", "content insertion", "mark", "suggestion",
	"push button menu", "switch",
};

const char *role_name(uint32_t role)
{
	return role < G_N_ELEMENTS(names) ? names[role] : "unknown";
}

bool role_has_text_value(uint32_t role)
{
	switch (role) {
	case ROLE_ENTRY:
	case ROLE_TEXT:
	case ROLE_TERMINAL:
	case ROLE_EDITBAR:
	case ROLE_AUTOCOMPLETE:
	case ROLE_DATE_EDITOR:
	case ROLE_COMBO_BOX:
	case ROLE_SPIN_BUTTON:
	case ROLE_DOCUMENT_TEXT:
		return true;
	default:
		return false;
	}
}

bool role_is_container(uint32_t role)
{
	static const char *const roles[] = {
		"list", "list box", "page tab list", "table", "tree", "tree table", NULL,
	};
	return g_strv_contains(roles, role_name(role));
}

bool role_has_no_number(uint32_t role)
{
	static const char *const roles[] = {
		"push button", "toggle button", "check box", "radio button", "menu", "menu item", "check menu item",
		"radio menu item", "page tab", NULL,
	};
	return g_strv_contains(roles, role_name(role));
}

bool role_may_be_huge(uint32_t role)
{
	return role == ROLE_TABLE || role == ROLE_TREE || role == ROLE_TREE_TABLE || role == ROLE_LIST
		|| role == ROLE_LIST_BOX;
}

bool role_is_leaf(uint32_t role)
{
	switch (role) {
	case ROLE_CHECK_BOX:
	case ROLE_LABEL:
	case ROLE_PUSH_BUTTON:
	case ROLE_RADIO_BUTTON:
	case ROLE_SEPARATOR:
	case ROLE_TOGGLE_BUTTON:
		return true;
	default:
		return false;
	}
}

bool role_is_passive_in_qt(uint32_t role)
{
	return role == ROLE_FILLER || role == ROLE_FRAME || role == ROLE_LABEL || role == ROLE_PANEL
		|| role == ROLE_SEPARATOR;
}

bool role_is_plain(uint32_t role)
{
	switch (role) {
	case ROLE_DIALOG:
	case ROLE_HEADING:
	case ROLE_IMAGE:
	case ROLE_LAYERED_PANE:
	case ROLE_LINK:
	case ROLE_MENU:
	case ROLE_MENU_BAR:
	case ROLE_MENU_ITEM:
	case ROLE_PAGE_TAB:
	case ROLE_POPUP_MENU:
	case ROLE_SCROLL_PANE:
	case ROLE_SECTION:
	case ROLE_SPLIT_PANE:
	case ROLE_STATIC:
	case ROLE_STATUS_BAR:
	case ROLE_TOOL_BAR:
		return true;
	default:
		return role_is_leaf(role) || role_is_passive_in_qt(role);
	}
}
