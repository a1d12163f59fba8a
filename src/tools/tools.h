/* SPDX-License-Identifier: MIT */
#ifndef TOOLS_TOOLS_H
#define TOOLS_TOOLS_H

#include "core/call.h"

extern const struct tool tool_check_permissions;
extern const struct tool tool_bring_to_front;
extern const struct tool tool_click;
extern const struct tool tool_clipboard_read;
extern const struct tool tool_clipboard_write;
extern const struct tool tool_double_click;
extern const struct tool tool_end_session;
extern const struct tool tool_get_accessibility_tree;
extern const struct tool tool_get_config;
extern const struct tool tool_get_cursor_position;
extern const struct tool tool_get_desktop_state;
extern const struct tool tool_get_screen_size;
extern const struct tool tool_get_session;
extern const struct tool tool_get_window_state;
extern const struct tool tool_kill_app;
extern const struct tool tool_launch_app;
extern const struct tool tool_list_apps;
extern const struct tool tool_health_report;
extern const struct tool tool_list_sessions;
extern const struct tool tool_hotkey;
extern const struct tool tool_invoke_menu;
extern const struct tool tool_list_windows;
extern const struct tool tool_press_key;
extern const struct tool tool_right_click;
extern const struct tool tool_screenshot;
extern const struct tool tool_drag;
extern const struct tool tool_mouse_button_down;
extern const struct tool tool_mouse_button_up;
extern const struct tool tool_move_cursor;
extern const struct tool tool_scroll;
extern const struct tool tool_set_value;
extern const struct tool tool_set_window_frame;
extern const struct tool tool_type_text;
extern const struct tool tool_zoom;
extern const struct tool tool_set_config;
extern const struct tool tool_start_session;
extern const struct tool tool_verify_state;
extern const struct tool tool_wait_for;

#endif
