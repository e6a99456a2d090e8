/** The table of imports in .dependency-cruiser.cjs holds for src, and catches what it forbids. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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

async function violations(baseDir: string): Promise<{ cruised: number; found: Violation[] }> {
  const { options, ...ruleSet } = configuration;
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
    for (const name of ['model', 'probe', 'app', 'report', 'score', 'commands', 'facts'])
      plant(`src/${name}/thing.ts`, `export const ${name} = 1;\n`);
    plant('src/tools/tool.ts', 'export const tool = 1;\n');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    ['model from probe', 'src/model/wrong.ts', "export { probe } from '../probe/thing.ts';\n", 'model-imports'],
    [
      'a type alone counts too',
      'src/model/wrong.ts',
      "import type { probe } from '../probe/thing.ts';\nexport type X = typeof probe;\n",
      'model-imports',
    ],
    [
      'probe from app',
      'src/probe/wrong.ts',
      "import { app } from '../app/thing.ts';\nexport const y = app;\n",
      'probe-imports',
    ],
    ['report from score', 'src/report/wrong.ts', "export const z = import('../score/thing.ts');\n", 'report-imports'],
    [
      'app from commands',
      'src/app/wrong.ts',
      "import { commands } from '../commands/thing.ts';\nexport const y = commands;\n",
      'app-imports',
    ],
    [
      'a module of Node in score',
      'src/score/wrong.ts',
      "import { readFileSync } from 'node:fs';\nexport const read = readFileSync;\n",
      'pure-folders',
    ],
    [
      'a module of Node in facts',
      'src/facts/wrong.ts',
      "import { performance } from 'node:perf_hooks';\nexport const now = performance;\n",
      'pure-folders',
    ],
    [
      'tools from commands',
      'src/commands/wrong.ts',
      "export { tool } from '../tools/tool.ts';\n",
      'nobody-imports-tools',
    ],
    [
      'a folder that the table does not know',
      'src/elsewhere/wrong.ts',
      "import { model } from '../model/thing.ts';\nexport const y = model;\n",
      'folder-without-row',
    ],
    [
      'a module that does not exist',
      'src/app/wrong.ts',
      "export { nothing } from '../model/nothing.ts';\n",
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

  test('a circle of types', async () => {
    plant('src/probe/one.ts', "import type { Other } from './other.ts';\nexport interface One { other: Other }\n");
    plant('src/probe/other.ts', "import type { One } from './one.ts';\nexport interface Other { one: One }\n");
    try {
      const { found } = await violations(folder);
      expect(new Set(found.map((one) => one.rule))).toEqual(new Set(['no-cycles']));
    } finally {
      for (const name of ['one', 'other']) rmSync(join(folder, `src/probe/${name}.ts`));
    }
  });
});
