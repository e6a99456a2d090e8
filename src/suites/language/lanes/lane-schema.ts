/** The JSON Schema of lane files. */
import { objectOf, textOf } from '../blocks/block.ts';
import { textSchema, type JsonSchema } from '../expectation.ts';
import { lanes } from './table.ts';
import { matcherSchema } from './target.ts';

/** Definitions of lane files, by name. @param server schema of a server in the other forms */
export function laneDefinitions(server: JsonSchema): Record<string, JsonSchema> {
  const command = {
    anyOf: [textSchema, { type: 'array', items: textSchema, minItems: 1 }],
    description: 'Command line of a server on stdio, or its words; no shell.',
  };
  return {
    'lane-file': laneFile(),
    'lane-matcher': matcherSchema(),
    'lane-server': { ...server, properties: { ...(server['properties'] as object), command } },
  };
}

function laneFile(): JsonSchema {
  // A key that is no lane is reported apart, as an error.
  return {
    ...objectOf({
      $schema: { type: 'string' },
      name: textOf('For the reader.'),
      description: textOf('For the reader.'),
      servers: { type: 'object', additionalProperties: { $ref: '#/$defs/lane-server' } },
      imports: {
        type: 'array',
        items: { type: 'string' },
        description: 'Files whose servers, variables and tests belong to this one; paths from this file.',
      },
      variables: { type: 'object', description: 'Values for ${name} in all texts.' },
      ...Object.fromEntries(lanes.map(({ key, says, schema }) => [key, { ...schema, description: says }])),
    }),
    additionalProperties: true,
  };
}
