/* SPDX-License-Identifier: MIT */
#ifndef DOCTOR_DOCTOR_H
#define DOCTOR_DOCTOR_H

/* `cua-driver doctor [--json] [--repair]`: what works here, and what to do about the rest. */
int doctor_main(int argc, char **argv);

#endif
