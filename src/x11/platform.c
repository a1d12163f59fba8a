/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/platform.h"

#include "atspi/atspi.h"
#include "x11/rung.h"
#include "x11/x11.h"

struct x11_platform {
	struct platform base;
	struct x11 *x11;
	struct atspi *atspi;
};

static struct x11_platform *upcast(struct platform *platform)
{
	return (struct x11_platform *)platform;
}

struct atspi *x11_platform_atspi(struct platform *platform)
{
	return upcast(platform)->atspi;
}

static void destroy(struct platform *platform)
{
	struct x11_platform *self = upcast(platform);
	atspi_destroy(self->atspi);
	x11_destroy(self->x11);
	g_free(self);
}

static GPtrArray *windows(struct platform *platform, struct deadline deadline, GError **error)
{
	return x11_windows(upcast(platform)->x11, deadline, error);
}

static bool screen(struct platform *platform, struct deadline deadline, struct screen *result,
	GError **error)
{
	return x11_screen(upcast(platform)->x11, deadline, result, error);
}

static bool pointer(struct platform *platform, struct deadline deadline, struct screen_px *point,
	GError **error)
{
	return x11_pointer(upcast(platform)->x11, deadline, point, error);
}

static bool capture(struct platform *platform, const struct window *window,
	struct capture *capture, struct deadline deadline, GError **error)
{
	return x11_capture(upcast(platform)->x11, window, capture, deadline, error);
}

static struct picture *capture_screen(struct platform *platform, struct deadline deadline,
	GError **error)
{
	return x11_capture_screen(upcast(platform)->x11, deadline, error);
}

static bool probe(struct platform *platform, bool first, struct deadline deadline,
	struct probe *result, GError **error)
{
	return x11_probe(upcast(platform)->x11, first, deadline, result, error);
}

static struct tree *tree(struct platform *platform, const struct window *window,
	const struct tree_limits *limits, struct deadline deadline, GError **error)
{
	return atspi_tree(upcast(platform)->atspi, window, limits, deadline, error);
}

static struct tree *overview(struct platform *platform, pid_t pid, const struct tree_limits *limits,
	struct deadline deadline, GError **error)
{
	return atspi_overview(upcast(platform)->atspi, pid, limits, deadline, error);
}

static struct element *reread(struct platform *platform, const struct element *element,
	struct deadline deadline, GError **error)
{
	return atspi_reread(upcast(platform)->atspi, element, deadline, error);
}

static struct element *look_again(struct platform *platform, const struct surroundings *surroundings,
	struct look *look, struct deadline deadline, GError **error)
{
	return atspi_look(upcast(platform)->atspi, surroundings, look, deadline, error);
}

static void *watch_start(struct platform *platform, const struct element *element,
	struct deadline deadline, GError **error)
{
	return atspi_watch_start(upcast(platform)->atspi, element, deadline, error);
}

static void rest(struct platform *platform, struct deadline deadline)
{
	x11_rest(upcast(platform)->x11, deadline, NULL);
}

static const struct rung_impl *const rungs[] = { &rung_atspi, &rung_ax, NULL };

static const struct platform_impl impl = {
	.name = "x11",
	.destroy = destroy,
	.windows = windows,
	.screen = screen,
	.pointer = pointer,
	.capture = capture,
	.capture_screen = capture_screen,
	.tree = tree,
	.overview = overview,
	.reread = reread,
	.look = look_again,
	.watch_start = watch_start,
	.watch_wait = atspi_watch_wait,
	.watch_end = atspi_watch_end,
	.probe = probe,
	.rest = rest,
	.rungs = rungs,
};

static char *root_address(void *data, struct deadline deadline)
{
	return x11_root_text(data, "AT_SPI_BUS", deadline, NULL);
}

static GPtrArray *all_windows(void *data, struct deadline deadline, GError **error)
{
	return x11_windows(data, deadline, error);
}

struct platform *x11_platform_new(const char *display)
{
	struct x11_platform *self = g_new0(struct x11_platform, 1);
	self->base.impl = &impl;
	self->x11 = x11_new(display);
	self->atspi = atspi_new(root_address, all_windows, self->x11);
	return &self->base;
}
