/** Trace, writer and judge of a run against a client: what the taps of each start tell becomes events of one trace. */
import path from 'node:path';
import { createHttpRecording } from '../../client/intercept/http-recording.ts';
import { createStdioRecording, type StreamRecording } from '../../client/intercept/stdio-recording.ts';
import type { StdioStream, Tap, TapSink } from '../../client/intercept/taps.ts';
import { defaultTransportLimits } from '../../client/transport/limits.ts';
import { makeRunFolder, removeFolder } from '../../client/transport/process/run-folders.ts';
import type { RunReport } from '../../core/model/reports/run-report.ts';
import type { Evaluator } from '../../core/evaluate/judge.ts';
import type { Failure } from '../../core/evaluate/rule-tally.ts';
import type { EventInput, EventSink, TraceEvent, TraceFooter, TraceHeader } from '../../core/model/trace.ts';
import { createRecorder } from '../../core/trace/recorder.ts';
import type { Redactor } from '../../core/trace/redaction/redact.ts';
import { readEvents } from '../../files/traces/jsonl-reader.ts';
import { createJsonlWriter } from '../../files/traces/jsonl-writer.ts';
import { startJudging, type Judged } from '../../check/judge/judge-feed.ts';
import { leisurely } from '../../check/judge/leisurely-feed.ts';
import type { SelectedPlan } from '../../check/plan.ts';
import { createTurns } from './turns.ts';
import { assembleReport } from '../../check/assemble-report.ts';

export interface RecordingOptions {
  header: TraceHeader;
  plan: SelectedPlan;
  redactor: Redactor;
  /** Where the trace is kept; a temporary file otherwise. */
  traceFile: string | undefined;
  toolVersion: string;
  /** Revision to judge by where the client agrees on none. */
  otherwise?: string;
  /** Called for each violation at once. */
  onFailure?: ((failure: Failure) => void) | undefined;
  /** Redacted events of an earlier run, which this one continues. */
  earlier?: AsyncIterable<TraceEvent> | undefined;
  /** Called for each of them. */
  onEarlier?: ((event: TraceEvent) => void) | undefined;
  /** Starts run at the same time and are recorded one after another. */
  inTurn?: boolean | undefined;
  /** Evaluator of conditions; the fast path when absent. */
  evaluator?: Evaluator | undefined;
}

/** What one start of the client is recorded by. */
export interface StartRecording {
  tap: TapSink;
  /** What the harness has to say of the client itself. */
  note(event: Omit<EventInput, 'session'>): void;
  /** An event of an exchange beside the endpoint. */
  beside(event: EventInput): void;
  /** stdio: what is recorded of one process of the server, which is a connection. */
  process(session: string): Record<StdioStream, StreamRecording> & Pick<StartRecording, 'note'>;
  /** Resolves when all that was told is recorded: the end of the start. */
  settled(): Promise<void>;
}

export interface Recording {
  /**
   * @param start its name, the beginning of the names of its connections
   * @param deviationOf why a message of the server is wrong on purpose; undefined for all others
   */
  begin(start: string, deviationOf: (message: unknown) => string | undefined): StartRecording;
  /** Told of each event, secrets redacted. */
  onEvent(listener: (event: TraceEvent) => void): void;
  /** @param end `incomplete`: why not all was seen, where that is so; `attested`: what a person answered */
  conclude(end: RecordingEnd): Promise<RunReport>;
  /** The report if the run ended now. */
  interim(end: RecordingEnd): Promise<RunReport>;
  /** Ends the trace of a run that has no report. */
  abandon(reason: string): Promise<void>;
  dispose(): void;
}

export interface RecordingEnd {
  incomplete?: string | undefined;
  skipped: RunReport['skipped'];
  attested?: RunReport['attested'];
}

/** @throws McpcError usage for a trace file that cannot be written */
export async function openRecording({
  header,
  plan,
  redactor,
  traceFile,
  toolVersion,
  onFailure,
  earlier,
  onEarlier,
  otherwise,
  inTurn = false,
  evaluator,
}: RecordingOptions): Promise<Recording> {
  /** Begins so much later than this run that its events follow those of an earlier one. */
  let began = performance.now();
  const folder = traceFile === undefined ? makeRunFolder() : undefined;
  const file = traceFile ?? path.join(folder!, 'trace.jsonl');
  const writer = createJsonlWriter(file);
  const recorder = createRecorder({ redactor, now: () => performance.now() - began });
  recorder.writeTo(writer);
  recorder.setHeader(header);
  const feed = leisurely(
    await startJudging(plan.rules, header, {
      role: 'client',
      otherwise,
      ...(onFailure ? { onFailure } : {}),
      ...(evaluator ? { evaluator } : {}),
    }),
  );
  recorder.subscribe(feed.push, { redacted: true });
  for await (const event of earlier ?? []) {
    const { seq: _seq, ...input } = event;
    recorder.sink(input);
    onEarlier?.(event);
    began = performance.now() - event.t;
  }
  const now = (): number => Math.round(performance.now() - began);
  const turns = inTurn ? createTurns(recorder.sink, () => performance.now()) : undefined;

  const endOf = ({ incomplete, skipped, attested = [] }: RecordingEnd) => ({
    complete: incomplete === undefined,
    ...(incomplete === undefined ? {} : { reason: incomplete }),
    more: {
      durationMs: now(),
      ...(skipped.length === 0 ? {} : { skipped }),
      ...(attested.length === 0 ? {} : { attested }),
    },
  });
  const reportOf = (footer: TraceFooter, judged: Judged): Promise<RunReport> =>
    assembleReport({
      header: recorder.header!,
      footer,
      cited: (seqs) => readEvents(file, seqs),
      judged,
      plan,
      toolVersion,
      trace: traceFile ?? null,
      durationMs: footer['durationMs'] as number,
      role: 'client',
    });

  return {
    begin(start, deviationOf) {
      const turn = turns?.next();
      const sink = turn?.sink ?? recorder.sink;
      const named: EventSink = ({ session, exchange, ...event }) => {
        const deviation = event.from === 'server' && event.kind === 'message' ? deviationOf(event.message) : undefined;
        return sink({
          session: `${start}-${session}`,
          ...(exchange === undefined ? {} : { exchange: `${start}-${exchange}` }),
          ...event,
          ...(deviation === undefined ? {} : { deviation }),
        });
      };
      const http = createHttpRecording(named, defaultTransportLimits);
      return {
        tap(tap: Tap) {
          if ('exchange' in tap) http.take(tap);
        },
        note: (event) => void named({ session: 'client', ...event }),
        beside: (event) => void named(event),
        process: (session) => ({
          ...createStdioRecording((event) => named({ session, ...event }), defaultTransportLimits),
          note: (event) => void named({ session, ...event }),
        }),
        async settled() {
          await http.settled();
          turn?.close();
        },
      };
    },
    onEvent: (listener) => void recorder.subscribe((event) => listener(event), { redacted: true }),
    async conclude(end) {
      const footer = recorder.finish(endOf(end));
      await writer.close();
      return reportOf(footer, await feed.finish());
    },
    async interim(end) {
      const { more, ...rest } = endOf(end);
      const judged = await feed.peek();
      writer.flush();
      return reportOf({ footer: true, events: recorder.count, ...rest, ...more }, judged);
    },
    async abandon(reason) {
      recorder.finish({ complete: false, reason });
      await writer.close().catch(() => {});
    },
    dispose() {
      if (folder !== undefined) removeFolder(folder);
    },
  };
}
