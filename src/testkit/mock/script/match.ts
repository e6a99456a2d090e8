/**
 * Decides whether something that a live client did is what a line of a script expects. It compares what the
 * client means, not its numbering; it remembers nothing.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { isKnownRevision } from '../../../core/spec/revisions.ts';
import { spelledIn } from '../../../core/trace/notation.ts';
import { isRecord, recordOf, sameJson, type Json } from '../json.ts';
import type { Exchange } from './exchange.ts';
import { headersFit, type HeaderSituation } from './header-match.ts';
import type { IdMap } from './id-map.ts';
import type { ClientAct } from '../script.ts';
import type { HeaderChanges } from '../../../core/model/request-headers.ts';

/** An action of a live client. */
export type Arrival =
  | { kind: 'message'; message: unknown; http?: ArrivedHttp }
  /** Bytes that are no JSON. */
  | { kind: 'raw'; text: string; http?: ArrivedHttp }
  /** An HTTP request without a message. */
  | { kind: 'http'; http: ArrivedHttp }
  | { kind: 'drop'; exchange: Exchange }
  | { kind: 'stdin-end' };

export interface ArrivedHttp {
  method: string;
  headers: IncomingHttpHeaders;
  /** Path with query; absent where the transport has but one. */
  url?: string;
  /** Names of its headers in letters of an unusual case. */
  spelled?: readonly string[];
  exchange: Exchange;
}

export interface MatchContext {
  ids: IdMap;
  /** The script's first connection, which asks for the revision under test whatever the script was written for. */
  main: boolean;
  labels: ReadonlyMap<string, Exchange>;
  headers: HeaderSituation;
}

const metaVersion = 'io.modelcontextprotocol/protocolVersion';
const metaCapabilities = 'io.modelcontextprotocol/clientCapabilities';
const metaInfo = 'io.modelcontextprotocol/clientInfo';

/** Quality of the match with the line; undefined without one. Higher is better. */
export function fit(act: ClientAct, arrival: Arrival, context: MatchContext): number | undefined {
  switch (act.act) {
    case 'client-message':
      if (arrival.kind !== 'message' || !httpFits(act, arrival, context)) return undefined;
      return messageFit(act.message, arrival.message, context);
    case 'client-raw':
      return arrival.kind === 'raw' && httpFits(act, arrival, context) ? 0 : undefined;
    case 'client-http':
      return arrival.kind === 'http' && arrival.http.method === act.method && httpFits(act, arrival, context)
        ? 0
        : undefined;
    case 'client-drop':
      if (arrival.kind !== 'drop') return undefined;
      return act.label === undefined || context.labels.get(act.label) === arrival.exchange ? 0 : undefined;
    case 'close-stdin':
      return arrival.kind === 'stdin-end' ? 0 : undefined;
  }
}

function httpFits(
  { headers: changes, address }: { headers: HeaderChanges; address?: string },
  arrival: Extract<Arrival, { http?: ArrivedHttp }>,
  context: MatchContext,
): boolean {
  if (!arrival.http) return true;
  if (!addressFits(address, arrival.http)) return false;
  // Headers of the protocol do not apply outside the endpoint.
  if (address !== undefined && !address.startsWith('?'))
    return Object.entries(changes).every(([name, value]) => arrival.http!.headers[name] === (value ?? undefined));
  if (!spelledIn(changes).every((name) => arrival.http!.spelled?.includes(name))) return false;
  const message = arrival.kind === 'message' ? arrival.message : undefined;
  return headersFit(changes, { method: arrival.http.method, headers: arrival.http.headers, message }, context.headers);
}

/** The endpoint of a puppet is /mcp; other origins of a script are other names of its host. */
function addressFits(scripted: string | undefined, { url, headers }: ArrivedHttp): boolean {
  if (url === undefined) return scripted === undefined;
  if (scripted === undefined || scripted.startsWith('?')) return url === `/mcp${scripted ?? ''}`;
  const { hostname, pathname, search } = new URL(scripted, 'http://127.0.0.1');
  return url === pathname + search && (headers.host ?? '').replace(/:\d+$/, '') === hostname;
}

function messageFit(scripted: unknown, live: unknown, context: MatchContext): number | undefined {
  if (Array.isArray(scripted)) {
    // A client may answer a batch of requests one by one; then the line is met by the last answer.
    if (isRecord(live) && isRecord(scripted.at(-1)) && !('method' in live))
      return messageFit(scripted.at(-1), live, context);
    if (!Array.isArray(live) || live.length !== scripted.length) return undefined;
    const fits = scripted.map((one, index) => messageFit(one, live[index], context));
    return fits.includes(undefined) ? undefined : 0;
  }
  if (!isRecord(scripted) || !isRecord(live)) return sameJson(scripted, live) ? 0 : undefined;
  if (scripted.jsonrpc !== live.jsonrpc) return undefined;
  if ('method' in scripted !== 'method' in live || 'id' in scripted !== 'id' in live) return undefined;
  if (!('method' in scripted)) return responseFit(scripted, live);
  if (!sameJson(scripted.method, live.method)) return undefined;
  const id = idFit(scripted, live);
  const params = paramsFit(scripted, live, context);
  return id === undefined || params === undefined ? undefined : id + params;
}

