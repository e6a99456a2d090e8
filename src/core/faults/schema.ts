/** The JSON Schema of a mutation in a rule file, made from the table of operators. */
import { faultOperators, type Json } from './operators.ts';

const methods = (description: string): Json => ({
  description: `${description} One method, several, or "*" for all.`,
  oneOf: [
    { type: 'string', minLength: 1 },
    { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
  ],
});

const kinds: Record<string, Json> = {
  reply: methods('Answers to requests of this method, results and errors.'),
  result: methods('Results of requests of this method.'),
  error: methods('Errors for requests of this method.'),
  request: methods('Requests of the server.'),
  notification: methods('Notifications of the server.'),
  http: {
    description: 'HTTP replies, by what was asked.',
    type: 'object',
    minProperties: 1,
    properties: {
      method: { enum: ['GET', 'POST', 'DELETE', 'PUT', 'OPTIONS'] },
      posted: { description: 'What was posted.', enum: ['request', 'notification', 'response', 'batch'] },
      rpc: methods('Method of the message that was posted.'),
      status: { description: 'Status that the reply would have.', type: 'integer' },
      session: {
        description: 'Of operators on what the server takes in: whether the request names a session.',
        type: 'boolean',
      },
    },
    additionalProperties: false,
  },
};

const place: Json = {
  description: 'The messages to change: one kind of message of the server, or of HTTP reply.',
  type: 'object',
  properties: {
    ...kinds,
    where: {
      description: 'JSONPath to the value that the message has there.',
      type: 'object',
      minProperties: 1,
      propertyNames: { pattern: '^\\$' },
    },
    more: {
      description:
        'Answers only: the request must have an unknown member at this place (in the message, in params, in params._meta).',
      enum: ['message', 'params', '_meta'],
    },
    nth: { description: 'Only the n-th such message of a connection, from 1.', type: 'integer', minimum: 1 },
  },
  additionalProperties: false,
};

const about: Record<string, Json> = {
  name: {
    description: 'Distinguishes several mutations of one rule.',
    type: 'string',
    pattern: '^[a-z0-9][a-z0-9-]*$',
  },
  says: {
    description: 'What the server does wrong, as a sentence; made from the operators when absent.',
    type: 'string',
    minLength: 10,
  },
  transports: {
    description: 'Narrower than those of the rule.',
    type: 'array',
    minItems: 1,
    items: { enum: ['stdio', 'http', 'sse'] },
  },
  revisions: {
    description: 'Revisions in which it shows and is wrong; those of the rule when absent.',
    type: 'array',
    minItems: 1,
    items: { type: 'string' },
  },
  alsoBreaks: {
    description: 'Other rules that the same fault breaks; "*" if hardly any rule can be decided.',
    type: 'array',
    minItems: 1,
    items: { type: 'string' },
  },
  advisory: { description: 'Only advice is broken: the rule need not fail.', const: true },
};

/** rules/language/mutation.schema.json. */
export function mutationSchema(): Json {
  const operators = faultOperators.flatMap(({ name, says, schema, options = {} }): [string, Json][] => [
    [name, { description: says, ...schema }],
    ...Object.entries(options),
  ]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'mutation.schema.json',
    title: 'A mutation of the reference server',
    description: 'A fault that the rule must fail: which messages it changes, and how.',
    if: { type: 'array' },
    then: { minItems: 1, items: { $ref: '#/$defs/mutation' } },
    else: { $ref: '#/$defs/mutation' },
    $defs: {
      place,
      mutation: {
        type: 'object',
        properties: { on: { $ref: '#/$defs/place' }, ...Object.fromEntries(operators), ...about },
        required: ['on'],
        additionalProperties: false,
      },
    },
  };
}
