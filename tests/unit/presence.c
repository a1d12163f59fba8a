/* SPDX-License-Identifier: MIT */
/* A file that comes and goes, in a folder that does, too: what was done before the question counts. */
#include "config.h"

#include "core/presence.h"

#include <glib/gstdio.h>

struct place {
	char *parent, *folder, *file, *other;
	struct presence *presence;
};

static void set_up(struct place *place, gconstpointer data)
{
	(void)data;
	place->parent = g_dir_make_tmp("presence-XXXXXX", NULL);
	place->folder = g_build_filename(place->parent, "folder", NULL);
	place->file = g_build_filename(place->folder, "file", NULL);
	place->other = g_build_filename(place->folder, "other", NULL);
	place->presence = presence_new(place->file);
}

static void tear_down(struct place *place, gconstpointer data)
{
	(void)data;
	presence_free(place->presence);
	g_remove(place->file);
	g_remove(place->other);
	g_rmdir(place->folder);
	g_rmdir(place->parent);
	g_free(place->parent);
	g_free(place->folder);
	g_free(place->file);
	g_free(place->other);
}

static void touch(const char *path)
{
	g_assert_true(g_file_set_contents(path, "", 0, NULL));
}

static void comes_and_goes(struct place *place, gconstpointer data)
{
	(void)data;
	g_mkdir(place->folder, 0700);
	g_assert_false(presence_is(place->presence));
	for (int i = 0; i < 3; i++) {
		touch(place->other);
		g_assert_false(presence_is(place->presence));
		g_assert_cmpint(g_rename(place->other, place->file), ==, 0);
		g_assert_true(presence_is(place->presence));
		g_assert_true(presence_is(place->presence));
		g_assert_cmpint(g_remove(place->file), ==, 0);
		g_assert_false(presence_is(place->presence));
	}
}

static void was_there(struct place *place, gconstpointer data)
{
	(void)data;
	g_mkdir(place->folder, 0700);
	touch(place->file);
	g_assert_true(presence_is(place->presence));
}

static void folder_comes_later(struct place *place, gconstpointer data)
{
	(void)data;
	g_assert_false(presence_is(place->presence));
	g_mkdir(place->folder, 0700);
	touch(place->file);
	g_assert_true(presence_is(place->presence));
}

/* Another one in its place has to be heard, too. */
static void folder_is_replaced(struct place *place, gconstpointer data)
{
	(void)data;
	g_autofree char *aside = g_build_filename(place->parent, "aside", NULL);
	g_mkdir(place->folder, 0700);
	g_assert_false(presence_is(place->presence));
	g_assert_cmpint(g_rmdir(place->folder), ==, 0);
	g_mkdir(place->folder, 0700);
	g_assert_false(presence_is(place->presence));
	touch(place->file);
	g_assert_true(presence_is(place->presence));
	g_assert_cmpint(g_remove(place->file), ==, 0);
	g_assert_false(presence_is(place->presence));
	g_assert_cmpint(g_rename(place->folder, aside), ==, 0);
	g_mkdir(place->folder, 0700);
	g_assert_false(presence_is(place->presence));
	touch(place->file);
	g_assert_true(presence_is(place->presence));
	g_assert_cmpint(g_rmdir(aside), ==, 0);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add("/presence/comes_and_goes", struct place, NULL, set_up, comes_and_goes, tear_down);
	g_test_add("/presence/was_there", struct place, NULL, set_up, was_there, tear_down);
	g_test_add("/presence/folder_comes_later", struct place, NULL, set_up, folder_comes_later, tear_down);
	g_test_add("/presence/folder_is_replaced", struct place, NULL, set_up, folder_is_replaced, tear_down);
	return g_test_run();
}
