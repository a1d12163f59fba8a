# Everything but main(), so that tests and generators link the same code.
noinst_LIBRARIES += libcua.a
libcua_a_CFLAGS = $(AM_CFLAGS) $(ATSPI_CFLAGS) $(X11_CFLAGS)
libcua_a_SOURCES = \
	src/cli.h \
	src/commands.c src/commands.h \
	src/hosts.c src/hosts.h \
	src/manual.c src/manual.h \
	src/platform.c src/platform.h \
	src/apps/command.c \
	src/apps/ending.c src/apps/ending.h \
	src/apps/entry.c src/apps/entry.h \
	src/apps/environment.c src/apps/environment.h \
	src/apps/irregular.c \
	src/apps/launch.c src/apps/launch.h \
	src/apps/nursery.c src/apps/nursery.h \
	src/apps/process.c src/apps/process.h \
	src/apps/running.c src/apps/running.h \
	src/apps/scope.c src/apps/scope.h \
	src/core/admission.c src/core/admission.h \
	src/core/aftermath.c src/core/aftermath.h \
	src/core/answer.c src/core/answer.h \
	src/core/args.c src/core/args.h \
	src/core/block.c src/core/block.h \
	src/core/call.c src/core/call.h \
	src/core/candidates.c src/core/candidates.h \
	src/core/condition.c src/core/condition.h \
	src/core/courtesy.c src/core/courtesy.h \
	src/core/crosshair.c src/core/crosshair.h \
	src/core/datum.c src/core/datum.h \
	src/core/deadline.c src/core/deadline.h \
	src/core/desktop.c src/core/desktop.h \
	src/core/diff.c src/core/diff.h \
	src/core/disturbance.c src/core/disturbance.h \
	src/core/effect.c src/core/effect.h \
	src/core/element.c src/core/element.h \
	src/core/emit.c src/core/emit.h \
	src/core/error.c src/core/error.h \
	src/core/file.c src/core/file.h \
	src/core/finding.c src/core/finding.h \
	src/core/expect.c src/core/expect.h \
	src/core/flat.c src/core/flat.h \
	src/core/frame.c src/core/frame.h \
	src/core/folder.c src/core/folder.h \
	src/core/gallery.c src/core/gallery.h \
	src/core/jpeg.c src/core/jpeg.h \
	src/core/lens.c src/core/lens.h \
	src/core/marks.c src/core/marks.h \
	src/core/helm.c src/core/helm.h \
	src/core/headless.c src/core/headless.h \
	src/core/health.c src/core/health.h \
	src/core/hit.c src/core/hit.h \
	src/core/huffman.c src/core/huffman.h \
	src/core/ladder.c src/core/ladder.h \
	src/core/keys.c src/core/keys.h \
	src/core/label.c src/core/label.h \
	src/core/markdown.c src/core/markdown.h \
	src/core/menu.c src/core/menu.h \
	src/core/nearest.c src/core/nearest.h \
	src/core/observation.c src/core/observation.h \
	src/core/param.h src/core/platform.h src/core/rung.h \
	src/core/panic.c src/core/panic.h \
	src/core/past.c src/core/past.h \
	src/core/picture.c src/core/picture.h \
	src/core/presence.c src/core/presence.h \
	src/core/progress.c src/core/progress.h \
	src/core/png.c src/core/png.h \
	src/core/quote.c src/core/quote.h \
	src/core/recheck.c src/core/recheck.h \
	src/core/roster.c src/core/roster.h \
	src/core/scope.c src/core/scope.h \
	src/core/session.c src/core/session.h \
	src/core/sessions.c src/core/sessions.h \
	src/core/settings.c src/core/settings.h \
	src/core/shot.c src/core/shot.h \
	src/core/sight.c src/core/sight.h \
	src/core/snapshot.c src/core/snapshot.h \
	src/core/surroundings.c src/core/surroundings.h \
	src/core/target.c src/core/target.h \
	src/core/telling.c src/core/telling.h \
	src/core/testimony.c src/core/testimony.h \
	src/core/token.c src/core/token.h \
	src/core/tool.c src/core/tool.h \
	src/core/view.c src/core/view.h \
	src/core/verdict.c src/core/verdict.h \
	src/core/waiting.c src/core/waiting.h \
	src/core/window.c src/core/window.h \
	src/core/wakeup.c src/core/wakeup.h \
	src/core/witness.c src/core/witness.h \
	src/gtk4-coords/boxes.c src/gtk4-coords/boxes.h \
	src/gtk4-coords/coords.c src/gtk4-coords/coords.h \
	src/gtk4-coords/era.c src/gtk4-coords/era.h \
	src/gtk4-coords/inset.c src/gtk4-coords/inset.h \
	src/discovery/discovery.c src/discovery/discovery.h \
	src/daemon/address.c src/daemon/address.h \
	src/daemon/build.c src/daemon/build.h \
	src/daemon/call.c src/daemon/call.h \
	src/daemon/client.c src/daemon/client.h \
	src/daemon/defaults.c src/daemon/defaults.h \
	src/daemon/owner.c src/daemon/owner.h \
	src/daemon/panic.c src/daemon/panic.h \
	src/daemon/proxy.c src/daemon/proxy.h \
	src/daemon/serve.c src/daemon/serve.h \
	src/doctor/doctor.c src/doctor/doctor.h \
	src/doctor/exams.c \
	src/doctor/report.c src/doctor/report.h \
	src/mcp/connection.c src/mcp/connection.h \
	src/gtk4-coords/scale.c src/gtk4-coords/scale.h \
	src/mcp/era.c src/mcp/era.h \
	src/mcp/framing.c src/mcp/framing.h \
	src/mcp/rpc.c src/mcp/rpc.h \
	src/mcp/server.c src/mcp/server.h \
	src/mcp/stdio.c src/mcp/stdio.h \
	src/tools/acting.c src/tools/acting.h \
	src/tools/aimed.c src/tools/aimed.h \
	src/tools/answers.c src/tools/answers.h \
	src/tools/check_permissions.c \
	src/tools/bring_to_front.c \
	src/tools/click.c \
	src/tools/clipboard_read.c \
	src/tools/clipboard_write.c \
	src/tools/conditions.c src/tools/conditions.h \
	src/tools/double_click.c \
	src/tools/drag.c \
	src/tools/get_accessibility_tree.c \
	src/tools/get_config.c \
	src/tools/get_cursor_position.c \
	src/tools/get_desktop_state.c \
	src/tools/get_screen_size.c \
	src/tools/get_window_state.c \
	src/tools/health_report.c \
	src/tools/hotkey.c \
	src/tools/invoke_menu.c \
	src/tools/kill_app.c \
	src/tools/launch_app.c \
	src/tools/list_apps.c \
	src/tools/list_windows.c \
	src/tools/mouse_button.c \
	src/tools/observation.c src/tools/observation.h \
	src/tools/opening.c src/tools/opening.h \
	src/tools/press_key.c \
	src/tools/pressing.c src/tools/pressing.h \
	src/tools/right_click.c \
	src/tools/sessions.c \
	src/tools/set_config.c \
	src/tools/screenshot.c \
	src/tools/scroll.c \
	src/tools/set_value.c \
	src/tools/set_window_frame.c \
	src/tools/then.c src/tools/then.h \
	src/tools/tools.c src/tools/tools.h \
	src/tools/type_text.c \
	src/tools/verify_state.c \
	src/tools/wait_for.c \
	src/tools/zoom.c

