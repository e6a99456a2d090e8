/** Looks at a file for the record: whether it is there, its size, digest and text. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { TextDecoder } from 'node:util';

/** Text beyond this is not kept. */
const mostBytes = 1024 * 1024;

export interface ObservedFile {
  path: string;
  exists: boolean;
  size?: number;
  digest?: string;
  content?: string;
  problem?: string;
}

/** Never rejects; `problem` has the error. */
export async function observeFile(path: string): Promise<ObservedFile> {
  try {
    const found = await stat(path);
    if (!found.isFile())
      return { path, exists: true, problem: found.isDirectory() ? 'it is a folder' : 'it is no file' };
    const hash = createHash('sha256');
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      if (size <= mostBytes) chunks.push(chunk);
      size += chunk.length;
    }
    const seen = { path, exists: true, size, digest: hash.digest('hex') };
    if (size > mostBytes) return { ...seen, problem: `it is larger than ${mostBytes} bytes` };
    return { ...seen, content: new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(chunks)) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? { path, exists: false, problem: 'no such file' }
      : { path, exists: true, problem: message };
  }
}
