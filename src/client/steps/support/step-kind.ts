/** The form of an entry of the table of steps: how it is written, what it does, and what is known of it beforehand. */
import { isObject } from '../../../core/model/json.ts';
import type { Step } from '../../../core/model/rules/rule.ts';
import type { Peer } from '../../peer/peer.ts';
import type { Scope, StepContext } from './step-scope.ts';

export type Json = Record<string, unknown>;
type JsonSchema = Json;

/** Context of a step. */
export interface StepWork {
  scope: Scope;
  context: StepContext;
  /** Runs steps within the step, on its connection or on another one. */
  runAll(steps: readonly Step[], on?: Peer): Promise<void>;
}

/**
 * Traits of a step before it runs; of a step with others in it, traits of any of them. Who plans reads these, never the
 * text of a step.
 */
export interface StepTraits {
  /** It waits until a task of the server is over. */
  waitsForTask?: boolean;
  /** It waits for what may never come, or uses a tool that takes its time. */
  waits?: boolean;
  /** It calls a tool, which may change what the server lists. */
  callsTools?: boolean;
  /** It walks through a list. */
  lists?: boolean;
  /** It opens a further connection. */
  opensAnother?: boolean;
  /** It makes the server ask the client for something. */
  asksClient?: boolean;
  /** It opens a stream on which the server can speak unasked. */
  listens?: boolean;
  /** It has the server log more or less than before. */
  setsLogLevel?: boolean;
  /** It cancels what the server is at. */
  cancels?: boolean;
  /** It may well take longer than an answer that costs the server no work. */
  takesTime?: boolean;
  /** Its observation is evidence only while no other tool is at work. */
  needsQuiet?: boolean;
  /** It breaks a rule of the protocol on purpose. */
  deviates?: boolean;
  /** Afterwards its connection serves for nothing else: it was closed or fed with what is no message, or a subscription stays open. */
  spendsConnection?: boolean;
  /** It ends the server itself: it comes when all else is done. */
  endsServer?: boolean;
  /** It may leave a faulty server unable to serve: it comes last. */
  comesLast?: boolean;
}

export interface AnyStepKind {
  /** The step itself, if it is one word; else its distinguishing member. */
  name: string;
  says: string;
  /** True if it can run after the connection is gone; false if absent. */
  runsWithoutConnection?(context: StepContext): boolean;
}

/** A step that is one word. */
export interface WordStep extends AnyStepKind {
  traits?: StepTraits;
  run(work: StepWork): Promise<void> | void;
}

/** A step that is an object. */
export interface ObjectStep extends AnyStepKind {
  /** Members of the step with their schemas, its own first. */
  schema: Record<string, JsonSchema>;
  /** Members that it cannot be without; its own when absent. */
  required?: readonly string[];
  /** Traits of the step itself, without those of steps within it. */
  traits?: StepTraits | ((step: Json) => StepTraits);
  /** Text for readers above its inner steps; the first sentence of `says` when absent. */
  heading?(step: Json): string;
  /** The lists of steps within it. */
  within?(step: Json): Step[][];
  run(step: Json, work: StepWork): Promise<void> | void;
}

/**
 * True if the step's literal text calls a tool: a message, as on the wire or in a step, several of them, or the text of
 * one.
 */
export function callsTool(written: unknown): boolean {
  if (typeof written === 'string') return written.includes('tools/call');
  if (Array.isArray(written)) return written.some(callsTool);
  return isObject(written) && (written.method ?? written.request) === 'tools/call';
}

/** Part of the schema of steps, by its name in `$defs`. */
export function partOf(
  name:
    | 'name'
    | 'headers'
    | 'deviation'
    | 'message'
    | 'choice'
    | 'each'
    | 'arguments'
    | 'nearMisses'
    | 'step'
    | 'steps',
): JsonSchema {
  return { $ref: `#/$defs/${name}` };
}
