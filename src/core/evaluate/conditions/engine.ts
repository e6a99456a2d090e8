/**
 * Evaluates conditions over one subject with json-rules-engine, one rule at a time. Closes the engine's traps. Paths
 * into values other than objects are absent (not the value itself), absent values satisfy no operator, and one failing
 * condition never hides another (every leaf is evaluated).
 */
import { Almanac, Engine, Rule } from 'json-rules-engine';
import { derivation } from '../../facts/core/derived.ts';
import type { Resolve } from '../../facts/values/json-path.ts';
import { judgedPath, notRecorded } from '../../facts/registry/unrecorded.ts';
import type { DerivedFact } from '../../model/rules/derived-fact.ts';
import type { Condition } from '../../model/rules/rule.ts';
import { leavesOf, otherFact } from '../../rules/shared-definitions.ts';
import type { OperatorContext } from '../operators/operator.ts';
import { operators, operatorsByName } from '../operators/operators.ts';
import { asText } from '../../model/json.ts';
import { joined, selectedPlaces } from './places.ts';

/** A leaf with its result, for the texts of expectation and observation. */
export interface LeafResult {
  fact: string;
  path?: string;
  operator: string;
  option: unknown;
  actual: unknown;
  holds: boolean;
  /** The condition as a whole fails because of it: a leaf of an `any` that holds all the same does not matter. */
  matters: boolean;
  /** Of a leaf that matters, and whose path selects several values: where each of them is, in the order of `actual`. */
  selected?: string[] | undefined;
}

export interface CheckResult {
  holds: boolean;
  leaves: LeafResult[];
}

export type FactReader = (fact: string) => unknown;

export interface ConditionCheck {
  /** Evaluates every leaf, so that all can be reported. */
  run(read: FactReader): Promise<CheckResult>;
  /** Evaluates the leaves in their order and no further than it has to; rejects with what reading a fact throws. */
  decide(read: FactReader): Promise<boolean>;
}

/** The engine's almanac over our memoised facts; nothing is cached in it, since it lives for one subject. */
class SubjectAlmanac extends Almanac {
  private readonly read: FactReader;
  private readonly within: (path: string) => Resolve;

  /** @param within reads paths */
  constructor(read: FactReader, within: (path: string) => Resolve) {
    super({ allowUndefinedFacts: true });
    this.read = read;
    this.within = within;
  }

  // Async, so that what reading throws becomes a rejection.
  override async factValue<T>(fact: string, _parameters?: Record<string, unknown>, path?: string): Promise<T> {
    const value = this.read(fact);
    return (path ? this.within(path)(value) : value) as T;
  }
}

interface EvaluableRule {
  evaluate(almanac: Almanac): Promise<{ result: boolean; conditions: ResultNode }>;
}

interface ResultNode {
  all?: ResultNode[];
  any?: ResultNode[];
  not?: ResultNode;
  fact?: string;
  path?: string;
  operator?: string;
  value?: unknown;
  factResult?: unknown;
  valueResult?: unknown;
  result?: boolean;
}

export interface ConditionFactory {
  compile(condition: Condition): ConditionCheck;
}

/** @param context what operators ask of their surroundings; read at each evaluation */
export function createConditionFactory(context: OperatorContext): ConditionFactory {
  const engine = new Engine([], { allowUndefinedFacts: true });
  for (const operator of operators) {
    engine.addOperator(operator.name, (actual: unknown, option: unknown) => operator.test(actual, option, context));
  }
  function evaluable(condition: Condition): EvaluableRule {
    const conditions =
      'all' in condition || 'any' in condition || 'not' in condition ? condition : { all: [condition] };
    const rule = new Rule({ conditions: conditions as never, event: { type: 'judged' } });
    // Rules are evaluated one by one, never through engine.run(), which skips rules under concurrency.
    engine.addRule(rule);
    return rule as unknown as EvaluableRule;
  }

  return {
    compile(condition) {
      let whole: EvaluableRule | undefined;
      let ordered: EvaluableRule | undefined;
      const derived = derivedFactsOf(condition);
      const reported = worksOf(derived, reportedPath);
      const judged = worksOf(derived, judgedPath);
      const facts = new Set(
        leavesOf(condition, '').flatMap(({ leaf }) => [leaf.fact, otherFact(leaf.value)?.fact ?? leaf.fact]),
      );
      return {
        async run(read) {
          whole ??= evaluable(condition);
          const all = withDerived(read, reported);
          // The engine reads when it comes to it; what is judged is what was known now.
          const values = new Map([...facts].map((fact) => [fact, all(fact)]));
          const outcome = await whole.evaluate(new SubjectAlmanac((fact) => values.get(fact), reportedPath));
          const leaves: LeafResult[] = [];
          collect(outcome.conditions, { negated: false, matters: !outcome.result }, leaves);
          for (const leaf of leaves) if (leaf.matters) leaf.selected = selectedPlaces(values.get(leaf.fact), leaf.path);
          return { holds: outcome.result, leaves };
        },
        async decide(read) {
          ordered ??= evaluable(inOrder(condition));
          return (await ordered.evaluate(new SubjectAlmanac(withDerived(read, judged), judgedPath))).result;
        },
      };
    },
  };
}

