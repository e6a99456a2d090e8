/**
 * Checks of HTTP headers that a server leaves out for one verb, or for one part of a session, while it makes them for the
 * others: it does not see the header there. And what it may well overlook.
 */
import type { Fault, HttpPlace } from '../../model/rules/mutation.ts';
import type { TransportKind } from '../../model/trace.ts';

interface HearingFault {
  id: string;
  fault: Fault;
  breaks: readonly string[] | 'legal';
  transports: readonly TransportKind[];
}

const origin = ['http.security.origin-validation', 'http.security.origin-403'];

/** Requests by what the server knows when they come in. */
const requests: Readonly<Record<string, HttpPlace>> = {
  'POST-before-session': { method: 'POST', session: false },
  'POST-in-session': { method: 'POST', session: true },
  GET: { method: 'GET' },
  DELETE: { method: 'DELETE' },
};

/** Header names as the specification writes them. */
const written = ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'];

/** @param stateful whether the revision has sessions; without them there is only POST */
export function hearingFaults(stateful: boolean): HearingFault[] {
  const places = Object.entries(requests).filter(([where]) => stateful || where === 'POST-before-session');
  const made = (word: string, http: HttpPlace, hears: NonNullable<Fault['hears']>, breaks: HearingFault['breaks'], transports: readonly TransportKind[] = ['http']): HearingFault => ({ id: word, fault: { on: { http }, hears }, breaks, transports });
  return [
    ...places.map(([where, http]) => made(`${where}.origin-unchecked`, http, { origin: null }, origin)),
    ...['GET', 'POST'].map((method) => made(`sse.${method}.origin-unchecked`, { method }, { origin: null }, origin, ['sse'])),
    ...places.filter(([where]) => where !== 'POST-before-session').map(([where, http]) => made(`${where}.version-unchecked`, http, { 'mcp-protocol-version': null }, ['versioning.header.invalid-400'])),
    ...written.map((name): HearingFault => ({ id: `request.spelled:${name}`, fault: { on: { http: { method: 'POST' } }, spelling: { [name.toLowerCase()]: name } }, breaks: ['http.header-name.server-case-insensitivity'], transports: ['http'] })),
    ...places.map(([where, http]) => made(`${where}.accept-unchecked`, http, { accept: 'application/json, text/event-stream' }, 'legal')),
    made('POST.content-type-unchecked', { method: 'POST' }, { 'content-type': 'application/json' }, 'legal'),
    made('request.user-agent-unseen', {}, { 'user-agent': null }, 'legal'),
  ];
}
