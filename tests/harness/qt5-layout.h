/* SPDX-License-Identifier: MIT */
#ifndef HARNESS_QT5_LAYOUT_H
#define HARNESS_QT5_LAYOUT_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* layout.h for C++. */
struct qt5_place {
	int x;
	int y;
	int width;
	int height;
};

enum qt5_decoy {
	QT5_CLOCK,
	QT5_PROGRESS,
	QT5_LOG
};

struct qt5_place qt5_window_place(void);
struct qt5_place qt5_control_place(enum control control);
struct qt5_place qt5_label_place(int label);
struct qt5_place qt5_decoy_place(enum qt5_decoy decoy);

#ifdef __cplusplus
}
#endif

#endif
