# Everything speaks TAP. CUA_DRIVER is what the tests drive.
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
# What failed is in the lines; a program that ends early is found by its plan.
AM_LOG_DRIVER_FLAGS = --ignore-exit
AM_TESTS_ENVIRONMENT = CUA_DRIVER='$(abs_builddir)/cua-driver$(EXEEXT)'; export CUA_DRIVER; \
	CUA_SRCDIR='$(abs_srcdir)'; export CUA_SRCDIR; \
	CUA_BUILDDIR='$(abs_builddir)'; export CUA_BUILDDIR; \
	ASAN_OPTIONS=detect_leaks=1:abort_on_error=0; export ASAN_OPTIONS; \
	UBSAN_OPTIONS=print_stacktrace=1; export UBSAN_OPTIONS; \
	CUA_DRIVER_NO_DISCOVERY=1; export CUA_DRIVER_NO_DISCOVERY; \
	unset DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS AT_SPI_BUS_ADDRESS;

UNIT_TESTS = \
	tests/unit/aftermath \
	tests/unit/args \
	tests/unit/condition \
	tests/unit/datum \
	tests/unit/effect \
	tests/unit/emit \
	tests/unit/frame \
	tests/unit/gtk4 \
	tests/unit/marks \
	tests/unit/helm \
	tests/unit/hit \
	tests/unit/keys \
	tests/unit/ladder \
	tests/unit/menu \
	tests/unit/observation \
	tests/unit/packages \
	tests/unit/panic \
	tests/unit/presence \
	tests/unit/quote \
	tests/unit/rpc \
	tests/unit/server \
	tests/unit/session \
	tests/unit/surroundings \
	tests/unit/view \
	tests/unit/waiting \
	tests/unit/wakeup \
	tests/unit/witness
check_PROGRAMS += $(UNIT_TESTS)
TESTS += $(UNIT_TESTS)
tests_unit_aftermath_LDADD = $(CUA_LIBS)
tests_unit_args_LDADD = $(CUA_LIBS)
tests_unit_condition_LDADD = $(CUA_LIBS)
tests_unit_datum_LDADD = $(CUA_LIBS)
tests_unit_quote_LDADD = $(CUA_LIBS)
tests_unit_effect_LDADD = $(CUA_LIBS)
tests_unit_emit_LDADD = $(CUA_LIBS)
tests_unit_gtk4_LDADD = $(CUA_LIBS)
tests_unit_marks_LDADD = $(CUA_LIBS)
tests_unit_frame_LDADD = $(CUA_LIBS)
tests_unit_helm_LDADD = $(CUA_LIBS)
tests_unit_hit_LDADD = $(CUA_LIBS)
tests_unit_keys_LDADD = $(CUA_LIBS)
tests_unit_ladder_LDADD = $(CUA_LIBS)
tests_unit_menu_LDADD = $(CUA_LIBS)
tests_unit_observation_LDADD = $(CUA_LIBS)
tests_unit_panic_LDADD = $(CUA_LIBS)
tests_unit_packages_LDADD = $(CUA_LIBS)
tests_unit_presence_LDADD = $(CUA_LIBS)
tests_unit_rpc_LDADD = $(CUA_LIBS)
tests_unit_server_LDADD = $(CUA_LIBS)
tests_unit_session_LDADD = $(CUA_LIBS)
tests_unit_surroundings_LDADD = $(CUA_LIBS)
tests_unit_view_LDADD = $(CUA_LIBS)
tests_unit_waiting_LDADD = $(CUA_LIBS)
tests_unit_wakeup_LDADD = $(CUA_LIBS)
tests_unit_witness_LDADD = $(CUA_LIBS)

if HAVE_X11
UNIT_TESTS += tests/unit/canvas tests/unit/gtk4-tree tests/unit/uinput tests/unit/match tests/unit/message tests/unit/splice tests/unit/range tests/unit/verb
tests_unit_canvas_LDADD = $(CUA_LIBS)
tests_unit_gtk4_tree_LDADD = $(CUA_LIBS) -lm
tests_unit_match_LDADD = $(CUA_LIBS)
tests_unit_message_LDADD = $(CUA_LIBS)
tests_unit_uinput_CFLAGS = $(AM_CFLAGS) $(X11_CFLAGS)
tests_unit_uinput_LDADD = $(CUA_LIBS)
tests_unit_splice_LDADD = $(CUA_LIBS)
tests_unit_range_LDADD = $(CUA_LIBS)
tests_unit_verb_LDADD = $(CUA_LIBS)
endif

