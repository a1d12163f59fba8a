/* SPDX-License-Identifier: MIT */
/*
 * A program that starts as programs do, well or badly:
 *	launchee MODE [--class NAME] [--startup ID] [WORD]...
 * window shows one, titled with the last word; daemon does that in a process that left everything behind, and
 * ends; exit0, exit1 and crash end; never and stuck show nothing; thief shows a window, takes the focus and says so in its title;
 * single shows a window, and asks the instance that runs to open another one instead, as single programs do;
 * stubborn shows a window and does not end when asked to; chatty is window, and talks on both its streams. The id of the launch is
 * on its window, as toolkits have it, and on that of the instance that runs.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xcb/xcb.h>
#include <xcb/xcb_icccm.h>

static xcb_connection_t *x;
static xcb_screen_t *screen;
static const char *class_name = "Launchee";
static const char *title = "launchee";
static const char *startup = "";

static xcb_atom_t atom(const char *name)
{
	xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(x, xcb_intern_atom(x, 0, (uint16_t)strlen(name),
		name), NULL);
	xcb_atom_t value = reply ? reply->atom : XCB_ATOM_NONE;

	free(reply);
	return value;
}

static void set_text(xcb_window_t window, const char *property, const char *text)
{
	xcb_change_property(x, XCB_PROP_MODE_REPLACE, window, atom(property), atom("UTF8_STRING"), 8,
		(uint32_t)strlen(text), text);
}

static void set_title(xcb_window_t window, const char *name)
{
	set_text(window, "_NET_WM_NAME", name);
}

static xcb_window_t open_window(const char *name)
{
	xcb_window_t window = xcb_generate_id(x);
	const uint32_t values[] = { screen->white_pixel, XCB_EVENT_MASK_EXPOSURE };
	char both[256];
	int length = snprintf(both, sizeof both, "launchee%c%s", 0, class_name);

	xcb_create_window(x, XCB_COPY_FROM_PARENT, window, screen->root, 0, 0, 220, 120, 0,
		XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual, XCB_CW_BACK_PIXEL | XCB_CW_EVENT_MASK, values);
	xcb_icccm_set_wm_class(x, window, (uint32_t)length + 1, both);
	set_title(window, name);
	if (startup[0] != '\0') {
		set_text(window, "_NET_STARTUP_ID", startup);
	}
	xcb_map_window(x, window);
	xcb_flush(x);
	return window;
}

/* As applications do that think that they are the centre of the world. */
static void steal(xcb_window_t window)
{
	const xcb_client_message_event_t message = {
		.response_type = XCB_CLIENT_MESSAGE, .format = 32, .window = window,
		.type = atom("_NET_ACTIVE_WINDOW"), .data.data32 = { 2, XCB_CURRENT_TIME, 0 },
	};
	xcb_send_event(x, 0, screen->root, XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY
		| XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT, (const char *)&message);
	xcb_set_input_focus(x, XCB_INPUT_FOCUS_POINTER_ROOT, window, XCB_CURRENT_TIME);
	/* The title says that it is done. */
	set_title(window, "stolen");
	xcb_flush(x);
}

/* Another one asks for a window: its launch is that one's. */
static void open_second(xcb_window_t asked)
{
	static char id[256];
	xcb_get_property_reply_t *reply = xcb_get_property_reply(x, xcb_get_property(x, 0, asked, atom("_NET_STARTUP_ID"),
		XCB_ATOM_ANY, 0, sizeof id / 4 - 1), NULL);
	if (reply) {
		snprintf(id, sizeof id, "%.*s", xcb_get_property_value_length(reply), (char *)xcb_get_property_value(reply));
		free(reply);
	}
	startup = id;
	open_window("second");
}

static void serve(int thief, xcb_window_t first)
{
	xcb_generic_event_t *event;

	while ((event = xcb_wait_for_event(x))) {
		unsigned type = event->response_type & 0x7f;

		if (type == XCB_CLIENT_MESSAGE) {
			open_second(((xcb_client_message_event_t *)event)->window);
		} else if (type == XCB_EXPOSE && thief) {
			steal(first);
			thief = 0;
		}
		free(event);
	}
	exit(1);
}

/* Whether another one has taken the request. */
static int hand_over(void)
{
	xcb_atom_t name = atom("_LAUNCHEE");
	xcb_get_selection_owner_reply_t *owner = xcb_get_selection_owner_reply(x,
		xcb_get_selection_owner(x, name), NULL);
	xcb_client_message_event_t message = { .response_type = XCB_CLIENT_MESSAGE, .format = 32, .type = name };
	xcb_window_t window = xcb_generate_id(x);

	message.window = owner ? owner->owner : XCB_NONE;
	free(owner);
	if (message.window != XCB_NONE) {
		set_text(message.window, "_NET_STARTUP_ID", startup);
		xcb_send_event(x, 0, message.window, 0, (const char *)&message);
		free(xcb_get_input_focus_reply(x, xcb_get_input_focus(x), NULL));
		xcb_disconnect(x);
		return 1;
	}
	xcb_create_window(x, 0, window, screen->root, 0, 0, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY,
		XCB_COPY_FROM_PARENT, 0, NULL);
	xcb_set_selection_owner(x, window, name, XCB_CURRENT_TIME);
	xcb_flush(x);
	return 0;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "window";

	for (int i = 2; i < argc; i++) {
		if (strcmp(argv[i], "--class") == 0 && i + 1 < argc) {
			class_name = argv[++i];
		} else if (strcmp(argv[i], "--startup") == 0 && i + 1 < argc) {
			startup = argv[++i];
		} else {
			title = argv[i];
		}
	}
	if (strcmp(mode, "exit0") == 0 || strcmp(mode, "exit1") == 0) {
		return mode[4] - '0';
	} else if (strcmp(mode, "crash") == 0) {
		raise(SIGKILL);
	} else if (strcmp(mode, "never") == 0) {
		for (;;) {
			pause();
		}
	} else if (strcmp(mode, "stuck") == 0) {
		raise(SIGSTOP);
	} else if (strcmp(mode, "chatty") == 0) {
		for (int i = 0; i < 2000; i++) {
			printf("{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":\"from the application\"}\n", i);
			fprintf(stderr, "a warning nobody reads\n");
		}
		fflush(stdout);
	} else if (strcmp(mode, "stubborn") == 0) {
		signal(SIGTERM, SIG_IGN);
	} else if (strcmp(mode, "daemon") == 0) {
		if (fork() > 0) {
			return 0;
		}
		setsid();
		if (fork() > 0) {
			_exit(0);
		}
	}
	x = xcb_connect(NULL, NULL);
	if (xcb_connection_has_error(x)) {
		fprintf(stderr, "launchee: no display\n");
		return 3;
	}
	screen = xcb_setup_roots_iterator(xcb_get_setup(x)).data;
	if (strcmp(mode, "single") == 0 && hand_over()) {
		return 0;
	}
	serve(strcmp(mode, "thief") == 0, open_window(title));
}
