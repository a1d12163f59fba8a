// SPDX-License-Identifier: MIT
// tests/harness/model.c and fault.c in the page: state, names and faults, with the same meaning.
import * as journal from "./journal.js";

const hang_ms = 3000;

/* Chances in a draw; crash and hang are rare, since they end or stall everything after them. */
const weights = {
	echo: 4, late100: 4, late1000: 4, other: 4, disable: 4, vanish: 4, twin: 4, modal: 4,
	hang: 1, crash: 1,
};

let scenarios;
let options;
let toolkit;
let dice;
let acting = false; // a fault is calling the toolkit: what that changes has no fault of its own
const values = new Map();

function mulberry32(seed) {
	let state = seed | 0;

	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);

		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	};
}

export function init(the_scenarios, the_options) {
	scenarios = the_scenarios;
	options = the_options;
	for (const [label, value] of Object.entries(scenarios.labels)) {
		values.set(label, value);
	}
	if (options.has("faults")) {
		dice = mulberry32(Number(options.get("faults")));
	}
}

/* `the_toolkit` has show_label(), disable(), vanish(), replace() and open_modal(). */
export function attach(the_toolkit) {
	toolkit = the_toolkit;
	for (const [label, text] of values) {
		toolkit.show_label(label, `${label}=${text}`);
	}
}

export function title(which) {
	const text = scenarios.titles[which].replace("%s", options.get("toolkit"));

	return options.has("suffix") ? `${text} ${options.get("suffix")}` : text;
}

export function labels() {
	return values.keys();
}

export function value(label) {
	return values.get(label);
}

function set(label, text) {
	const was = values.get(label);

	values.set(label, text);
	journal.state(label, text, was);
	toolkit.show_label(label, `${label}=${text}`);
}

function draw() {
	if (options.has("fault")) {
		return options.get("fault");
	}
	if (!dice) {
		return null;
	}
	const total = Object.values(weights).reduce((sum, weight) => sum + weight);
	// As many blanks as faults: half of the draws.
	let at = Math.floor(dice() * 2 * total) - total;

	if (at < 0) {
		return null;
	}
	for (const [name, weight] of Object.entries(weights)) {
		if (at < weight) {
			return name;
		}
		at -= weight;
	}
	return null;
}

/* What else the control could have become. */
function entries(control) {
	switch (control) {
	case "btn-context":
		return scenarios.context;
	case "mnu-bar":
		return scenarios.menus.flatMap((menu) => menu.items);
	case "cmb-choice":
		return scenarios.choices;
	case "lst-items":
		return scenarios.items;
	case "tree-nodes":
		return scenarios.nodes.flatMap((node) => [node.label, ...node.children]);
	case "btn-modal":
		return ["open", "accepted", "cancelled"];
	case "btn-popup":
		return ["open", "picked", "closed"];
	case "btn-second":
		return ["open", "closed"];
	default:
		return ["click", "right_click", "double_click"];
	}
}

/* A value that is not the one asked for, nor, of three to choose from, the one it was. */
function other(control, text, was) {
	if (control === "chk-agree") {
		return text === "true" ? "false" : "true";
	}
	if (control === "txt-input") {
		return `${[...text].reverse().join("")}!`;
	}
	if (/^-?\d+$/.test(text)) {
		return String(Number(text) + 7);
	}
	const left = entries(control).filter((entry) => entry !== text);

	return left.find((entry) => entry !== was) ?? left[0] ?? was;
}

function open_modal() {
	toolkit.open_modal();
	if (values.get("modal") !== "open") {
		set("modal", "open");
	}
}

function hang() {
	const end = performance.now() + hang_ms;

	// Blocking the main thread is the fault.
	while (performance.now() < end) {
	}
}

function act(fault, { control, label, compute }) {
	const apply = () => set(label, compute());

	switch (fault) {
	case "late100":
		setTimeout(apply, 100);
		break;
	case "late1000":
		setTimeout(apply, 1000);
		break;
	case "other":
		set(label, other(control, compute(), values.get(label)));
		break;
	case "disable":
		toolkit.disable(control);
		break;
	case "vanish":
		toolkit.vanish(control);
		break;
	case "twin":
		toolkit.replace(control);
		break;
	case "modal":
		open_modal();
		break;
	case "hang":
		hang();
		apply();
		break;
	case "crash":
		journal.crash();
		hang(); // nothing more happens until the host has done it
		break;
	default: // echo: the widget shows it already, and that is all
		break;
	}
}

function request(operation) {
	const fault = acting ? null : draw();

	if (!fault) {
		set(operation.label, operation.compute());
		return;
	}
	journal.fault(fault, operation.control);
	acting = true;
	act(fault, operation);
	acting = false;
}

/* Somebody operated `control` so that `label` should become `text`. */
export function change(control, label, text) {
	request({ control, label, compute: () => text });
}

/* The same for numbers that count: one more than it is when the change is applied. */
export function increment(control, label) {
	request({ control, label, compute: () => String(Number(values.get(label)) + 1) });
}
