/** The licences of the packages whose code a bundle holds, which have to travel with it. Writes nothing. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

interface PackageFile {
  name: string;
  version: string;
  license?: string;
}

/** @throws Error for a package that states no licence */
export function bundledLicences(root: string, metafiles: readonly Metafile[]): string {
  const folders = new Set<string>();
  for (const { outputs } of metafiles) {
    for (const { inputs } of Object.values(outputs)) {
      for (const input of Object.keys(inputs)) {
        const folder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
        if (folder !== undefined) folders.add(folder);
      }
    }
  }
  const entries = [...folders].sort().map((folder) => entryOf(join(root, folder)));
  const unique = [...new Set(entries)];
  return `mcpc contains code of the packages below.\n\n${unique.join('\n')}`;
}

function entryOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageFile;
  if (license === undefined) throw new Error(`${name}@${version} states no licence`);
  const file = readdirSync(folder).find((one) => /^licen[cs]e(?:[.-].*)?$/i.test(one));
  const text =
    file !== undefined && existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8').trim() : '';
  return `${'-'.repeat(78)}\n${name} ${version} (${license})\n\n${text}\n`;
}
