/** The answers of a case as texts, without values that change from run to run, for display side by side. */
import { isObject } from '../../../core/model/json.ts';
import type { SuiteCase } from '../../language/model.ts';
import type { CaseRecord } from '../../language/judge/case-record.ts';
import { answerText } from '../../language/snapshot/answer-text.ts';
import { snapshotSteps } from '../../language/snapshot/entries.ts';
import { placesOf } from './stored.ts';
import type { CleanMessage } from './stored.ts';

/** A text for each request of the case that was answered, by the name of its step. */
export function answersOf(
  one: SuiteCase,
  record: CaseRecord,
  fixture: string | undefined,
  clean: CleanMessage,
): Map<string, string> {
  const found = new Map<string, string>();
  for (const { step, key, kept } of snapshotSteps(one).values()) {
    const answer = record.steps.get(step.id)?.requests.at(-1)?.answer?.message;
    if (kept !== 'answer' || answer === undefined) continue;
    const { result, error } = answer;
    const failed = isObject(error)
      ? {
          code: error['code'],
          message: error['message'],
          data: error['data'],
        }
      : undefined;
    const subject = {
      text: '',
      isError: false,
      result,
      error: failed,
      notices: [],
      progress: [],
      file: () => undefined,
    };
    found.set(
      key,
      answerText(subject, 'answer', { places: placesOf(record.fixture, fixture), volatile: one.volatile ?? [], clean }),
    );
  }
  return found;
}
