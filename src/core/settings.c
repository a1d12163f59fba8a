/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <jansson.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/file.h"
#include "core/folder.h"
#include "core/nearest.h"
#include "core/tool.h"

#define FILE_NAME "config.json"
/* Of the file. */
#define MOST_BYTES (256 * 1024)

const struct param settings_table[] = { PARAMS_SETTINGS, { NULL } };

struct settings {
	GMutex mutex;
	char *folder, *path;
	json_t *values;          /* what the file says, settings of other versions included */
	char *problem;
	struct stat seen;        /* of the file when it was read; st_ino 0: there was none */
};

const struct param *settings_find(const char *name)
{
	for (const struct param *setting = settings_table; setting->name != NULL; setting++) {
		if (strcmp(setting->name, name) == 0) {
			return setting;
		}
	}
	return NULL;
}

const char *settings_nearest(const char *name)
{
	const char *nearest = NULL;
	int best = G_MAXINT;
	for (const struct param *setting = settings_table; setting->name != NULL; setting++) {
		int distance = nearest_better(name, setting->name, best);
		if (distance >= 0) {
			best = distance;
			nearest = setting->name;
		}
	}
	return nearest;
}

/* --- One value ------------------------------------------------------------------------------- */

static bool is_value(const struct param *setting, const char *text)
{
	char *end;
	gint64 number;
	switch (setting->type) {
	case PARAM_BOOL:
		return strcmp(text, "true") == 0 || strcmp(text, "false") == 0;
	case PARAM_INT:
		number = g_ascii_strtoll(text, &end, 10);
		return *text != '\0' && *end == '\0' && number >= setting->min && number <= setting->max;
	case PARAM_ENUM: {
		g_auto(GStrv) words = g_strsplit(setting->values, "|", -1);
		return g_strv_contains((const char *const *)words, text);
	}
	default:
		return true;
	}
}

bool settings_check(const struct param *setting, const char *text, GError **error)
{
	if (is_value(setting, text)) {
		return true;
	}
	g_autofree char *accepts = param_accepts(setting);
	error_set(error, ERROR_INVALID_ARGUMENTS, "%s takes %s, not %.60s", setting->name,
		accepts, text);
	return false;
}

static json_t *to_json(const struct param *setting, const char *text)
{
	switch (setting->type) {
	case PARAM_BOOL:
		return json_boolean(strcmp(text, "true") == 0);
	case PARAM_INT:
		return json_integer(g_ascii_strtoll(text, NULL, 10));
	default:
		return json_string(text);
	}
}

/* NULL if it is not of the setting's type, or no value it takes. */
static char *from_json(const struct param *setting, json_t *json)
{
	g_autofree char *text = NULL;
	if (json_is_boolean(json) && setting->type == PARAM_BOOL) {
		text = g_strdup(json_is_true(json) ? "true" : "false");
	} else if (json_is_integer(json) && setting->type == PARAM_INT) {
		text = g_strdup_printf("%" JSON_INTEGER_FORMAT, json_integer_value(json));
	} else if (json_is_string(json) && setting->type != PARAM_BOOL && setting->type != PARAM_INT) {
		text = g_strdup(json_string_value(json));
	}
	return text != NULL && is_value(setting, text) ? g_steal_pointer(&text) : NULL;
}

static char *preset_text(const struct param *setting)
{
	const char *preset = setting->preset;
	gsize length = preset != NULL ? strlen(preset) : 0;
	return preset == NULL ? NULL : preset[0] == '"' ? g_strndup(preset + 1, length - 2)
		: g_strdup(preset);
}

/* --- The file --------------------------------------------------------------------------------- */

/* Keeps a file nobody can read aside, so that nothing of it is lost by the next write. */
static void put_aside(struct settings *settings, const char *why)
{
	/* A link stays: the file it leads to goes aside. */
	g_autofree char *target = file_target(settings->path);
	g_autofree char *aside = g_strconcat(target, ".bad", NULL);
	if (g_rename(target, aside) == 0) {
		settings->problem = g_strdup_printf("%s is damaged (%s); it is kept as %s and defaults are used",
			settings->path, why, aside);
	} else {
		settings->problem = g_strdup_printf("%s is damaged (%s) and cannot be moved aside (%s); defaults "
			"are used", settings->path, why, g_strerror(errno));
	}
}

