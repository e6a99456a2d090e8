/** Keeps calls from a server and answers them itself: on stdio both directions pass line by line, over HTTP bodies are held. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Transform } from 'node:stream';
import { parsed, refusalOf } from './drift-tap.ts';

/** Returns the reason for which a message must not reach the server, or undefined. */
export type Against = (message: unknown) => string | undefined;

export interface CallGate {
  /** Between the client and stdin of the server. */
  inward: Transform;
  /** Between stdout of the server and the client: answers of the gate stand between whole lines. */
  outward: Transform;
}

export function createCallGate(against: Against): CallGate {
  const outward = byLines((line, push) => push(line));
  const inward = byLines((line, push) => {
    const message = parsed(line);
    const why = against(message);
    if (why === undefined) return push(line);
    const refusal = refusalOf(message, why);
    if (refusal !== undefined && !outward.writableEnded) outward.push(`${refusal}\n`);
  });
  return { inward, outward };
}

const LF = 0x0a;

/** @param take gets each line with its LF, at the end the rest without */
function byLines(take: (line: Buffer, push: (line: Buffer) => void) => void): Transform {
  let held: Buffer[] = [];
  const stream: Transform = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const push = (line: Buffer): void => void stream.push(line);
      let start = 0;
      for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, start)) {
        const line = Buffer.concat([...held, chunk.subarray(start, at + 1)]);
        held = [];
        start = at + 1;
        take(line, push);
      }
      if (start < chunk.length) held = [...held, chunk.subarray(start)];
      done();
    },
    flush(done) {
      if (held.length > 0) take(Buffer.concat(held), (line) => void stream.push(line));
      done();
    },
  });
  return stream;
}

/**
 * Holds the body of a request until it is whole. A request that must not reach the server gets an error response. Over
 * HTTP+SSE, where responses come on a stream, the status is 403.
 * @returns the body; undefined where the request was answered, or its client has gone
 */
export async function heldBody(
  request: IncomingMessage,
  response: ServerResponse,
  against: Against,
  transport: 'http' | 'sse' | undefined,
): Promise<Buffer | undefined> {
  if (request.headers['content-encoding'] !== undefined) {
    request.resume();
    response.writeHead(415, { 'content-type': 'text/plain' }).end('mcpc --block takes bodies that are not encoded.\n');
    return undefined;
  }
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return undefined;
  }
  const body = Buffer.concat(chunks);
  const message = parsed(body);
  const why = against(message);
  if (why === undefined) return body;
  const refusal = refusalOf(message, why) ?? '';
  const status = refusal === '' ? 202 : transport === 'sse' ? 403 : 200;
  response.writeHead(status, refusal === '' ? {} : { 'content-type': 'application/json' }).end(refusal);
  return undefined;
}
