/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/health.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/quote.h"

/* One exam may not eat the time of all others. */
#define EXAM_MS 4000

const char *health_name(enum health health)
{
	static const char *const names[] = {
		[HEALTH_OK] = "ok",
		[HEALTH_NOTE] = "note",
		[HEALTH_FAIL] = "fail",
		[HEALTH_SKIPPED] = "skipped",
	};
	return names[health];
}

static void check_clear(void *data)
{
	struct check *check = data;
	g_free(check->value);
	g_free(check->origin);
	g_free(check->advice);
	g_free(check->command);
	g_free(check->repaired);
}

void check_set(struct check *check, enum health health, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	check->health = health;
	g_free(check->value);
	check->value = quote_vformat(format, args);
	va_end(args);
}

void check_origin(struct check *check, const char *origin)
{
	g_free(check->origin);
	check->origin = origin != NULL ? quote_format("%s", origin) : NULL;
}

void check_advise(struct check *check, char *command, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	g_free(check->advice);
	check->advice = quote_vformat(format, args);
	va_end(args);
	g_free(check->command);
	check->command = command;
}

const struct check *health_find(const GArray *checks, const char *id)
{
	for (guint i = 0; i < checks->len; i++) {
		const struct check *check = &g_array_index(checks, struct check, i);
		if (strcmp(check->id, id) == 0) {
			return check;
		}
	}
	return NULL;
}

bool health_is_good(const GArray *checks)
{
	for (guint i = 0; i < checks->len; i++) {
		if (g_array_index(checks, struct check, i).health == HEALTH_FAIL) {
			return false;
		}
	}
	return true;
}

static struct check check_of(const struct exam *exam)
{
	return (struct check){ .id = exam->id, .title = exam->title };
}

static struct check run_exam(const struct patient *all, const struct exam *exam, bool repair)
{
	struct patient patient = *all;
	struct check check = check_of(exam);
	patient.deadline = deadline_within(all->deadline, EXAM_MS);
	exam->look(&patient, &check);
	if (repair && check.health != HEALTH_OK && exam->repair != NULL) {
		patient.deadline = deadline_within(all->deadline, EXAM_MS);
		if (exam->repair(&patient, &check)) {
			char *repaired = g_steal_pointer(&check.repaired);
			check_clear(&check);
			check = check_of(exam);
			patient.deadline = deadline_within(all->deadline, EXAM_MS);
			exam->look(&patient, &check);
			check.repaired = repaired;
		}
	}
	return check;
}

GArray *health_examine(const struct patient *patient, const struct exam *const *tables, bool repair)
{
	GArray *checks = g_array_new(FALSE, FALSE, sizeof(struct check));
	g_array_set_clear_func(checks, check_clear);
	for (; *tables != NULL; tables++) {
		for (const struct exam *exam = *tables; exam->id != NULL; exam++) {
			const struct check *needed = exam->needs != NULL ? health_find(checks, exam->needs) : NULL;
			struct check check = check_of(exam);
			if (needed != NULL && (needed->health == HEALTH_FAIL || needed->health == HEALTH_SKIPPED)) {
				check_set(&check, HEALTH_SKIPPED, "not examined: %s comes first", needed->title);
			} else {
				check = run_exam(patient, exam, repair);
			}
			g_array_append_val(checks, check);
		}
	}
	return checks;
}

char *health_command(const char *arguments)
{
	g_autofree char *found = g_find_program_in_path("cua-driver");
	char *there = found != NULL ? realpath(found, NULL) : NULL, *here = realpath("/proc/self/exe", NULL);
	/* Who called it by its path has to call it so again. */
	bool known = here == NULL || g_strcmp0(there, here) == 0;
	g_autofree char *quoted = known ? g_strdup("cua-driver")
		: strpbrk(here, " '\"\\$&;()<>|*?") != NULL ? g_shell_quote(here) : g_strdup(here);
	free(there);
	free(here);
	/* "%s" stands for the program where it has to name itself again. */
	g_auto(GStrv) parts = g_strsplit(arguments, "%s", -1);
	g_autofree char *rest = g_strjoinv(quoted, parts);
	return g_strdup_printf("%s %s", quoted, rest);
}

char *health_install(const char *packages)
{
	return g_strdup_printf("%sapt install %s", geteuid() == 0 ? "" : "sudo ", packages);
}
