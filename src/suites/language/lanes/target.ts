/** The expectation of the lane form: a value at a place of what came, and a matcher for it. */
import { expectation, printed, quoted, type Expectation, type JsonSchema } from '../expectation.ts';
import type { Subject } from '../subject.ts';
import { lookUp } from '../json-text.ts';
import type { Part } from '../part.ts';
import { matchers, mismatch, type MatcherOption } from './matchers.ts';

export interface TargetOption {
  /** A path in an object of `result`, `error` and `duration_ms`. */
  target: string;
  matcher: MatcherOption;
}

/** Schema of a matcher, except for `snapshot`. */
export function matcherSchema(): JsonSchema {
  const own = Object.fromEntries(matchers.map(({ name, says, schema }) => [name, { ...schema, description: says }]));
  const object = (more: Record<string, JsonSchema>): JsonSchema => ({
    type: 'object',
    properties: { ...own, ...more },
    additionalProperties: false,
    minProperties: 1,
  });
  return object({
    not: { ...object({}), description: 'Not all of these hold.' },
    snapshot: {
      type: ['boolean', 'string'],
      description: 'It is what `mcpc snapshot --update` has stored. One target of a test may have it.',
    },
  });
}

/** The response, as targets name it. */
export function rootOf({ result, error, tookMs }: Subject): Record<string, unknown> {
  return {
    ...(error === undefined ? { result } : { error }),
    ...(tookMs === undefined ? {} : { duration_ms: Math.round(tookMs) }),
  };
}

export const targetExpectation: Expectation = expectation<TargetOption>({
  name: 'target',
  says: 'The value at the target fits the matcher. A missing value fits no matcher.',
  takesErrors: true,
  option: {
    schema: { type: 'object' },
    read: (part: Part) => ({
      target: part.at('target').text() ?? '',
      matcher: part.at('matcher').value as MatcherOption,
    }),
  },
  async prepare() {
    for (const one of matchers) await one.prepare?.();
  },
  test(subject, { target, matcher }) {
    const root = rootOf(subject);
    const found = lookUp(root, target);
    if ('problem' in found)
      return {
        words: `target ${quoted(target)}: ${found.problem}${subject.error === undefined ? '' : `; the response is an error: ${printed(subject.error)}`}`,
        expected: printed(matcher),
        actual: printed(subject.error ?? subject.result),
      };
    const wrong = mismatch(found.value, matcher);
    return wrong === undefined
      ? undefined
      : { words: `target ${quoted(target)}: ${wrong}`, expected: printed(matcher), actual: printed(found.value) };
  },
});
