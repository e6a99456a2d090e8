/**
 * Carries out one case: opens its server, does its steps one after another and notes in the trace where each begins.
 * Whether to go on is asked of the judge, which reads the trace.
 */
import type { TraceEvent } from '../../model/trace.ts';
import type { MethodTables } from '../../spec/messages/method-tables.ts';
import type { Step, SuiteCase } from '../../suite/model.ts';
import { createCaseRecord } from '../../suite/run/case-record.ts';
import type { CaseMark, CaseRecord, StepMark } from '../../suite/run/case-record.ts';
import { createCaseJudge, pathsOf } from '../../suite/run/judge-case.ts';
import type { CaseVerdict } from '../../suite/run/judge-case.ts';
import { substituteText } from '../../suite/run/substitute.ts';
import type { Connection, OpenOptions } from './connection.ts';
import { observeFile } from './observe-file.ts';
import { sendRequest } from './send-request.ts';
import type { StepSetting } from './step-setting.ts';

export interface CarryOptions {
  connection: Connection;
  trial: number;
  /** Folder with the files of the case. */
  fixture: string | undefined;
  budgetMs: number;
  all: boolean;
  methods: MethodTables;
  open: Omit<OpenOptions, 'server' | 'fixture' | 'budgetMs'>;
  signal: AbortSignal;
}

export interface Carried {
  verdict: CaseVerdict;
  record: CaseRecord;
  /** The events of the case, without secrets. */
  events: TraceEvent[];
  /** Secrets were taken out of some event. */
  redacted: boolean;
}

export async function carryOut(one: SuiteCase, options: CarryOptions): Promise<Carried> {
  const { connection, budgetMs, fixture } = options;
  const { recorder } = connection;
  const record = createCaseRecord();
  const events: TraceEvent[] = [];
  const raw = new Map<number, unknown>();
  const redacted: number[] = [];
  const unsubscribe = [
    recorder.subscribe((event) => {
      record.push(event);
      raw.set(event.seq, secretPart(event));
    }),
    recorder.subscribe(
      (event) => {
        events.push(event);
        if (raw.get(event.seq) !== secretPart(event)) redacted.push(event.seq - events[0]!.seq);
        raw.delete(event.seq);
      },
      { redacted: true },
    ),
  ];
  const began = performance.now();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    connection.abandon();
  }, budgetMs + 20);
  const onAbort = (): void => connection.abandon();
  options.signal.addEventListener('abort', onAbort, { once: true });
  const judge = createCaseJudge(one, record, { all: options.all });
  const setting: StepSetting = {
    connection,
    remaining: () => Math.max(1, Math.ceil(budgetMs - (performance.now() - began))),
    overdue: () => `context deadline exceeded (timed out after ${budgetMs} ms)`,
    timedOut: () => timedOut || performance.now() - began >= budgetMs,
    methods: options.methods,
  };

  const session = (): string => connection.opened?.peer.session ?? 's1';
  const mark = (kind: 'case' | 'step', detail: CaseMark | StepMark): void => void recorder.sink({ session: session(), from: 'harness', kind, detail });

  async function start(): Promise<boolean> {
    if (one.server === undefined || connection.opened?.peer.alive === true || !one.steps.some(({ act }) => act.kind !== 'impossible')) return true;
    const failed = await connection.open({ ...options.open, server: one.server, fixture, budgetMs: setting.remaining() });
    if (failed === undefined) return true;
    mark('case', { mark: 'stopped', words: setting.timedOut() ? `${failed.words}; ${setting.overdue()}` : failed.words });
    return false;
  }

  async function observe(step: Step, when: 'before' | 'after'): Promise<void> {
    const log = step.act.kind === 'calls' && when === 'after' && step.act.log !== undefined ? [substituteText(step.act.log, 'text', judge.variables)] : [];
    for (const path of [...pathsOf(step, judge.variables), ...log]) {
      const seen = await observeFile(path);
      recorder.sink({ session: session(), from: 'harness', kind: 'file', detail: { step: step.id, when, ...seen } });
    }
  }

  try {
    mark('case', { mark: 'begin', case: one.id, trial: options.trial, ...(fixture === undefined ? {} : { fixture }) });
    if (await start()) {
      for (const step of one.steps) {
        if (options.signal.aborted) break;
        await observe(step, 'before');
        mark('step', { mark: 'begin', step: step.id });
        const came = await act(step, setting, judge);
        if (came === 'done') mark('step', { mark: 'done', step: step.id });
        else if (came !== undefined) mark('step', { mark: 'stopped', step: step.id, words: came.words });
        await observe(step, 'after');
        if (!judge.settle(step)) break;
      }
    }
    mark('case', { mark: 'end', case: one.id, ...(redacted.length === 0 ? {} : { redacted }) });
    return { verdict: judge.verdict(), record, events, redacted: redacted.length > 0 };
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', onAbort);
    for (const stop of unsubscribe) stop();
  }
}

/** What judging reads of an event, by which one that was changed is known. */
function secretPart({ message, raw, detail }: TraceEvent): unknown {
  return message ?? raw ?? (detail as { content?: unknown } | undefined)?.content;
}

/** @returns words that say why the step could not be carried out; `done` when nothing had to be sent */
async function act(step: Step, setting: StepSetting, judge: ReturnType<typeof createCaseJudge>): Promise<{ words: string } | 'done' | undefined> {
  const { act: todo } = step;
  if (todo.kind === 'impossible' || todo.kind === 'calls') return undefined;
  const opened = setting.connection.opened;
  if (opened === undefined) return { words: 'there is no connection' };
  if (todo.kind === 'request') return sendRequest(todo, opened, judge.variables, setting);
  const { waiter } = opened.peer;
  if (todo.kind === 'observe') {
    if (todo.graceMs > 0 && !judge.enough(step)) await waiter.wait(() => judge.enough(step), Math.min(todo.graceMs, setting.remaining()));
    return undefined;
  }
  const isUpdate = ({ kind, from, message }: TraceEvent): boolean => kind === 'message' && from === 'server' && (message as { method?: unknown } | null)?.method === 'notifications/resources/updated';
  if (todo.wanted ? !judge.updated() : true) await waiter.wait(isUpdate, todo.wanted ? setting.remaining() : graceMs);
  return undefined;
}

/** How long is waited for an update that ought not to come. */
const graceMs = 100;

