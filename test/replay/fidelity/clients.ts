/** The clients of both SDKs and the command line of the Inspector: one conversation each, and what the client gets to see. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client as SecondClient, StreamableHTTPClientTransport as SecondHttp } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { output, pipes, type Program } from './processes.ts';

/** The way to the server. */
export type Reach = { program: Program } | { url: string };

/** @param connection counted from 0: over stdio each is a process of its own */
export type ReachOf = (connection: number) => Reach;

export interface Plan {
  /** Calls that show more of the server than lists do. */
  calls: readonly [name: string, args: Record<string, unknown>][];
  /** Clients of SDK 2 ask for 2026-07-28. */
  modern: boolean;
}

export interface Talked {
  /** Results for the client, step by step; errors as texts. */
  seen: unknown[];
  /** Milliseconds that its requests took together. */
  ms: number;
}

export interface FidelityClient {
  name: 'SDK 1' | 'SDK 2' | 'Inspector';
  /**
   * @param folder for files of the client
   * @throws Error where the client and the server have no revision in common
   */
  converse(reachOf: ReachOf, plan: Plan, folder: string): Promise<Talked>;
}

interface Tool {
  name: string;
  inputSchema: { required?: string[] | undefined };
}

/** Methods of a client that do the same on both SDKs. */
interface Talker {
  connect(): Promise<unknown>;
  about(): unknown;
  ask: Record<'ping' | 'tools' | 'prompts' | 'resources' | 'templates', () => Promise<unknown>>;
  call(name: string, args: Record<string, unknown>): Promise<unknown>;
  prompt(name: string): Promise<unknown>;
  read(uri: string): Promise<unknown>;
  close(): Promise<void>;
}

const about = { name: 'fidelity', version: '1' };
const capabilities = { sampling: {}, elicitation: { form: {} }, roots: {} };
const sampled = { model: 'm', role: 'assistant' as const, content: { type: 'text' as const, text: 'in short' } };
const roots = { roots: [{ uri: 'file:///nowhere', name: 'nowhere' }] };
const elicited = { action: 'accept' as const, content: { name: 'Ada' } };
/** Longest wait for an answer, in milliseconds; servers that want the network do not come to one. */
const answerMs = 15_000;
/** Tools that are called without the arguments that they require. */
const mostEmptyCalls = 6;

function first(reach: Reach, notices: unknown[]): Talker {
  const client = new Client(about, { capabilities });
  client.setRequestHandler(CreateMessageRequestSchema, () => sampled);
  client.setRequestHandler(ElicitRequestSchema, () => elicited);
  client.setRequestHandler(ListRootsRequestSchema, () => roots);
  client.fallbackNotificationHandler = (notice) => Promise.resolve(void notices.push(notice));
  const options = { timeout: answerMs, onprogress: (progress: unknown): void => void notices.push(progress) };
  const transport =
    'url' in reach ? new StreamableHTTPClientTransport(new URL(reach.url)) : (pipes(reach.program) as Transport);
  return {
    connect: () => client.connect(transport as Transport, { timeout: answerMs }),
    about: () => [client.getServerVersion(), client.getServerCapabilities(), client.getInstructions()],
    ask: {
      ping: () => client.ping(options),
      tools: () => client.listTools({}, options),
      prompts: () => client.listPrompts({}, options),
      resources: () => client.listResources({}, options),
      templates: () => client.listResourceTemplates({}, options),
    },
    call: (name, args) => client.callTool({ name, arguments: args }, undefined, options),
    prompt: (name) => client.getPrompt({ name }, options),
    read: (uri) => client.readResource({ uri }, options),
    close: () => client.close(),
  };
}

function second(reach: Reach, notices: unknown[], modern: boolean): Talker {
  const client = new SecondClient(about, {
    capabilities,
    ...(modern ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {}),
  });
  client.setRequestHandler('sampling/createMessage', () => sampled);
  client.setRequestHandler('elicitation/create', () => elicited);
  client.setRequestHandler('roots/list', () => roots);
  client.fallbackNotificationHandler = (notice) => Promise.resolve(void notices.push(notice));
  const options = { timeout: answerMs, onprogress: (progress: unknown): void => void notices.push(progress) };
  const transport = 'url' in reach ? new SecondHttp(new URL(reach.url)) : pipes(reach.program);
  return {
    connect: () => client.connect(transport, { timeout: answerMs }),
    about: () => [client.getServerVersion(), client.getServerCapabilities(), client.getInstructions()],
    ask: {
      ping: () => client.ping(options),
      tools: () => client.listTools({}, options),
      prompts: () => client.listPrompts({}, options),
      resources: () => client.listResources({}, options),
      templates: () => client.listResourceTemplates({}, options),
    },
    call: (name, args) => client.callTool({ name, arguments: args }, options),
    prompt: (name) => client.getPrompt({ name }, options),
    read: (uri) => client.readResource({ uri }, options),
    close: () => client.close(),
  };
}

