/** The checklist of a served run: what was seen, what is broken, what is still to do, and what cannot be decided here. */
import type { RunReport } from '../../core/model/reports/run-report.ts';
import { ofPart } from '../../core/model/reports/run-parts.ts';
import { viewOf, type ReportView } from '../../report/check/view-model.ts';
import { plural } from '../../report/text.ts';
import type { PlannedStart } from '../scene/start-plan.ts';
import { isDue, type Answer, type Question } from './attested.ts';
import type { ActsSeen } from './acts-seen.ts';
import { sentenceOf } from './sentences.ts';
import type { ServedAt, Snippet } from './snippets.ts';

export interface ServedStart {
  start: PlannedStart;
  at: ServedAt;
}

export interface StartView {
  name: string;
  /** The ordinary one, which is open on the page. */
  first: boolean;
  title: string;
  /** Its address, or its command line. */
  address: string;
  seen: boolean;
  /** Rules that it is for. */
  rules: string;
  steps: { say: string; done: boolean }[];
  /** Steps that were not seen, in words. */
  left: string;
  /** Texts for configuration files; only the first start has it. */
  snippets: Snippet[];
}

export interface QuestionView {
  id: string;
  question: string;
  requirement: string;
  /** The answer so far, in a word; null without one. */
  answer: string | null;
}

/** Everything that the page shows. */
export interface Checklist {
  mcpc: string;
  name: string;
  /** Path of the page. */
  base: string;
  over: boolean;
  /** In one sentence. */
  status: string;
  decided: string;
  broken: ReportView['groups'];
  starts: StartView[];
  questions: QuestionView[];
  /** Conditions that this client does not meet, with the number of rules. */
  impossible: { words: string; count: number }[];
}

export interface ChecklistSources {
  mcpc: string;
  name: string;
  base: string;
  over: boolean;
  starts: readonly ServedStart[];
  seen: ActsSeen;
  /** The report if the run ended now; undefined before the first request. */
  report: RunReport | undefined;
  questions: readonly Question[];
  answers: ReadonlyMap<string, Answer>;
  snippets: readonly Snippet[];
}

const answerWords = { yes: 'yes', no: 'no', unknown: 'could not tell' } as const;
const brokenTones: ReadonlySet<string> = new Set(['violation', 'warning']);

export function checklistOf({
  starts,
  seen,
  report,
  questions,
  answers,
  snippets,
  ...rest
}: ChecklistSources): Checklist {
  const view = report === undefined ? undefined : viewOf(ofPart(report));
  const rows = starts.map(({ start, at }, index): StartView => {
    const steps = (start.situation.drive ?? []).map((act) => ({
      say: sentenceOf(act),
      done: seen.isDone(start.name, act),
    }));
    const open = steps.filter(({ done }) => !done).length;
    return {
      name: start.name,
      first: index === 0,
      title: start.title,
      address: 'url' in at ? at.url : at.command.join(' '),
      seen: seen.requests(start.name) > 0,
      rules: plural(start.rules.length, 'rule'),
      steps,
      left: open === 0 ? 'all steps seen' : `${plural(open, 'step')} to do`,
      snippets: index === 0 ? [...snippets] : [],
    };
  });
  const broken = view?.groups.filter(({ tone }) => brokenTones.has(tone)) ?? [];
  const count = broken.reduce((sum, group) => sum + group.count, 0);
  const steps = rows.flatMap((row) => row.steps);
  const done = steps.filter((step) => step.done).length;
  return {
    ...rest,
    status: rest.over
      ? 'The run has ended. The report is in the terminal.'
      : report === undefined
        ? 'Nothing has connected yet.'
        : `${done} of ${plural(steps.length, 'step')} seen; ${count === 0 ? 'no rule is broken' : `${plural(count, 'rule')} broken`}.`,
    decided: view === undefined ? '' : `Judged by MCP ${view.revision}: ${decidedWords(view)}.`,
    broken,
    starts: rows,
    questions: questions
      .filter((question) => isDue(question, seen.methods))
      .map(({ requirement, question }) => ({
        id: `q-${requirement.replaceAll('.', '-')}`,
        question,
        requirement,
        answer: answers.has(requirement) ? answerWords[answers.get(requirement)!.answer] : null,
      })),
    impossible: view?.groups.find(({ tone }) => tone === 'conditional')?.rows ?? [],
  };
}

function decidedWords({ groups }: ReportView): string {
  const count = (tone: string): number => groups.find((group) => group.tone === tone)?.rules ?? 0;
  const decided = count('pass') + count('violation') + count('warning') + count('advice');
  return `${plural(decided, 'rule')} decided, ${count('not-exercised')} not reached yet, ${count('conditional')} conditional`;
}
