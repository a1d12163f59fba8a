// SPDX-License-Identifier: MIT
// The listbox and the tree: what is focused, what is selected, what is open.
import * as journal from "./journal.js";

function entry(role, text) {
	const element = document.createElement("div");

	element.setAttribute("role", role);
	element.setAttribute("aria-selected", "false");
	element.setAttribute("aria-label", text);
	element.tabIndex = -1;
	return element;
}

function name_of(element) {
	return element.getAttribute("aria-label");
}

/* One entry of `all` is selected, has the focus and is the one Tab comes back to. */
function select(all, chosen, on_select) {
	if (chosen.getAttribute("aria-selected") === "true") {
		return;
	}
	for (const one of all) {
		one.setAttribute("aria-selected", String(one === chosen));
		one.tabIndex = one === chosen ? 0 : -1;
	}
	on_select(name_of(chosen));
}

function move(event, shown) {
	const at = shown.indexOf(event.target);
	const steps = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: shown.length - 1 };
	const to = steps[event.key];

	if (to !== undefined) {
		event.preventDefault();
		shown[to]?.focus();
	}
	return to !== undefined && shown[to];
}

export function build_list(names, selected, on_select) {
	const list = document.createElement("div");
	const options = names.map((name) => {
		const option = entry("option", name);

		option.textContent = name;
		option.setAttribute("aria-selected", String(name === selected));
		option.addEventListener("click", () => select(options, option, on_select));
		return option;
	});

	list.setAttribute("role", "listbox");
	list.append(...options);
	options[0].tabIndex = 0;
	list.addEventListener("keydown", (event) => {
		const next = move(event, options);

		if (next) {
			select(options, next, on_select);
		} else if (event.key === " " || event.key === "Enter") {
			event.preventDefault();
			select(options, event.target, on_select);
		}
	});
	return list;
}

function set_expanded(node, expanded) {
	const was = node.getAttribute("aria-expanded") === "true";

	if (node.hasAttribute("aria-expanded") && was !== expanded) {
		node.setAttribute("aria-expanded", String(expanded));
		journal.note(`${expanded ? "expanded" : "collapsed"} ${name_of(node)}`);
	}
}

function build_node(name, children, on_click) {
	const node = entry("treeitem", name);
	const row = document.createElement("span");

	row.className = "row";
	row.textContent = name;
	node.append(row);
	if (children.length > 0) {
		const group = document.createElement("div");

		group.setAttribute("role", "group");
		group.append(...children);
		node.append(group);
		node.setAttribute("aria-expanded", "false");
	}
	node.addEventListener("click", (event) => {
		event.stopPropagation();
		on_click(node);
	});
	return node;
}

/* A click on a parent selects it and opens or closes it: accessibility has no other handle. */
export function build_tree(nodes, on_select) {
	const tree = document.createElement("div");
	const all = () => [...tree.querySelectorAll("[role=treeitem]")];
	const is_shown = (node) => !node.parentElement.closest("[aria-expanded=false]");
	const shown = () => all().filter(is_shown);
	const on_click = (node) => {
		select(all(), node, on_select);
		set_expanded(node, node.getAttribute("aria-expanded") !== "true");
	};

	tree.setAttribute("role", "tree");
	for (const { label, children } of nodes) {
		const leaves = children.map((name) => build_node(name, [], on_click));

		tree.append(build_node(label, leaves, on_click));
	}
	tree.firstElementChild.tabIndex = 0;
	tree.addEventListener("keydown", (event) => {
		const next = move(event, shown());

		if (next) {
			select(all(), next, on_select);
		} else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
			event.preventDefault();
			set_expanded(event.target, event.key === "ArrowRight");
		} else if (event.key === " " || event.key === "Enter") {
			event.preventDefault();
			select(all(), event.target, on_select);
		}
	});
	return tree;
}
