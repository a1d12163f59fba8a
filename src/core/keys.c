/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/keys.h"

#include <glib.h>
#include <string.h>
#include <xkbcommon/xkbcommon.h>

static const struct {
	const char *name;
	enum modifier modifier;
} modifiers[] = {
	/* The first of each is what people read. */
	{ "Ctrl", MODIFIER_CTRL }, { "Shift", MODIFIER_SHIFT }, { "Alt", MODIFIER_ALT },
	{ "Super", MODIFIER_SUPER },
	{ "control", MODIFIER_CTRL }, { "primary", MODIFIER_CTRL }, { "control_l", MODIFIER_CTRL },
	{ "control_r", MODIFIER_CTRL }, { "shift_l", MODIFIER_SHIFT }, { "shift_r", MODIFIER_SHIFT },
	{ "option", MODIFIER_ALT }, { "opt", MODIFIER_ALT }, { "alt_l", MODIFIER_ALT },
	{ "alt_r", MODIFIER_ALT }, { "cmd", MODIFIER_SUPER }, { "command", MODIFIER_SUPER },
	{ "meta", MODIFIER_SUPER }, { "win", MODIFIER_SUPER }, { "windows", MODIFIER_SUPER },
	{ "super_l", MODIFIER_SUPER }, { "super_r", MODIFIER_SUPER }, { "os", MODIFIER_SUPER },
	{ "meta_l", MODIFIER_SUPER }, { "meta_r", MODIFIER_SUPER }, { "ctl", MODIFIER_CTRL },
	{ "ctrlleft", MODIFIER_CTRL }, { "ctrlright", MODIFIER_CTRL }, { "shiftleft", MODIFIER_SHIFT },
	{ "shiftright", MODIFIER_SHIFT }, { "altleft", MODIFIER_ALT }, { "altright", MODIFIER_ALT },
};

