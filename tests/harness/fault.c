/* SPDX-License-Identifier: MIT */
#include "fault.h"

#include <string.h>

static const struct {
	const char *name;
	int weight; /* in a draw; crash and hang are rare: they end or stall what comes after */
} faults[FAULT_COUNT] = {
	[FAULT_NONE] = {"none", 0},
	[FAULT_ECHO] = {"echo", 4},
	[FAULT_LATE100] = {"late100", 4},
	[FAULT_LATE1000] = {"late1000", 4},
	[FAULT_OTHER] = {"other", 4},
	[FAULT_DISABLE] = {"disable", 4},
	[FAULT_VANISH] = {"vanish", 4},
	[FAULT_TWIN] = {"twin", 4},
	[FAULT_MODAL] = {"modal", 4},
	[FAULT_HANG] = {"hang", 1},
	[FAULT_CRASH] = {"crash", 1},
};

static enum fault forced = FAULT_NONE;
static GRand *dice;

const char *fault_name(enum fault fault)
{
	return faults[fault].name;
}

gboolean fault_force(const char *name)
{
	for (int i = FAULT_ECHO; i < FAULT_COUNT; i++) {
		if (strcmp(faults[i].name, name) == 0) {
			forced = (enum fault)i;
			return TRUE;
		}
	}
	return FALSE;
}

void fault_seed(guint32 seed)
{
	g_clear_pointer(&dice, g_rand_free);
	dice = g_rand_new_with_seed(seed);
}

enum fault fault_draw(void)
{
	int total = 0;
	int at;

	if (forced != FAULT_NONE || !dice) {
		return forced;
	}
	for (int i = 0; i < FAULT_COUNT; i++) {
		total += faults[i].weight;
	}
	/* As many blanks as faults: half of the draws. */
	at = g_rand_int_range(dice, -total, total);
	for (int i = 0; i < FAULT_COUNT && at >= 0; i++) {
		if (at < faults[i].weight) {
			return (enum fault)i;
		}
		at -= faults[i].weight;
	}
	return FAULT_NONE;
}

static const char *const actions[] = {"click", "right_click", "double_click", NULL};
static const char *const modals[] = {"open", "accepted", "cancelled", NULL};
static const char *const popups[] = {"open", "picked", "closed", NULL};
static const char *const seconds[] = {"open", "closed", NULL};

static void add_list(GPtrArray *entries, const char *const *list)
{
	for (; *list; list++) {
		g_ptr_array_add(entries, (gpointer)*list);
	}
}

/* The entries of "nodes" or "menus" that have a parent, and for nodes the parents too. */
static void add_nested(GPtrArray *entries, const char *which, gboolean with_parents)
{
	for (const char *const *parent = model_list(which); *parent; parent++) {
		g_autofree char *path = g_strdup_printf("%s/%s", which, *parent);

		if (with_parents) {
			g_ptr_array_add(entries, (gpointer)*parent);
		}
		add_list(entries, model_list(path));
	}
}

static char *other_entry(GPtrArray *entries, const char *value, const char *was)
{
	const char *found = NULL;

	for (guint i = 0; i < entries->len; i++) {
		const char *entry = g_ptr_array_index(entries, i);

		if (strcmp(entry, value) == 0) {
			continue;
		}
		if (strcmp(entry, was) != 0) {
			return g_strdup(entry);
		}
		found = entry;
	}
	return g_strdup(found ? found : was);
}

char *fault_other(enum control control, const char *value, const char *was)
{
	g_autoptr(GPtrArray) entries = g_ptr_array_new();
	g_autofree char *reversed = NULL;
	gint64 number;

	switch (control) {
	case CONTROL_AGREE:
		return g_strdup(strcmp(value, "true") == 0 ? "false" : "true");
	case CONTROL_INPUT:
		reversed = g_utf8_strreverse(value, -1);
		return g_strconcat(reversed, "!", NULL);
	case CONTROL_CONTEXT:
		add_list(entries, model_list("context"));
		break;
	case CONTROL_MENU_BAR:
		add_nested(entries, "menus", FALSE);
		break;
	case CONTROL_CHOICE:
		add_list(entries, model_list("choices"));
		break;
	case CONTROL_LIST:
		add_list(entries, model_list("items"));
		break;
	case CONTROL_TREE:
		add_nested(entries, "nodes", TRUE);
		break;
	case CONTROL_MODAL:
		add_list(entries, modals);
		break;
	case CONTROL_POPUP:
		add_list(entries, popups);
		break;
	case CONTROL_SECOND:
		add_list(entries, seconds);
		break;
	default:
		if (g_ascii_string_to_signed(value, 10, G_MININT32, G_MAXINT32, &number, NULL)) {
			return g_strdup_printf("%" G_GINT64_FORMAT, number + 7);
		}
		add_list(entries, actions);
		break;
	}
	return other_entry(entries, value, was);
}
