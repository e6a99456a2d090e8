/** What a run loads: nothing that reaches servers where no case does, nothing of HTTP for a server on stdio, nothing of the other form of files. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from '../cli/harness.ts';

const work = new Workspace();

/** Notes each module that is asked for. */
const hooks = `import { appendFileSync } from 'node:fs';
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  appendFileSync(process.env.LOADED_FILE, found.url + '\\n');
  return found;
}`;
work.write('hooks.mjs', hooks);
work.write(
  'register.mjs',
  `import { register } from 'node:module';\nregister('./hooks.mjs', import.meta.url);\nimport { createRequire, isBuiltin } from 'node:module';\nimport { appendFileSync } from 'node:fs';\nimport { pathToFileURL } from 'node:url';\nconst { Module } = createRequire(import.meta.url)('node:module');\nconst load = Module._load;\nModule._load = function (name, ...rest) { appendFileSync(process.env.LOADED_FILE, (isBuiltin(name) ? 'node:' + name : pathToFileURL(Module._resolveFilename(name, ...rest)).href) + '\\n'); return load.call(this, name, ...rest); };`,
);

/** Names of the modules, and the text of those of mcpc. */
async function loadedBy(...args: string[]): Promise<{ names: string[]; own: string[]; text: string }> {
  const file = work.path(`${args.join('-')}.txt`);
  const { code, stderr } = await work.run(args, {
    env: { NODE_OPTIONS: `--import ${work.path('register.mjs')}`, LOADED_FILE: file },
  });
  expect(code, stderr).toBe(0);
  const urls = [...new Set(readFileSync(file, 'utf8').trim().split('\n'))];
  const own = urls.filter((url) => url.includes('/dist/') && !url.includes('/node_modules/') && /\.c?js$/.test(url));
  return {
    names: urls.map((url) => basename(url)),
    own,
    text: own.map((url) => readFileSync(new URL(url), 'utf8')).join('\n'),
  };
}

const server = `import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => { const { id, method, params } = JSON.parse(line); if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } : {} })); });`;

test('a skipped case loads no client, no redaction, no template and no other form', async () => {
  work.write(
    'skip.yaml',
    'skip: true\nserver: { command: node, args: [server.mjs] }\nassert: { tool: a, args: {}, expect: { not_error: true } }\n',
  );
  const { names, own, text } = await loadedBy('run', 'skip.yaml');
  expect(text).toContain('loadSuites');
  for (const part of [
    'function createPeerHub',
    'function createRedactor',
    'function openStdioProcess',
    'function createCaseJudge',
    'function renderTemplate',
    'function openHttpConnection',
  ])
    expect(text).not.toContain(part);
  expect(names).toContain('suite-assert-file.cjs');
  expect(names).not.toContain('suite-native-file.cjs');
  // What is read and compiled decides how long the start takes: some ms for 100,000 characters, half of one for a file.
  expect(own.length, own.join('\n')).toBeLessThanOrEqual(12);
  expect(text.length).toBeLessThanOrEqual(850_000);
});

test('a case on stdio loads nothing of HTTP', async () => {
  work.write('server.mjs', server);
  work.write(
    'ping.yaml',
    'version: 1\nservers: { s: { command: node, args: [server.mjs] } }\ncases: [{ name: p, steps: [{ ping: true }] }]\n',
  );
  const { names, text } = await loadedBy('run', 'ping.yaml', '--spec', '2025-11-25');
  expect(text).toContain('function openStdioProcess');
  expect(text).not.toContain('function openHttpConnection');
  expect(names).not.toContain('suite-assert-file.cjs');
});

test('other commands load nothing of suites', async () => {
  for (const args of [
    ['rules', 'list', '--only', 'ping'],
    ['check', '--help'],
  ]) {
    const { names, text } = await loadedBy(...args);
    for (const part of ['function loadSuites', 'function runSuite', 'function openTrials', 'fast-check'])
      expect(text, args.join(' ')).not.toContain(part);
    expect(names.filter((name) => name.startsWith('suite-'))).toEqual([]);
  }
});
