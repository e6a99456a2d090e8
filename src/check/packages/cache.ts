/**
 * Packages of npm, each installed once into a folder of its own below the cache. An installation is made in a temporary
 * folder and moved into place, so it is always complete and several processes may request it.
 */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { globSync } from 'tinyglobby';
import { cacheFolder } from '../../files/config/cache-folder.ts';
import { McpcError, usageError } from '../../core/model/errors.ts';
import { createRedactor } from '../../core/trace/redaction/redact.ts';
import { withLock } from './folder-lock.ts';
import { runNpm } from './run-npm.ts';
import { makeFolder } from '../../files/output/make-folder.ts';

export interface NpmCacheOptions {
  cacheDir: string;
  /** Lets the package and what it depends on run their install scripts. */
  allowScripts: boolean;
  /** For npm itself: PATH, HOME, its settings. */
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal;
  onNotice?: (line: string) => void;
}

export interface InstalledPackage {
  name: string;
  version: string;
  /** Folder of the package itself. */
  folder: string;
}

/** Record of an installation, in its folder. */
interface Marker extends Pick<InstalledPackage, 'name' | 'version'> {
  spec: string;
  installedAt: string;
}

const markerName = 'mcpc-package.json';
const installMs = 600_000;
const mostLines = 8;

/** Where packages are kept, unless the user names a folder. */
export function defaultNpmCache(env: NodeJS.ProcessEnv = process.env): string {
  return path.join(cacheFolder(env), 'npm');
}

/**
 * The package, installed if necessary.
 * @param spec name, name@version, or `file:` and the absolute path of a folder or .tgz file
 * @throws McpcError usage when it cannot be installed, with the last output of npm; interrupted when aborted
 */
export async function installedPackage(spec: string, options: NpmCacheOptions): Promise<InstalledPackage> {
  const { cacheDir, signal, onNotice } = options;
  const home = path.join(cacheDir, keyOf(spec, options.allowScripts));
  try {
    const found = installed(home) ?? (await installOnce(spec, home, options));
    if (!spec.startsWith('file:') && !spec.endsWith(`@${found.version}`)) {
      onNotice?.(
        `${spec} is ${found.name}@${found.version}, as installed on ${found.installedAt.slice(0, 10)}; name the version to decide it yourself, or remove ${home} to have it looked up again.`,
      );
    }
    return { name: found.name, version: found.version, folder: path.join(home, 'node_modules', found.name) };
  } catch (error) {
    if (signal?.aborted === true)
      throw new McpcError('interrupted', `The installation of ${spec} was interrupted.`, { cause: error });
    const { code, message } = error as NodeJS.ErrnoException;
    if (!(error instanceof McpcError) && code !== undefined)
      throw usageError(
        `The package ${spec} cannot be installed into ${cacheDir}: ${message}`,
        'Name another folder for packages, or make room.',
        error,
      );
    throw error;
  }
}

/** Name of the folder: what is installed there, and how. */
function keyOf(spec: string, allowScripts: boolean): string {
  // Results of scripts fit one system and one version of node.
  const built = allowScripts ? [process.platform, process.arch, process.versions.modules] : [];
  const digest = createHash('sha256')
    .update(JSON.stringify([spec, contentOf(spec), built]))
    .digest('hex');
  const readable = spec
    .replace(/^file:.*[\\/]/, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[-.]+/, '')
    .slice(0, 60);
  return `${readable}-${digest.slice(0, 16)}`;
}

/** Identifies a state of a local package. */
function contentOf(spec: string): string {
  if (!spec.startsWith('file:')) return '';
  const local = spec.slice('file:'.length);
  const about = statSync(local, { throwIfNoEntry: false });
  if (about === undefined)
    throw usageError(`There is no package ${local}.`, 'Paths are relative to the file that names them.');
  if (about.isFile()) return createHash('sha256').update(readFileSync(local)).digest('hex');
  const files = globSync('**/*', {
    cwd: local,
    dot: true,
    ignore: ['**/node_modules/**', '.git/**'],
    expandDirectories: false,
  }).sort();
  return JSON.stringify(
    files.map((file) => [file, statSync(path.join(local, file)).size, statSync(path.join(local, file)).mtimeMs]),
  );
}

