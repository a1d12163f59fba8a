/* SPDX-License-Identifier: MIT */
/* Who is read after an action, and how often, by an application that talks meanwhile, is busy, or silent. */
#include "config.h"

#include "core/observation.h"

#include <string.h>

#include "core/error.h"
#include "core/headless.h"
#include "core/past.h"

/* How the application behaves. */
static struct {
	struct past *past;
	int bursts;     /* so often it says something that proves nothing while its target is read */
	int busy;       /* so many readings are not answered */
	bool refuses;   /* its target turns out to be something else than asked */
	int readings;
} application;

static void tell(const char *object, const char *what)
{
	past_note(application.past, &(struct happening){ .kind = HAPPENED_ELEMENT, .at = g_get_monotonic_time(),
		.provider = "app", .object = object, .moment = 11, .what = what, .detail = 1 });
}

/* Everything but the target is another by now. */
static struct element *reread(struct platform *platform, const struct element *element, struct deadline deadline, GError **error)
{
	(void)platform, (void)deadline;
	bool target = strcmp(element->object, "target") == 0;
	application.readings++;
	if (target && application.bursts > 0) {
		application.bursts--;
		tell("bar", "value");
		tell("late", "sensitive");
	}
	if (application.busy > 0) {
		application.busy--;
		g_set_error(error, CUA_ERROR, ERROR_APP_UNRESPONSIVE, "The application does not answer");
		return NULL;
	}
	struct element *now = element_copy(element);
	if (!target) {
		g_free(now->name);
		now->name = g_strdup("another");
		now->states ^= STATE_ENABLED;
	} else if (application.refuses) {
		now->states ^= STATE_CHECKED;
	}
	return now;
}

static struct element *add(struct tree *tree, const char *object, const char *role)
{
	struct element *element = element_new();
	element->provider = g_strdup("app");
	element->object = g_strdup(object);
	element->role = g_strdup(role);
	element->name = g_strdup(object);
	element->actions = g_new0(char *, 1);
	element->position = (int)tree->elements->len;
	g_ptr_array_add(tree->elements, element);
	return element;
}

struct observed {
	enum effect effect;
	enum doubt doubt;
	bool settled;
	gint64 took;
};

/* An action on an element of that role, after which the application says `what` of a label, or nothing. */
static struct observed observe(const char *role, unsigned states, const char *what, int settle_ms)
{
	static const struct rung_impl rung = { .path = "test", .through_accessibility = true };
	struct platform *platform = headless_new();
	struct platform_impl impl = *platform->impl;
	const struct platform_impl *own = platform->impl;
	struct window *window = window_new();
	struct tree *tree = tree_new();
	struct witness witness;

	impl.reread = reread;
	platform->impl = &impl;
	window->id = 7;
	window->pid = 1;
	window->toolkit = "qt5";
	struct element *element = add(tree, "target", role);
	element->states = states;
	add(tree, "label", "label");
	add(tree, "late", "label");
	add(tree, "bar", "progress bar");
	struct element *before = element_copy(element);
	before->moment = 10;
	application.past = platform->past;
	past_listen(platform->past, "app");
	g_usleep(1050 * 1000);
	struct action action = { .kind = ACTION_CLICK, .platform = platform, .window = window, .tree = tree, .element = element,
		.now = before, .count = 1, .deadline = deadline_in(20000, NULL) };
	witness_arm(&witness, &action, before, true);
	witness_sent(&witness);
	/* What is said in the same microsecond was said before it. */
	g_usleep(2);
	application.readings = 0;
	gint64 began = g_get_monotonic_time();
	if (what != NULL) {
		tell("label", what);
	}
	struct observed observed = { .settled = observation_wait(&action, &rung, &witness, settle_ms) };
	observed.effect = witness.effect;
	observed.doubt = witness.doubt;
	observed.took = (g_get_monotonic_time() - began) / 1000;
	witness_clear(&witness);
	element_free(before);
	tree_free(tree);
	window_free(window);
	platform->impl = own;
	platform->impl->destroy(platform);
	return observed;
}

/* Long enough that nobody waits for its end by mistake and nobody notices. */
#define SETTLE 5000

static void what_is_said_meanwhile_is_no_hindrance(void)
{
	static const char *const roles[] = { "check box", "list item", "menu item", "push button" };
	static const char *const said[] = { "name", "sensitive" };
	for (gsize i = 0; i < G_N_ELEMENTS(roles); i++) {
		for (gsize k = 0; k < G_N_ELEMENTS(said); k++) {
			application.bursts = 3;
			struct observed observed = observe(roles[i], 0, said[k], SETTLE);
			g_test_message("%s, %s", roles[i], said[k]);
			g_assert_cmpint(observed.effect, ==, EFFECT_CONFIRMED);
			g_assert_cmpint(observed.took, <, SETTLE / 2);
			application.bursts = 0;
		}
	}
	/* What is said only then waits for one more reading of the target, not for one more word. */
	application.bursts = 1;
	struct observed observed = observe("check box", 0, NULL, SETTLE);
	g_assert_cmpint(observed.effect, ==, EFFECT_CONFIRMED);
	g_assert_cmpint(observed.took, <, SETTLE / 2);
}

static void who_is_busy_is_asked_again(void)
{
	application.busy = 1;
	struct observed observed = observe("push button", 0, "name", 300);
	g_assert_cmpint(observed.effect, ==, EFFECT_CONFIRMED);
	application.busy = 1000;
	observed = observe("push button", 0, "name", 300);
	g_assert_cmpint(observed.effect, ==, EFFECT_UNVERIFIABLE);
	g_assert_cmpint(observed.doubt, ==, DOUBT_SILENT);
	g_assert_false(observed.settled);
	application.busy = 0;
}

static void who_refuses_is_not_outvoted(void)
{
	application.refuses = true;
	struct observed observed = observe("radio button", STATE_CHECKED, "sensitive", 300);
	g_assert_cmpint(observed.effect, ==, EFFECT_UNVERIFIABLE);
	g_assert_cmpint(observed.doubt, ==, DOUBT_OTHER);
	application.refuses = false;
}

static void who_says_nothing_is_read_at_the_end(void)
{
	struct observed observed = observe("check box", 0, NULL, 100);
	g_assert_cmpint(observed.effect, ==, EFFECT_SUSPECTED_NOOP);
	g_assert_cmpint(application.readings, ==, 2);
	/* Who talks without end does not keep it: not every word is a question. */
	application.bursts = 100000;
	observed = observe("check box", 0, "description", 200);
	g_assert_cmpint(observed.took, <, 5000);
	g_assert_cmpint(application.readings, <, 200);
	application.bursts = 0;
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/observation/meanwhile", what_is_said_meanwhile_is_no_hindrance);
	g_test_add_func("/observation/busy", who_is_busy_is_asked_again);
	g_test_add_func("/observation/refuses", who_refuses_is_not_outvoted);
	g_test_add_func("/observation/nothing", who_says_nothing_is_read_at_the_end);
	return g_test_run();
}
