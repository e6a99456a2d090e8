/**
 * Builds the modules for programs: each entry as ES module and as CommonJS, with the types that `npm run types`
 * recorded.
 */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { append } from '../core/model/lists.ts';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';

/** Entries that need nothing of the rest of mcpc, by the name under which packages import them. */
const alone = { sdk: 'src/sdk/index.ts' } as const;

/** Entries that share their code with the command line, by the name under which packages import them. */
const shared = {
  api: 'src/api/index.ts',
  client: 'src/api/client.ts',
  jest: 'src/api/jest/index.ts',
  matchers: 'src/api/matchers/index.ts',
} as const;

/** For the build of the command line: what the files of `writeLibraryFiles` load. */
export const libraryEntries: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(shared).map(([name, entry]) => [`library/${name}`, entry]),
);

/** The entry for vitest, which is there as ES module alone: the rest of mcpc is loaded as any package loads it. */
async function buildForVitest(root: string, outdir: string): Promise<Metafile> {
  const ofPackage: Plugin = {
    name: 'of-the-package',
    setup({ onResolve }) {
      onResolve({ filter: /^\.\.\/(?:matchers\/)?index\.ts$/ }, ({ path }) => ({
        path: path.includes('matchers') ? '../matchers/index.mjs' : '../api/index.mjs',
        external: true,
      }));
    },
  };
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/api/vitest/index.ts'],
    outfile: join(outdir, 'vitest', 'index.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['vitest'],
    plugins: [ofPackage],
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  });
  copyTypes(root, outdir, 'vitest', ['mts']);
  return metafile;
}

/** Writes what packages import of the shared entries, as ES module and as CommonJS, and their types. */
export function writeLibraryFiles(root: string, outdir: string, { outputs }: Metafile): void {
  for (const [name, entry] of Object.entries(shared)) {
    const { exports } = Object.values(outputs).find(({ entryPoint }) => entryPoint === entry)!;
    copyTypes(root, outdir, name);
    const file = `../library/${name}.js`;
    // Node finds the names of a CommonJS module only where it is written in a certain way.
    writeFileSync(
      join(outdir, name, 'index.mjs'),
      exports.length === 0
        ? `import '${file}';\n`
        : `import library from '${file}';\nexport const { ${exports.join(', ')} } = library;\n`,
    );
    writeFileSync(join(outdir, name, 'index.cjs'), `module.exports = require('${file}');\n`);
  }
}

/** For CommonJS, which has no import.meta. */
const urlOfFile = 'const importMetaUrl=require("node:url").pathToFileURL(__filename).href;';

/** Writes into a folder for each entry. @returns what esbuild says of them */
export async function buildLibrary(root: string, outdir: string, version: string): Promise<Metafile[]> {
  const metafiles: Metafile[] = [await buildForVitest(root, outdir)];
  for (const [name, entry] of Object.entries(alone)) {
    const common: BuildOptions = {
      absWorkingDir: root,
      entryPoints: [entry],
      bundle: true,
      platform: 'node',
      target: 'node20',
      legalComments: 'none',
      logLevel: 'warning',
      metafile: true,
    };
    const constants = { MCPC_VERSION: JSON.stringify(version) };
    const made = await Promise.all([
      build({ ...common, format: 'esm', define: constants, outfile: join(outdir, name, 'index.mjs') }),
      build({
        ...common,
        format: 'cjs',
        define: { ...constants, 'import.meta.url': 'importMetaUrl' },
        banner: { js: urlOfFile },
        outfile: join(outdir, name, 'index.cjs'),
      }),
    ]);
    append(
      metafiles,
      made.map(({ metafile }) => metafile!),
    );
    copyTypes(root, outdir, name);
  }
  return metafiles;
}

/** The same types for both: the file name distinguishes ES modules and CommonJS. */
function copyTypes(root: string, outdir: string, name: string, extensions = ['mts', 'cts']): void {
  mkdirSync(join(outdir, name), { recursive: true });
  for (const extension of extensions)
    copyFileSync(join(root, 'types', `${name}.d.ts`), join(outdir, name, `index.d.${extension}`));
}
