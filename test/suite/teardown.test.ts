/** What cleans up is done whatever came of the case: after a time-out, an interruption, and a server that did not start. */
import { expect, it } from 'vitest';
import type { SuiteReport } from '../../src/core/model/reports/suite-report.ts';
import { Workspace } from '../cli/harness.ts';
import { thorough } from '../support/run/options.ts';

const work = new Workspace();
// Its tool `hang` is never answered; `clean` leaves a file.
work.write(
  'server.mjs',
  `import { createInterface } from 'node:readline';
import { writeFileSync } from 'node:fs';
const send = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') send(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } });
  if (method !== 'tools/call') return;
  if (params.name === 'hang') return void writeFileSync('begun', '1');
  writeFileSync(params.arguments.file, '1');
  send(id, { content: [{ type: 'text', text: 'ok' }] });
});
`,
);
const suite = (name: string, timeout: string): string => `version: 1
servers: { s: { command: node, args: [server.mjs] } }
after: [{ call: clean, with: { file: ${name}.after } }]
cases:
  - name: hangs
    timeout: ${timeout}
    steps: [{ call: hang }]
    teardown: [{ call: clean, with: { file: ${name}.cleaned } }]
`;

async function judged(file: string, ...args: string[]): Promise<SuiteReport> {
  await work.call([
    'run',
    file,
    '--spec',
    '2025-11-25',
    '--format',
    'json',
    '--output',
    'r.json',
    '--overwrite',
    ...args,
  ]);
  return JSON.parse(work.read('r.json')) as SuiteReport;
}

it.runIf(thorough)('on the server, after the time of the case is over, live and judged again', async () => {
  work.write('late.yaml', suite('late', '6s'));
  const live = await judged('late.yaml', '--trace', 'late.trace.jsonl');
  expect(live.cases.map(({ status, detail }) => `${status}: ${detail}`)).toEqual([
    'fail: tool call hang failed: context deadline exceeded (timed out after 6000 ms)',
  ]);
  expect([work.has('late.cleaned'), work.has('late.after')]).toEqual([true, true]);
  const again = await judged('late.yaml', '--recording', 'late.trace.jsonl');
  expect(again.cases.map(({ detail }) => detail)).toEqual(live.cases.map(({ detail }) => detail));
});

it('on the server, when the run is interrupted', async () => {
  work.write('begun', '');
  work.write('stopped.yaml', suite('stopped', '1h'));
  const running = work.start(['run', 'stopped.yaml', '--spec', '2025-11-25']);
  // The server writes it when the call has come; vitest's own limit ends the wait.
  while (work.read('begun') === '') await new Promise((resolve) => setTimeout(resolve, 20));
  running.kill('SIGINT');
  expect((await running.ended).code).toBe(130);
  expect([work.has('stopped.cleaned'), work.has('stopped.after')]).toEqual([true, true]);
});

it('by a program, when the server did not start; what is told is that it did not', async () => {
  work.write(
    'gone.yaml',
    `version: 1
servers: { s: { command: "false" } }
cases:
  - name: gone
    steps: [{ ping: true }]
    teardown: [{ ping: true }, { run: [node, -e, "require('node:fs').writeFileSync('gone.cleaned', '1'); process.exit(3)"] }]
`,
  );
  const live = await judged('gone.yaml', '--trace', 'gone.trace.jsonl');
  const told = ({ cases }: SuiteReport): unknown =>
    cases.map(({ trials }) => trials[0]!.failures.map(({ title, detail }) => `${title}: ${detail}`));
  expect(told(live)).toEqual([
    [expect.stringMatching(/^start: MCP initialize failed/), 'run node: run node failed: exit code 3'],
  ]);
  expect(work.has('gone.cleaned')).toBe(true);
  expect(told(await judged('gone.yaml', '--recording', 'gone.trace.jsonl'))).toEqual(told(live));
});

it('knows what a step captured whose expectation did not hold', async () => {
  work.write(
    'made.yaml',
    `version: 1
servers: { s: { command: node, args: [server.mjs] } }
cases:
  - name: made
    steps: [{ call: clean, with: { file: made.first }, capture: { id: $ }, expect: { contains: [nothing] } }]
    teardown: [{ call: clean, with: { file: "made.{{id}}" } }]
`,
  );
  const live = await judged('made.yaml', '--trace', 'made.trace.jsonl');
  expect(live.cases.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/^expected result to contain "nothing"/),
  ]);
  expect(work.has('made.ok')).toBe(true);
  expect((await judged('made.yaml', '--recording', 'made.trace.jsonl')).cases.map(({ detail }) => detail)).toEqual(
    live.cases.map(({ detail }) => detail),
  );
});
