/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/nearest.h"

#include <glib.h>
#include <string.h>

#define LONGEST 63

int nearest_distance(const char *a, const char *b)
{
	int row[LONGEST + 1];
	int width = (int)MIN(strlen(b), LONGEST), height = (int)MIN(strlen(a), LONGEST);
	for (int x = 0; x <= width; x++) {
		row[x] = x;
	}
	for (int y = 1; y <= height; y++) {
		int diagonal = row[0];
		row[0] = y;
		for (int x = 1; x <= width; x++) {
			int above = row[x];
			int replaced = diagonal + (a[y - 1] != b[x - 1]);
			row[x] = MIN(replaced, MIN(above, row[x - 1]) + 1);
			diagonal = above;
		}
	}
	return row[width];
}

int nearest_better(const char *word, const char *candidate, int best)
{
	int distance = nearest_distance(word, candidate);
	/* A third of the word may be wrong; a word that is part of the other one is meant, too. */
	int allowed = MAX(2, (int)strlen(candidate) / 3);
	if (strlen(word) >= 3 && strstr(candidate, word) != NULL) {
		distance = MIN(distance, allowed);
	}
	return distance <= allowed && distance < best ? distance : -1;
}
