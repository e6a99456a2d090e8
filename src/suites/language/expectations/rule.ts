/** The expectation `rule`: conditions of the language of rules over the traffic of the whole case, judged when it has ended. */
import type { Part } from '../part.ts';
import type { Place } from '../yaml-source.ts';
import { expectation } from '../expectation.ts';
import type { Expectation } from '../expectation.ts';

export interface RuleOption {
  /** As it is written; held against the schema of rules when the file is loaded. */
  rule: Record<string, unknown>;
  /** Place of a part, as `expect.all[0].operator`; of the enclosing part, when it has none. */
  placeOf(path: string): Place;
}

const condition = {
  type: 'object',
  description: 'A condition of a rule: { fact, path, operator, value }, or all, any, not, condition.',
};

export const ruleExpectation: Expectation = expectation<RuleOption>({
  name: 'rule',
  ofCase: true,
  says: 'Everything that `given` and `when` select in the traffic of the case fulfils `expect`, and something is selected.',
  option: {
    schema: {
      type: 'object',
      properties: {
        given: {
          type: 'object',
          description:
            'One kind of subject, with values that its facts must have: { exchange: { method: tools/call } }.',
        },
        when: condition,
        expect: condition,
      },
      required: ['given', 'expect'],
      additionalProperties: false,
    },
    read: (part) => ({
      rule: plain(part.value) as Record<string, unknown>,
      placeOf: (path) => partAt(part, path).place,
    }),
  },
  test: () => undefined,
});

/** Whole numbers beyond what a double holds are doubles here, as in the messages that rules read. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]))
    : value;
}

/** The part that a path names, as far as it is there. Names may hold dots. */
function partAt(part: Part, path: string): Part {
  let at = part;
  let rest = path;
  while (rest !== '') {
    const index = rest.startsWith('[') ? rest.indexOf(']') : -1;
    if (index > 0) {
      const next = at.at(Number(rest.slice(1, index)));
      if (next.value === undefined) return at;
      at = next;
      rest = rest.slice(index + (rest[index + 1] === '.' ? 2 : 1));
      continue;
    }
    const name = at
      .members()
      .map(([one]) => one)
      .find((one) => rest === one || rest.startsWith(`${one}.`) || rest.startsWith(`${one}[`));
    if (name === undefined) return at;
    at = at.at(name);
    rest = rest.slice(name.length + (rest[name.length] === '.' ? 1 : 0));
  }
  return at;
}
