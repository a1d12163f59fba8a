/* SPDX-License-Identifier: MIT */
#ifndef CORE_PNG_H
#define CORE_PNG_H

#include "core/picture.h"

/*
 * PNG bytes of a picture, without loss. Desktop content repeats the pixel to the left, the row
 * above, or what is near: an encoder that looks only there is many times faster than a general one, and
 * its files are about as large. Pictures that do not repeat (photographs, gradients) go to a general one.
 */
GBytes *png_encode(const struct picture *picture);

/* The two ways, for tests and benchmarks. png_encode_flat() gives NULL for pictures that do not repeat. */
GBytes *png_encode_flat(const struct picture *picture);
GBytes *png_encode_general(const struct picture *picture);

#endif