# Only with clang; tests/fuzz/run builds and runs them.
EXTRA_PROGRAMS += tests/fuzz/rpc
tests_fuzz_rpc_SOURCES = tests/fuzz/rpc.c
tests_fuzz_rpc_LDADD = $(CUA_LIBS)
tests_fuzz_rpc_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
if HAVE_X11
EXTRA_PROGRAMS += tests/fuzz/message
tests_fuzz_message_SOURCES = tests/fuzz/message.c
tests_fuzz_message_LDADD = $(CUA_LIBS)
tests_fuzz_message_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
endif

EXTRA_DIST += tests/shared/scenarios.json tests/shared/small-text.png tests/shared/web/README.md \
	tests/shared/web/child.html tests/shared/web/index.html tests/shared/web/second.html \
	tests/shared/web/style.css tests/shared/web/controls.js tests/shared/web/decoys.js \
	tests/shared/web/events.js tests/shared/web/journal.js tests/shared/web/lists.js \
	tests/shared/web/main.js tests/shared/web/menu.js tests/shared/web/model.js \
	tests/shared/web/windows.js
EXTRA_DIST += tests/shared/gtk4
# The commands that take longer than ./check.
EXTRA_DIST += tests/build tests/fresh tests/fuzz/rpc.dict tests/fuzz/run tests/guard/full tests/keys/full tests/keys/ibus tests/keys/text tests/keys/text.txt \
	tests/lies/full tests/menus/Menus.java tests/menus/full tests/titles/full \
	tests/minbase tests/package tests/pointer/full tests/release tests/pointer/xorg/Xvfb tests/pointer/xorg/xorg.conf \
	tests/pyatspi/walk.py tests/soak/input tests/soak/pointer tests/stale/full tests/vm/init tests/vm/machine tests/vm/uinput \
	tests/coords/full tests/clients/.npmrc tests/clients/package.json tests/clients/package-lock.json \
	tests/clients/client2.mjs tests/clients/inspector.mjs tests/clients/sdk1.mjs tests/clients/tap.mjs

# The laboratory: its own eyes and hands, nothing of the driver's.
if HAVE_LAB
UNIT_TESTS += tests/unit/png
tests_unit_png_LDADD = $(CUA_LIBS) $(LAB_LIBS)
check_LIBRARIES += liblab.a
liblab_a_CFLAGS = $(AM_CFLAGS) $(LAB_CFLAGS)
liblab_a_SOURCES = \
	tests/lab/app.c tests/lab/atspi.c tests/lab/call.c tests/lab/desk.c tests/lab/driver.c \
	tests/lab/harness.c tests/lab/internal.h tests/lab/json.c tests/lab/lab.h tests/lab/oracle.h \
	tests/lab/picture.c tests/lab/place.c tests/lab/sentinel.c tests/lab/sight.c tests/lab/spawn.c tests/lab/sway.c tests/lab/tap.c \
	tests/lab/test.c tests/lab/traces.c tests/lab/user.c tests/lab/x.c
LAB_TESTS = \
	tests/integration/applications \
	tests/integration/browsers \
	tests/integration/cli \
	tests/integration/click \
	tests/integration/clients \
	tests/integration/clipboard \
	tests/integration/daemon \
	tests/integration/desk \
	tests/integration/discovery \
	tests/integration/doctor \
	tests/integration/frames \
	tests/integration/handshake \
	tests/integration/hostile \
	tests/integration/hostile-size \
	tests/integration/lab \
	tests/integration/panic \
	tests/integration/parting \
	tests/integration/paths \
	tests/integration/large \
	tests/integration/meanwhile \
	tests/integration/protocol \
	tests/integration/quoting \
	tests/integration/settings \
	tests/integration/silent \
	tests/integration/state \
	tests/integration/waits \
	tests/integration/windows
