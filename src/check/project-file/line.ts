/**
 * Puts what the project file says into a command line: `mcpc check notes` becomes
 * `mcpc check --config mcpc.yaml --server notes` with the options of that server, and `mcpc run` gets its suites. A
 * line that names a target of its own (--url, --config, --server, a command behind `--`) is left as it is. Flags of
 * the line go before those of the file.
 */
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { usageError } from '../../core/model/errors.ts';
import { suggestion } from '../../core/model/suggestion.ts';
import type { Fleet } from '../settings/fleet-entry.ts';
import { readFleetFile } from '../fleet-file/read-file.ts';
import { lineFlags } from '../settings/of-entry.ts';
import { sectionFlags } from '../settings/project-rows.ts';
import { projectServers, type ProjectServer } from './server.ts';

/** What is known of a command: its flags, and its arguments in order. */
export interface LineCommand {
  id: string;
  flags: Readonly<Record<string, { type: string; char?: string | undefined }>>;
  args: readonly string[];
}

/** Flags that name a target; with one of them the project file has no say. */
const targetFlagNames = ['url', 'config', 'server', 'serve', 'server-command', 'recording', 'capture'];

/** Commands that take no server unless it is named. */
const namedOnly = new Set(['exec', 'verify']);
/** Commands whose words are no servers. */
const without = new Set(['init', 'mcp']);

/**
 * @param words the whole line, the words of the command first
 * @param count how many words name the command
 * @param file path of the project file
 * @throws McpcError usage for a file that cannot be read, and a server that has to be named
 */
export function projectLine(words: readonly string[], command: LineCommand, count: number, file: string): string[] {
  const own = words.slice(count);
  if (
    command.flags['config'] === undefined ||
    without.has(command.id) ||
    own.includes('--') ||
    own.includes('--help') ||
    own.includes('-h')
  )
    return [...words];
  const line = readLine(own, command);
  if (targetFlagNames.some((name) => line.given.has(name))) return [...words];
  const fleet = readFleetFile(file);
  const servers = projectServers(fleet);
  const at = line.positions.find((index) => servers.some(({ name }) => name === own[index]));
  const named =
    at !== undefined &&
    (at === line.positions[0] || command.id === 'verify') &&
    (command.args[0] !== 'suite' || !existsSync(own[at]!));
  const chosen = named ? servers.find(({ name }) => name === own[at]) : onlyServer(servers, line, command, own, file);
  const rest = named ? own.filter((_word, index) => index !== at) : own;
  const suites = suiteWords(chosen, fleet, command, line.positions.length - (named ? 1 : 0), line.given);
  if (chosen === undefined) return [...words.slice(0, count), ...rest, ...suites];
  if (chosen.entry.reach.kind !== 'url' && chosen.entry.reach.url !== undefined && command.flags['serve'] === undefined)
    throw usageError(
      `${chosen.entry.from}: server "${chosen.name}" is started and reached over HTTP, which mcpc ${command.id} does not do.`,
      `mcpc fleet check ${file} --only ${chosen.name} does, with its suites.`,
    );
  return [
    ...words.slice(0, count),
    '--config',
    file,
    '--server',
    chosen.name,
    ...optionWords(chosen, fleet, command, line.given),
    ...suites,
    ...rest,
  ];
}

/** The server of a line that names none: the only one of the project. */
function onlyServer(
  servers: readonly ProjectServer[],
  { positions }: Line,
  command: LineCommand,
  own: readonly string[],
  file: string,
): ProjectServer | undefined {
  if (namedOnly.has(command.id)) return undefined;
  const names = servers.map(({ name }) => name);
  const word = positions.length === 0 ? undefined : own[positions[0]!];
  const isAddress = command.args[0] === 'address';
  if (word !== undefined && isAddress) {
    if (/[/:.]/.test(word)) return undefined;
    throw usageError(
      `${file} has no server "${word}".${suggestion(word, names)}`,
      `Servers in ${file}: ${names.join(', ') || 'none'}. A command goes after "--".`,
    );
  }
  if (servers.length === 1) return servers[0];
  if (isAddress || positions.length === 0)
    throw usageError(
      `${file} has ${servers.length} servers, and the line names none.`,
      `Name one, as in: mcpc ${command.id.replaceAll(':', ' ')} ${names[0] ?? 'NAME'}. All of them: mcpc fleet check ${file}. Servers: ${names.join(', ') || 'none'}.`,
    );
  return undefined;
}

interface Line {
  /** Long names of the flags that the line has. */
  given: Set<string>;
  /** Where words stand that are no flags nor their values. */
  positions: number[];
}

function readLine(own: readonly string[], { flags }: LineCommand): Line {
  const given = new Set<string>();
  const positions: number[] = [];
  const byChar = new Map(Object.entries(flags).map(([name, { char }]) => [char, name]));
  for (let index = 0; index < own.length; index += 1) {
    const word = own[index]!;
    if (!word.startsWith('-') || word === '-') {
      positions.push(index);
      continue;
    }
    const isLong = word.startsWith('--');
    const name = isLong ? word.slice(2).split('=')[0]! : byChar.get(word[1]);
    if (name === undefined) continue;
    given.add(name);
    const hasValue = isLong ? word.includes('=') : word.length > 2;
    if (flags[name]?.type === 'option' && !hasValue) index += 1;
  }
  return { given, positions };
}

/** The options of a server as flags that the command has and the line does not give. */
function optionWords(
  { entry, specs }: ProjectServer,
  { project }: Fleet,
  { id, flags }: LineCommand,
  given: ReadonlySet<string>,
): string[] {
  const isCheck = id === 'check';
  const near = (path: string): string => relative(process.cwd(), path) || '.';
  const missing = (name: string): boolean => flags[name] !== undefined && !given.has(name);
  const isFor = { all: true, 'all but suites': flags['suite'] === undefined, check: isCheck };
  const spec = specs.length === 1 || isCheck ? specs.filter((one) => one !== 'auto').join(',') : '';
  return [
    ...lineFlags(entry, near).flatMap(({ flag, line, words }) => (missing(flag) && isFor[line] ? words : [])),
    ...(spec !== '' && missing('spec') ? [`--spec=${spec}`] : []),
    ...sectionFlags(project, id, near).flatMap(({ flag, words }) => (missing(flag) ? words : [])),
  ];
}

/** The suites of a line that names none. */
function suiteWords(
  chosen: ProjectServer | undefined,
  { project: _project, entries }: Fleet,
  { id, flags }: LineCommand,
  words: number,
  given: ReadonlySet<string>,
): string[] {
  if (flags['suite'] === undefined || words > 0 || given.has('suite') || namedOnly.has(id)) return [];
  const near = (path: string): string => relative(process.cwd(), path) || '.';
  const { suites = [], fixture } = chosen?.entry ?? entries[0] ?? {};
  return [
    ...suites.map((path) => `--suite=${near(path)}`),
    ...(fixture === undefined || given.has('fixture') || flags['fixture'] === undefined
      ? []
      : [`--fixture=${near(fixture)}`]),
  ];
}
