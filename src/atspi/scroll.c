/* SPDX-License-Identifier: MIT */
/* Scrolling what an element is in: by its scroll bar's value, or by actions that scroll. */
#include "config.h"

#include "atspi/write.h"

#include <math.h>
#include <string.h>

#include "atspi/node.h"
#include "atspi/reader.h"
#include "atspi/verb.h"

/* So far up is what scrolls looked for, and this deep below each step: panes put bars into boxes. */
#define HIGHEST 24
#define DEEPEST_BAR 3
#define MOST_NODES 60
/* The height of a line where only pixels are known; what of a page is new on the next one. */
#define LINE_PX 40
#define ROW_PX 24
#define NEW_SHARE 0.9
/* Chromium scrolls pages only; a page has about so many lines. */
#define LINES_A_PAGE 10

/* A scroll bar, and how it is told where to go. */
struct bar {
	char *object;      /* who has the value; owned */
	double value, minimum, maximum, line, page;
	int step;          /* the number of its action that goes one step of those asked for; -1 without any */
};

static bool forward(const struct action *action)
{
	return action->direction == DIRECTION_DOWN || action->direction == DIRECTION_RIGHT;
}

static bool sideways(const struct action *action)
{
	return action->direction == DIRECTION_LEFT || action->direction == DIRECTION_RIGHT;
}

/* The size of the object on the screen. */
static bool size_of(struct talk *talk, int *width, int *height)
{
	int32_t x, y;
	struct message *reply = talk_ask(talk, COMPONENT_INTERFACE, "GetExtents", "u", COORDS_WINDOW);
	return reply != NULL && message_read(reply, "(iiii)", &x, &y, width, height) > 0;
}

/* Whether the bar at talk->path goes the way of the action, and how long it is. */
static bool goes_along(struct talk *talk, const struct action *action, int *length)
{
	uint64_t states = talk_states(talk);
	int width = 0, height = 0;
	size_of(talk, &width, &height);
	bool horizontal = (states >> ATSPI_HORIZONTAL & 1) != 0;
	if (!horizontal && (states >> ATSPI_VERTICAL & 1) == 0) {
		horizontal = width > height;
	}
	*length = horizontal ? width : height;
	return horizontal == sideways(action);
}

/* Reads what the object at talk->path says as a bar; false if there is nowhere to go. */
static bool read_bar(struct talk *talk, int length, struct bar *bar)
{
	bar->value = talk_double(talk, VALUE_INTERFACE, "CurrentValue", NAN);
	bar->minimum = talk_double(talk, VALUE_INTERFACE, "MinimumValue", 0);
	bar->maximum = talk_double(talk, VALUE_INTERFACE, "MaximumValue", 0);
	double step = talk_double(talk, VALUE_INTERFACE, "MinimumIncrement", 0);
	/* Small steps are rows or characters, large ones and none are pixels. */
	bool rows = step > 0 && step < 4;
	bar->line = rows || step > 0 ? step : LINE_PX;
	bar->page = rows ? fmax(floor(length / ROW_PX * NEW_SHARE), step) : fmax(length * NEW_SHARE, step);
	return !isnan(bar->value) && bar->maximum > bar->minimum;
}

/* The number of the action of that name at talk->path, of those from `first` on; -1 if it has none. */
static int number_of(struct talk *talk, const char *verb, int first)
{
	int count = talk_int(talk, ACTION_INTERFACE, "NActions", 0);
	for (int i = first; i < MIN(count, 20); i++) {
		const char *name;
		struct message *reply = talk_ask(talk, ACTION_INTERFACE, "GetName", "i", i);
		if (reply != NULL && message_read(reply, "s", &name) > 0 && strcmp(name, verb) == 0) {
			return i;
		}
	}
	return -1;
}

