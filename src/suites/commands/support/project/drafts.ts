/** Which servers a new project file has: the one that the line names, or those of the folder that speak MCP. */
import { basename } from 'node:path';
import { parseFleetFile } from '../../../../check/fleet-file/read-file.ts';
import { projectServers, type ProjectServer } from '../../../../check/project-file/server.ts';
import { textWithoutSecrets } from '../../../../check/run-redactor.ts';
import { McpcError, targetError, usageError } from '../../../../core/model/errors.ts';
import { visible } from '../../../../report/text.ts';
import { clientServers } from '../../../authoring/project/client-servers.ts';
import { packageServers, readPackageJson } from '../../../authoring/project/package-servers.ts';
import { projectFileText } from '../../../authoring/project/project-file.ts';
import { pythonServers } from '../../../authoring/project/python-servers.ts';
import { reachText, type ServerDraft } from '../../../authoring/project/server-draft.ts';
import { serverWords } from '../../../../check/commands/support/flags/server-line.ts';
import { tryServer } from './measure.ts';

/** The part of the line that names a server. */
export interface NamedTarget {
  url?: string | undefined;
  config?: string | undefined;
  server?: string | undefined;
  name?: string | undefined;
}

export interface ChooseOptions {
  folder: string;
  /** Path of the project file. */
  file: string;
  toolVersion: string;
  signal: AbortSignal;
  talk(line: string): void;
}

/**
 * Starts each that it finds until one of the project's own answers; of client configurations it takes all that do.
 * @throws McpcError usage when there is nothing to try, target when nothing that was tried speaks MCP
 */
export async function chooseDrafts(
  named: NamedTarget,
  command: string[],
  options: ChooseOptions,
): Promise<ServerDraft[]> {
  const own = namedDraft(named, command);
  if (own !== undefined) {
    refuseSecrets(own);
    await tried(own, options);
    return [own];
  }
  const { folder, talk } = options;
  const pkg = readPackageJson(folder);
  const found = [...(pkg === undefined ? [] : [packageServers(pkg, folder)]), pythonServers(folder)];
  const without = found.flatMap((one) => one.without);
  for (const draft of found.flatMap(({ drafts }) => drafts)) {
    const why = await failureOf(draft, options);
    if (why === undefined) return [draft];
    without.push(why);
  }
  const configured = clientServers({ env: process.env, platform: process.platform, cwd: folder });
  const speaking: ServerDraft[] = [];
  for (const draft of configured.drafts) {
    const why = await failureOf(draft, options);
    if (why === undefined) speaking.push(draft);
    else without.push(why);
  }
  const all = [...without, ...configured.without].map((line) => visible(line));
  if (speaking.length > 0) {
    for (const line of all) talk(`Left out: ${line}`);
    return speaking;
  }
  const remedy =
    'Name it: mcpc init --project -- node server.js, or --url for a server that runs already. One that mcpc has to start and reach over HTTP goes into mcpc.yaml by hand (docs/fleet.md).';
  if (all.length === 0)
    throw usageError(
      'No MCP server was found in package.json, pyproject.toml or the configuration of a client.',
      remedy,
    );
  throw targetError(`No MCP server was found that answers:\n${all.map((line) => `- ${line}`).join('\n')}`, remedy);
}

/** The server of a new project file. */
export function draftServers(
  drafts: readonly ServerDraft[],
  suites: string,
  file: string,
  hasSuites: (draft: ServerDraft) => boolean = () => true,
): { text: string; servers: ProjectServer[] } {
  const text = projectFileText(drafts, suites, hasSuites);
  return { text, servers: projectServers(parseFleetFile(text, file)) };
}

function namedDraft(named: NamedTarget, command: string[]): ServerDraft | undefined {
  const { url, config, server, name } = named;
  if (config !== undefined) {
    if (server === undefined)
      throw usageError('--project with --config needs the name of the server.', 'Name it with --server.');
    return { name: server, from: config, reach: { kind: 'include', file: config } };
  }
  if (url !== undefined) return { name: name ?? new URL(url).hostname, from: '--url', reach: { kind: 'url', url } };
  const [first, ...args] = serverWords({ server, config, url }, command) ?? command;
  if (first === undefined) return undefined;
  const script = args.find((word) => /\.[cm]?[jt]s$|\.py$/.test(word)) ?? first;
  return {
    name: name ?? basename(script).replace(/\.\w+$/, ''),
    from: 'the command line',
    reach: { kind: 'command', command: first, args },
  };
}

/** The project file would hold the command, and is committed. */
function refuseSecrets({ reach }: ServerDraft): void {
  if (reach.kind === 'include') return;
  const words = reach.kind === 'url' ? [reach.url] : [reach.command, ...reach.args];
  const text = words.join(' ');
  if (textWithoutSecrets(text, words) === text) return;
  throw usageError(
    'The server is named with what looks like a secret, which mcpc.yaml would hold.',
    "Set a variable of the environment, and write '${NAME}' in its place, in single quotes: mcpc.yaml reads it.",
  );
}

async function failureOf(draft: ServerDraft, options: ChooseOptions): Promise<string | undefined> {
  try {
    await tried(draft, options);
    return undefined;
  } catch (error) {
    if (!(error instanceof McpcError) || error.stage === 'interrupted' || options.signal.aborted) throw error;
    return `${draft.from}: ${reachText(draft)}: ${error.message.split('\n', 1)[0]!}`;
  }
}

async function tried(draft: ServerDraft, { file, toolVersion, signal, talk }: ChooseOptions): Promise<void> {
  talk(visible(`Trying ${reachText(draft)} (${draft.from}) …`));
  const { servers } = draftServers([draft], 'evals', file);
  const [server] = servers;
  if (server === undefined) throw usageError(`${draft.from} has no server "${draft.name}" that can be started.`);
  await tryServer(server, { toolVersion, signal });
}
