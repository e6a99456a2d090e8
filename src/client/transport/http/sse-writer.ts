/** Text of an event on an event stream; the reader is sse-reader.ts. */
import type { SseBlock } from './sse-reader.ts';

/** @param data of the event, each line but the first with a field of its own already; without it the fields alone */
export function eventBytes(
  { event, id, retry }: Pick<SseBlock, 'event' | 'id' | 'retry'>,
  data: Buffer | undefined,
): Buffer {
  const fields = [
    ...(event === undefined ? [] : [`event: ${event}\n`]),
    ...(id === undefined ? [] : [`id: ${id}\n`]),
    ...(retry === undefined ? [] : [`retry: ${retry}\n`]),
  ].join('');
  return data === undefined
    ? Buffer.from(`${fields}\n`)
    : Buffer.concat([Buffer.from(`${fields}data: `), data, Buffer.from('\n\n')]);
}