if HAVE_X11
libcua_a_SOURCES += \
	src/atspi/application.c src/atspi/application.h \
	src/atspi/atspi.h \
	src/atspi/breaker.c src/atspi/breaker.h \
	src/atspi/cache.c src/atspi/cache.h \
	src/atspi/caret.c src/atspi/caret.h \
	src/atspi/crowd.c src/atspi/crowd.h \
	src/atspi/choice.c \
	src/atspi/exams.c src/atspi/exams.h \
	src/atspi/focus.c src/atspi/focus.h \
	src/atspi/hidden.c src/atspi/hidden.h \
	src/atspi/kind.c src/atspi/kind.h \
	src/atspi/kinship.c src/atspi/kinship.h \
	src/atspi/detail.c src/atspi/detail.h \
	src/atspi/ear.c src/atspi/ear.h \
	src/atspi/link.c src/atspi/link.h \
	src/atspi/match.c src/atspi/match.h \
	src/atspi/message.c src/atspi/message.h \
	src/atspi/node.c src/atspi/node.h \
	src/atspi/perform.c \
	src/atspi/place.c src/atspi/place.h \
	src/atspi/nudge.c \
	src/atspi/padding.c src/atspi/padding.h \
	src/atspi/parcel.c src/atspi/parcel.h \
	src/atspi/pick.c \
	src/atspi/pool.c src/atspi/pool.h \
	src/atspi/press.c src/atspi/press.h \
	src/atspi/popup.c src/atspi/popup.h \
	src/atspi/range.c \
	src/atspi/realise.c src/atspi/realise.h \
	src/atspi/reader.c src/atspi/reader.h \
	src/atspi/reread.c \
	src/atspi/role.c src/atspi/role.h \
	src/atspi/reveal.c \
	src/atspi/scroll.c \
	src/atspi/splice.c src/atspi/splice.h \
	src/atspi/talk.c src/atspi/talk.h \
	src/atspi/toggle.c \
	src/atspi/toplevel.c src/atspi/toplevel.h \
	src/atspi/tree.c \
	src/atspi/mute.c src/atspi/mute.h \
	src/atspi/twin.c src/atspi/twin.h \
	src/atspi/verb.c src/atspi/verb.h \
	src/atspi/waking.c src/atspi/waking.h \
	src/atspi/version.c src/atspi/version.h \
	src/atspi/where.c src/atspi/where.h \
	src/atspi/wire.c src/atspi/wire.h \
	src/atspi/write.c src/atspi/write.h \
	src/desktop/bus.c src/desktop/bus.h \
	src/desktop/buses.c src/desktop/buses.h \
	src/desktop/child.c src/desktop/child.h \
	src/desktop/desk.h \
	src/desktop/desktop.c src/desktop/desktop.h \
	src/desktop/displays.c src/desktop/displays.h \
	src/desktop/environment.c \
	src/desktop/front.c \
	src/desktop/rundir.c src/desktop/rundir.h \
	src/desktop/server.c src/desktop/server.h \
	src/desktop/supervisor.c \
	src/desktop/tree.c src/desktop/tree.h \
	src/desktop/trial.c src/desktop/trial.h \
	src/desktop/watch.c src/desktop/watch.h \
	src/desktop/wm.c src/desktop/wm.h \
	src/x11/ahead.c src/x11/ahead.h \
	src/x11/arrange.c src/x11/arrange.h \
	src/x11/batch.c src/x11/batch.h \
	src/x11/capture.c \
	src/x11/chords.c \
	src/x11/client-pointer.c src/x11/client-pointer.h \
	src/x11/clipboard.c src/x11/clipboard.h \
	src/x11/compound.c \
	src/x11/conn.c src/x11/conn.h \
	src/x11/copies.c \
	src/x11/courtesy.c src/x11/courtesy.h \
	src/x11/cover.c \
	src/x11/describe.c src/x11/describe.h \
	src/x11/desk.c src/x11/desk.h \
	src/x11/curtain.c \
	src/x11/device.c src/x11/device.h \
	src/x11/devices.c src/x11/devices.h \
	src/x11/escape.c src/x11/escape.h \
	src/x11/facts.c src/x11/facts.h \
	src/x11/farewell.c src/x11/farewell.h \
	src/x11/guardian.c src/x11/guardian.h \
	src/x11/hole.c src/x11/hole.h \
	src/x11/key-focus.c src/x11/key-focus.h \
	src/x11/keyboard.c src/x11/keyboard.h \
	src/x11/keymap.c src/x11/keymap.h \
	src/x11/knowledge.c src/x11/knowledge.h \
	src/x11/locate.c \
	src/x11/master.c src/x11/master.h \
	src/x11/drag.c \
	src/x11/drop.c src/x11/drop.h \
	src/x11/handle.c src/x11/handle.h \
	src/x11/handover.c \
	src/x11/moveresize.c src/x11/moveresize.h \
	src/x11/window-drag.c src/x11/window-drag.h \
	src/x11/notice.h \
	src/x11/foreground.c src/x11/foreground.h \
	src/x11/hand.c src/x11/hand.h \
	src/x11/standing.c src/x11/standing.h \
	src/x11/freeze.c src/x11/freeze.h src/x11/ping.c src/x11/ping.h \
	src/x11/pointer.c src/x11/pointer.h src/x11/popup.c src/x11/popup.h \
	src/x11/quirks.c src/x11/quirks.h \
	src/x11/reach.c src/x11/reach.h \
	src/x11/refuge.c src/x11/refuge.h \
	src/x11/replay.c src/x11/replay.h \
	src/x11/receipt.c src/x11/receipt.h \
	src/x11/rung-key.c \
	src/x11/rung-front.c \
	src/x11/rung-pixel.c \
	src/x11/shield.c src/x11/shield.h \
	src/x11/typing.c \
	src/x11/vigil.c src/x11/vigil.h src/x11/watched.c src/x11/watched.h \
	src/x11/uinput.c src/x11/uinput.h \
	src/x11/kernel.c src/x11/kernel.h \
	src/x11/real.c src/x11/real.h \
	src/x11/undo.c src/x11/undo.h \
	src/x11/watch.c \
	src/x11/wheel.c \
	src/x11/dismiss.c \
	src/x11/exams.c \
	src/x11/blame.c src/x11/blame.h \
	src/x11/choice.c src/x11/choice.h \
	src/x11/guard.c \
	src/x11/hold.c src/x11/hold.h \
	src/x11/image.c src/x11/image.h \
	src/x11/lookout.c src/x11/lookout.h \
	src/x11/offer.c \
	src/x11/one-focus.c src/x11/one-focus.h \
	src/x11/owner.c \
	src/x11/menu-watch.c src/x11/menu-watch.h \
	src/x11/platform.c src/x11/platform.h \
	src/x11/probe.c \
	src/x11/property.c src/x11/property.h \
	src/x11/pulse.c src/x11/pulse.h \
	src/x11/redirect.c src/x11/redirect.h \
	src/x11/rung-atspi.c src/x11/rung-nudge.c src/x11/rung-last.c src/x11/rung-ax.c src/x11/rung.h \
	src/x11/screen.c \
	src/x11/sentry.c src/x11/sentry.h \
	src/x11/kin.c \
	src/x11/server.c \
	src/x11/spares.c src/x11/spares.h \
	src/x11/specimen.c src/x11/specimen.h \
	src/x11/toolkit.c \
	src/x11/tops.c src/x11/tops.h \
	src/x11/user-keys.c src/x11/user-keys.h \
	src/x11/windows.c \
	src/x11/x11.h \
	src/x11/xim.c src/x11/xim.h
endif

CUA_LIBS = libcua.a $(X11_LIBS) $(ATSPI_LIBS) $(CORE_LIBS) -lm

bin_PROGRAMS += cua-driver
cua_driver_SOURCES = src/main.c
cua_driver_LDADD = $(CUA_LIBS)
