/** What the reference client sends once a result asks it for input. */
import type { Json } from '../../src/core/faults/operators.ts';
import type { Answer } from './answers.ts';
import type { Seams } from './seams.ts';

/**
 * The params of the next request; undefined where the client gives up.
 *
 * @param answerTo what it answers to a request of the server
 */
export function paramsOfRetry(
  params: Json,
  { inputRequests, requestState }: Json,
  seams: Seams,
  answerTo: (method: string, params: Json) => Answer,
): Json | undefined {
  const asked = Object.entries((inputRequests ?? {}) as Record<string, Json>);
  const answers = asked.map(
    ([name, { method, params: about }]) =>
      [name, String(method), answerTo(String(method), (about ?? {}) as Json)] as const,
  );
  // There is no place for an error among the answers: who cannot answer gives up.
  if (answers.some(([, , answer]) => 'error' in answer)) return undefined;
  const inputResponses = Object.fromEntries(
    answers.map(([name, method, answer]) => {
      const { result } = answer as { result: Json };
      return [name, seams.keeps('bring-bare-results') ? result : { method, result }];
    }),
  );
  const state = requestState ?? (seams.keeps('invent-no-state') ? undefined : 'made-up');
  const repeated = seams.keeps('repeat-the-request') ? params : { ...params, arguments: { again: true } };
  return {
    ...repeated,
    ...(inputRequests === undefined || !seams.keeps('answer-each-question') ? {} : { inputResponses }),
    ...(state === undefined || !seams.keeps('return-state') ? {} : { requestState: state }),
  };
}
