/** The JSON Schema of suite files, made from the tables of blocks and expectations. */
import { argumentsSchema, objectOf, textOf } from '../blocks/block.ts';
import { blocks } from '../blocks/table.ts';
import { textSchema } from '../expectation.ts';
import type { Expectation, JsonSchema } from '../expectation.ts';
import { errorExpectation } from '../expectations/answer.ts';
import { expectationSets } from '../expectations/table.ts';
import { matrixSchema } from './matrix-part.ts';
import { laneDefinitions } from '../lanes/lane-schema.ts';
import { lanes } from '../lanes/table.ts';
import { stepKinds } from '../steps/table.ts';

const sessions = ['fresh', 'auto', 'file', 'suite'] as const;
const volatile: JsonSchema = {
  type: 'array',
  items: textSchema,
  description:
    'JSON paths of what may differ at any time: in the result, its structured content, or the JSON of its text; $ is the whole text. Snapshots leave it out.',
};
const conformance: JsonSchema = {
  type: 'string',
  enum: ['off', 'warn', 'fail'],
  description:
    'Whether the traffic is also judged by the rules of the specification, and whether what breaks one fails the case; --conformance goes before it.',
};
const textMap = (description: string): JsonSchema => ({
  type: 'object',
  additionalProperties: textSchema,
  description,
});

const action: JsonSchema = { type: 'string', enum: ['accept', 'decline', 'cancel'] };

/** Capabilities of the client, and its answers to the server. */
const clientCapabilities = objectOf({
  roots: { type: 'array', items: textSchema, description: 'Paths that the client answers to roots/list.' },
  sampling: objectOf({
    text: textOf('Text of every sample.'),
    model: textOf('`mock` by default.'),
    stop_reason: textOf('`end_turn` by default.'),
    tools: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: textSchema, input: { type: 'object' } },
        required: ['name'],
        additionalProperties: false,
      },
      description:
        'The client offers tools in sampling. Where a request names tools, the first answer uses these; then comes the text.',
    },
  }),
  elicitation: {
    type: 'object',
    description: 'What every form is answered with: `content`, else all members but `action`.',
    properties: {
      action,
      content: { type: 'object' },
      url: {
        anyOf: [objectOf({ action }), { not: { type: 'object' } }],
        description:
          'A mapping: the client takes addresses to open, and does this about each; it opens none. Anything else is a field of the form.',
      },
    },
  },
});

const server = objectOf({
  command: textOf('Program of a server on stdio; no shell, no variables.'),
  args: { type: 'array', items: textSchema, description: 'Its arguments; {{fixture}} is put in.' },
  env: textMap('Environment in addition to the inherited one. $VAR, ${VAR} and ${VAR:-default} are replaced.'),
  transport: textOf('stdio (the default), http or sse.'),
  url: textOf('Address, for http and sse.'),
  headers: textMap('Headers of every request, for http and sse. Variables are put in.'),
  docker: textOf('Image in which the command is run.'),
  network: { type: 'string', enum: ['none'], description: 'The container has no network; with `docker`, or --docker.' },
  cwd: textOf('Folder in which it is started; that of mcpc when absent.'),
  session: { type: 'string', enum: [...sessions], description: 'Which cases share it; version 1 alone.' },
  client_capabilities: { $ref: '#/$defs/client-capabilities' },
});

const setup: JsonSchema = {
  type: 'array',
  description: 'Tools that are called first, in the same session.',
  items: objectOf({
    tool: textOf('Name of the tool.'),
    args: argumentsSchema,
    capture: textMap('Name of a variable to a path in the JSON of the answer; $ is the whole text.'),
  }),
};

/** A file of one case, in mcp-assert's form. */
function assertFile(): JsonSchema {
  return objectOf({
    $schema: { type: 'string' },
    name: textOf('Name of the case; that of the file when absent.'),
    server: { $ref: '#/$defs/server' },
    setup: { $ref: '#/$defs/setup' },
    ...Object.fromEntries(blocks.map(({ key, says }) => [key, { $ref: `#/$defs/block-${key}`, description: says }])),
    trace: {
      type: 'array',
      description: 'Calls that the trajectory is held against.',
      items: objectOf({ tool: textOf('Name of the tool.'), args: argumentsSchema }),
    },
    audit_log: textOf('File of such calls, one JSON object a line; goes before `trace`.'),
    recording: textOf(
      'A trace or capture, as `mcpc judge` reads it, whose tool calls are judged; goes before `audit_log`.',
    ),
    timeout: textOf('Time for the whole case, as 10s or 1m30s.'),
    skip: { type: 'boolean', description: 'Do not run it.' },
    skip_unless_env: textOf('Do not run it unless this variable is set.'),
    tags: { type: 'array', items: textSchema, description: 'Words to choose cases by.' },
    spec: textOf('Revision to hold the server to.'),
    volatile,
    conformance,
  });
}

function setOf(expectations: readonly Expectation[], more: Record<string, JsonSchema> = {}): JsonSchema {
  return objectOf({
    ...Object.fromEntries(
      expectations.map(({ name, says, option }) => [name, { ...option.schema, description: says }]),
    ),
    ...more,
  });
}

const tags: JsonSchema = { type: 'array', items: textSchema, description: 'Words to choose cases by.' };
const stepList = (description: string): JsonSchema => ({ type: 'array', items: { $ref: '#/$defs/step' }, description });

