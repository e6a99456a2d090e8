/**
 * Engines that hold values against schemas of a target: Ajv, with patterns that cannot run away, and with every step
 * counted. Large, and few conversations have a value to judge, so it is loaded with the first one: see on-demand.ts.
 */
import type { Ajv } from 'ajv';
import { dialectEngine, plainReading } from './meta-schemas.ts';
import { pairsKeyword, stepKeyword, type DialectName } from './schema-copy.ts';
import { PatternUndecided, safePattern, type PatternCosts } from './schema-patterns.ts';

/**
 * @param spend takes so many steps from what a value may cost; it throws when none are left
 * @param costs what its patterns may cost
 */
export function createEngine(dialect: DialectName, spend: (steps: number) => boolean, costs: PatternCosts): Ajv {
  const engine = dialectEngine(dialect, {
    ...plainReading,
    // Decimal fractions are no binary ones: 0.07 is a multiple of 0.01.
    multipleOfPrecision: 6,
    code: { regExp: Object.assign((source: string) => safePattern(source, costs), { code: 'undefined' }) as never },
  });
  engine.addKeyword({ keyword: stepKeyword, errors: false, validate: () => spend(1) });
  const comparisons = (_schema: unknown, data: unknown[]): boolean => spend(Math.ceil(data.length ** 2 / 100));
  engine.addKeyword({
    keyword: pairsKeyword,
    type: 'array',
    before: 'uniqueItems',
    errors: false,
    validate: comparisons,
  });
  return engine;
}

/** True if a validator's error means that a pattern match is uncertain. */
export function isUndecided(error: unknown): boolean {
  return error instanceof PatternUndecided;
}
