/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tools/answers.h"

#include "apps/process.h"

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

static void answer_window(struct answer *answer, const struct window *window)
{
	answer_open_object(answer, NULL);
	answer_int(answer, "window_id", (gint64)window->id);
	answer_int(answer, "pid", window->pid);
	answer_string(answer, "app_name", window->app_name);
	answer_string(answer, "title", window->title);
	answer_rect(answer, "bounds", window->bounds);
	if (window->z_index >= 0) {
		answer_int(answer, "z_index", window->z_index);
	} else {
		answer_null(answer, "z_index");
	}
	answer_bool(answer, "is_on_screen", window->on_screen);
	answer_bool(answer, "on_current_space", window->on_current_space);
	answer_bool(answer, "is_active", window->active);
	answer_bool(answer, "is_minimized", window->minimized);
	answer_int(answer, "workspace", window->workspace);
	answer_int(answer, "monitor", window->monitor);
	answer_string(answer, "toolkit", window->toolkit);
	answer_string(answer, "type", window->type);
	if (window->transient_for != 0) {
		answer_int(answer, "transient_for", (gint64)window->transient_for);
	}
	answer_close_object(answer);
}

static void describe_window(struct answer *answer, const struct window *window)
{
	answer_text(answer,
		"window_id %" G_GUINT64_FORMAT
		", pid %d, \"%s\" \"%s\", %d×%d at %d,%d%s%s%s%s%s\n",
		window->id, (int)window->pid, window->app_name, window->title, window->bounds.width,
		window->bounds.height, window->bounds.x, window->bounds.y,
		g_str_equal(window->type, "normal") ? "" : ", ",
		g_str_equal(window->type, "normal") ? "" : window->type,
		window->active ? ", active" : "", window->minimized ? ", minimised" : "",
		window->on_current_space ? "" : ", on another workspace");
}

void answer_limitation(struct answer *answer, struct platform *platform)
{
	const char *text = platform->impl->limitation != NULL
		? platform->impl->limitation(platform) : NULL;
	if (text != NULL) {
		answer_string(answer, "limitation", text);
		answer_text(answer, "%s.\n", text);
	}
}

void answer_windows(struct answer *answer, const GPtrArray *windows)
{
	/* Front first: what the user looks at is what a caller usually wants. */
	answer_open_array(answer, "windows");
	for (guint i = windows->len; i-- > 0;) {
		const struct window *window = windows->pdata[i];
		answer_window(answer, window);
		describe_window(answer, window);
		process_told(window->pid);
	}
	answer_close_array(answer);
}
