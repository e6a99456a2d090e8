/** A fleet file to start from: it includes what MCP clients are configured with here. It starts and reaches nothing. */
import { dirname, join, relative, resolve, sep } from 'node:path';
import { stringify } from 'yaml';
import { homeOf } from '../../files/config/variables.ts';
import { McpcError } from '../../core/model/errors.ts';
import { rulesFolder } from '../../files/package/package-root.ts';
import { clientFiles, type ClientFile, type Machine } from '../../check/target/client-files.ts';
import { missingVariables } from '../../check/fleet-file/entry.ts';
import { entriesOf, type EntryDraft } from '../../check/fleet-file/fleet-file.ts';
import { includedServers } from '../../check/fleet-file/include.ts';
import { parseFleetFile } from '../../check/fleet-file/read-file.ts';
import { literalPattern } from '../../check/fleet-file/select-entries.ts';

/** A file that the fleet file includes. */
export interface FoundFile extends ClientFile {
  /** As the fleet file names it. */
  path: string;
  servers: string[];
  /** Names that another file has for the same server already. */
  skip: string[];
  /** Put before names that another file has for another server. */
  prefix?: string;
}

export interface StarterFleet {
  yaml: string;
  found: FoundFile[];
  /** Files that could not be read, and why. */
  unreadable: { file: string; why: string }[];
  /** Variables that have to be set; a sentence each. */
  missing: string[];
}

/** @param output path that the fleet file will have, which the paths in it start from */
export function starterFleet(output: string, machine: Machine): StarterFleet {
  const folder = dirname(resolve(machine.cwd, output));
  const unreadable: StarterFleet['unreadable'] = [];
  const found: FoundFile[] = [];
  const taken = new Map<string, string>();
  for (const client of clientFiles(machine)) {
    const drafts = draftsOf(client, folder, machine.env, unreadable);
    if (drafts.length === 0) continue;
    const skip = drafts.filter((draft) => taken.get(draft.name) === sameness(draft)).map(({ name }) => name);
    const own = drafts.filter(({ name }) => !skip.includes(name));
    if (own.length === 0) {
      found.push({ ...client, path: pathFor(client.file, folder, machine.env), servers: [], skip });
      continue;
    }
    const prefix = own.some(({ name }) => taken.has(name)) ? freePrefix(client.short, own, taken) : undefined;
    for (const draft of own) taken.set(`${prefix ?? ''}${draft.name}`, sameness(draft));
    found.push({
      ...client,
      path: pathFor(client.file, folder, machine.env),
      servers: own.map(({ name }) => `${prefix ?? ''}${name}`),
      skip,
      ...(prefix === undefined ? {} : { prefix }),
    });
  }
  const yaml = textOf(found, unreadable, folder);
  // The written file must be readable; a fault here is ours.
  const { entries } = parseFleetFile(yaml, join(folder, 'fleet.yaml'), machine.env);
  return { yaml, found, unreadable, missing: entries.flatMap((entry) => missingVariables(entry, machine.env)) };
}

function draftsOf(
  { file, project }: ClientFile,
  folder: string,
  env: NodeJS.ProcessEnv,
  unreadable: StarterFleet['unreadable'],
): EntryDraft[] {
  try {
    return includedServers({ files: file, project }, { at: file, folder, env }).drafts;
  } catch (error) {
    if (!(error instanceof McpcError)) throw error;
    // Settings and the like are there without servers, too.
    if (!/ has no servers/.test(error.message)) unreadable.push({ file, why: error.message });
    return [];
  }
}

/** Equal for servers that are reached in the same way. */
function sameness({ name, from, folder, reach, layers }: EntryDraft): string {
  const [entry] = entriesOf([{ name, from, folder, reach, layers }], () => false);
  const { env, headers, transport, envFile } = entry!;
  return JSON.stringify([reach, env, headers, transport, envFile]);
}

function freePrefix(short: string, drafts: readonly EntryDraft[], taken: ReadonlyMap<string, string>): string {
  const fits = (prefix: string): boolean => !drafts.some(({ name }) => taken.has(prefix + name));
  for (let count = 1; ; count += 1) {
    const prefix = `${short}${count === 1 ? '' : `-${count}`}/`;
    if (fits(prefix)) return prefix;
  }
}

