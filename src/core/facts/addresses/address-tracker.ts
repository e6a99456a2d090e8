/**
 * Follows what a client does with addresses that its server names, where the run that plays the server listens there as well
 * (the `address` subjects). The exchanges there are no business of other trackers.
 */
import { BoundedMap } from '../../model/bounded.ts';
import { asObject } from '../../model/json.ts';
import type { HeaderMap, TraceEvent } from '../../model/trace.ts';
import type { Definitions, Feature, Hooks } from '../core/plugin.ts';
import { perSession } from '../state/per-session.ts';
import { storeOf } from '../state/store.ts';
import type { SessionState } from '../state/session-state.ts';
import type { Subject } from '../state/subject.ts';
import { header } from '../values/header.ts';
import { paramsOf } from '../values/rpc.ts';
import { addressesIn, type AddressPlace } from './named-in.ts';

const mostAddresses = 1_000;
const mostExchanges = 10_000;
const mostEvents = 20;

/** Headers that let their holder in. */
const credentialHeaders = ['authorization', 'cookie', 'proxy-authorization'];

interface Address {
  place: AddressPlace;
  url: URL;
  session: SessionState;
  key?: string;
  fetches: number;
  /** All but navigations of a browser. */
  plain: number;
  credentials: Set<string>;
  answer?: string;
  wentOn: boolean;
  /** Fetches that were sent on to another origin, and whether that was fetched. */
  moved: number;
  followed: number;
  events: number[];
}

const addressFacts: Definitions = {
  place: { says: 'Its place: icon (the src of one), elicitation (the url of one) or reference (a $ref of a schema).' },
  url: { says: 'The address.' },
  scheme: { says: 'Its scheme, without the colon.' },
  fetches: {
    says: 'Requests for it: count, and plain (all but navigations of a browser, by their Sec-Fetch-Mode).',
  },
  icon: {
    says: 'Icons, over HTTP: origin (same as that of the endpoint, or other), held (the client showed credentials at the endpoint). Credentials are headers of its requests: authorization, cookie or proxy-authorization. Its requests that were sent on to another origin are moved, and what came there is followed. All requests for icons in the trace are loaded.',
  },
  answer: {
    says: 'Elicitation: accept (where the client answered so once), decline or cancel; error where it refused the request.',
  },
  wentOn: { says: 'The client sent another request behind it, answered it, or ended.' },
};

export const addresses: Feature = {
  name: 'addresses',
  after: ['authorization', 'grants'],
  kinds: {
    address:
      'An address that the server named to the client, at an origin where the run that plays the server listens. Complete at the end.',
  },
  facts: { address: addressFacts },
  create: createAddresses,
};

/** Requests at the endpoint: their host, and if one had credentials. */
const endpointOf = storeOf<{ host?: string; credentials?: true }>(() => ({}));

