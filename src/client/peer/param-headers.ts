/**
 * The `Mcp-Param-*` headers of a tools/call over HTTP: which arguments of a tool travel as headers is said by the
 * `x-mcp-header` annotations of its listed inputSchema (2026-07-28: basic/transports/streamable-http, custom headers).
 */
import { BoundedMap } from '../../core/model/bounded.ts';
import {
  headerParameters,
  headerText,
  headerValue,
  valueAt,
  type HeaderParameter,
} from '../../core/json-schema/header-parameters.ts';
import { asObject } from '../../core/model/json.ts';
import type { TraceEvent } from '../../core/model/trace.ts';

export interface ParamHeaders {
  /** Takes note of the tools that a server lists; the newest listing of a name counts. */
  learn(event: TraceEvent): void;
  /** Headers that a message owes; none unless it calls a tool with annotated parameters. */
  of(message: unknown): [string, string][];
}

const mostTools = 5000;

export function createParamHeaders(): ParamHeaders {
  const tools = new BoundedMap<string, HeaderParameter[]>(mostTools);
  return {
    learn({ from, kind, message }) {
      if (from !== 'server' || kind !== 'message') return;
      const listed = asObject(asObject(message)?.result)?.tools;
      if (!Array.isArray(listed)) return;
      for (const tool of listed as unknown[]) {
        const { name, inputSchema } = asObject(tool) ?? {};
        if (typeof name !== 'string') continue;
        const found = headerParameters(inputSchema);
        if (found.length === 0) tools.delete(name);
        else tools.set(name, found);
      }
    },
    of(message) {
      const { method, params } = asObject(message) ?? {};
      const call = method === 'tools/call' ? asObject(params) : undefined;
      const owed = typeof call?.name === 'string' ? (tools.get(call.name) ?? []) : [];
      return owed.flatMap(({ header, path }): [string, string][] => {
        const text = headerText(valueAt(call?.arguments, path));
        return text === undefined ? [] : [[`Mcp-Param-${header}`, headerValue(text)]];
      });
    },
  };
}
