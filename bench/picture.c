/* SPDX-License-Identifier: MIT */
/*
 * What a picture costs: capture and PNG of a desktop, PNG of gradients and of a photograph, beside the
 * same with libpng. Prints a table, and ends with 1 where a gate is missed. See README.md.
 */
#include "config.h"

#include <math.h>
#include <png.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/png.h"
#include "lab/lab.h"
#include "x11/x11.h"

#define ROUNDS 15
#define WIDTH 1280
#define HEIGHT 800

static int missed;

static GBytes *with_libpng(const struct picture *picture, int level)
{
	char *memory = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&memory, &size);
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	png_infop info = png_create_info_struct(png);

	png_init_io(png, file);
	png_set_compression_level(png, level);
	png_set_IHDR(png, info, (png_uint_32)picture->width, (png_uint_32)picture->height, 8,
		PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
		PNG_FILTER_TYPE_DEFAULT);
	png_write_info(png, info);
	png_set_filler(png, 0, PNG_FILLER_AFTER);
	png_set_bgr(png);
	for (int y = 0; y < picture->height; y++) {
		png_write_row(png, (png_bytep)(picture->pixels + (gsize)y * (gsize)picture->width));
	}
	png_write_end(png, info);
	png_destroy_write_struct(&png, &info);
	fclose(file);
	return g_bytes_new_with_free_func(memory, size, free, memory);
}

/* Ours, libpng at level 1 and at level 6; turns about, so that all see the same machine. */
enum way { OURS, LEVEL_1, LEVEL_6, WAYS };

struct result {
	double ms[WAYS];
	double capture_ms;     /* of them, the least; 0 if nothing was captured */
	gsize bytes[WAYS];
};

/* With `x11` each picture is captured anew, which counts; otherwise it is `given`. */
static struct result measure(struct x11 *x11, struct picture *given)
{
	struct result result = { .capture_ms = x11 != NULL ? HUGE_VAL : 0 };
	for (enum way way = OURS; way < WAYS; way++) {
		result.ms[way] = HUGE_VAL;
	}
	for (int round = 0; round < ROUNDS; round++) {
		for (enum way way = OURS; way < WAYS; way++) {
			gint64 start = g_get_monotonic_time();
			struct picture *picture = x11 == NULL ? given
				: x11_capture_screen(x11, deadline_in(10000, NULL), NULL);
			if (picture == NULL) {
				lab_fail("the screen cannot be captured");
			}
			double captured = (double)(g_get_monotonic_time() - start) / 1000;
			result.capture_ms = MIN(result.capture_ms, captured);
			g_autoptr(GBytes) bytes = way == OURS ? png_encode(picture)
				: with_libpng(picture, way == LEVEL_1 ? 1 : 6);
			double ms = (double)(g_get_monotonic_time() - start) / 1000;
			result.ms[way] = MIN(result.ms[way], ms);
			result.bytes[way] = g_bytes_get_size(bytes);
			if (x11 != NULL) {
				picture_free(picture);
			}
		}
	}
	return result;
}

static void gate(const char *what, bool passed)
{
	printf("  %-60s %s\n", what, passed ? "passed" : "MISSED");
	missed += !passed;
}

static void row(const char *what, const struct result *result)
{
	printf("%-34s %7.2f ms %8zu | %7.2f ms %8zu %5.2f× %5.2f× | %7.2f ms %8zu %5.1f×\n", what,
		result->ms[OURS], result->bytes[OURS], result->ms[LEVEL_1], result->bytes[LEVEL_1],
		result->ms[OURS] / result->ms[LEVEL_1],
		(double)result->bytes[OURS] / (double)result->bytes[LEVEL_1], result->ms[LEVEL_6],
		result->bytes[LEVEL_6], result->ms[LEVEL_6] / result->ms[OURS]);
	fflush(stdout);
}

static void desktop(struct x11 *x11, const char *what)
{
	struct result result = measure(x11, NULL);
	row(what, &result);
	printf("  of this the capture, in all three: %.2f ms\n", result.capture_ms);
	gate("capture and PNG at least 8 × faster than with level 6",
		result.ms[LEVEL_6] >= 8 * result.ms[OURS]);
	gate("not larger than level 1", result.bytes[OURS] <= result.bytes[LEVEL_1]);
}

