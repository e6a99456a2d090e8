/** Reads messages from the taps of a proxy for a drift watch, in the thread that forwards the bytes. */
import { asObject } from '../../core/model/json.ts';
import { createByteCollector } from '../../core/trace/byte-collector.ts';
import { createLineSplitter } from '../../core/trace/line-splitter.ts';
import type { DriftWatch } from '../../core/drift/watch.ts';
import { headerMap } from '../transport/network/http-headers.ts';
import { defaultTransportLimits as limits } from '../transport/limits.ts';
import { tapReply, type ReplyTap } from './reply-tap.ts';
import type { TapSink } from './taps.ts';

/** A sink that looks into what passes; what is no JSON, or too long to be held, is not looked at. */
export function driftTap(watch: DriftWatch): TapSink {
  const splitters = {
    client: createLineSplitter({ maxLineBytes: limits.maxLineBytes }),
    server: createLineSplitter({ maxLineBytes: limits.maxLineBytes }),
  };
  const bodies = new Map<string, ReturnType<typeof createByteCollector>>();
  const replies = new Map<string, ReplyTap>();
  const read = (from: 'client' | 'server', bytes: Buffer): void => {
    const message = parsed(bytes);
    if (from === 'client') watch.fromClient(message);
    else watch.fromServer(message);
  };
  return (tap) => {
    switch (tap.tap) {
      case 'stdio':
        if (tap.of === 'stderr') return;
        for (const { bytes, end } of splitters[tap.of].push(Buffer.from(tap.chunk)))
          if (end === 'newline') read(tap.of, bytes);
        return;
      case 'request':
        bodies.set(tap.exchange, createByteCollector());
        return;
      case 'request-body':
        bodies.get(tap.exchange)?.push(Buffer.from(tap.chunk));
        return;
      case 'request-end':
        read('client', bodies.get(tap.exchange)?.take() ?? Buffer.alloc(0));
        bodies.delete(tap.exchange);
        return;
      case 'reply':
        replies.set(
          tap.exchange,
          tapReply(
            { status: tap.status, headers: headerMap(tap.headers) },
            ({ kind, message }) => {
              if (kind === 'message') watch.fromServer(message);
            },
            limits,
          ),
        );
        return;
      case 'reply-body':
        void replies.get(tap.exchange)?.push(Buffer.from(tap.chunk));
        return;
      case 'exchange-end':
        void replies.get(tap.exchange)?.end();
        replies.delete(tap.exchange);
        bodies.delete(tap.exchange);
        return;
      default:
    }
  };
}

/** Undefined for what is no JSON. */
export function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Error responses to the requests in a message; undefined where it has none. @param why a sentence without a full stop */
export function refusalOf(message: unknown, why: string): string | undefined {
  const all = (Array.isArray(message) ? (message as unknown[]) : [message]).map(asObject);
  const errors = all
    .filter((one) => one?.['id'] !== undefined && one['method'] !== undefined)
    .map((one) => ({
      jsonrpc: '2.0',
      id: one!['id'],
      error: { code: refusedCode, message: `Blocked by mcpc: ${why}.` },
    }));
  if (errors.length === 0) return undefined;
  return JSON.stringify(Array.isArray(message) ? errors : errors[0]);
}

/** Invalid params: the code for a tool that a client cannot call. */
const refusedCode = -32602;
