/* SPDX-License-Identifier: MIT */
/* The form of data/packages-elsewhere: every package of the sections build and run, once, with
 * three names. */
#include <glib.h>
#include <string.h>

static char **lines_of(const char *name)
{
	g_autofree char *path = g_build_filename(g_getenv("CUA_SRCDIR"), "data", name, NULL);
	char *text = NULL;
	g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
	char **lines = g_strsplit(text, "\n", -1);
	g_free(text);
	return lines;
}

static void names_are_spelled(void)
{
	g_auto(GStrv) lines = lines_of("packages-elsewhere");
	for (char **line = lines; *line != NULL; line++) {
		g_auto(GStrv) names = g_strsplit(*line, "\t", -1);
		if (**line == '#' || **line == '\0') {
			continue;
		}
		g_assert_cmpuint(g_strv_length(names), ==, 4);
		for (char **name = names; *name != NULL; name++) {
			g_assert_true(
				g_regex_match_simple("^[a-z0-9][A-Za-z0-9.+_-]*$", *name, 0, 0));
		}
	}
}

static guint times_in(char **table, const char *package)
{
	guint times = 0;
	for (char **line = table; *line != NULL; line++) {
		times += g_str_has_prefix(*line, package) && (*line)[strlen(package)] == '\t';
	}
	return times;
}

static void each_package_has_them(void)
{
	g_auto(GStrv) lines = lines_of("packages"), table = lines_of("packages-elsewhere");
	guint count = 0;
	for (char **line = lines; *line != NULL; line++) {
		if (!g_str_has_prefix(*line, "build\t") && !g_str_has_prefix(*line, "run\t")) {
			continue;
		}
		g_auto(GStrv) packages = g_strsplit(strchr(*line, '\t') + 1, " ", -1);
		for (char **package = packages; *package != NULL; package++) {
			g_assert_cmpuint(times_in(table, *package), ==, 1);
			count++;
		}
	}
	g_assert_cmpuint(count, >, 20);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/packages/spelled", names_are_spelled);
	g_test_add_func("/packages/each", each_package_has_them);
	return g_test_run();
}
