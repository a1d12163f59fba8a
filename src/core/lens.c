/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/lens.h"

#include "core/call.h"

/* As long as snapshots are kept. */
#define WINDOWS_KEPT 24

struct seen {
	guint64 window;
	pid_t pid;                    /* window ids are used again */
	struct window *known;         /* as it was when the last picture was taken */
	bool alone;                   /* that picture came without a tree */
	struct {
		struct frame frame;       /* shot size 0: there was none */
		struct screen_rect window;
	} through[LENS_ZOOM + 1];
};

struct lenses {
	GMutex mutex;
	GQueue seen;                  /* struct seen, newest first */
	int screen_width, screen_height; /* in the last picture of all of it; 0: there was none */
};

struct lenses *lenses_new(void)
{
	struct lenses *lenses = g_new0(struct lenses, 1);
	g_mutex_init(&lenses->mutex);
	g_queue_init(&lenses->seen);
	return lenses;
}

static void seen_free(gpointer data)
{
	struct seen *seen = data;
	window_free(seen->known);
	g_free(seen);
}

void lenses_free(struct lenses *lenses)
{
	g_queue_clear_full(&lenses->seen, seen_free);
	g_mutex_clear(&lenses->mutex);
	g_free(lenses);
}

/* `pid` 0: whoever's it is. */
static GList *search(struct lenses *lenses, guint64 window, pid_t pid)
{
	for (GList *at = lenses->seen.head; at != NULL; at = at->next) {
		const struct seen *seen = at->data;
		if (seen->window == window && (pid == 0 || seen->pid == pid)) {
			return at;
		}
	}
	return NULL;
}

void lens_keep(struct call *call, enum lens lens, const struct frame *frame,
	struct screen_rect window)
{
	struct lenses *lenses = session_lenses(call->session);
	struct seen fresh = { .window = call->window->id, .pid = call->window->pid };
	g_mutex_lock(&lenses->mutex);
	GList *link = search(lenses, call->window->id, call->window->pid);
	if (link != NULL) {
		g_queue_unlink(&lenses->seen, link);
	} else {
		link = g_list_prepend(NULL, g_memdup2(&fresh, sizeof fresh));
	}
	struct seen *seen = link->data;
	if (lens == LENS_PICTURE) {
		window_free(seen->known);
		*seen = fresh;
		seen->known = window_copy(call->window);
	}
	seen->through[lens].frame = *frame;
	seen->through[lens].window = window;
	g_queue_push_head_link(&lenses->seen, link);
	while (lenses->seen.length > WINDOWS_KEPT) {
		seen_free(g_queue_pop_tail(&lenses->seen));
	}
	g_mutex_unlock(&lenses->mutex);
}

void lens_keep_alone(struct call *call)
{
	struct lenses *lenses = session_lenses(call->session);
	g_mutex_lock(&lenses->mutex);
	GList *link = search(lenses, call->window->id, call->window->pid);
	if (link != NULL) {
		((struct seen *)link->data)->alone = true;
	}
	g_mutex_unlock(&lenses->mutex);
}

bool lens_is_alone(struct call *call)
{
	struct lenses *lenses = session_lenses(call->session);
	g_mutex_lock(&lenses->mutex);
	GList *link = search(lenses, call->window->id, call->window->pid);
	bool alone = link != NULL && ((const struct seen *)link->data)->alone;
	g_mutex_unlock(&lenses->mutex);
	return alone;
}

static bool look_through(struct call *call, enum lens lens, struct frame *frame,
	struct screen_rect *window)
{
	struct lenses *lenses = session_lenses(call->session);
	g_mutex_lock(&lenses->mutex);
	GList *link = search(lenses, call->window->id, call->window->pid);
	if (link != NULL) {
		const struct seen *seen = link->data;
		*frame = seen->through[lens].frame;
		*window = seen->through[lens].window;
	}
	g_mutex_unlock(&lenses->mutex);
	return link != NULL && frame->shot_width > 0;
}

