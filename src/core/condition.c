/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/condition.h"

#include <math.h>
#include <string.h>

#include "core/label.h"
#include "core/quote.h"

const char *const condition_kinds[] = {
	"element_appears", "element_disappears", "element_has_value", "element_has_state",
	"element_has_label", "window_opens", "window_closes", "window_title", "text_present", "idle", NULL
};

/* Takes over `seen`. */
static struct sighting saw(enum holds holds, char *seen)
{
	return (struct sighting){ .holds = holds, .seen = seen };
}

void sighting_clear(struct sighting *sighting)
{
	g_clear_pointer(&sighting->seen, g_free);
}

bool condition_reads_tree(const struct condition *condition)
{
	return condition->kind <= CONDITION_ELEMENT_HAS_LABEL
		|| condition->kind == CONDITION_TEXT_PRESENT;
}

bool condition_reads_windows(const struct condition *condition)
{
	return !condition_reads_tree(condition) && condition->kind != CONDITION_IDLE;
}

void condition_free(struct condition *condition)
{
	if (condition == NULL) {
		return;
	}
	element_free(condition->element);
	g_free(condition);
}

static bool contains(const char *text, const char *part)
{
	if (text == NULL) {
		return false;
	}
	g_autofree char *a = g_utf8_casefold(text, -1), *b = g_utf8_casefold(part, -1);
	return strstr(a, b) != NULL;
}

static bool matches(const struct condition *condition, const char *text, const char *wanted)
{
	return condition->exact ? g_strcmp0(text, wanted) == 0 : contains(text, wanted);
}

static bool parse_number(const char *text, double *number)
{
	char *end;
	*number = g_ascii_strtod(text, &end);
	return end != text && *end == '\0' && isfinite(*number);
}

static bool has_value(const struct condition *condition, const char *value)
{
	double is, wanted;
	if (value != NULL && parse_number(value, &is) && parse_number(condition->value, &wanted)) {
		return fabs(is - wanted) <= 1e-9 * MAX(fabs(is), fabs(wanted));
	}
	return matches(condition, value, condition->value);
}

/* Whether it is one of the elements meant; what it shall have is not looked at. */
static bool is_meant(const struct condition *condition, const struct element *element)
{
	const struct element *then = condition->element;
	if (then != NULL && (then->provider_id != element->provider_id
		|| strcmp(then->provider, element->provider) != 0
		|| strcmp(then->object, element->object) != 0 || strcmp(then->role, element->role) != 0)) {
		return false;
	}
	if (condition->role != NULL && g_ascii_strcasecmp(condition->role, element->role) != 0) {
		return false;
	}
	return condition->label == NULL || condition->kind == CONDITION_ELEMENT_HAS_LABEL
		|| matches(condition, label_of(element), condition->label);
}

/* Whether an element that is meant is as it shall be. */
static bool is_so(const struct condition *condition, const struct scene *scene,
	const struct element *element)
{
	switch (condition->kind) {
	case CONDITION_ELEMENT_HAS_VALUE:
		return has_value(condition, element->value);
	case CONDITION_ELEMENT_HAS_STATE:
		return (element->states & condition->state) != 0;
	case CONDITION_ELEMENT_HAS_LABEL:
		return matches(condition, label_of(element), condition->label);
	default:
		/* In a window that is not shown nothing is, and all of it is meant. */
		return (element->states & STATE_OFFSCREEN) == 0 || scene->window == NULL
			|| scene->window->minimized || !scene->window->on_current_space;
	}
}

static char *describe(const struct element *element)
{
	GString *text = g_string_new(NULL);
	quote_printf(text, "%s \"%.80s\"", element->role, label_of(element));
	if (element->value != NULL) {
		quote_printf(text, " = \"%.80s\"", element->value);
	}
	for (int i = 0; i < ELEMENT_STATE_COUNT; i++) {
		if (element->states & 1u << i) {
			g_string_append_printf(text, " %s", element_state_name(1u << i));
		}
	}
	return g_string_free(text, FALSE);
}

static bool has_text(const struct element *element, const char *text)
{
	return contains(element->name, text) || contains(element->value, text)
		|| contains(element->description, text);
}

/* What was not found in a tree with gaps may be in the gaps. */
static enum holds missing_in(const struct tree *tree)
{
	return tree->complete && tree->degraded == NULL ? HOLDS_NO : HOLDS_UNKNOWN;
}

static const char *gaps_of(const struct tree *tree)
{
	return tree->degraded != NULL ? tree->degraded : tree->truncated != NULL ? tree->truncated
		: "the tree is not complete";
}

static struct sighting find_text(const struct condition *condition, const struct tree *tree)
{
	for (guint i = 0; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		if (has_text(element, condition->text)) {
			return saw(HOLDS_YES, describe(element));
		}
	}
	enum holds holds = missing_in(tree);
	return saw(holds, holds == HOLDS_NO
		? g_strdup_printf("it is in none of %u elements", tree->elements->len)
		: g_strdup_printf("not found, but %s", gaps_of(tree)));
}

