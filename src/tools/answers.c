/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tools/answers.h"

void answer_screen(struct answer *answer, const struct screen *screen)
{
	answer_int(answer, "width", screen->width);
	answer_int(answer, "height", screen->height);
	answer_number(answer, "scale_factor", screen->scale);
	answer_open_array(answer, "monitors");
	for (guint i = 0; i < screen->monitors->len; i++) {
		const struct monitor *monitor = screen->monitors->pdata[i];
		answer_open_object(answer, NULL);
		answer_string(answer, "name", monitor->name);
		answer_rect(answer, "bounds", monitor->bounds);
		answer_bool(answer, "primary", monitor->primary);
		answer_close_object(answer);
	}
	answer_close_array(answer);
	answer_text(answer, "The screen is %d×%d pixels on %u monitor%s, scale %g.\n", screen->width,
		screen->height, screen->monitors->len, screen->monitors->len == 1 ? "" : "s", screen->scale);
}

void answer_setting(struct answer *answer, const struct param *setting, const char *text)
{
	if (text == NULL) {
		answer_null(answer, setting->name);
	} else if (setting->type == PARAM_INT) {
		answer_int(answer, setting->name, g_ascii_strtoll(text, NULL, 10));
	} else if (setting->type == PARAM_BOOL) {
		answer_bool(answer, setting->name, g_str_equal(text, "true"));
	} else {
		answer_string(answer, setting->name, text);
	}
}
