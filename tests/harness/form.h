/* SPDX-License-Identifier: MIT */
#ifndef HARNESS_FORM_H
#define HARNESS_FORM_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A form with one control of every kind a verb can be tried on, in three toolkits. All of them show the
 * same names and journal the same states; the journal is the truth. Every state is journalled once
 * before "ready", so that a test knows what it was.
 */

/*
 * Takes --journal-fd from the command line and journals the states as they are at first. `show` shows a
 * text in the form, "pushed=1", whenever a state changed: as in real applications what was done can be seen.
 */
void form_init(int argc, char **argv, void (*show)(const char *text));

/* The state of a label becomes this; journalled if it was another. */
void form_set(const char *label, const char *value);
/* The state of a label that counts becomes one more. */
void form_count(const char *label);

#ifdef __cplusplus
}
#endif

#endif
