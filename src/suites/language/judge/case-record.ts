/**
 * Record of a case, folded from its trace events: for each step its requests, their answers, and the observed files. It
 * reads events only, so that a kept trace says the same as the run that wrote it.
 */
import { itemsOf, progressTokenOf, typedKey } from '../../../core/facts/values/rpc.ts';
import { asText, isObject } from '../../../core/model/json.ts';
import type { JsonObject } from '../../../core/model/json.ts';
import { append } from '../../../core/model/lists.ts';
import type { TraceEvent } from '../../../core/model/trace.ts';
import type { Notice, SeenFile } from '../subject.ts';
import { parseJson } from '../json-text.ts';

export interface SentRequest {
  seq: number;
  t: number;
  session: string;
  id: unknown;
  message: JsonObject;
  answer?: { seq: number; t: number; message: JsonObject };
  /** The reply over HTTP. */
  exchange?: string;
}

/** An answer that the harness gives: what a command wrote, what the handshake was. */
export interface HarnessAnswer {
  text?: string;
  result?: unknown;
}

export interface StepRecord {
  requests: SentRequest[];
  /** Files by path: before the step and after it. */
  before: Map<string, SeenFile>;
  after: Map<string, SeenFile>;
  /** Why the step was not carried out, or got no answer. */
  stopped?: { words: string; seq: number };
  /** It came about without a request of its own. */
  done?: HarnessAnswer;
}

export interface CaseRecord {
  push(event: TraceEvent): void;
  readonly steps: ReadonlyMap<string, StepRecord>;
  readonly notices: readonly Notice[];
  /** Why the case did not reach its first step. */
  readonly stopped: { words: string; seq: number } | undefined;
  readonly fixture: string | undefined;
  /** Last lines of stderr. */
  readonly stderr: readonly string[];
  /** Milliseconds from its begin to its end, as far as it went. */
  readonly durationMs: number;
  readonly begun: boolean;
  /** Tools as the server has listed them in the case, by name. */
  readonly tools: ReadonlyMap<string, JsonObject>;
  /** The head of a reply over HTTP, by its exchange. */
  reply(exchange: string | undefined): { status: number; headers: Record<string, string | string[]> } | undefined;
}

const keptStderr = 10;
const mostNotices = 100_000;

/** Meaning of the harness's marks in `detail`. */
export interface CaseMark {
  /** `told`: a notice about the whole run, at its end. */
  mark: 'begin' | 'end' | 'stopped' | 'told';
  case?: string;
  trial?: number;
  fixture?: string;
  words?: string;
  /** Of the end: which events of the case, counted from its begin, had secrets taken out. */
  redacted?: number[];
}

export interface StepMark {
  mark: 'begin' | 'stopped' | 'done';
  step: string;
  words?: string;
  answer?: HarnessAnswer;
}

