/* SPDX-License-Identifier: MIT */
/* The command line: help on every level, and exit codes a script can rely on. */
#include <string.h>

#include "lab/lab.h"

#define DRIVER(...) LAB_ARGV(lab_driver_path(), __VA_ARGS__)

static const char *const tools[] = {
	"list_windows", "get_screen_size", "get_cursor_position", "get_accessibility_tree",
	"get_window_state", "click",
};

static void version(struct lab_desk *desk)
{
	struct lab_run run = lab_run(NULL, DRIVER("--version"), NULL, 5000);

	(void)desk;
	lab_assert_int(run.code, 0);
	lab_assert(g_str_has_prefix(run.out, "cua-driver "));
	lab_assert_contains(run.out, "x11");
	lab_assert_str(run.err, "");
}

static void help(struct lab_desk *desk)
{
	static const char *const subcommands[] = { "mcp", "call", "serve", "status", "stop", "config",
		"mcp-config", "list-tools", "describe", "desktop" };
	struct lab_run run = lab_run(NULL, DRIVER("--help"), NULL, 5000);

	(void)desk;
	lab_assert_int(run.code, 0);
	lab_assert_str(run.err, "");
	for (size_t i = 0; i < G_N_ELEMENTS(subcommands); i++) {
		lab_assert_contains(run.out, subcommands[i]);
		struct lab_run one = lab_run(NULL, DRIVER(subcommands[i], "--help"), NULL, 5000);
		if (one.code != 0 || *one.err) {
			lab_fail("%s --help: exit code %d, stderr %s", subcommands[i], one.code, one.err);
		}
		lab_assert_contains(one.out, subcommands[i]);
	}
}

static void list_tools(struct lab_desk *desk)
{
	struct lab_run run = lab_run(NULL, DRIVER("list-tools"), NULL, 5000);

	(void)desk;
	lab_assert_int(run.code, 0);
	for (size_t i = 0; i < G_N_ELEMENTS(tools); i++) {
		lab_assert_contains(run.out, tools[i]);
	}
}

static void describe(struct lab_desk *desk)
{
	(void)desk;
	for (size_t i = 0; i < G_N_ELEMENTS(tools); i++) {
		struct lab_run run = lab_run(NULL, DRIVER("describe", tools[i]), NULL, 5000);

		lab_assert_int(run.code, 0);
		lab_assert_contains(run.out, tools[i]);
		lab_assert_contains(run.out, "session");
	}
	struct lab_run run = lab_run(NULL, DRIVER("describe", "click"), NULL, 5000);
	lab_assert_contains(run.out, "element_index");
	lab_assert_contains(run.out, "background");

	run = lab_run(NULL, DRIVER("describe", "list_window"), NULL, 5000);
	lab_assert_int(run.code, 64);
	lab_assert_str(run.out, "");
	lab_assert_contains(run.err, "list_windows");
	lab_assert_int(lab_run(NULL, DRIVER("describe"), NULL, 5000).code, 64);
}

static void bad_usage(struct lab_desk *desk)
{
	static const char *const bad[][2] = {
		{ "no-such-subcommand" }, { "--no-such-option" }, { "mcp", "--no-such-option" },
		{ "mcp", "stray" }, { "list-tools", "stray" }, { "-Z" },
	};

	(void)desk;
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		struct lab_run run = lab_run(NULL, DRIVER(bad[i][0], bad[i][1]), NULL, 5000);

		if (run.code != 64 || !*run.err || *run.out) {
			lab_fail("%s %s: exit code %d, stdout \"%s\", stderr \"%s\"", bad[i][0],
				bad[i][1] ? bad[i][1] : "", run.code, run.out, run.err);
		}
	}
	lab_assert_contains(lab_run(NULL, DRIVER("desktp"), NULL, 5000).err, "desktop");
	lab_assert_int(lab_run(NULL, LAB_ARGV(lab_driver_path()), NULL, 5000).code, 64);
}

