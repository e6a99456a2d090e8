/** The subjects of lint rules with their facts: the list of tools, each tool, each parameter, pairs of tools, and recorded calls. */
import { asObject, asText, isObject, type JsonObject } from '../../core/model/json.ts';
import { schemaDepth } from './schema-depth.ts';

export interface LintSubject {
  of: 'list' | 'tool' | 'parameter' | 'pair' | 'call';
  /** Name of the tool; `(server)` for the list. */
  tool: string;
  facts: JsonObject;
}

/** Equal calls of one tool in a recording. */
export interface RecordedCalls {
  name: string;
  times: number;
  /** Number of different answers. */
  answers: number;
  /** Bytes of the largest result, as JSON. */
  bytes: number;
}

const bytesOfToken = 4;
/** Tools that are compared in pairs; a server with more has problems of another kind. */
const mostCompared = 300;
/** Characters of a description that are compared. */
const mostCompare = 2_000;
/** Members without which a text may be anything. */
const restrictions = ['enum', 'const', 'pattern', 'format', 'description', '$ref', 'examples'];

interface Named {
  tool: JsonObject;
  name: string;
  description: string;
  /** Words of the description, for finding names of tools in it. */
  words: ReadonlySet<string>;
}

/** @param maxBytes largest result that is not reported */
export function subjectsOf(
  tools: readonly JsonObject[],
  calls: readonly RecordedCalls[],
  maxBytes: number,
): LintSubject[] {
  const named = tools.map(nameOf);
  const times = new Map<string, number>();
  for (const { name } of named) times.set(name, (times.get(name) ?? 0) + 1);
  const tokens = tools.reduce((sum, tool) => sum + tokensOf(tool), 0);
  return [
    { of: 'list', tool: '(server)', facts: { count: tools.length, tokens } },
    ...named.flatMap((one) => [toolSubject(one, named, times.get(one.name)!), ...parameterSubjects(one)]),
    ...pairSubjects(named.slice(0, mostCompared)),
    ...calls.map(
      ({ name, ...call }): LintSubject => ({
        of: 'call',
        tool: name,
        facts: { ...call, excess: Math.max(0, call.bytes - maxBytes) },
      }),
    ),
  ];
}

function nameOf(tool: JsonObject): Named {
  const description = descriptionOf(tool);
  return {
    tool,
    name: asText(tool['name']),
    description,
    words: new Set(description.split(/[^\w.-]/).map((word) => (word.endsWith('.') ? word.slice(0, -1) : word))),
  };
}

function toolSubject(one: Named, all: readonly Named[], listed: number): LintSubject {
  const { tool, name, description } = one;
  const lower = description.toLowerCase();
  const spoken = spokenOf(name);
  const parameters = Object.keys(propertiesOf(tool['inputSchema']));
  const unmentioned = parameters.filter(
    (parameter) => !lower.includes(parameter.toLowerCase()) && !lower.includes(spokenOf(parameter)),
  );
  const others = all.filter((other) => other.name !== name);
  return {
    of: 'tool',
    tool: name,
    facts: {
      tool,
      name,
      spoken,
      words: capital(spoken),
      /** The words of the name without the first, which is the verb of most. */
      object: spoken.split(' ').slice(1).join(' '),
      description,
      /** The description with a full stop at its end, for suggestions that continue it. */
      sentence: /[.!?)]$/.test(description) ? description : `${description}.`,
      lower,
      length: description.length,
      tokens: tokensOf(tool),
      depth: schemaDepth(tool['inputSchema']),
      listed,
      parameters,
      unmentioned: parameters.length === 0 ? 0 : unmentioned.length / parameters.length,
      mutual: others.filter((other) => mentions(one, other) && mentions(other, one)).map((other) => other.name),
      passedOn: others.flatMap((other) => passedOn(one, other)),
    },
  };
}

function parameterSubjects({ tool, name: toolName }: Named): LintSubject[] {
  const input = asObject(tool['inputSchema']);
  const required = new Set(Array.isArray(input?.['required']) ? (input['required'] as unknown[]) : []);
  return Object.entries(propertiesOf(input)).flatMap(([name, schema]): LintSubject[] => {
    if (!isObject(schema)) return [];
    const spoken = spokenOf(name);
    return [
      {
        of: 'parameter',
        tool: toolName,
        facts: {
          name,
          lower: name.toLowerCase(),
          spoken,
          words: capital(spoken),
          schema,
          type: typeof schema['type'] === 'string' ? schema['type'] : 'any type',
          required: required.has(name),
          description: descriptionOf(schema),
        },
      },
    ];
  });
}

function pairSubjects(all: readonly Named[]): LintSubject[] {
  const parts = all
    .filter(({ description }) => description.length > 1)
    .map(({ name, description }) => ({ name, pairs: letterPairs(description.slice(0, mostCompare).toLowerCase()) }));
  return parts.flatMap((one, index) =>
    parts.slice(index + 1).map((other): LintSubject => {
      const similarity = likeness(one.pairs, other.pairs);
      const percent = Math.round(similarity * 100);
      return { of: 'pair', tool: one.name, facts: { other: other.name, similarity, percent } };
    }),
  );
}

/** The Dice coefficient of two sets. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const pair of one) if (other.has(pair)) shared += 1;
  return (2 * shared) / (one.size + other.size);
}

function letterPairs(text: string): Set<string> {
  return new Set(Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2)));
}

/** Texts of any sort in the output of a tool that another one requires, where a description connects the two. */
function passedOn(from: Named, to: Named): string[] {
  if (!mentions(from, to) && !mentions(to, from)) return [];
  const input = asObject(to.tool['inputSchema']);
  const required = Array.isArray(input?.['required']) ? (input['required'] as unknown[]) : [];
  const taken = propertiesOf(input);
  return Object.entries(propertiesOf(from.tool['outputSchema'])).flatMap(([member, schema]) => {
    const isFree =
      isObject(schema) && schema['type'] === 'string' && !restrictions.some((word) => Object.hasOwn(schema, word));
    const isTaken =
      required.includes(member) && Object.hasOwn(taken, member) && asObject(taken[member])?.['type'] === 'string';
    return isFree && isTaken ? [`${member} for ${to.name}`] : [];
  });
}

/** True if the description of a tool contains the name of another one as a word. Short names may be ordinary words. */
function mentions(one: Named, other: Named): boolean {
  return other.name.length > 3 && one.words.has(other.name);
}

function propertiesOf(schema: unknown): JsonObject {
  return asObject(asObject(schema)?.['properties']) ?? {};
}

function descriptionOf({ description }: JsonObject): string {
  return typeof description === 'string' ? description.trim() : '';
}

function tokensOf(tool: JsonObject): number {
  return Math.floor(Buffer.byteLength(JSON.stringify(tool)) / bytesOfToken);
}

/** `get_userName` as `get user name`. */
function spokenOf(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_.\s/-]+/g, ' ')
    .trim()
    .toLowerCase();
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