check_PROGRAMS += $(LAB_TESTS)
TESTS += $(LAB_TESTS)
LAB_ADD = liblab.a $(LAB_LIBS) $(CORE_LIBS) -lm
tests_integration_applications_LDADD = $(LAB_ADD)
tests_integration_browsers_LDADD = $(LAB_ADD)
tests_integration_cli_LDADD = $(LAB_ADD)
tests_integration_click_LDADD = $(LAB_ADD)
tests_integration_clients_LDADD = $(LAB_ADD)
tests_integration_clipboard_LDADD = $(LAB_ADD)
tests_integration_daemon_LDADD = $(LAB_ADD)
tests_integration_desk_LDADD = $(LAB_ADD)
tests_integration_discovery_LDADD = $(LAB_ADD)
tests_integration_doctor_LDADD = $(LAB_ADD)
tests_integration_frames_LDADD = $(LAB_ADD)
tests_integration_handshake_LDADD = $(LAB_ADD)
tests_integration_hostile_LDADD = $(LAB_ADD)
tests_integration_hostile_size_LDADD = $(LAB_ADD)
tests_integration_lab_LDADD = $(LAB_ADD)
tests_integration_panic_LDADD = $(LAB_ADD)
tests_integration_parting_LDADD = $(LAB_ADD)
tests_integration_paths_LDADD = $(LAB_ADD)
tests_integration_large_LDADD = $(LAB_ADD)
tests_integration_meanwhile_LDADD = $(LAB_ADD)
tests_integration_protocol_LDADD = $(LAB_ADD)
tests_integration_quoting_LDADD = $(LAB_ADD)
tests_integration_settings_LDADD = $(LAB_ADD)
tests_integration_silent_LDADD = $(LAB_ADD)
tests_integration_state_LDADD = $(LAB_ADD)
tests_integration_waits_LDADD = $(LAB_ADD)
tests_integration_windows_LDADD = $(LAB_ADD)
endif

# Instrumented applications: what happened to them is the truth that the driver is judged by.
if HAVE_HARNESS
HARNESS_COMMON = tests/harness/journal.c tests/harness/journal.h
HARNESS_MODEL = $(HARNESS_COMMON) tests/harness/model.c tests/harness/model.h \
	tests/harness/fault.c tests/harness/fault.h tests/harness/layout.h
check_PROGRAMS += tests/harness/gtk3 tests/harness/gtk4 tests/harness/qt5 tests/harness/xaw \
	tests/harness/web tests/harness/sentinel \
	tests/harness/form-gtk3 tests/harness/form-gtk4 tests/harness/form-qt5 \
	tests/harness/rows-gtk3 tests/harness/rows-gtk4 tests/harness/rows-qt5 \
	tests/harness/fuzz \
	tests/harness/hostile

tests_harness_gtk3_SOURCES = $(HARNESS_MODEL) tests/harness/gtk3.c tests/harness/gtk3.h \
	tests/harness/gtk3-control.c tests/harness/gtk3-event.c tests/harness/gtk3-menu.c \
	tests/harness/gtk3-tree.c tests/harness/gtk3-window.c
tests_harness_gtk3_CFLAGS = $(AM_CFLAGS) $(GTK3_CFLAGS)
tests_harness_gtk3_LDADD = $(GTK3_LIBS) $(CORE_LIBS)

check_PROGRAMS += tests/harness/fields tests/harness/fields-qt5 tests/harness/pages-qt5
check_PROGRAMS += tests/harness/presenter
tests_harness_presenter_SOURCES = $(HARNESS_COMMON) tests/harness/presenter.c
tests_harness_presenter_CFLAGS = $(AM_CFLAGS) $(GTK3_CFLAGS)
tests_harness_presenter_LDADD = $(GTK3_LIBS) $(CORE_LIBS)
tests_harness_fields_SOURCES = tests/harness/fields.c
tests_harness_fields_CFLAGS = $(AM_CFLAGS) $(GTK3_CFLAGS)
tests_harness_fields_LDADD = $(GTK3_LIBS)

# One source for GTK 4.8 and for 4.18, which calls half of it (all of X11) deprecated.
GTK4_PLAIN = -DGDK_DISABLE_DEPRECATION_WARNINGS

