/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/kernel.h"

#include <stdlib.h>
#include <string.h>
#include <xcb/xinput.h>

#include "x11/uinput.h"

#define SUFFIX " uinput"
/* How long a server may take to find a new device: 2.4 s were seen. */
#define APPEAR_MS 8000
/* And to take what came from the kernel. */
#define TAKE_MS 1000

struct kernel {
	struct uinput_device *node;
	xcb_input_device_id_t slave;
	struct undo_record *record;
};

bool kernel_taken(struct x11_server *server)
{
	/* Devices of the kernel have a node that their driver in the server tells. */
	static const char name[] = "Device Node";
	xcb_intern_atom_reply_t *atom = x11_reply(server,
		xcb_intern_atom(server->c, true, sizeof name - 1, name).sequence);
	/* Nobody ever spoke of one: there is none. */
	bool known = atom != NULL && atom->atom != XCB_ATOM_NONE;
	free(atom);
	return known;
}

bool kernel_may(struct x11_server *server, GError **error)
{
	bool taken = kernel_taken(server);
	/* What no advice helps against is said first. */
	enum uinput uinput = taken ? uinput_probe(UINPUT_NODE, taken) : UINPUT_NOT_TAKEN;
	if (uinput == UINPUT_READY || x11_failed(server)) {
		return uinput == UINPUT_READY;
	}
	const char *advice = uinput_advice(uinput);
	error_set(error, ERROR_NO_INPUT_DEVICE,
		"There can be no pointer of the kernel: %s. Leave device "
		"out: few applications need one%s%s",
		uinput_text(uinput), advice != NULL ? "; or: " : "", advice != NULL ? advice : "");
	return false;
}

static void listen(struct x11_server *server, xcb_input_device_id_t device, uint32_t events)
{
	const struct {
		xcb_input_event_mask_t head;
		uint32_t mask;
	} wanted = { { device, 1 }, events };
	xcb_input_xi_select_events(server->c, server->root, 1, &wanted.head);
}

/* The device that was made for that pair, and which pair has it (0: none). 0 if there is none. */
static xcb_input_device_id_t find(struct x11_server *server, const char *master, uint16_t *attachment)
{
	xcb_input_device_id_t found = 0;
	g_autofree char *wanted = g_strconcat(master, SUFFIX, NULL);
	xcb_input_xi_query_device_reply_t *reply = x11_reply(server,
		xcb_input_xi_query_device(server->c, XCB_INPUT_DEVICE_ALL).sequence);
	xcb_input_xi_device_info_iterator_t it = { 0 };
	if (reply != NULL) {
		it = xcb_input_xi_query_device_infos_iterator(reply);
	}
	for (; it.rem > 0 && found == 0; xcb_input_xi_device_info_next(&it)) {
		if ((it.data->type == XCB_INPUT_DEVICE_TYPE_SLAVE_POINTER
			|| it.data->type == XCB_INPUT_DEVICE_TYPE_FLOATING_SLAVE)
			&& it.data->name_len == strlen(wanted)
			&& memcmp(xcb_input_xi_device_info_name(it.data), wanted, it.data->name_len) == 0) {
			found = it.data->deviceid;
			*attachment = it.data->type == XCB_INPUT_DEVICE_TYPE_SLAVE_POINTER ? it.data->attachment : 0;
		}
	}
	free(reply);
	return found;
}

/* The next event of the connection; NULL when the deadline passed. The caller frees it. */
static xcb_generic_event_t *next_event(struct x11_server *server, struct deadline until)
{
	xcb_flush(server->c);
	xcb_generic_event_t *event = xcb_poll_for_event(server->c);
	while (event == NULL && xcb_connection_has_error(server->c) == 0
		&& deadline_poll(until, xcb_get_file_descriptor(server->c), POLLIN, "the kernel's pointer", NULL)) {
		event = xcb_poll_for_event(server->c);
	}
	return event;
}

static void attach(struct x11_server *server, xcb_input_device_id_t slave, uint16_t master)
{
	const xcb_input_attach_slave_t change = {
		.type = XCB_INPUT_HIERARCHY_CHANGE_TYPE_ATTACH_SLAVE, .len = sizeof change / 4,
		.deviceid = slave, .master = master,
	};
	xcb_input_xi_change_hierarchy(server->c, 1, (const xcb_input_hierarchy_change_t *)&change);
}

