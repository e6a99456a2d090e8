/**
 * Where what a server gives out is used: a cursor, a requestState, the id of a task. In the stateless era whatever
 * connection serves (2026-07-28: basic/index#statelessness). It makes no judgement.
 */
import { BoundedMap } from '../../model/bounded.ts';
import { append } from '../../model/lists.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import type { SessionState } from '../state/session-state.ts';

const keptHandles = 2000;
const keptEvents = 40;

interface Use {
  /** It was served where it had come from. */
  servedAtHome: boolean;
  served: number;
  refused: number;
  events: number[];
}

/** Number of times that a request was served and refused on connections without the issued value, with the events. */
export interface Elsewhere {
  fact: { served: number; refused: number };
  events: readonly number[];
}

export interface Places {
  /** A server gave something out on a connection. */
  issue(handle: string, session: SessionState): void;
  /**
   * A request with an issued value was answered.
   * @param request represents everything that is equal in a repetition
   * @param end neither if the answer may have another reason
   * @returns events elsewhere, if the request is served on its own connection and had been before
   */
  use(record: RpcRecord, handle: string, request: string, end: 'served' | 'refused' | 'neither'): Elsewhere | undefined;
}

export function createPlaces(): Places {
  const issuers = new BoundedMap<string, WeakSet<SessionState>>(keptHandles);
  const uses = new BoundedMap<string, Use>(keptHandles);
  return {
    issue(handle, session) {
      const known = issuers.get(handle);
      if (known) known.add(session);
      else issuers.set(handle, new WeakSet([session]));
    },
    use(record, handle, request, end) {
      const homes = issuers.get(handle);
      if (!homes || end === 'neither') return undefined;
      const key = `${handle}\n${request}`;
      const known = uses.get(key) ?? { servedAtHome: false, served: 0, refused: 0, events: [] };
      uses.set(key, known);
      if (!homes.has(record.session)) {
        if (!known.servedAtHome) return undefined;
        if (end === 'served') known.served += 1;
        else known.refused += 1;
        if (known.events.length < keptEvents) append(known.events, record.events);
        return undefined;
      }
      if (end === 'refused') return undefined;
      const { served, refused, events } = known;
      if (!known.servedAtHome) append(events, record.events);
      known.servedAtHome = true;
      return served + refused === 0 ? undefined : { fact: { served, refused }, events };
    },
  };
}