tests_harness_gtk4_SOURCES = $(HARNESS_MODEL) tests/harness/gtk4.c tests/harness/gtk4.h \
	tests/harness/gtk4-control.c tests/harness/gtk4-event.c tests/harness/gtk4-menu.c \
	tests/harness/gtk4-tree.c tests/harness/gtk4-window.c
tests_harness_gtk4_CFLAGS = $(AM_CFLAGS) $(GTK4_CFLAGS) $(GTK4_PLAIN)
tests_harness_gtk4_LDADD = $(GTK4_LIBS) $(CORE_LIBS)

tests_harness_qt5_SOURCES = $(HARNESS_MODEL) tests/harness/qt5.cc tests/harness/qt5.h \
	tests/harness/qt5-control.cc tests/harness/qt5-layout.c tests/harness/qt5-layout.h \
	tests/harness/qt5-window.cc tests/harness/qt5-witness.cc
tests_harness_qt5_CXXFLAGS = -std=c++17 -Wall -Wextra -Wshadow -fPIC $(QT5_CFLAGS) $(CORE_CFLAGS)
tests_harness_qt5_CFLAGS = $(AM_CFLAGS) -fPIC
tests_harness_qt5_LDADD = $(QT5_LIBS) $(CORE_LIBS)

tests_harness_xaw_SOURCES = $(HARNESS_MODEL) tests/harness/xaw.c tests/harness/xaw.h \
	tests/harness/xaw-control.c tests/harness/xaw-list.c tests/harness/xaw-window.c \
	tests/harness/canvas.c \
	tests/harness/xlib.c tests/harness/xlib.h
tests_harness_xaw_CFLAGS = $(AM_CFLAGS) $(XAW_CFLAGS)
tests_harness_xaw_LDADD = $(XAW_LIBS) $(CORE_LIBS)

check_PROGRAMS += tests/harness/terminal
tests_harness_terminal_SOURCES = $(HARNESS_COMMON) tests/harness/terminal.c
tests_harness_terminal_LDADD = $(CORE_LIBS)

tests_harness_web_SOURCES = $(HARNESS_COMMON) tests/harness/web.c
tests_harness_web_CFLAGS = $(AM_CFLAGS) $(WEB_CFLAGS)
tests_harness_web_LDADD = $(WEB_LIBS) $(CORE_LIBS)

FORM = $(HARNESS_COMMON) tests/harness/form.c tests/harness/form.h
tests_harness_form_gtk3_SOURCES = $(FORM) tests/harness/form-gtk3.c
tests_harness_form_gtk3_CFLAGS = $(AM_CFLAGS) $(GTK3_CFLAGS)
tests_harness_form_gtk3_LDADD = $(GTK3_LIBS) $(CORE_LIBS)
tests_harness_form_gtk4_SOURCES = $(FORM) tests/harness/form-gtk4.c
tests_harness_form_gtk4_CFLAGS = $(AM_CFLAGS) $(GTK4_CFLAGS) $(GTK4_PLAIN)
tests_harness_form_gtk4_LDADD = $(GTK4_LIBS) $(CORE_LIBS)
tests_harness_form_qt5_SOURCES = $(FORM) tests/harness/form-qt5.cc
tests_harness_form_qt5_CXXFLAGS = -std=c++17 -Wall -Wextra -Wshadow -fPIC $(QT5_CFLAGS) $(CORE_CFLAGS)
tests_harness_form_qt5_CFLAGS = $(AM_CFLAGS) -fPIC
tests_harness_form_qt5_LDADD = $(QT5_LIBS) $(CORE_LIBS)
tests_harness_fields_qt5_SOURCES = tests/harness/fields-qt5.cc
tests_harness_fields_qt5_CXXFLAGS = $(tests_harness_form_qt5_CXXFLAGS)
tests_harness_fields_qt5_LDADD = $(QT5_LIBS)
tests_harness_pages_qt5_SOURCES = $(HARNESS_COMMON) tests/harness/pages-qt5.cc tests/harness/rows.h
tests_harness_pages_qt5_CXXFLAGS = $(tests_harness_form_qt5_CXXFLAGS)
tests_harness_pages_qt5_CFLAGS = $(tests_harness_form_qt5_CFLAGS)
tests_harness_pages_qt5_LDADD = $(QT5_LIBS) $(CORE_LIBS)
check_PROGRAMS += tests/harness/titled-qt5
tests_harness_titled_qt5_SOURCES = tests/harness/titled-qt5.cc
tests_harness_titled_qt5_CXXFLAGS = $(tests_harness_form_qt5_CXXFLAGS)
tests_harness_titled_qt5_LDADD = $(QT5_LIBS)

