/** The form with several cases: every step and the expectations that it adds, kept runs, shared servers, secrets. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SuiteReport } from '../../src/core/model/reports/suite-report.ts';
import { errorOf, exampleServer, root, Workspace } from '../cli/harness.ts';
import { thorough } from '../support/run/options.ts';

const work = new Workspace();
const head = `version: 1\nservers:\n  notes: { command: node, args: [${JSON.stringify(join(root, 'test/suite/servers/notes.mjs'))}] }\n`;
const schema = JSON.parse(readFileSync(join(root, 'rules/language/suite-report.schema.json'), 'utf8')) as object;
const validate = new Ajv2020({ strict: false }).compile(schema);

let runs = 0;
async function run(
  yaml: string,
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<{ code: number | null; report: SuiteReport; stdout: string; stderr: string }> {
  const own = (runs += 1);
  const file = yaml.includes('\n') ? work.write(`n${own}.yaml`, yaml) : yaml;
  const output = work.path(`r${own}.json`);
  const outcome = await work.call(
    ['run', file, '--format', 'json', '--output', output, '--format', 'terminal', ...args],
    { env },
  );
  if (!work.has(`r${own}.json`)) throw new Error(outcome.stderr);
  const report = JSON.parse(readFileSync(output, 'utf8')) as SuiteReport;
  expect(validate(report), JSON.stringify(validate.errors)).toBe(true);
  return { ...outcome, report };
}

/** Name to status, or to the words of the failure. */
const results = ({ cases }: SuiteReport): Record<string, string> =>
  Object.fromEntries(cases.map(({ name, status, detail }) => [name, status === 'fail' ? detail : status]));

/** What is left of a report without times. */
const timeless = (report: SuiteReport): unknown =>
  JSON.parse(
    JSON.stringify(report, (name, value: unknown) => (['durationMs', 'startedAt', 't'].includes(name) ? 0 : value)),
  );

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
  - { name: taken from the text, steps: [{ call: add_note, with: { text: a }, capture: { word: { matches: "^(ad)d" } } }, { call: count, capture: { next: { matches: "\\\\d+", as: number } } }, { call: get_note, with: { id: "{{next}}" }, expect_error: { data: { id: 2 } } }, { call: add_note, with: { text: "{{word}}" } }, { read: "notes://3", expect: { equals: ad } }] }
  - { name: not in the text, steps: [{ call: count, capture: { a: { matches: "never" } } }] }
  - { name: no number, steps: [{ call: add_note, with: { text: a }, capture: { a: { matches: ".+", as: number } } }] }
  - { name: no pattern, steps: [{ call: count, capture: { a: { matches: "(" } } }] }
  - { name: schema of a file, steps: [{ call: add_note, with: { text: a }, expect: { schema: schemas/note.yaml, result_schema: schemas/result.json } }] }
  - { name: other schema of a file, steps: [{ parallel: [{ call: count, expect: { schema: ./schemas/note.yaml } }] }] }
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
  'taken from the text': 'pass',
  'not in the text': expect.stringMatching(
    /^tools\/call count: capture "a" from "never" failed: it does not match: "1"/,
  ),
  'no number': expect.stringMatching(/capture "a" from "\.\+" failed: "added" is no number/),
  'no pattern': expect.stringMatching(/capture "a" from "\(" failed: invalid pattern/),
  'schema of a file': 'pass',
  'other schema of a file': expect.stringMatching(/^schema: .*object/),
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
  beforeAll(() => {
    work.write('schemas/note.yaml', 'type: object\nrequired: [id]\n');
    work.write('schemas/result.json', { properties: { content: { minItems: 1 } }, required: ['content'] });
  });

  it.runIf(thorough)('come out as they should, live and from the kept run', async () => {
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

  it.runIf(thorough)('side by side and one after another: the same', async () => {
    const file = work.write('same.yaml', suite);
    const reports = await Promise.all(
      [
        ['--jobs', '1'],
        ['--jobs', '4'],
      ].map(async (args) => timeless((await run(file, args)).report)),
    );
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
    expect(results((await run(yaml, ['--session', 'suite'])).report)).toEqual({
      first: 'pass',
      second: 'pass',
      apart: 'pass',
      dies: expect.stringContaining('exit code 7'),
      fresh: 'pass',
    });
  });
});

