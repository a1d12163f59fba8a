/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/args.h"

#include <string.h>

#include "core/nearest.h"

struct value {
	const struct param *param;
	bool given;
	union {         /* by the type of the param */
		gint64 integer; /* also the truth value */
		char *string;
		char **strings;
		GPtrArray *objects; /* struct args; of PARAM_OBJECT exactly one */
	};
};

struct args {
	guint count;
	struct value values[]; /* in the order of the table */
};

static void value_clear(struct value *value)
{
	switch (value->param->type) {
	case PARAM_BOOL:
	case PARAM_INT:
		break;
	case PARAM_STRING:
	case PARAM_ENUM:
	case PARAM_SCALAR:
		g_free(value->string);
		break;
	case PARAM_STRINGS:
		g_strfreev(value->strings);
		break;
	case PARAM_OBJECT:
	case PARAM_OBJECTS:
		g_clear_pointer(&value->objects, g_ptr_array_unref);
		break;
	}
}

static struct value preset_of(const struct param *param)
{
	struct value value = { .param = param };
	if (param->preset != NULL) {
		switch (param->type) {
		case PARAM_BOOL:
			value.integer = strcmp(param->preset, "true") == 0;
			break;
		case PARAM_INT:
			value.integer = g_ascii_strtoll(param->preset, NULL, 10);
			break;
		case PARAM_STRING:
		case PARAM_ENUM: /* a plain word in quotes */
			value.string = g_strndup(param->preset + 1, strlen(param->preset) - 2);
			break;
		case PARAM_SCALAR:
		case PARAM_STRINGS:
		case PARAM_OBJECT:
		case PARAM_OBJECTS:
			g_assert_not_reached(); /* what is not simple has no preset */
		}
	}
	return value;
}

static struct value *find(const struct args *args, const char *name)
{
	for (guint i = 0; i < args->count; i++) {
		const char *known = args->values[i].param->name;
		/* Asked for so often that the calls of strcmp() count. */
		if (known[0] == name[0] && strcmp(known, name) == 0) {
			return (struct value *)&args->values[i];
		}
	}
	return NULL;
}

/* What the caller sent, short enough for a message. */
static char *given_text(const struct datum *given)
{
	if (given->source_length <= 60) {
		return g_strndup(given->source, given->source_length);
	}
	const char *end = given->source + 57;
	/* Not within a character. */
	while ((*end & 0xc0) == 0x80) {
		end--;
	}
	return g_strdup_printf("%.*s...", (int)(end - given->source), given->source);
}

static void refuse(struct answer *answer, const struct param *param, const struct datum *given)
{
	g_autofree char *accepts = param_accepts(param);
	if (given == NULL) {
		answer_fail(answer, ERROR_INVALID_ARGUMENTS, "%s is missing: it takes %s", param->name,
			accepts);
	} else {
		g_autofree char *text = given_text(given);
		answer_fail(answer, ERROR_INVALID_ARGUMENTS, "%s takes %s, not %s", param->name, accepts,
			text);
		answer_string(answer, "given", text);
	}
	answer_string(answer, "argument", param->name);
	answer_string(answer, "accepted", accepts);
}

/* `owner`: the tool, or the argument that is an object. */
static void refuse_unknown(struct answer *answer, const char *owner, const struct args *args,
	const char *name)
{
	const char *nearest = NULL;
	int best = G_MAXINT;
	g_autoptr(GString) known = g_string_new(NULL);
	for (guint i = 0; i < args->count; i++) {
		const char *candidate = args->values[i].param->name;
		int distance = nearest_better(name, candidate, best);
		if (distance >= 0) {
			best = distance;
			nearest = candidate;
		}
		g_string_append_printf(known, "%s%s", i > 0 ? ", " : "", candidate);
	}
	g_autofree char *shown = g_strndup(name, 60);
	if (nearest != NULL) {
		answer_fail(answer, ERROR_INVALID_ARGUMENTS,
			"%s has no argument \"%s\"; did you mean \"%s\"?", owner, shown, nearest);
		answer_string(answer, "nearest", nearest);
	} else {
		answer_fail(answer, ERROR_INVALID_ARGUMENTS,
			"%s has no argument \"%s\"; it takes %s", owner, shown, known->str);
	}
	answer_string(answer, "argument", shown);
	answer_string(answer, "accepted", known->str);
}

