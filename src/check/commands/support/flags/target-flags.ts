/** Flags that name a target and how it is reached, and what they come to. Shared by the commands that reach one. */
import { Flags } from '@oclif/core';
import type { CheckOptions } from '../../../check-options.ts';
import { usageError } from '../../../../core/model/errors.ts';
import type { FleetEntry } from '../../../settings/fleet-entry.ts';
import type { Revision } from '../../../../core/model/rules/requirement.ts';
import { visible } from '../../../../report/text.ts';
import { isKnownRevision, revisions } from '../../../../core/spec/revisions.ts';
import { clientTools } from '../../../target/clients/tools.ts';
import type { TargetFlags } from '../../../target/resolve-target.ts';
import { repeatedFlag } from './flag-values.ts';
import { giveInputs, inputFlag } from './input-flag.ts';
import { settingFlags, settingsOf, type SettingFlagValues } from './setting-flags.ts';

const target = 'TARGET';
const start = 'SERVER PROCESS';

const toolNames = clientTools.map(({ tool }) => tool).join(', ');

export const targetFlags = {
  ...settingFlags('target'),
  url: Flags.string({ summary: 'URL of the MCP endpoint.', helpGroup: target, helpValue: 'URL' }),
  token: Flags.string({
    summary: 'Bearer token for servers that require authorization. The environment variable MCPC_TOKEN does the same.',
    helpGroup: target,
    helpValue: 'TOKEN',
  }),
  'auth-server': repeatedFlag({
    summary:
      'Also fetch the metadata of an authorization server at this origin, such as http://10.0.0.5:8080, although its address is private. Repeats.',
    helpGroup: target,
    helpValue: 'ORIGIN',
  }),
  config: Flags.string({
    summary: `MCP client configuration that lists the server: .mcp.json, or a file of ${toolNames}.`,
    helpGroup: target,
    helpValue: '.mcp.json',
  }),
  server: Flags.string({
    summary: 'Which server of the --config file, by its name there.',
    helpGroup: target,
    helpValue: 'NAME',
  }),
  input: inputFlag(target),
  ...settingFlags('network', target),
  name: Flags.string({ summary: 'Name of the server in reports.', helpGroup: target, helpValue: 'NAME' }),

  serve: Flags.string({
    summary:
      'Command that starts an HTTP server; needs --url; mcpc stops it afterwards. {{port}} in the command, in --env and in --url becomes a free port.',
    helpGroup: start,
    helpValue: '"COMMAND"',
  }),
};

type Flag<T> = T | undefined;
export interface TargetFlagValues extends SettingFlagValues<'target' | 'network'> {
  url?: Flag<string>;
  token?: Flag<string>;
  'auth-server'?: Flag<string[]>;
  config?: Flag<string>;
  server?: Flag<string>;
  input?: Flag<string[]>;
  name?: Flag<string>;
  serve?: Flag<string>;
  spec: string;
}

export type TargetOptions = Pick<
  CheckOptions,
  'target' | 'name' | 'serve' | 'fallback' | 'secrets' | 'spec' | 'timing'
> & { hintsFile?: string; notices?: string[]; disabled?: FleetEntry['disabled'] };

/** @throws McpcError usage for flags that name no target, more than one, or do not go together */
export async function targetOptions(flags: TargetFlagValues, command: string[]): Promise<TargetOptions> {
  const { spec } = flags;
  if (spec !== 'auto' && !isKnownRevision(spec))
    throw usageError(`There is no revision "${spec}".`, `Use auto, or one of ${revisions.join(', ')}.`);
  giveInputs(flags.input);
  const [{ resolveTarget }, { isFleetFile }] = await Promise.all([
    import('../../../target/resolve-target.ts'),
    import('../../../project-file/find.ts'),
  ]);
  const { config } = flags;
  const isProject = config !== undefined && command.length === 0 && flags.url === undefined && isFleetFile(config);
  const resolve = isProject
    ? async (wish: TargetFlags, env: NodeJS.ProcessEnv) =>
        (await import('../../../project-file/server.ts')).resolveProjectServer(config, wish, env)
    : resolveTarget;
  const chosen = await resolve(
    {
      command,
      url: flags.url,
      transport: flags.transport,
      headers: flags.header ?? [],
      token: flags.token,
      authServers: flags['auth-server'] ?? [],
      serve: flags.serve,
      config: flags.config,
      server: flags.server,
      cwd: flags.cwd,
      env: flags.env ?? [],
      envFiles: flags['server-env-file'] ?? [],
      ...settingsOf('network', flags),
      name: flags.name,
    },
    process.env,
  );
  return {
    ...chosen,
    spec: spec as Revision | 'auto',
    timing: {
      startMs: flags['start-timeout'],
      answerMs: flags.timeout,
    },
  };
}

/** The words of a command line: those before `--`, and the command behind it, which is never parsed. */
export function splitLine(argv: readonly string[]): { own: string[]; command: string[] } {
  const end = argv.indexOf('--');
  if (end === -1) return { own: [...argv], command: [] };
  const command = argv.slice(end + 1);
  if (command.length === 0)
    throw usageError(
      'Nothing follows "--".',
      'Put the command of the server there, as in: mcpc check -- node server.js.',
    );
  return { own: argv.slice(0, end), command };
}

/** Interpreters of scripts, by extension. */
const programs: Readonly<Record<string, string>> = {
  '.js': 'node',
  '.mjs': 'node',
  '.cjs': 'node',
  '.ts': 'node',
  '.py': 'python3',
  '.rb': 'ruby',
};

/** An address as browsers take it. */
const hostAndPort = /^(?:[\w.-]+|\[[\da-f:.]+\]):\d+(?:\/.*)?$/i;

/** The flags, with an address that was given as a word in place of --url. */
export function withAddress<F extends { url?: Flag<string> }>(flags: F, address: string | undefined): F {
  if (address === undefined) return flags;
  if (!/^https?:\/\//i.test(address)) {
    if (hostAndPort.test(address))
      throw usageError(
        `"${address}" is no URL.`,
        `Write the whole of it, as in: mcpc check http://${visible(address)}`,
      );
    const program = Object.entries(programs).find(([extension]) => address.endsWith(extension))?.[1];
    throw usageError(
      `"${address}" is neither a flag nor an address.`,
      `A command goes after "--", as in: mcpc check -- ${program === undefined ? '' : `${program} `}${visible(address)}`,
    );
  }
  if (flags.url !== undefined)
    throw usageError(`The address is given twice: ${address} and --url ${flags.url}.`, 'Give it once.');
  return { ...flags, url: address };
}
