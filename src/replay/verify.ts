/** The use case `verify`: the requests of a recording, sent to a live server; a case for each, which fails where the response differs. */
import picomatch from 'picomatch';
import { openTrace, type WireChoice } from '../check/capture/open-capture.ts';
import type { TargetOptions } from '../check/commands/support/flags/target-flags.ts';
import { listenAlong } from '../client/steps/kinds/http-steps.ts';
import { redactorOf } from '../check/run-redactor.ts';
import { usageError } from '../core/model/errors.ts';
import { isObject, type JsonObject } from '../core/model/json.ts';
import type { CaseStatus, SuiteCaseReport, SuiteReport, SuiteTrial } from '../core/model/reports/suite-report.ts';
import { isStandIn } from '../core/trace/redaction/stand-ins.ts';
import { decideTool, type Permission } from '../core/permission/decide.ts';
import { compareConversations, type CompareOptions, type Difference } from '../core/trace/compare.ts';
import type { AnsweredRequest, Conversation } from '../core/trace/conversation.ts';
import { askList } from '../live/lists.ts';
import { openLive, type LiveSession } from '../live/live-session.ts';
import type { Outcome } from '../live/outcome.ts';
import { createMasks } from '../suites/language/snapshot/masks.ts';
import { caseReport, suiteReport } from '../suites/run/report-parts.ts';
import { createEarlierValues, madeUp, withoutOwn, type EarlierValues } from './earlier-values.ts';
import { titleOf } from './match.ts';
import { recordedClient } from './recorded-client.ts';
import { readRecording, tokenOf, type Recording, type Turn } from './recording.ts';
import {
  asConversations,
  collectMessages,
  progressIn,
  recordedMessages,
  type LiveMessages,
  type ServerMessage,
} from './server-messages.ts';

export interface VerifyOptions {
  wire: WireChoice;
  target: TargetOptions;
  permission: Permission;
  /** Globs over paths of differences that do not count. */
  ignore: readonly string[];
  /** Times, ids and the like are compared as they are. */
  exact: boolean;
  toolVersion: string;
  signal: AbortSignal;
  onStderr(line: string): void;
}

/** Of the recorded connections, so many are sent again. */
const mostConnections = 20;

/** @throws McpcError usage for a recording without requests, target where the server cannot be reached */
export async function verify(file: string, options: VerifyOptions): Promise<SuiteReport> {
  const began = performance.now();
  const startedAt = new Date().toISOString();
  const trace = await openTrace(file, options.wire);
  const recording = await readRecording(trace.header, trace.events);
  const { turns } = recording;
  const asked = turns.filter(({ id, deviating, reply }) => id !== undefined && !deviating && reply !== undefined);
  if (asked.length === 0)
    throw usageError(`${file} holds no request with a response.`, 'Record one, for example with "mcpc intercept".');
  const connections = [...new Set(asked.map(({ connection }) => connection))];
  const cases: SuiteCaseReport[] = [];
  const sent = connections.slice(0, mostConnections);
  for (const connection of sent) {
    await verifyConnection(recording, connection, file, options, (one) =>
      cases.push(caseOf(file, cases.length + 1, one)),
    );
  }
  const left = connections.length - sent.length;
  return suiteReport(cases, {
    toolVersion: options.toolVersion,
    suites: [file],
    startedAt,
    durationMs: performance.now() - began,
    trials: 1,
    notices: [
      ...trace.notes(),
      ...(left > 0 ? [`${left} more connections of the recording were not sent.`] : []),
      ...afterSkipped(cases),
    ],
    incomplete: null,
  });
}

/** A call that was not sent may be what later responses differ by. */
function afterSkipped(cases: readonly SuiteCaseReport[]): string[] {
  const first = cases.findIndex(({ status }) => status === 'skip');
  if (first === -1 || !cases.slice(first).some(({ status }) => status === 'fail')) return [];
  return ['Responses differ after a tool call that was not sent; --allow-tool NAME sends it.'];
}

