/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "tools/tools.h"

/* An owner that does not answer must not take the whole call. */
#define OWNER_MS 2000
#define MOST_TEXT (1024 * 1024)
#define MOST_IMAGE (6 * 1024 * 1024)

static const struct param params[] = {
	{ "include_text", .type = PARAM_BOOL, .preset = "true",
	  .about = "Return the text itself, not only that there is some. At most 1 MiB of it." },
	{ "include_image", .type = PARAM_BOOL, .preset = "false", .about = "Return a PNG or JPEG that was copied." },
	{ NULL }
};

static bool has(const GPtrArray *types, const char *type)
{
	return g_ptr_array_find_with_equal_func((GPtrArray *)(gpointer)types, type, g_str_equal, NULL);
}

/* The first of them that is offered; NULL if none is. */
static const char *pick(const GPtrArray *types, const char *const *wanted)
{
	for (int i = 0; wanted[i] != NULL; i++) {
		if (has(types, wanted[i])) {
			return wanted[i];
		}
	}
	return NULL;
}

static GBytes *fetch(struct call *call, const char *type, gsize most)
{
	g_autoptr(GError) error = NULL;
	GBytes *bytes = call->platform->impl->clip_read(call->platform, type, most,
		deadline_within(call->deadline, OWNER_MS), &error);
	if (bytes == NULL) {
		answer_fail_error(call->answer, error);
	}
	return bytes;
}

static bool answer_text_of(struct call *call, const char *type)
{
	g_autoptr(GBytes) bytes = fetch(call, type, MOST_TEXT);
	if (bytes == NULL) {
		return false;
	}
	gsize size;
	const char *data = g_bytes_get_data(bytes, &size);
	bool cut = size > MOST_TEXT;
	size = MIN(size, MOST_TEXT);
	/* STRING is Latin-1, all others say UTF-8. */
	bool latin = strcmp(type, "STRING") == 0 && !g_utf8_validate(data, (gssize)size, NULL);
	g_autofree char *text = latin ? g_convert(data, (gssize)size, "UTF-8", "ISO-8859-1", NULL, NULL, NULL)
		: g_utf8_make_valid(data != NULL ? data : "", (gssize)size);
	answer_string(call->answer, "text", text != NULL ? text : "");
	answer_bool(call->answer, "text_cut", cut);
	answer_text(call->answer, "The clipboard holds this text%s, here in quotes: \"%.*s\"\n",
		cut ? ", of which the first MiB is" : "", MOST_TEXT, text != NULL ? text : "");
	return true;
}

static bool answer_files(struct call *call)
{
	g_autoptr(GBytes) bytes = fetch(call, "text/uri-list", MOST_TEXT);
	if (bytes == NULL) {
		return false;
	}
	g_autofree char *list = g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
	g_auto(GStrv) uris = g_uri_list_extract_uris(list != NULL ? list : "");
	answer_open_array(call->answer, "files");
	for (char **uri = uris; *uri != NULL; uri++) {
		g_autofree char *path = g_filename_from_uri(*uri, NULL, NULL);
		g_autofree char *said = g_utf8_make_valid(path != NULL ? path : *uri, -1);
		answer_string(call->answer, NULL, said);
		answer_text(call->answer, "A file was copied: \"%.4096s\"\n", said);
	}
	answer_close_array(call->answer);
	return true;
}

static bool answer_picture(struct call *call, const char *type)
{
	g_autoptr(GBytes) bytes = fetch(call, type, MOST_IMAGE);
	if (bytes == NULL) {
		return false;
	}
	if (g_bytes_get_size(bytes) > MOST_IMAGE) {
		answer_text(call->answer, "The picture is larger than 6 MiB and is not returned.\n");
	} else {
		answer_image(call->answer, bytes, type);
	}
	return true;
}

static void run(struct call *call)
{
	static const char *const texts[] = { "UTF8_STRING", CLIP_TEXT, "text/plain", "STRING", "TEXT", NULL };
	static const char *const images[] = { "image/png", "image/jpeg", NULL };
	g_autoptr(GError) error = NULL;
	struct answer *answer = call->answer;
	g_autoptr(GPtrArray) types = call->platform->impl->clip_types(call->platform,
		deadline_within(call->deadline, OWNER_MS), &error);
	if (types == NULL) {
		answer_fail_error(answer, error);
		return;
	}
	const char *text = pick(types, texts), *image = pick(types, images);
	bool secret = has(types, "x-kde-passwordManagerHint"), files = has(types, "text/uri-list");
	if ((text != NULL && !secret && args_bool(call->args, "include_text") && !answer_text_of(call, text))
		|| (files && !answer_files(call))
		|| (image != NULL && args_bool(call->args, "include_image") && !answer_picture(call, image))) {
		return;
	}
	answer_bool(answer, "has_text", text != NULL);
	answer_bool(answer, "has_image", image != NULL);
	answer_bool(answer, "has_files", files);
	answer_bool(answer, "secret", secret);
	answer_open_array(answer, "types");
	for (guint i = 0; i < types->len; i++) {
		answer_string(answer, NULL, types->pdata[i]);
	}
	answer_close_array(answer);
	if (types->len == 0) {
		answer_text(answer, "The clipboard is empty.\n");
	} else if (secret) {
		answer_text(answer, "The clipboard holds a secret of a password manager, which is withheld.\n");
	} else if (text != NULL && !args_bool(call->args, "include_text")) {
		answer_text(answer, "The clipboard holds text; include_text returns it.\n");
	} else if (text == NULL && !files) {
		answer_text(answer, image != NULL ? "The clipboard holds a picture; include_image returns it.\n"
			: "The clipboard holds neither text nor files nor a picture; types lists what it has.\n");
	}
}

const struct tool tool_clipboard_read = {
	.name = "clipboard_read", .title = "Read the clipboard", .effect = TOOL_READS, .target = TARGET_DRIVER,
	.params = params, .run = run,
	.about = "What the user or an application has copied: text, files (paths), or a picture, and the types it is "
		 "offered in. What a password manager marks as secret is withheld.",
};
