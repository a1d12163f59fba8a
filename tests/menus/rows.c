/* SPDX-License-Identifier: MIT */
#include "menus.h"

static const struct row gtk3[] = { { "context menu", "push button", "Context me", .right = true,
					   .item = "Rename thing", .label = "context",
					   .value = "Rename" },
	{ "menu bar", "menu", "File", .item = "Open thing…", .label = "menu",
		.value = "Open thing…" },
	{ "menu button", "toggle button", "Drop", .item = "Dropped thing", .label = "context",
		.value = "Dropped" },
	{ "combo box", "combo box", "Combo", .item = "Two", .label = "combo", .value = "Two" },
	{ "popover", "toggle button", "Hover", .item = "Pick thing", .label = "context",
		.value = "Picked", .inside = true },
	{ "submenu", "menu", "More", .first = "File", .item = "Deep thing", .label = "menu",
		.value = "Deep thing" },
	{ NULL } };

static const struct row gtk4[] = { { "context menu", "push button", "Context me", .right = true,
					   .item = "Rename thing", .label = "context",
					   .value = "Rename" },
	{ "menu bar", "menu item", "File", .item = "Open thing…", .label = "menu",
		.value = "Open thing…" },
	{ "menu button", "push button", "Drop", .item = "Dropped thing", .label = "menu",
		.value = "Dropped" },
	{ "combo box", "combo box", "Combo", .way = BY_KEYS, .downs = 1, .label = "combo",
		.value = "Two" },
	{ "popover", "push button", "Hover", .item = "Pick thing", .label = "context",
		.value = "Picked" },
	{ "submenu", "menu item", "More", .first = "File", .item = "Deep thing", .label = "menu",
		.value = "Deep thing" },
	{ NULL } };

static const struct row qt5[] = { { "context menu", "push button", "Context me", .right = true,
					  .way = BY_POINT, .downs = 1, .label = "context",
					  .value = "Rename" },
	{ "menu bar", "menu item", "File", .item = "Open thing…", .label = "menu",
		.value = "Open thing…" },
	{ "menu button", "push button", "Drop", .way = BY_POINT, .downs = 1, .label = "context",
		.value = "Dropped" },
	{ "combo box", "combo box", "One", .item = "Two", .label = "combo", .value = "Two" },
	/* What a button shows over its window by itself nobody knows before; then its point is
	   clicked. */
	{ "popover", "push button", "Hover", .cells = { "popup_grabs_user", NONE, NONE },
		.costs = true },
	{ "submenu", "menu item", "More", .first = "File", .item = "Deep thing", .label = "menu",
		.value = "Deep thing" },
	{ "popover again", "push button", "Hover", .point = true, .way = BY_POINT, .downs = 2,
		.label = "context", .value = "Picked", .cells = { DONE, EITHER, DONE } },
	{ NULL } };

static const struct row chromium[] = {
	/* Its commands for the whole page activate its window, whoever gives them. */
	{ "context menu", "push button", "Context here", .right = true, .item = "Reload",
		.value = "menus", .cells = { DONE, EITHER, DONE } },
	{ "prevented", "push button", "No menu here", .right = true, .cells = { DONE, NONE, NONE },
		.value = "prevented", .inside = true },
	{ "menu bar", .cells = { NONE, NONE, NONE } },
	{ "combo box", "combo box", "", .way = BY_VALUE, .item = "Two", .value = "chosen",
		.cells = { "action_unsupported", DONE, NONE } },
	/* Its bubbles are windows that are closed at once where they do not become active. */
	{ "popover", .cells = { NONE, NONE, NONE } },
	{ "submenu", "menu item", "History", .first = "Chromium", .cells = { DONE, NONE, DONE } },
	{ "menu button", "push button", "Chromium", .item = "Make Text Larger", .value = "zoomed",
		.stays = true },
	{ NULL }
};

static const struct row firefox[] = { { "context menu", "push button", "Context here",
					      .right = true, .item = "Reload", .value = "menus" },
	{ "prevented", "push button", "No menu here", .right = true, .cells = { DONE, NONE, NONE },
		.value = "prevented", .inside = true },
	{ "combo box", "combo box", "", .item = "Two", .value = "chosen" },
	{ "menu button", .cells = { NONE, NONE, NONE } },
	{ "popover", .cells = { NONE, NONE, NONE } },
	{ "submenu", "menu", "Zoom", .first = "View", .item = "Zoom In", .value = "zoomed" },
	/* A new page activates its window. */
	{ "menu bar", "menu", "File", .item = "New Tab", .value = "Mozilla Firefox",
		.cells = { DONE, EITHER, DONE } },
	{ NULL } };

static const struct row calc[] = {
	{ "context menu", "table cell", "B2", .right = true, .cells = { DONE, NONE, DONE } },
	{ "menu button", "toggle button", "Menu", .cells = { DONE, NONE, DONE } },
	{ "submenu", "menu", "Text", .first = "Format", .cells = { DONE, NONE, DONE } },
	{ "popover", .cells = { NONE, NONE, NONE } },
	{ "menu bar", "menu", "Insert", .item = "Date", .label = "cell" },
	{ NULL }
};

