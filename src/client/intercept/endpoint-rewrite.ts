/**
 * Turns the address in the first event of an HTTP+SSE stream to the proxy, where the server gives a whole
 * address instead of a path. All bytes behind that event pass as they are.
 */
import { Transform } from 'node:stream';

/** An `endpoint` event is far smaller; what grows beyond this is no such event. */
const mostHeld = 64 * 1024;

export function rewriteEndpoint(from: string, to: string): Transform {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let passed = false;

  function release(): Buffer {
    const text = Buffer.concat(held).toString('latin1');
    held = [];
    passed = true;
    const event = /\r\n\r\n|\n\n|\r\r/.exec(text);
    const end = event ? event.index : text.length;
    return Buffer.from(
      /^event:\s?endpoint/m.test(text.slice(0, end)) ? text.slice(0, end).replace(from, to) + text.slice(end) : text,
      'latin1',
    );
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (passed) return done(null, chunk);
      held.push(chunk);
      heldBytes += chunk.length;
      const complete = /\r\n\r\n|\n\n|\r\r/.test(Buffer.concat(held).toString('latin1'));
      if (!complete && heldBytes < mostHeld) return done();
      done(null, release());
    },
    flush(done) {
      done(null, passed ? null : release());
    },
  });
}
