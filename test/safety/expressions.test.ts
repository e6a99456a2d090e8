/** Every regular expression that sees text from outside takes time in proportion to its length, on its worst input. */
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';
import { growthOf } from './cpu.ts';
import { outside, own } from './expressions.ts';
import { eachNode, root, ts } from './source-syntax.ts';

/** The text as it would stand on one line: the formatter breaks long calls. */
function onOneLine(text: string): string {
  return text
    .replaceAll(/\(\n\s*/g, '(')
    .replaceAll(/,\n\s*\)/g, ')')
    .replaceAll(/\n\s*/g, ' ');
}

test('each regular expression of the sources stands in a list', () => {
  const found: string[] = [];
  eachNode((node, file) => {
    const made = (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp';
    if (ts.isRegularExpressionLiteral(node) || made) found.push(`${file}: ${onOneLine(node.getText())}`);
  });
  const listed = [outside, ...Object.values(own)].flatMap((files) =>
    Object.entries(files).flatMap(([file, all]) => all.map((one) => `${file}: ${one}`)),
  );
  // A new one goes to test/safety/expressions.ts: to `outside` where any text of a target, capture or program comes to it.
  expect([...new Set(found)].filter((one) => !listed.includes(one))).toEqual([]);
  expect(listed.filter((one) => !found.includes(one))).toEqual([]);
}, 120_000);

/** What makes expressions try again and again: each printable character, and pairs that end what they began. */
const common = [
  ...' !"#$%&\'()*+,-./019:;<=>?@AMZ[\\]^_`aez{|}~',
  '\n',
  '\t',
  '\r',
  '\r\n',
  '\u0000',
  '\u00e9',
  '\ud800',
  '\u2028',
  'a ',
  ' \n',
  'a.',
  'a-',
  'a=',
  'a,',
  'a/',
  '/a',
  '//',
  ': ',
  '} ',
  '{ ',
  '{a',
  '{a}',
  '[a',
  '"a" ',
  '"a',
  "'a' ",
  '\\"',
  '\\a',
  '<a',
  '`a',
  '%2',
  '$',
  '${',
  '${a',
  '@a',
  'a://',
  'https://',
  'https://a',
  'http://a.b/',
  'eyJ-',
  'a_',
  '0.',
  '-0',
  '1e',
  'bearer ',
  'bearer a',
  'basic  ',
  'cookie:',
  'cookie: ',
  'token=',
  '&token=',
  '?sessionid=',
  '"token":',
  'sk-',
  'ghp_',
  'AKIA',
  '-----BEGIN A PRIVATE KEY-----',
  'routines:',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/\n',
  'event: ',
  'event: endpoint\n',
  'Error: ',
  'ENOENT: a, b',
  ', ',
  '\\u0041',
  '"is not valid JSON',
];

/** Whether an expression is one class of characters, or of characters beyond ASCII: fast-check would try for ever to make some. */
function isPlainOrForeign({ source }: RegExp): boolean {
  return /^\[(?:\\.|[^\]\\])*\]\+?$/.test(source) || /\\[pu]\{/.test(source);
}

/** Texts from which an expression starts: what it matches, so that a pump behind it is looked at. */
function startsOf(expression: RegExp): string[] {
  try {
    const { source } = expression;
    if (isPlainOrForeign(expression)) return [''];
    const flags = expression.flags.replace(/[gy]/g, '');
    return [
      '',
      ...fc.sample(fc.stringMatching(new RegExp(source, flags.replace(/[imu]/g, '')), { maxLength: 100 }), {
        numRuns: 2,
        seed: 7,
      }),
    ];
  } catch {
    // Expressions that look around cannot be turned into texts; their own letters do as well.
    return ['', expression.source.replace(/\\./g, '').replace(/[()[\]{}?*+^$|]/g, '')];
  }
}

/** Every match in a text, as replace and matchAll find them. */
function runThrough(expression: RegExp, text: string): void {
  if (!expression.global && !expression.sticky) {
    expression.test(text);
    return;
  }
  expression.lastIndex = 0;
  for (let at = 0; at < text.length; ) {
    const match = expression.exec(text);
    if (match === null && !expression.sticky) return;
    at = match === null ? at + 1 : Math.max(expression.lastIndex, at + 1);
    expression.lastIndex = at;
  }
}

interface Pump {
  start: string;
  part: string;
  end: string;
}

const pumped = ({ start, part, end }: Pump, length: number): string =>
  start + part.repeat(Math.ceil(length / part.length)).slice(0, length) + end;

/** The pump on which an expression takes longest, at a length where growth shows. */
function worstOf(expression: RegExp): Pump {
  // What begins a match comes before what is pumped, once.
  const starts = startsOf(expression);
  const parts = [
    ...new Set([
      ...common,
      ...starts.filter((one) => one !== ''),
      ...starts.flatMap((one) => (one.length > 1 ? [one.slice(1), one.slice(0, -1)] : [])),
    ]),
  ];
  let worst: Pump = { start: '', part: 'a', end: '' };
  let longest = -1;
  for (const part of parts) {
    for (const start of new Set(starts.slice(0, part.length > 2 ? 1 : 2))) {
      for (const end of ['\n\u0000']) {
        const pump = { start, part, end };
        const text = pumped(pump, 2000);
        const began = performance.now();
        runThrough(expression, text);
        const took = performance.now() - began;
        if (took > longest) [worst, longest] = [pump, took];
        // Nobody has to look any further.
        if (took > 100) return worst;
      }
    }
  }
  return worst;
}

/** An expression as it stands in the sources. */
function compiled(written: string): RegExp {
  const end = written.lastIndexOf('/');
  return new RegExp(written.slice(1, end), written.slice(end + 1));
}

/** Patterns of rules see the first 10,000 characters of a text alone (value-tests.ts), those of SDKs 1,000 of a message. */
const cut = new Set(["new RegExp(pattern as string, 'u')", 'new RegExp(one)']);

/** Those that are put together when mcpc runs: what they are put together to. */
const composed: Record<string, () => RegExp[]> = {
  "new RegExp(anyEscape.source, 'y')": () => [/%[0-9A-Fa-f]{2}|\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|["\\/])/y],
  "new RegExp(`(?:^|[ \\\\t,])${parameter}=`, 'i')": () => [/(?:^|[ \t,])resource_metadata=/i],
  "new RegExp(pattern as string, 'u')": () => [...patternsOfRules()].map((pattern) => new RegExp(pattern, 'u')),
  'new RegExp(String.raw`^[^\\n]*  mcpc ${version}\\n`)': () => [/^[^\n]*  mcpc 0\.1\.0\n/],
  'new RegExp(one)': () => sdkTexts('errorMessages').map((one) => new RegExp(one)),
  "new RegExp(one, 'm')": () => sdkTexts('imports').map((one) => new RegExp(one, 'm')),
};

function sdkTexts(member: string): string[] {
  return textsUnder(
    JSON.parse(readFileSync(join(root, globSync('rules/**/sdk-fixes.json', { cwd: root })[0]!), 'utf8')) as unknown,
    new Set([member]),
  );
}

/** Patterns that rules compare values with. */
function patternsOfRules(): Set<string> {
  const files = globSync(['rules/*/*.json', 'rules/shared.json'], {
    cwd: root,
    ignore: ['rules/messages/**', 'rules/language/**'],
  });
  return new Set(
    files.flatMap((file) =>
      textsUnder(
        JSON.parse(readFileSync(join(root, file), 'utf8')) as unknown,
        new Set(['matches', 'notMatches', 'matching', 'pattern']),
      ),
    ),
  );
}

/** All texts in the value of a member with one of the names, or of an object that says it is such an operator. */
function textsUnder(value: unknown, names: ReadonlySet<string>): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { operator, value: operand } = value as { operator?: unknown; value?: unknown };
  const own = typeof operator === 'string' && names.has(operator) ? texts(operand) : [];
  return [
    ...own,
    ...Object.entries(value).flatMap(([name, one]) => (names.has(name) ? texts(one) : textsUnder(one, names))),
  ];
}

function texts(value: unknown): string[] {
  return typeof value === 'string'
    ? [value]
    : Array.isArray(value)
      ? value.filter((one): one is string => typeof one === 'string')
      : [];
}

test('the patterns of rules are found', () => {
  expect(patternsOfRules().size).toBeGreaterThan(5);
  expect(sdkTexts('errorMessages').length).toBeGreaterThan(0);
});

test.each(Object.entries(outside))(
  'ten times the text takes at most fifteen times the CPU: %s',
  async (_file, expressions) => {
    for (const written of expressions) {
      for (const expression of composed[written]?.() ?? [compiled(written)]) {
        const worst = worstOf(expression);
        const { smallMs, largeMs, linear } = await growthOf(
          (length) => runThrough(expression, pumped(worst, length)),
          cut.has(written) ? 1_000 : 10_000,
        );
        expect(linear, `${String(expression)} on ${JSON.stringify(worst)}: ${smallMs} ms, then ${largeMs} ms`).toBe(
          true,
        );
      }
    }
  },
  300_000,
);
