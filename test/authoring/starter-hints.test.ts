/** The file of hints that `mcpc hints init` writes. */
import { expect, test } from 'vitest';
import { starterHints } from '../../src/check/authoring/starter-hints.ts';
import { parseHints } from '../../src/check/target/hints-file.ts';

test('it tells which arguments travel as headers', () => {
  const inputSchema = {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      customer: { type: 'object', properties: { name: { type: 'string', 'x-mcp-header': 'Customer' } } },
    },
    required: ['region'],
  };
  const { yaml } = starterHints(
    {
      tools: [
        { name: 'route', description: 'Routes.', inputSchema },
        { name: 'plain', inputSchema: { type: 'object' } },
      ],
      prompts: [],
      resources: [],
      templates: [],
    },
    'server',
    '2026-07-28 over http',
  );
  expect(yaml).toMatch(
    /# Routes\.\n\s*# Arguments that travel as headers as well: region as Mcp-Param-Region, customer\.name as Mcp-Param-Customer\n\s*route:/,
  );
  expect(yaml.split('as headers')).toHaveLength(2);
  expect(() => parseHints(yaml, 'h.yaml')).not.toThrow();
});
