/** A verdict for display: visible text, checked links, and its wire log. Nothing is escaped or decided. */
import type { ReportVerdict, WireEntry } from '../core/model/reports/run-report.ts';
import { oneLine, plural, visible, webLink } from './text.ts';
import { toneWords } from './tones.ts';
import type { Tone } from './tones.ts';
import { caseView, tellingEntries } from './wire-view.ts';
import type { CaseView, WireView } from './wire-view.ts';
import { memberPath } from './check/message-excerpt.ts';
import { messageLines, type MessageLine } from './check/message-lines.ts';

/** A message that shows a failure; the one to blame is printed over several lines. */
export interface TellingView extends WireView {
  lines: MessageLine[] | null;
}

export interface VerdictView {
  /** Fit for an HTML id: letters, digits, hyphens; unique in the report. */
  id: string;
  rule: string;
  title: string;
  statement: string;
  requirements: string;
  area: string;
  level: string;
  severity: ReportVerdict['severity'];
  /** Why a MUST counts as a warning, or null. */
  weight: string | null;
  status: ReportVerdict['status'];
  tone: Tone;
  label: string;
  symbol: string;
  /** Failed, at any severity. */
  failed: boolean;
  /** Shown opened on a page. */
  open: boolean;
  /** The baseline knew of this failure. */
  known: boolean;
  /** Why the project file disables the rule, until when, and where; null where it does not. */
  disabled: string | null;
  message: string;
  expected: string | null;
  actual: string | null;
  fix: string | null;
  /** The fix in terms of the SDK of the target. */
  sdkFix: string | null;
  /** The command that explains the rule. */
  explain: string;
  /** The command that checks it again, of a failure; null where nothing says how the target is reached. */
  again: string | null;
  /** The remedy that would decide it, or null. */
  remedy: string | null;
  advice: string[];
  ref: string;
  /** Always http or https. */
  link: string | null;
  /** The part after the address of the revision in the link; null for other links. */
  clausePath: string | null;
  /** `2 of 5 cases failed`, or null when there was at most one. */
  judged: string | null;
  /** Events of the first case. */
  evidence: number[];
  /** Of a failure: the event to blame, and the property in it; null where that is not known. */
  event: number | null;
  member: string | null;
  /** `member`, if it is a path into a message. */
  path: string | null;
  cases: CaseView[];
  /** Cases that are not listed, in words, or null. */
  moreCases: string | null;
  /** The messages that show a failure: at most four of its first case. */
  telling: TellingView[];
  /** The first case in full. */
  wire: WireView[];
  /** Cited events that are not shown, in words, or null. */
  moreWire: string | null;
  /** Rules that fail by the same cause, shown with this one. */
  also: string[];
  /** The rule that this one is shown with, or null. */
  cause: string | null;
}

/** Place of a rule's verdict on the page of a report. */
export function verdictAnchor(rule: string, place = ''): string {
  return `v-${place}${rule.replace(/[^A-Za-z0-9]+/g, '-').replace(/-$/, '')}`;
}

/**
 * The view of a verdict. `place` begins the rest of its id; `again` returns the command that checks it again; `ids`
 * holds the used ids and gets one more.
 */
export function verdictView(
  verdict: ReportVerdict,
  tone: Tone,
  wire: ReadonlyMap<number, WireEntry>,
  ids: Set<string>,
  { place = '', again = () => null }: { place?: string; again?: (verdict: ReportVerdict) => string | null } = {},
): VerdictView {
  const base = verdictAnchor(verdict.rule, place);
  let id = base;
  for (let n = 2; ids.has(id); n++) id = `${base}-${n}`;
  ids.add(id);
  const cases = verdict.evidence.map((one) => caseView(one, verdict.message, wire));
  const [first] = verdict.evidence;
  const event = first?.event ?? null;
  return {
    id,
    rule: oneLine(verdict.rule),
    title: oneLine(verdict.title),
    statement: oneLine(verdict.statement),
    requirements: oneLine(verdict.requirements.join(', ')),
    area: oneLine(verdict.area),
    level: verdict.level,
    severity: verdict.severity,
    weight: verdict.basis === undefined ? null : weights[verdict.basis],
    status: verdict.status,
    tone,
    label: toneWords[tone].label,
    symbol: toneWords[tone].symbol,
    failed: verdict.status === 'fail',
    open: false,
    known: verdict.known === true,
    disabled: verdict.disabled === undefined ? null : disabledText(verdict.disabled),
    message: oneLine(verdict.message),
    expected: orNull(verdict.expected),
    actual: orNull(verdict.actual),
    fix: orNull(verdict.fix),
    sdkFix: orNull(verdict.sdkFix ?? null),
    explain: `mcpc explain ${oneLine(verdict.rule)}`,
    again: verdict.status === 'fail' ? orNull(again(verdict)) : null,
    remedy: orNull(verdict.remedy ?? null),
    advice: verdict.advice.map(oneLine),
    ref: oneLine(verdict.ref),
    link: webLink(verdict.link),
    clausePath: clausePathOf(webLink(verdict.link)),
    judged: verdict.judged > 1 ? judgedText(verdict) : null,
    evidence: first?.events ?? [],
    event,
    member: orNull(first?.member ?? null),
    path: pathOf(first?.member),
    cases,
    moreCases:
      verdict.moreCases === 0
        ? null
        : `${cases.length === 0 ? '' : 'and '}${plural(verdict.moreCases, `${cases.length === 0 ? '' : 'more '}case`)}`,
    telling:
      verdict.status === 'fail'
        ? tellingEntries(cases[0]?.wire ?? [], event, 4).map((entry) => ({
            ...entry,
            lines: entry.seq === event ? messageLines(entry.body ?? '', first?.member ?? null) : null,
          }))
        : [],
    wire: cases[0]?.wire ?? [],
    moreWire: cases[0]?.moreWire ?? null,
    also: (verdict.also ?? []).map(oneLine),
    cause: orNull(verdict.cause ?? null),
  };
}

/** Where the clauses of a revision stand. */
const specification = 'https://modelcontextprotocol.io/specification/';

/** The address below which the clauses of a revision stand. */
export function clausesOf(revision: string): string {
  return `${specification}${revision}/`;
}

/** Properties of JSON-RPC messages: other members are those of what mcpc derives from messages. */
const messageProperties: ReadonlySet<string | undefined> = new Set(['id', 'method', 'params', 'result', 'error']);

function pathOf(member: string | undefined): string | null {
  return member !== undefined && messageProperties.has(memberPath(member)[0]) ? visible(member) : null;
}

function clausePathOf(link: string | null): string | null {
  if (link === null || !link.startsWith(specification)) return null;
  const path = link.slice(specification.length);
  return path.slice(path.indexOf('/') + 1);
}

const weights = {
  prose: 'stated in prose only, so it counts as a warning',
  contested: 'contradicted elsewhere in the specification, so it counts as a warning',
} as const;

function judgedText({ status, judged, failed }: ReportVerdict): string {
  return status === 'fail' ? `${failed} of ${judged} cases failed` : `${judged} cases judged`;
}

function orNull(text: string | null): string | null {
  return text === null ? null : visible(text);
}

/** The reason of a disabled rule, with its day and place. */
function disabledText({ reason, until, from }: NonNullable<ReportVerdict['disabled']>): string {
  return oneLine(`${reason.replace(/\.$/, '')} (${until === undefined ? '' : `until ${until}, `}${from})`);
}
