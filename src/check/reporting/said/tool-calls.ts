/**
 * Notes which tools a conversation lists and calls, how often and with which arguments. Bounded: names and arguments
 * are cut, and what is beyond a number of them is counted. It works on redacted events alone.
 */
import { asText, isObject, type JsonObject as Json } from '../../../core/model/json.ts';
import type { CalledTool, ToolCalls, UncalledTool } from '../../../core/model/reports/tool-calls.ts';
import type { Said } from './said.ts';

/** Part of it in a report. */
const most = { tools: 500, names: 10_000, kinds: 8, untold: 1000, name: 200, text: 300, remembered: 2000 } as const;

interface Calls {
  times: number;
  /** By JSON text. */
  kinds: Map<string, number>;
  more: number;
  /** Arguments of the newest call and their text, where that is short: most callers ask the same again. */
  last?: { value: unknown; text: string };
}

export interface CallLog {
  see(one: Said): void;
  result(): SeenTools;
}

/** Observations so far. */
export interface SeenTools {
  /** In the order of their first call. */
  called: CalledTool[];
  /** Names that were listed, whether called or not. */
  listed: string[];
  /** A list of tools was seen, and all of its names are known: a name that is not in it is no tool. */
  listsAll: boolean;
  /** Calls of tools beyond the limit. */
  beyond: number;
  /**
   * Tools were listed, and each tool listed before the first call has been called since. Tools that calls added do not
   * count.
   */
  eachCalled: boolean;
}

export function createCallLog(): CallLog {
  const calls = new Map<string, Calls>();
  const listed = new Set<string>();
  /** Those listed before the first call of one. */
  const first = new Set<string>();
  let hasList = false;
  let begun = false;
  let beyond = 0;

  function call(params: Json): void {
    const name = cut(params.name, most.name);
    begun ||= listed.has(name);
    let known = calls.get(name);
    if (!known) {
      if (calls.size >= most.tools) {
        beyond += 1;
        return;
      }
      calls.set(name, (known = { times: 0, kinds: new Map(), more: 0 }));
    }
    known.times += 1;
    // Of a tool that is called all the time, nothing more is learnt.
    if (known.more >= most.untold) {
      known.more += 1;
      return;
    }
    const text = textOf(known, params.arguments ?? {});
    const times = known.kinds.get(text);
    if (times !== undefined || known.kinds.size < most.kinds) known.kinds.set(text, (times ?? 0) + 1);
    else known.more += 1;
  }

  function textOf(of: Calls, value: unknown): string {
    if (of.last !== undefined && isSame(of.last.value, value)) return of.last.text;
    const whole = JSON.stringify(value);
    const text = cut(whole, most.text);
    if (whole.length <= most.remembered) of.last = { value, text };
    return text;
  }

  function list(tools: readonly unknown[]): void {
    hasList = true;
    for (const tool of tools) {
      const name = isObject(tool) && typeof tool.name === 'string' ? cut(tool.name, most.name) : undefined;
      if (name === undefined || listed.has(name)) continue;
      if (listed.size < most.names) listed.add(name);
      if (!begun) first.add(name);
    }
  }

  function see({ from, message, method, result }: Said): void {
    if (from === 'client') {
      if (method === 'tools/call' && isObject(message.params) && typeof message.params.name === 'string')
        call(message.params);
    } else if (from === 'server' && result !== undefined && Array.isArray(result.tools))
      list(result.tools as unknown[]);
  }

  return {
    see,
    result: () => ({
      called: [...calls].map(([tool, { times, kinds, more }]) => ({
        tool,
        times,
        arguments: [...kinds].map(([value, count]) => ({ value, times: count })).sort((a, b) => b.times - a.times),
        ...(more === 0 ? {} : { more }),
      })),
      listed: [...listed],
      listsAll: hasList && listed.size < most.names,
      beyond,
      eachCalled: hasList && beyond === 0 && listed.size < most.names && [...first].every((name) => calls.has(name)),
    }),
  };
}

/** Reasons for tools that were left out: `what` is `tool NAME`. */
export interface LeftOut {
  what: string;
  why: string;
  allow?: string;
}

/**
 * Tools in a report.
 * @param skipped tools that the run left out and why, if known
 * @param live the calls were ours, so no rule needed the others
 */
export function toolCallsOf(
  { called: all, listed, listsAll, beyond }: SeenTools,
  skipped: readonly LeftOut[],
  live: boolean,
): ToolCalls {
  const tools = new Set(listed);
  const called = listsAll ? all.filter(({ tool }) => tools.has(tool)) : all;
  const unlisted = listsAll ? all.filter(({ tool }) => !tools.has(tool)) : [];
  const done = new Set(called.map(({ tool }) => tool));
  const reasons = new Map(skipped.map((one) => [one.what, one]));
  const uncalled = listed.filter((tool) => !done.has(tool));
  const notCalled = uncalled.slice(0, most.tools).map((tool): UncalledTool => {
    const reason = reasons.get(`tool ${tool}`);
    if (reason) return { tool, why: reason.why, allow: reason.allow };
    return { tool, why: live ? 'no rule had a use for it' : 'it was not called' };
  });
  const more = beyond + uncalled.length - notCalled.length;
  return {
    called,
    notCalled,
    ...(unlisted.length === 0 ? {} : { unlisted: unlisted.map(({ tool, times }) => ({ tool, times })) }),
    ...(more === 0 ? {} : { more }),
  };
}

/** True if two values have the same JSON text, members in the same order; without making the text. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (
    typeof one !== 'object' ||
    typeof other !== 'object' ||
    one === null ||
    other === null ||
    Array.isArray(one) !== Array.isArray(other)
  )
    return false;
  const names = Object.keys(one);
  const others = Object.keys(other);
  return (
    names.length === others.length &&
    names.every((name, at) => name === others[at] && isSame((one as Json)[name], (other as Json)[name]))
  );
}

function cut(value: unknown, length: number): string {
  const text = asText(value);
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
