// SPDX-License-Identifier: MIT
// The page's end of the journal: the host (tests/harness/web.c) writes what is sent here.

let socket;

function now() {
	return performance.timeOrigin + performance.now();
}

/*
 * Answers the host's questions for the time until it says how the page shall be; resolves to that.
 * The socket hands every message to another process before send() returns, so that neither a hang
 * nor a crash right after loses one.
 */
export function connect() {
	return new Promise((resolve) => {
		socket = new WebSocket(`ws://${location.host}/socket`);
		socket.onmessage = ({ data }) => {
			if (data.startsWith("P ")) {
				socket.send(`P ${data.slice(2)} ${now()}`);
			} else if (data.startsWith("G ")) {
				resolve(new URLSearchParams(data.slice(2)));
			}
		};
	});
}

/* Readers in C take neither half a character nor one that ends a string. */
function clean(key, value) {
	return typeof value === "string" ? value.toWellFormed().replaceAll("\0", "\ufffd") : value;
}

function line(kind, fields) {
	socket.send(`L ${now()} ${JSON.stringify({ kind, ...fields }, clean)}`);
}

/* `more` is what only the web has. */
export function event(type, control, x, y, detail, synthetic, more) {
	line("event", { type, control, x, y, detail, synthetic, ...more });
}

export function state(label, value, was) {
	line("state", { label, value, was });
}

export function fault(name, control) {
	line("fault", { fault: name, control });
}

export function note(text) {
	line("note", { text });
}

export function ready() {
	socket.send("R");
}

/* Only the host can: a page may not even go to chrome://crash. */
export function crash() {
	socket.send("C");
}
