/* SPDX-License-Identifier: MIT */
#include "model.h"

#include <glib.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fault.h"
#include "journal.h"

#define EXIT_USAGE 64
#define HANG_US (3 * G_USEC_PER_SEC)

/* In the order of enum control, and checked against the file: an id out of place fails at once. */
static const char *const ids[CONTROL_COUNT] = {
	[CONTROL_AGREE] = "chk-agree",
	[CONTROL_TARGET] = "btn-target",
	[CONTROL_SLIDER] = "sld-value",
	[CONTROL_SCROLL] = "scroll-tall",
	[CONTROL_INPUT] = "txt-input",
	[CONTROL_CONTEXT] = "btn-context",
	[CONTROL_COUNTER] = "btn-counter",
	[CONTROL_MODAL] = "btn-modal",
	[CONTROL_POPUP] = "btn-popup",
	[CONTROL_MENU_BAR] = "mnu-bar",
	[CONTROL_CHOICE] = "cmb-choice",
	[CONTROL_LIST] = "lst-items",
	[CONTROL_TREE] = "tree-nodes",
	[CONTROL_PASSWORD] = "txt-password",
	[CONTROL_SECOND] = "btn-second",
	[CONTROL_CHILD] = "win-child",
};

struct label {
	char *name;
	char *value;
	char *text;
};

struct change {
	enum control control;
	int label;
	char *value; /* NULL: one more than it is when the change is applied */
};

static const struct toolkit *toolkit;
static json_t *scenarios;
static GArray *labels;      /* of struct label */
static GHashTable *lists;   /* of const char **, by the name they were asked for */
static GHashTable *titles;
static gboolean colours;
static gboolean decoys;
static char *title_suffix;
static gboolean acting;     /* inside a fault: what it changes has no fault of its own */

static G_GNUC_NORETURN G_GNUC_PRINTF(1, 2) void usage(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fprintf(stderr, "harness: ");
	vfprintf(stderr, format, args);
	fprintf(stderr, "\n");
	va_end(args);
	exit(EXIT_USAGE);
}

static struct label *label_at(int label)
{
	return &g_array_index(labels, struct label, label);
}

static int label_index(const char *name)
{
	for (guint i = 0; i < labels->len; i++) {
		if (strcmp(label_at((int)i)->name, name) == 0) {
			return (int)i;
		}
	}
	g_error("no label %s in scenarios.json", name);
}

static void load(const char *file)
{
	json_error_t error;
	const char *name;
	json_t *value;

	scenarios = json_load_file(file, 0, &error);
	if (!scenarios) {
		usage("%s:%d: %s", file, error.line, error.text);
	}
	for (int i = 0; i < CONTROL_COUNT; i++) {
		const char *id = model_id((enum control)i);

		if (!id || strcmp(id, ids[i]) != 0) {
			usage("%s: control %d is not %s", file, i, ids[i]);
		}
	}
	labels = g_array_new(FALSE, TRUE, sizeof(struct label));
	json_object_foreach (json_object_get(scenarios, "labels"), name, value) {
		struct label label = {
			.name = g_strdup(name),
			.value = g_strdup(json_string_value(value)),
			.text = g_strdup_printf("%s=%s", name, json_string_value(value)),
		};

		g_array_append_val(labels, label);
	}
	lists = g_hash_table_new(g_str_hash, g_str_equal);
	titles = g_hash_table_new(g_str_hash, g_str_equal);
}

static gint64 number_of(const char *option, const char *value, gint64 max)
{
	gint64 number;

	if (!g_ascii_string_to_signed(value, 10, 0, max, &number, NULL)) {
		usage("%s wants a number, not %s", option, value);
	}
	return number;
}

/* The value of --option VALUE or --option=VALUE at *at, which is moved past it, or NULL. */
static const char *option_value(const char *option, int argc, char **argv, int *at)
{
	size_t length = strlen(option);

	if (strncmp(argv[*at], option, length) != 0) {
		return NULL;
	}
	if (argv[*at][length] == '=') {
		return argv[*at] + length + 1;
	}
	if (argv[*at][length] != '\0') {
		return NULL;
	}
	if (*at + 1 >= argc) {
		usage("%s wants a value", option);
	}
	*at += 1;
	return argv[*at];
}

