/** The shape of a tool of the reference server, and the content blocks that tools return. */
import type { JsonObject } from '../../protocol/json-rpc.ts';
import type { RequestContext } from '../../session/request-context.ts';
import type { Revision } from '../../protocol/revisions.ts';

export interface ParameterSchema {
  type: 'string' | 'integer' | 'number' | 'boolean';
  description: string;
  minimum?: number;
  maximum?: number;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  properties?: Record<string, ParameterSchema>;
  required?: readonly string[];
  /** In place of a schema made from properties and required; the tool then checks its arguments itself. */
  inputSchema?: JsonObject;
  outputSchema?: JsonObject;
  /** From 2025-11-25 on. */
  icons?: readonly JsonObject[];
  /** Its _meta, from 2025-06-18 on. */
  meta?: JsonObject;
  readOnly: boolean;
  /** Revisions that have what the tool needs; absent: all. */
  since?: Revision;
  until?: Revision;
  /** True if it may or must be called as a task; absent means neither. */
  taskSupport?: 'forbidden' | 'optional' | 'required';
  /**
   * True if the tasks extension of 2026-07-28 runs it as a task: if the client declares that, or always; absent: never.
   */
  longRunning?: 'where-declared' | 'always';
  /**
   * Its questions before the work, in rounds of the request even if the work is a task; run gets the answers with the
   * arguments.
   */
  settleFirst?(context: RequestContext): Promise<JsonObject>;
  run(given: JsonObject, context: RequestContext): JsonObject | Promise<JsonObject>;
}

/** A result of one text block. */
export function text(value: string): JsonObject {
  return { content: [{ type: 'text', text: value }] };
}
