/**
 * Finds out how a target speaks: era and newest revision, and for an address whether Streamable HTTP or
 * HTTP+SSE (2025-11-25: basic/transports, backwards compatibility; 2026-07-28: basic/versioning).
 */
import { targetError, type McpcError } from '../../core/model/errors.ts';
import type { Era, Revision } from '../../core/model/rules/requirement.ts';
import {
  eraOf,
  hasRevisionForm,
  isKnownRevision,
  newestRevision,
  newestStatefulRevision,
} from '../../core/spec/revisions.ts';
import { AnsweredOtherwise, NotSpoken, type Spoken } from './answered-otherwise.ts';
import type { Answer, Peer } from '../peer/peer.ts';
import { noConversation } from './not-speaking.ts';
import type { HttpTarget, Target } from './target.ts';
import { graceFor } from './timing.ts';

type Json = Record<string, unknown>;

export interface Detected {
  target: Target;
  era: Era;
  revision: Revision;
  /** An open session after its handshake, to go on with. */
  peer: Peer;
  /** Another one, without a handshake yet: the server was asked there for the stateless era, and knows no such request. */
  spare?: Peer;
  serverInfo?: Json;
  /** Set when the target wants credentials, or others: nothing but its authorization can be checked. */
  locked?: string;
  /** The revision that the server answered with, where it is not the one that it is to be held to: nothing but that answer can be checked. */
  otherRevision?: Revision;
  /** The revision is the one that was asked for, since what the server names is none: how that is told. */
  assumed?: string;
  capabilities: string[];
}

export interface DetectOptions {
  target: Target;
  /** A revision to hold the target to, or auto. */
  spec: Revision | 'auto';
  /** Only Streamable HTTP, only HTTP+SSE, or whichever the address speaks. */
  fallback: boolean;
  /** Whether a server that takes the handshake is asked for the stateless era, too; only with `auto`, and by default. */
  askForStateless?: boolean;
  /** Ends with NotSpoken where the target does not speak the revision, in place of holding it to that; how long it may take to answer, if less than usual. */
  onlyIfSpoken?: { deadlineMs?: number };
  /** @param how `trial`: opened beside another connection only to ask for the other era; what befalls it is no fault */
  open(target: Target, era: Era, revision: Revision, how?: { trial?: true }): Promise<Peer>;
}

/** @throws NotSpoken only where that was asked for; McpcError (target) when it cannot be reached or sends nothing; AnsweredOtherwise when it answers, but so that no conversation can be led */
export async function detect(options: DetectOptions): Promise<Detected> {
  const { spec } = options;
  if (options.onlyIfSpoken !== undefined && spec !== 'auto') return detectSpoken(options, spec, options.onlyIfSpoken);
  if (spec !== 'auto' && eraOf(spec) === 'stateless') return detectStateless(options, spec, undefined);
  const asked = spec === 'auto' ? newestStatefulRevision : spec;
  const first = await openWithFallback(options, asked);
  const answer = first.answer;
  const result = resultOf(answer);
  if (result && isKnownRevision(result.protocolVersion)) {
    if (spec !== 'auto' && result.protocolVersion !== spec) {
      return {
        target: first.target,
        era: 'stateful',
        revision: spec,
        peer: first.peer,
        otherRevision: result.protocolVersion,
        ...describe(result),
      };
    }
    let spare: Peer | undefined;
    if (spec === 'auto' && options.askForStateless !== false && first.target.kind !== 'sse') {
      const target = first.target;
      const also = await alsoStateless(options, first, result.protocolVersion);
      if (also.modern || !first.peer.alive) {
        await Promise.all([first.peer.close(), also.spare?.close()]);
        // A server that bears one client only may have left the first for the second.
        return also.modern
          ? detectStateless({ ...options, target }, newestRevision, undefined)
          : detect({ ...options, target, fallback: false, askForStateless: false });
      }
      spare = also.spare;
    }
    return {
      target: first.target,
      era: 'stateful',
      revision: result.protocolVersion,
      peer: first.peer,
      spare,
      ...describe(result),
    };
  }
  if (result && !hasRevisionForm(result.protocolVersion)) {
    const assumed = `the server answers initialize with the protocol version ${told(result.protocolVersion)}, which no revision has; it was taken as ${asked}`;
    return { target: first.target, era: 'stateful', revision: asked, peer: first.peer, assumed, ...describe(result) };
  }
  if (result) {
    await first.peer.close();
    const newer = targetError(
      `The server answers initialize with the protocol version ${told(result.protocolVersion)}, which this version of mcpc does not know.`,
      'A server may be newer than mcpc: use a newer mcpc, or name a revision with --spec.',
    );
    throw new AnsweredOtherwise(newer, { target: first.target, era: 'stateful', revision: asked });
  }
  if (isLocked(answer) && first.target.kind === 'http') return locked(first.target, 'stateful', asked, first.peer);
  await first.peer.close();
  if (spec === 'auto' && answer.kind !== 'closed' && answer.kind !== 'timeout' && first.target.kind !== 'sse') {
    return detectStateless({ ...options, target: first.target }, newestRevision, {
      answer,
      spoken: { target: first.target, era: 'stateful', revision: asked },
    });
  }
  throw noConversation(first.peer, { target: first.target, era: 'stateful', revision: asked }, answer, 'initialize');
}

