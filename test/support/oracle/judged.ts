/** What `judge` says of a trace, without what may differ from run to run or stands in the rule anyway. */
import { judgeFile } from '../../../src/check/judge.ts';
import { everything } from '../../../src/check/plan.ts';
import type { Evaluator } from '../../../src/core/evaluate/judge.ts';
import { McpcError } from '../../../src/core/model/errors.ts';
import type { ReportPart } from '../../../src/core/model/reports/run-report.ts';

const volatile: ReadonlySet<string> = new Set(['durationMs', 'startedAt', 'trace', 'run', 'tool', 'ruleSet']);
/** Members of a verdict that are copied from the rule. */
const ofRule: ReadonlySet<string> = new Set(
  'role title requirements statement area extension level severity basis ref link'.split(' '),
);

export interface Judged {
  /** A line for each verdict and feature, and one for each other member of the report: its name, and its JSON. */
  [name: string]: string;
}

/** @param file a trace or capture, judged for both sides; an error of the input is an entry too */
export async function judged(file: string, evaluator: Evaluator = 'fast'): Promise<Judged> {
  const notes: string[] = [];
  try {
    const { parts, ...rest } = await judgeFile(file, {
      selection: everything,
      toolVersion: '0',
      role: 'both',
      evaluator,
      // Stand-ins for secrets differ from run to run.
      capture: { keepSecrets: true },
      note: (text) => void notes.push(text),
    });
    return { ...members(rest), ...Object.assign({}, ...parts.map(partLines)), notes: textOf(notes, file) };
  } catch (error) {
    if (!(error instanceof McpcError)) throw error;
    return { error: textOf(error.message, file) };
  }

  function members(value: object): Judged {
    const kept = Object.entries(value).filter(([name]) => !volatile.has(name));
    return Object.fromEntries(kept.map(([name, member]) => [name, textOf(member, file)]));
  }

  function partLines({ verdicts, features = [], ...rest }: ReportPart): Judged {
    return {
      ...members(rest),
      ...Object.fromEntries(
        [...verdicts, ...features].map((one) => [
          one.rule,
          JSON.stringify(one, (key, value: unknown) => (ofRule.has(key) ? undefined : value)),
        ]),
      ),
    };
  }
}

function textOf(value: unknown, file: string): string {
  return (JSON.stringify(value) ?? '').replaceAll(file, 'FILE');
}
