/* SPDX-License-Identifier: MIT */
#include "form.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "journal.h"

#define LONGEST 40

static struct {
	const char *label;
	char value[LONGEST];
} states[] = {
	{"pushed", "0"}, {"toggled", "false"}, {"checked", "false"}, {"radio", "A"},
	{"switched", "false"}, {"tab", "one"}, {"row", "none"}, {"cell", "none"},
	{"activated", "none"}, {"branch", "none"}, {"expanded", "false"}, {"menu", "none"},
	{"grid", "false"}, {"size", "Small"}, {"linked", "0"}, {"combo", "One"}, {"spin", "5"},
	{"slide", "5"}, {"text", "typed"}, {"entered", "none"}, {"context", "none"}, {"second", "0"},
	{"behind", "0"}, {"asked", "none"}, {"scrolled", "0"}, {"raised", "0"},
	{"rulers", "true"}, {"zoom", "near"},
};
#define COUNT ((int)(sizeof states / sizeof states[0]))

static void (*show_text)(const char *text);

static char *find(const char *label)
{
	for (int i = 0; i < COUNT; i++) {
		if (strcmp(states[i].label, label) == 0) {
			return states[i].value;
		}
	}
	abort();
}

void form_init(int argc, char **argv, void (*show)(const char *text))
{
	show_text = show;
	for (int i = 1; i + 1 < argc; i++) {
		if (strcmp(argv[i], "--journal-fd") == 0) {
			journal_open(atoi(argv[i + 1]));
		}
	}
	for (int i = 0; i < COUNT; i++) {
		journal_state(states[i].label, states[i].value, "");
	}
}

void form_set(const char *label, const char *value)
{
	char *state = find(label), was[LONGEST], text[2 * LONGEST];

	if (strcmp(state, value) != 0) {
		snprintf(was, sizeof was, "%s", state);
		snprintf(state, LONGEST, "%s", value);
		journal_state(label, state, was);
		snprintf(text, sizeof text, "%s=%s", label, state);
		show_text(text);
	}
}

void form_count(const char *label)
{
	char value[LONGEST];

	snprintf(value, sizeof value, "%d", atoi(find(label)) + 1);
	form_set(label, value);
}