check_PROGRAMS += tests/harness/drags
tests_harness_drags_SOURCES = tests/harness/drags.c
tests_harness_drags_CFLAGS = $(AM_CFLAGS) $(GTK3_CFLAGS)
tests_harness_drags_LDADD = $(GTK3_LIBS)
check_PROGRAMS += tests/harness/titled-gtk3 tests/harness/titled-gtk4
tests_harness_titled_gtk3_SOURCES = tests/harness/titled.c
tests_harness_titled_gtk3_CFLAGS = $(AM_CFLAGS) $(GTK3_CFLAGS)
tests_harness_titled_gtk3_LDADD = $(GTK3_LIBS)
tests_harness_titled_gtk4_SOURCES = tests/harness/titled.c
tests_harness_titled_gtk4_CFLAGS = $(AM_CFLAGS) $(GTK4_CFLAGS)
tests_harness_titled_gtk4_LDADD = $(GTK4_LIBS)
check_PROGRAMS += tests/harness/twins-gtk3 tests/harness/twins-gtk4
tests_harness_twins_gtk3_SOURCES = tests/harness/twins.c
tests_harness_twins_gtk3_CFLAGS = $(AM_CFLAGS) $(GTK3_CFLAGS)
tests_harness_twins_gtk3_LDADD = $(GTK3_LIBS)
tests_harness_twins_gtk4_SOURCES = tests/harness/twins.c
tests_harness_twins_gtk4_CFLAGS = $(AM_CFLAGS) $(GTK4_CFLAGS) $(GTK4_PLAIN)
tests_harness_twins_gtk4_LDADD = $(GTK4_LIBS)

check_PROGRAMS += tests/harness/documents-gtk3 tests/harness/documents-gtk4 tests/harness/documents-qt5 \
	tests/harness/documents-xaw
EXTRA_DIST += tests/harness/documents.tcl tests/harness/Documents.java
tests_harness_documents_gtk3_SOURCES = tests/harness/documents.c
tests_harness_documents_gtk3_CFLAGS = $(AM_CFLAGS) $(GTK3_CFLAGS)
tests_harness_documents_gtk3_LDADD = $(GTK3_LIBS)
tests_harness_documents_gtk4_SOURCES = tests/harness/documents.c
tests_harness_documents_gtk4_CFLAGS = $(AM_CFLAGS) $(GTK4_CFLAGS)
tests_harness_documents_gtk4_LDADD = $(GTK4_LIBS)
tests_harness_documents_qt5_SOURCES = tests/harness/documents-qt5.cc
tests_harness_documents_qt5_CXXFLAGS = $(tests_harness_form_qt5_CXXFLAGS)
tests_harness_documents_qt5_LDADD = $(QT5_LIBS)
tests_harness_documents_xaw_SOURCES = tests/harness/documents-xaw.c
tests_harness_documents_xaw_CFLAGS = $(AM_CFLAGS) $(XAW_CFLAGS)
tests_harness_documents_xaw_LDADD = $(XAW_LIBS)

check_PROGRAMS += tests/harness/launchee
tests_harness_launchee_SOURCES = tests/harness/launchee.c
tests_harness_launchee_CFLAGS = $(AM_CFLAGS) $(LAB_CFLAGS)
tests_harness_launchee_LDADD = $(LAB_LIBS)

tests_harness_fuzz_SOURCES = tests/harness/fuzz.c
tests_harness_fuzz_CFLAGS = $(AM_CFLAGS) $(LAB_CFLAGS)
tests_harness_fuzz_LDADD = $(LAB_LIBS) $(CORE_LIBS)
tests_harness_hostile_SOURCES = tests/harness/hostile.c
tests_harness_hostile_CFLAGS = $(AM_CFLAGS) $(LAB_CFLAGS)
tests_harness_hostile_LDADD = $(LAB_LIBS) $(CORE_LIBS)