static bool take_int(struct value *value, const struct datum *given)
{
	const struct param *param = value->param;
	return datum_whole(given, &value->integer) && value->integer >= param->min
		&& (param->max == 0 || value->integer <= param->max);
}

static bool take_string(struct value *value, const struct datum *given)
{
	/* A C string cannot hold U+0000, and no argument needs one. */
	const char *text = datum_string(given);
	if (text == NULL) {
		return false;
	}
	g_free(value->string);
	value->string = g_strdup(text);
	if (value->param->type == PARAM_ENUM) {
		g_auto(GStrv) words = g_strsplit(value->param->values, "|", -1);
		return g_strv_contains((const char *const *)words, value->string);
	}
	return true;
}

/* As it is written. */
static bool take_scalar(struct value *value, const struct datum *given)
{
	switch (given->kind) {
	case DATUM_STRING:
		return take_string(value, given);
	case DATUM_BOOL:
	case DATUM_INT:
	case DATUM_REAL:
		g_free(value->string);
		value->string = g_strndup(given->source, given->source_length);
		return true;
	default:
		return false;
	}
}

static bool take_strings(struct value *value, const struct datum *given)
{
	if (!datum_is(given, DATUM_ARRAY)) {
		return false;
	}
	g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
	for (const struct datum *item = given->first; item != NULL; item = item->next) {
		if (datum_string(item) == NULL) {
			return false;
		}
		g_strv_builder_add(builder, datum_string(item));
	}
	g_strfreev(value->strings);
	value->strings = g_strv_builder_end(builder);
	return true;
}

static struct args *parse(const char *owner, const struct param *fields, bool of_tool,
	const struct datum *object, struct answer *answer);

/* False without a failed answer if it is no object at all. */
static bool take_object(struct value *value, const struct datum *given, struct answer *answer)
{
	struct args *fields = datum_is(given, DATUM_OBJECT)
		? parse(value->param->name, value->param->fields, false, given, answer) : NULL;
	if (fields == NULL) {
		return false;
	}
	if (value->objects == NULL) {
		value->objects = g_ptr_array_new_with_free_func((GDestroyNotify)args_free);
	}
	g_ptr_array_add(value->objects, fields);
	return true;
}

static bool take_objects(struct value *value, const struct datum *given, struct answer *answer)
{
	value->objects = g_ptr_array_new_with_free_func((GDestroyNotify)args_free);
	bool taken = datum_is(given, DATUM_ARRAY);
	for (const struct datum *item = taken ? given->first : NULL; taken && item != NULL; item = item->next) {
		taken = take_object(value, item, answer);
	}
	return taken;
}

static bool take(struct value *value, const struct datum *given, struct answer *answer)
{
	value->given = true;
	switch (value->param->type) {
	case PARAM_SCALAR:
		return take_scalar(value, given);
	case PARAM_STRINGS:
		return take_strings(value, given);
	case PARAM_OBJECT:
		return take_object(value, given, answer);
	case PARAM_OBJECTS:
		return take_objects(value, given, answer);
	case PARAM_BOOL:
		value->integer = datum_is_true(given);
		return datum_is(given, DATUM_BOOL);
	case PARAM_INT:
		return take_int(value, given);
	case PARAM_STRING:
	case PARAM_ENUM:
		return take_string(value, given);
	}
	return false;
}

static bool fill(struct args *args, const char *owner, const struct datum *object, struct answer *answer)
{
	for (const struct datum *given = datum_is(object, DATUM_OBJECT) ? object->first : NULL; given != NULL;
		given = given->next) {
		const char *name = given->name;
		if (name[0] == '_') {
			continue; /* reserved for the driver */
		}
		struct value *value = find(args, name);
		if (value == NULL) {
			refuse_unknown(answer, owner, args, name);
			return false;
		}
		/* Many clients send null for what they leave out. */
		if (!datum_is(given, DATUM_NULL) && !take(value, given, answer)) {
			/* An object has already said which of its fields is wrong. */
			if (!answer_failed(answer)) {
				refuse(answer, value->param, given);
			}
			return false;
		}
	}
	for (guint i = 0; i < args->count; i++) {
		const struct value *value = &args->values[i];
		if (value->param->required && !value->given) {
			refuse(answer, value->param, NULL);
			return false;
		}
	}
	return true;
}