async function verifyConnection(
  recording: Recording,
  connection: number,
  file: string,
  options: VerifyOptions,
  add: (one: Verified) => void,
): Promise<void> {
  const all = recording.turns.filter((turn) => turn.connection === connection);
  const turns = all.filter(({ id, deviating, reply }) => id !== undefined && !deviating && reply !== undefined);
  const { timing, spec, ...target } = options.target;
  const client = recordedClient(all);
  const live = collectMessages();
  const session = await openLive({
    ...target,
    spec: spec === 'auto' ? (client.revision ?? 'auto') : spec,
    features: client.features,
    timing: { startMs: timing?.startMs, answerMs: timing?.answerMs },
    toolVersion: options.toolVersion,
    redactor: redactorOf(target),
    signal: options.signal,
    onStderr: options.onStderr,
    onEvent: (event) => live.take(event),
  });
  // What the server sends of its own accord comes there.
  listenAlong(session.opened.peer);
  try {
    const values = createEarlierValues();
    const tools = await toolsOf(session);
    const sent = all.filter(({ method }) => method === 'notifications/initialized');
    for (const [index, turn] of turns.entries()) {
      const began = performance.now();
      const outcome = await again(turn, session, tools, values, { permission: options.permission, live });
      const params = turns.map((one) => one.params);
      const own = madeUp(params.slice(index + 1), params.slice(0, index + 1));
      const differences = 'live' in outcome ? differencesOf(turn, outcome.live, own, options) : [];
      const skipped = 'left' in outcome ? outcome.left : undefined;
      if (skipped === undefined) sent.push(turn);
      add({ title: titleOf(turn.method, turn.params), differences, skipped, durationMs: performance.now() - began });
    }
    const began = performance.now();
    const expected = recordedMessages(recording, connection, sent);
    await live.settled(expected);
    if (expected.length + live.all.length > 0) {
      const now = expected.map((one) => ({ ...one, params: values.put(one.params) }));
      const differences = messageDifferences(now, live.all, options);
      add({ title: messagesTitle, differences, skipped: undefined, durationMs: performance.now() - began });
    }
  } finally {
    await session.close();
  }
}

type Again = { live: AnsweredRequest } | { left: string };

/** The response of now to a recorded request. */
async function again(
  { method, params, reply }: Turn,
  session: LiveSession,
  tools: readonly JsonObject[],
  values: EarlierValues,
  { permission, live }: { permission: Permission; live: LiveMessages },
): Promise<Again> {
  if (method === 'initialize' || method === 'server/discover')
    return { live: answeredBy(method, params, session.handshake) };
  if (method === 'tools/call') {
    const name = isObject(params) ? params['name'] : undefined;
    const tool = tools.find((one) => one['name'] === name);
    const { call, why } = tool === undefined ? { call: true, why: '' } : decideTool(tool, permission);
    if (!call) return { left: `not called: ${why}` };
  }
  const { _meta, ...rest } = isObject(params) ? params : {};
  const put = values.put(rest) as JsonObject;
  const progress = tokenOf(params) !== undefined;
  const known = live.progress.length;
  const outcome = await session.ask(method, params === undefined ? undefined : put, { anyMethod: true, progress });
  const answered = { ...answeredBy(method, params, outcome), progress: progress ? live.progress.slice(known) : [] };
  values.answered(reply!.message['result'], answered.reply);
  return { live: answered };
}

function answeredBy(method: string, params: unknown, outcome: Outcome): AnsweredRequest {
  const request = { from: 'client' as const, method, params, seq: 1, progress: [] };
  if (outcome.kind === 'result') return { ...request, outcome: 'result', reply: outcome.result };
  if (outcome.kind === 'error') return { ...request, outcome: 'error', reply: outcome.error };
  return { ...request, outcome: 'none' };
}

