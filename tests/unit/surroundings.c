/* SPDX-License-Identifier: MIT */
/* Whether an element read again is the one that was seen, from what is around it. */
#include "config.h"

#include "core/surroundings.h"

#include <string.h>

struct row {
	int depth;
	const char *role, *name;
	int y;           /* of its frame; 0: it has none */
};

static struct tree *grow(const struct row *rows, gsize count)
{
	struct tree *tree = tree_new();
	int parents[16], places[16] = { 0 };
	for (gsize i = 0; i < count; i++) {
		struct element *element = element_new();
		int depth = rows[i].depth;
		element->provider = g_strdup("memory");
		element->object = g_strdup_printf("/%zu", i);
		element->role = g_strdup(rows[i].role);
		element->name = g_strdup(rows[i].name);
		element->actions = g_new0(char *, 1);
		element->depth = depth;
		element->parent = depth > 0 ? parents[depth - 1] : -1;
		element->place = places[depth]++;
		element->has_frame = rows[i].y != 0;
		element->frame = (struct screen_rect){ 0, rows[i].y, 10, 10 };
		places[depth + 1] = 0;
		parents[depth] = (int)i;
		g_ptr_array_add(tree->elements, element);
	}
	tree_number(tree);
	return tree;
}

/*
 * Two rows with the same button, a flat table, three buttons without a name, a named one; a combo box, a text with
 * something after it, and one with its caption before it; a title bar with a button that a menu has, too, and cards that are no rows.
 */
static const struct row sample[] = {
	{ 0, "frame", "w", 0 },                /* 0 */
	{ 1, "list", "", 0 },                  /* 1 */
	{ 2, "list item", "", 0 },             /* 2 */
	{ 3, "label", "alpha", 0 },            /* 3 */
	{ 3, "push button", "Delete", 0 },     /* 4 */
	{ 2, "list item", "", 0 },             /* 5 */
	{ 3, "label", "beta", 0 },             /* 6 */
	{ 3, "push button", "Delete", 0 },     /* 7 */
	{ 1, "tree table", "", 0 },            /* 8 */
	{ 2, "table cell", "", 20 },           /* 9: a check box */
	{ 2, "table cell", "one", 20 },        /* 10 */
	{ 2, "table cell", "", 40 },           /* 11 */
	{ 2, "table cell", "two", 40 },        /* 12 */
	{ 1, "tool bar", "", 0 },              /* 13 */
	{ 2, "push button", "", 0 },           /* 14 */
	{ 2, "push button", "", 0 },           /* 15 */
	{ 2, "push button", "", 0 },           /* 16 */
	{ 2, "push button", "Save", 0 },       /* 17 */
	{ 1, "combo box", "Normal", 0 },       /* 18 */
	{ 1, "text", "", 0 },                  /* 19 */
	{ 1, "label", "RAD", 0 },              /* 20 */
	{ 1, "label", "Name:", 0 },            /* 21 */
	{ 1, "entry", "", 0 },                 /* 22 */
	{ 1, "panel", "", 0 },                 /* 23 */
	{ 2, "label", "*Untitled", 0 },        /* 24 */
	{ 2, "push button", "Keep", 0 },       /* 25 */
	{ 1, "menu", "", 0 },                  /* 26 */
	{ 2, "push button", "Keep", 0 },       /* 27 */
	{ 1, "filler", "", 0 },                /* 28 */
	{ 2, "label", "gamma", 0 },            /* 29 */
	{ 2, "push button", "Open", 0 },       /* 30 */
	{ 1, "filler", "", 0 },                /* 31 */
	{ 2, "label", "delta", 0 },            /* 32 */
	{ 2, "push button", "Open", 0 },       /* 33 */
};

