// SPDX-License-Identifier: MIT
// The controls of scenarios.json. Each has a cell that stays: nothing moves when one vanishes.
import { watch } from "./events.js";
import { build_list, build_tree } from "./lists.js";
import { open_menu } from "./menu.js";
import * as model from "./model.js";
import { open_modal, open_popup, open_second } from "./windows.js";

let scenarios;
const cells = new Map();  // by id: where the control is
const controls = new Map();

function element(tag, properties = {}) {
	return Object.assign(document.createElement(tag), properties);
}

function shown(id) {
	return document.getElementById(id);
}

/* Not all have a disabled state of their own; an accessibility action would still reach those. */
function is_disabled(id) {
	return shown(id)?.getAttribute("aria-disabled") === "true";
}

function change(id, label, text) {
	if (!is_disabled(id)) {
		model.change(id, label, text);
	}
}

function increment(id, label) {
	if (!is_disabled(id)) {
		model.increment(id, label);
	}
}

function build_checkbox({ id, sets }) {
	const box = element("input", { type: "checkbox", checked: model.value(sets) === "true" });

	box.addEventListener("change", () => change(id, sets, String(box.checked)));
	return box;
}

function build_target({ id, label }) {
	const button = element("button", { textContent: label });

	button.addEventListener("click", (event) => {
		const doubled = event.detail > 0 && event.detail % 2 === 0;

		increment(id, "clicks");
		change(id, "last_action", doubled ? "double_click" : "click");
	});
	button.addEventListener("contextmenu", (event) => {
		event.preventDefault();
		change(id, "last_action", "right_click");
	});
	return button;
}

function build_slider({ id, sets, min, max }) {
	const slider = element("input", { type: "range", min, max, value: model.value(sets) });

	slider.addEventListener("input", () => change(id, sets, slider.value));
	return slider;
}

function build_scroll({ id, sets, height }) {
	const area = element("div", { tabIndex: 0 });
	const tall = element("div", { className: "tall" });
	let last = 0;

	area.setAttribute("role", "region");
	tall.style.height = `${height}px`;
	for (let row = 0; row < height / 100; row++) {
		tall.append(element("div", { textContent: `Row ${row}` }));
	}
	area.append(tall);
	area.addEventListener("scroll", () => {
		const offset = Math.round(area.scrollTop);

		if (offset !== last) {
			last = offset;
			change(id, sets, String(offset));
		}
	});
	return area;
}

function build_text({ id, sets }) {
	const input = element("input", {
		type: "text", value: model.value(sets), autocomplete: "off", spellcheck: false,
	});

	input.addEventListener("input", () => change(id, sets, input.value));
	return input;
}

function build_password({ id, sets }) {
	// "off" is ignored for passwords, and the browser would offer to keep it.
	const input = element("input", { type: "password", autocomplete: "one-time-code" });

	// Characters, not UTF-16 units.
	input.addEventListener("input", () => {
		change(id, sets, String([...input.value].length));
	});
	return input;
}

function build_context({ id, label, sets }) {
	const button = element("button", { textContent: label });
	const open = (at) => open_menu(cells.get(id), label, scenarios.context, at, (item) => {
		change(id, sets, item);
	});

	button.setAttribute("aria-haspopup", "menu");
	button.addEventListener("click", () => {
		const box = button.getBoundingClientRect();

		open([box.left, box.bottom]);
	});
	button.addEventListener("contextmenu", (event) => {
		event.preventDefault();
		open([event.clientX, event.clientY]);
	});
	return button;
}

function build_menu_bar({ id, sets }) {
	const bar = element("div");

	bar.setAttribute("role", "menubar");
	for (const { label, items } of scenarios.menus) {
		const title = element("button", { textContent: label });
		let close;

		title.setAttribute("role", "menuitem");
		title.setAttribute("aria-haspopup", "menu");
		title.setAttribute("aria-expanded", "false");
		title.addEventListener("click", () => {
			if (close) {
				close();
				return;
			}
			const box = title.getBoundingClientRect();

			title.setAttribute("aria-expanded", "true");
			close = open_menu(bar, label, items, [box.left, box.bottom],
				(item) => change(id, sets, item),
				() => {
					close = null;
					title.setAttribute("aria-expanded", "false");
				});
		});
		bar.append(title);
	}
	return bar;
}