/* Names that people and other drivers use and keysyms do not have. */
static const struct {
	const char *name;
	xkb_keysym_t key;
} aliases[] = {
	{ "enter", XKB_KEY_Return }, { "esc", XKB_KEY_Escape }, { "del", XKB_KEY_Delete },
	{ "forwarddelete", XKB_KEY_Delete }, { "ins", XKB_KEY_Insert }, { "bksp", XKB_KEY_BackSpace },
	{ "pgup", XKB_KEY_Page_Up }, { "pageup", XKB_KEY_Page_Up }, { "page_up", XKB_KEY_Page_Up },
	{ "pgdn", XKB_KEY_Page_Down }, { "pagedown", XKB_KEY_Page_Down },
	{ "page_down", XKB_KEY_Page_Down }, { "arrowup", XKB_KEY_Up }, { "arrowdown", XKB_KEY_Down },
	{ "arrowleft", XKB_KEY_Left }, { "arrowright", XKB_KEY_Right }, { "spacebar", XKB_KEY_space },
	{ "contextmenu", XKB_KEY_Menu }, { "printscreen", XKB_KEY_Print }, { "capslock", XKB_KEY_Caps_Lock },
	{ "numlock", XKB_KEY_Num_Lock }, { "scrolllock", XKB_KEY_Scroll_Lock },
	{ "numpad_enter", XKB_KEY_KP_Enter }, { "dash", XKB_KEY_minus }, { "dot", XKB_KEY_period },
	{ "backquote", XKB_KEY_grave }, { "quote", XKB_KEY_apostrophe },
	{ "numpad_add", XKB_KEY_KP_Add }, { "numpad_subtract", XKB_KEY_KP_Subtract },
	{ "numpad_multiply", XKB_KEY_KP_Multiply }, { "numpad_divide", XKB_KEY_KP_Divide },
	{ "numpad_decimal", XKB_KEY_KP_Decimal }, { "volumeup", XKB_KEY_XF86AudioRaiseVolume },
	{ "volumedown", XKB_KEY_XF86AudioLowerVolume }, { "mute", XKB_KEY_XF86AudioMute },
	{ "volumemute", XKB_KEY_XF86AudioMute }, { "playpause", XKB_KEY_XF86AudioPlay },
	{ "mediaplaypause", XKB_KEY_XF86AudioPlay }, { "mediastop", XKB_KEY_XF86AudioStop },
	{ "nexttrack", XKB_KEY_XF86AudioNext }, { "medianext", XKB_KEY_XF86AudioNext },
	{ "prevtrack", XKB_KEY_XF86AudioPrev }, { "mediaprevious", XKB_KEY_XF86AudioPrev },
	{ "audiovolumeup", XKB_KEY_XF86AudioRaiseVolume }, { "audiovolumedown", XKB_KEY_XF86AudioLowerVolume },
	{ "audiovolumemute", XKB_KEY_XF86AudioMute }, { "mediatracknext", XKB_KEY_XF86AudioNext },
	{ "mediatrackprevious", XKB_KEY_XF86AudioPrev }, { "mediapause", XKB_KEY_XF86AudioPause },
	{ "browserback", XKB_KEY_XF86Back }, { "browserforward", XKB_KEY_XF86Forward },
	{ "browserrefresh", XKB_KEY_XF86Refresh }, { "browserhome", XKB_KEY_XF86HomePage },
	{ "launchmail", XKB_KEY_XF86Mail }, { "eject", XKB_KEY_XF86Eject }, { "sleep", XKB_KEY_XF86Sleep },
	{ "uparrow", XKB_KEY_Up }, { "downarrow", XKB_KEY_Down },
	{ "leftarrow", XKB_KEY_Left }, { "rightarrow", XKB_KEY_Right }, { "prtsc", XKB_KEY_Print },
	{ "prtscr", XKB_KEY_Print }, { "apps", XKB_KEY_Menu }, { "altgr", XKB_KEY_ISO_Level3_Shift },
	{ "add", XKB_KEY_KP_Add }, { "subtract", XKB_KEY_KP_Subtract }, { "multiply", XKB_KEY_KP_Multiply },
	{ "divide", XKB_KEY_KP_Divide }, { "decimal", XKB_KEY_KP_Decimal }, { "numpad_equal", XKB_KEY_KP_Equal },
	{ "numpadadd", XKB_KEY_KP_Add }, { "numpadsubtract", XKB_KEY_KP_Subtract },
	{ "numpadmultiply", XKB_KEY_KP_Multiply }, { "numpaddivide", XKB_KEY_KP_Divide },
	{ "numpaddecimal", XKB_KEY_KP_Decimal }, { "numpadenter", XKB_KEY_KP_Enter },
	{ "numpadequal", XKB_KEY_KP_Equal },
	{ "brightnessup", XKB_KEY_XF86MonBrightnessUp }, { "brightnessdown", XKB_KEY_XF86MonBrightnessDown },
};

unsigned modifier_named(const char *name)
{
	for (gsize i = 0; i < G_N_ELEMENTS(modifiers); i++) {
		if (g_ascii_strcasecmp(modifiers[i].name, name) == 0) {
			return modifiers[i].modifier;
		}
	}
	return 0;
}

static xkb_keysym_t key_named(const char *name)
{
	gunichar letter = g_utf8_validate(name, -1, NULL) && g_utf8_strlen(name, -1) == 1
		? g_utf8_get_char(name) : 0;
	if (letter > 0x20) {
		return xkb_utf32_to_keysym(letter);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(aliases); i++) {
		if (g_ascii_strcasecmp(aliases[i].name, name) == 0) {
			return aliases[i].key;
		}
	}
	/* "numpad5", "numpad_5", "num5" are the keypad's KP_5. */
	const char *digit = g_ascii_strncasecmp(name, "numpad", 6) == 0 ? name + 6 + (name[6] == '_')
		: g_ascii_strncasecmp(name, "num", 3) == 0 ? name + 3 : "";
	if (g_ascii_isdigit(digit[0]) && digit[1] == '\0') {
		return (xkb_keysym_t)(XKB_KEY_KP_0 + (digit[0] - '0'));
	}
	xkb_keysym_t key = strcmp(name, " ") == 0 ? XKB_KEY_space
		: xkb_keysym_from_name(name, XKB_KEYSYM_CASE_INSENSITIVE);
	return key == XKB_KEY_VoidSymbol ? XKB_KEY_NoSymbol : key;
}

