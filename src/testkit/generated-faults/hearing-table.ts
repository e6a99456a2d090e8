/**
 * Checks of HTTP headers that a server omits for one verb, or for one part of a session, and makes for the others: it
 * does not see the header there. And what it may well overlook.
 */
import type { Fault, HttpPlace } from '../../core/model/rules/mutation.ts';
import type { TransportKind } from '../../core/model/trace.ts';

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

/**
 * Header names as the specification writes them. A server may assume the intended version without the header, and no
 * server needs Accept.
 */
const written = (stateful: boolean): [name: string, breaks: readonly string[]][] => [
  ['MCP-Protocol-Version', ['http.header-name.server-case-insensitivity', 'versioning.header.invalid-400']],
  ...(stateful ? ['Mcp-Session-Id', 'Content-Type'] : ['Mcp-Method', 'Mcp-Name']).map((name): [string, string[]] => [
    name,
    ['http.header-name.server-case-insensitivity', 'http.header-name.any-letter-case'],
  ]),
];

/** @param stateful whether the revision has sessions; without them there is only POST */
export function hearingFaults(stateful: boolean): HearingFault[] {
  const places = Object.entries(requests).filter(([where]) => stateful || where === 'POST-before-session');
  const made = (
    word: string,
    http: HttpPlace,
    hears: NonNullable<Fault['hears']>,
    breaks: HearingFault['breaks'],
    transports: readonly TransportKind[] = ['http'],
  ): HearingFault => ({ id: word, fault: { on: { http }, hears }, breaks, transports });
  return [
    ...places.map(([where, http]) => made(`${where}.origin-unchecked`, http, { origin: null }, origin)),
    ...['GET', 'POST'].map((method) =>
      made(`sse.${method}.origin-unchecked`, { method }, { origin: null }, origin, ['sse']),
    ),
    ...places
      .filter(([where]) => where !== 'POST-before-session')
      .map(([where, http]) =>
        made(`${where}.version-unchecked`, http, { 'mcp-protocol-version': null }, ['versioning.header.invalid-400']),
      ),
    ...written(stateful).map(
      ([name, breaks]): HearingFault => ({
        id: `request.spelled:${name}`,
        fault: { on: { http: { method: 'POST' } }, spelling: { [name.toLowerCase()]: name } },
        breaks,
        transports: ['http'],
      }),
    ),
    ...places.map(([where, http]) =>
      made(`${where}.accept-unchecked`, http, { accept: 'application/json, text/event-stream' }, 'legal'),
    ),
    made('POST.content-type-unchecked', { method: 'POST' }, { 'content-type': 'application/json' }, 'legal'),
    made('request.user-agent-unseen', {}, { 'user-agent': null }, 'legal'),
  ];
}
