/**
 * The `Mcp-Param-*` headers of a tools/call over HTTP: which arguments of a tool travel as headers is said by the
 * `x-mcp-header` annotations of its listed inputSchema (2026-07-28: basic/transports/streamable-http, custom headers).
 */
import { asObject } from '../../model/json.ts';
import type { TraceEvent } from '../../model/trace.ts';
import { headerValue } from './correct-headers.ts';

export interface ParamHeaders {
  /** Takes note of the tools that a server lists; the newest listing of a name counts. */
  learn(event: TraceEvent): void;
  /** Headers that a message owes; none unless it calls a tool with annotated parameters. */
  of(message: unknown): [string, string][];
}

interface Annotated {
  header: string;
  /** Keys of `properties`, from the root of the schema. */
  path: string[];
}

const mostTools = 5000;
/** Deeper schemas are not looked through, and larger ones neither. */
const deepest = 20;
const mostProperties = 5000;
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

export function createParamHeaders(): ParamHeaders {
  const tools = new Map<string, Annotated[]>();
  return {
    learn({ from, kind, message }) {
      if (from !== 'server' || kind !== 'message') return;
      const listed = asObject(asObject(message)?.result)?.tools;
      if (!Array.isArray(listed)) return;
      for (const tool of listed as unknown[]) {
        const { name, inputSchema } = asObject(tool) ?? {};
        if (typeof name !== 'string') continue;
        const found = annotationsOf(inputSchema);
        if (found.length === 0) tools.delete(name);
        else if (tools.has(name) || tools.size < mostTools) tools.set(name, found);
      }
    },
    of(message) {
      const { method, params } = asObject(message) ?? {};
      const call = method === 'tools/call' ? asObject(params) : undefined;
      const annotated = typeof call?.name === 'string' ? (tools.get(call.name) ?? []) : [];
      return annotated.flatMap(({ header, path }): [string, string][] => {
        const text = textOf(path.reduce<unknown>((value, key) => asObject(value)?.[key], call?.arguments));
        return text === undefined ? [] : [[`Mcp-Param-${header}`, headerValue(text)]];
      });
    },
  };
}

/** Annotations that can be reached along `properties` alone; what else is annotated makes no header. */
function annotationsOf(schema: unknown): Annotated[] {
  const found: Annotated[] = [];
  let left = mostProperties;
  const visit = (value: unknown, path: string[]): void => {
    const properties = asObject(asObject(value)?.properties);
    if (!properties || path.length >= deepest) return;
    for (const [key, property] of Object.entries(properties)) {
      left -= 1;
      if (left < 0) return;
      const header = asObject(property)?.['x-mcp-header'];
      if (typeof header === 'string' && token.test(header)) found.push({ header, path: [...path, key] });
      visit(property, [...path, key]);
    }
  };
  visit(schema, []);
  return found;
}

/** The text of a value as a header has it; undefined for null, for what is absent, and for what has no such text. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'number') return undefined;
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}
