/**
 * The form of the catalogues: a mutation is one wrong behaviour, a variant an unusual but legal
 * one; all else stays as it is.
 */
import type { BehaviourChange } from '../../../server/session/behaviour.ts';
import type { GuardKind } from '../../../server/session/guard.ts';
import type { TransportKind } from '../../../server/session/host.ts';
import type { Revision, StatefulRevision } from '../../../server/protocol/revisions.ts';
import { statefulRevisions } from '../../../server/protocol/revisions.ts';

export const allTransports: readonly TransportKind[] = ['stdio', 'http', 'sse'];
export const httpOnly: readonly TransportKind[] = ['http'];
export const stdioOnly: readonly TransportKind[] = ['stdio'];
export const sseOnly: readonly TransportKind[] = ['sse'];

export interface Mutation {
  /** The rule's id, with a suffix after @ where one rule has several mutations. */
  id: string;
  /** The rule that has to fail. */
  rule: string;
  transports: readonly TransportKind[];
  /** The revisions in which the behaviour shows and is wrong; a server under it is to be checked in one of them. */
  revisions: readonly Revision[];
  /** The revisions that the server has to be restricted to for the behaviour to be wrong. */
  serve?: readonly Revision[];
  description: string;
  /** Rules that the same behaviour breaks as well; `*` if hardly any rule can be decided. */
  alsoBreaks?: readonly string[];
  /** Only an advisory requirement is broken: a checker may well let it pass. */
  advisory?: true;
  /** The server is guarded so, and the checker has a good token. */
  guard?: GuardKind;
  /** Only a checker that starts the server itself can see it. */
  served?: true;
  change: BehaviourChange;
}

/** A behaviour that no rule may fail. */
export interface Variant {
  id: string;
  /** The revisions in which it is legal; absent: all. */
  revisions?: readonly Revision[];
  /** The server is guarded so, and the checker has a good token. */
  guard?: GuardKind;
  /** The checker has this key in place of a token, and no other tokens to try. */
  key?: string;
  transports: readonly TransportKind[];
  description: string;
  /** Recommendations (SHOULD) that the behaviour falls short of, and why it is legal all the same: those rules may warn. */
  shortOf?: Readonly<Record<string, string>>;
  /** Rules of level MAY that have to say `used` wherever they hold. */
  uses?: readonly string[];
  /** Rules of level MAY that say `used` of the plain server; this one has no such thing, nor are they to say so of it. */
  lacks?: readonly string[];
  /** The same, in single revisions. */
  lacksAt?: Readonly<Partial<Record<Revision, readonly string[]>>>;
  /** Rules of level MAY that may say nothing though the server has what they ask for, with the reason. */
  unseen?: Readonly<Record<string, string>>;
  /** It leaves other variants little to be seen by, so that it gets a server of its own. */
  solitary?: true;
  /** A check sees it if it knows the resource with the work of the slow tool. */
  watchesWork?: true;
  change: BehaviourChange;
}

/** The stateful revisions from `first` on. */
export function from(first: StatefulRevision): StatefulRevision[] {
  return statefulRevisions.filter((revision) => revision >= first);
}

type Given = Omit<Mutation, 'id' | 'transports' | 'revisions'> &
  Partial<Pick<Mutation, 'id' | 'transports' | 'revisions'>>;

/** Fills in what most mutations have in common: all transports, all stateful revisions. */
export function mutation(given: Given): Mutation {
  return { id: given.rule, transports: allTransports, revisions: statefulRevisions, ...given };
}
