/* SPDX-License-Identifier: MIT */
/* LibreOffice with two documents, read by our own reader of accessibility. */
#include <string.h>

#include "documents.h"

#define OFFICE                                                                                     \
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<office:document "                            \
	"xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" office:version=\"1.2\""
#define TABLE "xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\""
#define TEXT "xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\""
#define MIME "office:mimetype=\"application/vnd.oasis.opendocument."

/* How such a file is called, what is in an empty one, and where in accessibility it is. */
static const struct {
	const char *ending, *content, *role, *name;
} kinds[] = {
	[SHEET] = { ".fods",
		OFFICE " " TABLE " " MIME "spreadsheet\"><office:body><office:spreadsheet>"
		       "<table:table "
		       "table:name=\"One\"/></office:spreadsheet></office:body></office:document>",
		"table", "Sheet One" },
	[WRITING] = { ".fodt",
		OFFICE " " TEXT " " MIME "text\"><office:body><office:text><text:p/></office:text>"
		       "</office:body></office:document>",
		"document text", NULL },
};

/* Some cells, row by row. */
static char *cells_of(struct lab_desk *desk, const struct lab_node *sheet)
{
	GString *all = g_string_new(NULL);

	/* Where the cursor is at first, and where the point is. */
	for (int row = 0; row < 18; row++) {
		for (int column = 0; column < 4; column += 3) {
			struct lab_node cell = lab_atspi_cell(desk, sheet, row, column);
			g_autofree char *text = cell.path ? lab_atspi_node_text(desk, &cell) : NULL;

			g_string_append(all, text ? text : "(no text)");
		}
	}
	return g_string_free(all, FALSE);
}

static char *holds_by_accessibility(struct scene *scene, enum side side)
{
	if (g_str_equal(scene->nodes[side].role, "table")) {
		return cells_of(scene->desk, &scene->nodes[side]);
	}
	struct lab_node paragraph = lab_atspi_find_in(
		scene->desk, &scene->nodes[side], "paragraph", NULL);

	return paragraph.path ? lab_atspi_node_text(scene->desk, &paragraph)
			      : g_strdup("(no paragraph)");
}

static void remove_home(void *data, bool failed)
{
	(void)failed;
	lab_run(NULL, LAB_ARGV("rm", "-rf", data), NULL, 10000);
	g_free(data);
}

struct scene scene_office(struct lab_desk *desk, enum document left, enum document right)
{
	struct scene scene = { .desk = desk, .holds = holds_by_accessibility, .x = 300, .y = 300 };
	const enum document of[] = { left, right };
	char *files[2], *titles[2], *home = g_dir_make_tmp("lab-home-XXXXXX", NULL);
	g_autofree char *variable = g_strdup_printf("HOME=%s", home);

	lab_at_end(remove_home, home);
	for (enum side side = LEFT; side <= RIGHT; side++) {
		scene.ends[side] = of[side] == SHEET ? "\n" : "";
		titles[side] = g_strconcat(side_names[side], kinds[of[side]].ending, NULL);
		files[side] = lab_file(desk, titles[side], kinds[of[side]].content);
	}
	struct lab_app app = lab_app_start_titled(desk,
		LAB_ARGV("env", variable, "SAL_USE_VCLPLUGIN=gtk3", "sh", "-c",
			"exec soffice --norestore --nologo --nofirststartwizard \"$@\" 2>/dev/null",
			"sh", files[LEFT], files[RIGHT]),
		titles[RIGHT]);
	for (enum side side = LEFT; side <= RIGHT; side++) {
		scene.windows[side] = scene_await(desk, titles[side]);
	}
	scene_settle(&scene);
	for (enum side side = LEFT; side <= RIGHT; side++) {
		g_autofree char *title = scene_title(desk, scene.windows[side]);
		struct lab_node frame = lab_atspi_find(desk, app.pid, "frame", title);

		lab_assert(frame.path);
		scene.nodes[side] = lab_atspi_find_in(
			desk, &frame, kinds[of[side]].role, kinds[of[side]].name);
		lab_assert(scene.nodes[side].path);
	}
	return scene;
}
