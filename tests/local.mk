# Everything speaks TAP. CUA_DRIVER is what the tests drive.
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
AM_TESTS_ENVIRONMENT = CUA_DRIVER='$(abs_builddir)/cua-driver$(EXEEXT)'; export CUA_DRIVER; \
	CUA_SRCDIR='$(abs_srcdir)'; export CUA_SRCDIR; \
	CUA_BUILDDIR='$(abs_builddir)'; export CUA_BUILDDIR; \
	ASAN_OPTIONS=detect_leaks=1:abort_on_error=0; export ASAN_OPTIONS; \
	UBSAN_OPTIONS=print_stacktrace=1; export UBSAN_OPTIONS; \
	unset DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS AT_SPI_BUS_ADDRESS;

UNIT_TESTS = \
	tests/unit/args \
	tests/unit/emit \
	tests/unit/frame \
	tests/unit/gtk4 \
	tests/unit/rpc \
	tests/unit/server
check_PROGRAMS += $(UNIT_TESTS)
TESTS += $(UNIT_TESTS)
tests_unit_args_LDADD = $(CUA_LIBS)
tests_unit_emit_LDADD = $(CUA_LIBS)
tests_unit_gtk4_LDADD = $(CUA_LIBS)
tests_unit_frame_LDADD = $(CUA_LIBS)
tests_unit_rpc_LDADD = $(CUA_LIBS)
tests_unit_server_LDADD = $(CUA_LIBS)

if HAVE_X11
UNIT_TESTS += tests/unit/verb
tests_unit_verb_LDADD = $(CUA_LIBS)
endif

# Only with clang; tests/fuzz/run builds and runs it.
EXTRA_PROGRAMS += tests/fuzz/rpc
tests_fuzz_rpc_SOURCES = tests/fuzz/rpc.c
tests_fuzz_rpc_LDADD = $(CUA_LIBS)
tests_fuzz_rpc_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer

EXTRA_DIST += tests/fresh tests/fuzz/run tests/fuzz/rpc.dict \
	tests/clients/.npmrc tests/clients/package.json tests/clients/package-lock.json \
	tests/clients/client2.mjs tests/clients/inspector.mjs tests/clients/sdk1.mjs tests/clients/tap.mjs

# The laboratory: its own eyes and hands, nothing of the driver's.
if HAVE_LAB
UNIT_TESTS += tests/unit/png
tests_unit_png_LDADD = $(CUA_LIBS) $(LAB_LIBS)
check_LIBRARIES += liblab.a
liblab_a_CFLAGS = $(AM_CFLAGS) $(LAB_CFLAGS)
liblab_a_SOURCES = \
	tests/lab/app.c tests/lab/atspi.c tests/lab/call.c tests/lab/desk.c tests/lab/driver.c \
	tests/lab/internal.h tests/lab/json.c tests/lab/lab.h tests/lab/picture.c tests/lab/spawn.c \
	tests/lab/tap.c tests/lab/test.c tests/lab/user.c tests/lab/x.c
LAB_TESTS = \
	tests/integration/cli \
	tests/integration/click \
	tests/integration/clients \
	tests/integration/desk \
	tests/integration/handshake \
	tests/integration/hostile \
	tests/integration/hostile-size \
	tests/integration/lab \
	tests/integration/protocol \
	tests/integration/silent \
	tests/integration/state \
	tests/integration/windows
check_PROGRAMS += $(LAB_TESTS)
TESTS += $(LAB_TESTS)
LAB_ADD = liblab.a $(LAB_LIBS) $(CORE_LIBS) -lm
tests_integration_cli_LDADD = $(LAB_ADD)
tests_integration_click_LDADD = $(LAB_ADD)
tests_integration_clients_LDADD = $(LAB_ADD)
tests_integration_desk_LDADD = $(LAB_ADD)
tests_integration_handshake_LDADD = $(LAB_ADD)
tests_integration_hostile_LDADD = $(LAB_ADD)
tests_integration_hostile_size_LDADD = $(LAB_ADD)
tests_integration_lab_LDADD = $(LAB_ADD)
tests_integration_protocol_LDADD = $(LAB_ADD)
tests_integration_silent_LDADD = $(LAB_ADD)
tests_integration_state_LDADD = $(LAB_ADD)
tests_integration_windows_LDADD = $(LAB_ADD)
endif
