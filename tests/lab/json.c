/* SPDX-License-Identifier: MIT */
/* Looking into answers. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

json_t *lab_get(const json_t *json, const char *path)
{
	g_auto(GStrv) steps = g_strsplit(path, "/", -1);
	json_t *at = (json_t *)(uintptr_t)json;

	for (int i = 0; at && steps[i]; i++) {
		at = json_is_array(at) ? json_array_get(at, (size_t)atoi(steps[i])) :
			json_object_get(at, steps[i]);
	}
	return at;
}

char *lab_json(const json_t *json)
{
	char *text = json_dumps(json, JSON_COMPACT | JSON_ENCODE_ANY);

	if (text && strlen(text) > 600) {
		strcpy(text + 596, " …");
	}
	return text ? text : g_strdup("(nothing)");
}

char *lab_quote(const char *text)
{
	json_t *string = json_string(text);
	char *quoted = json_dumps(string, JSON_ENCODE_ANY);

	json_decref(string);
	return quoted;
}

static json_t *expect(const json_t *json, const char *path, json_type type, const char *type_name)
{
	json_t *value = lab_get(json, path);

	if (!value || json_typeof(value) != type) {
		lab_fail("%s is not %s in %s", path, type_name, lab_json(json));
	}
	return value;
}

json_int_t lab_int(const json_t *json, const char *path)
{
	return json_integer_value(expect(json, path, JSON_INTEGER, "an integer"));
}

const char *lab_str(const json_t *json, const char *path)
{
	return json_string_value(expect(json, path, JSON_STRING, "a string"));
}

bool lab_bool(const json_t *json, const char *path)
{
	json_t *value = lab_get(json, path);

	if (!json_is_boolean(value)) {
		lab_fail("%s is not a boolean in %s", path, lab_json(json));
	}
	return json_is_true(value);
}

json_t *lab_array(const json_t *json, const char *path)
{
	return expect(json, path, JSON_ARRAY, "an array");
}

json_t *lab_object(const json_t *json, const char *path)
{
	return expect(json, path, JSON_OBJECT, "an object");
}

json_t *lab_pick_int(const json_t *array, const char *member, json_int_t value)
{
	size_t i;
	json_t *item;

	json_array_foreach(array, i, item) {
		json_t *is = json_object_get(item, member);

		if (json_is_integer(is) && json_integer_value(is) == value) {
			return item;
		}
	}
	return NULL;
}

json_t *lab_pick_str(const json_t *array, const char *member, const char *value)
{
	size_t i;
	json_t *item;

	json_array_foreach(array, i, item) {
		if (g_strcmp0(json_string_value(json_object_get(item, member)), value) == 0) {
			return item;
		}
	}
	return NULL;
}

bool lab_is_role(const char *role, const char *wanted)
{
	g_auto(GStrv) names = g_strsplit(wanted, "|", -1);

	return g_strv_contains((const char *const *)names, role);
}

json_t *lab_element(const json_t *state, const char *role, const char *label)
{
	size_t i;
	json_t *element;

	json_array_foreach(lab_array(state, "elements"), i, element) {
		if ((!role || lab_is_role(lab_str(element, "role"), role)) &&
			g_strcmp0(json_string_value(json_object_get(element, "label")), label) == 0) {
			return element;
		}
	}
	lab_fail("no %s \"%s\" in %s", role ? role : "element", label, lab_json(state));
}

bool lab_array_has(const json_t *array, const char *text)
{
	size_t i;
	json_t *item;

	json_array_foreach(array, i, item) {
		if (g_strcmp0(json_string_value(item), text) == 0) {
			return true;
		}
	}
	return false;
}