/** The same condition, with a priority for each part: by these the engine evaluates one after another, and stops where it is decided. */
function inOrder(condition: Condition): Condition {
  const part = (one: Condition, priority: number): Condition => Object.assign({ ...inOrder(one) }, { priority });
  if ('all' in condition) return { all: condition.all.map((one, at) => part(one, condition.all.length - at)) };
  if ('any' in condition) return { any: condition.any.map((one, at) => part(one, condition.any.length - at)) };
  if ('not' in condition) return { not: inOrder(condition.not) };
  return condition;
}

/** Functions for the derived facts of a condition, by name. */
function derivedFactsOf(condition: Condition): ReadonlyMap<string, DerivedFact> {
  const found = leavesOf(condition, '').flatMap(({ leaf }) =>
    [leaf, otherFact(leaf.value)].filter((one) => one?.derived !== undefined),
  );
  return new Map(found.map((one) => [one!.fact, one!.derived!]));
}

type Works = ReadonlyMap<string, { of: string; derive: Resolve }>;

/** @param within reads paths */
function worksOf(derived: ReadonlyMap<string, DerivedFact>, within: (path: string) => Resolve): Works {
  return new Map([...derived].map(([fact, { of, steps }]) => [fact, { of, derive: derivation(steps, within) }]));
}

function withDerived(read: FactReader, works: Works): FactReader {
  if (works.size === 0) return read;
  return (fact) => {
    const one = works.get(fact);
    return one ? one.derive(read(one.of)) : read(fact);
  };
}

/** Where every leaf is reported, values that are too large to judge are absent, like hidden facts. */
function reportedPath(path: string): Resolve {
  const judged = judgedPath(path);
  return (value) => {
    try {
      return judged(value);
    } catch (error) {
      if (error !== notRecorded) throw error;
      return undefined;
    }
  };
}

/** An option as the rule has it: a fact that it names, without what that follows from. */
function written(option: unknown): unknown {
  const { derived: _derived, ...named } = otherFact(option) ?? {};
  return otherFact(option) ? named : option;
}

interface Place {
  negated: boolean;
  /** Everything above fails because of this part. */
  matters: boolean;
}

function collect(node: ResultNode, { negated, matters }: Place, into: LeafResult[]): void {
  if (node.not) collect(node.not, { negated: !negated, matters }, into);
  // A part is to blame when it is the wrong way round: false, or true below a `not`.
  for (const child of node.all ?? node.any ?? [])
    collect(child, { negated, matters: matters && holdsIn(child) === negated }, into);
  if (node.operator === undefined || node.fact === undefined) return;
  const holds = (node.result ?? false) !== negated;
  into.push({
    fact: node.fact,
    path: node.path,
    operator: negated ? `not ${node.operator}` : node.operator,
    option: node.valueResult ?? written(node.value),
    actual: node.factResult,
    holds,
    matters: matters && !holds,
  });
}

function holdsIn(node: ResultNode): boolean {
  if (node.not) return !holdsIn(node.not);
  if (node.all) return node.all.every(holdsIn);
  if (node.any) return node.any.some(holdsIn);
  return node.result ?? false;
}

/** Sentence of what a leaf asks for, and what was there instead. */
export function explainLeaf(leaf: LeafResult, context: OperatorContext): { expected: string; actual: string } {
  const negated = leaf.operator.startsWith('not ');
  const operator = operatorsByName.get(negated ? leaf.operator.slice(4) : leaf.operator);
  const name = factLabel(leaf.fact, leaf.path);
  const expectation = operator?.expectation(leaf.option) ?? leaf.operator;
  const finding = negated ? undefined : operator?.finding?.(leaf.actual, leaf.option, context, name);
  return {
    expected: negated ? `not so: ${name} ${expectation}` : `${name} ${expectation}`,
    actual: finding ?? `${name} is ${excerpt(leaf.actual)}`,
  };
}

/** The properties in which a leaf finds fault, for example `result.tools[0].name`; the name of its fact where it is no property. */
export function membersOf(
  { fact, path, operator: name, actual, option, selected }: LeafResult,
  context: OperatorContext,
): string[] {
  const inner = name.startsWith('not ') ? [] : (operatorsByName.get(name)?.places?.(actual, option, context) ?? []);
  if (selected !== undefined && selected.length > 0) {
    const whole = inMessage(factLabel(fact, undefined));
    if (name === 'isEmpty') return selected.map((place) => joined(whole, place));
    const places = inner.flatMap((one) => {
      const [, index, rest = ''] = /^\[(\d+)\]\.?(.*)$/.exec(one) ?? [];
      const place = index === undefined ? undefined : selected[Number(index)];
      return place === undefined ? [] : [joined(joined(whole, place), rest)];
    });
    if (places.length > 0) return places;
  }
  const base = inMessage(factLabel(fact, path));
  return inner.length === 0 ? [base] : inner.map((one) => joined(base, one));
}

/** The path of a property in its message. */
function inMessage(label: string): string {
  if (label === 'errorCode') return 'error.code';
  return label === 'message' ? '' : label.startsWith('message.') ? label.slice('message.'.length) : label;
}

function factLabel(fact: string, path: string | undefined): string {
  const base = fact.replace(/^subject\./, '').replace(/^(session|target)\./, '$1 ');
  return path === undefined || path === '$' ? base : `${base}${path.replace(/^\$/, '')}`;
}

/** Short JSON of a value for a sentence; at most 300 characters. */
export function excerpt(value: unknown): string {
  if (value === undefined) return 'absent';
  const text = JSON.stringify(value) ?? asText(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
