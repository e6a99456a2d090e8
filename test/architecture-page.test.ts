/** docs/architecture.md is true: its folders and packages are those of the tree, and the way of a reply runs as it says. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const tableRows = (heading: string): string[] => {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  return [...(section.split('\n## ')[0] ?? '').matchAll(/^\| (?!folder|package)([^|]+?) \| [^|]+ \|$/gm)].map(
    ([, cell = '']) => cell.replaceAll('`', ''),
  );
};
const steps = [...page.matchAll(/^(\d+)\. `(\w+)` in `(\S+\.ts)`/gm)].map(([, number, name, file]) => ({
  number: Number(number),
  name: name!,
  file: file!,
}));
const named = [...page.matchAll(/`(\w+)` in `(\S+\.ts)`/g)].map(([, name, file]) => ({ name: name!, file: file! }));

/** What a file needs at run time: the relative paths it imports, types left out. */
function neededBy(file: string, text = read(file)): string[] {
  const imports = text.matchAll(
    /(?:^(?:import|export)\s(?<type>type\s)?[^;]*?from\s+|\bimport\()'(?<path>\.[^']+\.ts)'/gm,
  );
  return [...imports]
    .filter(({ groups }) => groups!['type'] === undefined)
    .map(({ groups }) => join(dirname(file), groups!['path']!));
}

/** Every file that one needs, directly or over others. */
function reached(from: string): Set<string> {
  const seen = new Set<string>();
  const open = [from];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    for (const next of neededBy(file)) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(next);
    }
  }
  return seen;
}

test('each folder of src has one line, and each line a folder', () => {
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `src/${name}`);
  expect(tableRows('Folders').toSorted()).toEqual(folders.toSorted());
});

test('the other folders that it names are there', () => {
  const beside = [...page.matchAll(/`((?:rules|templates|generated|test|examples)(?:\/[\w-]+)*)`/g)].map(
    ([, path = '']) => path,
  );
  expect(beside.length).toBeGreaterThan(5);
  expect(beside.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('its packages are those of package.json', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
  const packages = tableRows('Which package does what').flatMap((cell) => cell.split(', '));
  expect(packages.length).toBeGreaterThan(8);
  expect(packages.filter((name) => !(name in { ...dependencies, ...devDependencies }))).toEqual([]);
});

describe('the way of one reply', () => {
  test('has at most 12 steps, in order', () => {
    expect(steps.length).toBeGreaterThan(7);
    expect(steps.map(({ number }) => number)).toEqual(
      Array.from({ length: Math.min(steps.length, 12) }, (_, index) => index + 1),
    );
  });

  test.each(named)('$name is a function of $file', ({ name, file }) => {
    expect(read(file)).toMatch(new RegExp(String.raw`^export (?:async )?function ${name}\b`, 'm'));
  });

  test.each(steps)('step $number, $name, needs no earlier step', ({ number, file }) => {
    const needs = reached(file);
    expect(
      steps
        .filter((other) => other.number < number && other.file !== file && needs.has(other.file))
        .map((other) => other.name),
    ).toEqual([]);
  });

  test('the steps that judge are reached from those before them, so that nothing is found only because nothing was read', () => {
    const fileOf = (name: string): string => steps.find((step) => step.name === name)!.file;
    expect(reached(fileOf('startJudging'))).toContain(fileOf('createFold'));
    expect(reached(fileOf('conclude'))).toContain(fileOf('renderTemplate'));
    expect(
      neededBy(
        'src/a/b.ts',
        "import type { A } from '../c.ts';\nimport {\n  d,\n} from './d.ts';\nconst e = await import('../e.ts');\n",
      ),
    ).toEqual(['src/a/d.ts', 'src/e.ts']);
  });
});
