/** The form of an entry of the table of blocks, and what entries share. */
import type { JsonSchema } from '../expectation.ts';
import { textSchema } from '../expectation.ts';
import { expectationSets } from '../expectations/table.ts';
import type { ExpectationSet } from '../expectations/table.ts';
import type { Part } from '../part.ts';
import type { ClientFeatures, Demand, Scope, SendRequest, Step } from '../model.ts';

export interface BlockSteps {
  steps: Step[];
  /** The tool, prompt or resource under test. */
  about?: string;
  /** Capabilities of the client, if the block sets them. */
  features?: ClientFeatures;
}

/** A top-level key of a file in mcp-assert's form that says what is done. */
export interface Block {
  key: string;
  /** One line of documentation. */
  says: string;
  schema: JsonSchema;
  /** Which expectations its `expect` may hold. */
  expects?: ExpectationSet;
  /**
   * @param part the value of the key
   * @param file the whole file
   */
  read(part: Part, file: Part): BlockSteps;
}

/** Schema of an object with types only. */
export function objectOf(properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema {
  return { type: 'object', properties, additionalProperties: false, ...(required.length > 0 ? { required } : {}) };
}

export const argumentsSchema: JsonSchema = { type: 'object', description: 'Arguments of the call, as they are sent.' };
export const textOf = (description: string): JsonSchema => ({ ...textSchema, description });

/** Where the expectations of a set are defined in the schema. */
export const expectSchema = (set: ExpectationSet): JsonSchema => ({ $ref: `#/$defs/expect-${set}` });

/** The demands of an `expect`, in the order of their table. */
export function demandsOf(part: Part, set: ExpectationSet, scopeOf: (demandsFiles: boolean) => Scope): Demand[] {
  return expectationSets[set].flatMap((expectation): Demand[] => {
    if (!part.has(expectation.name)) return [];
    const option = part.at(expectation.name);
    return [
      {
        expectation,
        option: expectation.option.read(option),
        scope: scopeOf(expectation.files !== undefined),
        place: option.place,
      },
    ];
  });
}

/** The demands of an `expect` in mcp-assert's form: only paths of files have placeholders. */
export function assertDemands(block: Part, set: ExpectationSet): Demand[] {
  return demandsOf(block.at('expect'), set, (files) => (files ? 'fixture' : 'none'));
}

/** The arguments as they are sent; none are an empty object. */
export function argumentsOf(part: Part): Record<string, unknown> {
  const { value } = part.at('args');
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

export function toolCall(tool: string, args: Record<string, unknown>, failed: string): SendRequest {
  return {
    kind: 'request',
    method: 'tools/call',
    params: { name: tool, arguments: args },
    scope: 'text',
    view: 'tool',
    failed,
  };
}

/** The steps of `setup`. */
export function setupSteps(file: Part): Step[] {
  return file
    .at('setup')
    .items()
    .map((item, index): Step => {
      const tool = item.at('tool').text() ?? '';
      return {
        id: `setup[${index}]`,
        phase: 'setup',
        title: `tools/call ${tool}`,
        act: toolCall(tool, argumentsOf(item), `setup step ${tool} failed`),
        capture: Object.fromEntries(
          item
            .at('capture')
            .members()
            .map(([name, path]) => [name, path.text() ?? '']),
        ),
        demands: [],
        place: item.place,
      };
    });
}

/** A step that is the block itself. */
export function mainStep(part: Part, step: Pick<Step, 'title' | 'act'> & Partial<Step>): Step {
  return { id: String(part.path.at(-1)), phase: 'main', capture: {}, demands: [], place: part.place, ...step };
}
