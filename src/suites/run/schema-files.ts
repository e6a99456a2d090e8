/** Schemas that suites name by a file: they are read when the suite is, and stand in the place of the name from then on. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { asObject } from '../../core/model/json.ts';
import type { Demand, Step, SuiteCase } from '../language/model.ts';
import type { Problem } from '../language/yaml-source.ts';
import { readYaml } from '../language/yaml-source.ts';

const ofSchemas: ReadonlySet<string> = new Set(['schema', 'result_schema']);
const largest = 1024 * 1024;

/** Puts schemas in the place of the paths of their files (JSON or YAML, from the folder of the suite). @returns what cannot be read */
export function readSchemaFiles(cases: readonly SuiteCase[]): Problem[] {
  const problems: Problem[] = [];
  const known = new Map<string, { schema: unknown } | { why: string }>();
  for (const { file, steps } of cases) {
    for (const demand of steps.flatMap(demandsWithin)) {
      for (const named of namedSchemas(demand)) {
        const path = resolve(dirname(file), named.name);
        let read = known.get(path);
        if (read === undefined) known.set(path, (read = readSchema(path)));
        if ('schema' in read) named.put(read.schema);
        else
          problems.push({
            ...demand.place,
            text: `${demand.expectation.name}: ${named.name}: ${read.why}`,
            severity: 'error',
          });
      }
    }
  }
  return problems;
}

/** The names of files where schemas may stand, and what puts a schema in their place. */
function namedSchemas(demand: Demand): { name: string; put(schema: unknown): void }[] {
  const { expectation, option } = demand;
  if (ofSchemas.has(expectation.name) && typeof option === 'string')
    return [{ name: option, put: (schema) => void (demand.option = schema) }];
  if (expectation.name !== 'target') return [];
  const { matcher } = option as { matcher: Record<string, unknown> };
  return [matcher, matcher['not']].flatMap((one) => {
    const { schema } = asObject(one) ?? {};
    return typeof schema === 'string'
      ? [{ name: schema, put: (read: unknown) => void ((one as Record<string, unknown>)['schema'] = read) }]
      : [];
  });
}

function demandsWithin({ demands, act, unchanged = [] }: Step): Demand[] {
  return [...demands, ...[...(act.kind === 'parallel' ? act.steps : []), ...unchanged].flatMap(demandsWithin)];
}

function readSchema(path: string): { schema: unknown } | { why: string } {
  let text: string;
  try {
    if (statSync(path).size > largest) return { why: `the file is larger than ${largest} bytes` };
    text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    return {
      why: (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : (error as Error).message,
    };
  }
  // JSON is YAML as well.
  const { documents, problems } = readYaml(text);
  const wrong = problems.find(({ severity }) => severity === 'error');
  if (wrong !== undefined) return { why: `line ${wrong.line}: ${wrong.text}` };
  const value = documents[0]?.value;
  return (typeof value === 'object' && value !== null && !Array.isArray(value)) || typeof value === 'boolean'
    ? { schema: value }
    : { why: 'it holds no JSON Schema' };
}
