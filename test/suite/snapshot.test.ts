/** `mcpc snapshot` and the expectation `snapshot` on real servers: what is stored, what counts as changed, what is left out. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SnapshotReport } from '../../src/core/model/reports/snapshot-report.ts';
import { errorOf, root, Workspace } from '../cli/harness.ts';
import { everything, filesystem } from './servers.ts';
import { thorough } from '../support/run/options.ts';

const work = new Workspace();
const changing = join(root, 'test/suite/servers/changing.mjs');
const notes = join(root, 'test/suite/servers/notes.mjs');

async function snapshot(...args: string[]): Promise<SnapshotReport & { code: number | null }> {
  const { code, stdout, stderr } = await work.call(['snapshot', ...args.slice(0, 1), '--json', ...args.slice(1)]);
  if (stdout === '') throw new Error(stderr);
  return { ...(JSON.parse(stdout) as SnapshotReport), code };
}

const told = ({ entries }: SnapshotReport): string[] =>
  entries.map(({ case: name, step, status }) => `${status} ${name}${step === '' ? '' : ` / ${step}`}`);

describe('stored and compared (A-142, A-143, A-144)', () => {
  const suite = (text: string): string => `version: 1
servers:
  notes: { command: node, args: [${JSON.stringify(notes)}], env: { TOKEN: "$NOTES_TOKEN" } }
cases:
  - name: a note is kept
    steps:
      - { call: add_note, with: { text: ${JSON.stringify(text)} }, capture: { id: $.structuredContent.id } }
      - { call: get_note, with: { id: "{{id}}" }, expect: { equals: nothing like it } }
      - { call: get_note, with: { id: 99 } }
  - name: secrets
    steps: [{ call: env, with: { name: TOKEN } }]
  - name: never
    skip: it destroys
    steps: [{ call: die }]
`;

  test('sessions with captures, errors, and no secret; expectations are not judged and skips are honoured (A-137)', async () => {
    work.write('notes/notes.yaml', suite('first\nsecond at 2026-01-02T03:04:05Z\nthird\nfourth'));
    const { code, stdout } = await work.run(['snapshot', 'notes', '--update'], {
      env: { NOTES_TOKEN: 'planted-secret-4711' },
    });
    expect({ code, first: stdout.split('\n')[0]?.trim() }).toEqual({
      code: 0,
      first: 'NEW      a note is kept › tools/call add_note',
    });
    expect(stdout).toMatch(/4 new, 1 skipped\n.*written: notes\/notes\.yaml\.snap/s);
    const kept = work.read('notes/notes.yaml.snap');
    expect(kept).toContain('first\n              second at <time>\n              third');
    expect(kept).toContain('tools/call get_note (2): |\n      error:\n        code: -32602');
    expect(kept).not.toContain('planted-secret-4711');
    const again = await work.call(['snapshot', '--suite', 'notes'], { env: { NOTES_TOKEN: 'planted-secret-4711' } });
    expect(again.code).toBe(0);
    expect(again.stdout.match(/MATCH/g)).toHaveLength(4);
  });

  test('a change is told as a unified diff, and nothing is written', async () => {
    const before = work.read('notes/notes.yaml.snap');
    work.write('notes/notes.yaml', suite('first\nsecond at 2026-01-02T03:04:05Z\n3rd\nfourth'));
    const { code, stdout } = await work.call(['snapshot', 'notes', '--filter', 'a note*']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/DIFF +a note is kept › tools\/call get_note\n/);
    expect(stdout).toMatch(/- +third\n.*\+ +3rd\n/);
    expect(stdout).toContain('1 differ');
    expect(work.read('notes/notes.yaml.snap')).toBe(before);
  });

  test('an error in place of a result is a change; a case that ends early is told, and keeps what is stored', async () => {
    work.write(
      'notes/notes.yaml',
      suite('first').replace('id: 99', 'id: 1').replace('call: get_note, with: { id: "{{id}}" }', 'call: die'),
    );
    const report = await snapshot('notes', '--update', '--filter', 'a note*');
    expect(report.code).toBe(1);
    expect(told(report)).toEqual([
      'match a note is kept / tools/call add_note',
      'failed a note is kept',
      'obsolete a note is kept / tools/call get_note (2)',
    ]);
    expect(report.entries[1]!.detail).toContain('the server ended');
    work.write('notes/notes.yaml', suite('first').replace('id: 99', 'id: 1'));
    const verified = await snapshot('notes', '--filter', 'a note*');
    expect(told(verified)).toEqual([
      'match a note is kept / tools/call add_note',
      'changed a note is kept / tools/call get_note',
      'changed a note is kept / tools/call get_note (2)',
    ]);
    expect(verified.entries[2]!.diff).toMatch(/^-error:\n[^]*^\+result:/m);
  });

  test('missing, obsolete and gone are told apart; --prune removes, and only that', async () => {
    work.write('notes/notes.yaml', suite('first').replace('a note is kept', 'renamed'));
    work.write('notes/gone.yaml.snap', work.read('notes/notes.yaml.snap'));
    work.write('notes/mine.yaml.snap', 'something else\n');
    const verified = await snapshot('notes', '--filter', 'renamed');
    expect(verified.code).toBe(1);
    expect(verified.counts).toMatchObject({ missing: 3, obsolete: 4, match: 0 });
    const pruned = await snapshot('notes', '--prune', '--filter', 'renamed');
    expect(pruned.counts).toMatchObject({ missing: 3, pruned: 4 });
    expect(pruned.written).toEqual(['notes/notes.yaml.snap', 'notes/gone.yaml.snap']);
    expect(readdirSync(work.path('notes')).toSorted()).toEqual(['mine.yaml.snap', 'notes.yaml', 'notes.yaml.snap']);
    expect(work.read('notes/notes.yaml.snap')).not.toContain('a note is kept');
    expect(work.read('notes/notes.yaml.snap')).toContain('secrets:');
  });

  test('a file that holds no snapshots is left alone without --overwrite', async () => {
    work.write('notes/mine.yaml', suite('x'));
    work.write('notes/mine.yaml.snap', 'something else\n');
    const refused = await work.call(['snapshot', 'notes/mine.yaml', '--update']);
    expect(refused.code).toBe(2);
    expect(errorOf(refused).why).toContain('notes/mine.yaml.snap cannot be read as snapshots');
    expect(work.read('notes/mine.yaml.snap')).toBe('something else\n');
    expect((await snapshot('notes/mine.yaml', '--update', '--overwrite')).counts).toMatchObject({ new: 4 });
  });
});

test.runIf(thorough)(
  'all blocks of mcp-assert, on a copy of the fixture whose path is left out (A-141, A-145)',
  async () => {
    work.write('fx/hello.txt', 'Hello!\n');
    const file = (name: string, server: string, rest: string): string =>
      work.write(`blocks/${name}.yaml`, `name: ${name}\nserver:\n  ${server}\n${rest}\n`);
    file(
      'tool',
      filesystem,
      'setup: [{ tool: read_text_file, args: { path: "{{fixture}}/hello.txt" }, capture: { said: $ } }]\nassert: { tool: write_file, args: { path: "{{fixture}}/new.txt", content: "{{said}}" } }',
    );
    file('refused', filesystem, 'assert: { tool: read_text_file, args: { path: "{{fixture}}/none.txt" } }');
    file('prompts', everything, 'assert_prompts: { get: { name: simple-prompt } }');
    file('resources', everything, 'assert_resources: { read: "demo://resource/static/document/features.md" }');
    file(
      'completion',
      everything,
      'assert_completion: { ref: { type: ref/prompt, name: completable-prompt }, argument: { name: department, value: "" } }',
    );
    file('logging', everything, 'assert_logging: { set_level: debug, expect: { snapshot: true } }');
    work.write('blocks/calls.yaml', 'name: calls\ntrace: [{ tool: a }]\ntrajectory: [{ type: order, tools: [a] }]\n');
    work.write(
      'blocks/never.yaml',
      'name: never\nskip: true\nserver: { command: no-such-program }\nassert: { tool: x }\n',
    );
    const first = await snapshot('blocks', '--update', '--fixture', 'fx');
    expect(told(first)).toEqual(
      [
        'new completion / completion/complete completable-prompt',
        'new logging / logging/setLevel debug',
        'new logging / notifications',
        'skipped never',
        'new prompts / prompts/get simple-prompt',
        'new refused / tools/call read_text_file',
        'new resources / resources/read demo://resource/static/document/features.md',
        'new tool / tools/call write_file',
      ].map((line) => expect.stringMatching(new RegExp(`^${line.replace(/ \/ .*/, '')}`)) as unknown as string),
    );
    expect(work.read('blocks/refused.yaml.snap')).toContain('<fixture>/none.txt');
    expect((await snapshot('blocks', '--fixture', 'fx')).code).toBe(0);
    // What the command stores is what the expectation reads, also of messages.
    expect((await work.call(['run', 'blocks/logging.yaml'])).stdout).toContain('1 passed');
  },
);

describe('the expectation snapshot', () => {
  const suite = (change: string): string => `version: 1
