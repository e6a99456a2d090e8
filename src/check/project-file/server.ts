/** One server of a fleet file as the target of a command, in place of a server that a client is configured with. */
import { usageError } from '../../core/model/errors.ts';
import { suggestion } from '../../core/model/suggestion.ts';
import type { Fleet, FleetEntry } from '../settings/fleet-entry.ts';
import { parseEnvPair, readEnvFile } from '../target/env-file.ts';
import { openEntry } from '../fleet-file/entry.ts';
import { readFleetFile } from '../fleet-file/read-file.ts';
import { givenHeaders, isAuthorization, type ResolvedTarget, type TargetFlags } from '../target/resolve-target.ts';

/** A server of the file: its entry, and the revisions that it is checked by. */
export interface ProjectServer {
  name: string;
  entry: FleetEntry;
  /** `auto`, a revision, or several. */
  specs: FleetEntry['spec'][];
}

/** The servers of the file, in its order. */
export function projectServers({ entries }: Fleet): ProjectServer[] {
  const servers = new Map<string, ProjectServer>();
  for (const entry of entries) {
    if (entry.client !== undefined) continue;
    const name = entry.base?.name ?? entry.name;
    const known = servers.get(name);
    if (known === undefined) servers.set(name, { name, entry, specs: [entry.spec] });
    else known.specs.push(entry.spec);
  }
  return [...servers.values()];
}

/**
 * The server called `name`, or the only one of the file.
 * @throws McpcError usage, naming the servers that there are
 */
export function projectServer(fleet: Fleet, name: string | undefined): ProjectServer {
  const servers = projectServers(fleet);
  const names = servers.map((one) => one.name);
  const known = `Servers in ${fleet.file}: ${names.join(', ') || 'none'}.`;
  if (name === undefined) {
    const [only] = servers;
    if (only !== undefined && servers.length === 1) return only;
    throw usageError(`${fleet.file} has ${servers.length} servers.`, `Name one with --server. ${known}`);
  }
  const found = servers.find((one) => one.name === name);
  if (found === undefined) throw usageError(`${fleet.file} has no server "${name}".${suggestion(name, names)}`, known);
  return found;
}

/**
 * What a command needs to know of a server of a fleet file. Flags about the same go before the file: environment,
 * headers, token, working folder, name.
 * @throws McpcError usage
 */
export async function resolveProjectServer(
  file: string,
  flags: TargetFlags,
  env: NodeJS.ProcessEnv,
): Promise<ResolvedTarget> {
  const { entry, name } = projectServer(readFleetFile(file, env), flags.server);
  const notices: string[] = [];
  const opened = await openEntry(withFlags(entry, flags), { env, onNotice: (line) => notices.push(line) });
  const { target, serve, fallback, secrets } = opened;
  const known = {
    name: flags.name ?? name,
    secrets,
    notices,
    ...(entry.disabled === undefined ? {} : { disabled: entry.disabled }),
  };
  if (target.kind === 'stdio') return { ...known, target, fallback: false };
  const asked = givenHeaders(flags, env, target.headers.some(isAuthorization));
  const replaced = new Set(asked.map(([header]) => header.toLowerCase()));
  return {
    ...known,
    target: {
      ...target,
      headers: [...target.headers.filter(([header]) => !replaced.has(header.toLowerCase())), ...asked],
    },
    ...(serve === undefined ? {} : { serve }),
    fallback,
    secrets: [...known.secrets, ...asked.map(([, value]) => value)],
  };
}

/** @throws McpcError usage for a flag that has no meaning for the server */
function withFlags(entry: FleetEntry, flags: TargetFlags): FleetEntry {
  const starts = entry.reach.kind !== 'url';
  if (!starts && (flags.env.length > 0 || flags.cwd !== undefined))
    throw usageError(
      `--${flags.env.length > 0 ? 'env' : 'cwd'} has no meaning for a server that mcpc does not start.`,
      'Leave it out.',
    );
  if (entry.reach.url === undefined && (flags.headers.length > 0 || flags.token !== undefined))
    throw usageError(
      `--${flags.token === undefined ? 'header' : 'token'} has no meaning for a server on stdio.`,
      'Leave it out.',
    );
  const env = { ...entry.env };
  for (const file of flags.envFiles) Object.assign(env, readEnvFile(file));
  for (const pair of flags.env) Object.assign(env, Object.fromEntries([parseEnvPair(pair)]));
  return {
    ...entry,
    env,
    ...(flags.cwd === undefined ? {} : { cwd: flags.cwd }),
    ...(flags.transport === undefined || !starts || entry.reach.url === undefined
      ? {}
      : { transport: flags.transport }),
  };
}
