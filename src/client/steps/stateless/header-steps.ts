/**
 * Calls of tools with parameters in HTTP headers, with changed headers: those that a server must refuse, and unusual
 * ones that it must accept (2026-07-28: basic/transports/streamable-http).
 */
import {
  encodedValue,
  headerParameters,
  headerText,
  headerValue,
  valueAt,
  type HeaderParameter,
} from '../../../core/json-schema/header-parameters.ts';
import { generateValue } from '../../../core/json-schema/generate-value.ts';
import { asObject, isObject } from '../../../core/model/json.ts';
import { chooseTools } from '../../offers/choose-tools.ts';
import { choosePrompts, chooseResources } from '../../offers/choose-offered.ts';
import { sendRequest } from '../support/send-request.ts';
import { partOf, type Json, type ObjectStep, type StepWork } from '../support/step-kind.ts';
import { swapCase } from '../../offers/wrong-arguments.ts';
import type { HeaderChanges } from '../../../core/model/request-headers.ts';

const ways = [
  'left-out',
  'other-value',
  'other-case',
  'encoded-other',
  'raw-bytes',
  'broken-base64',
  'encoded',
  'other-names',
  'padded',
  'unknown',
  'absent',
  'null',
  'numeric',
] as const;
type Way = (typeof ways)[number];

const standardWays = [
  'left-out',
  'other',
  'other-case',
  'raw-bytes',
  'encoded',
  'encoded-other',
  'broken-base64',
] as const;
type StandardWay = (typeof standardWays)[number];
type StandardHeader = 'MCP-Protocol-Version' | 'Mcp-Method' | 'Mcp-Name';

export const headerSteps: readonly ObjectStep[] = [
  {
    name: 'paramHeader',
    says: 'Streamable HTTP in the stateless era: call tools with parameters in headers. One header is left out, or has another value, another letter case, Base64 of another value, forbidden bytes, or broken Base64. Legal variants use Base64 for a plain value, names in other letter cases, spaces around the value, or an unknown header. Further calls have an argument that is absent or null and no header, or 42.0 for 42.',
    schema: { paramHeader: { enum: [...ways] }, deviation: partOf('deviation') },
    traits: { callsTools: true },
    run: callWithHeader,
  },
  {
    name: 'standardHeader',
    says: 'Streamable HTTP in the stateless era: use a tool, a prompt and a resource. One header that mirrors the body is left out, or has another value, another letter case, or forbidden bytes. Mcp-Name is also sent as Base64 of its plain value, as Base64 of another value, or as broken Base64.',
    schema: {
      standardHeader: { enum: ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'] },
      value: { enum: [...standardWays] },
      deviation: partOf('deviation'),
    },
    required: ['standardHeader', 'value'],
    traits: { callsTools: true },
    run: useWithHeader,
  },
];

interface Parameter extends HeaderParameter {
  value: unknown;
  text: string;
}

/** The called tool. */
interface Call {
  name: string;
  schema: unknown;
  version: string;
}

interface Changed {
  arguments?: Json;
  headers?: HeaderChanges;
}

/** Tools that are called in one way. */
const mostTools = 2;

async function callWithHeader(step: Json, { scope, context }: StepWork): Promise<void> {
  const { peer } = scope;
  if (peer.transport !== 'http') return;
  const listing = await context.listing(peer);
  for (const { name, arguments: made } of chooseTools(
    listing,
    { choice: 'with-param-headers', most: mostTools },
    context,
  )) {
    const schema = listing.tools.find((one) => one.name === name)?.inputSchema;
    const given = withParameters(made, schema, headerParameters(schema));
    const parameters = headerParameters(schema).flatMap((one): Parameter[] => {
      const value = valueAt(given, one.path);
      const text = headerText(value);
      return text === undefined ? [] : [{ ...one, value, text }];
    });
    for (const changed of changesBy(step.paramHeader as Way, parameters, given, {
      name,
      schema,
      version: peer.revision,
    })) {
      await sendRequest(
        'tools/call',
        { name, arguments: changed.arguments ?? given },
        { ...step, headers: changed.headers },
        scope,
      );
    }
  }
}

/** The arguments with a value for each parameter that travels as a header. */
function withParameters(made: Json, schema: unknown, parameters: readonly HeaderParameter[]): Json {
  return parameters.reduce(
    (given, { path }) =>
      valueAt(given, path) === undefined
        ? changedAt(given, path, generateValue(schemaAt(schema, path), path.at(-1)!))
        : given,
    made,
  );
}

function schemaAt(schema: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => asObject(asObject(at)?.properties)?.[key], schema);
}

function changedAt(given: Json, [key, ...rest]: readonly string[], value: unknown): Json {
  const inner = rest.length === 0 ? value : changedAt(asObject(given[key!]) ?? {}, rest, value);
  return { ...given, [key!]: inner };
}

/** The arguments without a value; undefined where the schema demands it, or something on the way to it. */
function without(given: Json, [key, ...rest]: readonly string[], schema: unknown): Json | undefined {
  const required = asObject(schema)?.required;
  if (rest.length === 0) {
    if (Array.isArray(required) && required.includes(key)) return undefined;
    return Object.fromEntries(Object.entries(given).filter(([name]) => name !== key));
  }
  const inner = isObject(given[key!])
    ? without(given[key!] as Json, rest, asObject(asObject(schema)?.properties)?.[key!])
    : undefined;
  return inner && { ...given, [key!]: inner };
}

