// SPDX-License-Identifier: MIT
// Menus of the page's own, in its top layer: one is open at a time.

let close_open = () => {};

function step(items, by) {
	const at = items.indexOf(document.activeElement);

	items[(at + by + items.length) % items.length].focus({ focusVisible: false });
}

/* Opens a menu of `names` at that point of the page, inside `parent`; `pick` gets the name. */
export function open_menu(parent, label, names, [x, y], pick, closed = () => {}) {
	close_open();

	const menu = document.createElement("div");
	const before = document.activeElement;
	const items = names.map((name) => {
		const item = document.createElement("div");

		item.setAttribute("role", "menuitem");
		item.tabIndex = -1;
		item.textContent = name;
		item.addEventListener("click", () => {
			close();
			pick(name);
		});
		return item;
	});

	function close(is_pressed_outside) {
		close_open = () => {};
		document.removeEventListener("pointerdown", on_outside, true);
		menu.remove();
		if (!is_pressed_outside) {
			before?.focus({ focusVisible: false });
		}
		closed();
	}

	function on_outside(event) {
		// A press on what opened it is left to that, which closes it as well.
		if (!menu.contains(event.target) && !parent.contains(event.target)) {
			close(true);
		}
	}

	menu.className = "menu";
	// Manual: an automatic one is dismissed by the release of the press that opened it.
	menu.popover = "manual";
	menu.setAttribute("role", "menu");
	menu.setAttribute("aria-label", label);
	menu.style.left = `${x}px`;
	menu.style.top = `${y}px`;
	menu.append(...items);
	menu.addEventListener("keydown", (event) => {
		if (event.key === "ArrowDown") {
			step(items, 1);
		} else if (event.key === "ArrowUp") {
			step(items, -1);
		} else if (event.key === "Enter" || event.key === " ") {
			document.activeElement.click();
		} else if (event.key === "Escape") {
			close();
		} else {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	});
	menu.addEventListener("contextmenu", (event) => event.preventDefault());
	parent.append(menu);
	menu.showPopover();
	items[0].focus({ focusVisible: false });
	document.addEventListener("pointerdown", on_outside, true);
	close_open = () => close();
	return () => close();
}
