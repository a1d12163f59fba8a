/* SPDX-License-Identifier: MIT */
/* The rules of proof, without a desktop: what an action asks for, and what the past explains. */
#include "config.h"

#include "core/witness.h"

#include <string.h>

#include "core/headless.h"
#include "core/past.h"

static struct element *new_element(const char *object, const char *role, unsigned states,
	const char *value)
{
	struct element *element = element_new();
	element->provider = g_strdup("app");
	element->object = g_strdup(object);
	element->role = g_strdup(role);
	element->name = g_strdup(object);
	element->actions = g_new0(char *, 1);
	element->states = states;
	element->value = g_strdup(value);
	return element;
}

/* Whether a value is the one that was asked for. */
static void what_is_asked_for(void)
{
	struct window *gtk3 = window_new(), *gtk4 = window_new();
	gtk3->toolkit = "gtk3";
	gtk4->toolkit = "gtk4";
	const struct {
		enum action_kind kind;
		const char *role, *text, *before, *after;
		unsigned states_before, states_after;
		enum outcome outcome;
		int count;
		bool clicked;
		const char *performed;
		struct window *window;
	} cases[] = {
		/* Only GTK4 tells it of toggles alone, whatever it calls them. */
		{ ACTION_CLICK, "push button", NULL, NULL, NULL, 0, STATE_PRESSED, OUTCOME_NONE, .window = gtk3 },
		{ ACTION_CLICK, "push button", NULL, NULL, NULL, 0, STATE_PRESSED, OUTCOME_ASKED, .window = gtk4 },
		{ ACTION_CLICK, "toggle button", NULL, NULL, NULL, 0, STATE_PRESSED, OUTCOME_ASKED, .window = gtk3 },
		{ ACTION_CLICK, "radio button", NULL, NULL, NULL, STATE_CHECKED, 0, OUTCOME_OTHER },
		{ ACTION_CLICK, "radio button", NULL, NULL, NULL, 0, STATE_CHECKED, OUTCOME_ASKED },
		{ ACTION_CLICK, "combo box", NULL, "Red", "Green", 0, 0, OUTCOME_ASKED },
		/* What was read only half, before or after, has no other value. */
		{ ACTION_CLICK, "slider", NULL, "5", NULL, 0, 0, OUTCOME_NONE },
		{ ACTION_CLICK, "slider", NULL, NULL, "5", 0, 0, OUTCOME_NONE },
		{ ACTION_CLICK, "text", NULL, "a", "ab", STATE_EDITABLE, STATE_EDITABLE, OUTCOME_NONE },
		{ ACTION_TYPE_TEXT, "text", "b", "a", "ab", 0, 0, OUTCOME_NONE }, /* the rung looks itself */
		/* The first of two clicks selects, and so does the one before a key. */
		{ ACTION_CLICK, "list item", NULL, NULL, NULL, 0, STATE_SELECTED, OUTCOME_ASKED, 1, false },
		{ ACTION_CLICK, "list item", NULL, NULL, NULL, 0, STATE_SELECTED, OUTCOME_NONE, 2, false },
		{ ACTION_CLICK, "list item", NULL, NULL, NULL, 0, STATE_EXPANDED, OUTCOME_ASKED, 2, false },
		/* A click does not take the selection away; and some verbs select by the way. */
		{ ACTION_CLICK, "table cell", NULL, NULL, NULL, STATE_SELECTED, 0, OUTCOME_OTHER, 1, false },
		{ ACTION_CLICK, "table cell", NULL, NULL, NULL, 0, STATE_SELECTED, OUTCOME_NONE, 1, false, "Edit" },
		{ ACTION_PRESS_KEY, "list item", NULL, NULL, NULL, 0, STATE_SELECTED, OUTCOME_NONE, 0, true },
		{ ACTION_PRESS_KEY, "list item", NULL, NULL, NULL, 0, STATE_SELECTED | STATE_CHECKED, OUTCOME_ASKED, 0, true },
		{ ACTION_PRESS_KEY, "list item", NULL, NULL, NULL, STATE_SELECTED, 0, OUTCOME_ASKED, 0, true },
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		const struct action action = { .kind = cases[i].kind, .text = cases[i].text,
			.direction = DIRECTION_DOWN, .count = cases[i].count, .performed = cases[i].performed,
			.finding.clicked = cases[i].clicked, .window = cases[i].window };
		struct element *before = new_element("target", cases[i].role, cases[i].states_before,
			cases[i].before);
		struct element *after = new_element("target", cases[i].role, cases[i].states_after,
			cases[i].after);
		struct change change;
		g_test_message("case %zu", i);
		g_assert_cmpint(expect_compare(&action, before, after, &change), ==, cases[i].outcome);
		change_clear(&change);
		element_free(before);
		element_free(after);
	}
	window_free(gtk3);
	window_free(gtk4);
}

/* A clock of the past: the tests say when. */
static void note(struct past *past, const char *object, gint64 at, guint64 moment)
{
	past_note(past, &(struct happening){ .kind = HAPPENED_ELEMENT, .at = at, .provider = "app",
		.object = object, .moment = moment, .what = "name" });
}

static guint64 begin(struct past *past, guint64 moment)
{
	guint64 deed = past_begin(past, "app", "button", 1);
	past_sent(past, deed, moment);
	return deed;
}

