/**
 * Sends the requests of a client, each with an id and the required parameters, and literal requests; both once more if
 * the server was too busy.
 */
import { isBusy, rateLimitOf, type RateLimit } from '../../core/model/reports/busy-server.ts';
import type { SentMessage } from './channels/channel.ts';
import type { Answer, Peer } from './peer.ts';

type Json = Record<string, unknown>;

export interface PeerRequestOptions extends Pick<Peer, 'paramsFor' | 'sendRaw' | 'awaitId' | 'nextId'> {
  /** The number before that of the first progress token: no two connections share any. */
  lastToken: number;
  /**
   * True if a request that was refused this many times may be repeated on the connection; resolves at the time for it.
   */
  mayRepeat(refusals: number): Promise<boolean>;
  /** Called for an error about too many requests. */
  onLimit(limit: RateLimit, method: unknown): void;
  /** Called for each answered request but the first, with its milliseconds. */
  onAnswer(method: string, ms: number): void;
}

export function createPeerRequests({
  paramsFor,
  sendRaw,
  awaitId,
  nextId,
  lastToken,
  mayRepeat,
  onLimit,
  onAnswer,
}: PeerRequestOptions): Pick<Peer, 'request' | 'sendWritten'> {
  /** The server had no time for the request, whatever it says in the body. */
  const wasBusy = async ({ exchange }: SentMessage, answer: Answer, method: unknown): Promise<boolean> => {
    if (answer.kind === 'refused') return isBusy(answer.status);
    if (answer.kind !== 'response') return false;
    const outcome = await exchange?.response;
    if (outcome !== undefined && 'status' in outcome && isBusy(outcome.status)) return true;
    const limit = rateLimitOf(answer.message.error, method);
    if (limit !== undefined) onLimit(limit, method);
    return limit !== undefined;
  };

  let tokens = lastToken;
  let answeredOnce = false;

  const request: Peer['request'] = (method, params, how = {}) => {
    const token = how.progressToken === true ? `progress-${(tokens += 1)}` : how.progressToken;
    const meta =
      how.meta === null
        ? null
        : { ...how.meta, ...(token === undefined || token === false ? {} : { progressToken: token }) };
    const full = paramsFor(params, meta);
    const send = (id: unknown, repeats?: number): { id: unknown; sent: SentMessage } => {
      const message: Json = { jsonrpc: '2.0', id, method, ...(full === undefined ? {} : { params: full }) };
      const sent = sendRaw(JSON.stringify(message), {
        message,
        ...(how.headers ? { headers: how.headers } : {}),
        ...(how.deviation ? { deviation: how.deviation } : {}),
        ...(repeats === undefined ? {} : { repeats }),
        ...(how.deadlineMs === undefined ? {} : { deadlineMs: how.deadlineMs }),
      });
      return { id, sent };
    };
    let last = send(how.id === undefined ? nextId() : how.id);
    const answered = async (): Promise<Answer> => {
      for (let refusals = 1; ; refusals += 1) {
        const began = performance.now();
        const answer = await awaitId(last.id, last.sent, how.deadlineMs);
        // The first answer also includes the start of the server.
        if (answer.kind === 'response' && answeredOnce) onAnswer(method, performance.now() - began);
        answeredOnce ||= answer.kind === 'response';
        if (!(await wasBusy(last.sent, answer, method)) || how.deviation !== undefined || !(await mayRepeat(refusals)))
          return answer;
        // No id may be used twice; a step that names it gets the new one.
        last = send(how.id === undefined ? nextId() : idLike(last.id, nextId), last.sent.seq);
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
  };

  const sendWritten: Peer['sendWritten'] = async (written, how = {}) => {
    let message = written;
    for (let refusals = 1, repeats: number | undefined; ; refusals += 1) {
      const sent = sendRaw(JSON.stringify(message), { message, ...how, ...(repeats === undefined ? {} : { repeats }) });
      const [answer] = await Promise.all(idsIn(message).map((id) => awaitId(id, sent, how.deadlineMs)));
      const isBusyNow = answer !== undefined && (await wasBusy(sent, answer, each(message).find(isRequest)?.method));
      if (!isBusyNow || how.deviation !== undefined || !(await mayRepeat(refusals))) return;
      message = withOtherIds(message, nextId);
      repeats = sent.seq;
    }
  };

  return { request, sendWritten };
}

/** Ids under which a message, or those of a batch, wait for a response. */
function idsIn(message: Json | readonly Json[]): unknown[] {
  return each(message)
    .filter(isRequest)
    .map(({ id }) => id);
}

function withOtherIds(message: Json | readonly Json[], nextId: () => number): Json | readonly Json[] {
  const changed = each(message).map((one) => (isRequest(one) ? { ...one, id: idLike(one.id, nextId) } : one));
  return Array.isArray(message) ? changed : changed[0]!;
}

function each(message: Json | readonly Json[]): readonly Json[] {
  return Array.isArray(message) ? (message as readonly Json[]) : [message as Json];
}

function isRequest({ id, method }: Json): boolean {
  return method !== undefined && (typeof id === 'string' || typeof id === 'number');
}

/** From here on, whole numbers are so large that a step that chose one wants one of its size. */
const large = 2 ** 31;

/**
 * An unused id of the kind that a step chose: a text for a text, a number of about the same size for a large or
 * negative one.
 */
export function idLike(id: unknown, nextId: () => number): unknown {
  if (typeof id === 'string') return Number.isInteger(Number(id)) ? String(nextId()) : `${id}'`;
  if (typeof id !== 'number' || (id >= 0 && id < large)) return nextId();
  return id < 0 || !Number.isSafeInteger(id + 1) ? id - 1 : id + 1;
}
