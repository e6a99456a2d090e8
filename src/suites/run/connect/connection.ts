/**
 * The connection of a case: a recorder of its own and the client that probing uses, without anything declared that the
 * file does not say. It makes no judgement.
 */
import { McpcError } from '../../../core/model/errors.ts';
import { isObject } from '../../../core/model/json.ts';
import type { Era, Revision } from '../../../core/model/rules/requirement.ts';
import type { TraceEvent, TransportKind } from '../../../core/model/trace.ts';
import { detect, speaksOther } from '../../../client/reach/detect.ts';
import { createAnswerer, type ClientAnswer } from '../../../client/peer/answers/client-answers.ts';
import { createPeerHub } from '../../../client/peer/open-peer.ts';
import type { Peer } from '../../../client/peer/peer.ts';
import type { Target } from '../../../client/target/target.ts';
import { streamHeaders } from '../../../client/peer/correct-headers.ts';
import { defaultTiming } from '../../../client/target/timing.ts';
import { marked } from '../../../client/transport/process/run-mark.ts';
import { within } from '../../../client/transport/within.ts';
import { createRecorder } from '../../../core/trace/recorder.ts';
import type { Recorder, TraceWriter } from '../../../core/trace/recorder.ts';
import type { Redactor } from '../../../core/trace/redaction/redact.ts';
import { clientSide, serverTarget } from './server-target.ts';
import type { ServerBlock } from '../../language/model.ts';

export interface OpenOptions {
  server: ServerBlock;
  fixture: string | undefined;
  /** A target that replaces the one of the file. */
  override?: Target | undefined;
  spec: Revision | 'auto';
  /** Ask whether it speaks the stateless era, too. */
  askForStateless: boolean;
  /** An address that does not speak Streamable HTTP may turn out to speak HTTP+SSE. */
  fallback?: boolean;
  /** Until the first answer. */
  budgetMs: number;
  /** Until any later answer; as long as that when absent. */
  answerMs?: number;
  env: NodeJS.ProcessEnv;
  toolVersion: string;
}

export interface OpenedServer {
  peer: Peer;
  revision: Revision;
  era: Era;
  /** Answers to what the server needs of the client, by the names that it gave; undefined where the client has one of them not. */
  inputFor(requests: Record<string, unknown>): Promise<Record<string, unknown> | undefined>;
  /** Level of log messages that goes with each request, in the stateless era. */
  logLevel?: string;
}

export interface Connection {
  readonly recorder: Recorder;
  readonly opened: OpenedServer | undefined;
  /** Milliseconds from the server's start to the end of the handshake; never resolves if that failed. */
  readonly startMs: Promise<number>;
  /** Result of the handshake. */
  readonly handshake: unknown;
  /** End of the process, as soon as it has ended. */
  readonly exit: string | undefined;
  /** Known parts of the last message that was too large to be read. */
  readonly cut: string | undefined;
  /** Starts or reaches the server. @returns words that say why that failed */
  open(options: OpenOptions): Promise<{ words: string } | undefined>;
  /** Opens the stream on which a server over Streamable HTTP notifies and asks by itself; nothing to do elsewhere. */
  listen(ms: number): Promise<void>;
  /** Ends the conversation at once; what waits for answers learns of it, and is still recorded. */
  abandon(): void;
  /** Ends it, and its trace; calling it again gives the same promise. */
  close(): Promise<void>;
}

export interface ConnectionOptions {
  redactor: Redactor;
  writer?: TraceWriter | undefined;
  name: string;
  /** Mark of the processes that are started, by which those are found that stay. */
  mark?: string | undefined;
  /** Limit of the conversation; further events are dropped. */
  limits?: { maxEvents: number; maxBytes: number };
}