function installed(home: string): Marker | undefined {
  try {
    const marker = JSON.parse(readFileSync(path.join(home, markerName), 'utf8')) as Marker;
    return existsSync(path.join(home, 'node_modules', marker.name, 'package.json')) ? marker : undefined;
  } catch {
    return undefined;
  }
}

async function installOnce(spec: string, home: string, options: NpmCacheOptions): Promise<Marker> {
  const { cacheDir, signal, onNotice } = options;
  makeFolder(cacheDir);
  const onWait = (): void => onNotice?.(`Waiting for another process that installs ${spec}.`);
  return withLock(`${home}.lock`, { waitMs: installMs, onWait, signal }, async () => {
    const meanwhile = installed(home);
    if (meanwhile !== undefined) return meanwhile;
    removeLeftovers(home);
    const draft = `${home}.tmp-${randomBytes(6).toString('hex')}`;
    try {
      mkdirSync(draft);
      onNotice?.(`Installing ${spec}${options.allowScripts ? ', with its install scripts' : ''}.`);
      const marker = await install(spec, draft, options);
      return moved(draft, home) ? marker : (installed(home) ?? marker);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  });
}

/** Remains of a killed process; the lock shows that no process works on it now. */
function removeLeftovers(home: string): void {
  const start = `${path.basename(home)}.tmp-`;
  for (const name of readdirSync(path.dirname(home)))
    if (name.startsWith(start)) rmSync(path.join(path.dirname(home), name), { recursive: true, force: true });
  // An installation that lost some of its files.
  rmSync(home, { recursive: true, force: true });
}

async function install(spec: string, draft: string, { allowScripts, env, signal }: NpmCacheOptions): Promise<Marker> {
  writeFileSync(path.join(draft, 'package.json'), JSON.stringify({ private: true }));
  const flags = [
    `--ignore-scripts=${String(!allowScripts)}`,
    '--install-links',
    '--omit=dev',
    '--save-exact',
    '--no-audit',
    '--no-fund',
    '--no-progress',
    '--no-update-notifier',
    '--loglevel=error',
  ];
  const { code, timedOut, stderr } = await runNpm(['install', ...flags, '--', spec], {
    cwd: draft,
    env,
    withinMs: installMs,
    signal,
  });
  if (code !== 0) {
    const why = timedOut
      ? `npm did not end within ${installMs / 1000} seconds`
      : `npm ended with ${code === null ? 'a signal' : `code ${code}`}`;
    const lines = createRedactor()
      .text(stderr)
      .split('\n')
      .map((line) => line.replace(/^npm (?:error|ERR!) ?/, '').trimEnd())
      .filter((line) => line !== '' && !/complete log of this run|\.log$/.test(line));
    throw usageError(
      [`The package ${spec} could not be installed: ${why}.`, ...lines.slice(-mostLines)].join('\n'),
      'Check name and version, and that the registry can be reached (`npm view` does the same).',
    );
  }
  const { dependencies = {} } = JSON.parse(readFileSync(path.join(draft, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  const [name] = Object.keys(dependencies);
  if (name === undefined) throw usageError(`npm installed nothing for ${spec}.`, 'Check name and version.');
  const { version = '0.0.0' } = JSON.parse(
    readFileSync(path.join(draft, 'node_modules', name, 'package.json'), 'utf8'),
  ) as { version?: string };
  const marker: Marker = { spec, name, version, installedAt: new Date().toISOString() };
  writeFileSync(path.join(draft, markerName), JSON.stringify(marker, null, 2));
  return marker;
}

/** False when another process was quicker. */
function moved(draft: string, home: string): boolean {
  try {
    renameSync(draft, home);
    return true;
  } catch (error) {
    if (installed(home) === undefined) throw error;
    return false;
  }
}
