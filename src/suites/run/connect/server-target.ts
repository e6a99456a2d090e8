/** From the server that a file describes to a target: variables and the fixture put in, docker in front. It starts nothing. */
import { basename, isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CannedAnswers } from '../../../client/peer/answers/client-behavior.ts';
import type { HttpTarget, Target } from '../../../client/target/target.ts';
import type { ClientFeatures, ServerBlock } from '../../language/model.ts';
import { substituteText } from '../../language/judge/substitute.ts';
import type { Variables } from '../../language/judge/substitute.ts';
import { append } from '../../../core/model/lists.ts';
import { isSecretVariable } from '../../../core/trace/redaction/secret-names.ts';

type Json = Record<string, unknown>;

export interface ServerPlan {
  target: Target;
  /** Values that must not be written anywhere. */
  secrets: string[];
  /** Variables that are named and not set. */
  unset: string[];
}

const form = /\$(?:\{([^}]*)\}|([A-Za-z_][A-Za-z0-9_]*))/g;

/** Variables of a text, replaced as in a shell; an unset one is empty. */
export function expandVariables(text: string, env: NodeJS.ProcessEnv, unset: string[] = []): string {
  return text.replace(form, (_whole, braced: string | undefined, bare: string | undefined) => {
    const [, name = '', fallback] = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s.exec(braced ?? bare ?? '') ?? [];
    const value = env[name];
    if (fallback !== undefined && (value === undefined || value === '')) return fallback;
    if (value === undefined && name !== '') unset.push(name);
    return value ?? '';
  });
}

/**
 * @param fixture path of the files of the case
 * @returns the target, or the words that say why there is none
 */
export function serverTarget(
  server: ServerBlock,
  fixture: string | undefined,
  env: NodeJS.ProcessEnv,
): ServerPlan | { words: string } {
  const transport = server.transport === '' ? 'stdio' : server.transport.toLowerCase();
  const unset: string[] = [];
  const put = (values: Record<string, string>): [string, string][] =>
    Object.entries(values).map(([name, value]) => [name, expandVariables(value, env, unset)]);
  if (transport === 'http' || transport === 'sse') {
    if (server.url === undefined) return { words: `transport ${JSON.stringify(transport)} requires a url field` };
    const headers = put(server.headers);
    const target: HttpTarget = { kind: transport, url: server.url, headers };
    return { target, secrets: headers.map(([, value]) => value), unset };
  }
  if (transport !== 'stdio')
    return { words: `unknown transport ${JSON.stringify(server.transport)}; use stdio, http or sse` };
  if (server.command === undefined) return { words: 'failed to start MCP server: the file names no server.command' };
  const variables: Variables = { fixture, values: new Map() };
  const own = put(server.env);
  const args = server.args.map((word) => substituteText(word, 'fixture', variables));
  const secrets = own.map(([, value]) => value);
  if (server.docker !== undefined) {
    const mounts = fixture === undefined ? [] : ['-v', `${fixture}:${fixture}`];
    const given = own
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    return {
      target: {
        kind: 'stdio',
        command: server.engine ?? 'docker',
        container: true,
        args: [
          'run',
          '--rm',
          '-i',
          ...(server.network === undefined ? [] : ['--network', server.network]),
          ...mounts,
          ...given,
          server.docker,
          server.command,
          ...args,
        ],
        env: plain(env),
      },
      secrets,
      unset,
    };
  }
  return {
    target: {
      kind: 'stdio',
      command: server.command,
      args,
      env: { ...plain(env), ...Object.fromEntries(own) },
      cwd: server.cwd,
    },
    secrets,
    unset,
  };
}

/** The user's values for servers that are secret from the start; further ones are found in files. */
export interface GivenSecrets {
  secrets: string[];
  addresses: string[];
  commands: string[][];
}

/** Of all of them; targets that take the place of the servers of files included. */
export function givenSecrets(
  secrets: readonly string[],
  plans: Iterable<{ target: Target; secrets?: readonly string[] }>,
): GivenSecrets {
  const given: GivenSecrets = { secrets: [...secrets], addresses: [], commands: [] };
  for (const { target, secrets: own = [] } of plans) {
    append(given.secrets, own);
    if (target.kind === 'stdio') {
      given.commands.push([target.command, ...target.args]);
      append(
        given.secrets,
        Object.entries(target.env ?? {})
          .filter(([name]) => isSecretVariable(name))
          .map(([, value]) => value),
      );
    } else given.addresses.push(target.url);
  }
  return { ...given, secrets: [...new Set(given.secrets)] };
}

function plain(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Capabilities and answers of the client; none if the file has none. */
export function clientSide(
  features: ClientFeatures | undefined,
  fixture: string | undefined,
): { capabilities: Json; canned: CannedAnswers } {
  const { roots, sampling, elicitation } = features ?? {};
  const variables: Variables = { fixture, values: new Map() };
  const paths = roots?.map((root) => substituteText(root, 'fixture', variables));
  return {
    capabilities: {
      ...(roots ? { roots: { listChanged: true } } : {}),
      ...(sampling ? { sampling: sampling.tools === undefined ? {} : { tools: {} } } : {}),
      // An empty object declares forms, as before there were modes.
      ...(elicitation ? { elicitation: elicitation.url === undefined ? {} : { form: {}, url: {} } } : {}),
    },
    canned: {
      ...(paths ? { roots: paths.map((path) => ({ uri: rootUri(path), name: basename(path) })) } : {}),
      ...(sampling ? { sampling } : {}),
      ...(elicitation ? { elicitation } : {}),
    },
  };
}

/** Blanks stay as they are, as with the reference; what would end the path of an address is encoded. */
function rootUri(path: string): string {
  return isAbsolute(path) && /[%?#]/.test(path) ? pathToFileURL(path).href : `file://${path}`;
}
