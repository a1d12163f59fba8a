/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/headless.h"

#include <string.h>

#include "core/health.h"
#include "core/past.h"
#include "core/rung.h"
#include "core/surroundings.h"

struct headless {
	struct platform base;
	GMutex mutex;         /* for what a test changes while calls run */
	GPtrArray *windows;   /* struct window */
	struct tree *tree;    /* what every window shows */
	int acted;            /* actions so far */
};

static struct headless *upcast(struct platform *platform)
{
	return (struct headless *)platform;
}

static bool is_empty(struct platform *platform, GError **error)
{
	if (upcast(platform)->windows->len > 0) {
		return false;
	}
	g_set_error(error, CUA_ERROR, ERROR_NO_DISPLAY, "This driver has no display system");
	return true;
}

static void destroy(struct platform *platform)
{
	g_ptr_array_unref(upcast(platform)->windows);
	g_mutex_clear(&upcast(platform)->mutex);
	tree_free(upcast(platform)->tree);
	past_free(platform->past);
	g_free(platform);
}

static GPtrArray *windows(struct platform *platform, struct deadline deadline, GError **error)
{
	(void)deadline;
	if (is_empty(platform, error)) {
		return NULL;
	}
	GPtrArray *list = window_list_new();
	g_mutex_lock(&upcast(platform)->mutex);
	for (guint i = 0; i < upcast(platform)->windows->len; i++) {
		g_ptr_array_add(list, window_copy(upcast(platform)->windows->pdata[i]));
	}
	g_mutex_unlock(&upcast(platform)->mutex);
	return list;
}

static bool screen(struct platform *platform, struct deadline deadline, struct screen *result,
	GError **error)
{
	(void)deadline;
	*result = (struct screen){ 1280, 800, 1.0, monitor_list_new() };
	return !is_empty(platform, error);
}

static bool pointer(struct platform *platform, struct deadline deadline, struct screen_px *point,
	GError **error)
{
	(void)deadline;
	*point = (struct screen_px){ 0, 0 };
	return !is_empty(platform, error);
}

static struct picture *blank(int width, int height)
{
	struct picture *picture = picture_new(width, height);
	memset(picture->pixels, 0, (gsize)width * (gsize)height * sizeof *picture->pixels);
	return picture;
}

static bool capture(struct platform *platform, const struct window *window,
	struct capture *capture, struct deadline deadline, GError **error)
{
	(void)deadline;
	if (is_empty(platform, error)) {
		return false;
	}
	/* Every window is blank for ever. */
	capture->picture = capture->version != 0 ? NULL
		: blank(window->bounds.width, window->bounds.height);
	capture->version = 1;
	return true;
}

static struct picture *capture_screen(struct platform *platform, struct deadline deadline,
	GError **error)
{
	(void)deadline;
	return is_empty(platform, error) ? NULL : blank(1280, 800);
}

static struct tree *read_tree(struct platform *platform, const struct window *window,
	const struct tree_limits *limits, struct deadline deadline, GError **error)
{
	const GPtrArray *source = upcast(platform)->tree->elements;
	(void)limits, (void)window;
	if (is_empty(platform, error) || deadline_over(deadline, "the application", error)) {
		return NULL;
	}
	struct tree *tree = tree_new();
	g_mutex_lock(&upcast(platform)->mutex);
	for (guint i = 0; i < source->len; i++) {
		g_ptr_array_add(tree->elements, element_copy(source->pdata[i]));
	}
	g_mutex_unlock(&upcast(platform)->mutex);
	tree_number(tree);
	return tree;
}

static struct tree *overview(struct platform *platform, pid_t pid, const struct tree_limits *limits,
	struct deadline deadline, GError **error)
{
	(void)pid;
	return read_tree(platform, NULL, limits, deadline, error);
}

struct element *headless_element(struct platform *platform, const char *object)
{
	GPtrArray *elements = upcast(platform)->tree->elements;
	for (guint i = 0; i < elements->len; i++) {
		struct element *element = elements->pdata[i];
		if (strcmp(element->object, object) == 0) {
			return element;
		}
	}
	return NULL;
}

static struct element *reread(struct platform *platform, const struct element *element,
	struct deadline deadline, GError **error)
{
	(void)deadline;
	const struct element *found = headless_element(platform, element->object);
	struct element *now = found != NULL ? element_copy(found) : NULL;
	if (now == NULL) {
		g_set_error(error, CUA_ERROR, ERROR_STALE_ELEMENT, "The element does not exist any more");
	}
	return now;
}

/* A second look; it is taken in the end. */
struct looking {
	const struct surroundings *surroundings;
	struct look *look;
};

static void *look_begin(struct platform *platform, const struct surroundings *surroundings, struct look *look,
	bool at_once, struct deadline deadline, GError **error)
{
	(void)platform, (void)at_once, (void)deadline, (void)error;
	struct looking *looking = g_new(struct looking, 1);
	*looking = (struct looking){ surroundings, look };
	return looking;
}

static void look_drop(struct platform *platform, void *data)
{
	(void)platform;
	g_free(data);
}

static struct element *look_end(struct platform *platform, void *data, struct deadline deadline, GError **error)
{
	g_autofree struct looking *looking = data;
	const struct surroundings *surroundings = looking->surroundings;
	struct element *now = reread(platform, surroundings->element, deadline, error);
	if (now != NULL && now->place != surroundings->element->place) {
		looking->look->seats[0] = SEAT_LOST;
	}
	for (guint i = 0; i < surroundings->signs->len; i++) {
		const struct element *sign = surroundings->signs->pdata[i];
		const struct element *found = headless_element(platform, sign->object);
		looking->look->names[i] = found != NULL ? g_strdup(found->name) : NULL;
	}
	return now;
}

