/**
 * Writes the compiled message validators, one ES module for each revision, which need neither ajv nor any
 * other package at run time. Part of the build; the modules are not committed.
 */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { validatorModuleSource } from '../core/spec/messages/compile-validators.ts';
import { layoutDigest, readLayout, validatorFile } from '../files/package/message-files.ts';
import { packageRoot } from '../files/package/package-root.ts';
import { revisions } from '../core/spec/revisions.ts';

/**
 * Compiles the validators of every revision into `outDir`.
 * @returns the paths written
 * @throws McpcError (usage) for a faulty layout file
 */
export async function buildValidators(outDir: string): Promise<string[]> {
  await mkdir(outDir, { recursive: true });
  const spec = join(dirname(fileURLToPath(import.meta.url)), '..', 'core', 'spec', 'messages');
  return Promise.all(
    revisions.map(async (revision) => {
      const layout = await readLayout(revision);
      const outfile = validatorFile(revision, outDir);
      await build({
        stdin: {
          contents: validatorModuleSource(layout, layoutDigest(layout), './message-formats.ts'),
          resolveDir: spec,
          sourcefile: `${revision}.js`,
          loader: 'js',
        },
        outfile,
        bundle: true,
        minify: true,
        format: 'esm',
        platform: 'neutral',
        target: 'es2022',
        logLevel: 'warning',
      });
      return outfile;
    }),
  );
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const path of await buildValidators(join(packageRoot(), 'generated', 'validators')))
    console.error(`wrote ${path}`);
}
