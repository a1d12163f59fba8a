/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/device.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xcb/xinput.h>
#include <xcb/xtest.h>

#include "x11/kernel.h"
#include "x11/menu-watch.h"
#include "x11/replay.h"

/* How long a quiet moment for the removal of a pair is waited for. */
#define FAREWELL_MS 1500
/* Between two looks whether a pair may come again, and whether it has to go. */
#define FORBIDDEN_MS 5
#define WANTED_MS 20
/* Both coordinates of our window while it is not needed. */
#define AWAY (-1)

struct device *device_new(const char *display, struct guardian *guardian, struct vigil *vigil, bool core)
{
	struct device *device = g_new0(struct device, 1);
	device->vigil = vigil;
	device->core = core;
	g_atomic_ref_count_init(&device->references);
	device->display = g_strdup(display);
	device->x11 = x11_new(display);
	device->guardian = guardian;
	device->connection = -1;
	return device;
}

struct device *device_ref(struct device *device)
{
	g_atomic_ref_count_inc(&device->references);
	return device;
}

void device_unref(struct device *device)
{
	if (device == NULL || !g_atomic_ref_count_dec(&device->references)) {
		return;
	}
	device_forget_menu(device);
	kernel_close(device->kernel);
	guardian_remove(device->guardian, device->connection);
	x11_destroy(device->x11);
	g_free(device->display);
	g_free(device);
}

void device_forget_menu(struct device *device)
{
	device->menu = XCB_WINDOW_NONE;
	menu_watch_free(g_steal_pointer(&device->watch));
}

struct spares_user device_spares(struct device *device, struct x11_server *server)
{
	return (struct spares_user){
		.server = server, .log = device->log, .master = device->master.name,
		.pointer = device->master.pointer, .window = device->window, .spares = &device->spares,
	};
}

void device_grab_server(struct device *device, struct x11_server *server)
{
	guardian_grabbing(device->guardian, device->connection, true);
	xcb_grab_server(server->c);
}

void device_ungrab_server(struct device *device, struct x11_server *server)
{
	xcb_ungrab_server(server->c);
	free(x11_reply(server, xcb_get_input_focus(server->c).sequence));
	guardian_grabbing(device->guardian, device->connection, false);
}

/* Whether there was a pair or not. */
static void end_vigil(struct device *device)
{
	if (device->watched) {
		vigil_end(device->vigil);
		device->watched = false;
	}
}

/* With the pair itself. */
static void undo_all(struct device *device, struct x11_server *server)
{
	device_forget_menu(device);
	/* Before the pair that it is of. */
	kernel_close(g_steal_pointer(&device->kernel));
	device->kernel_holds = 0;
	replay_log(server, device->log, &(struct replay){ .master = device->master.name, .drop = true,
		.patience_ms = MIN(FAREWELL_MS, deadline_left(server->deadline) / 2), .guardian = device->guardian, .connection = device->connection });
}

/* Nothing of it can be seen, and it is outside of the screen until our pointer rests. */
static void make_window(struct device *device, struct x11_server *server)
{
	device->window = xcb_generate_id(server->c);
	device->rests = false;
	const uint32_t yes = 1;
	xcb_create_window(server->c, XCB_COPY_FROM_PARENT, device->window, server->root, AWAY, AWAY, 1, 1, 0,
		XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, XCB_CW_OVERRIDE_REDIRECT, &yes);
	/* Who looks for menus leaves it alone. */
	xcb_change_property(server->c, XCB_PROP_MODE_REPLACE, device->window, server->atoms[ATOM__NET_WM_WINDOW_TYPE],
		XCB_ATOM_ATOM, 32, 1, &server->atoms[ATOM__NET_WM_WINDOW_TYPE_DND]);
	if (!device->core) {
		xcb_map_window(server->c, device->window);
	}
	xcb_pixmap_t dot = xcb_generate_id(server->c);
	xcb_gcontext_t context = xcb_generate_id(server->c);
	device->blank = xcb_generate_id(server->c);
	xcb_create_pixmap(server->c, 1, dot, server->root, 1, 1);
	xcb_create_gc(server->c, context, dot, XCB_GC_FOREGROUND, &(uint32_t){ 0 });
	xcb_poly_fill_rectangle(server->c, dot, context, 1, &(xcb_rectangle_t){ 0, 0, 1, 1 });
	xcb_create_cursor(server->c, device->blank, dot, dot, 0, 0, 0, 0, 0, 0, 0, 0);
	xcb_free_gc(server->c, context);
	xcb_free_pixmap(server->c, dot);
}