static void *probe_begin(struct platform *platform, const struct window *window, enum probe_time time,
	bool allow_grab)
{
	(void)time, (void)allow_grab;
	g_mutex_lock(&upcast(platform)->mutex);
	const struct window *found = window_list_find(upcast(platform)->windows, window->id);
	g_mutex_unlock(&upcast(platform)->mutex);
	/* Whether it is there is all that changes of a window. */
	return GINT_TO_POINTER(found != NULL && found->pid == window->pid);
}

static void probe_leave(struct platform *platform, const struct window *window)
{
	(void)platform, (void)window;
}

static void look_out(struct platform *platform, bool on)
{
	(void)platform, (void)on;
}

void headless_begin(struct platform *platform)
{
	g_mutex_lock(&upcast(platform)->mutex);
}

void headless_end(struct platform *platform)
{
	g_mutex_unlock(&upcast(platform)->mutex);
	past_note(platform->past, &(struct happening){ .kind = HAPPENED_ELEMENT,
		.at = g_get_monotonic_time(), .provider = "memory", .object = "test", .what = "name" });
}

static bool probe_end(struct platform *platform, void *probing, struct deadline deadline,
	struct probe *result, GError **error)
{
	(void)platform, (void)deadline, (void)error;
	*result = (struct probe){ .stacking = g_array_new(FALSE, FALSE, sizeof(guint64)),
		.unchanged = probing != NULL };
	return true;
}

static enum verdict can_act(const struct action *action, struct refusal *why)
{
	char **actions = action->element->actions;
	if (g_strv_contains((const char *const *)actions, action->verb ? action->verb : "press")) {
		return VERDICT_YES;
	}
	*why = (struct refusal){ ERROR_ACTION_UNSUPPORTED, g_strdup("The element has no such action") };
	return VERDICT_NO;
}

static enum delivered act(struct action *action, GError **error)
{
	(void)error;
	struct element *element = headless_element(action->platform, action->element->object);
	upcast(action->platform)->acted++;
	if (element != NULL && strcmp(element->role, "check box") == 0) {
		element->states ^= STATE_CHECKED;
	}
	action->performed = "press";
	return DELIVERED_FULL;
}

int headless_acted(struct platform *platform)
{
	return upcast(platform)->acted;
}

static const struct rung_impl rung = {
	.path = "headless", .delivery = DELIVERY_BACKGROUND, .takes = ADDRESS_ELEMENT, .through_accessibility = true,
	.can = can_act, .deliver = act,
};

static const struct rung_impl *const rungs[] = { &rung, NULL };

static void look_at_display(const struct patient *patient, struct check *check)
{
	if (upcast(patient->platform)->windows->len > 0) {
		check_set(check, HEALTH_OK, "in memory");
		return;
	}
	check_set(check, HEALTH_FAIL, "this driver was built without any display system");
	check_advise(check, g_strdup("./configure && make"), "Build it with one");
}

static const struct exam exams[] = {
	{ "display", "display", NULL, look_at_display, NULL },
	{ NULL }
};

static bool place(struct platform *platform, const struct window *window, struct placement *placement,
	struct deadline deadline, GError **error)
{
	(void)deadline;
	g_mutex_lock(&upcast(platform)->mutex);
	struct window *own = window_list_find(upcast(platform)->windows, window->id);
	if (own != NULL) {
		own->bounds = placement->wanted;
	}
	g_mutex_unlock(&upcast(platform)->mutex);
	return !is_empty(platform, error);
}

static bool activate(struct platform *platform, const struct window *window, bool again,
	struct deadline deadline, GError **error)
{
	(void)deadline, (void)again;
	g_mutex_lock(&upcast(platform)->mutex);
	for (guint i = 0; i < upcast(platform)->windows->len; i++) {
		struct window *own = upcast(platform)->windows->pdata[i];
		own->active = own->id == window->id;
	}
	g_mutex_unlock(&upcast(platform)->mutex);
	return !is_empty(platform, error);
}

static bool focused(struct platform *platform, const struct window *window, struct deadline deadline)
{
	(void)platform, (void)deadline;
	return window->active;
}

static GPtrArray *clip_types(struct platform *platform, struct deadline deadline, GError **error)
{
	(void)deadline;
	return is_empty(platform, error) ? NULL : g_ptr_array_new_with_free_func(g_free);
}

static bool clip_write(struct platform *platform, struct session *session, const GPtrArray *clips,
	struct deadline deadline, GError **error)
{
	(void)session, (void)clips, (void)deadline;
	return !is_empty(platform, error);
}

static const struct platform_impl impl = {
	"headless", destroy, windows, screen, pointer, capture, capture_screen, read_tree, overview, reread,
	look_begin, look_end, look_drop, NULL, look_out, probe_begin, probe_end, probe_leave, .rungs = rungs, .place = place,
	.activate = activate, .focused = focused, .clip_types = clip_types, .clip_write = clip_write, .exams = exams,
};

void headless_add_window(struct platform *platform, struct window *window)
{
	g_ptr_array_add(upcast(platform)->windows, window);
}

void headless_remove_window(struct platform *platform, guint64 id)
{
	GPtrArray *list = upcast(platform)->windows;
	g_ptr_array_remove(list, window_list_find(list, id));
}

void headless_add_element(struct platform *platform, struct element *element)
{
	g_ptr_array_add(upcast(platform)->tree->elements, element);
}

struct platform *headless_new(void)
{
	struct headless *self = g_new0(struct headless, 1);
	self->base.impl = &impl;
	self->base.past = past_new();
	g_mutex_init(&self->mutex);
	self->windows = window_list_new();
	self->tree = tree_new();
	return &self->base;
}
