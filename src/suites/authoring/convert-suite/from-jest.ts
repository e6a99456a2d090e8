/** The JSON of mcp-jest as cases in the form of mcpc. Unknown parts become a TODO. Pure. */
import { asText, isObject } from '../../../core/model/json.ts';
import type { WrittenCase } from '../suite-text.ts';
import { countBounds, schemaOfExpression } from './jest-expression.ts';

type Json = Record<string, unknown>;

export interface ConvertedConfig {
  servers: Record<string, Json>;
  /** Time for each case. */
  timeout?: string;
  cases: WrittenCase[];
  /** Omissions: sentences. */
  left: string[];
}

/** @throws Error for a value that is no such configuration */
export function casesOfJest(config: unknown): ConvertedConfig {
  if (!isObject(config) || !isObject(config['server']) || !isObject(config['tests']))
    throw new Error('it has no members "server" and "tests", as configurations of mcp-jest have');
  const { server, tests } = config as { server: Json; tests: Json };
  const tools = namedTests(tests['tools'], 'tools');
  const resources = namedTests(tests['resources'], 'resources');
  const prompts = namedTests(tests['prompts'], 'prompts');
  const cases = [
    ...listed('tools', 'name', tools),
    ...tools.map(([name, test]) => requestCase(`${name} can be called`, { call: name, ...args(test) }, test)),
    ...listed('prompts', 'name', prompts),
    ...prompts.map(([name, test]) => requestCase(`${name} can be got`, { get: name, ...args(test) }, test)),
    ...resources.flatMap(([pattern, test]) => resourceCases(pattern, test)),
  ];
  const known = new Set(['tools', 'resources', 'prompts', 'timeout']);
  const left = Object.keys(tests)
    .filter((name) => !known.has(name))
    .map((name) => `"tests.${name}" was left out; the flags of mcpc run say such things.`);
  const timeout = tests['timeout'];
  return {
    servers: { server: serverOf(server) },
    ...(typeof timeout === 'number' && timeout > 0 ? { timeout: `${timeout}ms` } : {}),
    cases,
    left,
  };
}

function namedTests(tests: unknown, what: string): [name: string, test: Json][] {
  if (tests === undefined) return [];
  if (Array.isArray(tests)) return tests.map((name) => [String(name), {}]);
  if (isObject(tests)) return Object.entries(tests).map(([name, test]) => [name, isObject(test) ? test : {}]);
  throw new Error(`"tests.${what}" is neither a list nor a map`);
}

function serverOf({ command, args: words, env, transport, url }: Json): Json {
  const overHttp = transport === 'sse' || transport === 'streamable-http';
  return {
    ...(overHttp ? { transport: transport === 'sse' ? 'sse' : 'http' } : {}),
    ...(typeof url === 'string' ? { url } : {}),
    ...(typeof command === 'string' && !overHttp ? { command } : {}),
    ...(Array.isArray(words) && words.length > 0 && !overHttp ? { args: words.map(asText) } : {}),
    ...(isObject(env) && Object.keys(env).length > 0
      ? { env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, asText(value)])) }
      : {}),
  };
}

function args({ args: given }: Json): Json {
  return isObject(given) && Object.keys(given).length > 0 ? { with: given } : {};
}

/** One case that says what a list has to hold. */
function listed(list: string, member: string, tests: readonly [string, Json][]): WrittenCase[] {
  if (tests.length === 0) return [];
  const each = tests.map(([name]) => ({
    contains: { type: 'object', required: [member], properties: { [member]: { const: name } } },
  }));
  return [
    {
      value: {
        name: `the ${list} are listed`,
        steps: [{ list, expect: { result_schema: { properties: { [list]: { allOf: each } } } } }],
      },
      comments: [],
    },
  ];
}

function requestCase(name: string, step: Json, test: Json): WrittenCase {
  const comments: string[] = [];
  const expect: Json = {};
  if (test['shouldThrow'] === true) {
    comments.push(
      'TODO: where the server answers with a result that says isError, write expect: { is_error: true } in place of expect_error.',
    );
    return { value: { name, steps: [{ ...step, expect_error: true }] }, comments };
  }
  const { expect: expected } = test;
  if (typeof expected === 'string' && expected.startsWith('contains:'))
    expect['contains'] = [expected.slice('contains:'.length)];
  else if (typeof expected === 'string' && expected.trim() !== 'exists') {
    const schema = schemaOfExpression(expected);
    if (schema === undefined) comments.push(`TODO: say what ${JSON.stringify(expected)} means.`);
    else expect['result_schema'] = schema;
  } else if (expected !== undefined && typeof expected !== 'string')
    comments.push(`TODO: say what ${JSON.stringify(expected)} means.`);
  const { snapshot } = test;
  if (snapshot !== undefined && snapshot !== false) expect['snapshot'] = true;
  const volatile =
    isObject(snapshot) && Array.isArray(snapshot['exclude'])
      ? snapshot['exclude'].map((path) => `$.${String(path).replace(/^\$\./, '')}`)
      : [];
  if (isObject(snapshot) && Array.isArray(snapshot['properties']))
    comments.push(
      `TODO: the snapshot was of ${JSON.stringify(snapshot['properties'])} alone; name what differs under volatile.`,
    );
  return {
    value: {
      name,
      ...(volatile.length === 0 ? {} : { volatile }),
      steps: [{ ...step, ...(Object.keys(expect).length === 0 ? {} : { expect }) }],
    },
    comments,
  };
}

/** A URI is read; for a pattern the number of matching resources is reported. */
function resourceCases(pattern: string, test: Json): WrittenCase[] {
  const expected = typeof test['expect'] === 'string' ? test['expect'] : '';
  const count = countBounds(expected);
  const isPattern = /[*?]/.test(pattern);
  const fits = {
    type: 'object',
    required: ['uri'],
    properties: {
      uri: isPattern
        ? {
            pattern: `^${pattern
              .replace(/[.+^$(){}|[\]\\]/g, String.raw`\$&`)
              .replaceAll('*', '.*')
              .replaceAll('?', '.')}$`,
          }
        : { const: pattern },
    },
  };
  const { min = count === undefined ? 1 : 0, max } = count ?? {};
  const there: WrittenCase = {
    value: {
      name: `${pattern} is listed`,
      steps: [
        {
          list: 'resources',
          expect: {
            result_schema: {
              properties: {
                resources: {
                  contains: fits,
                  ...(min === 1 ? {} : { minContains: min }),
                  maxContains: max,
                },
              },
            },
          },
        },
      ],
    },
    comments: [],
  };
  if (count !== undefined) return [there];
  if (isPattern)
    return [
      {
        ...there,
        comments: [
          `TODO: mcp-jest also reads the first resource that fits${expected === '' ? '' : `, and expects ${JSON.stringify(expected)}`}; name it: - { read: URI }`,
        ],
      },
    ];
  return [there, requestCase(`${pattern} can be read`, { read: pattern }, test)];
}
