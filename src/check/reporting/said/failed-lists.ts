/**
 * Notes lists that a server declares and that it never gave: each request for one was answered by an error that says
 * nothing about the request. What such a list would have named was then not checked, and the run is not whole.
 */
import { asObject } from '../../../core/model/json.ts';
import type { Said } from './said.ts';
import { OpenRequests } from './open-requests.ts';

export interface FailedList {
  method: string;
  /** Number of requests for it. */
  count: number;
  /** The last error. */
  code: number;
  message: string;
}

export interface ListLog {
  see(one: Said): void;
  /** @param declared capabilities that the server declared */
  result(declared: ReadonlySet<string>): FailedList[];
}

/** By method, the capability that it belongs to. */
const capabilities: ReadonlyMap<unknown, string> = new Map([
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
]);
/** That the method is unknown, or that something was wrong with the request, is for rules to judge. */
const aboutRequest: ReadonlySet<unknown> = new Set([-32700, -32600, -32601, -32602]);
const mostWaiting = 1000;
const longestMessage = 200;

export function createListLog(): ListLog {
  const open = new OpenRequests<string>(mostWaiting);
  const given = new Set<string>();
  const failed = new Map<string, Omit<FailedList, 'method'>>();

  function refused(method: string, error: unknown): void {
    const { code, message } = asObject(error) ?? {};
    if (typeof code !== 'number' || aboutRequest.has(code)) return;
    failed.set(method, {
      count: (failed.get(method)?.count ?? 0) + 1,
      code,
      message: typeof message === 'string' ? message.slice(0, longestMessage) : '',
    });
  }

  return {
    see({ from, session, message, method, result }) {
      if (from === 'client') {
        const isFirstPage = capabilities.has(method) && asObject(message.params)?.cursor === undefined;
        if (isFirstPage) open.add(session, message.id, method as string);
        return;
      }
      if (method !== undefined) return;
      const asked = open.take(session, message.id);
      if (asked === undefined) return;
      if (result === undefined) refused(asked, message.error);
      else given.add(asked);
    },
    result: (declared) =>
      [...failed].flatMap(([method, seen]) =>
        seen.count < 2 || given.has(method) || !declared.has(capabilities.get(method)!) ? [] : [{ method, ...seen }],
      ),
  };
}
