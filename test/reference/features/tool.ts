/** The shape of a tool of the reference server, and the content blocks that tools return. */
import type { JsonObject } from '../core/json-rpc.ts';
import type { RequestContext } from '../core/request-context.ts';

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
  outputSchema?: JsonObject;
  readOnly: boolean;
  run(given: JsonObject, context: RequestContext): JsonObject | Promise<JsonObject>;
}

/** A result of one text block. */
export function text(value: string): JsonObject {
  return { content: [{ type: 'text', text: value }] };
}