async function toolsOf(session: LiveSession): Promise<JsonObject[]> {
  const outcome = await askList('tools', (method, params) => session.ask(method, params));
  const tools = outcome.kind === 'result' && isObject(outcome.result) ? outcome.result['tools'] : undefined;
  return Array.isArray(tools) ? tools.filter(isObject) : [];
}

function differencesOf(
  { method, params, reply, before }: Turn,
  live: AnsweredRequest,
  own: ReadonlySet<string>,
  options: VerifyOptions,
): Difference[] {
  const { message } = reply!;
  const member = 'result' in message ? 'result' : 'error';
  const masked = maskOf(options);
  const recorded: AnsweredRequest = {
    from: 'client',
    method,
    params,
    seq: 1,
    outcome: member,
    reply: masked(plain(message[member])),
    progress: tokenOf(params) === undefined ? [] : progressIn(before.map((said) => said.message)),
  };
  const now = {
    ...live,
    reply: masked(withoutOwn(plain(message[member]), live.reply, (text) => own.has(text) || isStandIn(text))),
  };
  const conversation = (request: AnsweredRequest): Conversation => ({
    session: '',
    requests: [request],
    notices: [],
    odd: [],
  });
  return compareConversations([conversation(recorded)], [conversation(now)], ignoredBy(options));
}

/** Of the notifications and requests that a server sent. */
function messageDifferences(
  expected: readonly ServerMessage[],
  live: readonly ServerMessage[],
  options: VerifyOptions,
): Difference[] {
  const masked = maskOf(options);
  const all = (messages: readonly ServerMessage[]): ServerMessage[] =>
    messages.map((one) => ({ ...one, params: masked(plain(one.params)) }));
  const [recorded, now] = asConversations(all(expected), all(live));
  return compareConversations([recorded], [now], ignoredBy(options));
}

function maskOf({ exact }: VerifyOptions): (value: unknown) => unknown {
  const masks = exact ? undefined : createMasks([]);
  return (value) => (masks === undefined ? value : masks.value(value));
}

function ignoredBy({ ignore }: VerifyOptions): CompareOptions {
  return ignore.length === 0 ? {} : { ignored: picomatch([...ignore], { dot: true }) };
}

/** Numbers that were kept with their digits, as JavaScript has them: the other side is read so, too. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}

interface Verified {
  title: string;
  differences: readonly Difference[];
  /** Why it was not sent. */
  skipped: string | undefined;
  durationMs: number;
}

const messagesTitle = 'notifications and requests of the server';

function caseOf(file: string, number: number, { title, differences, skipped, durationMs }: Verified): SuiteCaseReport {
  const place = { line: number, column: 1 };
  const status: CaseStatus = skipped !== undefined ? 'skip' : differences.length > 0 ? 'fail' : 'pass';
  const detail = skipped ?? differences.map(words).join('; ');
  const trial: SuiteTrial = {
    trial: 1,
    status,
    durationMs,
    detail,
    stderr: [],
    failures: differences.map((one) => ({
      step: title,
      title,
      expectation: one.path,
      detail: words(one),
      expected: one.left === undefined ? null : text(one.left),
      actual: one.right === undefined ? null : text(one.right),
      ...place,
      evidence: [],
    })),
  };
  const about = { id: `${file}#${number}`, name: title, file, place, form: 'native' as const, block: 'cases' };
  return caseReport({ ...about, tags: [], server: undefined, steps: [] }, [trial], '');
}

function words({ what, path, left, right }: Difference): string {
  const place = path.replaceAll('/', '.');
  if (what === 'missing') return `${place} is missing${left === undefined ? '' : `: ${text(left)} was recorded`}`;
  if (what === 'added') return `${place} is new${right === undefined ? '' : `: ${text(right)}`}`;
  return `${place}: ${text(left)} was recorded, now ${text(right)}`;
}

function text(value: unknown): string {
  const json = JSON.stringify(value) ?? 'nothing';
  return json.length > 300 ? `${json.slice(0, 300)}…` : json;
}
