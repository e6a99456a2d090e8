/**
 * Coverage of the specification in figures: for each revision how many requirements there are, how many can be
 * observed, how many have a rule, and the rest by name. Pure; it must not read rules itself.
 */
import type { Level, RequirementAt, Revision } from '../../model/rules/requirement.ts';
import type { Condition } from '../../model/rules/rule.ts';
import { eraOf } from '../revisions.ts';
import {
  bindsParty,
  extensionsOf,
  isClientObservable,
  isObservable,
  isServerObservable,
  requirementsOf,
  type Catalogue,
} from './catalogue.ts';

/** Data of a rule for coverage. */
export interface CoveringRule {
  id: string;
  /** Ids of the requirements that the rule decides. */
  requirements: readonly string[];
  /** Whose behaviour it judges; either when absent. */
  role?: 'server' | 'client';
  applies?: Condition;
  when?: Condition;
}

export interface Share {
  covered: number;
  total: number;
}

export interface RevisionCoverage {
  revision: Revision;
  /** For an extension: its identifier; the revision is its core one. */
  extension?: string;
  requirements: number;
  observable: number;
  serverObservable: number;
  /** Of the server-observable: MUST and MUST NOT, SHOULD and SHOULD NOT, MAY. */
  must: Share;
  should: Share;
  may: Share;
  /**
   * Requirements that bind clients and are visible on them, independent of servers: those with a rule about clients.
   */
  client: Share;
  /** Requirements that only an authorization set-up can show: those with a rule about either party. */
  auth: Share;
  /** Without a rule about a server that they bind and show on, or else without any rule. Sorted by id. */
  uncovered: RequirementAt[];
  /** Those of `client` without a rule about clients. */
  clientUncovered: RequirementAt[];
  unobservable: RequirementAt[];
}

type LevelClass = 'must' | 'should' | 'may';
/** Where a requirement shows: on a server (by level), only on a client, or only with an authorization set-up. */
export type CoverageKind = LevelClass | 'client' | 'auth';

const classOf: Record<Level, LevelClass> = {
  MUST: 'must',
  'MUST NOT': 'must',
  SHOULD: 'should',
  'SHOULD NOT': 'should',
  MAY: 'may',
};

/** The figures of the extensions of one revision. */
export function extensionCoverages(
  catalogue: Catalogue,
  rules: readonly CoveringRule[],
  revision: Revision,
): RevisionCoverage[] {
  return extensionsOf(catalogue, revision).map((extension) => coverageOf(catalogue, rules, revision, extension));
}

/** The figures of one revision without its extensions, or of one extension. */
export function coverageOf(
  catalogue: Catalogue,
  rules: readonly CoveringRule[],
  revision: Revision,
  extension?: string,
): RevisionCoverage {
  const able = rules.filter((rule) => isDecidableIn(rule, revision));
  const decided = { server: ofParty(able, 'server'), client: ofParty(able, 'client') };
  const coverage: RevisionCoverage = {
    revision,
    extension,
    requirements: 0,
    observable: 0,
    serverObservable: 0,
    must: { covered: 0, total: 0 },
    should: { covered: 0, total: 0 },
    may: { covered: 0, total: 0 },
    client: { covered: 0, total: 0 },
    auth: { covered: 0, total: 0 },
    uncovered: [],
    clientUncovered: [],
    unobservable: [],
  };
  for (const requirement of requirementsOf(catalogue, revision, extension)) {
    coverage.requirements += 1;
    if (!isObservable(requirement)) {
      coverage.unobservable.push(requirement);
      continue;
    }
    coverage.observable += 1;
    if (isServerObservable(requirement)) coverage.serverObservable += 1;
    const kind = coverageKindOf(requirement);
    const has = (party: Party): boolean => decided[party].has(requirement.id) && bindsParty(requirement, party);
    // Requirements visible on a server need a rule about servers; others may have one about either party.
    const covered =
      isServerObservable(requirement) && bindsParty(requirement, 'server')
        ? has('server')
        : has('server') || has('client');
    if (!covered) coverage.uncovered.push(requirement);
    if (kind !== 'client') count(coverage[kind], covered);
    if (!bindsParty(requirement, 'client') || !isClientObservable(requirement)) continue;
    count(coverage.client, has('client'));
    if (!has('client')) coverage.clientUncovered.push(requirement);
  }
  return coverage;
}

/** The requirements that bind one party and can be seen on it, and those of them for which no rule looks at that party. */
export interface PartyCoverage {
  revision: Revision;
  extension?: string;
  role: Party;
  must: Share;
  should: Share;
  may: Share;
  uncovered: RequirementAt[];
}

/** The figures of one revision, or of one extension, for one party. */
export function partyCoverage(
  catalogue: Catalogue,
  rules: readonly CoveringRule[],
  revision: Revision,
  role: Party,
  extension?: string,
): PartyCoverage {
  const decided = ofParty(
    rules.filter((rule) => isDecidableIn(rule, revision)),
    role,
  );
  const coverage: PartyCoverage = {
    revision,
    extension,
    role,
    must: { covered: 0, total: 0 },
    should: { covered: 0, total: 0 },
    may: { covered: 0, total: 0 },
    uncovered: [],
  };
  const isSeen = role === 'client' ? isClientObservable : isServerObservable;
  for (const requirement of requirementsOf(catalogue, revision, extension)) {
    if (!bindsParty(requirement, role) || !isSeen(requirement)) continue;
    const share = coverage[classOf[requirement.level]];
    share.total += 1;
    if (decided.has(requirement.id)) share.covered += 1;
    else coverage.uncovered.push(requirement);
  }
  return coverage;
}

export type Party = 'server' | 'client';

function count(share: Share, covered: boolean): void {
  share.total += 1;
  if (covered) share.covered += 1;
}

function ofParty(rules: readonly CoveringRule[], party: Party): ReadonlySet<string> {
  return new Set(rules.filter(({ role = party }) => role === party).flatMap(({ requirements }) => requirements));
}

/** True if the conditions of a rule can hold in the era of the revision. */
function isDecidableIn({ applies, when }: CoveringRule, revision: Revision): boolean {
  const era = eraOf(revision);
  return ![applies, when].some(
    (condition) => condition !== undefined && demandedEras(condition).some((one) => one !== era),
  );
}

/** Eras without which the condition is false, whatever else there is. */
function demandedEras(condition: Condition): unknown[] {
  if ('all' in condition) return condition.all.flatMap(demandedEras);
  return 'fact' in condition && condition.fact === 'session.era' && condition.operator === 'is'
    ? [condition.value]
    : [];
}

/** Which share of its revision a requirement belongs to first; what binds clients as well is counted among theirs, too. */
export function coverageKindOf(requirement: RequirementAt): CoverageKind {
  if (isServerObservable(requirement)) return classOf[requirement.level];
  return isClientObservable(requirement) ? 'client' : 'auth';
}
