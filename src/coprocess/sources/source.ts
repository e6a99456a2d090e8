/** Where answers come from: the live server, or a cassette. Shapes, and how an outcome becomes a frame. */
import type { Outcome } from '../../live/outcome.ts';
import { codes, FrameError } from '../protocol.ts';

export interface Source {
  /** The result of the handshake. */
  handshake(): Promise<Outcome>;
  /** @param params may hold LosslessNumbers */
  ask(method: string, params: Record<string, unknown> | undefined): Promise<Outcome>;
}

/**
 * JSON text of the result.
 * @param about what was asked for, for `data`
 * @throws FrameError for everything else
 */
export function resultText(outcome: Outcome, about: object): string {
  switch (outcome.kind) {
    case 'result':
      return outcome.text();
    case 'error':
      throw new FrameError(codes.upstream, outcome.error.message, withMember(about, 'error', outcome.text()));
    case 'refused':
      throw new FrameError(codes.upstream, outcome.words, JSON.stringify({ ...about, status: outcome.status }));
    case 'timeout': {
      const words = `no response from the server within ${outcome.waitedMs} ms`;
      throw new FrameError(codes.upstream, words, JSON.stringify({ ...about, timeout_ms: outcome.waitedMs }));
    }
    default:
      throw new FrameError(codes.upstreamGone, `upstream connection dropped: ${outcome.words}`);
  }
}

/** JSON text of an object with one more member, whose text is given. */
function withMember(object: object, name: string, value: string): string {
  const text = JSON.stringify(object);
  return `${text.slice(0, -1)}${text === '{}' ? '' : ','}${JSON.stringify(name)}:${value}}`;
}
