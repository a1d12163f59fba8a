/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/write.h"

#include <math.h>
#include <string.h>

#include "atspi/caret.h"
#include "atspi/node.h"
#include "atspi/splice.h"
#include "core/quote.h"

/* How much text is looked at on either side of what was typed, and of a text that was set. */
#define AROUND 40
#define WHOLE 2000

/* A text before it is changed. */
struct field {
	enum text_unit unit;
	int length;
	int from, to;  /* the selection; the caret twice if there is none */
	bool typed;    /* nobody but keys can write it */
};

void write_fail(struct talk *talk, GError **error, enum error_code code, const char *format, ...)
{
	if (talk->error != NULL) {
		g_propagate_error(error, g_steal_pointer(&talk->error));
		return;
	}
	va_list args;
	va_start(args, format);
	g_autofree char *problem = quote_vformat(format, args);
	va_end(args);
	if (talk->problem != NULL && talk->problem[0] != '\0') {
		error_set(error, code, "%s; the application says \"%s\"", problem, talk->problem);
	} else {
		error_set(error, code, "%s", problem);
	}
}

static char *text_between(struct talk *talk, int from, int to)
{
	const char *text;
	struct message *reply = talk_ask(talk, TEXT_INTERFACE, "GetText", "ii", from, to);
	return reply != NULL && message_read(reply, "s", &text) > 0 ? splice_clean(text, -1)
		: NULL;
}

/* A character of its own for each: what is in a secret field is nobody's business. */
static char *length_in_words(int length)
{
	return g_strdup_printf("%d characters", length);
}

static bool is_qt_spin(const struct action *action)
{
	return strcmp(action->now->role, "spin button") == 0 && g_str_has_prefix(action->window->toolkit, "qt");
}

static bool has_number(struct talk *talk, const struct action *action)
{
	return range_is(action, talk_double(talk, VALUE_INTERFACE, "MinimumValue", 0),
		talk_double(talk, VALUE_INTERFACE, "MaximumValue", 0));
}

/*
 * Whether keys can write it into the field: no key of a text may leave the field or send a form. Dates and times have a field for
 * each of their numbers.
 */
static bool can_be_typed(const struct element *element, const char *text, uint64_t states)
{
	bool lines = (states >> ATSPI_MULTI_LINE & 1) != 0;
	return strcmp(element->role, "date editor") != 0 && strcmp(element->role, "panel") != 0
		&& strchr(text, '\t') == NULL && (lines || strpbrk(text, "\r\n") == NULL);
}

/* Where the text is and what of it is selected. */
static bool read_extent(struct talk *talk, const struct action *action, struct field *field, GError **error)
{
	field->unit = splice_unit(action->window->toolkit);
	int length = talk_int(talk, TEXT_INTERFACE, "CharacterCount", 0);
	field->length = MAX(length, 0);
	if (!caret_selection(talk, &field->from, &field->to)) {
		int caret = talk_int(talk, TEXT_INTERFACE, "CaretOffset", -1);
		/* Some have no caret while nobody works in them. */
		field->from = field->to = caret < 0 ? field->length : caret;
	}
	int from = MIN(field->from, field->to), to = MAX(field->from, field->to);
	field->from = CLAMP(from, 0, field->length);
	field->to = CLAMP(to, 0, field->length);
	if (talk->error != NULL) {
		g_propagate_error(error, g_steal_pointer(&talk->error));
		return false;
	}
	return true;
}

