/** `--fix`: a position nearby is looked for where a case fails since its own holds nothing; no file is changed. */
import { expect, test } from 'vitest';
import { positionsAround } from '../../src/suites/run/fix/suggest-positions.ts';
import { Workspace } from '../cli/harness.ts';
import { thorough } from '../support/run/options.ts';

const work = new Workspace();

/** As a language server: one identifier from column 9 on in line 3, others nowhere. */
work.write(
  'lsp.mjs',
  `import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const { line: at, column } = params?.arguments ?? {};
  const text = at === 3 && column >= 9 && column <= 12 ? 'func main' : at > 9 ? 'column is beyond end of line' : 'no identifier found';
  const result = method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'lsp', version: '1' } } : { content: [{ type: 'text', text }], isError: text !== 'func main' };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
`,
);

test('the nearest positions come first: the line itself, then those around it, never below 1', () => {
  const around = positionsAround({ line: 2, column: 3 });
  expect(around.slice(0, 5)).toEqual([
    { line: 2, column: 4 },
    { line: 2, column: 2 },
    { line: 2, column: 5 },
    { line: 2, column: 1 },
    { line: 2, column: 6 },
  ]);
  expect(around.filter(({ line }) => line === 2)).toHaveLength(7);
  expect(around.find(({ line }) => line !== 2)).toEqual({ line: 3, column: 3 });
  expect(new Set(around.map(({ line }) => line))).toEqual(new Set([1, 2, 3, 4, 5]));
  expect(around.every(({ line, column }) => line >= 1 && column >= 1)).toBe(true);
});

test.runIf(thorough)('a suggestion is printed as a diff block (A-113)', async () => {
  const yaml = (name: string, line: number, column: number, expected = 'func'): string =>
    `name: ${name}\nserver: { command: node, args: [lsp.mjs] }\nassert: { tool: hover, args: { file: a.go, line: ${line}, column: ${column} }, expect: { not_error: true, contains: [${expected}] } }\n`;
  work.write('evals/a.yaml', yaml('beside', 2, 8));
  work.write('evals/b.yaml', yaml('far', 1, 1));
  work.write('evals/c.yaml', yaml('sound', 3, 9));
  const { code, stdout } = await work.call(['run', 'evals', '--fix', '--session', 'suite', '--spec', '2025-11-25']);
  expect(code).toBe(1);
  expect(stdout.slice(stdout.indexOf('--fix'))).toBe(`--fix suggestions:
  beside
  at evals/a.yaml:3
  -   line: 2
  -   column: 8
  +   line: 3
  +   column: 9

  far
  at evals/b.yaml:3
  no position nearby passes
`);
  expect(work.read('evals/a.yaml')).toBe(yaml('beside', 2, 8));
  const json = await work.call(['run', 'evals', '--fix', '--json', '--session', 'suite', '--spec', '2025-11-25']);
  expect((JSON.parse(json.stdout) as unknown[]).length).toBe(3);
});
