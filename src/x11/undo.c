/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/undo.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct undo_log *undo_new(int *fd)
{
	*fd = memfd_create("cua-driver-undo", MFD_CLOEXEC);
	if (*fd < 0 || ftruncate(*fd, sizeof(struct undo_log)) != 0) {
		return NULL;
	}
	struct undo_log *log = undo_open(*fd);
	if (log != NULL) {
		log->driver = getpid();
	}
	return log;
}

struct undo_log *undo_open(int fd)
{
	struct stat stat;
	if (fstat(fd, &stat) != 0 || stat.st_size != sizeof(struct undo_log)) {
		return NULL;
	}
	void *memory = mmap(NULL, sizeof(struct undo_log), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return memory != MAP_FAILED ? memory : NULL;
}

void undo_free(struct undo_log *log)
{
	if (log != NULL) {
		munmap(log, sizeof *log);
	}
}

/*
 * For tests of the guardian: the driver is killed or stopped at the step of that number. A step is a record
 * that was just written, or one that is about to be dropped.
 */
static void end_if_told(void)
{
	static gint steps;
	const char *die = g_getenv("CUA_DRIVER_TEST_DIE_AT"), *stop = g_getenv("CUA_DRIVER_TEST_STOP_AT");
	int step = die != NULL || stop != NULL ? g_atomic_int_add(&steps, 1) + 1 : 0;
	if (die != NULL && step == atoi(die)) {
		kill(getpid(), SIGKILL);
	} else if (stop != NULL && step == atoi(stop)) {
		/* To this thread: sent to the process, another one may take it while this one goes on. */
		raise(SIGSTOP);
	}
}

struct undo_record *undo_write(struct undo_log *log, const struct undo_record *record)
{
	static GMutex lock;
	struct undo_record *at = NULL;
	g_mutex_lock(&lock);
	for (int i = 0; i < UNDO_RECORDS && at == NULL; i++) {
		if (g_atomic_int_get(&log->records[i].kind) == UNDO_FREE) {
			at = &log->records[i];
			gint kind = record->kind;
			*at = *record;
			at->kind = UNDO_FREE;
			at->order = ++log->order;
			/* Last: whoever finds us dead here finds a whole record or none. */
			g_atomic_int_set(&at->kind, kind);
		}
	}
	g_mutex_unlock(&lock);
	end_if_told();
	return at;
}

void undo_drop(struct undo_record *record)
{
	if (record != NULL) {
		end_if_told();
		g_atomic_int_set(&record->kind, UNDO_FREE);
	}
}

struct undo_record *undo_last(struct undo_log *log, const char *master, guint32 before)
{
	struct undo_record *last = NULL;
	for (int i = 0; i < UNDO_RECORDS; i++) {
		struct undo_record *record = &log->records[i];
		if (g_atomic_int_get(&record->kind) != UNDO_FREE && record->order < before
			&& (master == NULL || strcmp(record->master, master) == 0)
			&& (last == NULL || record->order > last->order)) {
			last = record;
		}
	}
	return last;
}