/* The first value in the file that means nothing; it is left out, and said. */
static void check_values(struct settings *settings)
{
	for (const struct param *setting = settings_table; setting->name != NULL; setting++) {
		json_t *json = json_object_get(settings->values, setting->name);
		g_autofree char *text = json != NULL ? from_json(setting, json) : NULL;
		if (json != NULL && text == NULL && settings->problem == NULL) {
			g_autofree char *accepts = param_accepts(setting);
			settings->problem = g_strdup_printf("%s: %s takes %s; its default is used",
				settings->path, setting->name, accepts);
		}
	}
}

static void read_file(struct settings *settings)
{
	g_autofree char *text = NULL;
	g_autoptr(GError) error = NULL;
	gsize length;
	json_decref(settings->values);
	settings->values = NULL;
	g_clear_pointer(&settings->problem, g_free);
	memset(&settings->seen, 0, sizeof settings->seen);
	text = file_read(settings->path, MOST_BYTES, &length, &error);
	if (text == NULL) {
		if (!g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_NOENT)
			&& !g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_NOTDIR)) {
			settings->problem = g_strdup_printf("The settings cannot be read (%s); defaults are used",
				error->message);
		}
		return;
	}
	json_error_t why;
	settings->values = json_loadb(text, length, JSON_REJECT_DUPLICATES, &why);
	if (!json_is_object(settings->values)) {
		put_aside(settings, settings->values != NULL ? "not an object" : why.text);
		json_decref(settings->values);
		settings->values = NULL;
		return;
	}
	if (stat(settings->path, &settings->seen) < 0) {
		settings->seen.st_ino = 0;
	}
	check_values(settings);
}

/* Other processes (`cua-driver config set`) write it, too: a changed file is read again. */
static void refresh(struct settings *settings)
{
	struct stat now;
	if (stat(settings->path, &now) < 0) {
		now.st_ino = 0;
	}
	bool same = now.st_ino == settings->seen.st_ino && (now.st_ino == 0
		|| (now.st_mtim.tv_sec == settings->seen.st_mtim.tv_sec
			&& now.st_mtim.tv_nsec == settings->seen.st_mtim.tv_nsec
			&& now.st_size == settings->seen.st_size));
	/* A damaged file was moved away: that it is missing now is no news. */
	if (!same) {
		read_file(settings);
	}
}

static bool fail_write(GError **error, const struct settings *settings, const char *what)
{
	error_set(error, ERROR_FILE_NOT_WRITTEN,
		"The setting was not saved: %s %s: %s. Nothing was changed", what, settings->path,
		g_strerror(errno));
	return false;
}

static bool write_all(int fd, const char *text, gsize length)
{
	while (length > 0) {
		ssize_t done = write(fd, text, length);
		if (done < 0 && errno != EINTR) {
			return false;
		}
		text += MAX(done, 0);
		length -= (gsize)MAX(done, 0);
	}
	return true;
}

/* A new file beside the old one, or beside what a link leads to, on the disk before it takes its
 * name: a crash leaves one or the other. */
static bool replace_file(struct settings *settings, json_t *values, GError **error)
{
	/* Only who holds the lock writes: what a killed writer left is written over. */
	g_autofree char *target = file_target(settings->path), *below = g_path_get_dirname(target);
	g_autofree char *fresh = g_strconcat(target, ".new", NULL);
	char *text = json_dumps(values, JSON_INDENT(2) | JSON_SORT_KEYS);
	int fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	bool ok = fd >= 0 && write_all(fd, text, strlen(text)) && write_all(fd, "\n", 1) && fsync(fd) == 0;
	int saved = errno;
	free(text);
	if (fd >= 0 && close(fd) < 0 && ok) {
		ok = false;
		saved = errno;
	}
	errno = saved;
	if (!ok || g_rename(fresh, target) < 0) {
		fail_write(error, settings, "writing");
		g_unlink(fresh);
		return false;
	}
	int folder = open(below, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder >= 0) {
		fsync(folder);
		close(folder);
	}
	return true;
}

