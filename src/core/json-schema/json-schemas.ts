/**
 * Validates JSON Schemas of a target, and values against them, with three answers: the findings (none if valid), or
 * undefined if uncertain. The schema is not trusted: no reference is followed out of it, its patterns cannot run away,
 * size, depth and work are bounded. Loaded when a rule needs it.
 */
import { BoundedMap } from '../model/bounded.ts';
import type { Ajv, ValidateFunction } from 'ajv';
import { largest } from '../model/lists.ts';
import { explainErrors, type RawError, type SchemaFinding } from './explain-errors.ts';
import { metaValidator, schemaEngine } from './on-demand.ts';
import { copySchema, maxSchemaLength, type DialectName } from './schema-copy.ts';

export interface JsonSchemas {
  /** Faults of a schema under the meta-schema of its dialect. */
  validity(schema: unknown): SchemaFinding[] | undefined;
  /** Faults of a value under a schema. */
  conformance(schema: unknown, value: unknown): SchemaFinding[] | undefined;
}

interface Entry {
  validity?: { findings: SchemaFinding[] | undefined };
  compiled: Map<DialectName, ValidateFunction | undefined>;
}

/** References followed; comparisons of list entries count a hundredth each, instructions of patterns a thousandth. */
const mostSteps = 30_000;
/** Instructions of all patterns that one set of schemas compiles; some 150 bytes each. */
const mostInstructions = 500_000;
const maxValueLength = 500_000;
const keptSchemas = 500;

const byAddress: Record<string, DialectName> = {
  'json-schema.org/draft/2020-12/schema': '2020-12',
  'json-schema.org/draft/2019-09/schema': '2019-09',
  'json-schema.org/draft-07/schema': 'draft-07',
  'json-schema.org/draft-06/schema': 'draft-06',
};

class TooMuchWork extends Error {}
let stepsLeft = 0;

function spend(steps: number): boolean {
  stepsLeft -= steps;
  if (stepsLeft < 0) throw new TooMuchWork();
  return true;
}

/** Of the set of schemas that compiles one now. */
let patterns = { left: 0 };

const costs = {
  compiling(): void {
    if (patterns.left <= 0) throw new TooMuchWork();
  },
  compiled: (instructions: number): void => void (patterns.left -= instructions),
  searched: (instructions: number, characters: number): void =>
    void spend(Math.ceil((instructions * characters) / 1000)),
};

const engines = new Map<DialectName, Ajv>();

function engineOf(dialect: DialectName): Ajv {
  let engine = engines.get(dialect);
  if (engine) return engine;
  engine = schemaEngine().createEngine(dialect, spend, costs);
  engines.set(dialect, engine);
  return engine;
}

