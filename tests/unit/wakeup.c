/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/wakeup.h"

#include <glib.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* As the kernel has it: see sched_setattr(2). */
struct attributes {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

static uint64_t own_slice(void)
{
	struct attributes attributes = { 0 };
	g_assert_cmpint(syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0), ==, 0);
	return attributes.runtime;
}

struct slices {
	uint64_t before, after, thread, process;
};

static gpointer tell_slice(gpointer data)
{
	*(uint64_t *)data = own_slice();
	return NULL;
}

static uint64_t slice_of_child(void)
{
	int ends[2], status;
	uint64_t slice = 0;
	g_assert_cmpint(pipe(ends), ==, 0);
	pid_t child = fork();
	if (child == 0) {
		slice = own_slice();
		_exit(write(ends[1], &slice, sizeof slice) != sizeof slice);
	}
	g_assert_cmpint(read(ends[0], &slice, sizeof slice), ==, sizeof slice);
	g_assert_cmpint(waitpid(child, &status, 0), ==, child);
	g_assert_cmpint(status, ==, 0);
	close(ends[0]);
	close(ends[1]);
	return slice;
}

static gpointer hurry(gpointer data)
{
	struct slices *slices = data;
	slices->before = own_slice();
	wakeup_soon();
	slices->after = own_slice();
	g_thread_join(g_thread_new("another", tell_slice, &slices->thread));
	slices->process = slice_of_child();
	return NULL;
}

static void nobody_inherits_it(void)
{
	struct slices slices;
	g_thread_join(g_thread_new("hurried", hurry, &slices));
	g_assert_cmpuint(slices.thread, ==, slices.before);
	g_assert_cmpuint(slices.process, ==, slices.before);
	/* A kernel that tells no slice has none to shorten. */
	if (slices.before != 0) {
		g_assert_cmpuint(slices.after, <, slices.before);
	} else {
		g_assert_cmpuint(slices.after, ==, 0);
	}
	g_assert_cmpuint(own_slice(), ==, slices.before);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/wakeup/inheritance", nobody_inherits_it);
	return g_test_run();
}
