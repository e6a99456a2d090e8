/** The table of imports in .dependency-cruiser.cjs holds for src, and catches what it forbids. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise } from 'dependency-cruiser';
import type { ICruiseOptions, ICruiseResult, IFlattenedRuleSet } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const configuration = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')) as IFlattenedRuleSet & {
  options: ICruiseOptions;
};

interface Violation {
  rule: string;
  from: string;
  to: string;
}

const { options, ...table } = configuration;

async function violations(baseDir: string, ruleSet = table): Promise<{ cruised: number; found: Violation[] }> {
  const { output } = await cruise(
    ['src'],
    { ...options, baseDir, ruleSet, validate: true },
    options.enhancedResolveOptions as never,
  );
  const { summary } = output as ICruiseResult;
  return {
    cruised: summary.totalCruised,
    found: summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
  };
}

test('src keeps to the table', async () => {
  const { cruised, found } = await violations(root);
  // A cruiser that cannot read TypeScript finds nothing, and no fault either.
  expect(cruised).toBeGreaterThan(100);
  expect(found).toEqual([]);
});

describe('a planted import is caught', () => {
  let folder: string;
  const plant = (file: string, text: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'mcpc-imports-'));
    copyFileSync(join(root, 'tsconfig.json'), join(folder, 'tsconfig.json'));
    for (const wing of ['core/model', 'core/score', 'core/facts', 'client', 'check', 'report', 'suites', 'testkit'])
      plant(`src/${wing}/thing.ts`, `export const ${basename(wing)} = 1;\n`);
    plant('src/tools/tool.ts', 'export const tool = 1;\n');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    [
      'core from client',
      'src/core/model/wrong.ts',
      "export { client } from '../../client/thing.ts';\n",
      'core-imports',
    ],
    [
      'a type alone counts too',
      'src/core/model/wrong.ts',
      "import type { client } from '../../client/thing.ts';\nexport type X = typeof client;\n",
      'core-imports',
    ],
    [
      'a folder of core from one above it',
      'src/core/model/wrong.ts',
      "export { facts } from '../facts/thing.ts';\n",
      'core-model-imports',
    ],
    [
      'client from check',
      'src/client/wrong.ts',
      "import { check } from '../check/thing.ts';\nexport const y = check;\n",
      'client-imports',
    ],
    ['report from check', 'src/report/wrong.ts', "export const z = import('../check/thing.ts');\n", 'report-imports'],
    [
      'the product from the test kit',
      'src/check/wrong.ts',
      "import { testkit } from '../testkit/thing.ts';\nexport const y = testkit;\n",
      'check-imports',
    ],
    [
      'a module of Node in score',
      'src/core/score/wrong.ts',
      "import { readFileSync } from 'node:fs';\nexport const read = readFileSync;\n",
      'pure-core',
    ],
    [
      'a module of Node in facts',
      'src/core/facts/wrong.ts',
      "import { performance } from 'node:perf_hooks';\nexport const now = performance;\n",
      'pure-core',
    ],
    ['tools from suites', 'src/suites/wrong.ts', "export { tool } from '../tools/tool.ts';\n", 'nobody-imports-tools'],
    [
      'a wing that the table does not know',
      'src/elsewhere/wrong.ts',
      "import { model } from '../core/model/thing.ts';\nexport const y = model;\n",
      'folder-without-row',
    ],
    [
      'a folder of core that the table does not know',
      'src/core/elsewhere/wrong.ts',
      "import { model } from '../model/thing.ts';\nexport const y = model;\n",
      'folder-without-row',
    ],
    [
      'a module that does not exist',
      'src/check/wrong.ts',
      "export { nothing } from '../core/model/nothing.ts';\n",
      'resolvable',
    ],
  ])('%s', async (_title, file, text, rule) => {
    plant(file, text);
    try {
      const { found } = await violations(folder);
      expect(found.filter((one) => one.from === file).map((one) => one.rule)).toContain(rule);
      expect(new Set(found.map((one) => one.from))).toEqual(new Set([file]));
    } finally {
      rmSync(join(folder, file));
    }
  });

  test('a circle of folders', async () => {
    plant('src/client/low/a.ts', "export { c } from '../high/c.ts';\n");
    plant('src/client/low/b.ts', 'export const b = 1;\n');
    plant('src/client/high/c.ts', "export { b as c } from '../low/b.ts';\n");
    try {
      const { found } = await violations(folder);
      expect(new Set(found.map(({ rule, from }) => `${rule} ${from}`))).toEqual(
        new Set(['no-folder-cycles src/client/low', 'no-folder-cycles src/client/high']),
      );
    } finally {
      for (const name of ['low', 'high']) rmSync(join(folder, `src/client/${name}`), { recursive: true });
    }
  });

  test('a circle of types', async () => {
    plant('src/client/one.ts', "import type { Other } from './other.ts';\nexport interface One { other: Other }\n");
    plant('src/client/other.ts', "import type { One } from './one.ts';\nexport interface Other { one: One }\n");
    try {
      const { found } = await violations(folder);
      expect(new Set(found.map((one) => one.rule))).toEqual(new Set(['no-cycles']));
    } finally {
      for (const name of ['one', 'other']) rmSync(join(folder, `src/client/${name}.ts`));
    }
  });
});
