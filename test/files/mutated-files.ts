/** Texts of files as accidents leave them: cut, doubled, swapped, with odd bytes and values. The same seed gives the same text. */

export type Random = (below: number) => number;

/** Numbers from a seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const oddities = [
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  ',',
  ':',
  '\\',
  '\n',
  '\t',
  '\0',
  '\u202e',
  '\ud800',
  '- ',
  '# ',
  '&a ',
  '*a ',
  '<<: ',
  '|',
  'null',
  'true',
  '-1',
  '1e999',
  '9007199254740993',
  '"__proto__"',
  '"constructor"',
  '[[[[[[[[',
  '{"a":'.repeat(40),
  '${',
  '${input:x}',
  '${x:-${y}}',
  '$(rm)',
  'x'.repeat(5000),
  '/*',
  '//',
  '%',
  '{{',
  '\ufeff',
];

type Mutation = (text: string, random: Random, other: string) => string;

const at = (text: string, random: Random): number => random(text.length + 1);

const mutations: readonly Mutation[] = [
  // Cut off, as a full disk leaves it.
  (text, random) => text.slice(0, at(text, random)),
  (text, random) => {
    const from = at(text, random);
    return text.slice(0, from) + text.slice(from + random(40));
  },
  (text, random) => {
    const from = at(text, random);
    return text.slice(0, from) + oddities[random(oddities.length)]! + text.slice(from);
  },
  (text, random) => {
    const from = at(text, random);
    const part = text.slice(from, from + random(200));
    return text.slice(0, from) + part + text.slice(from);
  },
  // A value of another type.
  (text, random) => {
    const values = [...text.matchAll(/(?<=: ?)(?:"[^"\n]*"|\d+|true|false|\[\]|\{\})/g)];
    const one = values[random(Math.max(values.length, 1))];
    if (one === undefined) return text;
    const odd = ['null', '3', '""', '[]', '{}', 'true', '[null]', '{"a":[]}'][random(8)]!;
    return text.slice(0, one.index) + odd + text.slice(one.index + one[0].length);
  },
  (text, random) => {
    const lines = text.split('\n');
    const [line = ''] = lines.splice(random(lines.length), 1);
    lines.splice(random(lines.length + 1), 0, line);
    return lines.join('\n');
  },
  // Two files in one.
  (text, random, other) => text.slice(0, at(text, random)) + other.slice(at(other, random)),
];

/** One to four accidents. */
export function mutated(text: string, other: string, random: Random): string {
  let result = text;
  for (let left = 1 + random(4); left > 0; left -= 1)
    result = mutations[random(mutations.length)]!(result, random, other);
  return result;
}