describe('files', () => {
  it('are told what is wrong with their steps, each with its place', async () => {
    const file = work.write(
      'bad.yaml',
      `${head}cases:
  - name: x
    steps:
      - cal: foo
      - call: foo
        expect: { contains: 5 }
      - { call: a, read: b }
      - parallel: [{ list: toolz }]
  - { server: nobody, steps: [], timeout: soon }
`,
    );
    const outcome = await work.call(['run', file]);
    const { why } = errorOf(outcome);
    expect(outcome.code).toBe(2);
    for (const told of [
      /bad\.yaml:7:9: .*Did you mean "call"\?/,
      /bad\.yaml:9:19: .*contains: must be a list, not 5/,
      /bad\.yaml:10:9: .*names call and read/,
      /bad\.yaml:11:\d+: .*list: must be one of tools, prompts/,
    ])
      expect(why).toMatch(told);
  });

  it('import servers and defaults, and refuse programs when told to', async () => {
    work.write('shared.yaml', `${head}defaults: { tags: [imported] }\n`);
    const file = work.write(
      'importing.yaml',
      'version: 1\nimports: [shared.yaml]\ncases:\n  - { name: imported, steps: [{ ping: true }, { run: [node, -e, ""] }] }\n',
    );
    expect((await run(file, ['--tag', 'imported'])).report.counts).toMatchObject({ total: 1, passed: 1 });
    const hidden = work.write(
      'hidden.yaml',
      `server: { command: node, args: [x.mjs] }\nassert:\n  tool: count\n  expect:\n    unchanged:\n      - run: [node, -e, ""]\n`,
    );
    expect(await work.call(['run', file, '--no-commands'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('importing.yaml:4:'),
    });
    expect(await work.call(['run', hidden, '--no-commands'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('hidden.yaml:6:'),
    });
    const around = work.write(
      'around.yaml',
      `${head}before: [{ ping: true }]\nafter: [{ ping: true }]\ncases: [{ name: a, each: [{ n: 1 }, { n: 2 }], steps: [{ ping: true }] }]\n`,
    );
    const refused = await work.call(['run', around, '--no-commands']);
    expect([
      refused.code,
      errorOf(refused)
        .why.replaceAll(`${around}:`, '')
        .split('\n')
        .map((line) => line.trim()),
    ]).toEqual([2, ['4:10: before is refused (--no-commands)', '5:9: after is refused (--no-commands)']]);
  });

  it('are held to their form where they are imported, too, with places of their own', async () => {
    work.write('wrong.yaml', `${head}defaults:\n  tags: none\n  session: never\n`);
    work.write('soon.yaml', `${head}defaults:\n  timeout: soon\n  server: nobody\n`);
    work.write('broken.yaml', 'version: 1\nservers: [\n');
    work.write('old.yaml', 'server: { command: node }\nassert: { tool: x }\n');
    const file = work.write(
      'takes.yaml',
      'version: 1\nimports: [wrong.yaml, soon.yaml, broken.yaml, old.yaml, missing.yaml]\ncases:\n  - { name: a, steps: [{ ping: true }] }\n  - { name: b, steps: [{ ping: true }] }\n',
    );
    const outcome = await work.call(['run', file]);
    expect(outcome.code).toBe(2);
    const lines = errorOf(outcome)
      .why.split('\n')
      .map((line) => line.trim().replaceAll(`${work.path('.')}/`, ''));
    const seen = (told: RegExp): number => lines.filter((line) => told.test(line)).length;
    for (const told of [
      /wrong\.yaml:5:3: defaults\.tags: must be a list, not "none"/,
      /wrong\.yaml:6:3: defaults\.session: must be one of/,
      /soon\.yaml:5:3: .*"soon" is no duration/,
      /soon\.yaml:6:3: there is no server "nobody"/,
      /broken\.yaml:\d+:\d+: /,
      /takes\.yaml:2:\d+: imports: broken\.yaml cannot be read/,
      /takes\.yaml:2:\d+: imports: old\.yaml is in the form of mcp-assert/,
      /takes\.yaml:2:\d+: imports: missing\.yaml cannot be read/,
    ])
      expect([seen(told), told], outcome.stderr).toEqual([1, told]);
  });

  it('are refused beyond 1 MiB, whatever their characters, and where they nest without end', async () => {
    const line = `# ${'ü'.repeat(1000)}\n`;
    const large = work.write('large.yaml', `${head}${line.repeat(524)}cases: []\n`);
    const deep = work.write('deep.yaml', `version: 1\ncases: ${'['.repeat(20_000)}\n`);
    const growing = work.write(
      'growing.yaml',
      `version: 1\na0: &a0 [${'x, '.repeat(100)}]\n${[1, 2, 3].map((n) => `a${n}: &a${n} [${`*a${n - 1}, `.repeat(100)}]\n`).join('')}`,
    );
    const outcome = await work.call(['run', large, '--suite', deep, '--suite', growing]);
    expect(outcome.code).toBe(2);
    expect(errorOf(outcome).why).toMatch(
      /large\.yaml:1:1: the file is larger than 1048576 bytes\n.*deep\.yaml:\d+:\d+: it nests deeper than \d+ levels.*\n.*growing\.yaml:\d+:\d+: there are more than 200000 values in it/,
    );
    expect(errorOf(outcome).why).not.toContain('not nothing');
  });
});

describe('the form of mcp-assert', () => {
  const server = `server: { command: node, args: [${JSON.stringify(join(root, 'test/suite/servers/notes.mjs'))}] }\n`;
  it('takes what goes beyond one answer, too, and the steps in it are checked', async () => {
    const cases: [string, unknown][] = [
      ['assert: { tool: count, expect: { equals: 3, eventually: 30s } }', 'pass'],
      [
        'assert: { tool: get_note, args: { id: 1 }, expect: { is_error: true, unchanged: [{ list: tools }] } }',
        expect.stringMatching(/^tool call get_note failed/),
      ],
      [
        'assert: { tool: add_note, args: { text: a }, expect: { idempotent: true, unchanged: [{ read: "notes://1" }] } }',
        'pass',
      ],
      [
        'assert: { tool: add_note, args: { text: a }, expect: { unchanged: [{ call: count }] } }',
        expect.stringMatching(/^unchanged: tools\/call count is another after the step/),
      ],
      [
        'assert_resources: { read: "notes://7", expect: { expect_error: { code: -32002 }, unchanged: [{ ping: true }] } }',
        'pass',
      ],
    ];
    for (const [index, [block]] of cases.entries()) work.write(`old/${index}.yaml`, `${server}${block}\n`);
    expect(Object.values(results((await run(work.path('old'))).report))).toEqual(cases.map(([, due]) => due));
    // They mean the same when they are written in the form of mcpc.
    expect((await work.call(['suite', 'convert', 'old', '--output', 'new.yaml'])).code).toBe(0);
    expect(Object.values(results((await run(work.path('new.yaml'))).report))).toEqual(cases.map(([, due]) => due));
    const wrong = work.write('wrong.yaml', `${server}assert: { tool: count, expect: { unchanged: [{ cal: x }] } }\n`);
    expect(await work.call(['run', wrong])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/wrong\.yaml:2:\d+: .*Did you mean "call"\?/),
    });
  });
});

