/** oclif loads all of itself at once, and libraries that few commands need. For the build its modules are changed to load each other when one is used. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';

/** Packages of oclif for help, for plugins and for spinners. */
const seldom = [
  'ansi-escapes',
  'clean-stack',
  'cli-spinners',
  'ejs',
  'lilconfig',
  'minimatch',
  'semver',
  'tinyglobby',
  'widest-line',
  'wordwrap',
  'wrap-ansi',
];

/** A module at the head of a file that TypeScript wrote: `const name = require("other");`, with or without a helper around it. */
const required = /^(?:const|var) (\w+_\d+) = ((?:__import(?:Default|Star)\()?require\("[^"]+"\)\)?);$/gm;
const exported = /^exports\.(\w+) = (__importStar\(require\("[^"]+"\)\));$/gm;

/** Packages that cost time at each start and are useless for a command line without plugins. */
const changed: readonly [file: RegExp, from: string, to: string][] = [
  // Reads the package of oclif, which a bundle does not have.
  [/[\\/]lib[\\/]index\.js$/, '\ncheckNodeVersion();', ''],
  // Only the updates of plugins distinguish this system from Linux.
  [/[\\/]util[\\/]os\.js$/, "(await import('wsl-utils')).isWsl ? 'wsl' : ", ''],
  [
    /[\\/]lib[\\/]logger\.js$/,
    '(0, debug_1.default)(namespace)',
    'process.env.DEBUG ? (0, debug_1.default)(namespace) : Object.assign(() => {}, { enabled: false })',
  ],
  // The first comparison by language takes 10 ms; the ids are plain words.
  [/[\\/]config[\\/]plugin\.js$/, 'a.id.localeCompare(b.id)', '(a.id < b.id ? -1 : a.id > b.id ? 1 : 0)'],
];

/** For esbuild. */
export const lazyOclif: Plugin = {
  name: 'lazy-oclif',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: new RegExp(`^(?:${seldom.join('|')})$`) }, ({ path, importer }) =>
      /[\\/]@oclif[\\/]core[\\/]lib[\\/]/.test(importer)
        ? { path: `../on-demand/oclif-${path}.cjs`, external: true }
        : undefined,
    );
    onLoad({ filter: /[\\/]@oclif[\\/]core[\\/]lib[\\/].*\.js$/ }, ({ path }) => {
      let text = readFileSync(path, 'utf8');
      for (const [file, from, to] of changed) {
        if (!file.test(path)) continue;
        if (!text.includes(from)) throw new Error(`${path} has no ${from}`);
        text = text.replace(from, to);
      }
      const names: string[] = [];
      text = text.replaceAll(required, (_, name: string, load: string) => {
        names.push(name);
        return `let ${name}; const ${name}_ = () => ${name} ??= ${load};`;
      });
      for (const name of names) {
        text = text.replaceAll(
          new RegExp(`\\bnew ${name}\\.([\\w.]+)`, 'g'),
          (_, member: string) => `new (${name}_().${member})`,
        );
        text = text.replaceAll(new RegExp(`\\b${name}\\.`, 'g'), () => `${name}_().`);
      }
      const contents = text.replaceAll(
        exported,
        (_, name: string, load: string) =>
          `let ${name}_; Object.defineProperty(exports, "${name}", { enumerable: true, get: () => ${name}_ ??= ${load} });`,
      );
      return { contents, loader: 'js' };
    });
  },
};

/**
 * Writes rarely needed libraries into a folder.
 * @returns the report of esbuild
 */
export async function buildSeldom(root: string, folder: string): Promise<Metafile[]> {
  const built = await Promise.all(
    seldom.map((name) =>
      build({
        absWorkingDir: root,
        bundle: true,
        format: 'cjs',
        platform: 'node',
        target: 'node20',
        legalComments: 'none',
        logLevel: 'warning',
        metafile: true,
        minify: true,
        stdin: {
          contents: `module.exports = require('${name}');`,
          resolveDir: join(root, 'node_modules', '@oclif', 'core', 'lib'),
          sourcefile: `${name}.cjs`,
        },
        outfile: join(folder, `oclif-${name}.cjs`),
      }),
    ),
  );
  return built.map(({ metafile }) => metafile!);
}
