/**
 * Folders, files and functions of src stay small enough to be read: at most 15 files, 400 lines, 120 lines. Functions
 * within a function are counted apart: a factory is as long as what it does itself, as a class would be.
 */
import { globSync } from 'tinyglobby';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodesOf, root, ts } from './safety/source-syntax.ts';

const most = { files: 15, lines: 400, functionLines: 120 };

/** Files with a function that is still longer, and how long it may be. Entries only shrink, and go. */
const longer = new Map<string, number>([['src/client/peer/open-peer.ts', 160]]);

/** Files that are tables of data: their length says nothing about how hard they are to read. */
const tables = new Set<string>(['src/testkit/example-server/mutations/stateless/stateless.ts']);

/** What is larger than it may be, in the `src` of a folder. */
function tooLarge(folder: string): string[] {
  const files = globSync('src/**/*', { cwd: folder }).toSorted();
  const byFolder = new Map<string, number>();
  for (const file of files) byFolder.set(dirname(file), (byFolder.get(dirname(file)) ?? 0) + 1);
  const found = [...byFolder]
    .filter(([, count]) => count > most.files)
    .map(([name, count]) => `${name} holds ${count} files`);
  for (const file of files.filter((name) => name.endsWith('.ts'))) {
    const text = readFileSync(join(folder, file), 'utf8');
    const lines = text.trimEnd().split('\n').length;
    if (lines > most.lines && !tables.has(file)) found.push(`${file} has ${lines} lines`);
    for (const node of nodesOf(file, text)) {
      if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) continue;
      const length = ownLines(node);
      if (length > (longer.get(file) ?? most.functionLines))
        found.push(`${file}:${linesOf(node)[0] + 1} has a function of ${length} lines`);
    }
  }
  return found;
}

function linesOf(node: ts.Node): [first: number, last: number] {
  const source = node.getSourceFile();
  return [
    source.getLineAndCharacterOfPosition(node.getStart()).line,
    source.getLineAndCharacterOfPosition(node.getEnd()).line,
  ];
}

/** Lines of a function without those that lie within functions of several lines in it. */
function ownLines(node: ts.Node): number {
  const [first, last] = linesOf(node);
  let inner = 0;
  const look = (child: ts.Node): void => {
    const [begin, end] = linesOf(child);
    if (ts.isFunctionLike(child) && end > begin) inner += end - begin;
    else ts.forEachChild(child, look);
  };
  ts.forEachChild(node, look);
  return last - first + 1 - inner;
}

test('nothing of src is too large', () => {
  expect(tooLarge(root)).toEqual([]);
});

describe('what is too large is found', () => {
  test.each<[string, Record<string, string>, string]>([
    [
      'a sixteenth file',
      Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`src/some/f${index}.ts`, 'export const x = 1;\n'])),
      'src/some holds 16 files',
    ],
    ['a long file', { 'src/long.ts': 'export const x = 1;\n'.repeat(401) }, 'src/long.ts has 401 lines'],
    [
      'a long function',
      { 'src/f.ts': `export function f(): void {\n${'  void 0;\n'.repeat(120)}}\n` },
      'src/f.ts:1 has a function of 122 lines',
    ],
  ])('%s', (_title, files, told) => {
    const folder = mkdtempSync(join(tmpdir(), 'mcpc-limits-'));
    try {
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), text);
      }
      expect(tooLarge(folder)).toEqual([told]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