/* Nobody may claim what was not listened for, what was moving, or what an earlier action explains. */
static void what_the_past_explains(void)
{
	struct past *past = past_new();
	gint64 now = g_get_monotonic_time();
	guint64 deaf = begin(past, 10);
	g_assert_false(past_explains(past, deaf, "app", "label"));
	past_drop(past, deaf);

	past_listen(past, "app");
	g_assert_false(past_knows(past, "app"));
	g_usleep(1100 * 1000);
	g_assert_true(past_knows(past, "app"));
	now = g_get_monotonic_time();
	note(past, "clock", now, 11);

	guint64 first = begin(past, 12);
	now = g_get_monotonic_time();
	note(past, "clock", now, 13);
	note(past, "display", now, 14);
	g_assert_false(past_explains(past, first, "app", "clock"));
	g_assert_true(past_explains(past, first, "app", "display"));
	g_assert_false(past_owes(past, first));
	past_end(past, first, true);

	/* The display answered the first action, so it is no late effect; a label that did not may be. */
	guint64 second = begin(past, 15);
	now = g_get_monotonic_time();
	note(past, "display", now, 16);
	note(past, "label", now, 17);
	g_assert_true(past_explains(past, second, "app", "display"));
	g_assert_false(past_explains(past, second, "app", "label"));
	g_assert_true(past_owes(past, second));
	g_assert_false(past_owes_target(past, second));
	past_end(past, second, false);

	/* Said before the target was read for the last time: not this action's. */
	guint64 third = begin(past, 30);
	note(past, "late", g_get_monotonic_time(), 29);
	g_assert_true(past_owes_target(past, third));
	g_assert_false(past_explains(past, third, "app", "late"));
	past_free(past);
}

/* Where more moves than can be remembered, who is heard is heard still, and nobody takes what was forgotten for silence. */
static void what_is_too_much(void)
{
	struct past *past = past_new();
	past_listen(past, "app");
	g_usleep(1100 * 1000);
	guint64 from = past_count(past);
	g_assert_true(past_knows(past, "app"));
	g_assert_true(past_remembers(past, from));
	for (int i = 0; i < 9000; i++) {
		g_autofree char *row = g_strdup_printf("row %d", i);
		note(past, row, g_get_monotonic_time(), 11);
	}
	g_assert_false(past_knows(past, "app"));
	g_assert_false(past_remembers(past, from));
	g_usleep(1100 * 1000);
	g_assert_true(past_knows(past, "app"));
	past_unlisten(past, "app");
	g_assert_false(past_knows(past, "app"));
	past_free(past);
}

/* What is said between the look and the action is no answer to it, whenever it is heard. */
static void what_comes_while_it_is_sent(void)
{
	struct past *past = past_new();
	past_listen(past, "app");
	g_usleep(1100 * 1000);
	guint64 deed = past_begin(past, "app", "button", 1);
	gint64 now = g_get_monotonic_time();
	note(past, "clock", now, 24);
	note(past, "display", now, 26);
	note(past, "clock", now, 27);
	past_sent(past, deed, 25);
	g_assert_false(past_explains(past, deed, "app", "clock"));
	g_assert_true(past_explains(past, deed, "app", "display"));

	/* Of what was not sent after all nothing is an effect. */
	past_drop(past, deed);
	guint64 none = past_begin(past, "app", "button", 1);
	note(past, "label", g_get_monotonic_time(), 28);
	past_drop(past, none);
	guint64 next = begin(past, 29);
	g_assert_false(past_explains(past, next, "app", "label"));
	past_free(past);
}

static bool count(const struct happening *happening, void *data)
{
	(void)happening;
	++*(int *)data;
	return true;
}

static void waits_and_looks(void)
{
	struct past *past = past_new();
	guint64 from = past_count(past);
	int seen = 0;
	g_assert_false(past_wait(past, from, deadline_in(1, NULL)));
	note(past, "a", 1, 1);
	note(past, "b", 2, 2);
	g_assert_true(past_wait(past, from, deadline_in(0, NULL)));
	past_look(past, &from, count, &seen);
	g_assert_cmpint(seen, ==, 2);
	past_look(past, &from, count, &seen);
	g_assert_cmpint(seen, ==, 2);
	past_free(past);
}

struct scene {
	struct platform *platform;
	struct tree *tree;
	struct window *window;
	struct element *target;
	struct action action;
	struct witness witness;
};

/* Platforms whose application has been listened to for long enough: all at once, so that it is waited for once. */
static GQueue heard = G_QUEUE_INIT;

static struct platform *next_heard(void)
{
	if (g_queue_is_empty(&heard)) {
		for (int i = 0; i < 64; i++) {
			struct platform *platform = headless_new();
			past_listen(platform->past, "app");
			g_queue_push_tail(&heard, platform);
		}
		g_usleep(1050 * 1000);
	}
	return g_queue_pop_head(&heard);
}

static void arm(struct scene *scene, bool user_elsewhere)
{
	witness_arm(&scene->witness, &scene->action, scene->target, user_elsewhere);
	witness_sent(&scene->witness);
	/* What is said in the same microsecond was said before it. */
	g_usleep(2);
}

/* A push button and a label in a window, listened to for long enough. */
static void scene_set(struct scene *scene, bool user_elsewhere, const char *role)
{
	*scene = (struct scene){ .platform = next_heard(), .tree = tree_new(), .window = window_new() };
	scene->window->id = 7;
	scene->window->pid = 1;
	scene->window->toolkit = "gtk3";
	scene->target = new_element("target", role, 0, NULL);
	scene->target->moment = 10;
	g_ptr_array_add(scene->tree->elements, element_copy(scene->target));
	g_ptr_array_add(scene->tree->elements, new_element("label", "label", 0, NULL));
	g_ptr_array_add(scene->tree->elements, new_element("display", "text", 0, "0"));
	g_ptr_array_add(scene->tree->elements, new_element("bar", "progress bar", 0, NULL));
	g_ptr_array_add(scene->tree->elements, new_element("pane", "split pane", 0, NULL));
	g_ptr_array_add(scene->tree->elements, new_element("scroll", "scroll bar", 0, NULL));
	g_ptr_array_add(scene->tree->elements, new_element("status", "status bar", 0, NULL));
	struct element *place = new_element("place", "label", 0, NULL);
	place->parent = (int)scene->tree->elements->len - 1;
	g_ptr_array_add(scene->tree->elements, place);
	struct element *inside = new_element("inside", "filler", 0, NULL);
	inside->parent = 0;
	g_ptr_array_add(scene->tree->elements, inside);
	scene->action = (struct action){ .kind = ACTION_CLICK, .platform = scene->platform,
		.window = scene->window, .tree = scene->tree, .element = scene->tree->elements->pdata[0] };
	arm(scene, user_elsewhere);
}

