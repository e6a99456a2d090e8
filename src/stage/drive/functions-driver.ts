/** A client in this process: a function connects it, further ones do the acts of each start, one after the other. */
import { within } from '../../client/transport/within.ts';
import { asObject } from '../../core/model/json.ts';
import type { ClientAct } from '../../core/model/rules/situation.ts';
import type { TransportKind } from '../../core/model/trace.ts';
import type { ClientDriver, ClientEnd, RunningClient, Start } from './driver.ts';
import { nameOfAct } from './task.ts';

/** The server of one start, for a client to connect to. */
export interface ClientServer {
  transport: TransportKind;
  /** http and sse: the address. Empty over stdio. */
  url: string;
  /** stdio: the command of the server and its arguments. Empty over HTTP. */
  command: readonly string[];
  /** The revision to ask for, where one is pinned. */
  protocolVersion?: string;
  /** Name of the start, as the trace and the report have it. */
  start: string;
  /** Everything that is to be done, in order; the other functions are called for it. */
  acts: readonly ClientAct[];
  /** The value of MCP_CONFORMANCE_CONTEXT of the official conformance suite: the scenario as `name`, credentials. */
  context: Readonly<Record<string, unknown>> & { readonly name: string };
  /** Aborted when the start is over. */
  signal: AbortSignal;
}

/** The abilities of a client. Acts without a function are left out, and the report lists them. */
export interface ClientFunctions<C = unknown> {
  /** Connects a client of its own for each start. A client may be anything; it is handed to the other functions. */
  connect(server: ClientServer): C | Promise<C>;
  /** Each list with all its pages. Of the tools that it returns, each may be called. */
  listTools?(client: C): unknown;
  listPrompts?(client: C): unknown;
  listResources?(client: C): unknown;
  listResourceTemplates?(client: C): unknown;
  callTool?(client: C, call: { name: string; arguments: Record<string, unknown> }): unknown;
  /** Calls the tool and cancels the call while it is under way. */
  cancelTool?(client: C, call: { name: string; arguments: Record<string, unknown> }): unknown;
  readResource?(client: C, resource: { uri: string }): unknown;
  subscribeResource?(client: C, resource: { uri: string }): unknown;
  getPrompt?(client: C, prompt: { name: string; arguments: Record<string, string> }): unknown;
  complete?(client: C, params: Record<string, unknown>): unknown;
  setLevel?(client: C, level: string): unknown;
  /** Called at the end of each start, whatever came before. */
  close?(client: C): unknown;
}

/** Which function does an act, by the name of the act, and what it gets besides the client. */
const doers: Readonly<Record<string, { name: keyof ClientFunctions; given?(act: ClientAct): unknown }>> = {
  connect: { name: 'connect' },
  'list-tools': { name: 'listTools' },
  'list-prompts': { name: 'listPrompts' },
  'list-resources': { name: 'listResources' },
  'list-templates': { name: 'listResourceTemplates' },
  call: { name: 'callTool', given: callOf },
  cancel: { name: 'cancelTool', given: callOf },
  read: { name: 'readResource', given: uriOf },
  subscribe: { name: 'subscribeResource', given: uriOf },
  get: { name: 'getPrompt', given: ({ name = '', arguments: values = {} }) => ({ name, arguments: values }) },
  complete: { name: 'complete', given: ({ arguments: params = {} }) => params },
  'set-level': { name: 'setLevel', given: ({ level = '' }) => level },
  end: { name: 'close' },
};

function callOf({ tool = '', arguments: values = {} }: ClientAct): unknown {
  return { name: tool, arguments: values };
}

function uriOf({ uri = '' }: ClientAct): unknown {
  return { uri };
}

/** Milliseconds that a client has to close. */
const closeMs = 2_000;
/** Tools of a list that are called. */
const mostListed = 20;
/** Between two acts, milliseconds. */
const betweenMs = 5;
const tailLength = 20;

export function functionsDriver<C>(functions: ClientFunctions<C>): ClientDriver {
  return {
    begin: (start) => Promise.resolve(begin(functions, start)),
    lacks(act) {
      const name = doers[nameOfAct(act)]?.name;
      if (isForEach(act) && functions.listTools === undefined) return 'there is no function listTools';
      return name !== undefined && functions[name] !== undefined
        ? undefined
        : `there is no function ${name ?? nameOfAct(act)}`;
    },
    parallel: false,
  };
}

