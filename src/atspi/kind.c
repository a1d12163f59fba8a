/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/kind.h"

#include <string.h>

enum kind kind_of(const struct window *window)
{
	static const char *const popups[] = { "menu", "popup", "combo", "tooltip", "dnd", NULL };
	return g_strv_contains(popups, window->type) ? KIND_POPUP : KIND_TOP;
}

bool kind_is_gtk4(const struct window *window)
{
	return strcmp(window->toolkit, "gtk4") == 0;
}

bool kind_has_cache(const struct window *window)
{
	/* LibreOffice's list holds objects of closed dialogs that exist no more: asked for it, it dies. */
	return !g_str_has_prefix(window->toolkit, "qt") && strcmp(window->toolkit, "vcl") != 0;
}

bool kind_same_toolkit(const struct window *window, const char *toolkit)
{
	/* Ours, and the beginning of what such applications say themselves. */
	static const char *const names[][2] = {
		{ "gtk3", "gtk" }, { "gtk2", "gtk" }, { "gtk4", "GTK" }, { "qt5", "Qt" }, { "qt6", "Qt" },
		{ "chromium", "Chromium" }, { "gecko", "Gecko" }, { "vcl", "VCL" }, { "java", "J2SE" },
	};
	if (toolkit == NULL || toolkit[0] == '\0') {
		return true;
	}
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		if (strcmp(window->toolkit, names[i][0]) == 0) {
			return g_str_has_prefix(toolkit, names[i][1]);
		}
	}
	return true;
}

const char *kind_absence(const struct window *window)
{
	static const struct {
		const char *toolkit, *text;
	} absences[] = {
		{ "tk", "Tk has no accessibility; use the picture" },
		{ "java", "Java needs the ATK wrapper (package libatk-wrapper-java-jni, and "
			"-Djavax.accessibility.assistive_technologies=org.GNOME.Accessibility.AtkWrapper); use "
			"the picture" },
		{ "chromium", "the browser was started without accessibility; start it again with "
			"--force-renderer-accessibility, or use the picture" },
		{ "xaw", "Xaw has no accessibility; use the picture" },
		{ "xt", "Xt has no accessibility; use the picture" },
		{ "motif", "Motif has no accessibility; use the picture" },
	};
	for (gsize i = 0; i < G_N_ELEMENTS(absences); i++) {
		if (strcmp(window->toolkit, absences[i].toolkit) == 0) {
			return absences[i].text;
		}
	}
	return "its toolkit has no accessibility, or it started before the bus did; use the picture";
}