/* What a script can rely on, without a daemon and without a display. */
static void codes(struct lab_desk *desk)
{
	static const struct {
		const char *words[4];
		const char *input;
		int code;
		const char *out, *err;
	} calls[] = {
		{ { "call", "get_config" }, "", 0, "max_image_dimension", NULL },
		{ { "get_config", "{}" }, "", 0, "max_image_dimension", NULL },
		/* Arguments on standard input, asked for or not. */
		{ { "set_config", "-" }, "{\"key\": \"max_image_dimension\", \"value\": 77}", 0, "77", NULL },
		{ { "set_config" }, "{\"max_image_dimension\": 78}", 0, "78", NULL },
		{ { "config", "get", "max_image_dimension" }, "", 0, "78\n", NULL },
		/* Reserved for the driver, and dropped. */
		{ { "get_config", "{\"_session_id\": \"x\", \"_y\": [1]}" }, "", 0, "78", NULL },
		{ { "get_config", "{\"y\": 1}" }, "", 1, "invalid_arguments", NULL },
		{ { "set_config", "{\"key\": \"max_image_dimensoin\", \"value\": 1}" }, "", 1,
			"did you mean max_image_dimension", NULL },
		{ { "set_config", "{\"max_image_dimension\": \"large\"}" }, "", 1, "invalid_arguments", NULL },
		{ { "config", "get", "max_image_dimension" }, "", 0, "78\n", NULL },
		{ { "get_config", "{\"" }, "", 2, NULL, "no JSON" },
		{ { "get_config", "-" }, "[]", 2, NULL, "JSON object" },
		{ { "get_config", "{}", "{}" }, "", 64, NULL, "unexpected argument" },
		{ { "call", "get_confg" }, "", 64, NULL, "did you mean 'get_config'" },
		{ { "list_windows" }, "", 69, "no_display", NULL },
		{ { "call", "--socket", "/nonexistent", "get_config" }, "", 69, NULL, "No daemon listens" },
		{ { "mcp", "--socket", "/nonexistent" }, "", 69, NULL, "No daemon listens" },
		{ { "status" }, "", 69, NULL, "cua-driver serve" },
		{ { "stop" }, "", 69, NULL, "No daemon listens" },
		{ { "mcp-config", "--client", "netscape" }, "", 64, NULL, "no host 'netscape'" },
		/* Help of what is inside of a command. */
		{ { "click", "--help" }, "", 0, "element_index", NULL },
		{ { "call", "click", "--help" }, "", 0, "element_index", NULL },
		{ { "config", "set", "--help" }, "", 0, "capture_scope", NULL },
	};
	struct lab_place *place = lab_place_new(NULL);

	(void)desk;
	for (size_t i = 0; i < G_N_ELEMENTS(calls); i++) {
		const char *const *words = calls[i].words;
		struct lab_run run = lab_run(place->env, DRIVER(words[0], words[1], words[2], words[3]), calls[i].input,
			20000);
		if (run.code != calls[i].code || (calls[i].out && !strstr(run.out, calls[i].out))
			|| (calls[i].err && !strstr(run.err, calls[i].err))) {
			lab_fail("%s %s: exit code %d, stdout \"%s\", stderr \"%s\"", words[0],
				words[1] ? words[1] : "", run.code, run.out, run.err);
		}
	}
}

