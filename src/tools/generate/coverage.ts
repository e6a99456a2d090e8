/**
 * Renders COVERAGE.md: for each revision and extension how many requirements there are, how many can be observed, how
 * many have a rule, and the rest by name. A pure function of its inputs; it must not read rules itself.
 */
import type { RequirementAt } from '../../core/model/rules/requirement.ts';
import type { Catalogue } from '../../core/spec/requirements/catalogue.ts';
import {
  coverageKindOf,
  coverageOf,
  extensionCoverages,
  type CoverageKind,
  type CoveringRule,
  type RevisionCoverage,
  type Share,
} from '../../core/spec/requirements/coverage.ts';
import { revisionTimeline } from '../../core/spec/revisions.ts';

/** A requirement without a rule that is known and accepted for the time being. */
export interface TodoEntry {
  requirement: string;
  /** Date on which it was put on the list, YYYY-MM-DD. */
  since: string;
  /** A rule about servers is there; one about clients, whom it binds as well, is not. */
  party?: 'client';
}

const kinds: readonly { kind: CoverageKind; title: string }[] = [
  { kind: 'must', title: 'Server, MUST and MUST NOT' },
  { kind: 'should', title: 'Server, SHOULD and SHOULD NOT' },
  { kind: 'may', title: 'Server, MAY' },
  { kind: 'client', title: 'Client' },
  { kind: 'auth', title: 'Seen only with an authorization set-up' },
];

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
      if (!catalogue.byId.has(requirement))
        throw new RangeError(`rule ${id} names the unknown requirement ${requirement}`);
    }
  }
  for (const { requirement } of todo) {
    if (!catalogue.byId.has(requirement))
      throw new RangeError(`the to-do list names the unknown requirement ${requirement}`);
  }

  const coverages = revisionTimeline.map(({ id }) => coverageOf(catalogue, rules, id));
  const extensions = revisionTimeline.flatMap(({ id }) => extensionCoverages(catalogue, rules, id));
  const dates = new Map(todo.map(({ requirement, since }) => [requirement, since]));
  const blocks = [
    '# Coverage of the specification',
    'Written by `npm run generate`; do not edit. A requirement is covered when a rule about a party that it binds can decide it in the era of the revision. Requirements that no outside observer can decide are under "not observable", with the reason in `rules/spec`.',
    renderTable(coverages),
    ...coverages.flatMap((coverage) => renderRevision(coverage, dates)),
    ...(extensions.length === 0
      ? []
      : [
          '## Extensions',
          'They bind those who declare them, and are counted in no revision.',
          renderTable(extensions),
          ...extensions.flatMap((coverage) => renderRevision(coverage, dates)),
        ]),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function renderTable(coverages: readonly RevisionCoverage[]): string {
  const rows = coverages.map(
    ({ revision, extension, requirements, observable, serverObservable, must, should, may, client, auth }) =>
      `| ${extension === undefined ? revision : `${extension} (${revision})`} | ${requirements} | ${observable} | ${serverObservable} | ${share(must)} | ${share(should)} | ${share(may)} | ${share(client)} | ${share(auth)} |`,
  );
  return [
    `| ${coverages.some(({ extension }) => extension !== undefined) ? 'extension' : 'revision'} | requirements | observable | on a server | MUST with a rule | SHOULD with a rule | MAY with a rule | binding clients and seen on them, with a rule about clients | seen only with authorization, with a rule |`,
    '|---|---:|---:|---:|---:|---:|---:|---:|---:|',
    ...rows,
  ].join('\n');
}

function renderRevision(coverage: RevisionCoverage, dates: ReadonlyMap<string, string>): string[] {
  const blocks = [`## ${coverage.extension ?? coverage.revision}`];
  for (const { kind, title } of kinds) {
    const rest =
      kind === 'client'
        ? coverage.clientUncovered
        : coverage.uncovered.filter((requirement) => coverageKindOf(requirement) === kind);
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
