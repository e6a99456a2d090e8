/** Checks of the official suite that measure what no rule does. Pure folds over the events of a scenario. */
import type { TraceEvent } from '../../core/model/trace.ts';
import { header } from '../../core/facts/values/header.ts';
import { canaryPath } from '../scene/canaries.ts';

export interface Measured {
  /** Undefined where nothing that happened decides. */
  outcome: 'pass' | 'warn' | 'fail' | undefined;
  /** A sentence about what was seen. */
  seen: string;
}

/** A client may come back so much earlier and later than announced, milliseconds; the factor is for late by far. */
const early = 50;
const late = 200;
const tooLate = 2;

/** Milliseconds from the end of the first stream without its response to the next GET, against the announced time. */
export function reconnectDelay(events: readonly TraceEvent[]): Measured {
  const end = events.find(({ kind, from }) => kind === 'sse-close' && from === 'server');
  if (end === undefined) return { outcome: undefined, seen: 'No stream was cut.' };
  const announced = events.find(({ sse, exchange }) => exchange === end.exchange && sse?.retry !== undefined)?.sse
    ?.retry;
  const back = events.find(({ kind, http, seq }) => seq > end.seq && kind === 'http-request' && http?.method === 'GET');
  if (announced === undefined || back === undefined)
    return { outcome: undefined, seen: 'The client did not come back.' };
  const delay = Math.round(back.t - end.t);
  const seen = `The client came back after ${delay} ms; ${announced} ms were announced.`;
  if (delay < announced - early || delay > announced * tooLate + late) return { outcome: 'fail', seen };
  return { outcome: delay > announced + late ? 'warn' : 'pass', seen };
}

/** Fails where anything fetched the canary, once the tools were listed. */
export function canaryFetched(events: readonly TraceEvent[]): Measured {
  const fetched = events.filter(({ kind, http }) => kind === 'http-request' && http?.path?.startsWith(canaryPath));
  if (fetched.length > 0)
    return { outcome: 'fail', seen: `The address of the $ref was fetched ${fetched.length} times.` };
  const listed = events.some(({ from, message }) => from === 'client' && methodOf(message) === 'tools/list');
  return listed
    ? { outcome: 'pass', seen: 'The tools were listed, and the address of the $ref was not fetched.' }
    : { outcome: undefined, seen: 'The client did not list the tools.' };
}

/** Compares requestState of the first result that has one with that of the next request of the client with input. Both are redacted alike. */
export function stateEchoed(events: readonly TraceEvent[]): Measured {
  const given = events.find(({ from, message }) => from === 'server' && partOf(message, 'result')?.['requestState']);
  if (given === undefined) return { outcome: undefined, seen: 'No call needed input.' };
  const back = events.find(
    ({ from, seq, message }) => from === 'client' && seq > given.seq && partOf(message, 'params')?.['inputResponses'],
  );
  if (back === undefined) return { outcome: undefined, seen: 'The client did not send the call again.' };
  const came = partOf(back.message, 'params')?.['requestState'];
  if (came === undefined) return { outcome: 'fail', seen: 'The second request has no requestState.' };
  return came === partOf(given.message, 'result')?.['requestState']
    ? { outcome: 'pass', seen: 'requestState came back as it was given.' }
    : { outcome: 'fail', seen: 'requestState came back changed.' };
}

/** Requests with a token at the resource, each with the challenge that it was refused by, and its status. */
function shownTokens(events: readonly TraceEvent[]): { challenge: string; status: number }[] {
  return events
    .filter(({ http, kind }) => kind === 'http-request' && http?.origin === undefined)
    .filter(({ http }) => header(http?.headers, 'authorization') !== undefined)
    .map(({ exchange }) => {
      const reply = events.find((one) => one.kind === 'http-response' && one.exchange === exchange);
      return {
        challenge: header(reply?.http?.headers, 'www-authenticate') ?? '',
        status: reply?.http?.status ?? 0,
      };
    });
}

/** True where the server took each proof that came with a token (RFC 9449, 4.3). */
export function freshProofs(events: readonly TraceEvent[]): Measured {
  const shown = shownTokens(events);
  if (shown.length === 0) return { outcome: undefined, seen: 'The client showed no token.' };
  const wrong = shown.find(({ challenge }) => challenge.includes('invalid_dpop_proof'));
  if (wrong !== undefined) return { outcome: 'fail', seen: `A proof was refused: ${wrong.challenge}` };
  return shown.some(({ challenge, status }) => status < 400 || challenge.includes('use_dpop_nonce'))
    ? { outcome: 'pass', seen: `All ${shown.length} proofs were good.` }
    : { outcome: undefined, seen: 'No proof was looked at.' };
}

/** True where a request that was refused for its nonce was sent again with the right one (RFC 9449, 9). */
export function resourceNonce(events: readonly TraceEvent[]): Measured {
  const shown = shownTokens(events);
  const refused = shown.findIndex(({ challenge }) => challenge.includes('use_dpop_nonce'));
  if (refused < 0) return { outcome: undefined, seen: 'The server asked for no nonce.' };
  return shown.slice(refused).some(({ status }) => status > 0 && status < 400)
    ? { outcome: 'pass', seen: 'The client came back with the nonce of the server.' }
    : { outcome: 'fail', seen: 'The client did not come back with the nonce of the server.' };
}

function partOf(message: unknown, name: string): Record<string, unknown> | undefined {
  return (message as Record<string, Record<string, unknown> | undefined> | undefined)?.[name];
}

function methodOf(message: unknown): unknown {
  return (message as { method?: unknown } | undefined)?.method;
}
