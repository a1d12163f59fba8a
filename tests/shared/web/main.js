// SPDX-License-Identifier: MIT
// Puts the page together once the host has said how.
import { build } from "./controls.js";
import { start_decoys } from "./decoys.js";
import { watch } from "./events.js";
import { connect, ready } from "./journal.js";
import * as model from "./model.js";

/*
 * Frame callbacks run before a frame is on the screen; the timing of an element is told after it. A
 * window that is not shown paints nothing and is ready as well.
 */
function painted() {
	return new Promise((done) => {
		new PerformanceObserver(done).observe({ type: "element", buffered: true });
		setTimeout(done, 3000);
	});
}

function build_labels() {
	const elements = new Map();

	for (const label of model.labels()) {
		const element = document.createElement("p");

		element.id = `lbl-${label}`;
		element.setAttribute("elementtiming", label);
		elements.set(label, element);
		document.getElementById("labels").append(element);
	}
	return elements;
}

const options = await connect();
const scenarios = await (await fetch("scenarios.json")).json();

model.init(scenarios, options);
document.title = model.title("main");
document.documentElement.classList.toggle("colours", options.has("colours"));
document.documentElement.classList.toggle("decoys", options.has("decoys"));

const labels = build_labels();
const toolkit = await build(scenarios);

toolkit.show_label = (label, text) => {
	labels.get(label).textContent = text;
};
model.attach(toolkit);
if (options.has("decoys")) {
	start_decoys();
}
watch(window);
await document.fonts.ready;
await painted();
ready();
