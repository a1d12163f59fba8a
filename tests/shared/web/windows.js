// SPDX-License-Identifier: MIT
// What opens above the page: the modal dialog, the popup, the second window.
import { watch } from "./events.js";
import * as journal from "./journal.js";
import * as model from "./model.js";

function button(text, on_click) {
	const element = document.createElement("button");

	element.textContent = text;
	element.addEventListener("click", on_click);
	return element;
}

let modal;

export function open_modal({ text, accept, cancel }) {
	if (modal) {
		return;
	}
	const dialog = document.createElement("dialog");
	const line = document.createElement("p");

	modal = dialog;
	line.textContent = text;
	dialog.setAttribute("aria-label", model.title("modal"));
	dialog.append(line);
	dialog.append(button(accept, () => dialog.close("accepted")));
	dialog.append(button(cancel, () => dialog.close()));
	dialog.addEventListener("close", () => {
		modal = null;
		dialog.remove();
		model.change("btn-modal", "modal", dialog.returnValue || "cancelled");
	});
	document.body.append(dialog);
	dialog.showModal();
}

let close_popup = () => {};

export function open_popup(anchor, { pick }) {
	close_popup();

	const popup = document.createElement("div");
	const box = anchor.getBoundingClientRect();

	function close(result) {
		close_popup = () => {};
		document.removeEventListener("pointerdown", on_outside, true);
		document.removeEventListener("keydown", on_key, true);
		popup.remove();
		model.change("btn-popup", "popup", result);
	}

	function on_outside(event) {
		if (!popup.contains(event.target)) {
			close("closed");
		}
	}

	function on_key(event) {
		if (event.key === "Escape") {
			close("closed");
		}
	}

	popup.className = "popup";
	popup.popover = "manual";
	popup.setAttribute("role", "dialog");
	popup.setAttribute("aria-label", model.title("popup"));
	popup.style.left = `${box.left}px`;
	popup.style.top = `${box.bottom}px`;
	popup.append(button(pick, () => close("picked")));
	document.body.append(popup);
	popup.showPopover();
	popup.firstElementChild.focus({ focusVisible: false });
	document.addEventListener("pointerdown", on_outside, true);
	document.addEventListener("keydown", on_key, true);
	close_popup = () => close("closed");
}

let second;

export function open_second() {
	if (second && !second.closed) {
		second.focus();
		return;
	}
	// Beside the main window where there is room.
	const place = "popup,width=290,height=120,left=980,top=80";
	const view = window.open("second.html", "_blank", place);

	if (!view) {
		journal.note("the second window was not allowed");
		return;
	}
	second = view;
	view.addEventListener("load", () => {
		view.document.title = model.title("second");
		view.document.querySelector("button").addEventListener("click", () => view.close());
		watch(view, "second");
		// Whoever closed it: its button, the window manager, or a script.
		view.addEventListener("pagehide", () => {
			second = null;
			model.change("btn-second", "second", "closed");
		});
	});
}