struct window *lenses_window(struct lenses *lenses, guint64 window, pid_t pid)
{
	g_mutex_lock(&lenses->mutex);
	GList *link = search(lenses, window, pid);
	const struct seen *seen = link != NULL ? link->data : NULL;
	struct window *known = seen != NULL && seen->known != NULL ? window_copy(seen->known) : NULL;
	g_mutex_unlock(&lenses->mutex);
	return known;
}

bool lens_find(struct call *call, enum lens lens, struct frame *frame)
{
	struct screen_rect window;
	return look_through(call, lens, frame, &window);
}

bool lens_fits(struct screen_rect then, struct screen_rect now, struct answer *answer)
{
	bool fits = now.width == then.width && now.height == then.height;
	if (!fits) {
		answer_fail(answer, ERROR_STALE_FRAME, "The window was %d×%d in the picture and is %d×%d now",
			then.width, then.height, now.width, now.height);
	}
	return fits;
}

bool lens_resolve(struct call *call, enum lens lens, struct shot_px point, struct window_px *place)
{
	const char *what = lens == LENS_ZOOM ? "zoom" : "picture";
	struct screen_rect now = call->window->bounds, then;
	struct frame frame;
	if (!look_through(call, lens, &frame, &then)) {
		answer_fail(call->answer, ERROR_NO_CACHED_STATE,
			"This session has no %s of the window that x and y could be pixels of", what);
		answer_suggest(call->answer, lens == LENS_ZOOM ? "Call zoom first; a new screenshot ends earlier zooms."
			: "Call get_window_state first, or screenshot, which takes a picture though the application does not answer.");
		return false;
	}
	if (point.x < 0 || point.y < 0 || point.x >= frame.shot_width || point.y >= frame.shot_height) {
		answer_fail(call->answer, ERROR_POINT_OUTSIDE_WINDOW,
			"(%d, %d) is outside the window's %s of %d×%d pixels", point.x, point.y, what,
			frame.shot_width, frame.shot_height);
		return false;
	}
	if (!lens_fits(then, now, call->answer)) {
		return false;
	}
	struct screen_px screen = frame_shot_to_screen(&frame, point);
	*place = (struct window_px){ screen.x - then.x, screen.y - then.y };
	return true;
}

void lens_keep_screen(struct call *call, int width, int height)
{
	struct lenses *lenses = session_lenses(call->session);
	g_mutex_lock(&lenses->mutex);
	lenses->screen_width = width;
	lenses->screen_height = height;
	g_mutex_unlock(&lenses->mutex);
}

bool lens_resolve_screen(struct call *call, struct shot_px point, struct screen_px *place)
{
	struct lenses *lenses = session_lenses(call->session);
	g_autoptr(GError) error = NULL;
	struct screen screen = { 0 };
	if (!call->platform->impl->screen(call->platform, call->deadline, &screen, &error)) {
		answer_fail_error(call->answer, error);
		return false;
	}
	g_mutex_lock(&lenses->mutex);
	int width = lenses->screen_width, height = lenses->screen_height;
	g_mutex_unlock(&lenses->mutex);
	if (width != 0 && (width != screen.width || height != screen.height)) {
		answer_fail(call->answer, ERROR_STALE_FRAME, "The screen was %d×%d in the picture and is %d×%d now",
			width, height, screen.width, screen.height);
		answer_suggest(call->answer, "Call get_desktop_state again and take the point from the new picture.");
	} else if (point.x < 0 || point.y < 0 || point.x >= screen.width || point.y >= screen.height) {
		answer_fail(call->answer, ERROR_POINT_OUTSIDE_WINDOW, "(%d, %d) is outside the screen of %d×%d pixels",
			point.x, point.y, screen.width, screen.height);
		answer_suggest(call->answer, "Take x and y from get_desktop_state.");
	}
	screen_clear(&screen);
	*place = (struct screen_px){ point.x, point.y };
	return !answer_failed(call->answer);
}
