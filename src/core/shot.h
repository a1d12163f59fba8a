/* SPDX-License-Identifier: MIT */
#ifndef CORE_SHOT_H
#define CORE_SHOT_H

#include "core/call.h"
#include "core/marks.h"

/* A picture as it is handed to a client, and how it lies on the screen. */
struct shot {
	GBytes *bytes;           /* NULL if there is none */
	const char *type;        /* image/png or image/jpeg */
	struct frame frame;
	bool marked;             /* numbers are drawn on it */
	struct marks marks;
	bool stale;              /* kept from before: the window shows nothing now */
	char *problem;           /* why there is none; NULL if none was asked for */
	gint64 capture_us, encode_us; /* 0 if nothing had to be done */
};

/* Where the picture goes, and how large it may be; tools with these use the functions below. */
#define PARAMS_SHOT \
	{ "screenshot_out_file", .type = PARAM_STRING, .path = PATH_FILE, \
	  .about = "Write the picture to this .png or .jpg file instead of returning it. A leading ~ is " \
		   "the home folder." }

#define PARAM_MAX_IMAGE_DIMENSION \
	{ "max_image_dimension", .type = PARAM_INT, .min = 0, .max = 16384, \
	  .about = "The picture is scaled down until no side is longer; 0 keeps its size. By " \
		   "default the setting of this name: 1568." }

#define PARAM_MARKS \
	{ "marks", .type = PARAM_BOOL, .preset = "false", \
	  .about = "true draws the element_index of every visible element on the picture." }

/*
 * The picture of the call's window, scaled down to its max_image_dimension. One that painted nothing
 * since the last picture gets that one again, and so, as stale, does one that shows nothing now.
 * Otherwise `problem` says why there is none, and `error`, if wanted, is set.
 */
void shot_take(struct call *call, struct shot *shot, GError **error);

/* The same with the numbers of the elements of `tree`, unless it is NULL. */
void shot_take_marked(struct call *call, const struct tree *tree, struct shot *shot, GError **error);

/* A part of the call's window, a rectangle on the screen, in true pixels; JPEG if not a file says else. */
bool shot_take_part(struct call *call, struct screen_rect part, struct shot *shot, GError **error);

/* What the user sees of all monitors, in true pixels. False, with `error`, if there is none. */
bool shot_take_screen(struct call *call, struct shot *shot, GError **error);

void shot_clear(struct shot *shot);

/* Fails the answer if screenshot_out_file is given and cannot be meant. To be called before any work. */
bool shot_check_file(struct call *call);

/*
 * Writes a file whose name a caller gave; a leading ~/ is the home folder. Its path, which the caller frees,
 * or NULL with an error.
 */
char *shot_write(const char *given, GBytes *picture, GError **error);

/*
 * The picture's fields, and the picture itself, or its file. If that cannot be written: false with
 * a failed answer, or, where there is `more` to answer, true with screenshot_error.
 */
bool shot_answer(struct call *call, const struct shot *shot, bool more);

/* capture_ms and encode_ms, for the object `timing`. */
void shot_answer_timing(struct answer *answer, const struct shot *shot);

#endif
