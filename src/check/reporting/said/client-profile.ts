/** Keeps what a client declares and does while its trace is read. A pure fold over events. */
import { BoundedMap, BoundedSet } from '../../../core/model/bounded.ts';
import { declaredCapabilitiesOf, metaOf, paramsOf } from '../../../core/facts/values/rpc.ts';
import { asObject, isObject, type JsonObject } from '../../../core/model/json.ts';
import type { ClientProfile } from '../../../core/model/rules/client-profile.ts';
import type { TraceEvent } from '../../../core/model/trace.ts';
import type { Said } from './said.ts';

/** Titles of the abilities, in the order of reports. */
const titles = {
  'json-responses': 'Reads responses as one JSON object',
  'event-streams': 'Reads responses on event streams',
  'listening-stream': 'Opens a stream to listen on',
  resumption: 'Takes up a stream that was cut',
  'session-end': 'Ends its session with DELETE',
  paging: 'Asks for further pages',
  progress: 'Asks for progress',
  cancellation: 'Cancels requests',
  roots: 'Answers with its roots',
  sampling: 'Answers sampling requests',
  'elicitation-form': 'Answers elicitation by form',
  'elicitation-url': 'Answers elicitation by address',
  tasks: 'Calls tools as tasks',
  'round-trips': 'Sends a request again with the input that it needs',
  subscriptions: 'Subscribes to changes',
  'token-requests': 'Sends a bearer token',
} as const;

type Ability = keyof typeof titles;

const versionKey = 'io.modelcontextprotocol/protocolVersion';
const infoKey = 'io.modelcontextprotocol/clientInfo';
const mostEvents = 3;
const mostWaiting = 1_000;
const mostNames = 50;

export interface ProfileLog {
  see(one: Said): void;
  /** Any event, messages aside. */
  seeEvent(event: TraceEvent): void;
  result(): ClientProfile;
}

export function createProfileLog(): ProfileLog {
  const seen = new Map<Ability, { times: number; events: number[] }>();
  const requested = new BoundedSet<string>(mostNames);
  const declared = new Set<string>();
  let clientInfo: JsonObject | undefined;
  /** Abilities that the response to a server request shows, by connection and id. */
  const asked = new Map<string, Ability>();
  /** Methods of HTTP requests whose reply has not come, by exchange. */
  const posts = new BoundedMap<string, string>(mostWaiting);

  function note(ability: Ability, seq: number): void {
    const found = seen.get(ability) ?? { times: 0, events: [] };
    found.times += 1;
    if (found.events.length < mostEvents) found.events.push(seq);
    seen.set(ability, found);
  }

  function declare(capabilities: JsonObject | undefined): void {
    for (const [name, value] of Object.entries(capabilities ?? {}).slice(0, mostNames)) {
      declared.add(name);
      for (const part of Object.keys(asObject(value) ?? {}).slice(0, mostNames)) declared.add(`${name}.${part}`);
    }
  }

  function request(message: JsonObject, method: string, seq: number): void {
    const params = paramsOf(message);
    const meta = metaOf(message);
    const version = method === 'initialize' ? params?.protocolVersion : meta?.[versionKey];
    if (typeof version === 'string') requested.add(version);
    declare(method === 'initialize' ? asObject(params?.capabilities) : declaredCapabilitiesOf(message));
    clientInfo ??= asObject(method === 'initialize' ? params?.clientInfo : meta?.[infoKey]);
    if (params?.cursor !== undefined) note('paging', seq);
    if (meta?.progressToken !== undefined) note('progress', seq);
    if (method === 'notifications/cancelled') note('cancellation', seq);
    if (params?.task !== undefined) note('tasks', seq);
    if (params?.inputResponses !== undefined) note('round-trips', seq);
    if (method === 'resources/subscribe' || method === 'subscriptions/listen') note('subscriptions', seq);
  }

  function answered(key: string, result: JsonObject | undefined, seq: number): void {
    const ability = asked.get(key);
    asked.delete(key);
    if (ability !== undefined && result !== undefined) note(ability, seq);
  }

  return {
    see({ from, message, method, result, seq, session }) {
      const key = `${session} ${JSON.stringify(message.id)}`;
      if (from === 'client' && typeof method === 'string') request(message, method, seq);
      else if (from === 'client') answered(key, result, seq);
      else if (from === 'server' && typeof method === 'string' && asked.size < mostWaiting) {
        const ability = abilityOf(method, paramsOf(message));
        if (ability !== undefined) asked.set(key, ability);
      }
    },
    seeEvent({ kind, exchange = '', http, seq }) {
      if (kind === 'http-request') {
        posts.set(exchange, http?.method ?? '');
        if (http?.method === 'DELETE') note('session-end', seq);
        if (http?.method === 'GET' && http.headers?.['last-event-id'] !== undefined) note('resumption', seq);
        if (http?.headers?.['authorization'] !== undefined) note('token-requests', seq);
        return;
      }
      if (kind !== 'http-response') return;
      const method = posts.get(exchange);
      posts.delete(exchange);
      const type = String(http?.headers?.['content-type'] ?? '');
      if ((http?.status ?? 0) >= 300) return;
      if (type.startsWith('text/event-stream')) note(method === 'GET' ? 'listening-stream' : 'event-streams', seq);
      else if (method === 'POST' && type.startsWith('application/json')) note('json-responses', seq);
    },
    result: () => ({
      ...(clientInfo === undefined ? {} : { clientInfo: infoOf(clientInfo) }),
      requested: [...requested],
      declared: [...declared].sort(),
      abilities: (Object.keys(titles) as Ability[]).map((ability) => ({
        ability,
        title: titles[ability],
        times: seen.get(ability)?.times ?? 0,
        events: [...(seen.get(ability)?.events ?? [])],
      })),
    }),
  };
}

function abilityOf(method: string, params: JsonObject | undefined): Ability | undefined {
  if (method === 'roots/list') return 'roots';
  if (method === 'sampling/createMessage') return 'sampling';
  if (method !== 'elicitation/create') return undefined;
  return params?.mode === 'url' ? 'elicitation-url' : 'elicitation-form';
}

function infoOf(info: JsonObject): NonNullable<ClientProfile['clientInfo']> {
  const parts = (['name', 'version', 'title'] as const).flatMap((name) =>
    typeof info[name] === 'string' ? [[name, info[name]] as const] : [],
  );
  return isObject(info) ? Object.fromEntries(parts) : {};
}