function createAddresses(): Hooks {
  /** Origins where fetches are seen, with the event that says so. */
  const listening = new BoundedMap<string, number>(mostAddresses);
  const known = new BoundedMap<string, Address>(mostAddresses);
  /** Where fetches of an address were sent on to. */
  const landings = new BoundedMap<string, Address>(mostAddresses);
  const open = new BoundedMap<string, Address>(mostExchanges, 'forget-oldest');
  /** Those behind which the client did nothing yet. */
  const latest = perSession(() => new Set<Address>());

  function named(body: Record<string, unknown>, session: SessionState, seq: number): void {
    for (const { key, place, url: text } of addressesIn(body)) {
      const url = URL.canParse(text) ? new URL(text) : undefined;
      const seen = url && listening.get(`http://${url.host}`);
      if (url === undefined || seen === undefined || known.has(keyOf(url))) continue;
      if (known.isFull) return;
      const address: Address = {
        place,
        url,
        session,
        ...(key === undefined ? {} : { key }),
        fetches: 0,
        plain: 0,
        credentials: new Set(),
        wentOn: false,
        moved: 0,
        followed: 0,
        events: [seen, seq],
      };
      known.set(keyOf(url), address);
      latest.of(session).add(address);
    }
  }

  function note(address: Address, seq: number): void {
    if (address.events.length < mostEvents) address.events.push(seq);
  }

  function begins(event: TraceEvent, session: SessionState): boolean {
    const { headers = {}, origin, path = '/' } = event.http ?? {};
    const host = origin === undefined ? header(headers, 'host') : hostOf(origin);
    const key = `${(host ?? '').toLowerCase()}${path}`;
    const address = known.get(key);
    const landed = landings.get(key);
    if (address !== undefined) fetched(address, headers);
    else if (landed !== undefined) landed.followed += 1;
    else {
      if (origin === undefined) atEndpoint(session, host, headers);
      return false;
    }
    note((address ?? landed)!, event.seq);
    open.set(event.exchange!, (address ?? landed)!);
    return true;
  }

  function replied(address: Address, { http, seq }: TraceEvent): void {
    const location = header(http?.headers, 'location');
    const status = http?.status ?? 0;
    if (location === undefined || status < 300 || status > 399 || !URL.canParse(location, address.url.href)) return;
    const to = new URL(location, address.url);
    if (to.origin === address.url.origin) return;
    address.moved += 1;
    note(address, seq);
    landings.set(keyOf(to), address);
  }

  /** The client did something else behind what it was named. */
  function goesOn(addresses: Set<Address>, seq: number): void {
    for (const address of addresses)
      if (!address.wentOn) {
        address.wentOn = true;
        note(address, seq);
      }
    addresses.clear();
  }

  function answers(address: Address, answer: unknown, seq: number): void {
    if (typeof answer !== 'string') return;
    if (address.answer !== 'accept') address.answer = answer;
    address.wentOn = true;
    note(address, seq);
  }

  return {
    trace(event) {
      if (event.kind === 'listening' && Array.isArray(event.detail))
        for (const one of event.detail as unknown[])
          if (typeof one === 'string' && one.startsWith('http://')) listening.set(one, event.seq);
      if (event.kind === 'exit' && event.from === 'client')
        for (const addresses of latest.values()) goesOn(addresses, event.seq);
      return undefined;
    },
    beside(event, session) {
      if (event.exchange === undefined || listening.size === 0) return undefined;
      if (event.kind === 'http-request') return event.from === 'client' && begins(event, session) ? [] : undefined;
      const address = open.get(event.exchange);
      if (address === undefined) return undefined;
      if (event.kind === 'http-response') replied(address, event);
      return [];
    },
    request(record) {
      if (record.from !== 'client' || known.size === 0) return undefined;
      const responses = asObject(paramsOf(record.message)?.inputResponses);
      if (responses !== undefined)
        for (const address of known.values())
          if (address.session === record.session && address.key !== undefined && Object.hasOwn(responses, address.key))
            answers(address, asObject(responses[address.key])?.action, record.seq);
      const addresses = latest.find(record.session);
      if (addresses !== undefined) goesOn(addresses, record.seq);
      return undefined;
    },
    answered(record) {
      if (record.from !== 'server' || record.method !== 'elicitation/create') return undefined;
      const url = paramsOf(record.message)?.url;
      const address = typeof url === 'string' && URL.canParse(url) ? known.get(keyOf(new URL(url))) : undefined;
      if (address === undefined) return undefined;
      const action = record.outcome === 'error' ? 'error' : asObject(asObject(record.reply)?.result)?.action;
      answers(address, action, record.events.at(-1) ?? record.seq);
      return undefined;
    },
    message({ item, body, session, replay }) {
      if (item.from === 'server' && body !== undefined && !replay && listening.size > 0)
        named(body, session, item.event.seq);
      return undefined;
    },
    traceOver() {
      const all = [...known.values()];
      const iconsLoaded = all.reduce((sum, { fetches, place }) => sum + (place === 'icon' ? fetches : 0), 0);
      return { subjects: all.map((one) => subjectOf(one, iconsLoaded)) };
    },
  };
}

function fetched(address: Address, headers: HeaderMap): void {
  address.fetches += 1;
  if (header(headers, 'sec-fetch-mode') !== 'navigate') address.plain += 1;
  for (const name of credentialHeaders) if (header(headers, name) !== undefined) address.credentials.add(name);
}

function atEndpoint(session: SessionState, host: string | undefined, headers: HeaderMap): void {
  const endpoint = endpointOf(session);
  if (host !== undefined) endpoint.host = host.toLowerCase();
  if (credentialHeaders.some((name) => header(headers, name) !== undefined)) endpoint.credentials = true;
}

function subjectOf(address: Address, iconsLoaded: number): Subject {
  const { answer, credentials, events, fetches, followed, moved, place, plain, session, url, wentOn } = address;
  const { credentials: held, host } = endpointOf(session);
  return {
    kind: 'address',
    session,
    events: [...new Set(events)].sort((a, b) => a - b),
    facts: {
      place,
      url: url.href,
      scheme: url.protocol.slice(0, -1),
      fetches: { count: fetches, plain },
      ...(place === 'icon'
        ? {
            icon: {
              ...(host === undefined ? {} : { origin: host === url.host ? 'same' : 'other' }),
              credentials: [...credentials],
              held: held === true,
              moved,
              followed,
              loaded: iconsLoaded,
            },
          }
        : {}),
      ...(answer === undefined ? {} : { answer }),
      wentOn,
    },
  };
}

function keyOf({ host, pathname, search }: URL): string {
  return `${host}${pathname}${search}`;
}

function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : origin;
}