/* Only looks; false with an error if the element takes no text, or takes it by keys alone. */
static bool read_field(struct talk *talk, const struct action *action, struct field *field,
	GError **error)
{
	const struct element *now = action->now;
	unsigned interfaces = talk_interfaces(talk);
	uint64_t states = talk_states(talk);
	bool gecko = strcmp(action->window->toolkit, "gecko") == 0, vcl = strcmp(action->window->toolkit, "vcl") == 0;
	bool in_document = element_document(action->element) != NULL;
	/*
	 * Firefox says yes to every text and writes none; LibreOffice forgets it with the editor of a cell, and where keys
	 * would begin a new paragraph it breaks the line.
	 */
	bool pretends = gecko || (vcl && (action->focused
		|| (action->kind == ACTION_TYPE_TEXT && in_document && strchr(action->text, '\n') != NULL)));
	/* The end of a line is Enter in a field that has only one: keys press it. Qt and GTK4 say only of the others that they have more. */
	bool silent = g_str_has_prefix(action->window->toolkit, "qt") || strcmp(action->window->toolkit, "gtk4") == 0;
	bool single = (states >> ATSPI_SINGLE_LINE & 1) != 0 || (silent && (states >> ATSPI_MULTI_LINE & 1) == 0);
	bool enters = action->kind == ACTION_TYPE_TEXT && single && !in_document && !action->window->minimized
		&& strpbrk(action->text, "\r\n") != NULL;
	bool writes = (interfaces & INTERFACE_EDITABLE_TEXT) != 0;
	/* A cell of a sheet would begin to be edited, and not end. */
	bool browser = gecko || strcmp(action->window->toolkit, "chromium") == 0 || now->in_web_content;
	/* Qt does not say it of its spin buttons. */
	bool editable = (states >> ATSPI_EDITABLE & 1) != 0 || is_qt_spin(action);
	/* A cell of a sheet has no text to write to, but says whether it is protected. */
	bool cell = in_document && strcmp(now->role, "table cell") == 0;
	/* Firefox has the interface on everything. */
	bool field_like = strcmp(now->role, "entry") == 0 || strcmp(now->role, "text") == 0;
	*field = (struct field){ 0 };
	if (talk->error == NULL && !editable && (cell || (writes && (!gecko || field_like))
		|| (states >> ATSPI_READ_ONLY & 1) != 0)) {
		write_fail(talk, error, ERROR_ELEMENT_READ_ONLY, "The %s \"%s\" is read-only", now->role,
			now->name);
		return false;
	}
	if (talk->error != NULL || pretends || enters || !writes) {
		field->typed = talk->error == NULL && editable && browser && (gecko || !writes) && (interfaces & INTERFACE_TEXT) != 0
			&& can_be_typed(now, action->text, states) && read_extent(talk, action, field, error);
		if (error != NULL && *error != NULL) {
			return false;
		}
		write_fail(talk, error, ERROR_BACKGROUND_UNAVAILABLE,
			"The %s \"%s\" has no text that could be written through accessibility%s", now->role, now->name,
			action->kind != ACTION_SET_VALUE ? "" : cell ? "; type_text types into it" : strcmp(now->role, "table cell") == 0
			? "; if it can be edited, double_click opens its editor, and type_text without an element types there"
			: strcmp(now->role, "date editor") == 0 || (editable && strcmp(now->role, "panel") == 0)
			? "; each of its numbers is an element of its own"
			: !editable ? "" : strpbrk(action->text, "\t\r\n") != NULL ? ", and keys for a tab or the end of a line would leave it"
			: "; type_text types into it, and hotkey [ctrl, a] before that selects what is there");
		return false;
	}
	return read_extent(talk, action, field, error);
}

/* Notes what there is in the window from..to and what will be there. */
static void note(struct talk *talk, struct action *action, const struct field *field, int around)
{
	struct finding *finding = &action->finding;
	int added = splice_length(action->text, field->unit);
	finding->kind = "text";
	finding->length = field->length - (field->to - field->from) + added;
	if (action->now->secret) {
		finding->secret = true;
		finding->before = length_in_words(field->length);
		finding->wanted = length_in_words(finding->length);
		return;
	}
	finding->from = MAX(field->from - around, 0);
	finding->to = MIN(field->from + added + around, finding->length);
	finding->before = text_between(talk, finding->from, MIN(field->to + around, field->length));
	if (finding->before == NULL) {
		finding->kind = NULL;
		return;
	}
	g_autofree char *whole = splice_replace(finding->before, field->from - finding->from,
		field->to - finding->from, action->text, field->unit);
	finding->wanted = splice_part(whole, 0, finding->to - finding->from, field->unit);
}

static void count(struct talk *talk, struct action *action, const struct field *field)
{
	struct finding *finding = &action->finding;
	int kept = field->length - (field->to - field->from);
	int length = talk_int(talk, TEXT_INTERFACE, "CharacterCount", -1);
	finding->unit = "chars";
	finding->asked = (int)g_utf8_strlen(action->text, -1);
	finding->done = length < 0 ? finding->asked
		: splice_characters(action->text, MAX(length - kept, 0), field->unit);
}

static bool insert(struct talk *talk, int at, const char *text, enum text_unit unit)
{
	talk_ask(talk, EDITABLE_INTERFACE, "InsertText", "isi", at, text,
		splice_insert_length(text, unit));
	return talk_agreed(talk);
}

static bool delete(struct talk *talk, int from, int to)
{
	talk_ask(talk, EDITABLE_INTERFACE, "DeleteText", "ii", from, to);
	return talk_agreed(talk);
}

/* Toolkits leave the caret before what was put in, behind it, or at the end of all. */
static void leave_caret(struct talk *talk, int offset)
{
	talk_ask(talk, TEXT_INTERFACE, "SetCaretOffset", "i", offset);
}

