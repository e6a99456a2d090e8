/** Finds versions of node: the one that runs mcpc, those of version managers, else the packages with its programs. */
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { usageError } from '../../../core/model/errors.ts';
import { homeOf } from '../../../files/config/variables.ts';
import { installedPackage, type NpmCacheOptions } from '../../../check/packages/cache.ts';

export interface NodeVersion {
  /** As 22.12.0. */
  version: string;
  /** Absolute path of the program. */
  program: string;
}

/**
 * @param wanted as 22, 22.12 or 22.12.0
 * @throws McpcError usage for what is no version, or cannot be had
 */
export async function findNode(wanted: string, options: NpmCacheOptions): Promise<NodeVersion> {
  if (!/^v?\d+(?:\.\d+){0,2}$/.test(wanted))
    throw usageError(`--node takes versions such as 22 or 22.12.0, not "${wanted}".`);
  const version = wanted.replace(/^v/, '');
  if (fits(process.versions.node, version)) return { version: process.versions.node, program: process.execPath };
  const known = managedVersions(options.env)
    .filter((one) => fits(one.version, version))
    .toSorted(newestFirst)[0];
  return known ?? installed(version, options);
}

function fits(version: string, wanted: string): boolean {
  return version === wanted || version.startsWith(`${wanted}.`);
}

function newestFirst(one: NodeVersion, other: NodeVersion): number {
  return other.version.localeCompare(one.version, 'en', { numeric: true });
}

/** Versions installed by nvm, fnm, n, mise and asdf. */
function managedVersions(env: NodeJS.ProcessEnv): NodeVersion[] {
  const home = homeOf(env);
  const data = env['XDG_DATA_HOME'] ?? join(home, '.local/share');
  const places: [folder: string, program: string][] = [
    [join(env['NVM_DIR'] ?? join(home, '.nvm'), 'versions/node'), 'bin/node'],
    [join(env['FNM_DIR'] ?? join(data, 'fnm'), 'node-versions'), 'installation/bin/node'],
    [join(env['N_PREFIX'] ?? '/usr/local', 'n/versions/node'), 'bin/node'],
    [join(env['MISE_DATA_DIR'] ?? join(data, 'mise'), 'installs/node'), 'bin/node'],
    [join(env['ASDF_DATA_DIR'] ?? join(home, '.asdf'), 'installs/nodejs'), 'bin/node'],
  ];
  return places.flatMap(([folder, program]) =>
    (existsSync(folder) ? readdirSync(folder) : []).flatMap((name): NodeVersion[] => {
      const path = join(folder, name, program);
      const version = /^v?(\d+\.\d+\.\d+)$/.exec(name)?.[1];
      return version !== undefined && existsSync(path) ? [{ version, program: realpathSync(path) }] : [];
    }),
  );
}

/** From the packages of npm that hold the program and nothing else. */
async function installed(version: string, options: NpmCacheOptions): Promise<NodeVersion> {
  const system = { linux: 'linux', darwin: 'darwin', win32: 'win' }[process.platform as string];
  if (system === undefined)
    throw usageError(`There is no node ${version} here.`, 'Install it with nvm, fnm, n, mise or asdf.');
  const found = await installedPackage(`node-${system}-${process.arch}@${version}`, options);
  const program = join(found.folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return { version: found.version, program };
}

/** An environment in which `node` is this one, for programs that look for it. */
export function withNode(env: NodeJS.ProcessEnv, { program }: NodeVersion): NodeJS.ProcessEnv {
  return { ...env, PATH: `${dirname(program)}${process.platform === 'win32' ? ';' : ':'}${env['PATH'] ?? ''}` };
}
