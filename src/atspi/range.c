/* SPDX-License-Identifier: MIT */
/* Numbers with limits: sliders, spin buttons, cells, scroll bars. */
#include "config.h"

#include "atspi/write.h"

#include <math.h>
#include <string.h>

#include "atspi/verb.h"

/* So long a page may take to have the number it was told, and so often it is looked at. */
#define TAKING_MS 200
#define LOOK_MS 8

char *range_in_words(double value)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];
	/* -0 is 0 to everybody. */
	return g_strdup(g_ascii_formatd(text, sizeof text, "%.12g", value == 0 ? 0 : value));
}

bool range_parse(const char *text, double *value)
{
	char *end;
	*value = g_ascii_strtod(text, &end);
	return end != text && *end == '\0' && isfinite(*value);
}

/* The first number in a text, up to `*end`, as in "3 / 6"; NULL if there is none. */
static const char *number_in(const char *text, const char **end)
{
	const char *start = strpbrk(text, "0123456789");
	if (start == NULL) {
		return NULL;
	}
	start -= start > text && (start[-1] == '-' || start[-1] == '.');
	*end = start + strspn(start, "-0123456789.,");
	return start;
}

bool range_parse_like(const char *text, const char *shown, double *value)
{
	const char *end, *shown_end;
	if (range_parse(text, value)) {
		return true;
	}
	const char *start = number_in(text, &end), *shown_start = number_in(shown, &shown_end);
	if (start == NULL || shown_start == NULL || start - text != shown_start - shown
		|| strncmp(text, shown, (size_t)(start - text)) != 0
		|| strcmp(end + strspn(end, " "), shown_end + strspn(shown_end, " ")) != 0) {
		return false;
	}
	g_autofree char *number = g_strndup(start, (gsize)(end - start));
	return range_parse(number, value);
}

/* Read with that character before its decimals; others are left out. */
static bool is_read_as(const char *number, gsize length, char point, double value)
{
	GString *plain = g_string_new(NULL);
	double places = -1, read;
	for (gsize i = 0; i < length; i++) {
		if (number[i] == point) {
			places = 0;
			g_string_append_c(plain, '.');
		} else if (number[i] != '.' && number[i] != ',') {
			places += places >= 0;
			g_string_append_c(plain, number[i]);
		}
	}
	bool parsed = range_parse(plain->str, &read);
	g_string_free(plain, TRUE);
	/* What is not shown of the decimals does not count. */
	return parsed && fabs(read - value) <= 0.500001 * pow(10, -MAX(places, 0));
}

bool range_is_shown(const char *text, double value)
{
	const char *end, *start = number_in(text, &end);
	gsize length = start != NULL ? (gsize)(end - start) : 0;
	return start == NULL || is_read_as(start, length, '.', value) || is_read_as(start, length, ',', value);
}

bool range_means(struct talk *talk, const struct element *now, const char *text, double *value)
{
	if (range_parse(text, value)) {
		return true;
	}
	/* With the unit that is shown, where what is shown is the number itself and not one in another unit. */
	return now->value != NULL && range_parse_like(text, now->value, value)
		&& range_is_shown(now->value, talk_double(talk, VALUE_INTERFACE, "CurrentValue", NAN));
}

bool range_is(const struct action *action, double least, double most)
{
	return most > least || !g_str_has_prefix(action->window->toolkit, "qt");
}

bool range_put(struct talk *talk, double value)
{
	/* The process that shows a page of WebKitGTK ends when it is told one that it does not take. */
	if (talk->plugged) {
		return false;
	}
	talk_ask(talk, "org.freedesktop.DBus.Properties", "Set", "ssv", VALUE_INTERFACE, "CurrentValue",
		"d", value);
	return talk->error == NULL && talk->problem == NULL;
}

/* What only shows a number cannot be told one. */
static bool only_shows(const struct element *element)
{
	static const char *const roles[] = { "progress bar", "level bar", "rating", NULL };
	return g_strv_contains(roles, element->role);
}

bool range_within(struct talk *talk, struct action *action, double value, GError **error)
{
	struct finding *finding = &action->finding;
	finding->minimum = talk_double(talk, VALUE_INTERFACE, "MinimumValue", 0);
	finding->maximum = talk_double(talk, VALUE_INTERFACE, "MaximumValue", 0);
	/* An application that knows no limits tells none, or the same twice. */
	finding->limited = talk->error == NULL && finding->maximum > finding->minimum;
	if (talk->error != NULL) {
		write_fail(talk, error, ERROR_APP_UNRESPONSIVE, "The application tells no limits");
		return false;
	}
	if (finding->limited && (value < finding->minimum || value > finding->maximum)) {
		write_fail(talk, error, ERROR_VALUE_OUT_OF_RANGE, "The %s \"%s\" goes from %.12g to %.12g",
			action->now->role, action->now->name, finding->minimum, finding->maximum);
		return false;
	}
	finding->limited = false;
	return true;
}

/* Chromium accepts a number for a field of a page that has none, and sets nothing: that has to be typed. */
static bool is_page_field(const struct element *element)
{
	return element->in_web_content && (element->states & STATE_EDITABLE) != 0;
}