/* Writers take turns: otherwise one would undo what the other wrote between its reading and writing. */
static int lock_folder(struct settings *settings, GError **error)
{
	g_autofree char *path = g_build_filename(settings->folder, FILE_NAME ".lock", NULL);
	int fd = -1;
	if (g_mkdir_with_parents(settings->folder, 0700) < 0
		|| (fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) < 0) {
		fail_write(error, settings, "opening the folder of");
		return -1;
	}
	/* The holder only writes a small file; it dies with its process. */
	while (flock(fd, LOCK_EX) < 0) {
		if (errno != EINTR) {
			fail_write(error, settings, "locking");
			close(fd);
			return -1;
		}
	}
	return fd;
}

/* `setting` NULL: all of them. Under the mutex. */
static bool change(struct settings *settings, const struct param *setting, const char *text,
	GError **error)
{
	int lock = lock_folder(settings, error);
	if (lock < 0) {
		return false;
	}
	read_file(settings);
	bool ok = true;
	if (settings->values == NULL && g_file_test(settings->path, G_FILE_TEST_EXISTS)) {
		/* It is there and cannot be read: writing would lose what is in it. */
		error_set(error, ERROR_FILE_NOT_WRITTEN, "The setting was not saved: %s",
			settings->problem);
		ok = false;
	} else {
		json_t *values = settings->values != NULL && setting != NULL
			? json_copy(settings->values) : json_object();
		if (setting != NULL && text != NULL) {
			json_object_set_new(values, setting->name, to_json(setting, text));
		} else if (setting != NULL) {
			json_object_del(values, setting->name);
		}
		ok = replace_file(settings, values, error);
		json_decref(values);
		if (ok) {
			g_clear_pointer(&settings->problem, g_free);
			read_file(settings);
		}
	}
	close(lock);
	return ok;
}

/* --- The store -------------------------------------------------------------------------------- */

struct settings *settings_new(const char *folder)
{
	struct settings *settings = g_new0(struct settings, 1);
	g_mutex_init(&settings->mutex);
	settings->folder = folder != NULL ? g_strdup(folder) : folder_home();
	settings->path = g_build_filename(settings->folder, FILE_NAME, NULL);
	read_file(settings);
	return settings;
}

void settings_free(struct settings *settings)
{
	json_decref(settings->values);
	g_free(settings->folder);
	g_free(settings->path);
	g_free(settings->problem);
	g_mutex_clear(&settings->mutex);
	g_free(settings);
}

const char *settings_path(const struct settings *settings)
{
	return settings->path;
}

char *settings_problem(struct settings *settings)
{
	g_mutex_lock(&settings->mutex);
	refresh(settings);
	char *problem = g_strdup(settings->problem);
	g_mutex_unlock(&settings->mutex);
	return problem;
}

char *settings_get(struct settings *settings, struct session *session, const char *name)
{
	const struct param *setting = settings_find(name);
	char *text = session != NULL ? session_override(session, name) : NULL;
	if (text == NULL) {
		g_mutex_lock(&settings->mutex);
		refresh(settings);
		json_t *json = json_object_get(settings->values, name);
		text = json != NULL ? from_json(setting, json) : NULL;
		g_mutex_unlock(&settings->mutex);
	}
	return text != NULL ? text : preset_text(setting);
}

gint64 settings_int(struct settings *settings, struct session *session, const char *name)
{
	g_autofree char *text = settings_get(settings, session, name);
	return g_ascii_strtoll(text, NULL, 10);
}

bool settings_write(struct settings *settings, const struct param *setting, const char *text,
	GError **error)
{
	if (text != NULL && !settings_check(setting, text, error)) {
		return false;
	}
	g_mutex_lock(&settings->mutex);
	bool ok = change(settings, setting, text, error);
	g_mutex_unlock(&settings->mutex);
	return ok;
}

bool settings_reset(struct settings *settings, GError **error)
{
	g_mutex_lock(&settings->mutex);
	bool ok = change(settings, NULL, NULL, error);
	g_mutex_unlock(&settings->mutex);
	return ok;
}