static void scene_clear(struct scene *scene)
{
	witness_clear(&scene->witness);
	element_free(scene->target);
	tree_free(scene->tree);
	window_free(scene->window);
	scene->platform->impl->destroy(scene->platform);
}

static void say(struct scene *scene, enum happening_kind kind, const char *object, const char *what,
	int detail)
{
	past_note(scene->platform->past, &(struct happening){ .kind = kind, .at = g_get_monotonic_time(),
		.provider = "app", .object = object, .moment = 11, .what = what, .detail = detail,
		.text = g_strcmp0(what, "name") == 0 ? "another" : NULL,
		.window = kind == HAPPENED_OPENED ? 8 : 7, .area = { { 2, 3 }, 10, 4 }, .pid = 1 });
}

static void say_name(struct scene *scene, const char *object, const char *name)
{
	past_note(scene->platform->past, &(struct happening){ .kind = HAPPENED_ELEMENT, .at = g_get_monotonic_time(),
		.provider = "app", .object = object, .moment = 11, .what = "name", .text = name });
}

/* What a second reading of an element says. */
static bool read_again(struct scene *scene, const char *object, const char *name, const char *value)
{
	struct element *now = new_element(object, "text", 0, value);
	g_free(now->name);
	now->name = g_strdup(name);
	bool proven = witness_reread(&scene->witness, now);
	element_free(now);
	return proven;
}

/* Looks; who has to be read is another by now, in all that it shows. */
static bool look(struct scene *scene)
{
	bool proven = witness_look(&scene->witness);
	if (!proven && (scene->witness.own || scene->witness.awaited)) {
		/* The target shows nothing of it. */
		proven = witness_read(&scene->witness, scene->target, g_get_monotonic_time()) || witness_look(&scene->witness);
	}
	while (!proven && scene->witness.unread != NULL) {
		struct element *now = new_element(scene->witness.unread->object, "text", ~scene->witness.unread->states, "another");
		g_free(now->name);
		now->name = g_strdup("another");
		proven = witness_reread(&scene->witness, now);
		element_free(now);
	}
	return proven;
}

/* Begins another action on the same scene. */
static void act_again(struct scene *scene)
{
	past_end(scene->platform->past, scene->witness.deed, true);
	witness_clear(&scene->witness);
	arm(scene, true);
}

/* A text that was written once more proves nothing, whoever told how often that it has another one. */
static void what_it_contains(void)
{
	struct scene scene;
	scene_set(&scene, true, "push button");
	say(&scene, HAPPENED_ELEMENT, "display", "text", 0);
	g_assert_false(witness_look(&scene.witness));
	g_assert_cmpstr(scene.witness.unread->object, ==, "display");
	/* Emptied and filled: it tells twice, and the second time is compared with the same. */
	say(&scene, HAPPENED_ELEMENT, "display", "text", 0);
	g_assert_false(read_again(&scene, "display", "", "0"));
	if (scene.witness.unread != NULL) {
		g_assert_false(read_again(&scene, "display", "", "0"));
	}
	g_assert_cmpuint(scene.witness.evidence->len, ==, 0);
	say(&scene, HAPPENED_ELEMENT, "display", "text", 0);
	g_assert_false(witness_look(&scene.witness));
	g_assert_true(read_again(&scene, "display", "", "7"));
	const struct change *change = &g_array_index(scene.witness.evidence, struct change, 0);
	g_assert_cmpstr(change->before, ==, "0");
	g_assert_cmpstr(change->after, ==, "7");
	g_assert_cmpstr(change->detail, ==, "text of text");

	/* The next one is compared with what was read, not with the snapshot. */
	act_again(&scene);
	say(&scene, HAPPENED_ELEMENT, "display", "text", 0);
	g_assert_false(witness_look(&scene.witness));
	g_assert_false(read_again(&scene, "display", "", "7"));
	act_again(&scene);
	say(&scene, HAPPENED_ELEMENT, "display", "text", 0);
	g_assert_false(witness_look(&scene.witness));
	g_assert_true(read_again(&scene, "display", "", "0"));

	/* It has told since then and nobody has looked: nobody knows whether it is another one now. */
	say(&scene, HAPPENED_ELEMENT, "display", "text", 0);
	g_autoptr(GPtrArray) unread = past_unread(scene.platform->past, "app", 0);
	g_assert_cmpuint(unread->len, ==, 1);
	g_assert_cmpstr(((const struct unread *)unread->pdata[0])->object, ==, "display");
	g_assert_cmpstr(((const struct unread *)unread->pdata[0])->what, ==, "text");
	act_again(&scene);
	say(&scene, HAPPENED_ELEMENT, "display", "text", 0);
	g_assert_false(witness_look(&scene.witness));
	g_assert_null(scene.witness.unread);
	g_assert_cmpint(scene.witness.doubt, ==, DOUBT_EARLIER);

	/* Unless it is read before the next action. */
	struct element *now = new_element("display", "text", 0, "5");
	witness_know(scene.platform->past, now);
	element_free(now);
	act_again(&scene);
	say(&scene, HAPPENED_ELEMENT, "display", "text", 0);
	g_assert_false(witness_look(&scene.witness));
	g_assert_true(read_again(&scene, "display", "", "6"));
	scene_clear(&scene);

	/* The target was read just before: that is what it was. */
	scene_set(&scene, true, "text");
	say(&scene, HAPPENED_ELEMENT, "target", "text", 0);
	scene.action.kind = ACTION_PRESS_KEY;
	scene.target->value = g_strdup("b");
	act_again(&scene);
	say(&scene, HAPPENED_ELEMENT, "target", "text", 0);
	g_assert_false(witness_look(&scene.witness));
	g_assert_true(scene.witness.own);
	g_assert_false(witness_read(&scene.witness, scene.target, g_get_monotonic_time()));
	g_assert_false(witness_look(&scene.witness));
	g_assert_cmpstr(scene.witness.unread->object, ==, "target");
	g_assert_false(read_again(&scene, "target", "target", "b"));
	g_assert_cmpuint(scene.witness.evidence->len, ==, 0);
	scene_clear(&scene);

	/* A label tells of its text by its name. */
	scene_set(&scene, true, "push button");
	say(&scene, HAPPENED_ELEMENT, "label", "text", 0);
	g_assert_false(witness_look(&scene.witness));
	g_assert_null(scene.witness.unread);
	scene_clear(&scene);
}

