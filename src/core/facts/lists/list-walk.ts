/** A walk through a list, page by page: what is kept of it while it goes on. The walks are followed in paging.ts. */
import { BoundedMap, BoundedSet } from '../../model/bounded.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import { contextOf, type RequestContext, sameContext } from './list-contexts.ts';
import { toolResultsOf } from '../features/tool-call.ts';

const keptScopes = 5;
const keptCursors = 2000;

/** Duplicates, as in the fact of that name. */
interface Repeated {
  items: string[];
  /** Names on a page that an earlier page had. */
  overlap: string[];
  cursor: boolean;
  /** A cursor that came again gave the same page, and led on. */
  circles: boolean;
}

export interface Walk {
  method: string;
  /** Seq of the first request, and the tool results that the session had seen then. */
  seq: number;
  calls: number;
  pages: number;
  items: number;
  next?: string;
  cursors: Set<string>;
  repeated: Repeated;
  /** Values of cacheScope. */
  scopes: Set<string>;
  /** The server announced a change of the list in between. */
  changed: boolean;
  /** Results of each cursor, and their next cursor. */
  byCursor: Map<string, string>;
  /** Common context of its requests, unless they differ; and whether others came before on the connection. */
  context?: RequestContext | undefined;
  behindOthers: boolean;
  entries: Map<string, string>;
  events: number[];
}

/** A walk with differing requests is not compared with others. */
export function noteContext(walk: Walk, record: RpcRecord): void {
  const context = contextOf(record);
  if (walk.context && (context === undefined || !sameContext(walk.context, context))) walk.context = undefined;
}

/** Takes in the page that a cursor led to: the same one again, leading on as before, is the beginning of a circle. */
export function noteCursor(walk: Walk, cursor: unknown, page: string, leadsOn: boolean): void {
  if (typeof cursor !== 'string') return;
  if (leadsOn && walk.byCursor.get(cursor) === page) walk.repeated.circles = true;
  walk.byCursor.set(cursor, page);
}

/** A walk that begins with a request. */
export function newWalk(method: string, record: RpcRecord): Walk {
  return {
    method,
    seq: record.seq,
    calls: toolResultsOf(record.session),
    pages: 0,
    items: 0,
    cursors: new Set(),
    repeated: { items: [], overlap: [], cursor: false, circles: false },
    scopes: new BoundedSet(keptScopes),
    changed: false,
    byCursor: new BoundedMap(keptCursors),
    context: contextOf(record),
    behindOthers: false,
    entries: new Map(),
    events: [],
  };
}
