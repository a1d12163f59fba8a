/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/file.h"
#include "tools/tools.h"

#define MOST_BYTES (64 * 1024 * 1024)

static const struct param params[] = {
	{ "text", .type = PARAM_STRING, .about = "The text to be pasted." },
	{ "image_path", .type = PARAM_STRING, .path = PATH_FILE,
	  .about = "Instead of text: a picture file, offered in the format it has. A leading ~ is the home folder." },
	{ "file_path", .type = PARAM_STRING, .path = PATH_FILE,
	  .about = "Instead of text: a file or folder, to be pasted in a file manager. A leading ~ is the home folder." },
	{ NULL }
};

static void clip_free(gpointer data)
{
	struct clip *clip = data;
	g_free(clip->type);
	g_bytes_unref(clip->data);
	g_free(clip);
}

static void add(GPtrArray *clips, const char *type, GBytes *data)
{
	struct clip *clip = g_new0(struct clip, 1);
	*clip = (struct clip){ g_strdup(type), data };
	g_ptr_array_add(clips, clip);
}

static void add_string(GPtrArray *clips, const char *type, const char *text)
{
	add(clips, type, g_bytes_new(text, strlen(text)));
}

static char *expand(const char *path)
{
	g_autofree char *home = path[0] == '~' && (path[1] == '/' || path[1] == '\0')
		? g_build_filename(g_get_home_dir(), path + 1, NULL) : g_strdup(path);
	return g_canonicalize_filename(home, NULL);
}

static bool add_image(struct call *call, GPtrArray *clips, const char *given)
{
	g_autofree char *path = expand(given);
	g_autoptr(GError) error = NULL;
	gsize size;
	char *bytes = file_read(path, MOST_BYTES, &size, &error);
	if (bytes == NULL) {
		answer_fail(call->answer, ERROR_INVALID_ARGUMENTS,
			"image_path cannot be read: \"%s\"", error->message);
		return false;
	}
	g_autofree char *type = g_content_type_guess(path, (const guchar *)bytes, size, NULL);
	GBytes *data = g_bytes_new_take(bytes, size);
	if (!g_str_has_prefix(type, "image/")) {
		g_bytes_unref(data);
		answer_fail(call->answer, ERROR_INVALID_ARGUMENTS,
			"image_path \"%s\" is no picture but %s", path, type);
		return false;
	}
	add(clips, type, data);
	return true;
}

static bool add_file(struct call *call, GPtrArray *clips, const char *given)
{
	g_autofree char *path = expand(given);
	g_autofree char *uri = g_filename_to_uri(path, NULL, NULL);
	if (!g_file_test(path, G_FILE_TEST_EXISTS) || uri == NULL) {
		answer_fail(call->answer, ERROR_INVALID_ARGUMENTS,
			"file_path: there is no file \"%s\"", path);
		return false;
	}
	g_autofree char *list = g_strconcat(uri, "\r\n", NULL);
	/* What file managers of the GNOME family look for. */
	g_autofree char *copied = g_strconcat("copy\n", uri, NULL);
	add_string(clips, "text/uri-list", list);
	add_string(clips, "x-special/gnome-copied-files", copied);
	add_string(clips, CLIP_TEXT, path);
	return true;
}

static bool collect(struct call *call, GPtrArray *clips)
{
	const struct args *args = call->args;
	int given = args_has(args, "text") + args_has(args, "image_path") + args_has(args, "file_path");
	if (given != 1) {
		answer_fail(call->answer, ERROR_INVALID_ARGUMENTS, "Pass one of text, image_path and file_path");
		return false;
	}
	if (args_has(args, "text")) {
		add_string(clips, CLIP_TEXT, args_string(args, "text"));
		return true;
	}
	return args_has(args, "image_path") ? add_image(call, clips, args_string(args, "image_path"))
		: add_file(call, clips, args_string(args, "file_path"));
}

static void run(struct call *call)
{
	g_autoptr(GError) error = NULL;
	struct answer *answer = call->answer;
	g_autoptr(GPtrArray) clips = g_ptr_array_new_with_free_func(clip_free);
	if (!collect(call, clips)) {
		return;
	}
	if (!call->platform->impl->clip_write(call->platform, call->session, clips, call->deadline, &error)) {
		answer_fail_error(answer, error);
		return;
	}
	const struct clip *first = clips->pdata[0];
	const char *what = args_has(call->args, "text") ? "text" : args_has(call->args, "image_path") ? "image"
		: "file";
	answer_string(answer, "written", what);
	answer_string(answer, "type", first->type);
	answer_int(answer, "bytes", (gint64)g_bytes_get_size(first->data));
	answer_text(answer, "The clipboard holds this %s (%s, %" G_GSIZE_FORMAT " bytes) as long as this session lives and "
		"nobody copies anything else.\n", what, first->type, g_bytes_get_size(first->data));
}

const struct tool tool_clipboard_write = {
	.name = "clipboard_write", .title = "Write to the clipboard", .effect = TOOL_ACTS, .target = TARGET_DRIVER,
	.params = params, .run = run,
	.about = "Put a text, a picture or a file on the clipboard, to be pasted anywhere. Replaces what the user has "
		 "copied, so prefer type_text and set_value where they do. It stays as long as the session lives and "
		 "nobody copies anything else; no window is shown or focused.",
};
