/* SPDX-License-Identifier: MIT */
#include "manager.h"

#include <stdlib.h>

struct stubborn {
	xcb_connection_t *x;
	xcb_window_t check;      /* says that there is a window manager */
};

static gpointer work(gpointer data)
{
	struct stubborn *manager = data;
	xcb_generic_event_t *event;

	while ((event = xcb_wait_for_event(manager->x)) != NULL) {
		const xcb_configure_request_event_t *wish = (const void *)event;

		if ((event->response_type & 0x7f) == XCB_MAP_REQUEST) {
			xcb_map_window(manager->x, ((const xcb_map_request_event_t *)event)->window);
		} else if ((event->response_type & 0x7f) == XCB_CONFIGURE_REQUEST) {
			const uint32_t values[] = { (uint32_t)wish->x, (uint32_t)wish->y, wish->width, wish->height };

			xcb_configure_window(manager->x, wish->window, wish->value_mask & 0xf, values);
		}
		xcb_flush(manager->x);
		free(event);
	}
	return NULL;
}

static void begin(struct lab_desk *desk, struct stubborn *manager)
{
	const uint32_t mask = XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT;

	manager->x = xcb_connect(desk->display, NULL);
	manager->check = xcb_generate_id(manager->x);
	xcb_create_window(manager->x, 0, manager->check, desk->root, -10, -10, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY,
		XCB_COPY_FROM_PARENT, 0, NULL);
	lab_assert(!xcb_request_check(manager->x, xcb_change_window_attributes_checked(manager->x, desk->root,
		XCB_CW_EVENT_MASK, &mask)));
	g_thread_unref(g_thread_new("manager", work, manager));
}

/* What a window manager says of its windows, back to front. */
static void tell(struct lab_desk *desk, const struct stubborn *manager, const uint32_t *windows, int count, uint32_t active)
{
	const uint32_t supported[] = { lab_atom(desk, "_NET_ACTIVE_WINDOW"), lab_atom(desk, "_NET_CLIENT_LIST"),
		lab_atom(desk, "_NET_CLIENT_LIST_STACKING") };

	lab_x_set(desk, desk->root, "_NET_SUPPORTING_WM_CHECK", "WINDOW", &manager->check, 32, 1);
	lab_x_set(desk, manager->check, "_NET_SUPPORTING_WM_CHECK", "WINDOW", &manager->check, 32, 1);
	lab_x_set(desk, desk->root, "_NET_SUPPORTED", "ATOM", supported, 32, G_N_ELEMENTS(supported));
	lab_x_set(desk, desk->root, "_NET_CLIENT_LIST", "WINDOW", windows, 32, count);
	lab_x_set(desk, desk->root, "_NET_CLIENT_LIST_STACKING", "WINDOW", windows, 32, count);
	lab_x_set(desk, desk->root, "_NET_ACTIVE_WINDOW", "WINDOW", &active, 32, 1);
}

void manager_start(struct lab_desk *desk, const uint32_t *windows, int count, uint32_t active)
{
	struct stubborn *manager = g_new0(struct stubborn, 1);

	begin(desk, manager);
	tell(desk, manager, windows, count, active);
}
