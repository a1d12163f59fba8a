/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/platform.h"

#include "atspi/atspi.h"
#include "core/panic.h"
#include "discovery/discovery.h"
#include "x11/devices.h"
#include "x11/clipboard.h"
#include "x11/lookout.h"
#include "x11/rung.h"
#include "x11/x11.h"

struct x11_platform {
	struct platform base;
	struct x11 *x11;
	struct atspi *atspi;
	struct lookout *lookout;
	struct clipboard *clipboard;
	struct devices *devices;
	void *panic;         /* lets go of them */
};

static struct x11_platform *upcast(struct platform *platform)
{
	return (struct x11_platform *)platform;
}

struct atspi *x11_platform_atspi(struct platform *platform)
{
	return upcast(platform)->atspi;
}

struct devices *x11_platform_devices(struct platform *platform)
{
	return upcast(platform)->devices;
}

struct x11 *x11_platform_x11(struct platform *platform)
{
	return upcast(platform)->x11;
}

static void destroy(struct platform *platform)
{
	struct x11_platform *self = upcast(platform);
	panic_unregister(self->panic);
	lookout_free(self->lookout);
	devices_free(self->devices);
	atspi_destroy(self->atspi);
	clipboard_free(self->clipboard);
	x11_destroy(self->x11);
	past_free(platform->past);
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
	hold_prepare(devices_hold(upcast(platform)->devices));
	return x11_capture(upcast(platform)->x11, window, capture, deadline, error);
}

static struct picture *capture_screen(struct platform *platform, struct deadline deadline,
	GError **error)
{
	return x11_capture_screen(upcast(platform)->x11, deadline, error);
}

static void *probe_begin(struct platform *platform, const struct window *window, enum probe_time time,
	bool allow_grab)
{
	return lookout_ask(upcast(platform)->lookout, window, time, allow_grab);
}

static void probe_leave(struct platform *platform, const struct window *window)
{
	lookout_leave(upcast(platform)->lookout, window);
}

static bool probe_end(struct platform *platform, void *probing, struct deadline deadline,
	struct probe *result, GError **error)
{
	return lookout_answer(upcast(platform)->lookout, probing, deadline, result, error);
}

