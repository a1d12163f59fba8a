/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "daemon/defaults.h"

#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "core/quote.h"
#include "core/settings.h"

static int usage(FILE *out)
{
	fprintf(out, "Usage: cua-driver config [show | get KEY | set KEY VALUE | reset [KEY]]\n\n"
		"The settings of all sessions. A session changes its own with set_config.\n\nKeys:\n");
	for (const struct param *setting = settings_table; setting->name != NULL; setting++) {
		fprintf(out, "  %-22s %s\n", setting->name, setting->about);
	}
	return out == stdout ? 0 : EXIT_BAD_USAGE;
}

static const struct param *find(const char *name)
{
	const struct param *setting = settings_find(name);
	if (setting == NULL) {
		const char *nearest = settings_nearest(name);
		quote_print(stderr, "cua-driver config: there is no setting '%s'%s%s%s\n", name,
			nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
			nearest != NULL ? "'?" : "");
	}
	return setting;
}

static void show(struct settings *settings)
{
	for (const struct param *setting = settings_table; setting->name != NULL; setting++) {
		g_autofree char *text = settings_get(settings, NULL, setting->name);
		if (text != NULL) {
			quote_print(stdout, "%s = %s\n", setting->name, text);
		}
	}
}

static int run(struct settings *settings, int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	const char *verb = argc > 1 ? argv[1] : "show";
	const struct param *setting = NULL;
	if (argc > 2 && (setting = find(argv[2])) == NULL) {
		return EXIT_BAD_USAGE;
	}
	bool ok = true;
	if (strcmp(verb, "show") == 0 && argc <= 2) {
		show(settings);
	} else if (strcmp(verb, "get") == 0 && argc == 3) {
		g_autofree char *text = settings_get(settings, NULL, setting->name);
		quote_print(stdout, "%s\n", text != NULL ? text : "");
	} else if (strcmp(verb, "set") == 0 && argc == 4) {
		ok = settings_write(settings, setting, argv[3], &error);
	} else if (strcmp(verb, "reset") == 0 && argc == 3) {
		ok = settings_write(settings, setting, NULL, &error);
	} else if (strcmp(verb, "reset") == 0 && argc == 2) {
		ok = settings_reset(settings, &error);
	} else {
		return usage(stderr);
	}
	if (!ok) {
		quote_print(stderr, "cua-driver config: %s\n", error->message);
		return error->code == ERROR_INVALID_ARGUMENTS ? EXIT_BAD_USAGE : EXIT_TOOL_ERROR;
	}
	return 0;
}

int config_main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
			return usage(stdout);
		}
	}
	struct settings *settings = settings_new(NULL);
	g_autofree char *problem = settings_problem(settings);
	if (problem != NULL) {
		quote_print(stderr, "cua-driver config: %s\n", problem);
	}
	int code = run(settings, argc, argv);
	settings_free(settings);
	return code;
}
