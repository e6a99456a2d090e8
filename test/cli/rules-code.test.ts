/** A house rule that brings a fact as code: refused, then run with --rules-code, and gone with the rule. */
import { expect, test } from 'vitest';
import { parseReport } from '../support/read-report.ts';
import { Workspace } from './harness.ts';

const space = new Workspace();
const answered = (names: string[]): string[] => [
  '> {"id":1,"method":"tools/list"}',
  `< {"id":1,"result":{"tools":${JSON.stringify(names.map((name) => ({ name, inputSchema: { type: 'object' } })))}}}`,
];
space.write(
  'house.md',
  '# House\n\nRevision: all\n\n- **MUST** server `house.tools.spelling` Names of tools have no vowels twice in a row. [-] {observe: server-active}\n',
);
space.write(
  'house/tools-spelling.json',
  JSON.stringify({
    title: 'No tool has a vowel twice in a row in its name',
    requirement: ['house.tools.spelling'],
    role: 'server',
    stimulus: ['handshake', { request: 'tools/list' }],
    given: { exchange: { from: 'client', method: 'tools/list', outcome: ['result'] } },
    expect: { fact: 'house.doubled', operator: 'isEmpty', value: true },
    message: 'These names have a vowel twice in a row: {{actual}}.',
    fix: 'Rename the tools.',
    examples: [
      { verdict: 'pass', trace: answered(['read', 'list']) },
      { verdict: 'fail', trace: answered(['read', 'keep']) },
    ],
  }),
);
const code = `export const facts = [{
  name: 'house.doubled',
  of: 'exchange.result',
  says: 'Names of tools with a vowel twice in a row.',
  read: (result) => result.tools.map(({ name }) => name).filter((name) => /([aeiou])\\1/.test(name)),
}];
`;
space.write('house/tools-spelling.facts.mjs', code);
const house = ['--rules', 'house/*.json', '--requirements', 'house.md'];
const lint = ['rules', 'lint', 'house/*.json', '--requirements', 'house.md'];

test('code beside a rule runs only where it is asked for', async () => {
  const refused = await space.call(lint);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('house/tools-spelling.facts.mjs is code that a rule needs');
  expect(refused.stderr).toContain('add --rules-code');
  const sound = await space.call([...lint, '--rules-code']);
  expect(sound.stderr).toMatch(/Warning: runs the code of .*tools-spelling\.facts\.mjs/);
  expect(sound).toMatchObject({ code: 0 });
});

test('a check runs it in its thread, and a trace is judged alike', async () => {
  const run = await space.call([
    'check',
    ...house,
    '--rules-code',
    '--only',
    'house',
    '--json',
    '--trace',
    'run.jsonl',
    '--',
    process.execPath,
    '-e',
    `process.stdin.on('data', (text) => { for (const line of String(text).split('\\n').filter(Boolean)) {
      const { id, method, params } = JSON.parse(line);
      if (id === undefined) continue;
      const result = method === 'initialize'
        ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'a', version: '1' } }
        : method === 'tools/list' ? { tools: [{ name: 'keep', inputSchema: { type: 'object' } }] } : {};
      console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
    } })`,
  ]);
  const [verdict] = parseReport(run.stdout, run.stderr).verdicts;
  expect(verdict).toMatchObject({ rule: 'house/tools-spelling', status: 'fail' });
  expect(verdict!.message).toContain('keep');
  const judged = await space.call(['judge', ...house, '--rules-code', '--only', 'house', '--json', 'run.jsonl']);
  expect(parseReport(judged.stdout, judged.stderr).verdicts[0]).toMatchObject({ status: 'fail' });
});

test('code that throws makes an error of its rule, and broken code is named with its file', async () => {
  space.write('house/tools-spelling.facts.mjs', code.replace('result.tools.map', 'result.none.map'));
  const judged = await space.run(['judge', ...house, '--rules-code', '--only', 'house', '--json', 'run.jsonl']);
  expect(parseReport(judged.stdout, judged.stderr).verdicts[0]).toMatchObject({ status: 'error' });
  space.write('house/tools-spelling.facts.mjs', 'export const facts = [{ name: "house.doubled" }];');
  const broken = await space.run([...lint, '--rules-code']);
  expect(broken.code).not.toBe(0);
  expect(broken.stdout + broken.stderr).toMatch(/tools-spelling\.facts\.mjs: facts\[0\] has no name, of and says/);
});
