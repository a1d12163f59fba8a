/* SPDX-License-Identifier: MIT */
/* Pictures, decoded by libpng itself. */
#include <png.h>
#include <string.h>

#include "internal.h"

/* A picture that was never painted has one colour; counting a few tells it from a real one. */
static int count_colors(const uint32_t *pixels, gsize count)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_direct_hash, g_direct_equal);

	for (gsize i = 0; i < count && g_hash_table_size(seen) < 256; i++) {
		g_hash_table_add(seen, GUINT_TO_POINTER(pixels[i]));
	}
	return (int)g_hash_table_size(seen);
}

struct lab_picture lab_picture_of_bytes(const void *bytes, gsize size)
{
	png_image image = { .version = PNG_IMAGE_VERSION };

	if (!png_image_begin_read_from_memory(&image, bytes, size)) {
		lab_fail("the picture is no PNG: %s", image.message);
	}
	image.format = PNG_FORMAT_RGBA;
	g_autofree uint32_t *pixels = g_malloc(PNG_IMAGE_SIZE(image));
	if (!png_image_finish_read(&image, NULL, pixels, 0, NULL)) {
		lab_fail("the PNG is damaged: %s", image.message);
	}
	return (struct lab_picture){ (int)image.width, (int)image.height,
		count_colors(pixels, (gsize)image.width * image.height) };
}

struct lab_picture lab_picture_of_file(const char *path)
{
	g_autofree char *bytes = NULL;
	gsize size;

	if (!g_file_get_contents(path, &bytes, &size, NULL)) {
		lab_fail("%s was not written", path);
	}
	return lab_picture_of_bytes(bytes, size);
}

struct lab_picture lab_picture_of(const struct lab_answer *answer)
{
	json_t *image = lab_pick_str(lab_array(answer->result, "content"), "type", "image");
	gsize size;

	if (!image) {
		lab_fail("the answer has no image block");
	}
	lab_assert_str(lab_str(image, "mimeType"), "image/png");
	g_autofree guchar *bytes = g_base64_decode(lab_str(image, "data"), &size);
	return lab_picture_of_bytes(bytes, size);
}
