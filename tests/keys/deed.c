/* SPDX-License-Identifier: MIT */
/* What is done with keys, and what has to come of it. */
#include "keys.h"

#include <string.h>

const char *const deed_names[DEEDS] = { "type", "key", "hotkey" };

#define PLAIN "Hello, WORLD: 3*4=12!"
#define SCRIPTS "Grüße, WORLD: 3*4=12 Ωж€日😀 αβγδε абвгд אבג กขค 你好 e\u0301!"
#define NAMES "H e l l o comma space W O R L D colon space 3 asterisk 4 equal 1 2 exclam"

static const char *text_of(const struct target *target)
{
	return target->ascii || target->events ? PLAIN : SCRIPTS;
}

char *deed_result(const struct scene *scene, enum deed deed, const char *before)
{
	const struct target *target = scene->target;
	bool terminal = scene->harness == NULL;
	const char *last = before[0] ? g_utf8_prev_char(before + strlen(before)) : before;

	switch (deed) {
	case DEED_TYPE:
		return target->events ? g_strconcat(before, " " NAMES, NULL)
			: g_strconcat(before, text_of(target), NULL);
	case DEED_KEY:
		return target->events ? g_strconcat(before, " BackSpace", NULL)
			: terminal ? g_strconcat(before, "\x7f", NULL)
			: g_strndup(before, (gsize)(last - before));
	case DEED_HOTKEY:
		/* It selects all, goes to the start of the line, is a character, is a key. */
		return target->events ? g_strconcat(before, " a N e u", NULL)
			: terminal ? g_strconcat(before, "\x01Neu", NULL)
			: target->ascii ? g_strconcat("Neu", before, NULL) : g_strdup("Neu");
	case DEEDS:
		break;
	}
	return NULL;
}

/* What the driver says must not be more than true. */
static char *judge_answer(const struct scene *scene, const struct lab_answer *answer, bool text)
{
	const char *path = answer->is_error ? NULL : lab_str(answer->structured, "path");

	if (answer->is_error) {
		return g_strdup_printf("the driver says %s", lab_json(answer->structured));
	}
	/* Text needs no keys where the element that has the focus is known. */
	if (!g_str_equal(path, "key_events") && !(text && scene->target->says_focus)) {
		return g_strdup_printf("it went by %s", path);
	}
	if (!lab_undisturbed(answer) || g_str_equal(lab_str(answer->structured, "effect"), "suspected_noop")) {
		return g_strdup_printf("the driver says %s", lab_json(answer->structured));
	}
	return NULL;
}

static char *call(struct scene *scene, bool text, const char *tool, const char *argument)
{
	struct lab_answer answer = lab_call(scene->driver, tool, "{\"pid\":%d,\"window_id\":%u,%s}", scene->pid,
		scene->window, argument);
	char *wrong = judge_answer(scene, &answer, text);

	if (!wrong && text && lab_get(answer.structured, "delivered") &&
		lab_int(answer.structured, "delivered/chars") != lab_int(answer.structured, "delivered/asked")) {
		wrong = g_strdup("it did not deliver all");
	}
	return wrong;
}

static char *perform(struct scene *scene, enum deed deed)
{
	g_autofree char *text = g_strdup_printf("\"text\":\"%s\"", text_of(scene->target));
	char *wrong;

	switch (deed) {
	case DEED_TYPE:
		return call(scene, true, "type_text", text);
	case DEED_KEY:
		return call(scene, false, "press_key", "\"key\":\"backspace\"");
	case DEED_HOTKEY:
		wrong = call(scene, false, "hotkey", "\"keys\":[\"ctrl\",\"a\"]");
		return wrong ? wrong : call(scene, true, "type_text", "\"text\":\"Neu\"");
	case DEEDS:
		break;
	}
	return NULL;
}

char *deed_try(struct scene *scene, enum deed deed)
{
	g_autofree char *before = scene_content(scene);
	g_autofree char *after = deed_result(scene, deed, before);
	char *wrong = perform(scene, deed);

	if (!scene_has(scene, after)) {
		return g_strdup_printf("it did not land%s%s", wrong ? "; " : "", wrong ? wrong : "");
	}
	return wrong;
}
