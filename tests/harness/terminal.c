/* SPDX-License-Identifier: MIT */
/*
 * An xterm, told what its mouse does by a program inside it that asked for reports. Neither shares anything with a
 * toolkit: what is journalled went through the server, xterm and a pseudo terminal. Columns and rows, from 1,
 * take the place of pixels. The process has a second window, that of the Tektronix emulation.
 */
#include <fcntl.h>
#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "journal.h"

#define TITLE "Harness terminal"

/* Into Tektronix mode and back, so that its window opens; reports of all motion, in SGR form; are you there? */
#define HELLO "\033[?38h\033\003\033[?1003h\033[?1006h\033[5n"
#define THERE "\033[0n"

static void report(int code, int column, int row, bool press)
{
	static const char *const directions[] = {"up", "down", "left", "right"};
	char number[2] = {(char)('1' + (code & 3)), '\0'};
	unsigned held = (code & 4 ? 1U : 0) | (code & 16 ? 4U : 0) | (code & 8);

	if (code & 32) {
		journal_event("motion", "terminal", column, row, NULL, 0);
	} else if (code & 64) {
		/* Of a wheel that turns sideways xterm tells the release as well. */
		if (press) {
			journal_modifiers(held);
			journal_event("scroll", "terminal", column, row, directions[code & 3], 0);
		}
	} else {
		journal_modifiers(press ? held : 0);
		journal_event(press ? "button_press" : "button_release", "terminal", column, row, number, 0);
	}
}

/* Takes one sequence from the front of the text; false if it is not complete. */
static bool take(GString *text)
{
	int code, column, row, size = 0;
	char end;

	if (text->len == 0) {
		return false;
	}
	if (text->str[0] != '\033') {
		journal_event("key_press", "terminal", -1, -1, (char[]){text->str[0], '\0'}, 0);
		g_string_erase(text, 0, 1);
		return true;
	}
	if (g_str_has_prefix(text->str, THERE)) {
		journal_ready("terminal");
		g_string_erase(text, 0, strlen(THERE));
		return true;
	}
	if (sscanf(text->str, "\033[<%d;%d;%d%c%n", &code, &column, &row, &end, &size) == 4 && size > 0) {
		report(code, column, row, end == 'M');
		g_string_erase(text, 0, size);
		return true;
	}
	return false;
}

static int watch(const char *journal)
{
	struct termios mode;
	g_autoptr(GString) text = g_string_new(NULL);
	char buffer[256];
	ssize_t got;

	journal_open(open(journal, O_WRONLY | O_CLOEXEC));
	tcgetattr(STDIN_FILENO, &mode);
	cfmakeraw(&mode);
	tcsetattr(STDIN_FILENO, TCSANOW, &mode);
	if (write(STDOUT_FILENO, HELLO, strlen(HELLO)) < 0) {
		return 1;
	}
	while ((got = read(STDIN_FILENO, buffer, sizeof buffer)) > 0) {
		g_string_append_len(text, buffer, got);
		while (take(text)) {
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	char journal[64], self[4096];
	ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);

	if (argc == 3 && strcmp(argv[1], "--inside") == 0) {
		return watch(argv[2]);
	}
	if (argc != 3 || strcmp(argv[1], "--journal-fd") != 0 || size < 0) {
		fprintf(stderr, "usage: terminal --journal-fd N\n");
		return 64;
	}
	self[size] = '\0';
	/* The descriptor stays open in xterm, which is this process. */
	snprintf(journal, sizeof journal, "/proc/%d/fd/%d", (int)getpid(), atoi(argv[2]));
	execlp("xterm", "xterm", "-title", TITLE, "-fn", "fixed", "-geometry", "100x40", "-b", "2", "+sb", "-xrm",
		"XTerm*allowTitleOps: false", "-xrm", "XTerm*buffered: false", "-e", self, "--inside", journal,
		(char *)NULL);
	perror("xterm");
	return 69;
}
