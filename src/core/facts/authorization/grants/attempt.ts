/**
 * Attempts of a client to get a token for a resource: which requests belong to one, when one begins and when it is over.
 * It makes no judgement.
 */
import { append } from '../../../model/lists.ts';
import { withoutEndSlashes } from '../../../model/end-slashes.ts';
import type { Leg } from './legs.ts';

/** Why an attempt began: 401, 403 with insufficient_scope, or nothing that the trace shows. */
export type Cause = 'unauthorized' | 'scope' | 'none';

export interface Resource {
  /** With port, lower case. */
  host: string;
  /** Path of the endpoint, without a slash at its end. */
  path: string;
  /** The path has a slash at its end. */
  slashed?: boolean;
}

/** A request to the resource. */
export interface Call {
  seq: number;
  /** Where a token would be: in a Bearer header, nowhere, in the query, or in another scheme. */
  credentials: 'bearer' | 'none' | 'query' | 'other';
  /** Its Authorization header, as redacted. */
  shown: string;
  session: string | undefined;
  method?: string;
  /** Its method with its parameters, to compare it with others. */
  content?: string;
  status?: number;
}

export interface Attempt {
  resource: Resource;
  cause: Cause;
  /** Parameters of the Bearer challenge; undefined without one. */
  challenge: Record<string, string> | undefined;
  /** Seq of the reply with it. */
  challengeSeq: number | undefined;
  legs: Leg[];
  /** The client ended behind it. */
  ended: boolean;
  /** The refused request. */
  refused: Call | undefined;
  /** How often it was sent again with the same token, and refused again, before the client did anything else about it. */
  repeats: number;
  /** Requests to the resource behind the first token. */
  calls: Call[];
  /** The newest attempt before it, at this resource. */
  before: Attempt | undefined;
  /** All attempts of the trace. */
  all: readonly Attempt[];
  events: number[];
}

const mostAttempts = 200;
const mostLegs = 100;
const mostCalls = 200;

export interface Attempts {
  /** A request to the resource is sent. */
  call(resource: Resource, call: Call): void;
  /** It was refused for its credentials. */
  refused(
    resource: Resource,
    call: Call,
    cause: Cause,
    challenge: Record<string, string> | undefined,
    seq: number,
  ): void;
  /** A leg begins. */
  leg(leg: Leg): void;
  /** The client ended; nothing of it follows. */
  clientEnded(seq: number): void;
  readonly all: readonly Attempt[];
}

export function createAttempts(): Attempts {
  const all: Attempt[] = [];
  const byHost = new Map<string, Attempt>();
  let newest: Attempt | undefined;

  function begin(
    resource: Resource,
    cause: Cause,
    challenge: Record<string, string> | undefined,
    seq: number,
  ): Attempt | undefined {
    if (all.length >= mostAttempts) return undefined;
    const before = byHost.get(resource.host);
    const attempt: Attempt = {
      resource: {
        host: resource.host,
        path: withoutEndSlashes(resource.path),
        slashed: resource.path !== '/' && resource.path.endsWith('/'),
      },
      cause,
      challenge,
      challengeSeq: challenge === undefined ? undefined : seq,
      legs: [],
      ended: false,
      refused: undefined,
      repeats: 0,
      calls: [],
      before,
      all,
      events: [seq],
    };
    all.push(attempt);
    byHost.set(resource.host, attempt);
    newest = attempt;
    return attempt;
  }

  return {
    all,
    call(resource, call) {
      const attempt = byHost.get(resource.host);
      if (attempt === undefined || tokenSeqOf(attempt) === undefined || attempt.calls.length >= mostCalls) return;
      attempt.calls.push(call);
      // The first use, and whatever is out of the ordinary.
      if (attempt.events.length < 60 && (attempt.calls.length === 1 || call.credentials !== 'bearer'))
        attempt.events.push(call.seq);
    },
    refused(resource, call, cause, challenge, seq) {
      const { credentials, seq: sent } = call;
      const current = byHost.get(resource.host);
      if (current === undefined) return start(resource, call, cause, challenge, seq);
      const token = tokenSeqOf(current);
      const acts = current.legs.filter(({ kind }) => kind === 'authorization' || kind === 'token');
      // Requests that were under way, and such as came without the token that there was.
      if (token === undefined ? acts.length === 0 || sent < acts[0]!.seq : sent < token || credentials === 'none') {
        if (current.challenge === undefined && challenge !== undefined)
          Object.assign(current, { challenge, challengeSeq: seq });
        if (current.cause === 'scope' && cause === 'scope' && isRepeated(current, call)) {
          current.repeats += 1;
          if (current.repeats < 10) append(current.events, [call.seq, seq]);
        }
        return;
      }
      start(resource, call, cause, challenge, seq);
    },
    clientEnded(seq) {
      for (const attempt of byHost.values()) {
        if (attempt.ended) continue;
        attempt.ended = true;
        attempt.events.push(seq);
      }
    },
    leg(leg) {
      const attempt = attemptFor(leg) ?? (leg.kind === 'document' ? ownAttempt(leg) : undefined);
      if (attempt === undefined || attempt.legs.length >= mostLegs) return;
      attempt.legs.push(leg);
    },
  };

  function start(
    resource: Resource,
    call: Call,
    cause: Cause,
    challenge: Record<string, string> | undefined,
    seq: number,
  ): void {
    const attempt = begin(resource, cause, challenge, seq);
    if (attempt !== undefined) attempt.refused = call;
  }

  /** The newest attempt that the leg fits to; one that has its token and uses it is over. */
  function attemptFor(leg: Leg): Attempt | undefined {
    if (newest === undefined) return undefined;
    const isOver = newest.calls.some(({ credentials }) => credentials === 'bearer');
    if (!isOver) return newest;
    return leg.kind === 'document' || leg.kind === 'other'
      ? newest
      : begin(newest.resource, 'none', undefined, leg.seq);
  }

  /** A client that asks for metadata before it was refused. */
  function ownAttempt({ document, host, seq }: Leg): Attempt | undefined {
    if (document?.kind !== 'resource') return undefined;
    return begin({ host, path: document.subject.slice(host.length) }, 'none', undefined, seq);
  }
}

/** The same request with the same token, sent once the refusal had come. */
function isRepeated({ events, refused }: Attempt, { content, seq, shown }: Call): boolean {
  return refused?.content !== undefined && content === refused.content && shown === refused.shown && seq > events[0]!;
}

/** When the attempt got its first token; undefined where it got none. */
export function tokenSeqOf({ legs }: Attempt): number | undefined {
  return legs.find(isToken)?.doneSeq;
}

/** True for a token request that was granted. */
export function isToken({ kind, reply, status }: Leg): boolean {
  return kind === 'token' && status === 200 && typeof reply?.access_token === 'string';
}
