/** `check --plan` says what a check would call, and calls nothing; a check then calls no other tool. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { exampleServer, Workspace } from './harness.ts';

const space = new Workspace();

const server = fileURLToPath(new URL('../e2e/hostile/servers/damage.mjs', import.meta.url));

interface Plan {
  calls: { called: { tool: string; arguments: { value: string }[] }[]; notCalled: { tool: string; allow?: string }[] };
}

const target = ['--verbose', '--only', 'tools', '--', process.execPath, server];

test('tells what would be called, and calls nothing', async () => {
  const { code, stdout, stderr } = await space.call(['check', '--plan', ...target, 'damage-lying-hint']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/No tool was called/);
  expect(stdout).toMatch(/get_item, \d+ times?\n {4}\{\}/);
  expect(stdout).toMatch(
    /tool delete_everything: its name says "delete", so that its readOnlyHint: true is not trusted\n {4}Called with --allow-tool delete_everything/,
  );
  expect(stderr).not.toContain('DAMAGE');
});

test('nothing but the handshake and the list is sent', async () => {
  const spy = space.write(
    'spy.mjs',
    `
    import { createInterface } from 'node:readline';
    const answers = { initialize: ({ params }) => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {}, prompts: {}, resources: {} }, serverInfo: { name: 'spy', version: '1' } }), 'tools/list': () => ({ tools: [{ name: 'get_item', inputSchema: { type: 'object' } }] }) };
    import { appendFileSync } from 'node:fs';
    createInterface({ input: process.stdin }).on('line', (line) => {
      const message = JSON.parse(line);
      appendFileSync(process.argv[2], message.method + '\\n');
      if (message.id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...(answers[message.method] ? { result: answers[message.method](message) } : { error: { code: -32601, message: 'no' } }) }));
    });`,
  );
  const { code } = await space.call(['check', '--plan', '--', process.execPath, spy, space.path('methods.txt')]);
  expect(code).toBe(0);
  expect(
    space
      .read('methods.txt')
      .split('\n')
      .filter((line) => !/^(?:initialize|notifications\/initialized|server\/discover|tools\/list|)$/.test(line)),
  ).toEqual([]);
  expect(space.read('methods.txt')).toContain('tools/list');
});

test('a check calls what the plan said, and nothing else', async () => {
  const planned = await space.call([
    'check',
    '--plan',
    '--json',
    '--allow-tool',
    'erase-*',
    ...target,
    'damage-plain-names',
  ]);
  const plan = JSON.parse(planned.stdout) as Plan;
  const checked = await space.call(['check', '--json', '--allow-tool', 'erase-*', ...target, 'damage-plain-names']);
  const report = JSON.parse(checked.stdout) as Plan;
  const names = ({ calls }: Plan): string[] => calls.called.map(({ tool }) => tool).sort();
  expect(names(plan)).toContain('erase-disk');
  expect(names(report)).toEqual(names(plan));
  expect(report.calls.notCalled).toEqual(plan.calls.notCalled);
  expect(plan.calls.notCalled.map(({ tool, allow }) => [tool, allow?.split(',')[0]])).toEqual([
    ['terminate_instances', '--allow-tool terminate_instances'],
    ['wireTransfer', '--allow-tool wireTransfer'],
    ['rebootAll', '--allow-tool rebootAll'],
  ]);
}, 60_000);

test('a call whose work a resource shows, and one that is cancelled, are told', async () => {
  space.write('seen.yaml', 'tools: { get_item: { slow: { seen-in: "item://1" } } }\n');
  const planned = await space.call([
    'check',
    '--plan',
    '--json',
    '--hints',
    space.path('seen.yaml'),
    '--only',
    'cancellation/receiver-work-stop-seen',
    '--',
    process.execPath,
    server,
    'damage-lying-hint',
  ]);
  expect((JSON.parse(planned.stdout) as Plan).calls.called.map(({ tool }) => tool)).toEqual(['get_item']);
});

test.each([
  [
    'behind what a server refuses',
    'meta/request-missing-version-rejection',
    ['--', process.execPath, exampleServer, 'stdio'],
  ],
  [
    'with another header',
    'http/header-value-case-sensitivity',
    ['--serve', `${process.execPath} ${exampleServer} http --port {{port}}`, '--url', 'http://127.0.0.1:{{port}}/mcp'],
  ],
])('calls %s are told', async (_name, rule, words) => {
  const planned = await space.call(['check', '--plan', '--json', '--spec', '2026-07-28', '--only', rule, ...words]);
  expect((JSON.parse(planned.stdout) as Plan).calls.called).toHaveLength(1);
});
