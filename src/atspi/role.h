/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_ROLE_H
#define ATSPI_ROLE_H

#include <stdbool.h>
#include <stdint.h>

/* Role numbers of the AT-SPI protocol that the driver treats specially. */
enum role {
	ROLE_CHECK_BOX = 7,
	ROLE_CHECK_MENU_ITEM = 8,
	ROLE_COMBO_BOX = 11,
	ROLE_DATE_EDITOR = 12,
	ROLE_DIALOG = 16,
	ROLE_FILLER = 20,
	ROLE_FRAME = 23,
	ROLE_IMAGE = 27,
	ROLE_LABEL = 29,
	ROLE_LAYERED_PANE = 30,
	ROLE_LIST = 31,
	ROLE_MENU = 33,
	ROLE_MENU_BAR = 34,
	ROLE_MENU_ITEM = 35,
	ROLE_PAGE_TAB = 37,
	ROLE_PAGE_TAB_LIST = 38,
	ROLE_PANEL = 39,
	ROLE_PASSWORD_TEXT = 40,
	ROLE_POPUP_MENU = 41,
	ROLE_PUSH_BUTTON = 43,
	ROLE_RADIO_BUTTON = 44,
	ROLE_RADIO_MENU_ITEM = 45,
	ROLE_SCROLL_BAR = 48,
	ROLE_SCROLL_PANE = 49,
	ROLE_SEPARATOR = 50,
	ROLE_SLIDER = 51,
	ROLE_SPIN_BUTTON = 52,
	ROLE_SPLIT_PANE = 53,
	ROLE_STATUS_BAR = 54,
	ROLE_TABLE = 55,
	ROLE_TERMINAL = 60,
	ROLE_TEXT = 61,
	ROLE_TOGGLE_BUTTON = 62,
	ROLE_TOOL_BAR = 63,
	ROLE_TREE = 65,
	ROLE_TREE_TABLE = 66,
	ROLE_APPLICATION = 75,
	ROLE_AUTOCOMPLETE = 76,
	ROLE_EDITBAR = 77,
	ROLE_ENTRY = 79,
	ROLE_HEADING = 83,
	ROLE_SECTION = 85,
	ROLE_LINK = 88,
	ROLE_DOCUMENT_TEXT = 94,
	ROLE_DOCUMENT_WEB = 95,
	ROLE_LIST_BOX = 98,
	ROLE_STATIC = 116,
};

/* The protocol's name of the role; "unknown" beyond the known ones. Static. */
const char *role_name(uint32_t role);

/* Whether its text is what a person entered or can read as a field's content. */
bool role_has_text_value(uint32_t role);

/* Whether people choose among what is in it: lists, trees, rows of tabs. */
bool role_is_container(uint32_t role);

/* Whether a number means nothing to a person there, whatever interfaces it has. */
bool role_has_no_number(uint32_t role);

/* Whether such a container may hold more than can be listed: then its children are counted first. */
bool role_may_be_huge(uint32_t role);

/* Simple controls: what they may hold cannot be scrolled, and is hidden when they are. */
bool role_is_leaf(uint32_t role);

/* What leaves no doubt: in Qt and Chromium objects of these roles have neither a value nor a field's text. */
bool role_is_plain(uint32_t role);

/* Qt's widgets that do nothing by themselves, unless they take the focus. */
bool role_is_passive_in_qt(uint32_t role);

#endif
