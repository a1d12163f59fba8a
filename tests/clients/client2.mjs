// SPDX-License-Identifier: MIT
// @modelcontextprotocol/client 2.x: the stateless revision 2026-07-28, and
// the ways a client that knows both eras finds out which one we speak.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { checkTools, checkWindows, done, driver, endTests, record, sleep, stoppedTests, test, toolTests } from './tap.mjs';

const MODERN = '2026-07-28';
const META = 'io.modelcontextprotocol/';

// The SDK probes with a second process. A subclass of its transport it cannot
// copy: then the probe and the rest share one stream.
class OneStream extends StdioClientTransport {}

function open(mode, Transport = StdioClientTransport, options = {}) {
  const transport = new Transport({ command: driver, args: ['mcp'], env: process.env });
  const client = new Client({ name: 'cua-driver-tests', version: '1' },
    { ...options, versionNegotiation: mode && { mode } });
  const wire = record(client, transport);
  return {
    client, transport, wire,
    // refresh: our list may be cached, and the point is to ask twice.
    list: async () => (await client.listTools(undefined, { cacheMode: 'refresh' })).tools,
    call: (name, args, options) => client.callTool({ name, arguments: args }, options),
  };
}

// The whole suite, with no way back to the older era.
{
  const session = open({ pin: MODERN });
  const { client, transport, wire, list } = session;
  await test('modern: connect', async () => {
    await client.connect(transport);
    assert.equal(client.getProtocolEra(), 'modern');
    assert.equal(client.getServerVersion()?.name, 'cua-driver');
    assert.ok(client.getServerCapabilities().tools);
  });
  // First on the stream: the SDK counts from 0, and 0 can be cancelled too.
  const cancelled = await stoppedTests('modern', { ...session, alive: list });
  if (cancelled !== undefined) await test('modern: the cancelled request was number 0', () => assert.equal(cancelled, 0));
  await test('modern: discover', async () => {
    const found = await client.discover();
    assert.ok(found.supportedVersions.includes(MODERN));
    // The client forgives their absence, the specification does not.
    const { result } = wire.answer(wire.last('server/discover').id);
    assert.ok(Number.isInteger(result.ttlMs) && result.ttlMs >= 0);
    assert.match(result.cacheScope, /^(public|private)$/);
  });
  await toolTests('modern', session);
  await test('modern: an unsupported version is error -32022 with the supported ones', () =>
    assert.rejects(client.listTools({ _meta: { [`${META}protocolVersion`]: '1900-01-01' } }, { cacheMode: 'bypass' }),
      error => error.code === -32022 && error.data.supported.includes(MODERN) && error.data.requested === '1900-01-01'));
  await test('modern: a request without clientCapabilities is error -32602', () =>
    assert.rejects(client.listTools({ _meta: { [`${META}clientCapabilities`]: undefined } }, { cacheMode: 'bypass' }),
      error => error.code === -32602));
  await test('modern: no handshake was needed, and every result says what it is and who we are', () => {
    assert.equal(wire.last('initialize'), undefined);
    assert.equal(wire.last('notifications/initialized'), undefined);
    assert.ok(wire.results().length > 0);
    for (const { id, result } of wire.results()) {
      assert.equal(result.resultType, 'complete', `result ${id}`);
      assert.equal(result._meta?.[`${META}serverInfo`]?.name, 'cua-driver', `result ${id}`);
    }
  });
  await endTests('modern', client, transport, wire);
}

// A client that knows both eras must find the newer one.
for (const [how, Transport] of [['a second process', StdioClientTransport], ['the same stream', OneStream]]) {
  const { client, transport, wire, list, call } = open('auto', Transport);
  await test(`auto, probe on ${how}: modern`, async () => {
    await client.connect(transport);
    assert.equal(client.getProtocolEra(), 'modern');
    checkTools(await list());
    checkWindows(await call('list_windows', {}));
  });
  await endTests(`auto, probe on ${how}`, client, transport, wire);
}

await test('auto: a client of an unknown later revision is told ours, not misled', async () => {
  const { client, transport } = open('auto', OneStream, { supportedProtocolVersions: ['2999-01-01', '2025-11-25'] });
  await assert.rejects(client.connect(transport), error => error.code === -32022 && error.supported.includes(MODERN));
});

// Without versionNegotiation the 2.x client shakes hands as 1.x does.
{
  const { client, transport, wire, list, call } = open(undefined);
  await test('2.x legacy: connect, ping, list, call', async () => {
    await client.connect(transport);
    assert.equal(client.getNegotiatedProtocolVersion(), '2025-11-25');
    await client.ping();
    checkTools(await list());
    checkWindows(await call('list_windows', {}));
  });
  await endTests('2.x legacy', client, transport, wire);
}

// The client would not mix the eras; a proxy in front of several clients may.
await test('one stream serves both eras at once', async () => {
  const { client, transport, wire, list } = open('auto', OneStream);
  await client.connect(transport);
  const ask = async (id, method, params) => {
    await transport.send({ jsonrpc: '2.0', id, method, params });
    while (!wire.answer(id)) await sleep(10);
    return wire.answer(id).result;
  };
  const hello = await ask('hello', 'initialize',
    { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'other', version: '1' } });
  assert.equal(hello.protocolVersion, '2025-06-18');
  assert.ok(!('resultType' in hello));
  assert.deepEqual(await ask('ping', 'ping'), {});
  checkTools(await list());
  await client.close();
}, 10_000);
done();
