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
import { AnsweredOtherwise, NoEndpoint, NotSpoken, type Spoken } from '../target/answered-otherwise.ts';
import type { Answer, Peer } from '../peer/peer.ts';
import type { Detected, DetectOptions } from './detected.ts';
import { withEndpoint } from './find-endpoint.ts';
import { noConversation } from './not-speaking.ts';
import { openWithFallback, type Opened } from './legacy-fallback.ts';
import { namedVersions, withOlderRevision } from './refused-version.ts';
import { describe, resultOf } from './server-description.ts';
import type { HttpTarget, Target } from '../target/target.ts';
import { graceFor } from '../target/timing.ts';

type Json = Record<string, unknown>;

/**
 * @throws NotSpoken only on request; NoEndpoint when something other than an MCP server answers, with the address of
 * one in the neighbourhood; another McpcError (target) when it cannot be reached; AnsweredOtherwise when a server
 * answers, but no conversation is possible
 */
export async function detect(options: DetectOptions): Promise<Detected> {
  try {
    return await find(options);
  } catch (error) {
    const { target, open } = options;
    throw error instanceof NoEndpoint && target.kind !== 'stdio' ? await withEndpoint(error, target, open) : error;
  }
}

async function find(options: DetectOptions): Promise<Detected> {
  const { spec } = options;
  if (options.onlyIfSpoken !== undefined && spec !== 'auto') return detectSpoken(options, spec, options.onlyIfSpoken);
  if (spec !== 'auto' && eraOf(spec) === 'stateless') return detectStateless(options, spec);
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
    if (spec === 'auto' && options.askForStateless !== false && first.target.kind !== 'sse') {
      const target = first.target;
      const alsoModern = await alsoStateless(options, first, result.protocolVersion);
      if (alsoModern || !first.peer.alive) {
        await first.peer.close();
        // A server for a single client may have left the first for the second.
        return alsoModern
          ? detectStateless({ ...options, target }, newestRevision)
          : find({ ...options, target, fallback: false, askForStateless: false });
      }
    }
    return {
      target: first.target,
      era: 'stateful',
      revision: result.protocolVersion,
      peer: first.peer,
      ...describe(result),
    };
  }
  if (result && !hasRevisionForm(result.protocolVersion)) {
    const assumed = `the server answers initialize with the protocol version ${reported(result.protocolVersion)}, which no revision has; it was taken as ${asked}`;
    return { target: first.target, era: 'stateful', revision: asked, peer: first.peer, assumed, ...describe(result) };
  }
  if (result) {
    await first.peer.close();
    const newer = targetError(
      `The server answers initialize with the protocol version ${reported(result.protocolVersion)}, which this version of mcpc does not know.`,
      'A server may be newer than mcpc: use a newer mcpc, or name a revision with --spec.',
    );
    throw new AnsweredOtherwise(newer, { target: first.target, era: 'stateful', revision: asked });
  }
  if (isLocked(answer) && first.target.kind === 'http') return locked(first.target, 'stateful', asked, first.peer);
  await first.peer.close();
  const other = spec === 'auto' ? await afterRefusal({ ...options, target: first.target }, asked, answer) : [];
  if (!Array.isArray(other)) return other;
  const spoken: Spoken = { target: first.target, era: 'stateful', revision: asked };
  throw noConversation([first.peer, ...other], spoken, answer, 'initialize', first.note);
}

/**
 * Other revisions of a server that refuses `initialize`: the stateless era, or one older than the requested one. Where
 * it is neither, the closed connections that were tried.
 */
async function afterRefusal(options: DetectOptions, asked: Revision, answer: Answer): Promise<Detected | Peer[]> {
  if (answer.kind === 'closed' || answer.kind === 'timeout') return [];
  const named = namedVersions(answer);
  const mayBeStateless = options.target.kind !== 'sse' && (named.length === 0 || named.includes(newestRevision));
  const modern = mayBeStateless ? await asStateless(options, newestRevision) : undefined;
  if (modern && 'era' in modern) return modern;
  const older = await withOlderRevision(options, asked, answer);
  if (older) return { ...older, target: options.target, era: 'stateful' };
  return modern ? [modern.peer] : [];
}

