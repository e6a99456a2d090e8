/**
 * Sends one request on an open connection and waits for its response. Where a server of the stateless era asks the
 * client for input, the request is repeated with it, as long as the user has said what the client answers.
 */
import { isLosslessNumber } from 'lossless-json';
import { isObject } from '../../../core/model/json.ts';
import { logLevelKey } from '../../../core/spec/log-level.ts';
import type { Answer, Peer } from '../../../client/peer/peer.ts';
import { jsonOf } from '../../language/json-text.ts';
import type { Connection, OpenedServer } from './connection.ts';

type Json = Record<string, unknown>;

export interface Ask {
  method: string;
  params: Json | undefined;
  /** Ask for progress. */
  progress?: boolean;
  /** Do not repeat the request with the input that the server asks for. */
  asItStands?: boolean;
}

export interface AskSetting {
  /** Milliseconds left for the response. */
  remaining(): number;
  /** Called before the request is repeated with input; false ends the wait with the result that asks for it. */
  again(): boolean;
  /** Called with the id of each request before it is sent. */
  onSend?(id: number): void;
}

/** Maximum number of rounds with a server before its answer counts. */
const mostRounds = 20;
/** An ended process is recorded shortly behind the end of its output. */
const exitMs = 300;

/**
 * The request, repeated with what the server needs of the client for as long as it asks and the user says what to
 * answer (2026-07-28: basic/patterns/mrtr).
 */
export async function ask(opened: OpenedServer, one: Ask, setting: AskSetting): Promise<Answer> {
  let answer = await send(opened, one, one.params, setting);
  for (
    let round = 1;
    round < mostRounds && opened.era === 'stateless' && one.asItStands !== true && answer.kind === 'response';
    round += 1
  ) {
    const { result } = answer.message;
    if (!isObject(result) || result['resultType'] !== 'input_required') break;
    const asked = result['inputRequests'];
    const given = isObject(asked) ? await opened.inputFor(asked) : {};
    if (given === undefined || !setting.again()) break;
    const state = result['requestState'];
    answer = await send(
      opened,
      one,
      {
        ...one.params,
        ...(isObject(asked) ? { inputResponses: given } : {}),
        ...(state === undefined ? {} : { requestState: state }),
      },
      setting,
    );
  }
  return answer;
}

function send(
  { peer, logLevel }: OpenedServer,
  { method, progress }: Ask,
  params: Json | undefined,
  { remaining, onSend }: AskSetting,
): Promise<Answer> {
  const id = peer.nextId();
  onSend?.(id);
  const full = peer.paramsFor(params, {
    ...(progress === true ? { progressToken: `progress-${id}` } : {}),
    ...(logLevel === undefined ? {} : { [logLevelKey]: logLevel }),
  });
  const message = { jsonrpc: '2.0', id, method, params: full };
  // Numbers with more digits than a double holds are sent with all of them; the trace has them in the text.
  const text = isPlain(full) ? JSON.stringify(message) : jsonOf(message);
  // On stdio the text is parsed for the trace; over HTTP the headers depend on the message.
  const sent = peer.sendRaw(text, peer.transport === 'stdio' ? {} : { message: JSON.parse(text) as Json });
  return peer.awaitId(id, sent, remaining());
}

/** True if JSON.stringify writes a value unchanged: no bigint, and no number kept as text. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint';
  if (Array.isArray(value)) return value.every(isPlain);
  for (const key in value) if (!isPlain((value as Json)[key])) return false;
  return !isLosslessNumber(value);
}

/** Words that say why a request got no response, other than that the time was over. */
export async function whyNoAnswer(
  answer: Exclude<Answer, { kind: 'response' }>,
  peer: Peer,
  connection: Pick<Connection, 'exit'>,
): Promise<string> {
  if (answer.kind === 'refused') return `HTTP status ${answer.status} without a response`;
  if (peer.transport === 'stdio' && connection.exit === undefined)
    await peer.waiter.wait(({ kind }) => kind === 'exit', exitMs);
  if (connection.exit !== undefined) return `the server ended (${connection.exit}) before it answered`;
  const reason = answer.kind === 'closed' && answer.reason !== undefined ? ` (${answer.reason})` : '';
  return `the connection was closed${reason}`;
}