export function createCaseRecord(): CaseRecord {
  const steps = new Map<string, StepRecord>();
  const notices: (Notice & { session: string })[] = [];
  const open = new Map<string, SentRequest>();
  const stderr: string[] = [];
  const tools = new Map<string, JsonObject>();
  const replies = new Map<string, { status: number; headers: Record<string, string | string[]> }>();
  let current: StepRecord | undefined;
  let stopped: { words: string; seq: number } | undefined;
  let fixture: string | undefined;
  let begunAt: number | undefined;
  let endedAt: number | undefined;

  function stepOf(name: string): StepRecord {
    let step = steps.get(name);
    if (step === undefined) steps.set(name, (step = { requests: [], before: new Map(), after: new Map() }));
    return step;
  }

  function caseMark({ mark, fixture: path, words }: CaseMark, { seq, t }: TraceEvent): void {
    if (mark === 'begin') {
      begunAt = t;
      fixture = path;
    } else if (mark === 'end') endedAt = t;
    else stopped ??= { words: words ?? '', seq };
  }

  function stepMark({ mark, step: name, words, answer }: StepMark, { seq, session }: TraceEvent): void {
    // A connection that only found out how the server speaks is no part of the case.
    if (steps.size === 0) {
      const own = notices.filter((notice) => notice.session === session);
      notices.length = 0;
      append(notices, own);
    }
    const step = stepOf(name);
    if (mark === 'begin') current = step;
    else if (mark === 'done') step.done = answer ?? {};
    else step.stopped ??= { words: words ?? '', seq };
  }

  function message(event: TraceEvent): void {
    for (const { message: given, shape, from, seq } of itemsOf(event)) {
      const one = exact(given, event);
      if (!isObject(one)) continue;
      const key = `${event.session} ${String(typedKey(one['id']))}`;
      if (from === 'client' && shape === 'request' && current !== undefined) {
        const sent: SentRequest = {
          seq,
          t: event.t,
          session: event.session,
          id: one['id'],
          message: one,
          exchange: event.exchange,
        };
        current.requests.push(sent);
        open.set(key, sent);
      } else if (from === 'server' && shape === 'notification') {
        if (notices.length < mostNotices)
          notices.push({
            seq,
            t: event.t,
            session: event.session,
            method: asText(one['method']),
            params: one['params'],
          });
      } else if (from === 'server' && shape !== 'request') {
        const sent = open.get(key);
        if (sent !== undefined && sent.answer === undefined) {
          sent.answer = { seq, t: event.t, message: one };
          if (sent.message['method'] === 'tools/list') learnTools(one['result']);
        }
      }
    }
  }

  function learnTools(result: unknown): void {
    const listed = isObject(result) && Array.isArray(result['tools']) ? result['tools'] : [];
    for (const tool of listed) if (isObject(tool)) tools.set(asText(tool['name']), tool);
  }

  return {
    steps,
    tools,
    reply: (exchange) => (exchange === undefined ? undefined : replies.get(exchange)),
    notices,
    stderr,
    get stopped() {
      return stopped;
    },
    get fixture() {
      return fixture;
    },
    get durationMs() {
      return begunAt === undefined || endedAt === undefined ? 0 : endedAt - begunAt;
    },
    get begun() {
      return begunAt !== undefined;
    },
    push(event) {
      if (event.kind === 'case') caseMark(event.detail as CaseMark, event);
      else if (event.kind === 'step') stepMark(event.detail as StepMark, event);
      else if (event.kind === 'message') message(event);
      else if (event.kind === 'file') seen(event);
      else if (event.kind === 'http-response' && event.exchange !== undefined)
        replies.set(event.exchange, { status: event.http?.status ?? 0, headers: event.http?.headers ?? {} });
      else if (event.kind === 'stderr' && event.raw !== undefined) {
        stderr.push(event.raw);
        if (stderr.length > keptStderr) stderr.shift();
      }
    },
  };

  function seen({ detail, seq }: TraceEvent): void {
    const { step, when, ...file } = detail as Omit<SeenFile, 'seq'> & { step: string; when: 'before' | 'after' };
    stepOf(step)[when].set(file.path, { ...file, seq });
  }
}

/** The message with all digits of its numbers, where the text on the wire has more than a double holds. */
function exact(message: unknown, { raw, message: whole }: TraceEvent): unknown {
  if (raw === undefined || !/\d{16}/.test(raw)) return message;
  try {
    const parsed = parseJson(raw.replace(/^\uFEFF/, ''));
    return Array.isArray(whole) ? (parsed as unknown[])[(whole as unknown[]).indexOf(message)] : parsed;
  } catch {
    return message;
  }
}

/** Notifications of the progress of a request, until its answer. */
export function progressOf(sent: SentRequest, notices: readonly Notice[]): Notice[] {
  const token = progressTokenOf(sent.message);
  if (token === undefined) return [];
  return notices.filter(
    ({ method, params, seq }) =>
      method === 'notifications/progress' &&
      isObject(params) &&
      params['progressToken'] === token &&
      seq > sent.seq &&
      (sent.answer === undefined || seq < sent.answer.seq),
  );
}
