/** The form of an entry of the table of steps, and what entries share. */
import type { JsonSchema } from '../expectation.ts';
import { textSchema } from '../expectation.ts';
import type { ExpectationSet } from '../expectations/table.ts';
import type { Part } from '../part.ts';
import type { Act, SendRequest, Step, View } from '../model.ts';
import type { Problem } from '../yaml-source.ts';

export interface StepContext {
  phase: Step['phase'];
  problems: Problem[];
  /** Reads steps within a step. */
  steps(part: Part): Step[];
}

/** A step of the native form, known by its key. */
export interface StepKind {
  key: string;
  /** One line of documentation. */
  says: string;
  /** Schema of the value of the key. */
  value: JsonSchema;
  /** Additional members, apart from those of all steps. */
  members?: Record<string, JsonSchema>;
  /** Which expectations its `expect` may hold; none when absent. */
  expects?: ExpectationSet;
  /**
   * @param value the value of the key
   * @param step the whole step
   */
  read(value: Part, step: Part, context: StepContext): { act: Act; title: string; about?: string };
}

export const anyText = textSchema;
export const withSchema: JsonSchema = { type: 'object', description: 'Arguments, as they are sent.' };

/** A request whose placeholders take values with their types. */
export function valuesRequest(
  method: string,
  params: Record<string, unknown> | undefined,
  view: View,
  about?: string,
): SendRequest {
  return {
    kind: 'request',
    method,
    params,
    scope: 'values',
    view,
    failed: `${method === 'tools/call' && about !== undefined ? `tool call ${about}` : method} failed${about === undefined || method === 'tools/call' ? '' : ` for ${JSON.stringify(about)}`}`,
  };
}

/** The mapping at a member; an empty one when there is none. */
export function mappingAt(part: Part, name: string): Record<string, unknown> {
  const { value } = part.at(name);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
