/** Which revisions a target speaks, by which answers, and which it does not: in words, for every format. */
import type { RunReport } from '../../core/model/reports/run-report.ts';
import { capital, oneLine } from '../text.ts';

export interface SpokenView {
  revision: string;
  era: string;
  /** `initialize (#1, #2), server/discover (#3, #4)` */
  by: string;
  /** True for a judged revision. */
  checked: boolean;
}

export interface RevisionsView {
  spoken: SpokenView[];
  unspoken: { revision: string; era: string; why: string }[];
  /** All of it in one sentence. */
  summary: string;
  /** Several revisions were asked for. */
  asked: boolean;
  /** Spoken revisions in a few words. */
  brief: string;
}

/** Of a run with several parts. */
export interface RunPartsView {
  compliant: boolean;
  /** `Compliant`, `Not compliant` or `Incomplete`. */
  headline: string;
  /** One sentence: how many revisions were checked, and which of them are violated. */
  summary: string;
  /** Why the run as a whole is not complete, or null. */
  incomplete: string | null;
  revisions: RevisionsView | null;
}

/**
 * @param checked the judged revisions
 * @returns null for reports without spoken revisions, and where nothing was seen
 */
export function revisionsView(
  { spoken = [], unspoken = [], run }: Pick<RunReport, 'spoken' | 'unspoken' | 'run'>,
  checked: readonly string[],
): RevisionsView | null {
  if (spoken.length === 0 && unspoken.length === 0) return null;
  const yes = spoken.map(
    ({ revision, era, evidence }): SpokenView => ({
      revision: oneLine(revision),
      era: oneLine(era),
      by: evidence
        .map(
          ({ by, events }) =>
            `${by === 'error' ? 'the list in an error' : oneLine(by)}${events.length === 0 ? '' : ` (${events.map((seq) => `#${seq}`).join(', ')})`}`,
        )
        .join(', '),
      checked: checked.includes(revision),
    }),
  );
  const no = unspoken.map(({ revision, era, why }) => ({
    revision: oneLine(revision),
    era: oneLine(era),
    why: oneLine(why),
  }));
  return {
    spoken: yes,
    unspoken: no,
    summary: summaryOf(yes, no, checked.map(oneLine)),
    asked: run !== undefined,
    brief: briefOf(yes, no, checked.map(oneLine)),
  };
}

function briefOf(
  spoken: RevisionsView['spoken'],
  unspoken: RevisionsView['unspoken'],
  checked: readonly string[],
): string {
  const yes = spoken.map(({ revision, era }) => `${revision} (${era})`).join(', ');
  const no = unspoken.map(({ revision }) => revision).join(', ');
  return [yes === '' ? '' : `speaks ${yes}`, no === '' ? '' : `not ${no}`, `checked by ${checked.join(', ')}`]
    .filter((part) => part !== '')
    .join('; ');
}

function summaryOf(
  spoken: RevisionsView['spoken'],
  unspoken: RevisionsView['unspoken'],
  checked: readonly string[],
): string {
  const parts = [
    ...(spoken.length === 0
      ? []
      : [`Speaks ${spoken.map(({ revision, era, by }) => `MCP ${revision}, ${era}, by ${by}`).join('; ')}`]),
    ...unspoken.map(({ revision, why }) => `does not speak MCP ${revision}: ${why}`),
    ...(checked.length === 0 ? [] : [`checked by ${checked.map((revision) => `MCP ${revision}`).join(' and ')}`]),
  ];
  const text = parts.join('; ');
  return `${capital(text)}.`;
}
