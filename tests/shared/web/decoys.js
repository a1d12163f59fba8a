// SPDX-License-Identifier: MIT
// Changes that no one made: whoever looks for the effect of an action must not take these for it.

function add(tag, id) {
	const element = document.createElement(tag);

	element.id = id;
	document.getElementById("decoys").append(element);
	return element;
}

export function start_decoys() {
	const clock = add("p", "decoy-clock");
	const progress = add("progress", "decoy-progress");
	const caret = add("p", "decoy-caret");
	const log = add("div", "decoy-log");
	let ticks = 0;
	let lines = 0;

	document.getElementById("decoys").hidden = false;
	progress.max = 1;
	progress.setAttribute("aria-label", "Progress");
	log.setAttribute("role", "log");
	log.setAttribute("aria-label", "Log");
	setInterval(() => {
		ticks++;
		clock.textContent = `clock=${ticks}`;
		progress.value = (ticks % 101) / 100;
	}, 100);
	setInterval(() => caret.classList.toggle("off"), 500);
	setInterval(() => {
		const line = document.createElement("div");

		lines++;
		line.textContent = `log ${lines}: nothing happened again`;
		log.append(line);
		if (log.childElementCount > 50) {
			log.firstElementChild.remove();
		}
		log.scrollTop = log.scrollHeight;
	}, 250);
}