/** The client's answers keep the ids of the server's requests, which go as the script has them. */
function responseFit(scripted: Json, live: Json): number | undefined {
  const sameKind = 'result' in scripted === 'result' in live && 'error' in scripted === 'error' in live;
  return sameKind && sameJson(scripted.id, live.id) ? 0 : undefined;
}

/** Clients number as they like; only ids that are no proper ids have to be the same. */
function idFit(scripted: Json, live: Json): number | undefined {
  if (!('id' in scripted)) return 0;
  if (!isProperId(scripted.id) || !isProperId(live.id)) return sameJson(scripted.id, live.id) ? 4 : undefined;
  if (typeof scripted.id === 'string' && scripted.id === live.id) return 4;
  return typeof scripted.id === typeof live.id ? 1 : 0;
}

function isProperId(id: unknown): boolean {
  return typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id));
}

/** Members of params that make another request of it. */
const tellingMembers = ['cursor', 'inputResponses', 'requestState'];

function paramsFit(scripted: Json, live: Json, context: MatchContext): number | undefined {
  if ('params' in scripted && !isRecord(scripted.params)) return sameJson(scripted.params, live.params) ? 0 : undefined;
  if (live.params !== undefined && !isRecord(live.params)) return undefined;
  const wanted = recordOf(scripted.params);
  const given = recordOf(live.params);
  const meta = metaFit(scripted, wanted._meta, given._meta, context);
  if (meta === undefined) return undefined;
  if (scripted.method === 'initialize') {
    const version = versionFit(wanted, given, context);
    return version === undefined ? undefined : meta + version;
  }
  if (scripted.method === 'notifications/cancelled') {
    return cancelledFit(wanted, given, context) ? meta : undefined;
  }
  for (const name of tellingMembers) if (name in given && !(name in wanted)) return undefined;
  for (const [name, value] of Object.entries(wanted)) {
    if (name === '_meta') continue;
    const empty = name === 'arguments' && sameJson(value, {}) && given[name] === undefined;
    if (!empty && !sameJson(value, given[name])) return undefined;
  }
  return meta;
}

function versionFit(wanted: Json, given: Json, { main, headers: { revision } }: MatchContext): number | undefined {
  const version = wanted.protocolVersion;
  if (version === given.protocolVersion) return 4;
  if (version === undefined) return 0;
  return main && isKnownRevision(version) && version > revision && given.protocolVersion === revision ? 0 : undefined;
}

function cancelledFit(wanted: Json, given: Json, { ids }: MatchContext): boolean {
  if (!('requestId' in wanted)) return !('requestId' in given);
  if (ids.knowsId(wanted.requestId)) return sameJson(ids.liveId(wanted.requestId), given.requestId);
  return 'requestId' in given;
}

/** Of `_meta` only what the stateless era demands counts, and that a progress token is there. */
function metaFit(scripted: Json, wantedMeta: unknown, givenMeta: unknown, context: MatchContext): number | undefined {
  const given = recordOf(givenMeta);
  const token = hasToken(wantedMeta) === hasToken(givenMeta) ? 2 : 0;
  if (hasToken(wantedMeta) && token === 0) return undefined;
  const { era, revision } = context.headers;
  const carriesMeta = era === 'stateless' && 'id' in scripted && scripted.method !== 'initialize';
  if (!carriesMeta) return token;
  if (wantedMeta === null) return givenMeta === undefined || givenMeta === null ? token : undefined;
  const bare: Json = { [metaVersion]: revision, [metaCapabilities]: {}, [metaInfo]: {} };
  const reserved = [metaVersion, metaCapabilities, metaInfo];
  const wanted = isRecord(wantedMeta) && reserved.some((name) => name in wantedMeta) ? wantedMeta : bare;
  if (wanted[metaVersion] !== given[metaVersion]) return undefined;
  if (isRecord(wanted[metaCapabilities]) !== isRecord(given[metaCapabilities])) return undefined;
  // A server treats a client otherwise by the extensions that it declares.
  if (!sameJson(extensionsIn(wanted), extensionsIn(given))) return undefined;
  return token + (metaInfo in wanted === metaInfo in given ? 1 : 0);
}

function extensionsIn(meta: Json): string[] {
  return Object.keys(recordOf(recordOf(meta[metaCapabilities]).extensions)).sort();
}

function hasToken(meta: unknown): boolean {
  return isRecord(meta) && 'progressToken' in meta;
}
