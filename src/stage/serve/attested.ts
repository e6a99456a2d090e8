/** Questions about an application that only a person can answer. The answers are reported, and decide nothing. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Revision } from '../../core/model/rules/requirement.ts';
import type { AttestedAnswer } from '../../core/model/reports/run-report.ts';
import { requirementAt, type Catalogue } from '../../core/spec/requirements/catalogue.ts';
import { linkFor } from '../../core/spec/requirements/links.ts';
import { rulesFolder } from '../../files/package/package-root.ts';

/** An entry of rules/language/attested.json. */
export interface Question {
  requirement: string;
  /** The method after which it is asked. */
  after: string;
  /** elicitation/create: of this mode alone. */
  mode?: 'form' | 'url';
  question: string;
}

/** An answer as it is kept. */
export interface Answer {
  answer: AttestedAnswer['answer'];
  at: string;
}

export function readQuestions(): Question[] {
  const text = readFileSync(path.join(rulesFolder(), 'language', 'attested.json'), 'utf8');
  return (JSON.parse(text) as { questions: Question[] }).questions;
}

/** True if the subject of the question has come about. */
export function isDue({ after, mode }: Question, methods: ReadonlySet<string>): boolean {
  return methods.has(mode === undefined ? after : `${after} ${mode}`);
}

/** The answers to questions about requirements of the revision, as the report has them. */
export function attestedAnswers(
  questions: readonly Question[],
  answers: ReadonlyMap<string, Answer>,
  catalogue: Catalogue,
  revision: Revision,
): AttestedAnswer[] {
  return questions.flatMap(({ requirement, question }) => {
    const given = answers.get(requirement);
    const at = requirementAt(catalogue, requirement, revision);
    if (given === undefined || at === null) return [];
    return [{ requirement, level: at.level, ref: at.ref, link: linkFor(at.ref, revision), question, ...given }];
  });
}
