// SPDX-License-Identifier: MIT
// The command line of @modelcontextprotocol/inspector, as a person would use
// it to look at the driver, in both eras.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkError, checkScreen, checkTools, checkWindows, done, driver, mistakes, test } from './tap.mjs';

const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector/package.json');
const launcher = join(dirname(manifest), 'clients/launcher/build/index.js');

// A file, not -e options: the environment is nobody else's business, and the
// inspector hands on none of its own. The driver gets the real HOME by it; the
// inspector gets this folder, since it keeps files of its own there.
const home = mkdtempSync(join(tmpdir(), 'cua-inspector-'));
const config = join(home, 'mcp.json');
writeFileSync(config, JSON.stringify({
  mcpServers: { cua: { type: 'stdio', command: driver, args: ['mcp'], env: process.env } },
}), { mode: 0o600 });
process.on('exit', () => rmSync(home, { recursive: true, force: true }));

// Its default secret store talks to the desktop's key ring.
const env = { ...process.env, HOME: home, MCP_INSPECTOR_SECRET_STORE: 'memory' };

function inspect(...args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath,
      [launcher, '--cli', '--config', config, '--server', 'cua', '--format', 'json', ...args],
      { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', data => { stdout += data; });
    child.stderr.on('data', data => { stderr += data; });
    child.on('error', reject);
    child.on('close', code => {
      try {
        resolve({ code, stderr, result: stdout && JSON.parse(stdout).result });
      } catch {
        reject(new Error(`no JSON (exit ${code}): ${stdout.slice(0, 300)}\n${stderr.slice(0, 600)}`));
      }
    });
  });
}

for (const era of ['legacy', 'modern', 'auto']) {
  const call = (tool, args) => inspect('--protocol-era', era, '--method', 'tools/call',
    '--tool-name', tool, '--tool-args-json', JSON.stringify(args));

  // --strict: exit 6 when some host could not digest one of our schemas.
  await test(`inspector ${era}: tools/list --strict`, async () => {
    const { code, stderr, result } = await inspect('--protocol-era', era, '--method', 'tools/list', '--strict');
    assert.equal(code, 0, stderr);
    checkTools(result.tools);
  });
  await test(`inspector ${era}: list_windows`, async () => {
    const { code, stderr, result } = await call('list_windows', {});
    assert.equal(code, 0, stderr);
    checkWindows(result);
  });
  await test(`inspector ${era}: get_screen_size`, async () => {
    const { code, stderr, result } = await call('get_screen_size', {});
    assert.equal(code, 0, stderr);
    checkScreen(result);
  });
  // No unknown tool here: the inspector looks it up in the list and asks nobody.
  for (const [what, tool, args, errorCode] of mistakes)
    await test(`inspector ${era}: ${what} is a tool error (exit 5)`, async () => {
      const { code, stderr, result } = await call(tool, args);
      assert.equal(code, 5, stderr);
      checkError(result, errorCode);
    });
}
done();
