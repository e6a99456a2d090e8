/**
 * Listens on one connection for JSON-RPC. A server that sends any, in any form, is judged; a page, another API or an
 * echo of our own request is not.
 */
import { BoundedSet } from '../../core/model/bounded.ts';
import { canonical, isObject } from '../../core/model/json.ts';
import type { TraceEvent } from '../../core/model/trace.ts';
import { createEmbeddedJson } from '../transport/process/embedded-json.ts';
import type { Heard, Noise } from './peer.ts';

export interface Hearing {
  readonly heard: Heard;
  /** Received data that is not a message. */
  readonly noise: Noise | undefined;
  /** True if the event is one of our messages returned by something that sends no message of its own. */
  isEcho(event: TraceEvent): boolean;
  observe(event: TraceEvent): void;
}

/** Characters of an object that is looked for within other text. */
const longest = 1 << 20;
/** Characters of what is shown of other text. */
const longestSample = 120;
/** Messages of ours that are remembered, to know an echo of them. */
const keptSent = 20;

export function createHearing(): Hearing {
  const embedded = createEmbeddedJson(longest);
  let heard: Heard = 'nothing';
  let noise: Noise | undefined;
  const sent = new BoundedSet<string>(keptSent);

  const isOurs = (value: unknown): boolean => sent.has(canonical(value) ?? '');
  const isFromServer = (value: unknown): boolean => isJsonRpc(value) && !isOurs(value);
  const inText = (text: string): boolean =>
    text.split('\n').some((line) => embedded.push(line).some((found) => isFromServer(parsed(found.text))));

  return {
    get heard() {
      return heard;
    },
    get noise() {
      return noise;
    },
    isEcho: ({ kind, from, message }) =>
      heard !== 'messages' && kind === 'message' && from === 'server' && isOurs(message),
    observe(event) {
      const isMessage = event.kind === 'message';
      if (isMessage && event.from === 'client') sent.add(canonical(event.message) ?? '');
      // The text of an event that was never over is recorded where its stream is given up.
      if (event.from !== 'server' && event.kind !== 'sse-close') return;
      const isOther = isMessage && (heard === 'messages' ? !isJsonRpc(event.message) : !isFromServer(event.message));
      const text = isOther ? (event.raw ?? JSON.stringify(event.message)) : textOf(event);
      if (text !== undefined)
        noise = { count: (noise?.count ?? 0) + 1, sample: noise?.sample ?? text.slice(0, longestSample) };
      if (heard === 'messages') return;
      if (isMessage ? isFromServer(event.message) : text !== undefined && inText(text)) heard = 'messages';
      else if (isMessage || (text ?? '').trim() !== '') heard = 'text';
    },
  };
}

/** Content of an event besides messages. */
function textOf({ kind, raw, sse, http }: TraceEvent): string | undefined {
  switch (kind) {
    case 'unparsable':
    case 'sse-close':
      return raw;
    case 'sse-event':
      return sse?.data;
    case 'http-response':
      return http?.body;
    default:
      return undefined;
  }
}

/** True if a value is a JSON-RPC message, or nearly one, or a batch of them. */
function isJsonRpc(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isJsonRpc);
  if (!isObject(value)) return false;
  return 'jsonrpc' in value || ('id' in value && ('result' in value || 'error' in value));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
