/**
 * Records which revisions a server speaks and does not speak, by its own answers: to `initialize`
 * (basic/lifecycle#version-negotiation), to `server/discover`, and by errors with its supported versions (2026-07-28:
 * basic/versioning). It makes no judgement.
 */
import { BoundedSet } from '../../core/model/bounded.ts';
import { asObject, asText } from '../../core/model/json.ts';
import type { SpokenRevision, UnspokenRevision } from '../../core/model/reports/run-report.ts';
import { compareRevisions, eraOf, isKnownRevision, newestRevision } from '../../core/spec/revisions.ts';
import type { Revision } from '../../core/model/rules/requirement.ts';
import type { Said } from '../reporting/said/said.ts';
import { OpenRequests } from '../reporting/said/open-requests.ts';

/** Newest first, each revision once. */
export interface SpokenRevisions {
  spoken: readonly SpokenRevision[];
  /** Asked for and refused; whatever else shows that it is spoken goes before that. */
  unspoken: readonly UnspokenRevision[];
}

export interface SpokenLog {
  see(one: Said): void;
  result(): SpokenRevisions;
}

type Json = Record<string, unknown>;
type By = SpokenRevision['evidence'][number]['by'];

interface Asked {
  seq: number;
  method: 'initialize' | 'server/discover';
  /** The revision that the request names. */
  revision: unknown;
  /** Nothing was sent on the connection before it: whatever is refused, is refused for what the request says. */
  first: boolean;
}

/** Requests followed at a time, and connections remembered; a capture may have any number. */
const most = 1000;
const versionKey = 'io.modelcontextprotocol/protocolVersion';
const unsupportedVersion = -32022;

export function createSpokenLog(): SpokenLog {
  const open = new OpenRequests<Asked>(most);
  const used = new BoundedSet<string>(most);
  const spoken = new Map<Revision, SpokenRevision['evidence']>();
  const unspoken = new Map<Revision, Pick<UnspokenRevision, 'why' | 'events'>>();
  /** Refused by an error that, where nothing is spoken, may have another reason. */
  const doubtful = new Set<unknown>();

  function speaks(revision: unknown, by: By, events: number[]): void {
    if (!isKnownRevision(revision)) return;
    // A handshake opens a session of the stateful era, whichever version it names.
    if (by === 'initialize' && eraOf(revision) !== 'stateful') return;
    const evidence = spoken.get(revision) ?? [];
    if (evidence.every((one) => one.by !== by)) spoken.set(revision, [...evidence, { by, events }]);
  }

  function speaksNot(revision: unknown, why: string, events: number[]): void {
    if (isKnownRevision(revision) && !unspoken.has(revision)) unspoken.set(revision, { why, events });
  }

  /** An error to initialize is about its version where it names others, or may be by its code. */
  function refusesVersion(revision: unknown, { code, data }: Json, events: number[]): void {
    const named = listOf(asObject(data)?.supported).filter(isKnownRevision);
    for (const one of named) speaks(one, 'error', events);
    const maybe = code === -32600 || code === -32602 || code === unsupportedVersion;
    if (named.length > 0 ? !named.some((one) => one === revision) : maybe)
      speaksNot(revision, `initialize is answered with error ${asText(code)}`, events);
    if (named.length === 0) doubtful.add(revision);
  }

  function asks(session: string, seq: number, { id, params }: Json, method: unknown): void {
    const first = !used.has(session);
    if (first) used.add(session);
    if (id === undefined || (method !== 'initialize' && method !== 'server/discover')) return;
    const given = asObject(params);
    const revision = method === 'initialize' ? given?.protocolVersion : asObject(given?._meta)?.[versionKey];
    open.add(session, id, { seq, method, revision, first: first && used.size < most });
  }

  function answers(session: string, seq: number, message: Json): void {
    const asked = open.take(session, message.id);
    const events = asked === undefined ? [seq] : [asked.seq, seq];
    const error = asObject(message.error);
    if (error?.code === unsupportedVersion)
      for (const one of listOf(asObject(error.data)?.supported)) speaks(one, 'error', events);
    if (asked === undefined) return;
    const result = asObject(message.result);
    if (asked.method === 'initialize') {
      const answered = result?.protocolVersion;
      speaks(answered, 'initialize', events);
      if (isKnownRevision(answered) && answered !== asked.revision)
        speaksNot(asked.revision, `initialize is answered with ${answered}`, events);
      if (error && asked.first) refusesVersion(asked.revision, error, events);
      return;
    }
    const versions = listOf(result?.supportedVersions);
    for (const one of versions) speaks(one, 'server/discover', events);
    if (asked.revision !== newestRevision) return;
    if (versions.length > 0 && !versions.includes(newestRevision))
      speaksNot(newestRevision, 'server/discover does not list it', events);
    if (asked.first && error?.code === -32601)
      speaksNot(newestRevision, 'server/discover is no method of the server', events);
  }

  function see({ from, session, seq, message, method }: Said): void {
    if (from === 'client') asks(session, seq, message, method);
    else if (from === 'server' && method === undefined) answers(session, seq, message);
  }

  return {
    see,
    result: () => ({
      spoken: newestFirst([...spoken].map(([revision, evidence]) => ({ revision, era: eraOf(revision), evidence }))),
      unspoken: newestFirst(
        [...unspoken]
          .filter(([revision]) => !spoken.has(revision) && (spoken.size > 0 || !doubtful.has(revision)))
          .map(([revision, { why, events }]) => ({ revision, era: eraOf(revision), why, events })),
      ),
    }),
  };
}

/** A server may send any value, and a list of any length. */
function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]).slice(0, 100) : [];
}

function newestFirst<T extends { revision: Revision }>(list: T[]): T[] {
  return list.sort((a, b) => compareRevisions(b.revision, a.revision));
}