static void detach(struct x11_server *server, xcb_input_device_id_t slave)
{
	const xcb_input_detach_slave_t change = {
		.type = XCB_INPUT_HIERARCHY_CHANGE_TYPE_DETACH_SLAVE, .len = sizeof change / 4, .deviceid = slave,
	};
	xcb_input_xi_change_hierarchy(server->c, 1, (const xcb_input_hierarchy_change_t *)&change);
}

/* It is the pair's, or becomes so. */
static bool is_ours(struct device *device, struct x11_server *server)
{
	uint16_t attachment = 0;
	xcb_input_device_id_t slave = find(server, device->master.name, &attachment);
	if (slave != 0 && attachment != device->master.pointer) {
		attach(server, slave, device->master.pointer);
		slave = find(server, device->master.name, &attachment);
	}
	device->kernel->slave = attachment == device->master.pointer ? slave : 0;
	return device->kernel->slave != 0;
}

/* Waits until the server has found it. */
static bool appear(struct device *device, struct x11_server *server)
{
	struct deadline until = deadline_within(server->deadline, APPEAR_MS);
	bool ours = is_ours(device, server);
	while (!ours && !x11_failed(server)) {
		xcb_generic_event_t *event = next_event(server, until);
		if (event == NULL) {
			break;
		}
		free(event);
		ours = is_ours(device, server);
	}
	return ours;
}

void kernel_close(struct kernel *kernel)
{
	if (kernel != NULL) {
		uinput_close(kernel->node);
		g_free(kernel);
	}
}

void kernel_remove(struct device *device, struct x11_server *server)
{
	struct undo_record *record = device->kernel->record;
	kernel_close(g_steal_pointer(&device->kernel));
	kernel_leave(server, device->master.name, TAKE_MS);
	if (!x11_failed(server)) {
		undo_drop(record);
	}
}

bool kernel_attach(struct device *device, struct x11_server *server, GError **error)
{
	if (device->kernel != NULL && is_ours(device, server)) {
		return true;
	}
	if (device->kernel != NULL) {
		kernel_remove(device, server);
	}
	if (!kernel_may(server, error)) {
		return false;
	}
	struct undo_record *record = device_note(device, UNDO_KERNEL, 0);
	g_autofree char *name = g_strconcat(device->master.name, SUFFIX, NULL);
	listen(server, XCB_INPUT_DEVICE_ALL, XCB_INPUT_XI_EVENT_MASK_HIERARCHY);
	struct uinput_device *node = record != NULL ? uinput_open(name, error) : NULL;
	if (record == NULL) {
		g_set_error(error, CUA_ERROR, ERROR_NO_INPUT_DEVICE, "No memory for a record of what is changed");
	}
	if (node == NULL) {
		undo_drop(record);
		return false;
	}
	device->kernel = g_new0(struct kernel, 1);
	device->kernel->node = node;
	device->kernel->record = record;
	bool ours = appear(device, server);
	listen(server, XCB_INPUT_DEVICE_ALL, 0);
	if (ours) {
		listen(server, device->kernel->slave, XCB_INPUT_XI_EVENT_MASK_RAW_MOTION
			| XCB_INPUT_XI_EVENT_MASK_RAW_BUTTON_PRESS | XCB_INPUT_XI_EVENT_MASK_RAW_BUTTON_RELEASE);
		return true;
	}
	kernel_remove(device, server);
	g_set_error(error, CUA_ERROR, ERROR_NO_INPUT_DEVICE, "The X server did not take the kernel's pointer within %d "
		"ms; leave device out", APPEAR_MS);
	return false;
}

/* What the device itself does, whoever holds its pair. */
static bool is_raw(const struct kernel *kernel, const struct x11_server *server, const xcb_generic_event_t *event,
	unsigned types)
{
	const xcb_input_raw_button_press_event_t *raw = (const void *)event;
	return (event->response_type & 0x7f) == XCB_GE_GENERIC && raw->extension == server->xinput_opcode
		&& raw->deviceid == kernel->slave && (types & 1u << raw->event_type) != 0;
}

enum {
	MOVED = 1u << XCB_INPUT_RAW_MOTION,
	PRESSED = 1u << XCB_INPUT_RAW_BUTTON_PRESS,
	RELEASED = 1u << XCB_INPUT_RAW_BUTTON_RELEASE,
};

