/* SPDX-License-Identifier: MIT */
/*
 * What is dragged is dropped where the drag ends, in coarse and in fine steps: within a page, by
 * the page's own word, and from one window to another and onto the desktop, by the word of who got
 * it. What applications show under the pointer meanwhile is in nobody's way; a user types all the
 * time.
 */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "lab/oracle.h"

static const char *const page =
	"<!DOCTYPE html><meta charset=utf-8><title>T 0;</title>"
	"<div id=s draggable=true "
	"style='position:fixed;left:0;top:0;width:45%;height:100%;background:#2a2'>Source</div>"
	"<div id=t "
	"style='position:fixed;left:55%;top:0;width:45%;height:100%;background:#a22'>Target</"
	"div><script>let n=0;const s=document.getElementById('s'),t=document.getElementById('t');"
	"s.ondragstart=e=>e.dataTransfer.setData('text/"
	"plain','cargo');t.ondragover=e=>e.preventDefault();"
	"t.ondrop=e=>{e.preventDefault();if(e.dataTransfer.getData('text/"
	"plain')=='cargo')document.title='T '+ ++n+';'};</script>";

/* Many moves, and few. */
static const struct {
	int steps, ms;
} ways[] = { { 60, 400 }, { 3, 150 } };

struct scene {
	struct lab_desk *desk;
	struct lab_driver *driver;
	struct lab_sentinel *sentinel;
	bool turns;
};

static struct scene begin(struct lab_desk *desk, bool turns)
{
	return (struct scene){ desk, lab_driver_start(desk),
		lab_sentinel_open(desk, "260x150+1000+620"), turns };
}

static void end(struct scene *scene)
{
	lab_sentinel_types(scene->sentinel, 4);
	struct lab_verdict verdict = lab_sentinel_stop(scene->sentinel);

	/* Chromium turns to what is dropped in it for a moment. */
	if (verdict.missing || verdict.foreign || verdict.pointer_moved
		|| (verdict.focus_lost && !scene->turns)) {
		lab_fail("the user noticed: %s", verdict.text);
	}
	lab_driver_stop(scene->driver);
}

/* --- Within a page -------------------------------------------------------------------------- */

static bool shows(struct lab_desk *desk, xcb_window_t window, const char *title)
{
	gint64 deadline = lab_deadline(3000);

	for (;;) {
		g_autofree char *now = lab_x_title(desk, window);

		if (now && g_str_has_prefix(now, title)) {
			return true;
		}
		if (lab_left(deadline) == 0) {
			return false;
		}
		lab_readable(xcb_get_file_descriptor(desk->x), MIN(deadline, lab_deadline(20)));
	}
}

static void drop_in_page(struct lab_desk *desk, const char *const *argv, bool turns)
{
	struct scene scene = begin(desk, turns);
	struct lab_app app = lab_app_start_titled(desk, argv, "T 0;");
	int drops = 0;

	lab_call_ok(scene.driver, "set_window_frame",
		"{\"window_id\":%u,\"x\":20,\"y\":40,\"width\":800,\"height\":560,"
		"\"settle_ms\":5000}",
		app.window);
	lab_x_quiet(desk, 300);
	struct lab_rect at = lab_x_bounds(desk, app.window);
	lab_call_ok(scene.driver, "screenshot", "{\"window_id\":%u,\"max_image_dimension\":0}",
		app.window);
	lab_sentinel_start(scene.sentinel);
	for (int i = 0; i < 10; i++) {
		g_autofree char *title = g_strdup_printf("T %d;", drops + 1);
		struct lab_answer answer = lab_call(scene.driver, "drag",
			"{\"window_id\":%u,\"from_x\":%d,\"from_y\":%d,\"to_x\":%d,"
			"\"to_y\":%d,\"steps\":%d,\"duration_ms\":%d}",
			app.window, at.width / 5, at.height * 2 / 3, at.width * 4 / 5,
			at.height * 3 / 4, ways[i % 2].steps, ways[i % 2].ms);

		if (answer.is_error) {
			lab_note("drag %d: %s", i, lab_json(answer.structured));
		} else if (shows(desk, app.window, title)) {
			drops++;
		} else {
			lab_note("drag %d was dropped nowhere: %s", i, lab_json(answer.structured));
		}
	}
	lab_assert_int(drops, 10);
	end(&scene);
}

