/** Hints: what is wrong with a file is told, what is in it is done, and a file to start from can be had. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseHints } from '../../src/check/target/hints-file.ts';
import { errorOf, exampleServer, Workspace } from './harness.ts';
import { inventory } from './servers.ts';
import { someOf } from '../support/run/some-of.ts';

interface Call {
  method: string;
  params: { name?: string; uri?: string; arguments?: Record<string, unknown>; ref?: object };
}

const space = new Workspace();
beforeAll(() => {
  space.write('server.mjs', inventory);
});

/** Checks the small server and reads from the trace what it was asked. */
async function calls(
  hints: string | undefined,
  flags: readonly string[] = [
    '--only',
    'tools/call-result-schema,prompts/get-result-schema,tools/errors-invalid-arguments,tools/list-changed-capability',
  ],
): Promise<{ asked: Call[]; stderr: string; skipped: { what: string; why: string }[] }> {
  if (hints !== undefined) space.write('hints.yaml', hints);
  const { code, stderr, stdout } = await space.call([
    'check',
    '--json',
    '--spec',
    '2025-11-25',
    '--trace',
    'run.jsonl',
    ...(hints === undefined ? [] : ['--hints', 'hints.yaml']),
    ...flags,
    '--',
    'node',
    'server.mjs',
  ]);
  expect([0, 1], stderr).toContain(code);
  const events = readFileSync(space.path('run.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { from?: string; kind?: string; message?: Call });
  const report = JSON.parse(stdout) as { skipped?: { what: string; why: string }[] };
  return {
    asked: events.flatMap(({ from, kind, message }) =>
      from === 'client' && kind === 'message' && message?.method !== undefined ? [message] : [],
    ),
    stderr,
    skipped: report.skipped ?? [],
  };
}

const toolCalls = (asked: readonly Call[], name: string): Call[] =>
  asked.filter(({ method, params }) => method === 'tools/call' && params.name === name);

describe('answers to forms of 2026-07-28', () => {
  test('are given by key or by tool, and hidden in the trace', async () => {
    const program = fileURLToPath(new URL('../e2e/servers/sdk-server.mjs', import.meta.url));
    space.write(
      'answers.yaml',
      'tools:\n  greet: { answers: { name: { name: Zaphod Beeblebrox } } }\nanswers:\n  name: { name: Trillian }\n',
    );
    const { code, stderr } = await space.call([
      'check',
      '--spec',
      '2026-07-28',
      '--only',
      'mrtr/result-schema',
      '--hints',
      'answers.yaml',
      '--trace',
      'answers.jsonl',
      '--',
      process.execPath,
      program,
      'stdio',
    ]);
    expect(code, stderr).toBe(0);
    const lines = space.read('answers.jsonl').split('\n');
    expect(lines.some((line) => line.includes('Hello Zaphod Beeblebrox'))).toBe(true);
    expect(lines.some((line) => line.includes('the answers were Trillian, Trillian, Trillian'))).toBe(true);
    const retries = lines.filter((line) => line.includes('"inputResponses"'));
    expect(retries.length).toBeGreaterThan(3);
    expect(retries.filter((line) => /Zaphod|Trillian/.test(line))).toEqual([]);
  });

  test('have to be objects by key', () => {
    expect(() => parseHints('answers: { name: Ada }', 'h.yaml')).toThrow('h.yaml:1:18: answers.name: must be object.');
    expect(parseHints('answers: { name: { a: 1 } }', 'h.yaml').answers).toEqual({ name: { a: 1 } });
  });
});

describe('what hints do', () => {
  test('without them tools that sound dangerous are left alone, and arguments are made up', async () => {
    const { asked, skipped } = await calls(undefined);
    expect(toolCalls(asked, 'delete_note')).toEqual([]);
    expect(skipped.map(({ what }) => what)).toContain('tool delete_note');
    expect(toolCalls(asked, 'list_all').length).toBeGreaterThan(0);
    expect(JSON.stringify(asked)).not.toContain('socks');
  });

  test('arguments, what may be called and what not, traits, resources, prompts, completions', async () => {
    const { asked, skipped, stderr } = await calls(`
tools:
  find: { arguments: { query: socks } }
  delete_note: { call: allowed, changes-lists: [resources], changes-resource: "note://1" }
  list_all: { call: never }
prompts:
  review: { arguments: { language: fr } }
resources:
  read: ["note://hidden"]
  never: ["note://1"]
templates:
  "note://{id}": { id: a b }
completions:
  - { prompt: review, argument: language, value: f }
`);
    expect(stderr).not.toContain('hints.yaml');
    const found = toolCalls(asked, 'find').map(({ params }) => params.arguments);
    expect(found).toContainEqual({ query: 'socks' });
    expect(toolCalls(asked, 'delete_note').length).toBeGreaterThan(0);
    expect(toolCalls(asked, 'list_all')).toEqual([]);
    expect(skipped).toContainEqual({ what: 'tool list_all', why: expect.stringMatching(/hints/) as string });
    expect(asked.filter(({ method }) => method === 'prompts/get').map(({ params }) => params.arguments)).toContainEqual(
      { language: 'fr' },
    );
    const read = asked.filter(({ method }) => method === 'resources/read').map(({ params }) => params.uri);
    expect(read).toEqual(expect.arrayContaining(['note://hidden', 'note://a%20b']));
    expect(asked.filter(({ method }) => method === 'completion/complete').map(({ params }) => params)).toContainEqual(
      expect.objectContaining({
        ref: { type: 'ref/prompt', name: 'review' },
        argument: { name: 'language', value: 'f' },
      }),
    );
    const order = asked.map(({ method, params }) => `${method} ${params?.name ?? params?.uri ?? ''}`);
    expect(order.indexOf('resources/subscribe note://1')).toBeGreaterThan(-1);
    expect(order.lastIndexOf('tools/call delete_note')).toBeGreaterThan(order.indexOf('resources/subscribe note://1'));
  });

  test('a trait goes before the guess', async () => {
    const progress = (asked: readonly Call[]): string[] =>
      asked
        .filter(
          ({ method, params }) =>
            method === 'tools/call' &&
            (params as { _meta?: { progressToken?: unknown } })._meta?.progressToken !== undefined,
        )
        .map(({ params }) => params.name!);
    expect(progress((await calls(undefined, ['--only', 'progress'])).asked)).not.toContain('quiet');
    expect(progress((await calls('tools: { quiet: { progress: true } }', ['--only', 'progress'])).asked)).toContain(
      'quiet',
    );
  });

  test('names that the server does not list get a warning, and change nothing else', async () => {
    const { stderr } = await calls(`
tools: { serch: {}, fnd: { arguments: {} }, find: { arguments: { qeury: x } } }
prompts: { review: {}, nothing_like_it: {} }
templates: { "note://{id}": { number: "1" } }
`);
    expect(stderr).toContain('hints.yaml: the server lists no tool "fnd". Did you mean "find"?');
    expect(stderr).toContain('the server lists no tool "serch".');
    expect(stderr).toContain('the tool "find" has no argument "qeury". Did you mean "query"?');
    expect(stderr).toMatch(/no prompt "nothing_like_it"\.$/m);
    expect(stderr).toContain('the template "note://{id}" cannot be filled in with number.');
    expect(stderr).not.toContain('"review"');
  });

  test('a configuration can name them', async () => {
    space.write('sub/hints.yaml', 'tools: { find: { arguments: { query: from the entry } } }');
    space.write('sub/.mcp.json', {
      mcpServers: { mine: { command: 'node', args: [space.path('server.mjs')], mcpc: { hints: 'hints.yaml' } } },
    });
    const { code, stderr } = await space.call([
      'check',
      '--quiet',
      '--spec',
      '2025-11-25',
      '--only',
      'tools',
      '--trace',
      'named.jsonl',
      '--config',
      'sub/.mcp.json',
    ]);
    expect([0, 1], stderr).toContain(code);
    expect(space.read('named.jsonl')).toContain('from the entry');
    space.write('sub/.mcp.json', { mcpServers: { mine: { command: 'node', mcpc: { hint: 'hints.yaml' } } } });
    expect(errorOf(await space.call(['check', '--config', 'sub/.mcp.json'])).why).toContain(
      '"mcpc" has an unknown property "hint"',
    );
  });
});

describe('what is wrong with a file', () => {
  test.each<[string, string, RegExp]>([
    [
      'an unknown member',
      'tools:\n  find:\n    slwo: true\n',
      /^h\.yaml:3:5: tools\.find: unknown property "slwo"\. Did you mean "slow"\? Known are arguments, call, /,
    ],
    ['an unknown section', 'tool: {}\n', /^h\.yaml:1:1: unknown property "tool"\. Did you mean "tools"\?/],
    [
      'a wrong type',
      'tools:\n  find:\n    slow: yes please\n',
      /^h\.yaml:3:11: tools\.find\.slow: must be boolean.*object/,
    ],
    ['nothing to see', 'tools:\n  find:\n    slow: {}\n', /^h\.yaml:3:11: tools\.find\.slow: .*seen-in/],
    [
      'a wrong word',
      'tools:\n  find:\n    call: always\n',
      /^h\.yaml:3:11: tools\.find\.call: must be one of never, allowed\.$/,
    ],
    [
      'a wrong word in a list',
      'tools:\n  find:\n    asks:\n      - model\n',
      /^h\.yaml:4:9: tools\.find\.asks\.0: must be one of sampling, elicitation, roots\.$/,
    ],
    [
      'a number where text is due',
      'templates:\n  "note://{id}":\n    id: 1\n',
      /^h\.yaml:3:9: templates\.note:\/\/\{id\}\.id: must be string\.$/,
    ],
    [
      'a completion of nothing',
      'completions:\n  - { argument: a, value: b }\n',
      /^h\.yaml:2:5: completions\.0: must name either a prompt or a template\.$/,
    ],
    ['a name given twice', 'tools:\n  a: {}\n  a: {}\n', /^h\.yaml:3:3: .*unique/],
    ['no YAML', 'tools: [', /^h\.yaml:1:\d+: /],
    ['another kind of file', '- 1\n', /^h\.yaml:1:1: must be object\.$/],
  ])('%s', (_title, text, message) => {
    let told = '';
    try {
      parseHints(text, 'h.yaml');
    } catch (error) {
      told = (error as Error).message;
    }
    expect(told).toMatch(message);
  });

  test('aliases cannot blow it up', () => {
    const bomb = [
      'a: &a [x, x]',
      ...[...'bcdefghi'].map(
        (name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[index]}`).join(', ')}]`,
      ),
    ].join('\n');
    expect(() => parseHints(bomb, 'h.yaml')).toThrow(/alias/i);
  });

  test('is told before anything is started', async () => {
    space.write('wrong.yaml', 'tools: { find: { slwo: true } }');
    const outcome = await space.call(['check', '--hints', 'wrong.yaml', '--', 'no-such-command-of-mcpc-tests']);
    expect(outcome.code).toBe(2);
    expect(errorOf(outcome).why).toContain('wrong.yaml:1:18: tools.find: unknown property "slwo"');
    expect(errorOf(outcome).fix).toContain('docs/hints.md');
    expect((await space.call(['check', '--hints', 'none.yaml', '--', 'x'])).code).toBe(2);
  });

  test('an empty one is none', () => {
    expect(parseHints('', 'h.yaml')).toMatchObject({ tools: {}, completions: [] });
  });
});

describe('mcpc hints init', () => {
  test('writes down what would be used, marks what was made up, and calls no tool', async () => {
    space.write('calls.txt', '');
    const { code, stdout, stderr } = await space.call(['rules', 'hints', '--', 'node', 'server.mjs']);
    expect(code, stderr).toBe(0);
    expect(parse(stdout)).toMatchObject({
      tools: { find: { arguments: { query: 'text' } }, delete_note: { call: 'never' }, list_all: { arguments: {} } },
      prompts: { review: { arguments: { language: 'en' } } },
      resources: { read: ['note://1'] },
      templates: { 'note://{id}': { id: '1' } },
    });
    expect(stdout).toMatch(/# TODO: made up; What to look for\n\s+query: text/);
    expect(stdout).toMatch(/call: never # TODO: its name says that it changes something/);
    expect(Number(/(\d+) places say TODO/.exec(stderr)?.[1])).toBe(
      stdout.split('\n').filter((line) => /^(?!# Each).*TODO/.test(line)).length,
    );
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    // Nothing but lists was asked for.
    expect(
      space
        .read('calls.txt')
        .split('\n')
        .filter(
          (line) =>
            line !== '' &&
            !/^(?:initialize|notifications\/|ping|server\/discover|\w+\/(?:templates\/)?list$)/.test(line),
        ),
    ).toEqual([]);
  });

  test.each(someOf(['stdio', 'http', 'sse'], 3, (transport) => transport))(
    'of the example server over %s can be used as they are',
    async (transport) => {
      const target =
        transport === 'stdio'
          ? ['--', 'node', exampleServer, 'stdio']
          : [
              '--transport',
              transport,
              '--serve',
              `node "${exampleServer}" ${transport} --port {{port}}`,
              '--url',
              `http://127.0.0.1:{{port}}/${transport === 'sse' ? 'sse' : 'mcp'}`,
            ];
      const file = `started-${transport}.yaml`;
      const written = await space.call(['hints', 'init', '--spec', '2025-06-18', '--output', file, ...target]);
      expect(written.code, written.stderr).toBe(0);
      expect(() => parseHints(space.read(file), file)).not.toThrow();
      const again = await space.call(['hints', 'init', '--spec', '2025-06-18', '--output', file, ...target]);
      expect(again.code).toBe(2);
      expect(errorOf(again).why).toContain(`${file} is there already`);
      const checked = await space.call([
        'check',
        '--quiet',
        '--spec',
        '2025-06-18',
        '--only',
        'tools,prompts',
        '--hints',
        file,
        ...target,
      ]);
      expect(checked.code, checked.stdout + checked.stderr).toBe(0);
      expect(checked.stderr).not.toContain('the server lists no');
    },
  );

  test('a target that is not there', async () => {
    const outcome = await space.call(['hints', 'init', '--', 'no-such-command-of-mcpc-tests']);
    expect(outcome.code).toBe(3);
    expect(errorOf(outcome).why).toContain('was not found');
  });
});
