/**
 * True if the client may agree to a request of a server that runs a tool: only if the tool may be called without
 * consent to do harm. A tool that was called since everything is allowed gets no yes to its questions.
 */
import { BoundedMap } from '../../../core/model/bounded.ts';
import { asObject } from '../../../core/model/json.ts';
import type { TraceEvent } from '../../../core/model/trace.ts';
import { decideTool, type Permission } from '../../../core/permission/decide.ts';

type Json = Record<string, unknown>;

export interface ListedTools {
  /** Takes note of the tools that a server lists; the newest listing of a name counts. */
  learn(event: TraceEvent): void;
  of(name: string): Json | undefined;
}

const mostTools = 5000;

export function createListedTools(): ListedTools {
  const tools = new BoundedMap<string, Json>(mostTools);
  return {
    learn({ from, kind, message }) {
      if (from !== 'server' || kind !== 'message') return;
      const listed = asObject(asObject(message)?.result)?.tools;
      if (!Array.isArray(listed)) return;
      for (const one of listed as unknown[]) {
        const tool = asObject(one);
        if (typeof tool?.name === 'string') tools.set(tool.name, tool);
      }
    },
    of: (name) => tools.get(name),
  };
}

/** Decides by the request that the questions belong to; what is no tool call only reads. */
export function agreementOf(tools: ListedTools, permission: Permission): (method: string, params: Json) => boolean {
  const careful = { ...permission, allowDestructive: false };
  return (method, { name }) => {
    if (method !== 'tools/call') return true;
    const tool = typeof name === 'string' ? tools.of(name) : undefined;
    return tool !== undefined && decideTool(tool, careful).call;
  };
}