/** The dialect that a schema names; `none` without one, undefined for an unknown one. */
function dialectOf(schema: unknown): DialectName | 'none' | undefined {
  const named = typeof schema === 'object' && schema !== null && '$schema' in schema ? schema.$schema : undefined;
  if (named === undefined) return 'none';
  if (typeof named !== 'string') return undefined;
  return byAddress[named.replace(/^https?:\/\//, '').replace(/#$/, '')];
}

/** @param revision fixes the dialect of schemas that name none: 2020-12 since 2025-11-25, any draft before */
export function createJsonSchemas(revision: string): JsonSchemas {
  const byObject = new WeakMap<object, Entry>();
  const byText = new BoundedMap<string, Entry>(keptSchemas, 'forget-oldest');
  const own = { left: mostInstructions };
  /** A rule asks whether a value can be decided and then what is wrong with it: the second time nothing is worked out. */
  let newest: { schema: unknown; value: unknown; findings: SchemaFinding[] | undefined } | undefined;

  /** The dialects under which a schema may be read. */
  function dialects(schema: unknown): DialectName[] {
    const named = dialectOf(schema);
    if (named === undefined) return [];
    if (named !== 'none') return [named];
    return revision >= '2025-11-25' ? ['2020-12'] : ['2020-12', '2019-09', 'draft-07'];
  }

  function entryOf(schema: unknown): Entry | undefined {
    if (typeof schema !== 'object' || schema === null) return undefined;
    let entry = byObject.get(schema);
    if (entry) return entry;
    const text = JSON.stringify(schema);
    if (text.length > maxSchemaLength) return undefined;
    entry = byText.get(text);
    if (!entry) {
      byText.set(text, (entry = { compiled: new Map() }));
    }
    byObject.set(schema, entry);
    return entry;
  }

  function compile(schema: unknown, entry: Entry, dialect: DialectName): ValidateFunction | undefined {
    if (entry.compiled.has(dialect)) return entry.compiled.get(dialect);
    let compiled: ValidateFunction | undefined;
    const engine = engineOf(dialect);
    const copy = metaFindings(dialect, schema)?.length === 0 ? copySchema(schema, dialect) : undefined;
    if (copy !== undefined) {
      patterns = own;
      try {
        compiled = engine.compile(copy as object);
      } catch {
        // A dangling reference, a pattern that the safe engine does not support, or too many of them: uncertain.
      } finally {
        engine.removeSchema(copy as object);
      }
    }
    entry.compiled.set(dialect, compiled);
    return compiled;
  }

  function findingsUnder(
    schema: unknown,
    entry: Entry,
    dialect: DialectName,
    value: unknown,
  ): SchemaFinding[] | undefined {
    const check = compile(schema, entry, dialect);
    if (!check) return undefined;
    stepsLeft = mostSteps;
    return guarded(check, value);
  }

  return {
    validity(schema) {
      const entry = entryOf(schema);
      if (!entry) return undefined;
      entry.validity ??= { findings: inAny(dialects(schema), (dialect) => metaFindings(dialect, schema)) };
      return entry.validity.findings;
    },
    conformance(schema, value) {
      if (newest && newest.schema === schema && newest.value === value) return newest.findings;
      const entry = entryOf(schema);
      if (!entry || value === undefined || JSON.stringify(value).length > maxValueLength) return undefined;
      newest = {
        schema,
        value,
        findings: inAny(dialects(schema), (dialect) => findingsUnder(schema, entry, dialect, value)),
      };
      return newest.findings;
    },
  };
}

/** No findings if it is valid under one dialect; else those of the first one, unless some are uncertain. */
function inAny(
  dialects: readonly DialectName[],
  ask: (dialect: DialectName) => SchemaFinding[] | undefined,
): SchemaFinding[] | undefined {
  const found: (SchemaFinding[] | undefined)[] = [];
  for (const dialect of dialects) {
    const findings = ask(dialect);
    if (findings?.length === 0) return findings;
    found.push(findings);
  }
  return found.includes(undefined) ? undefined : found[0];
}

function metaFindings(dialect: DialectName, schema: unknown): SchemaFinding[] | undefined {
  return guarded(metaValidator(dialect), schema);
}

function guarded(check: ValidateFunction, value: unknown): SchemaFinding[] | undefined {
  try {
    if (check(value)) return [];
  } catch (error) {
    if (error instanceof TooMuchWork || error instanceof RangeError || schemaEngine().isUndecided(error))
      return undefined;
    throw error;
  }
  const errors = (check.errors ?? []) as RawError[];
  check.errors = null;
  return explainErrors(mostTelling(errors), value, '');
}

/**
 * The most useful error: of several alternatives, the one that matched the value most deeply. What is said of the names
 * of members speaks of no place in the value.
 */
function mostTelling(errors: readonly (RawError & { propertyName?: unknown })[]): RawError[] {
  const placed = errors.filter((error) => error.propertyName === undefined && error.keyword !== 'if');
  const depth = ({ instancePath }: RawError): number => instancePath.split('/').length;
  const deepest = largest(placed.map(depth));
  return placed.filter((error) => depth(error) === deepest).slice(0, 1);
}
