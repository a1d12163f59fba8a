/* SPDX-License-Identifier: MIT */
#ifndef GTK4_COORDS_ERA_H
#define GTK4_COORDS_ERA_H

/*
 * What GTK4's accessibility means by a place in the window: it changed twice. A box of CSS has a
 * border and padding around its content; children are counted from the content's corner.
 */
enum gtk4_era {
	GTK4_ERA_UNKNOWN, /* nobody can say where anything is */
	GTK4_ERA_CONTENT, /* up to 4.13.6: place and size of the content, exact */
	GTK4_ERA_BORDER, /* 4.13.7 to 4.14.5: the content's place, exact, with the size of the
			    border box */
	GTK4_ERA_SUM, /* since 4.14.6: the sum of the border boxes' places in what they are in, so
			 border and padding of all of those are missing; the size of the border box
		       */
};

/* `version` as org.a11y.atspi.Application tells it, such as "4.18.6"; NULL if it does not. */
enum gtk4_era gtk4_era_of(const char *version);

#endif