/* A name that it has already proves nothing; one that is not told has to be read. */
static void what_it_is_called(void)
{
	struct scene scene;
	scene_set(&scene, true, "push button");
	say_name(&scene, "label", "label");
	g_assert_false(witness_look(&scene.witness));
	g_assert_cmpuint(scene.witness.evidence->len, ==, 0);
	say_name(&scene, "label", "label");
	g_assert_false(witness_look(&scene.witness));
	say_name(&scene, "label", NULL);
	g_assert_false(witness_look(&scene.witness));
	g_assert_cmpstr(scene.witness.unread->object, ==, "label");
	g_assert_false(read_again(&scene, "label", "label", NULL));
	g_assert_null(scene.witness.unread);
	say_name(&scene, "label", NULL);
	g_assert_false(witness_look(&scene.witness));
	g_assert_true(read_again(&scene, "label", "other", NULL));
	const struct change *change = &g_array_index(scene.witness.evidence, struct change, 0);
	g_assert_cmpstr(change->before, ==, "label");
	g_assert_cmpstr(change->after, ==, "other");
	scene_clear(&scene);

	/* What cannot be read is not believed, whatever it told. */
	for (int i = 0; i < 2; i++) {
		scene_set(&scene, true, "push button");
		say_name(&scene, "label", i == 0 ? NULL : "other");
		g_assert_false(witness_look(&scene.witness));
		g_assert_false(witness_reread(&scene.witness, NULL));
		g_assert_cmpint(scene.witness.doubt, ==, DOUBT_UNSEEN);
		g_assert_cmpuint(scene.witness.evidence->len, ==, 1);
		scene_clear(&scene);
	}
}

/* Who refuses a state, and what goes by itself, proves nothing. */
static void what_does_not_last(void)
{
	struct scene scene;
	scene_set(&scene, true, "check box");
	say(&scene, HAPPENED_ELEMENT, "target", "checked", 1);
	say(&scene, HAPPENED_ELEMENT, "target", "checked", 0);
	say(&scene, HAPPENED_ELEMENT, "inside", "sensitive", 0);
	say(&scene, HAPPENED_ELEMENT, "inside", "sensitive", 1);
	g_assert_false(look(&scene));
	scene_clear(&scene);

	/* Outside of GTK3 the target is read, whatever it says. */
	scene_set(&scene, true, "check box");
	scene.window->toolkit = "qt5";
	say(&scene, HAPPENED_ELEMENT, "target", "checked", 1);
	say(&scene, HAPPENED_ELEMENT, "label", "sensitive", 1);
	g_assert_false(witness_look(&scene.witness));
	g_assert_true(scene.witness.own);
	struct element *after = element_copy(scene.target);
	after->states |= STATE_CHECKED;
	g_assert_true(witness_read(&scene.witness, after, g_get_monotonic_time()));
	element_free(after);
	scene_clear(&scene);

	/* Nor does one of others count that comes before the target's. */
	scene_set(&scene, true, "radio button");
	scene.window->toolkit = "qt5";
	say(&scene, HAPPENED_ELEMENT, "label", "sensitive", 0);
	g_assert_false(witness_look(&scene.witness));
	g_assert_true(scene.witness.awaited && !scene.witness.own);
	say(&scene, HAPPENED_ELEMENT, "label", "sensitive", 1);
	g_assert_false(look(&scene));
	scene_clear(&scene);

	/* What is said while the target is read waits for the next reading; what was said before does not. */
	scene_set(&scene, true, "radio button");
	gint64 before_all = g_get_monotonic_time();
	say(&scene, HAPPENED_ELEMENT, "label", "sensitive", 0);
	g_assert_false(witness_look(&scene.witness));
	g_assert_false(witness_read(&scene.witness, scene.target, before_all - 1) || witness_look(&scene.witness));
	g_assert_true(scene.witness.awaited);
	g_assert_false(witness_read(&scene.witness, scene.target, g_get_monotonic_time()));
	say(&scene, HAPPENED_ELEMENT, "inside", "sensitive", 0);
	g_assert_false(witness_look(&scene.witness));
	g_assert_false(scene.witness.awaited);
	g_assert_cmpstr(scene.witness.unread->object, ==, "label");
	scene_clear(&scene);

	/* A message in a status bar that goes; one that comes is another matter. */
	scene_set(&scene, true, "push button");
	say_name(&scene, "place", "");
	g_assert_false(witness_look(&scene.witness));
	g_assert_false(read_again(&scene, "place", "", NULL));
	say_name(&scene, "place", "Saved");
	g_assert_false(witness_look(&scene.witness));
	g_assert_true(read_again(&scene, "place", "Saved", NULL));
	scene_clear(&scene);

	/* What is told on the way and is not so in the end. */
	scene_set(&scene, true, "push button");
	say_name(&scene, "label", "label*");
	g_assert_false(witness_look(&scene.witness));
	g_assert_false(read_again(&scene, "label", "label", NULL));
	scene_clear(&scene);
}

