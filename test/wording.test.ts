/**
 * Texts of src, rules, templates and docs keep to plain English: the findings of the ban list may only become fewer.
 * `UPDATE_WORDING=1 npx vitest run test/wording.test.ts` records fewer, and refuses to record more.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { bannedWording, inFile, remedies, type Category, type Finding } from './support/wording.ts';

type Counts = Partial<Record<Category, number>>;

const root = fileURLToPath(new URL('..', import.meta.url));
const baselineFile = fileURLToPath(new URL('support/wording-baseline.json', import.meta.url));
const categories = Object.keys(remedies) as Category[];

function countByFile(findings: readonly Finding[]): Record<string, Counts> {
  const byFile: Record<string, Counts> = {};
  for (const { file, category } of findings) {
    const counts = (byFile[file] ??= {});
    counts[category] = (counts[category] ?? 0) + 1;
  }
  return byFile;
}

function total(byFile: Record<string, Counts>, category: Category): number {
  return Object.values(byFile).reduce((sum, counts) => sum + (counts[category] ?? 0), 0);
}

describe('wording', () => {
  const findings = bannedWording(root);
  const now = countByFile(findings);
  const before = JSON.parse(readFileSync(baselineFile, 'utf8')) as Record<string, Counts>;

  test.each(categories)('no more of: %s', (category) => {
    if (total(now, category) <= total(before, category)) return;
    const added = findings
      .filter((found) => found.category === category)
      .filter(({ file }) => (now[file]?.[category] ?? 0) > (before[file]?.[category] ?? 0))
      .map(({ file, line, excerpt }) => `${file}:${line} ${excerpt}`);
    expect.fail(`more "${category}" than recorded; write ${remedies[category]}\n${added.join('\n')}`);
  });

  test.runIf(process.env['UPDATE_WORDING'] === '1')('records fewer findings', () => {
    for (const category of categories) {
      expect(total(now, category), category).toBeLessThanOrEqual(total(before, category));
    }
    const rows = Object.entries(now).map(([file, counts]) => `  ${JSON.stringify(file)}: ${JSON.stringify(counts)}`);
    writeFileSync(baselineFile, `{\n${rows.join(',\n')}\n}\n`);
  });

  test.each<[file: string, text: string, found: Category[]]>([
    ['a.ts', '/** What a server said. */', ['headless comment']],
    ['a.ts', '// Whether it runs.', ['headless comment']],
    ['a.ts', '/** True if it runs. */', []],
    ['a.ts', "const text = 'The server told it.';", ['told']],
    ['a.ts', "const word = 'told';", []],
    ['a.ts', 'function tellError(text: string): void {', ['name']],
    ['a.ts', 'interface Told {', ['name']],
    ['a.ts', 'interface Toldable {', []],
    ['a.ts', '// The token of a bearer is kept.', []],
    ['a.ts', '// The host bears two connections; they are opened in vain.', ['archaic', 'archaic']],
    ['a.json', '"message": "Nobody answered: error -32602 is due."', ['people', 'due']],
    ['a.json', '"text": "Nobody answered."', []],
    ['docs/a.md', 'Run `mcpc tell` once.\n\n```\nwhoever beside\n```\n', []],
    ['docs/a.md', 'One a; two b; three c.', ['two semicolons']],
    ['docs/a.md', `${'word '.repeat(31)}.`, ['long sentence']],
    ['docs/a.md', `${'word '.repeat(30)}.`, []],
    [
      'docs/a.md',
      'The table of which this tells stands\nhere and knows nothing.',
      ['told', 'stands', 'of which', 'duty by negation'],
    ],
  ])('in %s, of %j', (file, text, found) => {
    expect(inFile(file, text).map(({ category }) => category)).toEqual(found);
  });
});
