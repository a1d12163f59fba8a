/* SPDX-License-Identifier: MIT */
/* Which device the agent's presses come from, by what the X server tells of every device. */
#include <stdlib.h>
#include <string.h>
#include <xcb/xinput.h>

#include "pointer.h"

xcb_connection_t *source_watch(struct lab_desk *desk)
{
	xcb_connection_t *eye = xcb_connect(desk->display, NULL);
	const struct {
		xcb_input_event_mask_t head;
		uint32_t mask;
	} wanted = { { XCB_INPUT_DEVICE_ALL, 1 }, XCB_INPUT_XI_EVENT_MASK_RAW_BUTTON_PRESS };

	lab_assert(!xcb_connection_has_error(eye));
	free(xcb_input_xi_query_version_reply(eye, xcb_input_xi_query_version(eye, 2, 2), NULL));
	xcb_input_xi_select_events(eye, desk->root, 1, &wanted.head);
	free(xcb_get_input_focus_reply(eye, xcb_get_input_focus(eye), NULL));
	return eye;
}

static char *name_of(xcb_connection_t *eye, uint16_t device)
{
	g_autofree xcb_input_xi_query_device_reply_t *reply = xcb_input_xi_query_device_reply(eye,
		xcb_input_xi_query_device(eye, device), NULL);
	xcb_input_xi_device_info_iterator_t it = { 0 };

	if (reply) {
		it = xcb_input_xi_query_device_infos_iterator(reply);
	}
	return it.rem > 0 ? g_strndup(xcb_input_xi_device_info_name(it.data), it.data->name_len) : g_strdup("");
}

struct sources source_count(xcb_connection_t *eye)
{
	struct sources count = { 0 };
	xcb_generic_event_t *event;

	/* A turn of the server: what came before it is here then. */
	free(xcb_get_input_focus_reply(eye, xcb_get_input_focus(eye), NULL));
	while ((event = xcb_poll_for_event(eye))) {
		const xcb_input_raw_button_press_event_t *press = (const void *)event;

		/* Of each press its master tells as well. */
		if ((event->response_type & 0x7f) == XCB_GE_GENERIC && press->event_type == XCB_INPUT_RAW_BUTTON_PRESS &&
			press->deviceid == press->sourceid) {
			g_autofree char *name = name_of(eye, press->deviceid);
			bool agent = g_str_has_prefix(name, "cua-driver ");

			count.kernel += agent && g_str_has_suffix(name, " uinput");
			count.other += agent && !g_str_has_suffix(name, " uinput");
		}
		free(event);
	}
	return count;
}
