// SPDX-License-Identifier: MIT
// TAP output, a log of what really went over the pipe, and the checks that
// every client makes in the same way.
import assert from 'node:assert/strict';

export const driver = process.env.CUA_DRIVER;
export const now = () => performance.now();
export const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

let count = 0;
let failed = 0;

const comment = error => String(error?.stack ?? error).split('\n').map(line => `# ${line}`).join('\n');

/** Run one test now. A client that waits for an answer that never comes must fail, not hang. */
export async function test(name, body, timeout = 30_000) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end after ${timeout} ms`)), timeout);
  });
  try {
    await Promise.race([Promise.resolve().then(body), late]);
    console.log(`ok ${++count} - ${name}`);
  } catch (error) {
    failed++;
    console.log(`not ok ${++count} - ${name}\n${comment(error)}`);
  } finally {
    clearTimeout(timer);
  }
}

export function skip(name, why) {
  console.log(`ok ${++count} - ${name} # SKIP ${why}`);
}

/** Last line of every script. exit(): a client left half open must not keep us alive. */
export function done() {
  console.log(`1..${count}`);
  process.exit(failed ? 1 : 0);
}

if (!driver) {
  console.log('Bail out! CUA_DRIVER must name the built cua-driver');
  process.exit(1);
}

/**
 * Log every message of a transport, and every complaint of the client about
 * one. Call it before connect(): both SDKs keep the handler they find.
 */
export function record(client, transport) {
  const wire = { sent: [], got: [], errors: [] };
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    wire.sent.push({ at: now(), ...message });
    return send(message, options);
  };
  transport.onmessage = message => wire.got.push({ at: now(), ...message });
  client.onerror = error => wire.errors.push(error);
  wire.answer = id => wire.got.find(m => m.id === id && !m.method);
  wire.results = () => wire.got.filter(m => m.result);
  wire.last = method => wire.sent.findLast(m => m.method === method);
  return wire;
}