static void what_tells_an_element(void)
{
	static const struct {
		guint element;
		const char *signs;
		bool distinct, labelled;
	} cases[] = {
		{ 4, "alpha", true, true },
		{ 7, "beta", true, true },
		{ 2, "alpha Delete", false, true },
		{ 9, "one", false, true },
		{ 12, "", true, false },
		{ 15, "", false, false },
		{ 16, "", false, false },
		{ 17, "", true, false },
		{ 18, "", true, false },
		{ 19, "", false, false },
		{ 22, "Name:", false, false },
		{ 25, "", true, false },
		{ 30, "gamma", true, true },
		{ 33, "delta", true, true },
	};
	struct tree *tree = grow(sample, G_N_ELEMENTS(sample));
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct surroundings around;
		g_autoptr(GString) signs = g_string_new(NULL);
		surroundings_make(&around, tree->elements->pdata[cases[i].element]);
		for (guint j = 0; j < around.signs->len; j++) {
			g_string_append_printf(signs, "%s%s", j > 0 ? " " : "",
				((struct element *)around.signs->pdata[j])->name);
		}
		g_test_message("element %u", cases[i].element);
		g_assert_cmpstr(signs->str, ==, cases[i].signs);
		g_assert_true(around.distinct == cases[i].distinct);
		g_assert_true(around.labelled == cases[i].labelled);
		surroundings_clear(&around);
	}
	tree_free(tree);
}

static void who_moved_along(void)
{
	static const struct {
		const char *around;    /* objects; - is nobody */
		enum seat_now now;
	} cases[] = {
		{ "- /14 /15 /16 /17 -", SEAT_SHIFTED },
		{ "- /14 /99 /15 /16 /17", SEAT_SHIFTED },   /* somebody new in between */
		{ "- /15 /17 - -", SEAT_SHIFTED },           /* some are gone */
		{ "/15 /14 /16 /17", SEAT_LOST },            /* it changed sides */
		{ "/14 /15 /17 /16", SEAT_LOST },            /* they were sorted */
		{ "- /98 /15 /99 -", SEAT_LOST },            /* nobody known */
		{ "/14 /16 /17", SEAT_LOST },                /* it is not there */
	};
	struct tree *tree = grow(sample, G_N_ELEMENTS(sample));
	struct surroundings around;
	surroundings_make(&around, tree->elements->pdata[15]);
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_auto(GStrv) objects = g_strsplit(cases[i].around, " ", -1);
		g_test_message("%s", cases[i].around);
		g_assert_cmpint(seat_compare(&g_array_index(around.seats, struct seat, 0), objects,
			g_strv_length(objects)), ==, cases[i].now);
	}
	surroundings_clear(&around);
	tree_free(tree);
}

/* The verdict on element `which` after a change; what is not said is as it was. */
struct verdict {
	const char *about;
	guint which;
	const char *name;        /* its own, now */
	const char *sign;        /* the first sign, now; "-": gone */
	enum seat_now seat, above;
	bool disordered;
	bool same;
};

