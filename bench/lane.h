/* SPDX-License-Identifier: MIT */
#ifndef BENCH_LANE_H
#define BENCH_LANE_H

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

/*
 * A program that is asked by lines on its standard input and answers by lines on its standard output:
 * the driver and the peer (JSON-RPC), the walkers (a pid, and how long it took). The time is from the
 * write of the question to the last byte of the answer; what is done with the answer does not count.
 */
struct lane;

/*
 * What every part begins with: lines as they come, and standard error out of sight unless $BENCH_STDERR is set, because
 * applications complain there at every question. False, said, if it was not started by bench/run.
 */
bool lane_prepare(const char *part);

/* Starts it in that environment. NULL if it cannot be started. */
struct lane *lane_start(const char *const *argv, char **env);
void lane_stop(struct lane *lane);
pid_t lane_pid(const struct lane *lane);

/* One question, one answer (owned by the lane, until the next). NULL when it ended or took too long. */
const char *lane_ask(struct lane *lane, const char *question, int timeout_ms, double *ms);

/* The handshake of MCP. */
bool lane_initialize(struct lane *lane);

/* A word with it that means nothing: MCP's ping. */
void lane_talk(struct lane *lane);

/*
 * tools/call. The answer's structuredContent, which the caller unrefs, or NULL if the call failed;
 * `size` gets the answer's length. `why` says why it failed and may be NULL.
 */
json_t *lane_call(struct lane *lane, const char *tool, const char *arguments, double *ms, size_t *size,
	const char **why);

#endif
