/** Text of others steers no CI log: GitHub's and Azure's commands and GitLab's sections are broken, the rest stays. */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { passStderr } from '../../src/client/intercept/pass-stderr.ts';
import { Workspace } from '../cli/harness.ts';
import { jsonWithoutCommands, withoutCommands } from '../../src/core/model/ci-logs.ts';
import { thorough } from '../support/run/options.ts';

/** As the runner of GitHub looks at a line: it trims blanks, and finds the second form anywhere. */
const steers = (text: string): boolean =>
  text.split(/[\r\n]/).some((line) => line.trim().startsWith('::') || line.includes('##[')) ||
  /section_(?:start|end):|##[a-z]+\[/i.test(text);

const attacks = [
  '::error::x',
  '  ::set-output name=a::b',
  '\t::stop-commands::t',
  '\u3000::error::',
  '\ufeff::error::x',
  'fine\n ::warning file=x::y',
  'a\r::add-mask::b',
  'x ##[error]y',
  '##[group]',
  '##vso[task.setvariable]x',
  '##teamcity[x]',
  '###[error]',
  'section_start:1:a\r\u001b[0K',
  '\u001b[0Ksection_end:1:a',
  '\u001b[31m::error::x',
  ':::::error',
  '::::\n::::',
];

test.each(attacks)('%j', (attack) => {
  const told = withoutCommands(attack);
  expect(steers(told)).toBe(false);
  expect(told.replaceAll('\u2060', '')).toBe(attack);
  expect(withoutCommands(told)).toBe(told);
});

test.each(['a::b', 'std::string', '# heading', '## heading [x]', 'x\n  a ::b', 'section start', '{"a":"::b"}', ''])(
  '%j stays as it is',
  (text) => expect(withoutCommands(text)).toBe(text),
);

test.each([' ', '\u2028', '\ufeff', '\u200b', '\t\u001b[0m', '#', ':', '\u001b[0', 'section_', '\n ', '##a'])(
  'a long run of %j takes no time to speak of',
  (pump) => {
    const text = pump.repeat(200_000);
    expect(withoutCommands(`${text}x`).replaceAll('\u2060', '')).toBe(`${text}x`);
  },
);

test('JSON says the same', () => {
  const value = { a: '##[error]', b: 'section_start:x', c: '##vso[x]' };
  const text = jsonWithoutCommands(JSON.stringify(value));
  expect(steers(text)).toBe(false);
  expect(JSON.parse(text)).toEqual(value);
});

test('stderr that is handed on comes as it is, but for CI logs, where lines are whole', async () => {
  const run = async (env: Record<string, string>, pieces: string[]): Promise<string> => {
    const [from, to] = [new PassThrough(), new PassThrough()];
    passStderr(from, to, env);
    for (const piece of pieces) from.write(piece);
    from.end();
    await new Promise((resolve) => from.once('end', resolve));
    return String((to.read() as Buffer | null) ?? '');
  };
  expect(await run({}, [':', ':error::x\n'])).toBe('::error::x\n');
  expect(steers(await run({ GITHUB_ACTIONS: 'true' }, ['a\n:', ':error::x\nb #', '#[x]']))).toBe(false);
});

test.runIf(thorough)(
  'names of a server that come to a list of cases, and to hints on stdout',
  async () => {
    const work = new Workspace();
    const name = 'get_x\n  ::error::x ##[group]y section_start:1:z';
    work.write(
      'server.mjs',
      `
import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const results = { initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } }), 'tools/list': () => ({ tools: [{ name: ${JSON.stringify(name)}, description: ${JSON.stringify(name)}, inputSchema: { type: 'object', required: ['a'] } }] }) };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...(method in results ? { result: results[method]() } : { error: { code: -32601, message: 'no' } }) }) + '\\n');
}).on('close', () => process.exit(0));
`,
    );
    const hints = await work.call(['hints', 'init', '--spec', '2025-11-25', '--', 'node', 'server.mjs']);
    expect(hints).toMatchObject({ code: 0, stdout: expect.stringContaining('group') });
    work.write('suite.yaml', {
      version: 1,
      servers: { s: { command: 'node', args: ['server.mjs'] } },
      cases: [{ name, steps: [{ list: 'tools' }] }],
    });
    for (const words of [[], ['--json']]) {
      const { stdout } = await work.call(['run', 'suite.yaml', '--list', ...words]);
      expect(stdout).toContain('group');
      expect(steers(stdout)).toBe(false);
    }
    expect(steers(hints.stdout)).toBe(false);
    // The failing case and the report of a check tell what the server calls itself.
    work.write('failing.yaml', {
      version: 1,
      servers: { s: { command: 'node', args: ['server.mjs'] } },
      cases: [{ name, steps: [{ list: 'tools', expect: { equals: name } }] }],
    });
    for (const format of ['markdown', 'junit', 'tap', 'sarif', 'ctrf', 'json']) {
      const { stdout } = await work.call(['run', 'failing.yaml', '--no-color', '-f', format]);
      expect(stdout, format).toContain('group');
      expect(steers(stdout), format).toBe(false);
    }
    for (const format of ['markdown', 'junit', 'sarif']) {
      const { stdout } = await work.call([
        'check',
        '-f',
        format,
        '--name',
        name,
        '--spec',
        '2025-11-25',
        '--only',
        'tools/*',
        '--',
        'node',
        'server.mjs',
      ]);
      expect(stdout, format).toContain('group');
      expect(steers(stdout), format).toBe(false);
    }
  },
  60_000,
);
