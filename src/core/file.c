/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

/* As many as the kernel follows. */
#define MOST_LINKS 40

static void fail(GError **error, const char *path, int reason)
{
	g_set_error(error, G_FILE_ERROR, (int)g_file_error_from_errno(reason), "%s: %s", path,
		g_strerror(reason));
}

static bool is_fit(const char *path, const struct stat *info, gsize most, GError **error)
{
	if (!S_ISREG(info->st_mode)) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s is no regular file", path);
		return false;
	}
	if ((guint64)info->st_size > most) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOSPC,
			"%s is larger than %" G_GSIZE_FORMAT " bytes", path, most);
		return false;
	}
	return true;
}

/* As much as there is, and one byte more than allowed if there is more. */
static char *read_all(int fd, gsize most, gsize *length)
{
	GByteArray *bytes = g_byte_array_new();
	guint8 buffer[16384];
	ssize_t got = 1;
	while (got != 0 && bytes->len <= most) {
		got = read(fd, buffer, MIN(sizeof buffer, most + 1 - bytes->len));
		if (got < 0 && errno != EINTR) {
			int reason = errno;
			g_byte_array_unref(bytes);
			errno = reason;
			return NULL;
		}
		g_byte_array_append(bytes, buffer, (guint)MAX(got, 0));
	}
	*length = bytes->len;
	g_byte_array_append(bytes, (const guint8 *)"", 1);
	return (char *)g_byte_array_free(bytes, FALSE);
}

char *file_read(const char *path, gsize most, gsize *length, GError **error)
{
	struct stat info;
	/* Looked at before it is opened: to open a pipe or a device may already do something. */
	if (stat(path, &info) < 0) {
		fail(error, path, errno);
		return NULL;
	}
	if (!is_fit(path, &info, most, error)) {
		return NULL;
	}
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 || fstat(fd, &info) < 0) {
		fail(error, path, errno);
		if (fd >= 0) {
			close(fd);
		}
		return NULL;
	}
	char *text = NULL;
	gsize size = 0;
	if (is_fit(path, &info, most, error)) {
		text = read_all(fd, most, &size);
		if (text == NULL) {
			fail(error, path, errno);
		} else if (size > most) {
			/* It grew, or says that it is empty, as files of /proc do. */
			info.st_size = (off_t)size;
			is_fit(path, &info, most, error);
			g_clear_pointer(&text, g_free);
		}
	}
	close(fd);
	if (length != NULL) {
		*length = size;
	}
	return text;
}

char *file_target(const char *path)
{
	char *target = g_strdup(path);
	for (int i = 0; i < MOST_LINKS; i++) {
		g_autofree char *link = g_file_read_link(target, NULL);
		if (link == NULL) {
			break;
		}
		g_autofree char *folder = g_path_get_dirname(target);
		g_free(target);
		target = g_canonicalize_filename(link, folder);
	}
	return target;
}
