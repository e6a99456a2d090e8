/**
 * Opens a client of our own on one connection (see peer.ts): numbers its requests, waits for answers, answers the server's
 * requests, keeps the session id and the negotiated revision. Faultless unless a step asks otherwise.
 */
import { asObject } from '../../core/model/json.ts';
import type { EventSink, TraceEvent } from '../../core/model/trace.ts';
import { noPermission } from '../../core/permission/decide.ts';
import { newestRevision } from '../../core/spec/revisions.ts';
import { within } from '../transport/within.ts';
import { lookAtTaskOf } from './task-polls.ts';
import { createAnswerWait, mostWaits } from './answer-wait.ts';
import { createOutOfBand, knownOf } from './out-of-band.ts';
import type { Channel } from './channels/channel.ts';
import { openChannel } from './channels/open-channel.ts';
import { agreementOf, createListedTools, type ListedTools } from './answers/agreement.ts';
import { clientCapabilities, clientInfo, createAnswerer } from './answers/client-answers.ts';
import { inputsFor, withInputRounds } from './input-rounds.ts';
import { createConnectionState } from './connection-state.ts';
import { changeHeaders, correctHeaders, streamHeaders } from './correct-headers.ts';
import type { Peer, PeerHub, PeerOptions } from './peer.ts';
import { createLenientReader } from './lenient-reader.ts';
import { createOddForm } from './odd-form.ts';
import { createParamHeaders, type ParamHeaders } from './param-headers.ts';
import { createPeerRequests } from './peer-requests.ts';
import { statelessMeta, withMeta } from './answers/request-meta.ts';
import { createQuestionFlood, type QuestionFlood } from './answers/question-flood.ts';
import { createServerRequests } from './answers/server-requests.ts';
import { createReplyTimes, type ReplyTimes } from './reply-times.ts';
import { createWaiter } from './channels/waiter.ts';
import { createWorkQueue, type WorkQueue } from '../load/work-queue.ts';
import type { HeaderChanges } from '../../core/model/request-headers.ts';

type Json = Record<string, unknown>;

/**
 * Opens peers that share one recorder.
 * @param subscribe calls the listener with every event, as it happened
 */
export function createPeerHub(sink: EventSink, subscribe: (listener: (event: TraceEvent) => void) => void): PeerHub {
  const handlers = new Map<string, (event: TraceEvent) => void>();
  let count = 0;
  /** Of all connections: what one of them saw listed is called on others. */
  const paramHeaders = createParamHeaders();
  const tools = createListedTools();
  const workQueue = createWorkQueue();
  subscribe((event) => {
    handlers.get(event.session)?.(event);
    paramHeaders.learn(event);
    tools.learn(event);
    workQueue.observe(event);
  });
  /** Of one request, while the server goes on asking. */
  const waits = { most: mostWaits, inVain: false };
  const lenience = { needed: false, told: new Set<string>() };
  const flood = createQuestionFlood(sink);
  const replyTimes = createReplyTimes();
  return {
    open(options) {
      count += 1;
      const session = `s${count}`;
      // A server that sends the answers of one connection on another is found by their ids: no two connections share any.
      const lastId = options.target.kind === 'stdio' ? 0 : (count - 1) * 10_000;
      return openPeer(
        {
          ...options,
          session,
          sink: flood.sink,
          flood,
          waits,
          lenience,
          paramHeaders,
          tools,
          replyTimes,
          workQueue,
          lastId,
        },
        (handler) => handlers.set(session, handler),
      );
    },
  };
}

/** Shared state of the connections of a run. */
interface Known {
  waits: { most: number; inVain: boolean };
  /** Forms of the server that were read leniently. */
  lenience: { needed: boolean; told: Set<string> };
  paramHeaders: ParamHeaders;
  tools: ListedTools;
  flood: QuestionFlood;
  replyTimes: ReplyTimes;
  workQueue: WorkQueue;
  /** The number before the id of the first request. */
  lastId: number;
}