ROWS = $(HARNESS_COMMON) tests/harness/rows.c tests/harness/rows.h
tests_harness_rows_gtk3_SOURCES = $(ROWS) tests/harness/rows-gtk3.c
tests_harness_rows_gtk3_CFLAGS = $(AM_CFLAGS) $(GTK3_CFLAGS)
tests_harness_rows_gtk3_LDADD = $(GTK3_LIBS) $(CORE_LIBS)
tests_harness_rows_gtk4_SOURCES = $(ROWS) tests/harness/rows-gtk4.c
tests_harness_rows_gtk4_CFLAGS = $(AM_CFLAGS) $(GTK4_CFLAGS) $(GTK4_PLAIN)
tests_harness_rows_gtk4_LDADD = $(GTK4_LIBS) $(CORE_LIBS)
tests_harness_rows_qt5_SOURCES = $(ROWS) tests/harness/rows-qt5.cc
tests_harness_rows_qt5_CXXFLAGS = -std=c++17 -Wall -Wextra -Wshadow -fPIC $(QT5_CFLAGS) $(CORE_CFLAGS)
tests_harness_rows_qt5_CFLAGS = $(AM_CFLAGS) -fPIC
tests_harness_rows_qt5_LDADD = $(QT5_LIBS) $(CORE_LIBS)

tests_harness_sentinel_SOURCES = $(HARNESS_COMMON) tests/harness/sentinel.c \
	tests/harness/sentinel.h tests/harness/sentinel-input.c tests/harness/sentinel-place.c
tests_harness_sentinel_CFLAGS = $(AM_CFLAGS) $(LAB_CFLAGS)
tests_harness_sentinel_LDADD = $(LAB_LIBS) $(CORE_LIBS)

ORACLE_TESTS = \
	tests/integration/calculators \
	tests/integration/chaos \
	tests/integration/coords \
	tests/integration/documents \
	tests/integration/everyday \
	tests/integration/foreground \
	tests/integration/foreign \
	tests/integration/guardian \
	tests/integration/harness \
	tests/integration/keys \
	tests/integration/launch \
	tests/integration/lies \
	tests/integration/matching \
	tests/integration/popups \
	tests/integration/background-menus \
	tests/integration/held-menus \
	tests/integration/matrix \
	tests/integration/menus \
	tests/integration/verbs \
	tests/integration/office \
	tests/integration/oracle \
	tests/integration/pixels \
	tests/integration/places \
	tests/integration/pointer \
	tests/integration/reveal \
	tests/integration/scope \
	tests/integration/screens \
	tests/integration/sentinel \
	tests/integration/sessions \
	tests/integration/hostile-tree \
	tests/integration/pyatspi \
	tests/integration/soak \
	tests/integration/soak-input \
	tests/integration/titles \
	tests/integration/drops \
	tests/integration/stale \
	tests/integration/steal \
	tests/integration/text \
	tests/integration/units \
	tests/integration/typing \
	tests/integration/view \
	tests/integration/vigil \
	tests/integration/vision \
	tests/integration/write \
	tests/integration/xwayland \
	tests/integration/zoom
check_PROGRAMS += $(ORACLE_TESTS)
TESTS += $(ORACLE_TESTS)
tests_integration_calculators_LDADD = $(LAB_ADD)
tests_integration_chaos_LDADD = $(LAB_ADD)
tests_integration_coords_SOURCES = tests/integration/coords.c tests/coords/coords.h tests/coords/judge.c tests/coords/record.c tests/coords/truth.c
tests_integration_coords_LDADD = $(LAB_ADD)
tests_integration_places_SOURCES = tests/integration/places.c tests/coords/coords.h tests/coords/truth.c
tests_integration_places_LDADD = $(LAB_ADD)
# Loaded into applications, which are not built by us: without sanitizers.
check_PROGRAMS += tests/coords/boxes.so
tests_coords_boxes_so_SOURCES = tests/coords/boxes.c
tests_coords_boxes_so_CFLAGS = $(AM_CFLAGS) $(GTK4_CFLAGS) $(GTK4_PLAIN) -fPIC -fvisibility=default -fno-sanitize=all
tests_coords_boxes_so_LDFLAGS = -shared -fno-sanitize=all
tests_coords_boxes_so_LDADD = $(GTK4_LIBS)
tests_integration_documents_SOURCES = tests/integration/documents.c tests/documents/documents.h \
	tests/documents/office.c tests/documents/scene.c
