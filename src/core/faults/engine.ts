/**
 * Injects a fault into a server: selects its messages and HTTP replies, and changes them. Works on values only; the
 * sender of the messages passes them in and writes the result.
 */
import { isDeepStrictEqual } from 'node:util';
import { resolvePath } from '../facts/values/json-path.ts';
import type { Fault, FaultPlace, HttpPlace, MethodNames } from '../model/rules/mutation.ts';
import { holdsMore } from './more-members.ts';
import { operatorsOf, type HeardHead, type HttpHead, type Json, type Sending } from './operators.ts';

/** A message of the server on its way out. */
export interface Outgoing {
  message: Json;
  kind: 'request' | 'notification' | 'result' | 'error';
  /** Its method, or that of the request that it answers; undefined where that could not be read. */
  method: string | undefined;
  /** The request that it answers, where that is known. */
  asked?: unknown;
  /** The connection; messages are counted on each. */
  connection: object;
}

/** An HTTP reply before its head is sent. */
export interface Replying extends HttpHead {
  /** Verb of the HTTP request. */
  verb: string;
  posted?: HttpPlace['posted'];
  /** Method of the message that was posted. */
  method?: string | undefined;
  /** The message that the body holds, where it is one and no stream. */
  message?: unknown;
}

/** An HTTP request that comes in. */
export interface Arriving extends Pick<HeardHead, 'headers' | 'names'> {
  verb: string;
}

export interface FaultEngine {
  /** Replacement of the message; empty to drop it. */
  send(outgoing: Outgoing): Sending[];
  /** Status and headers that are sent. */
  head(replying: Replying): HttpHead;
  /** The headers that the server takes in. */
  hear(arriving: Arriving): Arriving['headers'];
}

/** An engine with counters of its own. */
export function createFaultEngine(fault: Fault): FaultEngine {
  const { on } = fault;
  const operators = operatorsOf(fault);
  const counts = new WeakMap<object, number>();
  let given: string | undefined;

  function isTurn(connection: object): boolean {
    if (on.nth === undefined) return true;
    const count = (counts.get(connection) ?? 0) + 1;
    counts.set(connection, count);
    return count === on.nth;
  }

  return {
    send(outgoing) {
      const untouched = [{ message: outgoing.message }];
      if (
        !operators.some(({ over }) => over === 'message') ||
        !isBefallen(on, outgoing) ||
        !isTurn(outgoing.connection)
      )
        return untouched;
      let sendings: Sending[] = untouched;
      for (const operator of operators) {
        if (operator.over === 'message') sendings = sendings.flatMap((sending) => operator.change(sending, fault));
      }
      return sendings;
    },
    head(replying) {
      const { status, headers } = replying;
      given = Object.entries(headers).find(([name]) => name.toLowerCase() === sessionHeader)?.[1] ?? given;
      let head: HttpHead = { status, headers };
      if (!isReplyBefallen(on, replying)) return head;
      for (const operator of operators) if (operator.over === 'http') head = operator.change(head, fault);
      return head;
    },
    hear({ verb, headers, names }) {
      const { method = verb, session } = on.http ?? {};
      if (
        on.http === undefined ||
        method !== verb ||
        (session !== undefined && session !== (headers[sessionHeader] !== undefined))
      )
        return headers;
      let heard: HeardHead = { headers, names, given };
      for (const operator of operators) if (operator.over === 'request') heard = operator.change(heard, fault);
      return heard.headers;
    },
  };
}

const sessionHeader = 'mcp-session-id';

function isBefallen(on: FaultPlace, { message, kind, method, asked }: Outgoing): boolean {
  const names = kind === 'result' || kind === 'error' ? (on[kind] ?? on.reply) : on[kind];
  return (
    names !== undefined &&
    isNamed(names, method) &&
    holds(on.where, message) &&
    (on.more === undefined || holdsMore(asked, on.more))
  );
}

/** For answers the reply with them is meant: the posted message decides, since a stream has its head before them. */
function isReplyBefallen(
  { http, reply, result, error, where, more }: FaultPlace,
  { verb, posted, method, status, message }: Replying,
): boolean {
  if (http) {
    const { method: wantedVerb = verb, posted: wantedKind = posted, status: wantedStatus = status, rpc } = http;
    return (
      wantedVerb === verb &&
      wantedKind === posted &&
      wantedStatus === status &&
      (rpc === undefined || isNamed(rpc, method))
    );
  }
  // The reply knows only the method of the request.
  if (posted !== 'request' || more !== undefined) return false;
  const isError = typeof message === 'object' && message !== null && 'error' in message;
  const names = (isError ? error : result) ?? reply;
  return names !== undefined && isNamed(names, method) && holds(where, message);
}

function isNamed(names: MethodNames, method: string | undefined): boolean {
  return [names].flat().some((name) => name === '*' || name === method);
}

function holds(where: FaultPlace['where'], message: unknown): boolean {
  return Object.entries(where ?? {}).every(([path, wanted]) => isDeepStrictEqual(resolvePath(message, path), wanted));
}
