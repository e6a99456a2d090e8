/** Interface of an operator of conditions. Types only; the operators stand in operators.ts and schema-operators.ts. */
import type { ValueTest } from './value-tests.ts';

export interface SchemaFindingLike {
  path: string;
  message: string;
}

/** Context of operators while a subject is judged. */
export interface OperatorContext {
  /** Smallest failing parts of a value under a named message type of the judged revision; undefined: unknown type. */
  schemaFindings(typeName: string, value: unknown): SchemaFindingLike[] | undefined;
  /** JSON Schemas of the target, in the dialects of the judged revision; undefined findings mean uncertain. */
  jsonSchemas?: {
    validity(schema: unknown): SchemaFindingLike[] | undefined;
    conformance(schema: unknown, value: unknown): SchemaFindingLike[] | undefined;
  };
}

export interface Operator {
  name: string;
  /** One line for documentation. */
  description: string;
  /** JSON Schema of the option (`value` in a condition). */
  option: Record<string, unknown>;
  /** Continues a sentence that begins with the name of a fact: "… is an integer". */
  expectation(option: unknown): string;
  test(actual: unknown, option: unknown, context: OperatorContext): boolean;
  /** A list that fails in its beginning fails as a whole, whatever follows. */
  lasting?: true;
  /** The same test for one option, of operators that are asked of nearly every message. */
  prepare?(option: unknown): ValueTest;
  /** Where within the value it is wrong: paths such as `tools[0].name`. */
  places?(actual: unknown, option: unknown, context: OperatorContext): string[];
  /**
   * Text that describes the fault better than the value itself.
   * @param place of the value, such as `result.tools`, for paths within it
   */
  finding?(actual: unknown, option: unknown, context: OperatorContext, place?: string): string | undefined;
}