/* Waits until the server has taken so many events of these types. `written`: the kernel took them. */
static bool taken(struct device *device, struct x11_server *server, bool written, unsigned types, int count,
	GError **error)
{
	struct deadline until = deadline_within(server->deadline, TAKE_MS);
	/* A driver that stands still now must not keep what our grabs hold. */
	guardian_grabbing(device->guardian, device->connection, true);
	while (written && count > 0) {
		xcb_generic_event_t *event = next_event(server, until);
		if (event == NULL) {
			break;
		}
		count -= is_raw(device->kernel, server, event, types);
		free(event);
	}
	guardian_grabbing(device->guardian, device->connection, false);
	if (written && count == 0) {
		return true;
	}
	/* It must not come later, when nobody expects it. */
	kernel_remove(device, server);
	error_set(error, ERROR_NO_INPUT_DEVICE, "%s did not take what the kernel's pointer did",
		written ? "The X server" : "The kernel");
	return false;
}

/* Forgets what came before, and sees that the pair is still ours: what is written must not come to the user's. */
static bool is_ready(struct device *device, struct x11_server *server, GError **error)
{
	uint16_t attachment = 0;
	if (device->kernel == NULL || find(server, device->master.name, &attachment) != device->kernel->slave
		|| attachment != device->master.pointer) {
		g_set_error(error, CUA_ERROR, ERROR_NO_INPUT_DEVICE,
			"The kernel's pointer is not the session's any more");
		return false;
	}
	xcb_generic_event_t *event;
	while ((event = xcb_poll_for_event(server->c)) != NULL) {
		free(event);
	}
	return true;
}

bool kernel_move(struct device *device, struct x11_server *server, struct screen_px point, GError **error)
{
	xcb_get_geometry_reply_t *screen = x11_reply(server, xcb_get_geometry(server->c, server->root).sequence);
	int told = 0;
	bool ready = screen != NULL && is_ready(device, server, error);
	if (ready) {
		told = uinput_move(device->kernel->node, point, screen->width, screen->height);
	}
	free(screen);
	return ready && taken(device, server, told > 0, MOVED, told, error);
}

bool kernel_button(struct device *device, struct x11_server *server, unsigned button, bool press, GError **error)
{
	return is_ready(device, server, error) && taken(device, server,
		uinput_button(device->kernel->node, button, press), press ? PRESSED : RELEASED, 1, error);
}

bool kernel_turn(struct device *device, struct x11_server *server, unsigned wheel, GError **error)
{
	/* A notch comes as a motion of a wheel's axis, a press and a release at once, or as the latter alone. */
	return is_ready(device, server, error) && taken(device, server,
		uinput_turn(device->kernel->node, wheel), MOVED | PRESSED, 1, error);
}

void kernel_leave(struct x11_server *server, const char *master, int ms)
{
	struct deadline until = deadline_within(server->deadline, ms);
	uint16_t attachment = 0;
	listen(server, XCB_INPUT_DEVICE_ALL, XCB_INPUT_XI_EVENT_MASK_HIERARCHY);
	xcb_input_device_id_t left = find(server, master, &attachment);
	while (left != 0 && !x11_failed(server)) {
		xcb_generic_event_t *event = next_event(server, until);
		if (event == NULL) {
			detach(server, left);
			break;
		}
		free(event);
		left = find(server, master, &attachment);
	}
	listen(server, XCB_INPUT_DEVICE_ALL, 0);
}

int kernel_strays(struct x11_server *server, bool detaches)
{
	xcb_window_t owners[MASTER_PLACES];
	int count = 0;
	master_owners(server, owners);
	xcb_input_xi_query_device_reply_t *reply = x11_reply(server,
		xcb_input_xi_query_device(server->c, XCB_INPUT_DEVICE_ALL).sequence);
	xcb_input_xi_device_info_iterator_t it = { 0 };
	if (reply != NULL) {
		it = xcb_input_xi_query_device_infos_iterator(reply);
	}
	for (; it.rem > 0; xcb_input_xi_device_info_next(&it)) {
		g_autofree char *name = g_strndup(xcb_input_xi_device_info_name(it.data), it.data->name_len);
		int place = g_str_has_suffix(name, SUFFIX) ? master_place(name) : -1;
		if (it.data->type == XCB_INPUT_DEVICE_TYPE_SLAVE_POINTER && place >= 0
			&& owners[place] == XCB_WINDOW_NONE) {
			count++;
			if (detaches) {
				detach(server, it.data->deviceid);
			}
		}
	}
	free(reply);
	return count;
}
