/**
 * Evidence of an outcome, case by case: the subject, its events, and for a failure the wrong properties. A subject may
 * depend on many events; a failure lists only those of the facts in question.
 */
import type { Subject } from '../facts/state/subject.ts';
import type { SubjectKind } from '../model/rules/subject-kind.ts';
import { membersOf, type LeafResult } from './conditions/engine.ts';
import type { LeafWords } from './conditions/leaf-words.ts';
import type { OperatorContext } from './operators/operator.ts';

export interface OutcomeCase {
  /** In words, for example `exchange tools/call`. */
  subject: string;
  /** In order. */
  events: readonly number[];
  /** For failures: facts for the rule's message, expectation and observation. */
  facts: Record<string, unknown>;
  words: LeafWords;
}

export const noWords: LeafWords = { expected: '', actual: '', seen: '', told: '' };

/** One failure, identified by its place: equal events and properties in two rules have the same cause. */
export interface Cause {
  events: readonly number[];
  /** Properties, with `[]` for any place in an array; never empty. */
  members: readonly string[];
  /** The first of them as a path in the message: `result.tools[1].inputSchema`. */
  place?: string;
}

/** Cases of an outcome that are kept: the first one and three more. */
export const keptCases = 4;

const kindWords: Record<SubjectKind, string> = {
  message: 'message',
  exchange: 'exchange',
  followUp: 'what followed',
  stdoutLine: 'line on stdout',
  stdinLine: 'line on stdin',
  http: 'HTTP exchange',
  stream: 'event stream',
  pagination: 'pages of',
  turn: 'page of',
  opening: 'first request',
  resumption: 'resumption of a stream',
  address: 'address that the server named',
  serverRequest: 'server request',
  task: 'task',
  session: 'connection',
  metadata: 'metadata',
  authorization: 'authorization',
  grant: 'login',
  issuance: 'request to the authorization server',
  trace: 'all connections',
  group: 'group',
  pair: 'pair',
};

/** A subject in a few words. */
export function subjectWords({ kind, facts }: Pick<Subject, 'kind' | 'facts'>): string {
  const read = (name: string): string | undefined => {
    try {
      const value = facts[name];
      return typeof value === 'string' && value.length <= 100 ? value : undefined;
    } catch {
      // A feature failed, which is reported elsewhere.
      return undefined;
    }
  };
  const repliesTo = kind === 'message' ? read('repliesTo') : undefined;
  if (repliesTo !== undefined) return `response to ${repliesTo}`;
  const method = read('rpcMethod') ?? read('method');
  return method === undefined ? kindWords[kind] : `${kindWords[kind]} ${method}`;
}

const own = 'subject.';

/** The events for the facts of the leaves, if the subject knows them. */
export function eventsShowing(subject: Subject, leaves: readonly LeafResult[]): readonly number[] {
  const events = new Set<number>();
  for (const { fact } of leaves.filter(({ matters }) => matters))
    for (const seq of (fact.startsWith(own) ? subject.cites?.(fact.slice(own.length)) : undefined) ?? subject.events)
      events.add(seq);
  return inOrder(events.size === 0 ? subject.events : events);
}

export function causeOf(events: readonly number[], leaves: readonly LeafResult[], context: OperatorContext): Cause {
  const broken = leaves.filter(({ matters }) => matters);
  // A condition on the session says when another one holds: no message is wrong in that.
  const own = broken.filter(({ fact }) => !fact.startsWith('session.'));
  const places = (own.length === 0 ? broken : own).flatMap((leaf) => membersOf(leaf, context));
  return { events, members: [...new Set(places.map(anyPlace))].sort(), place: places[0] };
}

/** A path with `[]` for each index, so that entries of an array do not differ. */
function anyPlace(path: string): string {
  return path
    .split('[')
    .map((part, at) => (at === 0 ? part : `]${part.slice(part.indexOf(']') + 1)}`))
    .join('[');
}

export function inOrder(events: Iterable<number>): number[] {
  return [...new Set(events)].sort((a, b) => a - b);
}
