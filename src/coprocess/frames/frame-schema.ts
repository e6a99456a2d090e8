/** The schema of frames as ajv compiles it. */
import schema from '../../../rules/language/coprocess.schema.json' with { type: 'json' };
import { methods } from '../protocol.ts';

export const frameSchema: object = schema;

/** Schemas with `if` and without a type at their top are fine here. */
export const frameOptions = { strict: false } as const;

/** The definitions that requests are held against. */
export const frameDefinitions: readonly string[] = ['request', ...methods];
