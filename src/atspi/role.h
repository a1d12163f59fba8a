/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_ROLE_H
#define ATSPI_ROLE_H

#include <stdbool.h>
#include <stdint.h>

/* Role numbers of the AT-SPI protocol that the driver treats specially. */
enum role {
	ROLE_COMBO_BOX = 11,
	ROLE_DATE_EDITOR = 12,
	ROLE_MENU = 33,
	ROLE_MENU_BAR = 34,
	ROLE_PASSWORD_TEXT = 40,
	ROLE_SPIN_BUTTON = 52,
	ROLE_TERMINAL = 60,
	ROLE_TEXT = 61,
	ROLE_APPLICATION = 75,
	ROLE_AUTOCOMPLETE = 76,
	ROLE_EDITBAR = 77,
	ROLE_ENTRY = 79,
	ROLE_DOCUMENT_TEXT = 94,
	ROLE_DOCUMENT_WEB = 95,
};

/* The protocol's name of the role; "unknown" beyond the known ones. Static. */
const char *role_name(uint32_t role);

/* Whether its text is what a person entered or can read as a field's content. */
bool role_has_text_value(uint32_t role);

/* Whether people choose among what is in it: lists, trees, rows of tabs. */
bool role_is_container(uint32_t role);

#endif
