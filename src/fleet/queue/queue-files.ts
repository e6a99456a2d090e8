/** Report and trace of a check through Redis: gzipped, in chunks that stay small whatever the size of the file. */
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Redis } from 'ioredis';
import { placeDurably } from '../../files/output/durable.ts';
import type { SentFile } from './queue-link.ts';
import { makeFolder } from '../../files/output/make-folder.ts';

const chunkBytes = 256 * 1024;
/** Uncollected files expire. */
export const keptSeconds = 7 * 24 * 3600;

/** @param key of a list that does not exist yet */
export async function sendFile(redis: Redis, folder: string, name: SentFile['name'], key: string): Promise<SentFile> {
  let chunks = 0;
  let waiting: Buffer[] = [];
  let bytes = 0;
  const push = async (): Promise<void> => {
    if (bytes === 0) return;
    await redis.rpush(key, Buffer.concat(waiting));
    if (chunks === 0) await redis.expire(key, keptSeconds);
    chunks += 1;
    waiting = [];
    bytes = 0;
  };
  await pipeline(createReadStream(path.join(folder, name)), createGzip(), async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      waiting.push(chunk);
      bytes += chunk.length;
      if (bytes >= chunkBytes) await push();
    }
    await push();
  });
  return { name, key, chunks };
}

/** A part of a result is gone: another process collected it, or it expired. */
export class LostChunkError extends Error {
  override name = 'LostChunkError';
}

/** Writes the file into the folder, synced. @throws LostChunkError when a chunk is missing */
export async function fetchFile(redis: Redis, folder: string, { name, key, chunks }: SentFile): Promise<void> {
  makeFolder(folder);
  // Names come from a worker; only known names become paths.
  const place = path.join(
    folder,
    (['report.json', 'suite.json'] as const).find((one) => one === name) ?? 'trace.jsonl',
  );
  const fresh = `${place}.part`;
  async function* parts(): AsyncGenerator<Buffer> {
    for (let index = 0; index < chunks; index += 1) {
      const chunk = await redis.lindexBuffer(key, index);
      if (chunk === null) throw new LostChunkError(`a part of ${name} is gone from the queue`);
      yield chunk;
    }
  }
  try {
    await pipeline(Readable.from(parts()), createGunzip(), createWriteStream(fresh, { mode: 0o600 }));
    await placeDurably(fresh, place);
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => {});
    throw error;
  }
}
