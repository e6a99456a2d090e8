/** The entries of a fleet in a form for readers. Values that may be secrets are left out or hidden. */
import { relative } from 'node:path';
import type { FleetEntry } from '../../check/settings/fleet-entry.ts';
import { createRedactor, type Redactor } from '../../core/trace/redaction/redact.ts';
import { listed } from '../../check/settings/of-entry.ts';
import type { ListedSettings } from '../../check/settings/types.ts';
import { missingVariables } from '../../check/fleet-file/entry.ts';

export interface ListedEntry extends ListedSettings {
  name: string;
  id: string;
  /** Place in a file, relative to where mcpc runs. */
  from: string;
  /** Absent for servers. */
  kind?: 'client';
  reach: {
    kind: FleetEntry['reach']['kind'];
    command?: string[];
    npm?: string;
    driver?: string;
    url?: string;
    unixSocket?: string;
  };
  transport: 'stdio' | 'http' | 'sse' | 'http or sse';
  spec: string;
  /** Of a client: most starts that its check takes. */
  starts?: number;
  /** Variables and files that must be set before it can run; a sentence each. */
  missing: string[];
}

/**
 * @param env where variables are looked up
 * @param startsOf counts the starts that the check of a client takes at most
 */
export function listEntries(
  entries: readonly FleetEntry[],
  env: NodeJS.ProcessEnv,
  startsOf?: (client: FleetEntry) => number,
  cwd = process.cwd(),
): ListedEntry[] {
  const hidden = (words: readonly string[], redactor: Redactor): string[] => {
    const { target } = redactor.header({
      format: 'mcpc-trace',
      version: 1,
      origin: 'live',
      transport: 'stdio',
      target: { command: [...words] },
    });
    const masked = target?.['command'] as string[];
    // A variable shows only its name.
    return words.map((word, index) => (/^[^=]*=?\$\{[^}]*\}$/.test(word) ? word : masked[index]!));
  };
  return entries.map((entry) => {
    const { name, id, from, reach, spec } = entry;
    const redactor = redactorFor(reach);
    const started =
      reach.kind === 'command'
        ? { command: hidden([reach.command, ...reach.args], redactor) }
        : reach.kind === 'npm'
          ? { npm: reach.spec, ...(reach.args.length === 0 ? {} : { command: hidden(reach.args, redactor) }) }
          : reach.kind === 'driver'
            ? { driver: below(reach.driver, cwd) }
            : {};
    return {
      name,
      id,
      from: below(from, cwd),
      reach: {
        kind: reach.kind,
        ...started,
        ...(reach.url === undefined ? {} : { url: redactor.text(reach.url) }),
        unixSocket: entry.network?.unixSocket,
      },
      ...(entry.client === undefined ? {} : { kind: 'client' as const, starts: startsOf?.(entry) ?? 0 }),
      transport:
        reach.url === undefined
          ? (entry.client?.transport ?? 'stdio')
          : entry.transport === undefined || entry.transport === 'stdio'
            ? 'http or sse'
            : entry.transport,
      spec,
      ...listed(entry),
      missing: missingVariables(entry, env).map((line) => redactor.text(line)),
    };
  });
}

function redactorFor(reach: FleetEntry['reach']): Redactor {
  const words = reach.kind === 'url' ? [] : reach.args;
  return createRedactor({ commands: [words], addresses: reach.url === undefined ? [] : [reach.url] });
}

/** One line: the words, and behind an arrow where it is reached. */
export function reachText({ command = [], npm, driver, url, unixSocket }: ListedEntry['reach']): string {
  const words = [
    ...(npm === undefined ? [] : [`npm ${npm}`]),
    ...(driver === undefined ? [] : [`driver ${driver}`]),
    ...command,
  ].join(' ');
  const address = url === undefined || unixSocket === undefined ? url : `${url} (socket ${unixSocket})`;
  return [words, address].filter((part) => part !== undefined && part !== '').join(' → ');
}

/** A path for a reader: relative where it is below the folder. */
export function below(path: string, folder = process.cwd()): string {
  const short = relative(folder, path);
  return short === '' || short.startsWith('..') ? path : short;
}