/** Members of a case and of the defaults of all cases. */
const common: Record<string, JsonSchema> = {
  server: { anyOf: [textSchema, { $ref: '#/$defs/server' }], description: 'Name of a server, or a server.' },
  timeout: textOf('Time for the whole case, as 10s or 1m30s.'),
  tags,
  spec: textOf('Revision to hold the server to.'),
  session: { type: 'string', enum: [...sessions], description: 'Which cases share a server.' },
  conformance,
};

/** A file of several cases. */
function nativeFile(): JsonSchema {
  return objectOf(
    {
      $schema: { type: 'string' },
      version: { const: 1 },
      imports: {
        type: 'array',
        items: { type: 'string' },
        description: 'Files whose servers and defaults hold here, too; paths from this file.',
      },
      servers: { type: 'object', additionalProperties: { $ref: '#/$defs/server' } },
      defaults: objectOf(common),
      before: stepList('Done at the begin of each case.'),
      conformance,
      matrix: matrixSchema,
      after: stepList('Done at the end of each case, whatever came of it.'),
      cases: { type: 'array', items: { $ref: '#/$defs/case' } },
    },
    ['version'],
  );
}

function nativeCase(): JsonSchema {
  return objectOf(
    {
      ...common,
      name: textOf('What holds when it passes.'),
      each: {
        type: 'array',
        items: { type: 'object' },
        minItems: 1,
        description: 'The case is run for each of these mappings; their members are placeholders.',
      },
      steps: stepList('What is done, one after another.'),
      teardown: stepList('Done at the end, whatever came of it.'),
      skip: { type: ['boolean', 'string'], description: 'Do not run it; a text says why.' },
      skip_unless_env: textOf('Do not run it unless this variable is set.'),
      volatile,
      alone: { type: 'boolean', description: 'Never shares a server.' },
    },
    ['steps'],
  );
}

/** Of the `expect` of a request, in both forms. */
const answerOnly: Record<string, JsonSchema> = {
  eventually: textOf('Ask again until all holds, at most this long.'),
  unchanged: stepList('Their answers are the same before the step and after it.'),
  idempotent: {
    type: 'boolean',
    description:
      'The request is made again: its answer is of the same kind, and what `unchanged` names stays as it is after the first.',
  },
};

const nativeCapture: JsonSchema = {
  type: 'object',
  description:
    'Name of a variable to a path in the JSON of the answer ($ is the whole text, a path that begins with $.structuredContent or another member of the result reads that), or to a pattern for the text.',
  additionalProperties: {
    anyOf: [
      textSchema,
      objectOf(
        {
          matches: textOf('Pattern (RE2); the value is what its first group matches, or all of it.'),
          as: { const: 'number', description: 'The value is a number.' },
        },
        ['matches'],
      ),
    ],
  },
};

/** One definition for each step, and the choice among them. */
function stepDefinitions(): Record<string, JsonSchema> {
  const definitions = Object.fromEntries(
    stepKinds.map((kind): [string, JsonSchema] => [
      `step-${kind.key}`,
      objectOf(
        {
          [kind.key]: { description: kind.says, ...kind.value },
          name: textOf('For the reader.'),
          ...kind.members,
          ...(kind.expects === undefined ? {} : { expect: { $ref: `#/$defs/expect-step-${kind.expects}` } }),
          ...(kind.expects === 'answer'
            ? { expect_error: errorExpectation.option.schema, capture: nativeCapture }
            : {}),
        },
        [kind.key],
      ),
    ]),
  );
  return {
    ...definitions,
    ...Object.fromEntries(
      Object.entries(expectationSets).map(([name, expectations]) => [
        `expect-step-${name}`,
        setOf(expectations, name === 'answer' ? answerOnly : {}),
      ]),
    ),
    step: {
      oneOf: stepKinds.map(({ key }) => ({ $ref: `#/$defs/step-${key}` })),
      description: `One of ${stepKinds.map(({ key }) => key).join(', ')}.`,
    },
  };
}

/** The whole schema; loaded files are validated against its definitions. */
export function suiteSchema(): JsonSchema & { $defs: Record<string, JsonSchema> } {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A suite file of mcpc run',
    if: { required: ['version'] },
    then: { $ref: '#/$defs/native-file' },
    else: {
      if: { anyOf: ['servers', ...lanes.map(({ key }) => key)].map((key) => ({ required: [key] })) },
      then: { $ref: '#/$defs/lane-file' },
      else: { $ref: '#/$defs/assert-file' },
    },
    $defs: {
      'assert-file': assertFile(),
      'native-file': nativeFile(),
      case: nativeCase(),
      ...stepDefinitions(),
      server,
      'client-capabilities': clientCapabilities,
      ...laneDefinitions(server),
      setup,
      ...Object.fromEntries(blocks.map(({ key, schema }) => [`block-${key}`, schema])),
      ...Object.fromEntries(
        Object.entries(expectationSets).map(([name, expectations]) => [
          `expect-${name}`,
          setOf(expectations, name === 'answer' ? answerOnly : {}),
        ]),
      ),
    },
  };
}

/** Types of several kinds are what text is made of; strict mode would refuse them. */
export const validatorOptions = { allErrors: true, inlineRefs: false, strict: false, verbose: true } as const;

/**
 * Steps are validated one by one, each against the schema of its own kind: the error of a choice among all kinds is
 * useless.
 */
export function looseSchema(): JsonSchema {
  return { $defs: { ...suiteSchema().$defs, step: { type: 'object' } } };
}

/** The definitions that parts of files are held against. */
export const checkedDefinitions: readonly string[] = [
  'client-capabilities',
  'assert-file',
  'native-file',
  'lane-file',
  ...stepKinds.map(({ key }) => `step-${key}`),
];
