/** Notes what a conversation gave occasion to: which capabilities the server declared, and what it sent unasked. */
import { asObject } from '../../model/json.ts';
import type { Said } from '../report/said.ts';

export interface Occasions {
  /** Capabilities that the server declared on any connection, with those below them: `resources`, `resources.subscribe`. */
  declared: ReadonlySet<string>;
  /** Events of the first handshake: its request and its result; empty when none was seen. */
  handshake: readonly number[];
  /** Methods of requests that the server sent. */
  asked: ReadonlySet<string>;
  /** Methods of notifications that it sent. */
  told: ReadonlySet<string>;
  /** Some list had a further page. */
  paged: boolean;
  /** Requests that were answered with a result after the handshake. */
  served: number;
}

export interface OccasionLog {
  see(one: Said): void;
  result(): Occasions;
}

/** Names that are kept; a hostile server may send any number. */
const mostNames = 1000;

export function createOccasionLog(): OccasionLog {
  const declared = new Set<string>();
  const asked = new Set<string>();
  let request: number | undefined;
  let handshake: readonly number[] = [];
  const told = new Set<string>();
  let paged = false;
  let served = 0;

  function note(into: Set<string>, name: string): void {
    if (into.size < mostNames) into.add(name);
  }

  function see({ from, seq, message, method, result }: Said): void {
    if (from === 'client') {
      if (method === 'initialize' || method === 'server/discover') request ??= seq;
      return;
    }
    if (from !== 'server') return;
    if (typeof method === 'string') {
      note(message.id === undefined ? told : asked, method);
      return;
    }
    if (result === undefined) return;
    if ('nextCursor' in result) paged = true;
    const capabilities = asObject(result.capabilities);
    if (capabilities === undefined || !('protocolVersion' in result || 'supportedVersions' in result)) {
      served += 1;
      return;
    }
    if (handshake.length === 0) handshake = request === undefined ? [seq] : [request, seq];
    for (const [name, inner] of Object.entries(capabilities)) {
      note(declared, name);
      for (const [part, is] of Object.entries(asObject(inner) ?? {})) if (is !== false) note(declared, `${name}.${part}`);
    }
  }

  return {
    see,
    result: () => ({ declared, handshake, asked, told, paged, served }),
  };
}
