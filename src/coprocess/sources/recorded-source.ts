/** Answers from a trace of mcpc: a request gets what the same request got when the trace was recorded. */
import { asObject, canonical, isObject } from '../../core/model/json.ts';
import type { TraceEvent } from '../../core/model/trace.ts';
import { upstreamError, type Outcome } from '../../live/outcome.ts';
import { memberText } from '../../live/member-text.ts';
import { jsonOf } from '../../suites/language/json-text.ts';
import { parseExact } from '../../core/trace/importers/exact-json.ts';
import { readTrace } from '../../files/traces/jsonl-reader.ts';
import { FrameError, codes } from '../protocol.ts';
import type { Source } from './source.ts';

type Json = Record<string, unknown>;

/** The responses to one request, in the order in which it was sent; the last one stands for all that come after. */
interface Answers {
  outcomes: Outcome[];
  given: number;
}

/** @throws McpcError usage for a file that cannot be read or is no trace */
export async function openRecorded(path: string): Promise<Source> {
  const answers = new Map<string, Answers>();
  const sent = new Map<string, string>();
  let handshake: Outcome | undefined;
  const trace = await readTrace(path);
  for await (const event of trace.events) {
    for (const message of messagesOf(event)) {
      const name = JSON.stringify([event.session, message['id']]);
      if (event.from === 'client' && typeof message['method'] === 'string' && message['id'] !== undefined) {
        sent.set(name, keyOf(message['method'], exactParams(event, message)));
      } else if (event.from === 'server' && !('method' in message)) {
        const key = sent.get(name);
        if (key === undefined) continue;
        sent.delete(name);
        const outcome = outcomeOf(message, event.raw);
        if (key.startsWith('initialize ') || key.startsWith('server/discover ')) {
          if (outcome.kind === 'result') handshake = outcome;
          continue;
        }
        const known = answers.get(key);
        if (known === undefined) answers.set(key, { outcomes: [outcome], given: 0 });
        else known.outcomes.push(outcome);
      }
    }
  }
  const missing = (what: string): FrameError =>
    new FrameError(codes.upstream, `the cassette holds no response to ${what}`, JSON.stringify({ cassette: path }));
  return {
    async handshake() {
      if (handshake === undefined) throw missing('initialize');
      return handshake;
    },
    async ask(method, params) {
      const found = answers.get(keyOf(method, params));
      if (found === undefined)
        throw missing(`${method}${params === undefined ? '' : ` ${jsonOf(params).slice(0, 200)}`}`);
      const outcome = found.outcomes[Math.min(found.given, found.outcomes.length - 1)]!;
      found.given += 1;
      return outcome;
    },
  };
}

function messagesOf({ kind, message }: TraceEvent): Json[] {
  if (kind !== 'message') return [];
  return (Array.isArray(message) ? message : [message]).filter(isObject);
}

/** The params with all digits of their numbers, where the text has more of them than the parsed message. */
function exactParams({ raw, message: whole }: TraceEvent, message: Json): unknown {
  if (raw === undefined || Array.isArray(whole)) return message['params'];
  try {
    return asObject(parseExact(raw, { spelling: true }))?.['params'];
  } catch {
    return message['params'];
  }
}

/** A request without what differs each time it is sent. */
function keyOf(method: string, params: unknown): string {
  const { _meta, ...rest } = asObject(params) ?? {};
  return `${method} ${canonical(rest)}`;
}

function outcomeOf(message: Json, raw: string | undefined): Outcome {
  const text = (member: string) => (): string =>
    (raw === undefined ? undefined : memberText(raw, member)) ?? JSON.stringify(message[member]);
  return 'result' in message
    ? { kind: 'result', result: message['result'], text: text('result') }
    : { kind: 'error', error: upstreamError(message['error']), text: text('error') };
}
