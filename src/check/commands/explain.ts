/** `mcpc explain`: what a rule asks for, what breaks it and how to fix it; with a report, what it found there. */
import { readFileSync } from 'node:fs';
import { Args, Flags } from '@oclif/core';
import pc from 'picocolors';
import { append } from '../../core/model/lists.ts';
import { usageError } from '../../core/model/errors.ts';
import type { CompiledRule, RuleExample } from '../../core/model/rules/rule.ts';
import { BaseCommand } from './support/base.ts';
import { captureFlags, formatFlag } from './support/flags/capture-flags.ts';
import { houseFlags, selectionOf } from './support/flags/run-flags.ts';
import { namedRule } from './support/named-rule.ts';

export default class Explain extends BaseCommand {
  static override summary = 'Explain a rule: its requirement, a good and a bad exchange, and how to fix a failure.';

  static override description =
    `With --run, also what the rule found in that report, with the messages that show it. With --trace, why each subject of a trace was judged as it was, which is what "mcpc rules explain" prints. "mcpc rules show --json" has the raw form.

Exit code 0, whatever the verdict is.`;

  static override examples = [
    { description: 'A rule that a report names', command: '<%= config.bin %> explain ping/answer-empty-result' },
    'What it found in a run\n<%= config.bin %> check --json -- node server.js > run.json\n<%= config.bin %> explain ping/answer-empty-result --run run.json',
    {
      description: 'Why a trace was judged as it was',
      command: '<%= config.bin %> explain ping/answer-empty-result --trace session.jsonl',
    },
  ];

  static override args = {
    rule: Args.string({ description: 'Id of the rule, as in "mcpc rules list", or a requirement.', required: true }),
  };

  static override flags = {
    ...houseFlags,
    run: Flags.string({
      summary: 'Report of a check (--json); - reads stdin.',
      helpValue: 'FILE',
      exclusive: ['trace'],
    }),
    trace: Flags.string({ summary: 'Trace of mcpc, or a capture: explain each verdict in it.', helpValue: 'FILE' }),
    'no-color': Flags.boolean({ summary: 'Disable colours; NO_COLOR in the environment does the same.' }),
    from: formatFlag('Format of the file of --trace, if it is a capture of another tool; detected when absent.'),
    ...captureFlags,
  };

  protected async work(): Promise<void> {
    const { args, flags } = await this.parse(Explain);
    if (flags.trace !== undefined) {
      const house = [
        ...(flags.rules ?? []).flatMap((one) => ['--rules', one]),
        ...(flags.requirements ?? []).flatMap((one) => ['--requirements', one]),
        ...(flags.facts ?? []).flatMap((one) => ['--facts', one]),
      ];
      const capture = (['from', 'transport', 'spec'] as const).flatMap((name) =>
        flags[name] === undefined ? [] : [`--${name}`, flags[name]],
      );
      const plain = (['strict-ids', 'keep-secrets', 'no-color'] as const).flatMap((name) =>
        flags[name] ? [`--${name}`] : [],
      );
      await this.config.runCommand('rules:explain', [args.rule, flags.trace, ...house, ...capture, ...plain]);
      return;
    }
    const needless = ['from', ...Object.keys(captureFlags)].find((name) => Boolean(flags[name as 'from']));
    if (needless !== undefined)
      throw usageError(`--${needless} says how to read a trace, and there is none.`, 'Name it with --trace FILE.');
    const [{ loadPlan }, { readRuleSource }, { sdkFixesOf }, { outlineOf }] = await Promise.all([
      import('../plan.ts'),
      import('../authoring/rule-source.ts'),
      import('../target/sdk-fixes.ts'),
      import('../authoring/stimulus-outline.ts'),
    ]);
    await this.warnOfHouseFiles(flags);
    const rule = namedRule((await loadPlan(selectionOf(flags))).rules, args.rule);
    const colors = flags['no-color'] ? pc.createColors(false) : pc;
    const lines = ruleLines(
      rule,
      readRuleSource(rule.id, flags.rules ?? []).rule.examples,
      sdkFixesOf(rule.id),
      colors,
    );
    const sent =
      rule.stimulus === undefined
        ? ['Whatever a conversation has: nothing is sent for it']
        : outlineOf(rule.stimulus, longestOutline);
    append(lines, ['', colors.bold('Exercised by'), ...sent.map((line) => `  ${line}`)]);
    if (flags.run !== undefined) append(lines, ['', ...(await foundLines(rule.id, flags.run, colors))]);
    this.print(`${lines.join('\n')}\n`);
  }
}

