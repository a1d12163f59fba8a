/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/caret.h"

#include "atspi/pool.h"

/*
 * A click is several events, and an application takes one in a turn of its main loop, or answers a question: after so
 * many answers it has had them all.
 */
#define TURNS 12

bool caret_selection(struct talk *talk, int *from, int *to)
{
	int32_t count = 0;
	struct message *reply = talk_ask(talk, TEXT_INTERFACE, "GetNSelections", NULL);
	if (reply == NULL || message_read(reply, "i", &count) <= 0 || count < 1) {
		return false;
	}
	reply = talk_ask(talk, TEXT_INTERFACE, "GetSelection", "i", 0);
	return reply != NULL && message_read(reply, "ii", from, to) > 0 && *from != *to;
}

static void read_caret(struct talk *talk, struct caret *caret)
{
	*caret = (struct caret){ .offset = talk_int(talk, TEXT_INTERFACE, "CaretOffset", -1) };
	if (caret->offset >= 0 && !caret_selection(talk, &caret->from, &caret->to)) {
		caret->from = caret->to = 0;
	}
}

void caret_read(struct atspi *atspi, const struct element *element, struct deadline deadline,
	struct caret *caret)
{
	struct link *link = pool_borrow(atspi, deadline, NULL);
	*caret = (struct caret){ .offset = -1 };
	if (link != NULL) {
		struct talk talk = talk_to(link, element, deadline);
		read_caret(&talk, caret);
		talk_end(&talk);
		pool_return(atspi, link);
	}
}

void caret_restore(struct atspi *atspi, const struct element *element, struct deadline deadline,
	const struct caret *caret)
{
	struct link *link = caret->offset >= 0 ? pool_borrow(atspi, deadline, NULL) : NULL;
	if (link == NULL) {
		return;
	}
	struct talk talk = talk_to(link, element, deadline);
	for (int i = 0; i < TURNS && talk.error == NULL; i++) {
		talk_int(&talk, TEXT_INTERFACE, "CaretOffset", -1);
	}
	talk_ask(&talk, TEXT_INTERFACE, "SetCaretOffset", "i", caret->offset);
	if (caret->from != caret->to) {
		talk_ask(&talk, TEXT_INTERFACE, "AddSelection", "ii", caret->from, caret->to);
	}
	talk_end(&talk);
	pool_return(atspi, link);
}
