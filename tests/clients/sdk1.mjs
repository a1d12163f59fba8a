// SPDX-License-Identifier: MIT
// @modelcontextprotocol/sdk 1.x: what most hosts are built on today.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { done, driver, endTests, now, record, stoppedTests, test, toolTests } from './tap.mjs';

// The SDK hands on HOME, PATH and little else: without env there is no DISPLAY.
const transport = new StdioClientTransport({ command: driver, args: ['mcp'], env: process.env });
const client = new Client({ name: 'cua-driver-tests', version: '1' });
const wire = record(client, transport);
const session = {
  wire,
  list: async () => (await client.listTools()).tools,
  call: (name, args, options) => client.callTool({ name, arguments: args }, undefined, options),
  alive: () => client.ping(),
};

await test('legacy: connect', async () => {
  const begin = now();
  await client.connect(transport);
  // Hosts have been seen to give up after 3 s.
  assert.ok(now() - begin < 3000, `took ${now() - begin} ms`);
  assert.equal(wire.results()[0].result.protocolVersion, '2025-11-25');
  assert.equal(client.getServerVersion().name, 'cua-driver');
  assert.ok(client.getServerVersion().version);
  assert.ok(client.getServerCapabilities().tools);
});
await test('legacy: ping', () => client.ping());

await toolTests('legacy', session);
await stoppedTests('legacy', session);

await test('legacy: results carry nothing of the newer revision', () => {
  assert.ok(wire.results().length > 0);
  for (const { result } of wire.results())
    for (const key of ['resultType', 'ttlMs', 'cacheScope']) assert.ok(!(key in result), key);
});
await endTests('legacy', client, transport, wire);
done();
