/** Notes requests of the client that never got a result, by method, with the errors that they got. */
import { BoundedMap, BoundedSet } from '../../../core/model/bounded.ts';
import { asObject } from '../../../core/model/json.ts';
import type { Said } from './said.ts';
import { OpenRequests } from './open-requests.ts';

/** A method that got errors only: how often each code came. */
export type Refusal = ReadonlyMap<number, number>;

export interface RefusalLog {
  see(one: Said): void;
  result(): ReadonlyMap<string, Refusal>;
}

const mostWaiting = 1000;
const mostMethods = 200;
const mostCodes = 5;

export function createRefusalLog(): RefusalLog {
  const open = new OpenRequests<string>(mostWaiting);
  const served = new BoundedSet<string>(mostMethods);
  const refused = new BoundedMap<string, Map<number, number>>(mostMethods);

  function refuse(method: string, code: number): void {
    const codes = refused.get(method) ?? new BoundedMap<number, number>(mostCodes);
    refused.set(method, codes);
    codes.set(code, (codes.get(code) ?? 0) + 1);
  }

  return {
    see({ from, session, message, method, result }) {
      if (from === 'client') {
        if (typeof method === 'string' && message.id !== undefined) open.add(session, message.id, method);
        return;
      }
      if (method !== undefined) return;
      const asked = open.take(session, message.id);
      if (asked === undefined) return;
      const code = asObject(message.error)?.code;
      if (typeof code === 'number') refuse(asked, code);
      else if (result !== undefined) served.add(asked);
    },
    result: () => new Map([...refused].filter(([method]) => !served.has(method))),
  };
}

const methodNotFound = -32601;

/** True if the server said each time that it does not have the method. */
export function isUnknown(refusal: Refusal): boolean {
  return [...refusal.keys()].every((code) => code === methodNotFound);
}

/** One clause, such as "completion/complete was answered with error -32601 (2 times)". */
export function refusalWords(method: string, refusal: Refusal): string {
  const errors = [...refusal].map(([code, count]) => `error ${code}${count === 1 ? '' : ` (${count} times)`}`);
  return `${method} was answered with ${errors.join(', ')}, never with a result`;
}
