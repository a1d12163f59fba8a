/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>
#include <sys/stat.h>

#include "x11/describe.h"

/* Entries of processes that ended stay until then. */
enum { REMEMBERED = 512 };

/*
 * A mapped file that gives the toolkit away, the outermost first: Chromium loads GTK or Qt for its
 * dialogs, LibreOffice draws through GTK, a Qt program may load GTK for its theme.
 */
static const struct {
	const char *file;
	const char *toolkit;
} signs[] = {
	{ "/chrome_100_percent.pak", "chromium" },
	{ "/v8_context_snapshot", "chromium" },
	{ "/icudtl.dat", "chromium" },
	{ "/libxul.so", "gecko" },
	{ "/libvcllo.so", "vcl" },
	{ "/libmergedlo.so", "vcl" },
	{ "/libawt_xawt.so", "java" },
	{ "/winex11", "wine" },
	{ "/libQt6Gui.so", "qt6" },
	{ "/libQt5Gui.so", "qt5" },
	{ "/libgtk-4.so", "gtk4" },
	{ "/libgtk-3.so", "gtk3" },
	{ "/libgtk-x11-2.0.so", "gtk2" },
	{ "/libXm.so", "motif" },
	{ "/libtk8", "tk" },
	{ "/libtk9", "tk" },
	{ "/libfltk", "fltk" },
	{ "/libSDL2", "sdl" },
	{ "/libXaw", "xaw" },
	{ "/libXt.so", "xt" },
};

/* NULL if the mapped files cannot be read: it is another user's process, or has ended. */
static const char *read_toolkit(pid_t pid)
{
	char path[64];
	g_snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
	g_autofree char *maps = NULL;
	gsize length = 0;
	if (!g_file_get_contents(path, &maps, &length, NULL) || length == 0) {
		return NULL;
	}
	for (gsize i = 0; i < G_N_ELEMENTS(signs); i++) {
		if (strstr(maps, signs[i].file) != NULL) {
			return signs[i].toolkit;
		}
	}
	return "";
}

/*
 * The same program with the same window class uses the same toolkit, whichever process it is. The
 * class tells apart what one interpreter runs. NULL if the program cannot be seen.
 */
static char *program_key(const struct window *window)
{
	char path[64];
	struct stat exe;
	g_snprintf(path, sizeof path, "/proc/%d/exe", (int)window->pid);
	return stat(path, &exe) != 0 ? NULL : g_strdup_printf("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT
		":%s", (guint64)exe.st_dev, (guint64)exe.st_ino, window->app_name);
}

static const char *recall(struct x11 *x11, const char *key)
{
	const char *toolkit = g_hash_table_lookup(x11_lock_toolkits(x11), key);
	x11_unlock_toolkits(x11);
	return toolkit;
}

static void remember(struct x11 *x11, const char *key, const char *toolkit)
{
	GHashTable *known = x11_lock_toolkits(x11);
	if (g_hash_table_size(known) >= REMEMBERED) {
		g_hash_table_remove_all(known);
	}
	g_hash_table_insert(known, g_strdup(key), (gpointer)toolkit);
	x11_unlock_toolkits(x11);
}

const char *x11_toolkit(struct x11 *x11, const struct x11_sighting *sighting)
{
	const struct window *window = sighting->window;
	if (window->pid <= 0) {
		return sighting->hint;
	}
	/* A pid used again, by a process that got the same connection number too, is not expected. */
	char process[64];
	g_snprintf(process, sizeof process, "%x@%d", sighting->client, (int)window->pid);
	const char *toolkit = recall(x11, process);
	if (toolkit != NULL) {
		return toolkit;
	}
	g_autofree char *program = program_key(window);
	toolkit = program != NULL ? recall(x11, program) : NULL;
	if (toolkit == NULL) {
		toolkit = read_toolkit(window->pid);
		if (toolkit == NULL) {
			return sighting->hint;
		}
		if (program != NULL) {
			remember(x11, program, toolkit);
		}
	}
	remember(x11, process, toolkit);
	return toolkit;
}
