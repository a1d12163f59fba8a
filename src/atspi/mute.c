/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/mute.h"

#include <string.h>

/* So long it may take until an application that was read for the first time is listened to, and until what it says is heard. */
#define HEAR_MS 150
#define TELL_MS 40
#define TRIES 4

bool mute_may_speak(const struct element *element)
{
	static const char *const roles[] = { "check box", "radio button", NULL };
	return g_strv_contains(roles, element->role);
}

bool mute_may_be(const GPtrArray *elements, const struct element *element)
{
	if (!mute_may_speak(element) || element->parent < 0) {
		return false;
	}
	/* A popover is a panel that is modal; no other panel is. */
	const struct element *up = element;
	do {
		up = elements->pdata[up->parent];
	} while (up->parent >= 0 && (strcmp(up->role, "panel") != 0 || (up->states & STATE_MODAL) == 0));
	return up->parent >= 0;
}

/* One that said that it is on may be off by now and not have said so (mute.h). Whether it has to be
 * asked. */
static bool is_to_be_asked(struct past *past, const struct element *element)
{
	past_doubt_said(past, element->provider, element->object);
	return past_said(past, element->provider, element->object) < 0;
}

static int said_by(struct past *past, const struct element *element)
{
	return past_said(past, element->provider, element->object);
}

/* Asks for those that have not told yet, and waits until each has, or none does any more. False once all have, or if nobody answers. */
static bool ask_once(struct link *link, struct past *past, const GPtrArray *elements, const GPtrArray *mutes,
	struct deadline deadline)
{
	bool asked = false;
	for (guint i = 0; i < mutes->len; i++) {
		const struct element *element = mutes->pdata[i], *parent = elements->pdata[element->parent];
		asked |= said_by(past, element) < 0 && link_send(link, parent->provider, parent->object, ACCESSIBLE, "GetChildAtIndex",
			link_ignore, NULL, "i", element->place);
	}
	if (!asked || !link_pump(link, deadline, NULL)) {
		return false;
	}
	guint64 count = past_count(past);
	struct deadline until = deadline_within(deadline, TELL_MS);
	for (guint i = 0; i < mutes->len; i++) {
		while (said_by(past, mutes->pdata[i]) < 0 && past_wait(past, count, until)) {
			count = past_count(past);
		}
	}
	return true;
}

/* An application that is listened to only now need not know so yet. */
static void ask_for(struct link *link, struct past *past, const GPtrArray *elements, const GPtrArray *mutes,
	struct deadline deadline)
{
	const struct element *first = mutes->pdata[0];
	past_await_hearing(past, first->provider, deadline_within(deadline, HEAR_MS));
	bool heard = past_knows(past, first->provider);
	for (int i = 0; i < TRIES && ask_once(link, past, elements, mutes, deadline); i++) {
		/* Once more. */
	}
	/* Those are real ones, and not waited for again. */
	for (guint i = 0; i < mutes->len && heard; i++) {
		const struct element *element = mutes->pdata[i];
		past_note_silent(past, element->provider, element->object);
	}
}

int mute_ask(struct link *link, struct past *past, const GPtrArray *elements, const struct element *element,
	struct deadline deadline)
{
	if (is_to_be_asked(past, element)) {
		g_autoptr(GPtrArray) mutes = g_ptr_array_new();
		g_ptr_array_add(mutes, (gpointer)element);
		ask_for(link, past, elements, mutes, deadline);
	}
	return said_by(past, element);
}

void mute_fill(struct link *link, struct past *past, struct tree *tree, struct deadline deadline)
{
	g_autoptr(GPtrArray) mutes = g_ptr_array_new(), unknown = g_ptr_array_new();
	for (guint i = 0; i < tree->elements->len; i++) {
		struct element *element = tree->elements->pdata[i];
		if ((element->states & (STATE_CHECKED | STATE_INDETERMINATE)) == 0 && mute_may_be(tree->elements, element)) {
			g_ptr_array_add(mutes, element);
			if (is_to_be_asked(past, element)) {
				g_ptr_array_add(unknown, element);
			}
		}
	}
	if (unknown->len > 0) {
		ask_for(link, past, tree->elements, unknown, deadline);
	}
	for (guint i = 0; i < mutes->len; i++) {
		struct element *element = mutes->pdata[i];
		element->states |= said_by(past, element) == 1 ? STATE_CHECKED : 0;
	}
}