static struct tree *tree(struct platform *platform, const struct window *window,
	const struct tree_limits *limits, struct deadline deadline, GError **error)
{
	/* Who looks at a window is about to act. */
	hold_prepare(devices_hold(upcast(platform)->devices));
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

static void *look_begin(struct platform *platform, const struct surroundings *surroundings, struct look *look,
	bool at_once, struct deadline deadline, GError **error)
{
	return atspi_look_begin(upcast(platform)->atspi, surroundings, look, at_once, deadline, error);
}

static struct element *look_end(struct platform *platform, void *looking, struct deadline deadline, GError **error)
{
	return atspi_look_end(upcast(platform)->atspi, looking, deadline, error);
}

static void look_drop(struct platform *platform, void *looking)
{
	atspi_look_drop(upcast(platform)->atspi, looking);
}

static bool hear(struct platform *platform, guint64 count, struct deadline deadline)
{
	return atspi_hear(upcast(platform)->atspi, count, deadline);
}

static void rest(struct platform *platform, struct deadline deadline)
{
	devices_rest(upcast(platform)->devices);
	x11_rest(upcast(platform)->x11, deadline, NULL);
	lookout_rest(upcast(platform)->lookout);
	atspi_rest(upcast(platform)->atspi);
}

/* Two clocks, of the server and ours, need not agree to the millisecond. */
#define OWN_KEY_MS 30

static unsigned typing(struct platform *platform, struct deadline deadline)
{
	unsigned ago = x11_typing(upcast(platform)->x11, deadline);
	unsigned ours = devices_pressed_ago(upcast(platform)->devices);
	/* The last key on the user's keyboard was one that an action in the foreground pressed. */
	return ours != G_MAXUINT && ago != G_MAXUINT && ago + OWN_KEY_MS >= ours ? G_MAXUINT : ago;
}

void x11_platform_forgive(struct platform *platform, const struct window *window, struct deadline deadline)
{
	lookout_forgive(upcast(platform)->lookout, window, deadline);
}

static const struct rung_impl *const rungs[] = { &rung_atspi, &rung_ax, &rung_nudge, &rung_pixel, &rung_key,
	&rung_atspi_last, &rung_ax_last, &rung_nudge_last,
	&rung_pixel_fg, &rung_xtest_fg, &rung_key_fg, &rung_atspi_fg, &rung_ax_fg, NULL };

static void look_out(struct platform *platform, bool on)
{
	lookout_attend(upcast(platform)->lookout, on);
}

static void prepare(struct platform *platform, struct deadline deadline)
{
	hold_prepare(devices_hold(upcast(platform)->devices));
	atspi_wake(upcast(platform)->atspi, deadline);
}

static bool place(struct platform *platform, const struct window *window, struct placement *placement,
	struct deadline deadline, GError **error)
{
	return x11_place(upcast(platform)->x11, window, placement, deadline, error);
}

static bool activate(struct platform *platform, const struct window *window, bool again,
	struct deadline deadline, GError **error)
{
	lookout_forgive(upcast(platform)->lookout, window, deadline);
	return x11_activate(upcast(platform)->x11, window, again, deadline, error);
}

static bool focused(struct platform *platform, const struct window *window, struct deadline deadline)
{
	return x11_focused(upcast(platform)->x11, window, deadline);
}

static GPtrArray *clip_types(struct platform *platform, struct deadline deadline, GError **error)
{
	return clipboard_types(upcast(platform)->clipboard, deadline, error);
}

static GBytes *clip_read(struct platform *platform, const char *type, gsize most, struct deadline deadline,
	GError **error)
{
	return clipboard_read(upcast(platform)->clipboard, type, most, deadline, error);
}

static bool clip_write(struct platform *platform, struct session *session, const GPtrArray *clips,
	struct deadline deadline, GError **error)
{
	return clipboard_write(upcast(platform)->clipboard, session, clips, deadline, error);
}

static const char *limitation(struct platform *platform)
{
	(void)platform;
	return discovery_is_wayland() ? "This is a Wayland login: " DISCOVERY_XWAYLAND : NULL;
}

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
	.look_begin = look_begin,
	.look_end = look_end,
	.look_drop = look_drop,
	.hear = hear,
	.probe_begin = probe_begin,
	.probe_end = probe_end,
	.probe_leave = probe_leave,
	.look_out = look_out,
	.typing = typing,
	.rest = rest,
	.rungs = rungs,
	.prepare = prepare,
	.limitation = limitation,
	.exams = x11_exams,
	.desktops = discovery_answer,
	.place = place,
	.activate = activate,
	.focused = focused,
	.clip_types = clip_types,
	.clip_read = clip_read,
	.clip_write = clip_write,
};

static char *root_address(void *data, struct deadline deadline)
{
	return x11_root_text(data, "AT_SPI_BUS", deadline, NULL);
}

static GPtrArray *all_windows(void *data, struct deadline deadline, GError **error)
{
	return x11_windows(data, deadline, error);
}

static void let_go(struct deadline deadline, void *data)
{
	devices_release(data, deadline);
}

struct platform *x11_platform_new(const char *display)
{
	struct x11_platform *self = g_new0(struct x11_platform, 1);
	self->base.impl = &impl;
	self->x11 = x11_new(display);
	self->base.past = past_new();
	self->clipboard = clipboard_new(display);
	self->devices = devices_new(display);
	self->lookout = lookout_new(display, self->base.past, devices_hold(self->devices));
	self->panic = panic_register(let_go, self->devices);
	self->atspi = atspi_new(root_address, all_windows, self->x11, self->base.past);
	return &self->base;
}
