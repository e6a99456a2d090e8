/** mcpc lint on the command line: advice, its gates, its JSON, and that it calls nothing (rows ). */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startReferenceServer } from '../../src/testkit/example-server/start.ts';
import { thorough } from '../support/run/options.ts';
import { exampleServer, root, Workspace } from './harness.ts';

const server = join(root, 'test/drift/advised-server.mjs');
const command = ['--', process.execPath, server];
const says = 'Finds notes and returns them as text.';
const plain = { name: 'find_notes', description: says, inputSchema: { type: 'object' } };
const needs = (properties: object, required: string[]): object => ({
  ...plain,
  name: 'add_note',
  description: 'Adds a note with title and returns it.',
  inputSchema: { type: 'object', properties, required },
});
const bad = needs({ title: { type: 'string', examples: ['Milk'] } }, ['title']);
const warned = { ...plain, description: 'Finds notes.' };

test.runIf(thorough)(
  'an error fails, a warning only with --strict or above --threshold, and nothing with --fix',
  async () => {
    const space = new Workspace();
    const lint = (tools: object[], ...flags: string[]) =>
      space.call(['lint', ...flags, ...command], {
        env: { TOOLS: JSON.stringify(tools), SEEN: space.path('seen') },
      });
    const clean = await lint([plain], '--strict', '--threshold', '1');
    expect(clean).toMatchObject({ code: 0, stdout: 'advised: 1 tool, no finding\n' });
    const failed = await lint([bad]);
    expect(failed.code).toBe(1);
    expect(failed.stdout).toBe(
      'advised: 1 tool, 1 error, 0 warnings\n\nadd_note\n  error   E103  Required parameter title has no description.\n',
    );
    expect((await lint([warned], '--strict')).code).toBe(1);
    // Too short, and it does not say what comes back.
    expect((await lint([warned], '--threshold', '2')).code).toBe(0);
    expect((await lint([warned], '--threshold', '1')).code).toBe(1);
    expect((await lint([warned], '--strict', '--skip-rules', 'w111', '--skip-rules', 'W116,E101')).code).toBe(0);
    const fixed = await lint([bad], '--fix');
    expect(fixed.code).toBe(0);
    expect(fixed.stdout).toContain('set_description args.title.description: "Title (string)"');
    const seen = space.read('seen').trim().split('\n');
    expect(
      seen.filter((method) => !/^(initialize|server\/discover|notifications\/|ping|tools\/list)/.test(method)),
    ).toEqual([]);
  },
  120_000,
);

test('JSON of findings and of suggestions (A-155, A-156), with texts of the server escaped', async () => {
  const space = new Workspace();
  const hidden = { ...bad, title: 'Notes\u{e0041}\u001b[31m' };
  const env = { TOOLS: JSON.stringify([hidden]) };
  const found = await space.call(['lint', '--json', ...command], { env });
  expect(found.code).toBe(1);
  expect(JSON.parse(found.stdout)).toEqual({
    server: 'advised',
    tools: 1,
    findings: [
      {
        tool: 'add_note',
        code: 'E103',
        severity: 'error',
        message: 'Required parameter title has no description.',
        field: 'args.title.description',
      },
      {
        tool: 'add_note',
        code: 'tool-surface/text-controls',
        severity: 'warning',
        message: expect.stringContaining('/title: U+001B at') as string,
      },
      {
        tool: 'add_note',
        code: 'tool-surface/text-tags',
        severity: 'warning',
        message: expect.stringContaining('/title: U+E0041 at') as string,
      },
    ],
    errors: 1,
    warnings: 2,
  });
  const fixes = await space.call(['lint', '--json', '--fix', '--name', 'notes', ...command], { env });
  expect(fixes.code).toBe(0);
  expect(JSON.parse(fixes.stdout)).toEqual({
    server: 'notes',
    tools: 1,
    findings: 3,
    fixable: 1,
    fixes: [
      {
        tool: 'add_note',
        code: 'E103',
        field: 'args.title.description',
        action: 'set_description',
        value: 'Title (string)',
        message: 'Required parameter title has no description.',
      },
    ],
  });
});

test('a rule that does not exist, and a server that does not start, are errors of their own', async () => {
  const space = new Workspace();
  const unknown = await space.call(['lint', '--skip-rules', 'W999', ...command]);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('There is no lint rule "W999".');
  const near = await space.call(['lint', '--skip-rules', 'tool-surface/text-tag', ...command]);
  expect(near.stderr).toContain('Did you mean "tool-surface/text-tags"?');
  expect((await space.call(['lint', '--start-timeout', '5s', '--', process.execPath, '-e', '0'])).code).toBe(3);
});

test.runIf(thorough)(
  'over HTTP, from a project file, and from a recording, where results are looked at as well',
  async () => {
    const space = new Workspace();
    const { url, close } = await startReferenceServer({ transport: 'http', port: 0 });
    onTestFinished(close);
    const live = await space.call(['lint', '--json', '--url', url]);
    const stdio = await space.call(['lint', '--json', '--', process.execPath, exampleServer, 'stdio']);
    expect(JSON.parse(live.stdout)).toEqual(JSON.parse(stdio.stdout));
    const entry = { command: process.execPath, args: [server] };
    space.write('mcpc.yaml', { version: 1, servers: { notes: entry, other: entry } });
    const named = await space.call(['lint', 'notes'], { env: { TOOLS: JSON.stringify([plain]) } });
    expect(named.stdout, named.stderr).toBe('notes: 1 tool, no finding\n');
    const lines = [
      {
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
      },
      { method: 'tools/list' },
      ...['count', 'count', 'large', 'count'].map((name) => ({
        method: 'tools/call',
        params: { name, arguments: {} },
      })),
    ].map((request, id) => JSON.stringify({ jsonrpc: '2.0', id, ...request }));
    const tools = ['count', 'large'].map((name) => ({ ...plain, name, description: says.replace('notes', name) }));
    const env = { TOOLS: JSON.stringify(tools) };
    await space.run(['intercept', '--trace', 'was.jsonl', '--', process.execPath, server], {
      input: `${lines.join('\n')}\n`,
      env,
    });
    expect(existsSync(space.path('was.jsonl'))).toBe(true);
    const recorded = await space.call(['lint', '--json', '--skip-rules', 'W105', '--recording', 'was.jsonl']);
    expect(JSON.parse(recorded.stdout), recorded.stderr).toMatchObject({
      findings: [
        { tool: 'count', code: 'W107', message: '2 equal calls got 2 different answers.' },
        { tool: 'large', code: 'E301', message: expect.stringMatching(/^A result has 2000\d\d bytes\.$/) as string },
      ],
    });
    const larger = ['lint', '--skip-rules', 'W105', '--max-response-kb', '300', '--recording', 'was.jsonl'];
    expect((await space.call(larger)).code).toBe(0);
  },
  120_000,
);
