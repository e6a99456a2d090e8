/** Loading the generated catalogue together with a user's own files. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { McpcError } from '../../../src/core/model/errors.ts';
import { requirementAt } from '../../../src/core/spec/requirements/catalogue.ts';
import { loadCatalogue } from '../../../src/files/package/load-catalogue.ts';

const generated = fileURLToPath(new URL('../../../generated/requirements.json', import.meta.url));
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcpc-load-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function house(name: string, ...bullets: string[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `# House\nRevision: 2025-11-25\n${bullets.join('\n')}\n`);
  return path;
}

function failureOf(act: () => unknown): McpcError {
  try {
    act();
  } catch (error) {
    if (error instanceof McpcError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

it('adds house files to the official catalogue', async () => {
  const first = await house('a.md', '- **MUST** server `acme.a` Ours. [-] {observe: server-passive}');
  const second = await house('b.md', '- **MAY** server `acme.b` Ours too. [-] {observe: server-passive}');
  const official = loadCatalogue({ generated });
  const catalogue = loadCatalogue({ generated, house: [first, second] });
  expect(catalogue.requirements).toHaveLength(official.requirements.length + 2);
  expect(requirementAt(catalogue, 'acme.b', '2025-11-25')).toMatchObject({ level: 'MAY', house: true });
  expect(requirementAt(catalogue, 'acme.b', '2025-06-18')).toBeNull();
});

it('reports the problems of all house files at once, as wrong usage', async () => {
  const first = await house('bad1.md', '- **MUST** nobody `acme.a` Ours. [-] {observe: server-passive}');
  const second = await house('bad2.md', '', '- **MUST** server `acme.b` Ours. [-] {observe: none}');
  const error = failureOf(() => loadCatalogue({ generated, house: [first, second] }));
  expect(error.exitCode).toBe(2);
  expect(error.message.split('\n')).toEqual([
    expect.stringContaining(`${first}:3: bad role "nobody"`),
    `${second}:4: observe: none needs a reason`,
  ]);
  expect(error.remedy).toContain('docs/requirements-format.md');
});

it('names a house file that cannot be read', () => {
  const path = join(folder, 'absent.md');
  const error = failureOf(() => loadCatalogue({ generated, house: [path] }));
  expect(error.exitCode).toBe(2);
  expect(error.message).toContain(path);
});

it('calls a damaged catalogue our own failure', async () => {
  const path = join(folder, 'requirements.json');
  await writeFile(path, '{"format":"mcpc-requirements"');
  expect(failureOf(() => loadCatalogue({ generated: path })).exitCode).toBe(4);
  expect(failureOf(() => loadCatalogue({ generated: join(folder, 'none.json') })).exitCode).toBe(4);
});
