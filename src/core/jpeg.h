/* SPDX-License-Identifier: MIT */
#ifndef CORE_JPEG_H
#define CORE_JPEG_H

#include "core/picture.h"

/* JPEG bytes of a picture, good enough to read small text in. Never NULL. */
GBytes *jpeg_encode(const struct picture *picture);

#endif