type Colors = ReturnType<typeof pc.createColors>;

/** Lines about what exercises a rule; some do all that a server offers. */
const longestOutline = 30;

function ruleLines(
  rule: CompiledRule,
  examples: readonly RuleExample[],
  fixes: readonly { sdk: string; fix: string }[],
  c: Colors,
): string[] {
  const places = Object.entries(rule.at);
  const lines = [`${c.bold(rule.id)}  ${rule.title}`, '', c.bold('Requirement')];
  for (const statement of new Set(places.map(([, place]) => place.statement))) lines.push(`  ${statement}`);
  for (const [revision, { level, link, ref, severity }] of places)
    lines.push(
      `  ${c.dim(`${revision}  ${level}${severity === 'warning' && level.startsWith('MUST') ? ' (counts as a warning)' : ''}`)}  ${c.cyan(link ?? ref)}`,
    );
  for (const [verdict, heading] of [
    ['pass', 'A good exchange'],
    ['fail', 'A bad exchange'],
    ['used', 'An exchange that uses it'],
    ['not-seen', 'One that does not'],
  ] as const) {
    const example = examples.find((one) => one.verdict === verdict);
    if (example !== undefined) append(lines, ['', c.bold(heading), ...conversation(example, c)]);
  }
  if (rule.feature !== true)
    append(lines, ['', c.bold('Fix'), `  ${rule.fix}`, ...fixes.map(({ sdk, fix }) => `  ${c.dim(`${sdk}:`)} ${fix}`)]);
  return lines;
}

/** The lines of an example, as they went over the wire. */
function conversation({ trace, note }: RuleExample, c: Colors): string[] {
  const arrows: Record<string, string> = { '>': c.blue('→'), '<': c.magenta('←') };
  return [
    ...(note === undefined ? [] : [`  ${c.dim(note)}`]),
    ...trace.map((line) =>
      arrows[line[0]!] === undefined ? `  ${c.dim(line)}` : `  ${arrows[line[0]!]!} ${line.slice(1).trim()}`,
    ),
  ];
}

/** The rule's result in a report, in each of its parts. */
async function foundLines(id: string, file: string, c: Colors): Promise<string[]> {
  const [{ parseReport }, { ofPart }, { viewOf }, { detailed }, { text: readAll }] = await Promise.all([
    import('../../report/validate-report.ts'),
    import('../../core/model/reports/run-parts.ts'),
    import('../../report/check/view-model.ts'),
    import('../../report/terminal-finding.ts'),
    import('node:stream/consumers'),
  ]);
  const report = parseReport(
    file === '-' ? await readAll(process.stdin) : readReport(file),
    file === '-' ? 'stdin' : file,
  );
  const lines: string[] = [];
  for (const part of report.parts) {
    const feature = part.features?.find((one) => one.rule === id);
    if (feature !== undefined) {
      const shown = feature.evidence?.events ?? [];
      append(lines, [
        c.bold(`In the run of ${report.target.name} by ${part.revision}`),
        feature.status === 'used'
          ? `  Used ${feature.uses} ${feature.uses === 1 ? 'time' : 'times'}; events ${shown.join(', ')} show it.`
          : '  Not seen.',
      ]);
      continue;
    }
    const verdict = viewOf(ofPart(report, part))
      .groups.flatMap((group) => [...group.verdicts, ...group.hidden])
      .find(({ rule }) => rule === id);
    append(lines, [
      c.bold(`In the run of ${report.target.name} by ${part.revision}`),
      ...(verdict === undefined
        ? ['  The report has no verdict of this rule.']
        : detailed(verdict, { c, width: Math.min(120, Math.max(40, process.stdout.columns ?? 80)) })),
    ]);
  }
  return lines;
}

function readReport(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(
      `Cannot read the report ${file}: ${(error as Error).message}`,
      'Give a report written by "mcpc check --json".',
      error,
    );
  }
}