describe('schemas in files', () => {
  it('that cannot be read are told with the place of their name', async () => {
    work.write('schemas/broken.json', '{ "type": ');
    work.write('schemas/list.json', '[1]');
    const file = work.write(
      'lost.yaml',
      `${head}cases:\n${['nowhere.json', 'schemas/broken.json', 'schemas/list.json'].map((path) => `  - steps: [{ ping: true, expect: { schema: ${path} } }]\n`).join('')}`,
    );
    const { code, stderr } = await work.call(['run', file]);
    expect(code).toBe(2);
    for (const told of [
      /lost\.yaml:5:\d+: schema: nowhere\.json: there is no such file/,
      /lost\.yaml:6:\d+: schema: schemas\/broken\.json: line 1: /,
      /lost\.yaml:7:\d+: schema: schemas\/list\.json: it holds no JSON Schema/,
    ])
      expect(stderr).toMatch(told);
  });
});

describe('the client', () => {
  it('opens no address and uses tools in sampling as the file says, and declares neither unasked', async () => {
    const server = (features: string): string =>
      `{ command: node, args: [${JSON.stringify(exampleServer)}, stdio], client_capabilities: ${features} }`;
    const yaml = `version: 1
servers:
  opens: ${server('{ elicitation: { action: decline, url: { action: accept } } }')}
  declines: ${server('{ elicitation: { action: accept, content: {}, url: { action: decline } } }')}
  forms: ${server('{ elicitation: { url: https://example.com/form } }')}
  uses: ${server('{ sampling: { text: It echoes., tools: [{ name: look-up-meaning, input: { word: ping } }] } }')}
  talks: ${server('{ sampling: { text: No tool., tools: [] } }')}
  plain: ${server('{ sampling: { text: No tool. } }')}
defaults: { spec: 2025-11-25 }
cases:
  - { name: accepted, server: opens, steps: [{ call: connect-account, expect: { equals: The account is connected. } }] }
  - { name: accepted in the stateless era, server: opens, spec: 2026-07-28, steps: [{ call: connect-account, expect: { equals: The account is connected. } }] }
  - { name: declined, server: declines, steps: [{ call: connect-account, expect: { equals: "The user chose: decline" } }] }
  - { name: a field of a form, server: forms, steps: [{ call: connect-account, expect: { is_error: true } }] }
  - { name: with tools, server: uses, steps: [{ call: ask-model-with-tools, expect: { not_error: true, contains: [It echoes.], rule: { given: { message: { from: client } }, when: { fact: subject.message, path: $.result.stopReason, operator: exists, value: true }, expect: { fact: subject.message, path: $.result.stopReason, operator: isOneOf, value: [toolUse, end_turn] } } } }] }
  - { name: declared only, server: talks, steps: [{ call: ask-model-with-tools, expect: { contains: [No tool.] } }] }
  - { name: not declared, server: plain, steps: [{ call: ask-model-with-tools, expect: { is_error: true } }] }
`;
    expect(results((await run(yaml)).report)).toEqual(
      Object.fromEntries(
        [
          'accepted',
          'accepted in the stateless era',
          'declined',
          'a field of a form',
          'with tools',
          'declared only',
          'not declared',
        ].map((name) => [name, 'pass']),
      ),
    );
  });
});

