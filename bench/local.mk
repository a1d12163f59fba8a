# Benchmarks have their own command and are no tests: bench/run builds and runs them.
if HAVE_LAB
EXTRA_PROGRAMS += bench/slice bench/layers bench/action bench/perception bench/walk-libatspi
bench_slice_SOURCES = bench/slice.c bench/sample.c bench/sample.h
bench_slice_CFLAGS = $(AM_CFLAGS) $(LAB_CFLAGS)
bench_slice_LDADD = $(LAB_ADD)
bench_action_SOURCES = bench/action.c bench/bare.c bench/bare.h bench/lane.c bench/lane.h bench/sample.c \
	bench/sample.h bench/wire.c bench/wire.h src/core/wakeup.c src/core/wakeup.h
bench_action_CFLAGS = $(AM_CFLAGS) $(LAB_CFLAGS)
bench_action_LDADD = $(LAB_ADD)
bench_layers_SOURCES = bench/layers.c bench/wire.c bench/wire.h
bench_layers_CFLAGS = $(AM_CFLAGS) $(LAB_CFLAGS)
bench_layers_LDADD = $(LAB_ADD)
bench_perception_SOURCES = bench/perception.c bench/floor.c bench/floor.h bench/grab.c bench/grab.h \
	bench/lane.c bench/lane.h bench/sample.c bench/sample.h bench/wire.c bench/wire.h
bench_perception_CFLAGS = $(AM_CFLAGS) $(LAB_CFLAGS) $(X11_CFLAGS)
bench_perception_LDADD = $(LAB_ADD) $(X11_LIBS)
EXTRA_PROGRAMS += bench/input
bench_input_SOURCES = bench/input.c bench/lane.c bench/lane.h bench/sample.c bench/sample.h
bench_input_CFLAGS = $(AM_CFLAGS) $(LAB_CFLAGS) $(X11_CFLAGS)
bench_input_LDADD = $(LAB_ADD) $(X11_LIBS)
EXTRA_PROGRAMS += bench/keys
bench_keys_SOURCES = bench/keys.c bench/lane.c bench/lane.h bench/sample.c bench/sample.h tests/keys/keys.h \
	tests/keys/scene.c
bench_keys_CFLAGS = $(AM_CFLAGS) $(LAB_CFLAGS)
bench_keys_LDADD = $(LAB_ADD)
EXTRA_PROGRAMS += bench/picture
bench_picture_SOURCES = bench/picture.c
bench_picture_CFLAGS = $(AM_CFLAGS) $(LAB_CFLAGS) $(X11_CFLAGS)
bench_picture_LDADD = liblab.a $(CUA_LIBS) $(LAB_LIBS)
bench_walk_libatspi_SOURCES = bench/walk-libatspi.c
# Not ours: src/atspi would hide the library's headers.
bench_walk_libatspi_CPPFLAGS = $(LIBATSPI_CFLAGS)
bench_walk_libatspi_CFLAGS = $(AM_CFLAGS) -Wno-strict-prototypes
bench_walk_libatspi_LDADD = $(LIBATSPI_LIBS)
endif
EXTRA_DIST += bench/README.md bench/run bench/peer.mjs bench/walk-pyatspi.py
