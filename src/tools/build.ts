/**
 * `npm run build`: everything that is made from the sources and not committed. dist/ holds the bundled command
 * line (a file for each command, shared chunks loaded when needed, what is read on demand), the example server and the licences of what
 * was bundled; generated/validators the compiled message validators; oclif.manifest.json the commands.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Plugin } from '@oclif/core';
import { build, type BuildOptions, type Metafile } from 'esbuild';
import { globSync } from 'tinyglobby';
import { toCommonJs } from './build-commonjs.ts';
import { buildSeldom, lazyOclif } from './build-oclif.ts';
import { buildLibrary, libraryEntries, writeLibraryFiles } from './build-library.ts';
import { buildOnDemand, onDemand } from './build-on-demand.ts';
import { buildValidators } from './build-validators.ts';
import { bundledLicences } from './bundled-licences.ts';
import { packFiles } from './pack-files.ts';
import { writeStages } from './generate/generators.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const autocomplete = 'node_modules/@oclif/plugin-autocomplete/lib/commands/autocomplete';

const common: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Some packages are built in a way that cannot be bundled unless their ES modules are taken.
  mainFields: ['module', 'main'],
  // Loaded by oclif only where a checkout runs from TypeScript; bullmq and ioredis are optional peer dependencies.
  external: ['typescript', 'ts-node', 'tsx', 'bullmq', 'ioredis'],
  legalComments: 'none',
  // Names are dealt with later (build-commonjs.ts).
  minifyWhitespace: true,
  minifySyntax: true,
  logLevel: 'warning',
  metafile: true,
};

/** Lets a file be either sort of module, as it is copied to where it is tried. */
const anyModule = { js: 'var require = (name) => process.getBuiltinModule(name);' };

/** Wings of src with commands of their own; a command's id is its path below `commands`. */
const wingsWithCommands = ['check', 'suites', 'fleet', 'drift', 'coprocess', 'agents', 'stage', 'replay', 'testkit'];

/** The commands by the path that oclif derives their id from. */
function commandEntries(): Record<string, string> {
  const own = globSync(`src/{${wingsWithCommands.join(',')}}/commands/**/*.ts`, {
    cwd: root,
    ignore: ['src/*/commands/support/**'],
  });
  const entries = own.map((file): [string, string] => [file.replace(/^src\/[^/]+\//, '').replace(/\.ts$/, ''), file]);
  // Shell completion is the command of oclif's plugin. Bundled as one of ours it costs nothing until it is used.
  const completion = ['index', 'create', 'script'].map((name): [string, string] => [
    `commands/autocomplete/${name}`,
    `${autocomplete}/${name}.js`,
  ]);
  return Object.fromEntries([...entries, ...completion]);
}

async function bundle(outdir: string): Promise<Metafile[]> {
  const cli = await build({
    ...common,
    entryPoints: {
      start: 'src/start.ts',
      thread: 'src/check/thread-start.ts',
      'fleet-worker': 'src/fleet/run/worker-process.ts',
      'stage-relay': 'src/stage/relay/relay.ts',
      ...libraryEntries,
      ...commandEntries(),
    },
    outdir,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    plugins: [onDemand, lazyOclif],
  });
  await toCommonJs(outdir, cli.metafile!);
  writeLibraryFiles(root, outdir, cli.metafile!);
  const server = await build({
    ...common,
    format: 'iife',
    banner: anyModule,
    minify: true,
    entryPoints: ['src/testkit/example-server/main.ts'],
    outfile: join(outdir, 'example-server.js'),
  });
  return [
    cli.metafile!,
    server.metafile!,
    ...(await buildOnDemand(join(outdir, 'on-demand'))),
    ...(await buildSeldom(root, join(outdir, 'on-demand'))),
    ...(await buildLibrary(root, outdir, version)),
  ];
}

/** So that no command has to be loaded to know which ones there are. */
async function writeManifest(): Promise<void> {
  const plugin = new Plugin({ root, type: 'core', ignoreManifest: true, errorOnManifestCreate: true, isRoot: true });
  await plugin.load();
  // Files are found in no certain order.
  const commands = Object.fromEntries(
    Object.entries(plugin.manifest.commands).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  writeFileSync(join(root, 'oclif.manifest.json'), `${JSON.stringify({ ...plugin.manifest, commands })}\n`);
}

await writeStages(root, 'leave');

const dist = join(root, 'dist');
// Built in a temporary folder and moved into place, so that no half build is ever run.
const fresh = join(root, `.dist-${process.pid}`);
try {
  const [metafiles] = await Promise.all([bundle(fresh), buildValidators(join(root, 'generated', 'validators'))]);
  packFiles(root, join(fresh, 'packed'));
  writeFileSync(join(fresh, 'THIRD-PARTY-LICENSES.txt'), bundledLicences(root, metafiles));
  if (existsSync(dist)) rmSync(dist, { recursive: true });
  renameSync(fresh, dist);
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
await writeManifest();
console.log(`built mcpc ${version}`);
