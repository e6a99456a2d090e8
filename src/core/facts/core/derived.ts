/** Works out facts that follow from others (rules/language/facts.json). Values only; what does not fit gives no value. */
import type { Derivation, DerivationStep } from '../../model/rules/derived-fact.ts';
import { compilePath, type Resolve } from '../values/json-path.ts';

type Work = (value: unknown) => unknown;

/**
 * A function that takes the value of the underlying fact through the steps; undefined as soon as there is none.
 *
 * @param pathOf how paths are read; those of conditions throw where there is too much to judge
 */
export function derivation(steps: readonly DerivationStep[], pathOf: (path: string) => Resolve = compilePath): Work {
  const works = steps.flatMap(({ path, do: what, read }): Work[] => [
    ...(path === undefined ? [] : [pathOf(path)]),
    ...(what === undefined ? [] : [worked[what]]),
    ...(read === undefined ? [] : [read]),
  ]);
  const last = steps.at(-1)?.do;
  return (start) => {
    let value = start;
    for (const work of works) {
      if (value === undefined) return last === 'exists' ? false : undefined;
      value = work(value);
    }
    return value;
  };
}

const worked: Record<Derivation, Work> = {
  exists: (value) => value !== undefined,
  count: (value) => (Array.isArray(value) ? value.length : isMembers(value) ? Object.keys(value).length : undefined),
  length: (value) => (Array.isArray(value) ? value.map(lengthOf).filter((one) => one !== undefined) : lengthOf(value)),
  first: (value) => (Array.isArray(value) ? (value as unknown[])[0] : undefined),
  last: (value) => (Array.isArray(value) ? (value as unknown[]).at(-1) : undefined),
  min: (value) => extreme(value, (one, other) => one < other),
  max: (value) => extreme(value, (one, other) => one > other),
  distinct: (value) => (Array.isArray(value) ? [...byText(value).values()].map(({ one }) => one) : undefined),
  repeated: (value) =>
    Array.isArray(value)
      ? [...byText(value).values()].filter(({ times }) => times > 1).map(({ one }) => one)
      : undefined,
  spread: (value) => {
    const least = worked.min(value);
    return typeof least === 'number' ? (worked.max(value) as number) - least : undefined;
  },
  time: (value) => (Array.isArray(value) ? value.map(timeOf).filter((one) => one !== undefined) : timeOf(value)),
  type: (value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value),
};

function isMembers(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function lengthOf(value: unknown): number | undefined {
  return typeof value === 'string' || Array.isArray(value) ? value.length : undefined;
}

function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Of a list of numbers without others among them. */
function extreme(value: unknown, wins: (one: number, other: number) => boolean): number | undefined {
  if (!Array.isArray(value)) return undefined;
  let best: number | undefined;
  for (const one of value as unknown[]) {
    if (typeof one !== 'number') return undefined;
    if (best === undefined || wins(one, best)) best = one;
  }
  return best;
}

/** Values compared as JSON: 1 and "1" differ. */
function byText(list: readonly unknown[]): Map<string, { one: unknown; times: number }> {
  const found = new Map<string, { one: unknown; times: number }>();
  for (const one of list) {
    const text = JSON.stringify(one) ?? 'undefined';
    const known = found.get(text);
    if (known) known.times += 1;
    else found.set(text, { one, times: 1 });
  }
  return found;
}
