/** The JSON Schema of suite files, made from the tables of blocks and expectations. */
import { argumentsSchema, objectOf, textOf } from '../blocks/block.ts';
import { blocks } from '../blocks/table.ts';
import { textSchema } from '../expectations/expectation.ts';
import type { Expectation, JsonSchema } from '../expectations/expectation.ts';
import { expectationSets } from '../expectations/table.ts';

const textMap = (description: string): JsonSchema => ({ type: 'object', additionalProperties: textSchema, description });

const server = objectOf({
  command: textOf('Program of a server on stdio; no shell, no variables.'),
  args: { type: 'array', items: textSchema, description: 'Its arguments; {{fixture}} is put in.' },
  env: textMap('Environment beside the inherited one. $VAR, ${VAR} and ${VAR:-default} are put in.'),
  transport: textOf('stdio (the default), http or sse.'),
  url: textOf('Address, for http and sse.'),
  headers: textMap('Headers of every request, for http and sse. Variables are put in.'),
  docker: textOf('Image in which the command is run.'),
  client_capabilities: objectOf({
    roots: { type: 'array', items: textSchema, description: 'Paths that the client answers to roots/list.' },
    sampling: objectOf({ text: textOf('Text of every sample.'), model: textOf('`mock` by default.'), stop_reason: textOf('`end_turn` by default.') }),
    elicitation: {
      type: 'object',
      description: 'What every form is answered with: `content`, else all members but `action`.',
      properties: { action: { type: 'string', enum: ['accept', 'decline', 'cancel'] }, content: { type: 'object' } },
    },
  }),
});

const setup: JsonSchema = {
  type: 'array',
  description: 'Tools that are called first, in the same session.',
  items: objectOf({ tool: textOf('Name of the tool.'), args: argumentsSchema, capture: textMap('Name of a variable to a path in the JSON of the answer; $ is the whole text.') }),
};

/** A file of one case, in mcp-assert's form. */
function assertFile(): JsonSchema {
  return objectOf({
    $schema: { type: 'string' },
    name: textOf('Name of the case; that of the file when absent.'),
    server: { $ref: '#/$defs/server' },
    setup: { $ref: '#/$defs/setup' },
    ...Object.fromEntries(blocks.map(({ key, says }) => [key, { $ref: `#/$defs/block-${key}`, description: says }])),
    trace: { type: 'array', description: 'Calls that the trajectory is held against.', items: objectOf({ tool: textOf('Name of the tool.'), args: argumentsSchema }) },
    audit_log: textOf('File of such calls, one JSON object a line; goes before `trace`.'),
    timeout: textOf('Time for the whole case, as 10s or 1m30s.'),
    skip: { type: 'boolean', description: 'Do not run it.' },
    skip_unless_env: textOf('Do not run it unless this variable is set.'),
    tags: { type: 'array', items: textSchema, description: 'Words to choose cases by.' },
    spec: textOf('Revision to hold the server to.'),
  });
}

function setOf(expectations: readonly Expectation[]): JsonSchema {
  return objectOf(Object.fromEntries(expectations.map(({ name, says, option }) => [name, { ...option.schema, description: says }])));
}

/** The whole schema; the definitions are those that files are checked against when they are loaded. */
export function suiteSchema(): JsonSchema & { $defs: Record<string, JsonSchema> } {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A suite file of mcpc run',
    $ref: '#/$defs/assert-file',
    $defs: {
      'assert-file': assertFile(),
      server,
      setup,
      ...Object.fromEntries(blocks.map(({ key, schema }) => [`block-${key}`, schema])),
      ...Object.fromEntries(Object.entries(expectationSets).map(([name, expectations]) => [`expect-${name}`, setOf(expectations)])),
    },
  };
}
