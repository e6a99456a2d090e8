/** Expectations that a server copes with a request, whatever it answers: written by a fuzz run. */
import { asNumber, asText, isObject } from '../../../core/model/json.ts';
import { expectation, kinds, printed } from '../expectation.ts';
import type { Expectation } from '../expectation.ts';
import { internalsIn } from './internals.ts';
import type { Subject } from '../subject.ts';

const internalError = -32603;

/** Why a response is not a sound answer: an internal error, or a result of tools/call without content. */
function unsound({ error, result }: Subject): string | undefined {
  if (error !== undefined)
    return asNumber(error.code) === internalError
      ? `answered with an internal error: ${printed(error.message)}`
      : undefined;
  if (!isObject(result)) return 'the result is no object';
  const { content } = result;
  return content === undefined ||
    (Array.isArray(content) && content.every((block) => isObject(block) && typeof block['type'] === 'string'))
    ? undefined
    : 'the content of the result is no array of content blocks';
}

export const soundExpectations: readonly Expectation[] = [
  expectation<boolean>({
    name: 'answered',
    takesErrors: true,
    says: 'The server sends a valid result, or an error other than -32603 (internal error).',
    option: kinds.flag,
    test(subject, wanted) {
      const lack = wanted ? unsound(subject) : undefined;
      return lack === undefined
        ? undefined
        : { words: `answered: ${lack}`, expected: 'an answer', actual: printed(subject.error ?? subject.result) };
    },
  }),
  expectation<boolean>({
    name: 'refused',
    takesErrors: true,
    says: 'The server refuses with `isError: true`, or with an error other than -32603 (internal error).',
    option: kinds.flag,
    test(subject, wanted) {
      if (!wanted) return undefined;
      const lack =
        unsound(subject) ??
        (subject.error === undefined && !subject.isError ? 'the answer is a result that is no error' : undefined);
      return lack === undefined
        ? undefined
        : { words: `refused: ${lack}`, expected: 'a refusal', actual: printed(subject.error ?? subject.result) };
    },
  }),
  expectation<boolean>({
    name: 'no_internals',
    takesErrors: true,
    says: 'The answer contains no stack trace and no path of the server program.',
    option: kinds.flag,
    test({ error, text }, wanted) {
      const whole = error === undefined ? text : `${asText(error.message)}\n${printed(error.data)}`;
      const found = wanted ? internalsIn(whole) : undefined;
      return found === undefined ? undefined : { words: `no_internals: the answer holds ${found}`, actual: whole };
    },
  }),
];
