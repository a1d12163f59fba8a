// SPDX-License-Identifier: MIT
// Journals every input event a window gets, before anything in the page can act on it or stop it.
import * as journal from "./journal.js";

/* X names of keys that the DOM names otherwise; the rest is the same or a character of its own. */
const keysyms = {
	Enter: "Return", ArrowLeft: "Left", ArrowRight: "Right", ArrowUp: "Up", ArrowDown: "Down",
	Backspace: "BackSpace",
	PageUp: "Page_Up", PageDown: "Page_Down", ContextMenu: "Menu",
	CapsLock: "Caps_Lock", NumLock: "Num_Lock", AltGraph: "ISO_Level3_Shift", Dead: "dead",
	" ": "space", "!": "exclam", '"': "quotedbl", "#": "numbersign", $: "dollar",
	"%": "percent",
	"&": "ampersand", "'": "apostrophe", "(": "parenleft", ")": "parenright", "*": "asterisk",
	"+": "plus", ",": "comma", "-": "minus", ".": "period", "/": "slash", ":": "colon",
	";": "semicolon", "<": "less", "=": "equal", ">": "greater", "?": "question", "@": "at",
	"[": "bracketleft", "\\": "backslash", "]": "bracketright", "^": "asciicircum",
	_: "underscore", "`": "grave", "{": "braceleft", "|": "bar", "}": "braceright",
	"~": "asciitilde",
};

const two_sided = { Shift: "Shift", Control: "Control", Alt: "Alt", Meta: "Super" };

function keysym(event) {
	if (event.key in two_sided) {
		return `${two_sided[event.key]}_${event.code.endsWith("Right") ? "R" : "L"}`;
	}
	if (event.key === "Tab" && event.shiftKey) {
		return "ISO_Left_Tab";
	}
	// NUL is what a key has whose symbol was mapped a moment ago.
	return keysyms[event.key] ?? event.key.replace("\0", "");
}

/* X numbers the buttons otherwise. */
function button(event) {
	return String([1, 2, 3, 8, 9][event.button] ?? event.button);
}

function direction(event) {
	if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
		return event.deltaX > 0 ? "right" : "left";
	}
	return event.deltaY > 0 ? "down" : "up";
}

/* A press that an accessibility action makes has no pressure; its release is not marked at all. */
let is_simulated = false;

function simulated(event) {
	if (event.type === "pointerdown") {
		is_simulated = event.pressure === 0;
	}
	return event.type === "pointerdown" || event.type === "pointerup" ? is_simulated : false;
}

/* More buttons pressed while one is held come as movements. */
function chord(event) {
	if (event.button < 0) {
		return "motion";
	}
	return event.buttons & [1, 4, 2, 8, 16][event.button] ? "button_press" : "button_release";
}

/*
 * Pointer events, not mouse events or clicks: a page that listens for those is shown to
 * accessibility as clickable everywhere, so the witness would change what it watches.
 */
const types = {
	keydown: ["key_press", keysym],
	keyup: ["key_release", keysym],
	pointerdown: ["button_press", button],
	pointerup: ["button_release", button],
	pointermove: [chord, (event) => event.button < 0 ? "" : button(event)],
	pointercancel: ["grab_broken", () => ""],
	wheel: ["scroll", direction],
	focusin: ["focus_in", () => ""],
	focusout: ["focus_out", () => ""],
	// What the DOM has beyond that keeps its own name.
	contextmenu: ["contextmenu", () => ""],
	beforeinput: ["beforeinput", (event) => event.inputType],
	paste: ["paste", () => ""],
	drop: ["drop", () => ""],
};

/* Keys that were held, named as the other applications name them. */
function modifiers(event) {
	const held = [["shiftKey", "shift"], ["ctrlKey", "ctrl"], ["altKey", "alt"], ["metaKey", "super"]]
		.filter(([key]) => event[key]).map(([, name]) => name);

	return event.type === "pointerdown" || event.type === "wheel" ? held.join("+") || undefined
		: undefined;
}

function control_of(target, otherwise) {
	return target.closest?.("[data-control]")?.dataset.control ?? otherwise;
}

/* What in the control it was: the item of a menu, the button of a dialog. */
function part_of(target) {
	const part = target.closest?.("button, [role=menuitem], [role=option], [role=treeitem]");

	return part?.getAttribute("aria-label") ?? part?.textContent;
}

function put(type, event, detail, control, window_name) {
	const at = "screenX" in event ? [event.screenX, event.screenY] : [-1, -1];

	journal.event(type, control, ...at.map(Math.floor), detail, !event.isTrusted, {
		part: part_of(event.target),
		pointer: event.pointerType === "mouse" ? undefined : event.pointerType,
		modifiers: modifiers(event),
		repeat: event.repeat || undefined,
		simulated: simulated(event) || undefined,
		window: window_name,
	});
}

/*
 * Focus that goes from a page to a frame in it and back stays in the window: what counts is whether
 * the page of the whole window has it.
 */
const focused = new WeakMap();

function put_window_focus(view, event, window_name) {
	const now = view.top.document.hasFocus();

	if (focused.get(view.top) !== now) {
		focused.set(view.top, now);
		put(now ? "focus_in" : "focus_out", event, "window", "", window_name);
	}
}

/* `window_name` and `control` are for windows other than the main one. */
export function watch(view, window_name, control = "") {
	focused.set(view.top, view.top.document.hasFocus());
	for (const [kind, [type, detail]] of Object.entries(types)) {
		view.addEventListener(kind, (event) => {
			const name = typeof type === "string" ? type : type(event);
			const where = control_of(event.target, control);

			put(name, event, detail(event), where, window_name);
		}, { capture: true, passive: true });
	}
	const root = view === view.top ? view.document.documentElement : null;

	for (const [name, type] of [["mouseenter", "enter"], ["mouseleave", "leave"]]) {
		view.document.addEventListener(name, (event) => {
			const { target } = event;

			// They come for each element on the way; controls and the window count.
			if (target.dataset?.control || target === root) {
				put(type, event, "", control_of(target, control), window_name);
			}
		}, { capture: true, passive: true });
	}
	for (const [name, type] of [["focus", "focus_in"], ["blur", "focus_out"]]) {
		view.addEventListener(name, (event) => {
			if (event.target !== view) {
				return;
			}
			if (view !== view.top) {
				put(type, event, "", control, window_name);
			}
			put_window_focus(view, event, view === view.top ? window_name : undefined);
		});
	}
	view.document.addEventListener("visibilitychange", () => {
		journal.note(`${window_name ?? "main"} window ${view.document.visibilityState}`);
	});
}
