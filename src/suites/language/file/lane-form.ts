/** A document with lanes: tests by what they call, each with targets and matchers. It compiles to the cases of the engine. */
import { parseArgsStringToArgv } from 'string-argv';
import { suggestion } from '../../../core/model/suggestion.ts';
import { emptyServer, readServer, type FileNames } from './assert-form.ts';
import type { Part } from '../part.ts';
import type { Problem } from '../yaml-source.ts';
import type { ServerBlock, SuiteCase } from '../model.ts';
import { lanes, type LaneTest } from '../lanes/table.ts';
import { unknownVariables, variablesOf, withVariables, type LaneVariables } from '../lanes/variables.ts';

/** A lane file with what it brings to others. */
export interface LaneFile {
  part: Part;
  names: FileNames;
  servers: ReadonlyMap<string, ServerBlock>;
  variables: LaneVariables;
}

/** Keys of a lane file that hold no tests. */
export const laneSettings = ['$schema', 'servers', 'imports', 'variables', 'name', 'description'] as const;

/** A document of this form names servers or has a lane, and is none of the others. */
export function isLaneFile(file: Part): boolean {
  return (
    !file.has('version') &&
    !file.has('server') &&
    ['servers', ...lanes.map(({ key }) => key)].some((key) => file.has(key))
  );
}

/** An unknown key: its tests would never run. */
export function unknownLanes(file: Part): Problem[] {
  const known = [...laneSettings, ...lanes.map(({ key }) => key)];
  return file
    .members()
    .filter(([key]) => !(known as string[]).includes(key))
    .map(([key, part]) => ({
      ...part.place,
      text: `there is no lane "${key}"; lanes are ${lanes.map((one) => one.key).join(', ')}.${suggestion(key, known)}`,
      severity: 'error' as const,
    }));
}

/** Servers and variables of a file, with those of the files that it imports. */
export function openLaneFile(part: Part, names: FileNames, imported: readonly LaneFile[]): LaneFile {
  const variables = variablesOf(
    part,
    names.path,
    imported.map((one) => one.variables),
  );
  const own = part
    .at('servers')
    .members()
    .map(([name, server]): [string, ServerBlock] => [name, serverOf(withVariables(server, variables))]);
  return { part, names, variables, servers: new Map([...imported.flatMap((one) => [...one.servers]), ...own]) };
}

/** The command may be one line or a list of words. */
function serverOf(part: Part): ServerBlock {
  const block = readServer(part, 'http') ?? emptyServer();
  const command = part.at('command');
  const words = Array.isArray(command.value)
    ? command.items().map((word) => word.text() ?? '')
    : block.command === undefined || part.has('args')
      ? undefined
      : parseArgsStringToArgv(block.command);
  return words === undefined ? block : { ...block, command: words[0], args: [...words.slice(1), ...block.args] };
}

/** @param first number of the first case within its file, from 1 */
export function readLaneCases(
  { part, names, servers, variables }: LaneFile,
  first: number,
  problems: Problem[],
): SuiteCase[] {
  const context = { path: names.path, servers: [...servers.keys()], problems };
  const tests = lanes.flatMap((lane) => {
    if (!part.has(lane.key)) return [];
    unknownVariables(part.at(lane.key), variables, problems);
    return lane.read(withVariables(part.at(lane.key), variables), context).map((test) => ({ lane: lane.key, test }));
  });
  return tests.map(({ lane, test }, index) =>
    caseOf(lane, test, { names, number: first + index, server: blockOf(test, servers, problems) }),
  );
}

function blockOf(
  { part, server, skip }: LaneTest,
  servers: ReadonlyMap<string, ServerBlock>,
  problems: Problem[],
): ServerBlock | undefined {
  if (skip !== undefined) return undefined;
  const known = [...servers.keys()].join(', ') || 'none';
  if (server !== undefined) {
    const found = servers.get(server.name);
    if (found === undefined)
      problems.push({
        ...server.place,
        text: `there is no server "${server.name}"; known are ${known}`,
        severity: 'error',
      });
    return found;
  }
  if (servers.size > 1)
    problems.push({
      ...part.place,
      text: `the test does not say which server it is for; known are ${known}`,
      severity: 'error',
    });
  // A test without a server gets it from the command line.
  return [...servers.values()][0] ?? emptyServer();
}

function caseOf(
  lane: string,
  { part, name, title, about, act, demands, snapshotTarget, skip, tags, timeoutMs }: LaneTest,
  { names, number, server }: { names: FileNames; number: number; server: ServerBlock | undefined },
): SuiteCase {
  return {
    id: `${names.path}#${number}`,
    name,
    file: names.path,
    place: part.place,
    form: 'native',
    block: lane,
    about,
    tags,
    server,
    steps: [
      {
        id: part.path.join('.'),
        phase: 'main',
        title,
        act,
        capture: {},
        demands,
        place: part.place,
        native: true,
        snapshotTarget,
      },
    ],
    timeoutMs,
    skip,
  };
}
