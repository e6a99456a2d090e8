/**
 * Holds few large messages of requests that were answered: a connection remembers a hundred of those, which is little
 * where each takes a kilobyte, and not where each takes megabytes. The oldest are emptied first.
 */
import { sizeOf } from '../../trace/value-size.ts';
import type { RpcRecord } from './rpc-record.ts';

/** Size in bytes of a large message, and the maximum for all large ones. */
const largeBytes = 256 * 1024;
const keptBytes = 24 * 1024 * 1024;
/** Values and characters to read before a message counts as not large. */
const mostLooked = 16 * 1024;

export interface LargeRecords {
  /** Takes note of a request that has its outcome. */
  keep(record: RpcRecord): void;
}

export function createLargeRecords(): LargeRecords {
  let held: { record: RpcRecord; bytes: number }[] = [];
  let total = 0;
  return {
    keep(record) {
      if (!mayBeLarge(record.reply) && !mayBeLarge(record.message)) return;
      const bytes = sizeOf(record.reply).memory + sizeOf(record.message).memory;
      if (bytes < largeBytes) return;
      held.push({ record, bytes });
      total += bytes;
      let gone = 0;
      for (; total > keptBytes; gone += 1) {
        const oldest = held[gone]!;
        total -= oldest.bytes;
        empty(oldest.record);
      }
      if (gone > 0) held = held.slice(gone);
    },
  };
}

/** Readers of its content find the mark for unknown. */
function empty(record: RpcRecord): void {
  record.emptied = true;
  record.message = undefined;
  if (record.reply !== undefined) record.reply = {};
}

function mayBeLarge(value: unknown): boolean {
  return leftBehind(value, mostLooked) < 0;
}

/** Remaining budget after a value; below zero as soon as it is too much. There is one of these for each message. */
function leftBehind(value: unknown, left: number): number {
  if (typeof value === 'string') return left - value.length;
  let still = left - 1;
  if (typeof value !== 'object' || value === null) return still;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && still >= 0; at += 1) still = leftBehind(value[at], still);
    return still;
  }
  for (const name in value) {
    still = leftBehind((value as Record<string, unknown>)[name], still);
    if (still < 0) break;
  }
  return still;
}