static void the_same_or_not(void)
{
	static const struct verdict cases[] = {
		{ .about = "nothing happened", .which = 17, .same = true },
		{ .about = "relabelled", .which = 17, .name = "Quit" },
		{ .about = "a named one shifted", .which = 17, .seat = SEAT_SHIFTED, .same = true },
		{ .about = "a named one elsewhere", .which = 17, .seat = SEAT_LOST },
		{ .about = "its container shifted", .which = 17, .above = SEAT_SHIFTED, .same = true },
		{ .about = "nothing else is called so, wherever its container is", .which = 17, .above = SEAT_LOST, .same = true },
		{ .about = "something else is called so, and its container elsewhere", .which = 25, .above = SEAT_LOST },
		{ .about = "an unnamed one stays", .which = 15, .same = true },
		{ .about = "an unnamed one shifted", .which = 15, .seat = SEAT_SHIFTED },
		{ .about = "an unnamed one among others", .which = 15, .disordered = true },
		{ .about = "an unnamed one's container shifted", .which = 15, .above = SEAT_SHIFTED },
		{ .about = "another choice in a combo box", .which = 18, .name = "Scientific", .same = true },
		{ .about = "another combo box", .which = 18, .name = "Scientific", .seat = SEAT_SHIFTED },
		{ .about = "another caption", .which = 22, .sign = "Password:" },
		{ .about = "the row reads the same", .which = 4, .sign = "alpha", .same = true },
		{ .about = "the row was used for another", .which = 4, .sign = "beta" },
		{ .about = "the row lost its text", .which = 4, .sign = "-" },
		{ .about = "a row above", .which = 4, .above = SEAT_SHIFTED, .same = true },
		{ .about = "a row itself shifted", .which = 2, .seat = SEAT_SHIFTED, .disordered = true,
		  .same = true },
		{ .about = "a row itself used for another", .which = 2, .sign = "beta" },
		{ .about = "a cell's row was sorted away", .which = 9, .sign = "two" },
		{ .about = "a cell shifted", .which = 9, .seat = SEAT_SHIFTED, .disordered = true,
		  .same = true },
	};
	struct tree *tree = grow(sample, G_N_ELEMENTS(sample));
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		const struct verdict *c = &cases[i];
		const struct element *then = tree->elements->pdata[c->which];
		struct element *now = element_copy(then);
		struct surroundings around;
		struct look look;
		surroundings_make(&around, then);
		look_init(&look, &around);
		for (guint j = 0; j < around.signs->len; j++) {
			look.names[j] = g_strdup(((struct element *)around.signs->pdata[j])->name);
		}
		if (c->sign != NULL) {
			g_free(look.names[0]);
			look.names[0] = strcmp(c->sign, "-") == 0 ? NULL : g_strdup(c->sign);
		}
		if (c->name != NULL) {
			g_free(now->name);
			now->name = g_strdup(c->name);
		}
		look.seats[0] = c->seat;
		look.seats[1] = c->above;
		look.order_kept = !c->disordered;
		g_autofree char *why = surroundings_differ(&around, now, &look);
		g_test_message("%s: %s", c->about, why != NULL ? why : "the same");
		g_assert_true((why == NULL) == c->same);
		look_clear(&look, &around);
		surroundings_clear(&around);
		element_free(now);
	}
	tree_free(tree);
}

/* A restarted bus gives the same names and paths to others. */
static void names_of_another_bus_are_others(void)
{
	struct tree *tree = grow(sample, G_N_ELEMENTS(sample));
	struct element *now = element_copy(tree->elements->pdata[17]);
	struct surroundings around;
	struct look look;
	surroundings_make(&around, tree->elements->pdata[17]);
	look_init(&look, &around);
	g_assert_null(surroundings_differ(&around, now, &look));
	now->provider_id = 7;
	g_autofree char *why = surroundings_differ(&around, now, &look);
	g_assert_nonnull(why);
	look_clear(&look, &around);
	surroundings_clear(&around);
	element_free(now);
	tree_free(tree);
}

/* The same object is the same widget: only what is in a row, or looks like others, has to be where it was. */
static void widgets_need_no_place(void)
{
	static const struct {
		guint which;
		bool lasting, seats;
	} cases[] = { { 17, false, true }, { 17, true, false }, { 4, true, true }, { 14, true, true } };
	struct tree *tree = grow(sample, G_N_ELEMENTS(sample));
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct element *element = tree->elements->pdata[cases[i].which];
		struct surroundings around;
		element->lasting = cases[i].lasting;
		surroundings_make(&around, element);
		g_assert_cmpint(around.seats->len > 0, ==, cases[i].seats);
		g_assert_false(surroundings_need_neighbours(&around) && !cases[i].seats);
		surroundings_clear(&around);
	}
	tree_free(tree);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/surroundings/signs", what_tells_an_element);
	g_test_add_func("/surroundings/seats", who_moved_along);
	g_test_add_func("/surroundings/verdict", the_same_or_not);
	g_test_add_func("/surroundings/bus", names_of_another_bus_are_others);
	g_test_add_func("/surroundings/widgets", widgets_need_no_place);
	return g_test_run();
}