async function openPeer(
  options: PeerOptions & Known,
  listen: (handler: (event: TraceEvent) => void) => void,
): Promise<Peer> {
  const { sink, session, timing, era, revision, toolVersion, clientName, waits, rate, workQueue } = options;
  const waiter = createWaiter();
  const state = createConnectionState({ session, negotiated: era === 'stateless' ? revision : undefined, rate });
  const answerer = createAnswerer(options.canned, options.permission);
  let channel: Channel | undefined;
  let { lastId } = options;
  const nextId = (): number => (lastId += 1);
  const began = performance.now();
  let resolveOpened: (ms: number) => void = () => {};
  const opened = new Promise<number>((resolve) => (resolveOpened = resolve));
  let reportReady: (peer: Peer) => void = () => {};
  /** The peer is there: over HTTP+SSE a server may ask while its stream is still being opened. */
  const ready = new Promise<Peer>((resolve) => (reportReady = resolve));
  let declared: Json = options.capabilities ?? clientCapabilities(revision);
  let closing: Promise<void> | undefined;
  const isAlive = (): boolean => state.alive && !closing;
  let onTrial = options.trial === true;
  const others =
    options.target.kind === 'stdio' ? undefined : createOutOfBand(options.target, { session, sink, timing });
  const serverRequests = createServerRequests({
    answerer,
    declared: () => declared,
    async send(message, params, deviation) {
      await lookAtTaskOf(params, await ready);
      if (!isAlive()) return;
      await sendRaw(JSON.stringify(message), { message, ...(deviation === undefined ? {} : { deviation }) }).exchange
        ?.response;
    },
  });

  const lenient =
    options.target.kind === 'stdio'
      ? createLenientReader({
          session,
          sink,
          readUnfinished: () => channel?.readUnfinished?.() === true,
          graceMs: 2 * timing.lateMs,
          known: options.lenience,
        })
      : undefined;

  const form = createOddForm(options.target.kind, options.lenience.told);

  function handle(event: TraceEvent): void {
    if (others?.takes(event)) return;
    state.observe(event);
    lenient?.observe(event);
    const odd = form.markFor(event);
    if (odd) sink(odd);
    // Only what the era allows is answered; a request in the stateless era is a fault that rules report.
    if (era === 'stateful' && !state.isEcho(event)) serverRequests.observe(event);
    waiter.notify(event);
  }

  function headersFor(message: unknown, changes: HeaderChanges = {}): [string, string][] {
    if (!channel || channel.transport === 'stdio') return [];
    const version = state.negotiated ?? (era === 'stateless' ? revision : undefined);
    const own = options.target.kind === 'stdio' ? [] : options.target.headers;
    const params = era === 'stateless' ? options.paramHeaders.of(message) : [];
    return changeHeaders(
      [
        ...own,
        ...correctHeaders({ message, transport: channel.transport, era, version, sessionId: state.sessionId }),
        ...params,
      ],
      changes,
    );
  }

  const sendRaw: Peer['sendRaw'] = (text, { message, headers, deviation, repeats, deadlineMs } = {}) => {
    const sent = channel!.send({
      text,
      message,
      headers: headersFor(message, headers),
      ...(deviation ? { deviation } : {}),
      ...(repeats === undefined ? {} : { repeats }),
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
      ...(onTrial ? { trial: true } : {}),
    });
    const note = (): void => {
      if (sent.exchange) state.isSound(sent.exchange.id, asObject(message)?.method);
    };
    if (deviation === undefined && headers === undefined) void (sent.begun ? sent.begun.then(note) : note());
    return sent;
  };

  function paramsFor(params: unknown, meta: Json | null = {}): unknown {
    if (meta === null) return params;
    return withMeta(params, {
      ...(era === 'stateless' ? statelessMeta(revision, declared, toolVersion, clientName) : {}),
      ...meta,
    });
  }

  const awaitId = createAnswerWait({
    session,
    sink,
    timing,
    waiter,
    state,
    waits,
    quick: options.quick === true,
    slowestMs: () => options.replyTimes.slowestMs,
    asked: () => serverRequests.asked,
    mayBeWaiting: (id) => workQueue.mayBeWaiting(session, id),
    channel: () => channel!,
    isClosing: () => closing !== undefined,
    ...(era === 'stateless'
      ? {}
      : {
          resume: (id) =>
            channel!.exchange({
              method: 'GET',
              headers: headersFor(undefined, { ...streamHeaders, 'last-event-id': id }),
            }),
        }),
    onFirst: () => resolveOpened(performance.now() - began),
  });

  listen(handle);
  channel = await openChannel({
    target: others?.target ?? options.target,
    session,
    sink,
    waiter,
    timing,
    ...(options.limits ? { limits: options.limits } : {}),
    ...(options.trial ? { trial: true } : {}),
    ...(rate ? { rate } : {}),
    ...(lenient ? { onUnfinished: lenient.unfinished } : {}),
  });

  const mayRepeat = async (refusals: number): Promise<boolean> =>
    isAlive() &&
    rate !== undefined &&
    (await (onTrial ? rate.mayRepeat(refusals) : rate.mayBegin(refusals, session))) &&
    isAlive();
  const { request, sendWritten } = createPeerRequests({
    paramsFor,
    sendRaw,
    awaitId,
    nextId,
    lastToken: options.lastId,
    mayRepeat,
    onLimit: (limit, method) => rate?.limited(limit, method === 'initialize' ? session : undefined),
    onAnswer: options.replyTimes.note,
  });
  const mayAgree = options.canned?.elicitation
    ? () => true
    : agreementOf(options.tools, options.permission ?? noPermission);

  const rounds = {
    session,
    sink,
    request,
    answerer,
    declared: () => declared,
    mayAgree,
    isAlive,
    ...(options.hintedAnswer ? { hintedAnswer: options.hintedAnswer } : {}),
  };

  const peer: Peer = {
    session,
    transport: channel.transport,
    waiter,
    channel,
    get alive() {
      return state.alive;
    },
    get sessionEnded() {
      return state.sessionEnded;
    },
    get serverCapabilities() {
      return state.serverCapabilities;
    },
    get negotiated() {
      return state.negotiated;
    },
    opened,
    get noise() {
      return state.noise;
    },
    get heard() {
      return state.heard;
    },
    get challenge() {
      return others?.challenge;
    },
    revision,
    get onTrial() {
      return onTrial;
    },
    set onTrial(value) {
      onTrial = value;
    },
    ...knownOf(others),
    fetchOutOfBand: async (address, request) => others?.fetch(address, request) ?? { refused: 'there is no HTTP' },
    get sessionId() {
      return state.sessionId;
    },
    nextId,
    request: era === 'stateless' ? withInputRounds(rounds) : request,
    inputsFor: (result, asked) => inputsFor(result, asked, rounds),
    headersFor,
    paramsFor,
    sendRaw,
    sendWritten,
    awaitId,
    get briefMs() {
      return options.replyTimes.briefMs(peer.transport, timing);
    },
    get slowestMs() {
      return options.replyTimes.slowestMs;
    },
    lastEventId: state.lastEventId,
    answerIn(behavior) {
      answerer.behavior = behavior;
    },

    discover: (how = {}) =>
      peer.request('server/discover', undefined, {
        ...how,
        ...(era === 'stateless'
          ? {}
          : { meta: statelessMeta(newestRevision, clientCapabilities(newestRevision), toolVersion, clientName) }),
      }),

    async handshake(how = {}) {
      declared = how.clientCapabilities ?? declared;
      if (era === 'stateless') {
        const answer = await peer.discover({ ...how, deadlineMs: how.deadlineMs ?? timing.startMs }).answer;
        state.learn(answer, undefined);
        return answer;
      }
      const params = {
        protocolVersion: how.version ?? revision,
        capabilities: declared,
        clientInfo: clientInfo(toolVersion, clientName),
      };
      const pending = peer.request('initialize', params, {
        ...(how.headers ? { headers: how.headers } : {}),
        ...(how.deviation ? { deviation: how.deviation } : {}),
        deadlineMs: how.deadlineMs ?? timing.startMs,
      });
      const answer = await pending.answer;
      state.learn(answer, pending.exchange?.id, params.protocolVersion);
      const accepted = answer.kind === 'response' && 'result' in answer.message;
      if (accepted && how.initialized !== false) {
        // A client without credentials stays without them.
        const shown =
          how.headers && 'authorization' in how.headers
            ? { headers: { authorization: how.headers.authorization! } }
            : {};
        const sent = peer.notify('notifications/initialized', undefined, shown);
        await sent.exchange?.response;
      }
      return answer;
    },

    notify(method, params, how = {}) {
      const full = era === 'stateless' ? paramsFor(params) : params;
      const message = { jsonrpc: '2.0', method, ...(full === undefined ? {} : { params: full }) };
      return sendRaw(JSON.stringify(message), { message, ...how });
    },

    close() {
      closing ??= (async () => {
        // A client that is done with a session should say so (2025-03-26: transports, session management).
        if (channel!.transport === 'http' && state.sessionId !== undefined && state.alive && !state.sessionDeleted) {
          const goodbye = channel!.exchange({
            method: 'DELETE',
            headers: headersFor(undefined, { 'content-type': null }),
          });
          await goodbye?.begun;
          if (goodbye && (await within(goodbye.response, timing.lateMs)))
            await Promise.race([goodbye.response, goodbye.again]);
        }
        rate?.sessions.over(session);
        // A 404 in it is judged if the session turns out to continue.
        if (state.sessionEnded) {
          const message = { jsonrpc: '2.0', id: nextId(), method: 'ping' };
          const { exchange } = sendRaw(JSON.stringify(message), {
            message,
            deviation: 'goes on in a session that the server seems to have ended',
          });
          if (exchange) await within(exchange.response, timing.lateMs);
        }
        await others?.close();
        lenient?.close();
        waiter.cancelAll();
        options.flood.end(session);
        await channel!.close();
      })();
      return closing;
    },
  };
  reportReady(peer);
  return peer;
}