/* A place that nobody has and no pair is left of; -1: there is none. The server is grabbed. */
static int find_place(struct x11_server *server)
{
	xcb_window_t owners[MASTER_PLACES];
	master_owners(server, owners);
	/* What a dead driver left is its guardian's to remove, or ours: applications may still be busy with it. */
	g_autoptr(GArray) masters = masters_list(server);
	for (guint i = 0; i < masters->len; i++) {
		owners[g_array_index(masters, struct master, i).place] = server->root;
	}
	int place = 0;
	while (place < MASTER_PLACES && owners[place] != XCB_WINDOW_NONE) {
		place++;
	}
	return place < MASTER_PLACES ? place : -1;
}

/* The server is grabbed. False if there is no place for one. */
static bool add_pair(struct device *device, struct x11_server *server)
{
	int place = find_place(server);
	if (place < 0) {
		return false;
	}
	struct undo_record record = { .kind = UNDO_MASTER };
	master_name(device->master.name, place, getpid());
	g_strlcpy(record.master, device->master.name, sizeof record.master);
	if (device->connection >= 0) {
		g_strlcpy(device->log->masters[device->connection], record.master, UNDO_NAME);
	}
	device->record = undo_write(device->log, &record);
	if (device->record == NULL) {
		return false;
	}
	master_own(server, place, device->window);
	master_add(server, device->master.name);
	return true;
}

/* The pair of this connection, as the server knows it. */
static bool find_pair(struct device *device, struct x11_server *server)
{
	g_autoptr(GArray) masters = masters_list(server);
	return masters_find(masters, device->master.name, &device->master);
}

/* Somebody waits until the user's key has reached an application: a moment, of whose end nobody tells. */
static bool wait_a_moment(struct x11_server *server)
{
	g_autoptr(GError) over = NULL;
	deadline_poll_all(deadline_within(server->deadline, FORBIDDEN_MS), NULL, 0, "the user's key", &over);
	return deadline_left(server->deadline) > 0 && over != NULL && over->code == ERROR_DEADLINE_EXCEEDED;
}

/* What becomes of all pairs is told to us. */
static void listen(struct x11_server *server, bool on)
{
	const struct {
		xcb_input_event_mask_t head;
		uint32_t mask;
	} wanted = { { XCB_INPUT_DEVICE_ALL, 1 }, on ? XCB_INPUT_XI_EVENT_MASK_HIERARCHY : 0 };
	xcb_input_xi_select_events(server->c, server->root, 1, &wanted.head);
}

/* Waits for a pair to go that somebody else has; that it went is told also if it did before. */
static bool wait_for_place(struct x11_server *server)
{
	g_autoptr(GError) over = NULL;
	xcb_generic_event_t *event = xcb_poll_for_event(server->c);
	while (event == NULL && xcb_connection_has_error(server->c) == 0 && deadline_poll(server->deadline,
		xcb_get_file_descriptor(server->c), POLLIN, "a pointer that is free", &over)) {
		event = xcb_poll_for_event(server->c);
	}
	bool changed = event != NULL;
	free(event);
	return changed;
}

