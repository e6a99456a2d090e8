/** The form with several cases: every step and the expectations that it adds, kept runs, shared servers, secrets. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { SuiteReport } from '../../src/model/reports/suite-report.ts';
import { errorOf, root, Workspace } from '../cli/harness.ts';

const work = new Workspace();
const head = `version: 1\nservers:\n  notes: { command: node, args: [${JSON.stringify(join(root, 'test/suite/servers/notes.mjs'))}] }\n`;
const schema = JSON.parse(readFileSync(join(root, 'rules/language/suite-report.schema.json'), 'utf8')) as object;
const validate = new Ajv2020({ strict: false }).compile(schema);

let runs = 0;
async function run(yaml: string, args: string[] = [], env: Record<string, string> = {}): Promise<{ code: number | null; report: SuiteReport; stdout: string; stderr: string }> {
  const own = (runs += 1);
  const file = yaml.includes('\n') ? work.write(`n${own}.yaml`, yaml) : yaml;
  const output = work.path(`r${own}.json`);
  const outcome = await work.call(['run', file, '--format', 'json', '--output', output, '--format', 'terminal', ...args], { env });
  if (!work.has(`r${own}.json`)) throw new Error(outcome.stderr);
  const report = JSON.parse(readFileSync(output, 'utf8')) as SuiteReport;
  expect(validate(report), JSON.stringify(validate.errors)).toBe(true);
  return { ...outcome, report };
}

/** Name to status, or to the words of the failure. */
const results = ({ cases }: SuiteReport): Record<string, string> => Object.fromEntries(cases.map(({ name, status, detail }) => [name, status === 'fail' ? detail : status]));

/** What is left of a report without times. */
const timeless = (report: SuiteReport): unknown => JSON.parse(JSON.stringify(report, (name, value: unknown) => (['durationMs', 'startedAt', 't'].includes(name) ? 0 : value)));

const suite = `${head}defaults: { timeout: 60s, tags: [smoke] }
cases:
  - name: a note can be read back
    each: [{ text: plain }, { text: "ünï ✓" }]
    steps:
      - call: add_note
        with: { text: "{{text}}" }
        capture: { id: "$.structuredContent.id" }
        expect: { output_schema: true, max_ms: 30000, max_bytes: 500, max_tokens: 200, structured: { $.id: 1 }, content: [{ type: text, text: add }] }
      - read: "notes://{{id}}"
        expect: { equals: "{{text}}" }
      - call: get_note
        with: { id: "{{id}}" }
        expect: { equals: "{{text}}", unchanged: [{ list: tools }], idempotent: true }
      - call: get_note
        with: { id: 999999 }
        expect_error: { code: -32602, message: "(?i)unknown note", data: { id: 999999 } }
  - name: what is no call
    steps:
      - initialize: true
        expect: { json_path: { $.serverInfo.name: notes }, structured: { instructions: Take notes. } }
      - ping: true
      - cancel: slow
        after: 50ms
      - parallel: [{ ping: true }, { call: count, expect: { equals: 1 } }, { list: tools, expect: { json_path: { "$.tools[3].name": count } } }]
      - { call: count, expect: { equals: 4, eventually: 30s } }
      - { request: nothing/here, expect_error: { code: -32601 } }
      - { run: [node, -e, "console.log('seeded')"], capture: { seed: $ }, expect: { equals: seeded } }
  - { name: error wanted, steps: [{ call: count, expect_error: true }] }
  - { name: error not wanted, steps: [{ call: get_note, with: { id: 7 } }] }
  - { name: other code, steps: [{ call: get_note, with: { id: 7 }, expect_error: { code: -1 } }] }
  - { name: against its schema, steps: [{ call: add_badly, expect: { output_schema: true } }] }
  - { name: no schema, steps: [{ call: count, expect: { output_schema: true } }] }
  - { name: own schema, steps: [{ call: count, expect: { schema: { type: string } } }] }
  - { name: structured differs, steps: [{ call: add_note, with: { text: a }, expect: { structured: { id: 2 } } }] }
  - { name: content differs, steps: [{ call: count, expect: { content: [{ type: image }] } }] }
  - { name: too long, steps: [{ call: count, expect: { max_bytes: 3 } }] }
  - { name: changes, steps: [{ call: add_note, with: { text: a }, expect: { unchanged: [{ call: count }] } }] }
  - { name: dies, steps: [{ call: die }, { call: count }] }
  - { name: left out, skip: not today, steps: [{ call: die }] }
  - name: cleans up
    steps: [{ call: get_note, with: { id: 1 } }]
    teardown: [{ run: [node, -e, "require('node:fs').writeFileSync('cleaned.txt', '1')"] }]
`;

const wanted = {
  'a note can be read back (1)': 'pass',
  'a note can be read back (2)': 'pass',
  'what is no call': 'pass',
  'error wanted': expect.stringMatching(/^expected a JSON-RPC error, got a result/),
  'error not wanted': expect.stringMatching(/^tool call get_note failed: JSON-RPC error -32602: Unknown note/),
  'other code': expect.stringMatching(/^expect_error: want code -1, got -32602/),
  'against its schema': expect.stringMatching(/^output_schema: .*id/),
  'no schema': 'output_schema: the tool has none',
  'own schema': expect.stringMatching(/^schema: /),
  'structured differs': 'structured: id: want 2, got 1',
  'content differs': 'content[0]: want type "image", got "text"',
  'too long': expect.stringMatching(/^max_bytes: want at most 3 bytes, got \d+/),
  changes: expect.stringMatching(/^unchanged: tools\/call count is another after the step/),
  dies: expect.stringMatching(/^tool call die failed: the server ended \(exit code 7\)/),
  'left out': 'skip',
  'cleans up': expect.stringMatching(/^tool call get_note failed/),
};

