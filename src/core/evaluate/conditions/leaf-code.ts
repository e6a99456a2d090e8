/**
 * JavaScript of leaves, for trees that are asked of millions of subjects: as one function of plain comparisons they
 * cost a tenth of what closures for each leaf do. Nothing of a trace comes into the code, and of rules only literals.
 */
import { pathNames } from '../../facts/core/json-path.ts';
import { derivation } from '../../facts/core/derived.ts';
import { reads as readsKey, readsOf, source as sourceKey, type Reads } from '../../facts/core/reading.ts';
import { judgedPath } from '../../facts/core/unrecorded.ts';
import type { LeafCondition } from '../../model/rules/rule.ts';
import { sessionReader, subjectMember } from './fact-reader.ts';
import type { ValueTest } from '../operators/value-tests.ts';
import type { LeafTest } from './leaf.ts';
import { asText } from '../../model/json.ts';

/** Things that code names: each has a variable. */
export class Names {
  readonly values: unknown[] = [];
  private readonly reads: Reads | undefined;
  /** Variables of what is read, by the code that reads it. */
  private readonly kept = new Map<string, string>();

  /** @param like facts of a subject like those that the code will be asked of */
  constructor(like?: Readonly<Record<string, unknown>>) {
    this.reads = like && readsOf(like);
  }

  /** Reads a fact: by its function where there is one, so that code of its own comes of each reading. */
  factCode(member: string): string {
    const read = this.reads?.get(member);
    return read ? `${this.nameOf(read)}(m)` : `f[${JSON.stringify(member)}]`;
  }

  /** What comes before all readings; -1 for facts of another sort. */
  prelude(): string {
    return this.reads
      ? `if (f[${this.nameOf(readsKey)}] !== ${this.nameOf(this.reads)}) return -1; const m = f[${this.nameOf(sourceKey)}];`
      : '';
  }

  /**
   * Reads into a variable, and from then on reads that.
   *
   * @param whole the code without variables, by which the reading is known
   * @param code the same with those that there are
   * @param before what has been read wherever this code is run; this reading joins it
   */
  readOnce(whole: string, code: string, before: Set<string>): string {
    let variable = this.kept.get(whole);
    if (variable === undefined) this.kept.set(whole, (variable = `k${this.kept.size}`));
    if (before.has(whole)) return variable;
    before.add(whole);
    return `(${variable} = ${code})`;
  }

  /** Names of those variables. */
  variables(): string[] {
    return [...this.kept.values()];
  }

  nameOf(value: unknown): string {
    const known = this.values.indexOf(value);
    return `v${known === -1 ? this.values.push(value) - 1 : known}`;
  }
}

/** How often a tree is walked before it is compiled, and how much oftener each time it was not complete. */
export const firstWalks = 200;
const patience = 8;
const mostCompilations = 6;

/** Tells when what has grown is worth compiling again. */
export function createHeat(first: number): { walked(): boolean } {
  let walks = 0;
  let due = first;
  let left = mostCompilations;
  return {
    walked() {
      walks += 1;
      if (walks < due || left === 0) return false;
      walks = 0;
      due *= patience;
      left -= 1;
      return true;
    },
  };
}

/**
 * A function of a subject (`s`), with its facts (`f`) and its connection (`n`), from its body.
 *
 * @returns what the body returns: a number; -1 for subjects of another sort than the names are made for
 */
export function compileBody(body: string, all: Names): (subject: unknown) => number {
  const prelude = all.prelude();
  const { values } = all;
  const names = values.map((_, index) => `v${index}`).join(', ');
  // oxlint-disable-next-line typescript/no-implied-eval -- of rules and literals alone
  const make = new Function(
    'values',
    `"use strict"; const [${names}] = values; return (s) => { const f = s.facts, n = s.session; let ${['t', ...all.variables()].join(', ')}; ${prelude} ${body} };`,
  );
  return (make as (values: unknown[]) => (subject: unknown) => number)(values);
}

