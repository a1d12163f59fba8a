/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/focus.h"

#include <string.h>

#include "atspi/node.h"
#include "atspi/pool.h"
#include "atspi/talk.h"

/* A page is in another process than who answers for it: so long it may take to tell, and so often it is asked. */
#define TELLING_MS 700
#define LOOK_MS 8
/* Of a list the item has the focus, of a date one of its numbers: so many of what is in it are asked, and so deep. */
#define MOST_PARTS 60
#define DEEPEST_PART 2

bool focus_may_take(const struct window *window, const struct element *element)
{
	return strcmp(window->toolkit, "gecko") == 0 || element->in_web_content;
}

static bool has_focus(struct talk *talk)
{
	return (talk_states(talk) >> ATSPI_FOCUSED & 1) != 0;
}

static GPtrArray *children_of(struct talk *talk)
{
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
	const char *name, *path;
	struct message *reply = talk_ask(talk, ACCESSIBLE, "GetChildren", NULL);
	if (reply != NULL && message_enter(reply, 'a', "(so)") > 0) {
		while (paths->len < MOST_PARTS && message_read(reply, "(so)", &name, &path) > 0) {
			g_ptr_array_add(paths, g_strdup(path));
		}
	}
	return paths;
}

static bool has_focus_inside(struct talk *talk, int depth)
{
	g_autoptr(GPtrArray) paths = children_of(talk);
	bool has = false;
	for (guint i = 0; i < paths->len && !has && talk->error == NULL; i++) {
		struct talk part = { .link = talk->link, .name = talk->name, .path = paths->pdata[i], .deadline = talk->deadline };
		has = has_focus(&part) || (depth < DEEPEST_PART && has_focus_inside(&part, depth + 1));
		talk_end(&part);
	}
	return has;
}

/* What has parts that take the focus for it. */
static bool has_parts(const struct element *element)
{
	static const char *const roles[] = { "list box", "list", "tree", "table", "tree table", "page tab list", "date editor",
		"panel", NULL };
	return g_strv_contains(roles, element->role);
}

bool focus_take(struct atspi *atspi, const struct element *element, struct deadline deadline)
{
	struct link *link = pool_borrow(atspi, deadline, NULL);
	if (link == NULL) {
		return false;
	}
	struct talk talk = talk_to(link, element, deadline);
	struct deadline telling = deadline_within(deadline, TELLING_MS);
	const bool never = false;
	talk_ask(&talk, COMPONENT_INTERFACE, "GrabFocus", NULL);
	bool taken = false;
	if (talk_agreed(&talk)) {
		talk.deadline = telling;
		do {
			taken = has_focus(&talk) || (has_parts(element) && has_focus_inside(&talk, 1));
		} while (!taken && talk.error == NULL && !link->broken && deadline_left(telling) > 0
			&& (link_wait(link, &never, deadline_within(telling, LOOK_MS)), true));
	}
	if (taken && element->plugged && (element->states & STATE_EDITABLE) != 0 && (element->states & STATE_FOCUSED) == 0) {
		/* WebKitGTK selects all, which the first letter would replace. */
		talk.deadline = deadline;
		int length = talk_int(&talk, TEXT_INTERFACE, "CharacterCount", -1);
		taken = length >= 0 && (talk_ask(&talk, TEXT_INTERFACE, "SetCaretOffset", "i", length), talk_agreed(&talk));
	}
	talk_end(&talk);
	pool_return(atspi, link);
	return taken;
}

bool focus_is_active(struct atspi *atspi, const struct element *top, struct deadline deadline)
{
	struct link *link = pool_borrow(atspi, deadline, NULL);
	if (link == NULL) {
		return false;
	}
	struct talk talk = talk_to(link, top, deadline);
	const bool never = false;
	bool active;
	do {
		active = (talk_states(&talk) >> ATSPI_ACTIVE & 1) != 0;
	} while (!active && talk.error == NULL && !link->broken && deadline_left(deadline) > 0
		&& (link_wait(link, &never, deadline_within(deadline, LOOK_MS)), true));
	talk_end(&talk);
	pool_return(atspi, link);
	return active;
}