/** What a host sees of our tools. */
export function checkTools(tools) {
  assert.ok(tools.length > 0, 'the list is empty');
  for (const wanted of ['list_windows', 'get_window_state', 'get_screen_size'])
    assert.ok(tools.some(t => t.name === wanted), `no ${wanted}`);
  assert.equal(new Set(tools.map(t => t.name)).size, tools.length, 'a name is listed twice');
  for (const { name, description, inputSchema, outputSchema, annotations } of tools) {
    assert.match(name, /^[A-Za-z0-9_.-]{1,64}$/);
    assert.ok(description, `${name}: no description`);
    assert.equal(inputSchema.type, 'object', `${name}: inputSchema is no object`);
    assert.equal(inputSchema.additionalProperties, false, `${name}: takes unknown arguments`);
    for (const key of inputSchema.required ?? [])
      assert.ok(key in (inputSchema.properties ?? {}), `${name}: requires ${key} but does not define it`);
    assert.equal(outputSchema?.type, 'object', `${name}: no outputSchema`);
    // One schema has to fit success and error: SDK 1.x validates both.
    assert.equal(outputSchema.required, undefined, `${name}: outputSchema requires members`);
    assert.equal(typeof annotations?.title, 'string', `${name}: annotations.title`);
    for (const hint of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'])
      assert.equal(typeof annotations[hint], 'boolean', `${name}: annotations.${hint}`);
  }
}

export function checkText(result) {
  assert.equal(result.content[0]?.type, 'text');
  assert.ok(result.content[0].text.length > 0, 'content[0] has no text');
}

export function checkWindows(result) {
  assert.notEqual(result.isError, true, JSON.stringify(result));
  checkText(result);
  assert.ok(Array.isArray(result.structuredContent.windows));
  for (const window of result.structuredContent.windows) {
    assert.ok(Number.isInteger(window.window_id));
    for (const side of ['x', 'y', 'width', 'height']) assert.equal(typeof window.bounds[side], 'number');
  }
}

export function checkScreen(result) {
  assert.notEqual(result.isError, true, JSON.stringify(result));
  checkText(result);
  assert.ok(result.structuredContent.width > 0 && result.structuredContent.height > 0);
}

export function checkError(result, code) {
  assert.equal(result.isError, true, `not an error: ${JSON.stringify(result).slice(0, 300)}`);
  checkText(result);
  assert.equal(result.structuredContent?.code, code);
  assert.ok(result.structuredContent.message, 'an error without a message');
}

/** Calls that must fail in a way a model can read: [what, tool, arguments, code]. */
export const mistakes = [
  // The highest id X can hand out: no client gets that far.
  ['a window that does not exist', 'get_window_state', { pid: process.pid, window_id: 0x1fffffff }, 'window_not_found'],
  // Out of range, not of a wrong type: the inspector makes every value fit the schema's type.
  ['an argument out of range', 'get_window_state', { max_elements: 0, window_id: 1 }, 'invalid_arguments'],
  ['an unknown argument', 'list_windows', { pidd: 1 }, 'invalid_arguments'],
];

/** The tests both SDKs share; `call` and `list` hide the difference in their methods. */
export async function toolTests(era, { call, list, wire }) {
  await test(`${era}: tools are complete, and listed in the same order twice`, async () => {
    const first = await list();
    checkTools(first);
    const asked = wire.last('tools/list').id;
    assert.deepEqual((await list()).map(t => t.name), first.map(t => t.name));
    assert.notEqual(wire.last('tools/list').id, asked, 'the second list came from a cache');
  });
  await test(`${era}: list_windows`, async () => checkWindows(await call('list_windows', {})));
  await test(`${era}: get_screen_size`, async () => checkScreen(await call('get_screen_size', {})));
  for (const [what, tool, args, code] of mistakes)
    await test(`${era}: ${what} is a result with code ${code}`, async () => checkError(await call(tool, args), code));
  await test(`${era}: an unknown tool is error -32602`, () =>
    assert.rejects(call('no_such_tool', {}), error => error.code === -32602));
}

/**
 * Calls to an application that was stopped, so that they take long enough to
 * be cancelled. `alive` is any quick request. Returns the id it cancelled.
 */
export async function stoppedTests(era, { call, alive, wire }) {
  const stopped = { pid: Number(process.env.CUA_STOPPED_PID), window_id: Number(process.env.CUA_STOPPED_WINDOW) };
  if (!stopped.pid || !stopped.window_id) {
    for (const name of ['cancel', 'progress', 'a cancelled call is never answered'])
      skip(`${era}: ${name}`, 'CUA_STOPPED_PID and CUA_STOPPED_WINDOW not set');
    return undefined;
  }

  let cancelled;
  let cancelledAt;
  await test(`${era}: cancel a call to a stopped application`, async () => {
    const abort = new AbortController();
    let reported;
    const progress = new Promise(resolve => { reported = resolve; });
    const pending = call('get_window_state', stopped, { signal: abort.signal, onprogress: reported });
    const ended = pending.then(() => 'answered', error => error);
    // A hung application delays only the calls that talk to it.
    const before = now();
    checkScreen(await call('get_screen_size', {}));
    assert.ok(now() - before < 2000, `another call waited ${now() - before} ms`);
    // Cancel in the middle of the work, which the first progress proves.
    assert.notEqual(await Promise.race([progress, ended]), 'answered', 'it ended before any progress');
    cancelled = wire.sent.findLast(m => m.params?.name === 'get_window_state').id;
    cancelledAt = now();
    abort.abort();
    assert.ok(await ended instanceof Error);
    assert.ok(now() - cancelledAt < 500, 'the client waited for the server');
    assert.equal(wire.last('notifications/cancelled').params.requestId, cancelled);
    await alive();
    assert.ok(now() - cancelledAt < 1500, 'the server was busy with the cancelled call');
  });

  await test(`${era}: progress of a call to a stopped application`, async () => {
    const steps = [];
    const result = await call('get_window_state', stopped, { onprogress: step => steps.push(step) });
    // Without an answer from the application there may still be a picture.
    assert.equal(typeof result.structuredContent, 'object');
    checkText(result);
    assert.ok(steps.length > 0, 'no progress');
    assert.ok(steps.every((s, i) => i === 0 || s.progress > steps[i - 1].progress),
      `not increasing: ${steps.map(s => s.progress)}`);
    const { id, params } = wire.sent.findLast(m => m.params?.name === 'get_window_state');
    const answer = wire.answer(id);
    for (const m of wire.got.filter(m => m.params?.progressToken === params._meta.progressToken))
      assert.ok(m.at <= answer.at, 'progress after the answer');
  });

  // The test above took as long as the cancelled call would have.
  await test(`${era}: a cancelled call is never answered`, () => {
    assert.notEqual(cancelled, undefined);
    assert.equal(wire.answer(cancelled), undefined);
    // What crossed the cancellation on its way is nobody's fault.
    const late = wire.got.filter(m => m.params?.progressToken === cancelled && m.at > cancelledAt + 500);
    assert.deepEqual(late, [], 'progress of a cancelled call');
  });
  return cancelled;
}

/** Nothing but valid messages on stdout, and an end by itself when stdin closes. */
export async function endTests(era, client, transport, wire) {
  const child = transport._process;
  await test(`${era}: the client had nothing to complain about`, () => {
    // A progress that crosses its cancellation: see above.
    const real = wire.errors.filter(e => !/progress notification for an unknown token/.test(e.message));
    assert.deepEqual(real.map(e => e.message), []);
  });
  await test(`${era}: the driver ends when stdin closes`, async () => {
    const begin = now();
    await client.close();
    assert.deepEqual([child.exitCode, child.signalCode], [0, null]);
    assert.ok(now() - begin < 1900, 'it had to be killed');
  });
}
