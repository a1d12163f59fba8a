/* SPDX-License-Identifier: MIT */
/* Pictures, decoded by libpng itself. */
#include <png.h>
#include <string.h>

#include "internal.h"

struct lab_pixels lab_pixels_of_bytes(const void *bytes, gsize size)
{
	png_image image = { .version = PNG_IMAGE_VERSION };

	if (!png_image_begin_read_from_memory(&image, bytes, size)) {
		lab_fail("the picture is no PNG: %s", image.message);
	}
	image.format = PNG_FORMAT_RGB;
	g_autofree uint8_t *rgb = g_malloc(PNG_IMAGE_SIZE(image));
	if (!png_image_finish_read(&image, NULL, rgb, 0, NULL)) {
		lab_fail("the PNG is damaged: %s", image.message);
	}
	gsize count = (gsize)image.width * image.height;
	struct lab_pixels pixels = { (int)image.width, (int)image.height, g_new(uint32_t, count) };
	for (gsize i = 0; i < count; i++) {
		pixels.rgb[i] = (uint32_t)rgb[3 * i] << 16 | (uint32_t)rgb[3 * i + 1] << 8 | rgb[3 * i + 2];
	}
	return pixels;
}

uint32_t lab_pixel(const struct lab_pixels *pixels, int x, int y)
{
	if (x < 0 || y < 0 || x >= pixels->width || y >= pixels->height) {
		lab_fail("%d,%d is not in a picture of %d×%d", x, y, pixels->width, pixels->height);
	}
	return pixels->rgb[(gsize)y * (gsize)pixels->width + (gsize)x];
}

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

static guchar *image_of(const struct lab_answer *answer, gsize *size)
{
	json_t *image = lab_pick_str(lab_array(answer->result, "content"), "type", "image");

	if (!image) {
		lab_fail("the answer has no image block");
	}
	lab_assert_str(lab_str(image, "mimeType"), "image/png");
	return g_base64_decode(lab_str(image, "data"), size);
}

struct lab_picture lab_picture_of(const struct lab_answer *answer)
{
	gsize size;
	g_autofree guchar *bytes = image_of(answer, &size);

	return lab_picture_of_bytes(bytes, size);
}

struct lab_pixels lab_pixels_of(const struct lab_answer *answer)
{
	gsize size;
	g_autofree guchar *bytes = image_of(answer, &size);

	return lab_pixels_of_bytes(bytes, size);
}
