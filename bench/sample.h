/* SPDX-License-Identifier: MIT */
#ifndef BENCH_SAMPLE_H
#define BENCH_SAMPLE_H

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

/* Times of one thing that was done several times, in milliseconds. */
struct sample {
	GArray *times; /* double */
};

void sample_init(struct sample *sample);
void sample_clear(struct sample *sample);
void sample_add(struct sample *sample, double ms);
bool sample_is_empty(const struct sample *sample);
/* The time below which that share (0 to 1) of the times lies. */
double sample_at(const struct sample *sample, double share);
double sample_median(const struct sample *sample);
double sample_least(const struct sample *sample);

/* Resident memory of a process, KiB; 0 if it is gone. */
long sample_rss(pid_t pid);

#endif
