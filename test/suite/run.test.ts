/** `mcpc run` on real servers: what passes, what fails and with which words, and what is left behind. */
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { Workspace, errorOf } from '../cli/harness.ts';
import { everything, filesystem } from './servers.ts';
import { thorough } from '../support/run/options.ts';

interface Result {
  name: string;
  status: string;
  detail?: string;
  duration_ms: number;
  trial: number;
}

const work = new Workspace();
work.write('fx/hello.txt', 'Hello, world!\n');

let count = 0;
/** Runs one file; the result of its only case. */
async function judge(
  yaml: string,
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<Result & { code: number | null }> {
  const file = work.write(`one/${(count += 1)}.yaml`, yaml);
  const { code, stdout, stderr } = await work.call(['run', file, '--json', ...args], { env });
  const results = JSON.parse(stdout === '' ? '[]' : stdout) as Result[];
  if (results.length !== 1) throw new Error(`${results.length} results: ${stdout} ${stderr}`);
  return { ...results[0]!, code };
}

describe('tools', () => {
  it('passes what holds, on a copy of the fixture (A-030, A-041, A-045, A-054, A-104)', async () => {
    const seen = await judge(
      `
name: read
server:
  ${filesystem}
assert:
  tool: read_text_file
  args: { path: "{{fixture}}/hello.txt" }
  expect: { not_error: true, contains: ["Hello, world!"], file_unchanged: ["{{fixture}}/hello.txt"] }
`,
      ['--fixture', work.path('fx')],
    );
    expect(seen).toMatchObject({ name: 'read', status: 'PASS', trial: 1, code: 0 });
    expect(seen).not.toHaveProperty('detail');
  });

  it('changes the copy only, and sees it (A-072, A-073)', async () => {
    const seen = await judge(
      `
server:
  ${filesystem}
setup:
  - { tool: write_file, args: { path: "{{fixture}}/new.txt", content: "fresh" } }
assert:
  tool: write_file
  args: { path: "{{fixture}}/hello.txt", content: "changed" }
  expect: { file_contains: { "{{fixture}}/hello.txt": changed, "{{fixture}}/new.txt": fresh }, file_not_exists: ["{{fixture}}/old.txt"], file_unchanged: ["{{fixture}}/hello.txt"] }
`,
      ['--fixture', work.path('fx')],
    );
    expect(seen.status).toBe('FAIL');
    expect(seen.detail).toMatch(/^file_unchanged: .*hello\.txt was modified/);
    expect(work.read('fx/hello.txt')).toBe('Hello, world!\n');
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`mcpc-fixture-`) && work.has(name))).toEqual([]);
  });

  it('captures and fills in (A-037, A-039, A-042)', async () => {
    const seen = await judge(`
server:
  ${everything}
setup:
  - { tool: get-sum, args: { a: 20, b: 22 }, capture: { sum: $ } }
assert:
  tool: echo
  args: { message: "[{{sum}}] {{unknown}}" }
  expect: { equals: "Echo: [The sum of 20 and 22 is 42.] {{unknown}}" }
`);
    expect(seen).toMatchObject({ status: 'PASS' });
  });

  it('counts progress, which needs a token (A-076)', async () => {
    const yaml = (least: number): string => `
server:
  ${everything}
assert:
  tool: trigger-long-running-operation
  args: { duration: 1, steps: 4 }
  capture_progress: true
  expect: { min_progress: ${least} }
`;
    expect(await judge(yaml(4))).toMatchObject({ status: 'PASS' });
    expect((await judge(yaml(40))).detail).toMatch(/^expected at least 40 progress notification\(s\), got \d/);
  });

  it('tells an error of JSON-RPC, and the words of an answer that is an error (A-056, A-057)', async () => {
    const unknown = await judge(
      `server:\n  ${everything}\nassert_prompts: { get: { name: nothing-like-this }, expect: { is_error: true } }`,
    );
    const answered = await judge(
      `server:\n  ${everything}\nassert: { tool: get-sum, args: { a: x }, expect: { not_error: true } }`,
    );
    expect([unknown, answered].map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/^prompts\/get failed for "nothing-like-this": JSON-RPC error -32602: .*not found/),
      expect.stringMatching(/^expected no error.*server response: .*Invalid/s),
    ]);
  });
});