/* LibreOffice's bars take whole numbers, which nobody can send, and go to 0 for any other; but they have steps. */
static int find_step(struct talk *talk, const struct action *action)
{
	const char *verb = action->by_page ? (forward(action) ? "incrementBlock" : "decrementBlock")
		: forward(action) ? RANGE_STEP : "decrementLine";
	return number_of(talk, verb, 0);
}

static bool is_showing(struct talk *talk)
{
	return (talk_states(talk) >> ATSPI_SHOWING & 1) != 0;
}

/* Whether the bar is on a page that is not shown, of something that is. Bars themselves come and go. */
static bool is_put_away(struct talk *talk, const struct tree *tree, const struct element *bar, bool shown)
{
	const struct element *pane = bar->parent > 0 ? tree->elements->pdata[bar->parent] : NULL;
	talk->path = pane != NULL ? pane->object : talk->path;
	return shown && pane != NULL && !is_showing(talk);
}

static bool holds_only_bars(const struct tree *tree, int box)
{
	for (guint i = (guint)box + 1; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		if (element->parent == box && strcmp(element->role, "scroll bar") != 0) {
			return false;
		}
	}
	return true;
}

/* Whether the bar is of what was read, and not of something else that is in there, too: beside the target, for all we know. */
static bool is_its_own(const struct tree *tree, const struct element *bar)
{
	int up = bar->parent;
	while (up > 0 && holds_only_bars(tree, up)) {
		up = ((const struct element *)tree->elements->pdata[up])->parent;
	}
	return up <= 0;
}

/* The bar among these that goes the way of the action; `inside`: of something that the target is in, else of the target. */
static bool find_bar(struct talk *talk, const struct action *action, const struct tree *tree, bool inside,
	struct bar *bar)
{
	const char *home = talk->path;
	bool found = false, shown = is_showing(talk);
	int length = 0;
	for (guint i = 0; i < tree->elements->len && !found; i++) {
		const struct element *element = tree->elements->pdata[i];
		if (strcmp(element->role, "scroll bar") != 0 || (inside && !is_its_own(tree, element))
			|| is_put_away(talk, tree, element, shown)) {
			continue;
		}
		talk->path = element->object;
		if (!goes_along(talk, action, &length)) {
			continue;
		}
		found = read_bar(talk, length, bar);
		bar->step = found ? find_step(talk, action) : -1;
		/* GTK4 puts the value into what is inside its bar. */
		if (!found && i + 1 < tree->elements->len) {
			element = tree->elements->pdata[i + 1];
			talk->path = element->object;
			found = element->parent == (int)i && read_bar(talk, length, bar);
		}
		if (found) {
			bar->object = g_strdup(element->object);
		}
	}
	talk->path = home;
	return found;
}

static struct tree *near(struct talk *talk)
{
	const struct reading reading = {
		.limits = { .max_elements = MOST_NODES, .max_depth = DEEPEST_BAR },
		.light = true, .children = true, .shallow = true,
	};
	return reader_read(talk->link, talk->name, talk->path, &reading, talk->deadline,
		&talk->error);
}

/* The number of the action at talk->path that scrolls there; -1 if it has none. */
static int find_verb(struct talk *talk, const struct action *action)
{
	static const char *const verbs[] = {
		[DIRECTION_UP] = "scrollUp", [DIRECTION_DOWN] = "scrollDown",
		[DIRECTION_LEFT] = "scrollLeft", [DIRECTION_RIGHT] = "scrollRight",
	};
	/* Two is what Chromium gives to everything; others that scroll have bars. */
	return number_of(talk, verbs[action->direction], 2);
}

/* The parent of the object at talk->path, owned; NULL at the top. */
static char *parent_of(struct talk *talk)
{
	const char *name, *path;
	struct message *reply = talk_ask(talk, "org.freedesktop.DBus.Properties", "Get", "ss", ACCESSIBLE,
		"Parent");
	return reply != NULL && message_read(reply, "v", "(so)", &name, &path) > 0
		&& strcmp(name, talk->name) == 0 && !g_str_has_suffix(path, "/null")
		&& !g_str_has_suffix(path, "/root") ? g_strdup(path) : NULL;
}

