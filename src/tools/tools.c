/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tools/tools.h"

/* In the order an agent needs them; clients see this order. */
const struct tool *const tools[] = {
	&tool_launch_app,
	&tool_list_windows,
	&tool_get_window_state,
	&tool_click,
	&tool_double_click,
	&tool_right_click,
	&tool_press_key,
	&tool_hotkey,
	&tool_invoke_menu,
	&tool_type_text,
	&tool_set_value,
	&tool_scroll,
	&tool_drag,
	&tool_mouse_button_down,
	&tool_mouse_button_up,
	&tool_move_cursor,
	&tool_wait_for,
	&tool_verify_state,
	&tool_screenshot,
	&tool_zoom,
	&tool_get_desktop_state,
	&tool_get_accessibility_tree,
	&tool_get_screen_size,
	&tool_get_cursor_position,
	&tool_bring_to_front,
	&tool_set_window_frame,
	&tool_clipboard_read,
	&tool_clipboard_write,
	&tool_list_apps,
	&tool_kill_app,
	&tool_start_session,
	&tool_end_session,
	&tool_get_session,
	&tool_list_sessions,
	&tool_set_config,
	&tool_get_config,
	&tool_health_report,
	&tool_check_permissions,
	NULL
};
