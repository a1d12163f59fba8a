/* SPDX-License-Identifier: MIT */
/*
 * The walk that a program makes with libatspi: for each pid on standard input the tree of the process's
 * first window, the same fields as the driver's. Answers with the number of nodes and the milliseconds.
 */
#include <atspi/atspi.h>
#include <stdio.h>
#include <stdlib.h>

G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtspiAccessible, g_object_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtspiAction, g_object_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtspiComponent, g_object_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtspiEditableText, g_object_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtspiStateSet, g_object_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtspiText, g_object_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtspiValue, g_object_unref)

/* Deeper than any real window. */
enum { DEEPEST = 100 };

static void read_actions(AtspiAccessible *node)
{
	g_autoptr(AtspiAction) action = atspi_accessible_get_action_iface(node);
	int count = action != NULL ? atspi_action_get_n_actions(action, NULL) : 0;
	for (int i = 0; i < count; i++) {
		g_free(atspi_action_get_action_name(action, i, NULL));
	}
}

static void read_value(AtspiAccessible *node)
{
	g_autoptr(AtspiValue) value = atspi_accessible_get_value_iface(node);
	g_autoptr(AtspiEditableText) editable = atspi_accessible_get_editable_text_iface(node);
	g_autoptr(AtspiText) text = editable != NULL ? atspi_accessible_get_text_iface(node) : NULL;
	if (value != NULL) {
		atspi_value_get_current_value(value, NULL);
	}
	if (text != NULL) {
		g_free(atspi_text_get_text(text, 0, -1, NULL));
	}
}

static int walk(AtspiAccessible *node, int depth)
{
	g_autoptr(AtspiStateSet) states = atspi_accessible_get_state_set(node);
	int nodes = 1;
	atspi_accessible_get_role(node, NULL);
	g_free(atspi_accessible_get_name(node, NULL));
	g_free(atspi_accessible_get_description(node, NULL));
	if (atspi_state_set_contains(states, ATSPI_STATE_SHOWING)
		|| atspi_state_set_contains(states, ATSPI_STATE_VISIBLE)) {
		g_autoptr(AtspiComponent) component = atspi_accessible_get_component_iface(node);
		g_free(component != NULL ? atspi_component_get_extents(component, ATSPI_COORD_TYPE_WINDOW, NULL)
			: NULL);
	}
	read_actions(node);
	read_value(node);
	int count = depth < DEEPEST ? atspi_accessible_get_child_count(node, NULL) : 0;
	for (int i = 0; i < count; i++) {
		g_autoptr(AtspiAccessible) child = atspi_accessible_get_child_at_index(node, i, NULL);
		nodes += child != NULL ? walk(child, depth + 1) : 0;
	}
	return nodes;
}

static int walk_process(guint pid)
{
	g_autoptr(AtspiAccessible) desktop = atspi_get_desktop(0);
	int count = atspi_accessible_get_child_count(desktop, NULL);
	for (int i = 0; i < count; i++) {
		g_autoptr(AtspiAccessible) application = atspi_accessible_get_child_at_index(desktop, i, NULL);
		if (application != NULL && atspi_accessible_get_process_id(application, NULL) == pid) {
			/* What it kept from the last time would be no walk. */
			atspi_accessible_clear_cache(application);
			g_autoptr(AtspiAccessible) frame =
				atspi_accessible_get_child_at_index(application, 0, NULL);
			return frame != NULL ? walk(frame, 0) : 0;
		}
	}
	return 0;
}

int main(void)
{
	char line[64];
	atspi_init();
	while (fgets(line, sizeof line, stdin)) {
		gint64 start = g_get_monotonic_time();
		int nodes = walk_process((guint)strtoul(line, NULL, 10));
		printf("%d %.3f\n", nodes, (double)(g_get_monotonic_time() - start) / 1000.0);
		fflush(stdout);
	}
	return 0;
}
