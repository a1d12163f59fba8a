/* SPDX-License-Identifier: MIT */
#ifndef HARNESS_ROWS_H
#define HARNESS_ROWS_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Rows that are easily taken for each other, in three toolkits: each has a text and the same button, or a
 * cell without a name that activates it; and some buttons have no name at all. Commands on stdin, one a line, change
 * them as applications do:
 *   reset          as at the start, of new widgets
 *   insert         a row above all others, in everything that has rows
 *   append         a row below all others
 *   remove N       the row of that number goes
 *   reverse        the rows are sorted the other way round
 *   rename N       the text of that row becomes another
 *   rebind         the widgets of each row are used for the next one
 *   exchange       the buttons of the first two rows change places and mean the row they are in now
 *   rebuild        the same rows in the other order, of new widgets
 *   swap           the first two buttons without a name change places
 *   twin           one more of those, before the others
 *   window         the window is closed and another one opened that looks the same
 * Each is journalled as a note "done COMMAND" when the application has nothing else to do. What is pressed
 * is journalled as a note "pressed WHAT", WHAT being "list alpha", "table alpha", "card alpha", "twin 0".
 */
#define ROWS 6
/* What the laboratory looks for to know that a harness is accessible. */
#define ROWS_SIGN "Second window"
extern const char *const rows_names[ROWS];

/* Takes --journal-fd from the command line and `change` for the commands; journals "ready" when idle. */
void rows_init(int argc, char **argv, const char *toolkit, void (*change)(const char *command, int number));

void rows_pressed(const char *where, const char *what);

#ifdef __cplusplus
}
#endif

#endif