describe('servers that are not there', () => {
  it.each([
    ['command: nosuchthing', /^failed to start MCP server: .*nosuchthing.*ENOENT/],
    ['command: "false"', /^MCP initialize failed: .*ended before it answered initialize/],
    ['command: sh\n  args: [-c, "echo gone >&2; exit 3"]', /^MCP initialize failed: .*stderr: gone/],
    ['transport: http\n  url: "http://127.0.0.1:9/mcp"', /^MCP initialize failed: .*ECONNREFUSED/],
    ['transport: http', /^transport "http" requires a url field/],
    ['transport: pigeon', /^unknown transport "pigeon"/],
  ])('%s fails its case (A-023, A-024, A-161)', async (server, words) => {
    const seen = await judge(`server:\n  ${server}\nassert: { tool: x }`);
    expect(seen).toMatchObject({ status: 'FAIL', code: 1 });
    expect(seen.detail).toMatch(words);
  });

  it.runIf(thorough)('an answer that is too large to be read is told', async () => {
    const server = work.write(
      'large.mjs',
      `import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: { name: 'large', version: '1' } } : { content: [{ type: 'text', text: 'x'.repeat(30_000_000) }] } }) + '\\n');
});`,
    );
    const seen = await judge(
      `server: { command: node, args: [${JSON.stringify(server)}] }\ntimeout: 12s\nassert: { tool: x }`,
      ['--spec', '2025-11-25'],
    );
    expect(seen.detail).toMatch(/deadline exceeded \(timed out after 12000 ms\); .*bytes/);
  });

  it('a server that never answers is given up in time (A-049, A-050, A-051)', async () => {
    const seen = await judge('server: { command: sleep, args: ["60"] }\ntimeout: 300ms\nassert: { tool: x }');
    expect(seen.detail).toMatch(/deadline/);
  });
});

describe('stderr', () => {
  it('is told with the failure also when it comes right behind the answer', async () => {
    const server = work.write(
      'behind.mjs',
      `import { createInterface } from 'node:readline';
const send = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') send(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'behind', version: '1' } });
  if (method !== 'tools/call') return;
  send(id, { isError: true, content: [] });
  process.stderr.write('why it failed\\n');
});`,
    );
    const file = work.write(
      'behind.yaml',
      `server: { command: node, args: [${JSON.stringify(server)}] }\nassert: { tool: x, expect: { not_error: true } }\n`,
    );
    const { stdout } = await work.call(['run', file, '--spec', '2025-11-25', '--trials', '5', '--format', 'json']);
    const { cases } = JSON.parse(stdout) as { cases: { trials: { stderr: string[] }[] }[] };
    expect(cases.flatMap(({ trials }) => trials.map(({ stderr }) => stderr))).toEqual(Array(5).fill(['why it failed']));
  });
});