enum delivered write_text(struct talk *talk, struct action *action, GError **error)
{
	struct field field;
	if (!read_field(talk, action, &field, error)) {
		return DELIVERED_NONE;
	}
	note(talk, action, &field, AROUND);
	if (is_qt_spin(action)) {
		action->finding.kept = true;
		write_fail(talk, error, action->window->minimized ? ERROR_WINDOW_MINIMIZED : ERROR_BACKGROUND_UNAVAILABLE,
			"The %s \"%s\" shows whatever accessibility writes, and takes what keys write", action->now->role, action->now->name);
		return DELIVERED_NONE;
	}
	action->performed = "insert text into";
	if (field.to > field.from && !delete(talk, field.from, field.to)) {
		write_fail(talk, error, ERROR_DELIVERY_FAILED, "The selected text could not be replaced");
		return DELIVERED_UNKNOWN;
	}
	if (!insert(talk, field.from, action->text, field.unit)) {
		write_fail(talk, error, ERROR_DELIVERY_FAILED, "The application did not take the text");
		return field.to > field.from ? DELIVERED_PARTIAL : DELIVERED_UNKNOWN;
	}
	leave_caret(talk, field.from + splice_length(action->text, field.unit));
	count(talk, action, &field);
	return DELIVERED_FULL;
}

/* Some applications add what they should put in place of the old. */
static void remove_old(struct talk *talk, const struct field *field, int added)
{
	int length = talk_int(talk, TEXT_INTERFACE, "CharacterCount", -1);
	if (field->length > 0 && length == field->length + added) {
		delete(talk, 0, field->length);
	}
}

/* What is there already is left alone; otherwise the session's keyboard types it, and what was noted is looked for. */
static enum delivered leave_to_keys(struct action *action, GError **error)
{
	struct finding *finding = &action->finding;
	if (finding->kind != NULL && !finding->secret && strcmp(finding->before, finding->wanted) == 0) {
		g_clear_error(error);
		action->performed = "leave as it is:";
		finding->idle = true;
		return DELIVERED_FULL;
	}
	finding->kept = finding->retype = true;
	return DELIVERED_NONE;
}

enum delivered write_whole(struct talk *talk, struct action *action, GError **error)
{
	struct field field;
	bool writable = read_field(talk, action, &field, error);
	if (!writable && !field.typed) {
		return DELIVERED_NONE;
	}
	field.from = 0;
	field.to = field.length;
	note(talk, action, &field, WHOLE);
	if (!writable) {
		return leave_to_keys(action, error);
	}
	action->performed = "set text of";
	double number = action->now->has_value && has_number(talk, action)
		? talk_double(talk, VALUE_INTERFACE, "CurrentValue", NAN) : NAN;
	int added = splice_length(action->text, field.unit);
	talk_ask(talk, EDITABLE_INTERFACE, "SetTextContents", "s", action->text);
	if (talk_agreed(talk)) {
		remove_old(talk, &field, added);
	} else if (talk->error != NULL || (field.length > 0 && !delete(talk, 0, field.length))
		|| !insert(talk, 0, action->text, field.unit)) {
		write_fail(talk, error, ERROR_DELIVERY_FAILED, "The application did not take the text");
		return DELIVERED_UNKNOWN;
	}
	/* A date of Qt becomes the one that was taken when the caret moves. */
	leave_caret(talk, is_qt_spin(action) ? 0 : added);
	count(talk, action, &field);
	action->finding.echo = !isnan(number) && talk_double(talk, VALUE_INTERFACE, "CurrentValue", NAN) == number;
	return DELIVERED_FULL;
}

/* What stands in a spin button is its value only when that was taken, at Enter or when the focus leaves it. */
static char *with_value(struct talk *talk, const struct action *action, int length, char *now)
{
	double value = talk_double(talk, VALUE_INTERFACE, "CurrentValue", NAN);
	bool number = has_number(talk, action);
	g_autofree char *whole = text_between(talk, 0, length);
	if (isnan(value) || !number || whole == NULL || range_is_shown(whole, value)) {
		return now;
	}
	g_autofree char *text = now, *told = range_in_words(value);
	return g_strdup_printf("%s, which is not taken: its value is %s until press_key enter, or set_value", text, told);
}

char *write_look(struct talk *talk, const struct action *action)
{
	const struct finding *finding = &action->finding;
	int length = talk_int(talk, TEXT_INTERFACE, "CharacterCount", -1);
	if (length < 0) {
		return NULL;
	}
	if (finding->secret) {
		return length_in_words(length);
	}
	int to = CLAMP(finding->to + length - finding->length, finding->from, length);
	char *now = text_between(talk, finding->from, MAX(to, MIN(finding->from, length)));
	/* The same words in a text of another length are other words of it. */
	if (now != NULL && length != finding->length && strcmp(now, finding->wanted) == 0) {
		g_free(now);
		now = g_strdup_printf("%s… (%d characters)", finding->wanted, length);
	}
	return now != NULL && action->kind == ACTION_TYPE_TEXT && strcmp(action->now->role, "spin button") == 0
		&& action->now->has_value ? with_value(talk, action, length, now) : now;
}
