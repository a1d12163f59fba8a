/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib.h>
#include <xkbcommon/xkbcommon.h>

#include "core/keys.h"

static void names_of_many_tongues(void)
{
	static const struct {
		const char *names[4];
		unsigned modifiers;
		uint32_t key;
	} cases[] = {
		{ { "a" }, 0, XKB_KEY_a },
		{ { "A" }, MODIFIER_SHIFT, XKB_KEY_a },
		{ { "ctrl", "A" }, MODIFIER_CTRL, XKB_KEY_a },
		{ { "cmd", "c" }, MODIFIER_SUPER, XKB_KEY_c },
		{ { "c", "Control" }, MODIFIER_CTRL, XKB_KEY_c },
		{ { "ctrl", "shift", "S" }, MODIFIER_CTRL | MODIFIER_SHIFT, XKB_KEY_s },
		{ { "option", "left" }, MODIFIER_ALT, XKB_KEY_Left },
		{ { "return" }, 0, XKB_KEY_Return },
		{ { "Enter" }, 0, XKB_KEY_Return },
		{ { "esc" }, 0, XKB_KEY_Escape },
		{ { "ArrowUp" }, 0, XKB_KEY_Up },
		{ { "pagedown" }, 0, XKB_KEY_Page_Down },
		{ { "space" }, 0, XKB_KEY_space },
		{ { " " }, 0, XKB_KEY_space },
		{ { "tab" }, 0, XKB_KEY_Tab },
		{ { "BackSpace" }, 0, XKB_KEY_BackSpace },
		{ { "delete" }, 0, XKB_KEY_Delete },
		{ { "f5" }, 0, XKB_KEY_F5 },
		{ { "F24" }, 0, XKB_KEY_F24 },
		{ { "numpad7" }, 0, XKB_KEY_KP_7 },
		{ { "VolumeUp" }, 0, XKB_KEY_XF86AudioRaiseVolume },
		{ { "numpad_5" }, 0, XKB_KEY_KP_5 },
		{ { "num0" }, 0, XKB_KEY_KP_0 },
		{ { "num_lock" }, 0, XKB_KEY_Num_Lock },
		{ { "numpadMultiply" }, 0, XKB_KEY_KP_Multiply },
		{ { "KP_Add" }, 0, XKB_KEY_KP_Add },
		{ { "MediaPlayPause" }, 0, XKB_KEY_XF86AudioPlay },
		{ { "XF86AudioMute" }, 0, XKB_KEY_XF86AudioMute },
		{ { "AudioVolumeDown" }, 0, XKB_KEY_XF86AudioLowerVolume },
		{ { "dead_acute" }, 0, XKB_KEY_dead_acute },
		{ { "U20AC" }, 0, 0x010020ac },
		{ { "option", "cmd", "Escape" }, MODIFIER_ALT | MODIFIER_SUPER, XKB_KEY_Escape },
		{ { "meta", "shift", "F13" }, MODIFIER_SUPER | MODIFIER_SHIFT, XKB_KEY_F13 },
		{ { "+" }, 0, XKB_KEY_plus },
		{ { "é" }, 0, XKB_KEY_eacute },
		{ { "kp_enter" }, 0, XKB_KEY_KP_Enter },
		{ { "shift" }, 0, XKB_KEY_Shift_L },
		{ { "cmd" }, 0, XKB_KEY_Super_L },
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct chord chord;
		const char *bad;
		g_test_message("%s", cases[i].names[0]);
		g_assert_true(chord_parse(cases[i].names, &chord, &bad));
		g_assert_cmpuint(chord.key, ==, cases[i].key);
		g_assert_cmpuint(chord.modifiers, ==, cases[i].modifiers);
	}
}

static void what_is_no_key(void)
{
	struct chord chord;
	const char *bad;
	g_assert_false(chord_parse((const char *const[]){ "ctrl", "levitate", NULL }, &chord, &bad));
	g_assert_cmpstr(bad, ==, "levitate");
	g_assert_false(chord_parse((const char *const[]){ "a", "b", NULL }, &chord, &bad));
	g_assert_null(bad);
	g_assert_false(chord_parse((const char *const[]){ "ctrl", "shift", NULL }, &chord, &bad));
	g_assert_null(bad);
	g_assert_false(chord_parse((const char *const[]){ "", NULL }, &chord, &bad));
	g_assert_false(chord_parse((const char *const[]){ NULL }, &chord, &bad));
}

/* Bindings as the toolkits really tell them. */
static void bindings_of_toolkits(void)
{
	static const struct {
		const char *names[4];
		const char *binding;
		bool is;
	} cases[] = {
		{ { "ctrl", "o" }, ";;<Primary>o", true },          /* GTK3 */
		{ { "ctrl", "o" }, ";;<Primary><Shift>o", false },
		{ { "ctrl", "shift", "o" }, ";;<Primary><Shift>O", true },
		{ { "alt", "f" }, "<Alt>f;<Alt>f;", true },
		{ { "m" }, "m;<Alt>f:m;", false },                  /* only while the menu is open */
		{ { "alt", "f" }, "m;<Alt>f:m;", false },
		{ { "ctrl", "o" }, "Ctrl+O", true },                /* Qt */
		{ { "ctrl", "shift", "o" }, "Ctrl+Shift+O", true },
		{ { "ctrl", "+" }, "Ctrl++", true },
		{ { "f5" }, "F5", true },
		{ { "alt", "f4" }, "Alt+F4", true },
		{ { "o" }, "Ctrl+O", false },
		{ { "down" }, "Down", false },                      /* a combo box's own key, no command */
		{ { "ctrl", "o" }, "<VoidSymbol>", false },         /* GTK4 */
		{ { "ctrl", "o" }, "", false },
		{ { "ctrl", "o" }, "<", false },
		{ { "ctrl", "o" }, ";<;:;>;+", false },
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct chord chord;
		const char *bad;
		g_test_message("%s", cases[i].binding);
		g_assert_true(chord_parse(cases[i].names, &chord, &bad));
		g_assert_cmpint(chord_is_binding(&chord, cases[i].binding), ==, cases[i].is);
	}
}

static void chords_in_words(void)
{
	struct chord chord = { MODIFIER_SHIFT | MODIFIER_CTRL, XKB_KEY_s };
	g_autofree char *text = chord_text(&chord);
	g_assert_cmpstr(text, ==, "Ctrl+Shift+s");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/keys/names", names_of_many_tongues);
	g_test_add_func("/keys/bad", what_is_no_key);
	g_test_add_func("/keys/bindings", bindings_of_toolkits);
	g_test_add_func("/keys/text", chords_in_words);
	return g_test_run();
}