static const struct row java[] = { { "context menu", "push button", "Context me", .right = true,
					   .cells = { "popup_grabs_user", NONE, NONE } },
	{ "menu bar", "menu", "File", .way = BY_PATH, .item = "[\"File\",\"Open thing\"]",
		.value = "Open thing", .cells = { "popup_grabs_user", DONE, NONE } },
	{ "menu button", .cells = { NONE, NONE, NONE } },
	{ "combo box", "combo box", "One", .way = BY_VALUE, .item = "Two", .value = "Two",
		.cells = { "popup_grabs_user", DONE, NONE } },
	{ "popover", .cells = { NONE, NONE, NONE } },
	{ "submenu", "menu", "More", .way = BY_PATH, .item = "[\"File\",\"More\",\"Deep thing\"]",
		.value = "Deep thing", .cells = { NONE, DONE, NONE } },
	{ NULL } };

static struct lab_app start_form(
	struct lab_desk *desk, const char *name, struct lab_harness **harness)
{
	*harness = lab_harness_start(desk, name, LAB_ARGV("--menus"));
	return (struct lab_app){ (*harness)->pid, (*harness)->window };
}

static struct lab_app start_gtk3(struct lab_desk *desk, struct lab_harness **harness)
{
	return start_form(desk, "form-gtk3", harness);
}

static struct lab_app start_gtk4(struct lab_desk *desk, struct lab_harness **harness)
{
	return start_form(desk, "form-gtk4", harness);
}

static struct lab_app start_qt5(struct lab_desk *desk, struct lab_harness **harness)
{
	return start_form(desk, "form-qt5", harness);
}

/* Its title says what was done in it. */
static char *page(struct lab_desk *desk)
{
	char *path = lab_file(desk, "menus.html",
		"<!doctype html><title>menus</title><p>Some text.<p><select "
		"onchange=\"document.title='chosen '+this.value\">"
		"<option>One<option>Two<option>Three</select>"
		"<p><button oncontextmenu=\"document.title='opened'\">Context here</button>"
		"<p><button oncontextmenu=\"document.title='prevented';return false\">No menu "
		"here</button><script>let "
		"ratio=devicePixelRatio;addEventListener('resize',()=>{if(devicePixelRatio!=ratio)"
		"document.title='zoomed'});</script>");

	return g_strconcat("file://", path, NULL);
}

static struct lab_app start_chromium(struct lab_desk *desk, struct lab_harness **harness)
{
	g_autofree char *home = lab_file(desk, "chromium", NULL),
			*data = g_strconcat("--user-data-dir=", home, NULL);

	(void)harness;
	return lab_app_start_titled(desk,
		LAB_ARGV("chromium", "--no-sandbox", "--test-type", "--no-first-run",
			"--force-renderer-accessibility", "--window-position=20,20",
			"--window-size=700,560", data, page(desk)),
		"menus");
}

static struct lab_app start_firefox(struct lab_desk *desk, struct lab_harness **harness)
{
	(void)harness;
	return lab_app_start_titled(desk,
		LAB_ARGV("firefox-esr", "--no-remote", "--new-instance", "--width", "700",
			"--height", "560", "--profile", lab_firefox_profile(desk), page(desk)),
		"menus");
}

static struct lab_app start_calc(struct lab_desk *desk, struct lab_harness **harness)
{
	g_autofree char *home = lab_file(desk, "office", NULL),
			*install = g_strconcat("-env:UserInstallation=file://", home, NULL);

	(void)harness;
	return lab_app_start_titled(desk,
		LAB_ARGV("soffice", install, "--norestore", "--nologo", "--nofirststartwizard",
			"--calc"),
		"LibreOffice Calc");
}

static struct lab_app start_java(struct lab_desk *desk, struct lab_harness **harness)
{
	static const char jar[] = "/usr/share/java/java-atk-wrapper.jar";
	struct lab_run found = lab_run(NULL,
		LAB_ARGV("sh", "-c", "dirname $(find /usr/lib -name libatk-wrapper.so | head -1)"),
		NULL, 20000);
	g_autofree char *library = g_strconcat("-Djava.library.path=", g_strstrip(found.out), NULL);
	g_autofree char *source = g_build_filename(
		g_getenv("CUA_SRCDIR"), "tests", "menus", "Menus.java", NULL);
	char *folder = g_path_get_dirname(lab_file(desk, "place", ""));
	struct lab_run run = lab_run(
		desk->env, LAB_ARGV("javac", "-d", folder, source), NULL, 60000);
	g_autofree char *path = g_strconcat(folder, ":", jar, NULL);

	(void)harness;
	if (run.code != 0) {
		lab_fail("javac: %s", run.err);
	}
	return lab_app_start_titled(desk,
		LAB_ARGV("java",
			"-Djavax.accessibility.assistive_technologies=org.GNOME.Accessibility."
			"AtkWrapper",
			library, "-cp", path, "Menus"),
		"menus");
}

const struct subject menus_subjects[] = {
	{ "gtk3", NULL, gtk3, start_gtk3 },
	{ "gtk4", NULL, gtk4, start_gtk4 },
	{ "qt5", NULL, qt5, start_qt5 },
	{ "chromium", "chromium", chromium, start_chromium },
	{ "firefox", "firefox-esr", firefox, start_firefox },
	{ "libreoffice", "soffice", calc, start_calc },
	{ "java", "java javac", java, start_java },
	{ NULL }
};
