/** Calls a tool and says what came of it, before anybody judges that. */
import type { Connection } from '../run/connect/connection.ts';
import { isObject } from '../../core/model/json.ts';
import type { Answer } from '../../client/peer/peer.ts';
import { textOf } from '../language/judge/views.ts';

type Json = Record<string, unknown>;

export type CallOutcome =
  | { kind: 'result'; result: Json; text: string; isError: boolean }
  | { kind: 'error'; code: number; message: string; data?: unknown }
  /** An answer that is no valid response to tools/call: what is wrong with it. */
  | { kind: 'malformed'; why: string }
  | { kind: 'timeout' }
  /** The process ended, or the connection was lost: how, in a few words. */
  | { kind: 'ended'; why: string }
  /** The session was ended by the server, or it asks for authorization: nothing about the tool. */
  | { kind: 'unusable'; why: string };

export interface ToolCall {
  outcome: CallOutcome;
  durationMs: number;
  /** Events of the call, first and last. */
  from: number;
  to: number;
}

/** @param deadlineMs the answer deadline of the connection when absent */
export async function callTool(
  connection: Connection,
  name: string,
  given: unknown,
  deadlineMs?: number,
): Promise<ToolCall> {
  const began = performance.now();
  const { peer } = connection.opened!;
  const from = connection.recorder.count + 1;
  const answer = await peer.request(
    'tools/call',
    { name, arguments: given },
    deadlineMs === undefined ? {} : { deadlineMs },
  ).answer;
  const durationMs = Math.round(performance.now() - began);
  // The end of a process is known a little after its stdout was closed.
  if (answer.kind === 'closed') await connection.close();
  return { outcome: outcomeOf(answer, connection), durationMs, from, to: connection.recorder.count };
}

function outcomeOf(answer: Answer, connection: Connection): CallOutcome {
  // Beyond the limits of its trace nothing is received on a connection, whatever the server does.
  if (connection.recorder.limited && answer.kind !== 'response')
    return { kind: 'unusable', why: 'more came on the connection than is kept' };
  switch (answer.kind) {
    case 'timeout':
      return { kind: 'timeout' };
    case 'closed':
      return connection.opened!.peer.sessionEnded
        ? { kind: 'unusable', why: 'the server ended the session' }
        : { kind: 'ended', why: endOf(connection, answer) };
    case 'refused':
      if (answer.status === 401 || answer.status === 403)
        return { kind: 'unusable', why: `the server requires authorization (HTTP ${answer.status})` };
      if (answer.status === 404 || answer.status === 429 || answer.status === 503)
        return { kind: 'unusable', why: `the reply was HTTP ${answer.status}` };
      return { kind: 'malformed', why: `the reply was HTTP ${answer.status} without a response` };
    case 'response':
      return responseOf(answer.message);
  }
}

/** End of the server, as far as known. */
function endOf({ exit }: Connection, answer?: { reason?: string }): string {
  // These are the signals by which mcpc itself ends a process that has closed its stdout and lives on.
  if (exit !== undefined && exit !== 'SIGTERM' && exit !== 'SIGKILL') return `the process ended (${exit})`;
  return answer?.reason === undefined
    ? 'the server closed the connection'
    : `the connection was lost (${answer.reason})`;
}

function responseOf({ result, error }: Json): CallOutcome {
  if (isObject(error)) {
    const { code, message, data } = error;
    if (typeof code !== 'number' || !Number.isInteger(code))
      return { kind: 'malformed', why: 'the code of the error is no whole number' };
    if (typeof message !== 'string') return { kind: 'malformed', why: 'the error has no message' };
    return { kind: 'error', code, message, data };
  }
  if (!isObject(result)) return { kind: 'malformed', why: 'the response has neither a result object nor an error' };
  // A task, or a question to the client, in the place of the result has no content.
  const plain =
    result['task'] === undefined && (result['resultType'] === undefined || result['resultType'] === 'complete');
  const { content } = result;
  if (
    plain &&
    !(Array.isArray(content)
      ? content.every((block) => isObject(block) && typeof block['type'] === 'string')
      : content === undefined && 'structuredContent' in result)
  ) {
    return { kind: 'malformed', why: 'the result has no "content" that is an array of content blocks' };
  }
  if (result['isError'] !== undefined && typeof result['isError'] !== 'boolean')
    return { kind: 'malformed', why: '"isError" is not true or false' };
  return { kind: 'result', result, text: textOf(result, 'tool'), isError: result['isError'] === true };
}

const internalError = -32603;
/** Some tools need what a client that declares nothing does not offer. */
const needsClient = /sampling|elicit|roots|not (?:support|offer)/i;

/** True if a call was answered with "internal error", and not for a missing feature of the client. */
export function isInternalError({ code, message }: { code: number; message: string }): boolean {
  return code === internalError && !needsClient.test(message);
}

/** The sentence about such an answer. */
export function internalErrorWords(message: string): string {
  return `The call was answered with the error ${internalError} (internal error): ${message}`;
}

export interface Death {
  /** As a sentence. */
  words: string;
  /** It only did not answer in time, as on a machine that is busy. */
  silent: boolean;
}

/**
 * How the server died after an answered call; the connection is closed then. Undefined where it lives on.
 * @param lingerMs how long its end is waited for, where it is known to come at times
 */
export async function deathAfter(connection: Connection, lingerMs = 0): Promise<Death | undefined> {
  if ((await lives(connection)) && (lingerMs === 0 || !(await diesWithin(connection, lingerMs)))) return undefined;
  const gone = !connection.opened!.peer.alive;
  await connection.close();
  if (connection.recorder.limited) return undefined;
  return {
    words: `After the call ${gone ? endOf(connection) : 'the server did not answer a ping in time'}.`,
    silent: !gone,
  };
}

async function diesWithin({ opened }: Connection, ms: number): Promise<boolean> {
  const { peer } = opened!;
  await peer.waiter.wait(() => !peer.alive, ms);
  return !peer.alive && !peer.sessionEnded;
}

/**
 * True if the server still answers requests, twice: one that dies a moment after its answer may still take the first.
 */
async function lives(connection: Connection): Promise<boolean> {
  const { peer, era } = connection.opened!;
  for (let time = 0; time < 2; time += 1) {
    if (!peer.alive) return peer.sessionEnded;
    const answer = await peer.request(era === 'stateless' ? 'server/discover' : 'ping').answer;
    if (answer.kind !== 'response' && answer.kind !== 'refused') return peer.sessionEnded;
  }
  return true;
}