static void set_key(struct chord *chord, xkb_keysym_t key)
{
	chord->key = xkb_keysym_to_lower(key);
	/* "A" is how one writes shift and a; with Ctrl it is how shortcuts are written. */
	if (chord->key != key && chord->modifiers == 0) {
		chord->modifiers |= MODIFIER_SHIFT;
	}
}

bool chord_parse(const char *const *names, struct chord *chord, const char **bad)
{
	const char *key = NULL;
	*chord = (struct chord){ 0 };
	*bad = NULL;
	bool alone = names[0] != NULL && names[1] == NULL;
	for (; *names != NULL; names++) {
		unsigned modifier = alone ? 0 : modifier_named(*names);
		if (modifier != 0) {
			chord->modifiers |= modifier;
		} else if (key == NULL) {
			key = *names;
		} else {
			return false;
		}
	}
	if (key == NULL) {
		return false;
	}
	xkb_keysym_t symbol = key_named(key);
	if (symbol == XKB_KEY_NoSymbol && alone && modifier_named(key) != 0) {
		g_autofree char *left = g_strconcat(modifier_named(key) == MODIFIER_CTRL ? "Control"
			: modifier_named(key) == MODIFIER_SHIFT ? "Shift"
			: modifier_named(key) == MODIFIER_ALT ? "Alt" : "Super", "_L", NULL);
		symbol = xkb_keysym_from_name(left, 0);
	}
	if (symbol == XKB_KEY_NoSymbol) {
		*bad = key;
		return false;
	}
	set_key(chord, symbol);
	return true;
}

char *chord_text(const struct chord *chord)
{
	GString *text = g_string_new(NULL);
	char name[64];
	for (int i = 0; i < 4; i++) {
		if (chord->modifiers & modifiers[i].modifier) {
			g_string_append_printf(text, "%s+", modifiers[i].name);
		}
	}
	xkb_keysym_get_name(chord->key, name, sizeof name);
	g_string_append(text, name);
	return g_string_free(text, FALSE);
}

/* One way of a binding: "<Primary><Shift>s", "Ctrl+Shift+S", "F5". */
static bool read_binding(const char *text, struct chord *chord)
{
	g_autofree char *copy = g_strdup(text);
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	for (char *at = copy; *at != '\0';) {
		/* A plus that is not between two names is the key itself. */
		char *end = *at == '<' ? strchr(at, '>') : at[0] != '\0' ? strchr(at + 1, '+') : NULL;
		g_ptr_array_add(names, *at == '<' && end != NULL ? at + 1 : at);
		if (end == NULL) {
			break;
		}
		*end = '\0';
		at = end + 1;
	}
	g_ptr_array_add(names, NULL);
	const char *bad;
	bool read = names->len > 1 && chord_parse((const char *const *)names->pdata, chord, &bad);
	/* Menus write their keys in capitals; only a letter alone has shift by that. */
	return read && (chord->modifiers != 0 || chord_is_command(chord));
}

bool chord_is_binding(const struct chord *chord, const char *binding)
{
	g_auto(GStrv) ways = g_strsplit(binding, ";", -1);
	for (char **way = ways; *way != NULL; way++) {
		struct chord other;
		/* With a colon it is a path through open menus. */
		if ((*way)[0] != '\0' && strchr(*way, ':') == NULL && read_binding(*way, &other)
			&& other.key == chord->key && other.modifiers == chord->modifiers) {
			return true;
		}
	}
	return false;
}

bool chord_is_command(const struct chord *chord)
{
	return (chord->modifiers & (MODIFIER_CTRL | MODIFIER_ALT | MODIFIER_SUPER)) != 0
		|| (chord->key >= XKB_KEY_F1 && chord->key <= XKB_KEY_F35);
}
