/**
 * `npm run types`: writes the public types, one file for each entry that programs import, to types/. They are committed: a
 * change of what mcpc promises shows in the diff, and a test fails until the files are written again.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publicTypes } from './types/public-types.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
mkdirSync(join(root, 'types'), { recursive: true });
for (const [name, text] of Object.entries(await publicTypes(root))) {
  writeFileSync(join(root, 'types', name), text);
  console.log(`wrote types/${name}`);
}
