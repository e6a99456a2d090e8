/** Answers that a situation gives once: to the first request for them, however often the server looks at that. */
import { asObject } from '../../core/model/json.ts';
import type { SituationAnswer } from '../../core/model/rules/situation.ts';

/** @returns true for the request that the answer is for */
export function createFirsts(): (answer: SituationAnswer, request: unknown) => boolean {
  const taken = new Map<SituationAnswer, string>();
  return (answer, request) => {
    const id = JSON.stringify(asObject(request)?.id);
    const first = taken.get(answer) ?? id;
    taken.set(answer, first);
    return first === id;
  };
}