/** Relative within the folder of the fleet file and around it, from the home folder, or absolute. */
function pathFor(file: string, folder: string, env: NodeJS.ProcessEnv): string {
  const near = relative(folder, file);
  const up = near.split(sep).filter((part) => part === '..').length;
  const home = relative(homeOf(env), file);
  const plain = (path: string): string => path.split(sep).join('/');
  if (up === 0) return plain(near);
  if (!home.startsWith('..') && home !== file)
    return up <= 3 && !home.startsWith('.') ? plain(near) : `~/${plain(home)}`;
  return up <= 3 ? plain(near) : plain(file);
}

/** Editors take a path that is relative to the file, or absolute. */
function schemaPath(folder: string): string {
  const file = join(rulesFolder(), 'language', 'fleet-file.schema.json');
  const near = relative(folder, file).split(sep);
  if (near.filter((part) => part === '..').length > 3) return file.split(sep).join('/');
  return near[0] === '..' ? near.join('/') : `./${near.join('/')}`;
}

function quoted(text: string): string {
  return stringify(text, { lineWidth: 0 }).trimEnd();
}

function textOf(found: readonly FoundFile[], unreadable: StarterFleet['unreadable'], folder: string): string {
  const used = found.filter(({ servers }) => servers.length > 0);
  const same = found.filter(({ servers }) => servers.length === 0);
  const comment = (text: string): string => `  # ${text.replace(/\s+/g, ' ')}`;
  const schema = schemaPath(folder);
  return `${[
    `# yaml-language-server: $schema=${schema}`,
    '# The servers that mcpc checks: mcpc fleet check fleet.yaml',
    '# docs/fleet.md describes every member; mcpc fleet list fleet.yaml shows what this comes to.',
    'version: 1',
    '',
    '# What holds for every server that does not say otherwise.',
    'defaults:',
    '  timeouts:',
    '    check: 5m',
    '  # tags: [nightly]',
    '  # owner: platform',
    '  # hints: hints/{{id}}.yaml',
    '  # baseline: baselines/{{id}}.json',
    '',
    ...(used.length === 0
      ? ['# No configuration of an MCP client with servers was found here.']
      : [
          '# Files of MCP clients that were found. Each may also have only, skip, tags, owner, and whatever defaults have.',
          'include:',
        ]),
    ...used.flatMap(({ client, path, project, servers, skip, prefix }) => [
      comment(`${client}: ${servers.join(', ')}`),
      ...(skip.length === 0 && prefix === undefined && project === undefined
        ? [`  - ${quoted(path)}`]
        : [
            `  - files: ${quoted(path)}`,
            ...(project === undefined
              ? []
              : [`    project: ${quoted(relative(folder, project).split(sep).join('/') || '.')}`]),
            ...(prefix === undefined
              ? []
              : ['    # These names stand for other servers above.', `    prefix: ${quoted(prefix)}`]),
            ...(skip.length === 0
              ? []
              : ['    # The same servers as above.', `    skip: ${JSON.stringify(skip.map(literalPattern))}`]),
          ]),
    ]),
    ...same.map(({ client, path, skip }) =>
      comment(`${client} (${path}) has only servers that are included already: ${skip.join(', ')}`),
    ),
    ...unreadable.map(({ file, why }) => comment(`Left out: ${why.startsWith(file) ? '' : `${file}: `}${why}`)),
    '',
    '# Servers and clients of your own, by name.',
    used.length === 0 ? 'servers: {}' : '# servers:',
    ...[
      'my-server:',
      '  command: node',
      '  args: [server.js]',
      '  env:',
      '    API_KEY: ${API_KEY}',
      'over-http:',
      '  command: node',
      '  args: [server.js, --port, "{{port}}"]',
      '  url: http://127.0.0.1:{{port}}/mcp',
      'from-npm:',
      '  npm: "@modelcontextprotocol/server-everything@2026.8.31"',
      'remote:',
      '  url: https://mcp.example.com/mcp',
      '  headers:',
      '    Authorization: Bearer ${TOKEN}',
      '  tags: [prod]',
      '  grade: B',
      'my-client: # a client; mcpc is its server',
      '  client: { command: node, args: [client.js, "{{url}}"] }',
    ].map((line) => `#   ${line}`),
    '',
    '# What the run has to come to; without it every server has to be compliant.',
    '# policies:',
    '#   minGrade: C',
    '#   maxRegressions: 0',
    '#   tags:',
    '#     prod: { minGrade: B, compliant: true }',
  ].join('\n')}\n`;
}
