/**
 * Which revision a client speaks in its first start. It asks for one; where the server answers with an older one, the
 * client accepts that by going on: `notifications/initialized`, or any further request. In the stateless era it speaks
 * the revision of each request that is answered by a result.
 */
import type { SpokenRevision } from '../../core/model/reports/run-report.ts';
import { asObject } from '../../core/model/json.ts';
import type { TraceEvent } from '../../core/model/trace.ts';
import { eraOf, isKnownRevision } from '../../core/spec/revisions.ts';
import type { Revision } from '../../core/model/rules/requirement.ts';

export interface ClientSpeech {
  see(event: TraceEvent): void;
  /** The revision that client and server agreed on. */
  agreed(): Revision | undefined;
  /** Messages that show it. */
  evidence(): SpokenRevision['evidence'];
  /** The conduct of a client that does not go on, a sentence without its full stop. */
  otherwise(revision: string): string;
  /** The messages of the negotiation. */
  shown(): TraceEvent[];
}

const versionKey = 'io.modelcontextprotocol/protocolVersion';
/** Messages that show what the client did where it does not accept a revision. */
const mostShown = 6;

export function followSpeech(): ClientSpeech {
  const open = new Map<string, { method: string; seq: number; version: unknown }>();
  const shown: TraceEvent[] = [];
  const asked: string[] = [];
  let answered: { version: string; seqs: number[] } | undefined;
  let refused: unknown;
  let agreed: { revision: Revision; by: 'initialize' | 'server/discover'; events: number[] } | undefined;

  function agree(version: unknown, by: 'initialize' | 'server/discover', events: number[]): void {
    if (agreed === undefined && isKnownRevision(version)) agreed = { revision: version, by, events };
  }

  function takeClient(message: Record<string, unknown>, { seq, session }: TraceEvent): void {
    const { method, id } = message;
    if (typeof method !== 'string') return;
    const params = asObject(message.params);
    if (method === 'initialize') {
      open.set(keyOf(session, id), { method, seq, version: params?.protocolVersion });
      if (typeof params?.protocolVersion === 'string') asked.push(params.protocolVersion);
      return;
    }
    const version = asObject(params?._meta)?.[versionKey];
    if (id !== undefined && typeof version === 'string') {
      open.set(keyOf(session, id), { method, seq, version });
      asked.push(version);
      return;
    }
    if (answered !== undefined) agree(answered.version, 'initialize', [...answered.seqs, seq]);
  }

  function takeServer(message: Record<string, unknown>, { seq, session }: TraceEvent): void {
    const request = open.get(keyOf(session, message.id));
    if (request === undefined) return;
    open.delete(keyOf(session, message.id));
    const result = asObject(message.result);
    if (result === undefined) refused ??= asObject(message.error)?.code;
    else if (request.method !== 'initialize') agree(request.version, 'server/discover', [request.seq, seq]);
    else if (typeof result.protocolVersion === 'string')
      answered = { version: result.protocolVersion, seqs: [request.seq, seq] };
  }

  return {
    see(event) {
      const message = event.kind === 'message' ? asObject(event.message) : undefined;
      if (message === undefined || agreed !== undefined) return;
      if (shown.length < mostShown) shown.push(event);
      if (event.from === 'client') takeClient(message, event);
      else if (event.from === 'server') takeServer(message, event);
    },
    agreed: () => agreed?.revision,
    evidence: () => (agreed === undefined ? [] : [{ by: agreed.by, events: agreed.events }]),
    otherwise(revision) {
      if (asked.length === 0) return 'it did not ask for a revision';
      const newest = [...new Set(asked)].join(' and ');
      if (answered !== undefined) return `it asked for ${newest}, and went no further once ${revision} was the answer`;
      const stateless = isKnownRevision(asked[0]) && eraOf(asked[0]) === 'stateless';
      return `it asked for ${newest}, ${stateless ? 'and did not fall back to initialize' : 'and was not answered'}${refused === undefined ? '' : ` after error ${String(refused)}`}`;
    },
    shown: () => [...shown],
  };
}

/** A request, by its connection and its id. */
function keyOf(session: string, id: unknown): string {
  return `${session} ${JSON.stringify(id)}`;
}