describe('secrets', () => {
  it('are judged as they are, taken out of what is written, and undecided from a kept run', async () => {
    const token = 'Zk81bQwLx92Vt0pR';
    const file = work.write(
      'secret.yaml',
      `version: 1
servers:
  notes: { command: node, args: [${JSON.stringify(join(root, 'test/suite/servers/notes.mjs'))}], env: { NOTES_TOKEN: "$GIVEN_TOKEN" } }
cases:
  - { name: holds, steps: [{ call: env, with: { name: NOTES_TOKEN }, capture: { t: $ }, expect: { equals: ${token} } }] }
  - { name: does not, steps: [{ call: env, with: { name: NOTES_TOKEN }, expect: { equals: other } }] }
`,
    );
    const trace = work.path('secret.trace.jsonl');
    const live = await run(
      file,
      ['--trace', trace, '--junit', work.path('secret.xml'), '--markdown', work.path('secret.md')],
      { GIVEN_TOKEN: token },
    );
    expect(live.report.cases.map(({ status }) => status)).toEqual(['pass', 'fail']);
    for (const text of [
      live.stdout,
      live.stderr,
      JSON.stringify(live.report),
      readFileSync(trace, 'utf8'),
      work.read('secret.xml'),
      work.read('secret.md'),
    ])
      expect(text).not.toContain(token);
    const again = await run(file, ['--recording', trace]);
    expect(again.report.cases.map(({ status }) => status)).toEqual(['undecided', 'undecided']);
  });
});

it('of a choice the one wrong value is told, and a case without steps is told of', async () => {
  const server = 'servers: { s: { command: node, args: [none.mjs] } }';
  work.write(
    'choice.yaml',
    `version: 1\n${server}\ncases:\n  - { name: a, steps: [{ call: t, expect_error: { code: x } }] }\n  - { name: b, steps: [{ call: t, expect_error: 5 }] }\n`,
  );
  const { code, stderr } = await work.call(['run', 'choice.yaml']);
  expect(code).toBe(2);
  expect(stderr).toContain('choice.yaml:4:51: cases.0.steps.0.expect_error.code: must be a whole number, not "x"');
  expect(stderr).toContain('choice.yaml:5:35: cases.1.steps.0.expect_error: does not fit: 5');
  work.write(
    'idle.yaml',
    `version: 1\n${server}\ncases: [{ name: idle, steps: [] }, { name: later, skip: true, steps: [] }]\n`,
  );
  const idle = await work.call(['run', 'idle.yaml']);
  expect(idle.stderr.match(/idle\.yaml:3:9: the case has no steps; it passes whatever the server does/g)).toHaveLength(
    1,
  );
});
