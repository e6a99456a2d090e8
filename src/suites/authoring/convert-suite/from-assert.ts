/** Converts cases of mcp-assert to the form of mcpc, and reports differences in meaning. Pure. */
import { clientFeatures } from './server-members.ts';
import type { SendRequest, ServerBlock, Step, SuiteCase } from '../../language/model.ts';
import type { WrittenCase } from '../suite-text.ts';
import { asText } from '../../../core/model/json.ts';

type Json = Record<string, unknown>;

export interface ConvertedCases {
  /** Servers by name. */
  servers: Map<string, Json>;
  cases: WrittenCase[];
  /** Parts without an equivalent in mcpc: name of the case and why. */
  left: { name: string; file: string; why: string }[];
}

const lists: Readonly<Record<string, string>> = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'templates',
};

/** @param cases of one file or of several, in their order */
export function nativeCases(cases: readonly SuiteCase[]): ConvertedCases {
  const servers = new Map<string, Json>();
  const names = new Map<string, string>();
  const made: { value: Json; comments: string[]; server: string }[] = [];
  const left: ConvertedCases['left'] = [];
  for (const one of cases) {
    const odd = one.steps.find(({ act }) => act.kind === 'calls' || act.kind === 'impossible');
    if (odd !== undefined || one.server === undefined) {
      left.push({
        name: one.name,
        file: one.file,
        why:
          odd?.act.kind === 'impossible'
            ? odd.act.words
            : 'trajectories have no step in the form of mcpc; keep the file',
      });
      continue;
    }
    const members = serverMembers(one.server);
    const key = JSON.stringify(members);
    let server = names.get(key);
    if (server === undefined) {
      server = servers.size === 0 ? 'server' : `server${servers.size + 1}`;
      names.set(key, server);
      servers.set(server, members);
    }
    made.push({ ...nativeCase(one), server });
  }
  const several = servers.size > 1;
  return {
    servers,
    left,
    cases: made.map(({ value: { name, ...rest }, comments, server }) => ({
      comments,
      value: { name, ...(several ? { server } : {}), ...rest },
    })),
  };
}

function serverMembers({
  command,
  args,
  env,
  transport,
  url,
  headers,
  docker,
  network,
  cwd,
  features,
}: ServerBlock): Json {
  return {
    command,
    ...(args.length === 0 ? {} : { args }),
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(transport === '' ? {} : { transport }),
    url,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    docker,
    network,
    cwd,
    ...(features === undefined ? {} : { client_capabilities: clientFeatures(features) }),
  };
}

function nativeCase(one: SuiteCase): { value: Json; comments: string[] } {
  const { name, tags, timeoutMs, skip, skipUnlessEnv, spec, volatile, steps } = one;
  const value = {
    name,
    ...(tags.length === 0 ? {} : { tags }),
    ...(timeoutMs === undefined ? {} : { timeout: `${timeoutMs}ms` }),
    ...(skip === undefined ? {} : { skip: skip.reason === '' ? true : skip.reason }),
    skip_unless_env: skipUnlessEnv,
    spec,
    volatile,
    steps: steps.map(nativeStep),
  };
  return { value, comments: differences(steps) };
}

/** A step as its file says it. */
function nativeStep({ act, capture, demands, eventuallyMs, unchanged, again }: Step): Json {
  const expected = demands.filter(({ expectation }) => expectation.name !== 'expect_error');
  const around = {
    ...(eventuallyMs === undefined ? {} : { eventually: `${eventuallyMs}ms` }),
    ...(unchanged === undefined ? {} : { unchanged: unchanged.map(nativeStep) }),
    ...(again ? { idempotent: true } : {}),
  };
  const error = demands.find(({ expectation }) => expectation.name === 'expect_error');
  return {
    ...(act.kind === 'request'
      ? requestStep(act)
      : act.kind === 'observe'
        ? { [act.logs === true ? 'logs' : 'notifications']: `${act.graceMs}ms` }
        : act.kind === 'run'
          ? { run: act.words }
          : act.kind === 'handshake'
            ? { initialize: true }
            : act.kind === 'await-notice'
              ? { await: act.method, ...(act.wanted ? {} : { none: true }) }
              : {}),
    ...(Object.keys(capture).length === 0 ? {} : { capture }),
    ...(expected.length === 0 && Object.keys(around).length === 0
      ? {}
      : {
          expect: {
            ...Object.fromEntries(expected.map(({ expectation, option }) => [expectation.name, option])),
            ...around,
          },
        }),
    ...(error === undefined ? {} : { expect_error: error.option }),
  };
}

function requestStep({ method, params = {} }: SendRequest): Json {
  const given = params['arguments'] as Json | undefined;
  const others = given === undefined || Object.keys(given).length === 0 ? {} : { with: given };
  const list = lists[method];
  if (list !== undefined) return { list, cursor: params['cursor'] };
  switch (method) {
    case 'tools/call':
      return { call: params['name'], ...others };
    case 'prompts/get':
      return { get: params['name'], with: given };
    case 'resources/read':
      return { read: params['uri'] };
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      return { [method.slice('resources/'.length)]: params['uri'] };
    case 'logging/setLevel':
      return { set_level: params['level'] };
    case 'completion/complete': {
      const { type, name, uri } = params['ref'] as { type: string; name?: string; uri?: string };
      const argument = params['argument'] as { name: string; value: string };
      return {
        complete: {
          ...(type === 'ref/prompt' ? { prompt: name } : { resource: uri }),
          argument: argument.name,
          value: argument.value,
        },
      };
    }
    default:
      return { request: method, ...(Object.keys(params).length === 0 ? {} : { params }) };
  }
}

/** Where placeholders mean something else in the form of mcpc. */
function differences(steps: readonly Step[]): string[] {
  const captured = new Map(steps.flatMap(({ capture }) => Object.entries(capture)));
  const reported: string[] = [];
  for (const { act, demands, title } of steps) {
    if (act.kind === 'request' && act.scope === 'text') {
      for (const name of wholePlaceholders(act.params))
        if (asText(captured.get(name) ?? '$').trim() !== '$')
          reported.push(`${title}: {{${name}}} is sent with the type of its value; mcp-assert sends a text.`);
    }
    const fixed = [
      ...(act.kind === 'request' && act.scope === 'none' ? textsIn(act.params) : []),
      ...demands.filter(({ scope }) => scope === 'none').flatMap(({ option }) => textsIn(option)),
    ];
    for (const name of new Set(
      fixed.flatMap((text) => [...text.matchAll(/\{\{\s*([^{}\s][^{}]*?)\s*\}\}/g)].map(([, found]) => found!)),
    )) {
      if (captured.has(name) || name === 'fixture')
        reported.push(`${title}: {{${name}}} is filled in here; mcp-assert takes it literally.`);
    }
  }
  return [...new Set(reported)];
}

function wholePlaceholders(value: unknown): string[] {
  return textsIn(value).flatMap((text) => /^\{\{\s*([^{}]+?)\s*\}\}$/.exec(text)?.[1] ?? []);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
