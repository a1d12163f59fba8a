/* SPDX-License-Identifier: MIT */
/* Asks the library in the application (boxes.c). */
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "coords.h"

#define PATIENCE 20000

static char **environment(char **base, const char *name, const char *value)
{
	return g_environ_setenv(base, name, value, TRUE);
}

struct coords_app coords_start(
	struct lab_desk *desk, const char *const *argv, const char *const *env)
{
	struct lab_desk with = *desk;
	struct coords_app app = { .ask = lab_file(desk, "boxes-ask", NULL),
		.tell = lab_file(desk, "boxes-tell", NULL) };
	g_autofree char *library = g_build_filename(
		g_getenv("CUA_BUILDDIR"), "tests/coords/boxes.so", NULL);

	if (!g_file_test(library, G_FILE_TEST_EXISTS)) {
		lab_missing("%s is not built", library);
	}
	unlink(app.ask);
	unlink(app.tell);
	with.env = environment(g_strdupv(desk->env), "LD_PRELOAD", library);
	with.env = environment(with.env, "BOXES_ASK", app.ask);
	with.env = environment(with.env, "BOXES_TELL", app.tell);
	/* Without a graphics card another one takes all of the processor for a spinner that turns.
	 */
	with.env = environment(with.env, "GSK_RENDERER", "cairo");
	for (; env && *env; env++) {
		g_auto(GStrv) pair = g_strsplit(*env, "=", 2);
		with.env = environment(with.env, pair[0], pair[1]);
	}
	app.app = lab_app_start(&with, argv);
	return app;
}

/* One line of boxes.c's. */
static void take(GHashTable *boxes, const char *line)
{
	g_auto(GStrv) field = g_strsplit(line, "\t", -1);
	double *numbers[] = { NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL };
	struct coords_box *box = g_new0(struct coords_box, 1);

	if (g_strv_length(field) != 14) {
		lab_fail("not a line of boxes.c's: %s", line);
	}
	numbers[0] = &box->x, numbers[1] = &box->y, numbers[2] = &box->width,
	numbers[3] = &box->height;
	numbers[4] = &box->seen.x, numbers[5] = &box->seen.y, numbers[6] = &box->seen.width,
	numbers[7] = &box->seen.height;
	box->window = (xcb_window_t)strtoul(field[1], NULL, 10);
	for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++) {
		*numbers[i] = g_ascii_strtod(field[2 + i], NULL);
	}
	box->mapped = field[10][0] == '1';
	box->reached = field[11][0] == '1';
	box->type = g_strdup(field[12]);
	box->style = g_strdup(field[13]);
	g_hash_table_insert(boxes, g_strdup(field[0]), box);
}

GHashTable *coords_boxes(const struct coords_app *app)
{
	GHashTable *boxes = g_hash_table_new(g_str_hash, g_str_equal);
	gint64 deadline = lab_deadline(PATIENCE);
	char *text = NULL;

	unlink(app->tell);
	lab_assert(g_file_set_contents(app->ask, "", 0, NULL));
	while (!g_file_get_contents(app->tell, &text, NULL, NULL)) {
		if (lab_left(deadline) == 0) {
			lab_fail("the application does not tell where its widgets are");
		}
		poll(NULL, 0, 10);
	}
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++) {
		if (**line) {
			take(boxes, *line);
		}
	}
	g_free(text);
	return boxes;
}