/* A rung that knows when the application came to the action knows what was before. */
static void what_the_rung_marked(void)
{
	static const struct {
		const char *object, *what;
		guint64 moment;
		bool stirred;
		enum effect effect;
	} cases[] = {
		{ "label", "name", 10, false, EFFECT_CONFIRMED },
		{ "label", "name", 11, false, EFFECT_SUSPECTED_NOOP },
		{ "target", "checked", 10, false, EFFECT_CONFIRMED },
		{ "target", "checked", 11, false, EFFECT_SUSPECTED_NOOP },
		{ "target", "checked", 10, true, EFFECT_UNVERIFIABLE },
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct scene scene;
		scene_set(&scene, true, "check box");
		scene.action.moment = cases[i].moment;
		scene.action.stirred = cases[i].stirred;
		witness_sent(&scene.witness);
		say(&scene, HAPPENED_ELEMENT, cases[i].object, cases[i].what, 1);
		g_test_message("case %zu", i);
		look(&scene);
		witness_close(&scene.witness);
		g_assert_cmpstr(effect_name(scene.witness.effect), ==, effect_name(cases[i].effect));
		scene_clear(&scene);
	}
}

/* What happened, and what may be said about it. */
static void what_proves(void)
{
	static const struct {
		const char *role;
		bool elsewhere;
		enum happening_kind kind;
		const char *object, *what;
		int detail;
		enum effect effect;
		bool clicked, hovered, keyed, dragged, unheard, twice, menu;
	} cases[] = {
		{ "push button", true, HAPPENED_ELEMENT, "label", "name", 0, EFFECT_CONFIRMED },
		{ "push button", false, HAPPENED_ELEMENT, "label", "name", 0, EFFECT_UNVERIFIABLE },
		{ "push button", true, HAPPENED_ELEMENT, "bar", "value", 0, EFFECT_UNVERIFIABLE },
		{ "push button", true, HAPPENED_ELEMENT, "of another window", "name", 0, EFFECT_UNVERIFIABLE },
		/* Laid out again; and at the edge of a list a drag scrolls it. */
		{ "push button", true, HAPPENED_ELEMENT, "pane", "value", 0, EFFECT_UNVERIFIABLE },
		{ "push button", true, HAPPENED_ELEMENT, "scroll", "value", 0, EFFECT_UNVERIFIABLE },
		{ "push button", true, HAPPENED_ELEMENT, "scroll", "value", 0, EFFECT_UNVERIFIABLE, .dragged = true },
		{ "push button", true, HAPPENED_ELEMENT, "scroll", "value", 0, EFFECT_UNVERIFIABLE, .menu = true },
		{ "push button", true, HAPPENED_ELEMENT, "label", "name", 0, EFFECT_CONFIRMED, .dragged = true },
		{ "push button", true, HAPPENED_ELEMENT, "target", "pressed", 1, EFFECT_UNVERIFIABLE },
		{ "toggle button", false, HAPPENED_ELEMENT, "target", "pressed", 1, EFFECT_CONFIRMED },
		{ "check box", false, HAPPENED_ELEMENT, "target", "checked", 1, EFFECT_CONFIRMED },
		{ "check box", false, HAPPENED_ELEMENT, "target", "checked", 0, EFFECT_UNVERIFIABLE },
		/* It was not, and says so again. */
		{ "list item", true, HAPPENED_ELEMENT, "target", "selected", 0, EFFECT_UNVERIFIABLE },
		{ "push button", true, HAPPENED_OPENED, NULL, NULL, 0, EFFECT_CONFIRMED },
		{ "push button", false, HAPPENED_OPENED, NULL, NULL, 0, EFFECT_UNVERIFIABLE },
		{ "push button", true, HAPPENED_CLOSED, NULL, NULL, 0, EFFECT_CONFIRMED },
		{ "push button", true, HAPPENED_PIXELS, NULL, NULL, 0, EFFECT_UNVERIFIABLE },
		/* What a message was over is shown again when it goes. */
		{ "push button", true, HAPPENED_ELEMENT, "place", "showing", 1, EFFECT_UNVERIFIABLE },
		/* Where the pointer is, is told by itself. */
		{ "push button", true, HAPPENED_ELEMENT, "place", "name", 0, EFFECT_CONFIRMED },
		{ "push button", true, HAPPENED_ELEMENT, "place", "name", 0, EFFECT_UNVERIFIABLE, .hovered = true },
		{ "push button", true, HAPPENED_ELEMENT, "label", "name", 0, EFFECT_CONFIRMED, .hovered = true },
		{ "list item", true, HAPPENED_ELEMENT, "inside", "showing", 1, EFFECT_UNVERIFIABLE, .hovered = true },
		{ "list item", true, HAPPENED_ELEMENT, "label", "showing", 1, EFFECT_CONFIRMED, .hovered = true },
		{ "list item", true, HAPPENED_ELEMENT, "inside", "showing", 1, EFFECT_CONFIRMED },
		/* A window that gets the focus does this and that; it calculates nothing. */
		{ "text", true, HAPPENED_ELEMENT, "label", "sensitive", 1, EFFECT_UNVERIFIABLE, .keyed = true },
		{ "text", true, HAPPENED_ELEMENT, "label", "showing", 1, EFFECT_UNVERIFIABLE, .keyed = true },
		{ "text", true, HAPPENED_ELEMENT, "label", "name", 0, EFFECT_CONFIRMED, .keyed = true },
		/* What is selected where no application need hear of it, and what follows from that. */
		{ "list item", true, HAPPENED_ELEMENT, "target", "selected", 1, EFFECT_CONFIRMED },
		{ "list item", true, HAPPENED_ELEMENT, "target", "selected", 1, EFFECT_UNVERIFIABLE, .unheard = true },
		{ "list item", true, HAPPENED_ELEMENT, "label", "selection", 0, EFFECT_UNVERIFIABLE, .unheard = true },
		{ "list item", true, HAPPENED_ELEMENT, "label", "name", 0, EFFECT_CONFIRMED, .unheard = true },
		/* The first of two clicks selects. */
		{ "list item", true, HAPPENED_ELEMENT, "label", "sensitive", 1, EFFECT_UNVERIFIABLE, .twice = true },
		{ "list item", true, HAPPENED_OPENED, NULL, NULL, 0, EFFECT_CONFIRMED, .twice = true },
		{ "push button", true, HAPPENED_ELEMENT, "label", "sensitive", 1, EFFECT_CONFIRMED, .twice = true },
		/* Keys after a click: what it may have done itself proves nothing. */
		{ "text", true, HAPPENED_ELEMENT, "label", "name", 0, EFFECT_UNVERIFIABLE, .clicked = true },
		{ "text", true, HAPPENED_ELEMENT, "target", "showing", 1, EFFECT_UNVERIFIABLE, .clicked = true },
		{ "text", true, HAPPENED_OPENED, NULL, NULL, 0, EFFECT_UNVERIFIABLE, .clicked = true },
		{ "text", true, HAPPENED_ELEMENT, "target", "text", 0, EFFECT_CONFIRMED, .clicked = true },
		{ "text", true, HAPPENED_CLOSED, NULL, NULL, 0, EFFECT_CONFIRMED, .clicked = true },
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct scene scene;
		scene_set(&scene, cases[i].elsewhere, cases[i].role);
		scene.action.kind = cases[i].clicked ? ACTION_PRESS_KEY : cases[i].dragged ? ACTION_DRAG
			: cases[i].menu ? ACTION_INVOKE_MENU : ACTION_CLICK;
		scene.action.finding.clicked = cases[i].clicked;
		scene.action.finding.hovered = cases[i].hovered;
		scene.action.finding.unheard = cases[i].unheard;
		scene.action.count = cases[i].twice ? 2 : 1;
		scene.action.finding.keyed = cases[i].keyed || cases[i].clicked;
		scene.target->value = strcmp(cases[i].role, "text") == 0 ? g_strdup("was") : NULL;
		say(&scene, cases[i].kind, cases[i].object, cases[i].what, cases[i].detail);
		g_test_message("case %zu", i);
		look(&scene);
		witness_close(&scene.witness);
		g_assert_cmpstr(effect_name(scene.witness.effect), ==, effect_name(cases[i].effect));
		if (cases[i].kind == HAPPENED_PIXELS) {
			const struct change *change = &g_array_index(scene.witness.evidence, struct change, 0);
			g_assert_cmpstr(change->kind, ==, "pixels");
			g_assert_cmpstr(change->detail, ==, "10 x 4 pixels were drawn at 2,3 in the window");
		}
		scene_clear(&scene);
	}
}