static void chromium(struct lab_desk *desk)
{
	g_autofree char *file = lab_file(desk, "page.html", page),
			*url = g_strconcat("file://", file, NULL);
	g_autofree char *home = lab_file(desk, "chromium", NULL),
			*data = g_strconcat("--user-data-dir=", home, NULL);

	drop_in_page(desk,
		LAB_ARGV("chromium", "--no-sandbox", "--test-type", "--no-first-run",
			"--password-store=basic", "--disable-gpu",
			"--disable-background-networking", data, url),
		true);
}

static void firefox(struct lab_desk *desk)
{
	g_autofree char *file = lab_file(desk, "page.html", page),
			*url = g_strconcat("file://", file, NULL);
	g_autofree char *home = lab_firefox_profile(desk);

	drop_in_page(desk,
		LAB_ARGV("firefox-esr", "--no-remote", "--new-instance", "--profile", home, url),
		false);
}

/* --- From window to window ------------------------------------------------------------------ */

struct party {
	pid_t pid;
	xcb_window_t window;
	int out;
};

static struct party open_party(struct lab_desk *desk, const char *title, bool desktop)
{
	const char *folder = g_getenv("CUA_BUILDDIR");
	g_autofree char *program = g_build_filename(
		folder ? folder : ".", "tests/harness/drags", NULL);
	int fds[2];

	lab_assert(pipe2(fds, O_CLOEXEC) == 0);
	struct party party = { .out = fds[0] };
	party.pid = lab_spawn(&(struct lab_spawn){ .env = desk->env,
		.out = fds[1],
		.argv = desktop ? LAB_ARGV(program, "--desktop", title)
				: LAB_ARGV(program, title) });
	close(fds[1]);
	party.window = lab_x_titled(desk, title, 20000);
	lab_assert(party.window != 0);
	return party;
}

static void drop_elsewhere(struct lab_desk *desk, bool desktop)
{
	struct party to = open_party(desk, "To", desktop), from = open_party(desk, "From", false);
	struct scene scene = begin(desk, false);

	lab_call_ok(scene.driver, "set_window_frame", "{\"window_id\":%u,\"x\":40,\"y\":60}",
		from.window);
	if (!desktop) {
		lab_call_ok(scene.driver, "set_window_frame",
			"{\"window_id\":%u,\"x\":560,\"y\":300}", to.window);
	}
	lab_x_quiet(desk, 300);
	struct lab_rect at = lab_x_bounds(desk, to.window);
	lab_call_ok(scene.driver, "screenshot", "{\"window_id\":%u,\"max_image_dimension\":0}",
		from.window);
	lab_call_ok(scene.driver, "screenshot", "{\"window_id\":%u,\"max_image_dimension\":0}",
		to.window);
	lab_sentinel_start(scene.sentinel);
	for (int i = 0; i < 4; i++) {
		lab_call_ok(scene.driver, "drag",
			"{\"window_id\":%u,\"from_x\":60,\"from_y\":100,\"to_window_id\":%u,\"to_"
			"x\":%d,\"to_y\":%d,\"steps\":%d,\"duration_ms\":%d}",
			from.window, to.window, at.width * 3 / 4, at.height / 2, ways[i % 2].steps,
			ways[i % 2].ms);
		lab_assert_str(lab_line_of(to.out, 5000), "dropped From");
		lab_assert_str(lab_line_of(from.out, 5000), "ended taken");
	}
	end(&scene);
}

static void windows(struct lab_desk *desk)
{
	drop_elsewhere(desk, false);
}

static void onto_desktop(struct lab_desk *desk)
{
	drop_elsewhere(desk, true);
}

static const struct lab_test tests[] = {
	{ .name = "chromium",
		.run = chromium,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.needs = "chromium",
		.timeout = 180,
		.about = "Drag and drop within a page of Chromium, ten times." },
	{ .name = "firefox",
		.run = firefox,
		.servers = LAB_XVFB,
		.wms = "xfwm4",
		.needs = "firefox-esr",
		.timeout = 180,
		.about = "The same in Firefox." },
	{ .name = "windows",
		.run = windows,
		.servers = LAB_XVFB,
		.wms = "openbox mutter",
		.about = "From one application's window to another's." },
	{ .name = "desktop",
		.run = onto_desktop,
		.servers = LAB_XVFB,
		.wms = "xfwm4 kwin",
		.about = "Onto the desktop." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
