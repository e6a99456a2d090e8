/** The revisions that mcpc serves a client, and the header of the trace. */
import type { TraceHeader, TransportKind } from '../../core/model/trace.ts';
import { compareRevisions, eraOf, isKnownRevision, revisions as known } from '../../core/spec/revisions.ts';
import type { Revision } from '../../server/protocol/revisions.ts';

/** Revisions of the server: those of the transport, or the one that is pinned. */
export function servedBy(transport: TransportKind, spec: Revision | 'auto'): Revision[] {
  if (spec !== 'auto') return [spec];
  if (transport === 'stdio') return [...known];
  return transport === 'sse' ? ['2024-11-05'] : known.filter((one) => one !== '2024-11-05');
}

/** Revisions that a client may accept besides that of its own request, newest first. */
export function olderThan(revision: Revision, transport: TransportKind): Revision[] {
  return servedBy(transport, 'auto')
    .filter((one) => compareRevisions(one, revision) < 0)
    .sort((a, b) => compareRevisions(b, a));
}

export interface ServedClient {
  transport: TransportKind;
  spec: Revision | 'auto';
  name: string;
  /** Its command line, where it has one. */
  words?: readonly string[] | undefined;
  /** Only the first start is played. */
  quick?: boolean;
  /** Marks the traces of one run in several revisions. */
  run?: string | undefined;
}

export function traceHeaderOf({ transport, spec, name, words, quick, run }: ServedClient): TraceHeader {
  return {
    format: 'mcpc-trace',
    version: 1,
    origin: 'client',
    transport,
    ...(spec === 'auto' || !isKnownRevision(spec) ? {} : { revision: spec, era: eraOf(spec) }),
    target: { kind: 'client', name, ...(words === undefined ? {} : { command: [...words] }) },
    ...(quick === true ? { profile: 'quick' } : {}),
    ...(run === undefined ? {} : { run }),
    startedAt: new Date().toISOString(),
  };
}
