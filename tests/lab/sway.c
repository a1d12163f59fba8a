/* SPDX-License-Identifier: MIT */
#include "internal.h"

/* Sway does not run as root, so nobody logs in; and the build may be where only root can go. */
static const char login[] =
	"cd $CUA_DRIVER_HOME\n"
	"cp \"$0\" cua-driver || exit\n"
	"printf '%s\\nswaymsg exit\\n' \"$1\" >session\n"
	"printf '%s\\nexec sh %s/session\\n' \"$2\" $PWD >config\n"
	"export XDG_SESSION_TYPE=wayland WLR_BACKENDS=headless WLR_LIBINPUT_NO_DEVICES=1 HOME=$PWD\n"
	"export WLR_RENDERER=pixman\n"
	"nobody=\n"
	"if [ $(id -u) = 0 ]; then\n"
	"	chown -R 65534:65534 $CUA_DRIVER_HOME $XDG_RUNTIME_DIR\n"
	"	nobody='setpriv --reuid 65534 --regid 65534 --clear-groups'\n"
	"fi\n"
	"exec $nobody dbus-run-session -- sway -c $PWD/config 2>&1\n";

struct lab_run lab_sway_run(struct lab_place *place, const char *session, bool xwayland, int ms)
{
	return lab_run(place->env, LAB_ARGV("sh", "-c", login, lab_driver_path(), session,
		xwayland ? "" : "xwayland disable"), "", ms);
}
