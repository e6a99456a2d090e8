/**
 * Renders COVERAGE.md: for each revision how many requirements there are, how many can be observed, how
 * many have a rule, and the rest by name. A pure function of its inputs; it must not read rules itself.
 */
import type { Level, RequirementAt, Revision } from '../../model/requirement.ts';
import { isObservable, isServerObservable, requirementsOf } from '../../spec/catalogue.ts';
import type { Catalogue } from '../../spec/catalogue.ts';
import { revisionTimeline } from '../../spec/revisions.ts';

/** What coverage needs to know of a rule. */
export interface CoveringRule {
  id: string;
  /** Ids of the requirements that the rule decides. */
  requirements: readonly string[];
}

/** A requirement without a rule that is known and accepted for the time being. */
export interface TodoEntry {
  requirement: string;
  /** Date on which it was put on the list, YYYY-MM-DD. */
  since: string;
}

export interface Share {
  covered: number;
  total: number;
}

export interface RevisionCoverage {
  revision: Revision;
  requirements: number;
  observable: number;
  serverObservable: number;
  /** Of the server-observable: MUST and MUST NOT, SHOULD and SHOULD NOT, MAY. */
  must: Share;
  should: Share;
  may: Share;
  /** Observable only on a client or with an authorization set-up. */
  other: Share;
  /** Sorted by id. */
  uncovered: RequirementAt[];
  unobservable: RequirementAt[];
}

type LevelClass = 'must' | 'should' | 'may';
type Kind = LevelClass | 'other';

const classOf: Record<Level, LevelClass> = {
  MUST: 'must',
  'MUST NOT': 'must',
  SHOULD: 'should',
  'SHOULD NOT': 'should',
  MAY: 'may',
};

const kinds: readonly { kind: Kind; title: string }[] = [
  { kind: 'must', title: 'Server, MUST and MUST NOT' },
  { kind: 'should', title: 'Server, SHOULD and SHOULD NOT' },
  { kind: 'may', title: 'Server, MAY' },
  { kind: 'other', title: 'Seen only on a client or with an authorization set-up' },
];

/** The figures behind COVERAGE.md, for one revision. */
export function coverageOf(catalogue: Catalogue, rules: readonly CoveringRule[], revision: Revision): RevisionCoverage {
  const decided = new Set(rules.flatMap((rule) => rule.requirements));
  const coverage: RevisionCoverage = {
    revision,
    requirements: 0,
    observable: 0,
    serverObservable: 0,
    must: { covered: 0, total: 0 },
    should: { covered: 0, total: 0 },
    may: { covered: 0, total: 0 },
    other: { covered: 0, total: 0 },
    uncovered: [],
    unobservable: [],
  };
  for (const requirement of requirementsOf(catalogue, revision)) {
    coverage.requirements += 1;
    if (!isObservable(requirement)) {
      coverage.unobservable.push(requirement);
      continue;
    }
    coverage.observable += 1;
    if (isServerObservable(requirement)) coverage.serverObservable += 1;
    const share = coverage[kindOf(requirement)];
    share.total += 1;
    if (decided.has(requirement.id)) share.covered += 1;
    else coverage.uncovered.push(requirement);
  }
  return coverage;
}

/**
 * The text of COVERAGE.md.
 * @param todo requirements that may lack a rule for now; each is shown with its date
 * @throws RangeError when a rule or an entry names a requirement that the catalogue does not have
 */
export function renderCoverage(
  catalogue: Catalogue,
  rules: readonly CoveringRule[],
  todo: readonly TodoEntry[] = [],
): string {
  for (const { id, requirements } of rules) {
    for (const requirement of requirements) {
      if (!catalogue.byId.has(requirement)) throw new RangeError(`rule ${id} names the unknown requirement ${requirement}`);
    }
  }
  for (const { requirement } of todo) {
    if (!catalogue.byId.has(requirement)) throw new RangeError(`the to-do list names the unknown requirement ${requirement}`);
  }

  const coverages = revisionTimeline.map(({ id }) => coverageOf(catalogue, rules, id));
  const dates = new Map(todo.map(({ requirement, since }) => [requirement, since]));
  const blocks = [
    '# Coverage of the specification',
    'Written by `npm run generate`; do not edit. A requirement is covered when a rule decides it. Those that no outside observer can decide stand under "not observable", with the reason in `rules/spec/<revision>.md`.',
    renderTable(coverages),
    ...coverages.flatMap((coverage) => renderRevision(coverage, dates)),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function kindOf(requirement: RequirementAt): Kind {
  return isServerObservable(requirement) ? classOf[requirement.level] : 'other';
}

function renderTable(coverages: readonly RevisionCoverage[]): string {
  const rows = coverages.map(
    ({ revision, requirements, observable, serverObservable, must, should, may, other }) =>
      `| ${revision} | ${requirements} | ${observable} | ${serverObservable} | ${share(must)} | ${share(should)} | ${share(may)} | ${share(other)} |`,
  );
  return [
    '| revision | requirements | observable | on a server | MUST with a rule | SHOULD with a rule | MAY with a rule | client or authorization, with a rule |',
    '|---|---:|---:|---:|---:|---:|---:|---:|',
    ...rows,
  ].join('\n');
}

function renderRevision(coverage: RevisionCoverage, dates: ReadonlyMap<string, string>): string[] {
  const blocks = [`## ${coverage.revision}`];
  for (const { kind, title } of kinds) {
    const rest = coverage.uncovered.filter((requirement) => kindOf(requirement) === kind);
    blocks.push(`### ${title}: ${share(coverage[kind])} with a rule`);
    if (rest.length > 0) blocks.push(`Without a rule:\n\n${listByArea(rest, dates)}`);
  }
  blocks.push(`### Not observable: ${coverage.unobservable.length}`);
  if (coverage.unobservable.length > 0) blocks.push(listByArea(coverage.unobservable, new Map()));
  return blocks;
}

function listByArea(requirements: readonly RequirementAt[], dates: ReadonlyMap<string, string>): string {
  const areas = new Map<string, string[]>();
  for (const { id, area } of requirements) {
    const since = dates.get(id);
    const names = areas.get(area) ?? [];
    names.push(since === undefined ? `\`${id}\`` : `\`${id}\` (to do since ${since})`);
    areas.set(area, names);
  }
  return [...areas].map(([area, names]) => `- **${area}** (${names.length}): ${names.join(', ')}`).join('\n');
}

/** Percentages are rounded down, so that 100% means all. */
function share({ covered, total }: Share): string {
  return total === 0 ? '0 of 0' : `${covered} of ${total} (${Math.floor((covered * 100) / total)}%)`;
}