static struct args *parse(const char *owner, const struct param *fields, bool of_tool,
	const struct datum *object, struct answer *answer)
{
	guint count = 0;
	while (fields != NULL && fields[count].name != NULL) {
		count++;
	}
	struct args *args = g_malloc(sizeof *args + (count + 1) * sizeof(struct value));
	for (args->count = 0; args->count < count; args->count++) {
		args->values[args->count] = preset_of(&fields[args->count]);
	}
	if (of_tool) {
		args->values[args->count++] = preset_of(&param_session);
	}
	if (!fill(args, owner, object, answer)) {
		args_free(args);
		return NULL;
	}
	return args;
}

struct args *args_parse(const struct tool *tool, const struct datum *object, struct answer *answer)
{
	return parse(tool->name, tool->params, true, object, answer);
}

void args_free(struct args *args)
{
	if (args == NULL) {
		return;
	}
	for (guint i = 0; i < args->count; i++) {
		value_clear(&args->values[i]);
	}
	g_free(args);
}

static const struct value *expect(const struct args *args, const char *name)
{
	const struct value *value = find(args, name);
	g_assert(value != NULL);
	return value;
}

bool args_knows(const struct args *args, const char *name)
{
	return find(args, name) != NULL;
}

bool args_has(const struct args *args, const char *name)
{
	return expect(args, name)->given;
}

bool args_given(const struct args *args, const char *name)
{
	const struct value *value = find(args, name);
	return value != NULL && value->given;
}

gint64 args_int(const struct args *args, const char *name)
{
	const struct value *value = expect(args, name);
	g_assert(value->param->type == PARAM_INT);
	return value->integer;
}

bool args_bool(const struct args *args, const char *name)
{
	const struct value *value = expect(args, name);
	g_assert(value->param->type == PARAM_BOOL);
	return value->integer != 0;
}

const char *args_string(const struct args *args, const char *name)
{
	const struct value *value = expect(args, name);
	g_assert(value->param->type == PARAM_STRING || value->param->type == PARAM_ENUM
		|| value->param->type == PARAM_SCALAR);
	return value->string;
}

const char *const *args_strings(const struct args *args, const char *name)
{
	const struct value *value = expect(args, name);
	g_assert(value->param->type == PARAM_STRINGS);
	return (const char *const *)value->strings;
}

const struct args *args_object(const struct args *args, const char *name)
{
	const struct value *value = expect(args, name);
	g_assert(value->param->type == PARAM_OBJECT);
	return value->objects != NULL ? value->objects->pdata[0] : NULL;
}

const GPtrArray *args_objects(const struct args *args, const char *name)
{
	const struct value *value = expect(args, name);
	g_assert(value->param->type == PARAM_OBJECTS);
	return value->objects;
}

/* --- Paths ------------------------------------------------------------------------------------ */

static bool is_relative(const struct param *param, const char *text)
{
	g_autofree char *scheme = param->type == PARAM_STRINGS ? g_uri_parse_scheme(text) : NULL;
	return text[0] != '/' && text[0] != '~' && text[0] != '\0' && scheme == NULL
		&& (param->path != PATH_PROGRAM || strchr(text, '/') != NULL);
}

static bool resolve(
	const struct param *param, char **text, const char *folder, struct answer *answer)
{
	if (!is_relative(param, *text)) {
		return true;
	}
	if (folder == NULL) {
		answer_fail(answer, ERROR_INVALID_ARGUMENTS,
			"%s must be an absolute path: the caller's folder is not known",
			param->name);
		answer_string(answer, "argument", param->name);
		return false;
	}
	char *absolute = g_canonicalize_filename(*text, folder);
	if (param->type == PARAM_STRINGS && !g_file_test(absolute, G_FILE_TEST_EXISTS)) {
		/* Neither a URL nor a file: the tool says so. */
		g_free(absolute);
		return true;
	}
	g_free(*text);
	*text = absolute;
	return true;
}

bool args_resolve(struct args *args, const char *folder, struct answer *answer)
{
	bool good = true;
	for (guint i = 0; i < args->count && good; i++) {
		struct value *value = &args->values[i];
		if (value->param->path == PATH_NONE || !value->given) {
			continue;
		}
		if (value->param->type == PARAM_STRING) {
			good = value->string == NULL
				|| resolve(value->param, &value->string, folder, answer);
			continue;
		}
		for (char **text = value->strings; good && text != NULL && *text != NULL; text++) {
			good = resolve(value->param, text, folder, answer);
		}
	}
	return good;
}
