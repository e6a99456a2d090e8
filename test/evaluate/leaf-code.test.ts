/** The code of a leaf says what the leaf says: all leaves of all rules, over values of all sorts at the places they read. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileBody, createHeat, leafCode, literalOf, Names } from '../../src/core/evaluate/conditions/leaf-code.ts';
import { compileLeaf, valueTest } from '../../src/core/evaluate/conditions/leaf.ts';
import { pathNames } from '../../src/core/facts/core/json-path.ts';
import type { Subject } from '../../src/core/facts/core/subject.ts';
import { createSessionState } from '../../src/core/facts/session/session-state.ts';
import type { LeafCondition } from '../../src/core/model/rules/rule.ts';
import { conditionsOf, leavesOf } from '../../src/core/rules/shared-definitions.ts';
import { loadProject } from '../support/rules.ts';
import { everything } from '../support/run/options.ts';

const project = await loadProject();
const context = { schemaFindings: () => undefined };
const leaves = new Map<string, LeafCondition>();
for (const { id } of project.sources) {
  for (const { leaf } of conditionsOf(project.rule(id)).flatMap((condition) => leavesOf(condition, ''))) {
    // Others are asked as functions.
    if (valueTest(leaf, context)) leaves.set(JSON.stringify(leaf), leaf);
  }
}

/** Values that a leaf could take for its own option, and others. */
function valuesFor({ value }: LeafCondition): fc.Arbitrary<unknown> {
  const own = [value].flat().flatMap((one) => [one, String(one), [one], { [String(one)]: one }]);
  return fc.oneof(
    fc.constantFrom(...own),
    fc.constantFrom(undefined, null, '', 0, -0, 1, 1.5, true, false, [], {}, [[]], ['a'], { a: 1 }, 'a/b', -32603),
    fc.jsonValue({ maxDepth: 2 }),
  );
}

/** A subject with the value where the leaf looks, or somewhere on the way to it. */
function subjectWith(leaf: LeafCondition, value: unknown, depth: number): Subject {
  const names = leaf.path === undefined ? [] : (pathNames(leaf.path) ?? []);
  const inner = names.slice(0, depth).reduceRight<unknown>((below, name) => ({ [name]: below }), value);
  const session = createSessionState('s1', 'stdio');
  const [scope, name] = (leaf.derived?.of ?? leaf.fact).split('.') as [string, string];
  if (scope === 'session') Object.assign(session, { [name === 'handshakeResult' ? 'initializeResult' : name]: inner });
  return { kind: 'message', session, facts: scope === 'subject' ? { [name]: inner } : {}, events: [] };
}

/** What is too large to be judged, or needs schemas that are not there, is thrown by both. */
function saying(ask: () => boolean): boolean | 'throws' {
  try {
    return ask();
  } catch {
    return 'throws';
  }
}

test('code and function agree', () => {
  const said = new Set<string>();
  for (const leaf of leaves.values()) {
    const ask = compileLeaf(leaf, context);
    const names = new Names();
    const coded = compileBody(
      `return ${leafCode(leaf, ask, valueTest(leaf, context), names, new Set())} ? 1 : 0;`,
      names,
    );
    fc.assert(
      fc.property(valuesFor(leaf), fc.nat(4), (value, depth) => {
        const subject = subjectWith(leaf, value, depth);
        const holds = saying(() => ask(subject));
        said.add(`${leaf.operator} ${holds}`);
        expect(
          saying(() => coded(subject) === 1),
          JSON.stringify(leaf),
        ).toBe(holds);
      }),
      { numRuns: everything ? 40 : 12 },
    );
  }
  for (const operator of ['exists', 'is', 'isNot', 'isOneOf', 'isNoneOf', 'hasType', 'atLeast', 'atMost', 'isEmpty']) {
    expect([...said]).toContain(`${operator} true`);
    expect([...said]).toContain(`${operator} false`);
  }
});

test('a text of a rule cannot leave its literal', () => {
  const nasty = '"; throw new Error("out"); //\n\u2028${`';
  const leaf: LeafCondition = { fact: 'subject.text', path: `$['${nasty}']`, operator: 'is', value: nasty };
  const names = new Names();
  const coded = compileBody(
    `return ${leafCode(leaf, compileLeaf(leaf, context), valueTest(leaf, context), names, new Set())} ? 1 : 0;`,
    names,
  );
  expect(coded({ facts: { text: { [nasty]: nasty } } })).toBe(1);
  expect(coded({ facts: { text: {} } })).toBe(0);
  expect(literalOf({})).toBeUndefined();
});

test('what one leaf read the next ones do not read again, in the branches behind it alone', () => {
  const [name, kind]: LeafCondition[] = [
    { fact: 'subject.params', path: '$.name', operator: 'is', value: 'x' },
    { fact: 'subject.params', path: '$.kind', operator: 'is', value: 'y' },
  ];
  const names = new Names();
  const code = (leaf: LeafCondition, before: Set<string>): string =>
    leafCode(leaf, compileLeaf(leaf, context), valueTest(leaf, context), names, before);
  const behind = new Set<string>();
  const first = code(name!, behind);
  const coded = compileBody(
    `if (f.plain) { return ${code(kind!, new Set())} ? 1 : 0; } return ${first} ? ${code(kind!, new Set(behind))} ? 3 : 2 : -1;`,
    names,
  );
  const asked = (plain: boolean, params: unknown): [said: number, reads: number] => {
    let reads = 0;
    const facts = {
      plain,
      get params() {
        reads += 1;
        return params;
      },
    };
    return [coded({ facts }), reads];
  };
  expect(asked(true, { kind: 'y' })).toEqual([1, 1]);
  expect(asked(false, { name: 'x', kind: 'y' })).toEqual([3, 1]);
  expect(asked(false, { name: 'x' })).toEqual([2, 1]);
  expect(asked(false, 'x')).toEqual([-1, 1]);
});

test('what grows is compiled now and then, and not for ever', () => {
  const heat = createHeat(10);
  const at = Array.from({ length: 5_000_000 }, (_, walk) => (heat.walked() ? walk + 1 : 0)).filter((walk) => walk > 0);
  expect(at).toEqual([10, 90, 730, 5850, 46_810, 374_490]);
});
