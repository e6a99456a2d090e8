/** The pages of docs: each begins with a command, its links lead somewhere, its commands and flags exist, and it is short. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const pages = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);

interface Manifest {
  commands: Record<string, { flags: Record<string, { char?: string; aliases?: string[] }>; hiddenAliases?: string[] }>;
}

/** Flags by command; a command with a topic is written with blanks. */
const flagsOf = new Map(
  Object.entries((JSON.parse(read('oclif.manifest.json')) as Manifest).commands).map(([id, { flags }]) => [
    id.replaceAll(':', ' '),
    new Set(
      Object.entries(flags).flatMap(([name, { char, aliases = [] }]) => [
        `--${name}`,
        `--no-${name}`,
        ...(char === undefined ? [] : [`-${char}`]),
        ...aliases.map((alias) => `--${alias}`),
      ]),
    ),
  ]),
);
/** Flags that every command has. */
const common = new Set(['--help', '--help-all', '--assert-compat']);

const withoutBlocks = (page: string): string => page.replaceAll(/^```.*?^```/gms, '');
const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => /\w/.test(word));

/** Command lines of mcpc in code blocks, workflows and backquotes. */
function commandsOf(page: string): string[] {
  const lines = [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)]
    .flatMap(([, language, block = '']) => (language === '' || language === 'sh' ? block.split('\n') : []))
    .map((line) => line.replace(/\s#.*$/, ''));
  const steps = [...page.matchAll(/^.*\brun: (.*)$/gm)].map(([, line = '']) => line.replace(/\s#.*$/, ''));
  const blocks = [...lines, ...steps].flatMap((line) =>
    line.split(/&&|\|\|/).flatMap((part) => /^\s*(?:npx )?mcpc (.*)$/.exec(part)?.[1] ?? []),
  );
  const inline = [...withoutBlocks(page).matchAll(/`(?:npx )?mcpc ([a-z][^`]*)`/g)].map(([, line = '']) => line);
  return [...blocks, ...inline];
}

/** What is wrong with a command line: an unknown command, or the flags that its command does not have. */
function faultsOf(line: string): string[] {
  // Two commands have a flag as their second word.
  const words = line
    .replaceAll(/"[^"]*"|'[^']*'/g, 'X')
    .replace(/^client --(serve|conformance)\b/, 'client $1')
    .trim()
    .split(/\s+/);
  const name = [3, 2, 1].map((count) => words.slice(0, count).join(' ')).find((one) => flagsOf.has(one));
  if (name === undefined) {
    const isTopic = [...flagsOf.keys()].some((one) => one.startsWith(`${words[0]!} `));
    return isTopic && words.length === 1 ? [] : [`no command: ${line}`];
  }
  const own = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
  const flags = own.flatMap((word) => /^--?[a-z][a-z-]*(?==|$)/.exec(word)?.[0] ?? []);
  return flags
    .filter((flag) => !flagsOf.get(name)!.has(flag) && !common.has(flag))
    .map((flag) => `${name} has no ${flag}: ${line}`);
}

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(page: string): Set<string> {
  const headings = [...withoutBlocks(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** Relative links of a page that lead to no file or no heading. */
function deadLinksOf(file: string): string[] {
  const links = [...withoutBlocks(read(file)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links
    .filter((link) => !/^https?:/.test(link))
    .filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? file : normalize(join(dirname(file), path));
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && target.endsWith('.md') && !anchorsOf(read(target)).has(anchor);
    });
}

describe.each(pages)('%s', (file) => {
  const page = read(file);

  test('begins with what one can do and a command', () => {
    const [before = '', block = ''] = page.split(/^```.*$/m);
    expect(block).toMatch(/\b(?:mcpc|npm|npx)\b/);
    expect(wordsOf(before).length).toBeLessThanOrEqual(60);
  });

  test('its commands and their flags exist', () => {
    expect(commandsOf(page).flatMap(faultsOf)).toEqual([]);
  });
});

test.each([...pages, 'README.md', 'CONTRIBUTING.md', 'generated/SUITES.md', 'generated/FLEET.md'])(
  '%s: its links lead to files and headings',
  (file) => {
    expect(deadLinksOf(file)).toEqual([]);
  },
);

test('unknown commands, flags and places are found', () => {
  expect(faultsOf('chekc -- node server.js')).toEqual(['no command: chekc -- node server.js']);
  expect(faultsOf('check --bogus=1 -- node server.js --own')).toEqual([
    'check has no --bogus: check --bogus=1 -- node server.js --own',
  ]);
  expect(commandsOf('```\nmcpc check --url X  # --not\n```\n`mcpc fleet list` and mcpc text')).toEqual([
    'check --url X ',
    'fleet list',
  ]);
  expect(commandsOf(read('docs/suites.md')).length).toBeGreaterThan(20);
});

test('the pages are short, and figures fill two pages each', () => {
  const lengths = new Map(pages.map((file) => [file, wordsOf(read(file)).length]));
  expect([...lengths.values()].reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(21_500);
  for (const file of ['docs/accuracy.md', 'docs/performance.md'])
    expect([file, lengths.get(file)! <= 1_200]).toEqual([file, true]);
});
