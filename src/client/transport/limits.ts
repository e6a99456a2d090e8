/**
 * Limits on memory for data of an untrusted peer. Only numbers; what happens at a limit is said where it is applied.
 */
import type { JsonLimits } from '../../core/trace/payload.ts';

export interface TransportLimits {
  /** Longest line on stdout, in bytes. */
  maxLineBytes: number;
  /** Longest kept part of a line on stderr, in bytes; and all that is kept of stderr. */
  maxStderrLineBytes: number;
  maxStderrBytes: number;
  /** Longest HTTP body that is no event stream, in bytes after decoding. */
  maxBodyBytes: number;
  /** Longest single event of an event stream, in bytes; and all bytes of one stream, after decoding. */
  maxSseEventBytes: number;
  maxStreamBytes: number;
  json: JsonLimits;
}

const MiB = 1024 * 1024;

export const defaultTransportLimits: TransportLimits = {
  maxLineBytes: 8 * MiB,
  maxStderrLineBytes: 8 * 1024,
  maxStderrBytes: 4 * MiB,
  maxBodyBytes: 8 * MiB,
  maxSseEventBytes: 8 * MiB,
  maxStreamBytes: 256 * MiB,
  json: { maxDepth: 500, maxValues: 250_000 },
};