describe('files', () => {
  it('tells every mistake with its place, and starts nothing (A-013)', async () => {
    work.write('broken/a.yaml', 'assert: { tool: x, expect: { contains: text } }\n');
    work.write('broken/b.yml', 'timeout: soon\nassert: { tool: x }\n');
    work.write('broken/both.yaml', 'timeout: later\nassert: { tool: x, expect: { contains: text } }\n');
    work.write('broken/sub/c.yaml', 'a: [1\n');
    const outcome = await work.call(['run', 'broken']);
    const { why } = errorOf(outcome);
    expect(outcome.code).toBe(2);
    expect(why).toMatch(/broken\/a\.yaml:1:30: assert\.expect\.contains: must be a list, not "text"/);
    expect(why).toMatch(/broken\/b\.yml:1:1: timeout: "soon" is no duration/);
    expect(why).toMatch(/broken\/both\.yaml:1:1: timeout: "later" is no duration/);
    expect(why).toMatch(/broken\/both\.yaml:2:30: assert\.expect\.contains/);
    expect(why).toMatch(/broken\/sub\/c\.yaml:\d+:\d+: /);
  });

  it('tells what is wrong in steps beside what is wrong around them', async () => {
    work.write(
      'steps.yaml',
      'version: 1\nservers: { a: { command: x, session: shared } }\ncases:\n  - steps:\n      - ping:\n      - { call: x, with: [] }\n      - what\n---\nversion: 2\n',
    );
    const { why } = errorOf(await work.call(['run', 'steps.yaml']));
    expect(why).toContain('steps.yaml:2:29: servers.a.session: must be one of fresh, auto, file, suite');
    expect(why).toContain(
      'steps.yaml:5:9: cases.0.steps.0: the step says nothing behind ping; write ping: true where it needs no more',
    );
    expect(why).toContain('steps.yaml:6:20: cases.0.steps.1.with: must be a mapping, not a list');
    expect(why).toMatch(/steps\.yaml:7:9: cases\.0\.steps\.2: must be a mapping, not "what"/);
    expect(why).toContain('steps.yaml:9:1: version: must be 1, not 2');
  });

  it('are filled in by cases of the form of mcpc: paths, and the texts that they have to hold', async () => {
    work.write('held/5', 'some text 7');
    work.write(
      'held.yaml',
      `version: 1
cases:
  - name: held
    each: [{ file: 5, text: "text 7" }]
    steps: [{ run: ["true"], expect: { file_contains: { "held/{{file}}": "{{text}}" }, file_not_contains: { "held/{{file}}": "no {{text}}" } } }]
`,
    );
    expect(JSON.parse((await work.call(['run', 'held.yaml', '--json'])).stdout)).toEqual([
      expect.objectContaining({ status: 'PASS' }),
    ]);
  });

  it('refuses more cases than a run may have', async () => {
    const each = Array.from({ length: 10_001 }, (_none, n) => `{ n: ${n} }`).join(', ');
    work.write(
      'many.yaml',
      `version: 1\ncases:\n  - { name: "{{n}}", skip: true, each: [${each}], steps: [{ ping: true }] }\n`,
    );
    const outcome = await work.call(['run', 'many.yaml', '--shard', '1/2']);
    expect([outcome.code, errorOf(outcome).why]).toEqual([2, expect.stringContaining('10001 cases')]);
  });

  it('observed for an expectation stand in the trace, which is valid and shows them', async () => {
    work.write('seen/fx/a.txt', 'apple');
    work.write(
      'seen/case.yaml',
      `server: { command: node, args: [-e, "require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => { const { id, method, params } = JSON.parse(line); if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } : { content: [{ type: 'text', text: 'x' }] } })); })"] }\nassert: { tool: x, expect: { file_unchanged: ["{{fixture}}/a.txt"] } }\n`,
    );
    const { code, stdout, stderr } = await work.call([
      'run',
      'seen/case.yaml',
      '--spec',
      '2025-11-25',
      '--fixture',
      'seen/fx',
      '--trace',
      'seen.jsonl',
    ]);
    expect(code, stdout + stderr).toBe(0);
    expect((await work.call(['trace', 'validate', 'seen.jsonl'])).code).toBe(0);
    expect((await work.call(['trace', 'show', 'seen.jsonl'])).stdout).toMatch(/file.*a\.txt[^]*file.*a\.txt/);
  });

  it('warns of what it does not know; --strict refuses it (A-016)', async () => {
    const file = work.write('typo.yaml', 'skip: true\nassert: { tool: x, exspect: {} }\n');
    const mild = await work.call(['run', file]);
    expect([mild.code, mild.stderr]).toEqual([
      0,
      expect.stringMatching(/typo\.yaml:2:20: assert: unknown property "exspect"\. Did you mean "expect"\?/),
    ]);
    expect((await work.call(['run', file, '--strict'])).code).toBe(2);
  });

  it('reads a folder and its direct subfolders in byte order (A-010, A-011, A-012, A-052, A-053, A-094)', async () => {
    for (const name of ['a.yaml', 'sub/s.yml', 'sub/deep/d.yaml', 'z.yaml', 'B.yaml'])
      work.write(`tree/${name}`, 'skip_unless_env: MCPC_NEVER_SET\nassert: { tool: x }');
    const { stdout, code } = await work.call(['run', 'tree', '--json']);
    expect((JSON.parse(stdout) as Result[]).map(({ name, status, detail }) => [name, status, detail])).toEqual(
      ['B.yaml', 'a.yaml', 's.yml', 'z.yaml'].map((name) => [
        name,
        'SKIP',
        'environment variable MCPC_NEVER_SET is not set',
      ]),
    );
    expect(code).toBe(0);
    work.write('none/readme.txt', 'nothing');
    expect(await work.call(['run', 'none'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no assertion files found in none'),
    });
    expect(await work.call(['run'])).toMatchObject({ code: 2, stderr: expect.stringContaining('No suite is named') });
  });
});

describe('secrets', () => {
  it('are compared as they are and stand in no report', async () => {
    const token = 'mv8Kq2Lx91ZtPw44';
    const yaml = (wanted: string): string => `
server:
  ${everything}
  env: { SUITE_TOKEN: "$GIVEN_TOKEN" }
assert: { tool: get-env, expect: { contains: ["${wanted}"], not_contains: [nobody] } }
`;
    expect(await judge(yaml(token), [], { GIVEN_TOKEN: token })).toMatchObject({ status: 'PASS' });
    const file = work.write('secret.yaml', yaml('another'));
    const failed = await work.call(['run', file, '--format', 'json', '--output', work.path('secret.json')], {
      env: { GIVEN_TOKEN: token },
    });
    expect(failed.code).toBe(1);
    for (const text of [failed.stdout, failed.stderr, work.read('secret.json')]) expect(text).not.toContain(token);
  });
});