static enum delivered perform(struct talk *talk, struct action *action, int number, GError **error)
{
	int times = action->by_page ? action->amount
		: (action->amount + LINES_A_PAGE - 1) / LINES_A_PAGE;
	int done = 0;
	action->performed = "scroll by pages";
	while (done < times && talk_ask(talk, ACTION_INTERFACE, "DoAction", "i", number) != NULL
		&& talk_agreed(talk)) {
		done++;
	}
	if (done < times) {
		write_fail(talk, error, ERROR_DELIVERY_FAILED, "The application refused to scroll");
		return done > 0 ? DELIVERED_PARTIAL : DELIVERED_UNKNOWN;
	}
	return DELIVERED_FULL;
}

/* As many steps of the bar at talk->path as were asked for, or as there are. */
static bool go_steps(struct talk *talk, const struct action *action, const struct bar *bar, int *done)
{
	double now = bar->value, last = NAN;
	for (*done = 0; *done < action->amount && now != last; *done += now != last) {
		last = now;
		talk_ask(talk, ACTION_INTERFACE, "DoAction", "i", bar->step);
		if (!talk_agreed(talk)) {
			return false;
		}
		now = talk_double(talk, VALUE_INTERFACE, "CurrentValue", now);
	}
	return true;
}

static enum delivered move(struct talk *talk, struct action *action, struct bar *bar, GError **error)
{
	struct finding *finding = &action->finding;
	double step = action->by_page ? bar->page : bar->line;
	double target = bar->value + (forward(action) ? 1 : -1) * step * action->amount;
	target = CLAMP(target, bar->minimum, bar->maximum);
	int done = 0;
	finding->kind = "value";
	finding->before = range_in_words(bar->value);
	finding->wanted = range_in_words(target);
	finding->object = g_steal_pointer(&bar->object);
	finding->unit = "steps";
	finding->asked = action->amount;
	action->performed = "scroll";
	talk->path = finding->object;
	finding->idle = target == bar->value;
	if (!finding->idle && !(bar->step < 0 ? range_put(talk, target) : go_steps(talk, action, bar, &done))) {
		write_fail(talk, error, ERROR_DELIVERY_FAILED, "The scroll bar did not take the value");
		return done > 0 ? DELIVERED_PARTIAL : DELIVERED_UNKNOWN;
	}
	/* Its end may be a page before its maximum, and its places are whole ones: that is as far as asked. */
	double now = talk_double(talk, VALUE_INTERFACE, "CurrentValue", target);
	bool fits = bar->step >= 0 || (forward(action) ? now <= target + step : now >= target - step);
	if (fits && (forward(action) ? now > bar->value : now < bar->value)) {
		g_free(finding->wanted);
		finding->wanted = range_in_words(now);
	}
	finding->done = bar->step >= 0 ? done : MIN((int)lround(fabs(now - bar->value) / step), action->amount);
	return DELIVERED_FULL;
}

enum delivered scroll_move(struct talk *talk, struct action *action, GError **error)
{
	g_autofree char *path = g_strdup(talk->path);
	for (int i = 0; i < HIGHEST && path != NULL && talk->error == NULL; i++) {
		talk->path = path;
		int verb = find_verb(talk, action);
		if (verb >= 0) {
			return perform(talk, action, verb, error);
		}
		struct tree *tree = near(talk);
		struct bar bar = { 0 };
		bool found = tree != NULL && find_bar(talk, action, tree, i > 0, &bar);
		tree_free(tree);
		if (found) {
			return move(talk, action, &bar, error);
		}
		char *parent = parent_of(talk);
		g_free(path);
		path = parent;
	}
	write_fail(talk, error, ERROR_BACKGROUND_UNAVAILABLE,
		"Nothing around the %s \"%s\" scrolls that way through accessibility", action->now->role,
		action->now->name);
	return DELIVERED_NONE;
}
