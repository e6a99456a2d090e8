/** Writes the JSON Schemas of the reports of `mcpc audit` and `mcpc fuzz`, with the classes of their tables. */
import { auditClasses } from '../../core/model/reports/audit-report.ts';
import type { Generator } from './outputs.ts';
import { fuzzClasses } from '../../core/model/reports/fuzz-report.ts';

type Json = Record<string, unknown>;

const text: Json = { type: 'string' };
const count: Json = { type: 'integer', minimum: 0 };
const ms: Json = { type: 'number', minimum: 0 };
const truth: Json = { type: 'boolean' };
const said = (description: string, schema: Json = text): Json => ({ ...schema, description });
const listOf = (items: Json, description?: string): Json => ({
  type: 'array',
  items,
  description,
});

/** All members except the named ones are present. Further ones may come with later versions. */
function object(properties: Record<string, Json>, optional: readonly string[] = []): Json {
  return { type: 'object', required: Object.keys(properties).filter((name) => !optional.includes(name)), properties };
}

const violations = listOf(
  object({ rule: text, level: text, severity: text, message: text, link: { type: ['string', 'null'] } }),
);

/** Common beginning and end. */
function report(format: string, title: string, own: Record<string, Json>): Json {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    ...object({
      format: { const: format },
      version: { const: 1 },
      mcpc: said('Version of mcpc.'),
      server: said('Command line or address.'),
      transport: text,
      revision: said('Revision of the specification that was spoken.'),
      ...own,
      generated_at: said('Date and time in UTC.'),
      duration_ms: ms,
      incomplete: said('Why it ended early; null when it did not.', { type: ['string', 'null'] }),
    }),
  };
}

function auditSchema(): Json {
  const status: Json = { enum: [...auditClasses] };
  const finding = object({
    class: status,
    call: { enum: ['valid', 'near-miss'] },
    detail: text,
    arguments: said('As JSON.'),
  });
  const result = object(
    {
      tool: text,
      description: text,
      status,
      error_code: said('E201 for a crash, E202 for a timeout.'),
      detail: text,
      is_error: truth,
      has_content: truth,
      duration_ms: ms,
      findings: listOf(finding, 'The worst first.'),
      violations,
    },
    ['description', 'error_code'],
  );
  return report('mcpc-audit-report', 'Report of mcpc audit --json', {
    tool_count: count,
    tested: said('Tools that count for the score: neither skipped nor refused.', count),
    score: said('Percent of the tested tools that are healthy, rounded down.', {
      type: 'integer',
      minimum: 0,
      maximum: 100,
    }),
    counts: object(Object.fromEntries(auditClasses.map((name) => [name, count]))),
    results: listOf(result),
    violations,
  });
}

function fuzzSchema(): Json {
  const wire = object({
    seq: { type: 'integer' },
    t: { type: 'number' },
    session: text,
    from: { enum: ['client', 'server', 'harness'] },
    kind: text,
    label: text,
    body: text,
  });
  const failure = object({
    label: said('The case that showed it first.'),
    status: { enum: [...fuzzClasses] },
    detail: text,
    duration_ms: ms,
    arguments: { description: 'The smallest that show it.' },
    first_arguments: {},
    times: { type: 'integer', minimum: 1 },
    reproduced: said('Shown again on a fresh connection.', truth),
    wire: listOf(wire),
  });
  const tool = object(
    {
      tool: text,
      runs: count,
      passed: count,
      failures: listOf(failure),
      duration_ms: ms,
      skipped: said('Why it was not called.'),
      stopped: said('Why not all of its runs were made.'),
    },
    ['skipped', 'stopped'],
  );
  return report('mcpc-fuzz-report', 'Report of mcpc fuzz --json', {
    seed: count,
    runs_per_tool: count,
    tools: listOf(tool),
    summary: object({ tools: count, runs: count, passed: count, failed: count, failures: count }),
  });
}

/** The generator of both. */
export const generateExerciseSchemas: Generator = async () => {
  return {
    'rules/language/audit-report.schema.json': `${JSON.stringify(auditSchema(), null, 2)}\n`,
    'rules/language/fuzz-report.schema.json': `${JSON.stringify(fuzzSchema(), null, 2)}\n`,
  };
};
