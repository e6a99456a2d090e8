/** The result of a call: the verdict shape, read strictly, or the result of tools/call as the server sent it. */
import { isObject } from './protocol.ts';

/** Result of a call. */
export interface Verdict {
  /** The tool reported no error. */
  success: boolean;
  /** Structured content. */
  data: unknown;
  /** The text blocks, joined by newlines; null where there are none. */
  text: string | null;
  /** The error that the tool reported; null without one. */
  error: unknown;
  duration_ms: number;
}

export interface CallResult extends Verdict {
  /** The result of tools/call as the server sent it; null where the binary sent a verdict instead. */
  result: Readonly<Record<string, unknown>> | null;
}

const verdictMembers = ['success', 'data', 'text', 'error', 'duration_ms'] as const;
const passthroughMembers = ['content', 'structuredContent', 'isError'] as const;

/**
 * @param durationMs measured by the caller, for a result that has no verdict
 * @returns the result, or what is wrong with it
 */
export function readCallResult(result: unknown, durationMs: number): CallResult | { fault: string } {
  if (!isObject(result)) return { fault: 'the result of the call is no object' };
  const passed = passthroughMembers.some((name) => Object.hasOwn(result, name));
  const own = verdictMembers.filter((name) => Object.hasOwn(result, name));
  if (passed && own.length > 0)
    return { fault: `the result of the call is both a verdict and a result of tools/call ("${own[0]}")` };
  return passed ? fromPassthrough(result, durationMs) : fromVerdict(result);
}

function fromPassthrough(result: Record<string, unknown>, durationMs: number): CallResult | { fault: string } {
  const { content, structuredContent = null, isError = false } = result;
  if (typeof isError !== 'boolean') return { fault: 'isError of the result is neither true nor false' };
  const texts = (Array.isArray(content) ? content : []).flatMap((block: unknown) =>
    isObject(block) && block['type'] === 'text' && typeof block['text'] === 'string' ? [block['text']] : [],
  );
  const text = texts.length === 0 ? null : texts.join('\n');
  return {
    success: !isError,
    data: structuredContent,
    text,
    error: isError ? (text ?? structuredContent ?? content ?? true) : null,
    duration_ms: durationMs,
    result,
  };
}

function fromVerdict(result: Record<string, unknown>): CallResult | { fault: string } {
  const more = Object.keys(result).find((name) => !(verdictMembers as readonly string[]).includes(name));
  if (more !== undefined) return { fault: `the verdict has an unknown property "${more}"` };
  const missing = verdictMembers.find((name) => !Object.hasOwn(result, name));
  if (missing !== undefined) return { fault: `the verdict lacks "${missing}"` };
  const { success, data, text, error, duration_ms } = result;
  if (typeof success !== 'boolean') return { fault: 'success of the verdict is neither true nor false' };
  if (text !== null && typeof text !== 'string') return { fault: 'text of the verdict is neither a text nor null' };
  if (!Number.isInteger(duration_ms)) return { fault: 'duration_ms of the verdict is no whole number' };
  return { success, data, text, error, duration_ms: duration_ms as number, result: null };
}
