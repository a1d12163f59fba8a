/* SPDX-License-Identifier: MIT */
#include "sample.h"

#include <stdlib.h>
#include <string.h>

void sample_init(struct sample *sample)
{
	sample->times = g_array_new(FALSE, FALSE, sizeof(double));
}

void sample_clear(struct sample *sample)
{
	g_clear_pointer(&sample->times, g_array_unref);
}

static gint compare(gconstpointer a, gconstpointer b)
{
	double left = *(const double *)a, right = *(const double *)b;
	return (left > right) - (left < right);
}

void sample_add(struct sample *sample, double ms)
{
	g_array_append_val(sample->times, ms);
}

bool sample_is_empty(const struct sample *sample)
{
	return sample->times->len == 0;
}

double sample_at(const struct sample *sample, double share)
{
	guint count = sample->times->len;
	g_array_sort(sample->times, compare);
	return count == 0 ? 0 : g_array_index(sample->times, double, MIN(count - 1, (guint)(count * share)));
}

double sample_median(const struct sample *sample)
{
	return sample_at(sample, 0.5);
}

double sample_least(const struct sample *sample)
{
	return sample_at(sample, 0);
}

long sample_rss(pid_t pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/status", pid);
	g_autofree char *text = NULL;
	const char *line;
	if (!g_file_get_contents(path, &text, NULL, NULL) || !(line = strstr(text, "VmRSS:"))) {
		return 0;
	}
	return strtol(line + strlen("VmRSS:"), NULL, 10);
}