/* The user's own pair is there already; what is done with it is undone as with ours. */
static bool prepare_core(struct device *device, struct x11_server *server)
{
	device->master = (struct master){ .place = -1, .pointer = DEVICE_CORE_POINTER,
		.keyboard = DEVICE_CORE_KEYBOARD };
	/* An older connection was lost in the middle of something. */
	undo_all(device, server);
	device->standing = NULL;
	device->spares = (struct spare_keys){ 0 };
	guardian_remove(device->guardian, device->connection);
	device->connection = guardian_add(device->guardian, xcb_get_file_descriptor(server->c));
	if (device->connection >= 0) {
		device->log->masters[device->connection][0] = '\0';
	}
	make_window(device, server);
	xcb_input_xi_set_client_pointer(server->c, XCB_WINDOW_NONE, DEVICE_CORE_POINTER);
	return !x11_failed(server);
}

/* The connection is new: whatever was known of an older one is over. */
static bool prepare(struct device *device, struct x11_server *server, GError **error)
{
	/* A number of an older connection may be anybody's window by now. */
	device->window = XCB_WINDOW_NONE;
	if (!server->has_xinput || !server->has_xtest || !server->has_shape) {
		g_set_error(error, CUA_ERROR, ERROR_NO_INPUT_DEVICE,
			"The X server lacks XInput 2.2, XTEST or SHAPE, so there can be no second pointer");
		return false;
	}
	device->log = guardian_log(device->guardian, error);
	if (device->log == NULL) {
		return false;
	}
	if (device->core) {
		return prepare_core(device, server);
	}
	if (device->record != NULL) {
		/* The old connection was lost, and with it the place: what it left goes first. */
		undo_all(device, server);
		end_vigil(device);
		device->record = NULL;
		for (gsize i = 0; i < G_N_ELEMENTS(device->buttons); i++) {
			device->buttons[i] = NULL;
		}
		device->spares = (struct spare_keys){ 0 };
	}
	guardian_remove(device->guardian, device->connection);
	device->connection = guardian_add(device->guardian, xcb_get_file_descriptor(server->c));
	device->parked = false;
	device_forget_menu(device);
	memset(device->veiled, 0, sizeof device->veiled);
	make_window(device, server);
	if (device->vigil != NULL && !device->watched) {
		device->watched = vigil_begin(device->vigil, server->deadline, error);
		if (!device->watched) {
			return false;
		}
	}
	bool added, forbidden;
	listen(server, true);
	do {
		device_grab_server(device, server);
		forbidden = vigil_forbids(server);
		added = !forbidden && add_pair(device, server);
		if (added && find_pair(device, server)) {
			/* A new pointer is in the middle of the screen: nobody hears of it there. */
			xcb_input_xi_set_client_pointer(server->c, XCB_WINDOW_NONE, device->master.pointer);
			device_park(device, server);
		}
		device_ungrab_server(device, server);
	} while (!added && !x11_failed(server) && (forbidden ? wait_a_moment(server) : wait_for_place(server)));
	listen(server, false);
	if (!device->parked) {
		g_set_error(error, CUA_ERROR, ERROR_NO_INPUT_DEVICE, "All %d pointers of this display are in use",
			MASTER_PLACES);
		return false;
	}
	return true;
}

struct x11_server *device_begin(struct device *device, struct deadline deadline, GError **error)
{
	struct x11_server *server = x11_begin(device->x11, deadline, error);
	if (server == NULL || server->has_pair) {
		return server;
	}
	server->has_pair = prepare(device, server, error);
	if (!server->has_pair) {
		end_vigil(device);
		if (device->window != XCB_WINDOW_NONE) {
			xcb_destroy_window(server->c, device->window);
			device->window = XCB_WINDOW_NONE;
		}
		x11_end(server, NULL);
		return NULL;
	}
	return server;
}

bool device_end(struct device *device, struct x11_server *server, GError **error)
{
	(void)device;
	return x11_end(server, error);
}

struct undo_record *device_note(struct device *device, enum undo_kind kind, unsigned code)
{
	struct undo_record record = { .kind = (gint)kind, .code = code };
	g_strlcpy(record.master, device->master.name, sizeof record.master);
	return undo_write(device->log, &record);
}