/** A literal of a JSON value that `===` compares; undefined for all others. */
export function literalOf(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? undefined : JSON.stringify(value);
}

/**
 * An expression that is true where the leaf holds; of subjects of which no fact is hidden.
 *
 * @param ask the leaf as a function
 * @param test the same of the value that it looks at, where there is one
 * @param before what has been read wherever this leaf is asked; what it reads joins that
 */
export function leafCode(
  leaf: LeafCondition,
  ask: LeafTest,
  test: ValueTest | undefined,
  names: Names,
  before: Set<string>,
): string {
  const value = test && readCode(leaf, names, before);
  if (test === undefined || value === undefined) return `${names.nameOf(ask)}(s)`;
  return testCode(leaf, value) ?? `${names.nameOf(test)}(${value})`;
}

/** Reads what the leaf looks at; the code is to stand where it is always run. */
function readCode(
  { fact: named, path, derived }: LeafCondition,
  names: Names,
  before: Set<string>,
): string | undefined {
  const fact = derived?.of ?? named;
  const member = subjectMember(fact);
  let whole: string;
  if (member !== undefined) whole = names.factCode(member);
  else {
    const read = sessionReader(fact);
    if (!read) return undefined;
    whole = `${names.nameOf(read)}(n)`;
  }
  let code = names.readOnce(whole, whole, before);
  /** Goes on from what was read: `code` by its variables, `whole` without them. */
  const further = (reading: (from: string) => string): void => {
    whole = reading(whole);
    code = names.readOnce(whole, reading(code), before);
  };
  if (derived !== undefined) {
    const derive = names.nameOf(derivation(derived.steps, judgedPath));
    further((from) => `${derive}(${from})`);
  }
  if (path === undefined) return code;
  const members = pathNames(path);
  if (members === undefined) {
    const resolve = names.nameOf(judgedPath(path));
    further((from) => `${resolve}(${from})`);
  }
  for (const name of members ?? [])
    further(
      (from) =>
        `(typeof (t = ${from}) === "object" && t !== null && !Array.isArray(t) ? t[${JSON.stringify(name)}] : undefined)`,
    );
  return code;
}

/** The commonest tests; the same as those of operators.ts, which the test of trees proves. */
function testCode({ operator, value: option }: LeafCondition, value: string): string | undefined {
  switch (operator) {
    case 'exists':
      return `${value} ${option === false ? '===' : '!=='} undefined`;
    case 'is':
    case 'isOneOf':
      return anyOf(operator === 'is' ? [option] : (option as unknown[]), value);
    case 'isNot':
    case 'isNoneOf': {
      const equal = anyOf(operator === 'isNot' ? [option] : (option as unknown[]), 't');
      return equal && `((t = ${value}) !== undefined && !(${equal}))`;
    }
    case 'atLeast':
    case 'atMost':
      return `(typeof (t = ${value}) === "number" && t ${operator === 'atLeast' ? '>=' : '<='} ${Number(option)})`;
    case 'hasType': {
      const types = [option].flat().map((type) => typeCodes[asText(type)]);
      return types.includes(undefined) ? undefined : `(t = ${value}, ${types.join(' || ')})`;
    }
    default:
      return undefined;
  }
}

function anyOf(options: readonly unknown[], value: string): string | undefined {
  const literals = options.map(literalOf);
  return literals.includes(undefined)
    ? undefined
    : `(t = ${value}, ${literals.map((one) => `t === ${one}`).join(' || ')})`;
}

const typeCodes: Record<string, string> = {
  string: 'typeof t === "string"',
  number: 'typeof t === "number"',
  integer: 'Number.isInteger(t)',
  boolean: 'typeof t === "boolean"',
  object: '(typeof t === "object" && t !== null && !Array.isArray(t))',
  array: 'Array.isArray(t)',
  null: 't === null',
};
