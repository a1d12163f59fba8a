# Benchmarks have their own command and are no tests: bench/run builds and runs them.
if HAVE_LAB
EXTRA_PROGRAMS += bench/slice
bench_slice_SOURCES = bench/slice.c
bench_slice_CFLAGS = $(AM_CFLAGS) $(LAB_CFLAGS)
bench_slice_LDADD = $(LAB_ADD)
endif
EXTRA_DIST += bench/README.md bench/run