/* Whether something was written into it that it has not taken: it would at the next Enter, whatever its value was told to be. */
static bool shows_another(const struct element *element, double value)
{
	return (element->states & STATE_EDITABLE) != 0 && !element->in_web_content && element->value != NULL
		&& !range_is_shown(element->value, value);
}

/* Whether the value is soon another one. */
static bool has_taken(struct talk *talk, const char *before)
{
	struct deadline until = deadline_within(talk->deadline, TAKING_MS);
	const bool never = false;
	do {
		g_autofree char *now = range_look(talk);
		if (now == NULL || strcmp(now, before) != 0) {
			return true;
		}
		link_wait(talk->link, &never, deadline_within(until, LOOK_MS));
	} while (deadline_left(until) > 0);
	return false;
}

enum delivered range_set(struct talk *talk, struct action *action, GError **error)
{
	double value;
	if (only_shows(action->now)) {
		write_fail(talk, error, ERROR_ELEMENT_READ_ONLY, "The %s \"%s\" only shows its value",
			action->now->role, action->now->name);
		return DELIVERED_NONE;
	}
	if (verb_find((const char *const *)action->now->actions, RANGE_STEP) != NULL) {
		write_fail(talk, error, ERROR_BACKGROUND_UNAVAILABLE, "The %s \"%s\" takes no value through "
			"accessibility, but steps: scroll makes them", action->now->role, action->now->name);
		return DELIVERED_NONE;
	}
	if (action->now->plugged) {
		write_fail(talk, error, ERROR_BACKGROUND_UNAVAILABLE, "The %s \"%s\" takes no value through accessibility; "
			"press_key with its element changes it by keys", action->now->role, action->now->name);
		return DELIVERED_NONE;
	}
	if (!range_means(talk, action->now, action->text, &value)) {
		range_within(talk, action, NAN, NULL);
		action->finding.limited = action->finding.maximum > action->finding.minimum;
		write_fail(talk, error, ERROR_VALUE_OUT_OF_RANGE, "The %s \"%s\" takes a number",
			action->now->role, action->now->name);
		return DELIVERED_NONE;
	}
	if (!range_within(talk, action, value, error)) {
		return DELIVERED_NONE;
	}
	struct finding *finding = &action->finding;
	finding->before = range_look(talk);
	finding->wanted = range_in_words(value);
	finding->kind = "value";
	action->performed = "set value of";
	if (!range_put(talk, value)) {
		write_fail(talk, error, ERROR_DELIVERY_FAILED, "The application did not take the value");
		return DELIVERED_UNKNOWN;
	}
	if (g_strcmp0(finding->before, finding->wanted) == 0 && shows_another(action->now, value)) {
		talk_ask(talk, EDITABLE_INTERFACE, "SetTextContents", "s", finding->wanted);
	}
	if (is_page_field(action->now) && strcmp(finding->before, finding->wanted) != 0 && !has_taken(talk, finding->before)) {
		finding->kept = finding->retype = true;
		write_fail(talk, error, ERROR_BACKGROUND_UNAVAILABLE, "The %s \"%s\" does not take a number by accessibility",
			action->now->role, action->now->name);
		return DELIVERED_NONE;
	}
	return DELIVERED_FULL;
}

char *range_read(struct talk *talk)
{
	int length = talk_int(talk, TEXT_INTERFACE, "CharacterCount", 0);
	struct message *reply = length > 0 ? talk_ask(talk, TEXT_INTERFACE, "GetText", "ii", 0, length) : NULL;
	const char *text;
	double value;
	return reply != NULL && message_read(reply, "s", &text) > 0 && range_parse(text, &value) ? range_in_words(value)
		: range_look(talk);
}

enum delivered range_type(struct talk *talk, struct action *action, GError **error)
{
	struct finding *finding = &action->finding;
	double value;
	if (!range_parse(action->text, &value) || value < 0 || value != floor(value)) {
		write_fail(talk, error, ERROR_VALUE_OUT_OF_RANGE, "The %s \"%s\" takes a whole number", action->now->role,
			action->now->name);
		return DELIVERED_NONE;
	}
	if (!range_within(talk, action, value, error)) {
		return DELIVERED_NONE;
	}
	finding->kind = "value";
	finding->before = range_read(talk);
	finding->wanted = range_in_words(value);
	finding->digits = true;
	if (g_strcmp0(finding->before, finding->wanted) == 0) {
		action->performed = "leave as it is:";
		finding->idle = true;
		return DELIVERED_FULL;
	}
	finding->kept = finding->retype = true;
	write_fail(talk, error, ERROR_BACKGROUND_UNAVAILABLE, "The %s \"%s\" takes its digits by keys alone", action->now->role,
		action->now->name);
	return DELIVERED_NONE;
}

char *range_look(struct talk *talk)
{
	double value = talk_double(talk, VALUE_INTERFACE, "CurrentValue", NAN);
	return isnan(value) ? NULL : range_in_words(value);
}
