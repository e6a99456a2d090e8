/** `mcpc rules coverage`: how much of the specification has a rule. */
import { Flags } from '@oclif/core';
import Table from 'cli-table3';
import pc from 'picocolors';
import { usageError } from '../../../core/model/errors.ts';
import type { PartyCoverage, RevisionCoverage, Share } from '../../../core/spec/requirements/coverage.ts';
import { isKnownRevision, revisions } from '../../../core/spec/revisions.ts';
import { BaseCommand } from '../support/base.ts';
import { houseFlags, selectionOf } from '../support/flags/run-flags.ts';

export default class RulesCoverage extends BaseCommand {
  static override summary = 'Show how many requirements of the specification have a rule.';

  static override description =
    'Counts the requirements that can be checked from outside, by looking at the traffic. The others are listed separately; rules/spec has the reasons.';

  static override examples = [
    { description: 'All revisions', command: '<%= config.bin %> rules coverage' },
    {
      description: 'What of one revision is left, by name',
      command: '<%= config.bin %> rules coverage --spec 2025-11-25',
    },
    {
      description: 'What of clients is looked at, and what is not',
      command: '<%= config.bin %> rules coverage --role client --spec 2025-11-25',
    },
    {
      description: 'With rules of your own, for scripts',
      command: "<%= config.bin %> rules coverage --rules 'house/**/*.json' --requirements house.md --json",
    },
  ];

  static override flags = {
    spec: Flags.string({
      summary: 'One revision, with a list of the requirements that have no rule.',
      helpValue: 'REVISION',
    }),
    role: Flags.option({
      summary: 'Only what binds one party and shows on it, and the rules that look at that party.',
      options: ['server', 'client'] as const,
    })(),
    ...houseFlags,
    json: Flags.boolean({ summary: 'Print JSON.' }),
  };

  protected async work(): Promise<void> {
    const { flags } = await this.parse(RulesCoverage);
    const { spec } = flags;
    if (spec !== undefined && !isKnownRevision(spec))
      throw usageError(`There is no revision "${spec}".`, `Use one of ${revisions.join(', ')}.`);
    const [{ loadPlan }, { openCatalogue }, { coverageOf, extensionCoverages, partyCoverage }, { extensionsOf }] =
      await Promise.all([
        import('../../plan.ts'),
        import('../../project.ts'),
        import('../../../core/spec/requirements/coverage.ts'),
        import('../../../core/spec/requirements/catalogue.ts'),
      ]);
    await this.warnOfHouseFiles(flags);
    const { rules } = await loadPlan(selectionOf(flags));
    const catalogue = openCatalogue(flags.requirements ?? []);
    const asked = spec === undefined ? revisions : [spec];
    const { role } = flags;
    if (role !== undefined) {
      const ofParty = asked.map((revision) => partyCoverage(catalogue, rules, revision, role));
      const more = asked.flatMap((revision) =>
        extensionsOf(catalogue, revision).map((extension) =>
          partyCoverage(catalogue, rules, revision, role, extension),
        ),
      );
      if (flags.json) this.printJson({ revisions: ofParty.map(partyJson), extensions: more.map(partyJson) });
      else
        this.print(
          `${partyTable([...ofParty, ...more])}\n${spec === undefined ? '' : [...ofParty, ...more].map(namesOf).join('')}`,
        );
      return;
    }
    const coverages = asked.map((revision) => coverageOf(catalogue, rules, revision));
    const extensions = asked.flatMap((revision) => extensionCoverages(catalogue, rules, revision));
    if (flags.json) this.printJson({ revisions: coverages.map(jsonOf), extensions: extensions.map(jsonOf) });
    else
      this.print(
        `${tableOf([...coverages, ...extensions])}\n${spec === undefined ? '' : [...coverages, ...extensions].map(namesOf).join('')}`,
      );
  }
}

function jsonOf({ uncovered, clientUncovered, unobservable, ...figures }: RevisionCoverage) {
  return {
    ...figures,
    uncovered: uncovered.map(({ id, level }) => ({ id, level })),
    clientUncovered: clientUncovered.map(({ id, level }) => ({ id, level })),
    unobservable: unobservable.map(({ id, level, reason }) => ({ id, level, reason })),
  };
}

function partyJson({ uncovered, ...figures }: PartyCoverage) {
  return { ...figures, uncovered: uncovered.map(({ id, level }) => ({ id, level })) };
}

function partyTable(coverages: readonly PartyCoverage[]): string {
  const table = new Table({
    head: ['revision', `${coverages[0]!.role} MUST`, 'SHOULD', 'MAY'].map((head) => pc.bold(head)),
    style: { head: [], border: [] },
    colAligns: ['left', 'right', 'right', 'right'],
  });
  for (const one of coverages) table.push([nameOf(one), share(one.must), share(one.should), share(one.may)]);
  return table.toString();
}

function nameOf({ revision, extension }: Pick<RevisionCoverage, 'revision' | 'extension'>): string {
  return extension === undefined ? revision : `${extension}\n(${revision})`;
}

function tableOf(coverages: readonly RevisionCoverage[]): string {
  const heads = ['revision', 'requirements', 'observable', 'server MUST', 'SHOULD', 'MAY', 'client', 'auth only'];
  const table = new Table({
    head: heads.map((head) => pc.bold(head)),
    style: { head: [], border: [] },
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right', 'right', 'right'],
  });
  for (const one of coverages)
    table.push([
      nameOf(one),
      one.requirements,
      one.observable,
      share(one.must),
      share(one.should),
      share(one.may),
      share(one.client),
      share(one.auth),
    ]);
  return table.toString();
}

/** Rounded down, so that 100% means all. */
function share({ covered, total }: Share): string {
  return total === 0 ? '-' : `${covered}/${total} ${Math.floor((covered * 100) / total)}%`;
}

function namesOf({
  extension,
  uncovered,
  clientUncovered = [],
  unobservable = [],
}: Pick<RevisionCoverage, 'extension' | 'uncovered'> &
  Partial<Pick<RevisionCoverage, 'clientUncovered' | 'unobservable'>>): string {
  const half = clientUncovered.filter(({ id }) => uncovered.every((one) => one.id !== id));
  const of = extension === undefined ? '' : `, ${extension}`;
  const list = (title: string, rows: readonly string[]): string =>
    rows.length === 0 ? '' : `\n${pc.bold(title)}\n${rows.map((row) => `  ${row}\n`).join('')}`;
  return (
    list(
      `Without a rule (${uncovered.length})${of}`,
      uncovered.map(({ id, level }) => `${level.padEnd(10)} ${id}`),
    ) +
    list(
      `With a rule about servers, and none about clients (${half.length})${of}`,
      half.map(({ id, level }) => `${level.padEnd(10)} ${id}`),
    ) +
    list(
      `Not observable (${unobservable.length})${of}`,
      unobservable.map(({ id, reason }) => `${id}  ${pc.dim(reason ?? '')}`),
    )
  );
}
