/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/wakeup.h"

#include <sched.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The shortest slice there is. */
#define SLICE_NS (100 * 1000)
#define RESET_ON_FORK 1

/*
 * As sched_setattr(2) has it, which the C library of Debian 12 does not know; the kernel's own header and <sched.h> exclude each
 * other there. By default an application that has
 * answered goes on, paints, and only then who waits for its answer comes to the same processor.
 */
struct attributes {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

void wakeup_soon(void)
{
	struct attributes attributes;
	/* Another policy stays, and who was preferred in another way would not be able to pass that on any more. */
	if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) == 0 && attributes.policy == SCHED_OTHER
		&& attributes.nice >= 0) {
		attributes.flags |= RESET_ON_FORK;
		attributes.runtime = SLICE_NS;
		syscall(SYS_sched_setattr, 0, &attributes, 0);
	}
}