/* A closed stream's number would be given to the next thing opened, and that be read as the client. */
static void closed_streams(struct lab_desk *desk)
{
	static const char ping[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
	g_autofree char *without_in = g_strdup_printf("exec '%s' mcp <&-", lab_driver_path());
	g_autofree char *without_err = g_strdup_printf("exec '%s' mcp 2>&-", lab_driver_path());

	(void)desk;
	struct lab_run in = lab_run(NULL, LAB_ARGV("sh", "-c", without_in), NULL, 5000);
	lab_assert_int(in.code, 0);
	lab_assert_str(in.out, "");
	struct lab_run err = lab_run(NULL, LAB_ARGV("sh", "-c", without_err), ping, 5000);
	lab_assert_int(err.code, 0);
	lab_assert_contains(err.out, "\"result\":{}");
}

static void hosts(struct lab_desk *desk)
{
	static const char *const json[] = { "claude", "cursor", "vscode", "gemini", "opencode" };

	(void)desk;
	for (size_t i = 0; i < G_N_ELEMENTS(json); i++) {
		struct lab_run run = lab_run(NULL, DRIVER("mcp-config", "--client", json[i]), NULL, 5000);
		lab_assert_int(run.code, 0);
		if (!json_loads(run.out, 0, NULL)) {
			lab_fail("%s: no JSON: %s", json[i], run.out);
		}
		lab_assert_contains(run.out, lab_driver_path());
	}
	struct lab_run codex = lab_run(NULL, DRIVER("mcp-config", "--client", "codex", "--desktop"), NULL, 5000);
	lab_assert_contains(codex.out, "[mcp_servers.cua-driver]");
	lab_assert_contains(codex.out, "\"desktop\"");
	lab_assert_int(lab_run(NULL, DRIVER("mcp-config", "--client", "netscape"), NULL, 5000).code, 64);
}

static void completion(struct lab_desk *desk)
{
	g_autofree char *script = g_strdup_printf(". '%s/data/cua-driver'\n"
		"COMP_WORDS=(cua-driver get_window_); COMP_CWORD=1; _cua_driver; echo \"${COMPREPLY[@]}\"\n"
		"COMP_WORDS=(cua-driver config set max); COMP_CWORD=3; _cua_driver; echo \"${COMPREPLY[@]}\"\n",
		g_getenv("CUA_BUILDDIR"));

	(void)desk;
	struct lab_run run = lab_run(NULL, LAB_ARGV("bash", "-c", script), NULL, 5000);
	lab_assert_str(run.out, "get_window_state\nmax_image_dimension\n");
}

static void example(struct lab_desk *desk)
{
	g_autofree char *program = g_build_filename(g_getenv("CUA_BUILDDIR"), "examples", "calculator", NULL);
	g_autofree char *folder = g_dir_make_tmp("cua-example-XXXXXX", NULL);
	g_autofree char *picture = g_build_filename(folder, "calculator.png", NULL);
	struct lab_run run = lab_run(desk->env, LAB_ARGV(program, lab_driver_path(), picture), "", 90000);

	lab_note("%s%s", run.out, run.err);
	lab_assert_int(run.code, 0);
	lab_assert_contains(run.out, "The calculator shows 56.");
	lab_assert(lab_picture_of_file(picture).colors > 2);
	lab_run(NULL, LAB_ARGV("rm", "-r", folder), NULL, 10000);
}

/* The Debian package says twice what the build says once; tests/package builds it. */
static void packaging(struct lab_desk *desk)
{
	g_autofree char *script = g_strdup_printf("cd '%s'\n"
		"version=$(sed -n 's/^AC_INIT(\\[cua-driver\\], \\[\\(.*\\)\\])$/\\1/p' configure.ac)\n"
		"[ \"$(sed -n '1s/^cua-driver (\\(.*\\)) .*/\\1/p' debian/changelog)\" = \"$version\" ] || echo version\n"
		"sed -n 's/^build\t//p' data/packages | tr ' ' '\\n' |\n"
		"	grep -vxE 'autoconf|automake|gcc|libc6-dev|make|xz-utils' | sort >$0/built-with\n"
		"sed -n '/^Build-Depends:/,/^[A-Z]/p' debian/control | tr ' ,' '\\n\\n' |\n"
		"	grep -xE 'lib.*|pkg-config' | sort >$0/depends\n"
		"diff $0/built-with $0/depends\n", g_getenv("CUA_SRCDIR"));
	g_autofree char *folder = g_dir_make_tmp("cua-cli-XXXXXX", NULL);

	(void)desk;
	struct lab_run run = lab_run(NULL, LAB_ARGV("sh", "-c", script, folder), NULL, 20000);
	lab_run(NULL, LAB_ARGV("rm", "-r", folder), NULL, 10000);
	lab_assert_str(run.out, "");
	lab_assert_str(run.err, "");
	lab_assert_int(run.code, 0);
}

static const struct lab_test tests[] = {
	{ .name = "version", .run = version,
	  .about = "--version names the program, its version and what was built in." },
	{ .name = "help", .run = help,
	  .about = "Every level has a --help, on stdout, with exit code 0." },
	{ .name = "list_tools", .run = list_tools, .about = "list-tools names every tool." },
	{ .name = "describe", .run = describe,
	  .about = "describe explains a tool; a misspelt one is answered with the nearest name." },
	{ .name = "bad_usage", .run = bad_usage,
	  .about = "What the program does not understand is 64 and a word on stderr." },
	{ .name = "codes", .run = codes,
	  .about = "What was done, refused or not understood, the exit code tells; arguments also come on stdin." },
	{ .name = "hosts", .run = hosts, .about = "mcp-config prints what each MCP host reads." },
	{ .name = "completion", .run = completion, .needs = "bash",
	  .about = "bash completes commands, tools and settings." },
	{ .name = "example", .run = example, .servers = LAB_XVFB, .wms = "openbox", .timeout = 120,
	  .needs = "galculator xterm", .about = "What ./run shows computes 56 behind a terminal." },
	{ .name = "packaging", .run = packaging,
	  .about = "The Debian package has the program's version, and depends on what it is built with." },
	{ .name = "closed_streams", .run = closed_streams,
	  .about = "Without standard input there is nothing to serve; without standard error there is." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
