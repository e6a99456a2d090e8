/** What the reference client answers to what a server asks of it, in both eras. */
import type { Json } from '../../src/core/faults/operators.ts';
import type { Seams } from './seams.ts';

export type Answer = { result: Json } | { error: { code: number; message: string } };

const refused = (code: number, message: string): Answer => ({ error: { code, message } });
const asObject = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});

/** A value that fits one property of a form. */
function valueFor(schema: Json): unknown {
  if ('default' in schema) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (Array.isArray(schema.oneOf)) return asObject(schema.oneOf[0]).const;
  switch (schema.type) {
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'array':
      return [valueFor({ type: 'string', ...asObject(schema.items) })];
    default:
      return 'red'.padEnd(Number(schema.minLength ?? 0), 'x');
  }
}

function filled(requestedSchema: unknown): Json {
  const properties = asObject(asObject(requestedSchema).properties);
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valueFor(asObject(schema))]));
}

type Content = { type?: unknown; text?: unknown; id?: unknown; toolUseId?: unknown };

/** Whether texts are there, tool results stand alone, and each tool use is followed by its result. */
function isSound(messages: unknown): boolean {
  let open: unknown[] = [];
  for (const { content } of (messages ?? []) as { content: Content | Content[] }[]) {
    const blocks = [content].flat();
    if (blocks.some(({ type, text }) => type === 'text' && typeof text !== 'string')) return false;
    const results = blocks.filter(({ type }) => type === 'tool_result');
    if (results.length > 0 && results.length < blocks.length) return false;
    if (!open.every((id) => results.some(({ toolUseId }) => toolUseId === id))) return false;
    open = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
  }
  return true;
}

/** @param capabilities what the client declared */
export function answerTo(method: string, params: Json, capabilities: Json, seams: Seams, declines = false): Answer {
  const offers = (name: string): boolean => name in capabilities || !seams.keeps('refuse-unoffered-methods');
  if (method === 'ping') return { result: {} };
  if (method === 'roots/list' && offers('roots'))
    return { result: { roots: [{ uri: 'file:///project', name: 'project' }] } };
  if (method === 'sampling/createMessage' && offers('sampling')) {
    const given = asObject(capabilities.sampling);
    if (params.tools !== undefined && given.tools === undefined && seams.keeps('refuse-undeclared-tools'))
      return refused(-32602, 'Tools are not supported');
    if (!isSound(params.messages) && seams.keeps('check-sampling-messages'))
      return refused(-32602, 'The messages are malformed');
    if (declines) return refused(-1, 'User rejected sampling request');
    if (asObject(params.toolChoice).mode === (seams.keeps('heed-tool-choice') ? 'required' : 'none'))
      return {
        result: {
          role: 'assistant',
          model: 'none',
          stopReason: 'toolUse',
          content: [{ type: 'tool_use', id: 'use-1', name: 'look-up', input: {} }],
        },
      };
    return {
      result: { role: 'assistant', model: 'none', content: { type: 'text', text: 'blue' }, stopReason: 'endTurn' },
    };
  }
  if (method === 'elicitation/create' && offers('elicitation')) {
    const modes = asObject(capabilities.elicitation);
    const mode = params.mode ?? (seams.keeps('take-no-mode-for-a-form') ? 'form' : 'url');
    const known = mode === 'url' ? 'url' in modes : 'form' in modes || !('url' in modes);
    if (!known && seams.keeps('refuse-unoffered-modes'))
      return refused(-32602, `The mode ${String(mode)} is not supported`);
    if (declines) return { result: { action: 'decline' } };
    return {
      result: mode === 'url' ? { action: 'accept' } : { action: 'accept', content: filled(params.requestedSchema) },
    };
  }
  return seams.keeps('refuse-unknown-methods') ? refused(-32601, 'Method not found') : { result: {} };
}