function build_combo({ id, sets }) {
	const combo = element("select");

	for (const choice of scenarios.choices) {
		combo.append(element("option", { textContent: choice }));
	}
	combo.value = model.value(sets);
	combo.addEventListener("change", () => change(id, sets, combo.value));
	return combo;
}

function build_child({ id, label, colour, sets }) {
	const frame = element("iframe", { src: "child.html", title: label });

	frame.addEventListener("load", () => {
		const canvas = frame.contentDocument.querySelector("canvas");
		const brush = canvas.getContext("2d");

		canvas.setAttribute("role", "img");
		canvas.setAttribute("aria-label", label);
		brush.fillStyle = document.querySelector(".colours") ? colour : "darkgray";
		brush.fillRect(0, 0, canvas.width, canvas.height);
		canvas.addEventListener("click", () => increment(id, sets));
		watch(frame.contentWindow, "child", id);
	});
	return frame;
}

function build_button({ label }, on_click) {
	const button = element("button", { textContent: label });

	button.addEventListener("click", on_click);
	return button;
}

const builders = {
	"chk-agree": build_checkbox,
	"btn-target": build_target,
	"sld-value": build_slider,
	"scroll-tall": build_scroll,
	"txt-input": build_text,
	"btn-context": build_context,
	"btn-counter": (control) => build_button(control, () => {
		increment(control.id, control.sets);
	}),
	"btn-modal": (control) => build_button(control, () => {
		open_modal(scenarios.modal);
		change(control.id, control.sets, "open");
	}),
	"btn-popup": (control) => build_button(control, (event) => {
		open_popup(event.currentTarget, scenarios.popup);
		change(control.id, control.sets, "open");
	}),
	"mnu-bar": build_menu_bar,
	"cmb-choice": build_combo,
	"lst-items": ({ id, sets }) => build_list(scenarios.items, model.value(sets),
		(item) => change(id, sets, item)),
	"tree-nodes": ({ id, sets }) => build_tree(scenarios.nodes,
		(node) => change(id, sets, node)),
	"txt-password": build_password,
	"btn-second": (control) => build_button(control, () => {
		open_second();
		change(control.id, control.sets, "open");
	}),
	"win-child": build_child,
};

function make(control) {
	const widget = builders[control.id](control);

	widget.id = control.id;
	widget.dataset.control = control.id;
	widget.classList.add("control");
	widget.setAttribute("aria-label", control.label);
	widget.style.setProperty("--colour", control.colour);
	return widget;
}

/* A caption for what does not show its own name. */
function make_cell(control) {
	const cell = element("div", { className: "cell" });

	if (control.id === "mnu-bar") {
		document.getElementById("menu").append(cell);
	} else {
		document.getElementById("controls").append(cell);
		if (!["button", "context"].includes(control.kind)) {
			const caption = element("label", {
				textContent: control.label, htmlFor: control.id,
			});

			// Named already by the control itself; twice would be twice in the tree.
			caption.setAttribute("aria-hidden", "true");
			cell.append(caption);
		}
	}
	cells.set(control.id, cell);
	controls.set(control.id, control);
	cell.append(make(control));
}

/* Builds all; resolves to what the model needs to interfere. */
export async function build(the_scenarios) {
	scenarios = the_scenarios;
	scenarios.controls.forEach(make_cell);

	// The frame is loaded by a task of its own, so not before this.
	await new Promise((done) => shown("win-child").addEventListener("load", done));
	return {
		open_modal: () => open_modal(scenarios.modal),
		disable(id) {
			for (const one of document.querySelectorAll(`#${id}, #${id} *`)) {
				one.setAttribute("aria-disabled", "true");
				one.disabled = true;
			}
		},
		vanish(id) {
			shown(id)?.remove();
		},
		replace(id) {
			shown(id)?.replaceWith(make(controls.get(id)));
		},
	};
}