/* GTK4 acts a quarter of a second after it was asked to; what happens before is the late effect of something else. */
static void too_soon(void)
{
	for (int lag_ms = 0; lag_ms <= 250; lag_ms += 250) {
		struct scene scene;
		scene_set(&scene, true, "push button");
		scene.action.lag_ms = lag_ms;
		say(&scene, HAPPENED_ELEMENT, "label", "name", 0);
		look(&scene);
		g_assert_cmpstr(effect_name(scene.witness.effect), ==, lag_ms > 0 ? "unverifiable" : "confirmed");
		/* The same, when it can be. */
		scene.witness.armed_at -= lag_ms * G_TIME_SPAN_MILLISECOND;
		say_name(&scene, "label", "a third");
		look(&scene);
		g_assert_cmpstr(effect_name(scene.witness.effect), ==, "confirmed");
		scene_clear(&scene);
	}
}

/* A field that shows what was written while its number is the old one. */
static void an_echo_in_a_field(void)
{
	for (int echo = 0; echo < 2; echo++) {
		struct scene scene;
		scene_set(&scene, true, "spin button");
		scene.action.kind = ACTION_SET_VALUE;
		scene.action.finding = (struct finding){ .kind = "text", .before = g_strdup("45°"),
			.wanted = g_strdup("30°"), .echo = echo != 0 };
		witness_find(&scene.witness, "30°");
		witness_close(&scene.witness);
		g_assert_cmpstr(effect_name(scene.witness.effect), ==, echo ? "unverifiable" : "confirmed");
		finding_clear(&scene.action.finding);
		scene_clear(&scene);
	}
}

/* A window that opens when text is typed or set may be a message that it was not taken. */
static void a_window_instead(void)
{
	for (int finding = 0; finding < 2; finding++) {
		struct scene scene;
		scene_set(&scene, true, "table cell");
		scene.action.kind = finding ? ACTION_SET_VALUE : ACTION_TYPE_TEXT;
		scene.action.finding = (struct finding){ .kind = finding ? "value" : NULL, .before = g_strdup("0"),
			.wanted = g_strdup("7") };
		say(&scene, HAPPENED_OPENED, NULL, NULL, 0);
		look(&scene);
		witness_close(&scene.witness);
		g_assert_cmpstr(effect_name(scene.witness.effect), ==, "unverifiable");
		g_assert_cmpuint(scene.witness.evidence->len, ==, 1);
		finding_clear(&scene.action.finding);
		scene_clear(&scene);
	}
}

