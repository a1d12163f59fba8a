/* SPDX-License-Identifier: MIT */
#ifndef HARNESS_JOURNAL_H
#define HARNESS_JOURNAL_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What really happened in an instrumented application: one JSON object a line on a file descriptor,
 * each written by one write(), so that a crash right after loses nothing. Every line has "t", the
 * CLOCK_MONOTONIC time in microseconds, and "kind":
 *   ready  {toolkit, pid}                  the main window is shown and everything works
 *   event  {type, control, …}              input the toolkit delivered; see journal_event()
 *   state  {label, value, was}             the application's own state changed: the truth of a landing
 *   fault  {fault, control}                the fault mode interfered here
 *   note   {text}                          anything else
 * `control` is an id of scenarios.json, or "" for what is no control's.
 */
void journal_open(int fd); /* -1: nothing is written */

void journal_ready(const char *toolkit);

/*
 * An input event as the toolkit delivered it. `type` is key_press, key_release, button_press,
 * button_release, motion, scroll, focus_in, focus_out, enter, leave or grab_broken; x and y are pixels
 * of the screen (the root window), -1 if unknown; `detail` is the button's number, the key's symbol
 * name or the scroll's direction, or NULL. `synthetic` tells events sent by XSendEvent where known.
 */
void journal_event(const char *type, const char *control, int x, int y, const char *detail,
	int synthetic);

/*
 * Keys that were held when the next event came, as X counts them: 1 Shift, 4 Control, 8 Alt, 64 Super. The event
 * then has `modifiers`, such as "ctrl+alt"; without any of these it has none.
 */
void journal_modifiers(unsigned state);

void journal_state(const char *label, const char *value, const char *was);
void journal_fault(const char *fault, const char *control);
void journal_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif

#endif
