/** The answers of a person about a client, as pages and terminals show it. */
import type { AttestedAnswer } from '../../core/model/reports/run-report.ts';
import { oneLine, webLink } from '../text.ts';
import { indent, type Pen } from '../terminal-finding.ts';

export interface AttestedView {
  question: string;
  answer: string;
  level: string;
  requirement: string;
  ref: string;
  link: string | null;
}

const answers: Record<AttestedAnswer['answer'], string> = { yes: 'yes', no: 'no', unknown: 'could not tell' };

/** Null where nobody answered a question. */
export function attestedView({ attested = [] }: { attested?: readonly AttestedAnswer[] }): AttestedView[] | null {
  if (attested.length === 0) return null;
  return attested.map(({ question, answer, level, requirement, ref, link }) => ({
    question: oneLine(question),
    answer: answers[answer],
    level,
    requirement: oneLine(requirement),
    ref: oneLine(ref),
    link: webLink(link),
  }));
}

export function attestedLines(view: AttestedView[] | null, pen: Pen): string[] {
  if (view === null) return [];
  const { c } = pen;
  return [
    '',
    `${c.bold('Attested by a person')}${c.dim(', not scored')}`,
    ...view.flatMap(({ question, answer, level }) => indent(`${question} ${answer} ${c.dim(`(${level})`)}`, 2, pen)),
  ];
}