/* Nothing at all is a suspicion, an application that ended is none of our successes. */
static void what_does_not(void)
{
	struct scene scene;
	scene_set(&scene, true, "push button");
	witness_close(&scene.witness);
	g_assert_cmpstr(effect_name(scene.witness.effect), ==, "suspected_noop");
	scene_clear(&scene);

	scene_set(&scene, true, "push button");
	say(&scene, HAPPENED_CLOSED, NULL, NULL, 0);
	say(&scene, HAPPENED_LEFT, NULL, NULL, 0);
	witness_look(&scene.witness);
	witness_close(&scene.witness);
	g_assert_cmpstr(effect_name(scene.witness.effect), ==, "unverifiable");
	g_assert_cmpint(scene.witness.doubt, ==, DOUBT_ENDED);
	scene_clear(&scene);

	/* Who presses what is chosen has nothing to expect. */
	scene_set(&scene, true, "radio button");
	scene.target->states = STATE_CHECKED;
	witness_close(&scene.witness);
	g_assert_cmpstr(effect_name(scene.witness.effect), ==, "unverifiable");
	g_assert_cmpint(scene.witness.doubt, ==, DOUBT_ALREADY);
	scene_clear(&scene);

	/* What was scrolled before the action to see its target, and the bar that tells it late. */
	scene_set(&scene, true, "push button");
	g_ptr_array_add(scene.tree->elements, new_element("scroller", "scroll bar", 0, NULL));
	say(&scene, HAPPENED_ELEMENT, "label", "name", 0);
	g_usleep(1000);
	scene.action.scrolled_at = g_get_monotonic_time();
	say(&scene, HAPPENED_ELEMENT, "scroller", "value", 0);
	g_assert_false(witness_look(&scene.witness));
	say_name(&scene, "label", "a third");
	g_assert_true(look(&scene));
	scene_clear(&scene);

	/* An echo in a page. */
	scene_set(&scene, true, "check box");
	((struct element *)scene.tree->elements->pdata[0])->in_web_content = true;
	say(&scene, HAPPENED_ELEMENT, "target", "checked", 1);
	witness_look(&scene.witness);
	witness_close(&scene.witness);
	g_assert_cmpstr(effect_name(scene.witness.effect), ==, "unverifiable");
	scene_clear(&scene);

	/* What others say is no proof where the target says something else than was asked for. */
	scene_set(&scene, true, "radio button");
	scene.window->toolkit = "qt5";
	scene.target->states = STATE_CHECKED;
	struct element *after = new_element("target", "radio button", 0, NULL);
	g_assert_false(witness_read(&scene.witness, after, g_get_monotonic_time()));
	g_assert_cmpint(scene.witness.doubt, ==, DOUBT_OTHER);
	say(&scene, HAPPENED_ELEMENT, "label", "sensitive", 1);
	g_assert_false(witness_look(&scene.witness));
	g_assert_false(witness_read(&scene.witness, after, g_get_monotonic_time()) || witness_look(&scene.witness));
	say(&scene, HAPPENED_OPENED, NULL, NULL, 0);
	g_assert_false(witness_look(&scene.witness));
	/* Unless that was so for a moment only. */
	g_assert_false(witness_read(&scene.witness, scene.target, g_get_monotonic_time()));
	g_assert_cmpint(scene.witness.doubt, ==, DOUBT_UNSEEN);
	g_assert_cmpuint(scene.witness.evidence->len, ==, 0);
	say(&scene, HAPPENED_ELEMENT, "label", "sensitive", 0);
	g_assert_true(look(&scene));
	element_free(after);
	scene_clear(&scene);

	/* A page that nobody can see need not say anything. */
	scene_set(&scene, true, "push button");
	((struct element *)scene.tree->elements->pdata[0])->in_web_content = true;
	scene.window->minimized = true;
	witness_close(&scene.witness);
	g_assert_cmpstr(effect_name(scene.witness.effect), ==, "unverifiable");
	g_assert_cmpint(scene.witness.doubt, ==, DOUBT_WEB);
	scene_clear(&scene);
}

/* A click in a page may do no more than give the focus; elsewhere that is not what was asked for. */
static void what_a_page_answers(void)
{
	for (int web = 0; web < 2; web++) {
		const struct action action = { .kind = ACTION_CLICK };
		struct element *before = new_element("target", "entry", 0, NULL);
		struct element *after = new_element("target", "entry", STATE_FOCUSED, NULL);
		struct change change;
		before->in_web_content = web != 0;
		g_assert_cmpint(expect_compare(&action, before, after, &change), ==, web ? OUTCOME_ASKED : OUTCOME_NONE);
		change_clear(&change);
		element_free(before);
		element_free(after);
	}
}

static struct element *add(struct scene *scene, const char *object, const char *role, struct element *parent)
{
	struct element *element = new_element(object, role, 0, NULL);
	element->position = (int)scene->tree->elements->len;
	element->parent = parent != NULL ? parent->position : -1;
	element->depth = parent != NULL ? parent->depth + 1 : 0;
	g_ptr_array_add(scene->tree->elements, element);
	return element;
}

/* Says that a row is selected, or is not; whether that proves it when a look shows `is`. */
static bool select_row(struct scene *scene, bool told, bool is)
{
	say(scene, HAPPENED_ELEMENT, "row", "selected", told);
	bool proven = witness_look(&scene->witness);
	if (!proven && scene->witness.unread != NULL) {
		struct element *now = new_element("row", "list item", is ? STATE_SELECTED : 0, NULL);
		proven = witness_reread(&scene->witness, now);
		element_free(now);
	}
	return proven;
}

/* A row that is taken and given back is what it was. */
static void states_of_others_are_read(void)
{
	struct scene scene;
	scene_set(&scene, true, "push button");
	add(&scene, "row", "list item", NULL)->states = STATE_SELECTED;
	g_assert_false(select_row(&scene, false, true));
	g_assert_false(select_row(&scene, true, true));
	scene_clear(&scene);

	scene_set(&scene, true, "push button");
	add(&scene, "row", "list item", NULL)->states = STATE_SELECTED;
	g_assert_true(select_row(&scene, false, false));
	const struct change *change = &g_array_index(scene.witness.evidence, struct change, 0);
	g_assert_cmpstr(change->before, ==, "true");
	g_assert_cmpstr(change->after, ==, "false");
	/* And back again: what was told since is newer than the snapshot. */
	witness_close(&scene.witness);
	act_again(&scene);
	g_assert_true(select_row(&scene, true, true));
	scene_clear(&scene);

	/* Which item of a closed combo box is selected may be told at any time. */
	scene_set(&scene, true, "push button");
	struct element *combo = add(&scene, "combo", "combo box", NULL);
	add(&scene, "row", "list item", add(&scene, "items", "list", combo));
	g_assert_false(select_row(&scene, true, true));
	g_assert_null(scene.witness.unread);
	scene_clear(&scene);
}

