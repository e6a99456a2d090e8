/**
 * Joins chunks of bytes as they come. A peer that sends one byte at a time must not make us hold an object, and the
 * network buffer behind it, for each of them.
 */

export interface ByteCollector {
  readonly length: number;
  /** Takes a copy of the chunk. */
  push(chunk: Uint8Array): void;
  /** All bytes so far, as they are kept: what is pushed later may overwrite them. */
  peek(): Buffer;
  /** All bytes so far; the collector is empty afterwards. */
  take(): Buffer;
}

const firstCapacity = 1024;
const none = Buffer.alloc(0);

/** Room doubles, so that each byte is copied twice at most on average, however small the chunks are. */
export function createByteCollector(): ByteCollector {
  let room = none;
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(chunk) {
      if (length + chunk.length > room.length) {
        const larger = Buffer.allocUnsafe(Math.max(firstCapacity, length + chunk.length, room.length * 2));
        room.copy(larger, 0, 0, length);
        room = larger;
      }
      room.set(chunk, length);
      length += chunk.length;
    },
    peek: () => room.subarray(0, length),
    take() {
      const bytes = room.subarray(0, length);
      room = none;
      length = 0;
      return bytes;
    },
  };
}

/**
 * Reads chunks to their end, so that a reply can still be sent to their sender.
 * @returns the text, or undefined if it is longer than `most` bytes; the excess is not kept
 */
export async function boundedText(chunks: AsyncIterable<Uint8Array>, most: number): Promise<string | undefined> {
  const collected = createByteCollector();
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size <= most) collected.push(chunk);
  }
  return size > most ? undefined : collected.take().toString('utf8');
}
