/** The types that programs see are those that were recorded: whoever changes them says so with `npm run types`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publicTypes } from '../src/tools/types/public-types.ts';
import { root } from './cli/harness.ts';

test('the public types are those in types/', async () => {
  const fresh = await publicTypes(root);
  expect(readdirSync(join(root, 'types')).sort()).toEqual(Object.keys(fresh).sort());
  for (const [name, text] of Object.entries(fresh))
    expect(withoutComments(text), `types/${name} is stale: npm run types`).toBe(
      withoutComments(readFileSync(join(root, 'types', name), 'utf8')),
    );
}, 480_000);

/** What is said of a type promises nothing. */
function withoutComments(text: string): string {
  return text.replace(/^ *\/\*\*[\s\S]*?\*\/\n/gm, '');
}
