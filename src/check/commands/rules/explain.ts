/** `mcpc rules explain`: why a rule judged a trace as it did. */
import { Args, Flags } from '@oclif/core';
import pc from 'picocolors';
import type { ExplainedLeaf, ExplainedSubject, Explanation } from '../../judge/explain.ts';
import { append } from '../../../core/model/lists.ts';
import { visible } from '../../../report/text.ts';
import { BaseCommand } from '../support/base.ts';
import { captureFlags, formatFlag, wireChoice } from '../support/flags/capture-flags.ts';
import { numberFlag } from '../support/flags/flag-values.ts';
import { houseFlags, selectionOf } from '../support/flags/run-flags.ts';
import { namedRule } from '../support/named-rule.ts';
import { asText } from '../../../core/model/json.ts';

const usualLimit = 50;

export default class RulesExplain extends BaseCommand {
  static override summary = 'Show why a rule judged a trace as it did.';

  static override description =
    `Lists each subject (a message, an exchange, a connection, whatever the rule is about) that the rule selected in the trace, each condition with the value found, and why the subject was judged or not. For authors of rules whose example gets the wrong verdict, and for users who doubt a verdict. json-rules-engine evaluates every condition.

Exit code 0, whatever the verdict is.`;

  static override examples = [
    'A verdict of a check\n<%= config.bin %> check --trace session.jsonl -- node server.js\n<%= config.bin %> rules explain ping/answer-empty-result session.jsonl',
    {
      description: 'A rule of your own',
      command:
        '<%= config.bin %> rules explain house/tool-prefix session.jsonl --rules house/tool-prefix.json --requirements house.md',
    },
  ];

  static override args = {
    rule: Args.string({ description: 'Id of the rule, as in "mcpc rules list".', required: true }),
    trace: Args.string({ description: 'Trace of mcpc, or a capture.', required: true }),
  };

  static override flags = {
    ...houseFlags,
    limit: numberFlag('limit', {
      summary: `Number of failures to show, and of other subjects. [default: ${usualLimit}]`,
      helpValue: 'N',
      min: 1,
      max: 10_000,
      whole: true,
    }),
    json: Flags.boolean({ summary: 'Print JSON.' }),
    'no-color': Flags.boolean({ summary: 'Disable colours; NO_COLOR in the environment does the same.' }),
    from: formatFlag('Format of the file, if it is a capture of another tool; detected when absent.'),
    ...captureFlags,
  };

  protected async work(): Promise<void> {
    const { args, flags } = await this.parse(RulesExplain);
    const [{ loadPlan }, { explainRule }] = await Promise.all([
      import('../../plan.ts'),
      import('../../judge/explain.ts'),
    ]);
    await this.warnOfHouseFiles(flags);
    const rule = namedRule((await loadPlan(selectionOf(flags))).rules, args.rule);
    const explanation = await explainRule(rule, args.trace, {
      capture: wireChoice(flags),
      limit: flags.limit ?? usualLimit,
    });
    if (flags.json) this.printJson(explanation);
    else this.print(explanationText(explanation, flags['no-color'] ? pc.createColors(false) : pc));
  }
}

type Colors = Pick<typeof pc, 'bold' | 'dim' | 'green' | 'red' | 'yellow'>;

function explanationText(
  {
    rule,
    title,
    revision,
    transport,
    given,
    status,
    reason,
    selected,
    judged,
    failed,
    unrecorded,
    connections,
    subjects,
    more,
  }: Explanation,
  colors: Colors,
): string {
  const lines = [
    `${colors.bold(rule)}  ${title}`,
    `${colors.bold(status)}${reason === undefined ? '' : ` (${visible(reason)})`}: ${selected} selected, ${judged} judged, ${failed} failed, by revision ${revision} on ${transport}`,
    `${colors.dim('selects')} ${JSON.stringify(given)}`,
  ];
  if (unrecorded.length > 0)
    lines.push(
      `The trace does not record ${unrecorded.join(' and ')}, which "given" selects by: subjects without it are left out.`,
    );
  if (selected === 0) lines.push('Nothing in the trace is what "given" selects.');
  for (const one of connections)
    append(lines, ['', ...subjectLines(one, `connection ${visible(one.session ?? '')}`, colors)]);
  // A reader looks for what failed.
  const isFailed = ({ outcome }: ExplainedSubject): boolean => outcome === 'fail' || outcome === 'error';
  for (const one of subjects.toSorted((a, b) => Number(isFailed(b)) - Number(isFailed(a))))
    append(lines, [
      '',
      ...subjectLines(one, `${placeOf(one)}${one.session === undefined ? '' : ` on ${visible(one.session)}`}`, colors),
    ]);
  if (more > 0) lines.push('', `${more} more; --limit shows more of them.`);
  return `${lines.join('\n')}\n`;
}

function placeOf({ events }: ExplainedSubject): string {
  const shown = events.slice(0, 8).join(', ');
  return `${events.length === 1 ? 'event' : 'events'} ${shown}${events.length > 8 ? ` and ${events.length - 8} more` : ''}`;
}

const tones = {
  pass: 'green',
  fail: 'red',
  error: 'red',
  'not-judged': 'yellow',
  binds: 'green',
  'does-not-bind': 'yellow',
} as const;
const outcomes: Record<ExplainedSubject['outcome'], string> = {
  pass: 'pass',
  fail: 'fail',
  error: 'error',
  'not-judged': 'not judged',
  binds: 'the requirement binds it',
  'does-not-bind': 'the requirement does not bind it',
};

function subjectLines({ outcome, because, conditions }: ExplainedSubject, place: string, colors: Colors): string[] {
  const lines = [
    `${place}: ${colors[tones[outcome]](outcomes[outcome])}${because === undefined ? '' : `, ${visible(because)}`}`,
  ];
  for (const { name, holds, leaves } of conditions) {
    lines.push(`  ${name} ${holds ? 'holds' : 'does not hold'}`);
    for (const leaf of leaves) lines.push(`    ${leaf.holds ? colors.green('✓') : colors.red('✗')} ${leafText(leaf)}`);
  }
  return lines;
}

function leafText({ fact, path, operator, option, actual, cut, recorded }: ExplainedLeaf): string {
  const place = `${fact}${path === undefined ? '' : ` ${path}`} ${operator} ${JSON.stringify(option)}`;
  const value =
    recorded === false ? 'not recorded' : actual === undefined ? 'absent' : cut ? asText(actual) : shortened(actual);
  return `${visible(place)}: ${visible(value)}`;
}

function shortened(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
