/**
 * The validators of one revision as rules and facts use them: by type name, with findings in the place of
 * ajv errors. Holds no `node:` module and compiles nothing, so that it can be handed to pure code.
 */
import { explainErrors, type RawError, type SchemaFinding } from '../../json-schema/explain-errors.ts';
import type { MethodKind, Sender } from './message-layout.ts';

export type { SchemaFinding } from '../../json-schema/explain-errors.ts';

/** A revision's data about a method. */
export interface MethodInfo {
  /** Allowed senders. */
  from: Sender;
  /** `input-request`: no message of its own, it travels inside an `input_required` result (2026-07-28). */
  kind: MethodKind;
  /** Type of the whole message. */
  message: string;
  /** Type of `params`; null where the revision gives the method none. */
  params: string | null;
  paramsRequired: boolean;
  /** Type of the result; null for notifications. */
  result: string | null;
  /** Type of the result when the request asked for a task and got one (2025-11-25). */
  taskResult?: string;
}

export interface MessageValidators {
  revision: string;
  /** True if the revision has this type. */
  has(typeName: string): boolean;
  /**
   * Checks a parsed JSON value against a type; an empty list means that it is valid.
   * @param at path of the value within its message, such as `result`; prefixed to the paths of the findings
   * @throws RangeError when the revision has no such type (call `has` first)
   */
  validate(typeName: string, value: unknown, at?: string): SchemaFinding[];
  methods: Record<string, MethodInfo>;
}

/** A compiled ajv function: answers yes or no and leaves its errors behind. */
export interface CompiledValidator {
  (value: unknown): boolean;
  errors?: RawError[] | null;
}

/**
 * @param compiled one function for each type of the revision
 * @param methods the methods table of the revision
 */
export function createMessageValidators(
  revision: string,
  compiled: Record<string, CompiledValidator>,
  methods: Record<string, MethodInfo>,
): MessageValidators {
  const table = new Map(Object.entries(compiled));
  return {
    revision,
    methods,
    has: (typeName) => table.has(typeName),
    validate(typeName, value, at = '') {
      const check = table.get(typeName);
      if (!check) throw new RangeError(`revision ${revision} has no message type "${typeName}"`);
      if (check(value)) return [];
      const errors = check.errors ?? [];
      // The function keeps its last errors; a large message must not stay alive through them.
      check.errors = null;
      return explainErrors(errors, value, at);
    },
  };
}
