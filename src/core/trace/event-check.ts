/** Checks that parsed lines of a trace have the shape of the format. It does not judge their content. */
import { isObject } from '../model/json.ts';
import { eventKinds } from '../model/trace.ts';
import type { TraceFooter } from '../model/trace.ts';

type Check = (value: unknown) => boolean;

const isString: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const oneOf = (...values: readonly unknown[]): Check => {
  const known = new Set(values);
  return (value) => known.has(value);
};
const members =
  (checks: Record<string, Check>): Check =>
  (value) =>
    isObject(value) && wrongMember(value, checks) === undefined;

const isHeaders: Check = (value) =>
  isObject(value) && Object.values(value).every((one) => isString(one) || (Array.isArray(one) && one.every(isString)));

const isParty = oneOf('client', 'server', 'harness');
const isKind = oneOf(...eventKinds);

const eventMembers: Record<string, Check> = {
  seq: isCount,
  t: isNumber,
  session: isString,
  from: isParty,
  kind: isKind,
  exchange: isString,
  raw: isString,
  lost: oneOf('handshake', 'message'),
  invalidUtf8: (value) => typeof value === 'boolean',
  readAs: oneOf('lines', 'part', 'unfinished', 'body', 'event'),
  framing: oneOf('joined', 'split'),
  deviation: isString,
  repeats: isCount,
  trial: oneOf(true),
  http: members({
    method: isString,
    origin: isString,
    path: isString,
    status: isCount,
    version: oneOf('2'),
    headers: isHeaders,
    spelled: (value) => Array.isArray(value) && value.every(isString),
    bodyBytes: isCount,
    body: isString,
  }),
  sse: members({ event: isString, id: isString, retry: isNumber, comments: isCount, data: isString }),
  what: oneOf('stdin', 'stdout', 'connection', 'stream', 'proxy', 'acknowledgement', 'server'),
  reason: isString,
  exit: members({
    code: (value) => value === null || Number.isInteger(value),
    signal: (value) => value === null || isString(value),
  }),
  times: isCount,
  awaited: isCount,
  waitedMs: isNumber,
};

const checksOfEvents = new Map(Object.entries(eventMembers));
const neededOfEvents: readonly string[] = ['seq', 't', 'session', 'from', 'kind'];

const isFlag: Check = (value) => typeof value === 'boolean';

const headerMembers: Record<string, Check> = {
  origin: isString,
  transport: oneOf('stdio', 'http', 'sse'),
  revision: isString,
  era: oneOf('stateful', 'stateless'),
  target: isObject,
  startedAt: isString,
  recorded: (value) =>
    hasAll(value, recordedParts) &&
    members(Object.fromEntries([...recordedParts, 'lines'].map((name) => [name, isFlag])))(value),
};

const recordedParts = ['transport', 'exchanges', 'streams', 'timing', 'bytes', 'start', 'order', 'direction'] as const;

function hasAll(value: unknown, names: readonly string[]): boolean {
  return isObject(value) && missingMember(value, names) === undefined;
}

/** A member that is there and has the wrong shape. */
function wrongMember(value: Record<string, unknown>, checks: Record<string, Check>): string | undefined {
  return Object.keys(checks).find((name) => value[name] !== undefined && !checks[name]?.(value[name]));
}

function missingMember(value: Record<string, unknown>, names: readonly string[]): string | undefined {
  return names.find((name) => value[name] === undefined);
}

function problemIn(
  value: Record<string, unknown>,
  checks: Record<string, Check>,
  needed: readonly string[],
): string | undefined {
  const missing = missingMember(value, needed);
  if (missing !== undefined) return `the member "${missing}" is missing`;
  const wrong = wrongMember(value, checks);
  return wrong === undefined ? undefined : `the member "${wrong}" has a wrong value`;
}

/** Fault of the first line of a trace, or undefined: then it is a TraceHeader. */
export function headerProblem(value: unknown): string | undefined {
  if (!isObject(value) || value['format'] !== 'mcpc-trace')
    return 'this is no mcpc trace: the first line has to hold "format": "mcpc-trace"';
  if (value['version'] !== 1)
    return `version ${JSON.stringify(value['version'])} of the trace format is not known here, only version 1`;
  return problemIn(value, headerMembers, ['origin', 'transport']);
}

/** Fault of an event, or undefined: then it is a TraceEvent. */
export function eventProblem(value: unknown): string | undefined {
  if (!isObject(value)) return 'a line has to hold an object';
  return isEvent(value) ? undefined : problemIn(value, eventMembers, neededOfEvents);
}

/** The quick way to a yes, asked of millions of lines: looks only at the members that are there. */
function isEvent(value: Record<string, unknown>): boolean {
  const { from, kind } = value;
  if (!isCount(value.seq) || !isNumber(value.t) || !isString(value.session)) return false;
  if (from !== 'client' && from !== 'server' && !isParty(from)) return false;
  if (kind !== 'message' && !isKind(kind)) return false;
  for (const name in value) {
    switch (name) {
      case 'seq':
      case 't':
      case 'session':
      case 'from':
      case 'kind':
      case 'message':
        continue;
      default: {
        const check = checksOfEvents.get(name);
        if (check !== undefined && !check(value[name])) return false;
      }
    }
  }
  return true;
}

/** True for the last line of a complete file. */
export function isFooter(value: unknown): value is TraceFooter {
  return isObject(value) && value['footer'] === true;
}

/** Fault of a footer, or undefined. */
export function footerProblem(value: TraceFooter): string | undefined {
  return problemIn(value, { events: isCount, complete: (one) => typeof one === 'boolean', reason: isString }, [
    'events',
    'complete',
  ]);
}
