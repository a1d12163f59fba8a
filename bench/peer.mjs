// SPDX-License-Identifier: MIT
// The released peer (@trycua/cua-driver, in-process) behind the framing of MCP's stdio, so that the
// benchmark asks it as it asks the driver. usage: node peer.mjs DIRECTORY_WITH_NODE_MODULES
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const home = join(process.argv[2], 'node_modules', '@trycua', 'cua-driver', 'dist', 'index.js');
const { CuaDriver } = await import(pathToFileURL(home).href);
const peer = CuaDriver.create(undefined);

async function answer({ method, params }) {
	if (method !== 'tools/call') {
		return {};
	}
	try {
		const said = await peer.callTool(params.name, JSON.stringify(params.arguments ?? {}));
		const raw = said?.rawJson ? JSON.parse(said.rawJson) : {};
		return {
			content: raw.content ?? [{ type: 'text', text: said?.text ?? '' }],
			structuredContent: said?.structuredJson ? JSON.parse(said.structuredJson)
				: raw.structuredContent ?? {},
			isError: Boolean(said?.isError || raw.isError),
		};
	} catch (problem) {
		return { content: [{ type: 'text', text: String(problem) }], isError: true };
	}
}

for await (const line of createInterface({ input: process.stdin })) {
	const request = JSON.parse(line);
	if (request.id !== undefined) {
		const result = await answer(request);
		process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: request.id, result }) + '\n');
	}
}
process.exit(0);