/** Lists, a prompt, a resource, the calls of the plan, and calls that the server has to refuse: nothing is changed. */
async function talk(talker: Talker, { calls }: Plan, notices: readonly unknown[]): Promise<Talked> {
  await talker.connect();
  const seen: unknown[] = [talker.about()];
  let ms = 0;
  const note = async (asking: () => Promise<unknown>): Promise<unknown> => {
    const begun = performance.now();
    const got = await asking().catch(String);
    ms += performance.now() - begun;
    seen.push(got);
    return got;
  };
  for (const asking of Object.values(talker.ask)) await note(asking);
  const [, , tools, prompts, resources] = seen as [
    unknown,
    unknown,
    { tools?: Tool[] },
    { prompts?: { name: string; arguments?: { required?: boolean }[] }[] },
    { resources?: { uri: string }[] },
  ];
  for (const [name, args] of calls) await note(() => talker.call(name, args));
  const strict = (tools.tools ?? []).filter(({ inputSchema }) => (inputSchema.required ?? []).length > 0);
  for (const { name } of strict.slice(0, mostEmptyCalls)) await note(() => talker.call(name, {}));
  await note(() => talker.call('no-such-tool', {}));
  const prompt = (prompts.prompts ?? []).find(({ arguments: wanted = [] }) => !wanted.some((one) => one.required));
  if (prompt !== undefined) await note(() => talker.prompt(prompt.name));
  // Pages of apps hold words that look like secrets, and recordings have stand-ins for those.
  const resource = (resources.resources ?? []).find(({ uri }) => !uri.startsWith('ui:'));
  if (resource !== undefined) await note(() => talker.read(resource.uri));
  await talker.close();
  // Whether a notification comes before or after a response is compared on the wire.
  seen.push(notices.map((notice) => JSON.stringify(notice)).toSorted());
  return { seen, ms };
}

export const sdkClients: readonly FidelityClient[] = [
  {
    name: 'SDK 1',
    converse: (reachOf, plan) => {
      const notices: unknown[] = [];
      return talk(first(reachOf(0), notices), plan, notices);
    },
  },
  {
    name: 'SDK 2',
    converse: (reachOf, plan) => {
      const notices: unknown[] = [];
      return talk(second(reachOf(0), notices, plan.modern), plan, notices);
    },
  },
];

/** @param node a Node 22.19 or later, and the entry of the Inspector: it starts a process for each method */
export function inspectorClient(node: string, entry: string): FidelityClient {
  return {
    name: 'Inspector',
    async converse(reachOf, { calls }, folder) {
      const [[tool, args] = ['no-such-tool', {}]] = calls;
      const pairs = Object.entries(args).flatMap(([name, value]) => [
        '--tool-arg',
        `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ]);
      const asked = [['tools/list'], ['resources/list'], ['tools/call', '--tool-name', tool, ...pairs]];
      const seen: unknown[] = [];
      let ms = 0;
      for (const [connection, words] of asked.entries()) {
        const reach = reachOf(connection);
        const begun = performance.now();
        const target = join(folder, `inspected-${connection}.json`);
        writeFileSync(target, JSON.stringify({ mcpServers: { inspected: entryOf(reach) } }));
        const { code, stdout } = await output({
          command: node,
          args: [entry, '--cli', '--config', target, '--server', 'inspected', '--method', ...words],
          env: { HOME: folder },
        });
        seen.push({ code, stdout });
        ms += performance.now() - begun;
      }
      return { seen, ms };
    },
  };
}

function entryOf(reach: Reach): object {
  if ('url' in reach) return { type: 'streamable-http', url: reach.url };
  const { command, args, env, cwd } = reach.program;
  return { type: 'stdio', command, args, env: { ...process.env, ...env }, cwd };
}
