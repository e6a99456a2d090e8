/** Texts for string schemas: by format, by pattern, by what the name of the value suggests. Runs no pattern. */
import { textForPattern } from './pattern-text.ts';
import { exampleFile, usualPlaces, type Places } from './places.ts';

type Json = Record<string, unknown>;

const formats: Record<string, string> = {
  email: 'someone@example.com',
  'idn-email': 'someone@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  iri: 'https://example.com/',
  'uri-reference': '/',
  'iri-reference': '/',
  'uri-template': 'https://example.com/{id}',
  date: '2026-01-05',
  time: '10:00:00Z',
  'date-time': '2026-01-05T10:00:00Z',
  duration: 'PT1S',
  uuid: '7d444840-9dc0-41d1-b245-5ffdce74fad2',
  hostname: 'example.com',
  'idn-hostname': 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  'json-pointer': '/a',
  'relative-json-pointer': '0',
  regex: 'a',
  byte: 'dGV4dA==',
};

/**
 * Unreachable addresses and our own paths: they precede suggestions of a server. Words, not parts of words: `profile`
 * is no file.
 */
const cautious: [RegExp, (places: Places) => string][] = [
  [/\b(?:urls?|uris?|links?|href|websites?|endpoint|webhook|callback|homepage)\b/, () => 'https://example.com/'],
  [/\b(?:e ?mails?|recipients?|cc|bcc|mailto)\b/, () => 'someone@example.com'],
  [/\b(?:dirs?|directory|directories|folders?|cwd|workspace)\b/, ({ folder }) => folder],
  [/\b(?:paths?|files?|filename|filepath)\b/, ({ folder, file = exampleFile }) => `${folder}/${file}`],
  [/\b(?:hosts?|hostname|domains?)\b/, () => 'example.com'],
  [/\bips?\b/, () => '192.0.2.1'],
  [/\b(?:phone|phones|mobile|msisdn)\b/, () => '+12025550100'],
];

/** Further suggestions by name. */
const suggestions: [RegExp, () => string][] = [
  [/\b(?:uuid|guid)\b/, () => '7d444840-9dc0-41d1-b245-5ffdce74fad2'],
  [/\b(?:datetime|timestamp)\b/, () => '2026-01-05T10:00:00Z'],
  [/\bdate\b/, () => '2026-01-05'],
  [/\b(?:timezone|tz)\b/, () => 'Europe/London'],
  [/\b(?:language|locale|lang)\b/, () => 'en'],
  [/\bcountry\b/, () => 'GB'],
  [/\b(?:city|place|location)\b/, () => 'London'],
  [/\bcurrency\b/, () => 'EUR'],
];

/** The words of a name, in lower case: `filePath`, `file_path` and `file-path` are the same. */
function wordsOf(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .toLowerCase();
}

/** Suggestion by the name of an argument, if any. */
export function suggestedText(name: string, places: Places = usualPlaces): string | undefined {
  const words = wordsOf(name);
  return cautiousText(words, places) ?? suggestions.find(([words_]) => words_.test(words))?.[1]();
}

function cautiousText(words: string, places: Places): string | undefined {
  return cautious.find(([words_]) => words_.test(words))?.[1](places);
}

const addressFormats = new Set(['email', 'idn-email', 'uri', 'url', 'iri', 'hostname', 'idn-hostname', 'ipv4', 'ipv6']);

/** Texts for addresses and paths, by format or name; none where neither says that it is one. */
export function* cautiousTexts(schema: Json, name: string, places: Places): Generator<string> {
  const { format, pattern } = schema;
  // A text that is made for the pattern is all that is sure to fit.
  if (pattern !== undefined) return;
  if (typeof format === 'string' && addressFormats.has(format)) yield formats[format]!;
  else if (format === undefined) {
    const text = cautiousText(wordsOf(name), places);
    if (text !== undefined) yield text;
  }
}

const longest = 100_000;

/** Texts to try for a string schema, the best first. */
export function* textsFor(schema: Json, name: string, places: Places = usualPlaces): Generator<string> {
  const least = typeof schema.minLength === 'number' ? Math.min(Math.max(schema.minLength, 0), longest) : 0;
  const most = typeof schema.maxLength === 'number' ? Math.max(schema.maxLength, 0) : Infinity;
  const fitted = (text: string): string => text.padEnd(least, 'x').slice(0, Math.min(most, longest));
  if (typeof schema.pattern === 'string') {
    const made = textForPattern(schema.pattern, least, Math.min(most, longest));
    if (made !== undefined) yield made;
  }
  const format =
    typeof schema.format === 'string' && Object.hasOwn(formats, schema.format) ? formats[schema.format]! : undefined;
  if (format !== undefined) {
    yield format;
    yield* longer(schema.format as string, format, least);
  }
  if (schema.pattern === undefined && format === undefined) {
    const suggested = suggestedText(name, places);
    if (suggested !== undefined && suggested.length >= least && suggested.length <= most) yield suggested;
  }
  yield fitted('text');
}

/** The same kind of text, at least so long, where it can be. */
function* longer(format: string, text: string, least: number): Generator<string> {
  if (text.length >= least) return;
  const more = 'x'.repeat(least - text.length);
  if (/uri|iri|url|json-pointer|regex/.test(format)) yield `${text}${more}`;
  if (format.endsWith('email')) yield `${more}${text}`;
}