servers: { changing: { command: node, args: [${JSON.stringify(changing)}, ${JSON.stringify(change)}], session: file } }
cases:
  - { name: same, steps: [{ call: greet, with: { name: Ada }, expect: { snapshot: true } }] }
  - { name: refused, steps: [{ call: greet, expect: { snapshot: true } }] }
  - { name: both, steps: [{ call: greet, expect: { snapshot: true, not_error: true } }] }
  - name: counted
    volatile: [$.visits]
    steps: [{ call: get_visits }, { call: get_visits, expect: { snapshot: true } }]
`;

  test('fails without what is stored, passes as stored, and shows what changed, also from a kept run', async () => {
    work.write('run/same.yaml', suite(''));
    const missing = await work.call(['run', 'run', '--filter', 'same']);
    expect(missing.code).toBe(1);
    expect(missing.stdout).toContain('snapshot: nothing is stored of this step; "mcpc snapshot --update" stores it');
    expect(readdirSync(work.path('run'))).toEqual(['same.yaml']);
    expect((await snapshot('run', '--update')).counts).toMatchObject({ new: 5 });
    const { stdout, code } = await work.call(['run', 'run', '--trace', 'run.jsonl']);
    // An error of JSON-RPC is no answer where something else is expected of a result.
    expect({ code, failed: stdout.match(/FAIL (\w+)/g) }).toEqual({ code: 1, failed: ['FAIL both'] });
    work.write('run/same.yaml', suite('text changed'));
    const changed = await work.call(['run', 'run', '--filter', 'same', '--trace', 'run.jsonl']);
    expect(changed.stdout).toMatch(
      /snapshot: the answer is another than the stored one\n[^]*-.*Hello, Ada[^]*\+.*Hi, Ada!/,
    );
    const judged = await work.call(['run', 'run', '--filter', 'same', '--recording', 'run.jsonl']);
    const withoutTimes = (text: string): string => text.replace(/\d+ms/g, '');
    expect(withoutTimes(judged.stdout)).toBe(withoutTimes(changed.stdout));
  });

  test('a volatile path that cannot be read is told before anything starts', async () => {
    work.write('bad/bad.yaml', suite('').replace('[$.visits]', '["$.visits[?"]'));
    const outcome = await work.call(['snapshot', 'bad']);
    expect(outcome.code).toBe(2);
    expect(errorOf(outcome).why).toMatch(/bad\/bad\.yaml:\d+: volatile: "\$\.visits\[\?" is no JSON path/);
    rmSync(work.path('bad'), { recursive: true });
  });

  test.runIf(thorough)('what generate found to differ from call to call is left out already', async () => {
    const { code, stderr } = await work.call(['generate', '--quiet', '--output', 'starter', '--', 'node', changing]);
    expect(code, stderr).toBe(0);
    expect(work.read('starter/tools.yaml')).toMatch(/name: get_visits answers\n\s+volatile:\n\s+- \$\.visits\n/);
    expect((await snapshot('starter', '--update', '--session', 'suite')).counts).toMatchObject({
      failed: 0,
      missing: 0,
    });
    const again = await snapshot('starter', '--session', 'suite');
    expect(again.entries.filter(({ status }) => status !== 'match' && status !== 'skipped')).toEqual([]);
    const other = await snapshot('starter', '--session', 'suite', '--', 'node', changing, 'number changed');
    expect(other.code).toBe(1);
    expect(
      other.entries.filter(({ status }) => status === 'changed').map(({ case: name }) => name.split(' ')[0]),
    ).toContain('get_weather');
  });
});

test('Ctrl-C writes nothing', async () => {
  work.write(
    'slow/slow.yaml',
    `version: 1\nservers: { n: { command: node, args: [${JSON.stringify(notes)}] } }\ncases:\n  - { name: quick, steps: [{ ping: true }] }\n  - { name: slow, steps: [{ call: slow }] }\n`,
  );
  const running = work.start(['snapshot', 'slow', '--update', '--jobs', '1']);
  await running.shows('NEW      quick');
  running.kill('SIGINT');
  expect((await running.ended).code).toBe(130);
  expect(readdirSync(work.path('slow'))).toEqual(['slow.yaml']);
});