tests_integration_documents_LDADD = $(LAB_ADD)
tests_integration_everyday_LDADD = $(LAB_ADD)
# Not in TESTS: it takes long, and programs that nothing else needs.
check_PROGRAMS += tests/everyday/run
tests_everyday_run_SOURCES = tests/everyday/run.c tests/everyday/everyday.h tests/everyday/room.c tests/everyday/tasks.c \
	tests/documents/documents.h tests/documents/office.c tests/documents/scene.c
tests_everyday_run_LDADD = $(LAB_ADD)
tests_integration_foreground_SOURCES = tests/integration/foreground.c tests/keys/keys.h tests/keys/manager.c \
	tests/keys/manager.h tests/keys/scene.c
tests_integration_foreground_LDADD = $(LAB_ADD)
tests_integration_foreign_LDADD = $(LAB_ADD)
tests_integration_guardian_LDADD = $(LAB_ADD)
tests_integration_harness_LDADD = $(LAB_ADD)
tests_integration_keys_SOURCES = tests/integration/keys.c tests/keys/keys.h tests/keys/scene.c tests/keys/deed.c
tests_integration_keys_LDADD = $(LAB_ADD)
tests_integration_matching_LDADD = $(LAB_ADD)
tests_integration_popups_LDADD = $(LAB_ADD)
tests_integration_reveal_LDADD = $(LAB_ADD)
tests_integration_matrix_LDADD = $(LAB_ADD)
tests_integration_menus_LDADD = $(LAB_ADD)
tests_integration_office_LDADD = $(LAB_ADD)
tests_integration_verbs_LDADD = $(LAB_ADD)
tests_integration_launch_LDADD = $(LAB_ADD)
tests_integration_lies_LDADD = $(LAB_ADD)
tests_integration_oracle_LDADD = $(LAB_ADD)
tests_integration_pointer_SOURCES = tests/integration/pointer.c tests/pointer/pointer.h tests/pointer/deed.c tests/pointer/gestures.c tests/pointer/source.c \
	tests/pointer/scene.c tests/pointer/target.c tests/pointer/vision.c
tests_integration_pointer_LDADD = $(LAB_ADD)
tests_integration_background_menus_SOURCES = tests/integration/background-menus.c tests/menus/menus.h tests/menus/rows.c
tests_integration_background_menus_LDADD = $(LAB_ADD)
tests_integration_held_menus_LDADD = $(LAB_ADD)
tests_integration_pixels_LDADD = $(LAB_ADD)
tests_integration_scope_LDADD = $(LAB_ADD)
tests_integration_screens_LDADD = $(LAB_ADD)
tests_integration_sentinel_LDADD = $(LAB_ADD)
tests_integration_sessions_LDADD = $(LAB_ADD)
tests_integration_hostile_tree_LDADD = $(LAB_ADD)
tests_integration_pyatspi_LDADD = $(LAB_ADD)
tests_integration_soak_LDADD = $(LAB_ADD)
tests_integration_titles_LDADD = $(LAB_ADD)
tests_integration_drops_LDADD = $(LAB_ADD)
tests_integration_soak_input_LDADD = $(LAB_ADD)
tests_integration_steal_LDADD = $(LAB_ADD)
tests_integration_stale_LDADD = $(LAB_ADD)
tests_integration_text_SOURCES = tests/integration/text.c tests/keys/keys.h tests/keys/scene.c
tests_integration_text_LDADD = $(LAB_ADD)
tests_integration_units_LDADD = $(LAB_ADD)
tests_integration_typing_SOURCES = tests/integration/typing.c tests/keys/keys.h tests/keys/scene.c
tests_integration_typing_LDADD = $(LAB_ADD)
tests_integration_view_LDADD = $(LAB_ADD)
tests_integration_vigil_LDADD = $(LAB_ADD)
tests_integration_vision_LDADD = $(LAB_ADD)
tests_integration_write_LDADD = $(LAB_ADD)
tests_integration_xwayland_LDADD = $(LAB_ADD)
tests_integration_zoom_LDADD = $(LAB_ADD)
endif