/** A value that the server sent, for a sentence. */
function reported(value: unknown): string {
  const text = JSON.stringify(value);
  return text === undefined ? 'none' : text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Text about a server that answers with another revision than the required one, if that ends the check. */
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
  if (why === undefined) throw noConversation([peer], { target, era, revision }, answer, methodOf(era));
  throw new NotSpoken(revision, why);
}

async function openStateless(
  options: DetectOptions,
  revision: Revision,
  how: { deadlineMs?: number },
): Promise<Opened> {
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
          ? `${method} is answered with error ${reported(error?.code)}`
          : `${method} is answered with ${reported(result.protocolVersion)}`;
      }
      const listed = result?.supportedVersions ?? (error?.data as Json | null | undefined)?.supported;
      if (Array.isArray(listed)) return listed.includes(revision) ? null : `${method} does not list it`;
      if (error?.code === -32020 || error?.code === -32021) return null;
      return result === undefined
        ? `${method} is answered with error ${reported(error?.code)}`
        : `${method} is answered without supportedVersions`;
    }
  }
}

/**
 * Tests if a server that accepts `initialize` also speaks the stateless era, on a separate connection: a server may
 * choose one era by the first message on a connection (2026-07-28: basic/versioning). An answer in other terms, or
 * none, means that it does not.
 * @param revision that the server speaks
 */
async function alsoStateless(
  options: DetectOptions,
  first: { target: Target; peer: Peer },
  revision: Revision,
): Promise<boolean> {
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
    const asked = peer.discover({
      deviation: 'asks in the terms of the stateless era, to learn whether the server speaks it too',
      deadlineMs: graceFor(tookMs),
    });
    options.onLikely?.({ target: first.target, era: 'stateful', revision });
    const answer = await asked.answer;
    const versions = resultOf(answer)?.supportedVersions;
    await peer.close();
    return Array.isArray(versions) && versions.includes(newestRevision);
  } catch {
    // A connection that cannot be opened beside the first says nothing for the era.
    return false;
  } finally {
    first.peer.onTrial = false;
  }
}

async function detectStateless(options: DetectOptions, revision: Revision): Promise<Detected> {
  const found = await asStateless(options, revision);
  if ('era' in found) return found;
  const spoken: Spoken = { target: options.target, era: 'stateless', revision };
  throw noConversation([found.peer], spoken, found.answer, 'server/discover');
}

/** Speaks to the target as in the stateless era; returns the answer of one that does not understand it. */
async function asStateless(
  options: DetectOptions,
  revision: Revision,
): Promise<Detected | { peer: Peer; answer: Answer }> {
  const peer = await options.open(options.target, 'stateless', revision);
  const answer = await peer.handshake();
  const result = resultOf(answer);
  if (isLocked(answer) && options.target.kind === 'http') return locked(options.target, 'stateless', revision, peer);
  // Rules judge what discovery answers; to go on it is enough that the server answers in the terms of the era.
  const code = answer.kind === 'response' ? (answer.message.error as Json | undefined)?.code : undefined;
  const modern =
    result !== undefined || code === -32020 || code === -32021 || code === -32022 || options.spec !== 'auto';
  if (modern && (answer.kind === 'response' || (answer.kind === 'refused' && (await sendsJsonRpc(peer))))) {
    return { target: options.target, era: 'stateless', revision, peer, ...describe(result ?? {}) };
  }
  await peer.close();
  return { peer, answer };
}

/**
 * True if a target that refuses discovery without JSON-RPC is a server nevertheless: it answers a request that most
 * servers know.
 */
async function sendsJsonRpc(peer: Peer): Promise<boolean> {
  if (peer.heard !== 'messages') await peer.request('tools/list').answer;
  return peer.heard === 'messages';
}

function isLocked(answer: Answer): boolean {
  return answer.kind === 'refused' && answer.status === 401;
}

/** A target that shows only its authentication; the revision is the requested one. */
function locked(target: HttpTarget, era: Era, revision: Revision, peer: Peer): Detected {
  const given = target.headers.some(([name]) => name.toLowerCase() === 'authorization');
  const reason = given
    ? 'the server refuses the credentials given (HTTP 401)'
    : 'the server wants credentials (HTTP 401): give it a token with --token';
  return { target, era, revision, peer, capabilities: [], locked: reason };
}
