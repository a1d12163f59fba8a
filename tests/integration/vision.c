/* SPDX-License-Identifier: MIT */
/*
 * The pixel an agent is told to click is the pixel of that control. Every control is painted in a colour
 * of its own by the application, so no coordinate code is needed to check it.
 */
#include "lab/oracle.h"

/* The controls that are one element each in every toolkit with accessibility. */
static const char *const controls[] = {
	"chk-agree", "btn-target", "sld-value", "txt-input", "btn-counter", "btn-modal", "btn-popup",
	"txt-password", "btn-second",
};

/* What is not where it should be, in words; NULL if everything is. */
static char *look(struct lab_harness *harness, struct lab_driver *driver, int limit)
{
	struct lab_answer answer = lab_call_ok(driver, "get_window_state",
		"{\"window_id\":%u,\"max_image_dimension\":%d}", harness->window, limit);
	struct lab_pixels pixels = lab_pixels_of(&answer);

	for (gsize i = 0; i < G_N_ELEMENTS(controls); i++) {
		json_t *element = lab_pick_str(lab_array(answer.structured, "elements"), "label",
			lab_control_label(controls[i]));
		json_t *at = json_object_get(element, "at");

		if (!json_is_object(at)) {
			return g_strdup_printf("%s has no place in the picture", controls[i]);
		}
		int x = (int)lab_int(at, "x"), y = (int)lab_int(at, "y");
		uint32_t colour = lab_pixel(&pixels, x, y);
		if (colour != lab_control_colour(controls[i])) {
			return g_strdup_printf("%s (%s) at %d,%d with a limit of %d: the pixel there is %06x, its colour %06x",
				controls[i], lab_str(element, "role"), x, y, limit, colour,
				lab_control_colour(controls[i]));
		}
	}
	return NULL;
}

/*
 * A window that was just opened may be resized by its window manager while it is looked at: what is
 * wrong must be so for good.
 */
static void check(struct lab_harness *harness, struct lab_driver *driver, int limit)
{
	gint64 deadline = lab_deadline(15000);
	char *wrong;

	while ((wrong = look(harness, driver, limit)) != NULL) {
		if (lab_left(deadline) == 0) {
			lab_fail("%s", wrong);
		}
		lab_note("%s; once more", wrong);
		lab_x_quiet(harness->desk, 300);
	}
}

static void see(struct lab_desk *desk, const char *toolkit)
{
	struct lab_harness *harness = lab_harness_start(desk, toolkit,
		(const char *const[]){ "--colours", NULL });
	struct lab_driver *driver = lab_driver_start(desk);

	check(harness, driver, 0);
	check(harness, driver, 500);
}

static void gtk3(struct lab_desk *desk)
{
	see(desk, "gtk3");
}

static void gtk4(struct lab_desk *desk)
{
	see(desk, "gtk4");
}

static void qt5(struct lab_desk *desk)
{
	see(desk, "qt5");
}

static void web(struct lab_desk *desk)
{
	see(desk, "web");
}

/* The same with the toolkit's own variables set, which the driver does not see. */
static void see_with(struct lab_desk *desk, const char *toolkit, const char *variable, const char *value,
	int width)
{
	char **plain = g_strdupv(desk->env);

	desk->env = g_environ_setenv(desk->env, variable, value, TRUE);
	struct lab_harness *harness = lab_harness_start(desk, toolkit,
		(const char *const[]){ "--colours", NULL });
	desk->env = plain;
	struct lab_driver *driver = lab_driver_start(desk);
	/* It is as large as it should be, so the variable did what it should. */
	struct lab_rect bounds = lab_x_bounds(desk, harness->window);
	lab_note("%s with %s=%s is %d×%d", toolkit, variable, value, bounds.width, bounds.height);
	lab_assert(bounds.width >= width - 8);
	check(harness, driver, 0);
	check(harness, driver, 500);
	lab_driver_stop(driver);
	lab_harness_stop(harness);
}

static void dense(struct lab_desk *desk)
{
	see_with(desk, "gtk3", "GDK_SCALE", "2", 1760);
	see_with(desk, "gtk4", "GDK_SCALE", "2", 1760);
	see_with(desk, "qt5", "QT_SCALE_FACTOR", "2", 1760);
	see_with(desk, "qt5", "QT_SCALE_FACTOR", "1.5", 1320);
}

/* Chromium tells the page in pixels and everything around it in larger units. */
static void dense_page(struct lab_desk *desk, const char *option, int width)
{
	struct lab_harness *harness = lab_harness_start(desk, "web",
		(const char *const[]){ "--colours", "--", option, NULL });
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_rect bounds = lab_x_bounds(desk, harness->window);

	lab_note("with %s it is %d×%d", option, bounds.width, bounds.height);
	lab_assert(bounds.width >= width - 8);
	check(harness, driver, 0);
	check(harness, driver, 1000);
	lab_driver_stop(driver);
	lab_harness_stop(harness);
}

static void dense_web(struct lab_desk *desk)
{
	dense_page(desk, "--force-device-scale-factor=2", 1760);
	dense_page(desk, "--force-device-scale-factor=1.5", 1320);
}

static void decorated(struct lab_desk *desk)
{
	see_with(desk, "gtk3", "GTK_CSD", "1", 880);
	see_with(desk, "gtk4", "GTK_CSD", "1", 880);
	desk->env = g_environ_setenv(desk->env, "GDK_SCALE", "2", TRUE);
	see_with(desk, "gtk3", "GTK_CSD", "1", 1760);
	see_with(desk, "gtk4", "GTK_CSD", "1", 1760);
}

static const struct lab_test tests[] = {
	{ .name = "gtk3", .run = gtk3, .servers = LAB_XVFB, .wms = "*",
	  .about = "Every control's own pixel, GTK3." },
	{ .name = "gtk4", .run = gtk4, .servers = LAB_XVFB, .wms = "*",
	  .about = "Every control's own pixel, GTK4, with and without shadows of its own." },
	{ .name = "qt5", .run = qt5, .servers = LAB_XVFB, .wms = "*",
	  .about = "Every control's own pixel, Qt5." },
	{ .name = "web", .run = web, .servers = LAB_XVFB, .wms = "openbox xfwm4",
	  .needs = "chromium", .about = "Every control's own pixel, a page in Chromium." },
	{ .name = "dense", .run = dense, .servers = LAB_XVFB, .wms = "openbox xfwm4 mutter kwin_x11",
	  .size = "2560x1600", .timeout = 120,
	  .about = "Every control's own pixel where the toolkit draws everything twice as large, or half more." },
	{ .name = "dense-web", .run = dense_web, .servers = LAB_XVFB, .wms = "openbox", .needs = "chromium",
	  .size = "2560x1600", .timeout = 150,
	  .about = "Every control's own pixel, a page in Chromium drawn twice as large, or half more." },
	{ .name = "decorated", .run = decorated, .servers = LAB_XVFB,
	  .wms = "openbox xfwm4 mutter kwin_x11", .size = "2560x1600", .timeout = 120,
	  .about = "Every control's own pixel in windows that draw their own title, plain and twice as large." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