/** The ways that are tried with a parameter of each type and depth, since a server may check some and not others. */
const triedWithEach: readonly Way[] = ['left-out', 'other-value'];

const sortOf = ({ type, path }: Parameter): string => `${String(type)} ${path.length > 1}`;

/** A parameter that is a string, where there is one. */
const usualOf = (parameters: readonly Parameter[]): Parameter | undefined =>
  parameters.find(({ type }) => type === 'string') ?? parameters[0];

/** Changes of a variant, one call after another. */
function changesBy(way: Way, parameters: readonly Parameter[], given: Json, call: Call): Changed[] {
  const usual = usualOf(parameters);
  if (!usual) return [];
  const ordered = [usual, ...parameters];
  const tried = triedWithEach.includes(way)
    ? ordered
        .filter((one, index) => ordered.findIndex((other) => sortOf(other) === sortOf(one)) === index)
        .map((one) => [one])
    : [parameters];
  return tried.flatMap((some) => changedBy(way, some, given, call) ?? []);
}

/** Change of a variant; undefined if the tool has no parameter for it. */
function changedBy(
  way: Way,
  parameters: readonly Parameter[],
  given: Json,
  { name, schema, version }: Call,
): Changed | undefined {
  const first = usualOf(parameters);
  if (!first) return undefined;
  const set = ({ header }: Parameter, value: string | null): Changed => ({
    headers: { [`Mcp-Param-${header}`]: value },
  });
  switch (way) {
    case 'left-out':
      return set(first, null);
    case 'other-value':
      return set(first, headerValue(otherText(first)));
    case 'encoded-other':
      return set(first, encodedValue(otherText(first)));
    case 'raw-bytes':
      return set(first, `${first.text}\u00e9`);
    case 'broken-base64':
      return set(first, brokenBase64);
    case 'encoded':
      return set(first, encodedValue(first.text));
    case 'padded':
      return set(first, `  ${headerValue(first.text)} \t`);
    case 'unknown':
      return { headers: { 'Mcp-Param-Mcpc-Unknown': 'anything' } };
    case 'other-case': {
      const text = first.type === 'string' ? swapCase(first.text) : undefined;
      return text === undefined ? undefined : set(first, headerValue(text));
    }
    case 'other-names': {
      const headers = Object.fromEntries(
        parameters.map(({ header, text }) => [`MCP-PARAM-${swapCase(header) ?? header}`, headerValue(text)]),
      );
      return {
        headers: {
          ...headers,
          'MCP-METHOD': 'tools/call',
          'mcp-NAME': headerValue(name),
          'mcp-protocol-VERSION': version,
        },
      };
    }
    case 'numeric': {
      const integer = parameters.find(({ type, value }) => type === 'integer' && Number.isSafeInteger(value));
      return integer && set(integer, `${integer.text}.0`);
    }
    case 'absent':
      for (const { path } of parameters) {
        const rest = without(given, path, schema);
        if (rest) return { arguments: rest };
      }
      return undefined;
    case 'null': {
      const spare = parameters.find(({ path }) => without(given, path, schema) !== undefined) ?? first;
      return { arguments: changedAt(given, spare.path, null) };
    }
  }
}

function otherText({ value, text }: Parameter): string {
  if (typeof value === 'boolean') return String(!value);
  return typeof value === 'number' ? String(value + 1) : `${text}x`;
}

const brokenBase64 = '=?base64?%%%?=';

/** Header value for a value of the body; undefined if none is sent. */
function standardValue(way: StandardWay, header: StandardHeader, body: string): string | null | undefined {
  switch (way) {
    case 'left-out':
      return null;
    case 'other':
      return otherStandard[header](body);
    case 'other-case': {
      const swapped = swapCase(body);
      return swapped === undefined ? undefined : headerValue(swapped);
    }
    case 'raw-bytes':
      return isPlain(body) ? `${body}\u00e9` : undefined;
    case 'encoded':
      return encodedValue(body);
    case 'encoded-other':
      return encodedValue(`${body}x`);
    case 'broken-base64':
      return brokenBase64;
  }
}

/** Another value for each header, of something that does no harm where a server takes its word from it. */
const otherStandard: Readonly<Record<StandardHeader, (body: string) => string>> = {
  'MCP-Protocol-Version': () => '1900-01-01',
  'Mcp-Method': (method) => method.replace(/\/.*/, '/list'),
  'Mcp-Name': (name) => headerValue(`${name}x`),
};

const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

async function useWithHeader(step: Json, { scope, context }: StepWork): Promise<void> {
  const { peer } = scope;
  if (peer.transport !== 'http') return;
  const listing = await context.listing(peer);
  const header = step.standardHeader as StandardHeader;
  const [tool] = chooseTools(listing, { choice: 'any', most: 1 }, context);
  const uses: [string, string, Json | undefined][] = [
    ['tools/call', 'name', tool && { ...tool }],
    ['prompts/get', 'name', choosePrompts(listing, 'any', 1, scope.completed)[0]],
    ['resources/read', 'uri', chooseResources(listing, 1)[0]],
  ];
  for (const [method, member, params] of uses) {
    const name = params?.[member];
    if (typeof name !== 'string') continue;
    const body = { 'MCP-Protocol-Version': peer.revision, 'Mcp-Method': method, 'Mcp-Name': name }[header];
    const value = standardValue(step.value as StandardWay, header, body);
    if (value !== undefined) await sendRequest(method, params, { ...step, headers: { [header]: value } }, scope, 0);
  }
}