/** A value that the server sent, for a sentence. */
function told(value: unknown): string {
  const text = JSON.stringify(value);
  return text === undefined ? 'none' : text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** What is told of a server that answers with another revision than it is held to, where that ends the matter. */
export function speaksOther({ revision, otherRevision }: Pick<Detected, 'revision' | 'otherRevision'>): McpcError {
  return targetError(
    `The server does not speak revision ${revision}: it answers with ${otherRevision}.`,
    `Use --spec ${otherRevision}, or --spec auto.`,
  );
}

/** Goes on with a target that shows that it speaks the revision. What is no answer to that question proves nothing, and is an error. */
async function detectSpoken(
  options: DetectOptions,
  revision: Revision,
  how: { deadlineMs?: number },
): Promise<Detected> {
  const era = eraOf(revision);
  const { target, peer, answer } =
    era === 'stateful' ? await openWithFallback(options, revision, how) : await openStateless(options, revision, how);
  if (isLocked(answer) && target.kind === 'http') return locked(target, era, revision, peer);
  const why = whyNotSpoken(answer, revision, target);
  if (why === null) return { target, era, revision, peer, ...describe(resultOf(answer) ?? {}) };
  await peer.close();
  if (why === undefined) throw noConversation(peer, { target, era, revision }, answer, methodOf(era));
  throw new NotSpoken(revision, why);
}

async function openStateless(
  options: DetectOptions,
  revision: Revision,
  how: { deadlineMs?: number },
): Promise<{ target: Target; peer: Peer; answer: Answer }> {
  const peer = await options.open(options.target, 'stateless', revision);
  return { target: options.target, peer, answer: await peer.handshake(how) };
}

function methodOf(era: Era): string {
  return era === 'stateful' ? 'initialize' : 'server/discover';
}

/** Null where the answer shows that the revision is spoken, undefined where it shows neither. */
function whyNotSpoken(answer: Answer, revision: Revision, target: Target): string | null | undefined {
  const method = methodOf(eraOf(revision));
  switch (answer.kind) {
    case 'timeout':
      return `${method} is not answered`;
    case 'closed':
      // A process that ends at a first request that it does not know says so; a lost connection says nothing.
      return target.kind === 'stdio' ? `the process ends at ${method}` : undefined;
    case 'refused':
      return answer.status === 429 || answer.status >= 500
        ? undefined
        : `${method} is refused with HTTP status ${answer.status}`;
    default: {
      const result = resultOf(answer);
      const error = answer.message.error as Json | undefined;
      if (eraOf(revision) === 'stateful') {
        if (result?.protocolVersion === revision) return null;
        return result === undefined
          ? `${method} is answered with error ${told(error?.code)}`
          : `${method} is answered with ${told(result.protocolVersion)}`;
      }
      const listed = result?.supportedVersions ?? (error?.data as Json | null | undefined)?.supported;
      if (Array.isArray(listed)) return listed.includes(revision) ? null : `${method} does not list it`;
      if (error?.code === -32020 || error?.code === -32021) return null;
      return result === undefined
        ? `${method} is answered with error ${told(error?.code)}`
        : `${method} is answered without supportedVersions`;
    }
  }
}

async function openWithFallback(
  options: DetectOptions,
  revision: Revision,
  how: { deadlineMs?: number } = {},
): Promise<{ target: Target; peer: Peer; answer: Answer }> {
  const { target } = options;
  // HTTP+SSE is the transport of 2024-11-05, whatever version servers on it negotiate.
  const peer = await options.open(target, 'stateful', revision);
  const answer = await peer.handshake(how);
  const refused = answer.kind === 'refused' && [400, 404, 405, 406, 415, 501].includes(answer.status);
  if (!refused || target.kind !== 'http' || !options.fallback) return { target, peer, answer };
  const legacy: HttpTarget = { ...target, kind: 'sse' };
  try {
    const other = await options.open(legacy, 'stateful', revision);
    const second = await other.handshake(how);
    if (resultOf(second)) {
      await peer.close();
      return { target: legacy, peer: other, answer: second };
    }
    await other.close();
  } catch (error) {
    // A stream where nothing takes POST, though it names no address for them, is one of HTTP+SSE.
    if (error instanceof AnsweredOtherwise && error.spoken.streamed && answer.status !== 400) throw error;
    // No event stream there either: the first answer is the one to report.
  }
  return { target, peer, answer };
}

/** What a server answers that does not know a method. */
const methodNotFound = -32601;

/**
 * Asks whether a server that takes `initialize` also speaks the stateless era, on a connection of its own: a server may
 * bind itself to one era by the first message on a connection (2026-07-28: basic/versioning). An answer in other terms,
 * or none, means that it does not. On stdio a server that knows no such request is as it was: what is left of its process
 * can begin a session.
 * @param revision that the server speaks
 */
async function alsoStateless(
  options: DetectOptions,
  first: { target: Target; peer: Peer },
  revision: Revision,
): Promise<{ modern: boolean; spare?: Peer }> {
  const tookMs = await first.peer.opened;
  const isProcess = first.target.kind === 'stdio';
  first.peer.onTrial = true;
  try {
    const peer = await options.open(
      first.target,
      isProcess ? 'stateful' : 'stateless',
      isProcess ? revision : newestRevision,
      { trial: true },
    );
    const answer = await peer.discover({
      deviation: 'asks in the terms of the stateless era, to learn whether the server speaks it too',
      deadlineMs: graceFor(tookMs),
    }).answer;
    const versions = resultOf(answer)?.supportedVersions;
    const modern = Array.isArray(versions) && versions.includes(newestRevision);
    if (
      isProcess &&
      peer.alive &&
      answer.kind === 'response' &&
      (answer.message.error as Json | undefined)?.code === methodNotFound
    ) {
      peer.onTrial = false;
      return { modern, spare: peer };
    }
    await peer.close();
    return { modern };
  } catch {
    // A connection that cannot be opened beside the first says nothing for the era.
    return { modern: false };
  } finally {
    first.peer.onTrial = false;
  }
}

/** @param before the answer to an `initialize` that was tried first */
async function detectStateless(
  options: DetectOptions,
  revision: Revision,
  before: { answer: Answer; spoken: Spoken } | undefined,
): Promise<Detected> {
  const peer = await options.open(options.target, 'stateless', revision);
  const answer = await peer.handshake();
  const result = resultOf(answer);
  if (isLocked(answer) && options.target.kind === 'http') return locked(options.target, 'stateless', revision, peer);
  // Rules judge what discovery answers; to go on it is enough that the server answers in the terms of the era.
  const code = answer.kind === 'response' ? (answer.message.error as Json | undefined)?.code : undefined;
  const modern =
    result !== undefined || code === -32020 || code === -32021 || code === -32022 || options.spec !== 'auto';
  if (modern && (answer.kind === 'response' || answer.kind === 'refused')) {
    return { target: options.target, era: 'stateless', revision, peer, ...describe(result ?? {}) };
  }
  await peer.close();
  if (before) throw noConversation(peer, before.spoken, before.answer, 'initialize');
  throw noConversation(peer, { target: options.target, era: 'stateless', revision }, answer, 'server/discover');
}

function isLocked(answer: Answer): boolean {
  return answer.kind === 'refused' && answer.status === 401;
}

/** A target that shows nothing but its door; the revision is the one that it was asked for. */
function locked(target: HttpTarget, era: Era, revision: Revision, peer: Peer): Detected {
  const given = target.headers.some(([name]) => name.toLowerCase() === 'authorization');
  const reason = given
    ? 'the server refuses the credentials given (HTTP 401)'
    : 'the server wants credentials (HTTP 401): give it a token with --token';
  return { target, era, revision, peer, capabilities: [], locked: reason };
}

function resultOf(answer: Answer): Json | undefined {
  const result = answer.kind === 'response' ? answer.message.result : undefined;
  return typeof result === 'object' && result !== null ? (result as Json) : undefined;
}

function describe(result: Json): { serverInfo?: Json; capabilities: string[] } {
  const meta = result._meta as Json | undefined;
  const info = (result.serverInfo ?? meta?.['io.modelcontextprotocol/serverInfo']) as Json | undefined;
  const capabilities =
    typeof result.capabilities === 'object' && result.capabilities !== null ? Object.keys(result.capabilities) : [];
  return { ...(info && typeof info === 'object' ? { serverInfo: shortened(info) } : {}), capabilities };
}

/** Longest text of serverInfo that goes to headers and reports; the trace has the message as it came. */
const longestText = 1000;
const mostMembers = 50;

/** What is told of a server: long texts are cut, and what is no text is left out where it is long. */
function shortened(info: Json): Json {
  const members = Object.entries(info).slice(0, mostMembers);
  return Object.fromEntries(
    members.flatMap(([name, value]): [string, unknown][] => {
      if (typeof value === 'string')
        return [[name, value.length > longestText ? `${value.slice(0, longestText)}…` : value]];
      return JSON.stringify(value).length > longestText ? [] : [[name, value]];
    }),
  );
}
