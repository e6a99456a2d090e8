/** What an audit says of a refused call: Ajv decides whether the arguments fit, patterns included. */
import { expect, test } from 'vitest';
import { findingsOf } from '../../src/suites/exercise/audit/judge-call.ts';
import { createJsonSchemas } from '../../src/core/json-schema/json-schemas.ts';

const schemas = createJsonSchemas('2025-11-25');
const details = (inputSchema: object, given: object): string[] =>
  findingsOf(
    { tool: { name: 'find', inputSchema }, outcome: { kind: 'error', code: -32602, message: 'no' }, given },
    schemas,
    (text) => text,
  ).map(({ class: kind, detail }) => `${kind}: ${detail}`);

test('a refusal is held against the server only where the arguments fit for certain', () => {
  const schema = { type: 'object', properties: { code: { type: 'string', pattern: '^[A-Z]{3}$' } } };
  expect(details(schema, { code: 'ABC' })).toEqual([
    'refused: Arguments that fit the inputSchema were refused with the error -32602: no',
  ]);
  expect(details(schema, { code: 'abc' })).toEqual([
    'refused: No arguments that fit the inputSchema were found; the call was refused with the error -32602: no',
  ]);
  expect(details({ ...schema, $ref: 'https://example.com/elsewhere.json' }, { code: 'ABC' })).toEqual([
    'refused: The call was refused with the error -32602: no',
  ]);
});