void model_init(int *argc, char **argv, const struct toolkit *the_toolkit)
{
	const char *source = g_getenv("CUA_SRCDIR");
	g_autofree char *file =
		g_build_filename(source ? source : ".", "tests", "shared", "scenarios.json", NULL);
	const char *seed = NULL;
	int fd = -1;
	int kept = 1;

	toolkit = the_toolkit;
	for (int i = 1; i < *argc; i++) {
		const char *value;

		if (strcmp(argv[i], "--colours") == 0) {
			colours = TRUE;
		} else if (strcmp(argv[i], "--decoys") == 0) {
			decoys = TRUE;
		} else if ((value = option_value("--scenarios", *argc, argv, &i))) {
			g_free(file);
			file = g_strdup(value);
		} else if ((value = option_value("--journal-fd", *argc, argv, &i))) {
			fd = (int)number_of("--journal-fd", value, G_MAXINT);
		} else if ((value = option_value("--faults", *argc, argv, &i))) {
			seed = value;
			fault_seed((guint32)number_of("--faults", value, G_MAXUINT32));
		} else if ((value = option_value("--fault", *argc, argv, &i))) {
			if (!fault_force(value)) {
				usage("no fault %s", value);
			}
		} else if ((value = option_value("--title-suffix", *argc, argv, &i))) {
			g_free(title_suffix);
			title_suffix = g_strdup(value);
		} else {
			argv[kept++] = argv[i];
		}
	}
	argv[kept] = NULL;
	*argc = kept;
	journal_open(fd);
	load(file);
	if (seed) {
		journal_note("faults seed %s", seed);
	}
}

int model_wants_colours(void)
{
	return colours;
}

int model_wants_decoys(void)
{
	return decoys;
}

static const char *control_string(enum control control, const char *key)
{
	json_t *controls = json_object_get(scenarios, "controls");

	return json_string_value(json_object_get(json_array_get(controls, control), key));
}

const char *model_id(enum control control)
{
	return control_string(control, "id");
}

const char *model_name(enum control control)
{
	return control_string(control, "label");
}

const char *model_colour(enum control control)
{
	return control_string(control, "colour");
}

const char *model_title(const char *which)
{
	json_t *formats = json_object_get(scenarios, "titles");
	const char *format = json_string_value(json_object_get(formats, which));
	char *title = g_hash_table_lookup(titles, which);

	if (!title) {
		g_autoptr(GString) text = g_string_new(format ? format : which);

		g_string_replace(text, "%s", toolkit->name, 0);
		if (title_suffix) {
			g_string_append_printf(text, " %s", title_suffix);
		}
		title = g_strdup(text->str);
		g_hash_table_insert(titles, g_strdup(which), title);
	}
	return title;
}

int model_label_count(void)
{
	return (int)labels->len;
}

const char *model_label_text(int label)
{
	return label_at(label)->text;
}

/* An entry of a list is a string or an object with a label. */
static void add_entries(GPtrArray *entries, json_t *from)
{
	const char *key;
	json_t *entry;
	size_t i;

	json_array_foreach (from, i, entry) {
		json_t *label = json_is_object(entry) ? json_object_get(entry, "label") : entry;

		g_ptr_array_add(entries, (gpointer)json_string_value(label));
	}
	json_object_foreach (from, key, entry) {
		if (json_is_string(entry)) {
			g_ptr_array_add(entries, (gpointer)json_string_value(entry));
		}
	}
}

static json_t *nested(json_t *parents, const char *label)
{
	json_t *parent;
	size_t i;

	json_array_foreach (parents, i, parent) {
		const char *name = json_string_value(json_object_get(parent, "label"));

		if (name && strcmp(name, label) == 0) {
			json_t *items = json_object_get(parent, "items");

			return items ? items : json_object_get(parent, "children");
		}
	}
	return NULL;
}