/* Nobody reads the text of what is hidden, so nobody knows whether it is another one. */
static void what_nobody_read(void)
{
	struct scene scene;
	scene_set(&scene, true, "push button");
	add(&scene, "hidden", "text", NULL);
	for (int i = 0; i < 2; i++) {
		say(&scene, HAPPENED_ELEMENT, "hidden", "text", 0);
		g_assert_false(look(&scene));
		g_assert_cmpuint(scene.witness.evidence->len, ==, 1);
		act_again(&scene);
	}
	scene_clear(&scene);
}

/* More lines of a log are no proof; other lines are. */
static void what_is_logged(void)
{
	for (int editable = 0; editable < 2; editable++) {
		struct scene scene;
		scene_set(&scene, true, "push button");
		struct element *log = add(&scene, "log", "text", NULL);
		log->value = g_strdup("one\ntwo\n");
		log->states = editable ? STATE_EDITABLE : 0;
		say(&scene, HAPPENED_ELEMENT, "log", "text", 0);
		g_assert_false(witness_look(&scene.witness));
		g_assert_cmpint(read_again(&scene, "log", "log", "one\ntwo\nthree\n"), ==, editable);
		say(&scene, HAPPENED_ELEMENT, "log", "text", 0);
		witness_look(&scene.witness);
		g_assert_true(editable || read_again(&scene, "log", "log", "none\n"));
		scene_clear(&scene);
	}
}

/* All of what was typed has to be there. */
static void what_was_typed(void)
{
	static const struct {
		const char *typed, *is;
		bool proven;
	} cases[] = {
		{ "1x2y", "012", false }, { "1x2y", "01x2y", true }, { "0", "0", false }, { "0", "00", true },
		{ "end\n", "0end", true }, { "0\n", "0", false }, { "two\nlines", "0two\nlines", true }, { "two\nlines", "0twolines", false },
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct scene scene;
		scene_set(&scene, true, "push button");
		scene.action.kind = ACTION_TYPE_TEXT;
		scene.action.text = cases[i].typed;
		scene.witness.before = NULL;
		g_test_message("case %zu", i);
		say(&scene, HAPPENED_ELEMENT, "label", "sensitive", 1);
		g_assert_false(look(&scene));
		say(&scene, HAPPENED_ELEMENT, "display", "text", 0);
		g_assert_false(witness_look(&scene.witness));
		g_assert_cmpint(read_again(&scene, "display", "display", cases[i].is), ==, cases[i].proven);
		scene_clear(&scene);
	}
}

/* A table that shows what others do is refreshed, now this cell, now that. */
static void tables_that_are_refreshed(void)
{
	struct scene scene;
	scene_set(&scene, true, "push button");
	add(&scene, "cell", "table cell", add(&scene, "table", "table", NULL));
	say_name(&scene, "cell", NULL);
	g_assert_false(witness_look(&scene.witness));
	/* It has not been watched for long enough to know. */
	g_assert_false(read_again(&scene, "cell", "another", NULL));
	g_assert_cmpint(scene.witness.doubt, ==, DOUBT_EARLIER);
	scene_clear(&scene);

	for (int moved = 0; moved < 2; moved++) {
		scene_set(&scene, true, "push button");
		struct element *table = add(&scene, "table", "table", NULL);
		add(&scene, "cell", "table cell", table);
		add(&scene, "other cell", "table cell", table);
		witness_close(&scene.witness);
		if (moved) {
			g_usleep(2100 * 1000);
			say_name(&scene, "other cell", "moves by itself");
		}
		g_usleep(5100 * 1000);
		act_again(&scene);
		say_name(&scene, "cell", NULL);
		g_assert_false(witness_look(&scene.witness));
		g_assert_cmpint(read_again(&scene, "cell", "another", NULL), ==, !moved);
		scene_clear(&scene);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/expect/values", what_is_asked_for);
	g_test_add_func("/past/sending", what_comes_while_it_is_sent);
	g_test_add_func("/past/explains", what_the_past_explains);
	g_test_add_func("/past/too-much", what_is_too_much);
	g_test_add_func("/past/waits", waits_and_looks);
	g_test_add_func("/witness/proves", what_proves);
	g_test_add_func("/witness/marked", what_the_rung_marked);
	g_test_add_func("/witness/does-not", what_does_not);
	g_test_add_func("/witness/called", what_it_is_called);
	g_test_add_func("/witness/contains", what_it_contains);
	g_test_add_func("/witness/lasts", what_does_not_last);
	g_test_add_func("/witness/too-soon", too_soon);
	g_test_add_func("/witness/echo", an_echo_in_a_field);
	g_test_add_func("/witness/window-instead", a_window_instead);
	g_test_add_func("/expect/focus", what_a_page_answers);
	g_test_add_func("/witness/states", states_of_others_are_read);
	g_test_add_func("/witness/unread", what_nobody_read);
	g_test_add_func("/witness/logged", what_is_logged);
	g_test_add_func("/witness/typed", what_was_typed);
	g_test_add_func("/witness/refreshed", tables_that_are_refreshed);
	int result = g_test_run();
	struct platform *platform;
	while ((platform = g_queue_pop_head(&heard)) != NULL) {
		platform->impl->destroy(platform);
	}
	return result;
}
