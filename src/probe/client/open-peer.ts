/**
 * Opens a client of our own on one connection (see peer.ts): numbers its requests, waits for answers, answers the server's
 * requests, keeps the session id and the negotiated revision. Faultless unless a step asks otherwise.
 */
import { isBusy } from '../../model/http-outage.ts';
import type { EventSink, TraceEvent } from '../../model/trace.ts';
import type { HttpExchange } from '../../transport/http/http-exchange.ts';
import { lookAtTaskOf } from '../steps/task-steps.ts';
import { createBeside } from './beside.ts';
import { openChannel, type Channel, type HeaderChanges, type SentMessage } from './channel.ts';
import { answersCapped, clientCapabilities, clientInfo, createAnswerer } from './client-answers.ts';
import { changeHeaders, correctHeaders, streamHeaders } from './correct-headers.ts';
import type { Answer, Noise, Peer, PeerHub, PeerOptions } from './peer.ts';
import { statelessMeta, withMeta } from './request-meta.ts';
import { responseIn } from './response-in.ts';
import { createWaiter } from './waiter.ts';

type Json = Record<string, unknown>;

/** How many times a request may be waited for while the server goes on asking. */
const mostWaits = 6;

/**
 * Opens peers that share one recorder.
 * @param subscribe calls the listener with every event, as it happened
 */
export function createPeerHub(sink: EventSink, subscribe: (listener: (event: TraceEvent) => void) => void): PeerHub {
  const handlers = new Map<string, (event: TraceEvent) => void>();
  let count = 0;
  subscribe((event) => handlers.get(event.session)?.(event));
  /** Of one request, while the server goes on asking. */
  const waits = { most: mostWaits };
  return {
    open(options) {
      count += 1;
      const session = `s${count}`;
      return openPeer({ ...options, session, sink, waits }, (handler) => handlers.set(session, handler));
    },
  };
}

