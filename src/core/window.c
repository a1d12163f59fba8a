/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/window.h"

#include <string.h>

struct window *window_new(void)
{
	struct window *window = g_new0(struct window, 1);
	window->app_name = g_strdup("");
	window->title = g_strdup("");
	window->z_index = -1;
	window->workspace = -1;
	window->monitor = -1;
	window->toolkit = "";
	window->type = "normal";
	return window;
}

struct window *window_copy(const struct window *window)
{
	struct window *copy = g_memdup2(window, sizeof *window);
	copy->app_name = g_strdup(window->app_name);
	copy->title = g_strdup(window->title);
	return copy;
}

void window_free(struct window *window)
{
	if (window == NULL) {
		return;
	}
	g_free(window->app_name);
	g_free(window->title);
	g_free(window);
}

static void monitor_free(struct monitor *monitor)
{
	g_free(monitor->name);
	g_free(monitor);
}

void screen_clear(struct screen *screen)
{
	g_clear_pointer(&screen->monitors, g_ptr_array_unref);
}

GPtrArray *window_list_new(void)
{
	return g_ptr_array_new_with_free_func((GDestroyNotify)window_free);
}

GPtrArray *monitor_list_new(void)
{
	return g_ptr_array_new_with_free_func((GDestroyNotify)monitor_free);
}

struct window *window_list_find(const GPtrArray *windows, guint64 id)
{
	for (guint i = 0; i < windows->len; i++) {
		struct window *window = windows->pdata[i];
		if (window->id == id) {
			return window;
		}
	}
	return NULL;
}

/* Tool tips have the program's name in GTK, come and go by themselves, and are taken for nothing else. */
static bool is_namesake(const struct window *window, const struct window *other)
{
	return other != window && other->pid == window->pid && strcmp(other->type, "tooltip") != 0
		&& strcmp(other->title, window->title) == 0;
}

/* Whether it is for the other one, or for something that is. */
static bool is_for(const GPtrArray *windows, const struct window *window, guint64 id)
{
	for (guint depth = 0; window != NULL && window->transient_for != 0 && depth < windows->len; depth++) {
		if (window->transient_for == id) {
			return true;
		}
		window = window_list_find(windows, window->transient_for);
	}
	return false;
}

const struct window *window_list_blocker(const GPtrArray *windows, const struct window *window)
{
	for (guint i = 0; i < windows->len; i++) {
		const struct window *other = windows->pdata[i];
		if (other->modal && other->id != window->id && other->pid == window->pid && is_for(windows, other, window->id)) {
			return other;
		}
	}
	return NULL;
}

void window_list_count_namesakes(GPtrArray *windows)
{
	for (guint i = 0; i < windows->len; i++) {
		struct window *window = windows->pdata[i];
		window->namesakes = 0;
		for (guint k = 0; k < windows->len; k++) {
			window->namesakes += is_namesake(window, windows->pdata[k]);
		}
	}
}

bool window_is_bare(const struct window *window)
{
	const struct gtk4_extents *frame = &window->decoration;
	return window->shadow.known || !frame->known
		|| (frame->left == 0 && frame->right == 0 && frame->top == 0 && frame->bottom == 0);
}

struct screen_rect window_painted(const struct window *window)
{
	struct screen_rect rect = window->bounds;
	if (window->shadow.known) {
		rect.x += window->shadow.left;
		rect.y += window->shadow.top;
		rect.width -= window->shadow.left + window->shadow.right;
		rect.height -= window->shadow.top + window->shadow.bottom;
	}
	return rect;
}