describe('cases with steps', () => {
  it('come out as they should, live and from the kept run', async () => {
    const file = work.write('all.yaml', suite);
    const trace = work.path('all.trace.jsonl');
    const live = await run(file, ['--trace', trace]);
    expect(results(live.report)).toEqual(wanted);
    expect(live.code).toBe(1);
    expect(work.has('cleaned.txt')).toBe(true);
    const one = live.report.cases.find(({ name }) => name === 'other code')!;
    expect(one.trials[0]!.failures[0]!.evidence.map(({ from }) => from)).toEqual(['client', 'server']);
    expect(suite.split('\n')[one.trials[0]!.failures[0]!.line - 1]).toContain('other code');
    expect((await work.call(['trace', 'validate', trace])).stdout).toContain('whole');
    const again = await run(file, ['--recording', trace]);
    expect(timeless(again.report)).toEqual(timeless(live.report));
    expect(again.code).toBe(1);
  });

  it('side by side and one after another: the same', async () => {
    const file = work.write('same.yaml', suite);
    const reports = await Promise.all([['--jobs', '1'], ['--jobs', '4']].map(async (args) => timeless((await run(file, args)).report)));
    expect(reports[0]).toEqual(reports[1]);
  });

  it('share a server when that is asked for, and start it again after a death', async () => {
    const yaml = `${head}cases:
  - { name: first, steps: [{ call: count, expect: { equals: 1 } }] }
  - { name: second, steps: [{ call: count, expect: { equals: 2 } }] }
  - { name: apart, alone: true, steps: [{ call: count, expect: { equals: 1 } }] }
  - { name: dies, steps: [{ call: die }] }
  - { name: fresh, steps: [{ call: count, expect: { equals: 1 } }] }
`;
    expect(results((await run(yaml, ['--session', 'suite'])).report)).toEqual({ first: 'pass', second: 'pass', apart: 'pass', dies: expect.stringContaining('exit code 7'), fresh: 'pass' });
  });
});

describe('files', () => {
  it('are told what is wrong with their steps, each with its place', async () => {
    const file = work.write('bad.yaml', `${head}cases:
  - name: x
    steps:
      - cal: foo
      - call: foo
        expect: { contains: 5 }
      - { call: a, read: b }
      - parallel: [{ list: toolz }]
  - { server: nobody, steps: [], timeout: soon }
`);
    const outcome = await work.call(['run', file]);
    const { why } = errorOf(outcome);
    expect(outcome.code).toBe(2);
    for (const told of [/bad\.yaml:7:9: .*Did you mean "call"\?/, /bad\.yaml:9:19: .*contains: must be a list, not 5/, /bad\.yaml:10:9: .*names call and read/, /bad\.yaml:11:\d+: .*list: must be one of tools, prompts/]) expect(why).toMatch(told);
  });

  it('import servers and defaults, and refuse programs when told to', async () => {
    work.write('shared.yaml', `${head}defaults: { tags: [imported] }\n`);
    const file = work.write('importing.yaml', 'version: 1\nimports: [shared.yaml]\ncases:\n  - { name: imported, steps: [{ ping: true }, { run: [node, -e, ""] }] }\n');
    expect((await run(file, ['--tag', 'imported'])).report.counts).toMatchObject({ total: 1, passed: 1 });
    expect(await work.call(['run', file, '--no-commands'])).toMatchObject({ code: 2, stderr: expect.stringContaining('importing.yaml:4:') });
  });
});

describe('secrets', () => {
  it('are judged as they are, taken out of what is written, and undecided from a kept run', async () => {
    const token = 'Zk81bQwLx92Vt0pR';
    const file = work.write('secret.yaml', `version: 1
servers:
  notes: { command: node, args: [${JSON.stringify(join(root, 'test/suite/servers/notes.mjs'))}], env: { NOTES_TOKEN: "$GIVEN_TOKEN" } }
cases:
  - { name: holds, steps: [{ call: env, with: { name: NOTES_TOKEN }, capture: { t: $ }, expect: { equals: ${token} } }] }
  - { name: does not, steps: [{ call: env, with: { name: NOTES_TOKEN }, expect: { equals: other } }] }
`);
    const trace = work.path('secret.trace.jsonl');
    const live = await run(file, ['--trace', trace, '--junit', work.path('secret.xml'), '--markdown', work.path('secret.md')], { GIVEN_TOKEN: token });
    expect(live.report.cases.map(({ status }) => status)).toEqual(['pass', 'fail']);
    for (const text of [live.stdout, live.stderr, JSON.stringify(live.report), readFileSync(trace, 'utf8'), work.read('secret.xml'), work.read('secret.md')]) expect(text).not.toContain(token);
    const again = await run(file, ['--recording', trace]);
    expect(again.report.cases.map(({ status }) => status)).toEqual(['undecided', 'undecided']);
  });
});
