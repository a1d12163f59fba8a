/* SPDX-License-Identifier: MIT */
#ifndef X11_CHOICE_H
#define X11_CHOICE_H

#include "x11/conn.h"

/*
 * What the user's own hand did that may bring another window to the front, and when last (monotonic
 * time; 0: never). The devices tell of it before any window hears of it.
 */
struct x11_choice {
	uint8_t selects[32], commands[32], accepts[32]; /* bits: keycodes */
	gint64 selected;   /* a button, Alt or Super: may choose any window */
	gint64 commanded; /* Control, a function key or one of the desktop: may open a window or go
			     to another of the program */
	gint64 accepted;   /* Return or Escape: may open or close one */
	gint64 typed;      /* any key */
	gint64 moved;      /* the pointer */
};

/* An effect of it comes no later than this. */
#define CHOICE_US (500 * G_TIME_SPAN_MILLISECOND)

/* Learns which keys are which. */
void x11_choice_learn(struct x11_choice *choice, struct x11_server *server);
/* A raw event of the user's devices. */
void x11_choice_note(struct x11_choice *choice, unsigned type, unsigned code);
/* Whether what was done at that time may still have effects. */
bool x11_choice_works(gint64 at);

#endif