/* Whether some element is as it shall be; that it appeared, for element_disappears. */
static struct sighting find_element(const struct condition *condition, const struct scene *scene)
{
	const struct tree *tree = scene->tree;
	const struct element *other = NULL;
	for (guint i = 0; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		if (!is_meant(condition, element)) {
			continue;
		}
		if (is_so(condition, scene, element)) {
			return saw(HOLDS_YES, describe(element));
		}
		other = other != NULL ? other : element;
	}
	if (other != NULL) {
		return saw(HOLDS_NO, describe(other));
	}
	enum holds holds = missing_in(tree);
	return saw(holds, holds == HOLDS_NO
		? g_strdup_printf("none of %u elements is such a one", tree->elements->len)
		: g_strdup_printf("not found, but %s", gaps_of(tree)));
}

static struct sighting check_elements(const struct condition *condition, const struct scene *scene)
{
	if (scene->closed) {
		struct sighting sighting = saw(HOLDS_NO, g_strdup("the window is closed"));
		sighting.final = true;
		return sighting;
	}
	if (scene->tree == NULL) {
		return saw(HOLDS_UNKNOWN, g_strdup(scene->problem != NULL ? scene->problem
			: "not looked at"));
	}
	return condition->kind == CONDITION_TEXT_PRESENT ? find_text(condition, scene->tree)
		: find_element(condition, scene);
}

static bool is_window_meant(const struct condition *condition, const struct scene *scene,
	const struct window *window)
{
	return (condition->window_id == 0 || condition->window_id == window->id)
		&& (condition->pid == 0 || condition->pid == window->pid)
		&& (condition->title == NULL || condition->kind == CONDITION_WINDOW_TITLE
			|| matches(condition, window->title, condition->title))
		&& (condition->app_name == NULL
			|| g_ascii_strcasecmp(condition->app_name, window->app_name) == 0)
		&& (!condition->fresh || scene->earlier == NULL
			|| !g_hash_table_contains(scene->earlier, &window->id));
}

static struct sighting check_windows(const struct condition *condition, const struct scene *scene)
{
	const struct window *found = NULL;
	if (scene->windows == NULL) {
		return saw(HOLDS_UNKNOWN, g_strdup(scene->problem != NULL ? scene->problem
			: "not looked at"));
	}
	for (guint i = 0; i < scene->windows->len && found == NULL; i++) {
		if (is_window_meant(condition, scene, scene->windows->pdata[i])) {
			found = scene->windows->pdata[i];
		}
	}
	char *seen = found != NULL
		? quote_format("window_id %" G_GUINT64_FORMAT " \"%s\" of \"%s\", pid %d",
			found->id, found->title, found->app_name, (int)found->pid)
		: g_strdup_printf("none of %u windows is such a one", scene->windows->len);
	bool holds = found != NULL;
	bool gone = false;
	if (condition->kind == CONDITION_WINDOW_CLOSES) {
		holds = found == NULL;
	} else if (condition->kind == CONDITION_WINDOW_TITLE) {
		holds = found != NULL && matches(condition, found->title, condition->title);
		gone = found == NULL;
	}
	struct sighting sighting = saw(holds ? HOLDS_YES : HOLDS_NO, seen);
	sighting.final = gone;
	if (found != NULL) {
		sighting.window_id = found->id;
		sighting.pid = found->pid;
	}
	return sighting;
}

static struct sighting check_idle(const struct condition *condition, const struct scene *scene)
{
	if (scene->closed) {
		return saw(HOLDS_YES, g_strdup("the window is closed"));
	}
	if (scene->quiet_us < 0) {
		return saw(HOLDS_UNKNOWN, g_strdup("nobody could listen"));
	}
	return saw(scene->quiet_us >= condition->quiet_ms * 1000 ? HOLDS_YES : HOLDS_NO,
		g_strdup_printf("quiet for %d ms", (int)(scene->quiet_us / 1000)));
}

static void turn_round(struct sighting *sighting)
{
	if (sighting->holds != HOLDS_UNKNOWN) {
		sighting->holds = sighting->holds == HOLDS_YES ? HOLDS_NO : HOLDS_YES;
	}
	sighting->final = false;
}

struct sighting condition_check(const struct condition *condition, const struct scene *scene)
{
	struct sighting sighting = condition_reads_tree(condition) ? check_elements(condition, scene)
		: condition_reads_windows(condition) ? check_windows(condition, scene)
		: check_idle(condition, scene);
	if (condition->kind == CONDITION_ELEMENT_DISAPPEARS) {
		turn_round(&sighting);
	}
	if (condition->negated) {
		turn_round(&sighting);
	}
	return sighting;
}

char *condition_words(const struct condition *condition)
{
	GString *words = g_string_new(condition->negated ? "not " : "");
	g_string_append(words, condition_kinds[condition->kind]);
	if (condition->role != NULL) {
		quote_printf(words, " %s", condition->role);
	}
	if (condition->element != NULL) {
		g_string_append_printf(words, " [%d] %s", condition->element->index,
			condition->element->role);
	}
	const char *quoted[] = { condition->label, condition->value, condition->title, condition->text };
	for (gsize i = 0; i < G_N_ELEMENTS(quoted); i++) {
		if (quoted[i] != NULL) {
			quote_printf(words, " \"%s\"", quoted[i]);
		}
	}
	if (condition->state != 0) {
		g_string_append_printf(words, " %s", element_state_name(condition->state));
	}
	if (condition->kind == CONDITION_IDLE) {
		g_string_append_printf(words, " for %d ms", condition->quiet_ms);
	}
	return g_string_free(words, FALSE);
}