void device_veil(struct device *device, struct x11_server *server, xcb_window_t window)
{
	for (gsize i = 0; i < G_N_ELEMENTS(device->veiled); i++) {
		if (device->veiled[i] == window) {
			return;
		}
		if (device->veiled[i] == XCB_WINDOW_NONE) {
			device->veiled[i] = window;
			xcb_input_xi_change_cursor(server->c, window, device->blank, device->master.pointer);
			return;
		}
	}
}

/* The grab's own cursor is blank. */
static void unveil(struct device *device, struct x11_server *server)
{
	for (gsize i = 0; i < G_N_ELEMENTS(device->veiled); i++) {
		if (device->veiled[i] != XCB_WINDOW_NONE) {
			xcb_input_xi_change_cursor(server->c, device->veiled[i], XCB_CURSOR_NONE,
				device->master.pointer);
			device->veiled[i] = XCB_WINDOW_NONE;
		}
	}
}

unsigned device_park_ask(struct device *device, struct x11_server *server)
{
	const uint32_t nothing = 0;
	return device->parked || device->core ? 0 : xcb_input_xi_grab_device(server->c, server->root, XCB_CURRENT_TIME,
		device->blank, device->master.pointer, XCB_INPUT_GRAB_MODE_22_ASYNC, XCB_INPUT_GRAB_MODE_22_ASYNC,
		false, 1, &nothing).sequence;
}

bool device_park_collect(struct device *device, struct x11_server *server, unsigned asked)
{
	if (!device->parked && !device->core) {
		xcb_input_xi_grab_device_reply_t *reply = x11_reply(server, asked);
		device->parked = reply != NULL && reply->status == XCB_GRAB_STATUS_SUCCESS;
		free(reply);
		if (device->parked) {
			/* The server may be grabbed here. */
			device->menu = XCB_WINDOW_NONE;
			menu_watch_stop(device->watch);
			unveil(device, server);
			device_unrest(device, server);
			xcb_flush(server->c);
		}
	}
	return device->parked || device->core;
}

bool device_park(struct device *device, struct x11_server *server)
{
	return device_park_collect(device, server, device_park_ask(device, server));
}

void device_unpark(struct device *device, struct x11_server *server)
{
	xcb_input_xi_ungrab_device(server->c, XCB_CURRENT_TIME, device->master.pointer);
	device->parked = false;
}

void device_rest(struct device *device, struct x11_server *server, struct screen_px place, xcb_window_t behind)
{
	const xcb_configure_window_value_list_t where = { .x = place.x, .y = place.y, .sibling = behind,
		.stack_mode = behind != XCB_WINDOW_NONE ? XCB_STACK_MODE_BELOW : XCB_STACK_MODE_ABOVE };
	xcb_configure_window_aux(server->c, device->window, XCB_CONFIG_WINDOW_X | XCB_CONFIG_WINDOW_Y
		| (behind != XCB_WINDOW_NONE ? XCB_CONFIG_WINDOW_SIBLING : 0) | XCB_CONFIG_WINDOW_STACK_MODE, &where);
	device_veil(device, server, device->window);
	device->rests = true;
}

void device_unrest(struct device *device, struct x11_server *server)
{
	if (device->rests) {
		xcb_configure_window_aux(server->c, device->window, XCB_CONFIG_WINDOW_X | XCB_CONFIG_WINDOW_Y,
			&(xcb_configure_window_value_list_t){ .x = AWAY, .y = AWAY });
		device->rests = false;
	}
}

static void fake(struct x11_server *server, uint8_t type, uint8_t detail, struct screen_px point)
{
	xcb_test_fake_input(server->c, type, detail, XCB_CURRENT_TIME, server->root, (int16_t)point.x,
		(int16_t)point.y, 0);
}

void device_move(struct x11_server *server, struct screen_px point)
{
	fake(server, XCB_MOTION_NOTIFY, 0, point);
}

void device_button(struct x11_server *server, unsigned button, bool press)
{
	fake(server, press ? XCB_BUTTON_PRESS : XCB_BUTTON_RELEASE, (uint8_t)button, (struct screen_px){ 0 });
}

void device_press_after(struct x11_server *server, unsigned button, unsigned ms)
{
	/* The time of a faked event is a delay. */
	xcb_test_fake_input(server->c, XCB_BUTTON_PRESS, (uint8_t)button, ms, server->root, 0, 0, 0);
}