async function openPeer(options: PeerOptions & { waits: { most: number } }, listen: (handler: (event: TraceEvent) => void) => void): Promise<Peer> {
  const { sink, session, timing, era, revision, toolVersion, waits } = options;
  const waiter = createWaiter();
  const lastEventIds = new Map<string, string>();
  const dropped = new Set<string>();
  const answerer = createAnswerer(options.canned, options.permission);
  let channel: Channel | undefined;
  let alive = true;
  let counter = 0;
  let tokens = 0;
  let answeredOnce = false;
  const began = performance.now();
  let tellOpened: (ms: number) => void = () => {};
  const opened = new Promise<number>((resolve) => (tellOpened = resolve));
  let tellReady: () => void = () => {};
  /** The peer is there: over HTTP+SSE a server may ask while its stream is still being opened. */
  const ready = new Promise<void>((resolve) => (tellReady = resolve));
  /** Questions of the server. */
  let asked = 0;
  let declared: Json = options.capabilities ?? clientCapabilities(revision);
  let serverCapabilities: Json | undefined;
  let negotiated: string | undefined = era === 'stateless' ? revision : undefined;
  let sessionId: string | undefined;
  let closing: Promise<void> | undefined;
  let noise: Noise | undefined;
  /** Exchanges whose request has nothing wrong or unusual, until they are answered. */
  const sound = new Set<string>();
  /** A step, or the end of the run, ends the session. */
  let leaving = false;
  let sessionEnded = false;
  let onTrial = options.trial === true;
  const beside = options.target.kind === 'stdio' ? undefined : createBeside(options.target, { session, sink, timing });

  function handle(event: TraceEvent): void {
    if (beside?.takes(event)) return;
    if (event.kind === 'unparsable' && event.from === 'server') noise = { count: (noise?.count ?? 0) + 1, sample: noise?.sample ?? (event.raw ?? '').slice(0, 120) };
    if (event.kind === 'exit' || (event.kind === 'closed' && event.exchange === undefined && event.from === 'server')) alive = false;
    // Nobody takes connections any more: the server is gone, not just this reply.
    if (event.kind === 'closed' && event.from === 'server' && /ECONNREFUSED/.test(event.reason ?? '')) alive = false;
    if (event.exchange !== undefined && event.sse?.id) lastEventIds.set(event.exchange, event.sse.id);
    if (event.exchange !== undefined && event.kind === 'sse-close' && event.from === 'client') dropped.add(event.exchange);
    if (event.kind === 'message' && event.from === 'server') answerServer(event.message);
    if (event.kind === 'http-response' && event.exchange !== undefined) noteStatus(event.exchange, event.http);
    if (event.kind === 'http-request' && event.http?.method === 'DELETE') leaving = true;
    waiter.notify(event);
  }

  /** What a status says of the whole connection, and not of what was asked. */
  function noteStatus(exchange: string, { status = 0, headers = {} }: NonNullable<TraceEvent['http']> = {}): void {
    const isSound = sound.delete(exchange);
    if (status === 429 || (isSound && status === 503)) options.rate?.refused(status, String(headers['retry-after'] ?? ''));
    // Unless it is what a step is about: 404 to what names the session says that the server has ended it (2025-11-25: basic/transports, session management).
    if (status !== 404 || !isSound || sessionId === undefined || leaving) return;
    sessionEnded = true;
    alive = false;
  }

  function answerServer(message: unknown): void {
    for (const one of Array.isArray(message) ? (message as unknown[]) : [message]) {
      if (typeof one !== 'object' || one === null || !('method' in one) || !('id' in one)) continue;
      // Only what the era allows is answered; a request in the stateless era is a fault that rules report.
      if (era === 'stateless' || one.id === null) continue;
      const params = (one as Json).params as Json | undefined;
      asked += 1;
      // Each answer may cost an HTTP request; a server that never stops asking gets no more of them.
      if (!answerer.mayAnswer()) {
        sink({ session, from: 'harness', kind: 'limit', reason: answersCapped });
        continue;
      }
      void answerer.respond(one.method, params, declared).then(async ({ reply, deviation }) => {
        await ready;
        await lookAtTaskOf(params, peer);
        const message = { jsonrpc: '2.0', id: one.id, ...reply };
        if (alive && !closing) sendRaw(JSON.stringify(message), { message, ...(deviation === undefined ? {} : { deviation }) });
      });
    }
  }

  function headersFor(message: unknown, changes: HeaderChanges = {}): [string, string][] {
    if (!channel || channel.transport === 'stdio') return [];
    const version = negotiated ?? (era === 'stateless' ? revision : undefined);
    const own = options.target.kind === 'stdio' ? [] : options.target.headers;
    return changeHeaders([...own, ...correctHeaders({ message, transport: channel.transport, era, version, sessionId })], changes);
  }

  const sendRaw: Peer['sendRaw'] = (text, { message, headers, deviation, repeats } = {}) => {
    const sent = channel!.send({ text, message, headers: headersFor(message, headers), ...(deviation ? { deviation } : {}), ...(repeats === undefined ? {} : { repeats }), ...(onTrial ? { trial: true } : {}) });
    const note = (): void => void (sent.exchange && sound.add(sent.exchange.id));
    if (deviation === undefined && headers === undefined) void (sent.begun ? sent.begun.then(note) : note());
    return sent;
  };

  function paramsFor(params: unknown, meta: Json | null = {}): unknown {
    if (meta === null) return params;
    return withMeta(params, { ...(era === 'stateless' ? statelessMeta(revision, declared, toolVersion) : {}), ...meta });
  }

  const awaitId: Peer['awaitId'] = async (id, sent, deadlineMs) => {
    const deadline = deadlineMs ?? (answeredOnce ? timing.answerMs : timing.startMs);
    const answer = await waitForAnswer(id, sent, deadline);
    if (answer.kind === 'response' || answer.kind === 'refused') {
      if (!answeredOnce) tellOpened(performance.now() - began);
      answeredOnce = true;
    }
    if (answer.kind === 'timeout' && !closing) {
      sink({ session, from: 'harness', kind: 'timeout', awaited: sent.seq, waitedMs: deadline });
      if (channel?.transport === 'http') sent.exchange?.abort('no answer in time', 'harness');
    }
    return answer;
  };

  async function waitForAnswer(id: unknown, sent: SentMessage, deadlineMs: number): Promise<Answer> {
    await sent.begun;
    if (sent.seq === 0 || !alive) return { kind: 'closed' };
    const askedBefore = asked;
    let settled = false;
    const over = sent.exchange && channel?.transport === 'http' ? replyOver(sent.exchange, deadlineMs, () => settled) : undefined;
    const refused = sent.exchange && channel?.transport === 'sse' ? postRefused(sent.exchange) : undefined;
    let replied = false;
    const stop = (over ?? refused)?.then(() => {
      replied = true;
    });
    const fits = (one: TraceEvent): boolean => answers(one, id) || one.kind === 'exit' || (one.kind === 'closed' && one.exchange === undefined && one.from === 'server');
    let event: TraceEvent | undefined;
    for (let wait = 0; wait < waits.most; wait += 1) {
      const before = asked;
      event = await waiter.wait(fits, deadlineMs, stop);
      // A server that asks the client in the meantime is at work, not silent.
      if (event || replied || !alive || asked === before) break;
    }
    settled = true;
    // A server that asks on and on without ever answering is waited for but once.
    if (!event && !replied && alive && asked > askedBefore) waits.most = 1;
    const message = event && responseIn(event, id);
    if (message) return { kind: 'response', message };
    if (event) return { kind: 'closed' };
    const outcome = replied ? await sent.exchange!.response : undefined;
    if (outcome && 'error' in outcome) return { kind: 'closed', reason: outcome.error, ...(outcome.code === undefined ? {} : { code: outcome.code }) };
    if (!alive) return { kind: 'closed' };
    return outcome ? { kind: 'refused', status: outcome.status } : { kind: 'timeout' };
  }

  /** Resolves when the reply is over and nothing resumes it; a stream with event ids is resumed as a client should. */
  async function replyOver(exchange: HttpExchange, deadlineMs: number, isSettled: () => boolean): Promise<void> {
    await exchange.done;
    const resumable = era === 'stateful' && lastEventIds.has(exchange.id) && alive && !closing;
    // A stream that the checker dropped is resumed by the step that wants it, if any does.
    if (!resumable || isSettled() || dropped.has(exchange.id)) return;
    const resumed = channel!.exchange({
      method: 'GET',
      headers: headersFor(undefined, { ...streamHeaders, 'last-event-id': lastEventIds.get(exchange.id)! }),
    });
    const timer = setTimeout(() => resumed?.abort('the answer did not come', 'harness'), deadlineMs);
    await resumed?.done;
    clearTimeout(timer);
  }

  async function postRefused(exchange: HttpExchange): Promise<void> {
    const outcome = await exchange.response;
    // An accepted POST is answered on the event stream; only a refusal ends the wait.
    if (!('error' in outcome) && outcome.status < 400) await new Promise<void>(() => {});
  }

  function learn(answer: Answer, exchangeId: string | undefined): void {
    if (answer.kind !== 'response') return;
    const result = answer.message.result as Json | undefined;
    if (typeof result !== 'object' || result === null) return;
    if (typeof result.capabilities === 'object' && result.capabilities !== null) serverCapabilities = result.capabilities as Json;
    if (typeof result.protocolVersion === 'string') negotiated = result.protocolVersion;
    if (exchangeId !== undefined) sessionId ??= issuedIds.get(exchangeId);
  }

  const issuedIds = new Map<string, string>();
  listen((event) => {
    const issued = event.kind === 'http-response' ? event.http?.headers?.['mcp-session-id'] : undefined;
    if (event.exchange !== undefined && typeof issued === 'string') issuedIds.set(event.exchange, issued);
    handle(event);
  });
  channel = await openChannel({
    target: options.target,
    session,
    sink,
    waiter,
    timing,
    ...(options.limits ? { limits: options.limits } : {}),
    ...(options.trial ? { trial: true } : {}),
    ...(options.rate ? { rate: options.rate } : {}),
  });

  const peer: Peer = {
    session,
    transport: channel.transport,
    waiter,
    channel,
    get alive() {
      return alive;
    },
    get sessionEnded() {
      return sessionEnded;
    },
    get serverCapabilities() {
      return serverCapabilities;
    },
    get negotiated() {
      return negotiated;
    },
    opened,
    get noise() {
      return noise;
    },
    get challenge() {
      return beside?.challenge;
    },
    revision,
    get onTrial() {
      return onTrial;
    },
    set onTrial(value) {
      onTrial = value;
    },
    endpoint: options.target.kind === 'stdio' ? undefined : options.target.url,
    fetchBeside: async (address, request) => beside?.fetch(address, request) ?? { refused: 'there is no HTTP' },
    get sessionId() {
      return sessionId;
    },
    nextId: () => (counter += 1),
    headersFor,
    paramsFor,
    sendRaw,
    awaitId,
    lastEventId: (exchange) => lastEventIds.get(exchange),
    answerIn(manner) {
      answerer.manner = manner;
    },

    async handshake(how = {}) {
      declared = how.clientCapabilities ?? declared;
      if (era === 'stateless') {
        const pending = peer.request('server/discover', undefined, { ...how, deadlineMs: timing.startMs });
        const answer = await pending.answer;
        learn(answer, undefined);
        return answer;
      }
      const params = { protocolVersion: how.version ?? revision, capabilities: declared, clientInfo: clientInfo(toolVersion) };
      const pending = peer.request('initialize', params, {
        ...(how.headers ? { headers: how.headers } : {}),
        ...(how.deviation ? { deviation: how.deviation } : {}),
        deadlineMs: timing.startMs,
      });
      const answer = await pending.answer;
      learn(answer, pending.exchange?.id);
      const accepted = answer.kind === 'response' && 'result' in answer.message;
      if (accepted && how.initialized !== false) {
        // Who comes without credentials stays without them.
        const shown = how.headers && 'authorization' in how.headers ? { headers: { authorization: how.headers.authorization! } } : {};
        const sent = peer.notify('notifications/initialized', undefined, shown);
        await sent.exchange?.response;
      }
      return answer;
    },

    request(method, params, how = {}) {
      const token = how.progressToken === true ? `progress-${(tokens += 1)}` : how.progressToken;
      const meta = how.meta === null ? null : { ...how.meta, ...(token === undefined || token === false ? {} : { progressToken: token }) };
      const full = paramsFor(params, meta);
      const send = (id: unknown, repeats?: number): { id: unknown; sent: SentMessage } => {
        const message = { jsonrpc: '2.0', id, method, ...(full === undefined ? {} : { params: full }) };
        const sent = sendRaw(JSON.stringify(message), {
          message,
          ...(how.headers ? { headers: how.headers } : {}),
          ...(how.deviation ? { deviation: how.deviation } : {}),
          ...(repeats === undefined ? {} : { repeats }),
        });
        return { id, sent };
      };
      let last = send(how.id === undefined ? peer.nextId() : how.id);
      const answered = async (): Promise<Answer> => {
        for (let refusals = 1; ; refusals += 1) {
          const answer = await awaitId(last.id, last.sent, how.deadlineMs);
          const again = how.id === undefined && how.deviation === undefined && alive && !closing && options.rate?.mayRepeat(refusals) === true;
          if (!again || !(await wasBusy(last.sent, answer))) return answer;
          // No id may be used twice; whoever asks for it by name gets the new one.
          last = send(peer.nextId(), last.sent.seq);
        }
      };
      return {
        get id() {
          return last.id;
        },
        get seq() {
          return last.sent.seq;
        },
        get exchange() {
          return last.sent.exchange;
        },
        ...(token === undefined || token === false ? {} : { token }),
        answer: answered(),
      };
    },

    notify(method, params, how = {}) {
      const full = era === 'stateless' ? paramsFor(params) : params;
      const message = { jsonrpc: '2.0', method, ...(full === undefined ? {} : { params: full }) };
      return sendRaw(JSON.stringify(message), { message, ...how });
    },

    close() {
      closing ??= (async () => {
        // A client that is done with a session should say so (2025-03-26: transports, session management).
        if (channel!.transport === 'http' && sessionId !== undefined && alive) {
          const goodbye = channel!.exchange({ method: 'DELETE', headers: headersFor(undefined, { 'content-type': null }) });
          await goodbye?.begun;
          await Promise.race([goodbye?.response, deadline(timing.lateMs)]);
        }
        await beside?.close();
        waiter.cancelAll();
        await channel!.close();
      })();
      return closing;
    },
  };
  tellReady();
  return peer;
}

/** The server had no time for the request, whatever it says in the body. */
async function wasBusy({ exchange }: SentMessage, answer: Answer): Promise<boolean> {
  if (answer.kind === 'refused') return isBusy(answer.status);
  if (answer.kind !== 'response' || !exchange) return false;
  const outcome = await exchange.response;
  return 'status' in outcome && isBusy(outcome.status);
}

function deadline(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}

function answers(event: TraceEvent, id: unknown): boolean {
  return responseIn(event, id) !== undefined;
}