const char *const *model_list(const char *which)
{
	const char *const *list = g_hash_table_lookup(lists, which);

	if (!list) {
		g_auto(GStrv) path = g_strsplit(which, "/", 2);
		GPtrArray *entries = g_ptr_array_new();
		json_t *from = json_object_get(scenarios, path[0]);

		add_entries(entries, path[1] ? nested(from, path[1]) : from);
		g_ptr_array_add(entries, NULL);
		list = (const char *const *)g_ptr_array_free(entries, FALSE);
		g_hash_table_insert(lists, g_strdup(which), (gpointer)list);
	}
	return list;
}

static void set(int index, const char *value)
{
	struct label *label = label_at(index);
	g_autofree char *was = label->value;

	label->value = g_strdup(value);
	g_free(label->text);
	label->text = g_strdup_printf("%s=%s", label->name, value);
	journal_state(label->name, value, was);
	toolkit->show_label(index, label->text);
}

static char *change_value(const struct change *change)
{
	if (change->value) {
		return g_strdup(change->value);
	}
	return g_strdup_printf("%d", atoi(label_at(change->label)->value) + 1);
}

static void apply(const struct change *change)
{
	g_autofree char *value = change_value(change);

	set(change->label, value);
}

static void change_free(struct change *change)
{
	g_free(change->value);
	g_free(change);
}

static void apply_late(void *data)
{
	apply(data);
	change_free(data);
}

static void later(int ms, const struct change *change)
{
	struct change *copy = g_new(struct change, 1);

	*copy = *change;
	copy->value = g_strdup(change->value);
	toolkit->after(ms, apply_late, copy);
}

static void apply_other(const struct change *change)
{
	g_autofree char *value = change_value(change);
	const char *was = label_at(change->label)->value;
	g_autofree char *other = fault_other(change->control, value, was);

	set(change->label, other);
}

static void open_modal(void)
{
	int label = label_index("modal");

	toolkit->open_modal();
	if (strcmp(label_at(label)->value, "open") != 0) {
		set(label, "open");
	}
}

static void hang(void)
{
	gint64 end = g_get_monotonic_time() + HANG_US;

	/* Blocking the main thread is the fault. */
	while (g_get_monotonic_time() < end) {
		g_usleep(10000);
	}
}

static void act(enum fault fault, const struct change *change)
{
	switch (fault) {
	case FAULT_LATE100:
		later(100, change);
		break;
	case FAULT_LATE1000:
		later(1000, change);
		break;
	case FAULT_OTHER:
		apply_other(change);
		break;
	case FAULT_DISABLE:
		toolkit->disable(change->control);
		break;
	case FAULT_VANISH:
		toolkit->vanish(change->control);
		break;
	case FAULT_TWIN:
		toolkit->replace(change->control);
		break;
	case FAULT_MODAL:
		open_modal();
		break;
	case FAULT_HANG:
		hang();
		apply(change);
		break;
	case FAULT_CRASH:
		raise(SIGSEGV);
		break;
	default: /* FAULT_ECHO: the widget shows it already, and that is all */
		break;
	}
}

static void request(const struct change *change)
{
	enum fault fault = acting ? FAULT_NONE : fault_draw();

	if (fault == FAULT_NONE) {
		apply(change);
		return;
	}
	journal_fault(fault_name(fault), model_id(change->control));
	acting = TRUE;
	act(fault, change);
	acting = FALSE;
}

void model_change(enum control control, const char *label, const char *value)
{
	/* A copy: `value` may belong to a widget that a fault takes away. */
	g_autofree char *copy = g_strdup(value);
	struct change change = {control, label_index(label), copy};

	request(&change);
}

void model_increment(enum control control, const char *label)
{
	struct change change = {control, label_index(label), NULL};

	request(&change);
}

const char *model_value(const char *label)
{
	return label_at(label_index(label))->value;
}

const char *model_clock(void)
{
	static char text[32];
	static int ticks;

	g_snprintf(text, sizeof(text), "clock=%d", ++ticks);
	return text;
}

double model_progress(void)
{
	static int steps;

	steps = (steps + 1) % 101;
	return steps / 100.0;
}

const char *model_log_line(void)
{
	static char text[64];
	static int lines;

	lines++;
	g_snprintf(text, sizeof(text), "log %d: nothing happened again", lines);
	return text;
}
