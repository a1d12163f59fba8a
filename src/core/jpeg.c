/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/jpeg.h"

#include <turbojpeg.h>

/* Above this files grow and nobody sees why; colours are kept at full resolution for coloured text. */
#define QUALITY 90

GBytes *jpeg_encode(const struct picture *picture)
{
	tjhandle encoder = tjInitCompress();
	unsigned long size = tjBufSize(picture->width, picture->height, TJSAMP_444);
	unsigned char *bytes = g_malloc(size);
	int format = G_BYTE_ORDER == G_LITTLE_ENDIAN ? TJPF_BGRX : TJPF_XRGB;
	/* Into memory that is large enough by its own word: it cannot fail on a picture that exists. */
	int failed = tjCompress2(encoder, (const unsigned char *)picture->pixels, picture->width,
		picture->width * 4, picture->height, format, &bytes, &size, TJSAMP_444, QUALITY,
		TJFLAG_NOREALLOC);
	g_assert(failed == 0);
	tjDestroy(encoder);
	return g_bytes_new_take(g_realloc(bytes, size), size);
}