function begin<C>(functions: ClientFunctions<C>, start: Start): RunningClient {
  const over = new AbortController();
  const tail: string[] = [];
  const say = (line: string): void => {
    tail.push(line);
    if (tail.length > tailLength) tail.shift();
    start.print(line);
  };
  let why: string | undefined;
  let client: { it: C } | undefined;

  async function close(): Promise<void> {
    if (client === undefined) return;
    const { it } = client;
    client = undefined;
    await within(
      Promise.resolve(attempt(() => functions.close?.(it), 'close', say)).then(() => {}),
      start.closeMs ?? closeMs,
    );
  }

  async function work(): Promise<boolean> {
    const connecting = attempt(() => functions.connect(serverOf(start, over.signal)), 'connect', say);
    const connected = await connecting;
    if (connected === undefined) return false;
    client = { it: connected.it };
    // A client that connected behind its time is closed, and does nothing more.
    if (over.signal.aborted) return false;
    let sound = true;
    let listed: readonly string[] = [];
    for (const act of start.task.acts) {
      if (act.act === 'connect' || act.act === 'end' || over.signal.aborted) continue;
      // The act has to begin visibly later than the last response came.
      await new Promise((resolve) => setTimeout(resolve, betweenMs));
      for (const one of isForEach(act) ? listed.map((tool) => ({ ...act, tool })) : [act]) {
        const done = await attempt(() => doAct(functions, client!.it, one), nameOfAct(act), say);
        sound &&= done !== undefined;
        if (nameOfAct(act) === 'list-tools') listed = namesIn(done?.it);
      }
    }
    return sound;
  }

  const ended = new Promise<void>((resolve) => over.signal.addEventListener('abort', () => resolve()));
  const working = work();
  const exited = (async (): Promise<ClientEnd> => {
    const sound = await Promise.race([working, ended.then(() => false)]);
    await close();
    void working.then(close);
    over.abort();
    start.gone(true);
    return {
      code: sound ? 0 : 1,
      signal: null,
      ...(why === undefined ? {} : { ended: why }),
      ...(functions.close === undefined ? { left: 'without having been closed' } : {}),
    };
  })();
  return {
    exited,
    end(reason) {
      if (over.signal.aborted) return;
      why = reason;
      over.abort();
    },
    tail: () => [...tail],
  };
}

/** True for a call of each tool that the client lists. */
function isForEach({ act, tool }: ClientAct): boolean {
  return act === 'call' && tool === undefined;
}

/**
 * The names of tools in what the function for the list returned: the tools, or a result that holds them. Tools that
 * have to run as tasks are left out, since the function for a call may know no tasks.
 */
function namesIn(value: unknown): readonly string[] {
  const tools = Array.isArray(value) ? (value as unknown[]) : asObject(value)?.tools;
  return (Array.isArray(tools) ? (tools as unknown[]) : [])
    .map((tool) => asObject(tool) ?? {})
    .filter(({ execution }) => asObject(execution)?.taskSupport !== 'required')
    .map(({ name }) => name)
    .filter((name) => typeof name === 'string')
    .slice(0, mostListed);
}

/** The value that a function returned; undefined where it failed, as a client may. */
async function attempt<T>(
  call: () => T | Promise<T>,
  name: string,
  say: (line: string) => void,
): Promise<{ it: T } | undefined> {
  try {
    return { it: await call() };
  } catch (error) {
    say(`${name}: ${error instanceof Error ? error.message : String(error)}`.slice(0, 500));
    return undefined;
  }
}

function serverOf({ task, official }: Start, signal: AbortSignal): ClientServer {
  return {
    transport: task.transport,
    url: task.url ?? '',
    command: task.command ?? [],
    ...(task.protocolVersion === undefined ? {} : { protocolVersion: task.protocolVersion }),
    start: task.start,
    acts: task.acts,
    context: { name: official.name, ...official.context },
    signal,
  };
}

/** Calls the function of an act; only of acts that come between `connect` and `end`. */
function doAct<C>(functions: ClientFunctions<C>, client: C, act: ClientAct): unknown {
  const doer = doers[nameOfAct(act)];
  if (doer === undefined) return undefined;
  const { name, given } = doer;
  // Each function takes what its row gives; the table cannot say so in types.
  const all = functions as Partial<Record<keyof ClientFunctions, (client: C, given?: unknown) => unknown>>;
  return all[name]?.(client, given?.(act));
}