/* A browser full of small text: hardly anything on the screen repeats itself, but its letters do. */
static void page_of_text(struct lab_desk *desk, struct x11 *x11)
{
	g_autofree char *folder = g_dir_make_tmp("bench-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(folder, "text.html", NULL);
	g_autofree char *source = g_build_filename(g_getenv("CUA_SRCDIR"), "docs", "findings.md", NULL);
	g_autofree char *text = NULL;
	if (!g_file_get_contents(source, &text, NULL, NULL)) {
		lab_fail("%s cannot be read", source);
	}
	g_autofree char *escaped = g_markup_escape_text(text, -1);
	g_autofree char *html = g_strdup_printf("<!doctype html><meta charset=utf-8><title>text</title>"
		"<pre style='white-space:pre-wrap;font:11px sans-serif;margin:2px'>%s%s</pre>", escaped, escaped);
	g_file_set_contents(path, html, -1, NULL);
	g_autofree char *profile = g_strdup_printf("--user-data-dir=%s/profile", folder);
	struct lab_app browser = lab_app_start(desk, LAB_ARGV("chromium", "--no-sandbox", "--no-first-run", "--password-store=basic",
		"--disable-gpu", "--disable-background-networking", "--window-size=1280,800",
		"--window-position=0,0", profile, path));
	lab_x_quiet(desk, 4000);
	struct result result = measure(x11, NULL);
	row("a page full of small text", &result);
	gate("not larger than level 1", result.bytes[OURS] <= result.bytes[LEVEL_1]);
	lab_app_kill(&browser);
	lab_run(NULL, LAB_ARGV("rm", "-rf", folder), NULL, 30000);
}

/* A smooth cloud: octaves of noise, each half as strong and twice as fine as the one before. */
static double cloud(int x, int y, uint32_t seed)
{
	double sum = 0;
	for (int octave = 0; octave < 7; octave++) {
		int size = 256 >> octave;
		double corners[4];
		for (int i = 0; i < 4; i++) {
			uint32_t hash = (uint32_t)(x / size + (i & 1)) * 0x9e3779b1u
				^ (uint32_t)(y / size + i / 2) * 0x85ebca6bu ^ (seed + (uint32_t)octave) * 0xc2b2ae35u;
			hash = (hash ^ hash >> 15) * 0x2c1b3c6du;
			corners[i] = (double)(hash >> 8 & 0xffff) / 65535;
		}
		double right = (double)(x % size) / size, down = (double)(y % size) / size;
		double top = corners[0] + (corners[1] - corners[0]) * right;
		double bottom = corners[2] + (corners[3] - corners[2]) * right;
		sum += (top + (bottom - top) * down) / (2 << octave);
	}
	return sum;
}

static uint32_t colour_at(int kind, int x, int y)
{
	double dx = x - WIDTH / 2, dy = y - HEIGHT / 2;
	double part = kind == 0 ? (double)x / WIDTH : kind == 1 ? (double)y / HEIGHT
		: kind == 2 ? (double)(x + y) / (WIDTH + HEIGHT) : sqrt(dx * dx + dy * dy) / 755;
	if (kind < 4) {
		return (uint32_t)(255 * (1 - part)) << 16 | (uint32_t)(255 * (1 - part)) << 8
			| (uint32_t)(255 - 127 * part);
	}
	/* A photograph: clouds of colour, and the grain of a sensor. */
	uint32_t pixel = 0;
	for (uint32_t i = 0; i < 3; i++) {
		double level = 255 * cloud(x, y, 100 * i + 1) + (kind == 5 ? rand() % 13 - 6 : 0);
		pixel = pixel << 8 | (uint32_t)CLAMP(level, 0, 255);
	}
	return pixel;
}

static void drawn(int kind, const char *what)
{
	struct picture *picture = picture_new(WIDTH, HEIGHT);
	srand(1);
	for (int i = 0; i < WIDTH * HEIGHT; i++) {
		picture->pixels[i] = colour_at(kind, i % WIDTH, i / WIDTH);
	}
	struct result result = measure(NULL, picture);
	row(what, &result);
	gate("not slower and not larger than level 1", result.ms[OURS] <= result.ms[LEVEL_1]
		&& result.bytes[OURS] <= result.bytes[LEVEL_1]);
	picture_free(picture);
}

int main(void)
{
	static const char *const kinds[] = { "gradient, left to right", "gradient, top to bottom",
		"gradient, corner to corner", "gradient, radial", "photograph, smooth",
		"photograph, with grain" };
	signal(SIGPIPE, SIG_IGN);
	struct lab_desk *desk = lab_desk_start("xvfb", "openbox");
	g_autofree char *text = g_build_filename(g_getenv("CUA_SRCDIR"), "docs", "hacking.md", NULL);

	printf("%-34s %19s | %33s | %26s\n", "1280×800, the least of 15", "ours", "libpng level 1, ours to it",
		"libpng level 6, it to ours");
	struct x11 *x11 = x11_new(desk->display);
	struct lab_app calculator = lab_galculator(desk, true);
	lab_x_quiet(desk, 1000);
	desktop(x11, "a calculator on an empty desktop");
	struct lab_app editor = lab_app_start(desk, LAB_ARGV("mousepad", "--disable-server", text));
	lab_xterm(desk, "terminal");
	lab_x_quiet(desk, 2000);
	desktop(x11, "calculator, editor, terminal");
	page_of_text(desk, x11);
	for (int kind = 0; kind < (int)G_N_ELEMENTS(kinds); kind++) {
		drawn(kind, kinds[kind]);
	}
	x11_destroy(x11);
	lab_app_kill(&editor);
	lab_app_kill(&calculator);
	lab_desk_stop(desk);
	return missed > 0;
}