export function createConnection({ redactor, writer, name, mark, limits }: ConnectionOptions): Connection {
  const recorder = createRecorder({ redactor, ...(limits ? { limits } : {}) });
  if (writer) recorder.writeTo(writer);
  const hub = createPeerHub(recorder.sink, (listener) => recorder.subscribe(listener));
  const peers = new Set<Peer>();
  let opened: OpenedServer | undefined;
  let closing: Promise<void> | undefined;
  let abandoned = false;
  let listening = false;
  let transport: TransportKind = 'stdio';
  let exit: string | undefined;
  let cut: string | undefined;
  let handshake: unknown;
  let started: (ms: number) => void = () => {};
  const startMs = new Promise<number>((resolve) => (started = resolve));
  const skipped = new Set<string>();
  let asked: { session: string; id: unknown } | undefined;
  recorder.subscribe((event) => {
    if (event.kind === 'message' && event.from === 'client' && isHandshake(event.message))
      asked = { session: event.session, id: event.message.id };
    else if (
      event.kind === 'message' &&
      asked?.session === event.session &&
      (event.message as { id?: unknown } | null)?.id === asked.id
    )
      handshake = (event.message as { result?: unknown }).result ?? handshake;
    if (event.kind === 'limit' && event.from === 'server')
      cut = event.reason ?? 'a message of the server was too large';
    // A process that is only tested for its era is not the one of the case.
    if (event.kind === 'spawn' && event.trial) skipped.add(event.session);
    if (event.kind === 'exit' && event.exit && !skipped.has(event.session))
      exit = event.exit.signal ?? `exit code ${event.exit.code}`;
  });

  async function connect(options: OpenOptions): Promise<{ words: string } | undefined> {
    const plan =
      options.override === undefined
        ? serverTarget(options.server, options.fixture, options.env)
        : { target: options.override };
    if ('words' in plan) return plan;
    transport = plan.target.kind;
    const { capabilities, canned } = clientSide(options.server.features, options.fixture);
    const timing = { ...defaultTiming, startMs: options.budgetMs, answerMs: options.answerMs ?? options.budgetMs };
    let begun = false;
    const began = performance.now();
    try {
      const how = {
        target: mark === undefined || plan.target.kind !== 'stdio' ? plan.target : marked(plan.target, mark),
        spec: options.spec,
        fallback: options.fallback === true,
        async open(target: Target, era: Era, revision: string, asking: { trial?: true } = {}) {
          const peer = await hub.open({
            ...asking,
            target,
            timing,
            era,
            revision,
            toolVersion: options.toolVersion,
            capabilities,
            canned,
          });
          begun = true;
          peers.add(peer);
          if (abandoned) await peer.close();
          return peer;
        },
      };
      const found = await detect({ ...how, askForStateless: options.askForStateless });
      if (found.otherRevision !== undefined) throw speaksOther(found);
      if (found.locked !== undefined) return { words: `MCP initialize failed: ${found.locked}` };
      const answerer = createAnswerer(canned);
      started(performance.now() - began);
      opened = {
        peer: found.peer,
        revision: found.revision,
        era: found.era,
        inputFor: (requests) =>
          inputOf(requests, ({ method, params }) =>
            answerer.respond(method, isObject(params) ? params : undefined, capabilities),
          ),
      };
      return undefined;
    } catch (error) {
      if (!(error instanceof McpcError) || error.stage !== 'target') throw error;
      return {
        words: `${begun ? 'MCP initialize failed' : 'failed to start MCP server'}: ${error.message}${systemWord(error)}`,
      };
    }
  }

  /** The first line of the trace, once it is known what there is to say. */
  function begin(): void {
    if (recorder.header !== undefined) return;
    const spoken = opened === undefined ? {} : { revision: opened.revision, era: opened.era };
    recorder.setHeader({
      format: 'mcpc-trace',
      version: 1,
      origin: 'live',
      transport,
      ...spoken,
      target: { name },
      startedAt: new Date().toISOString(),
    });
  }

  return {
    recorder,
    get opened() {
      return opened;
    },
    startMs,
    get handshake() {
      return handshake;
    },
    get exit() {
      return exit;
    },
    get cut() {
      return cut;
    },
    async open(options) {
      let reason = '';
      const stop = recorder.subscribe((event: TraceEvent) => {
        if (event.kind === 'closed' && event.from === 'server' && event.reason !== undefined) reason = event.reason;
      });
      const failed = await connect(options);
      stop();
      begin();
      return failed === undefined || reason === '' || failed.words.includes(reason)
        ? failed
        : { words: `${failed.words} (${reason})` };
    },
    async listen(ms) {
      const peer = opened?.peer;
      if (peer === undefined || listening || peer.transport !== 'http' || opened?.era !== 'stateful') return;
      listening = true;
      const stream = peer.channel.exchange({ method: 'GET', headers: peer.headersFor(undefined, streamHeaders) });
      // A server need not have one (2025-11-25: basic/transports, listening for messages); it then says so with 405.
      await within(stream?.response ?? Promise.resolve(undefined), ms);
    },
    abandon() {
      abandoned = true;
      for (const peer of peers) void peer.close();
    },
    close() {
      abandoned = true;
      closing ??= (async () => {
        await Promise.all([...peers].map((peer) => peer.close()));
        begin();
        recorder.finish({ complete: true });
        await writer?.close();
      })();
      return closing;
    },
  };
}

async function inputOf(
  requests: Record<string, unknown>,
  respond: (one: Record<string, unknown>) => Promise<ClientAnswer>,
): Promise<Record<string, unknown> | undefined> {
  const given: [string, unknown][] = [];
  for (const [name, one] of Object.entries(requests)) {
    const { reply } = isObject(one) ? await respond(one) : { reply: {} };
    if (!('result' in reply)) return undefined;
    given.push([name, reply['result']]);
  }
  return Object.fromEntries(given);
}

function isHandshake(message: unknown): message is { id: unknown } {
  const { method, id } = (typeof message === 'object' && message !== null ? message : {}) as {
    method?: unknown;
    id?: unknown;
  };
  return id !== undefined && (method === 'initialize' || method === 'server/discover');
}

/** The system's error, if the message lacks it. */
function systemWord({ cause, message }: McpcError): string {
  const said = cause instanceof Error ? cause.message : '';
  return said === '' || message.includes(said) ? '' : ` (${said})`;
}
