/**
 * Which features that the specification is going to remove a conversation was seen to use, with what to do instead and
 * when they may go at the earliest (2026-07-28: deprecated). Advice: no verdict, score or exit code rests on it.
 */
import { declaredCapabilitiesOf, metaOf, paramsOf } from '../../../core/facts/values/rpc.ts';
import { asObject, isObject, type JsonObject } from '../../../core/model/json.ts';
import { logLevelKey } from '../../../core/spec/log-level.ts';
import type { ReportDeprecation } from '../../../core/model/reports/run-report.ts';
import type { TraceEvent, TransportKind } from '../../../core/model/trace.ts';
import type { Said } from './said.ts';

type Feature = 'roots' | 'sampling' | 'logging' | 'dynamic-client-registration' | 'include-context' | 'http-sse';
type Side = 'server' | 'client';

interface Entry {
  title: string;
  /** The revision that deprecated it. */
  since: string;
  instead: string;
  earliestRemoval: string;
}

const yearLater = 'the first revision released on or after 2027-07-28';

const registry: Readonly<Record<Feature, Entry>> = {
  roots: {
    title: 'Roots',
    since: '2026-07-28',
    instead:
      'take directories and files as arguments of tools, as resource addresses, or from the configuration of the server',
    earliestRemoval: yearLater,
  },
  sampling: {
    title: 'Sampling',
    since: '2026-07-28',
    instead: 'call the API of a model provider directly',
    earliestRemoval: yearLater,
  },
  logging: {
    title: 'Logging',
    since: '2026-07-28',
    instead: 'write logs to stderr on stdio, and use OpenTelemetry to observe servers',
    earliestRemoval: yearLater,
  },
  'dynamic-client-registration': {
    title: 'Dynamic client registration',
    since: '2026-07-28',
    instead: 'support client ID metadata documents',
    earliestRemoval: yearLater,
  },
  'include-context': {
    title: 'includeContext "thisServer" and "allServers"',
    since: '2025-11-25',
    instead: 'leave includeContext out, or set it to "none"',
    earliestRemoval: `with sampling: ${yearLater}`,
  },
  'http-sse': {
    title: 'The HTTP+SSE transport',
    since: '2025-03-26',
    instead: 'serve Streamable HTTP',
    earliestRemoval: 'three months after SEP-2596 is final',
  },
};

const page = 'https://modelcontextprotocol.io/specification/2026-07-28/deprecated';
/** Maximum number of events reported for one feature. */
const mostEvents = 6;
/** Questions of one result that are looked at. */
const mostQuestions = 100;

export interface SeenDeprecations {
  /** First events of each use, by `side feature`. */
  uses: ReadonlyMap<string, readonly number[]>;
}

export interface DeprecationLog {
  see(one: Said): void;
  /** A reply over HTTP. */
  seeReply(event: TraceEvent): void;
  result(): SeenDeprecations;
}

export function createDeprecationLog(): DeprecationLog {
  const uses = new Map<string, number[]>();

  function note(side: Side, feature: Feature, seq: number): void {
    const key = `${side} ${feature}`;
    const events = uses.get(key);
    if (events === undefined) uses.set(key, [seq]);
    else if (events.length < mostEvents && events.at(-1) !== seq) events.push(seq);
  }

  /** @param message a request, or what an entry of a result asks for */
  function asked(method: unknown, message: JsonObject, seq: number): void {
    if (method === 'roots/list') note('server', 'roots', seq);
    if (method !== 'sampling/createMessage') return;
    note('server', 'sampling', seq);
    const context = asObject(message.params)?.includeContext;
    if (context === 'thisServer' || context === 'allServers') note('server', 'include-context', seq);
  }

  function fromServer({ method, message, result: given, seq }: Said): void {
    if (method === 'notifications/message') note('server', 'logging', seq);
    else if (method !== undefined) asked(method, message, seq);
    if (given === undefined) return;
    if (asObject(given.capabilities)?.logging !== undefined) note('server', 'logging', seq);
    if (given.resultType !== 'input_required') return;
    for (const one of Object.values(asObject(given.inputRequests) ?? {}).slice(0, mostQuestions))
      if (isObject(one)) asked(one.method, one, seq);
  }

  function fromClient({ message, method, seq }: Said): void {
    const declared =
      method === 'initialize' ? asObject(paramsOf(message)?.capabilities) : declaredCapabilitiesOf(message);
    if (declared?.roots !== undefined) note('client', 'roots', seq);
    if (declared?.sampling !== undefined) note('client', 'sampling', seq);
    if (method === 'logging/setLevel' || metaOf(message)?.[logLevelKey] !== undefined) note('client', 'logging', seq);
  }

  return {
    see(one) {
      if (one.from === 'server') fromServer(one);
      else if (one.from === 'client') fromClient(one);
    },
    seeReply({ seq, http }) {
      if (http?.body !== undefined && registersOnly(http.body)) note('server', 'dynamic-client-registration', seq);
    },
    result: () => ({ uses }),
  };
}

/** The metadata of an authorization server that knows a client it has not met only by registration. */
function registersOnly(body: string): boolean {
  if (!body.includes('"registration_endpoint"')) return false;
  try {
    const metadata = asObject(JSON.parse(body));
    return (
      typeof metadata?.registration_endpoint === 'string' &&
      typeof metadata.issuer === 'string' &&
      metadata.client_id_metadata_document_supported !== true
    );
  } catch {
    return false;
  }
}

/** @param role the judged party: the other side is not reported */
export function deprecationsOf(
  { uses }: SeenDeprecations,
  {
    revision,
    transport,
    role = 'server',
  }: { revision: string; transport: TransportKind; role?: Side | 'both' | undefined },
): ReportDeprecation[] {
  const seen = new Map(uses);
  if (transport === 'sse') seen.set('server http-sse', []);
  return (Object.keys(registry) as Feature[]).flatMap((feature) =>
    (['server', 'client'] as const).flatMap((side): ReportDeprecation[] => {
      const events = seen.get(`${side} ${feature}`);
      const { title, since, instead, earliestRemoval } = registry[feature];
      if (events === undefined || revision < since || (role !== 'both' && role !== side)) return [];
      return [{ feature, role: side, title, since, instead, earliestRemoval, link: page, events: [...events] }];
    }),
  );
}