void device_key(struct x11_server *server, xcb_keycode_t key, bool press)
{
	fake(server, press ? XCB_KEY_PRESS : XCB_KEY_RELEASE, key, (struct screen_px){ 0 });
}

/* Whether there is anything of it in the server. */
static bool is_there(const struct device *device)
{
	return device->core ? device->log != NULL : device->record != NULL;
}

void device_release(struct device *device, struct deadline deadline)
{
	struct x11_server *server = is_there(device) ? x11_begin(device->x11, deadline, NULL) : NULL;
	if (server != NULL) {
		device_forget_menu(device);
		if (device->kernel != NULL) {
			/* What it holds nobody else can let go. */
			kernel_remove(device, server);
			device->kernel_holds = 0;
		}
		replay_release(server, device->log, device->master.name);
		xcb_input_xi_set_client_pointer(server->c, XCB_WINDOW_NONE, device->master.pointer);
		memset(device->buttons, 0, sizeof device->buttons);
		device->spares = (struct spare_keys){ 0 };
		device->standing = NULL;
		device_park(device, server);
		x11_end(server, NULL);
	}
}

xcb_keycode_t device_find_key(struct x11_server *server, uint32_t symbol)
{
	const xcb_setup_t *setup = xcb_get_setup(server->c);
	xcb_get_keyboard_mapping_reply_t *map = x11_reply(server, xcb_get_keyboard_mapping(server->c,
		setup->min_keycode, (uint8_t)(setup->max_keycode - setup->min_keycode + 1)).sequence);
	if (map == NULL) {
		return 0;
	}
	const xcb_keysym_t *symbols = xcb_get_keyboard_mapping_keysyms(map);
	int count = setup->max_keycode - setup->min_keycode + 1, each = map->keysyms_per_keycode;
	int at = 0;
	while (at < count && symbols[at * each] != symbol) {
		at++;
	}
	free(map);
	return at < count ? (xcb_keycode_t)(setup->min_keycode + at) : 0;
}

static gint now_ms(void)
{
	return (gint)(g_get_monotonic_time() / 1000 & G_MAXINT);
}

void device_pressed(struct device *device)
{
	g_atomic_int_set(&device->pressed, MAX(now_ms(), 1));
}

unsigned device_pressed_ago(struct device *device)
{
	gint at = g_atomic_int_get(&device->pressed);
	return at != 0 ? (unsigned)((now_ms() - at) & G_MAXINT) : G_MAXUINT;
}

void device_remove(struct device *device, struct deadline deadline)
{
	struct x11_server *server = is_there(device) ? x11_begin(device->x11, deadline, NULL) : NULL;
	if (server != NULL) {
		undo_all(device, server);
		/* With it goes the place where there was no pair any more; on another connection there is neither. */
		if (server->has_pair) {
			xcb_destroy_window(server->c, device->window);
		}
		server->has_pair = false;
		end_vigil(device);
		if (!x11_failed(server)) {
			device->record = NULL;
			device->standing = NULL;
			device->spares = (struct spare_keys){ 0 };
		}
		x11_end(server, NULL);
	}
}

bool device_pause(struct device *device, struct deadline until)
{
	bool goes_on = true;
	while (goes_on && g_get_monotonic_time() < until.at && !device_is_wanted(device, NULL)) {
		g_autoptr(GError) over = NULL;
		deadline_poll_all(deadline_within(until, WANTED_MS), NULL, 0, "a moment", &over);
		goes_on = over == NULL || over->code != ERROR_CANCELLED;
	}
	return goes_on && !device_is_wanted(device, NULL);
}

bool device_is_wanted(struct device *device, GError **error)
{
	if (g_atomic_int_get(&device->wanted) == 0) {
		return false;
	}
	g_set_error(error, CUA_ERROR, ERROR_USER_ACTIVE,
		"The user types in a window that hears only one keyboard, so the session's own had to go");
	return true;
}
